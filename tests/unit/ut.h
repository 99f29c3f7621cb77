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

/* What a program of tests runs, in the order in which its files have it. */
struct ut_part {
	const char *test;
	const char *name;
	void (*run)(void);
	struct ut_part *next;
};

void ut_add(struct ut_part *part);

/**
 * ut_run() - run the cases of a test, of all without one
 *
 * Return: whether there is one.
 */
bool ut_run(const char *test);

/* Random scenarios that are played in each manner. */
extern unsigned int ut_stories;

#define UT_PASTE_(a, b)	a ## b
#define UT_PASTE(a, b)	UT_PASTE_(a, b)
#define UT_PART(test, name)						\
	static void UT_PASTE(ut_run_, __LINE__)(void);			\
	static void __attribute__((constructor, no_reorder))		\
	UT_PASTE(ut_add_, __LINE__)(void)				\
	{								\
		static struct ut_part part = {				\
			#test, name, UT_PASTE(ut_run_, __LINE__)	\
		};							\
									\
		ut_add(&part);						\
	}								\
	static void UT_PASTE(ut_run_, __LINE__)(void)

/* CASE(test, "name") { ... } is a case; what follows TEST(test) begins those that it has. */
#define CASE(test, name)	UT_PART(test, name)
#define TEST(test)		UT_PART(test, NULL)

#endif
