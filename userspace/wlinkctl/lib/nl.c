// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "lib/nl.h"

/* The kernel never sends a longer one to a reader that offers this much. */
#define ANSWER_BYTES	32768

struct mnl_socket *nl_open(int bus, unsigned int groups)
{
	struct mnl_socket *nl;
	int on = 1;

	nl = mnl_socket_open2(bus, SOCK_CLOEXEC);
	if (!nl) {
		complain("no netlink socket: %s", strerror(errno));
		return NULL;
	}
	if (mnl_socket_bind(nl, groups, MNL_SOCKET_AUTOPID) < 0) {
		complain("netlink socket cannot be bound: %s",
			 strerror(errno));
		mnl_socket_close(nl);
		return NULL;
	}
	/* A kernel without them still answers with an errno. */
	mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl, NETLINK_CAP_ACK, &on, sizeof(on));
	return nl;
}

bool nl_ok(const struct nlmsghdr *nlh, int left)
{
	return mnl_nlmsg_ok(nlh, left) && nlh->nlmsg_len <= (uint32_t)left;
}

int nl_complain(const struct nl_answer *answer, const char *keyword)
{
	if (keyword)
		complain("kernel: %s (byte %u of the request: %s)",
			 answer->text, answer->at, keyword);
	else
		complain("kernel: %s", answer->text[0] ? answer->text :
			 strerror(answer->error));
	return EXIT_REFUSED;
}

void nl_close(struct wlinkctl *ctl)
{
	if (ctl->nl)
		mnl_socket_close(ctl->nl);
	ctl->nl = NULL;
	if (ctl->genl)
		mnl_socket_close(ctl->genl);
	ctl->genl = NULL;
}

struct nlmsghdr *nl_request(struct wlinkctl *ctl, void *buf, uint16_t type,
			    uint16_t flags, int ifindex)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct tcmsg *tcm;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++ctl->seq;
	tcm = mnl_nlmsg_put_extra_header(nlh, sizeof(*tcm));
	tcm->tcm_family = AF_UNSPEC;
	tcm->tcm_ifindex = ifindex;
	return nlh;
}

static int read_ack_attr(const struct nlattr *attr, void *ctx)
{
	struct nl_answer *answer = ctx;

	switch (mnl_attr_get_type(attr)) {
	case NLMSGERR_ATTR_MSG:
		snprintf(answer->text, sizeof(answer->text), "%.*s",
			 mnl_attr_get_payload_len(attr),
			 mnl_attr_get_str(attr));
		break;
	case NLMSGERR_ATTR_OFFS:
		if (!mnl_attr_validate(attr, MNL_TYPE_U32))
			answer->at = mnl_attr_get_u32(attr);
		break;
	}
	return MNL_CB_OK;
}

static void read_ack(const struct nlmsghdr *nlh, struct nl_answer *answer)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*err);

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*err)) {
		answer->error = EBADMSG;
		return;
	}
	answer->error = nl_errno(err->error);
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += mnl_nlmsg_get_payload_len(&err->msg);
	if (skip <= mnl_nlmsg_get_payload_len(nlh))
		mnl_attr_parse(nlh, MNL_ALIGN(skip), read_ack_attr, answer);
}

/* A dump ends with NLMSG_DONE and perhaps an error in it. */
static void read_done(const struct nlmsghdr *nlh, struct nl_answer *answer)
{
	const int *error = mnl_nlmsg_get_payload(nlh);

	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(*error) && *error < 0)
		answer->error = nl_errno(*error);
}

/* Return: true when the answer is complete. */
static bool read_message(const struct nlmsghdr *nlh, nl_message_fn fn,
			 void *ctx, struct nl_answer *answer)
{
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		answer->interrupted = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		read_ack(nlh, answer);
		return true;
	case NLMSG_DONE:
		read_done(nlh, answer);
		return true;
	case NLMSG_NOOP:
		return false;
	default:
		if (fn)
			fn(ctx, nlh);
		return false;
	}
}

int nl_talk_on(struct mnl_socket *nl, struct nlmsghdr *nlh, nl_message_fn fn,
	       void *ctx, struct nl_answer *answer)
{
	static uint64_t buf[ANSWER_BYTES / sizeof(uint64_t)];
	const struct nlmsghdr *got;
	ssize_t len;
	int left;

	memset(answer, 0, sizeof(*answer));
	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		return -1;
	for (;;) {
		len = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return -1;
		left = (int)len;
		for (got = (const void *)buf; nl_ok(got, left);
		     got = mnl_nlmsg_next(got, &left))
			if (got->nlmsg_seq == nlh->nlmsg_seq &&
			    read_message(got, fn, ctx, answer))
				return 0;
	}
}

int nl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh, nl_message_fn fn,
	    void *ctx, struct nl_answer *answer)
{
	if (!ctl->nl)
		ctl->nl = nl_open(NETLINK_ROUTE, 0);
	if (!ctl->nl)
		return -1;
	if (!nl_talk_on(ctl->nl, nlh, fn, ctx, answer))
		return 0;
	complain("the kernel cannot be asked: %s", strerror(errno));
	return -1;
}
