// SPDX-License-Identifier: GPL-2.0
/* What a kernel may answer: the first byte says which command has asked. */
#include <string.h>

#include "fuzz.h"
#include "lib/nl.h"

#define WORDS_MAX	8
#define WORD_BYTES	16

static const char commands[][WORDS_MAX][WORD_BYTES] = {
	{ "show" },
	{ "show", "lo", "bearer", "all", "--json" },
	{ "set", "lo", "rate", "1mbit" },
	{ "set", "lo", "bearer", "2", "rate", "1mbit", "--json" },
	{ "watch", "lo", "--count", "3" },
	{ "watch", "--json" },
	{ "schedule", "show", "lo" },
	{ "bearer", "del", "lo", "bearer", "3" },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t n = sizeof(commands) / sizeof(commands[0]);
	char text[WORDS_MAX][WORD_BYTES];
	struct wlinkctl ctl = { 0 };
	char *words[WORDS_MAX];
	int argc = 0;

	if (!size)
		return -1;
	memcpy(text, commands[data[0] % n], sizeof(text));
	while (argc < WORDS_MAX && text[argc][0]) {
		words[argc] = text[argc];
		argc++;
	}
	fuzz_kernel(data + 1, size - 1);
	wlinkctl_run(&ctl, argc, words);
	nl_close(&ctl);
	return 0;
}
