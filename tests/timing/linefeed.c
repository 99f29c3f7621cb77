// SPDX-License-Identifier: GPL-2.0
/* linefeed SECONDS [SLACK_NS] <CELLS: keeps packets waiting in the queues of many devices.
 *
 * A line of CELLS: DEV PAYLOAD PACKETS FIRST EVERY BACKLOG PERIOD_NS
 *
 * Each period the queue of DEV gets as many packets as it lacks of BACKLOG, until
 * it has had PACKETS; with BACKLOG 0 it gets one, after a random time of mean
 * PERIOD_NS. What the device has sent says what the queue holds, so that a slow
 * queue is never overfilled and a fast one shows its speed. Packets have PAYLOAD
 * bytes after the Ethernet header; number FIRST and each EVERY-th after it are
 * marked by another protocol, for who watches departures.
 *
 * Ends when all is sent or SECONDS are over, and says for each cell, a line each:
 * DEV, packets given, packets sent, and how often the queue was found empty after
 * packet FIRST. SLACK_NS is the timer slack of this process; without it
 * there is none, 0 is the kernel's own.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/if_packet.h>

#define MAX_CELLS 512
#define BATCH 64
#define PLAIN 0x88b5
#define MARKED 0x88b6
#define SECOND_NS 1000000000LL
/* How long the end of a cell may go unnoticed. */
#define LOOK_NS (SECOND_NS / 2)
#define NEVER_NS INT64_MAX

struct cell {
	char dev[IFNAMSIZ];
	unsigned int payload;
	long long packets, first, every, backlog, period_ns;
	long long sent, done, dry, next_ns;
	int socket, counter, ifindex;
};

static struct cell cells[MAX_CELLS];
static char data[9000];

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "linefeed: %s: %s: %s\n", name, what, strerror(errno));
	exit(1);
}

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

static int read_cells(void)
{
	int count = 0;

	while (count < MAX_CELLS) {
		struct cell *c = &cells[count];
		const int got = scanf("%15s %u %lld %lld %lld %lld %lld", c->dev,
				      &c->payload, &c->packets, &c->first,
				      &c->every, &c->backlog, &c->period_ns);

		if (got == EOF)
			return count;
		if (got != 7 || c->payload > sizeof(data) || c->every < 1 ||
		    c->period_ns < 1 || c->backlog < 0) {
			fprintf(stderr, "linefeed: line %d is no cell\n", count + 1);
			exit(2);
		}
		count++;
	}
	fprintf(stderr, "linefeed: more than %d cells\n", MAX_CELLS);
	exit(2);
}

static void open_cell(struct cell *c)
{
	const int room = 256 << 20;
	char path[128];

	c->ifindex = (int)if_nametoindex(c->dev);
	if (!c->ifindex)
		fail("no such device", c->dev);
	c->socket = socket(AF_PACKET, SOCK_DGRAM, 0);
	if (c->socket < 0 || setsockopt(c->socket, SOL_SOCKET, SO_SNDBUFFORCE,
					&room, sizeof(room)))
		fail("socket", c->dev);
	snprintf(path, sizeof(path), "/sys/class/net/%.15s/statistics/tx_packets", c->dev);
	c->counter = open(path, O_RDONLY);
	if (c->counter < 0)
		fail(path, c->dev);
}

static void look(struct cell *c)
{
	char text[32] = "";

	if (pread(c->counter, text, sizeof(text) - 1, 0) < 1)
		fail("reading its counter", c->dev);
	c->done = atoll(text);
}

static void send_some(struct cell *c, long long want)
{
	static struct sockaddr_ll to[BATCH];
	static struct mmsghdr batch[BATCH];
	struct iovec part = { data, c->payload };
	int count, i;

	for (count = 0; count < BATCH && count < want; count++) {
		const long long n = c->sent + count - c->first;
		const int mark = n >= 0 && n % c->every == 0;

		to[count] = (struct sockaddr_ll){
			.sll_family = AF_PACKET, .sll_ifindex = c->ifindex,
			.sll_protocol = htons(mark ? MARKED : PLAIN),
			.sll_halen = 6, .sll_addr = { 2, 0, 0, 0, 0, 2 },
		};
		batch[count].msg_hdr = (struct msghdr){
			.msg_name = &to[count], .msg_namelen = sizeof(to[0]),
			.msg_iov = &part, .msg_iovlen = 1,
		};
	}
	i = sendmmsg(c->socket, batch, (unsigned int)count, 0);
	if (i < 0)
		fail("send", c->dev);
	c->sent += i;
}

static void feed(struct cell *c, long long now)
{
	long long want;

	look(c);
	if (!c->backlog) {
		if (c->sent < c->packets)
			send_some(c, 1);
		/* uniform, so that no phase of another clock is kept */
		c->next_ns += 1 + (long long)(drand48() * 2 * (double)c->period_ns);
		return;
	}
	if (c->sent > c->first && c->sent < c->packets && c->done >= c->sent)
		c->dry++;
	want = c->done + c->backlog - c->sent;
	if (want > c->packets - c->sent)
		want = c->packets - c->sent;
	for (want += c->sent; c->sent < want;)
		send_some(c, want - c->sent);
	if (c->sent == c->packets)
		c->next_ns = c->done < c->sent ? now + LOOK_NS : NEVER_NS;
	else
		c->next_ns = now + (c->period_ns < LOOK_NS ? c->period_ns : LOOK_NS);
}

int main(int argc, char **argv)
{
	const long long began = now_ns();
	long long end, next, now = began;
	int count, i, left = 1;

	if (argc != 2 && argc != 3)
		return 2;
	if (prctl(PR_SET_TIMERSLACK, argc == 3 ? atol(argv[2]) : 1L))
		fail("timer slack", argv[argc - 1]);
	end = began + (long long)(atof(argv[1]) * (double)SECOND_NS);
	count = read_cells();
	for (i = 0; i < count; i++) {
		open_cell(&cells[i]);
		cells[i].next_ns = began;
	}
	while (left && now < end) {
		struct timespec t;

		left = 0;
		next = end;
		for (i = 0; i < count; i++) {
			struct cell *c = &cells[i];

			if (c->next_ns <= now)
				feed(c, now);
			if (c->sent < c->packets || c->done < c->sent)
				left = 1;
			if (c->next_ns < next)
				next = c->next_ns;
		}
		if (!left)
			break;
		t = (struct timespec){ next / SECOND_NS, next % SECOND_NS };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		now = now_ns();
	}
	for (i = 0; i < count; i++) {
		look(&cells[i]);
		printf("%s %lld %lld %lld\n", cells[i].dev, cells[i].sent,
		       cells[i].done, cells[i].dry);
	}
	return 0;
}
