/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_LINUX_HRTIMER_H
#define _WL_COMPAT_LINUX_HRTIMER_H

#include_next <linux/hrtimer.h>

/* 6.12 and older initialise a timer and then set its function. Kbuild looks
 * which it is.
 */
#ifndef WL_HAVE_HRTIMER_SETUP
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *timer),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
