/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_SPAWN_H
#define WLAB_SPAWN_H

#include <stdbool.h>

#include "run/plan.h"

/**
 * spawn_steps() - run all commands of a kind, one after the other
 * @plan: plan
 * @kind: kind of the steps; STEP_HOLD ends wlab-guest with the command's status
 */
void spawn_steps(const struct plan *plan, enum step_kind kind);

/**
 * spawn_start() - run a timed command beside the flows
 * @plan: plan
 * @step: the command
 */
void spawn_start(const struct plan *plan, const struct step *step);

/**
 * spawn_reap() - reap commands and programs; a failed one ends wlab-guest
 * @plan: plan
 * @wait: wait for all, else fail if any still runs
 */
void spawn_reap(struct plan *plan, bool wait);

#endif
