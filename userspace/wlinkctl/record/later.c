// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/from.h"
#include "record/later.h"
#include "wlinkctl.h"

bool record_later_can(const char *path)
{
	struct stat st;

	return strcmp(path, "-") && (stat(path, &st) || S_ISREG(st.st_mode));
}

/* An old raw file is all there is of a recording: nobody but its user removes it. */
static int open_raw(const struct record_later *later, struct record_out *raw,
		    const struct signals *signals)
{
	if (!access(later->raw_path, F_OK)) {
		complain("%s is there, left by a recording cut off; see record --from or remove it",
			 later->raw_path);
		return EXIT_USAGE;
	}
	return record_out_create(raw, later->raw_path, signals);
}

int record_later_open(struct record_later *later, struct record_out *raw,
		      const char *path, const struct signals *signals)
{
	int code;

	later->path = path;
	if (asprintf(&later->raw_path, "%s.raw", path) < 0) {
		later->raw_path = NULL;
		complain("%s: %s", path, strerror(errno));
		return EXIT_REFUSED;
	}
	code = open_raw(later, raw, signals);
	if (code) {
		free(later->raw_path);
		later->raw_path = NULL;
		return code;
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "recording to %s; %s gets its lines at the end\n",
			later->raw_path, path);
	return record_out_open(&later->file, path, signals);
}

static int make_lines(struct record_later *later)
{
	int code = record_from(later->raw_path, &later->file);

	record_out_close(&later->file);
	return later->file.failed ? EXIT_USAGE : code;
}

int record_later_end(struct record_later *later, const struct record_out *raw,
		     bool began)
{
	int code;

	if (!later->raw_path)
		return EXIT_DONE;
	/* Who has asked twice does not want to wait for lines. */
	if (began && !raw->failed && raw->stop < 2) {
		code = make_lines(later);
	} else {
		record_out_close(&later->file);
		code = began ? EXIT_USAGE : EXIT_DONE;
	}
	if (!code && unlink(later->raw_path)) {
		complain("%s: %s", later->raw_path, strerror(errno));
		code = EXIT_USAGE;
	}
	if (code)
		complain("%s stays; its lines: wlinkctl record --from %s %s",
			 later->raw_path, later->raw_path, later->path);
	free(later->raw_path);
	later->raw_path = NULL;
	return code;
}
