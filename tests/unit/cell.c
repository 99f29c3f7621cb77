// SPDX-License-Identifier: GPL-2.0
#include "cell.h"
#include "ut.h"

static void over(struct cell *cell, const struct wl_sdu *sdu)
{
	struct cell_sdu *done = &cell->done[sdu->seq];

	if (!CHECK(sdu->seq < CELL_SDUS))
		return;
	CHECK_EQ(done->over, 0);
	CHECK_EQ((size_t)sdu->cookie, sdu->seq + 1);
	done->sdu = *sdu;
	done->over++;
	done->order = cell->count++;
}

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	CHECK(sdu->drop != WLINK_DROP_NONE);
	/* What repeats its PDUs loses nothing to the channel. */
	if (sdu->flags & WL_SDU_LISTED && sdu->owner->cfg.mode >= WLINK_MODE_AM)
		CHECK(sdu->drop != WLINK_DROP_CHANNEL);
	if (sdu->owner->cfg.mode >= WLINK_MODE_FSR)
		CHECK(sdu->drop != WLINK_DROP_MAXDAT &&
		      sdu->drop != WLINK_DROP_RESET &&
		      sdu->drop != WLINK_DROP_TIMER);
	over((struct cell *)link, sdu);
}

static void rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps)
{
	CHECK(b->link == link && at_ns <= ((struct cell *)link)->now_ns);
	CHECK(old_bps && new_bps == b->cfg.rate_bps);
}

static void channel_changed(struct wl_link *link, const struct wl_bearer *b,
			    u64 at_ns, bool bad)
{
	const struct wl_air *air = b ? b->air : &link->air;

	CHECK_EQ(air->chan.bad, bad);
	CHECK(at_ns <= ((struct cell *)link)->now_ns + wl_link_tti_ns(link));
}

static const struct wl_link_ops ops = {
	.dropped = dropped,
	.rate_changed = rate_changed,
	.channel_changed = channel_changed,
};

static void give_room(struct wl_bearer *b, const struct wl_cfg *cfg)
{
	struct wl_room need;

	wl_room_need(cfg, &need);
	wl_room_join(&need, &b->room);
	if (wl_room_fits(&b->room, &need))
		return;
	wl_room_place(&need, calloc(1, need.bytes));
	free(wl_bearer_give(b, &need));
}

void cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns)
{
	memset(cell, 0, sizeof(*cell));
	cell->now_ns = now_ns;
	wl_link_init(&cell->link, cfg, now_ns, &ops);
	give_room(&cell->link.first, cfg);
	cell->bearer[1] = &cell->link.first;
	cell->sdus = calloc(CELL_SDUS, sizeof(*cell->sdus));
	wl_link_add_slots(&cell->link, cell->sdus, CELL_SDUS);
}

void cell_free(struct cell *cell)
{
	u32 i;

	for (i = 1; i < CELL_BEARERS; i++) {
		if (!cell->bearer[i])
			continue;
		free(cell->bearer[i]->room.mem);
		if (i > 1)
			free(cell->bearer[i]);
	}
	free(cell->slots);
	free(cell->sdus);
}

void cell_add(struct cell *cell, u32 from, u32 to, const struct wl_cfg *cfg)
{
	struct wl_node **slots;
	u32 i, bearers;

	for (i = from; i <= to; i++) {
		struct wl_bearer *b = calloc(1, sizeof(*b));

		bearers = cell->link.bearers + 1;
		slots = calloc(2 * (bearers + 1), sizeof(*slots));
		free(wl_link_give_slots(&cell->link, slots, bearers));
		cell->slots = slots;
		give_room(b, cfg);
		wl_link_add_bearer(&cell->link, b, i, cfg, cell->now_ns);
		cell->bearer[i] = b;
	}
}

void cell_del(struct cell *cell, u32 number)
{
	struct wl_bearer *b = cell->bearer[number];

	wl_link_del_bearer(&cell->link, b, cell->now_ns);
	CHECK_EQ(b->stats.held, 0);
	CHECK_EQ(b->stats.buffer_sdus, 0);
	free(b->room.mem);
	free(b);
	cell->bearer[number] = NULL;
}

void cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg)
{
	struct wl_bearer *b = cell->bearer[number];

	give_room(b, cfg);
	wl_link_configure(&cell->link, b, cell->now_ns, cfg, false);
	cell_call(cell, cell->now_ns);
}

void cell_send(struct cell *cell, u32 number, u32 bytes, u32 count)
{
	while (count--) {
		size_t cookie = ++cell->sent;

		wl_link_enqueue(&cell->link, cell->bearer[number],
				cell->now_ns, (void *)cookie, bytes);
	}
}

void cell_check(const struct cell *cell)
{
	struct wl_stats sum = cell->link.gone;
	u64 dropped_sdus = 0, held = 0;
	u32 i;

	for (i = 1; i < CELL_BEARERS; i++) {
		if (!cell->bearer[i])
			continue;
		wl_stats_add(&sum, &cell->bearer[i]->stats);
		held += cell->bearer[i]->stats.held;
	}
	for (i = 0; i < __WLINK_DROP_MAX; i++)
		dropped_sdus += sum.drops[i];
	CHECK_EQ(held, cell->link.held);
	CHECK_EQ(sum.held_bytes, cell->link.held_bytes);
	CHECK_EQ(sum.sdus_in, sum.sdus_delivered + dropped_sdus + held);
	CHECK_EQ(sum.bytes_in, sum.bytes_delivered + sum.bytes_dropped +
		 sum.held_bytes);
	CHECK_EQ(sum.sdus_in, cell->sent);
	CHECK_EQ(cell->count, sum.sdus_delivered + dropped_sdus);
}

bool cell_call(struct cell *cell, u64 now_ns)
{
	struct wl_sdu sdu;
	bool done;

	cell->now_ns = now_ns;
	done = wl_link_advance(&cell->link, now_ns);
	while (wl_link_pop(&cell->link, now_ns, &sdu)) {
		CHECK_EQ(sdu.drop, WLINK_DROP_NONE);
		CHECK(sdu.start_ns >= sdu.arrival_ns);
		CHECK(sdu.end_ns >= sdu.start_ns);
		CHECK(sdu.due_ns >= sdu.end_ns);
		CHECK(sdu.whole_ns >= sdu.due_ns);
		CHECK(sdu.deliver_ns >= sdu.whole_ns);
		CHECK(sdu.deliver_ns <= now_ns);
		over(cell, &sdu);
	}
	return done;
}

void cell_run(struct cell *cell, u64 until_ns)
{
	u32 stuck = 0;

	while (!ut_failed()) {
		u64 next_ns = wl_link_next_ns(&cell->link);
		u64 was_ns = cell->now_ns;

		if (next_ns == WL_NEVER_NS || next_ns > until_ns)
			break;
		cell_call(cell, max(next_ns, was_ns));
		stuck = cell->now_ns == was_ns ? stuck + 1 : 0;
		if (!CHECK(stuck < 100000))
			break;
	}
	while (!cell_call(cell, until_ns))
		;
	cell_check(cell);
}

u64 cell_bits(const struct cell *cell, u32 number)
{
	return 8 * cell->bearer[number]->stats.bytes_delivered;
}
