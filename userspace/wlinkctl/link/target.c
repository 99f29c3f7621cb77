// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "link/link.h"
#include "link/target.h"

int number_parse(const struct number *number, const char *word, const char *text,
		 uint64_t *value)
{
	if (!text) {
		complain("%s has no value", word);
		return -1;
	}
	if (!wl_num_parse(number->unit, text, value) && *value >= number->least &&
	    *value <= number->most)
		return 0;
	complain("%s \"%s\" is not %s", word, text, number->what);
	return -1;
}

int target_bearer(const char *text, uint32_t *bearer)
{
	static const struct number bearers = {
		WL_UNIT_COUNT, 1, WLINK_BEARERS_MAX, "a number from 1 to 4096",
	};
	uint64_t number;

	_Static_assert(WLINK_BEARERS_MAX == 4096, "as in the text");
	if (number_parse(&bearers, "bearer", text, &number))
		return -1;
	*bearer = (uint32_t)number;
	return 0;
}

int target_parse(struct target *to, const char *command, int argc, char **argv)
{
	int n = 0;

	memset(to, 0, sizeof(*to));
	if (argc > 1 && !strcmp(argv[0], "dev"))
		n = 1;
	if (argc <= n) {
		complain("%s needs a device", command);
		return -1;
	}
	to->dev = argv[n++];
	if (n < argc && link_is_handle(argv[n])) {
		if (link_parse_handle(argv[n], &to->handle))
			return -1;
		to->handle_text = argv[n++];
	}
	if (n < argc && !strcmp(argv[n], "bearer")) {
		n++;
		if (n < argc && !strcmp(argv[n], "all"))
			to->all = true;
		else if (target_bearer(n < argc ? argv[n] : NULL, &to->bearer))
			return -1;
		n++;
	}
	return n;
}

void target_complain(const struct target *to)
{
	if (to->bearer && to->handle)
		complain("no bearer %u on %s", to->bearer, to->dev);
	else if (to->handle_text)
		complain("no wlink %s on %s", to->handle_text, to->dev);
	else
		complain("no wlink at the root of %s; type its handle if it is a leaf",
			 to->dev);
}

static bool is_meant(const struct target *to, const struct link *link)
{
	if (to->bearer)
		return link->bearer == to->bearer;
	return to->handle ? link->handle == to->handle :
			    link->parent == TC_H_ROOT;
}

int target_find(struct wlinkctl *ctl, struct target *to)
{
	struct target qdisc;
	struct link link;
	int code;

	to->ifindex = link_device(to->dev);
	if (!to->ifindex)
		return EXIT_NOT_FOUND;
	qdisc = *to;
	qdisc.bearer = 0;
	code = target_link(ctl, &qdisc, &link);
	if (code == EXIT_NOT_FOUND) {
		to->handle = 0;
		target_complain(to);
	} else if (!code) {
		to->handle = link.handle;
	}
	return code;
}

int target_link(struct wlinkctl *ctl, const struct target *to,
		struct link *link)
{
	struct link_list list;
	bool found = false;
	size_t i;
	int code;

	code = to->bearer ? link_dump_bearers(ctl, to->ifindex, to->handle,
					      &list) :
			    link_dump(ctl, to->ifindex, &list);
	if (code)
		return code;
	for (i = 0; i < list.n; i++)
		if (is_meant(to, &list.links[i])) {
			*link = list.links[i];
			found = true;
		}
	free(list.links);
	return found ? EXIT_DONE : EXIT_NOT_FOUND;
}

int target_open_netns(const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), strchr(name, '/') ? "%s" : "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		complain("netns %s: %s", name, strerror(errno));
	return fd;
}
