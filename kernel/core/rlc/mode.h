/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_MODE_H
#define _WL_MODE_H

#include "../lib/types.h"

struct wl_bearer;
struct wl_cfg;
struct wl_refusal;
struct wl_ring_need;

/**
 * enum wl_tx_kind - what a PDU is
 * @WL_TX_NEW: data, for the first time
 * @WL_TX_RETX: data, once more
 * @WL_TX_RESET: am: RESET PDU
 * @WL_TX_MRW: am: STATUS PDU with a MRW SUFI
 * @WL_TX_CARRIED: feedback of the other link of a pair, see mac/submit.h
 */
enum wl_tx_kind {
	WL_TX_NEW,
	WL_TX_RETX,
	WL_TX_RESET,
	WL_TX_MRW,
	WL_TX_CARRIED,
};

/**
 * struct wl_tx - a PDU on its way to the air
 * @kind: what it is
 * @poll: its poll bit
 * @sn: its number, or what the mode needs to remember of a control PDU
 * @bytes: on the air, without header, padding included
 * @pad_bytes: of these, padding
 * @li_bytes: of these, length indicators; LTE, NR: the header
 * @aux: as the mode likes, comes back in sent()
 */
struct wl_tx {
	enum wl_tx_kind kind;
	bool poll;
	u32 sn;
	u32 bytes;
	u32 pad_bytes;
	u32 li_bytes;
	u32 aux;
};

/*
 * What a mode does for its bearer. It holds both peers: the sending and the
 * receiving entity. A PDU goes
 *
 *   wanted() -> send() -> sent() -> [air] -> wl_flight record -> event()
 *
 * and feedback wl_reverse_send() -> [reverse air] -> wl_feedback record ->
 * event(). mac/serve.c asks wanted() when the bearer's turn comes and calls
 * send() and sent() in that order; with a TTI both at the start of the TTI,
 * without one send() when the PDU's first bit goes and sent() when its last
 * has gone.
 */

/**
 * struct wl_mode_ops - a mode; NULL members but wanted, send, sent, rings are allowed
 * @header_bytes: of a PDU, unless somebody says otherwise; the same of the next two
 * @pdu_bytes: of its payload
 * @window: PDUs
 * @unacknowledged: a SDU leaves the buffer with its last bit; else with its acknowledgment
 * @check: judge what no other mode has; 0, or -ERANGE with @why set
 * @rings: the records that a configuration needs
 * @start: both peers into their initial state, which is zeroed; rings and queue are
 *	as they are, nothing is begun
 * @wanted: bytes of the PDU that would go now, without header; 0 when there is
 *	none. Changes nothing, and does not depend on the time: what becomes due
 *	is found by event()
 * @key_ns: for the fifo scheduler: arrival of the SDU that the PDU which would
 *	go now belongs to; wanted() is not 0
 * @send: take that PDU; fills *tx
 * @sent: its last bit goes at end_ns, which may be later than now; lost: the
 *	channel ate it. Puts a record on the flight ring unless it is lost
 * @next_ns: when event() is needed next, rings and timers; WL_NEVER_NS for not
 * @event: handle all that is due at now_ns, which is next_ns(): first what
 *	arrives at the receiver, then at the sender, then timers. false when
 *	link->budget did not suffice: it is called again, and goes on. Whether the
 *	bearer then has something to send is looked at afterwards
 * @fresh_next: whether the PDU that would go now begins with what is in no PDU
 *	yet; not there: always
 * @fits: its PDUs are made to fit a transport block: bytes at most of the PDU that
 *	would go where so many are left, 0 where none fits; not there: PDUs have the
 *	size that wanted() says. b->room is what is left when send() is called
 * @retx_bytes: bytes that are to be sent again; not there: not known
 * @configured: bearer->cfg has just changed from old, without re-establishing;
 *	false when what is due by it now is event()'s to go on with
 */
struct wl_mode_ops {
	u32 header_bytes;
	u32 pdu_bytes;
	u32 window;
	bool unacknowledged;
	int (*check)(const struct wl_cfg *cfg, struct wl_refusal *why);
	void (*rings)(const struct wl_cfg *cfg, struct wl_ring_need *need);
	void (*start)(struct wl_bearer *b, u64 now_ns);
	u32 (*wanted)(const struct wl_bearer *b);
	u64 (*key_ns)(const struct wl_bearer *b);
	void (*send)(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);
	void (*sent)(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		     u64 end_ns, bool lost);
	u64 (*next_ns)(const struct wl_bearer *b);
	bool (*event)(struct wl_bearer *b, u64 now_ns);
	bool (*fresh_next)(const struct wl_bearer *b);
	u32 (*fits)(const struct wl_bearer *b, u32 room);
	u64 (*retx_bytes)(const struct wl_bearer *b);
	bool (*configured)(struct wl_bearer *b, u64 now_ns,
			   const struct wl_cfg *old);
};

/* TM has none, mac/serve.c does it by itself; those of LTE and NR are in 3gpp/. */
extern const struct wl_mode_ops wl_um_ops;
extern const struct wl_mode_ops wl_am_ops;
extern const struct wl_mode_ops wl_sr_ops;

#endif
