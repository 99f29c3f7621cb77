// SPDX-License-Identifier: GPL-2.0
/*
 * What is between the peers: channels in step with the TTIs, and the rings of
 * PDUs and feedback on their way.
 */
#include "wl_air.h"
#include "wl_mode.h"

static void tell(struct wl_link *link, struct wl_air *air, u64 at_ns,
		 bool was_bad)
{
	if (air->chan.bad != was_bad)
		link->ops->channel_changed(link, air->bearer, at_ns,
					   air->chan.bad);
}

static void step(struct wl_link *link, struct wl_air *air, u64 at_ns,
		 u64 frames)
{
	bool was_bad = air->chan.bad;

	wl_chan_step(&air->chan, frames);
	tell(link, air, at_ns, was_bad);
}

static u64 bad_until(struct wl_link *link, struct wl_air *air, u64 at_ns)
{
	bool was_bad = air->chan.bad;
	u64 bad_ns = wl_chan_bad_until_ns(&air->chan, at_ns);

	tell(link, air, at_ns, was_bad);
	return bad_ns;
}

static void set(struct wl_link *link, struct wl_air *air,
		const struct wl_chan_cfg *cfg, u64 now_ns)
{
	bool was_bad = air->chan.bad;

	wl_chan_set(&air->chan, cfg, now_ns);
	tell(link, air, now_ns, was_bad);
}

static const struct wl_chan_cfg *wanted(const struct wl_link *link,
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
	set(link, air, wanted(link, b), now_ns);
}

/* The parameters of the way back, where it has none, are those of the way out;
 * bearer 1's may have changed.
 */
static void set_reverse(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_chan_cfg *cfg = &b->cfg.reverse.channel;

	if (cfg->kind == WLINK_CHANNEL_LINK)
		cfg = &b->air->chan.cfg;
	wl_chan_set(&b->reverse.air.chan, cfg, now_ns);
}

/* The time in the bad state is counted by each channel for itself. */
static void change_air(struct wl_bearer *b, u64 now_ns)
{
	if (!b->unit.on)
		return;
	b->unit.from_ns = now_ns;
	b->unit.mark_ns = wl_chan_bad_until_ns(&b->air->chan, now_ns);
}

static void seed_reverse(struct wl_bearer *b)
{
	wl_chan_seed(&b->reverse.air.chan, b->link->first.cfg.seed,
		     WL_RNG_REVERSE_CHANNEL, WL_RNG_REVERSE_LOSS, b->number);
}

void wl_reverse_init(struct wl_bearer *b, u64 now_ns)
{
	struct wl_reverse *reverse = &b->reverse;

	memset(reverse, 0, sizeof(*reverse));
	reverse->air.bearer = b;
	reverse->air.at_ns = now_ns;
	seed_reverse(b);
	set_reverse(b, now_ns);
}

static void reseed_all(struct wl_link *link)
{
	u64 seed = link->first.cfg.seed;
	struct wl_bearer *b;

	wl_chan_seed(&link->air.chan, seed, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	seed_reverse(&link->first);
	wl_rng_seed(&link->first.aqm.rng, seed, WL_RNG_AQM, 1);
	for (b = link->all; b; b = b->next) {
		wl_chan_seed(&b->own.chan, seed, WL_RNG_CHANNEL, WL_RNG_LOSS,
			     b->number);
		seed_reverse(b);
		wl_rng_seed(&b->aqm.rng, seed, WL_RNG_AQM, b->number);
	}
}

void wl_air_configure(struct wl_bearer *b, u64 now_ns, bool reseed)
{
	bool first = b == &b->link->first;
	struct wl_link *link = b->link;
	const struct wl_air *old = b->air;
	struct wl_bearer *other;

	if (first) {
		if (reseed)
			reseed_all(link);
		set(link, &link->air, &b->cfg.channel, now_ns);
		for (other = link->all; other; other = other->next)
			set_reverse(other, now_ns);
	} else if (b->cfg.channel.kind == WLINK_CHANNEL_LINK) {
		b->air = &link->air;
	} else {
		b->air = &b->own;
		if (old != b->air)
			wl_air_init(link, b->air, b, now_ns);
		set(link, b->air, &b->cfg.channel, now_ns);
	}
	if (old != b->air)
		change_air(b, now_ns);
	set_reverse(b, now_ns);
}

void wl_air_sync(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	u64 frames = 0;

	if (air->chan.cfg.kind == WLINK_CHANNEL_GILBERT)
		frames = div64_u64(now_ns - air->at_ns, wl_link_tti_ns(link));
	air->at_ns = now_ns;
	step(link, air, now_ns, frames);
}

static void begin_grid(struct wl_air *air, u64 now_ns)
{
	air->at_ns = now_ns;
	air->bad_ns = 0;
	air->counted_ns = WL_NEVER_NS;
}

void wl_air_grid(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	begin_grid(&link->air, now_ns);
	begin_grid(&link->first.reverse.air, now_ns);
	for (b = link->all; b; b = b->next) {
		begin_grid(&b->own, now_ns);
		begin_grid(&b->reverse.air, now_ns);
	}
}

void wl_air_frame(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	u64 mark_ns;

	if (air->counted_ns == now_ns)
		return;
	air->counted_ns = now_ns;
	wl_air_sync(link, air, now_ns);
	/* Nothing changes the path within a TTI, so look ahead to its end. */
	mark_ns = bad_until(link, air, now_ns);
	air->bad_ns = bad_until(link, air, now_ns + wl_link_tti_ns(link)) -
		      mark_ns;
	wl_air_count(air, 1);
}

u32 wl_air_lost(struct wl_link *link, struct wl_air *air, u32 pdus, u32 bytes)
{
	u32 lost = 0;

	if (air->chan.cfg.kind != WLINK_CHANNEL_TWOSTATE)
		return wl_chan_lost(&air->chan, pdus);
	/* Interleaved: the bits of each PDU are spread over the whole TTI. */
	while (pdus--)
		lost += wl_chan_hit(&air->chan, 8ULL * bytes, air->bad_ns,
				    wl_link_tti_ns(link));
	return lost;
}

u64 wl_air_begin(struct wl_link *link, struct wl_air *air, u64 now_ns)
{
	step(link, air, now_ns, 1);
	return bad_until(link, air, now_ns);
}

bool wl_air_end_lost(struct wl_link *link, struct wl_air *air,
		     const struct wl_unit *unit, u64 now_ns)
{
	u64 bad_ns = bad_until(link, air, now_ns) - unit->mark_ns;
	u64 span_ns = now_ns - unit->from_ns;

	/* The channel may have become twostate after the PDU began. */
	return wl_chan_hit(&air->chan, 8ULL * unit->bytes,
			   min(bad_ns, span_ns), span_ns);
}

u64 wl_flight_due_ns(const struct wl_bearer *b, u64 end_ns)
{
	/* A shorter delay must not let a PDU overtake the one before it, nor
	 * what the bearer sent in TM.
	 */
	return max3(end_ns + b->cfg.delay_ns, b->flight_last_ns,
		    b->last_deliver_ns);
}

void wl_flight_push(struct wl_bearer *b, u64 end_ns, const struct wl_tx *tx)
{
	struct wl_flight *flight;

	b->flight_last_ns = wl_flight_due_ns(b, end_ns);
	if (b->flight.tail - b->flight.head == b->room.flights) {
		b->stats.pdus_lost++;
		return;
	}
	flight = &b->room.flight[b->flight.tail++ & (b->room.flights - 1)];
	flight->arrive_ns = b->flight_last_ns;
	flight->sn = tx->sn;
	flight->aux = tx->aux;
	flight->kind = tx->kind;
	flight->poll = tx->poll;
}

const struct wl_flight *wl_flight_first(const struct wl_bearer *b)
{
	if (b->flight.head == b->flight.tail)
		return NULL;
	return &b->room.flight[b->flight.head & (b->room.flights - 1)];
}

void wl_flight_pop(struct wl_bearer *b, struct wl_flight *out)
{
	*out = *wl_flight_first(b);
	b->flight.head++;
}

u64 wl_reverse_free_ns(const struct wl_bearer *b)
{
	return b->reverse.free_ns;
}

/* Feedback is a frame of its own where the channel goes by frames. */
static bool reverse_lost(struct wl_bearer *b, u64 from_ns, u64 end_ns,
			 u32 bytes)
{
	struct wl_air *air = &b->reverse.air;
	u64 tti_ns = wl_link_tti_ns(b->link);
	u64 frames = 1;
	u64 mark_ns;

	if (air->chan.cfg.kind == WLINK_CHANNEL_TWOSTATE) {
		mark_ns = wl_chan_bad_until_ns(&air->chan, from_ns);
		return wl_chan_hit(&air->chan, 8ULL * bytes,
				   wl_chan_bad_until_ns(&air->chan, end_ns) -
				   mark_ns, end_ns - from_ns);
	}
	if (tti_ns && from_ns >= air->at_ns) {
		frames = div64_u64(from_ns - air->at_ns, tti_ns);
		air->at_ns += frames * tti_ns;
	}
	wl_chan_step(&air->chan, frames);
	return wl_chan_lost(&air->chan, 1);
}

void wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
		     struct wl_feedback *feedback)
{
	u64 rate_bps = wl_cfg_reverse_rate_bps(&b->cfg);
	struct wl_reverse *reverse = &b->reverse;
	struct wl_stats *stats = &b->stats;
	u64 from_ns = max(now_ns, reverse->free_ns);
	u64 end_ns = from_ns + DIV64_U64_ROUND_UP(bytes * 8 * WL_NSEC_PER_SEC,
						  rate_bps);
	bool lost = reverse_lost(b, from_ns, end_ns, bytes);

	reverse->free_ns = end_ns;
	stats->feedback_sent++;
	stats->feedback_bytes += bytes;
	stats->feedback_ns += end_ns - from_ns;
	/* wl_room_need() leaves room for all that the rate lets through; what
	 * piles up beyond it before a slow transmitter is lost.
	 */
	if (lost ||
	    b->feedback.tail - b->feedback.head == b->room.feedbacks) {
		stats->feedback_lost++;
		return;
	}
	feedback->arrive_ns = max(end_ns + wl_cfg_reverse_delay_ns(&b->cfg),
				  reverse->last_ns);
	reverse->last_ns = feedback->arrive_ns;
	b->room.feedback[b->feedback.tail++ & (b->room.feedbacks - 1)] =
		*feedback;
}

const struct wl_feedback *wl_feedback_first(const struct wl_bearer *b)
{
	if (b->feedback.head == b->feedback.tail)
		return NULL;
	return &b->room.feedback[b->feedback.head & (b->room.feedbacks - 1)];
}

void wl_feedback_pop(struct wl_bearer *b, struct wl_feedback *out)
{
	*out = *wl_feedback_first(b);
	b->feedback.head++;
}
