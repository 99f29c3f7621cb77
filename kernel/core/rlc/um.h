/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_UM_H
#define _WL_UM_H

#include "../lib/types.h"

/*
 * Unacknowledged mode of TS 25.322: PDUs of one size, numbered, never sent
 * again. A gap in the numbers drops every SDU with a bit or its length indicator
 * in one of the missing PDUs.
 *
 * A SDU leaves the buffer when its last bit has been sent. It is delivered or
 * dropped when the PDU that tells where it ends comes out of the receiving
 * entity in its turn. Where that PDU has been lost, the SDU is dropped when a
 * later PDU makes up the gap or, so that no drop waits for ever, when the lost
 * one would have arrived; with reordering, Timer_DAR after that.
 *
 * Duplicate avoidance and reordering, TS 25.322 clause 9.7.10, where configured:
 * a PDU that comes after a gap is held until what is missing has come, the
 * window of PDUs behind the highest number received has passed it, or Timer_DAR
 * expires. A PDU whose turn is over is of no use to anyone and is ignored in any
 * case; it counts as a duplicate where duplicate avoidance is on. (Without,
 * a real receiver would take its number of 7 bits for one far ahead.)
 */

struct wl_bearer;
struct wl_cfg;
struct wl_sdu;

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
