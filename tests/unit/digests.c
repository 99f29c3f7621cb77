// SPDX-License-Identifier: GPL-2.0
/* digests [STORIES]: print tests/kunit/wl_digests.h as the core has it now */
#include <stdio.h>
#include <stdlib.h>

#include "wl_story.h"

#define STORIES	60
#define MORE	24
#define WIDE	60

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

static const char wide[] =
	"};\n\n"
	"/* The same of stories with all that the module takes. */\n"
	"static const struct wl_digest wl_digests_wide[] = {\n";

typedef void (*maker)(struct wl_story *to, u64 seed, struct wl_mismatch *bad);

/* Return: false where something is wrong. */
static bool print(maker make, u64 seed)
{
	static struct wl_story story;
	static struct cell cell;
	struct wl_mismatch bad;

	make(&story, seed, &bad);
	wl_story_play(&cell, &story, seed, WL_MANNER_WAKES);
	if (bad.what || cell.bad.what) {
		fprintf(stderr, "story %llu: %s is wrong\n", seed,
			bad.what ? bad.what : cell.bad.what);
		return false;
	}
	/* Two in a line. */
	printf("%s{ %llu, %u, %u, 0x%016llxULL },%s", seed % 2 ? "\t" : " ", seed, cell.sent,
	       wl_story_drops(&cell),
	       story.more ? wl_story_digest_more(&cell) : wl_story_digest(&cell),
	       seed % 2 ? "" : "\n");
	wl_cell_free(&cell);
	return true;
}

static bool print_all(maker make, u64 stories)
{
	u64 seed;

	for (seed = 1; seed <= stories; seed++)
		if (!print(make, seed))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	printf("/* %s: GPL-2.0 */\n%s", "SPDX-License-Identifier", head);
	if (!print_all(wl_story_make, argc > 1 ? atoi(argv[1]) : STORIES))
		return 1;
	fputs(more, stdout);
	if (!print_all(wl_story_make_more, MORE))
		return 1;
	fputs(wide, stdout);
	if (!print_all(wl_story_make_wide, WIDE))
		return 1;
	fputs("};\n\n#endif\n", stdout);
	return 0;
}
