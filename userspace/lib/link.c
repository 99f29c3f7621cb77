// SPDX-License-Identifier: GPL-2.0
/*
 * The engine behind wlink.h, as the module's change/ and message/tc.c have it: a configuration
 * is read on top of what its bearer is to be, judged, and has its memory before it is committed.
 * Nothing is taken away from a bearer as long as it lives: memory grows only.
 */
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <wlink/names.h>

#include "core/buffer/sdu.h"
#include "core/link.h"
#include "core/mac/grid.h"
#include "lib.h"
#include "netlink/attr.h"
#include "netlink/counters.h"
#include "netlink/kept.h"
#include "netlink/options.h"

#define TIME_MAX_NS	(1ULL << 62)
#define BLOCK_SDUS	32U

/**
 * struct item - a packet in the engine, its cookie there
 * @next: next that is over, or is free
 * @other: the second of two, or the first, as long as neither is over
 * @sdu: what the caller gets
 */
struct item {
	struct item *next;
	struct item *other;
	struct wlink_sdu sdu;
};

/**
 * struct items - some of them in order
 * @head: first, NULL for none
 * @tail: last, undefined for none
 */
struct items {
	struct item *head;
	struct item *tail;
};

/**
 * struct block - descriptors
 * @next: next block
 * @sdus: they
 */
struct block {
	struct block *next;
	struct wl_sdu sdus[];
};

/**
 * struct bearer - a bearer and what it is to be
 * @next: next one
 * @b: the engine's
 * @target: after all changes that wait
 * @delay_ns: the longest it has had: what has been sent so may still be on its way
 * @sdus: the most descriptors that it has accounted for
 * @own: @b, but of bearer 1
 */
struct bearer {
	struct bearer *next;
	struct wl_bearer *b;
	struct wl_cfg target;
	u64 delay_ns;
	u32 sdus;
	struct wl_bearer own;
};

/**
 * struct wlink - a link
 * @link: the engine; must be first
 * @first: bearer 1; the others follow in no order
 * @now_ns: the caller's
 * @kept: profiles and distributions of all configurations so far
 * @nodes: memory of the heaps
 * @blocks: descriptors
 * @most: how many of them there may be
 * @dropped: packets that the engine has dropped since it was called last
 * @over: packets that the caller has not taken
 * @unused: items
 * @pending: changes that wait
 * @error: of the last call that failed
 */
struct wlink {
	struct wl_link link;
	struct bearer first;
	u64 now_ns;
	struct wl_kept *kept;
	struct wl_node **nodes;
	struct block *blocks;
	u32 most;
	struct items dropped;
	struct items over;
	struct item *unused;
	u32 pending;
	char error[WLINK_ERROR_BYTES];
};

/**
 * struct change - a change that waits
 * @pending: the engine's; must be first
 * @part: the one bearer of it
 */
struct change {
	struct wl_pending pending;
	struct wl_pending_part part;
};

__printf(2, 3)
static int refuse(struct wlink *link, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(link->error, sizeof(link->error), format, args);
	va_end(args);
	return -1;
}

static int refuse_value(struct wlink *link, u32 bearer, const struct wl_refusal *why)
{
	return refuse(link, "bearer %u: %s %llu %s is outside %llu..%llu", bearer, why->what,
		      why->value, why->unit ? why->unit : "", why->min, why->max);
}

/* --- Packets. --- */

static void push(struct items *items, struct item *item)
{
	item->next = NULL;
	if (items->head)
		items->tail->next = item;
	else
		items->head = item;
	items->tail = item;
}

static struct item *pop(struct items *items)
{
	struct item *item = items->head;

	if (item)
		items->head = item->next;
	return item;
}

static void give_item(struct wlink *link, struct item *item)
{
	item->next = link->unused;
	link->unused = item;
}

static struct item *take_item(struct wlink *link)
{
	struct item *item = link->unused;

	if (!item)
		return calloc(1, sizeof(*item));
	link->unused = item->next;
	return item;
}

static void grow(struct wlink *link)
{
	struct block *block;
	u32 count;

	if (link->link.pool || link->link.descriptors >= link->most)
		return;
	count = min(BLOCK_SDUS, link->most - link->link.descriptors);
	block = calloc(1, sizeof(*block) + count * sizeof(block->sdus[0]));
	if (!block)
		return;
	block->next = link->blocks;
	link->blocks = block;
	wl_link_add_sdus(&link->link, block->sdus, count);
}

static void tell(struct wlink_sdu *to, const struct wl_sdu *sdu)
{
	static const char *const drops[__WLINK_DROP_MAX] = { WL_DROPS(WL_NAME) };

	*to = (struct wlink_sdu){
		.cookie = to->cookie, .drop = drops[sdu->drop],
		.arrival_ns = sdu->arrival_ns, .at_ns = sdu->deliver_ns,
		.bearer = sdu->owner->number, .bytes = sdu->bytes,
		.pdus = sdu->pdus, .pdus_lost = sdu->pdus_lost, .retx = sdu->retx,
		.buffer_sdus = sdu->buffer_sdus, .generation = sdu->generation,
		.ecn = sdu->ecn & WL_ECN_MASK, .marked = !!(sdu->ecn & WL_ECN_MARKED),
		.errors = sdu->errors, .copy = !!(sdu->impaired & WLINK_IMPAIRED_COPY),
	};
	if (sdu->drop)
		return;
	to->queue_ns = wl_sdu_queue_ns(sdu);
	to->serial_ns = wl_sdu_serial_ns(sdu);
	to->prop_ns = wl_sdu_prop_ns(sdu);
	to->retx_ns = wl_sdu_retx_ns(sdu);
	to->hol_ns = wl_sdu_hol_ns(sdu);
	to->access_ns = wl_sdu_access_ns(sdu);
	to->jitter_ns = sdu->jitter_ns;
}

/* --- What the engine says. --- */

static void on_dropped(struct wl_link *engine, const struct wl_sdu *sdu)
{
	struct wlink *link = (struct wlink *)engine;
	struct item *item = sdu->cookie;

	tell(&item->sdu, sdu);
	push(&link->dropped, item);
}

static void *on_duplicate(struct wl_link *engine, const struct wl_sdu *sdu)
{
	struct wlink *link = (struct wlink *)engine;
	struct item *first = sdu->cookie;
	struct item *item;

	grow(link);
	item = engine->pool ? take_item(link) : NULL;
	if (!item)
		return NULL;
	item->sdu.cookie = first->sdu.cookie;
	item->other = first;
	first->other = item;
	return item;
}

static void on_applied(struct wl_link *engine, struct wl_pending *txn, u64 at_ns)
{
	((struct wlink *)engine)->pending--;
	free(txn);
}

static void on_rate(struct wl_link *engine, const struct wl_bearer *b, u64 at_ns,
		    u64 old_bps, u64 new_bps)
{
}

static void on_channel(struct wl_link *engine, const struct wl_bearer *b, u64 at_ns, bool bad)
{
}

static void free_schedule(struct wl_schedule *s)
{
	if (s)
		free(s->first);
	free(s);
}

static void on_schedule(struct wl_link *engine, struct wl_bearer *b, struct wl_schedule *s,
			u64 at_ns)
{
	if (s->state == WLINK_SCHEDULE_STATE_NONE)
		free_schedule(s);
}

static void on_granted(struct wl_link *engine, const struct wl_bearer *b, u64 at_ns, u64 bytes,
		       u64 used_bytes)
{
}

static const struct wl_link_ops ops = {
	.dropped = on_dropped,
	.duplicate = on_duplicate,
	.applied = on_applied,
	.rate_changed = on_rate,
	.channel_changed = on_channel,
	.schedule_changed = on_schedule,
	.granted = on_granted,
};

/* --- Bearers. --- */

static struct bearer *find(struct wlink *link, u32 number)
{
	struct bearer *bearer;

	for (bearer = &link->first; bearer; bearer = bearer->next)
		if (bearer->b->number == number)
			return bearer;
	refuse(link, "there is no bearer %u", number);
	return NULL;
}

/* As wl_memory_need() and wl_memory_give(); a schedule that is to be lies over it, too. */
static int make_room(struct wlink *link, struct bearer *bearer, const struct wl_cfg *cfg,
		     const struct wl_schedule *added)
{
	const struct wl_schedule *const over[] = {
		bearer->b->schedule, bearer->b->next_schedule, added,
	};
	struct wl_cfg most = *cfg;
	struct wl_refusal why;
	struct wl_rings need;
	void *mem, *old;
	size_t i;
	u32 sdus;

	for (i = 0; i < ARRAY_SIZE(over); i++) {
		if (over[i] && wl_schedule_fits(over[i], cfg, &why))
			return refuse_value(link, bearer->b->number, &why);
		wl_schedule_most(over[i], &most);
	}
	most.delay_ns = max(most.delay_ns, bearer->delay_ns);
	sdus = max(bearer->sdus, wl_cfg_sdus(&most));
	wl_bearer_need(bearer->b, &most, &need);
	if (!wl_rings_fits(&bearer->b->rings, &need)) {
		mem = calloc(1, need.bytes);
		if (!mem)
			return refuse(link, "no memory for %llu bytes of windows",
				      (u64)need.bytes);
		wl_rings_place(&need, mem);
		old = bearer->b->rings.mem;
		wl_bearer_move(bearer->b, &need, WL_RINGS_RECORDS_MAX);
		free(old);
	}
	link->most += sdus - bearer->sdus;
	bearer->sdus = sdus;
	bearer->delay_ns = most.delay_ns;
	return 0;
}

static int parse(struct wlink *link, struct wl_cfg *cfg, u32 number, const char *words,
		 struct wl_options_said *said)
{
	struct netlink_ext_ack extack = { 0 };
	void *options = lib_words(words, number > 1, said->fresh, link->error);
	int err;

	if (!options)
		return -1;
	err = wl_options_parse(cfg, &link->kept, TC_H_MAKE(0x10000, number), options, said,
			       &extack);
	if (err)
		refuse(link, "%s", extack._msg ? extack._msg + strlen("wlink: ") : strerror(-err));
	else if (said->at)
		err = refuse(link, "at is an argument of the library's calls");
	free(options);
	return err ? -1 : 0;
}

/* A configuration of the link, which all bearers follow, has to suit another one. */
static int suits(struct wlink *link, struct bearer *bearer, struct wl_cfg *cfg,
		 const struct wl_cfg *link_cfg, const struct wl_schedule *added)
{
	struct wl_refusal why;

	wl_cfg_copy_link(cfg, link_cfg);
	if (wl_cfg_check(cfg, &why))
		return refuse_value(link, bearer->b->number, &why);
	return make_room(link, bearer, cfg, added);
}

/* What is over is the caller's at once, so a bearer that is deleted keeps none of it. */
static void advance(struct wlink *link)
{
	struct wl_sdu *sdu;
	struct item *item;

	while (!wl_link_advance(&link->link, link->now_ns))
		;
	for (;;) {
		sdu = wl_link_due(&link->link);
		item = link->dropped.head;
		if (item && (!sdu || item->sdu.at_ns <= sdu->deliver_ns)) {
			pop(&link->dropped);
		} else if (sdu) {
			item = sdu->cookie;
			tell(&item->sdu, sdu);
			wl_link_hand_over(&link->link, sdu);
		} else {
			break;
		}
		item->sdu.more = !!item->other;
		if (item->other)
			item->other->other = NULL;
		item->other = NULL;
		push(&link->over, item);
	}
}

static int set_clock(struct wlink *link, u64 now_ns)
{
	if (now_ns < link->now_ns)
		return refuse(link, "time goes back: %llu ns is before %llu ns", now_ns,
			      link->now_ns);
	if (now_ns > TIME_MAX_NS)
		return refuse(link, "time %llu ns is above %llu ns", now_ns, TIME_MAX_NS);
	link->now_ns = now_ns;
	return 0;
}

/* --- The calls of wlink.h. --- */

static int begin(struct wlink *link, const char *words, u64 now_ns)
{
	struct wl_options_said said = { .fresh = true };
	struct bearer *first = &link->first;

	if (set_clock(link, now_ns))
		return -1;
	first->b = &link->link.first;
	wl_cfg_default(&first->target);
	if (parse(link, &first->target, 1, words, &said))
		return -1;
	wl_link_init(&link->link, &first->target, now_ns, &ops);
	return make_room(link, first, &first->target, NULL);
}

struct wlink *wlink_new(const char *words, uint64_t now_ns, char *error)
{
	struct wlink *link = calloc(1, sizeof(*link));

	if (link && !begin(link, words, now_ns))
		return link;
	if (error)
		snprintf(error, WLINK_ERROR_BYTES, "%s", link ? link->error : "no memory");
	wlink_free(link);
	return NULL;
}

static void free_items(struct item *item)
{
	struct item *next;

	for (; item; item = next) {
		next = item->next;
		free(item);
	}
}

static void free_bearer(struct wl_bearer *b)
{
	free_schedule(b->schedule);
	free_schedule(b->next_schedule);
	free(b->rings.mem);
}

void wlink_free(struct wlink *link)
{
	struct wl_pending *txn, *next_txn;
	struct bearer *bearer, *next;
	struct wl_kept *kept;
	struct block *block;

	if (!link)
		return;
	/* All that is held is dropped; a link without words has never begun. */
	if (link->link.ops)
		wl_link_flush(&link->link, link->now_ns);
	free_items(link->dropped.head);
	free_items(link->over.head);
	free_items(link->unused);
	for (txn = link->link.pending; txn; txn = next_txn) {
		next_txn = txn->next;
		free(txn);
	}
	free_bearer(&link->link.first);
	for (bearer = link->first.next; bearer; bearer = next) {
		next = bearer->next;
		free_bearer(&bearer->own);
		free(bearer);
	}
	while ((kept = link->kept)) {
		link->kept = kept->next;
		free(kept);
	}
	while ((block = link->blocks)) {
		link->blocks = block->next;
		free(block);
	}
	free(link->nodes);
	free(link);
}

const char *wlink_error(const struct wlink *link)
{
	return link->error;
}

/* It has to suit the link as it is, and as changes that wait will make it. */
static int suits_pending(struct wlink *link, struct bearer *bearer, struct wl_cfg cfg,
			 const struct wl_schedule *added)
{
	const struct wl_pending_part *part;
	const struct wl_pending *txn;

	if (suits(link, bearer, &cfg, &link->link.first.cfg, added))
		return -1;
	for (txn = link->link.pending; txn; txn = txn->next) {
		part = &txn->part[0];
		if (part->b == bearer->b)
			cfg = part->cfg;
		if ((part->b == bearer->b || part->b == &link->link.first) &&
		    suits(link, bearer, &cfg, &part->cfg, added))
			return -1;
	}
	return 0;
}

static int insert(struct wlink *link, struct bearer *bearer, u32 number)
{
	u32 bearers = link->link.bearers + 1;
	struct wl_node **nodes = malloc(2 * (bearers + 1) * sizeof(*nodes));
	struct wl_cfg cfg = bearer->target;

	if (!nodes)
		return refuse(link, "no memory for a bearer");
	wl_link_give_heaps(&link->link, nodes, bearers);
	free(link->nodes);
	link->nodes = nodes;
	wl_cfg_copy_link(&cfg, &link->link.first.cfg);
	wl_link_add_bearer(&link->link, bearer->b, (u16)number, &cfg, link->now_ns);
	bearer->next = link->first.next;
	link->first.next = bearer;
	advance(link);
	return 0;
}

static int refuse_number(struct wlink *link, u32 number)
{
	const struct bearer *bearer;

	if (number < 2 || number > WLINK_BEARERS_MAX)
		return refuse(link, "bearer %u is outside 2..%u", number, WLINK_BEARERS_MAX);
	for (bearer = link->first.next; bearer; bearer = bearer->next)
		if (bearer->b->number == number)
			return refuse(link, "bearer %u is there already", number);
	return 0;
}

int wlink_add(struct wlink *link, unsigned int number, const char *words)
{
	struct wl_options_said said = { .fresh = true };
	struct bearer *bearer;
	u32 most = link->most;

	if (refuse_number(link, number))
		return -1;
	bearer = calloc(1, sizeof(*bearer));
	if (!bearer)
		return refuse(link, "no memory for a bearer");
	bearer->b = &bearer->own;
	bearer->own.number = (u16)number;
	bearer->target = link->first.target;
	bearer->target.channel = (struct wl_chan_cfg){ .kind = WLINK_CHANNEL_LINK };
	bearer->target.gbr_bps = 0;
	if (!parse(link, &bearer->target, number, words, &said) &&
	    !make_room(link, bearer, &bearer->target, NULL) &&
	    !suits_pending(link, bearer, bearer->target, NULL) &&
	    !insert(link, bearer, number))
		return 0;
	link->most = most;
	free_bearer(&bearer->own);
	free(bearer);
	return -1;
}

int wlink_delete(struct wlink *link, unsigned int number)
{
	struct bearer *bearer = find(link, number), **at;

	if (!bearer)
		return -1;
	if (bearer == &link->first)
		return refuse(link, "bearer 1 is there as long as its link");
	wl_link_clear(&link->link, bearer->b, link->now_ns);
	while (bearer->b->leave_for)
		wl_link_advance(&link->link, link->now_ns);
	wl_link_del_bearer(&link->link, bearer->b, link->now_ns);
	for (at = &link->first.next; *at != bearer; at = &(*at)->next)
		;
	*at = bearer->next;
	link->most -= bearer->sdus;
	free_bearer(&bearer->own);
	free(bearer);
	advance(link);
	return 0;
}

static int judge_others(struct wlink *link, const struct bearer *changed, const struct wl_cfg *cfg)
{
	struct bearer *bearer;
	struct wl_cfg other;

	if (changed != &link->first || wl_cfg_same_link(cfg, &link->first.target))
		return 0;
	for (bearer = link->first.next; bearer; bearer = bearer->next) {
		other = bearer->target;
		if (suits(link, bearer, &other, cfg, NULL))
			return -1;
	}
	return 0;
}

/* Of a change and of a schedule: 0 is now, and ~0 no time. */
static int judge_ahead(struct wlink *link, u64 *at_ns)
{
	if (*at_ns <= link->now_ns)
		*at_ns = WLINK_AT_NOW;
	if (wl_at_is_time(*at_ns) && *at_ns - link->now_ns > WLINK_AHEAD_MAX)
		return refuse(link, "at %llu ns is more than %llu ns ahead", *at_ns,
			      WLINK_AHEAD_MAX);
	return 0;
}

static int judge_time(struct wlink *link, u64 *at_ns)
{
	const struct wl_pending *last = link->link.pending;
	u64 from_ns;

	if (judge_ahead(link, at_ns))
		return -1;
	if (link->pending >= WLINK_PENDING_MAX)
		return refuse(link, "%u changes wait, there may be no more", link->pending);
	while (last && last->next)
		last = last->next;
	from_ns = wl_link_from_ns(&link->link, link->now_ns, *at_ns);
	if (last && from_ns < last->from_ns)
		return refuse(link, "a change waits for %llu ns, none may come before it",
			      wl_grid_ns(&link->link, last->from_ns));
	return 0;
}

static void commit(struct wlink *link, struct bearer *bearer, struct change *change, u64 at_ns)
{
	bearer->target = change->part.cfg;
	if (bearer == &link->first)
		for (bearer = link->first.next; bearer; bearer = bearer->next)
			wl_cfg_copy_link(&bearer->target, &link->first.target);
	link->pending++;
	wl_link_commit(&link->link, link->now_ns, at_ns, &change->pending);
	advance(link);
}

int wlink_set(struct wlink *link, unsigned int number, const char *words, uint64_t at_ns)
{
	struct bearer *bearer = find(link, number);
	struct wl_options_said said = { 0 };
	u64 from_ns = at_ns;
	struct change *change;
	struct wl_cfg *cfg;

	if (!bearer)
		return -1;
	change = calloc(1, sizeof(*change));
	if (!change)
		return refuse(link, "no memory for a change");
	cfg = &change->part.cfg;
	*cfg = bearer->target;
	if (parse(link, cfg, number, words, &said) || judge_time(link, &from_ns) ||
	    judge_others(link, bearer, cfg) || make_room(link, bearer, cfg, NULL)) {
		free(change);
		return -1;
	}
	change->part.b = bearer->b;
	change->part.number = bearer->b->number;
	change->pending.part = &change->part;
	change->pending.count = 1;
	change->pending.reseed = said.reseed && bearer == &link->first;
	commit(link, bearer, change, from_ns);
	return 0;
}

static struct wl_schedule *read_schedule(struct wlink *link, const char *text)
{
	struct wl_schedule *s = calloc(1, sizeof(*s));
	struct wl_steps *steps;
	struct lib_schedule file;

	if (lib_schedule(text, &file, link->error)) {
		free(s);
		return NULL;
	}
	steps = malloc(sizeof(*steps) + file.words * sizeof(u64));
	if (s && steps) {
		wl_schedule_init(s, file.columns);
		s->end = file.end;
		s->length_ns = file.length_ns;
		steps->next = NULL;
		steps->count = file.words / s->width;
		memcpy(steps->word, file.word, file.words * sizeof(u64));
		wl_schedule_add(s, steps);
	} else {
		refuse(link, "no memory for %u words of steps", file.words);
		free(steps);
		free(s);
		s = NULL;
	}
	free(file.word);
	return s;
}

int wlink_schedule(struct wlink *link, unsigned int number, const char *text, uint64_t at_ns)
{
	struct bearer *bearer = find(link, number);
	struct wl_schedule *s;
	u64 start_ns = at_ns;
	struct wl_bearer *b;

	if (!bearer || judge_ahead(link, &start_ns))
		return -1;
	b = bearer->b;
	if (!text) {
		free_schedule(wl_link_stop(&link->link, b, link->now_ns));
		advance(link);
		return 0;
	}
	s = read_schedule(link, text);
	if (!s)
		return -1;
	if (suits_pending(link, bearer, b->schedule ? b->schedule->base : b->cfg, s)) {
		free_schedule(s);
		return -1;
	}
	s->start_ns = start_ns;
	free_schedule(wl_link_schedule(&link->link, b, s, link->now_ns));
	advance(link);
	return 0;
}

int wlink_enqueue(struct wlink *link, unsigned int number, uint64_t now_ns, uint32_t bytes,
		  unsigned int ecn, uint64_t cookie)
{
	struct bearer *bearer = find(link, number);
	struct item *item;

	if (!bearer)
		return -1;
	if (!bytes || bytes > WL_SDU_BYTES_MAX)
		return refuse(link, "%u bytes are outside 1..%u", bytes, WL_SDU_BYTES_MAX);
	if (ecn > WL_ECN_MASK)
		return refuse(link, "ecn %u is outside 0..%u", ecn, WL_ECN_MASK);
	if (set_clock(link, now_ns))
		return -1;
	item = take_item(link);
	if (!item)
		return refuse(link, "no memory for a packet");
	item->sdu.cookie = cookie;
	grow(link);
	wl_link_enqueue(&link->link, bearer->b, now_ns, item, bytes, (u8)ecn);
	advance(link);
	return 0;
}

int wlink_advance(struct wlink *link, uint64_t now_ns)
{
	if (set_clock(link, now_ns))
		return -1;
	advance(link);
	return 0;
}

int wlink_due(struct wlink *link, struct wlink_sdu *sdu)
{
	struct item *item = pop(&link->over);

	if (!item)
		return 0;
	*sdu = item->sdu;
	give_item(link, item);
	return 1;
}

uint64_t wlink_next_event(const struct wlink *link)
{
	if (link->over.head)
		return link->now_ns;
	/* It looks at which bearers have been touched, and changes nothing else. */
	return max(wl_link_next_ns((struct wl_link *)&link->link), link->now_ns);
}

int wlink_counters(struct wlink *link, unsigned int number, struct wlink_counter *counters,
		   unsigned int room)
{
	const struct bearer *bearer = find(link, number);
	struct wl_stats sum = { 0 };
	const struct wl_bearer *b;

	if (!bearer)
		return -1;
	b = bearer->b;
	wl_counters_add(&sum, b);
	wl_counters_now(&sum, b, &b->air->chan);
	wl_counters_end(&sum);
	if (bearer == &link->first)
		sum.v[WLINK_STAT_PENDING] = link->pending;
	return (int)lib_name_stats((const uint64_t *)sum.v, b->cfg.aqm.kind, counters, room);
}
