// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "lib/clocks.h"
#include "lib/genl.h"
#include "lib/nl.h"
#include "link/events.h"

/* No longer message is sent: a change of all bearers there may be. */
#define EVENT_BYTES	65536

/* Return: 0, or a negative errno; -ENOENT where the module tells nothing. */
static int join(struct events *events)
{
	struct genl_family family;
	int err;

	if (mnl_socket_bind(events->nl, 0, MNL_SOCKET_AUTOPID) < 0)
		return -errno;
	err = genl_find(events->nl, &family);
	if (err)
		return err;
	if (!family.group)
		return -ENOENT;
	events->family = family.id;
	return mnl_socket_setsockopt(events->nl, NETLINK_ADD_MEMBERSHIP,
				     &family.group,
				     sizeof(family.group)) < 0 ? -errno : 0;
}

int events_open(struct events *events)
{
	int err;

	events->nl = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	err = events->nl ? join(events) : -errno;
	if (!err)
		return 0;
	events_close(events);
	if (err == -ENOENT || err == -EPROTONOSUPPORT)
		return 0;
	complain("no notifications can be heard: %s", strerror(-err));
	return -1;
}

void events_close(struct events *events)
{
	if (events->nl)
		mnl_socket_close(events->nl);
	events->nl = NULL;
}

static void read_number(const struct nlattr *attr, struct event *event)
{
	uint32_t value = mnl_attr_get_u32(attr);

	switch (mnl_attr_get_type(attr)) {
	case WLINK_A_GENERATION:
		event->generation = value;
		event->has_generation = true;
		break;
	case WLINK_A_COUNT:
		event->count = value;
		break;
	case WLINK_A_BEARER:
		if (event->n_bearers < WLINK_BEARERS_MAX)
			event->bearers[event->n_bearers++] = value;
		break;
	}
}

static void read_long_number(const struct nlattr *attr, struct event *event)
{
	uint64_t value = mnl_attr_get_u64(attr);

	switch (mnl_attr_get_type(attr)) {
	case WLINK_A_AT:
		event->at_ns = value;
		break;
	case WLINK_A_ASKED:
		event->asked_ns = value;
		break;
	case WLINK_A_COOKIE:
		event->cookie = value;
		break;
	}
}

static int read_attr(const struct nlattr *attr, void *ctx)
{
	if (!mnl_attr_validate(attr, MNL_TYPE_U32))
		read_number(attr, ctx);
	else if (!mnl_attr_validate(attr, MNL_TYPE_U64))
		read_long_number(attr, ctx);
	return MNL_CB_OK;
}

bool events_decode(const struct nlmsghdr *nlh, struct event *event)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*genl))
		return false;
	memset(event, 0, sizeof(*event));
	event->cmd = genl->cmd;
	mnl_attr_parse(nlh, sizeof(*genl), read_attr, event);
	return true;
}

/* The kernel sends each notification as a datagram of its own. */
int events_next(struct events *events, uint64_t until_ns, struct event *event)
{
	static uint64_t buf[EVENT_BYTES / sizeof(uint64_t)];
	const struct nlmsghdr *nlh = (const void *)buf;
	struct pollfd fd = {
		.fd = mnl_socket_get_fd(events->nl),
		.events = POLLIN,
	};
	ssize_t len;
	int ready;

	for (;;) {
		ready = clock_poll(&fd, 1, until_ns);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready;
		len = mnl_socket_recvfrom(events->nl, buf, sizeof(buf));
		if (len < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (len < 0)
			return -1;
		if (nl_ok(nlh, (int)len) &&
		    nlh->nlmsg_type == events->family &&
		    events_decode(nlh, event))
			return 1;
	}
}
