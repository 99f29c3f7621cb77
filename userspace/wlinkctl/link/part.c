// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/netlink.h>

#include "attr/attr.h"
#include "link/part.h"
#include "link/target.h"

#define BEARER	"bearer"

/* The link and bearer 1 are one. */
static uint32_t number_of(const struct part *part)
{
	return part->bearer ? part->bearer : 1;
}

/* Return: words up to the next bearer; a value may be of that name. */
static int words_before(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i += 2)
		if (!strcmp(argv[i], BEARER))
			return i;
	return argc;
}

static int take_at(struct parts *parts, struct wl_values *values)
{
	if (!values->set[WL_AT])
		return 0;
	if (parts->has_at) {
		complain("at is given twice; it is for all bearers together");
		return -1;
	}
	parts->has_at = true;
	parts->at_ns = values->value[WL_AT];
	values->set[WL_AT] = false;
	return 0;
}

static int check_twice(const struct parts *parts, const struct part *part)
{
	size_t i;

	for (i = 0; i < parts->n; i++) {
		if (number_of(&parts->part[i]) != number_of(part))
			continue;
		if (parts->part[i].bearer == part->bearer)
			complain("bearer %u is given twice", part->bearer);
		else
			complain("bearer 1 is given again; words before any bearer are its own");
		return -1;
	}
	return 0;
}

static int parse_one(struct parts *parts, uint32_t bearer, int argc,
		     char **argv)
{
	struct part *part;
	char error[WL_ERROR_TEXT];

	part = realloc(parts->part, (parts->n + 1) * sizeof(*part));
	if (!part) {
		complain("%s", strerror(ENOMEM));
		return -1;
	}
	parts->part = part;
	part += parts->n;
	memset(part, 0, sizeof(*part));
	part->bearer = bearer;
	if (!argc) {
		complain("bearer %u has no words behind it", bearer);
		return -1;
	}
	if (check_twice(parts, part))
		return -1;
	if (wl_words_parse(&part->values, bearer > 1, argc,
			   (const char *const *)argv, error)) {
		complain("%s", error);
		return -1;
	}
	parts->n++;
	return take_at(parts, &part->values);
}

int parts_parse(struct parts *parts, uint32_t bearer, int argc, char **argv)
{
	int n;

	memset(parts, 0, sizeof(*parts));
	for (;;) {
		n = words_before(argc, argv);
		if (parse_one(parts, bearer, n, argv))
			return -1;
		if (n == argc)
			return 0;
		if (target_bearer(n + 1 < argc ? argv[n + 1] : NULL, &bearer))
			return -1;
		argc -= n + 2;
		argv += n + 2;
	}
}

static void put_part(struct nlmsghdr *nlh, const struct part *part)
{
	static uint32_t options[WL_ATTR_BYTES / sizeof(uint32_t)];
	struct nlattr *nest = mnl_attr_nest_start(nlh, WLINK_A_PART);

	mnl_attr_put_u32(nlh, WLINK_PART_BEARER, number_of(part));
	mnl_attr_put(nlh, WLINK_PART_OPTIONS | NLA_F_NESTED,
		     wl_attr_encode(&part->values, options), options);
	mnl_attr_nest_end(nlh, nest);
}

/* Bearer 1 comes first, as the kernel wants it. */
int parts_put(const struct parts *parts, struct nlmsghdr *nlh)
{
	bool first;
	size_t i;

	if (parts->has_at)
		mnl_attr_put_u64(nlh, WLINK_A_AT, parts->at_ns);
	for (first = true;; first = false) {
		for (i = 0; i < parts->n; i++) {
			if ((number_of(&parts->part[i]) == 1) != first)
				continue;
			if (nlh->nlmsg_len > PARTS_BYTES) {
				complain("words of %zu bearers are too much for a message",
					 parts->n);
				return -1;
			}
			put_part(nlh, &parts->part[i]);
		}
		if (!first)
			return 0;
	}
}

void parts_free(struct parts *parts)
{
	size_t i;

	for (i = 0; i < parts->n; i++)
		wl_values_free(&parts->part[i].values);
	free(parts->part);
	parts->part = NULL;
	parts->n = 0;
}
