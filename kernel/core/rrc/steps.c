// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Schedules before they start: what they may hold, and the most they ask for. */
#include "steps.h"

static const struct wl_refusal ranges[__WLINK_COLUMN_MAX] = {
	[WLINK_COLUMN_RATE] = { "rate", "bit/s", 0, WLINK_RATE_SILENT,
				WLINK_RATE_MAX },
	[WLINK_COLUMN_DELAY] = { "delay", "ns", 0, 0, WLINK_DELAY_MAX },
	[WLINK_COLUMN_LOSS] = { "loss", "of 2^32", 0, 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_LIMIT_PACKETS] = { "limit", "packets", 0, 1,
					 WLINK_LIMIT_PACKETS_MAX },
	[WLINK_COLUMN_LIMIT_BYTES] = { "limit", "bytes", 0, 1,
				       WLINK_LIMIT_BYTES_MAX },
	[WLINK_COLUMN_GRANT] = { "opportunity", "bytes", 0, 0, WLINK_GRANT_MAX },
	[WLINK_COLUMN_BLER] = { "bler", "of 2^32", 0, 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_BACKGROUND] = { "background", "bit/s", 0, 0, WLINK_RATE_MAX },
};

void wl_schedule_init(struct wl_schedule *s, u32 columns)
{
	u32 i;

	memset(s, 0, sizeof(*s));
	s->columns = columns;
	s->width = 1;
	for (i = 0; i < __WLINK_COLUMN_MAX; i++) {
		s->value[i] = WLINK_STEP_KEEP;
		s->width += !!(columns & 1U << i);
	}
	s->stop_ns = WL_NEVER_NS;
	s->state = WLINK_SCHEDULE_STATE_LOADED;
}

u32 wl_schedule_check(const struct wl_schedule *s, const struct wl_steps *steps,
		      struct wl_refusal *why)
{
	struct wl_refusal offset = { "offset", "ns", 0, s->last_ns,
				     WLINK_SCHEDULE_LENGTH_MAX };
	const u64 *word = steps->word;
	struct wl_refusal range;
	u32 i, column;

	for (i = 0; i < steps->count; i++) {
		offset.value = *word++;
		if (wl_within(why, &offset, 1))
			return i;
		offset.min = offset.value;
		for (column = 0; s->columns >> column; column++) {
			if (!(s->columns & 1U << column))
				continue;
			range = ranges[column];
			range.value = *word++;
			if (range.value != WLINK_STEP_KEEP &&
			    wl_within(why, &range, 1))
				return i;
		}
	}
	return steps->count;
}

static void steps_count(struct wl_schedule *s, const u64 *word)
{
	u32 i;

	for (i = 0; s->columns >> i; i++) {
		if (!(s->columns & 1U << i))
			continue;
		if (*word != WLINK_STEP_KEEP)
			s->most[i] = max(s->most[i], *word);
		word++;
	}
}

void wl_schedule_add(struct wl_schedule *s, struct wl_steps *steps)
{
	u32 i;

	steps->next = NULL;
	if (s->last)
		s->last->next = steps;
	else
		s->first = steps;
	s->last = steps;
	if (s->state != WLINK_SCHEDULE_STATE_LOADED && !s->block) {
		s->block = steps;
		s->index = 0;
	}
	for (i = 0; i < steps->count; i++)
		steps_count(s, &steps->word[(u64)i * s->width + 1]);
	s->steps += steps->count;
	s->last_ns = steps->word[(u64)(steps->count - 1) * s->width];
	s->length_ns = max(s->length_ns, s->last_ns);
	if (s->bearer)
		wl_bearer_touch(s->bearer);
}

/* Descriptors go by the limit; of two it is the one that needs more. */
static void steps_limit(struct wl_cfg *cfg, enum wl_limit_kind kind, u64 value)
{
	struct wl_cfg other = *cfg;

	other.limit.kind = kind;
	other.limit.value = value;
	if (value && wl_cfg_sdus(&other) > wl_cfg_sdus(cfg))
		cfg->limit = other.limit;
}

void wl_schedule_most(const struct wl_schedule *s, struct wl_cfg *cfg)
{
	if (!s)
		return;
	if (cfg->rate_bps != WLINK_RATE_UNLIMITED)
		cfg->rate_bps = max(cfg->rate_bps, s->most[WLINK_COLUMN_RATE]);
	cfg->delay_ns = max(cfg->delay_ns, s->most[WLINK_COLUMN_DELAY]);
	steps_limit(cfg, WL_LIMIT_PACKETS, s->most[WLINK_COLUMN_LIMIT_PACKETS]);
	steps_limit(cfg, WL_LIMIT_BYTES, s->most[WLINK_COLUMN_LIMIT_BYTES]);
}

void wl_schedule_over(const struct wl_schedule *s, struct wl_cfg *cfg)
{
	const u64 *value = s->value;

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
	if (value[WLINK_COLUMN_BLER] != WLINK_STEP_KEEP)
		cfg->harq.bler_q32 = value[WLINK_COLUMN_BLER];
	if (value[WLINK_COLUMN_BACKGROUND] != WLINK_STEP_KEEP)
		cfg->cell.users_bps = value[WLINK_COLUMN_BACKGROUND];
}
