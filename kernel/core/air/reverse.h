/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_REVERSE_H
#define _WL_REVERSE_H

#include "../types.h"

/**
 * wl_reverse_init() - make the reverse path of a bearer
 * @b: bearer
 * @now_ns: now
 */
void wl_reverse_init(struct wl_bearer *b, u64 now_ns);

/**
 * wl_reverse_flush() - empty the transmitter of the reverse path
 * @b: bearer
 * @now_ns: now
 */
void wl_reverse_flush(struct wl_bearer *b, u64 now_ns);

/**
 * wl_reverse_part() - feedback takes another way from now on
 * @b: bearer
 *
 * What waits for the transmitter is lost, here and of the link that was the other one
 * of a pair; what is on its way arrives.
 */
void wl_reverse_part(struct wl_bearer *b);

/**
 * wl_reverse_configure() - the rest of the feedback goes at the new rate
 * @b: bearer; cfg is the new one
 * @now_ns: when
 * @old: the old one
 */
void wl_reverse_configure(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old);

/**
 * wl_reverse_send() - send feedback from the receiver to the sender
 * @b: bearer
 * @now_ns: now; it goes when the reverse transmitter is free
 * @bytes: on the air
 * @feedback: what it says; the rest is filled in. Lost feedback leaves no record
 *
 * Airtime, loss and counters are dealt with here. What comes while the ring, or
 * as much of it before the transmitter, is full, is lost.
 */
void wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
		     struct wl_feedback *feedback);

/**
 * wl_reverse_free_ns() - when feedback may be made that says what is so then
 * @b: bearer
 *
 * Return: when the reverse transmitter is free, maybe past; for the other link of a
 * pair 0: feedback then waits in the queue of that.
 */
static inline u64 wl_reverse_free_ns(const struct wl_bearer *b)
{
	return b->link->paired ? 0 : b->reverse.free_ns;
}

/**
 * wl_reverse_back() - feedback comes back from the other link of a pair
 * @b: bearer that has sent it
 * @message: the feedback; it arrives at its at_ns or later
 */
void wl_reverse_back(struct wl_bearer *b, const struct wl_message *message);

/**
 * wl_reverse_seed() - start the streams of the reverse path
 * @b: bearer
 */
void wl_reverse_seed(struct wl_bearer *b);

/**
 * wl_reverse_set() - the parameters of the reverse path, or of the forward path, may have
 *	changed
 * @b: bearer
 * @now_ns: when
 */
void wl_reverse_set(struct wl_bearer *b, u64 now_ns);

/**
 * wl_air_bad_until_ns() - wl_chan_bad_until_ns(), charged
 * @link: link
 * @chan: channel
 * @at_ns: until when
 *
 * Return: ns in the bad state so far.
 */
static inline u64 wl_air_bad_until_ns(struct wl_link *link,
				      struct wl_chan *chan, u64 at_ns)
{
	u64 turns = chan->turns;
	u64 bad_ns = wl_chan_bad_until_ns(chan, at_ns);

	wl_link_spend(link, (chan->turns - turns) / 2);
	return bad_ns;
}

#endif
