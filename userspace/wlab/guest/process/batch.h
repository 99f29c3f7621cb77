/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_BATCH_H
#define WLAB_BATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct plan;

/**
 * batch_start() - in real time, start the tools early, so that no line waits for it
 * @plan: plan
 */
void batch_start(const struct plan *plan);

/**
 * batch_act() - pass the lines that are due to their tools
 * @plan: plan
 * @now: time of the run, ns
 *
 * Return: when the next line is due, FLOW_NEVER after the last
 */
uint64_t batch_act(struct plan *plan, uint64_t now);

/**
 * batch_reaped() - a child has ended; if it is a tool, end the program
 * @plan: plan
 * @pid: process number of the child
 *
 * A tool reads until the end of its input, so one that ends earlier has failed.
 */
void batch_reaped(const struct plan *plan, pid_t pid);

/**
 * batch_finish() - wait for the tools; fail if one has refused a line
 * @plan: plan
 */
void batch_finish(const struct plan *plan);

#endif
