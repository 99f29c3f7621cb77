// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/rtnetlink.h>

#include "change.h"
#include "events.h"
#include "link.h"
#include "schedule.h"

#define WORDS_MAX	7500U	/* of steps in a message: 60000 bytes */
#define NS_PER_S	1000000000.0
#define PROGRESS_NS	500000000ULL	/* between two lines about it */

/**
 * struct message - attributes of one operation
 * @len: bytes so far
 * @bytes: TCA_WLINK_PLAY and what it holds
 */
struct message {
	size_t len;
	uint8_t bytes[WORDS_MAX * 8 + 256];
};

/**
 * struct chunk - steps that wait to be sent
 * @op: that brings them
 * @columns: mask of enum wlink_column
 * @count: steps
 * @words: they take
 * @word: as struct wl_play has them
 */
struct chunk {
	enum wlink_play_op op;
	uint32_t columns;
	uint32_t count;
	uint32_t words;
	uint64_t word[WORDS_MAX];
};

static void put(struct message *message, uint16_t type, const void *data,
		size_t len)
{
	struct nlattr head = {
		.nla_len = (uint16_t)(NLA_HDRLEN + len),
		.nla_type = type,
	};

	memcpy(message->bytes + message->len, &head, sizeof(head));
	memcpy(message->bytes + message->len + NLA_HDRLEN, data, len);
	message->len += NLA_HDRLEN + NLA_ALIGN(len);
}

static void put_u32(struct message *message, uint16_t type, uint32_t value)
{
	put(message, type, &value, sizeof(value));
}

static void begin(struct message *message, enum wlink_play_op op)
{
	message->len = NLA_HDRLEN;
	put_u32(message, TCA_WLINK_PLAY_OP, op);
}

/* The answer to each is read before the next: it has come when the message has
 * been sent.
 */
static int send(struct wlinkctl *ctl, struct target *to,
		struct message *message)
{
	struct change change = {
		.to = to,
		.type = to->bearer ? RTM_NEWTCLASS : RTM_NEWQDISC,
		.flags = to->bearer ? 0 : NLM_F_REPLACE,
		.options = message->bytes,
		.len = message->len,
	};
	struct nlattr head = {
		.nla_len = (uint16_t)message->len,
		.nla_type = TCA_WLINK_PLAY | NLA_F_NESTED,
	};
	bool json = ctl->json;
	int code;

	memcpy(message->bytes, &head, sizeof(head));
	ctl->json = false;	/* no echo of the whole link */
	code = change_talk(ctl, &change);
	ctl->json = json;
	return code;
}

int schedule_find(struct wlinkctl *ctl, struct target *to)
{
	if (to->all) {
		complain("a schedule is for one bearer at a time");
		return EXIT_USAGE;
	}
	to->ifindex = link_device(to->dev);
	if (!to->ifindex)
		return EXIT_NOT_FOUND;
	return to->bearer ? target_find(ctl, to) : EXIT_DONE;
}

static int flush(struct schedule *schedule, struct chunk *chunk)
{
	static struct message message;
	int code;

	begin(&message, chunk->op);
	if (chunk->op == WLINK_PLAY_LOAD)
		put_u32(&message, TCA_WLINK_PLAY_COLUMNS, chunk->columns);
	if (chunk->words)
		put(&message, TCA_WLINK_PLAY_STEPS, chunk->word,
		    8 * chunk->words);
	code = send(schedule->ctl, schedule->to, &message);
	if (code)
		return code;
	schedule->steps += chunk->count;
	schedule->bytes += 8 * chunk->words;
	schedule->messages++;
	chunk->op = WLINK_PLAY_ADD;
	chunk->count = 0;
	chunk->words = 0;
	return EXIT_DONE;
}

static void put_step(struct schedule *schedule, struct chunk *chunk,
		     const struct trace *trace, const struct trace_step *step)
{
	uint64_t *word = chunk->word + chunk->words;
	unsigned int i;

	*word++ = step->offset_ns;
	for (i = 0; i < trace->width; i++) {
		uint64_t value = step->value[trace->column[i]];

		if (!value && trace->column[i] == WLINK_COLUMN_RATE) {
			value = WLINK_RATE_MIN;
			schedule->stopped++;
		}
		*word++ = value;
	}
	chunk->words += 1 + trace->width;
	chunk->count++;
}

/* One line, written over again and again, for who waits in front of it. */
static void show_progress(const struct schedule *schedule, uint64_t began_ns,
			  uint64_t *told_ns)
{
	uint64_t now = events_now();

	if (now - began_ns < PROGRESS_NS || now - *told_ns < PROGRESS_NS ||
	    !isatty(STDERR_FILENO))
		return;
	*told_ns = now;
	fprintf(stderr, "\r%" PRIu64 " steps loaded ", schedule->steps);
}

static int load_steps(struct schedule *schedule, struct trace *trace,
		      struct chunk *chunk, uint64_t began_ns)
{
	uint64_t told_ns = 0;
	struct trace_step step;
	int code = EXIT_DONE;
	int got;

	while (!code && (got = trace_next(trace, &step)) > 0) {
		chunk->columns = trace->columns;
		put_step(schedule, chunk, trace, &step);
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
	if (chunk->op == WLINK_PLAY_LOAD)
		return;
	chunk->op = WLINK_PLAY_LOAD;
	chunk->count = 0;
	chunk->words = 0;
	flush(schedule, chunk);
}

int schedule_load(struct schedule *schedule, struct trace *trace)
{
	static struct chunk chunk;
	uint64_t began_ns = events_now();
	int code;

	chunk.op = WLINK_PLAY_LOAD;
	chunk.count = 0;
	chunk.words = 0;
	code = load_steps(schedule, trace, &chunk, began_ns);
	if (code) {
		forget(schedule, &chunk);
		return code;
	}
	schedule->seconds = (double)(events_now() - began_ns) / NS_PER_S;
	if (schedule->stopped)
		complain("%s: warning: %" PRIu64
			 " steps of rate 0 are played as 1 bit/s, the least there is",
			 trace->name, schedule->stopped);
	return EXIT_DONE;
}

int schedule_start(struct wlinkctl *ctl, struct target *to,
		   struct schedule_start *start)
{
	static struct message message;

	if (start->in_ns)
		start->start_ns = events_now() + start->in_ns;
	begin(&message, WLINK_PLAY_START);
	put_u32(&message, TCA_WLINK_PLAY_END, start->end);
	put(&message, TCA_WLINK_PLAY_LENGTH, &start->length_ns,
	    sizeof(start->length_ns));
	put(&message, TCA_WLINK_PLAY_START, &start->start_ns,
	    sizeof(start->start_ns));
	return send(ctl, to, &message);
}

int schedule_stop(struct wlinkctl *ctl, struct target *to)
{
	static struct message message;

	begin(&message, WLINK_PLAY_STOP);
	return send(ctl, to, &message);
}
