/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_H
#define _WL_USER_H

/*
 * User space's side of kernel/core/lib/types.h: the kernel's names on top of
 * the C library. Only what the core uses is here, so that a new dependency of
 * the core on the kernel shows as an error of the unit tests' build.
 */
/* As the kernel is compiled: a table names what it is about and the rest is 0, not every
 * mode needs all that a mode is told, and what cannot be negative may be signed.
 */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int s32;
typedef long long s64;

#define noinline	__attribute__((__noinline__))
#define __must_check	__attribute__((__warn_unused_result__))

#define U64_MAX	(~0ULL)
#define U16_MAX	0xffffU
#define U32_MAX	(~0U)

/* As in the kernel, both sides must have one type and are evaluated once. */
#define WL_PASTE_(a, b)		a##b
#define WL_PASTE(a, b)		WL_PASTE_(a, b)
#define WL_PICK_(a, b, op, va, vb) __extension__ ({	\
	__auto_type va = (a);				\
	__auto_type vb = (b);				\
	(void)(&va == &vb);				\
	va op vb ? va : vb; })
#define WL_PICK(a, b, op)				\
	WL_PICK_(a, b, op, WL_PASTE(pick_a_, __COUNTER__), \
		 WL_PASTE(pick_b_, __COUNTER__))

#define min(a, b)		WL_PICK(a, b, <)
#define max(a, b)		WL_PICK(a, b, >)
#define min3(a, b, c)		min(min(a, b), c)
#define max3(a, b, c)		max(max(a, b), c)
#define min_t(type, a, b)	WL_PICK((type)(a), (type)(b), <)
#define max_t(type, a, b)	WL_PICK((type)(a), (type)(b), >)
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define DIV64_U64_ROUND_UP(n, d) div64_u64((n) + (d) - 1, (d))

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))

static inline int ilog2(u64 n)
{
	return 63 - __builtin_clzll(n);
}

static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n > 1 ? 2UL << ilog2(n - 1) : 1;
}

/* Bit by bit: the kernel's is also that of whole numbers, rounded down. */
static inline u32 int_sqrt64(u64 n)
{
	u32 root = 0, bit;

	for (bit = 1U << 31; bit; bit >>= 1)
		if ((u64)(root | bit) * (root | bit) <= n)
			root |= bit;
	return root;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

/* The kernel's cuts the top off in silence; no caller may rely on it. */
#ifdef __SIZEOF_INT128__
static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	__extension__ typedef unsigned __int128 u128;

	u128 product = (u128)a * b >> shift;

	if (product > U64_MAX)
		abort();
	return (u64)product;
}
#else
static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	u64 low = (u64)(u32)a * (u32)b;
	u64 left = (a >> 32) * (u32)b + (low >> 32);
	u64 right = (u64)(u32)a * (b >> 32) + (u32)left;
	u64 high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);

	low = right << 32 | (u32)low;
	if (shift == 64)
		return high;
	if (high >> shift)
		abort();
	return shift ? high << (64 - shift) | low >> shift : low;
}
#endif

#endif
