/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_SANDBOX_H
#define WLAB_SANDBOX_H

/* What the process that is to be boxed in may still write, and the folder that
 * gets a file system in memory of its own.
 */
struct sandbox {
	char **writable;
	char **readonly;
	const char *memory;
};

/* The status of wlab-keep when the host forbids what a sandbox needs; boot.py
 * knows it.
 */
#define SANDBOX_FORBIDDEN 125

/*
 * Moves the caller into namespaces of its own, in which all mounts are read-only
 * but those of @box, and forks. Returns in the child only, the first process of
 * its namespace, with no capability and no way to get one; the parent stays
 * until the child has ended, which ends all processes of the namespace.
 */
void sandbox_enter(const struct sandbox *box);

#endif
