/* SPDX-License-Identifier: GPL-2.0 */
/* What numbers of the uapi are called, for all that prints them: X(of, word, name) is
 * WLINK_@of_@word. The 0 of drops and states, none, comes before them.
 */
#ifndef _WLINK_NAMES_H
#define _WLINK_NAMES_H

#define WL_DROPS(X)							\
	X(DROP, OVERFLOW, overflow) X(DROP, CHANNEL, channel)		\
	X(DROP, SLOTS, slots) X(DROP, FLUSH, flush) X(DROP, MAXDAT, maxdat) \
	X(DROP, TIMER, timer) X(DROP, RESET, reset)			\
	X(DROP, REESTABLISH, reestablish) X(DROP, AQM, aqm)		\
	X(DROP, SEGMENT, segment) X(DROP, FORWARD, forward)

/* Parts of a delay, each with a sum; those that not every bearer has come last. */
#define WL_PARTS(X)							\
	X(WHY, QUEUE, queue) X(WHY, SERIAL, serial) X(WHY, PROP, prop)	\
	X(WHY, RETX, retx) X(WHY, HOL, hol) X(WHY, ACCESS, access)	\
	X(WHY, JITTER, jitter)

#define WL_SCHEDULE_STATES(X)						\
	X(SCHEDULE_STATE, LOADED, loaded) X(SCHEDULE_STATE, WAITS, waits) \
	X(SCHEDULE_STATE, PLAYS, plays) X(SCHEDULE_STATE, HOLDS, holds)

#define WL_RRC_STATES(X)						\
	X(RRC, ACTIVE, active) X(RRC, SHORT, short) X(RRC, LONG, long)	\
	X(RRC, IDLE, idle)

#define WL_NAME(of, word, name) \
	[WLINK_##of##_##word] = #name,
#define WL_NAMES(of, list)		{ [WLINK_##of##_NONE] = "none", list(WL_NAME) }

#endif
