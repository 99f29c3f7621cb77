/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_REPORT_H
#define WLAB_REPORT_H

#include <stdint.h>

struct plan;

/**
 * report_progress() - report virtual time to the host
 * @now_ns: time since the start
 * @of_ns: duration
 */
void report_progress(uint64_t now_ns, uint64_t of_ns);

/**
 * report_flows() - write <out>/flows: a line of words per flow, the first of the run
 * @plan: plan, at its end
 * @start_ns: CLOCK_MONOTONIC at its start
 */
void report_flows(const struct plan *plan, uint64_t start_ns);

#endif
