// SPDX-License-Identifier: GPL-2.0
/* Preloaded: a machine that has no timerfd, no RTC and no clock_nanosleep(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

int timerfd_create(int clock, int flags)
{
	(void)clock;
	(void)flags;
	errno = ENODEV;
	return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
		    struct timespec *left)
{
	/* It returns what others leave in errno. */
	const int error = ENOTSUP;

	(void)clock;
	(void)flags;
	(void)want;
	(void)left;
	return error;
}

int open(const char *path, int flags, ...)
{
	int (*real)(const char *path, int flags, ...);
	va_list words;
	mode_t mode;

	if (!strncmp(path, "/dev/rtc", 8)) {
		errno = ENOENT;
		return -1;
	}
	va_start(words, flags);
	mode = flags & O_CREAT ? va_arg(words, mode_t) : 0;
	va_end(words);
	real = (int (*)(const char *path, int flags, ...))dlsym(RTLD_NEXT, "open");
	return real(path, flags, mode);
}
