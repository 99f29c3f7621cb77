/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_GENL_H
#define _WLINKCTL_GENL_H

/* The generic netlink family wlink. */

#include "lib/nl.h"
#include "link/link.h"

/**
 * struct genl_family - what the kernel says of it
 * @id: of its messages
 * @version: of the interface, WLINK_GENL_VERSION here
 * @group: of its notifications, 0 while none has been found
 */
struct genl_family {
	uint16_t id;
	uint32_t version;
	uint32_t group;
};

/**
 * genl_find() - ask for the family
 * @nl: socket of generic netlink
 * @family: result
 *
 * Return: 0, or a negative errno.
 */
int genl_find(struct mnl_socket *nl, struct genl_family *family);

/**
 * genl_open() - make sure that the family is there and speaks our version
 * @ctl: the program
 *
 * Return: EXIT_DONE, or EXIT_REFUSED after a complaint.
 */
int genl_open(struct wlinkctl *ctl);

/**
 * genl_request() - begin a request
 * @ctl: the program, after genl_open()
 * @buf: for the message
 * @cmd: enum wlink_cmd
 * @ifindex: device
 * @handle: qdisc
 * @bearer: its number, 0 for the link
 *
 * Return: the message.
 */
struct nlmsghdr *genl_request(struct wlinkctl *ctl, void *buf, uint8_t cmd,
			      int ifindex, uint32_t handle, uint32_t bearer);

/**
 * genl_talk() - send a request and read the answer to its end
 * @ctl: the program
 * @nlh: request
 * @fn: called for each message with data
 * @ctx: handed to @fn
 *
 * Return: EXIT_DONE, or EXIT_REFUSED after a complaint.
 */
int genl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh, nl_message_fn fn,
	      void *ctx);

/**
 * genl_get_stats() - ask for the statistics with their histograms
 * @ctl: the program
 * @link: link or bearer; one that is gone meanwhile keeps what it has
 */
void genl_get_stats(struct wlinkctl *ctl, struct link *link);

#endif
