// SPDX-License-Identifier: GPL-2.0
/* The hand-computed cases that KUnit runs, too. */
#include "ut.h"
#include "wl_cases_buffer.h"
#include "wl_cases_change.h"
#include "wl_cases_serial.h"
#include "wl_cases_tti.h"

static void run(const struct wl_case *cases, u32 count)
{
	static struct wl_run where;
	struct wl_mismatch bad;
	u32 i, budget_max;

	for (i = 0; i < count; i++) {
		ut_begin("link: %s", cases[i].name);
		for (budget_max = 0; budget_max < 4; budget_max++)
			if (!wl_case_run(&where, &cases[i], budget_max, &bad))
				ut_check(false, UT_WHERE,
					 "SDU %llu: %s is %llu, not %llu, a budget of %u a call",
					 bad.seq, bad.what, bad.is, bad.wanted,
					 budget_max);
	}
}

TEST(cases)
{
	run(wl_cases_serial, ARRAY_SIZE(wl_cases_serial));
	run(wl_cases_tti, ARRAY_SIZE(wl_cases_tti));
	run(wl_cases_change, ARRAY_SIZE(wl_cases_change));
	run(wl_cases_buffer, ARRAY_SIZE(wl_cases_buffer));
}
