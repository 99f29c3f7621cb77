// SPDX-License-Identifier: GPL-2.0
/*
 * CoDel: the law of its drop times, and every drop of random traffic against the
 * pseudo-code of RFC 8289, which is written down here once more as it stands
 * there: with a queue of its own that it takes packets out of, in seconds.
 */
#include <math.h>

#include "ut.h"
#include "core/aqm/aqm.h"

#define MS		WL_NSEC_PER_MSEC
#define PACKETS		6000

struct bench {
	struct wl_aqm_cfg cfg;
	struct wl_aqm aqm;
	struct wl_aqm_at at;
};

static struct bench t;

static void bench(void)
{
	memset(&t, 0, sizeof(t));
	wl_aqm_default(&t.cfg, WLINK_AQM_CODEL);
	t.at.cfg = &t.cfg;
	t.at.maxth = 1000;
	wl_aqm_start(&t.aqm, &t.at);
}

static bool ask(u64 now_ns, u64 sojourn_ns, u32 bytes, u64 behind_bytes)
{
	t.at.now_ns = now_ns;
	t.at.sojourn_ns = sojourn_ns;
	t.at.bytes = bytes;
	t.at.behind_bytes = behind_bytes;
	return t.aqm.ops->front(&t.aqm, &t.at);
}

/* A queue that is always too long, looked at each tick. */
static bool standing(u64 now_ns)
{
	return ask(now_ns, 50 * MS, 1500, 100000);
}

/* From the first drop on the n-th gap is interval / sqrt(n). */
static void law(u64 interval_ns, u64 tick_ns)
{
	double due_ns = interval_ns;
	u64 drops = 0, now_ns;

	ut_begin("codel: drops are not interval / sqrt(n) apart at interval %llu us",
		 interval_ns / 1000);
	bench();
	t.cfg.interval_ns = interval_ns;
	for (now_ns = 0; drops < 500 && !ut_failed(); now_ns += tick_ns) {
		if (!standing(now_ns))
			continue;
		drops++;
		/* The first look at or after its time, which has been cut to
		 * whole ns each time.
		 */
		CHECK(now_ns >= due_ns - drops);
		CHECK(now_ns < due_ns + tick_ns + drops);
		CHECK_EQ(wl_aqm_state(&t.aqm), 1);
		due_ns += interval_ns / sqrt(drops);
	}
	CHECK_EQ(drops, 500);
}

/* RFC 8289 clause 5: a drop leads to the next only if that is too late, too. */
CASE(codel, "codel: a link that slept drops only one of those due")
{
	bench();
	CHECK(!standing(0));
	CHECK(standing(100 * MS));
	CHECK(!standing(100 * MS));
	/* Due at 200, 200 + 70.7, + 57.7 = 328.4, + 50 = 378.4. */
	CHECK(standing(350 * MS));
	CHECK(standing(350 * MS));
	CHECK(standing(350 * MS));
	CHECK(!standing(350 * MS));
	CHECK_EQ(wl_aqm_level(&t.aqm), 4);
	CHECK(!standing(378 * MS));
	CHECK(standing(379 * MS));
}

CASE(codel, "codel: a time below target counts as above, or one above as below")
{
	bench();
	CHECK(!ask(0, 5 * MS, 1500, 9000));
	/* Below once, so that the interval begins anew. */
	CHECK(!ask(50 * MS, 5 * MS - 1, 1500, 9000));
	CHECK(!ask(60 * MS, 5 * MS, 1500, 9000));
	CHECK(!ask(160 * MS - 1, 5 * MS, 1500, 9000));
	CHECK(ask(160 * MS, 5 * MS, 1500, 9000));
	CHECK_EQ(wl_aqm_state(&t.aqm), 1);
	CHECK(!ask(170 * MS, 5 * MS - 1, 1500, 9000));
	CHECK_EQ(wl_aqm_state(&t.aqm), 0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 0);
}

CASE(codel, "codel: it drops where a packet or less is behind")
{
	u64 now_ns;

	bench();
	for (now_ns = 0; now_ns < 1000 * MS; now_ns += MS)
		CHECK(!ask(now_ns, 50 * MS, 1500, 0));
	/* The largest so far, not the one at the front. */
	for (; now_ns < 2000 * MS; now_ns += MS)
		CHECK(!ask(now_ns, 50 * MS, 100, 1500));
	CHECK(!ask(now_ns, 50 * MS, 100, 1501));
	CHECK(ask(now_ns + 100 * MS, 50 * MS, 100, 1501));
}

/* Five drops, then below target; back above it, and a drop so long after one
 * would have been due.
 */
static bool again(u64 pause_ns, u32 level)
{
	u64 now_ns;

	bench();
	/* Drops at 100 200 271 329 379 ms; the next was due at 423.1. */
	for (now_ns = 0; now_ns < 400 * MS; now_ns += MS)
		standing(now_ns);
	CHECK_EQ(wl_aqm_level(&t.aqm), 5);
	CHECK(!ask(400 * MS, 0, 1500, 9000));
	now_ns = t.aqm.codel.drop_next_ns + pause_ns;
	CHECK(!standing(now_ns - 100 * MS));
	CHECK(standing(now_ns));
	return wl_aqm_level(&t.aqm) == level;
}

CASE(codel, "codel: the drop rate of the last time is lost, or kept too long")
{
	/* 5 - 1: what it was less what it was entered with. */
	CHECK(again(100 * MS, 4));
	CHECK(again(1600 * MS - 1, 4));
	CHECK(again(1600 * MS, 1));
}

CASE(codel, "codel: the most drops divide by zero")
{
	bench();
	standing(0);
	CHECK(standing(100 * MS));
	t.aqm.codel.count = U32_MAX;
	CHECK(standing(200 * MS));
	CHECK_EQ(t.aqm.codel.count, U32_MAX);
	/* 0.1 s / 2^16 */
	CHECK(standing(200 * MS + 1526));
	CHECK_EQ(t.aqm.codel.drop_next_ns, 200 * MS + 1525);
}

/* --- RFC 8289, clause 5 --- */

struct packet {
	double tstamp;
	u32 bytes;
	bool gone;
};

struct rfc {
	double target, interval;
	double first_above_time, drop_next;
	bool dropping;
	u32 count, lastcount, maxpacket;
	/* Its queue: what has arrived and has not been taken out. */
	struct packet *packets;
	u32 head, tail;
	u64 bytes;
};

struct result {
	struct packet *p;
	bool ok_to_drop;
};

static struct result dodequeue(struct rfc *q, double now)
{
	struct result r = { NULL, false };

	if (q->head == q->tail) {
		q->first_above_time = 0;
		return r;
	}
	r.p = &q->packets[q->head++];
	q->bytes -= r.p->bytes;
	if (r.p->bytes > q->maxpacket)
		q->maxpacket = r.p->bytes;
	if (now - r.p->tstamp < q->target || q->bytes <= q->maxpacket)
		q->first_above_time = 0;
	else if (q->first_above_time == 0)
		q->first_above_time = now + q->interval;
	else if (now >= q->first_above_time)
		r.ok_to_drop = true;
	return r;
}

static double control_law(const struct rfc *q, double at, u32 count)
{
	return at + q->interval / sqrt(count);
}

static struct packet *deque(struct rfc *q, double now)
{
	struct result r = dodequeue(q, now);
	u32 delta;

	if (q->dropping) {
		if (!r.ok_to_drop)
			q->dropping = false;
		while (now >= q->drop_next && q->dropping) {
			r.p->gone = true;
			++q->count;
			r = dodequeue(q, now);
			if (!r.ok_to_drop)
				q->dropping = false;
			else
				q->drop_next = control_law(q, q->drop_next, q->count);
		}
	} else if (r.ok_to_drop) {
		r.p->gone = true;
		r = dodequeue(q, now);
		q->dropping = true;
		delta = q->count - q->lastcount;
		q->count = 1;
		if (delta > 1 && now - q->drop_next < 16 * q->interval)
			q->count = delta;
		q->drop_next = control_law(q, now, q->count);
		q->lastcount = q->count;
	}
	return r.p;
}

/* --- Random traffic through both. --- */

struct story {
	struct wl_rng rng;
	u64 arrival_ns[PACKETS];
	u32 bytes[PACKETS];
	struct packet packets[PACKETS];
};

/* Busy and quiet times, of 200 packets each; the load changes with them. */
static void make(struct story *s, u64 seed)
{
	u64 now_ns = 0, gap_ns = 0;

	s->rng.state = seed;
	for (u32 i = 0; i < PACKETS; i++) {
		if (!(i % 200))
			gap_ns = 500000 + wl_rng_next(&s->rng) % 1500000;
		now_ns += wl_rng_next(&s->rng) % (2 * gap_ns);
		s->arrival_ns[i] = now_ns;
		s->bytes[i] = 64 + wl_rng_next(&s->rng) % 1437;
		s->packets[i].tstamp = now_ns / 1e9;
		s->packets[i].bytes = s->bytes[i];
		s->packets[i].gone = false;
	}
}

/* Bytes of those that have arrived and are behind the front. */
static u64 behind(const struct story *s, u32 front, u32 tail)
{
	u64 bytes = 0;

	while (++front < tail)
		bytes += s->bytes[front];
	return bytes;
}

/* A server of 5 Mbit/s, asked by both in the same moments. Return: drops. */
static u32 play(struct story *s)
{
	struct rfc q = { .target = .005, .interval = .1,
			 .packets = s->packets };
	u32 front = 0, drops = 0;
	struct packet *sent;
	u64 now_ns = 0;

	bench();
	while (front < PACKETS && !ut_failed()) {
		now_ns = max(now_ns, s->arrival_ns[front]);
		for (; q.tail < PACKETS && s->arrival_ns[q.tail] <= now_ns;
		     q.tail++)
			q.bytes += s->bytes[q.tail];
		sent = deque(&q, now_ns / 1e9);
		while (ask(now_ns, now_ns - s->arrival_ns[front],
			   s->bytes[front], behind(s, front, q.tail))) {
			CHECK(s->packets[front].gone);
			drops++;
			front++;
		}
		if (!CHECK(sent == &s->packets[front]))
			break;
		CHECK_EQ(t.aqm.codel.count, q.count);
		now_ns += s->bytes[front] * 1600;
		front++;
	}
	return drops;
}

static void as_published(void)
{
	static struct story story;
	u32 seed, drops = 0;

	for (seed = 1; seed <= 40; seed++) {
		ut_begin("codel: story %u differs from RFC 8289", seed);
		make(&story, seed);
		drops += play(&story);
	}
	ut_begin("codel: the stories do not show enough drops");
	CHECK(drops > 4000);
}

TEST(codel)
{
	law(100 * MS, 100000);
	law(20 * MS, 5000);
	as_published();
}
