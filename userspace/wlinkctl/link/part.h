/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_PART_H
#define _WLINKCTL_PART_H

/* Words for several bearers that are one change together. */

#include "words/words.h"

/* What a message may have before its last part. */
#define PARTS_BYTES	65532

/**
 * struct part - the words of one bearer
 * @bearer: its number, 0 where none is typed: the link and bearer 1
 * @values: what is to be
 */
struct part {
	uint32_t bearer;
	struct wl_values values;
};

/**
 * struct parts - all of them
 * @n: how many
 * @part: they
 * @at_ns: when, WLINK_AT_*
 * @has_at: is it typed?
 */
struct parts {
	size_t n;
	struct part *part;
	uint64_t at_ns;
	bool has_at;
};

/**
 * parts_parse() - read WORDS [bearer M WORDS]...
 * @parts: result, to be given to parts_free(), also after an error
 * @bearer: number that has been read already, 0 for none
 * @argc: number of words
 * @argv: words
 *
 * Return: 0, or -1 after a complaint.
 */
int parts_parse(struct parts *parts, uint32_t bearer, int argc, char **argv);

struct nlmsghdr;

/**
 * parts_put() - write them as attributes of WLINK_CMD_SET
 * @parts: parts
 * @nlh: message in a buffer of PARTS_BYTES and WL_ATTR_BYTES + 64 more
 *
 * Return: 0, or -1 after a complaint that it is too much.
 */
int parts_put(const struct parts *parts, struct nlmsghdr *nlh);

/**
 * parts_free() - let go of what they hold
 * @parts: parts
 */
void parts_free(struct parts *parts);

#endif
