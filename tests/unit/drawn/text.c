// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "attr/attr.h"
#include "fuzz/lines.h"
#include "ut.h"
#include "words/pair.h"
#include "words/profile.h"
#include "words/words.h"
#include "drawn/words.h"

_Static_assert(WORDS_BYTES >= WL_ATTR_BYTES, "room for attributes");
_Static_assert(WORDS_ERROR >= WL_ERROR_TEXT, "room for an error");
_Static_assert(WORDS_MAX > WL_WORDS, "room for words");

bool words_encode(int count, const char *const *words, void *buf, size_t *len, char *error)
{
	struct wl_values values;
	bool good = !wl_words_parse(&values, false, count, words, error);

	if (good)
		*len = wl_attr_encode(&values, buf);
	wl_values_free(&values);
	return good;
}

/* That a name is absent is a value, and that what may be off is. */
static bool words_may_be_absent(const struct wl_row *row)
{
	return !row->kinds && (row->other || !row->size);
}

static void words_note(struct words_seen *seen, const struct wl_values *values)
{
	static const unsigned long long absent = ~1ULL;
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		unsigned long long value = values->set[word] ? values->value[word] : absent;

		if (value == absent && !words_may_be_absent(&wl_rows[word]))
			continue;
		if (wl_rows[word].names && value != absent)
			seen->named[word] |= 1ULL << value;
		if (seen->times[word] && seen->value[word] == value)
			continue;
		seen->times[word]++;
		seen->value[word] = value;
	}
}

void words_see(struct words_seen *seen, const void *buf, size_t len)
{
	struct wl_values values;

	wl_attr_decode(&values, buf, len);
	words_note(seen, &values);
}

bool words_see_text(struct words_seen *seen, const char *line)
{
	static const struct wl_values nothing;
	char error[WL_ERROR_TEXT];
	struct wl_values typed = { 0 };
	struct wl_pairs pairs = { &typed, &nothing, false, error, wl_profile_load };
	char *text = strdup(line), *save = NULL, *word, *value;
	enum wl_word i;
	bool good = true;

	for (word = strtok_r(text, " ", &save); word && good; word = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		good = !wl_pair_parse(&pairs, word, value);
	}
	for (i = 0; i < WL_WORDS; i++)
		seen->times[i] += typed.set[i];
	wl_values_free(&typed);
	free(text);
	return good;
}

void words_see_fuzz(struct words_seen *seen)
{
	char line[FUZZ_LINE];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		for (unsigned int i = 0; i < FUZZ_VALUES && fuzz_line(word, i, line); i++)
			words_see_text(seen, line);
}

/* Nothing of the kernel's has it: it comes to others, or says when others do. */
static bool words_typed_only(enum wl_word word)
{
	return word == WL_AT || (!wl_rows[word].size && wl_rows[word].unit != WL_UNIT_NAME);
}

/* The last name of a row's values that was not said, or NULL. */
static const char *words_unnamed(const struct words_seen *seen, enum wl_word word)
{
	const char *const *names = wl_rows[word].names, *missing = NULL;
	unsigned int i;

	for (i = 0; names && names[i]; i++)
		if (!(seen->named[word] >> i & 1))
			missing = names[i];
	return missing;
}

void words_missing(const struct words_seen *seen, unsigned int least, bool typed)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		const char *unnamed = least > 1 ? words_unnamed(seen, word) : NULL;

		if (!typed && words_typed_only(word))
			continue;
		ut_check(seen->times[word] >= least && !unnamed, UT_WHERE, "word %u, '%s %s'",
			 word, wl_rows[word].keyword, unnamed ?: "");
	}
}
