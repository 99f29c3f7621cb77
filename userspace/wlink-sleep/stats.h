/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_STATS_H
#define _WLINK_SLEEP_STATS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct spread - of one sample
 * @n: size; all else is 0 for an empty sample
 * @mean: sample mean
 * @var: sample variance, divided by n - 1; 0 for a sample of 1
 * @min: smallest
 * @max: largest
 * @p50: smallest value that is not below half of the sample
 * @p99: the same of 99 %
 */
struct spread {
	size_t n;
	double mean, var, min, max, p50, p99;
};

/**
 * spread_of() - describe a sample
 * @values: sorted in place
 * @n: how many
 */
struct spread spread_of(double *values, size_t n);

/**
 * struct errors - of a series of sleeps
 * @abs: obtained less desired, ms
 * @rel: that by desired; requests of 0 have none
 * @whole: @abs with obtained cut to whole ms, as the papers' programs had it
 */
struct errors {
	struct spread abs, rel, whole;
};

/**
 * errors_of() - the papers' four figures and more
 * @desired: whole ms
 * @obtained_ns: how long each sleep took
 * @n: how many
 * @room: for @n values
 */
struct errors errors_of(const int *desired, const int64_t *obtained_ns, size_t n, double *room);

#endif
