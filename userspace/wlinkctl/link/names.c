// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "lib/json.h"
#include "link/names.h"

int names_list(const struct wlinkctl *ctl, size_t n,
	       void (*get)(size_t i, const char **name, const char **what))
{
	const char *name, *what;
	size_t i;

	if (ctl->json)
		json_begin_list();
	for (i = 0; i < n; i++) {
		get(i, &name, &what);
		if (!ctl->json) {
			printf("%-14s %s\n", name, what);
			continue;
		}
		json_writer.object(NULL);
		json_writer.string("name", name);
		json_writer.string("what", what);
		json_writer.end();
	}
	if (ctl->json)
		json_end_list();
	return EXIT_DONE;
}
