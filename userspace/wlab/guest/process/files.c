// SPDX-License-Identifier: GPL-2.0
/* The folder in which programs start: files brought there and kept from there. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "run/plan.h"
#include "files.h"

#define CHUNK_BYTES (1 << 20)
/* Of all files that are kept. */
#define KEEP_BYTES (256LL << 20)
#define DESCRIPTORS 16

/* Makes the folders of a path below its first @from bytes. */
static int make_folders(char *path, size_t from)
{
	char *slash;

	for (slash = path + from; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return 0;
}

static int copy_to(int in, const char *to, mode_t mode)
{
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
	ssize_t len;

	if (out < 0)
		return -1;
	do {
		len = sendfile(out, in, NULL, CHUNK_BYTES);
	} while (len > 0);
	if (close(out))
		len = -1;
	return len < 0 ? -1 : 0;
}

static void bring(const struct plan *plan, const char *name)
{
	char from[4096], to[4096];
	struct stat st;
	int in;

	if (snprintf(from, sizeof(from), "%s/%s", plan->files, name) >=
	    (int)sizeof(from) ||
	    snprintf(to, sizeof(to), "%s/%s", PROGRAM_FOLDER, name) >=
	    (int)sizeof(to))
		fail("%s: the name is too long", name);
	if (make_folders(to, strlen(PROGRAM_FOLDER) + 1))
		fail("%s: %s", to, strerror(errno));
	in = open(from, O_RDONLY | O_CLOEXEC);
	if (in < 0 || fstat(in, &st))
		fail("%s: %s", from, strerror(errno));
	if (copy_to(in, to, st.st_mode))
		fail("copy %s to %s: %s", from, to, strerror(errno));
	close(in);
}

void files_bring(const struct plan *plan)
{
	size_t i;

	if (!mkdir(PROGRAM_FOLDER, 0755)) {
		for (i = 0; i < plan->file_count; i++)
			bring(plan, plan->file_names[i]);
	} else if (errno != EEXIST) {
		fail("%s: %s", PROGRAM_FOLDER, strerror(errno));
	}
}

/* nftw() gives its function nothing of the caller's. */
static struct {
	const struct plan *plan;
	FILE *report;
	long long bytes;
} keeping;

static bool wanted(const char *name)
{
	const struct plan *plan = keeping.plan;
	bool found = false;
	size_t i;

	/* A folder stands for all that is in it. */
	for (i = 0; i < plan->keep_count; i++) {
		if (fnmatch(plan->keeps[i].pattern, name, FNM_PATHNAME | FNM_LEADING_DIR))
			continue;
		plan->keeps[i].found = true;
		found = true;
	}
	return found;
}

/* Links are not followed, so that all is of this folder. */
static int keep(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const char *name = path + strlen(PROGRAM_FOLDER) + 1;
	size_t from;
	char to[4096];
	int in;

	(void)at;
	if (type != FTW_F || !S_ISREG(st->st_mode) || !wanted(name))
		return 0;
	from = (size_t)snprintf(to, sizeof(to), "%s/", keeping.plan->out);
	snprintf(to + from, sizeof(to) - from, "kept/%s", name);
	if (keeping.bytes + st->st_size > KEEP_BYTES) {
		fprintf(keeping.report, "%s\tmore than 256 MiB with those before it\n", name);
		return 0;
	}
	in = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (in < 0 || make_folders(to, from) || copy_to(in, to, st->st_mode)) {
		fprintf(keeping.report, "%s\t%s\n", name, strerror(errno));
		unlink(to);
	}
	keeping.bytes += st->st_size;
	if (in >= 0)
		close(in);
	return 0;
}

void files_keep(const struct plan *plan)
{
	size_t i;

	if (!plan->keep_count)
		return;
	keeping.plan = plan;
	keeping.bytes = 0;
	keeping.report = plan_file(plan, "not-kept", "");
	nftw(PROGRAM_FOLDER, keep, DESCRIPTORS, FTW_PHYS);
	for (i = 0; i < plan->keep_count; i++)
		if (!plan->keeps[i].found)
			fprintf(keeping.report, "%s\tnot there\n", plan->keeps[i].pattern);
	plan_file_close(keeping.report, "what is not kept");
}
