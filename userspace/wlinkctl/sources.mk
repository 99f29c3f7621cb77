# SPDX-License-Identifier: GPL-2.0
# wlinkctl's own files, for it and for its tests. One a line.

own := \
	change.c \
	cmd_batch.c \
	cmd_bearer.c \
	cmd_preset.c \
	cmd_profile.c \
	cmd_record.c \
	cmd_schedule.c \
	cmd_set.c \
	cmd_show.c \
	cmd_top.c \
	cmd_trace.c \
	cmd_watch.c \
	events.c \
	json.c \
	link.c \
	nl.c \
	part.c \
	record_json.c \
	record_out.c \
	ring.c \
	ring_format.c \
	ring_merge.c \
	ring_open.c \
	ring_page.c \
	schedule.c \
	target.c \
	signals.c \
	term.c \
	top_json.c \
	top_look.c \
	top_text.c \
	trace_args.c \
	trace_bins.c \
	trace_check.c \
	trace_column.c \
	trace_csv.c \
	trace_guess.c \
	trace_jens.c \
	trace_num.c \
	trace_own.c \
	trace_pdo.c \
	trace_pieces.c \
	trace_read.c \
	trace_report.c \
	trace_text.c \
	trace_theaterq.c \
	trace_write.c \
	trace_write_csv.c \
	trace_write_pdo.c \
	trace_write_theaterq.c \
	tracefs.c \
	wlinkctl.c
