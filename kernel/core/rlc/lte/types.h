/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_LTE_TYPES_H
#define _WL_LTE_TYPES_H

#include "../../air/types.h"

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
