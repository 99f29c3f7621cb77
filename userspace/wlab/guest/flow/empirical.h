/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_EMPIRICAL_H
#define WLAB_EMPIRICAL_H

#include <stddef.h>
#include <stdint.h>

#include "rng.h"

/**
 * struct piece - part of a distribution: the quantiles up to one that is known
 * @until: probability at its end; it starts at the end of the previous piece
 * @value: quantile at its end
 * @power: exponent of the interpolation t^power, t from 0 to 1: 1 is linear;
 *	above 1 most values are near the lower end.
 */
struct piece {
	double until;
	double value;
	unsigned int power;
};

/**
 * struct empirical - a distribution of whole numbers
 * @pieces: with probabilities up to 1; the first one has the smallest value,
 *	at probability 0
 * @count: number of pieces
 */
struct empirical {
	const struct piece *pieces;
	size_t count;
};

/* Web pages: bytes of a request, bytes of a reply with its head, number of
 * embedded objects.
 */
extern const struct empirical web_request_bytes;
extern const struct empirical web_reply_bytes;
extern const struct empirical web_objects;

/* Pages of popular sites in 2011: bytes of the reply with the page and of one with
 * an object, number of embedded objects.
 */
extern const struct empirical web_2011_page_bytes;
extern const struct empirical web_2011_object_bytes;
extern const struct empirical web_2011_objects;

/**
 * empirical_at() - a quantile
 * @e: distribution
 * @p: probability, from 0 to 1
 *
 * Return: the quantile, rounded up.
 */
uint64_t empirical_at(const struct empirical *e, double p);

/**
 * empirical_draw() - a random value
 * @e: distribution
 * @rng: random numbers
 *
 * Return: the value.
 */
uint64_t empirical_draw(const struct empirical *e, struct rng *rng);

#endif
