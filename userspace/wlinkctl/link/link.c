// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>

#include "attr/attr.h"
#include "lib/json.h"
#include "lib/nl.h"
#include "link/link.h"

#define DUMP_TRIES	5

static int read_stats(const struct nlattr *attr, void *ctx)
{
	struct link *link = ctx;

	if (mnl_attr_get_type(attr) == TCA_STATS_APP) {
		link->has_stats = true;
		wl_xstats_decode(&link->stats, mnl_attr_get_payload(attr),
				 mnl_attr_get_payload_len(attr));
	}
	return MNL_CB_OK;
}

/**
 * struct reader - a qdisc message on its way
 * @link: result
 * @is_wlink: the kind is wlink
 */
struct reader {
	struct link *link;
	bool is_wlink;
};

static int read_attr(const struct nlattr *attr, void *ctx)
{
	struct reader *reader = ctx;

	switch (mnl_attr_get_type(attr)) {
	case TCA_KIND:
		if (!mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			reader->is_wlink = !strcmp(mnl_attr_get_str(attr),
						   "wlink");
		break;
	case TCA_OPTIONS:
		wl_attr_decode(&reader->link->values,
			       mnl_attr_get_payload(attr),
			       mnl_attr_get_payload_len(attr));
		break;
	case TCA_STATS2:
		mnl_attr_parse_nested(attr, read_stats, reader->link);
		break;
	}
	return MNL_CB_OK;
}

static bool is_known(uint16_t type)
{
	return type == RTM_NEWQDISC || type == RTM_DELQDISC ||
	       type == RTM_NEWTCLASS || type == RTM_DELTCLASS;
}

int link_decode(const struct nlmsghdr *nlh, struct link *link)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	struct reader reader = { link, false };

	if (!is_known(nlh->nlmsg_type))
		return -1;
	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return -1;
	memset(link, 0, sizeof(*link));
	link->ifindex = tcm->tcm_ifindex;
	link->handle = TC_H_MAJ(tcm->tcm_handle);
	link->bearer = TC_H_MIN(tcm->tcm_handle);
	link->parent = tcm->tcm_parent;
	mnl_attr_parse(nlh, sizeof(*tcm), read_attr, &reader);
	link->stats.aqm = link->values.value[WL_AQM];
	return reader.is_wlink ? 0 : -1;
}

/**
 * struct collector - a dump on its way
 * @ifindex: device, 0 for all
 * @list: result
 */
struct collector {
	int ifindex;
	struct link_list *list;
};

static void collect(void *ctx, const struct nlmsghdr *nlh)
{
	struct collector *col = ctx;
	struct link_list *list = col->list;
	struct link link;
	struct link *more;

	if (link_decode(nlh, &link))
		return;
	if (col->ifindex && col->ifindex != link.ifindex)
		return;
	more = realloc(list->links, (list->n + 1) * sizeof(link));
	if (!more) {
		list->failed = true;
		return;
	}
	list->links = more;
	list->links[list->n++] = link;
}

static int dump(struct wlinkctl *ctl, uint16_t type, int ifindex,
		uint32_t parent, struct link_list *list)
{
	struct collector col = { ifindex, list };
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	int tries;

	memset(list, 0, sizeof(*list));
	for (tries = 0; tries < DUMP_TRIES; tries++) {
		uint64_t buf[32];

		list->n = 0;
		nlh = nl_request(ctl, buf, type, NLM_F_DUMP, ifindex);
		((struct tcmsg *)mnl_nlmsg_get_payload(nlh))->tcm_parent =
			parent;
		if (nl_talk(ctl, nlh, collect, &col, &answer)) {
			free(list->links);
			list->links = NULL;
			return EXIT_REFUSED;
		}
		if (!answer.interrupted)
			break;
	}
	if (answer.error || list->failed) {
		complain("kernel: %s", list->failed ? strerror(ENOMEM) :
			 answer.text[0] ? answer.text : strerror(answer.error));
		free(list->links);
		list->links = NULL;
		return EXIT_REFUSED;
	}
	return EXIT_DONE;
}

int link_dump(struct wlinkctl *ctl, int ifindex, struct link_list *list)
{
	return dump(ctl, RTM_GETQDISC, ifindex, 0, list);
}

int link_dump_bearers(struct wlinkctl *ctl, int ifindex, uint32_t handle,
		      struct link_list *list)
{
	return dump(ctl, RTM_GETTCLASS, ifindex, handle, list);
}

int link_device(const char *name)
{
	int ifindex = (int)if_nametoindex(name);

	if (!ifindex)
		complain("no device \"%s\"", name);
	return ifindex;
}

bool link_is_handle(const char *text)
{
	return strchr(text, ':');
}

int link_parse_handle(const char *text, uint32_t *handle)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");
	unsigned long major = strtoul(text, NULL, 16);

	if (!n || n > 4 || !major || text[n] != ':' ||
	    (text[n + 1] && strcmp(text + n + 1, "0"))) {
		complain("\"%s\" is not the handle of a qdisc, such as 1: or 8001:",
			 text);
		return -1;
	}
	*handle = (uint32_t)major << 16;
	return 0;
}

static const char *device_name(int ifindex, char *name)
{
	if (!if_indextoname((unsigned int)ifindex, name))
		snprintf(name, IF_NAMESIZE, "if%d", ifindex);
	return name;
}

static const char *class_name(uint32_t class, char *name, size_t len)
{
	snprintf(name, len, "%x:", TC_H_MAJ(class) >> 16);
	if (TC_H_MIN(class))
		snprintf(name + strlen(name), len - strlen(name), "%x",
			 TC_H_MIN(class));
	return name;
}

void link_print_head(const struct link *link)
{
	char name[IF_NAMESIZE];
	char class[16];

	printf("%s %s ", device_name(link->ifindex, name),
	       class_name(link->handle, class, sizeof(class)));
	if (link->bearer)
		printf("bearer %u ", link->bearer);
	else if (link->parent == TC_H_ROOT)
		printf("root ");
	else if (link->parent)
		printf("parent %s ",
		       class_name(link->parent, class, sizeof(class)));
}

void link_print_name(const struct link *link)
{
	char name[IF_NAMESIZE];
	char class[16];

	json_writer.string("dev", device_name(link->ifindex, name));
	json_writer.u64("ifindex", (uint64_t)link->ifindex);
	json_writer.string("kind", "wlink");
	json_writer.string("handle", class_name(link->handle, class,
						sizeof(class)));
}

void link_print_json(const struct link *link)
{
	char class[16];

	link_print_name(link);
	if (link->bearer)
		json_writer.u64("bearer", link->bearer);
	else if (link->parent == TC_H_ROOT)
		json_writer.number("root", "true");
	else if (link->parent)
		json_writer.string("parent", class_name(link->parent, class,
							sizeof(class)));
	json_writer.object("options");
	wl_show_json(&json_writer, &link->values);
	json_writer.end();
	if (link->has_stats) {
		json_writer.object("xstats");
		wl_xstats_json(&json_writer, &link->stats);
		json_writer.end();
	}
}
