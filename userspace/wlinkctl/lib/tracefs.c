// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/mount.h>

#include "lib/tracefs.h"
#include "wlinkctl.h"

#define PLACE		"/sys/kernel/tracing"
#define PREFIX		"wlinkctl-"

static int open_folder(int at, const char *path)
{
	return openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Return: folder of a tracefs, or -1 with errno set. */
static int open_mounted(const char *path)
{
	int fd = open_folder(AT_FDCWD, path);
	struct statfs fs;

	if (fd < 0)
		return -1;
	if (!fstatfs(fd, &fs) && fs.f_type == TRACEFS_MAGIC)
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

/* A mount that is in no folder: it goes when its last file is closed. */
static int open_own(void)
{
	int context = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
	int fd = -1;

	if (context < 0)
		return -1;
	if (!syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	close(context);
	return fd;
}

static int open_root(void)
{
	int fd = open_mounted(PLACE);

	if (fd < 0 && errno != EACCES)
		fd = open_mounted("/sys/kernel/debug/tracing");
	if (fd < 0 && errno != EACCES)
		fd = open_own();
	if (fd >= 0)
		return fd;
	if (errno == EACCES || errno == EPERM)
		complain("the kernel's events are for root only: %s",
			 strerror(errno));
	else if (errno == ENODEV)
		complain("this kernel has no tracefs");
	else
		complain("no tracefs: %s; type: mount -t tracefs none " PLACE,
			 strerror(errno));
	return -1;
}

DIR *tracefs_list(int at, const char *path)
{
	int fd = open_folder(at, path);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* Instances of those that were killed. One that is in use cannot be removed. */
static void sweep(int root)
{
	DIR *dir = tracefs_list(root, "instances");
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int pid;

		if (sscanf(entry->d_name, PREFIX "%d", &pid) == 1 && pid > 0 &&
		    kill(pid, 0) && errno == ESRCH)
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
}

static int make(struct tracefs *fs)
{
	bool made;

	sweep(fs->root);
	snprintf(fs->name, sizeof(fs->name), "instances/" PREFIX "%d",
		 getpid());
	/* One of the same name is of an earlier process, or in use elsewhere. */
	unlinkat(fs->root, fs->name, AT_REMOVEDIR);
	made = !mkdirat(fs->root, fs->name, 0700);
	if (made)
		fs->dir = open_folder(fs->root, fs->name);
	if (fs->dir >= 0)
		return EXIT_DONE;
	complain("tracing instance %s: %s", fs->name, strerror(errno));
	if (!made)
		fs->name[0] = '\0';
	return EXIT_REFUSED;
}

int tracefs_open(struct tracefs *fs)
{
	int code;

	fs->dir = -1;
	fs->name[0] = '\0';
	fs->root = open_root();
	if (fs->root < 0)
		return EXIT_REFUSED;
	code = make(fs);
	if (code)
		tracefs_close(fs);
	return code;
}

void tracefs_close(struct tracefs *fs)
{
	if (fs->dir >= 0)
		close(fs->dir);
	if (fs->name[0] && unlinkat(fs->root, fs->name, AT_REMOVEDIR))
		complain("tracing instance %s cannot be removed: %s", fs->name,
			 strerror(errno));
	if (fs->root >= 0)
		close(fs->root);
	fs->dir = -1;
	fs->root = -1;
	fs->name[0] = '\0';
}

int tracefs_read(const struct tracefs *fs, const char *path, char *text,
		 size_t size)
{
	int fd = openat(fs->dir, path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got;

	if (fd < 0)
		return -1;
	do {
		got = read(fd, text + n, size - n);
		if (got > 0)
			n += (size_t)got;
	} while (n < size && (got > 0 || (got < 0 && errno == EINTR)));
	close(fd);
	if (got < 0)
		return -1;
	if (n == size) {
		errno = EFBIG;
		return -1;
	}
	text[n] = '\0';
	return 0;
}

int tracefs_write(const struct tracefs *fs, const char *path, const char *text)
{
	int fd = openat(fs->dir, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -1;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	errno = err;
	return err ? -1 : 0;
}
