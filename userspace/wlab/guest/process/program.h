/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_PROGRAM_H
#define WLAB_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct plan;

/**
 * program_act() - start and stop the programs that are due
 * @plan: plan
 * @now: time of the run, ns
 *
 * Return: when there is more to do, FLOW_NEVER if never.
 */
uint64_t program_act(struct plan *plan, uint64_t now);

/**
 * program_reaped() - take note of a process that has ended
 * @plan: plan
 * @pid: of the process
 * @status: of waitpid()
 *
 * Ends everything where a program has failed by itself.
 *
 * Return: whether it was a program's.
 */
bool program_reaped(struct plan *plan, pid_t pid, int status);

/**
 * program_finish() - end all programs that still run
 * @plan: plan, at its end
 */
void program_finish(struct plan *plan);

#endif
