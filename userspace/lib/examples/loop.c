// SPDX-License-Identifier: GPL-2.0
/*
 * loop [WORDS [PACKETS]]: a transfer in virtual time, over a link there and one back.
 * The sender has WINDOW packets on their way and sends one more for each answer;
 * what is lost it sends again after a second. Hours of that take moments.
 *
 *	cc loop.c $(pkg-config --cflags --libs wlink) -o loop
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <wlink.h>

#define WINDOW	10
#define SECOND	1000000000ULL

static struct wlink *link_of(const char *words)
{
	char error[WLINK_ERROR_BYTES];
	struct wlink *link = wlink_new(words, 0, error);

	if (!link) {
		fprintf(stderr, "%s: %s\n", words, error);
		exit(1);
	}
	return link;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int main(int argc, char **argv)
{
	const char *words = argc > 1 ? argv[1] : "rate 1mbit delay 20ms";
	uint64_t packets = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
	struct wlink *there = link_of(words), *back = link_of("rate 1mbit delay 20ms");
	uint64_t now_ns = 0, sent = 0, acked = 0, lost = 0, timer_ns = WLINK_NEVER;
	struct wlink_sdu sdu;

	while (sent < WINDOW && sent < packets)
		wlink_enqueue(there, 1, now_ns, 1250, 0, sent++);
	while (acked < packets) {
		now_ns = earlier(wlink_next_event(there), wlink_next_event(back));
		now_ns = earlier(now_ns, timer_ns);
		wlink_advance(there, now_ns);
		wlink_advance(back, now_ns);
		if (timer_ns <= now_ns) {
			for (; lost; lost--)
				wlink_enqueue(there, 1, now_ns, 1250, 0, 0);
			timer_ns = WLINK_NEVER;
		}
		while (wlink_due(there, &sdu)) {
			if (!sdu.drop) {
				wlink_enqueue(back, 1, now_ns, 40, 0, sdu.cookie);
			} else {
				lost++;
				timer_ns = earlier(timer_ns, now_ns + SECOND);
			}
		}
		for (; wlink_due(back, &sdu); acked++)
			if (sent < packets)
				wlink_enqueue(there, 1, now_ns, 1250, 0, sent++);
	}
	printf("%" PRIu64 " packets in %" PRIu64 " us\n", packets, now_ns / 1000);
	wlink_free(there);
	wlink_free(back);
	return 0;
}
