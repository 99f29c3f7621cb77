// SPDX-License-Identifier: GPL-2.0
/* The hand-computed cases that KUnit runs, too. */
#include "ut.h"
#include "wl_case.h"

static void run(const struct wl_case *cases, u32 count)
{
	static struct wl_run where;
	struct wl_mismatch bad;
	u32 i;

	for (i = 0; i < count; i++) {
		ut_begin("link: %s", cases[i].name);
		if (!wl_case_run(&where, &cases[i], &bad))
			ut_check(false, UT_WHERE,
				 "SDU %llu: %s is %llu, not %llu", bad.seq,
				 bad.what, bad.is, bad.wanted);
		ut_end();
	}
}

void test_cases(void)
{
	run(wl_cases_serial, wl_cases_serial_count);
	run(wl_cases_tti, wl_cases_tti_count);
	run(wl_cases_change, wl_cases_change_count);
	run(wl_cases_buffer, wl_cases_buffer_count);
}
