// SPDX-License-Identifier: GPL-2.0
/* The parts of the guest's workloads that need no network. */
#include "load.h"
#include "ut.h"

int main(void)
{
	load_draw();
	load_http();
	return ut_summary();
}
