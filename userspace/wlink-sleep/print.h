/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_PRINT_H
#define _WLINK_SLEEP_PRINT_H

#include <stdio.h>

#include "run.h"

/**
 * print_machine() - a few lines on the machine
 * @f: where to
 * @m: as read
 */
void print_machine(FILE *f, const struct machine *m);

/**
 * print_table() - the papers' Table 1 with ours beside it
 * @f: where to
 * @b: what all runs share
 * @runs: in the order they ran
 * @n: how many
 */
void print_table(FILE *f, const struct bench *b, const struct run *runs, size_t n);

/**
 * print_json() - all there is
 * @f: where to
 * @b: what all runs share
 * @runs: in the order they ran
 * @n: how many
 */
void print_json(FILE *f, const struct bench *b, const struct run *runs, size_t n);

#endif
