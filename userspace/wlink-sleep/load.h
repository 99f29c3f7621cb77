/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_LOAD_H
#define _WLINK_SLEEP_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "machine.h"

enum load { LOAD_IDLE, LOAD_CPU, LOAD_DISK, LOAD_PAGING, LOADS };

extern const char *const load_names[LOADS];

#define MAX_LOADERS 256

/**
 * struct loaders - the processes that make a load
 * @pid: of each
 * @n: how many
 */
struct loaders {
	pid_t pid[MAX_LOADERS];
	size_t n;
};

/**
 * load_start() - start a load; it ends with us, however we end
 * @load: which
 * @m: the machine
 * @dir: where its files go
 * @sleeper: whose pages LOAD_PAGING takes away, once it is not 0
 * @l: filled
 * @why: what is lacking, where it fails
 * @size: of @why
 */
bool load_start(enum load load, const struct machine *m, const char *dir,
		const atomic_int *sleeper, struct loaders *l, char *why, size_t size);

/**
 * load_lives() - whether all its processes are still there
 * @l: as started
 */
bool load_lives(const struct loaders *l);

/**
 * load_stop() - end it
 * @l: as started
 */
void load_stop(struct loaders *l);

/* load_paging.c */
void load_paging(int fd, const atomic_int *sleeper) __attribute__((noreturn));
/* How large a file a loader needs. */
#define LOAD_FILE_BYTES (8L << 20)

#endif
