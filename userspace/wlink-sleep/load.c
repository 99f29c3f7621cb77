// SPDX-License-Identifier: GPL-2.0
/* Loads on the machine: processes that end with wlink-sleep. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "sleep.h"

#define BLOCK (1L << 20)
#define AREAS 256

/* Writes its file again and again, each block down to the disk. */
static void __attribute__((noreturn)) load_disk(int fd, off_t size)
{
	static char block[BLOCK];
	off_t at = 0;

	memset(block, 0x5a, sizeof(block));
	for (;;) {
		if (pwrite(fd, block, BLOCK, at) != BLOCK || fdatasync(fd))
			_exit(1);
		at = (at + BLOCK) % size;
	}
}

/*
 * Asks the kernel to take the sleeper's pages as it would under pressure of
 * memory: it leaves what is locked, and what has no swap to go to.
 */
static void page_out(pid_t pid, int pidfd)
{
	struct iovec area[AREAS];
	char path[64], line[512];
	size_t n = 0, i;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	while (n < AREAS && fgets(line, sizeof(line), maps)) {
		uintptr_t from, to;

		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2 || to <= from)
			continue;
		area[n].iov_base = (void *)from;
		area[n++].iov_len = to - from;
	}
	fclose(maps);
	/* One at a time: the first that cannot be paged out ends a call. */
	for (i = 0; i < n; i++)
		syscall(SYS_process_madvise, pidfd, &area[i], 1, MADV_PAGEOUT, 0);
}

/* Pages of the disk come and go, the sleeper's own among them. */
static void __attribute__((noreturn)) load_paging(int fd, size_t size, const struct shared *sh)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), at;
	unsigned char *own = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pid_t known = 0;
	int pidfd = -1;

	if (own == MAP_FAILED)
		_exit(1);
	for (;;) {
		for (at = 0; at < size; at += page)
			own[at]++;
		if (msync(own, size, MS_SYNC))
			_exit(1);
		madvise(own, size, MADV_PAGEOUT);
		if (!known && sh->sleeper) {
			known = (pid_t)sh->sleeper;
			pidfd = (int)syscall(SYS_pidfd_open, known, 0);
		}
		if (pidfd >= 0)
			page_out(known, pidfd);
	}
}

void load(const char *kind, int fd, const struct shared *sh)
{
	struct stat st;

	while (!strcmp(kind, "cpu"))
		;
	if (fstat(fd, &st))
		_exit(1);
	if (!strcmp(kind, "disk"))
		load_disk(fd, st.st_size);
	load_paging(fd, (size_t)st.st_size, sh);
}
