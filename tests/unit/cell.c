// SPDX-License-Identifier: GPL-2.0
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_schedules.h"

void check_mismatch(const struct wl_mismatch *bad)
{
	if (bad->what)
		ut_check(false, UT_WHERE, "SDU %llu: %s is %llu, not %llu",
			 bad->seq, bad->what, bad->is, bad->wanted);
}

static void cell_end(void *cell)
{
	cell_check(cell);
	wl_cell_free(cell);
}

void cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns)
{
	ut_release(cell_end, cell);
	wl_cell_init(cell, cfg, now_ns, CELL_SDUS);
	check_mismatch(&cell->bad);
	ut_defer(cell_end, cell);
}

void cell_add(struct cell *cell, u32 from, u32 to, const struct wl_cfg *cfg)
{
	for (u32 i = from; i <= to; i++)
		wl_cell_add(cell, i, cfg);
	check_mismatch(&cell->bad);
}

void cell_share(struct cell *cell, const struct wl_cfg *cfg, u32 last, const struct wl_cfg *other)
{
	cell_init(cell, cfg, 0);
	cell_add(cell, 2, last, other);
}

void cell_del(struct cell *cell, u32 number)
{
	wl_cell_clear(cell, number);
	wl_cell_del(cell, number);
	check_mismatch(&cell->bad);
}

void cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg)
{
	wl_cell_configure(cell, number, cfg);
	check_mismatch(&cell->bad);
}

struct wl_pending *cell_txn(struct cell *cell, u32 id, u32 from, u32 to,
			    const struct wl_cfg *cfg)
{
	struct wl_pending *txn = wl_ask_new(to - from + 1, id);

	for (u32 i = from; i <= to; i++)
		wl_ask_part(txn, cell->bearer[i], cfg);
	return txn;
}

void cell_ask(struct cell *cell, u64 at_ns, u32 id, u32 number,
	      const struct wl_cfg *cfg)
{
	cell_commit(cell, at_ns, cell_txn(cell, id, number, number, cfg));
}

void cell_commit(struct cell *cell, u64 at_ns, struct wl_pending *txn)
{
	wl_cell_commit(cell, at_ns, txn);
	check_mismatch(&cell->bad);
}

struct wl_schedule *cell_steps(u32 columns, u32 words, const u64 *word)
{
	struct wl_schedule *schedule = wl_schedules_new(columns);
	u32 steps = words / schedule->width;

	CHECK_EQ(wl_schedules_add(schedule, steps, word), steps);
	return schedule;
}

void cell_schedule(struct cell *cell, u32 number, struct wl_schedule *schedule)
{
	wl_cell_schedule(cell, number, schedule);
	check_mismatch(&cell->bad);
}

void cell_stop(struct cell *cell, u32 number)
{
	wl_cell_stop(cell, number);
	check_mismatch(&cell->bad);
}

void cell_send_ecn(struct cell *cell, u32 number, u32 bytes, u32 count, u8 ecn)
{
	wl_cell_send_ecn(cell, number, bytes, count, ecn);
	check_mismatch(&cell->bad);
}

void cell_is_note(const struct cell *cell, u32 i, const char *where,
		  struct cell_note wanted)
{
	const struct cell_note *is = &cell->notes[i];

	if (!ut_check(i < cell->noted, where, "note %u is missing", i))
		return;
	ut_check(is->kind == wanted.kind && is->at_ns == wanted.at_ns &&
		 is->generation == wanted.generation &&
		 is->number == wanted.number && is->first == wanted.first &&
		 is->second == wanted.second, where,
		 "note %u is { %u, %llu, %u, %u, %llu, %llu }, not { %u, %llu, %u, %u, %llu, %llu }",
		 i, is->kind, is->at_ns, is->generation, is->number, is->first,
		 is->second, wanted.kind, wanted.at_ns, wanted.generation,
		 wanted.number, wanted.first, wanted.second);
}

void cell_fate(const struct cell *cell, u32 seq, const char *where,
	       u64 end_ns, u32 drop)
{
	const struct cell_sdu *done = &cell->done[seq];

	ut_check(done->over && done->sdu.end_ns == end_ns &&
		 done->sdu.drop == drop, where,
		 "SDU %u: over %u, end %llu, drop %u; not end %llu, drop %u",
		 seq, done->over, done->sdu.end_ns, done->sdu.drop, end_ns,
		 drop);
}

void cell_send(struct cell *cell, u32 number, u32 bytes, u32 count)
{
	wl_cell_send(cell, number, bytes, count);
	check_mismatch(&cell->bad);
}

void cell_fill(struct cell *cell, const struct wl_cfg *cfg, u32 bytes, u32 count)
{
	cell_init(cell, cfg, 0);
	cell_send(cell, 1, bytes, count);
}

void cell_play(struct cell *cell, const struct wl_cfg *cfg, u32 bytes, u32 count, u64 until_ns)
{
	cell_init(cell, cfg, 0);
	cell_carry(cell, 1, bytes, count, until_ns);
}

bool cell_call(struct cell *cell, u64 now_ns)
{
	bool done = wl_cell_call(cell, now_ns);

	check_mismatch(&cell->bad);
	return done;
}

void cell_run(struct cell *cell, u64 until_ns)
{
	wl_cell_run(cell, until_ns);
	check_mismatch(&cell->bad);
}

void cell_send_all(struct cell *cell, u32 last, u32 bytes, u32 count)
{
	for (u32 i = 1; i <= last; i++)
		cell_send(cell, i, bytes, count);
}

void cell_carry(struct cell *cell, u32 number, u32 bytes, u32 count, u64 until_ns)
{
	cell_send(cell, number, bytes, count);
	cell_run(cell, until_ns);
}

void cell_lose(struct cell *cell, const struct wl_cfg *cfg, u32 from_ms, u32 to_ms)
{
	struct wl_cfg lossy = *cfg;

	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	cell_run(cell, from_ms * WL_MS - WL_MS / 2);
	cell_configure(cell, 1, &lossy);
	cell_run(cell, to_ms * WL_MS + WL_MS / 2);
	cell_configure(cell, 1, cfg);
}

void cell_check(struct cell *cell)
{
	wl_cell_check(cell);
	check_mismatch(&cell->bad);
}

u64 cell_bits(const struct cell *cell, u32 number)
{
	return 8 * cell->bearer[number]->stats.v[WLINK_STAT_BYTES_DELIVERED];
}

struct wl_cfg cell_link(enum wlink_sched sched, u64 rate_bps, u64 tti_ns,
			u32 pdu_bytes)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "sched %u rate %llubit tti %lluns pdu %u", sched, rate_bps, tti_ns, pdu_bytes);
	cfg.limit.value = WLINK_LIMIT_PACKETS_MAX;
	return cfg;
}

struct wl_cfg cell_blocks(enum wlink_mode mode)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "rate 1mbit tti 1ms delay 5ms");
	cfg.limit.value = CELL_SDUS;
	return cfg;
}

void cell_uniform(struct wl_chan_cfg *channel, u64 loss_q32)
{
	channel->kind = WLINK_CHANNEL_UNIFORM;
	channel->loss_q32 = loss_q32;
}

u64 cell_stat(const struct cell *cell, enum wlink_stat which)
{
	return cell->bearer[1]->stats.v[which];
}

struct wl_cfg cell_class(const struct wl_cfg *link, u64 rate_bps)
{
	struct wl_cfg cfg = *link;

	say(&cfg, "rate %llubit channel link", rate_bps);
	return cfg;
}

u64 cell_end_ns(const struct cell *cell, u32 seq)
{
	return cell->done[seq].over ? cell->done[seq].sdu.end_ns : 0;
}
