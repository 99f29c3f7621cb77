// SPDX-License-Identifier: GPL-2.0
/* TCA_OPTIONS: what may be in it, to struct wl_cfg and back. */
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "../core/rrc/check.h"
#include "attr.h"
#include "impair.h"
#include "options.h"
#include "profile.h"
#include "kept.h"

/* --- Limit: its kinds are the attributes in their order. --- */

static int options_parse_limit(struct wl_limit *limit, struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_LIMIT_MAX + 1];
	int units = 0, i;

	if (!attr)
		return 0;
	wl_nest_read(&wl_nest_limit, attr, tb);
	for (i = TCA_WLINK_LIMIT_PACKETS; i <= TCA_WLINK_LIMIT_MAX; i++) {
		if (!tb[i])
			continue;
		limit->kind = i - TCA_WLINK_LIMIT_PACKETS;
		units++;
	}
	if (units != 1)
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: limit has %d of packets, bytes, time, needs 1",
				 units);
	return wl_nest_take(&wl_nest_limit, tb, attr, limit->kind, false, limit,
			    extack);
}

/* --- Channel, and the reverse path of feedback. --- */

static int options_parse_channel(struct wl_chan_cfg *chan,
				 const struct wl_nest *nest, struct nlattr *attr,
				 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CHANNEL_MAX + 1];
	enum wlink_channel kind = chan->kind;
	bool fresh;

	if (!attr)
		return 0;
	wl_nest_read(nest, attr, tb);
	if (tb[TCA_WLINK_CHANNEL_KIND])
		kind = nla_get_u32(tb[TCA_WLINK_CHANNEL_KIND]);
	fresh = kind != chan->kind;
	if (fresh)
		*chan = (struct wl_chan_cfg){
			.kind = kind,
			.loss_bad_q32 = kind == WLINK_CHANNEL_GILBERT ?
					WLINK_PROB_ONE : 0,
		};
	return wl_nest_take(nest, tb, attr, kind, fresh, chan, extack);
}

/* --- What may be off. --- */

/* The kinds of classes: 1:1, which stands for the qdisc as well, and the others. */
enum options_kind {
	OPTIONS_FIRST,
	OPTIONS_OTHER,
};

static enum options_kind options_kind_of(u32 classid)
{
	return TC_H_MIN(classid) == 1 ? OPTIONS_FIRST : OPTIONS_OTHER;
}

/* The longest of them. */
#define OPTIONS_PART_MAX	TCA_WLINK_BACKGROUND_MAX

/* The first attribute of a nest switches what it is about; nothing else is kept while that
 * is off, for it could not be seen.
 */
static const struct options_part {
	const struct wl_nest *nest;
	const char *word;
	u16 offset;
	u8 attr;
	bool of_3gpp;
} options_parts[] = {
#define PART(attr_, nest_, member_, word_, of_3gpp_) \
	{ &wl_nest_##nest_, word_, offsetof(struct wl_cfg, member_), attr_, of_3gpp_ }
	PART(TCA_WLINK_HARQ, harq, harq, "harq", true),
	PART(TCA_WLINK_SR, sr, access, "sr", true),
	PART(TCA_WLINK_DRX, drx, drx, "drx", true),
	PART(TCA_WLINK_RRC, rrc, drx, "rrc_idle", true),
	PART(TCA_WLINK_BACKGROUND, background, cell, "background", false),
	PART(TCA_WLINK_TDD, tdd, tdd, "tdd", true),
};

static_assert(TCA_WLINK_HARQ_MAX <= OPTIONS_PART_MAX && TCA_WLINK_SR_MAX <= OPTIONS_PART_MAX &&
	      TCA_WLINK_DRX_MAX <= OPTIONS_PART_MAX && TCA_WLINK_RRC_MAX <= OPTIONS_PART_MAX &&
	      TCA_WLINK_TDD_MAX <= OPTIONS_PART_MAX);

#define for_each_part(part) \
	for (part = options_parts; part < options_parts + ARRAY_SIZE(options_parts); part++)

static bool options_is_on(const struct options_part *part, const struct wl_cfg *cfg)
{
	return wl_attr_get(&part->nest->attrs[WL_NLA_PAD + 1], (const void *)cfg + part->offset);
}

static noinline_for_stack
void options_set_usual(const struct options_part *part, struct wl_cfg *cfg)
{
	struct wl_cfg fresh;

	wl_cfg_default(&fresh);
	wl_nest_copy(part->nest, 0, (void *)cfg + part->offset, (void *)&fresh + part->offset);
}

/* Those of TS 36.213 Table 10.1.5-1 but for the shortest. */
static bool options_is_sr(u64 period_ns)
{
	u64 is_ns;

	for (is_ns = WLINK_SR_MIN; is_ns < WLINK_SR_MAX; is_ns *= 2)
		if (is_ns == period_ns)
			break;
	return is_ns == period_ns;
}

static int options_parse_part(const struct options_part *part, struct wl_cfg *cfg,
			      struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[OPTIONS_PART_MAX + 1];
	int i, err;

	wl_nest_read(part->nest, attr, tb);
	err = wl_nest_take(part->nest, tb, attr, 0, false, (void *)cfg + part->offset, extack);
	if (err)
		return err;
	if (options_is_on(part, cfg)) {
		if (part->attr != TCA_WLINK_SR || options_is_sr(cfg->access.sr_ns))
			return 0;
		return wl_refuse(extack, tb[TCA_WLINK_SR_PERIOD], -ERANGE,
				 "wlink: sr %llu ns is none of 5, 10, 20, 40 and 80 ms",
				 cfg->access.sr_ns);
	}
	options_set_usual(part, cfg);
	for (i = WL_NLA_PAD + 2; i <= part->nest->max; i++)
		if (tb[i])
			return wl_refuse(extack, tb[i], -EINVAL,
					 "wlink: %s%s needs %s, which is off", part->nest->prefix,
					 part->nest->attrs[i].name, part->word);
	return 0;
}

static int options_parse_parts(struct wl_cfg *cfg, struct nlattr **tb,
			       struct netlink_ext_ack *extack)
{
	const struct options_part *part;
	int err;

	for_each_part(part) {
		err = tb[part->attr] ? options_parse_part(part, cfg, tb[part->attr], extack) : 0;
		if (err)
			return err;
	}
	return 0;
}

static int options_put_parts(struct sk_buff *skb, const struct wl_cfg *cfg,
			     enum options_kind kind)
{
	const struct options_part *part;

	for_each_part(part)
		if (wl_nest_options.attrs[part->attr].kinds & BIT(kind) &&
		    options_is_on(part, cfg) &&
		    wl_nest_put_in(skb, part->nest, part->attr, 0,
				   (const void *)cfg + part->offset))
			return -EMSGSIZE;
	return 0;
}

/* --- How bearers share a link as users of a cell. --- */

static int options_parse_cell(struct wl_cfg *cfg, struct nlattr **outer,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CELL_MAX + 1];

	if (outer[TCA_WLINK_GBR])
		cfg->gbr_bps = nla_get_u64(outer[TCA_WLINK_GBR]);
	wl_nest_read(&wl_nest_cell, outer[TCA_WLINK_CELL], tb);
	return wl_nest_take(&wl_nest_cell, tb, outer[TCA_WLINK_CELL], 0, false, &cfg->cell,
			    extack);
}

static int options_put_cell(struct sk_buff *skb, const struct wl_cfg *cfg,
			    enum options_kind kind)
{
	const struct wl_cell_cfg *cell = &cfg->cell;
	int err = 0;

	if (kind == OPTIONS_FIRST && (cell->rb || cell->pf_window ||
				      cell->pf_exponent_milli != WL_PF_EXPONENT_ONE))
		err = wl_nest_put_in(skb, &wl_nest_cell, TCA_WLINK_CELL, 0, cell);
	if (!err && cfg->gbr_bps)
		err = wl_put_u64(skb, TCA_WLINK_GBR, cfg->gbr_bps);
	return err;
}

/* --- What the modes need beyond a bearer's other parameters. --- */

static bool options_has_reverse(const struct wl_cfg *cfg)
{
	return cfg->mode != WLINK_MODE_TM && cfg->mode != WLINK_MODE_UM &&
	       cfg->mode != WLINK_MODE_LTE_UM;
}

/* What the old mode does not have gets its default, so that nothing is in force that
 * could not be seen before.
 */
static noinline_for_stack
void options_set_mode(struct wl_cfg *cfg, enum wlink_mode mode)
{
	struct wl_cfg fresh;

	if (mode == cfg->mode)
		return;
	wl_cfg_default(&fresh);
	wl_nest_copy(&wl_nest_rlc, cfg->mode, &fresh.rlc, &cfg->rlc);
	cfg->rlc = fresh.rlc;
	if (!options_has_reverse(cfg))
		cfg->reverse = fresh.reverse;
	wl_cfg_set_mode(cfg, mode);
}

static int options_parse_rlc(struct wl_cfg *cfg, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_RLC_MAX + 1];

	wl_nest_read(&wl_nest_rlc, attr, tb);
	return wl_nest_take(&wl_nest_rlc, tb, attr, cfg->mode, false, &cfg->rlc,
			    extack);
}

static int options_parse_reverse(struct wl_cfg *cfg, struct nlattr *attr,
				 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_REVERSE_MAX + 1];

	if (!attr)
		return 0;
	wl_nest_read(&wl_nest_reverse, attr, tb);
	if (!options_has_reverse(cfg))
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: reverse is not part of mode %s",
				 wl_nest_rlc.kinds[cfg->mode]);
	return wl_nest_take(&wl_nest_reverse, tb, attr, 0, false, &cfg->reverse,
			    extack) ?:
	       options_parse_channel(&cfg->reverse.channel,
				     &wl_nest_reverse_channel,
				     tb[TCA_WLINK_REVERSE_CHANNEL], extack);
}

/* --- All of it. --- */

static int options_refuse_link(struct nlattr **tb, u32 classid,
			       struct netlink_ext_ack *extack)
{
	int i;

	for (i = 0; i <= TCA_WLINK_MAX; i++)
		if (tb[i] && wl_nest_options.attrs[i].kinds == WL_OF_LINK)
			return wl_refuse(extack, tb[i], -EINVAL,
					 "wlink: %s belongs to the qdisc, not to class %x:%x",
					 wl_nest_options.attrs[i].name,
					 TC_H_MAJ(classid) >> 16,
					 TC_H_MIN(classid));
	return 0;
}

/* A profile, while there is one, alone determines the AQM. */
static int options_parse_aqm(struct wl_cfg *cfg, struct wl_kept **kept,
			     struct nlattr **tb, struct netlink_ext_ack *extack)
{
	struct nlattr *aqm = tb[TCA_WLINK_AQM];
	int err;

	err = wl_profile_parse(cfg, kept, tb[TCA_WLINK_PROFILE], extack);
	if (err)
		return err;
	if (!cfg->profile)
		return wl_aqm_parse(&cfg->aqm, aqm, extack);
	if (aqm)
		return wl_refuse(extack, aqm, -EBUSY,
				 "wlink: aqm follows profile %.24s unless profile none is said",
				 wl_profile_name(cfg->profile));
	wl_cfg_follow(cfg);
	return 0;
}

static noinline_for_stack
int options_parse(struct wl_cfg *cfg, struct wl_kept **kept,
		  u32 classid, struct nlattr **tb,
		  struct netlink_ext_ack *extack)
{
	enum options_kind kind = options_kind_of(classid);
	int err = 0;

	/* If this change begins an outage: the rate before it. */
	cfg->usual_bps = wl_cfg_usual_bps(cfg);
	if (kind == OPTIONS_OTHER)
		err = options_refuse_link(tb, classid, extack);
	if (err)
		return err;
	if (tb[TCA_WLINK_MODE])
		options_set_mode(cfg, nla_get_u32(tb[TCA_WLINK_MODE]));
	return wl_nest_take(&wl_nest_options, tb, NULL, kind, false, cfg, extack) ?:
	       options_parse_limit(&cfg->limit, tb[TCA_WLINK_LIMIT], extack) ?:
	       options_parse_channel(&cfg->channel, &wl_nest_channel,
				     tb[TCA_WLINK_CHANNEL], extack) ?:
	       options_parse_parts(cfg, tb, extack) ?:
	       options_parse_cell(cfg, tb, extack) ?:
	       wl_impair_parse(&cfg->impair, kept, tb[TCA_WLINK_JITTER],
			       tb[TCA_WLINK_IMPAIR], extack) ?:
	       options_parse_rlc(cfg, tb[TCA_WLINK_RLC], extack) ?:
	       options_parse_reverse(cfg, tb[TCA_WLINK_REVERSE], extack) ?:
	       options_parse_aqm(cfg, kept, tb, extack);
}

/* Return: a word of a configuration that the core has in 3gpp/, NULL for none. */
static const char *options_3gpp_word(const struct wl_cfg *cfg)
{
	const struct options_part *part;

	if (wl_mode_is_lte(cfg->mode))
		return wl_nest_rlc.kinds[cfg->mode];
	for_each_part(part)
		if (part->of_3gpp && options_is_on(part, cfg))
			return part->word;
	return cfg->cell.rb ? "rb" : NULL;
}

static int options_get_3gpp(const char *word, const struct wl_options_said *said,
			    struct netlink_ext_ack *extack)
{
	if (!word || !said->get_3gpp || said->get_3gpp(said->has_3gpp))
		return 0;
	return wl_refuse(extack, NULL, -ENOENT,
			 "wlink: %s needs module wlink_3gpp, not found", word);
}

/* A mode is asked for its defaults as soon as it is set. */
static int options_get_mode(const struct nlattr *attr, const struct wl_options_said *said,
			    struct netlink_ext_ack *extack)
{
	enum wlink_mode mode = attr ? nla_get_u32(attr) : WLINK_MODE_TM;

	return options_get_3gpp(wl_mode_is_lte(mode) ? wl_nest_rlc.kinds[mode] : NULL, said,
				extack);
}

/* Each attribute has been judged; now what they are together. */
static int options_check(const struct wl_cfg *cfg, u32 classid, struct nlattr **tb,
			 struct netlink_ext_ack *extack)
{
	struct wl_refusal why;
	int err;

	if (cfg->rate_bps == WL_RATE_UNSET)
		return wl_refuse(extack, NULL, -EINVAL, "wlink: rate is required");
	if (cfg->channel.kind == WLINK_CHANNEL_LINK &&
	    options_kind_of(classid) == OPTIONS_FIRST)
		return wl_refuse(extack, tb[TCA_WLINK_CHANNEL], -EINVAL,
				 "wlink: channel kind link is for classes beside %x:1",
				 TC_H_MAJ(classid) >> 16);
	err = wl_cfg_check(cfg, &why);
	/* The engine takes any, a CPU has to live through each of them. */
	if (!err && cfg->tti_ns && cfg->tti_ns < WLINK_TTI_MIN) {
		why = (struct wl_refusal){ "tti", "ns, or 0", cfg->tti_ns,
					   WLINK_TTI_MIN, WLINK_TTI_MAX };
		err = -ERANGE;
	}
	return err ? wl_refuse_value(&why, extack, "%s", "") : 0;
}

int wl_options_parse(struct wl_cfg *cfg, struct wl_kept **kept,
		     u32 classid, struct nlattr *opt, struct wl_options_said *said,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_MAX + 1];
	int err;

	err = wl_nest_parse(&wl_nest_options, opt, tb, extack);
	if (err)
		return err;
	said->reseed = tb[TCA_WLINK_SEED];
	said->at = tb[TCA_WLINK_AT];
	if (said->fresh && said->at && TC_H_MIN(classid) != 1)
		return wl_refuse(extack, said->at, -EINVAL,
				 "wlink: at is for links and for changes; a new class begins at once");
	if (said->fresh && tb[TCA_WLINK_AQM])
		cfg->profile = NULL;
	return options_get_mode(tb[TCA_WLINK_MODE], said, extack) ?:
	       options_parse(cfg, kept, classid, tb, extack) ?:
	       options_get_3gpp(options_3gpp_word(cfg), said, extack) ?:
	       options_check(cfg, classid, tb, extack);
}

static int options_put_reverse(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	const struct wl_chan_cfg *chan = &cfg->reverse.channel;
	struct nlattr *nest;

	if (!options_has_reverse(cfg))
		return 0;
	nest = nla_nest_start(skb, TCA_WLINK_REVERSE);
	if (!nest || wl_nest_put(skb, &wl_nest_reverse, 0, &cfg->reverse) ||
	    wl_nest_put_in(skb, &wl_nest_channel, TCA_WLINK_REVERSE_CHANNEL,
			   chan->kind, chan))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

int wl_options_put(struct sk_buff *skb, const struct wl_cfg *cfg, u32 classid)
{
	struct nlattr *nest = nla_nest_start(skb, TCA_OPTIONS);

	if (!nest ||
	    wl_nest_put(skb, &wl_nest_options, options_kind_of(classid), cfg) ||
	    wl_nest_put_in(skb, &wl_nest_limit, TCA_WLINK_LIMIT, cfg->limit.kind,
			   &cfg->limit) ||
	    wl_nest_put_in(skb, &wl_nest_channel, TCA_WLINK_CHANNEL,
			   cfg->channel.kind, &cfg->channel) ||
	    options_put_parts(skb, cfg, options_kind_of(classid)) ||
	    options_put_cell(skb, cfg, options_kind_of(classid)) ||
	    wl_impair_put(skb, &cfg->impair) ||
	    wl_nest_put_in(skb, &wl_nest_rlc, TCA_WLINK_RLC, cfg->mode, &cfg->rlc) ||
	    options_put_reverse(skb, cfg) ||
	    wl_aqm_put(skb, TCA_WLINK_AQM, &cfg->aqm) ||
	    wl_profile_put(skb, TCA_WLINK_PROFILE, cfg->profile, false))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
