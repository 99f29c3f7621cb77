/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_LOOP_H
#define WLAB_LOOP_H

#include "flow/flow.h"

/* The most that wake it at one time. */
#define LOOP_WOKEN 16

/**
 * struct woken - what has woken the loop
 * @flow: whose socket, if @what is not 0
 * @what: what for
 * @tag: of the socket; 0 without one is the timer, another is a process
 */
struct woken {
	struct flow *flow;
	enum watch what;
	uint32_t tag;
};

/* CLOCK_MONOTONIC; in virtual time a look moves it. */
uint64_t mono_ns(void);
/* Notes what CLOCK_REALTIME is ahead of it, for run_stamp(). */
void clocks_compare(void);
void loop_open(struct plan *plan);
void loop_close(void);
/* Wakes the loop at a time of CLOCK_MONOTONIC. */
void loop_timer(uint64_t at_ns);
/* Waits until then, when the run starts. */
void loop_start(uint64_t at_ns);
/* How many have woken it, in @to; less than 0 for a signal. */
int loop_wait(struct woken *to);

#endif
