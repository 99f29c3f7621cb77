// SPDX-License-Identifier: GPL-2.0
/* digests [STORIES]: print tests/kunit/wl_digests.h as the core has it now */
#include <stdio.h>
#include <stdlib.h>

#include "wl_story.h"

#define STORIES	60
#define MORE	24

static const char head[] =
	"#ifndef _WL_DIGESTS_H\n"
	"#define _WL_DIGESTS_H\n\n"
	"/*\n"
	" * What becomes of the SDUs of the first stories of wl_story.h. A change of\n"
	" * the model changes it, and nothing else may: say in the commit which change\n"
	" * it was. Printed by: make -C tests/unit digests\n"
	" */\n"
	"#include \"wl_story.h\"\n\n"
	"/**\n"
	" * struct wl_digest - the end of one story\n"
	" * @seed: of the story\n"
	" * @sent: SDUs sent\n"
	" * @drops: of these, dropped\n"
	" * @digest: wl_story_digest()\n"
	" */\n"
	"struct wl_digest {\n"
	"\tu64 seed;\n"
	"\tu32 sent;\n"
	"\tu32 drops;\n"
	"\tu64 digest;\n"
	"};\n\n"
	"static const struct wl_digest wl_digests[] = {\n";

static const char more[] =
	"};\n\n"
	"/* The same of stories with more in them, with all that was told. */\n"
	"static const struct wl_digest wl_digests_more[] = {\n";

/* Return: false where something is wrong. */
static bool print(u64 seed, bool all)
{
	static struct wl_story story;
	static struct cell cell;
	struct wl_mismatch bad;

	if (all)
		wl_story_make_more(&story, seed, &bad);
	else
		wl_story_make(&story, seed, &bad);
	wl_story_play(&cell, &story, seed, true);
	if (bad.what || cell.bad.what) {
		fprintf(stderr, "story %llu: %s is wrong\n", seed,
			bad.what ? bad.what : cell.bad.what);
		return false;
	}
	printf("\t{ %llu, %u, %u, 0x%016llxULL },\n", seed, cell.sent,
	       wl_story_drops(&cell), all ? wl_story_digest_more(&cell) :
					    wl_story_digest(&cell));
	wl_cell_free(&cell);
	return true;
}

int main(int argc, char **argv)
{
	u64 seed, stories = argc > 1 ? atoi(argv[1]) : STORIES;

	printf("/* %s: GPL-2.0 */\n%s", "SPDX-License-Identifier", head);
	for (seed = 1; seed <= stories; seed++)
		if (!print(seed, false))
			return 1;
	fputs(more, stdout);
	for (seed = 1; seed <= MORE; seed++)
		if (!print(seed, true))
			return 1;
	fputs("};\n\n#endif\n", stdout);
	return 0;
}
