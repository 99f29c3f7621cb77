// SPDX-License-Identifier: GPL-2.0
/* What the modes need beyond a bearer's other parameters. */
#include "attr.h"

#define TM	BIT(WLINK_MODE_TM)
#define UM	BIT(WLINK_MODE_UM)
#define AM	BIT(WLINK_MODE_AM)
#define ASR	BIT(WLINK_MODE_ASR)
#define SR	(BIT(WLINK_MODE_FSR) | ASR)

#define FLAG		NLA_POLICY_MAX(NLA_U32, 1)
#define COUNT_OR_OFF	NLA_POLICY_RANGE(NLA_U32, 0, WLINK_POLL_COUNT_MAX)
#define MAXIMUM		NLA_POLICY_RANGE(NLA_U32, 1, WLINK_MAXDAT_MAX)
#define WEIGHT		NLA_POLICY_RANGE(NLA_U32, 0, WLINK_ALPHA_MAX)
#define TIMER		{ .type = NLA_U64 }

const struct nla_policy wl_nl_rlc_policy[TCA_WLINK_RLC_MAX + 1] = {
	[TCA_WLINK_RLC_WINDOW] = NLA_POLICY_RANGE(NLA_U32, 1,
						  WLINK_AM_WINDOW_MAX),
	[TCA_WLINK_RLC_IN_ORDER] = FLAG,
	[TCA_WLINK_RLC_POLL_LAST] = FLAG,
	[TCA_WLINK_RLC_POLL_LAST_RETX] = FLAG,
	[TCA_WLINK_RLC_POLL_PDU] = COUNT_OR_OFF,
	[TCA_WLINK_RLC_POLL_SDU] = COUNT_OR_OFF,
	[TCA_WLINK_RLC_POLL_WINDOW] = NLA_POLICY_RANGE(NLA_U32, 0, 100),
	[TCA_WLINK_RLC_T_POLL] = TIMER,
	[TCA_WLINK_RLC_T_POLL_PERIODIC] = TIMER,
	[TCA_WLINK_RLC_T_POLL_PROHIBIT] = TIMER,
	[TCA_WLINK_RLC_MISSING] = FLAG,
	[TCA_WLINK_RLC_T_STATUS_PERIODIC] = TIMER,
	[TCA_WLINK_RLC_T_STATUS_PROHIBIT] = TIMER,
	[TCA_WLINK_RLC_STATUS] = NLA_POLICY_MAX(NLA_U32, WLINK_STATUS_MAX),
	[TCA_WLINK_RLC_DISCARD] = NLA_POLICY_MAX(NLA_U32, WLINK_DISCARD_MAX),
	[TCA_WLINK_RLC_MAXDAT] = MAXIMUM,
	[TCA_WLINK_RLC_T_DISCARD] = TIMER,
	[TCA_WLINK_RLC_T_MRW] = TIMER,
	[TCA_WLINK_RLC_MAXMRW] = MAXIMUM,
	[TCA_WLINK_RLC_T_RST] = TIMER,
	[TCA_WLINK_RLC_MAXRST] = MAXIMUM,
	[TCA_WLINK_RLC_REORDER] = NLA_POLICY_RANGE(NLA_U32, 0,
						   WLINK_UM_REORDER_MAX),
	[TCA_WLINK_RLC_T_REORDER] = TIMER,
	[TCA_WLINK_RLC_DUPLICATES] = FLAG,
	[TCA_WLINK_RLC_RTO] = TIMER,
	[TCA_WLINK_RLC_ALPHA] = WEIGHT,
	[TCA_WLINK_RLC_BETA] = WEIGHT,
	[TCA_WLINK_RLC_RTTVAR] = NLA_POLICY_MAX(NLA_U32, WLINK_RTTVAR_MAX),
	[TCA_WLINK_RLC_ACK_DELAY] = TIMER,
	[TCA_WLINK_RLC_ACK_BYTES] = NLA_POLICY_RANGE(NLA_U32, 1,
						     WLINK_ACK_BYTES_MAX),
	[TCA_WLINK_RLC_NACK_GUARD] = TIMER,
};

#define ROW(name_, part_, member_)					\
	.name = name_, .part = (part_), WL_NL_AT(struct wl_rlc_cfg, member_)

/* The shortest timers of TS 25.331 clause 10.3.4 are 10 ms, and a TTI 2 ms: 1 ms is
 * below what any RLC has, and a bound for how often windows are looked at.
 *
 * TIMES() is never off, OR_OFF() may be, OR_ZERO() may be 0.
 */
#define TIMES(name_, part_, member_, bounds_, also_)			\
	ROW(name_, part_, member_), .unit = " ns",			\
	.bounds = "1ms..1h" bounds_, .min = WLINK_RLC_TIMER_MIN,		\
	.max = WLINK_TIMER_MAX, .also = (also_)
#define ALWAYS(name_, part_, member_)					\
	TIMES(name_, part_, member_, "", WLINK_RLC_TIMER_MIN)
#define OR_OFF(name_, part_, member_)					\
	TIMES(name_, part_, member_, ", or off", WLINK_TIMER_OFF)
#define OR_ZERO(name_, part_, member_)					\
	TIMES(name_, part_, member_, ", or 0", 0)

static const struct wl_nl_row rlc_rows[TCA_WLINK_RLC_MAX + 1] = {
	[TCA_WLINK_RLC_WINDOW] = { ROW("window", AM | SR, window) },
	[TCA_WLINK_RLC_IN_ORDER] = { ROW("in_order", AM, in_order) },
	[TCA_WLINK_RLC_POLL_LAST] = { ROW("poll_last", AM, poll_last) },
	[TCA_WLINK_RLC_POLL_LAST_RETX] = {
		ROW("poll_last_retx", AM, poll_last_retx)
	},
	[TCA_WLINK_RLC_POLL_PDU] = { ROW("poll_pdu", AM, poll_pdu) },
	[TCA_WLINK_RLC_POLL_SDU] = { ROW("poll_sdu", AM, poll_sdu) },
	[TCA_WLINK_RLC_POLL_WINDOW] = {
		ROW("poll_window", AM, poll_window), .unit = "percent"
	},
	[TCA_WLINK_RLC_T_POLL] = { OR_OFF("poll_timer", AM, poll_ns) },
	[TCA_WLINK_RLC_T_POLL_PERIODIC] = {
		OR_OFF("poll_periodic", AM, poll_periodic_ns)
	},
	[TCA_WLINK_RLC_T_POLL_PROHIBIT] = {
		OR_OFF("poll_prohibit", AM, poll_prohibit_ns)
	},
	[TCA_WLINK_RLC_MISSING] = { ROW("missing", AM, missing) },
	[TCA_WLINK_RLC_T_STATUS_PERIODIC] = {
		OR_OFF("status_periodic", AM, status_periodic_ns)
	},
	[TCA_WLINK_RLC_T_STATUS_PROHIBIT] = {
		OR_OFF("status_prohibit", AM, status_prohibit_ns)
	},
	[TCA_WLINK_RLC_STATUS] = { ROW("status", AM, status) },
	[TCA_WLINK_RLC_DISCARD] = { ROW("discard", AM, discard) },
	[TCA_WLINK_RLC_MAXDAT] = { ROW("maxdat", AM, maxdat) },
	[TCA_WLINK_RLC_T_DISCARD] = {
		OR_OFF("discard_timer", TM | UM | AM, discard_ns)
	},
	[TCA_WLINK_RLC_T_MRW] = { ALWAYS("mrw_timer", AM, mrw_ns) },
	[TCA_WLINK_RLC_MAXMRW] = { ROW("maxmrw", AM, maxmrw) },
	[TCA_WLINK_RLC_T_RST] = { ALWAYS("reset_timer", AM, rst_ns) },
	[TCA_WLINK_RLC_MAXRST] = { ROW("maxrst", AM, maxrst) },
	[TCA_WLINK_RLC_REORDER] = { ROW("reorder", UM, reorder) },
	[TCA_WLINK_RLC_T_REORDER] = { ALWAYS("reorder_timer", UM, reorder_ns) },
	[TCA_WLINK_RLC_DUPLICATES] = { ROW("duplicates", UM, duplicates) },
	[TCA_WLINK_RLC_RTO] = { ALWAYS("rto", SR, rto_ns) },
	[TCA_WLINK_RLC_ALPHA] = { ROW("alpha", ASR, alpha_milli) },
	[TCA_WLINK_RLC_BETA] = { ROW("beta", ASR, beta_milli) },
	[TCA_WLINK_RLC_RTTVAR] = { ROW("rttvar", ASR, rttvar) },
	[TCA_WLINK_RLC_ACK_DELAY] = { OR_ZERO("ack_delay", SR, ack_delay_ns) },
	[TCA_WLINK_RLC_ACK_BYTES] = {
		ROW("ack_bytes", SR, ack_bytes), .unit = "bytes"
	},
	[TCA_WLINK_RLC_NACK_GUARD] = {
		OR_ZERO("nack_guard", SR, nack_guard_ns)
	},
};

const struct wl_nl_nest wl_nl_rlc = {
	.prefix = "rlc ", .policy = wl_nl_rlc_policy, .rows = rlc_rows,
	.max = TCA_WLINK_RLC_MAX, .pad = TCA_WLINK_RLC_PAD,
};

static const char * const mode_names[] = {
	[WLINK_MODE_TM] = "tm", [WLINK_MODE_UM] = "um", [WLINK_MODE_AM] = "am",
	[WLINK_MODE_FSR] = "fsr", [WLINK_MODE_ASR] = "asr",
};

const char *wl_nl_mode_name(enum wlink_mode mode)
{
	return mode_names[mode];
}

void wl_nl_set_mode(struct wl_cfg *cfg, enum wlink_mode mode)
{
	struct wl_cfg fresh;
	int i;

	if (mode == cfg->mode)
		return;
	wl_cfg_default(&fresh);
	for (i = 0; i <= TCA_WLINK_RLC_MAX; i++) {
		const struct wl_nl_row *row = &rlc_rows[i];

		if (row->part & BIT(cfg->mode))
			memcpy((void *)&fresh.rlc + row->offset,
			       (void *)&cfg->rlc + row->offset, row->size);
	}
	cfg->rlc = fresh.rlc;
	if (!wl_nl_has_reverse(cfg->mode))
		cfg->reverse = fresh.reverse;
	wl_cfg_set_mode(cfg, mode);
}

int wl_nl_parse_rlc(struct wl_cfg *cfg, struct nlattr *attr,
		    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_RLC_MAX + 1];
	int err, i;

	if (!attr)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_RLC_MAX, attr,
			       wl_nl_rlc_policy, extack);
	for (i = 0; !err && i <= TCA_WLINK_RLC_MAX; i++) {
		if (tb[i] && !(rlc_rows[i].part & BIT(cfg->mode))) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: rlc %s is not part of mode %s",
					   rlc_rows[i].name,
					   mode_names[cfg->mode]);
			NL_SET_BAD_ATTR(extack, tb[i]);
			return -EINVAL;
		}
		err = wl_nl_take(&wl_nl_rlc, tb[i], &cfg->rlc, extack);
	}
	return err;
}

int wl_nl_dump_rlc(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	return wl_nl_put_members(skb, &wl_nl_rlc, TCA_WLINK_RLC, cfg->mode,
				 &cfg->rlc);
}
