// SPDX-License-Identifier: GPL-2.0
/* A part of the wheel's ip and tc: they take as long in the lab as those of Debian 12, so that
 * a run is the same to the bit with either. User Mode Linux counts each call that fails as a
 * microsecond of virtual time, and Debian's make seven more: four of libcap, which looks for
 * the last capability, and three where the guest's PATH is searched before /usr/sbin.
 */
#include <sys/prctl.h>

#define FAILING_CALLS 7

static void __attribute__((constructor)) spend(void)
{
	for (int i = 0; i < FAILING_CALLS; i++)
		prctl(PR_CAPBSET_READ, ~0UL, 0, 0, 0);
}
