// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdint.h>

#include "ut.h"
#include "core/lib/types.h"
#include "numbers/rayleigh.h"

/*
 * Found with Marcum's Q function summed and by quadrature, which agree; the
 * bursts agree with those of a simulated Clarke process, too.
 */
static const struct row {
	double fer, fdt;
	double p00, p11, burst, gap;
	uint32_t p_q32, r_q32;
} rows[] = {
	{ .01, .003, .999247, .925448, 13.413, 1327.9, 3234337, 320199329 },
	{ .01, .01, .997518, .754305, 4.0701, 402.9, 10659117, 1055252627 },
	{ .01, .03, .993486, .355143, 1.5507, 153.5, 27976158, 2769639621 },
	{ .01, .1, .990426, .052209, 1.0551, 104.5, 41118479, 4070729435 },
	{ .01, .64, .990019, .011834, 1.0120, 100.2, 42870105, 4244140436 },
	{ .05, .003, .998297, .967648, 30.910, 587.3, 7313273, 138952187 },
	{ .05, .01, .994336, .892385, 9.2924, 176.6, 24326527, 462204022 },
	{ .05, .03, .983335, .683362, 3.1582, 60.0, 71576273, 1359949185 },
	{ .05, .1, .959032, .221612, 1.2847, 24.4, 175955282, 3343150351 },
	{ .05, .64, .950460, .058732, 1.0624, 20.2, 212774473, 4042714986 },
	{ .1, .003, .997559, .978034, 45.525, 409.7, 10482584, 94343258 },
	{ .1, .01, .991872, .926851, 13.671, 123.0, 34907999, 314171990 },
	{ .1, .03, .975830, .782470, 4.5971, 41.4, 103809375, 934284375 },
	{ .1, .1, .930023, .370209, 1.5878, 14.29, 300547753, 2704929774 },
	{ .1, .64, .901820, .116376, 1.1317, 10.2, 421681710, 3795135394 },
	{ .2, .003, .996448, .985792, 70.381, 281.5, 15256152, 61024606 },
	{ .2, .01, .988165, .952659, 21.123, 84.5, 50832232, 203328929 },
	{ .2, .03, .964628, .858513, 7.0678, 28.3, 151920053, 607680212 },
	{ .2, .1, .888176, .552703, 2.2357, 8.94, 480281301, 1921125206 },
	{ .2, .64, .807114, .228455, 1.2961, 5.18, 828440436, 3313761745 },
};

static void published(const struct row *row)
{
	uint32_t p_q32 = 0, r_q32 = 0;

	ut_begin("rayleigh: fer %g fdt %g", row->fer, row->fdt);
	CHECK_EQ(wl_rayleigh(row->fer, row->fdt, &p_q32, &r_q32), 0);
	CHECK_NEAR(p_q32, row->p_q32, 2);
	CHECK_NEAR(r_q32, row->r_q32, 2);
	/* Half a unit of the last digit of the table, and a bit. */
	CHECK_NEAR(1 - p_q32 / 0x1p32, row->p00, 0.00000051);
	CHECK_NEAR(1 - r_q32 / 0x1p32, row->p11, 0.00000051);
	CHECK_NEAR(0x1p32 / r_q32, row->burst, row->burst < 10 ? 0.000051 : 0.00051);
	CHECK_NEAR(0x1p32 / p_q32, row->gap, 0.06);
}

/* The mean of fades of a Rayleigh process is 1/r as sampling gets denser. */
CASE(rayleigh, "rayleigh: slow fading has not the mean fade duration")
{
	const double fers[] = { 0.01, 0.1, 0.5, 0.999 };
	const double fdts[] = { 0.0001, 0.00001, 0.000001 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(fers); i++)
		for (j = 0; j < ARRAY_SIZE(fdts); j++) {
			double level = -log1p(-fers[i]);
			double wanted = sqrt(2 * M_PI * level) * fdts[j] /
					expm1(level) * 0x1p32;
			uint32_t p_q32, r_q32;

			wl_rayleigh(fers[i], fdts[j], &p_q32, &r_q32);
			CHECK_NEAR(r_q32, wanted, 1 + wanted * 0.00001);
			CHECK_NEAR(p_q32, wanted * expm1(level),
				   1 + wanted * expm1(level) * 0.00001);
		}
}

/* Where J0 is 0 each frame stands alone: p = fer and r = 1 - fer. */
CASE(rayleigh, "rayleigh: frames that do not depend on each other")
{
	const double zero = 2.404825557695773 / (2 * M_PI);
	const double fers[] = { 0.000000001, 0.001, 0.3, 0.999 };
	uint32_t p_q32, r_q32;

	for (unsigned int i = 0; i < ARRAY_SIZE(fers); i++) {
		CHECK_EQ(wl_rayleigh(fers[i], zero, &p_q32, &r_q32), 0);
		CHECK_NEAR(p_q32, fers[i] * 0x1p32, 1);
		CHECK_NEAR(r_q32, (1 - fers[i]) * 0x1p32, 1);
	}
}

CASE(rayleigh, "rayleigh: what is out of range is taken")
{
	const double wrong[][2] = {
		{ 0, 1 }, { 0.0000000009, 1 }, { 0.9991, 1 }, { 1, 1 }, { -1, 1 },
		{ 0.1, 0 }, { 0.1, 0.0000000009 }, { 0.1, 101 }, { 0.1, -1 },
		{ NAN, 1 }, { 0.1, NAN }, { 0.1, INFINITY },
		/* p and r round to 0. */
		{ 0.000000001, 0.000000001 }, { 0.999, 0.000000001 },
	};
	uint32_t p_q32 = 7, r_q32 = 8;

	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++)
		CHECK(wl_rayleigh(wrong[i][0], wrong[i][1], &p_q32, &r_q32) == -1);
	CHECK_EQ(p_q32, 7);
	CHECK_EQ(r_q32, 8);
	CHECK_EQ(wl_rayleigh(0.000000001, 1, &p_q32, &r_q32), 0);
	CHECK_EQ(wl_rayleigh(0.1, 0.000000001, &p_q32, &r_q32), 0);
	CHECK_EQ(wl_rayleigh(0.999, 100, &p_q32, &r_q32), 0);
}

CASE(rayleigh, "hazard: not -ln(1 - BER) * 2^56")
{
	const double bers[] = {
		0.000000000000001, 0.000000001, 0.000001, 0.01, 0.5, 0.999999,
	};

	CHECK_EQ(wl_hazard_from_ber(0), 0);
	CHECK_EQ(wl_hazard_from_ber(1), WLINK_HAZARD_MAX);
	/* ln 2 * 2^56 to the 53 bits of a double. */
	CHECK_EQ(wl_hazard_from_ber(0.5), 49946518145322872ULL);
	/* 1e-6 + 1e-12 / 2 + 1e-18 / 3, times 2^56 */
	CHECK_NEAR(wl_hazard_from_ber(0.000001), 72057630066.749, 1);
	for (unsigned int i = 0; i < ARRAY_SIZE(bers); i++)
		CHECK_NEAR(wl_hazard_to_ber(wl_hazard_from_ber(bers[i])),
			   bers[i], bers[i] * 0.000000000000001 + 1 / 0x1p57);
	CHECK_NEAR(wl_hazard_to_ber(WLINK_HAZARD_MAX), 1, 0.000000000000001);
}

TEST(rayleigh)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		published(&rows[i]);
}
