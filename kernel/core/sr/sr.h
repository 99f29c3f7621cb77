/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SR_H
#define _WL_SR_H

#include "../types.h"

/*
 * Selective repeat, with a fixed (fsr) or an adaptive (asr) retransmission
 * timer, as in section 3 of the link-layer paper; where the paper is silent, as
 * said here.
 *
 * A SDU is cut into frames of at most pdu_bytes; the last one is as long as
 * what is left, and no frame holds bytes of two SDUs. Frames are numbered from
 * 0 and delivered in order. Nothing is ever given up.
 *
 * The sender keeps every frame until it is acknowledged. Such a frame is on the
 * air, or it waits to be sent again, or its timer runs: never two of these, so
 * that one pair of links in struct wl_pdu serves both lists. The timer starts
 * when the last bit has gone or, with start handover, when the frame is handed over,
 * see mac/submit.h. A timer that runs keeps its deadline when the
 * value of the timer changes.
 *
 * The receiver names each missing frame in a NACK of its own as soon as a later
 * frame arrives, and once more (multireject) when a frame arrives after a gap
 * and the last NACK is nack_guard_ns old. An ACK says up to where all frames
 * have arrived. It waits ack_delay_ns for data in the other direction to ride
 * on; that data is the business of another qdisc, which knows nothing of this
 * one, so the ACK always goes as a frame of its own. What it says is decided
 * when it goes.
 */

/* wl_feedback.kind */
#define WL_SR_ACK	0	/* lsn: the next frame that is expected */
#define WL_SR_NACK	1	/* lsn: the frame that is missing */

/**
 * wl_sr_rtt_start() - no sample yet
 * @sr: state
 * @cfg: of the bearer
 */
void wl_sr_rtt_start(struct wl_sr *sr, const struct wl_cfg *cfg);

/**
 * wl_sr_rtt_sample() - a frame has been acknowledged
 * @sr: state
 * @cfg: of the bearer; fsr takes no notice of samples
 * @sample_ns: from the first bit of its last transmission until now
 */
void wl_sr_rtt_sample(struct wl_sr *sr, const struct wl_cfg *cfg,
		      u64 sample_ns);

/**
 * wl_sr_rtt_set() - work out rtxto_ns from what has been measured
 * @sr: state
 * @cfg: of the bearer
 */
void wl_sr_rtt_set(struct wl_sr *sr, const struct wl_cfg *cfg);

#endif
