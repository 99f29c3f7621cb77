// SPDX-License-Identifier: GPL-2.0
/* Paging: pages of the disk come and go, the sleeper's own among them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "load.h"

#define AREAS 256

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

void load_paging(int fd, const atomic_int *sleeper)
{
	unsigned char *own;
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE), at;
	pid_t known = 0;
	int pidfd = -1;

	if (ftruncate(fd, LOAD_FILE_BYTES))
		_exit(1);
	own = mmap(NULL, LOAD_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (own == MAP_FAILED)
		_exit(1);
	for (;;) {
		for (at = 0; at < (unsigned long)LOAD_FILE_BYTES; at += page)
			own[at]++;
		if (msync(own, LOAD_FILE_BYTES, MS_SYNC))
			_exit(1);
		madvise(own, LOAD_FILE_BYTES, MADV_PAGEOUT);
		if (*sleeper != known) {
			if (pidfd >= 0)
				close(pidfd);
			known = *sleeper;
			pidfd = known ? (int)syscall(SYS_pidfd_open, known, 0) : -1;
		}
		if (pidfd >= 0)
			page_out(known, pidfd);
	}
}
