/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PEERS_H
#define _PEERS_H

/*
 * Both peers of one bearer, driven by hand: a transmitter with a fate chosen for
 * each PDU, without a TTI, in the place of mac/serve.c, and a log of what
 * happens, one line "US WHAT ..." per event.
 *
 *	US new SN		a PDU with new data begins
 *	US again SN		one that was sent before begins
 *	US lost SN		its last bit has gone, and will not arrive
 *	US ack LSN		an ACK is made
 *	US nack SN		a NACK is made
 *	US unheard N		N ACKs and NACKs are made, and lost
 *	US timeout N		N retransmission timers expire
 *	US out SEQ		a SDU is delivered
 *	US drop SEQ REASON	a SDU is dropped
 *
 * Of what happens at one time, drops come first, then out, then the rest.
 */
#include "core/link.h"

#define PEERS_SDUS	64
#define PEERS_LOG	8192

/**
 * struct peers - a bearer and its surroundings
 * @link: must be first
 * @b: its bearer
 * @sdus: descriptors
 * @story: those that were delivered, as they were then
 * @arrived: of @sdus, used
 * @now_ns: time
 * @sending: whether @tx is on the air
 * @tx: PDU
 * @end_ns: when its last bit goes
 * @sent: PDUs that have begun
 * @hold: no PDU may begin
 * @lose: bit n says that PDU n of these is lost; none is after the first 64
 * @timeouts: as in the counters when they were looked at last
 * @feedback_sent: the same
 * @feedback_lost: the same
 * @log: what has happened since peers_expect()
 * @log_used: of @log
 * @mem: of the rings
 */
struct peers {
	struct wl_link link;
	struct wl_bearer *b;
	struct wl_sdu sdus[PEERS_SDUS];
	struct wl_sdu story[PEERS_SDUS];
	u32 arrived;
	u64 now_ns;
	bool sending;
	struct wl_tx tx;
	u64 end_ns;
	u32 sent;
	bool hold;
	u64 lose;
	u64 timeouts;
	u64 feedback_sent;
	u64 feedback_lost;
	char log[PEERS_LOG];
	u32 log_used;
	void *mem;
};

/** peers_init() - a bearer at time 0, until the case ends or it is made anew */
void peers_init(struct peers *p, const struct wl_cfg *cfg);

/** peers_run() - let everything up to a time happen */
void peers_run(struct peers *p, u64 until_ns);

/** peers_arrive() - a SDU arrives; run up to that time before */
void peers_arrive(struct peers *p, u64 now_ns, u32 bytes);

/** peers_hold() - let SDUs wait for the first PDU, or no longer */
void peers_hold(struct peers *p, bool hold);

/** peers_feed() - put a PDU on its way that nobody has sent */
void peers_feed(struct peers *p, u64 arrive_ns, u32 sn);

/** peers_expect() - check the log, and begin a new one */
void peers_expect(struct peers *p, const char *where, const char *wanted);

#define EXPECT(p, wanted) peers_expect(p, UT_WHERE, wanted)

#endif
