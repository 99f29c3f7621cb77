/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_TRACE_H
#define WLAB_TRACE_H

struct plan;

/**
 * trace_open() - enable the plan's events, write to <out>/trace.raw
 * @plan: plan
 */
void trace_open(const struct plan *plan);

/**
 * trace_on() - record from now on
 */
void trace_on(void);

/**
 * trace_off() - record no more
 */
void trace_off(void);

/**
 * trace_drain() - move what has been recorded to the file
 */
void trace_drain(void);

/**
 * trace_close() - drain, disable the events, fail where any were lost
 * @plan: plan
 */
void trace_close(const struct plan *plan);

#endif
