// SPDX-License-Identifier: GPL-2.0
/*
 * The qdiscs of a machine, and which of them a packet passes before a wlink.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>

#include "doctor/device/device.h"
#include "lib/nl.h"

static int read_kind(const struct nlattr *attr, void *ctx)
{
	struct tree_row *row = ctx;

	if (mnl_attr_get_type(attr) == TCA_KIND &&
	    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		snprintf(row->kind, sizeof(row->kind), "%s",
			 mnl_attr_get_str(attr));
	return MNL_CB_OK;
}

static void collect(void *ctx, const struct nlmsghdr *nlh)
{
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	struct tree *tree = ctx;
	struct tree_row *more;

	if (nlh->nlmsg_type != RTM_NEWQDISC ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return;
	more = realloc(tree->rows, (tree->n + 1) * sizeof(*more));
	if (!more) {
		tree->failed = true;
		return;
	}
	tree->rows = more;
	more += tree->n++;
	memset(more, 0, sizeof(*more));
	more->ifindex = tcm->tcm_ifindex;
	more->handle = tcm->tcm_handle;
	more->parent = tcm->tcm_parent;
	mnl_attr_parse(nlh, sizeof(*tcm), read_kind, more);
}

int tree_read(struct wlinkctl *ctl, struct tree *tree)
{
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	uint64_t buf[32];

	memset(tree, 0, sizeof(*tree));
	nlh = nl_request(ctl, buf, RTM_GETQDISC, NLM_F_DUMP, 0);
	if (nl_talk(ctl, nlh, collect, tree, &answer))
		return EXIT_REFUSED;
	if (!answer.error && !tree->failed)
		return EXIT_DONE;
	complain("kernel: %s", strerror(tree->failed ? ENOMEM : answer.error));
	free(tree->rows);
	tree->rows = NULL;
	return EXIT_REFUSED;
}

/* The qdisc that a parent is a class of. One that the kernel made itself has
 * no handle.
 */
static const struct tree_row *owner(const struct tree *tree, int ifindex,
				    uint32_t parent)
{
	size_t i;

	for (i = 0; i < tree->n; i++)
		if (tree->rows[i].ifindex == ifindex &&
		    tree->rows[i].parent != TC_H_INGRESS &&
		    tree->rows[i].handle == TC_H_MAJ(parent))
			return &tree->rows[i];
	return NULL;
}

void tree_above(const struct tree *tree, struct link_facts *facts)
{
	const struct link *link = &facts->link;
	uint32_t parent = link->parent;
	const struct tree_row *row;
	size_t i;

	for (i = 0; i < tree->n; i++) {
		row = &tree->rows[i];
		if (row->ifindex == link->ifindex &&
		    row->handle != link->handle && row->parent != TC_H_ROOT &&
		    TC_H_MAJ(row->parent) == TC_H_MAJ(parent) &&
		    !strcmp(row->kind, "wlink"))
			facts->siblings++;
	}
	while (parent != TC_H_ROOT && facts->n_above < ABOVE_MAX) {
		row = owner(tree, link->ifindex, parent);
		if (!row)
			break;
		memcpy(facts->above[facts->n_above++], row->kind,
		       sizeof(row->kind));
		parent = row->parent;
	}
}
