/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SCHEDULES_H
#define _WL_SCHEDULES_H

/*
 * Schedules for tests: their memory. Shared by the KUnit module and the unit
 * tests in user space.
 */
#include "core/link.h"

/**
 * wl_schedules_new() - a schedule that starts now, and holds its last values
 * @columns: mask of enum wlink_column
 *
 * Return: it, to be given back by wl_schedules_put(); NULL without memory.
 */
struct wl_schedule *wl_schedules_new(u32 columns);

/**
 * wl_schedules_add() - add steps, as one block
 * @schedule: schedule
 * @steps: how many
 * @words: of each the offset in ns and a value for each column
 *
 * Return: steps that wl_schedule_check() finds good, none is added unless it is all;
 * 0 without memory.
 */
u32 wl_schedules_add(struct wl_schedule *schedule, u32 steps, const u64 *words);

/**
 * wl_schedules_put() - give a schedule and its steps back
 * @schedule: schedule, or NULL
 */
void wl_schedules_put(struct wl_schedule *schedule);

#endif
