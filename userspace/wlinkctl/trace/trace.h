/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_H
#define _TRACE_H

/*
 * Traces of links: files of several kinds, read step by step. Nothing is held but
 * one block of the file, however long it is.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/pkt_sch_wlink.h>

#include "trace/text.h"

#define TRACE_PACKET_BYTES	1500U	/* an opportunity of Mahimahi */
#define TRACE_JENS_NS		100000000ULL	/* between two lines, if not said */
#define TRACE_ERRORS_MAX	20U	/* then reading is given up */

/**
 * enum trace_format - kinds of files
 * @TRACE_GUESS: none yet: to be guessed from the content
 * @TRACE_SCHEDULE: our own
 * @TRACE_MAHIMAHI: ms of packet delivery opportunities, one per line
 * @TRACE_JENS: kbit/s, one per line, ten lines a second
 * @TRACE_THEATERQ: KEEP,LATENCY,RATE,LOSS,LIMIT or with six further columns
 * @TRACE_CSV: time,rate
 */
enum trace_format {
	TRACE_GUESS,
	TRACE_SCHEDULE,
	TRACE_MAHIMAHI,
	TRACE_JENS,
	TRACE_THEATERQ,
	TRACE_CSV,
	TRACE_FORMATS,
};

/**
 * enum trace_grade - how bad something is
 * @TRACE_NOTE: good to know
 * @TRACE_WARNING: suspicious, or something is left out
 * @TRACE_ERROR: it cannot be used
 */
enum trace_grade {
	TRACE_NOTE,
	TRACE_WARNING,
	TRACE_ERROR,
};

/**
 * struct trace_step - one step
 * @line: of the file
 * @offset_ns: since the start
 * @value: of each of the trace's columns
 */
struct trace_step {
	uint64_t line;
	uint64_t offset_ns;
	uint64_t value[__WLINK_COLUMN_MAX];
};

struct trace;

/**
 * struct trace_kind - how a format is read
 * @name: as typed
 * @columns: what it sets; 0: the file says
 * @begin: called before the first line, may be NULL
 * @line: one line, without its end; returns 1 with a step, 0 without one, -1 after
 *	trace_error()
 * @finish: after the last line; sets the length; returns as @line does
 */
struct trace_kind {
	const char *name;
	uint32_t columns;
	void (*begin)(struct trace *trace);
	int (*line)(struct trace *trace, char *line, struct trace_step *step);
	int (*finish)(struct trace *trace, struct trace_step *step);
};

extern const struct trace_kind trace_kinds[TRACE_FORMATS];

/**
 * struct trace_pdo - Mahimahi, on its way
 * @ms: time of the opportunities that wait to be told
 * @line: first of their lines
 * @packets: how many, 0 for none
 */
struct trace_pdo {
	uint64_t ms;
	uint64_t line;
	uint64_t packets;
};

/**
 * struct trace_csv - time,rate, on its way
 * @header: names of columns have been read
 * @first_ns: time of the first row
 * @gap_ns: between the last two rows
 * @length_ns: as a comment says, 0 if none does
 */
struct trace_csv {
	bool header;
	uint64_t first_ns;
	uint64_t gap_ns;
	uint64_t length_ns;
};

/* What TheaterQ has and a wlink has not. */
enum trace_left_out {
	TRACE_LEFT_JITTER,
	TRACE_LEFT_DUPLICATES,
	TRACE_LEFT_ROUTE,
	TRACE_LEFT_OUT,
};

/**
 * struct trace_theaterq - TheaterQ, on its way
 * @fields: of a row, 0 before the first
 * @at_ns: when the next row begins
 * @lines: rows with each of what is left out
 * @first: first of these lines
 */
struct trace_theaterq {
	unsigned int fields;
	uint64_t at_ns;
	uint64_t lines[TRACE_LEFT_OUT];
	uint64_t first[TRACE_LEFT_OUT];
};

/**
 * struct trace_own - our own format, on its way
 * @begun: its first line has been seen
 * @width: columns
 * @column: which they are, in the file's order
 */
struct trace_own {
	bool begun;
	unsigned int width;
	enum wlink_column column[__WLINK_COLUMN_MAX];
};

/**
 * typedef trace_say_fn - called with whatever there is to say of a file
 * @ctx: of the caller
 * @trace: file
 * @grade: how bad it is
 * @line: of the file, 0 if it could not be opened
 * @text: a sentence
 */
typedef void (*trace_say_fn)(void *ctx, const struct trace *trace,
			     enum trace_grade grade, uint64_t line,
			     const char *text);

/**
 * struct trace - a file that is being read
 * @name: of the file
 * @text: its lines
 * @format: its kind; TRACE_GUESS until trace_open() has guessed
 * @why: if guessed, what from
 * @bytes_limit: the limit of a TheaterQ file is in bytes
 * @columns: mask of enum wlink_column
 * @width: how many they are
 * @column: they, in their order; both are right from the first step on
 * @end: enum wlink_schedule_end, as the file says, else -1
 * @length_ns: when it is over; set by the kind, known after the last step
 * @step_ns: JENS: between two lines
 * @steps: read so far
 * @last_ns: offset of the last
 * @errors: so far
 * @keep_going: after an error, go on with the next line
 * @quiet: tell of errors only
 * @say: to be told of what is found; NULL: standard error
 * @ctx: handed to @say
 * @pdo: Mahimahi's own
 * @csv: of time,rate
 * @theaterq: TheaterQ's own
 * @own: of our own format
 */
struct trace {
	const char *name;
	struct text text;
	enum trace_format format;
	const char *why;
	bool bytes_limit;
	uint32_t columns;
	unsigned int width;
	enum wlink_column column[__WLINK_COLUMN_MAX];
	int end;
	uint64_t length_ns;
	uint64_t step_ns;
	uint64_t steps;
	uint64_t last_ns;
	unsigned int errors;
	bool keep_going;
	bool quiet;
	trace_say_fn say;
	void *ctx;
	union {
		struct trace_pdo pdo;
		struct trace_csv csv;
		struct trace_theaterq theaterq;
		struct trace_own own;
	};
};

/**
 * trace_format_of() - look up a format
 * @name: as typed, may be NULL
 *
 * Return: format, or TRACE_GUESS after a complaint.
 */
enum trace_format trace_format_of(const char *name);

/**
 * trace_open() - open a file and find out what it is
 * @trace: zeroed but for @name, "-" for standard input, and what is asked for
 *
 * Return: 0, or -1 after telling why not; then there is nothing to close.
 */
int trace_open(struct trace *trace);

/**
 * trace_guess() - find out what a file is
 * @trace: file, at its begin; its format is filled in
 *
 * Return: 0, or -1 after telling that it looks like none.
 */
int trace_guess(struct trace *trace);

/**
 * trace_next() - read a step
 * @trace: file
 * @step: result
 *
 * Return: 1 with a step, 0 after the last one, -1 after trace_error().
 */
int trace_next(struct trace *trace, struct trace_step *step);

/**
 * trace_again() - go back to the begin; what there was to say has been said
 * @trace: file
 *
 * Return: 0, or -1 after trace_error().
 */
int trace_again(struct trace *trace);

/**
 * trace_close() - close the file
 * @trace: file
 */
void trace_close(struct trace *trace);

/**
 * trace_say() - tell of something in the file
 * @trace: file
 * @grade: how bad it is; errors are counted
 * @line: of the file, 0 for the one just read
 * @format: as printf() has it
 */
void trace_say(struct trace *trace, enum trace_grade grade, uint64_t line,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));

/**
 * trace_error() - tell of an error in the line just read
 * @trace: file
 * @format: as printf() has it
 *
 * Return: -1.
 */
int trace_error(struct trace *trace, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * trace_not() - tell that a word is not what it should be
 * @trace: file
 * @word: as it stands there
 * @what: what it should be
 *
 * Return: -1.
 */
int trace_not(struct trace *trace, const char *word, const char *what);

#endif
