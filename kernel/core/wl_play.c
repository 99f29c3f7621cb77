// SPDX-License-Identifier: GPL-2.0
/* What a schedule does as time goes on. See wl_play.h. */
#include "wl_grid.h"
#include "wl_mode.h"
#include "wl_serve.h"
#include "wl_txn.h"
#include "wl_unit.h"

static const u64 *step_of(const struct wl_play *play)
{
	return &play->block->word[(u64)play->index * play->width];
}

static u64 step_ns(const struct wl_bearer *b, const struct wl_play *play)
{
	u64 offset_ns = play->block ? step_of(play)[0] : play->length_ns;

	return wl_grid_ns(b->link, max(play->origin_ns + offset_ns,
				       play->from_ns));
}

static u64 going_on_ns(const struct wl_bearer *b, const struct wl_play *play)
{
	return play->state == WLINK_PLAY_STATE_PLAYS ? step_ns(b, play) :
						       WL_NEVER_NS;
}

/* Steps that were due when the stop was asked for come before it, or what the
 * engine had not reached by then would never happen.
 */
static bool stops(const struct wl_bearer *b, const struct wl_play *play)
{
	return play->stop_ns != WL_NEVER_NS &&
	       going_on_ns(b, play) > play->stop_ns;
}

static u64 current_ns(const struct wl_bearer *b, const struct wl_play *play)
{
	/* An opportunity is used at one time, before all else at that time. */
	if (play->granting)
		return b->link->event_ns;
	if (stops(b, play))
		return wl_grid_ns(b->link, play->stop_ns);
	return going_on_ns(b, play);
}

static u64 start_ns(const struct wl_bearer *b)
{
	const struct wl_play *play = b->next_play;

	if (!play || play->start_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return wl_grid_ns(b->link, max(play->start_ns, play->from_ns));
}

u64 wl_play_next_ns(const struct wl_bearer *b)
{
	u64 next_ns = start_ns(b);

	if (b->play)
		next_ns = min(next_ns, current_ns(b, b->play));
	return next_ns;
}

bool wl_play_grants(const struct wl_bearer *b)
{
	return b->play && b->play->columns & 1U << WLINK_COLUMN_GRANT;
}

void wl_play_over(const struct wl_play *play, struct wl_cfg *cfg)
{
	const u64 *value = play->value;

	if (value[WLINK_COLUMN_RATE] != WLINK_STEP_KEEP)
		cfg->rate_bps = value[WLINK_COLUMN_RATE];
	if (value[WLINK_COLUMN_DELAY] != WLINK_STEP_KEEP)
		cfg->delay_ns = value[WLINK_COLUMN_DELAY];
	if (value[WLINK_COLUMN_LOSS] != WLINK_STEP_KEEP) {
		memset(&cfg->channel, 0, sizeof(cfg->channel));
		cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
		cfg->channel.loss_q32 = value[WLINK_COLUMN_LOSS];
	}
	if (value[WLINK_COLUMN_LIMIT_PACKETS] != WLINK_STEP_KEEP) {
		cfg->limit.kind = WL_LIMIT_PACKETS;
		cfg->limit.value = value[WLINK_COLUMN_LIMIT_PACKETS];
	}
	if (value[WLINK_COLUMN_LIMIT_BYTES] != WLINK_STEP_KEEP) {
		cfg->limit.kind = WL_LIMIT_BYTES;
		cfg->limit.value = value[WLINK_COLUMN_LIMIT_BYTES];
	}
}

static void rewind(struct wl_play *play)
{
	play->block = play->first;
	play->index = 0;
	play->step = 0;
}

static void next_step(struct wl_play *play)
{
	play->step++;
	if (++play->index < play->block->count)
		return;
	play->block = play->block->next;
	play->index = 0;
}

static void put(struct wl_bearer *b, const struct wl_cfg *base, u64 now_ns)
{
	/* The schedule's own copy is written to on the way. */
	struct wl_cfg cfg = *base;

	b->link->generation++;
	wl_txn_put(b, now_ns, &cfg, false);
}

/* The one that plays is over, or makes place. */
static void give_back(struct wl_bearer *b, struct wl_play *play, u64 now_ns)
{
	play->state = WLINK_PLAY_STATE_NONE;
	play->bearer = NULL;
	b->link->ops->play_changed(b->link, b, play, now_ns);
}

static void stop(struct wl_bearer *b, u64 now_ns)
{
	struct wl_play *play = b->play;

	b->play = NULL;
	b->credit.bits = 0;
	put(b, &play->base, now_ns);
	give_back(b, play, now_ns);
	wl_bearer_wake(b, now_ns);
}

static void start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_play *old = b->play, *play = b->next_play;

	bool granted = wl_play_grants(b);

	b->next_play = NULL;
	play->base = old ? old->base : b->cfg;
	play->state = WLINK_PLAY_STATE_PLAYS;
	play->origin_ns = play->start_ns;
	b->play = play;
	if (granted || wl_play_grants(b))
		wl_serve_idle(b);
	put(b, &play->base, now_ns);
	if (old)
		give_back(b, old, now_ns);
	b->link->ops->play_changed(b->link, b, play, now_ns);
}

static void end(struct wl_bearer *b, u64 now_ns)
{
	struct wl_play *play = b->play;

	play->pass++;
	switch (play->end) {
	case WLINK_PLAY_END_LOOP:
		play->origin_ns += play->length_ns;
		rewind(play);
		break;
	case WLINK_PLAY_END_STOP:
		stop(b, now_ns);
		break;
	default:
		play->state = WLINK_PLAY_STATE_HOLDS;
		b->link->ops->play_changed(b->link, b, play, now_ns);
		break;
	}
}

static void use_grant(struct wl_bearer *b, u64 now_ns, u32 *work)
{
	struct wl_play *play = b->play;
	struct wl_stats *stats = &b->stats;
	u64 bytes = play->granted_bytes, lost_bytes = 0;

	if (!wl_unit_grant(b, now_ns, work))
		return;
	/* Credit that a SDU waits with has been used for a part of it. What was
	 * on the air when the schedule began takes no opportunity.
	 */
	if (b->unit.on || !wl_bearer_wanted(b)) {
		lost_bytes = min(b->credit.bits / 8, bytes);
		b->credit.bits = 0;
	}
	play->granting = false;
	stats->grants++;
	stats->grant_bytes += bytes;
	stats->grant_bytes_used += bytes - lost_bytes;
	b->link->ops->granted(b->link, b, now_ns, bytes, bytes - lost_bytes);
}

/* Return: bytes of an opportunity in a step, 0 for none. */
static u64 take_step(struct wl_play *play)
{
	const u64 *word = step_of(play) + 1;
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++) {
		if (!(play->columns & 1U << i))
			continue;
		if (*word != WLINK_STEP_KEEP && i == WLINK_COLUMN_GRANT) {
			bytes = *word;
		} else if (*word != WLINK_STEP_KEEP &&
			   play->value[i] != *word) {
			play->value[i] = *word;
			play->changed = true;
		}
		word++;
	}
	next_step(play);
	return bytes;
}

/* Steps that take effect together, up to the first with an opportunity. */
static void steps(struct wl_bearer *b, u64 now_ns, u32 *work)
{
	struct wl_play *play = b->play;
	u64 bytes = 0;
	bool more;

	do {
		bytes = take_step(play);
		*work -= min(*work, 1U);
		more = !bytes && play->block && step_ns(b, play) <= now_ns;
	} while (more && *work);
	/* The next call goes on; what each call can do must not show. */
	if (more)
		return;
	if (play->changed)
		put(b, &play->base, now_ns);
	play->changed = false;
	if (!bytes)
		return;
	play->granting = true;
	play->granted_bytes = bytes;
	b->credit.bits += 8 * bytes;
	use_grant(b, now_ns, work);
}

void wl_play_event(struct wl_bearer *b, u64 now_ns, u32 *work)
{
	struct wl_play *play = b->play;

	if (play && play->granting) {
		use_grant(b, now_ns, work);
		return;
	}
	if (play && stops(b, play) && current_ns(b, play) <= now_ns)
		stop(b, now_ns);
	else if (start_ns(b) <= now_ns)
		start(b, now_ns);
	else if (play && play->block)
		steps(b, now_ns, work);
	else if (play)
		end(b, now_ns);
}

void wl_play_arrival(struct wl_bearer *b, u64 now_ns)
{
	u32 work = WL_LINK_WORK_MAX;

	if (!b->next_play || b->next_play->start_ns != WL_NEVER_NS)
		return;
	b->next_play->start_ns = now_ns;
	/* Its first steps concern this SDU. */
	while (work && wl_play_next_ns(b) <= now_ns) {
		work--;
		wl_play_event(b, now_ns, &work);
	}
	wl_link_touch(b);
}

struct wl_play *wl_link_play(struct wl_link *link, struct wl_bearer *b,
			     struct wl_play *play, u64 now_ns)
{
	struct wl_play *old = b->next_play;

	if (old)
		old->bearer = NULL;
	if (play->start_ns == WLINK_START_NOW)
		play->start_ns = now_ns;
	play->bearer = b;
	play->from_ns = link->event_ns;
	play->state = WLINK_PLAY_STATE_WAITS;
	play->pass = 0;
	rewind(play);
	b->next_play = play;
	wl_link_touch(b);
	return old;
}

struct wl_play *wl_link_stop(struct wl_link *link, struct wl_bearer *b,
			     u64 now_ns)
{
	struct wl_play *old = b->next_play;

	if (old)
		old->bearer = NULL;
	b->next_play = NULL;
	if (b->play && b->play->stop_ns == WL_NEVER_NS)
		b->play->stop_ns = wl_link_from_ns(link, now_ns, WLINK_AT_NEXT);
	wl_link_touch(b);
	return old;
}
