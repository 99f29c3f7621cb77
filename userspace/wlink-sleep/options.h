/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_OPTIONS_H
#define _WLINK_SLEEP_OPTIONS_H

#include "load.h"
#include "sleep.h"

#define MAX_METHODS 32
#define MAX_WITH 16

/**
 * struct options - the command line
 * @methods: indices in methods[]
 * @with: sets of enum with_bit
 * @loads: which
 * @n_methods: how many of each
 * @n_with: see @n_methods
 * @n_loads: see @n_methods
 * @requests: sleeps in a run
 * @json: JSON on standard output
 * @list: only say what there is
 * @out: file for the JSON, or NULL
 * @dir: for the loads' files
 */
struct options {
	size_t methods[MAX_METHODS];
	int with[MAX_WITH];
	enum load loads[LOADS];
	size_t n_methods, n_with, n_loads;
	size_t requests;
	bool json, list;
	const char *out, *dir;
};

/**
 * options_parse() - read the command line; ends the program where it is wrong
 * @o: filled
 * @argc: as main() has it
 * @argv: as main() has it
 */
void options_parse(struct options *o, int argc, char **argv);

#endif
