/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_ROOM_H
#define _WL_ROOM_H

#include "wl_sdu.h"

struct wl_cfg;

#define WL_ROOM_RECORDS_MAX	(1U << 20)

/* wl_pdu.flags */
#define WL_PDU_RETX	0x01	/* on the list of retransmissions */
#define WL_PDU_RECEIVED	0x04	/* the receiver has it */
#define WL_PDU_SENT	0x08	/* was on the air */

/**
 * struct wl_pdu - a numbered PDU, from its first transmission until the sender
 *	forgets it; both peers use the one record
 * @sdu: first SDU with bytes or a length indicator in it
 * @tx_ns: fsr, asr: when it was sent last
 * @timer_ns: fsr, asr: when its timer expires
 * @sn: its number
 * @stamp: how many PDUs the receiver had received when it had this one; feedback
 *	built at an earlier stamp does not know it
 * @prev: fsr, asr, am: neighbour in a list, by number
 * @next: the other one
 * @nack_ns: fsr, asr: receiver: when it was NACKed last
 * @bytes: on the air, without header
 * @sdus: SDUs it touches, @sdu and those after it
 * @dat: am: VT(DAT), TS 25.322 clause 9.4; fsr, asr: transmissions
 * @flags: WL_PDU_*
 */
struct wl_pdu {
	struct wl_sdu *sdu;
	u64 tx_ns;
	u64 timer_ns;
	u64 nack_ns;
	u32 sn;
	u32 stamp;
	u32 prev;
	u32 next;
	u32 bytes;
	u16 sdus;
	u16 dat;
	u8 flags;
};

/**
 * struct wl_flight - a PDU on its way to the receiver
 * @arrive_ns: when it is there
 * @sn: number
 * @aux: of wl_tx
 * @kind: enum wl_tx_kind
 * @poll: poll bit
 */
struct wl_flight {
	u64 arrive_ns;
	u32 sn;
	u32 aux;
	u8 kind;
	u8 poll;
};

/**
 * struct wl_feedback - feedback on its way to the sender
 * @arrive_ns: when it is there
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
	u32 stamp;
	u32 from;
	u32 to;
	u32 lsn;
	u32 aux;
	u8 kind;
	u8 flags;
};

/**
 * struct wl_room - memory of a bearer: three rings, sizes are powers of 2 or 0
 * @mem: all of it
 * @bytes: size of @mem
 * @pdu: by number
 * @pdus: records of @pdu
 * @flight: PDUs on their way
 * @flights: records of @flight
 * @feedback: feedback on its way
 * @feedbacks: records of @feedback
 */
struct wl_room {
	void *mem;
	u64 bytes;
	struct wl_pdu *pdu;
	u32 pdus;
	struct wl_flight *flight;
	u32 flights;
	struct wl_feedback *feedback;
	u32 feedbacks;
};

/**
 * wl_room_need() - what a configuration needs
 * @cfg: checked configuration
 * @need: set, but for the pointers
 *
 * TM needs nothing.
 */
void wl_room_need(const struct wl_cfg *cfg, struct wl_room *need);

/**
 * wl_room_flights() - PDUs that may be on their way at one time
 * @cfg: configuration, checked but for this
 *
 * Return: number; wl_cfg_check() refuses more than WL_ROOM_RECORDS_MAX.
 */
u64 wl_room_flights(const struct wl_cfg *cfg);

/**
 * wl_room_fits() - whether there is as much as is needed
 * @room: what there is
 * @need: what is needed
 *
 * Return: whether it is enough.
 */
static inline bool wl_room_fits(const struct wl_room *room,
				const struct wl_room *need)
{
	return room->pdus >= need->pdus && room->flights >= need->flights &&
	       room->feedbacks >= need->feedbacks;
}

/**
 * wl_room_join() - enough for both
 * @need: enlarged
 * @other: what else is to fit
 */
void wl_room_join(struct wl_room *need, const struct wl_room *other);

/**
 * wl_room_place() - lay the rings out in memory
 * @room: as wl_room_need() left it
 * @mem: zeroed, room->bytes long
 */
void wl_room_place(struct wl_room *room, void *mem);

#endif
