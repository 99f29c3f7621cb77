/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_CHANGE_H
#define _WLINKCTL_CHANGE_H

/* Requests that change links and bearers. */

#include "link/link.h"
#include "link/target.h"

/**
 * struct change - one request
 * @to: what to change, as target_find() left it; the link goes by its class 1:1:
 *	a change of the qdisc would take a size table away
 * @type: RTM_NEWTCLASS or RTM_DELTCLASS
 * @flags: NLM_F_* besides NLM_F_ACK
 * @options: payload of TCA_OPTIONS
 * @len: its bytes
 * @echo: with --json: what has been changed, as it is then
 * @has_echo: is it there?
 */
struct change {
	const struct target *to;
	uint16_t type;
	uint16_t flags;
	const void *options;
	size_t len;
	struct link echo;
	bool has_echo;
};

/**
 * change_talk() - send a request and wait for what comes of it
 * @ctl: the program
 * @change: request; the echo is filled in
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int change_talk(struct wlinkctl *ctl, struct change *change);

/**
 * change_send() - send one request and print what came of it
 * @ctl: the program
 * @change: request; the echo is filled in
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int change_send(struct wlinkctl *ctl, struct change *change);

#endif
