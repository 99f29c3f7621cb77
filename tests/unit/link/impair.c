// SPDX-License-Identifier: GPL-2.0
/*
 * What happens to SDUs behind the receiver: they come later, in order or not, with errors, or
 * twice. 8 Mbit/s and 5 ms: a SDU of 100 bytes is sent in 0.1 ms.
 */
#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "core/impair/dist.h"
#include "core/impair/impair.h"
#include "core/impair/delayed.h"
#include "numbers/dist.h"
#include "say.h"
#include "ut.h"

#define SDUS	4000
#define BYTES	100
#define AIR	(WL_MS / 10)
#define DELAY	(5 * WL_MS)

static struct cell cell;

/* 0..40 ms, all equally likely. */
static const struct wl_dist *uniform(void)
{
	static u64 room[(sizeof(struct wl_dist) + 2 * sizeof(struct wlink_point)) / 8 + 1];
	struct wl_dist *dist = (struct wl_dist *)room;

	dist->unit_ns = 1;
	dist->count = 2;
	dist->point[1] = (struct wlink_point){ ~0U, 40 * WL_MS };
	return dist;
}

static struct wl_cfg bearer(enum wlink_mode mode, u64 tti_ns)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "rate 8mbit tti %lluns delay %lluns limit 20000 seed 7", tti_ns, DELAY);
	return cfg;
}

static void send(const struct wl_cfg *cfg, u32 sdus)
{
	const struct wl_sdu *sdu;
	u32 i, pool = 0;

	cell_init(&cell, cfg, 0);
	for (i = 0; i < sdus; i++) {
		cell_run(&cell, i * WL_MS);
		cell_send(&cell, 1, BYTES, 1);
	}
	cell_run(&cell, (sdus + 1000) * WL_MS);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_SDUS_HELD], 0);
	for (sdu = cell.link.pool; sdu; sdu = sdu->next)
		pool++;
	CHECK_EQ(pool, cell.link.descriptors);
}

static const struct wl_sdu *over(u32 seq)
{
	CHECK_EQ(cell.done[seq].over, 1);
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	return &cell.done[seq].sdu;
}

/* --- Jitter. --- */

static double mean_jitter(u32 sdus)
{
	double sum = 0;

	for (u32 i = 0; i < sdus; i++)
		sum += over(i)->jitter_ns;
	return sum / sdus;
}

static u32 overtaken(u32 sdus)
{
	u32 i, count = 0;

	for (i = 1; i < sdus; i++)
		count += cell.done[i].order < cell.done[i - 1].order;
	return count;
}

static void jitter(enum wlink_mode mode, u64 tti_ns, bool reorder)
{
	struct wl_cfg cfg = bearer(mode, tti_ns);
	const struct wl_stats *stats;
	u64 sum = 0, last_ns = 0;
	u32 i, least = 0;

	ut_begin("impair: mode %u, tti %llu: jitter %s", mode, tti_ns,
		 reorder ? "does not reorder" : "reorders");
	cfg.impair.jitter = uniform();
	cfg.impair.jitter_reorder = reorder;
	send(&cfg, SDUS);
	for (i = 0; i < SDUS; i++) {
		const struct wl_sdu *sdu = over(i);
		u64 received_ns = sdu->deliver_ns - sdu->jitter_ns;

		sum += sdu->jitter_ns;
		CHECK(received_ns >= sdu->whole_ns);
		CHECK(reorder ? sdu->jitter_ns <= 40 * WL_MS : sdu->deliver_ns >= last_ns);
		/* Who waits for the one before comes with it. */
		least += !reorder && i && sdu->deliver_ns == last_ns;
		last_ns = sdu->deliver_ns;
		if (mode == WLINK_MODE_TM && !tti_ns)
			CHECK_EQ(received_ns, i * WL_MS + AIR + DELAY);
	}
	stats = &cell.bearer[1]->stats;
	CHECK_EQ(stats->why_ns[WLINK_WHY_JITTER], sum);
	CHECK_EQ(stats->why_ns[WLINK_WHY_TOTAL],
		 stats->why_ns[WLINK_WHY_QUEUE] + stats->why_ns[WLINK_WHY_SERIAL] +
		 stats->why_ns[WLINK_WHY_PROP] + stats->why_ns[WLINK_WHY_RETX] +
		 stats->why_ns[WLINK_WHY_HOL] + sum);
	/* 40 ms / sqrt(12 n), 4 times. */
	if (reorder)
		CHECK_NEAR(mean_jitter(SDUS), 20e6, 4 * 40e6 / sqrt(12.0 * SDUS));
	else
		CHECK(least > SDUS / 10);
	/* One that is 1 ms behind overtakes with (39/40)^2 / 2, by hand. */
	if (reorder && !tti_ns && mode == WLINK_MODE_TM)
		CHECK_NEAR(overtaken(SDUS), 0.4753 * SDUS, 4 * sqrt(SDUS * 0.25));
	else if (!reorder)
		CHECK_EQ(overtaken(SDUS), 0);
}

/* A SDU that waits keeps its time when jitter ends, and none that comes then overtakes it. */
CASE(impair, "impair: jitter off: a SDU that comes then overtakes one that waits")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);

	cfg.impair.jitter = uniform();
	cell_play(&cell, &cfg, BYTES, 20, 6 * WL_MS);
	CHECK(cell.bearer[1]->impair.delayed);
	cfg.impair.jitter = NULL;
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 1, BYTES, 20, WL_SEC);
	for (u32 i = 1; i < 40; i++)
		CHECK(over(i)->deliver_ns >= over(i - 1)->deliver_ns);
	CHECK_EQ(overtaken(40), 0);
	cell_configure(&cell, 1, &cfg);
	CHECK(!cell.bearer[1]->impair.on);
	CHECK(cell.bearer[1]->plain);
}

/* The first waits for its time; without jitter the second is there at that time. */
CASE(impair, "impair: a SDU overtakes one that is due as it comes")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);
	u64 due_ns;

	cfg.impair.jitter = uniform();
	cell_play(&cell, &cfg, BYTES, 1, 6 * WL_MS);
	due_ns = cell.bearer[1]->impair.next_ns;
	CHECK(due_ns > 12 * WL_MS && due_ns != WL_NEVER_NS);
	cfg.impair.jitter = NULL;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, due_ns - DELAY - AIR);
	cell_send(&cell, 1, BYTES, 1);
	/* All of it in one call. */
	cell_call(&cell, due_ns);
	CHECK_EQ(over(0)->deliver_ns, due_ns);
	CHECK_EQ(over(1)->deliver_ns, due_ns);
	CHECK_EQ(overtaken(2), 0);
}

/* Deleted, flushed, or handed over to another link. */
static void emptied(u32 how)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0), other;
	u32 i, delivered = 0, flushed = 0;

	ut_begin("impair: %s", how == 2 ? "a handover takes what the receiver has let go" :
		 how ? "a bearer is deleted with SDUs that wait" :
		 "a flush forgets SDUs that wait");
	cell_init(&cell, &cfg, 0);
	cfg.impair.jitter = uniform();
	say(&cfg, "jitter_reorder on duplicate 0.5");
	other = cfg;
	other.channel = (struct wl_chan_cfg){ .kind = WLINK_CHANNEL_LINK };
	cell_add(&cell, 2, 2, &other);
	cell_carry(&cell, 2, BYTES, 50, DELAY + 50 * AIR);
	CHECK(cell.bearer[2]->impair.delayed);
	if (how == 2)
		wl_cell_forward(&cell, 2);
	else if (how)
		cell_del(&cell, 2);
	else
		wl_link_flush(&cell.link, cell.now_ns);
	cell_run(&cell, WL_SEC);
	for (i = 0; i < 50; i++) {
		CHECK_EQ(cell.done[i].over, 1);
		delivered += cell.done[i].sdu.drop == WLINK_DROP_NONE;
		flushed += cell.done[i].sdu.drop == WLINK_DROP_FLUSH;
	}
	CHECK_EQ(delivered + flushed, 50);
	CHECK_EQ(flushed > 0, how != 2);
}

/* Up to a minute of jitter without overtaking: what was flushed delays nothing. */
CASE(impair, "impair: a flush forgets when the last SDU would have come")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);

	cfg.impair.jitter = uniform();
	cell_play(&cell, &cfg, BYTES, 50, DELAY + 50 * AIR);
	CHECK(cell.bearer[1]->impair.last_ns > cell.now_ns);
	wl_link_flush(&cell.link, cell.now_ns);
	CHECK_EQ(cell.bearer[1]->impair.last_ns, 0);
}

/* The heap against sorting. */
CASE(impair, "impair: delayed SDUs do not come by time, then by order")
{
	static struct wl_sdu sdus[5000];
	struct wl_sdu *root = NULL, *last, *sdu;
	struct wl_rng rng;
	u32 i, pushed = 0, popped = 0, deepest = 0;

	wl_rng_seed(&rng, 3, WL_RNG_JITTER, 0);
	while (popped < ARRAY_SIZE(sdus)) {
		for (i = wl_rng_next(&rng) % 40; i && pushed < ARRAY_SIZE(sdus); i--) {
			sdus[pushed].deliver_ns = wl_rng_next(&rng) % 1000 + popped;
			sdus[pushed].order = pushed + U32_MAX - 2500;
			wl_delayed_push(&root, &sdus[pushed++]);
			CHECK(pushed > 1 || root->rank == 1);
		}
		last = NULL;
		deepest = max(deepest, (u32)(root ? root->rank : 0));
		for (i = wl_rng_next(&rng) % 40; i && root; i--, last = sdu) {
			sdu = wl_delayed_pop(&root);
			popped++;
			if (last)
				CHECK(last->deliver_ns < sdu->deliver_ns ||
				      (last->deliver_ns == sdu->deliver_ns &&
				       (int)(sdu->order - last->order) > 0));
		}
	}
	/* 2^rank - 1 nodes. */
	CHECK(deepest > 2 && deepest <= 12);
}

/* --- Errors. --- */

static double share(u32 count, u32 of)
{
	return (double)count / of;
}

static void corrupt(enum wlink_error unit)
{
	const u32 places = unit == WLINK_ERROR_BIT ? 8 * BYTES : BYTES;
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);
	struct wl_error errors[WLINK_ERRORS_MAX];
	static u32 counts[8 * BYTES];
	u32 i, corrupted = 0, bit, place;
	double chi = 0, want;
	struct wl_rng rng;

	ut_begin("impair: errors of unit %u are not where they should be", unit);
	memset(counts, 0, sizeof(counts));
	say(&cfg, "corrupt 0.25 corrupt_unit %u", unit);
	send(&cfg, SDUS * 4);
	for (i = 0; i < SDUS * 4; i++) {
		const struct wl_sdu *sdu = over(i);

		CHECK_EQ(!!(sdu->impaired & WLINK_IMPAIRED_CORRUPT), sdu->errors);
		if (!sdu->errors)
			continue;
		corrupted++;
		CHECK_EQ(wl_impair_errors(sdu, errors), 1);
		CHECK(errors[0].byte < BYTES && errors[0].mask);
		bit = 7 - ilog2(errors[0].mask);
		wl_rng_seed(&rng, cfg.seed, WL_RNG_ERRORS, i);
		place = mul_u64_u64_shr(wl_rng_next(&rng), places, 64);
		CHECK_EQ(errors[0].byte, unit == WLINK_ERROR_BIT ? place / 8 : place);
		/* Bits in the order in which they go. */
		if (unit == WLINK_ERROR_BIT)
			CHECK_EQ(errors[0].mask, 0x80 >> place % 8);
		counts[unit == WLINK_ERROR_BIT ? errors[0].byte * 8 + bit : errors[0].byte]++;
	}
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_SDUS_CORRUPTED], corrupted);
	CHECK_NEAR(share(corrupted, SDUS * 4), 0.25, 4 * sqrt(0.1875 / (SDUS * 4)));
	want = (double)corrupted / places;
	for (i = 0; i < places; i++)
		chi += (counts[i] - want) * (counts[i] - want) / want;
	/* Wilson and Hilferty's quantile of 0.1 %. */
	CHECK(chi < (places - 1) * pow(1 - 2.0 / 9 / (places - 1) +
				       3.09 * sqrt(2.0 / 9 / (places - 1)), 3));
}

/* No place twice, and no more errors than places. */
CASE(impair, "impair: an error is undone by another one")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);
	struct wl_error errors[WLINK_ERRORS_MAX];
	struct wl_sdu sdu = { .bytes = 2, .errors = 16 };
	u8 data[2] = { 0, 0 };
	u32 i, n;

	cell_init(&cell, &cfg, 0);
	sdu.owner = cell.bearer[1];
	for (sdu.seq = 0; sdu.seq < 100; sdu.seq++) {
		memset(data, 0, sizeof(data));
		n = wl_impair_errors(&sdu, errors);
		CHECK_EQ(n, 16);
		for (i = 0; i < n; i++)
			data[errors[i].byte] ^= errors[i].mask;
		CHECK_EQ(data[0], 0xff);
		CHECK_EQ(data[1], 0xff);
	}
	cell.bearer[1]->cfg.impair.unit = WLINK_ERROR_BYTE;
	CHECK_EQ(wl_impair_errors(&sdu, errors), 2);
	CHECK(errors[0].byte != errors[1].byte);
	CHECK(errors[0].mask && errors[1].mask);
}

/* A bit error rate instead of loss: of a SDU of n bits the errors are Poisson with a mean of
 * n times the hazard.
 */
static void erroneous(u64 tti_ns, u32 pdu_bytes)
{
	const double mean = 0.7, bits = 8.0 * BYTES;
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, tti_ns);
	u32 i, counts[4] = { 0 };
	const struct wl_stats *stats;
	double chi = 0, p = exp(-mean), rest = 1;

	ut_begin("impair: tti %llu, pdu %u: a bit error rate gives other errors", tti_ns,
		 pdu_bytes);
	cfg.pdu_bytes = pdu_bytes;
	cfg.channel = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_TWOSTATE,
		.mean_good_ns = WL_SEC, .mean_bad_ns = WL_SEC,
		.hazard_good_q56 = mean / bits * ldexp(1, 56),
		.hazard_bad_q56 = mean / bits * ldexp(1, 56),
	};
	cfg.impair.lost = true;
	send(&cfg, SDUS);
	for (i = 0; i < SDUS; i++)
		counts[min(over(i)->errors, 3U)]++;
	for (i = 0; i < 4; i++) {
		double want = SDUS * (i < 3 ? p : rest);

		chi += (counts[i] - want) * (counts[i] - want) / want;
		rest -= p;
		p *= mean / (i + 1);
	}
	/* 3 degrees, 0.1 %. */
	CHECK(chi < 16.3);
	stats = &cell.bearer[1]->stats;
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], SDUS);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_CORRUPTED], SDUS - counts[0]);
	CHECK(stats->v[WLINK_STAT_PDUS_LOST] >= SDUS - counts[0]);
}

/* Other channels know of PDUs, not of bits: one that is lost is an error. */
CASE(impair, "impair: a PDU that would be lost is not one error")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);
	u32 i, errors = 0;

	cfg.pdu_bytes = 25;
	cfg.channel = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_UNIFORM, .loss_q32 = 1U << 31,
	};
	cfg.impair.lost = true;
	send(&cfg, SDUS);
	for (i = 0; i < SDUS; i++) {
		CHECK_EQ(over(i)->errors, over(i)->pdus_lost);
		errors += over(i)->errors;
	}
	CHECK_NEAR(errors, 2 * SDUS, 4 * sqrt(SDUS));
}

/* --- Duplicates. --- */

static void duplicate(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, WL_MS);
	const struct wl_stats *stats = NULL;
	u32 i, copies = 0;

	ut_begin("impair: mode %u: SDUs that come twice are not so many", mode);
	say(&cfg, "duplicate 0.25 corrupt 0.5");
	cfg.impair.jitter = uniform();
	cfg.impair.jitter_reorder = true;
	if (mode >= WLINK_MODE_AM)
		cfg.channel = (struct wl_chan_cfg){
			.kind = WLINK_CHANNEL_UNIFORM, .loss_q32 = 1U << 28,
		};
	send(&cfg, SDUS);
	for (i = 0; i < SDUS; i++) {
		const struct wl_sdu *sdu = over(i), *copy = &cell.done[i].copy;

		if (!cell.done[i].copies)
			continue;
		copies++;
		CHECK_EQ(copy->impaired, sdu->impaired | WLINK_IMPAIRED_COPY);
		CHECK_EQ(copy->errors, sdu->errors);
		CHECK_EQ(copy->bytes, sdu->bytes);
		/* It was in no buffer, and nothing was sent for it. */
		CHECK_EQ(copy->buffer_sdus, 0);
		CHECK_EQ(copy->pdus, 0);
		CHECK_EQ(copy->pdus_lost, 0);
		CHECK_EQ(copy->retx, 0);
		/* Both from the receiver on, each with a delay of its own. */
		CHECK_EQ(copy->deliver_ns - copy->jitter_ns, sdu->deliver_ns - sdu->jitter_ns);
	}
	stats = &cell.bearer[1]->stats;
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DUPLICATED], copies);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_DUPLICATED], copies * BYTES);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], SDUS + copies);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_IN], SDUS);
	CHECK_NEAR(share(copies, SDUS), 0.25, 4 * sqrt(0.1875 / SDUS));
}

/* A new seed gives others, the same one the same, and one kind of trouble does not shift
 * the draws of another.
 */
CASE(impair, "impair: one stream shifts another, or the seed has no say")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0);
	static u64 jitter_ns[100];
	u32 i, same = 0;

	cfg.impair.jitter = uniform();
	cfg.impair.jitter_reorder = true;
	send(&cfg, 100);
	for (i = 0; i < 100; i++)
		jitter_ns[i] = over(i)->jitter_ns;
	cfg.impair.corrupt_q32 = 1U << 31;
	send(&cfg, 100);
	for (i = 0; i < 100; i++)
		CHECK_EQ(over(i)->jitter_ns, jitter_ns[i]);
	cfg.seed++;
	send(&cfg, 100);
	for (i = 0; i < 100; i++)
		same += over(i)->jitter_ns == jitter_ns[i];
	CHECK_EQ(same, 0);
}

CASE(impair, "impair: errors are delivered by a mode that checks its PDUs")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_AM, WL_MS);
	struct wl_refusal why;

	cfg.impair.lost = true;
	CHECK_EQ(-wl_cfg_check(&cfg, &why), ERANGE);
	cfg = bearer(WLINK_MODE_TM, WL_MS);
	cfg.impair.lost = true;
	CHECK(!wl_cfg_check(&cfg, &why));
	cfg.harq.processes = 8;
	CHECK_EQ(-wl_cfg_check(&cfg, &why), ERANGE);
}

TEST(impair)
{
	static const enum wlink_mode modes[] = {
		WLINK_MODE_TM, WLINK_MODE_UM, WLINK_MODE_AM, WLINK_MODE_ASR,
		WLINK_MODE_NR_AM,
	};

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		jitter(modes[i], WL_MS, false);
		jitter(modes[i], WL_MS, true);
		duplicate(modes[i]);
	}
	jitter(WLINK_MODE_TM, 0, false);
	jitter(WLINK_MODE_TM, 0, true);
	for (u32 i = 0; i < 3; i++)
		emptied(i);
	corrupt(WLINK_ERROR_BIT);
	corrupt(WLINK_ERROR_BYTE);
	erroneous(0, 0);
	erroneous(0, 25);
	erroneous(WL_MS, 0);
	erroneous(WL_MS, 25);
}
