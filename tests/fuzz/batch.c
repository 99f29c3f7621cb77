// SPDX-License-Identifier: GPL-2.0
/* A batch of commands, but for those that read or write other files or wait. */
#include <string.h>

#include "fuzz.h"
#include "lib/nl.h"

static bool is_left_out(const char *word)
{
	static const char *const words[] = {
		"record", "trace", "watch", "-",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i]))
			return true;
	return strchr(word, '/');
}

int __wrap_wlinkctl_run(struct wlinkctl *ctl, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (is_left_out(argv[i]))
			return 0;
	return __real_wlinkctl_run(ctl, argc, argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char force[] = "--force";
	struct wlinkctl ctl = { 0 };
	char *words[2];

	words[0] = force;
	words[1] = (char *)fuzz_file(data, size);
	fuzz_kernel(NULL, 0);
	cmd_batch(&ctl, 2, words);
	nl_close(&ctl);
	return 0;
}
