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
 * program_reaped() - handle the end of a process
 * @plan: plan
 * @pid: process number
 * @status: status of waitpid()
 *
 * A program that has failed by itself ends the run.
 *
 * Return: whether the process was a program.
 */
bool program_reaped(struct plan *plan, pid_t pid, int status);

/**
 * program_finish() - end all running programs
 * @plan: plan, at its end
 */
void program_finish(struct plan *plan);

#endif
