// SPDX-License-Identifier: GPL-2.0
/* TCA_OPTIONS: what may be in it, to struct wl_cfg and back. */
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "attr.h"
#include "impair.h"
#include "options.h"
#include "profile.h"
#include "../kept.h"

/* --- Limit. --- */

/* The kinds of a limit are the attributes in their order. */
#define LIMIT(kind_)	WL_AT(BIT(kind_), struct wl_limit, value)

static const struct wl_attr limit_attrs[TCA_WLINK_LIMIT_MAX + 1] = {
	[TCA_WLINK_LIMIT_PACKETS] = { "packets", WL_U32(1, WLINK_LIMIT_PACKETS_MAX),
				      LIMIT(WL_LIMIT_PACKETS) },
	[TCA_WLINK_LIMIT_BYTES] = { "bytes", WL_U32(1, WLINK_LIMIT_BYTES_MAX),
				    LIMIT(WL_LIMIT_BYTES) },
	[TCA_WLINK_LIMIT_TIME] = { "time", WL_U64(1, WLINK_LIMIT_TIME_MAX),
				   LIMIT(WL_LIMIT_TIME), .unit = "ns" },
};

static const struct wl_nest limit_nest = {
	.prefix = "limit ", .attrs = limit_attrs, .max = TCA_WLINK_LIMIT_MAX,
};

static int options_parse_limit(struct wl_limit *limit, struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_LIMIT_MAX + 1];
	int units = 0, i;

	if (!attr)
		return 0;
	wl_nest_read(&limit_nest, attr, tb);
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
	return wl_nest_take(&limit_nest, tb, attr, limit->kind, false, limit,
			    extack);
}

/* --- Channel, and the reverse path of feedback. --- */

#define UNIFORM		BIT(WLINK_CHANNEL_UNIFORM)
#define GILBERT		BIT(WLINK_CHANNEL_GILBERT)
#define TWOSTATE	BIT(WLINK_CHANNEL_TWOSTATE)
#define ANY_CHANNEL	(BIT(__WLINK_CHANNEL_MAX) - 1)

#define CHANNEL(kinds_, member_) WL_AT(kinds_, struct wl_chan_cfg, member_)
#define PROBABILITY		WL_U32(0, U32_MAX)
#define SOJOURN								\
	.type = NLA_U64, .min = WLINK_SOJOURN_MIN, .max = WLINK_SOJOURN_MAX, \
	.also = WLINK_SOJOURN_MIN, .unit = " ns", .bounds = "1us..1h"
#define HAZARD								\
	.type = NLA_U64, .max = WLINK_HAZARD_MAX, .bounds = "0..2^62"
#define NEEDED			.needed = true

static const struct wl_attr channel_attrs[TCA_WLINK_CHANNEL_MAX + 1] = {
	[TCA_WLINK_CHANNEL_KIND] = { "kind", WL_U32(0, WLINK_CHANNEL_MAX),
				     CHANNEL(ANY_CHANNEL, kind) },
	[TCA_WLINK_CHANNEL_LOSS] = { "loss", PROBABILITY, CHANNEL(UNIFORM, loss_q32), NEEDED },
	[TCA_WLINK_CHANNEL_P] = { "p", PROBABILITY, CHANNEL(GILBERT, p_q32), NEEDED },
	[TCA_WLINK_CHANNEL_R] = { "r", PROBABILITY, CHANNEL(GILBERT, r_q32), NEEDED },
	[TCA_WLINK_CHANNEL_LOSS_GOOD] = { "loss_good", PROBABILITY,
					  CHANNEL(GILBERT, loss_good_q32) },
	[TCA_WLINK_CHANNEL_LOSS_BAD] = { "loss_bad", PROBABILITY,
					 CHANNEL(GILBERT, loss_bad_q32) },
	[TCA_WLINK_CHANNEL_MEAN_GOOD] = { "mean_good", SOJOURN,
					  CHANNEL(TWOSTATE, mean_good_ns), NEEDED },
	[TCA_WLINK_CHANNEL_MEAN_BAD] = { "mean_bad", SOJOURN,
					 CHANNEL(TWOSTATE, mean_bad_ns), NEEDED },
	[TCA_WLINK_CHANNEL_HAZARD_GOOD] = { "hazard_good", HAZARD,
					    CHANNEL(TWOSTATE, hazard_good_q56), NEEDED },
	[TCA_WLINK_CHANNEL_HAZARD_BAD] = { "hazard_bad", HAZARD,
					   CHANNEL(TWOSTATE, hazard_bad_q56), NEEDED },
};

static const char * const channel_kinds[] = {
	[WLINK_CHANNEL_NONE] = "none", [WLINK_CHANNEL_UNIFORM] = "uniform",
	[WLINK_CHANNEL_GILBERT] = "gilbert",
	[WLINK_CHANNEL_TWOSTATE] = "twostate", [WLINK_CHANNEL_LINK] = "link",
};

static const struct wl_nest channel_nest = {
	.prefix = "channel ", .attrs = channel_attrs,
	.max = TCA_WLINK_CHANNEL_MAX, .kind = "kind", .kinds = channel_kinds,
};

static const struct wl_nest reverse_channel_nest = {
	.prefix = "reverse channel ", .attrs = channel_attrs,
	.max = TCA_WLINK_CHANNEL_MAX, .kind = "kind", .kinds = channel_kinds,
};

#define REVERSE(member_)	WL_AT(1, struct wl_reverse_cfg, member_)

static const struct wl_attr reverse_attrs[TCA_WLINK_REVERSE_MAX + 1] = {
	[TCA_WLINK_REVERSE_RATE] = { "rate", WL_U64(0, WLINK_RATE_MAX), REVERSE(rate_bps),
				     .unit = "bit/s" },
	[TCA_WLINK_REVERSE_DELAY] = { "delay", WL_U64(0, WLINK_DELAY_MAX), REVERSE(delay_ns),
				      .unit = " ns", .bounds = "0..30d, or same",
				      .also = WLINK_SAME },
	[TCA_WLINK_REVERSE_CHANNEL] = { "channel", WL_NESTED(reverse_channel_nest) },
};

static const struct wl_nest reverse_nest = {
	.prefix = "reverse ", .attrs = reverse_attrs, .max = TCA_WLINK_REVERSE_MAX,
};

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

#define HARQ(member_)	WL_AT(1, struct wl_harq_cfg, member_)

static const struct wl_attr harq_attrs[TCA_WLINK_HARQ_MAX + 1] = {
	[TCA_WLINK_HARQ_PROCESSES] = { "processes", WL_U32(0, WLINK_HARQ_PROCESSES_MAX),
				       HARQ(processes) },
	[TCA_WLINK_HARQ_SENT] = { "max", WL_U32(1, WLINK_HARQ_SENT_MAX),
				  HARQ(transmissions) },
	[TCA_WLINK_HARQ_BLER] = { "bler", PROBABILITY, HARQ(bler_q32) },
	[TCA_WLINK_HARQ_FACTOR] = { "factor", PROBABILITY, HARQ(factor_q32) },
	[TCA_WLINK_HARQ_RTT] = { "rtt",
				 WL_U64(WLINK_TTI_MIN, WLINK_TTI_MAX * WLINK_HARQ_TTIS_MAX),
				 HARQ(rtt_ns), .unit = "ns" },
};

static const struct wl_nest harq_nest = {
	.prefix = "harq ", .attrs = harq_attrs, .max = TCA_WLINK_HARQ_MAX,
};

static int options_parse_harq(struct wl_harq_cfg *harq, struct nlattr *attr,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_HARQ_MAX + 1];
	int err;

	wl_nest_read(&harq_nest, attr, tb);
	err = wl_nest_take(&harq_nest, tb, attr, 0, false, harq, extack);
	if (err || harq->processes)
		return err;
	wl_harq_default(harq);
	return options_refuse_off(&harq_nest, tb, "harq", extack);
}

static int options_put_harq(struct sk_buff *skb, const struct wl_harq_cfg *harq)
{
	if (!harq->processes)
		return 0;
	return wl_nest_put_in(skb, &harq_nest, TCA_WLINK_HARQ, 0, harq);
}

/* --- Uplink access. --- */

#define ACCESS(member_)	WL_AT(1, struct wl_access_cfg, member_)

static const struct wl_attr access_attrs[TCA_WLINK_SR_MAX + 1] = {
	[TCA_WLINK_SR_PERIOD] = { "period", WL_U64(0, WLINK_SR_MAX), ACCESS(sr_ns), .unit = "ns" },
	[TCA_WLINK_SR_GRANT] = { "grant", WL_U64(0, WLINK_SR_GRANT_MAX), ACCESS(grant_ns),
				     .unit = "ns" },
	[TCA_WLINK_SR_FIRST] = { "first", WL_U32(1, WLINK_SR_FIRST_MAX), ACCESS(first_bytes),
				     .unit = "bytes" },
};

static const struct wl_nest access_nest = {
	.prefix = "sr ", .attrs = access_attrs, .max = TCA_WLINK_SR_MAX,
};

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

	wl_nest_read(&access_nest, attr, tb);
	err = wl_nest_take(&access_nest, tb, attr, 0, false, access, extack);
	if (err)
		return err;
	if (access->sr_ns && !options_is_sr(access->sr_ns))
		return wl_refuse(extack, tb[TCA_WLINK_SR_PERIOD], -ERANGE,
				 "wlink: sr %llu ns is none of 5, 10, 20, 40 and 80 ms",
				 access->sr_ns);
	if (access->sr_ns)
		return 0;
	wl_access_default(access);
	return options_refuse_off(&access_nest, tb, "sr", extack);
}

static int options_put_access(struct sk_buff *skb, const struct wl_access_cfg *access)
{
	if (!access->sr_ns)
		return 0;
	return wl_nest_put_in(skb, &access_nest, TCA_WLINK_SR, 0, access);
}

/* --- When the receiver listens. --- */

#define DRX(member_)	WL_AT(1, struct wl_drx_cfg, member_)
#define CYCLE		WL_U64(0, WLINK_DRX_CYCLE_MAX)

static const struct wl_attr drx_attrs[TCA_WLINK_DRX_MAX + 1] = {
	[TCA_WLINK_DRX_CYCLE] = { "cycle", CYCLE, DRX(cycle_ns), .unit = "ns" },
	[TCA_WLINK_DRX_ON] = { "on", CYCLE, DRX(on_ns), .unit = "ns" },
	[TCA_WLINK_DRX_INACTIVITY] = { "inactivity", CYCLE, DRX(inactivity_ns), .unit = "ns" },
	[TCA_WLINK_DRX_SHORT] = { "short", CYCLE, DRX(short_ns), .unit = "ns" },
	[TCA_WLINK_DRX_SHORT_CYCLES] = { "short_cycles", WL_U32(1, WLINK_DRX_SHORTS_MAX),
					 DRX(short_cycles) },
};

static const struct wl_nest drx_nest = {
	.prefix = "drx ", .attrs = drx_attrs, .max = TCA_WLINK_DRX_MAX,
};

static const struct wl_attr rrc_attrs[TCA_WLINK_RRC_MAX + 1] = {
	[TCA_WLINK_RRC_IDLE] = { "idle", WL_U64(0, WLINK_TIMER_MAX), DRX(idle_ns), .unit = "ns" },
	[TCA_WLINK_RRC_PROMOTION] = { "promotion", WL_U64(0, WLINK_RRC_PROMOTION_MAX),
				      DRX(promotion_ns), .unit = "ns" },
	[TCA_WLINK_RRC_PAGING] = { "paging", CYCLE, DRX(paging_ns), .unit = "ns" },
};

static const struct wl_nest rrc_nest = {
	.prefix = "rrc ", .attrs = rrc_attrs, .max = TCA_WLINK_RRC_MAX,
};

static int options_parse_drx(struct wl_drx_cfg *drx, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_DRX_MAX + 1];
	int err;

	wl_nest_read(&drx_nest, attr, tb);
	err = wl_nest_take(&drx_nest, tb, attr, 0, false, drx, extack);
	if (err || drx->cycle_ns)
		return err;
	wl_drx_default(drx);
	return options_refuse_off(&drx_nest, tb, "drx", extack);
}

static int options_parse_rrc(struct wl_drx_cfg *drx, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_RRC_MAX + 1];
	int err;

	wl_nest_read(&rrc_nest, attr, tb);
	err = wl_nest_take(&rrc_nest, tb, attr, 0, false, drx, extack);
	if (err || drx->idle_ns)
		return err;
	wl_rrc_default(drx);
	return options_refuse_off(&rrc_nest, tb, "rrc_idle", extack);
}

static int options_put_drx(struct sk_buff *skb, const struct wl_drx_cfg *drx)
{
	int err = 0;

	if (drx->cycle_ns)
		err = wl_nest_put_in(skb, &drx_nest, TCA_WLINK_DRX, 0, drx);
	if (!err && drx->idle_ns)
		err = wl_nest_put_in(skb, &rrc_nest, TCA_WLINK_RRC, 0, drx);
	return err;
}

/* --- TDD. --- */

#define TDD(member_)	WL_AT(1, struct wl_tdd_cfg, member_)

static const struct wl_attr tdd_attrs[TCA_WLINK_TDD_MAX + 1] = {
	[TCA_WLINK_TDD_PATTERN] = { "pattern", WL_U64(0, U64_MAX), TDD(pattern) },
	[TCA_WLINK_TDD_DIRECTION] = { "direction", WL_U32(0, WLINK_DIRECTION_MAX),
				      TDD(direction) },
	[TCA_WLINK_TDD_SPECIAL] = { "special", WL_U32(0, WLINK_TDD_SYMBOLS - 1), TDD(symbols),
				    .unit = "symbols" },
};

static const struct wl_nest tdd_nest = {
	.prefix = "tdd ", .attrs = tdd_attrs, .max = TCA_WLINK_TDD_MAX,
};

static int options_parse_tdd(struct wl_tdd_cfg *tdd, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_TDD_MAX + 1];
	int err;

	wl_nest_read(&tdd_nest, attr, tb);
	err = wl_nest_take(&tdd_nest, tb, attr, 0, false, tdd, extack);
	if (err || tdd->pattern)
		return err;
	wl_tdd_default(tdd);
	return options_refuse_off(&tdd_nest, tb, "tdd", extack);
}

/* --- How bearers share a link as users of a cell. --- */

#define CELL(member_)	WL_AT(1, struct wl_cell_cfg, member_)

static const struct wl_attr cell_attrs[TCA_WLINK_CELL_MAX + 1] = {
	[TCA_WLINK_CELL_RB] = { "rb", WL_U32(0, WLINK_RB_MAX), CELL(rb) },
	[TCA_WLINK_CELL_PF_EXPONENT] = { "pf_exponent", WL_U32(0, WLINK_PF_EXPONENT_MAX),
					 CELL(pf_exponent_milli) },
	[TCA_WLINK_CELL_PF_WINDOW] = { "pf_window", WL_U32(0, WLINK_PF_WINDOW_MAX),
				       CELL(pf_window), .unit = "TTIs" },
};

static const struct wl_nest cell_nest = {
	.prefix = "cell ", .attrs = cell_attrs, .max = TCA_WLINK_CELL_MAX,
};

static const struct wl_attr background_attrs[TCA_WLINK_BACKGROUND_MAX + 1] = {
	[TCA_WLINK_BACKGROUND_USERS] = { "users", WL_U32(0, WLINK_USERS_MAX), CELL(users) },
	[TCA_WLINK_BACKGROUND_RATE] = { "rate", WL_U64(WLINK_RATE_MIN, WLINK_RATE_MAX),
					CELL(users_bps), .also = WLINK_RATE_UNLIMITED,
					.unit = " bit/s",
					.bounds = "1..100gbit, unlimited" },
	[TCA_WLINK_BACKGROUND_ON] = { "on", WL_U64(WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX),
				      CELL(users_on_ns), .unit = "ns" },
	[TCA_WLINK_BACKGROUND_OFF] = { "off", WL_U64(WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX),
				       CELL(users_off_ns), .unit = " ns",
				       .bounds = "10ms..1h, or 0" },
	[TCA_WLINK_BACKGROUND_ARRIVAL] = { "arrival",
					   WL_U64(WLINK_ARRIVAL_MIN, WLINK_SOJOURN_MAX),
					   CELL(arrival_ns), .unit = " ns",
					   .bounds = "1ms..1h, or 0" },
	[TCA_WLINK_BACKGROUND_SIZE] = { "size", WL_U32(WLINK_SIZE_MIN, WLINK_SIZE_MAX),
					CELL(size_bytes), .unit = "bytes" },
	[TCA_WLINK_BACKGROUND_CV] = { "cv", WL_U32(WLINK_CV_MIN, WLINK_CV_MAX),
				      CELL(size_cv_milli) },
};

static const struct wl_nest background_nest = {
	.prefix = "background ", .attrs = background_attrs,
	.max = TCA_WLINK_BACKGROUND_MAX,
};

static int options_parse_background(struct wl_cell_cfg *cell, struct nlattr *attr,
				    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_BACKGROUND_MAX + 1];
	int err;

	wl_nest_read(&background_nest, attr, tb);
	err = wl_nest_take(&background_nest, tb, attr, 0, false, cell, extack);
	if (err || cell->users)
		return err;
	wl_users_default(cell);
	return options_refuse_off(&background_nest, tb, "background", extack);
}

static int options_parse_cell(struct wl_cfg *cfg, struct nlattr **outer,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CELL_MAX + 1];

	if (outer[TCA_WLINK_GBR])
		cfg->gbr_bps = nla_get_u64(outer[TCA_WLINK_GBR]);
	wl_nest_read(&cell_nest, outer[TCA_WLINK_CELL], tb);
	return wl_nest_take(&cell_nest, tb, outer[TCA_WLINK_CELL], 0, false, &cfg->cell,
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
		err = wl_nest_put_in(skb, &cell_nest, TCA_WLINK_CELL, 0, cell);
	if (!err && link && cell->users)
		err = wl_nest_put_in(skb, &background_nest, TCA_WLINK_BACKGROUND, 0, cell);
	if (!err && link && cfg->tdd.pattern)
		err = wl_nest_put_in(skb, &tdd_nest, TCA_WLINK_TDD, 0, &cfg->tdd);
	if (!err && cfg->gbr_bps)
		err = wl_put_u64(skb, TCA_WLINK_GBR, cfg->gbr_bps);
	return err;
}

/* --- What the modes need beyond a bearer's other parameters. --- */

#define TM	BIT(WLINK_MODE_TM)
#define UM	BIT(WLINK_MODE_UM)
#define AM	BIT(WLINK_MODE_AM)
#define ASR	BIT(WLINK_MODE_ASR)
#define SR	(BIT(WLINK_MODE_FSR) | ASR)
#define LTE_UM	BIT(WLINK_MODE_LTE_UM)
#define LTE_AM	(BIT(WLINK_MODE_LTE_AM) | BIT(WLINK_MODE_NR_AM))

#define RLC(modes_, member_)	WL_AT(modes_, struct wl_rlc_cfg, member_)
/* The shortest timers of TS 25.331 clause 10.3.4 are 10 ms, and a TTI 2 ms: 1 ms is
 * below what any RLC has, and a bound for how often windows are looked at.
 */
#define TIMER(also_, bounds_)						\
	.type = NLA_U64, .min = WLINK_RLC_TIMER_MIN, .max = WLINK_TIMER_MAX, \
	.also = (also_), .unit = " ns", .bounds = "1ms..1h" bounds_
#define ALWAYS		TIMER(WLINK_RLC_TIMER_MIN, "")
#define OR_OFF		TIMER(WLINK_TIMER_OFF, ", or off")
#define OR_ZERO		TIMER(0, ", or 0")
#define POLL_COUNT	WL_U32(0, WLINK_POLL_COUNT_MAX)
#define MAXIMUM		WL_U32(1, WLINK_MAXDAT_MAX)
#define WEIGHT		WL_U32(0, WLINK_ALPHA_MAX)

static const struct wl_attr rlc_attrs[TCA_WLINK_RLC_MAX + 1] = {
	[TCA_WLINK_RLC_WINDOW] = { "window", WL_U32(1, WLINK_AM_WINDOW_MAX),
				   RLC(AM | SR | LTE_AM, window) },
	[TCA_WLINK_RLC_IN_ORDER] = { "in_order", WL_FLAG, RLC(AM, in_order) },
	[TCA_WLINK_RLC_POLL_LAST] = { "poll_last", WL_FLAG, RLC(AM, poll_last) },
	[TCA_WLINK_RLC_POLL_LAST_RETX] = { "poll_last_retx", WL_FLAG, RLC(AM, poll_last_retx) },
	[TCA_WLINK_RLC_POLL_PDU] = { "poll_pdu", POLL_COUNT, RLC(AM | LTE_AM, poll_pdu) },
	[TCA_WLINK_RLC_POLL_SDU] = { "poll_sdu", POLL_COUNT, RLC(AM, poll_sdu) },
	[TCA_WLINK_RLC_POLL_WINDOW] = { "poll_window", WL_U32(0, 100), RLC(AM, poll_window),
					.unit = "percent" },
	[TCA_WLINK_RLC_T_POLL] = { "poll_timer", OR_OFF, RLC(AM | LTE_AM, poll_ns) },
	[TCA_WLINK_RLC_T_POLL_PERIODIC] = { "poll_periodic", OR_OFF, RLC(AM, poll_periodic_ns) },
	[TCA_WLINK_RLC_T_POLL_PROHIBIT] = { "poll_prohibit", OR_OFF, RLC(AM, poll_prohibit_ns) },
	[TCA_WLINK_RLC_MISSING] = { "missing", WL_FLAG, RLC(AM, missing) },
	[TCA_WLINK_RLC_T_STATUS_PERIODIC] = { "status_periodic", OR_OFF,
					      RLC(AM, status_periodic_ns) },
	[TCA_WLINK_RLC_T_STATUS_PROHIBIT] = { "status_prohibit", OR_OFF,
					      RLC(AM | LTE_AM, status_prohibit_ns) },
	[TCA_WLINK_RLC_STATUS] = { "status", WL_U32(0, WLINK_STATUS_MAX), RLC(AM, status) },
	[TCA_WLINK_RLC_DISCARD] = { "discard", WL_U32(0, WLINK_DISCARD_MAX), RLC(AM, discard) },
	[TCA_WLINK_RLC_MAXDAT] = { "maxdat", MAXIMUM, RLC(AM, maxdat) },
	[TCA_WLINK_RLC_T_DISCARD] = { "discard_timer", OR_OFF,
				      RLC(TM | UM | AM | LTE_UM | LTE_AM, discard_ns) },
	[TCA_WLINK_RLC_T_MRW] = { "mrw_timer", ALWAYS, RLC(AM, mrw_ns) },
	[TCA_WLINK_RLC_MAXMRW] = { "maxmrw", MAXIMUM, RLC(AM, maxmrw) },
	[TCA_WLINK_RLC_T_RST] = { "reset_timer", ALWAYS, RLC(AM, rst_ns) },
	[TCA_WLINK_RLC_MAXRST] = { "maxrst", MAXIMUM, RLC(AM, maxrst) },
	[TCA_WLINK_RLC_REORDER] = { "reorder", WL_U32(0, WLINK_UM_REORDER_MAX), RLC(UM, reorder) },
	[TCA_WLINK_RLC_T_REORDER] = { "reorder_timer", ALWAYS,
				      RLC(UM | LTE_UM | LTE_AM, reorder_ns) },
	[TCA_WLINK_RLC_DUPLICATES] = { "duplicates", WL_FLAG, RLC(UM, duplicates) },
	[TCA_WLINK_RLC_RTO] = { "rto", ALWAYS, RLC(SR, rto_ns) },
	[TCA_WLINK_RLC_ALPHA] = { "alpha", WEIGHT, RLC(ASR, alpha_milli) },
	[TCA_WLINK_RLC_BETA] = { "beta", WEIGHT, RLC(ASR, beta_milli) },
	[TCA_WLINK_RLC_RTTVAR] = { "rttvar", WL_U32(0, WLINK_RTTVAR_MAX), RLC(ASR, rttvar) },
	[TCA_WLINK_RLC_ACK_DELAY] = { "ack_delay", OR_ZERO, RLC(SR, ack_delay_ns) },
	[TCA_WLINK_RLC_ACK_BYTES] = { "ack_bytes", WL_U32(1, WLINK_ACK_BYTES_MAX),
				      RLC(SR, ack_bytes), .unit = "bytes" },
	[TCA_WLINK_RLC_NACK_GUARD] = { "nack_guard", OR_ZERO, RLC(SR, nack_guard_ns) },
	[TCA_WLINK_RLC_POLL_BYTE] = { "poll_byte", WL_U32(0, WLINK_POLL_BYTE_MAX),
				      RLC(LTE_AM, poll_byte), .unit = "bytes" },
	[TCA_WLINK_RLC_MAXRETX] = { "maxretx", WL_U32(1, WLINK_MAXRETX_MAX),
				    RLC(LTE_AM, maxretx) },
	[TCA_WLINK_RLC_START] = { "start", WL_U32(0, WLINK_START_MAX), RLC(AM | SR, start) },
	[TCA_WLINK_RLC_QUEUE] = { "queue", WL_U32(0, WLINK_QUEUE_MAX), RLC(AM | SR, queue),
				  .unit = "PDUs" },
};

static const char * const mode_names[] = {
	[WLINK_MODE_TM] = "tm", [WLINK_MODE_UM] = "um", [WLINK_MODE_AM] = "am",
	[WLINK_MODE_FSR] = "fsr", [WLINK_MODE_ASR] = "asr",
	[WLINK_MODE_LTE_UM] = "lte-um", [WLINK_MODE_LTE_AM] = "lte-am",
	[WLINK_MODE_NR_AM] = "nr-am",
};

static const struct wl_nest rlc_nest = {
	.prefix = "rlc ", .attrs = rlc_attrs, .max = TCA_WLINK_RLC_MAX,
	.kind = "mode", .kinds = mode_names,
};

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
	wl_nest_copy(&rlc_nest, cfg->mode, &fresh.rlc, &cfg->rlc);
	cfg->rlc = fresh.rlc;
	if (!options_has_reverse(cfg))
		cfg->reverse = fresh.reverse;
	wl_cfg_set_mode(cfg, mode);
}

static int options_parse_rlc(struct wl_cfg *cfg, struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_RLC_MAX + 1];

	wl_nest_read(&rlc_nest, attr, tb);
	return wl_nest_take(&rlc_nest, tb, attr, cfg->mode, false, &cfg->rlc,
			    extack);
}

static int options_parse_reverse(struct wl_cfg *cfg, struct nlattr *attr,
				 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_REVERSE_MAX + 1];

	if (!attr)
		return 0;
	wl_nest_read(&reverse_nest, attr, tb);
	if (!options_has_reverse(cfg))
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: reverse is not part of mode %s",
				 mode_names[cfg->mode]);
	return wl_nest_take(&reverse_nest, tb, attr, 0, false, &cfg->reverse,
			    extack) ?:
	       options_parse_channel(&cfg->reverse.channel,
				     &reverse_channel_nest,
				     tb[TCA_WLINK_REVERSE_CHANNEL], extack);
}

/* --- All of it. --- */

/* The kinds of classes: 1:1, which stands for the qdisc as well, and the others. */
enum options_kind {
	OPTIONS_OTHER,
	OPTIONS_FIRST,
};

#define LINK		BIT(OPTIONS_FIRST)
#define BEARER		(BIT(OPTIONS_OTHER) | LINK)

#define CFG(kinds_, member_)	WL_AT(kinds_, struct wl_cfg, member_)
/* Attributes of interface 1; generic netlink has them now. */
#define OLD								\
	.type = NLA_REJECT,						\
	.bounds = "is of interface 1, an old wlinkctl; the module has 2"

static const struct wl_attr options_attrs[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_RATE] = { "rate", WL_U64(0, WLINK_RATE_MAX), CFG(BEARER, rate_bps),
			     .also = WLINK_RATE_UNLIMITED, .unit = " bit/s",
			     .bounds = "0..100gbit, or unlimited" },
	[TCA_WLINK_TTI] = { "tti", WL_U64(0, WLINK_TTI_MAX), CFG(LINK, tti_ns), .unit = "ns" },
	[TCA_WLINK_DELAY] = { "delay", WL_U64(0, WLINK_DELAY_MAX), CFG(BEARER, delay_ns),
			      .unit = "ns" },
	[TCA_WLINK_PDU] = { "pdu", WL_U32(0, WLINK_PDU_MAX), CFG(BEARER, pdu_bytes),
			    .unit = "bytes" },
	[TCA_WLINK_HEADER] = { "header", WL_U32(0, WLINK_HEADER_MAX), CFG(BEARER, header_bytes),
			       .unit = "bytes" },
	[TCA_WLINK_SEED] = { "seed", WL_U64(0, U64_MAX), CFG(LINK, seed) },
	[TCA_WLINK_LIMIT] = { "limit", WL_NESTED(limit_nest) },
	[TCA_WLINK_CHANNEL] = { "channel", WL_NESTED(channel_nest) },
	[TCA_WLINK_SCHED] = { "sched", WL_U32(0, WLINK_SCHED_MAX), CFG(LINK, sched) },
	[TCA_WLINK_PRIO] = { "prio", WL_U32(0, WLINK_PRIO_MAX), CFG(BEARER, prio) },
	[TCA_WLINK_MODE] = { "mode", WL_U32(0, WLINK_MODE_MAX), CFG(BEARER, mode) },
	[TCA_WLINK_RLC] = { "rlc", WL_NESTED(rlc_nest) },
	[TCA_WLINK_REVERSE] = { "reverse", WL_NESTED(reverse_nest) },
	[TCA_WLINK_AQM] = { "aqm", WL_NESTED(wl_nest_aqm) },
	[TCA_WLINK_PROFILE] = { "profile", WL_NESTED(wl_nest_profile) },
	[TCA_WLINK_AT] = { "at", WL_U64(0, U64_MAX) },
	[TCA_WLINK_OLD_COOKIE] = { "cookie", OLD },
	[TCA_WLINK_OLD_BEARER] = { "bearer", OLD },
	[TCA_WLINK_OLD_SCHEDULE] = { "schedule", OLD },
	[TCA_WLINK_HARQ] = { "harq", WL_NESTED(harq_nest) },
	[TCA_WLINK_SR] = { "sr", WL_NESTED(access_nest) },
	[TCA_WLINK_DRX] = { "drx", WL_NESTED(drx_nest) },
	[TCA_WLINK_RRC] = { "rrc", WL_NESTED(rrc_nest) },
	[TCA_WLINK_CELL] = { "cell", WL_NESTED(cell_nest), .kinds = LINK },
	[TCA_WLINK_BACKGROUND] = { "background", WL_NESTED(background_nest),
				   .kinds = LINK },
	[TCA_WLINK_TDD] = { "tdd", WL_NESTED(tdd_nest), .kinds = LINK },
	[TCA_WLINK_JITTER] = { "jitter", WL_NESTED(wl_nest_jitter) },
	[TCA_WLINK_IMPAIR] = { "impair", WL_NESTED(wl_nest_impair) },
	[TCA_WLINK_GBR] = { "gbr", WL_U64(0, WLINK_RATE_MAX), .unit = "bit/s" },
};

_Static_assert(TCA_WLINK_MAX <= WL_ATTRS_MAX && TCA_WLINK_RLC_MAX <= WL_ATTRS_MAX,
	       "wl_attr_again() has a bit for each attribute");

const struct wl_nest wl_nest_options = {
	.prefix = "", .attrs = options_attrs, .max = TCA_WLINK_MAX,
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
		if (tb[i] && options_attrs[i].kinds == LINK)
			return wl_refuse(extack, tb[i], -EINVAL,
					 "wlink: %s belongs to the qdisc, not to class %x:%x",
					 options_attrs[i].name,
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
	       options_parse_channel(&cfg->channel, &channel_nest,
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
	return options_parse(cfg, kept, classid, tb, extack) ?:
	       options_check(cfg, classid, tb, extack);
}

static int options_put_reverse(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	const struct wl_chan_cfg *chan = &cfg->reverse.channel;
	struct nlattr *nest;

	if (!options_has_reverse(cfg))
		return 0;
	nest = nla_nest_start(skb, TCA_WLINK_REVERSE);
	if (!nest || wl_nest_put(skb, &reverse_nest, 0, &cfg->reverse) ||
	    wl_nest_put_in(skb, &channel_nest, TCA_WLINK_REVERSE_CHANNEL,
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
	    wl_nest_put_in(skb, &limit_nest, TCA_WLINK_LIMIT, cfg->limit.kind,
			   &cfg->limit) ||
	    wl_nest_put_in(skb, &channel_nest, TCA_WLINK_CHANNEL,
			   cfg->channel.kind, &cfg->channel) ||
	    options_put_harq(skb, &cfg->harq) ||
	    options_put_access(skb, &cfg->access) ||
	    options_put_drx(skb, &cfg->drx) ||
	    options_put_cell(skb, cfg, options_kind_of(classid) == OPTIONS_FIRST) ||
	    wl_impair_put(skb, &cfg->impair) ||
	    wl_nest_put_in(skb, &rlc_nest, TCA_WLINK_RLC, cfg->mode, &cfg->rlc) ||
	    options_put_reverse(skb, cfg) ||
	    wl_aqm_put(skb, TCA_WLINK_AQM, &cfg->aqm) ||
	    wl_profile_put(skb, TCA_WLINK_PROFILE, cfg->profile, false))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
