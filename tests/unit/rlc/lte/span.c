// SPDX-License-Identifier: GPL-2.0
/*
 * Spans of bytes of LTE and NR, against a field of which each byte is remembered.
 */
#include <string.h>

#include "core/link.h"
#include "core/3gpp/rlc/lte.h"
#include "cell.h"
#include "say.h"
#include "ut.h"

#define BYTES	120U
#define SPANS	512U
#define REPORTS	64U
#define STEPS	200U
#define WINDOW	2U

/* One number; what is known of its bytes, and the stamps of the reports that were made. */
static struct {
	struct wl_link link;
	struct wl_bearer b;
	struct wl_pdu pdu;
	struct wl_span span[SPANS];
	u32 came[BYTES];
	bool again[BYTES];
	u32 report[REPORTS];
	u32 reports;
	struct wl_rng dice;
} field;

static u32 below(u32 n)
{
	return (wl_rng_next(&field.dice) >> 32) * n >> 32;
}

static void begin(u32 seed, u32 spans)
{
	memset(&field, 0, sizeof(field));
	field.dice.state = seed * 0x9e3779b97f4a7c15ULL;
	field.b.link = &field.link;
	field.b.cfg.rlc.window = WINDOW;
	field.b.rings.span = field.span;
	field.b.rings.spans = spans;
	field.pdu.bytes = BYTES;
}

/* What a report says is missing: no less than has not come, and no more where there are
 * spans enough.
 */
static void named(u32 stamp, bool enough)
{
	struct wl_lte_gap gap = { .span = field.pdu.came };
	bool missing[BYTES] = { };

	while (wl_lte_gap_next(&field.b, &field.pdu, stamp, &gap)) {
		CHECK(gap.from < gap.to && gap.to <= BYTES);
		for (u32 i = gap.from; i < gap.to; i++)
			missing[i] = true;
	}
	for (u32 i = 0; i < BYTES; i++) {
		bool lacks = !field.came[i] || field.came[i] > stamp;

		CHECK(enough ? missing[i] == lacks : missing[i] >= lacks);
	}
}

static void comes(bool enough)
{
	u32 from = below(BYTES), to = from + 1 + below(BYTES - from), at = 0, fresh = 0;
	u32 i, more, stamp = ++field.b.mode.lte.stamp;

	for (i = from; i < to; i++) {
		fresh += !field.came[i];
		field.came[i] = field.came[i] ?: stamp;
	}
	more = wl_lte_span_add(&field.b, &field.pdu.came, &at, from, to, stamp);
	CHECK(!enough || more == fresh);
}

/* Two of a report, in order; what was pending is not put in twice. */
static void asked(bool enough)
{
	u32 part, at = 0, from = 0, to = 0, fresh = 0, more = 0, i;

	for (part = 0; part < 2 && to < BYTES; part++) {
		from = to + below(BYTES - to);
		to = from + 1 + below(BYTES - from);
		for (i = from; i < to; i++) {
			fresh += !field.again[i];
			field.again[i] = true;
		}
		more += wl_lte_span_add(&field.b, &field.pdu.again, &at, from, to, 0);
	}
	CHECK(!enough || more == fresh);
	field.pdu.again_bytes += more;
}

static void sent(void)
{
	const struct wl_span *span = &field.span[field.pdu.again];
	u32 i, from = span->from, to = span->from + 1 + below(span->to - span->from);

	for (i = 0; i < to; i++)
		field.again[i] = false;
	wl_lte_span_cut(&field.b, &field.pdu.again, to);
	field.pdu.again_bytes -= to - from;
}

/* In order, with as many bytes as were said, and apart. Return: spans. */
static u32 pending(bool enough)
{
	bool has[BYTES] = { };
	u32 i, at, count = 0, bytes = 0, end = 0;

	for (i = field.pdu.again; i; i = field.span[i].next, count++) {
		CHECK(field.span[i].from < field.span[i].to);
		CHECK(!count || field.span[i].from > end);
		end = field.span[i].to;
		for (at = field.span[i].from; at < end; at++)
			has[at] = true;
		bytes += end - field.span[i].from;
	}
	CHECK_EQ(bytes, field.pdu.again_bytes);
	for (at = 0; at < BYTES; at++)
		CHECK(enough ? has[at] == field.again[at] : has[at] >= field.again[at]);
	return count;
}

/* The first report that knows what has come with a stamp. */
static u32 known_by(u32 stamp)
{
	u32 i;

	for (i = 0; i < field.reports && field.report[i] < stamp; i++)
		;
	return i;
}

/* Bytes side by side that all reports know, or do not know, alike are one span. */
static u32 runs(void)
{
	u32 i, count = 0;

	for (i = 0; i < BYTES; i++)
		count += field.came[i] && (!i || !field.came[i - 1] ||
					   known_by(field.came[i]) != known_by(field.came[i - 1]));
	return count;
}

static void play(u32 seed, u32 spans)
{
	bool enough = spans == SPANS;
	u32 step, i;

	ut_begin("span: seed %u, %u spans: bytes that have come, or not, are mixed up", seed,
		 spans);
	begin(seed, spans);
	for (step = 0; step < STEPS; step++) {
		u32 what = below(8);

		if (what < 3) {
			comes(enough);
		} else if (what < 5) {
			asked(enough);
		} else if (what < 7 && field.pdu.again) {
			sent();
		} else if (field.reports < REPORTS) {
			field.report[field.reports++] = field.b.mode.lte.stamp;
			field.b.mode.lte.told = field.b.mode.lte.stamp;
		}
		for (i = 0; i < field.reports; i++)
			named(field.report[i], enough);
		named(field.b.mode.lte.stamp, enough);
		i = pending(enough);
		CHECK(field.b.mode.lte.spans < spans);
		CHECK(!enough || field.b.mode.lte.spans == runs() + i);
		/* Another number of the same window: what has come is forgotten then. */
		if (below(12))
			continue;
		wl_lte_span_free(&field.b, &field.pdu.came);
		memset(field.came, 0, sizeof(field.came));
	}
	wl_lte_span_free(&field.b, &field.pdu.came);
	wl_lte_span_free(&field.b, &field.pdu.again);
	CHECK_EQ(field.b.mode.lte.spans, 0);
}

/* What has come leaves one span for each number of the window. */
CASE(span, "span: nothing is left for what is to be sent again")
{
	u32 i, at = 0, again = 0, sum = 0;

	begin(1, 8);
	for (i = 0; i < 20; i++)
		sum += wl_lte_span_add(&field.b, &field.pdu.came, &at, 4 * i, 4 * i + 1, i + 1);
	CHECK_EQ(sum, 8 - 1 - WINDOW);
	for (i = 0; i < WINDOW; i++, again = 0) {
		at = 0;
		CHECK_EQ(wl_lte_span_add(&field.b, &again, &at, 10, 20, 0), 10);
		CHECK_EQ(field.span[again].from, 10);
		CHECK_EQ(field.span[again].to, 20);
	}
	CHECK_EQ(field.b.mode.lte.spans, 7);
}

static struct cell cell;

/* 70 % of 0.3 Mbit/s for 30 s: a SDU is 50 segments, of which every tenth is lost. */
static void lossy(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);
	const u32 sdus = 525;
	u64 sum_ns = 0;
	u32 i;

	ut_begin("span: mode %u: more than lost pieces is sent again", mode);
	say(&cfg, "rate 300kbit delay 10ms");
	cell_uniform(&cfg.channel, WLINK_PROB_ONE / 10);
	cell_init(&cell, &cfg, 0);
	for (i = 0; i < sdus; i++) {
		cell_run(&cell, i * WL_SEC * 1500 * 8 / 210000);
		cell_send(&cell, 1, 1500, 1);
	}
	cell_run(&cell, 35 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED), sdus);
	for (i = 0; i < sdus; i++)
		sum_ns += cell.done[i].sdu.deliver_ns - cell.done[i].sdu.arrival_ns;
	CHECK(sum_ns / sdus < 300 * WL_MS);
	CHECK(6 * cell_stat(&cell, WLINK_STAT_PDUS_RETX) < cell_stat(&cell, WLINK_STAT_PDUS_SENT));
}

TEST(span)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++) {
		play(seed, SPANS);
		play(seed, 8);
		play(seed, 16);
	}
	lossy(WLINK_MODE_LTE_AM);
	lossy(WLINK_MODE_NR_AM);
}
