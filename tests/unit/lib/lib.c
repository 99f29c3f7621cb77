// SPDX-License-Identifier: GPL-2.0
/*
 * The library, wlink.h: what its calls say and refuse. What the engine makes of packets is
 * everybody else's to test.
 */
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "ut.h"
#include "wlink.h"

/* 1000 bytes take 8 ms. */
#define WORDS	"rate 1mbit delay 5ms limit 3"

static struct wlink *link_of(const char *words)
{
	char error[WLINK_ERROR_BYTES];
	struct wlink *link = wlink_new(words, 0, error);

	if (!link)
		ut_check(false, UT_WHERE, "%s: %s", words, error);
	return link;
}

static void refused(struct wlink *link, int status, const char *where, const char *wanted)
{
	ut_check(status == -1, where, "it is not refused: %s", wanted);
	ut_check(!strcmp(wlink_error(link), wanted), where, "\"%s\" is not \"%s\"",
		 wlink_error(link), wanted);
}

#define REFUSED(call, wanted) refused(link, call, UT_WHERE, wanted)

static u64 stat_of(struct wlink *link, u32 bearer, const char *name)
{
	struct wlink_counter stats[128];
	int i, count = wlink_counters(link, bearer, stats, ARRAY_SIZE(stats));

	CHECK(count > 0 && count <= (int)ARRAY_SIZE(stats));
	for (i = 0; i < count; i++)
		if (!strcmp(stats[i].name, name))
			return stats[i].value;
	ut_check(false, UT_WHERE, "there is no counter %s", name);
	return 0;
}

/* Each event at the time that the library itself says. */
static u32 drain(struct wlink *link, u64 until_ns, struct wlink_sdu *sdus, u32 room)
{
	u64 next_ns;
	u32 count = 0;

	for (;;) {
		while (count < room && wlink_due(link, &sdus[count]))
			count++;
		next_ns = wlink_next_event(link);
		if (next_ns > until_ns)
			return count;
		CHECK_EQ(wlink_advance(link, next_ns), 0);
	}
}

CASE(lib, "lib: parts of a delay, a drop for the limit, counters")
{
	struct wlink_sdu sdus[8];
	struct wlink *link = link_of(WORDS);

	CHECK_EQ(wlink_next_event(link), WLINK_NEVER);
	for (u32 i = 0; i < 4; i++)
		CHECK_EQ(wlink_enqueue(link, 1, 0, 1000, 2, i), 0);
	CHECK_EQ(wlink_next_event(link), 0);
	CHECK_EQ(drain(link, WL_SEC, sdus, ARRAY_SIZE(sdus)), 4);
	CHECK(!strcmp(sdus[0].drop, "overflow"));
	CHECK_EQ(sdus[0].cookie, 3);
	CHECK_EQ(sdus[0].at_ns, 0);
	for (u32 i = 0; i < 3; i++) {
		CHECK(!sdus[i + 1].drop);
		CHECK_EQ(sdus[i + 1].cookie, i);
		CHECK_EQ(sdus[i + 1].at_ns, (8 * i + 13) * WL_MS);
		CHECK_EQ(sdus[i + 1].queue_ns, 8 * i * WL_MS);
		CHECK_EQ(sdus[i + 1].serial_ns, 8 * WL_MS);
		CHECK_EQ(sdus[i + 1].prop_ns, 5 * WL_MS);
		CHECK_EQ(sdus[i + 1].buffer_sdus, i + 1);
		CHECK_EQ(sdus[i + 1].ecn, 2);
	}
	CHECK_EQ(stat_of(link, 1, "sdus_in"), 4);
	CHECK_EQ(stat_of(link, 1, "sdus_delivered"), 3);
	CHECK_EQ(stat_of(link, 1, "drops.overflow"), 1);
	CHECK_EQ(stat_of(link, 1, "why.serial.sum_ns"), 24 * WL_MS);
	CHECK_EQ(stat_of(link, 1, "rate_bps"), 1000000);
	/* One of 13 ms and two of 21 and 29 ms, which are in the bin from 2^24 to 2^25 ns. */
	CHECK_EQ(stat_of(link, 1, "why.total.p50_ns"), (1 << 24) + (1 << 22));
	wlink_set(link, 1, "delay 6ms", 2 * WL_SEC);
	CHECK_EQ(stat_of(link, 1, "pending"), 1);
	wlink_free(link);
}

/* What the engine says of the same link when its owner is wl_cell.c. */
CASE(lib, "lib: a lossy bearer is what it is without the library")
{
	static const char words[] =
		"mode am rate 384kbit tti 10ms delay 25ms pdu 40 seed 7 channel uniform loss 0.1";
	static struct wlink_sdu sdus[40];
	static struct cell cell;
	struct wlink *link = link_of(words);
	u32 i, count;

	cell_init(&cell, (const struct wl_cfg *)&((const struct wl_link *)link)->first.cfg, 0);
	cell_send(&cell, 1, 1000, ARRAY_SIZE(sdus));
	for (i = 0; i < ARRAY_SIZE(sdus); i++)
		CHECK_EQ(wlink_enqueue(link, 1, 0, 1000, 0, i), 0);
	cell_run(&cell, 20 * WL_SEC);
	count = drain(link, 20 * WL_SEC, sdus, ARRAY_SIZE(sdus));
	CHECK_EQ(count, ARRAY_SIZE(sdus));
	CHECK(stat_of(link, 1, "pdus_retx") > 0);
	for (i = 0; i < count; i++) {
		const struct wl_sdu *sdu = &cell.done[sdus[i].cookie].sdu;

		CHECK_EQ(sdus[i].at_ns, sdu->deliver_ns);
		CHECK_EQ(sdus[i].pdus, sdu->pdus);
		CHECK_EQ(sdus[i].queue_ns + sdus[i].serial_ns + sdus[i].prop_ns + sdus[i].retx_ns +
			 sdus[i].hol_ns, sdus[i].at_ns - sdus[i].arrival_ns);
	}
	wlink_free(link);
}

CASE(lib, "lib: changes at their times, in order")
{
	struct wlink *link = link_of(WORDS);
	struct wlink_sdu sdus[4];

	CHECK_EQ(wlink_set(link, 1, "rate 2mbit", 4 * WL_MS), 0);
	REFUSED(wlink_set(link, 1, "rate 3mbit", 3 * WL_MS),
		"a change waits for 4000000 ns, none may come before it");
	REFUSED(wlink_set(link, 1, "rate 3mbit", 1ULL << 61),
		"at 2305843009213693952 ns is more than 315360000000000000 ns ahead");
	REFUSED(wlink_set(link, 1, "rate 3mbit at now", WLINK_NEXT),
		"at is an argument of the library's calls");
	CHECK_EQ(wlink_enqueue(link, 1, 0, 1000, 0, 1), 0);
	CHECK_EQ(drain(link, WL_SEC, sdus, ARRAY_SIZE(sdus)), 1);
	/* Half of it at 1 Mbit/s, half at 2. */
	CHECK_EQ(sdus[0].at_ns, 11 * WL_MS);
	CHECK_EQ(sdus[0].generation, 1);
	CHECK_EQ(wlink_set(link, 1, "mode am delay 1s tti 2ms limit 20", 0), 0);
	CHECK_EQ(wlink_set(link, 1, "rate 5mbit", WLINK_NEXT), 0);
	CHECK_EQ(wlink_enqueue(link, 1, WL_SEC, 1000, 0, 2), 0);
	CHECK_EQ(drain(link, 9 * WL_SEC, sdus, ARRAY_SIZE(sdus)), 1);
	CHECK(sdus[0].prop_ns == WL_SEC);
	CHECK_EQ(stat_of(link, 1, "rate_bps"), 5000000);
	/* One that waits is freed with its link. */
	CHECK_EQ(wlink_set(link, 1, "rate 1mbit", 99 * WL_SEC), 0);
	wlink_free(link);
}

CASE(lib, "lib: bearers come and go with what they hold")
{
	struct wlink *link = link_of("rate 1mbit sched rr tti 1ms limit 50");
	struct wlink_sdu sdus[24];
	u32 i, count, flushed = 0;

	REFUSED(wlink_add(link, 1, ""), "bearer 1 is outside 2..4096");
	REFUSED(wlink_add(link, 4097, ""), "bearer 4097 is outside 2..4096");
	REFUSED(wlink_add(link, 2, "tti 5ms"), "tti belongs to the qdisc, not to class 1:2");
	CHECK_EQ(wlink_add(link, 2, "mode am"), 0);
	CHECK_EQ(wlink_add(link, 3, "mode um limit 5"), 0);
	REFUSED(wlink_add(link, 3, ""), "bearer 3 is there already");
	for (i = 0; i < 10; i++) {
		CHECK_EQ(wlink_enqueue(link, 2, 0, 500, 0, i), 0);
		CHECK_EQ(wlink_enqueue(link, 1, 0, 500, 0, 100 + i), 0);
	}
	CHECK_EQ(wlink_advance(link, 50 * WL_MS), 0);
	CHECK_EQ(wlink_set(link, 1, "tti 2ms", 60 * WL_MS), 0);
	CHECK_EQ(wlink_set(link, 2, "limit 7", 60 * WL_MS), 0);
	CHECK_EQ(wlink_delete(link, 2), 0);
	REFUSED(wlink_enqueue(link, 2, 55 * WL_MS, 500, 0, 99), "there is no bearer 2");
	REFUSED(wlink_set(link, 2, "limit 5", WLINK_NEXT), "there is no bearer 2");
	REFUSED(wlink_counters(link, 2, NULL, 0), "there is no bearer 2");
	REFUSED(wlink_delete(link, 2), "there is no bearer 2");
	REFUSED(wlink_delete(link, 1), "bearer 1 is there as long as its link");
	count = drain(link, WL_SEC, sdus, ARRAY_SIZE(sdus));
	CHECK_EQ(count, 20);
	for (i = 0; i < count; i++)
		if (sdus[i].drop && !strcmp(sdus[i].drop, "flush"))
			flushed += sdus[i].bearer == 2 && sdus[i].at_ns == 50 * WL_MS;
	/* Two were over at 46 and 50 ms, which nobody had asked for. */
	CHECK_EQ(flushed, 8);
	CHECK_EQ(stat_of(link, 1, "sdus_delivered"), 10);
	/* Its number is free again. */
	CHECK_EQ(wlink_add(link, 2, ""), 0);
	CHECK_EQ(wlink_enqueue(link, 2, 2 * WL_SEC, 500, 0, 7), 0);
	wlink_free(link);
}

#define TEXT(columns, step) \
	"wlink schedule\ncolumns " columns "\nlength 20ms\nend stop\n0 " step "\n"

CASE(lib, "lib: schedules play, make room for each other, and go with their bearer")
{
	static const char fast[] = TEXT("rate delay", "2mbit 1ms");
	static const char grants[] = TEXT("grant", "1500");
	struct wlink *link = link_of(WORDS);
	struct wlink_sdu sdus[4];

	/* The second takes the place of the first; the third begins while that plays. */
	CHECK_EQ(wlink_schedule(link, 1, TEXT("rate", "1kbit"), 5 * WL_MS), 0);
	CHECK_EQ(wlink_schedule(link, 1, fast, WLINK_PACKET), 0);
	CHECK_EQ(wlink_enqueue(link, 1, WL_SEC, 1000, 0, 1), 0);
	CHECK_EQ(wlink_schedule(link, 1, TEXT("rate", "4mbit"), WL_SEC + 2 * WL_MS), 0);
	CHECK_EQ(wlink_enqueue(link, 1, WL_SEC + 30 * WL_MS, 1000, 0, 2), 0);
	CHECK_EQ(drain(link, 2 * WL_SEC, sdus, ARRAY_SIZE(sdus)), 2);
	/* Half of it at 2 Mbit/s, half at 4; then as configured. */
	CHECK_EQ(sdus[0].serial_ns, 3 * WL_MS);
	CHECK_EQ(sdus[1].serial_ns + sdus[1].prop_ns, 13 * WL_MS);
	/* What waits is judged with each change, and the other way round. */
	CHECK_EQ(wlink_schedule(link, 1, grants, 3 * WL_SEC), 0);
	REFUSED(wlink_set(link, 1, "mode am", WLINK_NEXT),
		"bearer 1: mode with opportunities 2  is outside 0..0");
	CHECK_EQ(wlink_schedule(link, 1, NULL, 0), 0);
	CHECK_EQ(wlink_set(link, 1, "mode am", 3 * WL_SEC), 0);
	REFUSED(wlink_schedule(link, 1, grants, 0),
		"bearer 1: mode with opportunities 2  is outside 0..0");
	REFUSED(wlink_schedule(link, 1, "", 0), "schedule:1: the file is empty");
	REFUSED(wlink_schedule(link, 1, TEXT("rate", "2parsec"), 0),
		"schedule:5: \"2parsec\" is not rate");
	REFUSED(wlink_schedule(link, 1, TEXT("limit_packets limit_bytes", "1 1"), 0),
		"schedule: a limit is in packets or in bytes, columns has both");
	REFUSED(wlink_schedule(link, 1, fast, 1ULL << 61),
		"at 2305843009213693952 ns is more than 315360000000000000 ns ahead");
	/* One that plays and one that waits are freed with their bearer, and with their link. */
	CHECK_EQ(wlink_add(link, 2, ""), 0);
	for (u32 i = 1; i <= 2; i++) {
		CHECK_EQ(wlink_schedule(link, i, fast, 0), 0);
		CHECK_EQ(wlink_schedule(link, i, fast, 3 * WL_SEC), 0);
	}
	CHECK_EQ(wlink_delete(link, 2), 0);
	REFUSED(wlink_schedule(link, 2, NULL, 0), "there is no bearer 2");
	wlink_free(link);
	/* There is room for what it makes of a bearer. */
	link = link_of("rate 64kbit delay 1ms limit 4");
	CHECK_EQ(wlink_schedule(link, 1,
				TEXT("rate delay limit_packets", "100mbit 500ms 200"), 0), 0);
	for (u32 i = 0; i < 200; i++)
		CHECK_EQ(wlink_enqueue(link, 1, 0, 1000, 0, i), 0);
	CHECK_EQ(wlink_advance(link, WL_SEC), 0);
	CHECK_EQ(stat_of(link, 1, "sdus_delivered"), 200);
	wlink_free(link);
}

CASE(lib, "lib: wrong calls are refused and change nothing")
{
	char error[WLINK_ERROR_BYTES];
	struct wlink *link = link_of(WORDS);
	struct wlink_sdu sdu;

	CHECK_EQ(wlink_enqueue(link, 1, 7, 100, 0, 1), 0);
	REFUSED(wlink_advance(link, 5), "time goes back: 5 ns is before 7 ns");
	REFUSED(wlink_enqueue(link, 1, 6, 100, 0, 2), "time goes back: 6 ns is before 7 ns");
	REFUSED(wlink_advance(link, WLINK_NEVER),
		"time 18446744073709551615 ns is above 4611686018427387904 ns");
	REFUSED(wlink_enqueue(link, 1, 8, 0, 0, 2), "0 bytes are outside 1..1073741824");
	REFUSED(wlink_enqueue(link, 1, 8, 1U << 31, 0, 2),
		"2147483648 bytes are outside 1..1073741824");
	REFUSED(wlink_enqueue(link, 1, 8, 100, 4, 2), "ecn 4 is outside 0..3");
	REFUSED(wlink_enqueue(link, 9, 8, 100, 0, 2), "there is no bearer 9");
	REFUSED(wlink_set(link, 1, "rate", WLINK_NEXT), "rate has no value");
	REFUSED(wlink_set(link, 1, "rate 1mbit tti 3600s", WLINK_NEXT),
		"tti 3600s is outside 0..10s");
	CHECK_EQ(stat_of(link, 1, "sdus_in"), 1);
	/* Seven ns later than from 0, and nothing else. */
	CHECK_EQ(wlink_next_event(link), 5800007);
	CHECK_EQ(wlink_advance(link, 5800007), 0);
	CHECK_EQ(wlink_due(link, &sdu), 1);
	CHECK_EQ(sdu.at_ns, 5800007);
	CHECK_EQ(wlink_due(link, &sdu), 0);
	wlink_free(link);
	CHECK(!wlink_new("rate 1mbit colour blue", 0, error));
	CHECK(strstr(error, "colour"));
	CHECK(!wlink_new("", 0, NULL));
	CHECK(!wlink_new("rate 1mbit", 1ULL << 63, NULL));
	wlink_free(NULL);
}

#define ODD_CALLERS	500U
#define ODD_CALLS	200U

/**
 * struct odd - a caller that knows neither times nor bearers
 * @link: its link
 * @rng: what it does
 * @now_ns: what it believes to be now
 * @sent: packets that the link has taken
 */
struct odd {
	struct wlink *link;
	struct wl_rng rng;
	u64 now_ns;
	u64 sent;
};

static u32 odd_of(struct odd *odd, u32 count)
{
	return (u32)(wl_rng_next(&odd->rng) % count);
}

static int odd_call(struct odd *odd)
{
	static const char *const words[] = {
		"rate 2mbit", "mode am pdu 40", "mode um pdu 200", "limit 2", "delay 90ms",
		"rate 64kbit colour blue", "tti 2ms", "tti 0", "mode tm", "",
	};
	static const char *const texts[] = {
		TEXT("rate delay", "100mbit 2s"), TEXT("grant", "700"), TEXT("limit_packets", "99"),
		TEXT("delay", "?"), NULL,
	};
	u32 bearer = odd_of(odd, 4), size = odd_of(odd, 2000);
	u64 at_ns = odd->now_ns + odd_of(odd, 20 * WL_MS);
	const char *word = words[odd_of(odd, ARRAY_SIZE(words))];

	at_ns -= min(at_ns, 5 * WL_MS);
	switch (odd_of(odd, 10)) {
	case 0:
		return wlink_add(odd->link, bearer, word);
	case 1:
		return wlink_delete(odd->link, bearer);
	case 2:
		return wlink_set(odd->link, bearer, word, at_ns);
	case 3:
		return wlink_schedule(odd->link, bearer, texts[size % ARRAY_SIZE(texts)],
				      size & 1 ? at_ns : WLINK_PACKET);
	case 4:
		odd->now_ns = max(odd->now_ns, at_ns);
		return wlink_advance(odd->link, at_ns);
	default:
		if (wlink_enqueue(odd->link, bearer, odd->now_ns, size, size % 5, odd->sent))
			return -1;
		odd->sent++;
		return 0;
	}
}

CASE(lib, "lib: a caller that knows neither times nor bearers breaks nothing")
{
	static struct wlink_sdu sdus[ODD_CALLS];
	u32 i, j, count, refused = 0, taken = 0;
	u64 next_ns;

	for (i = 0; i < ODD_CALLERS && !ut_failed(); i++) {
		bool came[ODD_CALLS] = { false };
		struct odd odd = { .link = link_of(WORDS) };

		wl_rng_seed(&odd.rng, i, WL_RNG_CHANNEL, 1);
		for (j = 0; j < ODD_CALLS; j++) {
			next_ns = wlink_next_event(odd.link);
			if (!odd_call(&odd))
				continue;
			refused++;
			CHECK_EQ(wlink_next_event(odd.link), next_ns);
		}
		count = drain(odd.link, 9999 * WL_SEC, sdus, ARRAY_SIZE(sdus));
		CHECK_EQ(count, odd.sent);
		for (j = 0; j < count; j++) {
			CHECK(!came[sdus[j].cookie]);
			came[sdus[j].cookie] = true;
		}
		taken += count;
		wlink_free(odd.link);
	}
	CHECK(refused > 50 * ODD_CALLERS && taken > 20 * ODD_CALLERS);
}

/* The second of two has the cookie of the first; what is still held is freed with its link. */
CASE(lib, "lib: copies and errors")
{
	struct wlink *link = link_of("rate 1mbit limit 100 duplicate 50% corrupt 50% seed 3");
	struct wlink_sdu sdus[200];
	u32 i, count, twice = 0, more = 0, wrong_bytes = 0;

	for (i = 0; i < 80; i++)
		CHECK_EQ(wlink_enqueue(link, 1, 0, 100, 0, i), 0);
	count = drain(link, WL_SEC, sdus, ARRAY_SIZE(sdus));
	for (i = 0; i < count; i++) {
		twice += sdus[i].copy;
		more += sdus[i].more;
		wrong_bytes += sdus[i].errors;
		if (sdus[i].copy)
			CHECK_EQ(sdus[i].cookie, sdus[i - 1].cookie);
	}
	CHECK(twice > 10 && wrong_bytes > 10);
	CHECK_EQ(count, 80 + twice);
	CHECK_EQ(more, twice);
	CHECK_EQ(stat_of(link, 1, "sdus_duplicated"), twice);
	for (i = 0; i < 80; i++)
		CHECK_EQ(wlink_enqueue(link, 1, 2 * WL_SEC, 100, 0, i), 0);
	wlink_free(link);
}
