/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_TDD_H
#define _WL_TDD_H

#include "../types.h"

/**
 * wl_tdd_origin_ns() - when a pattern begins
 * @link: link with a pattern
 * @now_ns: now
 *
 * Return: the last time not after @now_ns. Patterns begin at
 * multiples of their length, so those of both directions fit together.
 */
u64 wl_tdd_origin_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_tdd_next_ns() - the next TTI in which a link may send
 * @link: link
 * @start_ns: start of a TTI
 *
 * Return: its start, not before @start_ns, which it is without a pattern.
 */
u64 wl_tdd_next_ns(const struct wl_link *link, u64 start_ns);

/**
 * wl_tdd_special() - whether a TTI is a special slot
 * @link: link with a pattern
 * @start_ns: its start
 *
 * Return: whether it is.
 */
bool wl_tdd_special(const struct wl_link *link, u64 start_ns);

/**
 * wl_tdd_count() - TTIs in which a link may send
 * @link: link
 * @from_ns: start of the first
 * @until_ns: start of the one after the last
 * @ttis: set: whole ones, special slots
 */
void wl_tdd_count(const struct wl_link *link, u64 from_ns, u64 until_ns, u64 ttis[2]);

#endif
