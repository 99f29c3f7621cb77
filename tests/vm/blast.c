// SPDX-License-Identifier: GPL-2.0
/* blast BEARERS SOCKETS PACKETS_PER_S SIZE SECONDS: UDP to 10.0.0.9 port 9 from
 * as many sockets in turn, whose priorities name the classes 1:1 to 1:BEARERS.
 * Nobody has that address: the far side drops the packets without an answer.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define MAX_SOCKETS 4096
#define TICK_NS 1000000L

static int sockets[MAX_SOCKETS];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void open_all(int count, int bearers)
{
	const struct rlimit room = { MAX_SOCKETS + 16, MAX_SOCKETS + 16 };
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int i;

	inet_pton(AF_INET, "10.0.0.9", &to.sin_addr);
	if (setrlimit(RLIMIT_NOFILE, &room))
		fail("setrlimit");
	for (i = 0; i < count; i++) {
		const int priority = 0x10000 | (i % bearers + 1);

		sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (sockets[i] < 0 ||
		    setsockopt(sockets[i], SOL_SOCKET, SO_PRIORITY, &priority,
			       sizeof(priority)) ||
		    connect(sockets[i], (struct sockaddr *)&to, sizeof(to)))
			fail("socket");
	}
}

int main(int argc, char **argv)
{
	static char data[1500];
	struct timespec next;
	long sent = 0, wanted, ticks, tick;
	int bearers, count, size;

	if (argc != 6)
		return 2;
	bearers = atoi(argv[1]);
	count = atoi(argv[2]);
	wanted = atol(argv[3]);
	size = atoi(argv[4]);
	ticks = atol(argv[5]) * 1000;
	if (bearers < 1 || count < bearers || count > MAX_SOCKETS || size > 1472)
		return 2;
	open_all(count, bearers);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (tick = 1; tick <= ticks; tick++) {
		for (; sent < wanted * tick / 1000; sent++)
			if (send(sockets[sent % count], data, (size_t)size,
				 MSG_DONTWAIT) < 0)
				fail("send");
		next.tv_nsec += TICK_NS;
		if (next.tv_nsec >= 1000000000L) {
			next.tv_nsec -= 1000000000L;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return 0;
}
