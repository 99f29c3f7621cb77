// SPDX-License-Identifier: GPL-2.0
/* Profiles: which AQM belongs to which rate, as messages bring them. */
#include <linux/slab.h>
#include <linux/string.h>

#include "attr.h"
#include "profile.h"
#include "kept.h"

const char *wl_profile_name(const struct wl_profile *profile)
{
	return wl_kept_profile(profile)->name;
}

#define PREFIX		"wlink: "

static int profile_parse_row(struct wl_profile_row *row, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_ROW_MAX + 1];

	wl_nest_read(&wl_nest_row, attr, tb);
	if (!tb[TCA_WLINK_ROW_RATE] || !tb[TCA_WLINK_ROW_AQM])
		return wl_refuse(extack, NULL, -EINVAL, "wlink: %s is required",
				 tb[TCA_WLINK_ROW_RATE] ? "aqm" : "rate");
	row->rate_bps = nla_get_u64(tb[TCA_WLINK_ROW_RATE]);
	wl_aqm_default(&row->aqm, WLINK_AQM_DROPTAIL);
	return wl_aqm_parse(&row->aqm, tb[TCA_WLINK_ROW_AQM], extack);
}

/* Say in which row it is that something has been found wrong. */
static int profile_refuse_row(u32 row, struct nlattr *attr, int err,
			      const struct netlink_ext_ack *why,
			      struct netlink_ext_ack *extack)
{
	const char *text = why->_msg ?: "";

	if (!strncmp(text, PREFIX, strlen(PREFIX)))
		text += strlen(PREFIX);
	/* The kernel has 80 bytes for a message. */
	return wl_refuse(extack, why->bad_attr ?: attr, err,
			 "wlink: profile row %u: %.56s", row, text);
}

static int profile_parse_rows(struct wl_profile *profile, struct nlattr *outer,
			      struct netlink_ext_ack *extack)
{
	struct wl_profile_row *row = profile->row;
	struct netlink_ext_ack why = { };
	struct nlattr *attr;
	int err, left;
	u32 n = 0;

	nla_for_each_nested(attr, outer, left) {
		if (nla_type(attr) != TCA_WLINK_PROFILE_ROW)
			continue;
		err = profile_parse_row(row, attr, &why);
		if (err)
			return profile_refuse_row(n + 1, attr, err, &why, extack);
		if (n++ && row->rate_bps <= row[-1].rate_bps)
			return wl_refuse(extack, attr, -EINVAL,
					 "wlink: profile row %u: rate %llu is not above %llu bit/s",
					 n, row->rate_bps, row[-1].rate_bps);
		row++;
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
		if (from[i] < ' ' || from[i] == 0x7f)
			return wl_refuse(extack, attr, -EINVAL,
					 "wlink: profile name has byte 0x%02x, which is no text",
					 from[i]);
		name[i] = from[i];
	}
	name[i] = '\0';
	return 0;
}

static int profile_read(struct wl_kept **list, const char *name,
			u32 count, struct nlattr *attr,
			const struct wl_profile **profile,
			struct netlink_ext_ack *extack)
{
	struct wl_kept *kept;
	int err;

	kept = wl_kept_new(WL_KEPT_PROFILE, struct_size(kept, profile.row, count));
	if (!kept)
		return wl_refuse(extack, NULL, -ENOMEM,
				 "wlink: no memory for a profile of %u rows",
				 count);
	kept->profile.count = count;
	strscpy(kept->name, name, sizeof(kept->name));
	err = profile_parse_rows(&kept->profile, attr, extack);
	if (err)
		kvfree(kept);
	else
		*profile = &wl_kept_add(list, kept)->profile;
	return err;
}

int wl_profile_parse(struct wl_cfg *cfg, struct wl_kept **list,
		     struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_PROFILE_MAX + 1];
	char name[WLINK_PROFILE_NAME_MAX + 1];
	u32 count, least, most;
	int err;

	if (!attr)
		return 0;
	wl_nest_read(&wl_nest_profile, attr, tb);
	if (!tb[TCA_WLINK_PROFILE_NAME])
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: profile name is required");
	err = profile_parse_name(name, tb[TCA_WLINK_PROFILE_NAME], extack);
	if (err)
		return err;
	/* A name has rows, no name has none. */
	count = profile_count_rows(attr);
	least = *name ? 1 : 0;
	most = *name ? WLINK_PROFILE_ROWS_MAX : 0;
	if (count < least || count > most)
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: profile %.24s has %u rows, needs %u..%u",
				 *name ? name : "none", count, least, most);
	if (*name)
		return profile_read(list, name, count, attr, &cfg->profile,
				    extack);
	cfg->profile = NULL;
	return 0;
}

static int profile_put_rows(struct sk_buff *skb, const struct wl_profile *profile)
{
	struct nlattr *nest;
	u32 i;

	for (i = 0; i < profile->count; i++) {
		nest = nla_nest_start(skb, TCA_WLINK_PROFILE_ROW);
		if (!nest ||
		    wl_put_u64(skb, TCA_WLINK_ROW_RATE, profile->row[i].rate_bps) ||
		    wl_aqm_put(skb, TCA_WLINK_ROW_AQM, &profile->row[i].aqm))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

int wl_profile_put(struct sk_buff *skb, int type,
		   const struct wl_profile *profile, bool rows)
{
	struct nlattr *nest;

	if (!profile)
		return 0;
	nest = nla_nest_start(skb, type);
	if (!nest ||
	    nla_put_string(skb, TCA_WLINK_PROFILE_NAME,
			   wl_profile_name(profile)) ||
	    (rows && profile_put_rows(skb, profile)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
