// SPDX-License-Identifier: GPL-2.0
/* A table of jitter: the first byte says whether its mean and deviation are given, too. */
#include "fuzz.h"
#include "words/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const words[] = {
		"jitter_table", fuzz_file(data + !!size, size - !!size),
		"jitter", "5ms", "jitter_dev", "2ms",
	};
	struct wl_values values = { 0 };
	char error[WL_ERROR_TEXT];

	if (!size)
		return -1;
	wl_words_parse(&values, false, data[0] & 2 ? 6 : data[0] & 1 ? 4 : 2, words, error);
	wl_values_free(&values);
	return 0;
}
