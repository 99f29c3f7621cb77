/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_CLOCKS_H
#define _WLINKCTL_CLOCKS_H

/* CLOCK_MONOTONIC and CLOCK_TAI of this machine, and how good the latter is.
 * The kernel slews both alike: between steps their distance does not change, to
 * the nanosecond.
 */

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct timex;

/**
 * struct clock_calls - where clocks are read
 * @gettime: clock_gettime()
 * @adjtimex: adjtimex()
 */
struct clock_calls {
	int (*gettime)(clockid_t clock, struct timespec *ts);
	int (*adjtimex)(struct timex *tx);
};

extern const struct clock_calls clock_calls;

/**
 * struct clock_sample - the clocks at one moment
 * @mono_ns: CLOCK_MONOTONIC
 * @tai_ns: CLOCK_TAI; at @mono_ns it is between this and it, give or take
 *	@uncertainty_ns
 * @uncertainty_ns: half of the time that the reading took
 * @refused: errno of adjtimex(), 0 if what follows is known
 * @offset_ns: what the kernel has still to slew away
 * @maxerror_ns: most by which CLOCK_TAI may be wrong; grows until the next word
 *	from a time server
 * @esterror_ns: by how much it is likely to be wrong
 * @status: STA_ flags
 * @state: TIME_OK, or what a leap second does
 * @tai_s: TAI - UTC in seconds, 0 if nobody has told the kernel
 * @synchronised: 1 if the kernel says that a time server keeps the clock right,
 *	else 0; no bool, for a raw recording may hold any byte here
 */
struct clock_sample {
	uint64_t mono_ns;
	uint64_t tai_ns;
	uint64_t uncertainty_ns;
	int refused;
	int64_t offset_ns;
	uint64_t maxerror_ns;
	uint64_t esterror_ns;
	uint32_t status;
	int state;
	int32_t tai_s;
	uint8_t synchronised;
};

/**
 * clock_now() - read CLOCK_MONOTONIC
 *
 * Return: it in ns.
 */
uint64_t clock_now(void);

/**
 * clock_poll() - poll() until a time
 * @fds: as for poll()
 * @n: how many
 * @until_ns: CLOCK_MONOTONIC, UINT64_MAX for no end
 *
 * Return: as poll(); 0 at once when it is time already.
 */
int clock_poll(struct pollfd *fds, nfds_t n, uint64_t until_ns);

/**
 * clock_is_shifted() - find out if this process has another CLOCK_MONOTONIC
 *
 * Return: true in a time namespace whose CLOCK_MONOTONIC is not the kernel's,
 * which is that of the events.
 */
bool clock_is_shifted(void);

/**
 * clock_read() - read the clocks, and what the kernel says of them
 * @calls: how
 * @sample: result
 *
 * Return: 0, or -1 with errno if there is no CLOCK_TAI.
 */
int clock_read(const struct clock_calls *calls, struct clock_sample *sample);

/**
 * clock_offset() - CLOCK_TAI without CLOCK_MONOTONIC
 * @sample: moment
 *
 * Return: it in ns; what is added to other times of CLOCK_MONOTONIC.
 */
int64_t clock_offset(const struct clock_sample *sample);

/**
 * clock_step() - find out if CLOCK_TAI was set
 * @before: earlier moment
 * @after: later moment
 *
 * Return: by how many ns it went forward, 0 for what the readings can hide.
 */
int64_t clock_step(const struct clock_sample *before,
		   const struct clock_sample *after);

#endif
