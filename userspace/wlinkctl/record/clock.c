// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "lib/json.h"
#include "record/clock.h"

#define PERIOD_NS	1000000000ULL
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"

/* Logs of one boot share CLOCK_MONOTONIC: they have no error between them. */
static void put_machine(struct line *line)
{
	FILE *f = fopen(BOOT_ID, "re");
	char name[256] = "", boot[64] = "";

	gethostname(name, sizeof(name) - 1);
	if (f && fgets(boot, sizeof(boot), f))
		boot[strcspn(boot, "\n")] = '\0';
	if (f)
		fclose(f);
	line_put(line, ",\"host\":");
	line_string(line, name);
	line_put(line, ",\"boot\":");
	if (boot[0])
		line_string(line, boot);
	else
		line_put(line, "null");
}

void record_clock_open(struct record_clock *clock,
		       const struct clock_calls *calls)
{
	memset(clock, 0, sizeof(*clock));
	clock->calls = calls;
	put_machine(&clock->machine);
}

bool record_clock_put(struct record_clock *clock,
		      const struct clock_sample *sample)
{
	if (clock->n == RECORD_CLOCKS)
		return false;
	clock->waiting[(clock->first + clock->n++) % RECORD_CLOCKS] = *sample;
	clock->last = *sample;
	/* Events before the first sample have its offset, too. */
	if (!clock->reads++)
		clock->offset_ns = clock_offset(sample);
	return true;
}

bool record_clock_next(struct record_clock *clock, struct clock_sample *sample)
{
	if (!clock->n)
		return false;
	*sample = clock->waiting[clock->first];
	clock->first = (clock->first + 1) % RECORD_CLOCKS;
	clock->n--;
	return true;
}

int record_clock_read(struct record_clock *clock)
{
	struct clock_sample sample;

	if (clock->n == RECORD_CLOCKS)
		return 0;
	if (clock_read(clock->calls, &sample))
		return -1;
	record_clock_put(clock, &sample);
	return 0;
}

uint64_t record_clock_first(const struct record_clock *clock)
{
	return clock->waiting[clock->first].mono_ns;
}

uint64_t record_clock_due(const struct record_clock *clock)
{
	return clock->last.mono_ns + PERIOD_NS;
}

static void put_state(const struct clock_sample *sample)
{
	static const char *const states[] = {
		[TIME_OK] = "ok", [TIME_INS] = "ins", [TIME_DEL] = "del",
		[TIME_OOP] = "oop", [TIME_WAIT] = "wait", [TIME_ERROR] = "error",
	};

	if (sample->refused) {
		json_writer.string("adjtimex", strerror(sample->refused));
		return;
	}
	json_s64("ntp_offset_ns", sample->offset_ns);
	json_writer.u64("maxerror_ns", sample->maxerror_ns);
	json_writer.u64("esterror_ns", sample->esterror_ns);
	json_writer.u64("status", sample->status);
	json_writer.string("state", sample->state >= 0 && sample->state <= TIME_ERROR ?
				    states[sample->state] : "unknown");
	json_s64("tai_utc_s", sample->tai_s);
	json_bool("tai_utc_set", sample->tai_s);
}

static void write_one(struct record_clock *clock, struct line *line,
		      const struct clock_sample *sample)
{
	bool is_first = !clock->lines++;
	int64_t step = is_first ? 0 : clock_step(&clock->written, sample);

	json_begin_in(line);
	json_writer.object("clock");
	json_writer.u64("mono_ns", sample->mono_ns);
	json_writer.u64("tai_ns", sample->tai_ns);
	json_writer.u64("uncertainty_ns", sample->uncertainty_ns);
	json_bool("synchronised", sample->synchronised);
	put_state(sample);
	if (step) {
		json_s64("step_ns", step);
		clock->offset_ns = clock_offset(sample);
	}
	if (is_first)
		line_add(line, clock->machine.text, clock->machine.len);
	json_writer.end();
	json_end_in();
	clock->written = *sample;
}

void record_clock_write(struct record_clock *clock, struct line *line,
			uint64_t until_ns)
{
	struct clock_sample sample;

	while (clock->n && record_clock_first(clock) <= until_ns &&
	       record_clock_next(clock, &sample))
		write_one(clock, line, &sample);
}

void record_clock_close(struct record_clock *clock)
{
	line_free(&clock->machine);
}
