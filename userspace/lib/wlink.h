/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLINK_H
#define WLINK_H

/*
 * libwlink: the link of sch_wlink as a library, wlink(3). It has no clock, no thread, no
 * random numbers but those of its seed, and it reads no file but those that words name.
 * A caller says what time it is, in ns from any origin; times never go back.
 *
 * wlink.py reads the declarations below, too: they are as plain as they can be.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * wlink_next_event(): nothing is to come. wlink_set(): the first start of a TTI after now.
 * wlink_schedule(): when the next packet comes.
 */
#define WLINK_NEVER	UINT64_MAX
#define WLINK_NEXT	UINT64_MAX
#define WLINK_PACKET	UINT64_MAX

#define WLINK_ERROR_BYTES	800

struct wlink;

/**
 * struct wlink_sdu - what has become of a packet, and why it took so long
 * @cookie: of wlink_enqueue()
 * @arrival_ns: when it came
 * @at_ns: when it was delivered, or dropped
 * @queue_ns: of the time between, in the buffer; the parts of what was dropped are 0
 * @serial_ns: being sent for the first time
 * @prop_ns: propagation
 * @retx_ns: until the receiver had all of it, by retransmission
 * @hol_ns: behind others that the receiver lacked
 * @access_ns: for access to the uplink, or for the receiver to listen
 * @jitter_ns: behind the radio
 * @drop: why it was dropped, a name as `tc -s` has it; NULL: it was delivered
 * @bearer: its bearer
 * @bytes: its size
 * @pdus: PDUs sent for it
 * @pdus_lost: of these, lost on the air
 * @retx: of these, retransmissions
 * @buffer_sdus: SDUs in the buffer with it when it came
 * @generation: changes that had taken effect when it had been sent
 * @errors: errors in its bytes, which impairments have made
 * @ecn: its ECN field now: 0 Not-ECT, 1 ECT(1), 2 ECT(0), 3 CE
 * @marked: the AQM has set CE
 * @copy: it is the second of two
 * @more: the cookie will come once more
 */
struct wlink_sdu {
	uint64_t cookie;
	uint64_t arrival_ns;
	uint64_t at_ns;
	uint64_t queue_ns;
	uint64_t serial_ns;
	uint64_t prop_ns;
	uint64_t retx_ns;
	uint64_t hol_ns;
	uint64_t access_ns;
	uint64_t jitter_ns;
	const char *drop;
	uint32_t bearer;
	uint32_t bytes;
	uint32_t pdus;
	uint32_t pdus_lost;
	uint32_t retx;
	uint32_t buffer_sdus;
	uint32_t generation;
	uint32_t errors;
	uint8_t ecn;
	uint8_t marked;
	uint8_t copy;
	uint8_t more;
};

/**
 * struct wlink_counter - a counter
 * @name: as in `wlinkctl show --json`, with dots where that nests: drops.overflow
 * @value: it
 */
struct wlink_counter {
	char name[32];
	uint64_t value;
};

/**
 * wlink_new() - make a link
 * @words: as after `tc qdisc add dev DEV root wlink`; without seed it is 0
 * @now_ns: now, at which its TTIs start; at most 2^62, as all times
 * @error: on failure why, WLINK_ERROR_BYTES bytes; may be NULL
 *
 * Return: it, with bearer 1, or NULL.
 */
struct wlink *wlink_new(const char *words, uint64_t now_ns, char *error);

/**
 * wlink_free() - forget a link and all that it holds
 * @link: link, or NULL
 */
void wlink_free(struct wlink *link);

/**
 * wlink_error() - why the last call that failed did
 * @link: link; a call that fails changes nothing of it
 *
 * Return: a sentence.
 */
const char *wlink_error(const struct wlink *link);

/**
 * wlink_add() - one more bearer
 * @link: link
 * @bearer: its number, 2 to 4096
 * @words: as after `tc class add ... wlink`, "" for those of bearer 1
 *
 * Return: 0, -1 on failure.
 */
int wlink_add(struct wlink *link, unsigned int bearer, const char *words);

/**
 * wlink_delete() - delete a bearer; what it holds is dropped: "flush"
 * @link: link
 * @bearer: its number, not 1
 *
 * Return: 0, -1 on failure.
 */
int wlink_delete(struct wlink *link, unsigned int bearer);

/**
 * wlink_set() - change a bearer, as `wlinkctl set`
 * @link: link
 * @bearer: its number
 * @words: what changes
 * @at_ns: from the first start of a TTI that is not before it. WLINK_NEXT: after now. Past: now
 *
 * Return: 0, -1 on failure.
 */
int wlink_set(struct wlink *link, unsigned int bearer, const char *words, uint64_t at_ns);

/**
 * wlink_schedule() - let the values of a bearer change as time goes on
 * @link: link
 * @bearer: its number
 * @text: a schedule as `wlinkctl schedule load` reads it, wlink-schedule(7); without the line
 *	"end" it holds. NULL: none from the next start of a TTI on
 * @at_ns: its start: the first one of a TTI that is not before it. WLINK_PACKET. Past: now
 *
 * One that plays goes on until then; of those that wait the last one counts.
 *
 * Return: 0, -1 on failure.
 */
int wlink_schedule(struct wlink *link, unsigned int bearer, const char *text, uint64_t at_ns);

/**
 * wlink_enqueue() - a packet comes
 * @link: link
 * @bearer: that takes it
 * @now_ns: now
 * @bytes: its size, 1 to 2^30
 * @ecn: its ECN field
 * @cookie: what wlink_due() says it is, once, or twice where it is duplicated
 *
 * Return: 0, -1 on failure. What the link drops, at once or later, wlink_due() says.
 */
int wlink_enqueue(struct wlink *link, unsigned int bearer, uint64_t now_ns, uint32_t bytes,
		  unsigned int ecn, uint64_t cookie);

/**
 * wlink_advance() - time goes on; however often it is called, the same happens
 * @link: link
 * @now_ns: now
 *
 * Return: 0, -1 on failure.
 */
int wlink_advance(struct wlink *link, uint64_t now_ns);

/**
 * wlink_due() - take what has been delivered or dropped by now, in the order of time
 * @link: link
 * @sdu: set where there is one
 *
 * Return: 1 with a packet, 0 without.
 */
int wlink_due(struct wlink *link, struct wlink_sdu *sdu);

/**
 * wlink_next_event() - when to call wlink_advance() next, if no packet comes before
 * @link: link
 *
 * Return: a time not later than when wlink_due() has something: now where it has; WLINK_NEVER.
 */
uint64_t wlink_next_event(const struct wlink *link);

/**
 * wlink_counters() - counters
 * @link: link
 * @bearer: of which bearer
 * @counters: set
 * @room: of @counters, 0 to ask how many there are
 *
 * Return: how many there are, -1 on failure.
 */
int wlink_counters(struct wlink *link, unsigned int bearer, struct wlink_counter *counters,
		   unsigned int room);

#ifdef __cplusplus
}
#endif

#endif
