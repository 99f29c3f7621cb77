/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_AIR_H
#define _WL_AIR_H

#include "../types.h"

/**
 * wl_air_init() - make a channel of the forward path
 * @link: link
 * @air: channel
 * @b: whose, NULL for the link's
 * @now_ns: now
 *
 * Seeded from the link's seed, set to what the configuration of @b, or that of
 * bearer 1, says.
 */
void wl_air_init(struct wl_link *link, struct wl_air *air, struct wl_bearer *b,
		 u64 now_ns);

/**
 * wl_air_configure() - bring the channels of a bearer to its configuration
 * @b: bearer; cfg is the new one
 * @now_ns: when
 * @reseed: start the streams anew from the link's seed
 *
 * That of the link, too, if it is bearer 1: wl_air_hear() follows for all others.
 */
void wl_air_configure(struct wl_bearer *b, u64 now_ns, bool reseed);

/**
 * wl_air_turns() - what the channels of a bearer have gone through
 * @b: bearer
 *
 * Return: changes between good and bad in continuous time.
 */
static inline u64 wl_air_turns(const struct wl_bearer *b)
{
	return b->link->air.chan.turns + b->own.chan.turns + b->reverse.air.chan.turns;
}

/**
 * wl_air_sync() - with a TTI: frames pass while nothing is sent, too
 * @link: link
 * @air: channel
 * @now_ns: start of a TTI
 */
void wl_air_sync(struct wl_link *link, struct wl_air *air, u64 now_ns);

/**
 * wl_air_grid() - frames begin anew with a new grid of TTIs
 * @link: link; of its bearers this is about bearer 1
 * @now_ns: its origin
 */
void wl_air_grid(struct wl_link *link, u64 now_ns);

/**
 * wl_air_hear() - link->news reach another bearer: seed, grid, or a channel that its way
 *	back goes by
 * @b: bearer
 * @now_ns: when
 */
void wl_air_hear(struct wl_bearer *b, u64 now_ns);

/**
 * wl_air_frame() - with a TTI: something is about to be sent in a TTI
 * @link: link
 * @air: channel
 * @now_ns: start of the TTI; further calls for the same one do nothing
 */
void wl_air_frame(struct wl_link *link, struct wl_air *air, u64 now_ns);

/**
 * wl_air_lost() - with a TTI: how many of the PDUs sent in this TTI are lost
 * @link: link
 * @air: channel, after wl_air_frame()
 * @pdus: how many
 * @bytes: payload of each
 * @errors: their errors are added to it; NULL where nobody counts these
 *
 * Return: number of lost ones.
 */
u32 wl_air_lost(struct wl_link *link, struct wl_air *air, u32 pdus, u32 bytes, u32 *errors);

/**
 * wl_air_step() - without a TTI: a frame passes
 * @link: link
 * @air: channel
 * @now_ns: when
 *
 * Return: time in the bad state until now.
 */
u64 wl_air_step(struct wl_link *link, struct wl_air *air, u64 now_ns);

/**
 * wl_air_begin() - without a TTI: a PDU begins
 * @link: link
 * @air: channel
 * @now_ns: when
 *
 * Return: for twostate the mark that wl_air_end_lost() wants.
 */
static inline u64 wl_air_begin(struct wl_link *link, struct wl_air *air,
			       u64 now_ns)
{
	if (air->chan.cfg.kind == WLINK_CHANNEL_NONE)
		return air->chan.bad_ns;
	return wl_air_step(link, air, now_ns);
}

/**
 * wl_air_lost_now() - without a TTI: how many PDUs are lost
 * @air: channel, after wl_air_begin()
 * @pdus: how many are sent
 *
 * Return: number of lost ones; 0 for twostate, which tells at the end.
 */
static inline u32 wl_air_lost_now(struct wl_air *air, u32 pdus)
{
	if (air->chan.cfg.kind == WLINK_CHANNEL_NONE ||
	    air->chan.cfg.kind == WLINK_CHANNEL_TWOSTATE)
		return 0;
	return wl_chan_lost(&air->chan, pdus);
}

/**
 * wl_air_end_lost() - without a TTI: whether a PDU of a twostate channel is lost
 * @link: link
 * @air: channel
 * @unit: the PDU
 * @now_ns: when its last bit has been sent
 * @errors: as for wl_air_lost()
 *
 * Return: whether it is.
 */
bool wl_air_end_lost(struct wl_link *link, struct wl_air *air,
		     const struct wl_unit *unit, u64 now_ns, u32 *errors);

/**
 * wl_air_count() - frames have been sent
 * @air: channel
 * @frames: how many
 */
static inline void wl_air_count(struct wl_air *air, u64 frames)
{
	air->chan.frames += frames;
	if (air->chan.bad || air->bad_ns)
		air->chan.frames_bad += frames;
}

/**
 * wl_air_frames() - wl_air_frame() in a row of TTIs, of a channel without states
 * @air: channel
 * @last_ns: start of the last; further calls for the same one do nothing
 * @frames: how many
 */
static inline void wl_air_frames(struct wl_air *air, u64 last_ns, u64 frames)
{
	if (air->counted_ns == last_ns)
		return;
	air->counted_ns = last_ns;
	air->at_ns = last_ns;
	wl_air_count(air, frames);
}

#endif
