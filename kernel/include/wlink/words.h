/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a link: all that a person can say of it, one row each. The tables of the
 * module, the words of tc and wlinkctl, the specification for YNL (make spec) and what tests
 * have refused are made of them. Include it where rows are wanted, with these macros defined:
 *
 * WL_WORD(word, nest, attr, bits, member, name, keyword, json, meaning, parts)
 *	@word: WL_@word of user space; rows stand in the order in which they are shown
 *	@nest: the table, and the part of the configuration, that it is in
 *	@attr, @bits: its attribute, a number of so many bits
 *	@member: of the structure that @nest describes
 *	@name: in messages of the kernel, behind that of the nest
 *	@keyword: as it is typed
 *	@json: as it is called in JSON
 *	@meaning: a sentence
 *	@parts: what else there is to say, one after the other:
 *		RANGE(unit, min, max)
 *		OR_ZERO(unit, min, max, other): or 0, which is typed as @other
 *		ALSO(unit, min, max, other, value, text): or @value, which is typed as
 *			@other; the kernel calls all of it @text, and judges it when it
 *			is known that the kind has the attribute
 *		LATE(unit, min, max, text): as that, without another value
 *		APART(unit, min, max, least, most, other, value): the kernel takes @min to
 *			@max, and judges the whole; people may type @least to @most
 *		NAMES(max, ...), SWITCH: names of values, from 0 on
 *		OF(owner, kinds): WL_@owner, a kind, says whether the kernel has it
 *		WITH(owner, kinds): ... whether there is anything to be shown
 *		ANY: neither
 *		OF_LINK: of the link, and not of each class
 *		NEEDED: a new kind cannot do without
 *		UNTYPED: it follows from others
 * WL_BACK(...): a member of the channel of the reverse path, whose attributes are those
 *	of a channel
 * WL_ALONE(word, nest, attr, bits, name, keyword, json, meaning, parts): an attribute
 *	without a member, which the kernel looks at by itself
 * WL_TYPED(word, nest, keyword, json, meaning, parts): typed only
 * WL_ATTR(nest, attr, type, name, meaning, parts): sent only. @type is of nla_policy; its
 *	parts are RANGE, LENGTH(max), MANY, OLD(why) and ANY
 * WL_NEST(nest, attr, inner, name, meaning, parts): the attribute that a table is, in the
 *	order in which tc sends them
 * WL_INNER(...): the same, of a table in another one; as WL_NEST unless it is defined, too
 */

#ifndef _WLINK_WORDS_H
#define _WLINK_WORDS_H

#define WL_BIT(kind)		(1U << (kind))

#define WL_IS_UNIFORM		WL_BIT(WLINK_CHANNEL_UNIFORM)
#define WL_IS_GILBERT		WL_BIT(WLINK_CHANNEL_GILBERT)
#define WL_IS_TWOSTATE		WL_BIT(WLINK_CHANNEL_TWOSTATE)
/* Typed only: it becomes a gilbert. */
#define WL_KIND_RAYLEIGH	31

#define WL_IS_TM			WL_BIT(WLINK_MODE_TM)
#define WL_IS_UM			WL_BIT(WLINK_MODE_UM)
#define WL_IS_AM			WL_BIT(WLINK_MODE_AM)
#define WL_IS_ASR			WL_BIT(WLINK_MODE_ASR)
#define WL_IS_SR			(WL_BIT(WLINK_MODE_FSR) | WL_IS_ASR)
#define WL_IS_LTE_UM		WL_BIT(WLINK_MODE_LTE_UM)
#define WL_IS_LTE_AM		(WL_BIT(WLINK_MODE_LTE_AM) | WL_BIT(WLINK_MODE_NR_AM))
/* Those with a reverse path. */
#define WL_IS_ARQ			(WL_IS_AM | WL_IS_SR | WL_IS_LTE_AM)

#define WL_IS_RED			WL_BIT(WLINK_AQM_RED)
#define WL_IS_SBD			WL_BIT(WLINK_AQM_SBD)
#define WL_IS_CODEL		WL_BIT(WLINK_AQM_CODEL)
#define WL_IS_ANY_AQM		(WL_BIT(WLINK_AQM_DROPTAIL) | WL_IS_RED | WL_IS_SBD | WL_IS_CODEL)

/* Any number of processes but 0. */
#define WL_HARQ_ON		(~1U)

#define WL_CHANNELS		"none", "uniform", "gilbert", "twostate", "link"
#define WL_MODES		"tm", "um", "am", "fsr", "asr", "lte-um", "lte-am", "nr-am"
#define WL_AQMS			"droptail", "red", "sbd", "codel"

/* What is in the rows more than once. */
#define AS_PROB			RANGE(PROB, 0, WLINK_PROB_ONE)
#define AS_SOJOURN		LATE(TIME, WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX, "1us..1h")
#define AS_BER			LATE(BER, 0, WLINK_HAZARD_MAX, "0..2^62")
#define AS_CYCLE(other)		OR_ZERO(TIME, WLINK_TTI_MIN, WLINK_DRX_CYCLE_MAX, other)
#define AS_TIMES(max)		RANGE(TIME, 0, max)
#define AS_AQM_TIMER		LATE(TIME, WLINK_TIMER_MIN, WLINK_TIMER_MAX, "1us..1h")
/* The shortest timers of TS 25.331 clause 10.3.4 are 10 ms, and a TTI 2 ms: 1 ms is
 * below what any RLC has, and a bound for how often windows are looked at.
 */
#define AS_TIMER		LATE(TIME, WLINK_RLC_TIMER_MIN, WLINK_TIMER_MAX, "1ms..1h")
#define AS_TIMER_OR_OFF							\
	ALSO(TIME, WLINK_RLC_TIMER_MIN, WLINK_TIMER_MAX, "off", WLINK_TIMER_OFF, "1ms..1h, or off")
#define AS_TIMER_OR_ZERO(other)						\
	ALSO(TIME, WLINK_RLC_TIMER_MIN, WLINK_TIMER_MAX, other, 0, "1ms..1h, or 0")
#define AS_POLL_COUNT		OR_ZERO(COUNT, 1, WLINK_POLL_COUNT_MAX, "off")
#define AS_MAXIMUM		RANGE(COUNT, 1, WLINK_MAXDAT_MAX)
#define AS_WEIGHT		RANGE(MILLI, 0, WLINK_ALPHA_MAX)

/* What wl_rayleigh() takes: 1e-9..0.999, times 2^32; and 1 in a thousand million. */
#define AS_FER		RANGE(PROB, 4, 4290672329U)
#define AS_FDT		RANGE(NANO, 1, 10000000000ULL)

/* The members of a channel, both ways. */
#define WL_AHEAD
#define WL_CHANNEL_WORDS(...)	WL_CHANNEL_WORDS_OF(__VA_ARGS__)
#define WL_CHANNEL_WORDS_OF(WORD, WL, before, CHANNEL)			\
WORD(WL##LOSS, channel, TCA_WLINK_CHANNEL_LOSS, 32, loss_q32, "loss", before "loss", "loss", \
	"uniform: how likely a PDU is lost",				\
	AS_PROB OF(CHANNEL, WL_IS_UNIFORM) NEEDED)			\
WORD(WL##P, channel, TCA_WLINK_CHANNEL_P, 32, p_q32, "p", before "p", "p", \
	"gilbert: how likely each frame leads from the good state to the bad one", \
	AS_PROB OF(CHANNEL, WL_IS_GILBERT) NEEDED)			\
WORD(WL##R, channel, TCA_WLINK_CHANNEL_R, 32, r_q32, "r", before "r", "r", \
	"gilbert: how likely each frame leads back",			\
	AS_PROB OF(CHANNEL, WL_IS_GILBERT) NEEDED)			\
WORD(WL##LOSS_GOOD, channel, TCA_WLINK_CHANNEL_LOSS_GOOD, 32, loss_good_q32, \
	"loss_good", before "loss_good", "loss_good",			\
	"gilbert: how likely a PDU is lost in the good state",		\
	AS_PROB OF(CHANNEL, WL_IS_GILBERT))				\
WORD(WL##LOSS_BAD, channel, TCA_WLINK_CHANNEL_LOSS_BAD, 32, loss_bad_q32, \
	"loss_bad", before "loss_bad", "loss_bad",			\
	"gilbert: how likely a PDU is lost in the bad state",		\
	AS_PROB OF(CHANNEL, WL_IS_GILBERT))				\
WORD(WL##MEAN_GOOD, channel, TCA_WLINK_CHANNEL_MEAN_GOOD, 64, mean_good_ns, \
	"mean_good", before "mean_good", "mean_good_ns",		\
	"twostate: mean sojourn in the good state",			\
	AS_SOJOURN OF(CHANNEL, WL_IS_TWOSTATE) NEEDED)			\
WORD(WL##MEAN_BAD, channel, TCA_WLINK_CHANNEL_MEAN_BAD, 64, mean_bad_ns, \
	"mean_bad", before "mean_bad", "mean_bad_ns",			\
	"twostate: mean sojourn in the bad state",			\
	AS_SOJOURN OF(CHANNEL, WL_IS_TWOSTATE) NEEDED)			\
WORD(WL##BER_GOOD, channel, TCA_WLINK_CHANNEL_HAZARD_GOOD, 64, hazard_good_q56, \
	"hazard_good", before "ber_good", "ber_good",			\
	"twostate: bit error rate in the good state, sent as -ln(1 - BER) * 2^56", \
	AS_BER OF(CHANNEL, WL_IS_TWOSTATE) NEEDED)			\
WORD(WL##BER_BAD, channel, TCA_WLINK_CHANNEL_HAZARD_BAD, 64, hazard_bad_q56, \
	"hazard_bad", before "ber_bad", "ber_bad",			\
	"twostate: bit error rate in the bad state, sent in the same way", \
	AS_BER OF(CHANNEL, WL_IS_TWOSTATE) NEEDED)			\
WL_TYPED(WL##FER, options, before "fer", NULL, "rayleigh: how many frames are in error", \
	AS_FER OF(CHANNEL, WL_BIT(WL_KIND_RAYLEIGH)) NEEDED)		\
WL_TYPED(WL##FDT, options, before "fdt", NULL, \
	"rayleigh: Doppler frequency times the length of a frame", \
	AS_FDT OF(CHANNEL, WL_BIT(WL_KIND_RAYLEIGH)) NEEDED)

#endif

#ifndef WL_WORD
#define WL_WORD(...)
#endif
#ifndef WL_BACK
#define WL_BACK(...)
#endif
#ifndef WL_ALONE
#define WL_ALONE(...)
#endif
#ifndef WL_TYPED
#define WL_TYPED(...)
#endif
#ifndef WL_ATTR
#define WL_ATTR(...)
#endif
#ifndef WL_NEST
#define WL_NEST(...)
#endif
#ifndef WL_INNER
#define WL_INNER		WL_NEST
#endif

WL_NEST(options, TCA_WLINK_LIMIT, limit, "limit", "how much the SDU buffer takes: one of these",
	ANY)
WL_NEST(options, TCA_WLINK_CHANNEL, channel, "channel", "what happens to a PDU on the air", ANY)
WL_NEST(options, TCA_WLINK_HARQ, harq, "harq", "HARQ, where the link has a TTI", ANY)
WL_NEST(options, TCA_WLINK_SR, sr, "sr", "uplink access, where the link has a TTI", ANY)
WL_NEST(options, TCA_WLINK_DRX, drx, "drx", "when the receiver listens, where the link has a TTI",
	ANY)
WL_NEST(options, TCA_WLINK_RRC, rrc, "rrc", "when the receiver is idle", ANY)
WL_NEST(options, TCA_WLINK_CELL, cell, "cell", "how users share a cell", OF_LINK)
WL_NEST(options, TCA_WLINK_BACKGROUND, background, "background", "users without packets", OF_LINK)
WL_NEST(options, TCA_WLINK_TDD, tdd, "tdd",
	"TTIs are slots of a pattern, from CLOCK_MONOTONIC 0 on", OF_LINK)
WL_NEST(options, TCA_WLINK_JITTER, jitter, "jitter", "how late SDUs are behind the receiver", ANY)
WL_NEST(options, TCA_WLINK_IMPAIR, impair, "impair", "what else happens behind the receiver", ANY)
WL_NEST(options, TCA_WLINK_RLC, rlc, "rlc", "what the mode needs", ANY)
WL_NEST(options, TCA_WLINK_REVERSE, reverse, "reverse", "where feedback travels", ANY)
WL_NEST(options, TCA_WLINK_AQM, aqm, "aqm", "what manages the SDU buffer", ANY)
WL_NEST(options, TCA_WLINK_PROFILE, profile, "profile",
	"which AQM belongs to which rate, followed at each change of the rate", ANY)
WL_INNER(reverse, TCA_WLINK_REVERSE_CHANNEL, reverse_channel, "channel",
	 "what happens to feedback on the air; link: the parameters of the bearer's own channel",
	 ANY)
WL_INNER(profile, TCA_WLINK_PROFILE_ROW, row, "row", "a rate and its AQM, rates growing", MANY)
WL_INNER(row, TCA_WLINK_ROW_AQM, row_aqm, "aqm", "the AQM from that rate on, from defaults on", ANY)

WL_ATTR(profile, TCA_WLINK_PROFILE_NAME, STRING, "name", "what it is called, empty: no profile",
	LENGTH(WLINK_PROFILE_NAME_MAX))
WL_ATTR(row, TCA_WLINK_ROW_RATE, U64, "rate", "bit/s from which on it holds",
	RANGE(RATE, 0, WLINK_RATE_MAX))
WL_ATTR(jitter, TCA_WLINK_JITTER_NAME, STRING, "name", "of the table, empty where there is none",
	LENGTH(WLINK_JITTER_NAME_MAX))
WL_ATTR(jitter, TCA_WLINK_JITTER_UNIT, U64, "unit", "ns that the value of a point counts",
	RANGE(TIME, 1, WLINK_JITTER_MAX))
WL_ATTR(jitter, TCA_WLINK_JITTER_POINTS, BINARY, "points",
	"struct wlink_point of the distribution", RANGE(COUNT, 0, 0))

/* Attributes of interface 1; generic netlink has them now. */
WL_ATTR(options, TCA_WLINK_OLD_COOKIE, REJECT, "cookie", "of interface 1", OLD)
WL_ATTR(options, TCA_WLINK_OLD_BEARER, REJECT, "bearer", "of interface 1", OLD)
WL_ATTR(options, TCA_WLINK_OLD_SCHEDULE, REJECT, "schedule", "of interface 1", OLD)

WL_WORD(RATE, options, TCA_WLINK_RATE, 64, rate_bps, "rate", "rate", "rate_bps",
	"bit/s of PDU payload; 0: silence", ALSO(RATE, WLINK_RATE_SILENT, WLINK_RATE_MAX,
	"unlimited", WLINK_RATE_UNLIMITED, "0..100gbit, or unlimited") ANY)
WL_WORD(TTI, options, TCA_WLINK_TTI, 64, tti_ns, "tti", "tti", "tti_ns",
	"transmission time interval, 0: continuous serialisation", AS_TIMES(WLINK_TTI_MAX) OF_LINK)
WL_WORD(DELAY, options, TCA_WLINK_DELAY, 64, delay_ns, "delay", "delay", "delay_ns",
	"one-way propagation and processing", AS_TIMES(WLINK_DELAY_MAX) ANY)
WL_WORD(PDU, options, TCA_WLINK_PDU, 32, pdu_bytes, "pdu", "pdu", "pdu_bytes",
	"payload of a PDU, 0: the whole SDU", RANGE(BYTES, 0, WLINK_PDU_MAX) ANY)
WL_WORD(HEADER, options, TCA_WLINK_HEADER, 32, header_bytes, "header", "header", "header_bytes",
	"header of a PDU, outside the rate", RANGE(BYTES, 0, WLINK_HEADER_MAX) ANY)
WL_WORD(LIMIT_PACKETS, limit, TCA_WLINK_LIMIT_PACKETS, 32, value, "packets", "limit",
	"limit_packets", "SDUs", RANGE(COUNT, 1, WLINK_LIMIT_PACKETS_MAX)
	UNIT_OF_LIMIT(WL_LIMIT_PACKETS))
WL_WORD(LIMIT_BYTES, limit, TCA_WLINK_LIMIT_BYTES, 32, value, "bytes", "limit", "limit_bytes",
	"bytes", RANGE(SIZE, 1, WLINK_LIMIT_BYTES_MAX) UNIT_OF_LIMIT(WL_LIMIT_BYTES))
WL_WORD(LIMIT_TIME, limit, TCA_WLINK_LIMIT_TIME, 64, value, "time", "limit", "limit_ns",
	"what is sent in a time at the current rate", RANGE(TIME, 1, WLINK_LIMIT_TIME_MAX)
	UNIT_OF_LIMIT(WL_LIMIT_TIME))
WL_WORD(SEED, options, TCA_WLINK_SEED, 64, seed, "seed", "seed", "seed",
	"of all random streams of the link", RANGE(COUNT, 0, ~0ULL) OF_LINK)
WL_WORD(CHANNEL, channel, TCA_WLINK_CHANNEL_KIND, 32, kind, "kind", "channel", "kind",
	"what happens to a PDU on the air", NAMES(WLINK_CHANNEL_MAX, WL_CHANNELS) ANY)
WL_CHANNEL_WORDS(WL_WORD, WL_AHEAD, "", CHANNEL)
WL_WORD(SCHED, options, TCA_WLINK_SCHED, 32, sched, "sched", "sched", "sched",
	"how the bearers of a link share it", NAMES(WLINK_SCHED_MAX, "dedicated", "fifo", "rr",
	"prio", "pf") OF_LINK)
WL_WORD(PRIO, options, TCA_WLINK_PRIO, 32, prio, "prio", "prio", "prio",
	"where the scheduler is prio, the lowest goes first", RANGE(COUNT, 0, WLINK_PRIO_MAX) ANY)
WL_WORD(HARQ, harq, TCA_WLINK_HARQ_PROCESSES, 32, processes, "processes", "harq", "processes",
	"blocks under way at a time", OR_ZERO(COUNT, 1, WLINK_HARQ_PROCESSES_MAX, "off") ANY)
WL_WORD(HARQ_BLER, harq, TCA_WLINK_HARQ_BLER, 32, bler_q32, "bler", "harq_bler", "bler",
	"how likely the first transmission of a block is lost", AS_PROB WITH(HARQ, WL_HARQ_ON))
WL_WORD(HARQ_FACTOR, harq, TCA_WLINK_HARQ_FACTOR, 32, factor_q32, "factor", "harq_factor", "factor",
	"how much less likely each further one is", AS_PROB WITH(HARQ, WL_HARQ_ON))
WL_WORD(HARQ_MAX, harq, TCA_WLINK_HARQ_SENT, 32, transmissions, "max", "harq_max", "max",
	"how often a block is sent at most", RANGE(COUNT, 1, WLINK_HARQ_SENT_MAX) WITH(HARQ,
	WL_HARQ_ON))
WL_WORD(HARQ_RTT, harq, TCA_WLINK_HARQ_RTT, 64, rtt_ns, "rtt", "harq_rtt", "rtt_ns",
	"from a transmission to the next", RANGE(TIME, WLINK_TTI_MIN, WLINK_TTI_MAX *
	WLINK_HARQ_TTIS_MAX) WITH(HARQ, WL_HARQ_ON))
WL_WORD(SR, sr, TCA_WLINK_SR_PERIOD, 64, sr_ns, "period", "sr", "period_ns",
	"period of scheduling requests: 5, 10, 20, 40 or 80 ms", OR_ZERO(TIME, WLINK_SR_MIN,
	WLINK_SR_MAX, "off") ANY)
WL_WORD(SR_GRANT, sr, TCA_WLINK_SR_GRANT, 64, grant_ns, "grant", "sr_grant", "grant_ns",
	"from a request or report to what is granted", AS_TIMES(WLINK_SR_GRANT_MAX) ANY)
WL_WORD(SR_FIRST, sr, TCA_WLINK_SR_FIRST, 32, first_bytes, "first", "sr_first", "first_bytes",
	"what the grant for a request carries", RANGE(BYTES, 1, WLINK_SR_FIRST_MAX) ANY)
WL_WORD(DRX, drx, TCA_WLINK_DRX_CYCLE, 64, cycle_ns, "cycle", "drx", "cycle_ns",
	"long cycle; off: while it is connected, it listens always", AS_CYCLE("off") ANY)
WL_WORD(DRX_ON, drx, TCA_WLINK_DRX_ON, 64, on_ns, "on", "drx_on", "on_ns",
	"how long it listens in each cycle", APART(TIME, 0, WLINK_DRX_CYCLE_MAX, WLINK_TTI_MIN,
	WLINK_DRX_CYCLE_MAX, NULL, 0) ANY)
WL_WORD(DRX_INACTIVITY, drx, TCA_WLINK_DRX_INACTIVITY, 64, inactivity_ns, "inactivity",
	"drx_inactivity", "inactivity_ns", "how long it listens after the last TTI",
	AS_TIMES(WLINK_DRX_CYCLE_MAX) ANY)
WL_WORD(DRX_SHORT, drx, TCA_WLINK_DRX_SHORT, 64, short_ns, "short", "drx_short", "short_ns",
	"cycle after that; off: the long one", AS_CYCLE("off") ANY)
WL_WORD(DRX_SHORT_CYCLES, drx, TCA_WLINK_DRX_SHORT_CYCLES, 32, short_cycles, "short_cycles",
	"drx_short_cycles", "short_cycles", "how many of these before the long one", RANGE(COUNT, 1,
	WLINK_DRX_SHORTS_MAX) ANY)
WL_WORD(RRC_IDLE, rrc, TCA_WLINK_RRC_IDLE, 64, idle_ns, "idle", "rrc_idle", "idle_ns",
	"silence after which it is idle; off: it stays connected", OR_ZERO(TIME, WLINK_TTI_MIN,
	WLINK_TIMER_MAX, "off") ANY)
WL_WORD(RRC_PROMOTION, rrc, TCA_WLINK_RRC_PROMOTION, 64, promotion_ns, "promotion", "rrc_promotion",
	"promotion_ns", "from idle to connected", AS_TIMES(WLINK_RRC_PROMOTION_MAX) ANY)
WL_WORD(RRC_PAGING, rrc, TCA_WLINK_RRC_PAGING, 64, paging_ns, "paging", "rrc_paging", "paging_ns",
	"cycle in which it listens while it is idle; off: the sender wakes by itself",
	AS_CYCLE("off") ANY)
WL_WORD(RB, cell, TCA_WLINK_CELL_RB, 32, rb, "rb", "rb", "rb",
	"resource blocks of a TTI; off: it is not divided", OR_ZERO(COUNT, 1, WLINK_RB_MAX, "off")
	OF_LINK)
WL_WORD(PF_EXPONENT, cell, TCA_WLINK_CELL_PF_EXPONENT, 32, pf_exponent_milli, "pf_exponent",
	"pf_exponent", "pf_exponent", "pf: of the mean throughput", RANGE(MILLI, 0,
	WLINK_PF_EXPONENT_MAX) OF_LINK)
WL_WORD(PF_WINDOW, cell, TCA_WLINK_CELL_PF_WINDOW, 32, pf_window, "pf_window", "pf_window",
	"pf_window", "pf: TTIs that the mean is taken over; off: a weight of 1/128", OR_ZERO(TTIS,
	1, WLINK_PF_WINDOW_MAX, "off") OF_LINK)
WL_WORD(BACKGROUND, background, TCA_WLINK_BACKGROUND_USERS, 32, users, "users", "background",
	"users", "how many users without packets there are", OR_ZERO(COUNT, 1, WLINK_USERS_MAX,
	"off") OF_LINK)
WL_WORD(BACKGROUND_RATE, background, TCA_WLINK_BACKGROUND_RATE, 64, users_bps, "rate",
	"background_rate", "rate_bps", "what each takes while it is on", ALSO(RATE, WLINK_RATE_MIN,
	WLINK_RATE_MAX, "unlimited", WLINK_RATE_UNLIMITED, "1..100gbit, unlimited") OF_LINK)
WL_WORD(BACKGROUND_ON, background, TCA_WLINK_BACKGROUND_ON, 64, users_on_ns, "on", "background_on",
	"on_ns", "mean time that each is on", RANGE(TIME, WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX)
	OF_LINK)
WL_WORD(BACKGROUND_OFF, background, TCA_WLINK_BACKGROUND_OFF, 64, users_off_ns, "off",
	"background_off", "off_ns", "mean time that each is off, 0: never", ALSO(TIME,
	WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX, "0", 0, "10ms..1h, or 0") OF_LINK)
WL_WORD(BACKGROUND_ARRIVAL, background, TCA_WLINK_BACKGROUND_ARRIVAL, 64, arrival_ns, "arrival",
	"background_arrival", "arrival_ns", "mean time between two that come; off: none come",
	ALSO(TIME, WLINK_ARRIVAL_MIN, WLINK_SOJOURN_MAX, "off", 0, "1ms..1h, or 0") OF_LINK)
WL_WORD(BACKGROUND_SIZE, background, TCA_WLINK_BACKGROUND_SIZE, 32, size_bytes, "size",
	"background_size", "size_bytes", "what each of those takes, mean", RANGE(BYTES,
	WLINK_SIZE_MIN, WLINK_SIZE_MAX) OF_LINK)
WL_WORD(BACKGROUND_CV, background, TCA_WLINK_BACKGROUND_CV, 32, size_cv_milli, "cv",
	"background_cv", "cv", "standard deviation of that over the mean", RANGE(MILLI,
	WLINK_CV_MIN, WLINK_CV_MAX) OF_LINK)
WL_WORD(TDD, tdd, TCA_WLINK_TDD_PATTERN, 64, pattern, "pattern", "tdd", "pattern",
	"enum wlink_slot of each slot, two bits, the first lowest; off: the link sends in all TTIs",
	OR_ZERO(SLOTS, 1, ~0ULL, "off") OF_LINK)
WL_WORD(TDD_DIRECTION, tdd, TCA_WLINK_TDD_DIRECTION, 32, direction, "direction", "tdd_direction",
	"direction", "which of them are the link's", NAMES(WLINK_DIRECTION_MAX, "downlink",
	"uplink") OF_LINK)
WL_WORD(TDD_SPECIAL, tdd, TCA_WLINK_TDD_SPECIAL, 32, symbols, "special", "tdd_special", "special",
	"symbols of a special slot that are the downlink's", RANGE(SYMBOLS, 0, WLINK_TDD_SYMBOLS -
	1) OF_LINK)
WL_WORD(JITTER, jitter, TCA_WLINK_JITTER_MEAN, 64, mean_ns, "mean", "jitter", "mean_ns",
	"how late an SDU is in the mean, as typed", OR_ZERO(TIME, 1, WLINK_JITTER_MAX, "off") ANY)
WL_WORD(JITTER_DIST, jitter, TCA_WLINK_JITTER_DIST, 32, dist, "dist", "jitter_dist", "dist",
	"distribution of that, as typed", NAMES(WLINK_DIST_MAX, "constant", "uniform", "normal",
	"pareto", "lognormal", "exponential", "table") ANY)
WL_WORD(JITTER_DEV, jitter, TCA_WLINK_JITTER_DEV, 64, dev_ns, "dev", "jitter_dev", "dev_ns",
	"standard deviation of that, as typed", OR_ZERO(TIME, 1, WLINK_JITTER_MAX, "0") ANY)
WL_TYPED(JITTER_TABLE, jitter, "jitter_table", "table", "a file with the distribution", NAMED)
WL_WORD(JITTER_CORRELATION, jitter, TCA_WLINK_JITTER_CORRELATION, 32, jitter_correlation_q32,
	"correlation", "jitter_correlation", "correlation",
	"of the delay of an SDU with the one before", AS_PROB ANY)
WL_WORD(JITTER_REORDER, jitter, TCA_WLINK_JITTER_REORDER, 32, jitter_reorder, "reorder",
	"jitter_reorder", "reorder", "SDUs may overtake each other", SWITCH ANY)
WL_WORD(DUPLICATE, impair, TCA_WLINK_IMPAIR_DUPLICATE, 32, duplicate_q32, "duplicate", "duplicate",
	"duplicate", "how likely an SDU comes twice", AS_PROB ANY)
WL_WORD(CORRUPT, impair, TCA_WLINK_IMPAIR_CORRUPT, 32, corrupt_q32, "corrupt", "corrupt", "corrupt",
	"how likely an SDU comes with an error", AS_PROB ANY)
WL_WORD(CORRUPT_UNIT, impair, TCA_WLINK_IMPAIR_UNIT, 32, unit, "unit", "corrupt_unit",
	"corrupt_unit", "what an error is", NAMES(WLINK_ERROR_MAX, "bit", "byte") ANY)
WL_WORD(CORRUPT_LOST, impair, TCA_WLINK_IMPAIR_LOST, 32, lost, "lost", "corrupt_lost",
	"corrupt_lost", "tm: what the channel would lose comes with errors", SWITCH ANY)
WL_ALONE(GBR, options, TCA_WLINK_GBR, 64, "gbr", "gbr", "gbr_bps",
	 "bit/s that come before all else", OR_ZERO(RATE, WLINK_RATE_MIN, WLINK_RATE_MAX, "off"))
WL_WORD(MODE, options, TCA_WLINK_MODE, 32, mode, "mode", "mode", "mode",
	"how a bearer carries its SDUs", NAMES(WLINK_MODE_MAX, WL_MODES) ANY)
WL_WORD(WINDOW, rlc, TCA_WLINK_RLC_WINDOW, 32, window, "window", "window", "window",
	"PDUs, or frames, that may be outstanding", RANGE(COUNT, 1, WLINK_AM_WINDOW_MAX) OF(MODE,
	WL_IS_ARQ))
WL_WORD(IN_ORDER, rlc, TCA_WLINK_RLC_IN_ORDER, 32, in_order, "in_order", "in_order", "in_order",
	"in-sequence delivery", SWITCH OF(MODE, WL_IS_AM))
WL_WORD(POLL_LAST, rlc, TCA_WLINK_RLC_POLL_LAST, 32, poll_last, "poll_last", "poll_last",
	"poll_last", "poll with the last PDU in the buffer", SWITCH OF(MODE, WL_IS_AM))
WL_WORD(POLL_LAST_RETX, rlc, TCA_WLINK_RLC_POLL_LAST_RETX, 32, poll_last_retx, "poll_last_retx",
	"poll_last_retx", "poll_last_retx", "poll with the last retransmitted PDU", SWITCH OF(MODE,
	WL_IS_AM))
WL_WORD(POLL_PDU, rlc, TCA_WLINK_RLC_POLL_PDU, 32, poll_pdu, "poll_pdu", "poll_pdu", "poll_pdu",
	"am: Poll_PDU; lte-am, nr-am: pollPDU", AS_POLL_COUNT OF(MODE, WL_IS_AM | WL_IS_LTE_AM))
WL_WORD(POLL_SDU, rlc, TCA_WLINK_RLC_POLL_SDU, 32, poll_sdu, "poll_sdu", "poll_sdu", "poll_sdu",
	"Poll_SDU", AS_POLL_COUNT OF(MODE, WL_IS_AM))
WL_WORD(POLL_WINDOW, rlc, TCA_WLINK_RLC_POLL_WINDOW, 32, poll_window, "poll_window", "poll_window",
	"poll_window", "Poll_Window, of the window", OR_ZERO(PERCENT, 1, 100, "off") OF(MODE,
	WL_IS_AM))
WL_WORD(POLL_TIMER, rlc, TCA_WLINK_RLC_T_POLL, 64, poll_ns, "poll_timer", "poll_timer",
	"poll_timer_ns", "am: Timer_Poll; lte-am, nr-am: t-PollRetransmit", AS_TIMER_OR_OFF OF(MODE,
	WL_IS_AM | WL_IS_LTE_AM))
WL_WORD(POLL_PERIODIC, rlc, TCA_WLINK_RLC_T_POLL_PERIODIC, 64, poll_periodic_ns, "poll_periodic",
	"poll_periodic", "poll_periodic_ns", "Timer_Poll_Periodic", AS_TIMER_OR_OFF OF(MODE,
	WL_IS_AM))
WL_WORD(POLL_PROHIBIT, rlc, TCA_WLINK_RLC_T_POLL_PROHIBIT, 64, poll_prohibit_ns, "poll_prohibit",
	"poll_prohibit", "poll_prohibit_ns", "Timer_Poll_Prohibit", AS_TIMER_OR_OFF OF(MODE,
	WL_IS_AM))
WL_WORD(MISSING, rlc, TCA_WLINK_RLC_MISSING, 32, missing, "missing", "missing", "missing",
	"missing PDU detection", SWITCH OF(MODE, WL_IS_AM))
WL_WORD(STATUS_PERIODIC, rlc, TCA_WLINK_RLC_T_STATUS_PERIODIC, 64, status_periodic_ns,
	"status_periodic", "status_periodic", "status_periodic_ns", "Timer_Status_Periodic",
	AS_TIMER_OR_OFF OF(MODE, WL_IS_AM))
WL_WORD(STATUS_PROHIBIT, rlc, TCA_WLINK_RLC_T_STATUS_PROHIBIT, 64, status_prohibit_ns,
	"status_prohibit", "status_prohibit", "status_prohibit_ns",
	"am: Timer_Status_Prohibit; lte-am, nr-am: t-StatusProhibit", AS_TIMER_OR_OFF OF(MODE,
	WL_IS_AM | WL_IS_LTE_AM))
WL_WORD(STATUS, rlc, TCA_WLINK_RLC_STATUS, 32, status, "status", "status", "status",
	"how a STATUS PDU names missing PDUs", NAMES(WLINK_STATUS_MAX, "list", "bitmap") OF(MODE,
	WL_IS_AM))
WL_WORD(DISCARD, rlc, TCA_WLINK_RLC_DISCARD, 32, discard, "discard", "discard", "discard",
	"what follows when MaxDAT is reached or time is up", NAMES(WLINK_DISCARD_MAX, "mrw",
	"reset", "timer") OF(MODE, WL_IS_AM))
WL_WORD(MAXDAT, rlc, TCA_WLINK_RLC_MAXDAT, 32, maxdat, "maxdat", "maxdat", "maxdat", "MaxDAT",
	AS_MAXIMUM OF(MODE, WL_IS_AM))
WL_WORD(POLL_BYTE, rlc, TCA_WLINK_RLC_POLL_BYTE, 32, poll_byte, "poll_byte", "poll_byte",
	"poll_byte", "pollByte", OR_ZERO(BYTES, 1, WLINK_POLL_BYTE_MAX, "off") OF(MODE,
	WL_IS_LTE_AM))
WL_WORD(MAXRETX, rlc, TCA_WLINK_RLC_MAXRETX, 32, maxretx, "maxretx", "maxretx", "maxretx",
	"maxRetxThreshold", RANGE(COUNT, 1, WLINK_MAXRETX_MAX) OF(MODE, WL_IS_LTE_AM))
WL_WORD(DISCARD_TIMER, rlc, TCA_WLINK_RLC_T_DISCARD, 64, discard_ns, "discard_timer",
	"discard_timer", "discard_timer_ns",
	"tm, um, am: Timer_Discard; LTE, NR: discardTimer of PDCP", AS_TIMER_OR_OFF OF(MODE,
	WL_IS_TM | WL_IS_UM | WL_IS_AM | WL_IS_LTE_UM | WL_IS_LTE_AM))
WL_WORD(MRW_TIMER, rlc, TCA_WLINK_RLC_T_MRW, 64, mrw_ns, "mrw_timer", "mrw_timer", "mrw_timer_ns",
	"Timer_MRW", AS_TIMER OF(MODE, WL_IS_AM))
WL_WORD(MAXMRW, rlc, TCA_WLINK_RLC_MAXMRW, 32, maxmrw, "maxmrw", "maxmrw", "maxmrw", "MaxMRW",
	AS_MAXIMUM OF(MODE, WL_IS_AM))
WL_WORD(RESET_TIMER, rlc, TCA_WLINK_RLC_T_RST, 64, rst_ns, "reset_timer", "reset_timer",
	"reset_timer_ns", "Timer_RST", AS_TIMER OF(MODE, WL_IS_AM))
WL_WORD(MAXRST, rlc, TCA_WLINK_RLC_MAXRST, 32, maxrst, "maxrst", "maxrst", "maxrst", "MaxRST",
	AS_MAXIMUM OF(MODE, WL_IS_AM))
WL_WORD(REORDER, rlc, TCA_WLINK_RLC_REORDER, 32, reorder, "reorder", "reorder", "reorder",
	"PDUs that may come before one that is waited for", OR_ZERO(COUNT, 1, WLINK_UM_REORDER_MAX,
	"off") OF(MODE, WL_IS_UM))
WL_WORD(REORDER_TIMER, rlc, TCA_WLINK_RLC_T_REORDER, 64, reorder_ns, "reorder_timer",
	"reorder_timer", "reorder_timer_ns",
	"um: Timer_DAR; lte-um, lte-am: t-Reordering; nr-am: t-Reassembly", AS_TIMER OF(MODE,
	WL_IS_UM | WL_IS_LTE_UM | WL_IS_LTE_AM))
WL_WORD(DUPLICATES, rlc, TCA_WLINK_RLC_DUPLICATES, 32, duplicates, "duplicates", "duplicates",
	"duplicates", "duplicate avoidance", SWITCH OF(MODE, WL_IS_UM))
WL_WORD(RTO, rlc, TCA_WLINK_RLC_RTO, 64, rto_ns, "rto", "rto", "rto_ns",
	"fsr: retransmission timer; asr: until the first sample", AS_TIMER OF(MODE, WL_IS_SR))
WL_WORD(ALPHA, rlc, TCA_WLINK_RLC_ALPHA, 32, alpha_milli, "alpha", "alpha", "alpha",
	"weight of srtt in the timer", AS_WEIGHT OF(MODE, WL_IS_ASR))
WL_WORD(BETA, rlc, TCA_WLINK_RLC_BETA, 32, beta_milli, "beta", "beta", "beta",
	"weight of srttvar in the timer", AS_WEIGHT OF(MODE, WL_IS_ASR))
WL_WORD(RTTVAR, rlc, TCA_WLINK_RLC_RTTVAR, 32, rttvar, "rttvar", "rttvar", "rttvar",
	"what srttvar follows", NAMES(WLINK_RTTVAR_MAX, "abs", "signed") OF(MODE, WL_IS_ASR))
WL_WORD(ACK_DELAY, rlc, TCA_WLINK_RLC_ACK_DELAY, 64, ack_delay_ns, "ack_delay", "ack_delay",
	"ack_delay_ns", "how long an ACK waits for data to ride on", AS_TIMER_OR_ZERO("0") OF(MODE,
	WL_IS_SR))
WL_WORD(ACK_BYTES, rlc, TCA_WLINK_RLC_ACK_BYTES, 32, ack_bytes, "ack_bytes", "ack_bytes",
	"ack_bytes", "size of an ACK or NACK on the air", RANGE(BYTES, 1, WLINK_ACK_BYTES_MAX)
	OF(MODE, WL_IS_SR))
WL_WORD(NACK_GUARD, rlc, TCA_WLINK_RLC_NACK_GUARD, 64, nack_guard_ns, "nack_guard", "nack_guard",
	"nack_guard_ns", "least time between NACKs of one frame; auto: a round trip",
	AS_TIMER_OR_ZERO("auto") OF(MODE, WL_IS_SR))
WL_WORD(START, rlc, TCA_WLINK_RLC_START, 32, start, "start", "start", "start",
	"when a PDU gets its number and its timers start", NAMES(WLINK_START_MAX, "air", "handover",
	"handover-head", "handover-one") OF(MODE, WL_IS_AM | WL_IS_SR))
WL_WORD(QUEUE, rlc, TCA_WLINK_RLC_QUEUE, 32, queue, "queue", "queue", "queue_pdus",
	"PDUs that wait for the transmitter at most; auto: two windows of them", OR_ZERO(PDUS, 1,
	WLINK_QUEUE_MAX, "auto") OF(MODE, WL_IS_AM | WL_IS_SR))
WL_WORD(REV_RATE, reverse, TCA_WLINK_REVERSE_RATE, 64, rate_bps, "rate", "rev_rate", "rate_bps",
	"bit/s of feedback, headers included; same: that of the bearer", OR_ZERO(RATE,
	WLINK_RATE_MIN, WLINK_RATE_MAX, "same") WITH(MODE, WL_IS_ARQ))
WL_WORD(REV_DELAY, reverse, TCA_WLINK_REVERSE_DELAY, 64, delay_ns, "delay", "rev_delay", "delay_ns",
	"one-way propagation of feedback; same: that of the bearer", ALSO(TIME, 0, WLINK_DELAY_MAX,
	"same", WLINK_SAME, "0..30d, or same") WITH(MODE, WL_IS_ARQ))
WL_BACK(REV_CHANNEL, channel, TCA_WLINK_CHANNEL_KIND, 32, kind, "kind", "rev_channel", "kind",
	"what happens to feedback on the air", NAMES(WLINK_CHANNEL_MAX, WL_CHANNELS) WITH(MODE,
	WL_IS_ARQ))
WL_CHANNEL_WORDS(WL_BACK, REV_, "rev_", REV_CHANNEL)
WL_TYPED(PROFILE, options, "profile", "profile", "a profile, or a file with its rows", NAMED)
WL_WORD(AQM, aqm, TCA_WLINK_AQM_KIND, 32, kind, "kind", "aqm", "kind",
	"which SDU is dropped or marked before the limit", NAMES(WLINK_AQM_MAX, WL_AQMS) ANY)
WL_WORD(AQM_UNIT, aqm, TCA_WLINK_AQM_UNIT, 32, unit, "unit", "unit", "unit",
	"of minth, maxth and alpha", NAMES(WLINK_UNIT_MAX, "sdus", "bytes") OF(AQM, WL_IS_RED |
	WL_IS_SBD) UNTYPED)
WL_WORD(MINTH, aqm, TCA_WLINK_AQM_MINTH, 32, minth, "minth", "minth", "minth",
	"red: no drop below; sbd: alpha above where it begins to look", APART(AMOUNT, 1,
	WLINK_PROB_ONE, 1, WLINK_LIMIT_BYTES_MAX, NULL, 0) OF(AQM, WL_IS_RED | WL_IS_SBD) NEEDED)
WL_WORD(MAXTH, aqm, TCA_WLINK_AQM_MAXTH, 32, maxth, "maxth", "maxth", "maxth",
	"red: all are dropped from there on; sbd: the occupancy to be avoided", APART(AMOUNT, 0,
	WLINK_PROB_ONE, 1, WLINK_LIMIT_BYTES_MAX, "limit", WLINK_MAXTH_LIMIT) OF(AQM, WL_IS_RED |
	WL_IS_SBD))
WL_WORD(MAXP, aqm, TCA_WLINK_AQM_MAXP, 32, maxp_q32, "maxp", "maxp", "maxp", "probability at maxth",
	RANGE(PROB, 1, WLINK_PROB_ONE) OF(AQM, WL_IS_RED) NEEDED)
WL_WORD(COUNT, aqm, TCA_WLINK_AQM_COUNT, 32, count, "count", "count", "count",
	"drops are spread: p / (1 - count * p) instead of p", SWITCH OF(AQM, WL_IS_RED))
WL_WORD(GENTLE, aqm, TCA_WLINK_AQM_GENTLE, 32, gentle, "gentle", "gentle", "gentle",
	"from maxp at maxth to 1 at twice that", SWITCH OF(AQM, WL_IS_RED))
WL_WORD(FROM, aqm, TCA_WLINK_AQM_HEAD, 32, head, "head", "from", "from",
	"which end of the buffer it drops from", NAMES(1, "tail", "head") OF(AQM, WL_IS_RED |
	WL_IS_SBD))
WL_WORD(WEIGHT, aqm, TCA_WLINK_AQM_WEIGHT, 32, weight_q32, "weight", "weight", "weight",
	"of a new sample in the average; 1: the occupancy itself", RANGE(PROB, 1, WLINK_PROB_ONE)
	OF(AQM, WL_IS_RED))
WL_WORD(AQM_SDU, aqm, TCA_WLINK_AQM_SDU, 32, sdu_bytes, "sdu", "sdu", "sdu_bytes",
	"size of a typical SDU", RANGE(BYTES, 1, WLINK_LIMIT_BYTES_MAX) OF(AQM, WL_IS_RED |
	WL_IS_SBD))
WL_WORD(AQM_ALPHA, aqm, TCA_WLINK_AQM_ALPHA, 32, alpha, "alpha", "alpha", "alpha",
	"occupancy over which the slope is measured", RANGE(AMOUNT, 1, WLINK_LIMIT_BYTES_MAX)
	OF(AQM, WL_IS_SBD))
WL_WORD(TR, aqm, TCA_WLINK_AQM_TR, 64, tr_ns, "tr", "tr", "tr_ns",
	"T_r, the time a sender takes to react", AS_AQM_TIMER OF(AQM, WL_IS_SBD) NEEDED)
WL_WORD(HOLD, aqm, TCA_WLINK_AQM_HOLD, 32, hold, "hold", "hold", "hold",
	"nothing is measured for T_r after a drop", SWITCH OF(AQM, WL_IS_SBD))
WL_WORD(CLAMP, aqm, TCA_WLINK_AQM_CLAMP, 32, clamp, "clamp", "clamp", "clamp",
	"no threshold is above maxth", SWITCH OF(AQM, WL_IS_SBD))
WL_WORD(TARGET, aqm, TCA_WLINK_AQM_TARGET, 64, target_ns, "target", "target", "target_ns",
	"sojourn that CoDel accepts", AS_AQM_TIMER OF(AQM, WL_IS_CODEL))
WL_WORD(INTERVAL, aqm, TCA_WLINK_AQM_INTERVAL, 64, interval_ns, "interval", "interval",
	"interval_ns", "how long it may be above that", AS_AQM_TIMER OF(AQM, WL_IS_CODEL))
WL_WORD(ECN, aqm, TCA_WLINK_AQM_ECN, 32, ecn, "ecn", "ecn", "ecn",
	"mark instead, where the SDU is capable of it", SWITCH OF(AQM, WL_IS_RED | WL_IS_SBD |
	WL_IS_CODEL))
WL_WORD(RAMP_FROM, aqm, TCA_WLINK_AQM_RAMP_FROM, 64, ramp_from_ns, "ramp_from", "ramp_from",
	"ramp_from_ns", "sojourn from which on ECT(1) may be marked", ALSO(TIME, 0, WLINK_TIMER_MAX,
	"off", WLINK_TIMER_OFF, "0..1h, or off") OF(AQM, WL_IS_ANY_AQM))
WL_WORD(RAMP_TO, aqm, TCA_WLINK_AQM_RAMP_TO, 64, ramp_to_ns, "ramp_to", "ramp_to", "ramp_to_ns",
	"sojourn from which on all are", ALSO(TIME, WLINK_TIMER_MIN, WLINK_TIMER_MAX, "off",
	WLINK_TIMER_OFF, "1us..1h, or off") OF(AQM, WL_IS_ANY_AQM))
WL_ALONE(AT, options, TCA_WLINK_AT, 64, "at", "at", NULL,
	 "when the change takes effect: CLOCK_MONOTONIC, or WLINK_AT_*",
	 APART(TIME, 0, ~0ULL, 1, 0x7fffffffffffffffULL, "next", WLINK_AT_NEXT))

#undef WL_WORD
#undef WL_BACK
#undef WL_ALONE
#undef WL_TYPED
#undef WL_ATTR
#undef WL_NEST
#undef WL_INNER
