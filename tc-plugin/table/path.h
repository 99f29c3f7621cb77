/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PATH_H
#define _WL_PATH_H

/* Where in TCA_OPTIONS an attribute stands. */

#include "table/table.h"

/**
 * struct wl_nest - an attribute that holds others
 * @outer: attribute it is in, 0 for none
 * @attr: itself
 * @name: for messages and JSON
 */
struct wl_nest {
	uint16_t outer;
	uint16_t attr;
	const char *name;
};

/* In the order they are sent; one that is inside another follows it. */
extern const struct wl_nest wl_nests[];
extern const size_t wl_nests_count;

/**
 * struct wl_path - where an attribute stands
 * @nest: attribute it is nested in, 0 for none
 * @inner: attribute in @nest it is nested in, 0 for none
 */
struct wl_path {
	uint16_t nest;
	uint16_t inner;
};

/**
 * wl_path_has() - does a row stand here?
 * @row: row
 * @path: where
 */
bool wl_path_has(const struct wl_row *row, struct wl_path path);

/**
 * wl_path_into() - one level deeper
 * @path: where
 * @attr: nest that is entered
 */
struct wl_path wl_path_into(struct wl_path path, uint16_t attr);

/**
 * wl_path_nest() - look up a nest
 * @path: where
 * @attr: attribute
 *
 * Return: the nest, or NULL.
 */
const struct wl_nest *wl_path_nest(struct wl_path path, uint16_t attr);

/**
 * wl_path_row() - look up a row
 * @path: where
 * @attr: attribute
 *
 * Return: its word, WL_WORDS if there is none.
 */
enum wl_word wl_path_row(struct wl_path path, uint16_t attr);

#endif
