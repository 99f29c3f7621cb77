// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "link/names.h"
#include "link/set.h"
#include "link/target.h"
#include "words/profile.h"

static struct named get(size_t i)
{
	static char what[WL_WHAT_TEXT];

	wl_known_what(wl_known_profiles[i].text, what);
	return (struct named){ wl_known_profiles[i].name, what, NULL };
}

static void show_json(const struct wl_profile *profile, const char *what)
{
	size_t i;

	json_begin();
	json_writer.string("name", profile->name);
	if (what)
		json_writer.string("what", what);
	json_open_array("rows");
	for (i = 0; i < profile->count; i++) {
		json_writer.object(NULL);
		json_writer.u64("rate_bps", profile->row[i].rate_bps);
		wl_show_json(&json_writer, &profile->row[i].aqm);
		if (what)
			json_writer.string("source", profile->row[i].source);
		else
			json_writer.u64("line", profile->row[i].line);
		json_writer.end();
	}
	json_end_array();
	json_end();
}

static void show_text(const struct wl_profile *profile, const char *what)
{
	char rate[WL_NUM_TEXT];
	size_t i;

	if (what)
		printf("# %s: %s\n", profile->name, what);
	for (i = 0; i < profile->count; i++) {
		const struct wl_profile_row *row = &profile->row[i];

		fputs(wl_num_print(WL_UNIT_RATE, row->rate_bps, rate), stdout);
		wl_show_aqm(stdout, &row->aqm);
		if (what)
			printf(" # %s", row->source);
		putchar('\n');
	}
}

static int show(struct wlinkctl *ctl, const char *name)
{
	const char *known = wl_known_find(wl_known_profiles, name);
	char error[WL_ERROR_TEXT], what[WL_WHAT_TEXT];
	struct wl_profile *profile;

	profile = wl_profile_load(name, error);
	if (!profile) {
		complain("%s", error);
		return EXIT_NOT_FOUND;
	}
	if (known)
		wl_known_what(known, what);
	if (ctl->json)
		show_json(profile, known ? what : NULL);
	else
		show_text(profile, known ? what : NULL);
	free(profile);
	return EXIT_DONE;
}

static int check(struct wlinkctl *ctl, const char *path)
{
	struct wl_profile *profile;
	char error[WL_ERROR_TEXT];

	profile = wl_profile_load(path, error);
	if (!profile) {
		complain("%s", error);
		return EXIT_USAGE;
	}
	if (ctl->json)
		show_json(profile, NULL);
	else
		printf("%s: good, %zu rates\n", path, profile->count);
	free(profile);
	return EXIT_DONE;
}

/* It is the change of one word, and so are its errors. */
static int load(struct wlinkctl *ctl, int argc, char **argv)
{
	bool wait = set_take_wait(ctl, &argc, argv);
	char profile[] = "profile";
	struct target to;
	char *words[8];
	int n;

	n = target_parse(&to, "profile load", argc, argv);
	if (n < 0)
		return EXIT_USAGE;
	if (argc != n + 1) {
		complain("profile load needs a device and, as its last word, a profile");
		return EXIT_USAGE;
	}
	memcpy(words, argv, (size_t)n * sizeof(*words));
	words[n] = profile;
	words[n + 1] = argv[n];
	return set_run(ctl, "profile load", n + 2, words, wait);
}

static size_t count(void)
{
	size_t i;

	for (i = 0; wl_known_profiles[i].name; i++)
		;
	return i;
}

int cmd_profile(struct wlinkctl *ctl, int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], "list"))
		return names_list(ctl, count(), get);
	if (argc == 2 && !strcmp(argv[0], "show"))
		return show(ctl, argv[1]);
	if (argc == 2 && !strcmp(argv[0], "check"))
		return check(ctl, argv[1]);
	if (argc && !strcmp(argv[0], "load"))
		return load(ctl, argc - 1, argv + 1);
	complain("profile needs list, show NAME, check FILE, or load DEV and a profile");
	return EXIT_USAGE;
}
