// SPDX-License-Identifier: GPL-2.0
/* wlab-ping ADDRESS COUNT MEAN_S: pings at random intervals, so that no period of a link is met in
 * step: uniform, up to twice the mean. Prints the round trip of each answer in ns, in their order.
 * A program of the lab's own, for a result that is kept must not depend on those of the host.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "rng.h"

#define SECOND_NS 1000000000U
/* How long the last answers may take. */
#define PATIENCE_NS (15ULL * SECOND_NS)

/* As long as that of ping(8): with its IP header 84 bytes. */
struct echo {
	struct icmphdr head;
	uint64_t sent_ns;
	uint8_t rest[48];
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND_NS + (uint64_t)ts.tv_nsec;
}

static int fail(const char *what)
{
	fprintf(stderr, "wlab-ping: %s: %s\n", what, strerror(errno));
	return 1;
}

static uint16_t sum16(const void *data, size_t bytes)
{
	const uint8_t *at = data;
	uint32_t sum = 0;
	uint16_t word;

	for (; bytes; bytes -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sum += word;
	}
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}

static int send_echo(int fd, unsigned long number)
{
	struct echo echo = {
		.head.type = ICMP_ECHO,
		.head.un.echo = { htons(1), htons((uint16_t)number) },
		.sent_ns = now_ns(),
	};

	echo.head.checksum = sum16(&echo, sizeof(echo));
	return send(fd, &echo, sizeof(echo), 0) != sizeof(echo);
}

/* Prints what is answered until a time, or until all is. */
static int read_answers(int fd, uint64_t until_ns, unsigned long *left)
{
	struct {
		struct iphdr ip;
		struct echo echo;
	} __attribute__((packed)) got;
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	struct timespec for_;
	uint64_t now;

	while (*left && (now = now_ns()) < until_ns) {
		for_.tv_sec = (time_t)((until_ns - now) / SECOND_NS);
		for_.tv_nsec = (long)((until_ns - now) % SECOND_NS);
		if (ppoll(&wait, 1, &for_, NULL) < 0)
			return -1;
		if (!wait.revents)
			continue;
		if (recv(fd, &got, sizeof(got), 0) != sizeof(got) ||
		    got.echo.head.type != ICMP_ECHOREPLY)
			continue;
		printf("%" PRIu64 "\n", now_ns() - got.echo.sent_ns);
		--*left;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	unsigned long count, left, number;
	struct rng rng;
	double mean_s;
	uint64_t at;
	int fd;

	if (argc != 4 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) {
		fputs("wlab-ping ADDRESS COUNT MEAN_S\n", stderr);
		return 2;
	}
	count = strtoul(argv[2], NULL, 10);
	mean_s = strtod(argv[3], NULL);
	fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fail(argv[1]);
	/* In the lab these follow from the seed of the run. */
	if (getrandom(&rng.state, sizeof(rng.state), 0) != sizeof(rng.state))
		return fail("random numbers");

	left = count;
	at = now_ns();
	for (number = 0; number < count; number++) {
		at += (uint64_t)(rng_unit(&rng) * 2 * mean_s * SECOND_NS);
		if (read_answers(fd, at, &left))
			return fail("answers");
		if (send_echo(fd, number))
			return fail(argv[1]);
	}
	if (read_answers(fd, at + PATIENCE_NS, &left))
		return fail("answers");
	return 0;
}
