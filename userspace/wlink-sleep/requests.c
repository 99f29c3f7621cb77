// SPDX-License-Identifier: GPL-2.0
/* The series of requests, the same for every method. */
#include <stdlib.h>

#include "sleep.h"

/*
 * As the thesis prints it: the number is cut to an int, and the generator is
 * not given a seed.
 */
void make_requests(int *requests, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		requests[i] = (int)((double)random() / RAND_MAX * 100);
}
