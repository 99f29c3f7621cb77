// SPDX-License-Identifier: GPL-2.0
/* Sleeping by counting the interrupts of a clock that runs at 1024 Hz. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/rtc.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>

#include "sleep.h"

#define NO_READ "read of the clock's interrupts"
#define FREQ_NEED " (above /proc/sys/dev/rtc/max-user-freq it needs CAP_SYS_RESOURCE)"

/* Counts up to the first interrupt after ns, like the thesis's program. */
static bool count(struct state *s, int64_t ns, bool rtc)
{
	uint64_t interrupts = 0, got;
	unsigned long data;

	s->counted_ms = 0;
	if (!ns)
		return true;
	do {
		if (rtc) {
			if (read(s->fd, &data, sizeof(data)) != sizeof(data))
				return failed(s, NO_READ);
			/* The low byte says of what kind they were. */
			got = data >> 8;
		} else if (read(s->fd, &got, sizeof(got)) != sizeof(got)) {
			return failed(s, NO_READ);
		}
		interrupts += got;
	} while (interrupts * SECOND <= (uint64_t)ns * COUNT_HZ);
	s->counted_ms = (int)(interrupts * 1000 / COUNT_HZ);
	return true;
}

static bool tick_on(struct state *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	bool came;

	if (ioctl(s->fd, RTC_PIE_ON, 0))
		return failed(s, "the RTC has no periodic interrupts");
	came = poll(&p, 1, 1000) == 1;
	ioctl(s->fd, RTC_PIE_OFF, 0);
	if (!came)
		snprintf(s->why, sizeof(s->why),
			 "the RTC's interrupts do not come: none within 1 s");
	return came;
}

bool begin_rtc(struct state *s)
{
	static const char *const names[] = { "/dev/rtc", "/dev/rtc0" };
	size_t i;

	s->fd = -1;
	for (i = 0; i < 2 && s->fd < 0; i++) {
		s->fd = open(names[i], O_RDONLY | O_CLOEXEC);
		if (s->fd < 0 && errno != ENOENT)
			return failed(s, names[i]);
	}
	if (s->fd < 0) {
		snprintf(s->why, sizeof(s->why), "there is neither /dev/rtc nor /dev/rtc0");
		return false;
	}
	if (ioctl(s->fd, RTC_IRQP_SET, COUNT_HZ)) {
		const char *need = errno == EACCES ? FREQ_NEED : "";

		snprintf(s->why, sizeof(s->why), "the RTC does not take %d Hz: %s%s", COUNT_HZ,
			 strerror(errno), need);
		return false;
	}
	return tick_on(s);
}

bool nap_rtc(struct state *s, int64_t ns)
{
	bool ok;

	if (ns && ioctl(s->fd, RTC_PIE_ON, 0))
		return failed(s, "RTC_PIE_ON");
	ok = count(s, ns, true);
	if (ns)
		ioctl(s->fd, RTC_PIE_OFF, 0);
	return ok;
}

/* The same with a timer of the kernel's, where no RTC serves. */
bool begin_periodic(struct state *s)
{
	s->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return s->fd >= 0 || failed(s, "timerfd_create");
}

bool nap_periodic(struct state *s, int64_t ns)
{
	struct timespec cycle = to_timespec(SECOND / COUNT_HZ);
	struct itimerspec t = { .it_value = cycle, .it_interval = cycle };

	if (ns && timerfd_settime(s->fd, 0, &t, NULL))
		return failed(s, "timerfd_settime");
	return count(s, ns, false);
}
