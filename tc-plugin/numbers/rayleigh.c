// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include <linux/pkt_sch_wlink.h>

#include "numbers/rayleigh.h"

/* About four units of the results. */
#define LEAST	0.000000001

/* Step and ends of the integral: the error is below 1e-18 of it. */
#define STEP	0.1
#define FAR	45.0

/* Below, 1 - J0(x) is taken from its series, since J0(x) would be rounded. */
#define SERIES	0.01

/* 1 - |J0(x)|. The next term of the series is x^6 / 2304. */
static double decorrelation(double x)
{
	if (x < SERIES)
		return x * x / 4 * (1 - x * x / 16);
	return 1 - fabs(j0(x));
}

/*
 * D = Q1(t, rho t) - Q1(rho t, t) with t^2 / 2 = G / (1 - rho^2), Q1 the Marcum
 * function. For slow fading both terms are nearly equal and take millions of
 * terms to sum. With Simon's finite integrals for both, and 1 being the mean of
 * Poisson's kernel, the difference is a mean over a circle,
 *
 *	D = 1/pi int_0^pi (1 - exp(-G u)) / u dphi,
 *	u = ((1 - rho)^2 + 4 rho sin(phi/2)^2) / (1 - rho^2),
 *
 * without any cancellation. y = ln tan(phi/2) makes it one over all reals that
 * is analytic in a strip, where equal steps converge exponentially.
 */
static double q1_difference(double g, double away)
{
	double low = away / (2 - away);
	double sum = 0;
	double y;

	for (y = -FAR; y <= FAR; y += STEP) {
		double sin2 = 1 / (1 + exp(-2 * y));
		double cos2 = 1 / (1 + exp(2 * y));
		double u = low * cos2 + sin2 / low;

		sum += -expm1(-g * u) / u / cosh(y);
	}
	return sum * STEP / M_PI;
}

int wl_rayleigh(double fer, double fdt, uint32_t *p_q32, uint32_t *r_q32)
{
	uint32_t p_rounded, r_rounded;
	double g, p;

	if (!(fer >= LEAST && fer <= 0.999 && fdt >= LEAST && fdt <= 100))
		return -1;
	/* 1/F of the fading margin F; then e^(1/F) - 1 = fer / (1 - fer). */
	g = -log1p(-fer);
	p = q1_difference(g, decorrelation(2 * M_PI * fdt));
	p_rounded = (uint32_t)llround(ldexp(p, 32));
	r_rounded = (uint32_t)llround(ldexp(p / expm1(g), 32));
	/* A chain that never turns has not the error ratio asked for. */
	if (!p_rounded || !r_rounded)
		return -1;
	*p_q32 = p_rounded;
	*r_q32 = r_rounded;
	return 0;
}

uint64_t wl_hazard_from_ber(double ber)
{
	double hazard_q56 = ldexp(-log1p(-ber), 56);

	if (!(hazard_q56 < (double)WLINK_HAZARD_MAX))
		return WLINK_HAZARD_MAX;
	return hazard_q56 > 0 ? (uint64_t)llround(hazard_q56) : 0;
}

double wl_hazard_to_ber(uint64_t hazard_q56)
{
	return -expm1(-ldexp((double)hazard_q56, -56));
}
