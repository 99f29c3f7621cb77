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

/* The first attribute of a nest switches what it is about; nothing else is kept while that
 * is off, for it could not be seen.
 */
static int options_refuse_off(const struct wl_nest *nest, struct nlattr **tb,
			      const char *word, struct netlink_ext_ack *extack)
{
	int i;

	for (i = WL_NLA_PAD + 2; i <= nest->max; i++)
		if (tb[i])
			return wl_refuse(extack, tb[i], -EINVAL,
					 "wlink: %s%s needs %s, which is off",
					 nest->prefix, nest->attrs[i].name, word);
	return 0;
}

/* --- HARQ. --- */

static int options_parse_harq(struct wl_harq_cfg *harq, struct nlattr *attr,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_HARQ_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_harq, attr, tb);
	err = wl_nest_take(&wl_nest_harq, tb, attr, 0, false, harq, extack);
	if (err || harq->processes)
		return err;
	wl_harq_default(harq);
	return options_refuse_off(&wl_nest_harq, tb, "harq", extack);
}

static int options_put_harq(struct sk_buff *skb, const struct wl_harq_cfg *harq)
{
	if (!harq->processes)
		return 0;
	return wl_nest_put_in(skb, &wl_nest_harq, TCA_WLINK_HARQ, 0, harq);
}

/* --- Uplink access. --- */

/* Those of TS 36.213 Table 10.1.5-1 but for the shortest. */
static bool options_is_sr(u64 period_ns)
{
	u64 is_ns;

	for (is_ns = WLINK_SR_MIN; is_ns < WLINK_SR_MAX; is_ns *= 2)
		if (is_ns == period_ns)
			break;
	return is_ns == period_ns;
}

static int options_parse_access(struct wl_access_cfg *access, struct nlattr *attr,
				struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_SR_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_sr, attr, tb);
	err = wl_nest_take(&wl_nest_sr, tb, attr, 0, false, access, extack);
	if (err)
		return err;
	if (access->sr_ns && !options_is_sr(access->sr_ns))
		return wl_refuse(extack, tb[TCA_WLINK_SR_PERIOD], -ERANGE,
				 "wlink: sr %llu ns is none of 5, 10, 20, 40 and 80 ms",
				 access->sr_ns);
	if (access->sr_ns)
		return 0;
	wl_access_default(access);
	return options_refuse_off(&wl_nest_sr, tb, "sr", extack);
}

static int options_put_access(struct sk_buff *skb, const struct wl_access_cfg *access)
{
	if (!access->sr_ns)
		return 0;
	return wl_nest_put_in(skb, &wl_nest_sr, TCA_WLINK_SR, 0, access);
}

/* --- When the receiver listens. --- */

static int options_parse_drx(struct wl_drx_cfg *drx, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_DRX_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_drx, attr, tb);
	err = wl_nest_take(&wl_nest_drx, tb, attr, 0, false, drx, extack);
	if (err || drx->cycle_ns)
		return err;
	wl_drx_default(drx);
	return options_refuse_off(&wl_nest_drx, tb, "drx", extack);
}

static int options_parse_rrc(struct wl_drx_cfg *drx, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_RRC_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_rrc, attr, tb);
	err = wl_nest_take(&wl_nest_rrc, tb, attr, 0, false, drx, extack);
	if (err || drx->idle_ns)
		return err;
	wl_rrc_default(drx);
	return options_refuse_off(&wl_nest_rrc, tb, "rrc_idle", extack);
}

static int options_put_drx(struct sk_buff *skb, const struct wl_drx_cfg *drx)
{
	int err = 0;

	if (drx->cycle_ns)
		err = wl_nest_put_in(skb, &wl_nest_drx, TCA_WLINK_DRX, 0, drx);
	if (!err && drx->idle_ns)
		err = wl_nest_put_in(skb, &wl_nest_rrc, TCA_WLINK_RRC, 0, drx);
	return err;
}

/* --- TDD. --- */

static int options_parse_tdd(struct wl_tdd_cfg *tdd, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_TDD_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_tdd, attr, tb);
	err = wl_nest_take(&wl_nest_tdd, tb, attr, 0, false, tdd, extack);
	if (err || tdd->pattern)
		return err;
	wl_tdd_default(tdd);
	return options_refuse_off(&wl_nest_tdd, tb, "tdd", extack);
}

/* --- How bearers share a link as users of a cell. --- */

static int options_parse_background(struct wl_cell_cfg *cell, struct nlattr *attr,
				    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_BACKGROUND_MAX + 1];
	int err;

	wl_nest_read(&wl_nest_background, attr, tb);
	err = wl_nest_take(&wl_nest_background, tb, attr, 0, false, cell, extack);
	if (err || cell->users)
		return err;
	wl_users_default(cell);
	return options_refuse_off(&wl_nest_background, tb, "background", extack);
}

static int options_parse_cell(struct wl_cfg *cfg, struct nlattr **outer,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CELL_MAX + 1];

	if (outer[TCA_WLINK_GBR])
		cfg->gbr_bps = nla_get_u64(outer[TCA_WLINK_GBR]);
	wl_nest_read(&wl_nest_cell, outer[TCA_WLINK_CELL], tb);
	return wl_nest_take(&wl_nest_cell, tb, outer[TCA_WLINK_CELL], 0, false, &cfg->cell,
			    extack) ?:
	       options_parse_background(&cfg->cell, outer[TCA_WLINK_BACKGROUND], extack);
}

/* A class other than the first has none of the link's. */
static int options_put_cell(struct sk_buff *skb, const struct wl_cfg *cfg, bool link)
{
	const struct wl_cell_cfg *cell = &cfg->cell;
	int err = 0;

	if (link && (cell->rb || cell->pf_window ||
		     cell->pf_exponent_milli != WL_PF_EXPONENT_ONE))
		err = wl_nest_put_in(skb, &wl_nest_cell, TCA_WLINK_CELL, 0, cell);
	if (!err && link && cell->users)
		err = wl_nest_put_in(skb, &wl_nest_background, TCA_WLINK_BACKGROUND, 0, cell);
	if (!err && link && cfg->tdd.pattern)
		err = wl_nest_put_in(skb, &wl_nest_tdd, TCA_WLINK_TDD, 0, &cfg->tdd);
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

/* The kinds of classes: 1:1, which stands for the qdisc as well, and the others. */
enum options_kind {
	OPTIONS_FIRST,
	OPTIONS_OTHER,
};

static enum options_kind options_kind_of(u32 classid)
{
	return TC_H_MIN(classid) == 1 ? OPTIONS_FIRST : OPTIONS_OTHER;
}

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
	       options_parse_harq(&cfg->harq, tb[TCA_WLINK_HARQ], extack) ?:
	       options_parse_access(&cfg->access, tb[TCA_WLINK_SR], extack) ?:
	       options_parse_drx(&cfg->drx, tb[TCA_WLINK_DRX], extack) ?:
	       options_parse_rrc(&cfg->drx, tb[TCA_WLINK_RRC], extack) ?:
	       options_parse_cell(cfg, tb, extack) ?:
	       options_parse_tdd(&cfg->tdd, tb[TCA_WLINK_TDD], extack) ?:
	       wl_impair_parse(&cfg->impair, kept, tb[TCA_WLINK_JITTER],
			       tb[TCA_WLINK_IMPAIR], extack) ?:
	       options_parse_rlc(cfg, tb[TCA_WLINK_RLC], extack) ?:
	       options_parse_reverse(cfg, tb[TCA_WLINK_REVERSE], extack) ?:
	       options_parse_aqm(cfg, kept, tb, extack);
}

/* Return: a word of a configuration that the core has in 3gpp/, NULL for none. */
static const char *options_3gpp_word(const struct wl_cfg *cfg)
{
	const struct {
		u64 on;
		const char *word;
	} words[] = {
		{ wl_mode_is_lte(cfg->mode), wl_nest_rlc.kinds[cfg->mode] },
		{ cfg->harq.processes, "harq" },
		{ cfg->access.sr_ns, "sr" },
		{ cfg->drx.cycle_ns, "drx" },
		{ cfg->drx.idle_ns, "rrc_idle" },
		{ cfg->tdd.pattern, "tdd" },
		{ cfg->cell.rb, "rb" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].on)
			return words[i].word;
	return NULL;
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
	    options_put_harq(skb, &cfg->harq) ||
	    options_put_access(skb, &cfg->access) ||
	    options_put_drx(skb, &cfg->drx) ||
	    options_put_cell(skb, cfg, options_kind_of(classid) == OPTIONS_FIRST) ||
	    wl_impair_put(skb, &cfg->impair) ||
	    wl_nest_put_in(skb, &wl_nest_rlc, TCA_WLINK_RLC, cfg->mode, &cfg->rlc) ||
	    options_put_reverse(skb, cfg) ||
	    wl_aqm_put(skb, TCA_WLINK_AQM, &cfg->aqm) ||
	    wl_profile_put(skb, TCA_WLINK_PROFILE, cfg->profile, false))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
