/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_SANDBOX_H
#define WLAB_SANDBOX_H

/* The only device that a lab kernel opens. */
#define SANDBOX_DEVICE "/dev/null"

/* The exit status of wlab-keep if the host forbids what a sandbox needs; see fence.py. */
#define SANDBOX_FORBIDDEN 125

/* The folders that the sandboxed process may write, but for those within them that it may
 * only read, and the folder of its memory. Landlock alone, of at most this ABI, if @abi is not 0.
 */
struct sandbox {
	char **writable;
	char **readonly;
	const char *memory;
	int abi;
};

/* Whether this host allows namespaces with mounts of their own. */
int sandbox_separates(void);

/*
 * Puts the caller into namespaces, or where the host refuses these behind Landlock, without
 * capabilities and unable to gain any. With namespaces it returns in a child, the first
 * process of its namespace; the parent waits for the end of the child, which ends all
 * processes of the namespace.
 */
void sandbox_enter(const struct sandbox *box);

/* Ends the process with SANDBOX_FORBIDDEN and the reason. */
void sandbox_forbidden(const char *what, const char *which) __attribute__((noreturn));

/* Landlock's ABI on this host, at most 0 if it has none; and the fence made of it. */
int landlock_abi(void);
void landlock_enter(const struct sandbox *box, int abi);

/* Filters of system calls: those that reach servers of the host or make user namespaces;
 * and those that change files in ways that Landlock of that ABI does not restrict.
 */
void filter_servers(void);
void filter_files(int abi);

#endif
