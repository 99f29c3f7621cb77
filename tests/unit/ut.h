/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UT_H
#define _UT_H

#include <stdbool.h>

/*
 * The least that a test needs: a case has a name and any number of checks; its
 * verdict is one line, with the first few checks that failed above it.
 */

/**
 * ut_begin() - a case begins, and the one before it ends with its verdict
 * @format: its name, after the bug it guards
 */
void ut_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * ut_defer() - what ends with the running case
 * @end: called before the verdict, the last deferred first
 * @what: its argument, which outlives the case's functions
 */
void ut_defer(void (*end)(void *what), void *what);

/** ut_release() - do what was deferred now, if it was */
void ut_release(void (*end)(void *what), void *what);

/**
 * ut_check() - one check of the running case
 * @good: its result
 * @where: file and line
 * @format: what was looked at, in numbers
 *
 * Return: @good.
 */
bool ut_check(bool good, const char *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** ut_failed() - whether the running case has failed already */
bool ut_failed(void);

/**
 * ut_summary() - end the last case, print the counts as the last line
 *
 * Return: exit status.
 */
int ut_summary(void);

#define UT_STRING_(x)	#x
#define UT_STRING(x)	UT_STRING_(x)
#define UT_WHERE	__FILE__ ":" UT_STRING(__LINE__)

#define CHECK(condition) ut_check(condition, UT_WHERE, "%s", #condition)

#define CHECK_EQ(is, wanted) __extension__ ({				\
	unsigned long long ut_is = (is);				\
	unsigned long long ut_wanted = (wanted);			\
	ut_check(ut_is == ut_wanted, UT_WHERE, "%s is %llu, not %llu",	\
		 #is, ut_is, ut_wanted); })

/* For figures with an error: |is - wanted| must not be above the slack. */
#define CHECK_NEAR(is, wanted, slack) __extension__ ({			\
	double ut_is = (double)(is);					\
	double ut_off = ut_is - (double)(wanted);			\
	ut_check(ut_off <= (slack) && -ut_off <= (slack), UT_WHERE,	\
		 "%s is %.9g, not %.9g +- %.3g", #is, ut_is,		\
		 (double)(wanted), (double)(slack)); })

/* One per file of tests. */
void test_rng(void);
void test_cfg(void);
void test_chan(void);
void test_chan_time(void);
void test_times(void);
void test_air(void);
void test_rayleigh(void);
void test_cases(void);
void test_aqm(void);
void test_red(void);
void test_sbd(void);
void test_sbd_printed(void);
void test_codel(void);
void test_lib(void);
void test_link(void);
void test_idle(void);
void test_rate(void);
void test_um(void);
void test_sr(void);
void test_sr_link(void);
void test_handover(void);
void test_reverse(void);
void test_bearer(void);
void test_bearer_change(void);
void test_bearer_forward(void);
void test_budget(void);
void test_rests(void);
void test_txn(void);
void test_profile(void);
void test_buffer(void);
void test_trim(void);
void test_grant(void);
void test_schedule(void);
void test_schedule_life(void);
void test_am(void);
void test_am_rate(void);
void test_fuzz(unsigned int stories);
void test_drawn(void);
void test_calls(unsigned int stories);
void test_plain(void);
void test_unlimited(void);
void test_silence(void);
void test_wakes(void);
void test_left(void);
void test_harq(void);
void test_harq_fate(void);
void test_access(void);
void test_drx(void);
void test_share(void);
void test_fair(void);
void test_turns(void);
void test_tdd(void);
void test_impair(void);
void test_dist(void);
void test_mix(void);
void test_pair(void);
void test_pairs(unsigned int stories);
void test_lte(void);
void test_lte_tx(void);
void test_lte_rx(void);
void test_span(void);
void test_edges(void);

#endif
