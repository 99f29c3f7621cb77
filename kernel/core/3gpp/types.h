/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_3GPP_TYPES_H
#define _WL_3GPP_TYPES_H

#include "../air/types.h"
#include "../buffer/types.h"

struct wl_bearer;

/**
 * struct wl_debt - what retransmissions take from the TTIs that follow
 * @left: bits or ns of airtime
 * @from_ns: start of the first TTI that has not paid
 */
struct wl_debt {
	u64 left;
	u64 from_ns;
};

/**
 * enum wl_harq_state - what is known of a transport block
 * @WL_HARQ_WAITS: its next transmission is to come
 * @WL_HARQ_ARRIVED: it has arrived
 * @WL_HARQ_LOST: its last transmission was lost, too
 */
enum wl_harq_state {
	WL_HARQ_WAITS,
	WL_HARQ_ARRIVED,
	WL_HARQ_LOST,
};

/**
 * struct wl_harq_block - what a bearer has sent in one TTI
 * @first_ns: start of that TTI
 * @next_ns: start of its next transmission
 * @bits: payload
 * @air_bytes: payload and headers
 * @pdus: PDUs in it
 * @tx_end: one past the last of them in the ring of those held
 * @sdus: TM: SDUs whose last PDU is in it
 * @given: TM: of these, have left HARQ
 * @first_pdus: TM: PDUs in it of the first of these
 * @last_pdus: TM: PDUs in it of the SDU that goes on in another block
 * @process: which process carries it
 * @sent: transmissions
 * @state: enum wl_harq_state
 */
struct wl_harq_block {
	u64 first_ns;
	u64 next_ns;
	u64 bits;
	u64 air_bytes;
	u32 pdus;
	u32 tx_end;
	u32 sdus;
	u32 given;
	u32 first_pdus;
	u32 last_pdus;
	u8 process;
	u8 sent;
	u8 state;
};

/**
 * struct wl_harq - HARQ of a bearer
 * @rng: what its fates are drawn from
 * @round_ns: from a transmission of a block to the next one
 * @free_ns: when each process may carry another block, WL_NEVER_NS while it has one
 * @blocks: transport blocks from the first whose fate is not known on
 * @txs: PDUs in them
 * @sdus: TM: SDUs that wait for the fate of a block, all their bits sent
 * @open: the last block is being filled
 * @open_next: next bearer of the link with such a block
 * @stalled: it has something to send and no process is free
 * @resets: all processes are being emptied
 * @next_ns: when a transmission is due or, while stalled, a process is free
 * @late_ns: of the block that is being given to the mode: from its first
 *	transmission to now
 * @debt: dedicated: bits
 */
struct wl_harq {
	struct wl_rng rng;
	u64 round_ns;
	u64 free_ns[WLINK_HARQ_PROCESSES_MAX];
	struct wl_ring blocks;
	struct wl_ring txs;
	struct wl_fifo sdus;
	bool open;
	struct wl_bearer *open_next;
	bool stalled;
	bool resets;
	u64 next_ns;
	u64 late_ns;
	struct wl_debt debt;
};

/**
 * struct wl_wait - a time of waiting
 * @from_ns: when it begins
 * @until_ns: when it ends
 */
struct wl_wait {
	u64 from_ns;
	u64 until_ns;
};

/**
 * wl_wait_ns() - how much of a time is in another
 * @wait: time of waiting
 * @from_ns: when the other begins
 * @until_ns: when it ends
 *
 * Return: ns.
 */
static inline u64 wl_wait_ns(const struct wl_wait *wait, u64 from_ns, u64 until_ns)
{
	from_ns = max(from_ns, wait->from_ns);
	until_ns = min(until_ns, wait->until_ns);
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

/**
 * enum wl_access_state - what a bearer may send
 * @WL_ACCESS_NONE: it has nothing to send, and no grant
 * @WL_ACCESS_WAITS: nothing yet
 * @WL_ACCESS_FIRST: what a first grant has left
 * @WL_ACCESS_GRANTED: what the scheduler gives it, until its buffer is empty
 */
enum wl_access_state {
	WL_ACCESS_NONE,
	WL_ACCESS_WAITS,
	WL_ACCESS_FIRST,
	WL_ACCESS_GRANTED,
};

/**
 * struct wl_drx - whether the receiver of a bearer listens
 * @state: of its peer
 * @rest_ns: since when there was nothing to send
 */
struct wl_drx {
	enum wlink_rrc state;
	u64 rest_ns;
};

/**
 * struct wl_access - what a bearer waits for before it may send
 * @rng: its next numbers are phases, by enum wl_phase
 * @on: the bearer has access
 * @state: what it may send
 * @then: while it waits: what it may send afterwards
 * @next_ns: end of the wait; while it has nothing to send: of the next timer of
 *	wl_bearer.drx; WL_NEVER_NS for none
 * @left_bits: of a first grant
 * @waits: the last wait for a first grant, and the last one after it; none is as long
 *	ago as the first SDU of the buffer
 */
struct wl_access {
	struct wl_rng rng;
	bool on;
	enum wl_access_state state;
	enum wl_access_state then;
	u64 next_ns;
	u64 left_bits;
	struct wl_wait waits[2];
};

/**
 * struct wl_users - users in the background
 * @rng: what their times are drawn from
 * @on: how many are on
 * @at_ns: since when
 * @seen_ns: when that was looked at last
 * @next_ns: when the next of them goes on or off
 * @goes_on: which of the two
 * @rest_q32: of a resource block, in 2^-32: what is theirs and has not been taken
 * @begun: the members above are valid
 * @taken: they have had their share of the running TTI
 * @transfers: arrivals: those of @on with a short and with a long transfer
 * @behind_ns: arrivals: how far behind they are of @seen_ns
 * @arrive_ns: arrivals: from there to the next one that comes
 * @left_q32: arrivals: to the next one that goes, in mean transfers, times 2^32
 * @tti_ns: arrivals: from there to the end of the TTI whose share is @tti_bps
 * @tti_bps: what the scheduler has given all of them together in that TTI
 */
struct wl_users {
	struct wl_rng rng;
	u32 on;
	u64 at_ns;
	u64 seen_ns;
	u64 next_ns;
	bool goes_on;
	u32 rest_q32;
	bool begun;
	bool taken;
	u32 transfers[2];
	u64 behind_ns;
	u64 arrive_ns;
	u64 left_q32;
	u64 tti_ns;
	u64 tti_bps;
};

/**
 * struct wl_lte - state of the mode
 * @vt_s: VT(S) [TX_Next], lte-um: VT(US): next new number
 * @vt_a: VT(A) [TX_Next_Ack]: lowest number that is not acknowledged
 * @pdu_without_poll: PDU_WITHOUT_POLL
 * @byte_without_poll: BYTE_WITHOUT_POLL
 * @poll: t-PollRetransmit has expired: the next PDU polls
 * @poll_sn: POLL_SN
 * @poll_at_ns: t-PollRetransmit
 * @retx: numbers with bytes to be sent again
 * @retx_bytes: these bytes
 * @begun: SDUs that have been begun and not been released
 * @vr_r: VR(R) [RX_Next], lte-um: VR(UR): lowest number that has not come
 * @vr_h: VR(H) [RX_Next_Highest], lte-um: VR(UH): one past the highest seen
 * @vr_ms: VR(MS) [RX_Highest_Status]: reports go up to it
 * @vr_x: VR(X) [RX_Next_Status_Trigger], lte-um: VR(UX): what the next is for
 * @reorder_at_ns: t-Reordering [t-Reassembly]
 * @stamp: PDUs that the receiver has taken
 * @told: the same when it has made its last report
 * @spans: spans in use
 * @span_top: one past the highest that has been in use
 * @span_free: first of those below it that are not, 0 for none
 * @status: a report is triggered
 * @status_after_ns: end of t-StatusProhibit, maybe past
 */
struct wl_lte {
	u32 vt_s;
	u32 vt_a;
	u32 pdu_without_poll;
	u64 byte_without_poll;
	bool poll;
	u32 poll_sn;
	u64 poll_at_ns;
	struct wl_list retx;
	u64 retx_bytes;
	u32 begun;
	u32 vr_r;
	u32 vr_h;
	u32 vr_ms;
	u32 vr_x;
	u64 reorder_at_ns;
	u32 stamp;
	u32 told;
	u32 spans;
	u32 span_top;
	u32 span_free;
	bool status;
	u64 status_after_ns;
};

#endif
