// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include <libmnl/libmnl.h>

#include "lib/clocks.h"
#include "lib/genl.h"
#include "link/link.h"
#include "schedule/schedule.h"

#define WORDS_MAX	7500U	/* of steps in a message: 60000 bytes */
#define NS_PER_S	1000000000.0
#define PROGRESS_NS	500000000ULL	/* between two lines about it */

/**
 * struct chunk - steps that wait to be sent
 * @cmd: that brings them
 * @columns: mask of enum wlink_column
 * @count: steps
 * @words: they take
 * @word: as the kernel wants them
 */
struct chunk {
	enum wlink_cmd cmd;
	uint32_t columns;
	uint32_t count;
	uint32_t words;
	uint64_t word[WORDS_MAX];
};

int schedule_find(struct wlinkctl *ctl, struct target *to)
{
	int code;

	if (to->all) {
		complain("a schedule is for one bearer at a time");
		return EXIT_USAGE;
	}
	code = target_find(ctl, to);
	return code ? code : genl_open(ctl);
}

static uint64_t message[WORDS_MAX + 64];

static struct nlmsghdr *begin(struct wlinkctl *ctl, const struct target *to,
			      enum wlink_cmd cmd)
{
	return genl_request(ctl, message, (uint8_t)cmd, to->ifindex, to->handle,
			    to->bearer ? to->bearer : 1);
}

static int flush(struct schedule *schedule, struct chunk *chunk)
{
	struct nlmsghdr *nlh = begin(schedule->ctl, schedule->to, chunk->cmd);
	struct nlattr *nest = mnl_attr_nest_start(nlh, WLINK_A_SCHEDULE);
	int code;

	if (chunk->cmd == WLINK_CMD_LOAD)
		mnl_attr_put_u32(nlh, WLINK_SCHEDULE_COLUMNS, chunk->columns);
	if (chunk->words)
		mnl_attr_put(nlh, WLINK_SCHEDULE_STEPS, 8 * chunk->words,
			     chunk->word);
	mnl_attr_nest_end(nlh, nest);
	code = genl_talk(schedule->ctl, nlh, NULL, NULL);
	if (code)
		return code;
	schedule->steps += chunk->count;
	schedule->bytes += 8 * chunk->words;
	schedule->messages++;
	chunk->cmd = WLINK_CMD_ADD;
	chunk->count = 0;
	chunk->words = 0;
	return EXIT_DONE;
}

/* One line, written over again and again, for who waits in front of it. */
static void show_progress(const struct schedule *schedule, uint64_t began_ns,
			  uint64_t *told_ns)
{
	uint64_t now = clock_now();

	if (now - began_ns < PROGRESS_NS || now - *told_ns < PROGRESS_NS ||
	    !isatty(STDERR_FILENO))
		return;
	*told_ns = now;
	fprintf(stderr, "\r%" PRIu64 " steps loaded ", schedule->steps);
}

static int load_steps(struct schedule *schedule, struct schedule_file *file,
		      struct chunk *chunk, uint64_t began_ns)
{
	uint64_t told_ns = 0;
	int code = EXIT_DONE;
	int got;

	while (!code && (got = schedule_file_next(file, chunk->word +
						  chunk->words)) > 0) {
		chunk->columns = file->columns;
		chunk->words += 1 + file->width;
		chunk->count++;
		if (chunk->words + 1 + __WLINK_COLUMN_MAX <= WORDS_MAX)
			continue;
		code = flush(schedule, chunk);
		show_progress(schedule, began_ns, &told_ns);
	}
	if (told_ns)
		fputc('\n', stderr);
	if (code)
		return code;
	if (got < 0)
		return EXIT_USAGE;
	return chunk->words ? flush(schedule, chunk) : EXIT_DONE;
}

/* An empty one takes the place of what has been loaded. */
static void forget(struct schedule *schedule, struct chunk *chunk)
{
	if (chunk->cmd == WLINK_CMD_LOAD)
		return;
	chunk->cmd = WLINK_CMD_LOAD;
	chunk->count = 0;
	chunk->words = 0;
	flush(schedule, chunk);
}

int schedule_load(struct schedule *schedule, struct schedule_file *file)
{
	static struct chunk chunk;
	uint64_t began_ns = clock_now();
	int code;

	chunk.cmd = WLINK_CMD_LOAD;
	chunk.count = 0;
	chunk.words = 0;
	code = load_steps(schedule, file, &chunk, began_ns);
	if (code) {
		forget(schedule, &chunk);
		return code;
	}
	schedule->seconds = (double)(clock_now() - began_ns) / NS_PER_S;
	return EXIT_DONE;
}

int schedule_start(struct wlinkctl *ctl, struct target *to,
		   struct schedule_start *start)
{
	struct nlmsghdr *nlh = begin(ctl, to, WLINK_CMD_START);
	struct nlattr *nest = mnl_attr_nest_start(nlh, WLINK_A_SCHEDULE);

	if (start->in_ns)
		start->start_ns = clock_now() + start->in_ns;
	mnl_attr_put_u32(nlh, WLINK_SCHEDULE_END, start->end);
	mnl_attr_put_u64(nlh, WLINK_SCHEDULE_LENGTH, start->length_ns);
	mnl_attr_put_u64(nlh, WLINK_SCHEDULE_START, start->start_ns);
	mnl_attr_nest_end(nlh, nest);
	return genl_talk(ctl, nlh, NULL, NULL);
}

int schedule_stop(struct wlinkctl *ctl, struct target *to)
{
	return genl_talk(ctl, begin(ctl, to, WLINK_CMD_STOP), NULL, NULL);
}
