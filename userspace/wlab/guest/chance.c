// SPDX-License-Identifier: GPL-2.0
/*
 * Loaded into the programs of a run in virtual time. std::random_device of C++ takes its numbers
 * from the processor (RDSEED, RDRAND), where no kernel sees it. Here they follow from what the
 * kernel gives each program at its start, which follows from the run's seed: no call, no time.
 */
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return x ^ (x >> 31);
}

/* Replaces std::random_device::_M_getval() of libstdc++. */
unsigned int _ZNSt13random_device9_M_getvalEv(void)
{
	static uint64_t at;
	const uint64_t *given = (const uint64_t *)getauxval(AT_RANDOM);

	/* A child that has not called exec() has its parent's. */
	at += 0x9e3779b97f4a7c15U;
	return (unsigned int)mix(mix(given[0] ^ (uint64_t)getpid()) + at);
}
