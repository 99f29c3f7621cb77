/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TABLES_H
#define _WL_TABLES_H

/* Known answers, shared by the KUnit module and the unit tests. */
#include "wl_case.h"

/* SplitMix64 from state 1234567, as published with the algorithm. */
static const u64 wl_rng_known[] = {
	6457827717110365317ULL,
	3203168211198807973ULL,
	9817491932198370423ULL,
	4593380528125082431ULL,
	16408922859458223821ULL,
};

/**
 * struct wl_bound - one side of one bound of wl_cfg_check()
 * @op: parameter
 * @value: its value, all else as in a small valid configuration
 * @refused: what the refusal calls it, NULL when it is accepted
 * @min: least value according to the refusal
 * @max: greatest value according to the refusal
 */
struct wl_bound {
	enum wl_op op;
	u64 value;
	const char *refused;
	u64 min;
	u64 max;
};

static const struct wl_bound wl_bounds[] = {
	{ WL_OP_RATE, 0 },
	{ WL_OP_RATE, 1 },
	{ WL_OP_RATE, 100000000000ULL },
	{ WL_OP_RATE, 100000000001ULL, "rate", 0, 100000000000ULL },
	{ WL_OP_RATE, U64_MAX - 1, "rate", 0, 100000000000ULL },
	{ WL_OP_RATE, U64_MAX },
	{ WL_OP_TTI, 0 },
	{ WL_OP_TTI, 1 },
	{ WL_OP_TTI, 10 * WL_SEC },
	{ WL_OP_TTI, 10 * WL_SEC + 1, "tti", 0, 10 * WL_SEC },
	{ WL_OP_TTI, U64_MAX, "tti", 0, 10 * WL_SEC },
	{ WL_OP_DELAY, 0 },
	{ WL_OP_DELAY, 2592000 * WL_SEC },
	{ WL_OP_DELAY, 2592000 * WL_SEC + 1, "delay", 0, 2592000 * WL_SEC },
	{ WL_OP_DELAY, U64_MAX, "delay", 0, 2592000 * WL_SEC },
	{ WL_OP_HEADER, 0 },
	{ WL_OP_HEADER, 1024 },
	{ WL_OP_HEADER, 1025, "header", 0, 1024 },
	{ WL_OP_HEADER, U32_MAX, "header", 0, 1024 },
	{ WL_OP_PDU, 0 },
	{ WL_OP_PDU, 1 },
	{ WL_OP_PDU, 65535 },
	{ WL_OP_PDU, 65536, "pdu", 0, 65535 },
	{ WL_OP_PDU, U32_MAX, "pdu", 0, 65535 },
	{ WL_OP_LIMIT_PACKETS, 0, "limit", 1, 1000000 },
	{ WL_OP_LIMIT_PACKETS, 1 },
	{ WL_OP_LIMIT_PACKETS, 1000000 },
	{ WL_OP_LIMIT_PACKETS, 1000001, "limit", 1, 1000000 },
	{ WL_OP_LIMIT_PACKETS, U64_MAX, "limit", 1, 1000000 },
	{ WL_OP_LIMIT_BYTES, 0, "limit", 1, 1ULL << 30 },
	{ WL_OP_LIMIT_BYTES, 1 },
	{ WL_OP_LIMIT_BYTES, 1ULL << 30 },
	{ WL_OP_LIMIT_BYTES, (1ULL << 30) + 1, "limit", 1, 1ULL << 30 },
	{ WL_OP_LIMIT_BYTES, U64_MAX, "limit", 1, 1ULL << 30 },
	{ WL_OP_LIMIT_TIME, 0, "limit", 1, 3600 * WL_SEC },
	{ WL_OP_LIMIT_TIME, 1 },
	{ WL_OP_LIMIT_TIME, 3600 * WL_SEC },
	{ WL_OP_LIMIT_TIME, 3600 * WL_SEC + 1, "limit", 1, 3600 * WL_SEC },
	{ WL_OP_LIMIT_TIME, U64_MAX, "limit", 1, 3600 * WL_SEC },
	{ WL_OP_KIND, WLINK_CHANNEL_NONE },
	{ WL_OP_KIND, WLINK_CHANNEL_GILBERT },
	{ WL_OP_KIND, WLINK_CHANNEL_MAX + 1, "channel kind", 0, 4 },
	{ WL_OP_KIND, U32_MAX, "channel kind", 0, 4 },
};

/**
 * struct wl_amount - a time at a rate in bytes
 * @rate_bps: rate
 * @time_ns: time
 * @bytes: floor(rate x time / 8 x 10^9)
 */
struct wl_amount {
	u64 rate_bps;
	u64 time_ns;
	u64 bytes;
};

static const struct wl_amount wl_amounts[] = {
	{ 128000, 100 * WL_MS, 1600 },
	{ 384000, 1 * WL_SEC, 48000 },
	{ 384000, 20833, 0 },			/* 7.999872 bits */
	{ 384000, 20834, 1 },			/* 8.000256 bits */
	{ 9600, 106 * WL_SEC + 666666666, 127999 },
	{ 9600, 106 * WL_SEC + 666666667, 128000 },
	{ 1, 7 * WL_SEC + 999999999, 0 },
	{ 1, 8 * WL_SEC, 1 },
	{ 1, 1, 0 },
	{ 999999999, 999999999, 124999999 },	/* 999999998.000000001 bits */
	{ 100000000000ULL, 1, 12 },		/* 100 bits */
	{ 100000000000ULL, 3600 * WL_SEC, 45000000000000ULL },
	{ 99999999999ULL, 3600 * WL_SEC, 44999999999550ULL },
	{ 99999999999ULL, 3600 * WL_SEC - 1, 44999999999537ULL },
};

/* Rayleigh fading as a chain: frame error rate 0.1, normalised Doppler 0.01. */
#define WL_FADE_P_Q32	34907999U
#define WL_FADE_R_Q32	314171990U

/**
 * struct wl_n_step - P(bad after n frames | bad now), by 10^-4
 * @n: frames
 * @p11: probability
 */
struct wl_n_step {
	u64 n;
	u32 p11;
};

static const struct wl_n_step wl_n_steps[] = {
	{ 1, 9269 }, { 5, 6891 }, { 10, 4856 },
	{ 25, 2081 }, { 50, 1130 }, { 100, 1002 },
};

/* The mixing of SplitMix64 backwards: the state whose next number is this. */
static inline u64 wl_state_before(u64 number)
{
	u64 z = number;

	z = z ^ (z >> 31) ^ (z >> 62);
	z *= 0x319642b2d24d8ec3ULL;
	z = z ^ (z >> 27) ^ (z >> 54);
	z *= 0x96de1b173f119089ULL;
	z = z ^ (z >> 30) ^ (z >> 60);
	return z - 0x9e3779b97f4a7c15ULL;
}

/**
 * wl_p_bad() - the exact probability that a channel is bad after n frames
 * @cfg: gilbert
 * @bad: state before
 * @n: frames
 *
 * Found by bisection over the random number that the channel will draw.
 *
 * Return: the probability times 2^32, 2^32 for certain.
 */
static inline u64 wl_p_bad(const struct wl_chan_cfg *cfg, bool bad, u64 n)
{
	u64 low = 0, high = 1ULL << 32;

	while (low < high) {
		u64 mid = (low + high) / 2;
		struct wl_chan chan = { .cfg = *cfg, .bad = bad };

		chan.state_rng.state = wl_state_before(mid << 32);
		wl_chan_step(&chan, n);
		if (chan.bad)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif
