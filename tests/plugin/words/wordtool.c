// SPDX-License-Identifier: GPL-2.0
/*
 * Opens the words of tc-plugin/ to a test in another language: one request
 * per line on standard input, one answer per line on standard output.
 *
 *   parse UNIT TEXT	-> ok VALUE | error CODE
 *   print UNIT VALUE	-> TEXT
 *   words WORD ...	-> ok HEX | error SENTENCE
 *   class WORD ...	-> the same for a class other than 1:1
 *   whole WORD ...	-> ok if a new link can be made of them | error SENTENCE
 *   show HEX		-> the words of these attributes
 *   json HEX		-> the same as JSON
 *   stats HEX		-> statistics as JSON
 *   short HEX		-> the same of a dump, without histograms
 *   why PART PERCENT HEX -> quantile of a part of the delay in ns
 *   textof AQM HEX	-> statistics for readers, lines parted by |
 *   states AQM HEX	-> what the AQM and the schedule are at
 *   rayleigh FER FDT	-> P R | error
 *   keyword OFFSET HEX	-> whose attribute starts there, or -
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr/attr.h"
#include "lib/json.h"
#include "numbers/rayleigh.h"
#include "show/xstats.h"

#define MAX_WORDS	192

static void put_hex(const uint8_t *bytes, size_t n)
{
	size_t i;

	printf("ok ");
	for (i = 0; i < n; i++)
		printf("%02x", bytes[i]);
	putchar('\n');
}

/* A heap block of just the right size, so that ASan sees a read past it. */
static uint8_t *get_hex(const char *text, size_t *n)
{
	uint8_t *bytes;
	size_t i;

	*n = strlen(text) / 2;
	bytes = malloc(*n ? *n : 1);
	if (!bytes)
		abort();
	for (i = 0; i < *n; i++)
		if (sscanf(text + 2 * i, "%2hhx", &bytes[i]) != 1)
			abort();
	return bytes;
}

static void do_parse(char *rest)
{
	enum wl_unit unit = (enum wl_unit)strtoul(rest, &rest, 10);
	enum wl_num_error err;
	uint64_t value;

	err = wl_num_parse(unit, *rest ? rest + 1 : rest, &value);
	if (err)
		printf("error %d\n", err);
	else
		printf("ok %" PRIu64 "\n", value);
}

static void do_print(char *rest)
{
	enum wl_unit unit = (enum wl_unit)strtoul(rest, &rest, 10);
	char text[WL_NUM_TEXT];

	puts(wl_num_print(unit, strtoull(rest, NULL, 10), text));
}

static int split(char *rest, const char **words)
{
	char *save = NULL;
	char *word;
	int n = 0;

	for (word = strtok_r(rest, " ", &save); word && n < MAX_WORDS;
	     word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	return n;
}

static void parse_words(bool is_class, char *rest)
{
	/* As many bytes as an encoder may write, so that ASan sees one more. */
	static uint32_t buf[WL_ATTR_BYTES / sizeof(uint32_t)];
	const char *words[MAX_WORDS];
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	int n = split(rest, words);

	if (wl_words_parse(&values, is_class, n, words, error))
		printf("error %s\n", error);
	else
		put_hex((uint8_t *)buf, wl_attr_encode(&values, buf));
	wl_values_free(&values);
}

static void do_words(char *rest)
{
	parse_words(false, rest);
}

static void do_class(char *rest)
{
	parse_words(true, rest);
}

static void do_whole(char *rest)
{
	const char *words[MAX_WORDS];
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	int n = split(rest, words);

	if (wl_words_parse(&values, false, n, words, error) ||
	    wl_words_whole(&values, error))
		printf("error %s\n", error);
	else
		puts("ok");
	wl_values_free(&values);
}

static void do_show(char *rest)
{
	struct wl_values values;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(rest, &n);
	wl_attr_decode(&values, bytes, n);
	wl_show_text(stdout, &values);
	putchar('\n');
	free(bytes);
}

static void do_json(char *rest)
{
	struct wl_values values;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(rest, &n);
	wl_attr_decode(&values, bytes, n);
	json_begin();
	wl_show_json(&json_writer, &values);
	json_end();
	free(bytes);
}

static void print_stats(const char *hex, bool all)
{
	struct wl_xstats stats;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(hex, &n);
	if (all)
		wl_xstats_decode_all(&stats, bytes, n);
	else
		wl_xstats_decode(&stats, bytes, n);
	json_begin();
	wl_xstats_json(&json_writer, &stats);
	json_end();
	free(bytes);
}

static void do_stats(char *rest)
{
	print_stats(rest, true);
}

static void do_short(char *rest)
{
	print_stats(rest, false);
}

static void do_why(char *rest)
{
	enum wlink_why why = (enum wlink_why)strtoul(rest, &rest, 10);
	unsigned int percent = (unsigned int)strtoul(rest, &rest, 10);
	struct wl_xstats stats;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(rest + 1, &n);
	wl_xstats_decode_all(&stats, bytes, n);
	printf("%" PRIu64 "\n", wl_xstats_why(&stats, why, percent));
	free(bytes);
}

static void print_text(uint64_t aqm, const char *hex)
{
	struct wl_xstats stats;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(hex, &n);
	wl_xstats_decode_all(&stats, bytes, n);
	stats.aqm = aqm;
	wl_xstats_text(stdout, &stats, "|");
	putchar('\n');
	free(bytes);
}

static void do_textof(char *rest)
{
	uint64_t aqm = strtoull(rest, &rest, 10);

	print_text(aqm, rest + 1);
}

static void do_states(char *rest)
{
	uint64_t aqm = strtoull(rest, &rest, 10);
	struct wl_xstats stats;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(rest + 1, &n);
	wl_xstats_decode_all(&stats, bytes, n);
	stats.aqm = aqm;
	printf("%s %s\n", wl_xstats_aqm_state(&stats),
	       wl_xstats_schedule_state(&stats));
	free(bytes);
}

static void do_rayleigh(char *rest)
{
	double fer = strtod(rest, &rest);
	double fdt = strtod(rest, NULL);
	uint32_t p, r;

	if (wl_rayleigh(fer, fdt, &p, &r))
		puts("error");
	else
		printf("%" PRIu32 " %" PRIu32 "\n", p, r);
}

static void do_keyword(char *rest)
{
	size_t offset = strtoul(rest, &rest, 10);
	const char *keyword;
	uint8_t *bytes;
	size_t n;

	bytes = get_hex(rest + 1, &n);
	keyword = wl_attr_keyword(bytes, n, offset);
	puts(keyword ? keyword : "-");
	free(bytes);
}

static const struct {
	const char *name;
	void (*run)(char *rest);
} requests[] = {
	{ "parse ", do_parse },
	{ "print ", do_print },
	{ "words ", do_words },
	{ "class ", do_class },
	{ "whole ", do_whole },
	{ "show ", do_show },
	{ "json ", do_json },
	{ "stats ", do_stats },
	{ "short ", do_short },
	{ "why ", do_why },
	{ "textof ", do_textof },
	{ "states ", do_states },
	{ "rayleigh ", do_rayleigh },
	{ "keyword ", do_keyword },
};

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	size_t i;

	while ((len = getline(&line, &size, stdin)) > 0) {
		line[len - 1] = '\0';
		for (i = 0; i < ARRAY_SIZE(requests); i++) {
			size_t n = strlen(requests[i].name);

			if (strncmp(line, requests[i].name, n))
				continue;
			requests[i].run(line + n);
			break;
		}
		if (i == ARRAY_SIZE(requests))
			puts("error no such request");
		fflush(stdout);
	}
	free(line);
	return 0;
}
