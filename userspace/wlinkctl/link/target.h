/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_TARGET_H
#define _WLINKCTL_TARGET_H

/* Which link or bearer a command is about. */

#include "numbers/num.h"
#include "wlinkctl.h"

/**
 * struct target - a link or a bearer, as typed
 * @dev: device
 * @ifindex: the same, once looked up
 * @handle: of the qdisc, 0 for the device's root
 * @handle_text: as typed, NULL if not
 * @bearer: its number, 0 for the link
 * @all: all bearers
 */
struct target {
	const char *dev;
	int ifindex;
	uint32_t handle;
	const char *handle_text;
	uint32_t bearer;
	bool all;
};

/**
 * target_parse() - read [dev] DEV [HANDLE] [bearer N]
 * @to: result; @ifindex is not looked up
 * @command: for complaints
 * @argc: number of words
 * @argv: words
 *
 * Return: words read, or -1 after a complaint.
 */
int target_parse(struct target *to, const char *command, int argc,
		 char **argv);

/**
 * struct number - a number behind a word
 * @unit: how it is written
 * @least: bound
 * @most: bound
 * @what: "a time from 1ms to 10s", for complaints
 */
struct number {
	enum wl_unit unit;
	uint64_t least;
	uint64_t most;
	const char *what;
};

/**
 * number_parse() - read one
 * @number: what it is to be
 * @word: before it, for complaints
 * @text: as typed, NULL if there is none
 * @value: result
 *
 * Return: 0, or -1 after a complaint.
 */
int number_parse(const struct number *number, const char *word, const char *text,
		 uint64_t *value);

/**
 * target_bearer() - read the number of a bearer
 * @text: word, NULL if there is none
 * @bearer: result
 *
 * Return: 0, or -1 after a complaint.
 */
int target_bearer(const char *text, uint32_t *bearer);

struct link;

/**
 * target_find() - find the device, and the qdisc of a link or bearer
 * @ctl: the program
 * @to: target; @ifindex and @handle are filled in
 *
 * Only a wlink may be asked for a class: other qdiscs would read other things
 * from the same attributes.
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int target_find(struct wlinkctl *ctl, struct target *to);

/**
 * target_link() - read a link or bearer
 * @ctl: the program
 * @to: target, after target_find()
 * @link: result
 *
 * Return: enum wlinkctl_exit, after a complaint but for EXIT_NOT_FOUND.
 */
int target_link(struct wlinkctl *ctl, const struct target *to,
		struct link *link);

/**
 * target_complain() - say that there is no such link or bearer
 * @to: target
 */
void target_complain(const struct target *to);

/**
 * target_open_netns() - a network namespace
 * @name: as of ip netns, or a path
 *
 * Return: its descriptor, or -1 after a complaint.
 */
int target_open_netns(const char *name);

#endif
