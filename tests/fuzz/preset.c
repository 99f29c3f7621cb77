// SPDX-License-Identifier: GPL-2.0
/* A preset's file, its words judged. */
#include "fuzz.h"
#include "words/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const words[] = { "preset", fuzz_file(data, size) };
	char error[WL_ERROR_TEXT];
	struct wl_values values;

	if (!wl_words_parse(&values, false, 2, words, error))
		wl_values_free(&values);
	return 0;
}
