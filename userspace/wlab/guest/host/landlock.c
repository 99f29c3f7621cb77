// SPDX-License-Identifier: GPL-2.0
/* The fence for hosts that refuse namespaces: Landlock needs no privilege, and containers
 * allow it. It lets a process write below some folders only; modes, owners, times and
 * extended attributes are not among what it restricts, which filter.c refuses everywhere.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "sandbox.h"

/* Not all of <linux/landlock.h>: the headers of Debian 12 have no more than ABI 2. */
#define RULESET_VERSION	1U
#define RULE_BENEATH	1
#define WRITE_FILE	(1ULL << 1)
#define REMOVE_DIR	(1ULL << 4)
#define MAKE_SYM	(1ULL << 12)
#define REFER		(1ULL << 13)
#define TRUNCATE	(1ULL << 14)
#define IOCTL_DEV	(1ULL << 15)
/* All from REMOVE_DIR to MAKE_SYM change a folder. */
#define CHANGE_FOLDER	(2 * MAKE_SYM - REMOVE_DIR)
#define SCOPE_ALL	3ULL

struct ruleset_attr {
	uint64_t fs;
	uint64_t net;
	uint64_t scoped;
};

struct beneath_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

int landlock_abi(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, RULESET_VERSION);
}

static void allow(int ruleset, const char *path, uint64_t rights)
{
	struct beneath_attr rule = { .fd = open(path, O_PATH | O_CLOEXEC) };
	struct stat st;

	if (rule.fd < 0 || fstat(rule.fd, &st))
		sandbox_forbidden("open", path);
	rule.allowed = S_ISDIR(st.st_mode) ? rights : rights & (WRITE_FILE | TRUNCATE);
	if (syscall(SYS_landlock_add_rule, ruleset, RULE_BENEATH, &rule, 0))
		sandbox_forbidden("allow to write", path);
	close(rule.fd);
}

static int below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

/* Rules only add: of a folder that holds one of box->readonly, what is in it is allowed
 * one by one.
 */
static void allow_but(int ruleset, const struct sandbox *box, const char *path, uint64_t rights)
{
	char inner[PATH_MAX];
	struct dirent *entry;
	int holds = 0;
	char **one;
	DIR *dir;

	for (one = box->readonly; *one; one++) {
		if (below(path, *one))
			return;
		holds |= below(*one, path);
	}
	if (!holds) {
		allow(ruleset, path, rights);
		return;
	}
	dir = opendir(path);
	if (!dir)
		sandbox_forbidden("open", path);
	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    entry->d_type == DT_LNK)
			continue;
		if (snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name) <
		    (int)sizeof(inner))
			allow_but(ruleset, box, inner, rights);
	}
	closedir(dir);
}

void landlock_enter(const struct sandbox *box, int abi)
{
	struct ruleset_attr attr = {
		.fs = WRITE_FILE | CHANGE_FOLDER | (abi >= 2 ? REFER : 0) |
		      (abi >= 3 ? TRUNCATE : 0) | (abi >= 5 ? IOCTL_DEV : 0),
		.scoped = abi >= 6 ? SCOPE_ALL : 0,
	};
	uint64_t rights = attr.fs & ~IOCTL_DEV;
	int ruleset;
	char **path;

	/* A kernel without the later members takes the ones that it knows. */
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr,
			       abi >= 6 ? sizeof(attr) : sizeof(attr.fs), 0);
	if (ruleset < 0)
		sandbox_forbidden("use Landlock", "");
	for (path = box->writable; *path; path++)
		allow_but(ruleset, box, *path, rights);
	if (box->memory)
		allow(ruleset, box->memory, rights);
	allow(ruleset, SANDBOX_DEVICE, rights);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_landlock_restrict_self, ruleset, 0))
		sandbox_forbidden("enter Landlock", "");
	close(ruleset);
}
