// SPDX-License-Identifier: GPL-2.0
/* Schedules before they play: what they may hold, and the most they ask for. */
#include "wl_link.h"

struct range {
	const char *what;
	const char *unit;
	u64 min;
	u64 max;
};

static const struct range ranges[__WLINK_COLUMN_MAX] = {
	[WLINK_COLUMN_RATE] = { "rate", "bit/s", WLINK_RATE_MIN,
				WLINK_RATE_MAX },
	[WLINK_COLUMN_DELAY] = { "delay", "ns", 0, WLINK_DELAY_MAX },
	[WLINK_COLUMN_LOSS] = { "loss", "of 2^32", 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_LIMIT_PACKETS] = { "limit", "packets", 1,
					 WLINK_LIMIT_PACKETS_MAX },
	[WLINK_COLUMN_LIMIT_BYTES] = { "limit", "bytes", 1,
				       WLINK_LIMIT_BYTES_MAX },
	[WLINK_COLUMN_GRANT] = { "opportunity", "bytes", 0, WLINK_GRANT_MAX },
};

void wl_play_init(struct wl_play *play, u32 columns)
{
	u32 i;

	memset(play, 0, sizeof(*play));
	play->columns = columns;
	play->width = 1;
	for (i = 0; i < __WLINK_COLUMN_MAX; i++) {
		play->value[i] = WLINK_STEP_KEEP;
		play->width += !!(columns & 1U << i);
	}
	play->stop_ns = WL_NEVER_NS;
	play->state = WLINK_PLAY_STATE_LOADED;
}

static bool refuse(struct wl_refusal *why, const struct range *range, u64 value)
{
	return wl_within(why, range->what, range->unit, value, range->min,
			 range->max);
}

u32 wl_play_check(const struct wl_play *play, const struct wl_steps *steps,
		  struct wl_refusal *why)
{
	struct range offset = { "offset", "ns", play->last_ns,
				WLINK_PLAY_LENGTH_MAX };
	const u64 *word = steps->word;
	u32 i, column;

	for (i = 0; i < steps->count; i++) {
		if (refuse(why, &offset, *word))
			return i;
		offset.min = *word++;
		for (column = 0; column < __WLINK_COLUMN_MAX; column++) {
			if (!(play->columns & 1U << column))
				continue;
			if (*word != WLINK_STEP_KEEP &&
			    refuse(why, &ranges[column], *word))
				return i;
			word++;
		}
	}
	return steps->count;
}

static void most(u64 *sum, u64 value)
{
	if (value != WLINK_STEP_KEEP)
		*sum = max(*sum, value);
}

static void count(struct wl_play *play, const u64 *word)
{
	u64 value[__WLINK_COLUMN_MAX] = { };
	u32 i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (play->columns & 1U << i)
			value[i] = *word++;
	most(&play->max_rate_bps, value[WLINK_COLUMN_RATE]);
	most(&play->max_delay_ns, value[WLINK_COLUMN_DELAY]);
	most(&play->max_packets, value[WLINK_COLUMN_LIMIT_PACKETS]);
	most(&play->max_bytes, value[WLINK_COLUMN_LIMIT_BYTES]);
}

void wl_play_add(struct wl_play *play, struct wl_steps *steps)
{
	u32 i;

	steps->next = NULL;
	if (play->last)
		play->last->next = steps;
	else
		play->first = steps;
	play->last = steps;
	if (play->state != WLINK_PLAY_STATE_LOADED && !play->block) {
		play->block = steps;
		play->index = 0;
	}
	for (i = 0; i < steps->count; i++)
		count(play, &steps->word[(u64)i * play->width + 1]);
	play->steps += steps->count;
	play->last_ns = steps->word[(u64)(steps->count - 1) * play->width];
	play->length_ns = max(play->length_ns, play->last_ns);
	if (!play->bearer)
		return;
	play->from_ns = play->bearer->link->event_ns;
	wl_link_touch(play->bearer);
}

void wl_play_most(const struct wl_play *play, struct wl_cfg *cfg)
{
	struct wl_cfg bytes = *cfg;

	if (!play)
		return;
	if (cfg->rate_bps != WLINK_RATE_UNLIMITED)
		cfg->rate_bps = max(cfg->rate_bps, play->max_rate_bps);
	cfg->delay_ns = max(cfg->delay_ns, play->max_delay_ns);
	if (!play->max_packets && !play->max_bytes)
		return;
	/* Descriptors go by the limit, and bytes count as small SDUs. */
	bytes.limit.kind = WL_LIMIT_BYTES;
	bytes.limit.value = play->max_bytes;
	if (cfg->limit.kind == WL_LIMIT_PACKETS &&
	    play->max_packets > cfg->limit.value)
		cfg->limit.value = play->max_packets;
	else if (cfg->limit.kind != WL_LIMIT_PACKETS && play->max_packets) {
		cfg->limit.kind = WL_LIMIT_PACKETS;
		cfg->limit.value = max_t(u64, play->max_packets,
					 wl_cfg_slots(cfg));
	}
	if (play->max_bytes && wl_cfg_slots(&bytes) > wl_cfg_slots(cfg))
		cfg->limit = bytes.limit;
}

int wl_play_fits(const struct wl_play *play, const struct wl_cfg *cfg,
		 struct wl_refusal *why)
{
	static const struct range none = { "mode with opportunities", "",
					   WLINK_MODE_TM, WLINK_MODE_TM };
	static const struct range no_tti = { "tti with opportunities", "ns",
					     0, 0 };
	static const struct range own = { "sched with opportunities", "",
					  WLINK_SCHED_DEDICATED,
					  WLINK_SCHED_DEDICATED };
	static const struct range frames = { "channel kind with opportunities",
					     "", WLINK_CHANNEL_NONE,
					     WLINK_CHANNEL_GILBERT };
	struct wl_cfg highest = *cfg;

	if (play->columns & 1U << WLINK_COLUMN_GRANT &&
	    (refuse(why, &none, cfg->mode) ||
	     refuse(why, &no_tti, cfg->tti_ns) ||
	     refuse(why, &own, cfg->sched) ||
	     (cfg->channel.kind != WLINK_CHANNEL_LINK &&
	      refuse(why, &frames, cfg->channel.kind))))
		return -ERANGE;
	wl_play_most(play, &highest);
	return wl_cfg_check(&highest, why);
}
