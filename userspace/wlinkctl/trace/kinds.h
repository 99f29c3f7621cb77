/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_KINDS_H
#define _TRACE_KINDS_H

/* The functions of each format, as struct trace_kind has them. */

#include "trace/trace.h"

void trace_pdo_begin(struct trace *trace);
int trace_pdo_line(struct trace *trace, char *line, struct trace_step *step);
int trace_pdo_finish(struct trace *trace, struct trace_step *step);

void trace_jens_begin(struct trace *trace);
int trace_jens_line(struct trace *trace, char *line, struct trace_step *step);
int trace_jens_finish(struct trace *trace, struct trace_step *step);

void trace_csv_begin(struct trace *trace);
int trace_csv_line(struct trace *trace, char *line, struct trace_step *step);
int trace_csv_finish(struct trace *trace, struct trace_step *step);

void trace_theaterq_begin(struct trace *trace);
int trace_theaterq_line(struct trace *trace, char *line,
			struct trace_step *step);
int trace_theaterq_finish(struct trace *trace, struct trace_step *step);

void trace_own_begin(struct trace *trace);
int trace_own_line(struct trace *trace, char *line, struct trace_step *step);
int trace_own_finish(struct trace *trace, struct trace_step *step);

#endif
