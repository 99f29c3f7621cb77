// SPDX-License-Identifier: GPL-2.0
/*
 * The whole link of a script: all that is told of it counts, and nothing is chosen but by
 * its channels. Where a script knows what happens, these lose nothing or all.
 */
#include "script.h"
#include "wl_ask.h"
#include "wl_cell.h"

static struct cell cell;

void script_link_open(struct script *s)
{
	s->linked = true;
	s->noted = 0;
	wl_cell_init(&cell, &s->cfg, s->now_ns, SCRIPT_SDUS);
}

static void note(struct script *s, const struct wl_sdu *sdu, const char *copy)
{
	const char *ce = sdu->ecn & WL_ECN_MARKED ? " ce" : "";
	const char *bad = sdu->errors ? " bad" : "";

	s->now_ns = sdu->deliver_ns;
	if (sdu->drop)
		script_note(s, "drop %llu %s%s", sdu->seq, script_reason(sdu->drop), copy);
	else
		script_note(s, "deliver %llu%s%s%s", sdu->seq, copy, ce, bad);
}

/* In the order in which they came out. */
static void note_all(struct script *s)
{
	for (; s->noted < cell.count; s->noted++)
		for (u32 i = 0; i < cell.sent; i++)
			if (cell.done[i].over && cell.done[i].order == s->noted)
				note(s, &cell.done[i].sdu, "");
	for (u32 i = 0; i < cell.sent; i++) {
		if (!cell.done[i].copies)
			continue;
		cell.done[i].copies = 0;
		note(s, &cell.done[i].copy, " copy");
	}
}

void script_link_run(struct script *s, u64 until_ns)
{
	wl_cell_run(&cell, until_ns);
	note_all(s);
	s->now_ns = until_ns;
}

void script_link_send(struct script *s, u32 bytes, u32 count)
{
	/* All can be marked. */
	wl_cell_send_ecn(&cell, 1, bytes, count, WL_ECN_ECT1);
	script_link_run(s, s->now_ns);
}

void script_link_change(struct script *s, u64 at_ns)
{
	struct wl_pending *txn = wl_ask_new(1, 0);

	wl_ask_part(txn, &cell.link.first, &s->cfg);
	wl_cell_commit(&cell, at_ns, txn);
}

bool script_link_close(struct script *s)
{
	bool good;

	wl_cell_check(&cell);
	good = !cell.bad.what;
	if (!good)
		script_note(s, "SDU %llu: %s is %llu, not %llu", cell.bad.seq, cell.bad.what,
			    cell.bad.is, cell.bad.wanted);
	wl_cell_free(&cell);
	return good;
}
