/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_TOP_H
#define _WLINKCTL_TOP_H

/* What bearers do now: the difference of two looks at their statistics. */

#include <stdio.h>

#include "link/link.h"
#include "link/target.h"

/**
 * struct top_look - one look at all bearers
 * @at_ns: when, CLOCK_MONOTONIC
 * @links: the qdiscs
 * @bearers: bearers of all of them, in the order of @links
 */
struct top_look {
	uint64_t at_ns;
	struct link_list links;
	struct link_list bearers;
};

/**
 * top_look() - take a look
 * @ctl: the program
 * @of: which links, as target_parse() has it; @dev NULL for all
 * @look: result; top_look_free() it after use
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int top_look(struct wlinkctl *ctl, const struct target *of,
	     struct top_look *look);

/**
 * top_look_free() - forget a look
 * @look: it; it may be all 0
 */
void top_look_free(struct top_look *look);

#define TOP_DELAYS	3
extern const unsigned int top_percents[TOP_DELAYS];
extern const char *const top_drops[__WLINK_DROP_MAX];

/**
 * struct top_row - a bearer in an interval
 * @link: as it is now
 * @interval_ns: length of the interval, 0 if there was no look before
 * @sdus: delivered in it
 * @bytes: of these
 * @drops: SDUs dropped in it, by enum wlink_drop
 * @dropped: their sum
 * @retx: PDUs sent once more in it
 * @delay_ns: quantiles top_percents of the delay of @sdus
 * @has_delay: they are known
 * @full: share of the limit that the buffer has
 */
struct top_row {
	const struct link *link;
	uint64_t interval_ns;
	uint64_t sdus;
	uint64_t bytes;
	uint64_t drops[__WLINK_DROP_MAX];
	uint64_t dropped;
	uint64_t retx;
	uint64_t delay_ns[TOP_DELAYS];
	bool has_delay;
	double full;
};

/**
 * top_rows() - what has happened between two looks
 * @before: first look, or one without any link
 * @now: second look; the rows point into it
 * @n: number of rows
 *
 * Return: rows, one for each bearer, to be freed; NULL after a complaint.
 */
struct top_row *top_rows(const struct top_look *before,
			 const struct top_look *now, size_t *n);

/**
 * top_per_s() - make a count a rate
 * @row: of which
 * @count: in its interval
 */
double top_per_s(const struct top_row *row, uint64_t count);

/**
 * top_text() - write rows as a table
 * @f: where to
 * @rows: they
 * @n: how many
 * @width: of a line, 0 for any
 * @height: lines there are, 0 for any
 * @eol: what ends a line
 */
void top_text(FILE *f, const struct top_row *rows, size_t n, size_t width,
	      size_t height, const char *eol);

/**
 * top_json() - write rows as one line of JSON on standard output
 * @look: the second look
 * @rows: they
 * @n: how many
 */
void top_json(const struct top_look *look, const struct top_row *rows,
	      size_t n);

#endif
