/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_ROOM_H
#define _WL_ROOM_H

#include "../lib/types.h"

struct wl_bearer;
struct wl_message;
struct wl_submitted;
struct wl_tx;

#define WL_RINGS_RECORDS_MAX	(1U << 20)

/* wl_pdu.flags */
#define WL_PDU_RETX	0x01	/* on the list of retransmissions */
#define WL_PDU_RECEIVED	0x04	/* the receiver has it */
#define WL_PDU_SENT	0x08	/* was on the air */
#define WL_PDU_ACKED	0x10	/* LTE, NR: the sender knows that it is there */
#define WL_PDU_POLLED	0x20	/* LTE, NR: a poll waits until VR(MS) is beyond it */

/**
 * struct wl_span - LTE, NR: some bytes of the field of a number
 * @from: first
 * @to: one past the last
 * @stamp: of those that have come: as in struct wl_pdu
 * @next: index of the next one in order, 0 for none
 */
struct wl_span {
	u16 from;
	u16 to;
	u32 stamp;
	u32 next;
};

/**
 * struct wl_pdu - a numbered PDU, from its first transmission until the sender
 *	forgets it; both peers use the one record
 * @sdu: first SDU with bytes or a length indicator in it
 * @tx_ns: fsr, asr: when it was sent last; start handover: handed over
 * @timer_ns: fsr, asr: when its timer expires
 * @sent_ns: fsr, asr, start handover: when its last bit was sent last
 * @sn: its number
 * @stamp: how many PDUs the receiver had received when it had this one; feedback
 *	built at an earlier stamp does not know it
 * @prev: fsr, asr, am: neighbour in a list, by number
 * @next: the other one
 * @nack_ns: fsr, asr: receiver: when it was NACKed last
 * @came: LTE, NR: receiver: first span of the bytes that have come, 0 where none is kept:
 *	nothing has come, all at once, or no span was left
 * @again: LTE, NR: sender: first span of the bytes to be sent again
 * @came_bytes: LTE, NR: in the spans from @came on
 * @again_bytes: LTE, NR: in the spans from @again on
 * @bytes: on the air, without header; LTE, NR: of its field of data
 * @sdus: SDUs it touches, @sdu and those after it
 * @dat: am: VT(DAT), TS 25.322 clause 9.4; LTE, NR: RETX_COUNT + 1, 0 where it has
 *	not been asked for again
 * @queued: am, fsr, asr, start handover: how many copies of it wait for the transmitter
 * @first_bytes: LTE: bytes of the first of these SDUs
 * @sent_bytes: LTE, NR: bytes that have been sent once
 * @flags: WL_PDU_*
 */
struct wl_pdu {
	struct wl_sdu *sdu;
	union {
		struct {
			u64 tx_ns;
			u64 timer_ns;
			u64 nack_ns;
		};
		struct {
			u32 came;
			u32 again;
			u32 came_bytes;
			u32 again_bytes;
		};
	};
	union {
		u64 sent_ns;
		struct {
			u32 stamp;
			u16 first_bytes;
			u16 sent_bytes;
		};
	};
	u32 sn;
	u32 prev;
	u32 next;
	u32 bytes;
	u16 sdus;
	u16 dat;
	u16 queued;
	u8 flags;
};

/**
 * struct wl_list - PDUs of a window, linked by number through struct wl_pdu
 * @first: first one
 * @last: last one
 * @count: how many; @first and @last mean nothing where it is 0
 */
struct wl_list {
	u32 first;
	u32 last;
	u32 count;
};

/**
 * struct wl_flight - a PDU on its way to the receiver
 * @arrive_ns: when it is there
 * @sn: number
 * @aux: of wl_tx
 * @kind: enum wl_tx_kind
 * @poll: poll bit
 * @bytes: LTE, NR: of its field of data
 */
struct wl_flight {
	u64 arrive_ns;
	u32 sn;
	u32 aux;
	u8 kind;
	u8 poll;
	u16 bytes;
};

/**
 * struct wl_feedback - feedback on its way to the sender
 * @arrive_ns: when it is there; WL_NEVER_NS while it waits for a silence to end
 * @end_ns: when its last bit has gone; of one that waits: what is to be sent up to
 *	that bit, in 10^-9 bit
 * @bytes: on the air; of one whose fate is not known because it came during a
 *	silence, else 0
 * @stamp: PDUs received by then, see struct wl_pdu
 * @from: first number it speaks of
 * @to: one past the last
 * @lsn: am: LSN of its ACK SUFI; sr: next number expected or the missing one
 * @aux: as the mode likes
 * @kind: as the mode likes
 * @flags: as the mode likes
 */
struct wl_feedback {
	u64 arrive_ns;
	u64 end_ns;
	u32 bytes;
	u32 stamp;
	u32 from;
	u32 to;
	u32 lsn;
	u32 aux;
	u8 kind;
	u8 flags;
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
 * struct wl_rings - memory of a bearer: rings, sizes are powers of 2 or 0
 * @mem: all of it
 * @bytes: size of @mem
 * @pdu: by number
 * @pdus: records of @pdu
 * @flight: PDUs on their way
 * @flights: records of @flight
 * @feedback: feedback on its way
 * @feedbacks: records of @feedback
 * @block: transport blocks of HARQ, by the order of their first transmission
 * @blocks: records of @block
 * @submitted: PDUs that wait for the transmitter
 * @submits: records of @submitted
 * @carried: feedback of the other link of a pair
 * @carries: records of @carried
 * @tx: PDUs in blocks
 * @txs: records of @tx
 * @span: LTE, NR: spans of the PDUs of the window, the first is none
 * @spans: records of @span
 */
struct wl_rings {
	void *mem;
	u64 bytes;
	struct wl_pdu *pdu;
	u32 pdus;
	struct wl_flight *flight;
	u32 flights;
	struct wl_feedback *feedback;
	u32 feedbacks;
	struct wl_harq_block *block;
	u32 blocks;
	struct wl_submitted *submitted;
	u32 submits;
	struct wl_message *carried;
	u32 carries;
	struct wl_tx *tx;
	u32 txs;
	struct wl_span *span;
	u32 spans;
};

/**
 * struct wl_ring_need - records that a configuration needs
 * @pdus: PDUs of the window
 * @flights: PDUs on their way; wl_cfg_check() refuses more than
 *	WL_RINGS_RECORDS_MAX
 * @feedbacks: feedback on its way
 * @blocks: transport blocks of HARQ
 * @submits: PDUs that wait for the transmitter
 * @carries: feedback of the other link of a pair
 * @txs: PDUs in blocks
 * @spans: spans of PDUs of the window
 */
struct wl_ring_need {
	u64 pdus;
	u64 flights;
	u64 feedbacks;
	u64 blocks;
	u64 submits;
	u64 carries;
	u64 txs;
	u64 spans;
};

/**
 * wl_rings_set() - the sizes of the rings
 * @rings: set, but for the pointers
 * @need: what is needed, 0 for none
 */
void wl_rings_set(struct wl_rings *rings, const struct wl_ring_need *need);

/**
 * wl_rings_fits() - whether there is as much as is needed
 * @rings: what there is
 * @need: what is needed
 *
 * Return: whether it is enough.
 */
static inline bool wl_rings_fits(const struct wl_rings *rings,
				 const struct wl_rings *need)
{
	return rings->pdus >= need->pdus && rings->flights >= need->flights &&
	       rings->feedbacks >= need->feedbacks &&
	       rings->blocks >= need->blocks && rings->submits >= need->submits &&
	       rings->carries >= need->carries && rings->txs >= need->txs &&
	       rings->spans >= need->spans;
}

/**
 * wl_rings_join() - enough for both
 * @need: enlarged
 * @other: what else is to fit
 */
void wl_rings_join(struct wl_rings *need, const struct wl_rings *other);

/**
 * wl_rings_place() - lay the rings out in memory
 * @rings: as wl_rings_need() left it
 * @mem: zeroed, rings->bytes long
 */
void wl_rings_place(struct wl_rings *rings, void *mem);

/**
 * wl_list_add() - put a PDU into a list
 * @b: bearer
 * @list: one of its lists
 * @pdu: PDU that is in no list
 * @after: number of the one that it comes after, NULL: it becomes the first
 */
void wl_list_add(struct wl_bearer *b, struct wl_list *list, struct wl_pdu *pdu,
		 const u32 *after);

/**
 * wl_list_del() - take a PDU out of its list
 * @b: bearer
 * @list: the list
 * @pdu: PDU that is in it
 */
void wl_list_del(struct wl_bearer *b, struct wl_list *list,
		 const struct wl_pdu *pdu);

/**
 * wl_flight_push() - a PDU that is not lost is on its way to the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 * @tx: it
 *
 * The record arrives at end_ns and the delay of now, never before an earlier
 * one. A full ring, which wl_rings_need() makes impossible as long as bearers
 * keep to their rate, drops the record as the air would.
 */
void wl_flight_push(struct wl_bearer *b, u64 end_ns, const struct wl_tx *tx);

/**
 * wl_flight_due_ns() - when a PDU sent now arrives at the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 *
 * Return: time; also for a PDU that is lost.
 */
u64 wl_flight_due_ns(const struct wl_bearer *b, u64 end_ns);

/* Records of each ring that are moved in one hold of a lock. */
#define WL_RINGS_MOVED	2048U

/**
 * wl_bearer_move() - give a bearer memory for what a configuration needs, little by little
 * @b: bearer, in a link or zeroed
 * @rings: laid out by wl_rings_place() in zeroed memory; not smaller than the old
 *	one in any ring (wl_rings_join()); stays, and is the same, until all is done
 * @count: records of each ring that are moved at most; WL_RINGS_RECORDS_MAX are all
 *
 * To be called, until it is done, before the first use of a configuration that
 * wl_rings_need() more than there is. The engine may go on between the calls.
 *
 * Return: whether it is done: the old memory is the caller's then.
 */
bool wl_bearer_move(struct wl_bearer *b, const struct wl_rings *rings, u32 count);

#endif
