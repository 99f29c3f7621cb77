// SPDX-License-Identifier: GPL-2.0
/* unit [STORIES]: how many random scenarios are played in each manner */
#include <stdlib.h>

#include "ut.h"

#define STORIES	500

int main(int argc, char **argv)
{
	unsigned int stories = argc > 1 ? atoi(argv[1]) : STORIES;

	test_rng();
	test_cfg();
	test_chan();
	test_chan_time();
	test_times();
	test_rayleigh();
	test_cases();
	test_aqm();
	test_red();
	test_sbd();
	test_sbd_printed();
	test_codel();
	test_link();
	test_idle();
	test_rate();
	test_bearer();
	test_bearer_change();
	test_bearer_forward();
	test_txn();
	test_profile();
	test_buffer();
	test_grant();
	test_schedule();
	test_schedule_life();
	test_um();
	test_sr();
	test_sr_link();
	test_handover();
	test_am();
	test_am_rate();
	test_drawn();
	test_fuzz(stories);
	test_calls(stories);
	test_plain();
	test_unlimited();
	test_silence();
	test_harq();
	test_access();
	test_drx();
	test_share();
	test_fair();
	test_tdd();
	test_mix();
	test_dist();
	test_impair();
	test_pair();
	test_lte();
	return ut_summary();
}
