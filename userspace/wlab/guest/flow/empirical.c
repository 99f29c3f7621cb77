// SPDX-License-Identifier: GPL-2.0
/* The empirical HTTP model: B. Mah, "An empirical model of HTTP network
 * traffic", INFOCOM 1997, in the form in which ns-2 has it, which is what
 * Xylomenos and Makidis used ("Adaptive link layer protocols for shared
 * wireless links", Mobimedia 2007, section 5). No data file is copied: each
 * distribution is constructed from the quantiles and the mean of ns-2's. If
 * linear interpolation between two quantiles misses the mean, the piece is curved.
 * Values below the lowest known quantile are a guess with little weight.
 */
#include "empirical.h"

#define OF(list) { list, sizeof(list) / sizeof((list)[0]) }

/* Mean 337.3, standard deviation 293.5 of 4100. */
static const struct piece request_bytes[] = {
	{ 0, 64, 0 },
	{ 0.10, 148, 1 },
	{ 0.50, 231, 1 },
	{ 0.90, 1057, 6 },
	{ 0.99, 1134, 1 },
	{ 1, 1373, 1 },
};

const struct empirical web_request_bytes = OF(request_bytes);

/* Mean 7231, standard deviation 44070 of 4100: the largest 1 % have more than
 * a quarter of all bytes.
 */
static const struct piece reply_bytes[] = {
	{ 0, 0, 0 },
	{ 0.10, 110, 1 },
	{ 0.25, 560, 1 },
	{ 0.50, 2112, 1 },
	{ 0.75, 4797, 1 },
	{ 0.90, 12581, 1 },
	{ 0.95, 23332, 1 },
	{ 0.99, 67379, 1 },
	{ 1, 1636039, 11 },
};

const struct empirical web_reply_bytes = OF(reply_bytes);

/* Mean 2.838, standard deviation 4.1 of 1444. */
static const struct piece objects[] = {
	{ 0, 0, 0 },
	{ 0.50, 1, 1 },
	{ 0.75, 3, 2 },
	{ 0.90, 6, 2 },
	{ 0.95, 9, 2 },
	{ 0.99, 19, 2 },
	{ 1, 65, 3 },
};

const struct empirical web_objects = OF(objects);

/* Pages of 2011, of which HTTP Archive publishes means alone: 76 requests and 735
 * kB on 15 August, of which HTML has 31 kB in January and 34 a year later (S.
 * Souders, stevesouders.com, 2011-08-17 and 2012-02-01). The spread is a guess:
 * documents and numbers of objects are uniform, objects are rarely large.
 */
static const struct piece page_2011_bytes[] = {
	{ 0, 6000, 0 },
	{ 1, 60000, 1 },
};

const struct empirical web_2011_page_bytes = OF(page_2011_bytes);

static const struct piece object_2011_bytes[] = {
	{ 0, 200, 0 },
	{ 1, 46000, 4 },
};

const struct empirical web_2011_object_bytes = OF(object_2011_bytes);

static const struct piece objects_2011[] = {
	{ 0, 10, 0 },
	{ 1, 140, 1 },
};

const struct empirical web_2011_objects = OF(objects_2011);

uint64_t empirical_at(const struct empirical *e, double p)
{
	const struct piece *b = &e->pieces[1];
	double t, x = 1;
	unsigned int i;
	uint64_t down;

	while (b + 1 < e->pieces + e->count && p > b->until)
		b++;
	t = (p - b[-1].until) / (b->until - b[-1].until);
	for (i = 0; i < b->power; i++)
		x *= t;
	x = b[-1].value + (b->value - b[-1].value) * x;
	down = (uint64_t)x;
	return down + (x > (double)down);
}

uint64_t empirical_draw(const struct empirical *e, struct rng *rng)
{
	return empirical_at(e, rng_unit(rng));
}
