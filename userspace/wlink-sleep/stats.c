// SPDX-License-Identifier: GPL-2.0
/* Sample mean, sample variance and quantiles. */
#include <stdlib.h>

#include "stats.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct spread spread_of(double *values, size_t n)
{
	struct spread s = { .n = n };
	double squares = 0;
	size_t i;

	if (!n)
		return s;
	qsort(values, n, sizeof(*values), by_value);
	for (i = 0; i < n; i++)
		s.mean += values[i] / (double)n;
	/* In a second pass, so that a large mean does not eat a small variance. */
	for (i = 0; i < n; i++)
		squares += (values[i] - s.mean) * (values[i] - s.mean);
	s.var = n > 1 ? squares / (double)(n - 1) : 0;
	s.min = values[0];
	s.max = values[n - 1];
	s.p50 = values[(n + 1) / 2 - 1];
	s.p99 = values[(n * 99 + 99) / 100 - 1];
	return s;
}

struct errors errors_of(const int *desired, const int64_t *obtained_ns, size_t n, double *room)
{
	struct errors e;
	size_t i, k;

	for (i = 0; i < n; i++)
		room[i] = (double)(obtained_ns[i] - desired[i] * 1000000LL) / 1e6;
	e.abs = spread_of(room, n);
	for (i = 0, k = 0; i < n; i++)
		if (desired[i])
			room[k++] = ((double)obtained_ns[i] / 1e6 - desired[i]) / desired[i];
	e.rel = spread_of(room, k);
	for (i = 0; i < n; i++)
		room[i] = (double)(obtained_ns[i] / 1000000 - desired[i]);
	e.whole = spread_of(room, n);
	return e;
}
