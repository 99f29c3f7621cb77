/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_LINK_H
#define _WL_LINK_H

#include "wl_cfg.h"
#include "wl_chan.h"
#include "wl_sdu.h"
#include "wl_stats.h"

struct wl_link;

/**
 * struct wl_link_ops - what the engine tells its owner; none may call back
 * @dropped: a SDU died at sdu->end_ns for sdu->drop; the owner takes the
 *	cookie, the descriptor goes back to the pool by itself
 * @rate_changed: a configuration took effect at a time; called for each one,
 *	whether the rate differs or not
 * @channel_changed: the channel's state was seen to differ at a time
 */
struct wl_link_ops {
	void (*dropped)(struct wl_link *link, const struct wl_sdu *sdu);
	void (*rate_changed)(struct wl_link *link, u64 at_ns, u64 old_bps,
			     u64 new_bps);
	void (*channel_changed)(struct wl_link *link, u64 at_ns, bool bad);
};

/**
 * struct wl_unit - what is on the air where the TTI is 0
 * @sdu: whose bits they are, NULL when the radio is silent
 * @bytes: payload: one PDU, or several of the SDU whose fate is certain
 * @pdu_bytes: payload of each PDU in it but the last
 * @header_bytes: header of each PDU in it
 * @lost: PDUs of it that are lost
 * @work: what is left of it at @work_at_ns, in 10^-9 bit; not above 0 where the
 *	rounding of earlier units has paid for it already
 * @work_at_ns: see @work
 * @end_ns: when its last bit is sent, WL_NEVER_NS when silent
 */
struct wl_unit {
	struct wl_sdu *sdu;
	u32 bytes;
	u32 pdu_bytes;
	u32 header_bytes;
	u32 lost;
	s64 work;
	u64 work_at_ns;
	u64 end_ns;
};

/**
 * struct wl_link - the engine: one direction of a radio link
 * @ops: whom to tell
 * @cfg: in force
 * @next_cfg: takes effect at @cfg_at_ns
 * @cfg_at_ns: WL_NEVER_NS when nothing is to change
 * @reseed: @next_cfg brings a new seed
 * @generation: configurations applied since init
 * @seq: number of the next arrival
 * @work_max: steps that one wl_link_advance() may take
 * @inbox: arrivals that the engine has not reached yet
 * @queue: SDUs with bits left to send, whole SDUs behind the first
 * @air: TTI mode: SDUs complete at the end of the running TTI
 * @pipe: sent SDUs on their way, in order of deliver_ns
 * @pool: free descriptors
 * @slots: descriptors in all
 * @held: SDUs in the link
 * @held_bytes: their bytes
 * @start_ns: next start of a TTI or PDU, WL_NEVER_NS when idle
 * @last_deliver_ns: deliver_ns of the last SDU that entered @pipe
 * @unit: continuous mode: on the air
 * @over: continuous mode: work done past the end of the last unit because time
 *	is whole ns; paid back to the next unit if it follows at once
 * @origin_ns: start of a TTI; all others are whole TTIs away
 * @quota_bits: whole bits of one TTI
 * @quota_rest: rest of them, in 10^-9 bit
 * @credit_bits: bits not used yet
 * @credit_rest: rest of them, in 10^-9 bit
 * @filling: a TTI has been started and may still take PDUs
 * @chan: the channel
 * @chan_at_ns: TTI mode: start of the TTI the channel's state belongs to
 * @stats: counters
 */
struct wl_link {
	const struct wl_link_ops *ops;
	struct wl_cfg cfg;
	struct wl_cfg next_cfg;
	u64 cfg_at_ns;
	bool reseed;
	u32 generation;
	u64 seq;
	u32 work_max;
	struct wl_fifo inbox;
	struct wl_fifo queue;
	struct wl_fifo air;
	struct wl_fifo pipe;
	struct wl_sdu *pool;
	u32 slots;
	u32 held;
	u64 held_bytes;
	u64 start_ns;
	u64 last_deliver_ns;
	struct wl_unit unit;
	u64 over;
	u64 origin_ns;
	u64 quota_bits;
	u64 quota_rest;
	u64 credit_bits;
	u64 credit_rest;
	bool filling;
	struct wl_chan chan;
	u64 chan_at_ns;
	struct wl_stats stats;
};

#define WL_LINK_WORK_MAX	4096U

/**
 * wl_link_init() - make a link; it owns no memory of its own
 * @link: zeroed or old
 * @cfg: checked configuration, in force at once
 * @now_ns: origin of the TTI grid
 * @ops: whom to tell; outlives the link
 *
 * Add descriptors with wl_link_add_slots() before the first arrival.
 */
void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops);

/**
 * wl_link_add_slots() - give the link descriptors
 * @link: link
 * @sdus: zeroed array that stays until the link is no longer used
 * @count: how many
 *
 * May be called at any time; there is no taking back.
 */
void wl_link_add_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count);

/**
 * wl_link_chain_slots() - the slow half of wl_link_add_slots(), outside a lock
 * @sdus: zeroed array
 * @count: how many
 */
void wl_link_chain_slots(struct wl_sdu *sdus, u32 count);

/**
 * wl_link_attach_slots() - the other half; takes the same time for any number
 * @link: link
 * @sdus: chained array that stays until the link is no longer used
 * @count: how many
 */
void wl_link_attach_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count);

/**
 * wl_link_advance() - the only mover: handle every event up to now
 * @link: link
 * @now_ns: not before any earlier call
 *
 * Each event is handled at its own time, in the order: time, then end of
 * sending, configuration, start of a TTI or PDU (the channel's step first),
 * arrival, then order of arrival. Calling it more often changes nothing.
 *
 * Return: true when nothing up to @now_ns is left; false when work_max steps
 * did not suffice: call again, soon, with the same or a later time.
 */
bool wl_link_advance(struct wl_link *link, u64 now_ns);

/**
 * wl_link_enqueue() - a SDU arrives
 * @link: link
 * @now_ns: when; not before any earlier call
 * @cookie: the packet
 * @bytes: its size, 1..WL_SDU_BYTES_MAX
 *
 * The arrival takes effect when the engine reaches it: call wl_link_advance()
 * after it. From then on the cookie comes back once, by wl_link_pop() or
 * ops->dropped().
 *
 * Return: true, or false when no descriptor is free; the arrival and the drop
 * are counted then, ops->dropped() has been called.
 */
bool wl_link_enqueue(struct wl_link *link, u64 now_ns, void *cookie, u32 bytes);

/**
 * wl_link_pop() - next SDU that is due on the far side
 * @link: link, advanced to @now_ns
 * @now_ns: now
 * @out: its whole story, when there is one
 *
 * Return: true when @out holds a SDU that now belongs to the caller.
 */
bool wl_link_pop(struct wl_link *link, u64 now_ns, struct wl_sdu *out);

/**
 * wl_link_next_ns() - when to come back
 * @link: link
 *
 * Return: a time not later than the next hand-over, drop on the air or
 * configuration, and exact if no configuration comes before it, the channel is
 * none and a TTI holds whole bits; WL_NEVER_NS when nothing is to come. 0 when
 * arrivals wait that the engine has not reached.
 */
u64 wl_link_next_ns(const struct wl_link *link);

/**
 * wl_link_configure() - change the link
 * @link: link, advanced to @now_ns
 * @now_ns: when it is asked for
 * @cfg: checked configuration; replaces one that waits
 * @reseed: start the random streams anew from cfg->seed
 *
 * In force at @now_ns where the TTI is 0 (the rest of the PDU on the air goes
 * at the new rate), else at the first start of a TTI after it. The queue stays.
 */
void wl_link_configure(struct wl_link *link, u64 now_ns,
		       const struct wl_cfg *cfg, bool reseed);

/**
 * wl_link_flush() - drop all that is held, apply what waits
 * @link: link
 * @now_ns: new origin of the TTI grid
 *
 * Counters stay.
 */
void wl_link_flush(struct wl_link *link, u64 now_ns);

#endif
