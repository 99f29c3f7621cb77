/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_EVENTS_H
#define _WLINKCTL_EVENTS_H

/* What the kernel tells of when something takes effect. */

#include <linux/pkt_sch_wlink.h>

#include "wlinkctl.h"

struct nlmsghdr;

/**
 * struct event - one notification
 * @cmd: enum wlink_cmd
 * @at_ns: when it took effect, CLOCK_MONOTONIC
 * @asked_ns: when the message was taken
 * @generation: of all later records
 * @has_generation: is it there?
 * @cookie: the kernel's number of the change
 * @count: WLINK_A_COUNT
 * @n_bearers: how many bearers it is about
 * @bearers: their numbers
 */
struct event {
	uint8_t cmd;
	uint64_t at_ns;
	uint64_t asked_ns;
	uint32_t generation;
	bool has_generation;
	uint64_t cookie;
	uint32_t count;
	size_t n_bearers;
	uint64_t bearers[WLINK_BEARERS_MAX];
};

/**
 * struct events - a socket that hears them
 * @nl: it, NULL for none
 * @family: of the messages
 */
struct events {
	struct mnl_socket *nl;
	uint16_t family;
};

/**
 * events_open() - begin to hear; before what is to be heard of is sent
 * @events: result, to be closed if @nl is set
 *
 * Return: 0, with @nl NULL where the kernel's module tells nothing, or -1 after
 * a complaint.
 */
int events_open(struct events *events);

/**
 * events_close() - hear no more
 * @events: open or not
 */
void events_close(struct events *events);

/**
 * events_decode() - read a message of the family
 * @nlh: message
 * @event: result
 *
 * Return: false where it is none.
 */
bool events_decode(const struct nlmsghdr *nlh, struct event *event);

/**
 * events_next() - sleep until there is a notification
 * @events: open
 * @until_ns: but not longer than until then, UINT64_MAX for no end
 * @event: result
 *
 * Return: 1, 0 when it is time, or -1 when none can be read; ENOBUFS in errno
 * tells that some were lost, and it can be called again.
 */
int events_next(struct events *events, uint64_t until_ns, struct event *event);

#endif
