/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_EMPIRICAL_H
#define WLAB_EMPIRICAL_H

#include <stddef.h>
#include <stdint.h>

#include "rng.h"

/**
 * struct piece - part of a distribution: the quantiles up to one that is known
 * @upto: probability at its end; it begins where the piece before ends
 * @value: quantile there
 * @power: how they rise in between: as t^power, t from 0 to 1. 1 is a straight
 *	line; above it most of the values are near the lower end.
 */
struct piece {
	double upto;
	double value;
	unsigned int power;
};

/**
 * struct empirical - a distribution of whole numbers
 * @pieces: with probabilities up to 1; the first only says where the values
 *	begin, at probability 0
 * @count: of pieces
 */
struct empirical {
	const struct piece *pieces;
	size_t count;
};

/* Of one web page: bytes of a request, bytes of a reply with its head, objects
 * embedded in the page.
 */
extern const struct empirical web_request_bytes;
extern const struct empirical web_reply_bytes;
extern const struct empirical web_objects;

/**
 * empirical_at() - a quantile
 * @e: of which distribution
 * @p: probability, from 0 to 1
 *
 * Return: the smallest whole number that is not below it.
 */
uint64_t empirical_at(const struct empirical *e, double p);

/**
 * empirical_draw() - a random value
 * @e: of which distribution
 * @rng: random numbers
 *
 * Return: it.
 */
uint64_t empirical_draw(const struct empirical *e, struct rng *rng);

#endif
