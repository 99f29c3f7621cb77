/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_AIR_TYPES_H
#define _WL_AIR_TYPES_H

#include "../channel/channel.h"

struct wl_bearer;
struct wl_harq_block;
struct wl_sdu;
struct wl_submitted;
struct wl_tx;

/**
 * struct wl_ring - position in a ring; indices are never reduced
 * @head: first record
 * @tail: one past the last
 */
struct wl_ring {
	u32 head;
	u32 tail;
};

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
 * struct wl_message - what passes between the two links of a pair
 * @at_ns: when feedback was made; of what comes back, when it arrives
 * @bytes: on the air
 * @number: of the bearer, the same on both links
 * @back: it comes back to the link that has made it
 * @lost: of what comes back: it got lost on the way
 * @connection: of the bearer that has made it
 * @feedback: what it says
 * @b: bearer that carries it, while it waits for the engine; NULL for none
 */
struct wl_message {
	u64 at_ns;
	u32 bytes;
	u16 number;
	bool back;
	bool lost;
	u32 connection;
	struct wl_feedback feedback;
	struct wl_bearer *b;
};

/**
 * struct wl_air - a channel and where time has got to on it
 * @chan: the channel
 * @bearer: whose, NULL for the link's
 * @at_ns: with a TTI: start of the TTI the state belongs to
 * @bad_ns: twostate with a TTI: part of that TTI in the bad state
 * @counted_ns: start of the TTI that was counted last
 */
struct wl_air {
	struct wl_chan chan;
	struct wl_bearer *bearer;
	u64 at_ns;
	u64 bad_ns;
	u64 counted_ns;
};

/**
 * struct wl_reverse - the reverse path
 * @air: its channel
 * @free_ns: when its transmitter is free, maybe past; WL_NEVER_NS while silent. A
 *	mode that builds feedback from its state waits until then
 * @work: while silent: what its transmitter has to send, in 10^-9 bit
 * @last_ns: arrival of the feedback sent last
 */
struct wl_reverse {
	struct wl_air air;
	u64 free_ns;
	u64 work;
	u64 last_ns;
};

#endif
