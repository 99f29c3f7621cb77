/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_CONTAINER_H
#define WLAB_CONTAINER_H

#include <stdbool.h>

/* Until container_enter(). */
extern bool own_kernel;

void die(const char *what, const char *which) __attribute__((noreturn));

/**
 * container_enter() - move into new namespaces, and fork
 *
 * Returns in the child only, the first process in them.
 */
void container_enter(void);

/**
 * container_keep_root() - keep access to the machine's files before mounts cover them
 */
void container_keep_root(void);

/**
 * container_bind() - bind a folder of the machine to another path
 * @path: folder of the machine
 * @where: existing folder
 * @flags: flags of mount(2)
 */
void container_bind(const char *path, const char *where, unsigned long flags);

/**
 * container_drop_root() - end the access of container_keep_root()
 */
void container_drop_root(void);

#endif
