// SPDX-License-Identifier: GPL-2.0
/* When the owner of a link has to come back. */
#include "wl_mode.h"
#include "wl_plain.h"
#include "wl_serve.h"

/* A lost SDU is due when it ends, a good one a delay later. Where SDUs may be
 * lost, one behind the first may be due before it.
 */
static u64 due_ns(const struct wl_bearer *b, u64 end_ns, bool lost)
{
	if (lost || b->air->chan.cfg.kind != WLINK_CHANNEL_NONE)
		return end_ns;
	return max(end_ns + b->cfg.delay_ns, b->last_deliver_ns);
}

/* A link with one bearer in TM need not be woken for every PDU and TTI: what it
 * does is known ahead.
 */
static u64 next_tm_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *first = b->queue.head;
	u64 next_ns = wl_bearer_event_ns(b);

	if (b->air_sdus.head)
		return min(next_ns, due_ns(b, b->air_sdus.head->end_ns,
					   b->air_sdus.head->pdus_lost));
	if (!first)
		return next_ns;
	return min(next_ns, due_ns(b, wl_serve_first_done_ns(b),
				   first->pdus_lost ||
				   (b->unit.on && b->unit.lost)));
}

static bool is_simple(const struct wl_link *link)
{
	const struct wl_bearer *b = &link->first;

	return link->bearers == 1 && !b->ops && !wl_link_shared(link) &&
	       !b->play && !b->next_play && !(b->aqm.ops && b->aqm.ops->front);
}

static noinline u64 next_ns_of(const struct wl_link *link)
{
	const struct wl_node *first = wl_heap_first(&link->events);
	u64 next_ns = link->cfg_at_ns;
	u64 start_ns = link->start_ns;

	/* A plain link leaves its heap alone. */
	if (is_simple(link)) {
		if (link->out.head)
			next_ns = min(next_ns, link->out.head->deliver_ns);
		return min(next_ns, next_tm_ns(&link->first));
	}
	if (link->out.head)
		next_ns = min(next_ns, link->out.head->deliver_ns);
	if (first)
		next_ns = min(next_ns, first->key);
	/* What a TTI carries is complete at its end at the earliest. */
	if (start_ns != WL_NEVER_NS && !link->filling)
		start_ns += wl_link_tti_ns(link);
	return min(next_ns, start_ns);
}

u64 wl_link_next_ns(const struct wl_link *link)
{
	const struct wl_unit *unit = &link->first.unit;

	if (link->inbox.head)
		return 0;
	if (wl_plain(link) &&
	    (!unit->on || unit->bytes == unit->sdu->left_bytes))
		return wl_plain_next_ns(link);
	return next_ns_of(link);
}

u64 wl_link_then_ns(const struct wl_link *link, u64 next_ns)
{
	const struct wl_sdu *sdu = link->first.pipe.head;
	const struct wl_heap *events = &link->events;
	u64 then_ns = WL_NEVER_NS;
	u32 i;

	if (!link->was_plain) {
		for (i = 2; i <= min(events->count, 3U); i++)
			then_ns = min(then_ns, events->slot[i]->key);
	} else if (sdu && sdu->next && sdu->deliver_ns == next_ns) {
		then_ns = sdu->next->deliver_ns;
	}
	return then_ns < next_ns + WL_LINK_APART_NS ? WL_NEVER_NS : then_ns;
}
