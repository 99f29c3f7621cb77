// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "numbers/dist.h"

#define OCTAVES		16
#define PER_OCTAVE	16		/* where there is one tail, else half of it */
#define CUT		(OCTAVES + 2)

/**
 * struct shape - a distribution of values above 0
 * @dist: which
 * @mean: of it, or of the logarithm
 * @dev: the same of its standard deviation
 * @power: pareto: the exponent of its tail
 */
struct shape {
	enum wlink_dist dist;
	double mean;
	double dev;
	double power;
};

/* What a normal number is above with a probability of at most 1/2. */
static double normal_above(double above)
{
	double low = 0, high = 40;
	int i;

	for (i = 0; i < 200; i++) {
		double z = (low + high) / 2;

		if (erfc(z / M_SQRT2) / 2 > above)
			low = z;
		else
			high = z;
	}
	return low;
}

static double normal(double below, double above)
{
	return above < below ? normal_above(above) : -normal_above(below);
}

static double quantile(const struct shape *shape, double below, double above)
{
	switch (shape->dist) {
	case WLINK_DIST_EXPONENTIAL:
		return -shape->mean * log(above);
	case WLINK_DIST_PARETO:
		return shape->mean * pow(above, -1 / shape->power);
	case WLINK_DIST_LOGNORMAL:
		return exp(shape->mean + shape->dev * normal(below, above));
	default:
		return shape->mean + shape->dev * normal(below, above);
	}
}

void wl_points_unit(struct wl_points *points, double most)
{
	/* With the greatest unit the greatest value is still a number of ns, of years. */
	points->unit_ns = (uint64_t)fmin(fmax(ceil(most / UINT32_MAX), 1), 1U << 31);
}

void wl_points_add(struct wl_points *points, double cum, double above, double value)
{
	struct wlink_point *point = &points->point[points->count++];
	double unit = (double)points->unit_ns;

	point->cum = cum < above ? (uint32_t)llround(cum * UINT32_MAX) :
				   UINT32_MAX - (uint32_t)llround(above * UINT32_MAX);
	point->value = (uint32_t)fmin(fmax(round(value / unit), 0), UINT32_MAX);
}

/* All points, times a factor; a unit of 0 only tells the mean of what they come to. */
static double put(struct wl_points *points, const struct shape *shape, double factor)
{
	int tails = shape->dist == WLINK_DIST_NORMAL || shape->dist == WLINK_DIST_LOGNORMAL;
	int per = tails ? PER_OCTAVE / 2 : PER_OCTAVE;
	double step, part, was_below = 0, was, sum = 0;
	int i;

	part = ldexp(1, -CUT);
	was = tails ? quantile(shape, part, 1) : quantile(shape, 0, 1);
	if (points)
		wl_points_add(points, 0, 1, was * factor);
	for (i = (tails ? -OCTAVES + 1 : 0) * per; i <= OCTAVES * per; i++) {
		int octave = (i < 0 ? -i : i) / per;
		double below, above, value;

		/* From 2^-octave down to half of it; with two tails those meet at 1/2. */
		step = (i < 0 ? -i : i) % per;
		part = ldexp(1 - step / (2 * per), -octave - tails);
		below = i < 0 ? part : 1 - part;
		above = i < 0 ? 1 - part : part;
		if (!tails && !i)
			continue;
		value = quantile(shape, below, above);
		sum += (below - was_below) * (was + value) / 2;
		was_below = below;
		was = value;
		if (points)
			wl_points_add(points, below, above, value * factor);
	}
	part = quantile(shape, 1, ldexp(1, -CUT));
	if (points)
		wl_points_add(points, 1, 0, part * factor);
	return sum + (1 - was_below) * (was + part) / 2;
}

static const char *make_shape(struct shape *shape, double mean, double dev)
{
	double ratio = dev / mean;

	*shape = (struct shape){ shape->dist, mean, dev, 0 };
	if (shape->dist == WLINK_DIST_EXPONENTIAL)
		return NULL;
	if (dev <= 0)
		return "is 0, this distribution needs more";
	if (shape->dist == WLINK_DIST_PARETO) {
		shape->power = 1 + sqrt(1 + 1 / (ratio * ratio));
		shape->mean = mean * (shape->power - 1) / shape->power;
	} else if (shape->dist == WLINK_DIST_LOGNORMAL) {
		shape->dev = sqrt(log1p(ratio * ratio));
		shape->mean = log(mean) - shape->dev * shape->dev / 2;
	}
	return NULL;
}

const char *wl_points_make(struct wl_points *points, enum wlink_dist dist,
			   uint64_t mean_ns, uint64_t dev_ns)
{
	double mean = (double)mean_ns, dev = (double)dev_ns, half = sqrt(3) * dev;
	struct shape shape = { .dist = dist };
	double factor, most;
	const char *wrong;

	memset(points, 0, sizeof(*points));
	if (dist == WLINK_DIST_CONSTANT || dist == WLINK_DIST_UNIFORM) {
		half = dist == WLINK_DIST_UNIFORM ? half : 0;
		if (half > mean)
			return "is above the mean / sqrt(3): delays would be below 0";
		wl_points_unit(points, mean + half);
		wl_points_add(points, 0, 1, mean - half);
		wl_points_add(points, 1, 0, mean + half);
		return NULL;
	}
	wrong = make_shape(&shape, mean, dev);
	if (wrong)
		return wrong;
	factor = dist == WLINK_DIST_NORMAL ? 1 : mean / put(NULL, &shape, 1);
	most = factor * quantile(&shape, 1, ldexp(1, -CUT));
	wl_points_unit(points, most);
	put(points, &shape, factor);
	return NULL;
}
