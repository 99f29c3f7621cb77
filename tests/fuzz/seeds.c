// SPDX-License-Identifier: GPL-2.0
/*
 * seeds FOLDER: FOLDER/words.dict, all that the tables have names for, and
 * FOLDER/seeds/TARGET/..., an input for each word, as it is typed, sent and shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "attr/attr.h"
#include "fuzz.h"
#include "lines.h"
#include "presets/known.h"
#include "words/words.h"

/* Without these nothing is whole. */
#define BEFORE	"rate 1mbit tti 1ms "

static const char *folder;
static unsigned int number;

static void write_seed(const char *target, const void *data, size_t size)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/seeds/%s", folder, target);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/seeds/%s/%u", folder, target, number++);
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void write_text(const char *target, const char *before, const char *line)
{
	char text[2 * FUZZ_LINE];

	write_seed(target, text, (size_t)snprintf(text, sizeof(text), "%s%s\n", before, line));
}

/* What a kernel answers: a link, then that it was the last one. */
static void write_answer(const uint8_t *options, size_t len)
{
	static uint8_t text[3 + 2 * NLMSG_HDRLEN + 128 + WL_ATTR_BYTES] __attribute__((aligned(8)));
	uint8_t *at = text + 3;
	struct nlmsghdr head = { .nlmsg_type = RTM_NEWQDISC, .nlmsg_flags = NLM_F_MULTI };
	struct tcmsg tcm = { .tcm_ifindex = 1, .tcm_handle = 0x10000, .tcm_parent = TC_H_ROOT };
	struct rtattr kind = { .rta_len = RTA_LENGTH(6), .rta_type = TCA_KIND };
	uint16_t bytes;
	size_t size = NLMSG_LENGTH(sizeof(tcm));

	memset(text, 0, sizeof(text));
	memcpy(at + NLMSG_HDRLEN, &tcm, sizeof(tcm));
	memcpy(at + size, &kind, sizeof(kind));
	memcpy(at + size + RTA_LENGTH(0), "wlink", 6);
	size += RTA_SPACE(6);
	memcpy(at + size + RTA_LENGTH(0), options, len);
	size += wl_attr_nest(at + size, TCA_OPTIONS, len);
	head.nlmsg_len = (uint32_t)size;
	memcpy(at, &head, sizeof(head));
	head = (struct nlmsghdr){ .nlmsg_len = NLMSG_HDRLEN + 4, .nlmsg_type = NLMSG_DONE };
	memcpy(at + NLMSG_ALIGN(size), &head, sizeof(head));
	size = NLMSG_ALIGN(size) + head.nlmsg_len;
	bytes = (uint16_t)size;
	memcpy(text + 1, &bytes, sizeof(bytes));
	write_seed("netlink", text, 3 + size);
}

/* The same as attributes. */
static void write_sent(char *line)
{
	static uint8_t text[1 + WL_ATTR_BYTES], options[WL_ATTR_BYTES] __attribute__((aligned(8)));
	char *words[64], *save = NULL, *word, error[WL_ERROR_TEXT];
	struct wl_values values;
	int count = 0;
	size_t len;

	for (word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[count++] = word;
	if (!wl_words_parse(&values, false, count, (const char *const *)words, error)) {
		len = wl_attr_encode(&values, options);
		text[0] = 16 | 8;
		memcpy(text + 1, options, len);
		write_seed("tc", text, 1 + len);
		write_answer(options, len);
	}
	wl_values_free(&values);
}

static void write_seeds(void)
{
	char line[FUZZ_LINE];
	enum wl_word word;
	unsigned int i;

	for (word = 0; word < WL_WORDS; word++) {
		for (i = 0; i < FUZZ_VALUES && fuzz_line(word, i, line); i++) {
			/* The first byte: a new link, or a class. */
			write_text("tc", i ? "\4" : "\1", line);
			write_text("batch", i ? "check " BEFORE : "set lo ", line);
			if (wl_rows[word].nest == TCA_WLINK_AQM)
				write_text("profile", "384kbit ", line + strlen("aqm "));
			write_sent(line);
		}
	}
}

static void put(FILE *dict, const char *word)
{
	fprintf(dict, "\"%s\"\n", word);
}

static void write_dict(void)
{
	char path[4096];
	enum wl_word word;
	FILE *dict;
	size_t i;

	snprintf(path, sizeof(path), "%s/words.dict", folder);
	dict = fopen(path, "w");
	if (!dict) {
		perror(path);
		exit(1);
	}
	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];

		put(dict, row->keyword);
		for (i = 0; row->names && row->names[i]; i++)
			put(dict, row->names[i]);
		if (row->other)
			put(dict, row->other);
		if (row->attr)
			fprintf(dict, "\"\\x%02x\\x00\\x%02x\\x00\"\n", 4 + row->size, row->attr);
	}
	put(dict, WL_PRESET);
	for (i = 0; wl_known_links[i].name; i++)
		put(dict, wl_known_links[i].name);
	fclose(dict);
}

int main(int argc, char **argv)
{
	char path[4096];

	if (argc != 2)
		return 2;
	folder = argv[1];
	snprintf(path, sizeof(path), "%s/seeds", folder);
	mkdir(path, 0777);
	write_dict();
	write_seeds();
	return 0;
}
