// SPDX-License-Identifier: GPL-2.0
/*
 * One device: its facts, its links, and what is said to them.
 */

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/device/device.h"
#include "doctor/read.h"

static int judge_links(struct wlinkctl *ctl, struct doctor *doctor,
		       const struct dev_facts *dev, const struct sys_facts *sys,
		       const struct tree *tree, const struct link_list *list)
{
	int code = EXIT_DONE;
	size_t i;

	for (i = 0; !code && i < list->n; i++) {
		struct link_facts facts = { .link = list->links[i] };

		code = link_dump_bearers(ctl, dev->ifindex, facts.link.handle,
					 &facts.bearers);
		if (code)
			break;
		tree_above(tree, &facts);
		judge_link(doctor, dev, sys, &facts);
		judge_buffers(doctor, dev, sys, &facts);
		free(facts.bearers.links);
	}
	return code;
}

static int ask_kernel(struct wlinkctl *ctl, struct doctor *doctor,
		      struct dev_facts *dev, const struct sys_facts *sys)
{
	struct link_list list = { 0 };
	struct tree tree = { 0 };
	int code;

	code = dev_facts_kernel(ctl, dev);
	if (code)
		return code;
	judge_device(doctor, dev);
	code = link_dump(ctl, dev->ifindex, &list);
	if (!code)
		code = tree_read(ctl, &tree);
	if (!code && !list.n) {
		report_add(&doctor->report, VERDICT_NOTE, "wlink",
			   "without one there is nothing to look at but the device",
			   "there is none on %s", dev->name);
		report_change(&doctor->report,
			      "tc qdisc replace dev %s root wlink rate RATE delay TIME limit LIMIT",
			      dev->name);
	} else if (!code) {
		code = judge_links(ctl, doctor, dev, sys, &tree, &list);
	}
	free(tree.rows);
	free(list.links);
	return code;
}

int doctor_finds(const struct doctor *doctor, const char *name)
{
	char path[96];
	int64_t index;

	if (strlen(name) >= IF_NAMESIZE || strchr(name, '/')) {
		complain("\"%s\" is no name of a device", name);
		return EXIT_NOT_FOUND;
	}
	if (doctor->live)
		return link_device(name) ? EXIT_DONE : EXIT_NOT_FOUND;
	snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", name);
	if (!doctor_number(doctor->root, path, &index))
		return EXIT_DONE;
	complain("no device \"%s\" below %s", name, doctor->root);
	return EXIT_NOT_FOUND;
}

int doctor_device(struct wlinkctl *ctl, struct doctor *doctor, const char *name)
{
	struct dev_facts dev = { 0 };
	struct sys_facts sys;
	int code;

	code = doctor_finds(doctor, name);
	if (code)
		return code;
	snprintf(dev.name, sizeof(dev.name), "%s", name);
	doctor->report.dev = dev.name;
	dev_facts_files(doctor, &dev, &sys);
	if (doctor->live) {
		dev.ifindex = (int)if_nametoindex(name);
		code = ask_kernel(ctl, doctor, &dev, &sys);
	} else {
		judge_device(doctor, &dev);
		report_add(&doctor->report, VERDICT_NOTE, "wlink",
			   "qdiscs and offloads come from a kernel, not from files",
			   "unknown: --root looks at files only");
	}
	doctor->report.dev = NULL;
	return code;
}
