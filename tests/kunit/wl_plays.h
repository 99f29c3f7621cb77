/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PLAYS_H
#define _WL_PLAYS_H

/*
 * Schedules for tests: their memory. Shared by the KUnit module and the unit
 * tests in user space.
 */
#include "core/link.h"

/**
 * wl_plays_new() - a schedule that starts now, and holds its last values
 * @columns: mask of enum wlink_column
 *
 * Return: it, to be given back by wl_plays_put(); NULL without memory.
 */
struct wl_schedule *wl_plays_new(u32 columns);

/**
 * wl_plays_add() - add steps, as one block
 * @play: schedule
 * @steps: how many
 * @words: of each the offset in ns and a value for each column
 *
 * Return: steps that wl_schedule_check() finds good, none is added unless it is all;
 * 0 without memory.
 */
u32 wl_plays_add(struct wl_schedule *play, u32 steps, const u64 *words);

/**
 * wl_plays_put() - give a schedule and its steps back
 * @play: schedule, or NULL
 */
void wl_plays_put(struct wl_schedule *play);

#endif
