// SPDX-License-Identifier: GPL-2.0
/* Timed lines for tc, ip and wlinkctl. One process of each in a namespace that needs it
 * reads them all: starting one takes a hundred times as long as a line.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "batch.h"
#include "flow/flow.h"
#include "net/netns.h"
#include "run/plan.h"

/* For each, iproute2 6.1 keeps 4 KB: a process that reads all of a day's fills the memory. */
#define LINES_MAX 256

/* The process that reads the lines of a tool in a namespace. */
struct reader {
	int ns;
	const char *tool;
	pid_t pid;
	int fd;
	int lines;
};

static struct reader *readers;
static size_t reader_count;

static void start(const struct plan *plan, struct reader *r)
{
	int ends[2];

	/* With a copy in another child it would never read the end. */
	if (pipe2(ends, O_CLOEXEC))
		fail("pipe: %s", strerror(errno));
	r->pid = fork();
	if (r->pid < 0)
		fail("fork: %s", strerror(errno));
	if (!r->pid) {
		netns_enter(plan, r->ns);
		dup2(ends[0], 0);
		dup2(2, 1);
		execlp(r->tool, r->tool,
		       strcmp(r->tool, "wlinkctl") ? "-batch" : "batch", "-", NULL);
		fail("%s: %s", r->tool, strerror(errno));
	}
	close(ends[0]);
	r->fd = ends[1];
	r->lines = 0;
}

static void fail_reader(const struct plan *plan, const struct reader *r)
{
	fail("%s has refused a timed line in %s", r->tool,
	     plan->ns_name[r->ns]);
}

/* Waits until all its lines have been processed. */
static void end(const struct plan *plan, const struct reader *r)
{
	int status;

	close(r->fd);
	while (waitpid(r->pid, &status, 0) < 0)
		if (errno != EINTR)
			fail("wait: %s", strerror(errno));
	if (status)
		fail_reader(plan, r);
}

static struct reader *reader_of(const struct plan *plan, const struct batch *b)
{
	struct reader *r;
	size_t i;

	for (i = 0; i < reader_count; i++)
		if (readers[i].ns == b->ns && !strcmp(readers[i].tool, b->tool))
			return &readers[i];
	readers = reallocarray(readers, reader_count + 1, sizeof(*readers));
	if (!readers)
		fail("out of memory");
	r = &readers[reader_count++];
	*r = (struct reader){ .ns = b->ns, .tool = b->tool };
	start(plan, r);
	return r;
}

static void put(const struct plan *plan, const struct batch *b)
{
	struct reader *r = reader_of(plan, b);
	const size_t len = strlen(b->line);

	if (r->lines++ == LINES_MAX) {
		end(plan, r);
		start(plan, r);
	}
	/* A line is shorter than PIPE_BUF: a pipe without room means that the tool has ended. */
	if (write(r->fd, b->line, len) != (ssize_t)len ||
	    write(r->fd, "\n", 1) != 1)
		fail("%s in %s: %s: %s", b->tool, plan->ns_name[b->ns], b->line,
		     strerror(errno));
}

void batch_start(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->batch_count; i++)
		reader_of(plan, &plan->batches[i]);
}

uint64_t batch_act(struct plan *plan, uint64_t now)
{
	for (; plan->batch_done < plan->batch_count; plan->batch_done++) {
		const struct batch *b = &plan->batches[plan->batch_done];

		if (b->at_ns > now)
			return b->at_ns;
		put(plan, b);
	}
	return FLOW_NEVER;
}

void batch_reaped(const struct plan *plan, pid_t pid)
{
	size_t i;

	for (i = 0; i < reader_count; i++)
		if (readers[i].pid == pid)
			fail_reader(plan, &readers[i]);
}

void batch_finish(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < reader_count; i++)
		end(plan, &readers[i]);
	free(readers);
	readers = NULL;
	reader_count = 0;
}
