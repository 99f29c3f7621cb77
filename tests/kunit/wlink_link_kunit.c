// SPDX-License-Identifier: GPL-2.0
/* The engine in the kernel's own arithmetic, on time that is made up. */
#include <kunit/test.h>
#include <linux/module.h>

#include "wl_ask.h"
#include "wl_cases_buffer.h"
#include "wl_cases_change.h"
#include "wl_cases_serial.h"
#include "wl_cases_tti.h"

static void run_all(struct kunit *test, u32 budget_max)
{
	const struct wl_case *one = test->param_value;
	struct wl_mismatch bad;
	struct wl_run *run;

	run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, run);
	if (!wl_case_run(run, one, budget_max, &bad))
		KUNIT_FAIL(test, "SDU %llu: %s is %llu, not %llu", bad.seq,
			   bad.what, bad.is, bad.wanted);
}

static void describe(const struct wl_case *one, char *text)
{
	strscpy(text, one->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(serial, wl_cases_serial, describe);
KUNIT_ARRAY_PARAM(tti, wl_cases_tti, describe);
KUNIT_ARRAY_PARAM(change, wl_cases_change, describe);
KUNIT_ARRAY_PARAM(buffer, wl_cases_buffer, describe);

static void in_one_go(struct kunit *test)
{
	run_all(test, 0);
}

static void step_by_step(struct kunit *test)
{
	run_all(test, 1);
}

/* Frees nothing and hears nothing. */
static void no_drop(struct wl_link *link, const struct wl_sdu *sdu)
{
}

static void no_rate(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
		    u64 old_bps, u64 new_bps)
{
}

static void no_channel(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad)
{
}

static const struct wl_link_ops deaf_ops = {
	.dropped = no_drop,
	.rate_changed = no_rate,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = no_channel,
};

static struct wl_run *saturated(struct kunit *test, u64 rate_bps, u64 tti_ns)
{
	struct wl_run *run;
	int i;

	run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, run);
	wl_cfg_default(&run->cfg);
	run->cfg.rate_bps = rate_bps;
	run->cfg.tti_ns = tti_ns;
	run->cfg.pdu_bytes = 40;
	wl_link_init(&run->link, &run->cfg, 0, &deaf_ops);
	wl_link_add_sdus(&run->link, run->sdus, WL_CASE_SLOTS);
	for (i = 0; i < WL_CASE_SLOTS; i++)
		wl_link_enqueue(&run->link, &run->link.first, 0, NULL, 1500, WL_ECN_NOT_ECT);
	return run;
}

static void rate_drifts(struct kunit *test)
{
	struct wl_run *run = saturated(test, 9601, 0);
	struct wl_sdu sdu;
	u64 bits = 0;

	while (!wl_link_advance(&run->link, 1000 * WL_SEC))
		;
	while (wl_link_pop(&run->link, &sdu)) {
		bits += 12000;
		KUNIT_EXPECT_EQ(test, sdu.end_ns, DIV64_U64_ROUND_UP(bits * WL_SEC, 9601));
	}
	KUNIT_EXPECT_EQ(test, bits, 12000ULL * WL_CASE_SLOTS);
}

/* 96010 bits in 10 TTIs of 1 s each: the k-th TTI ends a second after k. */
static void rate_in_ttis_drifts(struct kunit *test)
{
	struct wl_run *run = saturated(test, 9601, WL_SEC);
	struct wl_sdu sdu;
	u64 bits = 0;

	while (!wl_link_advance(&run->link, 1000 * WL_SEC))
		;
	while (wl_link_pop(&run->link, &sdu)) {
		bits += 12000;
		KUNIT_EXPECT_EQ(test, sdu.end_ns, (DIV64_U64_ROUND_UP(bits, 9601) + 1) * WL_SEC);
	}
	KUNIT_EXPECT_EQ(test, bits, 12000ULL * WL_CASE_SLOTS);
}

static void idle_day_takes_work(struct kunit *test)
{
	struct wl_run *run = saturated(test, 384000, WL_MS);

	wl_link_flush(&run->link, 1);
	wl_case_set(&run->cfg, WL_OP_P, 1U << 20);
	wl_case_set(&run->cfg, WL_OP_R, 1U << 24);
	KUNIT_ASSERT_TRUE(test, wl_ask(&run->link, &run->link.first, 1, &run->cfg, false));
	KUNIT_EXPECT_TRUE(test, wl_link_advance(&run->link, WL_SEC));
	run->link.budget_max = 8;
	wl_link_enqueue(&run->link, &run->link.first, 86400 * WL_SEC, NULL, 40, WL_ECN_NOT_ECT);
	KUNIT_EXPECT_TRUE(test, wl_link_advance(&run->link, 86401 * WL_SEC));
	KUNIT_EXPECT_EQ(test, wl_link_next_ns(&run->link), WL_NEVER_NS);
}

static struct kunit_case link_cases[] = {
	KUNIT_CASE_PARAM(in_one_go, serial_gen_params),
	KUNIT_CASE_PARAM(in_one_go, tti_gen_params),
	KUNIT_CASE_PARAM(in_one_go, change_gen_params),
	KUNIT_CASE_PARAM(in_one_go, buffer_gen_params),
	KUNIT_CASE_PARAM(step_by_step, serial_gen_params),
	KUNIT_CASE_PARAM(step_by_step, tti_gen_params),
	KUNIT_CASE_PARAM(step_by_step, change_gen_params),
	KUNIT_CASE_PARAM(step_by_step, buffer_gen_params),
	KUNIT_CASE(rate_drifts),
	KUNIT_CASE(rate_in_ttis_drifts),
	KUNIT_CASE(idle_day_takes_work),
	{}
};

static struct kunit_suite link_suite = {
	.name = "wlink_link",
	.test_cases = link_cases,
};

kunit_test_suite(link_suite);

MODULE_DESCRIPTION("KUnit tests of the radio link emulation's engine");
MODULE_LICENSE("GPL");
