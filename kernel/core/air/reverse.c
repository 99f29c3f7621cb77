// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The reverse path: what the receiver tells the sender takes time, and may be lost. */
#include "reverse.h"
#include "rings.h"

/* What may wait before a reverse transmitter, in 10^-9 bit: 146 years at 1 bit/s,
 * which added to any time fits 64 bits.
 */
#define WORK_MAX	(1ULL << 62)

/* The parameters of the reverse path, where it has none, are those of the forward path;
 * bearer 1's may have changed.
 */
void wl_reverse_set(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_chan_cfg *cfg = &b->cfg.reverse.channel;

	if (cfg->kind == WLINK_CHANNEL_LINK)
		cfg = &b->air->chan.cfg;
	wl_chan_set(&b->reverse.air.chan, cfg, now_ns);
}

void wl_reverse_seed(struct wl_bearer *b)
{
	wl_chan_seed(&b->reverse.air.chan, b->link->first.cfg.seed,
		     WL_RNG_REVERSE_CHANNEL, WL_RNG_REVERSE_LOSS, b->number);
}

void wl_reverse_flush(struct wl_bearer *b, u64 now_ns)
{
	struct wl_reverse *reverse = &b->reverse;

	reverse->free_ns = b->cfg.rate_bps ? 0 : WL_NEVER_NS;
	reverse->work = 0;
	reverse->last_ns = 0;
	reverse->air.at_ns = now_ns;
}

void wl_reverse_init(struct wl_bearer *b, u64 now_ns)
{
	memset(&b->reverse, 0, sizeof(b->reverse));
	wl_reverse_flush(b, now_ns);
	wl_reverse_seed(b);
	wl_reverse_set(b, now_ns);
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
		mark_ns = wl_air_bad_until_ns(b->link, &air->chan, from_ns);
		return wl_chan_hit(&air->chan, 8ULL * bytes,
				   wl_air_bad_until_ns(b->link, &air->chan, end_ns) -
				   mark_ns, end_ns - from_ns);
	}
	if (tti_ns && from_ns >= air->at_ns) {
		frames = div64_u64(from_ns - air->at_ns, tti_ns);
		air->at_ns += frames * tti_ns;
	}
	wl_chan_step(&air->chan, frames);
	return wl_chan_lost(&air->chan, 1);
}

static void reverse_arrives(struct wl_bearer *b, struct wl_feedback *feedback)
{
	struct wl_reverse *reverse = &b->reverse;

	feedback->arrive_ns = max(feedback->end_ns +
				  wl_cfg_reverse_delay_ns(&b->cfg),
				  reverse->last_ns);
	reverse->last_ns = feedback->arrive_ns;
}

/* wl_rings_need() leaves room for all that the rate lets through. */
static bool reverse_full(const struct wl_bearer *b, u64 waiting, u64 work)
{
	return b->feedback.tail - b->feedback.head == b->rings.feedbacks ||
	       waiting > WORK_MAX ||
	       (waiting && div64_u64(waiting, work) >= b->rings.feedbacks);
}

static bool reverse_to_pair(struct wl_bearer *b, u64 now_ns, u32 bytes,
			    const struct wl_feedback *feedback)
{
	const struct wl_message message = {
		.at_ns = now_ns, .bytes = bytes, .number = b->number,
		.connection = b->connection, .feedback = *feedback,
	};

	/* Without the other link it has a way back of its own again. */
	b->link->paired = b->link->ops->feedback(b->link, &message);
	return b->link->paired;
}

/* What waits for the transmitter is behind all that does not. */
void wl_reverse_part(struct wl_bearer *b)
{
	u32 middle, first = b->feedback.head, end = b->feedback.tail;

	while (first != end) {
		middle = first + (end - first) / 2;
		if (wl_feedback_at(b, middle)->arrive_ns == WL_NEVER_NS)
			end = middle;
		else
			first = middle + 1;
	}
	b->carried.head = b->carried.tail;
	b->reverse.work = 0;
	b->stats.v[WLINK_STAT_FEEDBACK_LOST] += b->feedback.tail - first;
	b->feedback.tail = first;
	wl_bearer_touch(b);
}

/* Nothing may come behind what waits for the transmitter, see wl_reverse_part(). An answer does so
 * only where the pair has left meanwhile, and is lost with it.
 */
static bool reverse_waits(const struct wl_bearer *b)
{
	return b->feedback.tail != b->feedback.head &&
	       wl_feedback_at(b, b->feedback.tail - 1)->arrive_ns == WL_NEVER_NS;
}

/* What has begun anew meanwhile has other numbers. */
void wl_reverse_back(struct wl_bearer *b, const struct wl_message *message)
{
	struct wl_reverse *reverse = &b->reverse;
	struct wl_feedback *feedback;

	if (message->connection != b->connection)
		return;
	if (message->lost || reverse_waits(b) ||
	    b->feedback.tail - b->feedback.head == b->rings.feedbacks) {
		b->stats.v[WLINK_STAT_FEEDBACK_LOST]++;
		return;
	}
	feedback = wl_feedback_at(b, b->feedback.tail++);
	*feedback = message->feedback;
	feedback->bytes = 0;
	feedback->arrive_ns = max3(message->at_ns, b->link->now_ns, reverse->last_ns);
	/* This link's transmitter of feedback has nothing to do with it. */
	feedback->end_ns = 0;
	reverse->last_ns = feedback->arrive_ns;
	wl_bearer_touch(b);
}

void wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
		     struct wl_feedback *feedback)
{
	u64 rate_bps = wl_cfg_reverse_rate_bps(&b->cfg);
	struct wl_reverse *reverse = &b->reverse;
	struct wl_stats *stats = &b->stats;
	u64 work = bytes * WL_WORK_PER_BYTE;
	u64 from_ns = max(now_ns, reverse->free_ns);

	stats->v[WLINK_STAT_FEEDBACK_SENT]++;
	stats->v[WLINK_STAT_FEEDBACK_BYTES] += bytes;
	if (b->link->paired && reverse_to_pair(b, now_ns, bytes, feedback))
		return;
	if (reverse_full(b, rate_bps ? (from_ns - now_ns) * rate_bps : reverse->work,
			 work)) {
		stats->v[WLINK_STAT_FEEDBACK_LOST]++;
		return;
	}
	if (rate_bps) {
		feedback->end_ns = from_ns + DIV64_U64_ROUND_UP(work, rate_bps);
		reverse->free_ns = feedback->end_ns;
		stats->v[WLINK_STAT_FEEDBACK_NS] += feedback->end_ns - from_ns;
		if (reverse_lost(b, from_ns, feedback->end_ns, bytes)) {
			stats->v[WLINK_STAT_FEEDBACK_LOST]++;
			return;
		}
		reverse_arrives(b, feedback);
	} else {
		reverse->work += work;
		feedback->end_ns = reverse->work;
		feedback->arrive_ns = WL_NEVER_NS;
		feedback->bytes = bytes;
	}
	*wl_feedback_at(b, b->feedback.tail++) = *feedback;
}

static bool reverse_is_sent(const struct wl_feedback *feedback, u64 now_ns)
{
	return feedback->arrive_ns != WL_NEVER_NS &&
	       feedback->end_ns <= now_ns;
}

/* Return: whether it survives, where that is decided here. */
static bool reverse_go_on(struct wl_bearer *b, struct wl_feedback *feedback,
			  u64 rate_bps)
{
	u64 airtime_ns = DIV64_U64_ROUND_UP(feedback->bytes * WL_WORK_PER_BYTE,
					    rate_bps);

	if (feedback->bytes &&
	    reverse_lost(b, feedback->end_ns - airtime_ns, feedback->end_ns,
			 feedback->bytes)) {
		b->stats.v[WLINK_STAT_FEEDBACK_LOST]++;
		return false;
	}
	feedback->bytes = 0;
	reverse_arrives(b, feedback);
	return true;
}

/* Work is counted as on the forward path, see mac/unit.c. What is still before the
 * transmitter is at the end of the ring.
 */
void wl_reverse_configure(struct wl_bearer *b, u64 now_ns,
			  const struct wl_cfg *old)
{
	u64 new_bps = wl_cfg_reverse_rate_bps(&b->cfg);
	u64 old_bps = wl_cfg_reverse_rate_bps(old);
	struct wl_reverse *reverse = &b->reverse;
	u32 to, first, at = b->feedback.tail;

	if (new_bps == old_bps)
		return;
	if (old_bps) {
		reverse->free_ns = max(now_ns, reverse->free_ns);
		reverse->work = (reverse->free_ns - now_ns) * old_bps;
		b->stats.v[WLINK_STAT_FEEDBACK_NS] -= reverse->free_ns - now_ns;
	}
	while (at != b->feedback.head && !reverse_is_sent(wl_feedback_at(b, at - 1), now_ns))
		at--;
	reverse->last_ns = at == b->feedback.head ? 0 :
						    wl_feedback_at(b, at - 1)->arrive_ns;
	first = at;
	for (to = at; at != b->feedback.tail; at++) {
		struct wl_feedback feedback = *wl_feedback_at(b, at);

		if (old_bps)
			feedback.end_ns = (feedback.end_ns - now_ns) * old_bps;
		feedback.arrive_ns = WL_NEVER_NS;
		if (new_bps) {
			feedback.end_ns = now_ns +
				DIV64_U64_ROUND_UP(feedback.end_ns, new_bps);
			if (!reverse_go_on(b, &feedback, new_bps))
				continue;
		}
		*wl_feedback_at(b, to++) = feedback;
	}
	wl_link_spend(b->link, (to - first) / WL_WALKED_PER_CHARGE);
	b->feedback.tail = to;
	reverse->free_ns = WL_NEVER_NS;
	if (!new_bps)
		return;
	reverse->free_ns = now_ns + DIV64_U64_ROUND_UP(reverse->work, new_bps);
	b->stats.v[WLINK_STAT_FEEDBACK_NS] += reverse->free_ns - now_ns;
}
