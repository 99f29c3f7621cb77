// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "lib/json.h"
#include "link/names.h"

int names_list(const struct wlinkctl *ctl, size_t n, struct named (*get)(size_t i))
{
	size_t i;

	if (ctl->json)
		json_begin_list();
	for (i = 0; i < n; i++) {
		struct named one = get(i);

		if (!ctl->json) {
			printf("%-14s %s\n", one.name, one.what);
			continue;
		}
		json_writer.object(NULL);
		json_writer.string("name", one.name);
		json_writer.string("what", one.what);
		if (one.file)
			json_writer.string("file", one.file);
		json_writer.end();
	}
	if (ctl->json)
		json_end_list();
	return EXIT_DONE;
}
