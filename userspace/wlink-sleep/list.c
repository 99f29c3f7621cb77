// SPDX-License-Identifier: GPL-2.0
/* All methods there are, in the order in which they run. */
#include "paper.h"
#include "sleep.h"

const struct method methods[] = {
	{ "select", "select() with a timeout", PAPER_SELECT, no_begin, nap_select, no_end },
	{ "poll", "poll() with a timeout", -1, no_begin, nap_poll, no_end },
	{ "nanosleep", "nanosleep()", -1, no_begin, nap_nanosleep, no_end },
	{ "clock-rel", "clock_nanosleep(), relative", -1, no_begin, nap_clock_rel, no_end },
	{ "clock-abs", "clock_nanosleep() from deadline to deadline", -1, no_begin, nap_clock_abs,
	  no_end },
	{ "timerfd", "a timerfd, set for each sleep", -1, begin_timerfd, nap_timerfd, close_fd },
	{ "rcvtimeo", "SO_RCVTIMEO: the kernel's timer wheel, in whole ticks", PAPER_SELECT,
	  begin_rcvtimeo, nap_rcvtimeo, end_rcvtimeo },
	{ "rtc", "counting interrupts of /dev/rtc at 1024 Hz", PAPER_RTC, begin_rtc, nap_rtc,
	  close_fd },
	{ "periodic", "counting a timerfd's expirations at 1024 Hz", -1, begin_periodic,
	  nap_periodic, close_fd },
	{ "slack", "select() less the oversleep so far", PAPER_SLACK, no_begin, nap_slack, no_end },
	{ "precomp", "select() less the expected oversleep", -1, begin_precomp, nap_precomp,
	  no_end },
	{ "slack-precomp", "select() less both", -1, begin_precomp, nap_slack_precomp, no_end },
	{ "slack-rcvtimeo", "SO_RCVTIMEO less the oversleep so far", PAPER_SLACK, begin_rcvtimeo,
	  nap_slack_rcvtimeo, end_rcvtimeo },
	{ "busy", "looking at the clock", PAPER_BUSY, begin_busy, nap_busy, close_fd },
	{ "busy-epoll", "looking at the clock between turns of an event loop", PAPER_BUSY,
	  begin_busy_epoll, nap_busy_epoll, end_busy_epoll },
};

const size_t n_methods = sizeof(methods) / sizeof(methods[0]);
