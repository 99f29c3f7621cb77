/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_CFG_H
#define _WL_CFG_H

#include "../lib/types.h"

/* The work for more, in 10^-9 bit, would not fit 63 bits. */
#define WL_SDU_BYTES_MAX	(1U << 30)

/**
 * enum wl_limit_kind - unit of the SDU buffer's limit
 * @WL_LIMIT_PACKETS: SDUs
 * @WL_LIMIT_BYTES: bytes
 * @WL_LIMIT_TIME: what the current rate sends in a time
 */
enum wl_limit_kind {
	WL_LIMIT_PACKETS,
	WL_LIMIT_BYTES,
	WL_LIMIT_TIME,
};

/**
 * struct wl_limit - how much the SDU buffer takes
 * @kind: unit of @value
 * @value: SDUs, bytes or ns
 */
struct wl_limit {
	enum wl_limit_kind kind;
	u64 value;
};

/**
 * struct wl_chan_cfg - a channel; probabilities are p * 2^32
 * @kind: which; members of other kinds are 0
 * @loss_q32: uniform: loss probability of a PDU
 * @p_q32: gilbert: good to bad, per frame
 * @r_q32: gilbert: bad to good, per frame
 * @loss_good_q32: gilbert: loss probability of a PDU in the good state
 * @loss_bad_q32: gilbert: the same in the bad state
 * @mean_good_ns: twostate: mean sojourn in the good state
 * @mean_bad_ns: twostate: the same in the bad state
 * @hazard_good_q56: twostate: -ln(1 - BER) * 2^56 in the good state
 * @hazard_bad_q56: twostate: the same in the bad state
 */
struct wl_chan_cfg {
	enum wlink_channel kind;
	u32 loss_q32;
	u32 p_q32;
	u32 r_q32;
	u32 loss_good_q32;
	u32 loss_bad_q32;
	u64 mean_good_ns;
	u64 mean_bad_ns;
	u64 hazard_good_q56;
	u64 hazard_bad_q56;
};

/**
 * struct wl_aqm_cfg - what manages the SDU buffer; has no holes, for memcmp()
 * @kind: which; members of other kinds are as wl_aqm_default() leaves them
 * @unit: red, sbd: of @minth, @maxth and @alpha
 * @minth: red: no drop below; sbd: @alpha above where it begins to look
 * @maxth: red: all are dropped from there on unless @gentle; sbd: the occupancy
 *	that is to be avoided; WLINK_MAXTH_LIMIT: the buffer's limit
 * @maxp_q32: red: probability at @maxth, times 2^32; WLINK_PROB_ONE is 1
 * @weight_q32: red: weight of a new sample in the average, times 2^32;
 *	WLINK_PROB_ONE: the occupancy itself
 * @sdu_bytes: red, sbd: size of a typical SDU, where one unit is to be told in
 *	the other
 * @alpha: sbd: occupancy over which the slope is measured
 * @count: red: p / (1 - count * p) instead of p
 * @gentle: red: from maxp at @maxth to 1 at twice that
 * @head: red, sbd: the first SDU that has not been begun goes, not the last
 * @ecn: red, sbd, codel: mark instead, where the SDU is capable of it
 * @hold: sbd: nothing is measured for T_r after a drop
 * @clamp: sbd: no threshold is above @maxth
 * @tr_ns: sbd: T_r, the time a sender takes to react
 * @target_ns: codel
 * @interval_ns: codel
 * @ramp_from_ns: ECT(1) is marked with a probability that grows from 0 here
 * @ramp_to_ns: ... to 1 here; both WL_NEVER_NS: never
 */
struct wl_aqm_cfg {
	enum wlink_aqm kind;
	enum wlink_unit unit;
	u32 minth;
	u32 maxth;
	u32 maxp_q32;
	u32 weight_q32;
	u32 sdu_bytes;
	u32 alpha;
	u32 count;
	u32 gentle;
	u32 head;
	u32 ecn;
	u32 hold;
	u32 clamp;
	u64 tr_ns;
	u64 target_ns;
	u64 interval_ns;
	u64 ramp_from_ns;
	u64 ramp_to_ns;
};

/* Nobody has given a rate yet. */
#define WL_RATE_UNSET	(U64_MAX - 1)

/**
 * struct wl_profile_row - AQM of one rate
 * @rate_bps: from this rate on, up to that of the next row
 * @aqm: it
 */
struct wl_profile_row {
	u64 rate_bps;
	struct wl_aqm_cfg aqm;
};

/**
 * struct wl_profile - which AQM belongs to which rate; never changes
 * @count: rows, at least one
 * @row: by growing rate; the first serves the rates below it, too
 */
struct wl_profile {
	u32 count;
	struct wl_profile_row row[];
};

/**
 * struct wl_rlc_cfg - what the modes need beyond a bearer's other parameters
 * @window: am: Configured_Tx_Window_Size and Configured_Rx_Window_Size, PDUs;
 *	fsr, asr: frames
 * @poll_pdu: am: Poll_PDU, 0 off; lte-am, nr-am: pollPDU, 0 infinite
 * @poll_sdu: am: Poll_SDU, 0 off
 * @poll_window: am: Poll_Window in percent, 0 off
 * @maxdat: am: MaxDAT; a PDU is sent MaxDAT - 1 times, and once for 1
 * @maxmrw: am: MaxMRW
 * @maxrst: am: MaxRST
 * @reorder: um: PDUs that may come before one that is waited for, 0 off
 * @alpha_milli: asr: weight of srtt in the timer, in 1/1000
 * @beta_milli: asr: weight of srttvar, in 1/1000
 * @poll_byte: lte-am, nr-am: pollByte, 0 infinite
 * @maxretx: lte-am, nr-am: maxRetxThreshold
 * @ack_bytes: fsr, asr: size of an ACK or NACK on the air
 * @queue: am, fsr, asr: start handover: PDUs that wait for the transmitter at most,
 *	0: two windows of them
 * @start: am, fsr, asr: when a PDU is sent, for its number and its timers
 * @status: am: SUFI that names missing PDUs
 * @discard: am: what MaxDAT or time leads to
 * @rttvar: asr: what srttvar follows
 * @in_order: am: in-sequence delivery
 * @poll_last: am: poll with the last PDU in the buffer
 * @poll_last_retx: am: poll with the last retransmitted PDU
 * @missing: am: missing PDU detection
 * @duplicates: um: duplicate avoidance
 * @poll_ns: am: Timer_Poll; lte-am, nr-am: t-PollRetransmit
 * @poll_periodic_ns: am: Timer_Poll_Periodic
 * @poll_prohibit_ns: am: Timer_Poll_Prohibit
 * @status_periodic_ns: am: Timer_Status_Periodic
 * @status_prohibit_ns: am: Timer_Status_Prohibit; lte-am, nr-am: t-StatusProhibit
 * @discard_ns: tm, um, am: Timer_Discard; LTE, NR: discardTimer of PDCP
 * @mrw_ns: am: Timer_MRW
 * @rst_ns: am: Timer_RST
 * @reorder_ns: um: Timer_DAR; lte-um, lte-am: t-Reordering; nr-am: t-Reassembly
 * @rto_ns: fsr: retransmission timer; asr: until the first sample
 * @ack_delay_ns: fsr, asr: an ACK waits for this long for data to ride on
 * @nack_guard_ns: fsr, asr: least time between NACKs of one frame, 0: a round
 *	trip
 *
 * Timers are WL_NEVER_NS when off.
 */
struct wl_rlc_cfg {
	u32 window;
	u32 poll_pdu;
	u32 poll_sdu;
	u32 poll_window;
	u32 maxdat;
	u32 maxmrw;
	u32 maxrst;
	u32 reorder;
	u32 alpha_milli;
	u32 beta_milli;
	u32 ack_bytes;
	u32 poll_byte;
	u32 maxretx;
	u32 queue;
	u8 start;
	u8 status;
	u8 discard;
	u8 rttvar;
	bool in_order;
	bool poll_last;
	bool poll_last_retx;
	bool missing;
	bool duplicates;
	u64 poll_ns;
	u64 poll_periodic_ns;
	u64 poll_prohibit_ns;
	u64 status_periodic_ns;
	u64 status_prohibit_ns;
	u64 discard_ns;
	u64 mrw_ns;
	u64 rst_ns;
	u64 reorder_ns;
	u64 rto_ns;
	u64 ack_delay_ns;
	u64 nack_guard_ns;
};

/**
 * struct wl_reverse_cfg - the reverse path of a bearer's feedback
 * @rate_bps: bit/s, headers included; 0: the rate of the bearer
 * @delay_ns: one way; WL_NEVER_NS: that of the bearer
 * @channel: kind link: the parameters of the channel of the forward path; the state
 *	and the fates are drawn independently in any case
 */
struct wl_reverse_cfg {
	u64 rate_bps;
	u64 delay_ns;
	struct wl_chan_cfg channel;
};

/* A block of a TTI, and a SDU that has collected before it: 10^9 times as much fits. */
#define WL_HARQ_BITS_MAX	9000000000ULL

/**
 * struct wl_harq_cfg - HARQ of a bearer; has no holes, for memcmp()
 * @processes: transport blocks that may be under way at a time, 0: no HARQ
 * @transmissions: how often a block is sent at most
 * @bler_q32: how likely its first transmission is lost, times 2^32
 * @factor_q32: how much less likely each further one is, times 2^32;
 *	WLINK_PROB_ONE is 1
 * @rtt_ns: from the start of a transmission to that of the next one, in whole
 *	TTIs; less than one counts as one
 */
struct wl_harq_cfg {
	u32 processes;
	u32 transmissions;
	u32 bler_q32;
	u32 factor_q32;
	u64 rtt_ns;
};

/**
 * struct wl_access_cfg - uplink access of a bearer; has no holes, for memcmp()
 * @sr_ns: period of its opportunities for scheduling requests, 0: it always has a grant
 * @grant_ns: from a request, or a buffer status report, to what is granted
 * @first_bytes: what the grant for a request carries at most
 * @unused: 0
 */
struct wl_access_cfg {
	u64 sr_ns;
	u64 grant_ns;
	u32 first_bytes;
	u32 unused;
};

/**
 * struct wl_drx_cfg - when the receiver of a bearer listens; has no holes, for memcmp()
 * @cycle_ns: long cycle, 0: while it is connected it listens always
 * @on_ns: on-duration, how long it listens in each cycle
 * @inactivity_ns: how long it listens after the last TTI in which it was sent to
 * @short_ns: cycle after that, 0: the long one
 * @short_cycles: how many of these before the long one
 * @unused: 0
 * @idle_ns: silence after which it becomes idle, 0: it stays connected
 * @promotion_ns: from idle to connected
 * @paging_ns: how often it listens while it is idle, 0: the sender wakes by itself
 */
struct wl_drx_cfg {
	u64 cycle_ns;
	u64 on_ns;
	u64 inactivity_ns;
	u64 short_ns;
	u32 short_cycles;
	u32 unused;
	u64 idle_ns;
	u64 promotion_ns;
	u64 paging_ns;
};

/**
 * struct wl_cell_cfg - how bearers share a link as users of a cell; no holes
 * @rb: resource blocks of a TTI, 0: a TTI is not divided
 * @pf_exponent_milli: pf: of the mean throughput, in 1/1000
 * @pf_window: pf: TTIs that the mean is taken over, the plain mean of the first of
 *	them; 0: a weight of 1/128, from 0 on
 * @users: users in the background, which take their share of the blocks and have no
 *	packets, 0 for none
 * @users_bps: bit/s that each of them takes at most, in terms of bearer 1's rate;
 *	WLINK_RATE_UNLIMITED
 * @users_on_ns: mean time that each is on
 * @users_off_ns: mean time that each is off, 0: never
 * @arrival_ns: mean time between two that come, 0: none come; @users is then how many
 *	there are at most
 * @size_bytes: mean of what each of those takes before it goes
 * @size_cv_milli: standard deviation of that in terms of the mean, in 1/1000, 1 at least
 */
struct wl_cell_cfg {
	u32 rb;
	u32 pf_exponent_milli;
	u32 pf_window;
	u32 users;
	u64 users_bps;
	u64 users_on_ns;
	u64 users_off_ns;
	u64 arrival_ns;
	u32 size_bytes;
	u32 size_cv_milli;
};

/**
 * struct wl_tdd_cfg - which TTIs carry which direction; has no holes, for memcmp()
 * @pattern: enum wlink_slot of each slot, two bits, the first one lowest; a slot is a
 *	TTI, and they repeat from time 0 on; 0: all TTIs are the link's
 * @direction: of the link: it sends in the slots of that, and a downlink in special ones
 * @symbols: of WLINK_TDD_SYMBOLS of a special slot, those of the downlink; the others are
 *	a guard period, and what the uplink has of them carries no data
 */
struct wl_tdd_cfg {
	u64 pattern;
	enum wlink_direction direction;
	u32 symbols;
};

/**
 * struct wl_dist - a distribution; never changes
 * @unit_ns: what the value of a point counts
 * @count: points, 2 at least
 * @point: the points, see struct wlink_point
 */
struct wl_dist {
	u64 unit_ns;
	u32 count;
	struct wlink_point point[];
};

/**
 * wl_dist_most_ns() - greatest value
 * @dist: distribution, NULL for none
 *
 * Return: ns, 0 for none.
 */
static inline u64 wl_dist_most_ns(const struct wl_dist *dist)
{
	return dist ? dist->point[dist->count - 1].value * dist->unit_ns : 0;
}

/**
 * struct wl_impair_cfg - what may happen to a SDU behind the receiver; no holes
 * @mean_ns: of the jitter, as typed; the engine goes by @jitter
 * @dev_ns: standard deviation of the jitter, as typed
 * @dist: enum wlink_dist of the jitter, as typed
 * @jitter_correlation_q32: of its draws, times 2^32; WLINK_PROB_ONE is 1
 * @jitter_reorder: SDUs may overtake each other
 * @duplicate_q32: probability that a SDU comes twice, times 2^32
 * @corrupt_q32: probability that it comes with an error, times 2^32
 * @unit: what an error is
 * @lost: tm: what the channel would lose comes with errors
 * @unused: 0
 * @jitter: how long a SDU is late, NULL: never; the owner's, as wl_cfg.profile
 */
struct wl_impair_cfg {
	u64 mean_ns;
	u64 dev_ns;
	u32 dist;
	u32 jitter_correlation_q32;
	u32 jitter_reorder;
	u32 duplicate_q32;
	u32 corrupt_q32;
	u32 unit;
	u32 lost;
	u32 unused;
	const struct wl_dist *jitter;
};

#define WL_PF_EXPONENT_ONE	1000U

/**
 * struct wl_cfg - all that a person sets on a bearer; a value, copied and swapped
 * @rate_bps: bit/s of PDU payload; WLINK_RATE_SILENT: nothing is sent, either
 *	way; WLINK_RATE_UNLIMITED: bits take no time; where bearers share the
 *	link: while it has the channel
 * @usual_bps: the last rate that was neither of the two; what a limit in time
 *	goes by while @rate_bps is silent
 * @tti_ns: transmission time interval, 0 for continuous serialisation; of the
 *	link, so only that of bearer 1 counts
 * @delay_ns: one-way propagation and processing
 * @pdu_bytes: payload of a PDU, 0 for the whole SDU; UM and AM pad to it
 * @header_bytes: header of a PDU; counted on the air, outside the rate
 * @limit: of the SDU buffer
 * @seed: of all random streams; of the link
 * @sched: how bearers share the link; of the link
 * @prio: where @sched is prio, the lowest goes first
 * @cell: of the link
 * @tdd: of the link
 * @gbr_bps: where bearers share the link: bit/s that it gets before others get more
 *	than theirs, those of the lowest @prio first; 0: none
 * @mode: how SDUs are carried
 * @channel: what happens to a PDU on the air; kind link: that of bearer 1
 * @harq: what happens to the transport blocks of a TTI
 * @access: how it gets a grant
 * @drx: when its receiver listens
 * @impair: what happens behind its receiver
 * @rlc: of the mode
 * @reverse: reverse path of feedback
 * @aqm: of the SDU buffer; with a profile see wl_cfg_follow()
 * @profile: NULL for none; the owner's, who keeps it as long as any
 *	configuration that the link has refers to it
 */
struct wl_cfg {
	u64 rate_bps;
	u64 usual_bps;
	u64 tti_ns;
	u64 delay_ns;
	u32 pdu_bytes;
	u32 header_bytes;
	struct wl_limit limit;
	u64 seed;
	enum wlink_sched sched;
	u32 prio;
	struct wl_cell_cfg cell;
	struct wl_tdd_cfg tdd;
	u64 gbr_bps;
	enum wlink_mode mode;
	struct wl_chan_cfg channel;
	struct wl_harq_cfg harq;
	struct wl_access_cfg access;
	struct wl_drx_cfg drx;
	struct wl_impair_cfg impair;
	struct wl_rlc_cfg rlc;
	struct wl_reverse_cfg reverse;
	struct wl_aqm_cfg aqm;
	const struct wl_profile *profile;
};

/**
 * struct wl_refusal - why a configuration is no good
 * @what: parameter, in the words of tc
 * @unit: unit of the numbers below
 * @value: what it is
 * @min: least allowed value
 * @max: greatest allowed value
 * @row: of the profile that it is in, from 1, or 0
 */
struct wl_refusal {
	const char *what;
	const char *unit;
	u64 value;
	u64 min;
	u64 max;
	u32 row;
};

/**
 * wl_within() - judge values
 * @why: filled in when one is refused: the first that is out of its bounds
 * @bounds: values and their bounds
 * @count: how many
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_within(struct wl_refusal *why, const struct wl_refusal *bounds,
	      u32 count);

/**
 * wl_cfg_default() - what a link is before anybody says otherwise
 * @cfg: set to continuous, undelayed, unsegmented, lossless, 1000 SDUs of
 *	buffer; the rate is WL_RATE_UNSET and must be given. HARQ, uplink access, DRX, TDD and
 *	users in the background are off, and have what holds once they are not.
 */
void wl_cfg_default(struct wl_cfg *cfg);

/**
 * wl_aqm_default() - an AQM before anybody says more than its kind
 * @aqm: set; minth, maxp and tr of red and sbd are 0 and must be given
 * @kind: its kind
 */
void wl_aqm_default(struct wl_aqm_cfg *aqm, enum wlink_aqm kind);

/**
 * wl_aqm_maxth() - maxth in the unit of an AQM
 * @aqm: the AQM
 * @cfg: configuration of the bearer, for its limit
 *
 * Return: SDUs or bytes, at least 1.
 */
u64 wl_aqm_maxth(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg);

static inline const char *wl_aqm_unit(const struct wl_aqm_cfg *aqm)
{
	return aqm->unit == WLINK_UNIT_BYTES ? "bytes" : "SDUs";
}

/**
 * wl_aqm_check_thresholds() - judge unit, sdu, maxth and minth
 * @aqm: what to judge
 * @cfg: configuration of the bearer
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_aqm_check_thresholds(const struct wl_aqm_cfg *aqm,
			    const struct wl_cfg *cfg, struct wl_refusal *why);

/**
 * wl_tdd_slots() - length of a pattern
 * @tdd: TDD
 *
 * Return: slots, 0 without a pattern.
 */
static inline u32 wl_tdd_slots(const struct wl_tdd_cfg *tdd)
{
	return tdd->pattern ? ilog2(tdd->pattern) / 2 + 1 : 0;
}

/**
 * wl_tdd_slot() - what a slot of a pattern is
 * @tdd: TDD
 * @i: which, from 0
 *
 * Return: what it is.
 */
static inline enum wlink_slot wl_tdd_slot(const struct wl_tdd_cfg *tdd, u32 i)
{
	return tdd->pattern >> 2 * i & 3;
}

/**
 * wl_tdd_own() - whether a link sends in a slot
 * @tdd: TDD with a pattern
 * @slot: what the slot is
 *
 * Return: whether it does.
 */
static inline bool wl_tdd_own(const struct wl_tdd_cfg *tdd, enum wlink_slot slot)
{
	if (tdd->direction == WLINK_DIRECTION_UPLINK)
		return slot == WLINK_SLOT_UPLINK;
	return slot == WLINK_SLOT_DOWNLINK || (slot == WLINK_SLOT_SPECIAL && tdd->symbols);
}

/**
 * wl_harq_ttis() - round trip of HARQ
 * @cfg: configuration with HARQ
 *
 * Return: TTIs from a transmission of a block to the next one, at least 1.
 */
u64 wl_harq_ttis(const struct wl_cfg *cfg);

/**
 * wl_harq_blocks() - blocks whose fate, or that of one before, may not be known
 * @cfg: configuration
 *
 * Return: how many at most, 0 without HARQ.
 */
u64 wl_harq_blocks(const struct wl_cfg *cfg);

/**
 * wl_cfg_follow() - let the AQM follow the rate, if there is a profile
 * @cfg: configuration; aqm is set to the row of the highest rate that is not
 *	above rate_bps, or to the first row. Silence keeps the row of the usual
 *	rate, unless there is one of rate 0
 */
void wl_cfg_follow(struct wl_cfg *cfg);

/**
 * wl_mode_is_lte() - whether a mode is one of LTE or NR
 * @mode: mode
 *
 * Return: whether it is.
 */
static inline bool wl_mode_is_lte(enum wlink_mode mode)
{
	return mode >= WLINK_MODE_LTE_UM;
}

/**
 * wl_rlc_default() - what the modes of a family begin with
 * @rlc: set
 * @mode: one of the family
 */
void wl_rlc_default(struct wl_rlc_cfg *rlc, enum wlink_mode mode);

/**
 * wl_cfg_reestablishes() - whether a change cannot keep what has been begun
 * @old: in force
 * @cfg: to come
 *
 * Return: true where mode, pdu_bytes, window or start differ and the mode, old or new,
 * numbers its PDUs. SDUs that have been begun are dropped then, for
 * WLINK_DROP_REESTABLISH; those not begun stay.
 */
bool wl_cfg_reestablishes(const struct wl_cfg *old, const struct wl_cfg *cfg);

/**
 * wl_cfg_usual_bps() - the rate, or the last one before an outage
 * @cfg: configuration
 *
 * Return: bit/s; 0 where there has been none.
 */
static inline u64 wl_cfg_usual_bps(const struct wl_cfg *cfg)
{
	if (cfg->rate_bps && cfg->rate_bps <= WLINK_RATE_MAX)
		return cfg->rate_bps;
	return cfg->usual_bps;
}

/**
 * wl_cfg_mean_bps() - what a bearer may send, over all slots
 * @cfg: configuration
 *
 * Return: the usual rate; with TDD the share of it that the slots of the link have.
 */
u64 wl_cfg_mean_bps(const struct wl_cfg *cfg);

/**
 * wl_cfg_copy_link() - copy what is the link's and in the configuration of each bearer
 * @cfg: to which
 * @from: from the one of bearer 1
 */
static inline void wl_cfg_copy_link(struct wl_cfg *cfg,
				    const struct wl_cfg *from)
{
	cfg->tti_ns = from->tti_ns;
	cfg->seed = from->seed;
	cfg->sched = from->sched;
	cfg->cell = from->cell;
	cfg->tdd = from->tdd;
}

/**
 * wl_cfg_same_grid() - whether TTIs start at the same times, for the same turns
 * @a: configuration
 * @b: another
 *
 * Return: whether they do.
 */
static inline bool wl_cfg_same_grid(const struct wl_cfg *a, const struct wl_cfg *b)
{
	return a->tti_ns == b->tti_ns && a->sched == b->sched &&
	       !memcmp(&a->tdd, &b->tdd, sizeof(a->tdd));
}

/**
 * wl_cfg_same_link() - whether what is the link's is the same
 * @a: configuration
 * @b: another
 *
 * Return: whether it is.
 */
static inline bool wl_cfg_same_link(const struct wl_cfg *a,
				    const struct wl_cfg *b)
{
	return wl_cfg_same_grid(a, b) && a->seed == b->seed &&
	       !memcmp(&a->cell, &b->cell, sizeof(a->cell));
}

/**
 * wl_cfg_reverse_rate_bps() - rate of feedback
 * @cfg: configuration
 *
 * Return: bit/s; 0 while the bearer is silent, whatever the reverse path has.
 */
static inline u64 wl_cfg_reverse_rate_bps(const struct wl_cfg *cfg)
{
	if (!cfg->rate_bps)
		return 0;
	return cfg->reverse.rate_bps ?: min(cfg->rate_bps, WLINK_RATE_MAX);
}

/**
 * wl_cfg_reverse_delay_ns() - one-way delay of feedback
 * @cfg: configuration
 *
 * Return: ns.
 */
static inline u64 wl_cfg_reverse_delay_ns(const struct wl_cfg *cfg)
{
	return cfg->reverse.delay_ns == WL_NEVER_NS ? cfg->delay_ns :
						      cfg->reverse.delay_ns;
}

/**
 * wl_cfg_bits_in() - bits that a rate sends in a time
 * @rate_bps: up to WLINK_RATE_MAX, or it is modulo 2^64
 * @time_ns: up to 2 * WLINK_LIMIT_TIME_MAX
 * @rest: what is left beside whole bits, in 10^-9 bit
 *
 * Return: bits, rounded down.
 */
u64 wl_cfg_bits_in(u64 rate_bps, u64 time_ns, u64 *rest);

/**
 * wl_cfg_bytes_in() - bytes that a rate sends in a time
 * @rate_bps: up to WLINK_RATE_MAX
 * @time_ns: up to 2 * WLINK_LIMIT_TIME_MAX
 *
 * Return: bytes, rounded down.
 */
u64 wl_cfg_bytes_in(u64 rate_bps, u64 time_ns);

/**
 * wl_cfg_limit_bytes() - the limit in bytes, where it is one in bytes or time
 * @cfg: configuration
 *
 * Return: bytes; U64_MAX for a limit in SDUs.
 */
u64 wl_cfg_limit_bytes(const struct wl_cfg *cfg);

/**
 * wl_cfg_sdus() - how many SDU descriptors a link with this configuration needs
 * @cfg: a checked configuration
 *
 * Covers a full buffer and a full propagation pipe of SDUs of 64 bytes, within
 * WL_CFG_SDUS_MAX.
 *
 * Return: number of struct wl_sdu.
 */
u32 wl_cfg_sdus(const struct wl_cfg *cfg);

#define WL_CFG_SDUS_MAX	(1U << 20)
#define WL_CFG_SDUS_SPARE	64U

#endif
