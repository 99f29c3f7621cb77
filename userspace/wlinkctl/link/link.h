/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_LINK_H
#define _WLINKCTL_LINK_H

/* A wlink qdisc, or a bearer of one, as the kernel tells of it. */

#include <linux/netlink.h>

#include "show/xstats.h"
#include "wlinkctl.h"

/**
 * struct link - one wlink qdisc or one bearer
 * @ifindex: its device
 * @handle: its handle
 * @bearer: number of the bearer, 0 for the qdisc
 * @parent: what it hangs on, 0 in the news of a change made by handle
 * @values: its parameters
 * @has_stats: are there statistics?
 * @stats: they
 */
struct link {
	int ifindex;
	uint32_t handle;
	uint32_t bearer;
	uint32_t parent;
	struct wl_values values;
	bool has_stats;
	struct wl_xstats stats;
};

/**
 * struct link_list - several of them
 * @links: array
 * @n: how many
 * @failed: there was no memory for all
 */
struct link_list {
	struct link *links;
	size_t n;
	bool failed;
};

/**
 * link_decode() - read a message about a qdisc or a class
 * @nlh: message
 * @link: result
 *
 * Return: 0, or -1 if it is not about a wlink.
 */
int link_decode(const struct nlmsghdr *nlh, struct link *link);

/**
 * link_dump() - read all wlink qdiscs, or those of a device
 * @ctl: the program
 * @ifindex: device, 0 for all
 * @list: result; free @links after use
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int link_dump(struct wlinkctl *ctl, int ifindex, struct link_list *list);

/**
 * link_dump_bearers() - read the bearers of a qdisc
 * @ctl: the program
 * @ifindex: device
 * @handle: of the qdisc
 * @list: result; free @links after use
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int link_dump_bearers(struct wlinkctl *ctl, int ifindex, uint32_t handle,
		      struct link_list *list);

/**
 * link_device() - look up a device
 * @name: of the device
 *
 * Return: ifindex, or 0 after a complaint.
 */
int link_device(const char *name);

/**
 * link_is_handle() - does a word look like a handle?
 * @text: word
 */
bool link_is_handle(const char *text);

/**
 * link_parse_handle() - read a handle such as 1: or 8001:0
 * @text: word
 * @handle: result
 *
 * Return: 0, or -1 after a complaint.
 */
int link_parse_handle(const char *text, uint32_t *handle);

/**
 * link_print_head() - write device, handle, and parent or bearer
 * @link: qdisc
 */
void link_print_head(const struct link *link);

/**
 * link_print_name() - write device, kind and handle as members of the open object
 * @link: qdisc or bearer
 */
void link_print_name(const struct link *link);

/**
 * link_print_json() - write all there is as members of the open object
 * @link: qdisc
 */
void link_print_json(const struct link *link);

#endif
