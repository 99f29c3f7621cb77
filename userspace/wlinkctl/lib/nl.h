/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_NL_H
#define _WLINKCTL_NL_H

/* Requests to the kernel's traffic control and their answers. */

#include <limits.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "wlinkctl.h"

/**
 * typedef nl_message_fn - called for each message of an answer
 * @ctx: of the caller
 * @nlh: message
 */
typedef void (*nl_message_fn)(void *ctx, const struct nlmsghdr *nlh);

/**
 * struct nl_answer - what came of a request
 * @error: 0, or the kernel's errno
 * @text: the kernel's own words, empty if there are none
 * @at: offset in the request of the attribute they are about, 0 if unknown
 * @interrupted: a dump changed while it was read
 */
struct nl_answer {
	int error;
	char text[256];
	uint32_t at;
	bool interrupted;
};

/**
 * nl_open() - a socket with extended acknowledgements
 * @bus: NETLINK_ROUTE or NETLINK_GENERIC
 * @groups: multicast groups, 0 for requests
 *
 * Return: socket, or NULL after a complaint.
 */
struct mnl_socket *nl_open(int bus, unsigned int groups);

/**
 * nl_ok() - is there a whole message?
 * @nlh: where it begins
 * @left: bytes from there on
 *
 * mnl_nlmsg_ok() alone takes a length above INT_MAX for a negative one.
 */
bool nl_ok(const struct nlmsghdr *nlh, int left);

/**
 * nl_errno() - the errno that a message carries
 * @error: as it stands there, negative or not
 *
 * Return: it, positive; of INT_MIN, which is none, INT_MAX.
 */
static inline int nl_errno(int error)
{
	return error < 0 ? -(error < -INT_MAX ? -INT_MAX : error) : error;
}

/**
 * nl_complain() - say what the kernel has refused
 * @answer: with its error
 * @keyword: the word that the attribute at fault stands for, or NULL
 *
 * Return: EXIT_REFUSED.
 */
int nl_complain(const struct nl_answer *answer, const char *keyword);

/**
 * nl_close() - close the sockets of requests
 * @ctl: the program
 */
void nl_close(struct wlinkctl *ctl);

/**
 * nl_request() - begin a request
 * @ctl: the program
 * @buf: for the message, MNL_SOCKET_BUFFER_SIZE bytes
 * @type: RTM_*
 * @flags: NLM_F_* besides NLM_F_REQUEST
 * @ifindex: device
 *
 * Return: the message, its struct tcmsg filled in.
 */
struct nlmsghdr *nl_request(struct wlinkctl *ctl, void *buf, uint16_t type,
			    uint16_t flags, int ifindex);

/**
 * nl_talk() - send a request and read the answer to its end
 * @ctl: the program
 * @nlh: request
 * @fn: called for each message with data, may be NULL
 * @ctx: handed to @fn
 * @answer: what came of it
 *
 * Return: 0 if there is an answer, -1 after a complaint that there is none.
 */
int nl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh, nl_message_fn fn,
	    void *ctx, struct nl_answer *answer);

/**
 * nl_talk_on() - the same on another socket
 * @nl: socket
 * @nlh: request
 * @fn: called for each message with data, may be NULL
 * @ctx: handed to @fn
 * @answer: what came of it
 *
 * Return: 0 if there is an answer, else -1; errno says why.
 */
int nl_talk_on(struct mnl_socket *nl, struct nlmsghdr *nlh, nl_message_fn fn,
	       void *ctx, struct nl_answer *answer);

#endif
