// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <unistd.h>
#include <linux/random.h>
#include <sys/ioctl.h>

#include "rng.h"

#define LN_2 0.69314718055994530942

uint64_t rng_next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

double rng_unit(struct rng *rng)
{
	return (double)((rng_next(rng) >> 11) + 1) / (1ULL << 53);
}

/* -ln(x) of x in (0, 1]. The library's own may differ in the last bit from one
 * processor to the next. With x = m / 2^k and s = (m - 1) / (m + 1), ln(m) is
 * 2 (s + s^3 / 3 + s^5 / 5 + ...), and s^2 < 0.03.
 */
static double minus_ln(double x)
{
	double sum = 0, s;
	int k = 0, i;

	while (x < 0.70710678118654752440) {
		x *= 2;
		k++;
	}
	s = (x - 1) / (x + 1);
	for (i = 21; i > 0; i -= 2)
		sum = sum * s * s + 1.0 / i;
	return k * LN_2 - 2 * s * sum;
}

double rng_exponential(struct rng *rng)
{
	return minus_ln(rng_unit(rng));
}

uint64_t rng_exponential_ns(struct rng *rng, uint64_t mean_ns)
{
	return (uint64_t)(rng_exponential(rng) * (double)mean_ns);
}

int rng_seed_kernel(uint64_t seed)
{
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);
	int bad;

	if (fd < 0)
		return -1;
	bad = ioctl(fd, RNDCLEARPOOL) ||
	      write(fd, &seed, sizeof(seed)) != sizeof(seed) ||
	      ioctl(fd, RNDRESEEDCRNG);
	close(fd);
	return bad ? -1 : 0;
}
