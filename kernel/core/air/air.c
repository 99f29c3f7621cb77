// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The channels of the forward path, which go on with the TTIs or with the PDUs. */
#include "../impair/impair.h"
#include "air.h"
#include "reverse.h"

static void air_tell(struct wl_link *link, struct wl_air *air, u64 at_ns,
		     bool was_bad)
{
	if (air->chan.bad != was_bad)
		link->ops->channel_changed(link, air->bearer, at_ns,
					   air->chan.bad);
}

static void air_step(struct wl_link *link, struct wl_air *air, u64 at_ns,
		     u64 frames)
{
	bool was_bad = air->chan.bad;

	wl_chan_step(&air->chan, frames);
	air_tell(link, air, at_ns, was_bad);
}

static u64 air_bad_until_ns(struct wl_link *link, struct wl_air *air, u64 at_ns)
{
	bool was_bad = air->chan.bad;
	u64 bad_ns = wl_air_bad_until_ns(link, &air->chan, at_ns);

	air_tell(link, air, at_ns, was_bad);
	return bad_ns;
}

static void air_set(struct wl_link *link, struct wl_air *air,
		    const struct wl_chan_cfg *cfg, u64 now_ns)
{
	bool was_bad = air->chan.bad;

	wl_chan_set(&air->chan, cfg, now_ns);
	air_tell(link, air, now_ns, was_bad);
}

static const struct wl_chan_cfg *air_wanted(const struct wl_link *link,
					    const struct wl_bearer *b)
{
	return &(b ? b : &link->first)->cfg.channel;
}

void wl_air_init(struct wl_link *link, struct wl_air *air, struct wl_bearer *b,
		 u64 now_ns)
{
	memset(air, 0, sizeof(*air));
	air->bearer = b;
	air->at_ns = now_ns;
	air->counted_ns = WL_NEVER_NS;
	wl_chan_seed(&air->chan, link->first.cfg.seed, WL_RNG_CHANNEL,
		     WL_RNG_LOSS, b ? b->number : 0);
	air_set(link, air, air_wanted(link, b), now_ns);
}

/* The time in the bad state is counted by each channel for itself. */
static void air_change(struct wl_bearer *b, u64 now_ns)
{
	if (!b->unit.on)
		return;
	b->unit.from_ns = now_ns;
	b->unit.mark_ns = wl_chan_bad_until_ns(&b->air->chan, now_ns);
}

static void air_reseed(struct wl_bearer *b)
{
	u64 seed = b->link->first.cfg.seed;

	wl_reverse_seed(b);
	wl_rng_seed(&b->aqm.rng, seed, WL_RNG_AQM, b->number);
	wl_rng_seed(&b->harq.rng, seed, WL_RNG_HARQ, b->number);
	wl_rng_seed(&b->access.rng, seed, WL_RNG_ACCESS, b->number);
	wl_impair_seed(b);
}

static void air_reseed_link(struct wl_link *link)
{
	u64 seed = link->first.cfg.seed;

	wl_chan_seed(&link->air.chan, seed, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	wl_rng_seed(&link->users.rng, seed, WL_RNG_USERS, 0);
	air_reseed(&link->first);
	wl_link_tell(link, WL_NEWS_SEED);
}

void wl_air_configure(struct wl_bearer *b, u64 now_ns, bool reseed)
{
	bool first = b == &b->link->first;
	const struct wl_chan_cfg *cfg = &b->cfg.channel;
	struct wl_link *link = b->link;
	const struct wl_air *old = b->air;

	if (first) {
		if (reseed)
			air_reseed_link(link);
		/* A step of a schedule may change nothing of it. */
		if (memcmp(&old->chan.cfg, cfg, sizeof(*cfg)))
			wl_link_tell(link, WL_NEWS_CHANNEL);
		air_set(link, &link->air, cfg, now_ns);
	} else if (cfg->kind == WLINK_CHANNEL_LINK) {
		b->air = &link->air;
	} else {
		b->air = &b->own;
		if (old != b->air)
			wl_air_init(link, b->air, b, now_ns);
		air_set(link, b->air, cfg, now_ns);
	}
	if (old != b->air)
		air_change(b, now_ns);
	wl_reverse_set(b, now_ns);
}

void wl_air_sync(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	u64 frames = 0;

	if (air->chan.cfg.kind == WLINK_CHANNEL_GILBERT)
		frames = div64_u64(now_ns - air->at_ns, wl_link_tti_ns(link));
	air->at_ns = now_ns;
	air_step(link, air, now_ns, frames);
}

static void air_begin_grid(struct wl_air *air, u64 now_ns)
{
	air->at_ns = now_ns;
	air->bad_ns = 0;
	air->counted_ns = WL_NEVER_NS;
}

void wl_air_grid(struct wl_link *link, u64 now_ns)
{
	air_begin_grid(&link->air, now_ns);
	air_begin_grid(&link->first.reverse.air, now_ns);
}

void wl_air_hear(struct wl_bearer *b, u64 now_ns)
{
	u32 news = b->link->news;

	if (news & WL_NEWS_SEED) {
		wl_chan_seed(&b->own.chan, b->link->first.cfg.seed, WL_RNG_CHANNEL, WL_RNG_LOSS,
			     b->number);
		air_reseed(b);
	}
	if (news & WL_NEWS_GRID) {
		air_begin_grid(&b->own, now_ns);
		air_begin_grid(&b->reverse.air, now_ns);
	}
	if (news & WL_NEWS_CHANNEL)
		wl_reverse_set(b, now_ns);
}

void wl_air_frame(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	u64 mark_ns;

	if (air->counted_ns == now_ns)
		return;
	air->counted_ns = now_ns;
	wl_air_sync(link, air, now_ns);
	/* Nothing changes the path within a TTI, so look ahead to its end. */
	mark_ns = air_bad_until_ns(link, air, now_ns);
	air->bad_ns = air_bad_until_ns(link, air, now_ns + wl_link_tti_ns(link)) -
		      mark_ns;
	wl_air_count(air, 1);
}

/* Return: whether a PDU is lost. */
static bool air_hit(struct wl_link *link, struct wl_air *air, u64 bits, u64 bad_ns,
		    u64 span_ns, u32 *errors)
{
	u32 count;

	if (!errors)
		return wl_chan_hit(&air->chan, bits, bad_ns, span_ns);
	count = wl_chan_errors(&air->chan, bits, bad_ns, span_ns, WLINK_ERRORS_MAX);
	wl_link_spend(link, count);
	*errors += count;
	return count;
}

u32 wl_air_lost(struct wl_link *link, struct wl_air *air, u32 pdus, u32 bytes, u32 *errors)
{
	u32 lost = 0;

	if (air->chan.cfg.kind != WLINK_CHANNEL_TWOSTATE)
		return wl_chan_lost(&air->chan, pdus);
	/* Interleaved: the bits of each PDU are spread over the whole TTI. */
	while (pdus--)
		lost += air_hit(link, air, 8ULL * bytes, air->bad_ns, wl_link_tti_ns(link),
				errors);
	return lost;
}

u64 wl_air_step(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	/* A channel goes on by frames or by time. */
	if (air->chan.cfg.kind == WLINK_CHANNEL_TWOSTATE)
		return air_bad_until_ns(link, air, now_ns);
	air_step(link, air, now_ns, 1);
	return air->chan.bad_ns;
}

bool wl_air_end_lost(struct wl_link *link, struct wl_air *air,
		     const struct wl_unit *unit, u64 now_ns, u32 *errors)
{
	u64 bad_ns = air_bad_until_ns(link, air, now_ns) - unit->mark_ns;
	u64 span_ns = now_ns - unit->from_ns;

	/* The channel may have become twostate after the PDU began. */
	return air_hit(link, air, 8ULL * unit->bytes, min(bad_ns, span_ns), span_ns, errors);
}
