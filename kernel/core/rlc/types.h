/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RLC_TYPES_H
#define _WL_RLC_TYPES_H

#include "../air/types.h"

/**
 * struct wl_am_point - where the receiver's window is to move to: a MRW SUFI
 * @sn: SN_MRW_LENGTH
 * @n: N_LENGTH
 * @seq: low bits of the seq of the last SDU that is discarded
 */
struct wl_am_point {
	u32 sn;
	u32 n;
	u32 seq;
};

/**
 * struct wl_am - state of the mode; names in capitals are of TS 25.322
 * @vt_s: VT(S), clause 9.4: next new number
 * @vt_a: VT(A): lowest number that is not acknowledged
 * @vt_pdu: VT(PDU): PDUs since the last poll by Poll_PDU
 * @vt_sdu: VT(SDU): SDUs since the last poll by Poll_SDU
 * @vt_rst: VT(RST): RESET PDUs scheduled
 * @vt_mrw: VT(MRW): expiries of Timer_MRW
 * @vr_r: VR(R): lowest number that the receiver lacks
 * @vr_h: VR(H): one past the highest that it has seen
 * @stamp: PDUs that the receiver has taken
 * @retx: PDUs to be sent again
 * @given_sn: PDUs before it are not sent any more
 * @poll: a poll waits for a PDU
 * @poll_delayed: a poll waits for Timer_Poll_Prohibit
 * @poll_sn: VT(S) when the last poll was sent
 * @poll_at_ns: Timer_Poll
 * @prohibit_at_ns: Timer_Poll_Prohibit
 * @periodic_at_ns: Timer_Poll_Periodic
 * @status: a report is triggered
 * @status_after_ns: end of Timer_Status_Prohibit, maybe past
 * @status_at_ns: Timer_Status_Periodic
 * @origin_ns: when the periodic timers were started
 * @mrw: procedure under way
 * @mrw_on: there is one
 * @mrw_send: its MRW waits to be sent
 * @mrw_at_ns: Timer_MRW
 * @more: the next one, when @mrw_more
 * @mrw_more: more has been given up meanwhile
 * @rst_on: a RESET procedure is under way
 * @rst_send: its RESET waits to be sent
 * @rsn: RSN of the last procedure
 * @rsn_seen: RSN of the last RESET received, + 1; 0 for none
 * @rst_at_ns: Timer_RST
 * @begun: SDUs that have been begun and not been released
 * @epoch: connections so far that ended without the receiver's knowledge
 */
struct wl_am {
	u32 vt_s;
	u32 vt_a;
	u32 vt_pdu;
	u32 vt_sdu;
	u32 vt_rst;
	u32 vt_mrw;
	u32 vr_r;
	u32 vr_h;
	u32 stamp;
	struct wl_list retx;
	u32 given_sn;
	bool poll;
	bool poll_delayed;
	u32 poll_sn;
	u64 poll_at_ns;
	u64 prohibit_at_ns;
	u64 periodic_at_ns;
	bool status;
	u64 status_after_ns;
	u64 status_at_ns;
	u64 origin_ns;
	struct wl_am_point mrw;
	bool mrw_on;
	bool mrw_send;
	u64 mrw_at_ns;
	struct wl_am_point more;
	bool mrw_more;
	bool rst_on;
	bool rst_send;
	u8 rsn;
	u8 rsn_seen;
	u64 rst_at_ns;
	u32 begun;
	u32 epoch;
};

/**
 * struct wl_um - state of both peers, names as in TS 25.322 clause 9.4
 * @vt_us: VT(US): number of the next PDU
 * @vr_us: VR(US), and with reordering VR(UDR): number of the PDU whose turn it is
 * @vr_udh: VR(UDH): highest number received
 * @vr_udt: VR(UDT): number of the PDU that Timer_DAR runs for
 * @held: bit n: the PDU that comes n after @vr_us is held
 * @dar_ns: when Timer_DAR expires, WL_NEVER_NS when it does not run
 */
struct wl_um {
	u32 vt_us;
	u32 vr_us;
	u32 vr_udh;
	u32 vr_udt;
	u64 held;
	u64 dar_ns;
};

#endif
