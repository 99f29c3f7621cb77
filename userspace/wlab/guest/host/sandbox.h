/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_SANDBOX_H
#define WLAB_SANDBOX_H

/* The folders that the sandboxed process may write, and the folder on which a
 * tmpfs is mounted for it.
 */
struct sandbox {
	char **writable;
	char **readonly;
	const char *memory;
};

/* The exit status of wlab-keep if the host forbids what a sandbox needs; see boot.py. */
#define SANDBOX_FORBIDDEN 125

/*
 * Moves the caller into namespaces of its own, in which all mounts except those
 * of @box are read-only, and forks. Returns in the child only, the first process
 * of its namespace, without capabilities and unable to gain any; the parent
 * waits for the end of the child, which ends all processes of the namespace.
 */
void sandbox_enter(const struct sandbox *box);

#endif
