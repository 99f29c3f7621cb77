// SPDX-License-Identifier: GPL-2.0
/* Help, by the table of words. */
#include <stdio.h>
#include <string.h>

#include "table/table.h"
#include "words/pair.h"
#include "words/words.h"

#define WIDTH	79
#define TEXT	256

static const char *const types[] = {
	[WL_UNIT_COUNT] = "N", [WL_UNIT_RATE] = "RATE", [WL_UNIT_TIME] = "TIME",
	[WL_UNIT_BYTES] = "BYTES", [WL_UNIT_SIZE] = "BYTES", [WL_UNIT_AMOUNT] = "AMOUNT",
	[WL_UNIT_PROB] = "PROB", [WL_UNIT_PERCENT] = "PERCENT", [WL_UNIT_BER] = "BER",
	[WL_UNIT_MILLI] = "X", [WL_UNIT_NANO] = "X", [WL_UNIT_SLOTS] = "SLOTS",
	[WL_UNIT_NAME] = "NAME",
};

/**
 * struct help - help that is being written
 * @f: where it goes
 * @column: how long its last line is
 */
struct help {
	FILE *f;
	size_t column;
};

/* What does not fit goes on in another line. */
static void put(struct help *help, const char *text)
{
	const char *space = help->column ? " " : "";

	if (help->column && help->column + 1 + strlen(text) > WIDTH) {
		space = "\n    ";
		help->column = 3;
	}
	help->column += (size_t)fprintf(help->f, "%s%s", space, text) - (*space == '\n');
}

/* Return: @to with more behind it, as far as it has room. */
static char *add(char to[TEXT], const char *text)
{
	return strncat(to, text, TEXT - 1 - strlen(to));
}

static void add_values(char to[TEXT], const struct wl_row *row)
{
	const char *const *name;

	if (!row->names)
		add(to, types[row->unit]);
	for (name = row->names; name && *name; name++)
		add(add(to, name == row->names ? "" : "|"), *name);
	if (row->other)
		add(add(to, "|"), row->other);
}

static bool follows(enum wl_word word)
{
	return word && !strcmp(wl_rows[word].keyword, wl_rows[word - 1].keyword);
}

static void put_row(struct help *help, enum wl_word word)
{
	const struct wl_row *row = &wl_rows[word];
	char text[TEXT] = "";

	add(add(add(text, row->needed ? "" : "["), row->keyword), " ");
	add_values(text, row);
	/* A word with several units. */
	while (++word < WL_WORDS && follows(word))
		add_values(add(text, "|"), &wl_rows[word]);
	put(help, add(text, row->needed ? "" : "]"));
}

/* Says which kinds have the words that follow. */
static void put_kinds(struct help *help, const struct wl_row *row)
{
	const struct wl_row *owner = &wl_rows[row->owner];
	const char *comma = " ";
	char text[TEXT] = "";
	unsigned int kind;

	add(text, owner->keyword);
	if (!owner->names)
		add(add(text, comma), types[owner->unit]);
	for (kind = 0; owner->names && kind < 32; kind++)
		if (row->kinds & 1U << kind) {
			add(add(text, comma), wl_pair_kind_name(owner, kind));
			comma = ", ";
		}
	put(help, add(text, ":"));
}

static bool of_kinds(enum wl_word word, const struct wl_row *row)
{
	const struct wl_row *one = &wl_rows[word];

	return one->kinds == row->kinds && (!row->kinds || one->owner == row->owner) &&
	       !one->untyped && !follows(word);
}

/* All words of the kinds that a word is of, unless an earlier one has had them. */
static void put_group(struct help *help, enum wl_word first)
{
	const struct wl_row *row = &wl_rows[first];
	enum wl_word word;

	for (word = 0; word < first; word++)
		if (of_kinds(word, row))
			return;
	if (row->kinds)
		put_kinds(help, row);
	else
		put(help, "[preset NAME]");
	for (word = first; word < WL_WORDS; word++)
		if (of_kinds(word, row))
			put_row(help, word);
	fputs("\n", help->f);
	help->column = 0;
}

void wl_words_usage(FILE *f)
{
	struct help help = { .f = f };
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (of_kinds(word, &wl_rows[word]))
			put_group(&help, word);
	fputs("\n"
	      "RATE    := bit/s of PDU payload, bare or with bit kbit mbit gbit,\n"
	      "           or bytes/s with bps kbps mbps gbps\n"
	      "TIME    := number with ns us ms s\n"
	      "BYTES   := bare number, or with b kb mb kib mib; of a limit with a unit\n"
	      "AMOUNT  := SDUs, or BYTES with a unit\n"
	      "SLOTS   := D, S and U, one for each TTI of a pattern, such as DDDSU\n"
	      "PROB    := 0..1 or a percentage such as 10%\n"
	      "BER     := bit error rate such as 1e-6\n"
	      "NAME    := of a preset or a profile, or a file; profile none for no profile\n"
	      "at      := when all of it takes effect: the next start of a TTI, now, a time of\n"
	      "           CLOCK_MONOTONIC or +TIME from now; next unless said otherwise\n", f);
}
