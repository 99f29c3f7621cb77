/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_BATCH_H
#define WLAB_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct plan;

/**
 * batch_start() - start what will read lines, where the time that takes counts
 * @plan: the run
 */
void batch_start(const struct plan *plan);

/**
 * batch_act() - hand over the lines that are due
 * @plan: of the run
 * @now: since the start
 *
 * Return: when the next one is due, FLOW_NEVER after the last
 */
uint64_t batch_act(struct plan *plan, uint64_t now);

/**
 * batch_reaped() - a child has ended; does not return where it was one of these
 * @plan: of the run
 * @pid: of the child
 *
 * They read until there is nothing more, so one that ends has failed.
 */
void batch_reaped(const struct plan *plan, pid_t pid);

/**
 * batch_finish() - let them end, and fail where one has refused a line
 * @plan: of the run
 */
void batch_finish(const struct plan *plan);

#endif
