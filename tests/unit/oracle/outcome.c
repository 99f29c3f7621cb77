// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"
#include "ut.h"
#include "wl_ask.h"

/* Calls that may pass without any progress of time. */
#define STUCK_CALLS	100000

static void finished(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct outcome *out = (struct outcome *)link;

	if (!CHECK(sdu->seq < SCENARIO_SDUS && !out->over[sdu->seq]))
		return;
	CHECK_EQ((size_t)sdu->cookie, sdu->seq + 1);
	out->done[sdu->seq] = *sdu;
	out->over[sdu->seq] = true;
	out->handed_ns[sdu->seq] = out->now_ns;
	out->order[out->count++] = sdu->seq;
}

static void note(struct wl_link *link, u64 at_ns, char what, u64 value)
{
	struct outcome *out = (struct outcome *)link;

	CHECK(at_ns <= out->now_ns);
	if (out->note_count < SCENARIO_NOTES)
		out->notes[out->note_count++] = (struct note){
			at_ns, out->now_ns, what, value };
}

static void rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps)
{
	CHECK_EQ(b->cfg.rate_bps, new_bps);
	note(link, at_ns, 'r', new_bps);
}

static void channel_changed(struct wl_link *link, const struct wl_bearer *b,
			    u64 at_ns, bool bad)
{
	note(link, at_ns, 'c', bad);
}

static const struct wl_link_ops ops = {
	.dropped = finished,
	.rate_changed = rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = channel_changed,
};

void outcome_init(struct outcome *out, const struct wl_cfg *cfg, u64 now_ns)
{
	memset(out, 0, sizeof(*out));
	out->now_ns = now_ns;
	wl_link_init(&out->link, cfg, now_ns, &ops);
	wl_link_add_sdus(&out->link, out->sdus, SCENARIO_SDUS);
	out->bad0 = out->link.air.chan.bad;
}

void outcome_send(struct outcome *out, u64 now_ns, u32 bytes)
{
	size_t cookie = out->sent + 1;

	out->sent++;
	wl_link_enqueue(&out->link, &out->link.first, now_ns, (void *)cookie,
			bytes, WL_ECN_NOT_ECT);
}

/* Counts a list; numbers must grow along all lists from the far side back. */
static u32 walk(const struct wl_fifo *fifo, u64 *bytes, u64 *next_seq)
{
	const struct wl_sdu *sdu;
	u32 count = 0;

	for (sdu = fifo->head; sdu; sdu = sdu->next) {
		CHECK(sdu->seq >= *next_seq);
		*next_seq = sdu->seq + 1;
		*bytes += sdu->bytes;
		count++;
	}
	return count;
}

void outcome_check(const struct outcome *out)
{
	const struct wl_stats *stats = &out->link.first.stats;
	u64 dropped = 0, bytes = 0, buffered = 0, seq = 0;
	const struct wl_link *link = &out->link;
	const struct wl_bearer *b = &link->first;
	u32 pipe, buffer, inbox, pool = 0;
	const struct wl_sdu *sdu;

	for (int i = 0; i < __WLINK_DROP_MAX; i++)
		dropped += stats->drops[i];
	CHECK_EQ(stats->drops[WLINK_DROP_NONE], 0);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_IN], stats->v[WLINK_STAT_SDUS_DELIVERED] + dropped +
		 stats->v[WLINK_STAT_SDUS_HELD]);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_IN], stats->v[WLINK_STAT_BYTES_DELIVERED] +
		 stats->v[WLINK_STAT_BYTES_DROPPED] + stats->v[WLINK_STAT_BYTES_HELD]);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED] + dropped, out->count);

	pipe = walk(&b->pipe, &bytes, &seq);
	buffer = walk(&b->air_sdus, &buffered, &seq);
	buffer += walk(&b->queue, &buffered, &seq);
	for (sdu = link->out.head; sdu; sdu = sdu->out_next) {
		pipe++;
		bytes += sdu->bytes;
	}
	inbox = walk(&link->inbox, &bytes, &seq);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS], buffer);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_BYTES], buffered);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_HELD], pipe + buffer + inbox);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_HELD], bytes + buffered);
	CHECK(stats->v[WLINK_STAT_BUFFER_SDUS_MAX] >= stats->v[WLINK_STAT_BUFFER_SDUS]);
	CHECK(stats->v[WLINK_STAT_BUFFER_BYTES_MAX] >= stats->v[WLINK_STAT_BUFFER_BYTES]);
	CHECK(stats->v[WLINK_STAT_PDUS_LOST] <= stats->v[WLINK_STAT_PDUS_SENT]);
	for (sdu = link->pool; sdu; sdu = sdu->next)
		pool++;
	CHECK_EQ(link->descriptors, pool + stats->v[WLINK_STAT_SDUS_HELD]);
}

bool outcome_call(struct outcome *out, u64 now_ns)
{
	struct wl_sdu sdu;
	bool done;

	out->now_ns = now_ns;
	out->calls++;
	done = wl_link_advance(&out->link, now_ns);
	outcome_check(out);
	while (wl_link_pop(&out->link, &sdu)) {
		CHECK_EQ(sdu.drop, WLINK_DROP_NONE);
		finished(&out->link, &sdu);
	}
	outcome_check(out);
	return done;
}

void outcome_run(struct outcome *out, u64 until_ns)
{
	u32 stuck = 0;

	for (;;) {
		u64 next_ns = wl_link_next_ns(&out->link);
		u64 was_ns = out->now_ns;

		if (next_ns == WL_NEVER_NS || next_ns > until_ns)
			return;
		outcome_call(out, max(next_ns, was_ns));
		stuck = out->now_ns == was_ns ? stuck + 1 : 0;
		if (!CHECK(stuck < STUCK_CALLS))
			return;
	}
}

void outcome_print(const struct outcome *out, FILE *file)
{
	const struct wl_stats *stats = &out->link.first.stats;

	for (u32 i = 0; i < out->count; i++) {
		const struct wl_sdu *sdu = &out->done[i];

		fprintf(file, "sdu %llu %llu %lld %llu %llu %u %u %u %u\n",
			sdu->seq, sdu->arrival_ns, (s64)sdu->start_ns,
			sdu->end_ns, sdu->drop ? 0 : sdu->deliver_ns,
			sdu->drop, sdu->pdus, sdu->pdus_lost, sdu->generation);
	}
	fprintf(file, "stats %llu %llu %llu %llu %llu\n", stats->v[WLINK_STAT_PDUS_SENT],
		stats->v[WLINK_STAT_PDUS_LOST], stats->v[WLINK_STAT_AIR_BYTES],
		stats->v[WLINK_STAT_BUFFER_SDUS_MAX],
		stats->v[WLINK_STAT_BUFFER_BYTES_MAX]);
}
