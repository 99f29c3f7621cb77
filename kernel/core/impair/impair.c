// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "dist.h"
#include "impair.h"
#include "delayed.h"

static void impair_set_next(struct wl_impair *impair)
{
	impair->next_ns = impair->delayed ? impair->delayed->deliver_ns : WL_NEVER_NS;
}

static void impair_wait(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	const struct wl_impair_cfg *cfg = &b->cfg.impair;
	struct wl_impair *impair = &b->impair;
	u64 due_ns = now_ns;

	if (cfg->jitter)
		due_ns += wl_dist_draw_ns(cfg->jitter, &impair->chain,
					  cfg->jitter_correlation_q32, &impair->jitter_rng);
	if (!cfg->jitter_reorder)
		due_ns = max(due_ns, impair->last_ns);
	impair->last_ns = max(impair->last_ns, due_ns);
	sdu->deliver_ns = due_ns;
	sdu->jitter_ns = due_ns - now_ns;
	if (due_ns == now_ns && !impair->delayed) {
		wl_sdu_out(b->link, sdu);
		return;
	}
	sdu->flags |= WL_SDU_OUT;
	sdu->order = impair->order++;
	wl_delayed_push(&impair->delayed, sdu);
	impair_set_next(impair);
	wl_bearer_touch(b);
}

static void impair_copy(struct wl_bearer *b, const struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_link *link = b->link;
	void *cookie = link->ops->duplicate ? link->ops->duplicate(link, sdu) : NULL;
	struct wl_sdu *copy = link->pool;

	/* Without a descriptor there is no cookie either. */
	if (!cookie)
		return;
	link->pool = copy->next;
	*copy = *sdu;
	copy->cookie = cookie;
	copy->impaired |= WLINK_IMPAIRED_COPY;
	/* No peer knows it, it was in no buffer, and nothing was sent for it. */
	copy->flags = WL_SDU_RELEASED | WL_SDU_WHOLE;
	copy->buffer_sdus = 0;
	copy->pdus = 0;
	copy->pdus_lost = 0;
	copy->retx = 0;
	b->stats.v[WLINK_STAT_SDUS_DUPLICATED]++;
	b->stats.v[WLINK_STAT_BYTES_DUPLICATED] += sdu->bytes;
	b->stats.v[WLINK_STAT_SDUS_HELD]++;
	b->stats.v[WLINK_STAT_BYTES_HELD] += sdu->bytes;
	impair_wait(b, copy, now_ns);
}

void wl_impair_out(struct wl_bearer *b, struct wl_sdu *sdu)
{
	const struct wl_impair_cfg *cfg = &b->cfg.impair;
	u64 now_ns = sdu->deliver_ns;

	if (!sdu->errors)
		sdu->errors = wl_rng_chance(&b->impair.corrupt_rng, cfg->corrupt_q32);
	if (sdu->errors) {
		sdu->impaired |= WLINK_IMPAIRED_CORRUPT;
		b->stats.v[WLINK_STAT_SDUS_CORRUPTED]++;
	}
	impair_wait(b, sdu, now_ns);
	if (wl_rng_chance(&b->impair.duplicate_rng, cfg->duplicate_q32))
		impair_copy(b, sdu, now_ns);
}

bool wl_impair_event(struct wl_bearer *b, u64 now_ns)
{
	while (b->impair.next_ns <= now_ns) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_sdu_out(b->link, wl_delayed_pop(&b->impair.delayed));
		impair_set_next(&b->impair);
	}
	return true;
}

void wl_impair_configure(struct wl_bearer *b)
{
	const struct wl_impair_cfg *cfg = &b->cfg.impair;

	b->impair.on = cfg->jitter || cfg->corrupt_q32 || cfg->duplicate_q32 ||
		       cfg->lost || b->impair.delayed;
	impair_set_next(&b->impair);
}

void wl_impair_seed(struct wl_bearer *b)
{
	u64 seed = b->link->first.cfg.seed;

	wl_rng_seed(&b->impair.jitter_rng, seed, WL_RNG_JITTER, b->number);
	wl_rng_seed(&b->impair.corrupt_rng, seed, WL_RNG_CORRUPT, b->number);
	wl_rng_seed(&b->impair.duplicate_rng, seed, WL_RNG_DUPLICATE, b->number);
	b->impair.chain.begun = false;
}

struct wl_sdu *wl_impair_take(struct wl_bearer *b)
{
	struct wl_sdu *sdu;

	if (!b->impair.delayed)
		return NULL;
	sdu = wl_delayed_pop(&b->impair.delayed);
	impair_set_next(&b->impair);
	sdu->flags &= ~WL_SDU_OUT;
	return sdu;
}

static bool impair_is_new(const struct wl_error *errors, u32 count)
{
	const struct wl_error *last = &errors[count];

	for (; count; count--, errors++)
		if (errors->byte == last->byte && errors->mask & last->mask)
			return false;
	return true;
}

u32 wl_impair_errors(const struct wl_sdu *sdu, struct wl_error *errors)
{
	const struct wl_bearer *b = sdu->owner;
	bool bits = b->cfg.impair.unit == WLINK_ERROR_BIT;
	u64 places = bits ? 8ULL * sdu->bytes : sdu->bytes;
	u32 count = min_t(u64, sdu->errors, places), i = 0;
	struct wl_rng rng;
	u64 place;

	wl_rng_seed(&rng, b->link->first.cfg.seed, WL_RNG_ERRORS, sdu->seq);
	while (i < count) {
		place = mul_u64_u64_shr(wl_rng_next(&rng), places, 64);
		errors[i].byte = bits ? place / 8 : place;
		errors[i].mask = bits ? 0x80 >> place % 8 : 0xff;
		if (!impair_is_new(errors, i))
			continue;
		if (!bits)
			errors[i].mask = 1 + mul_u64_u64_shr(wl_rng_next(&rng), 255, 64);
		i++;
	}
	return count;
}
