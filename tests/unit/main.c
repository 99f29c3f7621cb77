// SPDX-License-Identifier: GPL-2.0
#include "ut.h"

int main(void)
{
	test_rng();
	test_cfg();
	test_chan();
	test_cases();
	test_link();
	test_idle();
	test_rate();
	test_calls();
	return ut_summary();
}
