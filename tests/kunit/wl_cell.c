// SPDX-License-Identifier: GPL-2.0
#include "wl_ask.h"
#include "wl_cell.h"
#include "wl_mem.h"
#include "wl_schedules.h"

/* Calls of the engine that may pass without any progress of time. */
#define STUCK_CALLS	100000

bool wl_mismatch_is(struct wl_mismatch *bad, const char *what, u64 seq, u64 is, u64 wanted)
{
	if (is == wanted)
		return true;
	if (!bad->what) {
		bad->what = what;
		bad->seq = seq;
		bad->is = is;
		bad->wanted = wanted;
	}
	return false;
}

static bool same(struct cell *cell, const char *what, u64 is, u64 wanted)
{
	return wl_mismatch_is(&cell->bad, what, cell->sent, is, wanted);
}

#define MUST(cell, condition) same(cell, #condition, condition, true)

/* Time does not run back. */
static void goes_on(struct cell *cell)
{
	MUST(cell, cell->link.event_ns >= cell->event_ns);
	cell->event_ns = cell->link.event_ns;
}

static void over(struct cell *cell, const struct wl_sdu *sdu)
{
	struct cell_sdu *done;

	goes_on(cell);
	if (!MUST(cell, sdu->seq < cell->limit))
		return;
	done = &cell->done[sdu->seq];
	if (sdu->impaired & WLINK_IMPAIRED_COPY) {
		same(cell, "cookie of a copy", (size_t)sdu->cookie, sdu->seq + 1);
		MUST(cell, !done->copies);
		done->copies++;
		done->copy = *sdu;
		cell->count++;
		return;
	}
	same(cell, "times it came out before", done->over, 0);
	same(cell, "cookie", (size_t)sdu->cookie, sdu->seq + 1);
	if (sdu->ecn & WL_ECN_MARKED)
		MUST(cell, done->ecn != WL_ECN_NOT_ECT && sdu->ecn == (WL_ECN_CE | WL_ECN_MARKED));
	else
		same(cell, "ecn", sdu->ecn, done->ecn);
	done->sdu = *sdu;
	done->over++;
	done->order = cell->count++;
	done->number = sdu->owner->number;
}

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct cell *cell = (struct cell *)link;
	enum wlink_mode mode = sdu->owner->cfg.mode;

	MUST(cell, sdu->drop != WLINK_DROP_NONE);
	/* What has been begun is sent to its end. */
	if (sdu->drop == WLINK_DROP_OVERFLOW || sdu->drop == WLINK_DROP_AQM)
		MUST(cell, sdu->start_ns == WL_NEVER_NS);
	if (sdu->drop == WLINK_DROP_AQM)
		MUST(cell, sdu->owner->cfg.aqm.kind != WLINK_AQM_DROPTAIL);
	/* What repeats its PDUs loses nothing to the channel. */
	if (sdu->flags & WL_SDU_LISTED && mode >= WLINK_MODE_AM && mode != WLINK_MODE_LTE_UM)
		MUST(cell, sdu->drop != WLINK_DROP_CHANNEL);
	if (mode == WLINK_MODE_FSR || mode == WLINK_MODE_ASR)
		MUST(cell, sdu->drop != WLINK_DROP_MAXDAT && sdu->drop != WLINK_DROP_RESET &&
		     sdu->drop != WLINK_DROP_TIMER);
	over(cell, sdu);
}

/* Odd, so that no two values of one word lead to the same number. */
static u64 mix(u64 told, u64 value)
{
	told = (told ^ value) * 0x9fb21c651e98df25ULL;
	return told ^ told >> 32;
}

static void note(struct wl_link *link, enum cell_kind kind, u64 at_ns,
		 u16 number, u64 first, u64 second)
{
	struct cell *cell = (struct cell *)link;
	struct cell_note *to = &cell->notes[cell->noted];

	goes_on(cell);
	MUST(cell, at_ns <= cell->now_ns);
	cell->told = mix(mix(cell->told, kind), at_ns);
	cell->told = mix(mix(cell->told, link->generation), number);
	cell->told = mix(mix(cell->told, first), second);
	if (cell->noted == CELL_NOTES)
		return;
	cell->noted++;
	to->kind = kind;
	to->at_ns = at_ns;
	to->generation = link->generation;
	to->number = number;
	to->first = first;
	to->second = second;
}

static void applied(struct wl_link *link, struct wl_pending *txn, u64 at_ns)
{
	note(link, CELL_APPLIED, at_ns, 0, ((struct wl_asked *)txn)->id, txn->count);
	wl_ask_put(txn);
}

static void granted(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
		    u64 bytes, u64 used_bytes)
{
	note(link, CELL_GRANTED, at_ns, b->number, bytes, used_bytes);
}

static void put_schedule(struct cell *cell, struct wl_schedule *schedule)
{
	MUST(cell, !schedule || !schedule->bearer);
	wl_schedules_put(schedule);
}

static void schedule_changed(struct wl_link *link, struct wl_bearer *b,
			     struct wl_schedule *schedule, u64 at_ns)
{
	note(link, CELL_SCHEDULE, at_ns, b->number, schedule->state, schedule->pass);
	if (schedule != b->schedule && schedule != b->next_schedule)
		put_schedule((struct cell *)link, schedule);
}

static void rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps)
{
	struct cell *cell = (struct cell *)link;

	note(link, CELL_RATE, at_ns, b->number, new_bps, old_bps);
	MUST(cell, b->link == link);
	MUST(cell, new_bps == b->cfg.rate_bps);
}

static void channel_changed(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad)
{
	const struct wl_air *air = b ? b->air : &link->air;
	struct cell *cell = (struct cell *)link;

	same(cell, "state of the channel", air->chan.bad, bad);
	MUST(cell, at_ns <= cell->now_ns + wl_link_tti_ns(link));
}

static void rrc_changed(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
			enum wlink_rrc state)
{
	struct cell *cell = (struct cell *)link;

	goes_on(cell);
	same(cell, "state of the receiver", b->drx.state, state);
	MUST(cell, at_ns <= cell->now_ns + wl_link_tti_ns(link));
	cell->rrc_changes++;
}

static void background(struct wl_link *link, u64 at_ns, u64 airtime_ns)
{
	struct cell *cell = (struct cell *)link;

	goes_on(cell);
	MUST(cell, at_ns == link->event_ns);
	MUST(cell, airtime_ns <= wl_link_tti_ns(link) * !!link->users.on);
	cell->background_ns += airtime_ns;
}

static void *duplicate(struct wl_link *link, const struct wl_sdu *sdu)
{
	return link->pool ? sdu->cookie : NULL;
}

static bool feedback(struct wl_link *link, const struct wl_message *message)
{
	struct cell *peer = ((struct cell *)link)->peer;

	if (peer)
		wl_link_post(&peer->link, peer->bearer[message->number], message);
	return peer;
}

static const struct wl_link_ops ops = {
	.duplicate = duplicate,
	.feedback = feedback,
	.dropped = dropped,
	.rate_changed = rate_changed,
	.applied = applied,
	.granted = granted,
	.schedule_changed = schedule_changed,
	.channel_changed = channel_changed,
	.rrc_changed = rrc_changed,
	.background = background,
};

static void *memory(struct cell *cell, size_t bytes)
{
	void *mem = wl_mem_get(bytes);

	same(cell, "memory", !!mem, true);
	return mem;
}

static void most_of(const struct wl_pending *txn, const struct wl_bearer *b, struct wl_cfg *cfg)
{
	u32 i;

	for (i = 0; i < txn->count; i++)
		if (txn->part[i].b == b)
			cfg->delay_ns = max(cfg->delay_ns, txn->part[i].cfg.delay_ns);
}

static void move_on(struct cell *cell, u32 count)
{
	struct wl_bearer *b = cell->bearer[cell->moving];
	void *old = b->rings.mem;

	if (wl_bearer_move(b, &cell->wider, count)) {
		wl_mem_put(old);
		cell->wider.mem = NULL;
	}
}

static void move_all(struct cell *cell)
{
	if (cell->wider.mem)
		move_on(cell, WL_RINGS_RECORDS_MAX);
}

/* One bearer after the other, again and again. */
static void move_some(struct cell *cell)
{
	const struct wl_bearer *b;
	void *mem;

	if (!cell->wider.mem) {
		cell->moving = cell->moving % CELL_MOVED + 1;
		b = cell->bearer[cell->moving];
		mem = b && b->rings.bytes ? memory(cell, b->rings.bytes) : NULL;
		if (!mem)
			return;
		cell->wider = b->rings;
		wl_rings_place(&cell->wider, mem);
	}
	move_on(cell, cell->moves);
}

/* What is on its way by then may have been sent long before. */
static bool give_room(struct cell *cell, struct wl_bearer *b, const struct wl_cfg *cfg)
{
	struct wl_cfg most = *cfg;
	const struct wl_pending *txn;
	struct wl_rings need;
	void *mem, *old;

	for (txn = cell->link.pending; txn; txn = txn->next)
		most_of(txn, b, &most);
	wl_schedule_most(b->schedule, &most);
	wl_schedule_most(b->next_schedule, &most);
	move_all(cell);
	wl_bearer_need(b, &most, &need);
	if (wl_rings_fits(&b->rings, &need))
		return true;
	mem = memory(cell, need.bytes);
	if (!mem)
		return false;
	wl_rings_place(&need, mem);
	old = b->rings.mem;
	wl_bearer_move(b, &need, WL_RINGS_RECORDS_MAX);
	wl_mem_put(old);
	return true;
}

/* Also of what it has already: what is new may come before it. What bearer 1 becomes the
 * others follow in what is the link's.
 */
static bool give_rooms(struct cell *cell, struct wl_bearer *b)
{
	struct wl_cfg cfg = b->schedule ? b->schedule->base : b->cfg;
	const struct wl_pending *txn;
	bool good;
	u32 i;

	wl_cfg_copy_link(&cfg, &cell->link.first.cfg);
	good = give_room(cell, b, &cfg);
	for (txn = cell->link.pending; txn; txn = txn->next) {
		if (txn->count && txn->part[0].b == &cell->link.first)
			wl_cfg_copy_link(&cfg, &txn->part[0].cfg);
		for (i = 0; i < txn->count; i++)
			if (txn->part[i].b == b)
				cfg = txn->part[i].cfg;
		good &= give_room(cell, b, &cfg);
	}
	return good;
}

static bool give_rooms_to_all(struct cell *cell)
{
	u32 i;

	for (i = 1; i < CELL_BEARERS; i++)
		if (cell->bearer[i] && !give_rooms(cell, cell->bearer[i]))
			return false;
	return true;
}

void wl_cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns, u32 limit)
{
	memset(cell, 0, sizeof(*cell));
	cell->now_ns = now_ns;
	wl_link_init(&cell->link, cfg, now_ns, &ops);
	cell->bearer[1] = &cell->link.first;
	cell->done = memory(cell, limit * sizeof(*cell->done));
	cell->sdus = memory(cell, limit * sizeof(*cell->sdus));
	if (cell->bad.what || !give_room(cell, &cell->link.first, cfg))
		return;
	cell->limit = limit;
	wl_link_add_sdus(&cell->link, cell->sdus, limit);
}

void wl_cell_free(struct cell *cell)
{
	u32 i;

	move_all(cell);
	wl_ask_free(&cell->link);
	for (i = 1; i < CELL_BEARERS; i++) {
		if (!cell->bearer[i])
			continue;
		wl_schedules_put(cell->bearer[i]->schedule);
		wl_schedules_put(cell->bearer[i]->next_schedule);
		wl_mem_put(cell->bearer[i]->rings.mem);
		if (i > 1)
			wl_mem_put(cell->bearer[i]);
	}
	wl_mem_put(cell->slots);
	wl_mem_put(cell->sdus);
	wl_mem_put(cell->done);
}

void wl_cell_add(struct cell *cell, u32 number, const struct wl_cfg *cfg)
{
	u32 bearers = cell->link.bearers + 1;
	struct wl_node **slots;
	struct wl_bearer *b;

	slots = memory(cell, 2 * (bearers + 1) * sizeof(*slots));
	if (!slots)
		return;
	wl_mem_put(wl_link_give_heaps(&cell->link, slots, bearers));
	cell->slots = slots;
	b = memory(cell, sizeof(*b));
	if (!b)
		return;
	if (!give_room(cell, b, cfg)) {
		wl_mem_put(b);
		return;
	}
	wl_link_add_bearer(&cell->link, b, number, cfg, cell->now_ns);
	cell->bearer[number] = b;
	give_rooms(cell, b);
}

/* What comes next is asked of a link that has been advanced to now. */
static void settle(struct cell *cell)
{
	while (!wl_cell_call(cell, cell->now_ns))
		;
}

void wl_cell_forward(struct cell *cell, u32 number)
{
	struct wl_bearer *b = cell->bearer[number];

	wl_link_forward(&cell->link, b, cell->now_ns);
	settle(cell);
	same(cell, "buffer of an emptied bearer", b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
}

void wl_cell_clear(struct cell *cell, u32 number)
{
	struct wl_bearer *b = cell->bearer[number];

	wl_link_clear(&cell->link, b, cell->now_ns);
	while (b->leave_for)
		wl_link_advance(&cell->link, cell->now_ns);
	same(cell, "held by an emptied bearer", b->stats.v[WLINK_STAT_SDUS_HELD], 0);
}

void wl_cell_del(struct cell *cell, u32 number)
{
	struct wl_bearer *b = cell->bearer[number];

	move_all(cell);
	wl_link_del_bearer(&cell->link, b, cell->now_ns);
	same(cell, "held by a deleted bearer", b->stats.v[WLINK_STAT_SDUS_HELD], 0);
	same(cell, "buffer of a deleted bearer", b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	wl_schedules_put(b->schedule);
	wl_schedules_put(b->next_schedule);
	wl_mem_put(b->rings.mem);
	wl_mem_put(b);
	cell->bearer[number] = NULL;
}

void wl_cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg)
{
	struct wl_bearer *b = cell->bearer[number];

	MUST(cell, wl_ask(&cell->link, b, cell->now_ns, cfg, false));
	if (give_rooms_to_all(cell))
		settle(cell);
}

void wl_cell_commit(struct cell *cell, u64 at_ns, struct wl_pending *txn)
{
	u64 from_ns = wl_link_from_ns(&cell->link, cell->now_ns, at_ns);

	if (!MUST(cell, !!txn))
		return;
	wl_link_commit(&cell->link, cell->now_ns, at_ns, txn);
	same(cell, "from_ns of a change", txn->from_ns, from_ns);
	if (give_rooms_to_all(cell))
		settle(cell);
}

/* Of a bearer that is deleted its part is none. */
static bool is_whole(const struct wl_pending *txn)
{
	u32 i;

	for (i = 0; i < txn->count; i++)
		if (!txn->part[i].b)
			return false;
	return true;
}

void wl_cell_cancel(struct cell *cell)
{
	struct wl_pending *txn = wl_link_cancel(&cell->link), *next;

	for (; txn; txn = next) {
		next = txn->next;
		cell->cancelled++;
		if (is_whole(txn))
			wl_cell_commit(cell, WLINK_AT_NEXT, txn);
		else
			wl_ask_put(txn);
	}
}

void wl_cell_flush(struct cell *cell)
{
	const struct wl_bearer *b;
	u32 i;

	wl_link_flush(&cell->link, cell->now_ns);
	for (i = 1; i < CELL_BEARERS; i++) {
		b = cell->bearer[i];
		if (b)
			same(cell, "held after a flush", b->stats.v[WLINK_STAT_SDUS_HELD], 0);
	}
	settle(cell);
}

void wl_cell_schedule(struct cell *cell, u32 number, struct wl_schedule *schedule)
{
	struct wl_bearer *b = cell->bearer[number];
	struct wl_schedule *old;

	if (!MUST(cell, !!schedule))
		return;
	old = wl_link_schedule(&cell->link, b, schedule, cell->now_ns);
	put_schedule(cell, old);
	if (!give_rooms(cell, b))
		return;
	settle(cell);
}

void wl_cell_stop(struct cell *cell, u32 number)
{
	put_schedule(cell, wl_link_stop(&cell->link, cell->bearer[number], cell->now_ns));
	settle(cell);
}

void wl_cell_refuse(struct cell *cell, u32 number, u32 bytes)
{
	size_t cookie = ++cell->sent;

	cell->done[cookie - 1].ecn = WL_ECN_NOT_ECT;
	wl_link_refuse(&cell->link, cell->bearer[number], cell->now_ns, (void *)cookie, bytes,
		       WLINK_DROP_SEGMENT);
}

void wl_cell_send(struct cell *cell, u32 number, u32 bytes, u32 count)
{
	wl_cell_send_ecn(cell, number, bytes, count, WL_ECN_NOT_ECT);
}

void wl_cell_send_ecn(struct cell *cell, u32 number, u32 bytes, u32 count, u8 ecn)
{
	while (count--) {
		size_t cookie = ++cell->sent;

		cell->done[cookie - 1].ecn = ecn;
		wl_link_enqueue(&cell->link, cell->bearer[number],
				cell->now_ns, (void *)cookie, bytes, ecn);
	}
}

static void count(struct cell *cell, const struct wl_fifo *fifo,
		  const struct wl_bearer *b, u64 *sdus, u64 *unbegun)
{
	const struct wl_sdu *sdu, *last = NULL;

	for (sdu = fifo->head; sdu; last = sdu, sdu = sdu->next) {
		bool mine = !(sdu->flags & (WL_SDU_GIVEN_UP | WL_SDU_RELEASED));

		*sdus += mine;
		if (mine && sdu->start_ns == WL_NEVER_NS)
			*unbegun += sdu->bytes;
		if (b->ops && sdu == b->fresh)
			MUST(cell, b->passed == last);
	}
}

static void check_buffer(struct cell *cell, const struct wl_bearer *b)
{
	u64 sdus = 0, unbegun = 0;

	count(cell, &b->queue, b, &sdus, &unbegun);
	count(cell, &b->old, b, &sdus, &unbegun);
	count(cell, &b->air_sdus, b, &sdus, &unbegun);
	count(cell, &b->harq.sdus, b, &sdus, &unbegun);
	same(cell, "SDUs in the buffer", b->stats.v[WLINK_STAT_BUFFER_SDUS], sdus);
	same(cell, "unbegun bytes", b->unbegun_bytes, unbegun);
}

/* No time of a delay has two parts; what waited for access that is off by then has none. */
static void check_parts(struct cell *cell, const u64 *why_ns)
{
	MUST(cell, why_ns[WLINK_WHY_QUEUE] + why_ns[WLINK_WHY_SERIAL] +
	     why_ns[WLINK_WHY_PROP] + why_ns[WLINK_WHY_RETX] + why_ns[WLINK_WHY_HOL] +
	     why_ns[WLINK_WHY_ACCESS] + why_ns[WLINK_WHY_JITTER] <= why_ns[WLINK_WHY_TOTAL]);
}

void wl_cell_check(struct cell *cell)
{
	struct wl_stats *sum = &cell->sum;
	u64 drops = 0;
	u32 i;

	*sum = cell->link.gone;
	for (i = 1; i < CELL_BEARERS; i++) {
		if (!cell->bearer[i])
			continue;
		wl_stats_add(sum, &cell->bearer[i]->stats);
		check_buffer(cell, cell->bearer[i]);
		check_parts(cell, cell->bearer[i]->stats.why_ns);
	}
	for (i = 0; i < __WLINK_DROP_MAX; i++)
		drops += sum->drops[i];
	same(cell, "sdus_in", sum->v[WLINK_STAT_SDUS_IN] + sum->v[WLINK_STAT_SDUS_DUPLICATED],
	     sum->v[WLINK_STAT_SDUS_DELIVERED] + drops + sum->v[WLINK_STAT_SDUS_HELD]);
	same(cell, "bytes_in", sum->v[WLINK_STAT_BYTES_IN] + sum->v[WLINK_STAT_BYTES_DUPLICATED],
	     sum->v[WLINK_STAT_BYTES_DELIVERED] + sum->v[WLINK_STAT_BYTES_DROPPED] +
	     sum->v[WLINK_STAT_BYTES_HELD]);
	same(cell, "sdus_in beside what was sent", sum->v[WLINK_STAT_SDUS_IN], cell->sent);
	same(cell, "SDUs that came out", cell->count, sum->v[WLINK_STAT_SDUS_DELIVERED] + drops);
}

/* Some descriptors are taken back, and given again, as the module does with memory. */
static void lend_some(struct cell *cell)
{
	struct wl_sdu *sdu = wl_link_take_sdu(&cell->link);

	if (sdu)
		wl_link_add_sdus(&cell->link, sdu, 1);
}

bool wl_cell_call(struct cell *cell, u64 now_ns)
{
	struct wl_sdu sdu;
	bool done;

	cell->now_ns = now_ns;
	if (cell->moves) {
		move_some(cell);
		lend_some(cell);
	}
	done = wl_link_advance(&cell->link, now_ns);
	while (wl_link_pop(&cell->link, &sdu)) {
		if (sdu.drop == WLINK_DROP_FORWARD) {
			MUST(cell, sdu.end_ns <= sdu.deliver_ns);
			over(cell, &sdu);
			continue;
		}
		same(cell, "drop of a delivered SDU", sdu.drop, WLINK_DROP_NONE);
		MUST(cell, sdu.start_ns >= sdu.arrival_ns);
		MUST(cell, sdu.end_ns >= sdu.start_ns);
		MUST(cell, sdu.due_ns >= sdu.end_ns);
		MUST(cell, sdu.whole_ns >= sdu.due_ns);
		MUST(cell, sdu.deliver_ns >= sdu.whole_ns + sdu.jitter_ns);
		MUST(cell, sdu.deliver_ns <= now_ns);
		MUST(cell, sdu.deliver_ns >= cell->due_ns);
		over(cell, &sdu);
	}
	return done;
}

void wl_cell_run(struct cell *cell, u64 until_ns)
{
	u32 stuck = 0;

	while (!cell->bad.what) {
		u64 next_ns = wl_link_next_ns(&cell->link);
		u64 was_ns = cell->now_ns;

		if (next_ns == WL_NEVER_NS || next_ns > until_ns)
			break;
		cell->due_ns = next_ns;
		wl_cell_call(cell, max(next_ns, was_ns));
		cell->due_ns = 0;
		stuck = cell->now_ns == was_ns ? stuck + 1 : 0;
		MUST(cell, stuck < STUCK_CALLS);
	}
	while (!wl_cell_call(cell, until_ns))
		;
	wl_cell_check(cell);
}
