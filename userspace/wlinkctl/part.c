// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>

#include "part.h"
#include "target.h"
#include "wl_attr.h"

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

static size_t put_number(uint8_t *at, uint16_t type, const void *value,
			 size_t len)
{
	struct nlattr head = {
		.nla_len = (uint16_t)(NLA_HDRLEN + len),
		.nla_type = type,
	};

	memcpy(at, &head, sizeof(head));
	memcpy(at + NLA_HDRLEN, value, len);
	return NLA_HDRLEN + len;
}

static size_t put_bearer(uint8_t *at, const struct part *part)
{
	size_t len = NLA_HDRLEN;
	size_t inside;

	len += put_number(at + len, TCA_WLINK_BEARER_NUMBER, &part->bearer,
			  sizeof(part->bearer));
	inside = wl_attr_encode(&part->values, at + len + NLA_HDRLEN);
	len += wl_attr_nest(at + len, TCA_WLINK_BEARER_OPTIONS, inside);
	return wl_attr_nest(at, TCA_WLINK_BEARER, len - NLA_HDRLEN);
}

size_t parts_encode(struct parts *parts, uint64_t cookie, void *buf)
{
	static uint32_t one[(WL_ATTR_BYTES + 64) / sizeof(uint32_t)];
	uint8_t *at = buf;
	size_t len = 0;
	size_t i;

	if (parts->has_at)
		len += put_number(at + len, TCA_WLINK_AT, &parts->at_ns,
				  sizeof(parts->at_ns));
	if (cookie)
		len += put_number(at + len, TCA_WLINK_COOKIE, &cookie,
				  sizeof(cookie));
	for (i = 0; i < parts->n; i++) {
		bool own = parts->n == 1 || number_of(&parts->part[i]) == 1;
		size_t more = own ?
			wl_attr_encode(&parts->part[i].values, one) :
			put_bearer((uint8_t *)one, &parts->part[i]);

		if (more > PARTS_BYTES - len) {
			complain("words of %zu bearers are too much for a message",
				 parts->n);
			return 0;
		}
		memcpy(at + len, one, more);
		len += more;
	}
	return len;
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
