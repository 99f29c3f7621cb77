/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_GRID_H
#define _WL_GRID_H

/*
 * The grid of TTIs: all starts are whole TTIs away from one origin, which a change
 * of the TTI or of the scheduler, and a flush, set anew.
 */
#include "../types.h"

/**
 * wl_grid_next_tti_ns() - the first TTI for what comes now
 * @link: link
 * @now_ns: now
 *
 * Return: now without a TTI, else the start of one, whichever way it goes.
 */
u64 wl_grid_next_tti_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_grid_next_start_ns() - when what wants to be sent may be
 * @link: link
 * @now_ns: now
 *
 * Return: now without a TTI, else the start of one in which the link may send.
 */
u64 wl_grid_next_start_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_grid_ns() - when what is asked for a time takes effect
 * @link: link
 * @from_ns: time
 *
 * Return: that time without a TTI, else the first start of one not before it.
 */
u64 wl_grid_ns(const struct wl_link *link, u64 from_ns);

/**
 * wl_grid_origin_ns() - when the TTIs of a link begin
 * @link: link
 * @now_ns: now
 *
 * Return: with TDD, the last start of a pattern not after @now_ns; else that.
 */
u64 wl_grid_origin_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_grid_own_ns() - the next TTI in which a link may send
 * @link: link
 * @start_ns: start of a TTI
 *
 * Return: its start, not before @start_ns, which it is without TDD.
 */
u64 wl_grid_own_ns(const struct wl_link *link, u64 start_ns);

/**
 * enum wl_phase - what repeats at a phase that follows from the seed
 * @WL_PHASE_SR: opportunities for scheduling requests
 * @WL_PHASE_DRX: on-durations
 * @WL_PHASE_PAGING: paging occasions
 *
 * The values enter the phases: append, never renumber.
 */
enum wl_phase {
	WL_PHASE_SR,
	WL_PHASE_DRX,
	WL_PHASE_PAGING,
};

/**
 * wl_grid_phase_ns() - where in its period a bearer has something
 * @b: bearer
 * @period_ns: period
 * @phase: of what
 *
 * Return: whole TTIs, less than the period, the same as long as the seed is.
 */
u64 wl_grid_phase_ns(const struct wl_bearer *b, u64 period_ns, enum wl_phase phase);

/**
 * wl_grid_every_ns() - the next one of what repeats
 * @link: link
 * @from_ns: time
 * @period_ns: period
 * @phase_ns: when the first one is after the origin of the grid
 *
 * Return: the first time not before @from_ns.
 */
u64 wl_grid_every_ns(const struct wl_link *link, u64 from_ns, u64 period_ns, u64 phase_ns);

#endif
