// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "attr/attr.h"
#include "lib/genl.h"
#include "lib/nl.h"

static int read_group(const struct nlattr *attr, void *ctx)
{
	const struct nlattr *member;
	struct genl_family *family = ctx;
	bool ours = false;
	uint32_t id = 0;

	mnl_attr_for_each_nested(member, attr) {
		if (mnl_attr_get_type(member) == CTRL_ATTR_MCAST_GRP_ID &&
		    !mnl_attr_validate(member, MNL_TYPE_U32))
			id = mnl_attr_get_u32(member);
		if (mnl_attr_get_type(member) == CTRL_ATTR_MCAST_GRP_NAME &&
		    !mnl_attr_validate(member, MNL_TYPE_NUL_STRING))
			ours = !strcmp(mnl_attr_get_str(member),
				       WLINK_GENL_GROUP);
	}
	if (ours)
		family->group = id;
	return MNL_CB_OK;
}

static int read_family(const struct nlattr *attr, void *ctx)
{
	struct genl_family *family = ctx;

	if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
	    !mnl_attr_validate(attr, MNL_TYPE_U16))
		family->id = mnl_attr_get_u16(attr);
	if (mnl_attr_get_type(attr) == CTRL_ATTR_VERSION &&
	    !mnl_attr_validate(attr, MNL_TYPE_U32))
		family->version = mnl_attr_get_u32(attr);
	if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
		mnl_attr_parse_nested(attr, read_group, family);
	return MNL_CB_OK;
}

static void read_answer(void *ctx, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_type == GENL_ID_CTRL)
		mnl_attr_parse(nlh, sizeof(struct genlmsghdr), read_family, ctx);
}

static struct nlmsghdr *request(void *buf, uint16_t type, uint32_t seq,
				uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = WLINK_GENL_VERSION;
	return nlh;
}

int genl_find(struct mnl_socket *nl, struct genl_family *family)
{
	uint64_t buf[32];
	struct nlmsghdr *nlh = request(buf, GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
	struct nl_answer answer;

	memset(family, 0, sizeof(*family));
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, WLINK_GENL_NAME);
	if (nl_talk_on(nl, nlh, read_answer, family, &answer))
		return -errno;
	return -answer.error;
}

/* Return: 0, or a negative errno. */
static int open_family(struct wlinkctl *ctl)
{
	struct genl_family family;
	int err;

	if (ctl->family)
		return 0;
	if (!ctl->genl)
		ctl->genl = nl_open(NETLINK_GENERIC, 0);
	if (!ctl->genl)
		return -EIO;
	err = genl_find(ctl->genl, &family);
	if (err)
		return err;
	ctl->family = family.id;
	ctl->version = family.version;
	return 0;
}

/* Return: the version of the module, or nothing. */
static const char *module_version(void)
{
	static char text[32];
	FILE *f = fopen("/sys/module/sch_wlink/version", "re");

	if (!f || !fgets(text, sizeof(text), f))
		text[0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (f)
		fclose(f);
	return text;
}

int genl_open(struct wlinkctl *ctl)
{
	int err = open_family(ctl);

	if (err == -ENOENT || err == -EPROTONOSUPPORT) {
		complain("the module sch_wlink is not loaded, or too old for wlinkctl %s",
			 WLINK_VERSION);
		return EXIT_REFUSED;
	}
	if (err) {
		complain("the family wlink cannot be asked: %s", strerror(-err));
		return EXIT_REFUSED;
	}
	if (ctl->version == WLINK_GENL_VERSION)
		return EXIT_DONE;
	complain("wlinkctl %s has interface %u, the module %s has interface %u: the %s is too old",
		 WLINK_VERSION, WLINK_GENL_VERSION, module_version(),
		 ctl->version, ctl->version < WLINK_GENL_VERSION ? "module" :
								   "program");
	return EXIT_REFUSED;
}

struct nlmsghdr *genl_request(struct wlinkctl *ctl, void *buf, uint8_t cmd,
			      int ifindex, uint32_t handle, uint32_t bearer)
{
	struct nlmsghdr *nlh = request(buf, ctl->family, ++ctl->seq, cmd);

	mnl_attr_put_u32(nlh, WLINK_A_IFINDEX, (uint32_t)ifindex);
	mnl_attr_put_u32(nlh, WLINK_A_HANDLE, handle);
	if (bearer)
		mnl_attr_put_u32(nlh, WLINK_A_BEARER, bearer);
	return nlh;
}

/**
 * struct keyword - the word that an attribute stands for
 * @at: offset of the attribute in the message
 * @nlh: message
 * @word: it, NULL while it is not found
 */
struct keyword {
	uint32_t at;
	const struct nlmsghdr *nlh;
	const char *word;
};

static int find_keyword(const struct nlattr *attr, void *ctx)
{
	const struct nlattr *member;
	struct keyword *keyword = ctx;
	const void *payload;
	size_t base;

	if (mnl_attr_get_type(attr) != WLINK_A_PART)
		return MNL_CB_OK;
	mnl_attr_for_each_nested(member, attr) {
		payload = mnl_attr_get_payload(member);
		base = (size_t)((const char *)payload -
				(const char *)keyword->nlh);
		if (mnl_attr_get_type(member) != WLINK_PART_OPTIONS ||
		    keyword->at < base ||
		    keyword->at >= base + mnl_attr_get_payload_len(member))
			continue;
		keyword->word = wl_attr_keyword(payload,
						mnl_attr_get_payload_len(member),
						keyword->at - base);
	}
	return MNL_CB_OK;
}

int genl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh, nl_message_fn fn,
	      void *ctx)
{
	struct keyword keyword = { .nlh = nlh };
	struct nl_answer answer;

	if (nl_talk_on(ctl->genl, nlh, fn, ctx, &answer)) {
		complain("the kernel cannot be asked: %s", strerror(errno));
		return EXIT_REFUSED;
	}
	if (!answer.error)
		return EXIT_DONE;
	keyword.at = answer.at;
	if (answer.at)
		mnl_attr_parse(nlh, sizeof(struct genlmsghdr), find_keyword,
			       &keyword);
	return nl_complain(&answer, keyword.word);
}

static void read_stats(void *ctx, const struct nlmsghdr *nlh)
{
	size_t head = MNL_ALIGN(sizeof(struct genlmsghdr));
	size_t len = mnl_nlmsg_get_payload_len(nlh);
	struct link *link = ctx;
	uint64_t aqm = link->stats.aqm;

	if (len < head)
		return;
	wl_xstats_decode_all(&link->stats,
			     mnl_nlmsg_get_payload_offset(nlh, head),
			     len - head);
	link->stats.aqm = aqm;
}

void genl_get_stats(struct wlinkctl *ctl, struct link *link)
{
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	uint64_t buf[32];

	if (open_family(ctl))
		return;
	nlh = genl_request(ctl, buf, WLINK_CMD_GET, link->ifindex, link->handle,
			   link->bearer);
	nl_talk_on(ctl->genl, nlh, read_stats, link, &answer);
}
