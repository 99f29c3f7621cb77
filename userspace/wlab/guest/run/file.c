// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

FILE *plan_file(const struct plan *plan, const char *name, const char *suffix)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s%s", plan->out, name, suffix);
	f = fopen(path, "we");
	if (!f)
		fail("%s: %s", path, strerror(errno));
	return f;
}

void plan_file_close(FILE *f, const char *what)
{
	if (fclose(f))
		fail("cannot write %s: %s", what, strerror(errno));
}

void *plan_memory(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		fail("out of memory");
	return memory;
}
