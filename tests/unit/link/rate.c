// SPDX-License-Identifier: GPL-2.0
/* A saturated link sends what its rate says, to the bit, however long. */
#include <stdlib.h>

#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_case.h"

#define SDUS	32000

static struct wl_sdu *sdus;
static u64 dropped;

static void on_drop(struct wl_link *link, const struct wl_sdu *sdu)
{
	(void)link;
	(void)sdu;
	dropped++;
}

static void on_rate(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
		    u64 old_bps, u64 new_bps)
{
	(void)link;
	(void)at_ns;
	(void)old_bps;
	(void)new_bps;
}

static void on_channel(struct wl_link *link, const struct wl_bearer *b,
		       u64 at_ns, bool bad)
{
	(void)link;
	(void)at_ns;
	(void)bad;
}

static const struct wl_link_ops ops = {
	.dropped = on_drop,
	.rate_changed = on_rate,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = on_channel,
};

static u64 ceil_div(u64 a, u64 b)
{
	return a / b + !!(a % b);
}

/* When the last of bits must end. Without TTIs that is ceil(bits / rate). With
 * them it is the end of the first TTI k with floor(k rate tti) >= bits, the
 * first one starting a TTI after the arrival at the origin. No product of these
 * tests is above 1e19.
 */
static u64 due_ns(const struct wl_cfg *cfg, u64 bits)
{
	u64 ttis;

	if (!cfg->tti_ns)
		return ceil_div(bits * WL_SEC, cfg->rate_bps);
	ttis = ceil_div(bits * WL_SEC, cfg->rate_bps * cfg->tti_ns);
	return (ttis + 1) * cfg->tti_ns;
}

static void saturate(u64 rate_bps, u64 tti_ns, u32 pdu_bytes, u32 count)
{
	struct wl_link link;
	struct wl_cfg cfg;
	struct wl_sdu sdu;
	u64 bits = 0;

	ut_begin("rate: %llu bit/s, tti %llu, pdu %u is off", rate_bps, tti_ns,
		 pdu_bytes);
	wl_cfg_default(&cfg);
	say(&cfg, "rate %llubit tti %lluns pdu %u limit %d", rate_bps, tti_ns, pdu_bytes, SDUS);
	wl_link_init(&link, &cfg, 0, &ops);
	wl_link_add_sdus(&link, sdus, count);
	for (u32 i = 0; i < count; i++)
		wl_link_enqueue(&link, &link.first, 0, NULL,
				i % 3 ? 1500 : 52 + i % 977, WL_ECN_NOT_ECT);
	dropped = 0;
	for (u32 i = 0; i < count && !ut_failed(); i++) {
		while (!wl_link_pop(&link, &sdu)) {
			u64 next_ns = wl_link_next_ns(&link);

			while (!wl_link_advance(&link, next_ns))
				;
		}
		bits += 8ULL * sdu.bytes;
		CHECK_EQ(sdu.seq, i);
		CHECK_EQ(sdu.end_ns, due_ns(&cfg, bits));
	}
	CHECK_EQ(dropped, 0);
}

TEST(rate)
{
	static const u64 rates[] = { 9600, 64000, 384000, 1000003, 123456789,
				     1000000000, 2999999999, WLINK_RATE_MAX };
	static const u64 ttis[] = { 2 * WL_MS, 10 * WL_MS, 1234567, 80 * WL_MS };
	static const u32 pdus[] = { 0, 40, 250 };
	unsigned int i, j, k;

	sdus = calloc(SDUS, sizeof(*sdus));
	/* 1000 s and more of the paper's bearer. */
	saturate(384000, 0, 40, SDUS);
	saturate(384000, 10 * WL_MS, 40, SDUS);
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		for (k = 0; k < ARRAY_SIZE(pdus); k++) {
			saturate(rates[i], 0, pdus[k], 2000);
			for (j = 0; j < ARRAY_SIZE(ttis); j++)
				saturate(rates[i], ttis[j], pdus[k], 2000);
		}
	free(sdus);
}
