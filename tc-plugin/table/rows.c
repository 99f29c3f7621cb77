// SPDX-License-Identifier: GPL-2.0
#include "table/value.h"

/* Which channels a member belongs to. */
#define UNIFORM		(1U << WLINK_CHANNEL_UNIFORM)
#define GILBERT		(1U << WLINK_CHANNEL_GILBERT)
#define TWOSTATE	(1U << WLINK_CHANNEL_TWOSTATE)
#define RAYLEIGH	(1U << WL_KIND_RAYLEIGH)

/* Which modes a word belongs to. */
#define TM	(1U << WLINK_MODE_TM)
#define UM	(1U << WLINK_MODE_UM)
#define AM	(1U << WLINK_MODE_AM)
#define ASR	(1U << WLINK_MODE_ASR)
#define SR	(1U << WLINK_MODE_FSR | ASR)
#define LTE_UM	(1U << WLINK_MODE_LTE_UM)
#define LTE_AM	(1U << WLINK_MODE_LTE_AM | 1U << WLINK_MODE_NR_AM)
#define ARQ	(AM | SR | LTE_AM)

static const char *const switches[] = { "off", "on", NULL };
static const char *const channels[] = {
	"none", "uniform", "gilbert", "twostate", "link", NULL
};

static const char *const scheds[] = {
	"dedicated", "fifo", "rr", "prio", "pf", NULL
};

static const char *const directions[] = { "downlink", "uplink", NULL };

static const char *const dists[] = {
	"constant", "uniform", "normal", "pareto", "lognormal", "exponential",
	"table", NULL
};

static const char *const errors[] = { "bit", "byte", NULL };

static const char *const modes[] = {
	"tm", "um", "am", "fsr", "asr", "lte-um", "lte-am", "nr-am", NULL
};

static const char *const statuses[] = { "list", "bitmap", NULL };
static const char *const discards[] = { "mrw", "reset", "timer", NULL };
static const char *const rttvars[] = { "abs", "signed", NULL };
static const char *const starts[] = { "air", "handover", "handover-head", NULL };
static const char *const aqms[] = { "droptail", "red", "sbd", "codel", NULL };
static const char *const aqm_units[] = { "sdus", "bytes", NULL };
static const char *const ends[] = { "tail", "head", NULL };

/* Any number of processes but 0. */
#define HARQ_ON	(~1U)

/* Which AQMs a word belongs to. */
#define RED	(1U << WLINK_AQM_RED)
#define SBD	(1U << WLINK_AQM_SBD)
#define CODEL	(1U << WLINK_AQM_CODEL)
#define ANY_AQM	(1U << WLINK_AQM_DROPTAIL | RED | SBD | CODEL)

/* Attribute and size belong together: the name of a row's attribute is spelt
 * once.
 */
#define TOP(name, bytes) \
	.attr = TCA_WLINK_##name, .size = (bytes)
#define LIMIT(name, bytes) \
	.nest = TCA_WLINK_LIMIT, .attr = TCA_WLINK_LIMIT_##name, .size = (bytes)
#define RLC(name, bytes, modes_of) \
	.nest = TCA_WLINK_RLC, .attr = TCA_WLINK_RLC_##name, .size = (bytes), \
	.owner = WL_MODE, .kinds = (modes_of)
#define HARQ(name, bytes) \
	.nest = TCA_WLINK_HARQ, .attr = TCA_WLINK_HARQ_##name, .size = (bytes), \
	.owner = WL_HARQ, .kinds = HARQ_ON
#define SR_NEST(name, bytes) \
	.nest = TCA_WLINK_SR, .attr = TCA_WLINK_SR_##name, .size = (bytes)
#define DRX_NEST(name, bytes) \
	.nest = TCA_WLINK_DRX, .attr = TCA_WLINK_DRX_##name, .size = (bytes)
#define RRC_NEST(name, bytes) \
	.nest = TCA_WLINK_RRC, .attr = TCA_WLINK_RRC_##name, .size = (bytes)
#define CELL(name, bytes) \
	.nest = TCA_WLINK_CELL, .attr = TCA_WLINK_CELL_##name, \
	.size = (bytes), .of_link = true
#define BACKGROUND(name, bytes) \
	.nest = TCA_WLINK_BACKGROUND, .attr = TCA_WLINK_BACKGROUND_##name, \
	.size = (bytes), .of_link = true
#define TDD_NEST(name, bytes) \
	.nest = TCA_WLINK_TDD, .attr = TCA_WLINK_TDD_##name, \
	.size = (bytes), .of_link = true
#define JITTER(name, bytes) \
	.nest = TCA_WLINK_JITTER, .attr = TCA_WLINK_JITTER_##name, \
	.size = (bytes)
#define IMPAIR(name, bytes) \
	.nest = TCA_WLINK_IMPAIR, .attr = TCA_WLINK_IMPAIR_##name, \
	.size = (bytes)
#define REVERSE(name, bytes) \
	.nest = TCA_WLINK_REVERSE, .attr = TCA_WLINK_REVERSE_##name, \
	.size = (bytes), .owner = WL_MODE, .kinds = ARQ
#define AQM(name, bytes, aqms_of) \
	.nest = TCA_WLINK_AQM, .attr = TCA_WLINK_AQM_##name, .size = (bytes), \
	.owner = WL_AQM, .kinds = (aqms_of)

#define BETWEEN(least, most)	.min = (least), .max = (most)
#define OR(word, meaning)	.other = (word), .other_value = (meaning)
#define TIMER	.unit = WL_UNIT_TIME, BETWEEN(WLINK_TIMER_MIN, WLINK_TIMER_MAX)
#define RLC_TIMER .unit = WL_UNIT_TIME,					\
		  BETWEEN(WLINK_RLC_TIMER_MIN, WLINK_TIMER_MAX)
#define SWITCH	.unit = WL_UNIT_SWITCH, .names = switches
#define OFF	OR("off", WLINK_TIMER_OFF)

/* The most that a buffer takes, even if each SDU were a byte. */
#define AMOUNT	.unit = WL_UNIT_AMOUNT, BETWEEN(1, WLINK_LIMIT_BYTES_MAX)

/* A channel and its members, for both ways: where they stand, what goes before
 * the name of the word, what goes before the keyword.
 */
#define OUT(name, bytes) \
	.nest = TCA_WLINK_CHANNEL, \
	.attr = TCA_WLINK_CHANNEL_##name, .size = (bytes)
#define BACK(name, bytes) \
	.nest = TCA_WLINK_REVERSE, .inner = TCA_WLINK_REVERSE_CHANNEL, \
	.attr = TCA_WLINK_CHANNEL_##name, .size = (bytes)
#define PROB	.unit = WL_UNIT_PROB, BETWEEN(0, WLINK_PROB_ONE)
#define SOJOURN	.unit = WL_UNIT_TIME, \
		BETWEEN(WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX)
#define BER	.unit = WL_UNIT_BER, BETWEEN(0, WLINK_HAZARD_MAX)

/* What wl_rayleigh() takes: 1e-9..0.999, times 2^32. */
#define FER_MIN	4U
#define FER_MAX	4290672329U

#define CHANNEL_ROWS(PATH, WL, before, of) \
	[WL##LOSS] = { \
		.keyword = before "loss", PATH(LOSS, 4), PROB, \
		.json = "loss", .owner = of, .kinds = UNIFORM, \
	}, \
	[WL##P] = { \
		.keyword = before "p", PATH(P, 4), PROB, \
		.json = "p", .owner = of, .kinds = GILBERT, \
	}, \
	[WL##R] = { \
		.keyword = before "r", PATH(R, 4), PROB, \
		.json = "r", .owner = of, .kinds = GILBERT, \
	}, \
	[WL##LOSS_GOOD] = { \
		.keyword = before "loss_good", PATH(LOSS_GOOD, 4), PROB, \
		.json = "loss_good", .owner = of, .kinds = GILBERT, \
	}, \
	[WL##LOSS_BAD] = { \
		.keyword = before "loss_bad", PATH(LOSS_BAD, 4), PROB, \
		.json = "loss_bad", .owner = of, .kinds = GILBERT, \
	}, \
	[WL##MEAN_GOOD] = { \
		.keyword = before "mean_good", PATH(MEAN_GOOD, 8), SOJOURN, \
		.json = "mean_good_ns", .owner = of, .kinds = TWOSTATE, \
	}, \
	[WL##MEAN_BAD] = { \
		.keyword = before "mean_bad", PATH(MEAN_BAD, 8), SOJOURN, \
		.json = "mean_bad_ns", .owner = of, .kinds = TWOSTATE, \
	}, \
	[WL##BER_GOOD] = { \
		.keyword = before "ber_good", PATH(HAZARD_GOOD, 8), BER, \
		.json = "ber_good", .owner = of, .kinds = TWOSTATE, \
	}, \
	[WL##BER_BAD] = { \
		.keyword = before "ber_bad", PATH(HAZARD_BAD, 8), BER, \
		.json = "ber_bad", .owner = of, .kinds = TWOSTATE, \
	}, \
	[WL##FER] = { \
		.keyword = before "fer", .unit = WL_UNIT_PROB, \
		BETWEEN(FER_MIN, FER_MAX), \
		.owner = of, .kinds = RAYLEIGH, \
	}, \
	[WL##FDT] = { \
		.keyword = before "fdt", .unit = WL_UNIT_NANO, \
		BETWEEN(1, 10000000000), \
		.owner = of, .kinds = RAYLEIGH, \
	}

const struct wl_row wl_rows[WL_WORDS] = {
	[WL_RATE] = {
		.keyword = "rate", TOP(RATE, 8), .unit = WL_UNIT_RATE,
		BETWEEN(WLINK_RATE_SILENT, WLINK_RATE_MAX),
		OR("unlimited", WLINK_RATE_UNLIMITED), .json = "rate_bps",
	},
	[WL_TTI] = {
		.keyword = "tti", TOP(TTI, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_TTI_MAX), .json = "tti_ns", .of_link = true,
	},
	[WL_DELAY] = {
		.keyword = "delay", TOP(DELAY, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_DELAY_MAX), .json = "delay_ns",
	},
	[WL_PDU] = {
		.keyword = "pdu", TOP(PDU, 4), .unit = WL_UNIT_BYTES,
		BETWEEN(0, WLINK_PDU_MAX), .json = "pdu_bytes",
	},
	[WL_HEADER] = {
		.keyword = "header", TOP(HEADER, 4), .unit = WL_UNIT_BYTES,
		BETWEEN(0, WLINK_HEADER_MAX), .json = "header_bytes",
	},
	[WL_LIMIT_PACKETS] = {
		.keyword = "limit", LIMIT(PACKETS, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_LIMIT_PACKETS_MAX), .json = "limit_packets",
	},
	[WL_LIMIT_BYTES] = {
		.keyword = "limit", LIMIT(BYTES, 4), .unit = WL_UNIT_SIZE,
		BETWEEN(1, WLINK_LIMIT_BYTES_MAX), .json = "limit_bytes",
	},
	[WL_LIMIT_TIME] = {
		.keyword = "limit", LIMIT(TIME, 8), .unit = WL_UNIT_TIME,
		BETWEEN(1, WLINK_LIMIT_TIME_MAX), .json = "limit_ns",
	},
	[WL_SEED] = {
		.keyword = "seed", TOP(SEED, 8), .unit = WL_UNIT_COUNT,
		BETWEEN(0, UINT64_MAX), .json = "seed", .of_link = true,
	},
	[WL_CHANNEL] = {
		.keyword = "channel", OUT(KIND, 4), .unit = WL_UNIT_NAME,
		.names = channels, .json = "kind",
	},
	CHANNEL_ROWS(OUT, WL_, "", WL_CHANNEL),
	[WL_SCHED] = {
		.keyword = "sched", TOP(SCHED, 4), .unit = WL_UNIT_NAME,
		.names = scheds, .json = "sched", .of_link = true,
	},
	[WL_PRIO] = {
		.keyword = "prio", TOP(PRIO, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(0, WLINK_PRIO_MAX), .json = "prio",
	},
	[WL_HARQ] = {
		.keyword = "harq", .nest = TCA_WLINK_HARQ,
		.attr = TCA_WLINK_HARQ_PROCESSES, .size = 4,
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_HARQ_PROCESSES_MAX),
		OR("off", 0), .json = "processes",
	},
	[WL_HARQ_BLER] = {
		.keyword = "harq_bler", HARQ(BLER, 4), PROB, .json = "bler",
	},
	[WL_HARQ_FACTOR] = {
		.keyword = "harq_factor", HARQ(FACTOR, 4), PROB,
		.json = "factor",
	},
	[WL_HARQ_MAX] = {
		.keyword = "harq_max", HARQ(SENT, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_HARQ_SENT_MAX), .json = "max",
	},
	[WL_HARQ_RTT] = {
		.keyword = "harq_rtt", HARQ(RTT, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_TTI_MAX * WLINK_HARQ_TTIS_MAX),
		.json = "rtt_ns",
	},
	[WL_SR] = {
		.keyword = "sr", SR_NEST(PERIOD, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_SR_MIN, WLINK_SR_MAX), OR("off", 0),
		.json = "period_ns",
	},
	[WL_SR_GRANT] = {
		.keyword = "sr_grant", SR_NEST(GRANT, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_SR_GRANT_MAX), .json = "grant_ns",
	},
	[WL_SR_FIRST] = {
		.keyword = "sr_first", SR_NEST(FIRST, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_SR_FIRST_MAX), .json = "first_bytes",
	},
	[WL_DRX] = {
		.keyword = "drx", DRX_NEST(CYCLE, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_DRX_CYCLE_MAX), OR("off", 0),
		.json = "cycle_ns",
	},
	[WL_DRX_ON] = {
		.keyword = "drx_on", DRX_NEST(ON, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_DRX_CYCLE_MAX),
		.json = "on_ns",
	},
	[WL_DRX_INACTIVITY] = {
		.keyword = "drx_inactivity", DRX_NEST(INACTIVITY, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_DRX_CYCLE_MAX),
		.json = "inactivity_ns",
	},
	[WL_DRX_SHORT] = {
		.keyword = "drx_short", DRX_NEST(SHORT, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_DRX_CYCLE_MAX), OR("off", 0),
		.json = "short_ns",
	},
	[WL_DRX_SHORT_CYCLES] = {
		.keyword = "drx_short_cycles", DRX_NEST(SHORT_CYCLES, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_DRX_SHORTS_MAX),
		.json = "short_cycles",
	},
	[WL_RRC_IDLE] = {
		.keyword = "rrc_idle", RRC_NEST(IDLE, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_TIMER_MAX), OR("off", 0),
		.json = "idle_ns",
	},
	[WL_RRC_PROMOTION] = {
		.keyword = "rrc_promotion", RRC_NEST(PROMOTION, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_RRC_PROMOTION_MAX),
		.json = "promotion_ns",
	},
	[WL_RRC_PAGING] = {
		.keyword = "rrc_paging", RRC_NEST(PAGING, 8), .unit = WL_UNIT_TIME,
		BETWEEN(WLINK_TTI_MIN, WLINK_DRX_CYCLE_MAX), OR("off", 0),
		.json = "paging_ns",
	},
	[WL_RB] = {
		.keyword = "rb", CELL(RB, 4), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_RB_MAX), OR("off", 0), .json = "rb",
	},
	[WL_PF_EXPONENT] = {
		.keyword = "pf_exponent", CELL(PF_EXPONENT, 4),
		.unit = WL_UNIT_MILLI, BETWEEN(0, WLINK_PF_EXPONENT_MAX),
		.json = "pf_exponent",
	},
	[WL_PF_WINDOW] = {
		.keyword = "pf_window", CELL(PF_WINDOW, 4),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_PF_WINDOW_MAX),
		OR("off", 0), .json = "pf_window",
	},
	[WL_BACKGROUND] = {
		.keyword = "background", BACKGROUND(USERS, 4),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_USERS_MAX),
		OR("off", 0), .json = "users",
	},
	[WL_BACKGROUND_RATE] = {
		.keyword = "background_rate", BACKGROUND(RATE, 8),
		.unit = WL_UNIT_RATE, BETWEEN(WLINK_RATE_MIN, WLINK_RATE_MAX),
		OR("unlimited", WLINK_RATE_UNLIMITED), .json = "rate_bps",
	},
	[WL_BACKGROUND_ON] = {
		.keyword = "background_on", BACKGROUND(ON, 8),
		.unit = WL_UNIT_TIME,
		BETWEEN(WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX),
		.json = "on_ns",
	},
	[WL_BACKGROUND_OFF] = {
		.keyword = "background_off", BACKGROUND(OFF, 8),
		.unit = WL_UNIT_TIME,
		BETWEEN(WLINK_USERS_TIME_MIN, WLINK_SOJOURN_MAX),
		OR("0", 0), .json = "off_ns",
	},
	[WL_BACKGROUND_ARRIVAL] = {
		.keyword = "background_arrival", BACKGROUND(ARRIVAL, 8),
		.unit = WL_UNIT_TIME,
		BETWEEN(WLINK_ARRIVAL_MIN, WLINK_SOJOURN_MAX),
		OR("off", 0), .json = "arrival_ns",
	},
	[WL_BACKGROUND_SIZE] = {
		.keyword = "background_size", BACKGROUND(SIZE, 4),
		.unit = WL_UNIT_BYTES,
		BETWEEN(WLINK_SIZE_MIN, WLINK_SIZE_MAX), .json = "size_bytes",
	},
	[WL_BACKGROUND_CV] = {
		.keyword = "background_cv", BACKGROUND(CV, 4),
		.unit = WL_UNIT_MILLI, BETWEEN(WLINK_CV_MIN, WLINK_CV_MAX),
		.json = "cv",
	},
	[WL_TDD] = {
		.keyword = "tdd", TDD_NEST(PATTERN, 8), .unit = WL_UNIT_SLOTS,
		BETWEEN(1, UINT64_MAX), OR("off", 0), .json = "pattern",
	},
	[WL_TDD_DIRECTION] = {
		.keyword = "tdd_direction", TDD_NEST(DIRECTION, 4),
		.unit = WL_UNIT_NAME, .names = directions, .json = "direction",
	},
	[WL_TDD_SPECIAL] = {
		.keyword = "tdd_special", TDD_NEST(SPECIAL, 4),
		.unit = WL_UNIT_COUNT, BETWEEN(0, WLINK_TDD_SYMBOLS - 1),
		.json = "special",
	},
	[WL_JITTER] = {
		.keyword = "jitter", JITTER(MEAN, 8), .unit = WL_UNIT_TIME,
		BETWEEN(1, WLINK_JITTER_MAX), OR("off", 0), .json = "mean_ns",
	},
	[WL_JITTER_DIST] = {
		.keyword = "jitter_dist", JITTER(DIST, 4), .unit = WL_UNIT_NAME,
		.names = dists, .json = "dist",
	},
	[WL_JITTER_DEV] = {
		.keyword = "jitter_dev", JITTER(DEV, 8), .unit = WL_UNIT_TIME,
		BETWEEN(1, WLINK_JITTER_MAX), OR("0", 0), .json = "dev_ns",
	},
	[WL_JITTER_TABLE] = {
		.keyword = "jitter_table", .nest = TCA_WLINK_JITTER,
		.unit = WL_UNIT_NAME, .json = "table",
	},
	[WL_JITTER_CORRELATION] = {
		.keyword = "jitter_correlation", JITTER(CORRELATION, 4), PROB,
		.json = "correlation",
	},
	[WL_JITTER_REORDER] = {
		.keyword = "jitter_reorder", JITTER(REORDER, 4), SWITCH,
		.json = "reorder",
	},
	[WL_DUPLICATE] = {
		.keyword = "duplicate", IMPAIR(DUPLICATE, 4), PROB,
		.json = "duplicate",
	},
	[WL_CORRUPT] = {
		.keyword = "corrupt", IMPAIR(CORRUPT, 4), PROB,
		.json = "corrupt",
	},
	[WL_CORRUPT_UNIT] = {
		.keyword = "corrupt_unit", IMPAIR(UNIT, 4),
		.unit = WL_UNIT_NAME, .names = errors, .json = "corrupt_unit",
	},
	[WL_CORRUPT_LOST] = {
		.keyword = "corrupt_lost", IMPAIR(LOST, 4), SWITCH,
		.json = "corrupt_lost",
	},
	[WL_GBR] = {
		.keyword = "gbr", TOP(GBR, 8), .unit = WL_UNIT_RATE,
		BETWEEN(WLINK_RATE_MIN, WLINK_RATE_MAX), OR("off", 0),
		.json = "gbr_bps",
	},
	[WL_MODE] = {
		.keyword = "mode", TOP(MODE, 4), .unit = WL_UNIT_NAME,
		.names = modes, .json = "mode",
	},
	[WL_WINDOW] = {
		.keyword = "window", RLC(WINDOW, 4, ARQ),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_AM_WINDOW_MAX),
		.json = "window",
	},
	[WL_IN_ORDER] = {
		.keyword = "in_order", RLC(IN_ORDER, 4, AM), SWITCH,
		.json = "in_order",
	},
	[WL_POLL_LAST] = {
		.keyword = "poll_last", RLC(POLL_LAST, 4, AM), SWITCH,
		.json = "poll_last",
	},
	[WL_POLL_LAST_RETX] = {
		.keyword = "poll_last_retx", RLC(POLL_LAST_RETX, 4, AM), SWITCH,
		.json = "poll_last_retx",
	},
	[WL_POLL_PDU] = {
		.keyword = "poll_pdu", RLC(POLL_PDU, 4, AM | LTE_AM),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_POLL_COUNT_MAX),
		OR("off", 0), .json = "poll_pdu",
	},
	[WL_POLL_SDU] = {
		.keyword = "poll_sdu", RLC(POLL_SDU, 4, AM),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_POLL_COUNT_MAX),
		OR("off", 0), .json = "poll_sdu",
	},
	[WL_POLL_WINDOW] = {
		.keyword = "poll_window", RLC(POLL_WINDOW, 4, AM),
		.unit = WL_UNIT_PERCENT, BETWEEN(1, 100),
		OR("off", 0), .json = "poll_window",
	},
	[WL_POLL_TIMER] = {
		.keyword = "poll_timer", RLC(T_POLL, 8, AM | LTE_AM), RLC_TIMER, OFF,
		.json = "poll_timer_ns",
	},
	[WL_POLL_PERIODIC] = {
		.keyword = "poll_periodic", RLC(T_POLL_PERIODIC, 8, AM), RLC_TIMER,
		OFF, .json = "poll_periodic_ns",
	},
	[WL_POLL_PROHIBIT] = {
		.keyword = "poll_prohibit", RLC(T_POLL_PROHIBIT, 8, AM), RLC_TIMER,
		OFF, .json = "poll_prohibit_ns",
	},
	[WL_MISSING] = {
		.keyword = "missing", RLC(MISSING, 4, AM), SWITCH,
		.json = "missing",
	},
	[WL_STATUS_PERIODIC] = {
		.keyword = "status_periodic", RLC(T_STATUS_PERIODIC, 8, AM),
		RLC_TIMER, OFF, .json = "status_periodic_ns",
	},
	[WL_STATUS_PROHIBIT] = {
		.keyword = "status_prohibit", RLC(T_STATUS_PROHIBIT, 8, AM | LTE_AM),
		RLC_TIMER, OFF, .json = "status_prohibit_ns",
	},
	[WL_STATUS] = {
		.keyword = "status", RLC(STATUS, 4, AM), .unit = WL_UNIT_NAME,
		.names = statuses, .json = "status",
	},
	[WL_DISCARD] = {
		.keyword = "discard", RLC(DISCARD, 4, AM), .unit = WL_UNIT_NAME,
		.names = discards, .json = "discard",
	},
	[WL_MAXDAT] = {
		.keyword = "maxdat", RLC(MAXDAT, 4, AM), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_MAXDAT_MAX), .json = "maxdat",
	},
	[WL_POLL_BYTE] = {
		.keyword = "poll_byte", RLC(POLL_BYTE, 4, LTE_AM),
		.unit = WL_UNIT_BYTES, BETWEEN(1, WLINK_POLL_BYTE_MAX),
		OR("off", 0), .json = "poll_byte",
	},
	[WL_MAXRETX] = {
		.keyword = "maxretx", RLC(MAXRETX, 4, LTE_AM),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_MAXRETX_MAX),
		.json = "maxretx",
	},
	[WL_DISCARD_TIMER] = {
		.keyword = "discard_timer", RLC(T_DISCARD, 8, TM | UM | AM | LTE_UM | LTE_AM),
		RLC_TIMER, OFF, .json = "discard_timer_ns",
	},
	[WL_MRW_TIMER] = {
		.keyword = "mrw_timer", RLC(T_MRW, 8, AM), RLC_TIMER,
		.json = "mrw_timer_ns",
	},
	[WL_MAXMRW] = {
		.keyword = "maxmrw", RLC(MAXMRW, 4, AM), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_MAXDAT_MAX), .json = "maxmrw",
	},
	[WL_RESET_TIMER] = {
		.keyword = "reset_timer", RLC(T_RST, 8, AM), RLC_TIMER,
		.json = "reset_timer_ns",
	},
	[WL_MAXRST] = {
		.keyword = "maxrst", RLC(MAXRST, 4, AM), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_MAXDAT_MAX), .json = "maxrst",
	},
	[WL_REORDER] = {
		.keyword = "reorder", RLC(REORDER, 4, UM),
		.unit = WL_UNIT_COUNT, BETWEEN(1, WLINK_UM_REORDER_MAX),
		OR("off", 0), .json = "reorder",
	},
	[WL_REORDER_TIMER] = {
		.keyword = "reorder_timer", RLC(T_REORDER, 8, UM | LTE_UM | LTE_AM),
		RLC_TIMER,
		.json = "reorder_timer_ns",
	},
	[WL_DUPLICATES] = {
		.keyword = "duplicates", RLC(DUPLICATES, 4, UM), SWITCH,
		.json = "duplicates",
	},
	[WL_RTO] = {
		.keyword = "rto", RLC(RTO, 8, SR), RLC_TIMER, .json = "rto_ns",
	},
	[WL_ALPHA] = {
		.keyword = "alpha", RLC(ALPHA, 4, ASR), .unit = WL_UNIT_MILLI,
		BETWEEN(0, WLINK_ALPHA_MAX), .json = "alpha",
	},
	[WL_BETA] = {
		.keyword = "beta", RLC(BETA, 4, ASR), .unit = WL_UNIT_MILLI,
		BETWEEN(0, WLINK_ALPHA_MAX), .json = "beta",
	},
	[WL_RTTVAR] = {
		.keyword = "rttvar", RLC(RTTVAR, 4, ASR), .unit = WL_UNIT_NAME,
		.names = rttvars, .json = "rttvar",
	},
	[WL_ACK_DELAY] = {
		.keyword = "ack_delay", RLC(ACK_DELAY, 8, SR), RLC_TIMER,
		OR("0", 0), .json = "ack_delay_ns",
	},
	[WL_ACK_BYTES] = {
		.keyword = "ack_bytes", RLC(ACK_BYTES, 4, SR),
		.unit = WL_UNIT_BYTES, BETWEEN(1, WLINK_ACK_BYTES_MAX),
		.json = "ack_bytes",
	},
	[WL_NACK_GUARD] = {
		.keyword = "nack_guard", RLC(NACK_GUARD, 8, SR), RLC_TIMER,
		OR("auto", 0), .json = "nack_guard_ns",
	},
	[WL_START] = {
		.keyword = "start", RLC(START, 4, AM | SR), .unit = WL_UNIT_NAME,
		.names = starts, .json = "start",
	},
	[WL_QUEUE] = {
		.keyword = "queue", RLC(QUEUE, 4, AM | SR), .unit = WL_UNIT_COUNT,
		BETWEEN(1, WLINK_QUEUE_MAX), OR("auto", 0), .json = "queue_pdus",
	},
	[WL_REV_RATE] = {
		.keyword = "rev_rate", REVERSE(RATE, 8), .unit = WL_UNIT_RATE,
		BETWEEN(WLINK_RATE_MIN, WLINK_RATE_MAX), OR("same", 0),
		.json = "rate_bps",
	},
	[WL_REV_DELAY] = {
		.keyword = "rev_delay", REVERSE(DELAY, 8), .unit = WL_UNIT_TIME,
		BETWEEN(0, WLINK_DELAY_MAX), OR("same", WLINK_SAME),
		.json = "delay_ns",
	},
	[WL_REV_CHANNEL] = {
		.keyword = "rev_channel", BACK(KIND, 4), .unit = WL_UNIT_NAME,
		.names = channels, .json = "kind",
		.owner = WL_MODE, .kinds = ARQ,
	},
	CHANNEL_ROWS(BACK, WL_REV_, "rev_", WL_REV_CHANNEL),
	[WL_PROFILE] = {
		.keyword = "profile", .unit = WL_UNIT_NAME, .json = "profile",
	},
	[WL_AQM] = {
		.keyword = "aqm", .nest = TCA_WLINK_AQM,
		.attr = TCA_WLINK_AQM_KIND, .size = 4, .unit = WL_UNIT_NAME,
		.names = aqms, .json = "kind",
	},
	[WL_AQM_UNIT] = {
		.keyword = "unit", AQM(UNIT, 4, RED | SBD),
		.unit = WL_UNIT_NAME, .names = aqm_units, .json = "unit",
		.untyped = true,
	},
	[WL_MINTH] = {
		.keyword = "minth", AQM(MINTH, 4, RED | SBD), AMOUNT,
		.json = "minth",
	},
	[WL_MAXTH] = {
		.keyword = "maxth", AQM(MAXTH, 4, RED | SBD), AMOUNT,
		OR("limit", WLINK_MAXTH_LIMIT), .json = "maxth",
	},
	[WL_MAXP] = {
		.keyword = "maxp", AQM(MAXP, 4, RED), .unit = WL_UNIT_PROB,
		BETWEEN(1, WLINK_PROB_ONE), .json = "maxp",
	},
	[WL_COUNT] = {
		.keyword = "count", AQM(COUNT, 4, RED), SWITCH, .json = "count",
	},
	[WL_GENTLE] = {
		.keyword = "gentle", AQM(GENTLE, 4, RED), SWITCH,
		.json = "gentle",
	},
	[WL_FROM] = {
		.keyword = "from", AQM(HEAD, 4, RED | SBD),
		.unit = WL_UNIT_NAME, .names = ends, .json = "from",
	},
	[WL_WEIGHT] = {
		.keyword = "weight", AQM(WEIGHT, 4, RED), .unit = WL_UNIT_PROB,
		BETWEEN(1, WLINK_PROB_ONE), .json = "weight",
	},
	[WL_AQM_SDU] = {
		.keyword = "sdu", AQM(SDU, 4, RED | SBD),
		.unit = WL_UNIT_BYTES, BETWEEN(1, WLINK_LIMIT_BYTES_MAX),
		.json = "sdu_bytes",
	},
	[WL_AQM_ALPHA] = {
		.keyword = "alpha", AQM(ALPHA, 4, SBD), AMOUNT,
		.json = "alpha",
	},
	[WL_TR] = {
		.keyword = "tr", AQM(TR, 8, SBD), TIMER, .json = "tr_ns",
	},
	[WL_HOLD] = {
		.keyword = "hold", AQM(HOLD, 4, SBD), SWITCH, .json = "hold",
	},
	[WL_CLAMP] = {
		.keyword = "clamp", AQM(CLAMP, 4, SBD), SWITCH, .json = "clamp",
	},
	[WL_TARGET] = {
		.keyword = "target", AQM(TARGET, 8, CODEL), TIMER,
		.json = "target_ns",
	},
	[WL_INTERVAL] = {
		.keyword = "interval", AQM(INTERVAL, 8, CODEL), TIMER,
		.json = "interval_ns",
	},
	[WL_ECN] = {
		.keyword = "ecn", AQM(ECN, 4, RED | SBD | CODEL), SWITCH,
		.json = "ecn",
	},
	[WL_RAMP_FROM] = {
		.keyword = "ramp_from", AQM(RAMP_FROM, 8, ANY_AQM),
		.unit = WL_UNIT_TIME, BETWEEN(0, WLINK_TIMER_MAX), OFF,
		.json = "ramp_from_ns",
	},
	[WL_RAMP_TO] = {
		.keyword = "ramp_to", AQM(RAMP_TO, 8, ANY_AQM), TIMER, OFF,
		.json = "ramp_to_ns",
	},
	[WL_AT] = {
		.keyword = "at", TOP(AT, 8), .unit = WL_UNIT_TIME,
		BETWEEN(1, INT64_MAX), OR("next", WLINK_AT_NEXT),
	},
};

const char *wl_row_name(const struct wl_row *row, uint64_t value)
{
	uint64_t i;

	for (i = 0; row->names[i]; i++)
		if (i == value)
			return row->names[i];
	return "unknown";
}
