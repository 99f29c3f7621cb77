// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Draws from a distribution that is given as points of its distribution function, linear in
 * between: exact, whatever its shape. User space chooses the points.
 *
 * Draws that depend on the one before come from a Gaussian copula: z is a normal AR(1),
 * z' = rho z + sqrt(1 - rho^2) e with e normal, and the value is the quantile at Phi(z). So
 * the values have the distribution for any rho, and rho^k is the correlation of the z that
 * are k draws apart; of the values it is a little less where they are not normal.
 */
#include "dist.h"

#define NORMAL_SHIFT	27		/* 1/32 in Q32 */

/* P(|e| < i / 32) of a normal e, times 2^32; the last one is 1. */
static const u32 normal_within[] = {
	0x00000000, 0x0661cd39, 0x0cc2023b, 0x131f07ff, 0x197749e2, 0x1fc936d0,
	0x2613426d, 0x2c53e63b, 0x3289a2b1, 0x38b30054, 0x3ece90ba, 0x44daef8e,
	0x4ad6c37f, 0x50c0bf25, 0x5697a1d9, 0x5c5a3879, 0x62075e23, 0x679dfcdb,
	0x6d1d0e1e, 0x72839b69, 0x77d0bea7, 0x7d03a296, 0x821b8310, 0x8717ad46,
	0x8bf77fea, 0x90ba6b45, 0x955ff13b, 0x99e7a53c, 0x9e512c2a, 0xa29c3c26,
	0xa6c89c56, 0xaad62494, 0xaec4bd12, 0xb2945df5, 0xb6450edb, 0xb9d6e65c,
	0xbd4a097c, 0xc09eab17, 0xc3d50b43, 0xc6ed76aa, 0xc9e845db, 0xccc5dc9d,
	0xcf86a938, 0xd22b23b9, 0xd4b3cd38, 0xd7212f1e, 0xd973da61, 0xdbac66d0,
	0xddcb724f, 0xdfd1a025, 0xe1bf9843, 0xe3960690, 0xe5559a40, 0xe6ff0528,
	0xe892fb1a, 0xea12314c, 0xeb7d5dbf, 0xecd536ae, 0xee1a720b, 0xef4dc4fa,
	0xf06fe359, 0xf1817f4f, 0xf28348e7, 0xf375eda7, 0xf45a183f, 0xf5307033,
	0xf5f99994, 0xf6b634c0, 0xf766de24, 0xf80c2e0f, 0xf8a6b883, 0xf9370d13,
	0xf9bdb6c3, 0xfa3b3bf6, 0xfab01e54, 0xfb1cdaca, 0xfb81e979, 0xfbdfbdbc,
	0xfc36c629, 0xfc876c99, 0xfcd21635, 0xfd172385, 0xfd56f082, 0xfd91d4ad,
	0xfdc82328, 0xfdfa2ace, 0xfe283654, 0xfe528c63, 0xfe796fbd, 0xfe9d1f58,
	0xfebdd686, 0xfedbcd14, 0xfef7376f, 0xff1046c7, 0xff272932, 0xff3c09d1,
	0xff4f10f0, 0xff60642e, 0xff70269a, 0xff7e78d9, 0xff8b7943, 0xff974407,
	0xffa1f347, 0xffab9f38, 0xffb45e41, 0xffbc4511, 0xffc366c2, 0xffc9d4ee,
	0xffcf9fc8, 0xffd4d638, 0xffd985eb, 0xffddbb6f, 0xffe18243, 0xffe4e4ef,
	0xffe7ed0f, 0xffeaa36c, 0xffed1008, 0xffef3a2d, 0xfff1287f, 0xfff2e104,
	0xfff46935, 0xfff5c609, 0xfff6fbfd, 0xfff80f22, 0xfff90322, 0xfff9db50,
	0xfffa9aa6, 0xfffb43d6, 0xfffbd94a, 0xfffc5d2f, 0xfffcd178, 0xfffd37e3,
	0xfffd9203, 0xfffde13c, 0xfffe26cf, 0xfffe63da, 0xfffe995a, 0xfffec834,
	0xfffef12f, 0xffff1500, 0xffff3445, 0xffff4f8b, 0xffff6750, 0xffff7c00,
	0xffff8dfe, 0xffff9da0, 0xffffab32, 0xffffb6f6, 0xffffc127, 0xffffc9f9,
	0xffffd19a, 0xffffd830, 0xffffdddf, 0xffffe2c6, 0xffffe6fe, 0xffffeaa0,
	0xffffedbf, 0xfffff06d, 0xfffff2b9, 0xfffff4b2, 0xfffff662, 0xfffff7d3,
	0xfffff90f, 0xfffffa1c, 0xfffffb02, 0xfffffbc6, 0xfffffc6d, 0xfffffcfa,
	0xfffffd73, 0xfffffdd9, 0xfffffe30, 0xfffffe79, 0xfffffeb7, 0xfffffeec,
	0xffffff18, 0xffffff3d, 0xffffff5d, 0xffffff77, 0xffffff8e, 0xffffffa1,
	0xffffffb0, 0xffffffbe, 0xffffffc9, 0xffffffd2, 0xffffffda, 0xffffffe0,
	0xffffffe6, 0xffffffea, 0xffffffee, 0xfffffff1, 0xfffffff4, 0xfffffff6,
	0xffffffff,
};

#define NORMAL_LAST	(ARRAY_SIZE(normal_within) - 1)

static s64 normal_draw_q32(struct wl_rng *rng)
{
	u64 bits = wl_rng_next(rng);
	u32 within = bits >> 32, low = 0, high = NORMAL_LAST, at;
	u64 step, z_q32;

	while (high - low > 1) {
		at = (low + high) / 2;
		if (normal_within[at] <= within)
			low = at;
		else
			high = at;
	}
	step = normal_within[high] - normal_within[low];
	z_q32 = ((u64)low << NORMAL_SHIFT) +
		div64_u64((u64)(within - normal_within[low]) << NORMAL_SHIFT, step);
	return bits & 1 ? (s64)z_q32 : -(s64)z_q32;
}

/* Phi(z), in 2^-32. */
static u32 normal_below_q32(s64 z_q32)
{
	u64 abs_q32 = z_q32 < 0 ? -z_q32 : z_q32;
	u32 i = min_t(u64, abs_q32 >> NORMAL_SHIFT, NORMAL_LAST - 1);
	u64 past_q32 = min_t(u64, abs_q32 - ((u64)i << NORMAL_SHIFT), 1U << NORMAL_SHIFT);
	u32 half;

	half = (normal_within[i] + (u32)((normal_within[i + 1] - normal_within[i]) *
					 past_q32 >> NORMAL_SHIFT)) / 2;
	return z_q32 < 0 ? (1U << 31) - half : (1U << 31) + min(half, (1U << 31) - 1);
}

/* Return: a times b, in Q32. */
static s64 normal_times_q32(s64 a_q32, u32 b_q32)
{
	u64 product = mul_u64_u64_shr(a_q32 < 0 ? -a_q32 : a_q32, b_q32, 32);

	return a_q32 < 0 ? -(s64)product : (s64)product;
}

static u32 dist_uniform_q32(struct wl_chain *chain, u32 rho_q32, struct wl_rng *rng)
{
	s64 e_q32;
	u64 rho = rho_q32;

	if (!rho_q32)
		return wl_rng_next(rng) >> 32;
	e_q32 = normal_draw_q32(rng);
	if (!chain->begun)
		chain->z_q32 = e_q32;
	else if (rho_q32 != WLINK_PROB_ONE)
		chain->z_q32 = normal_times_q32(chain->z_q32, rho_q32) +
			       normal_times_q32(e_q32, int_sqrt64(U64_MAX - rho * rho));
	chain->begun = true;
	return normal_below_q32(chain->z_q32);
}

u64 wl_dist_quantile_ns(const struct wl_dist *dist, u32 cum)
{
	const struct wlink_point *point = dist->point;
	u32 low = 0, high = dist->count - 1, at;
	u64 part_q32, span;

	/* The last point that is not above; of an atom, or a gap, behind it. */
	while (high - low > 1) {
		at = (low + high) / 2;
		if (point[at].cum <= cum)
			low = at;
		else
			high = at;
	}
	span = point[high].cum - point[low].cum;
	if (!span)
		return point[high].value * dist->unit_ns;
	part_q32 = div64_u64((u64)(cum - point[low].cum) << 32, span);
	return point[low].value * dist->unit_ns +
	       mul_u64_u64_shr((point[high].value - point[low].value) * dist->unit_ns,
			       part_q32, 32);
}

u64 wl_dist_draw_ns(const struct wl_dist *dist, struct wl_chain *chain, u32 rho_q32,
		    struct wl_rng *rng)
{
	return wl_dist_quantile_ns(dist, dist_uniform_q32(chain, rho_q32, rng));
}

/* Return: what is wrong with a point, NULL for nothing. */
static const char *dist_judge(const struct wl_dist *dist, u32 i)
{
	const struct wlink_point *point = &dist->point[i];

	if (!i && point->cum)
		return "a cum above 0";
	if (i == dist->count - 1 && point->cum != U32_MAX)
		return "a cum below 2^32 - 1";
	if (i && point->cum < point[-1].cum)
		return "a cum that falls";
	return i && point->value < point[-1].value ? "a value that falls" : NULL;
}

int wl_dist_check(const struct wl_dist *dist, struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "jitter points", "", dist->count, 2, WLINK_POINTS_MAX },
		{ "jitter unit", "ns", dist->unit_ns, 1, WLINK_JITTER_MAX },
	};
	u64 most_ns;
	u32 i;

	if (wl_within(why, bounds, ARRAY_SIZE(bounds)))
		return -ERANGE;
	for (i = 0; i < dist->count; i++) {
		const char *what = dist_judge(dist, i);

		if (!what)
			continue;
		*why = (struct wl_refusal){ what, "in jitter points", i + 1, 0, 0 };
		return -EINVAL;
	}
	most_ns = dist->point[dist->count - 1].value;
	most_ns = most_ns > div64_u64(U64_MAX, dist->unit_ns) ? U64_MAX : wl_dist_most_ns(dist);
	*why = (struct wl_refusal){ "jitter, the greatest", "ns", most_ns, 0,
				    WLINK_JITTER_MAX };
	return why->value > why->max ? -ERANGE : 0;
}
