/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_CONTAINER_H
#define WLAB_CONTAINER_H

/**
 * container_enter() - move into namespaces of our own, and fork
 *
 * Returns in the child only, their first process.
 */
void container_enter(void);

/**
 * container_keep_root() - have the machine's files at hand, from before others cover them
 */
void container_keep_root(void);

/**
 * container_bind() - a folder of the machine's at another place
 * @path: of the machine's
 * @where: folder that is there
 * @flags: of mount(2)
 */
void container_bind(const char *path, const char *where, unsigned long flags);

/**
 * container_drop_root() - no more of them is brought
 */
void container_drop_root(void);

#endif
