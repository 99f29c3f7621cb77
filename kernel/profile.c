// SPDX-License-Identifier: GPL-2.0
/* Profiles: which AQM belongs to which rate, as messages bring them and a qdisc
 * keeps them.
 */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "netlink/attr.h"
#include "profile.h"
#include "qdisc.h"

/* --- What is kept. --- */

/* Rows never change; what is around them belongs to this file. */
static struct wl_kept_profile *profile_kept_of(const struct wl_profile *profile)
{
	return container_of((struct wl_profile *)profile,
			    struct wl_kept_profile, profile);
}

static struct wl_kept_profile *profile_new(u32 rows)
{
	struct wl_kept_profile *kept;

	kept = kvzalloc(struct_size(kept, profile.row, rows),
			GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (kept)
		kept->profile.count = rows;
	return kept;
}

static bool profile_same(const struct wl_kept_profile *a,
			 const struct wl_kept_profile *b)
{
	const struct wl_profile *pa = &a->profile, *pb = &b->profile;
	u32 i;

	if (strcmp(a->name, b->name) || pa->count != pb->count)
		return false;
	for (i = 0; i < pa->count; i++)
		if (pa->row[i].rate_bps != pb->row[i].rate_bps ||
		    !wl_nl_same_aqm(&pa->row[i].aqm, &pb->row[i].aqm))
			return false;
	return true;
}

/* Keep one, or find that an equal one is there. */
static const struct wl_profile *profile_keep(struct wl_kept_profile **profiles,
					     struct wl_kept_profile *kept)
{
	struct wl_kept_profile *old;

	for (old = *profiles; old; old = old->next) {
		if (profile_same(old, kept)) {
			kvfree(kept);
			return &old->profile;
		}
	}
	kept->next = *profiles;
	*profiles = kept;
	return &kept->profile;
}

const char *wl_profile_name(const struct wl_profile *profile)
{
	return profile_kept_of(profile)->name;
}

u64 wl_profile_bytes(const struct wl_sched *q)
{
	const struct wl_kept_profile *kept;
	u64 bytes = 0;

	for (kept = q->profiles; kept; kept = kept->next)
		bytes += struct_size(kept, profile.row, kept->profile.count);
	return bytes;
}

static void profile_mark(const struct wl_cfg *cfg)
{
	if (cfg->profile)
		profile_kept_of(cfg->profile)->known = true;
}

static bool profile_all_known(const struct wl_sched *q)
{
	const struct wl_kept_profile *kept;

	for (kept = q->profiles; kept; kept = kept->next)
		if (!kept->known)
			return false;
	return true;
}

/* All that the engine has, or will get. */
static void profile_mark_engine(struct wl_sched *q)
{
	const struct wl_bearer *b;
	const struct wl_pending *txn;
	struct wl_class *cl;
	u32 i;

	list_for_each_entry(cl, &q->order, order) {
		b = cl->bearer;
		profile_mark(&b->cfg);
		if (b->schedule)
			profile_mark(&b->schedule->base);
	}
	for (txn = q->link.pending; txn; txn = txn->next)
		for (i = 0; i < txn->count; i++)
			profile_mark(&txn->part[i].cfg);
}

void wl_profile_sweep(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_kept_profile **at, *kept;
	struct wl_class *cl;

	if (!q->profiles)
		return;
	for (kept = q->profiles; kept; kept = kept->next)
		kept->known = false;
	list_for_each_entry(cl, &q->order, order)
		profile_mark(&cl->asked);
	if (profile_all_known(q))
		return;
	sch_tree_lock(sch);
	profile_mark_engine(q);
	sch_tree_unlock(sch);
	for (at = &q->profiles; (kept = *at);) {
		if (kept->known) {
			at = &kept->next;
			continue;
		}
		*at = kept->next;
		kvfree(kept);
	}
}

void wl_profile_free_all(struct wl_sched *q)
{
	struct wl_kept_profile *kept;

	while ((kept = q->profiles)) {
		q->profiles = kept->next;
		kvfree(kept);
	}
}

/* --- Messages. --- */

#define PREFIX		"wlink: "

static struct netlink_range_validation profile_rate_range = {
	.max = WLINK_RATE_MAX,
};

static const struct nla_policy profile_row_policy[TCA_WLINK_ROW_MAX + 1] = {
	[TCA_WLINK_ROW_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &profile_rate_range),
	[TCA_WLINK_ROW_AQM] = NLA_POLICY_NESTED(wl_nl_aqm_policy),
};

const struct nla_policy wl_nl_profile_policy[TCA_WLINK_PROFILE_MAX + 1] = {
	[TCA_WLINK_PROFILE_NAME] = {
		.type = NLA_STRING, .len = WLINK_PROFILE_NAME_MAX
	},
	[TCA_WLINK_PROFILE_ROW] = NLA_POLICY_NESTED(profile_row_policy),
};

static const struct wl_nl_row profile_row_rows[TCA_WLINK_ROW_MAX + 1] = {
	[TCA_WLINK_ROW_RATE] = {
		.name = "rate", .unit = "bit/s",
		WL_NL_AT(struct wl_profile_row, rate_bps),
	},
	[TCA_WLINK_ROW_AQM] = { .name = "aqm" },
};

static const struct wl_nl_row profile_rows[TCA_WLINK_PROFILE_MAX + 1] = {
	[TCA_WLINK_PROFILE_NAME] = { .name = "name" },
	[TCA_WLINK_PROFILE_ROW] = { .name = "row" },
};

static const struct wl_nl_nest * const profile_row_inner[TCA_WLINK_ROW_MAX + 1] = {
	[TCA_WLINK_ROW_AQM] = &wl_nl_row_aqm,
};

static const struct wl_nl_nest profile_row_nest = {
	.prefix = "row ", .policy = profile_row_policy, .rows = profile_row_rows,
	.inner = profile_row_inner, .max = TCA_WLINK_ROW_MAX, .pad = TCA_WLINK_ROW_PAD,
};

static const struct wl_nl_nest * const
profile_inner[TCA_WLINK_PROFILE_MAX + 1] = {
	[TCA_WLINK_PROFILE_ROW] = &profile_row_nest,
};

const struct wl_nl_nest wl_nl_profile = {
	.prefix = "profile ", .policy = wl_nl_profile_policy,
	.rows = profile_rows, .inner = profile_inner,
	.max = TCA_WLINK_PROFILE_MAX, .pad = TCA_WLINK_PROFILE_PAD,
};

/* Say which row it is that something else has found bad. */
static void profile_explain_row(u32 row, struct nlattr *attr,
				const struct netlink_ext_ack *why,
			struct netlink_ext_ack *extack)
{
	const char *text = why->_msg ?: "";

	if (!strncmp(text, PREFIX, strlen(PREFIX)))
		text += strlen(PREFIX);
	/* The kernel has 80 bytes for a message. */
	NL_SET_ERR_MSG_FMT(extack, "wlink: profile row %u: %.56s", row, text);
	NL_SET_BAD_ATTR(extack, why->bad_attr ?: attr);
}

static int profile_parse_row(struct wl_profile_row *row, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_ROW_MAX + 1];
	int err;

	err = nla_parse_nested(tb, TCA_WLINK_ROW_MAX, attr, profile_row_policy, extack);
	if (err)
		return err;
	if (!tb[TCA_WLINK_ROW_RATE] || !tb[TCA_WLINK_ROW_AQM]) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s is required",
				   tb[TCA_WLINK_ROW_RATE] ? "aqm" : "rate");
		return -EINVAL;
	}
	row->rate_bps = nla_get_u64(tb[TCA_WLINK_ROW_RATE]);
	wl_aqm_default(&row->aqm, WLINK_AQM_DROPTAIL);
	return wl_nl_parse_aqm(&row->aqm, tb[TCA_WLINK_ROW_AQM], extack);
}

static int profile_parse_rows(struct wl_profile *profile, struct nlattr *outer,
			      struct netlink_ext_ack *extack)
{
	struct netlink_ext_ack why = { };
	struct wl_profile_row *row;
	struct nlattr *attr;
	int err, left;
	u32 n = 0;

	nla_for_each_nested(attr, outer, left) {
		if (nla_type(attr) != TCA_WLINK_PROFILE_ROW)
			continue;
		row = &profile->row[n++];
		err = profile_parse_row(row, attr, &why);
		if (err) {
			profile_explain_row(n, attr, &why, extack);
			return err;
		}
		if (n == 1 || row->rate_bps > row[-1].rate_bps)
			continue;
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: profile row %u: rate %llu is not above %llu bit/s",
				   n, row->rate_bps, row[-1].rate_bps);
		NL_SET_BAD_ATTR(extack, attr);
		return -EINVAL;
	}
	return 0;
}

static u32 profile_count_rows(struct nlattr *outer)
{
	struct nlattr *attr;
	u32 count = 0;
	int left;

	nla_for_each_nested(attr, outer, left)
		count += nla_type(attr) == TCA_WLINK_PROFILE_ROW;
	return count;
}

/* Names stand in one line of text each. */
static int profile_parse_name(char *name, struct nlattr *attr,
			      struct netlink_ext_ack *extack)
{
	const u8 *from = nla_data(attr);
	int i, len = nla_len(attr);

	if (!from[len - 1])
		len--;
	for (i = 0; i < len; i++) {
		if (from[i] < ' ' || from[i] == 0x7f) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: profile name has byte 0x%02x, which is no text",
					   from[i]);
			NL_SET_BAD_ATTR(extack, attr);
			return -EINVAL;
		}
		name[i] = from[i];
	}
	name[i] = '\0';
	return 0;
}

/* A name has rows, no name has none. */
static int profile_check_count(const char *name, u32 count, struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	u32 least = *name ? 1 : 0;
	u32 most = *name ? WLINK_PROFILE_ROWS_MAX : 0;

	if (count >= least && count <= most)
		return 0;
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: profile %.24s has %u rows, needs %u..%u",
			   *name ? name : "none", count, least, most);
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

/* Return: the profile, or NULL with a message and an errno. */
static const struct wl_profile *
profile_read_rows(struct wl_kept_profile **profiles, const char *name, u32 count,
		  struct nlattr *attr, int *err, struct netlink_ext_ack *extack)
{
	struct wl_kept_profile *kept = profile_new(count);

	if (!kept) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: no memory for a profile of %u rows",
				   count);
		*err = -ENOMEM;
		return NULL;
	}
	strscpy(kept->name, name, sizeof(kept->name));
	*err = profile_parse_rows(&kept->profile, attr, extack);
	if (*err) {
		kvfree(kept);
		return NULL;
	}
	return profile_keep(profiles, kept);
}

int wl_nl_parse_profile(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
			struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_PROFILE_MAX + 1];
	const struct wl_profile *profile = NULL;
	char name[WLINK_PROFILE_NAME_MAX + 1];
	u32 count;
	int err;

	if (!attr)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_PROFILE_MAX, attr,
			       wl_nl_profile_policy, extack);
	if (err)
		return err;
	if (!tb[TCA_WLINK_PROFILE_NAME]) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: profile name is required");
		NL_SET_BAD_ATTR(extack, attr);
		return -EINVAL;
	}
	count = profile_count_rows(attr);
	err = profile_parse_name(name, tb[TCA_WLINK_PROFILE_NAME], extack);
	if (!err)
		err = profile_check_count(name, count, attr, extack);
	if (!err && *name)
		profile = profile_read_rows(profiles, name, count, attr, &err, extack);
	if (!err)
		cfg->profile = profile;
	return err;
}

int wl_nl_dump_profile(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	struct nlattr *nest;

	if (!cfg->profile)
		return 0;
	nest = nla_nest_start(skb, TCA_WLINK_PROFILE);
	if (!nest || nla_put_string(skb, TCA_WLINK_PROFILE_NAME,
				    wl_profile_name(cfg->profile)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int wl_profile_put(struct sk_buff *skb, const struct wl_profile *profile)
{
	struct nlattr *nest, *row;
	u32 i;

	if (!profile)
		return 0;
	nest = nla_nest_start(skb, WLINK_A_PROFILE);
	if (!nest || nla_put_string(skb, TCA_WLINK_PROFILE_NAME,
				    wl_profile_name(profile)))
		return -EMSGSIZE;
	for (i = 0; i < profile->count; i++) {
		row = nla_nest_start(skb, TCA_WLINK_PROFILE_ROW);
		if (!row ||
		    wl_nl_put(skb, &profile_row_nest, TCA_WLINK_ROW_RATE,
			      &profile->row[i]) ||
		    wl_nl_dump_aqm(skb, TCA_WLINK_ROW_AQM,
				   &profile->row[i].aqm))
			return -EMSGSIZE;
		nla_nest_end(skb, row);
	}
	nla_nest_end(skb, nest);
	return 0;
}
