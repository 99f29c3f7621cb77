// SPDX-License-Identifier: GPL-2.0
/*
 * q_wlink.so inside tc. The first byte says what: bit 0 a class, bit 1 JSON, bit 2
 * a new link, bits 3 and 4 words that are typed, options or statistics that are
 * printed. tc's own functions only look at what they are given.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "fuzz.h"
#include "wl_tc.h"

#define WORDS_MAX	192
#define ROOM		70000

const char *_SL_ = "\n";
static bool json;

bool is_json_context(void)
{
	return json;
}

struct json_writer *get_json_writer(void)
{
	return NULL;
}

static void look_at(const char *text)
{
	if (text && strlen(text) > 1 << 20)
		abort();
}

void open_json_object(const char *key)
{
	look_at(key);
}

void close_json_object(void)
{
}

void open_json_array(enum output_type type, const char *key)
{
	look_at(key);
}

void close_json_array(enum output_type type, const char *delim)
{
	look_at(delim);
}

void jsonw_name(struct json_writer *writer, const char *key)
{
	look_at(key);
}

void jsonw_string_field(struct json_writer *writer, const char *key,
			const char *value)
{
	look_at(key);
	look_at(value);
}

void jsonw_printf(struct json_writer *writer, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
}

int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen)
{
	size_t end = NLMSG_ALIGN(n->nlmsg_len) + RTA_ALIGN(RTA_LENGTH(alen));
	struct rtattr *rta = (void *)((char *)n + NLMSG_ALIGN(n->nlmsg_len));

	if (end > (size_t)maxlen)
		return -1;
	rta->rta_type = (unsigned short)type;
	rta->rta_len = (unsigned short)RTA_LENGTH(alen);
	memcpy(RTA_DATA(rta), data, (size_t)alen);
	n->nlmsg_len = (unsigned int)end;
	return 0;
}

/* Files are the profile's own target. */
static int split(char *text, char **words)
{
	char *save = NULL, *word;
	int n = 0;

	for (word = strtok_r(text, "\n ", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, "\n ", &save))
		if (!strchr(word, '/'))
			words[n++] = word;
	return n;
}

static void type_words(uint8_t how, const uint8_t *data, size_t size)
{
	static uint64_t buf[ROOM / sizeof(uint64_t)];
	struct nlmsghdr *n = (void *)buf;
	struct tcmsg *tcm = NLMSG_DATA(n);
	char *text = strndup((const char *)data, size);
	char *words[WORDS_MAX];
	int argc = split(text, words);
	struct rtattr *first;
	int err;

	memset(n, 0, NLMSG_LENGTH(sizeof(*tcm)));
	n->nlmsg_len = NLMSG_LENGTH(sizeof(*tcm));
	n->nlmsg_flags = how & 4 ? NLM_F_EXCL : 0;
	tcm->tcm_handle = 0x10002;
	first = (void *)((char *)n + n->nlmsg_len);
	if (how & 1)
		err = wlink_qdisc_util.parse_copt(&wlink_qdisc_util, argc,
						  words, n, "lo");
	else
		err = wlink_qdisc_util.parse_qopt(&wlink_qdisc_util, argc,
						  words, n, "lo");
	/* What was typed can be shown. */
	if (!err && wlink_qdisc_util.print_qopt(&wlink_qdisc_util, stdout, first))
		abort();
	free(text);
}

/* A heap block of just the right size, so that ASan sees a read past it. */
static void print_attributes(uint8_t how, const uint8_t *data, size_t size)
{
	struct rtattr *rta = malloc(RTA_LENGTH(size));

	if (!rta || size > 65000) {
		free(rta);
		return;
	}
	rta->rta_len = (unsigned short)RTA_LENGTH(size);
	rta->rta_type = TCA_OPTIONS;
	memcpy(RTA_DATA(rta), data, size);
	if (how & 8)
		wlink_qdisc_util.print_qopt(&wlink_qdisc_util, stdout, rta);
	else
		wlink_qdisc_util.print_xstats(&wlink_qdisc_util, stdout, rta);
	free(rta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return -1;
	json = data[0] & 2;
	if (data[0] & 16)
		print_attributes(data[0], data + 1, size - 1);
	else
		type_words(data[0], data + 1, size - 1);
	return 0;
}
