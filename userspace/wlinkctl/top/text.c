// SPDX-License-Identifier: GPL-2.0
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "top/top.h"

#define X(name)		WLINK_STAT_##name
#define CELL		24
#define LINE		256

enum column {
	BEARER, MODE, RATE, NOW, SDUS, BYTES, FULL, AQM, P50, P95, P99, RETX,
	SCHEDULE, COLUMNS,
};

static const char *const heads[COLUMNS] = {
	"N", "MODE", "RATE", "NOW", "SDUS", "BYTES", "FULL", "AQM", "P50",
	"P95", "P99", "RETX", "PLAY",
};

/* Words stand at the left, numbers at the right. */
static bool is_word(int column)
{
	return column == MODE || column == AQM || column == SCHEDULE;
}

/**
 * struct table - a table on its way
 * @f: where it goes
 * @width: of a line, 0 for any
 * @left: lines that may follow, if @height
 * @height: lines are counted
 * @eol: what ends a line
 * @cells: of all rows
 * @columns: their widths, 0 for one that is left out
 */
struct table {
	FILE *f;
	size_t width;
	size_t left;
	bool height;
	const char *eol;
	char (*cells)[COLUMNS][CELL];
	int columns[COLUMNS];
};

/* What others may have put into a name must not move the cursor. */
static void put_line(struct table *t, char *text)
{
	char *c;

	if (t->height && !t->left)
		return;
	t->left -= t->height;
	if (t->width && strlen(text) > t->width)
		text[t->width] = '\0';
	for (c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	fprintf(t->f, "%s%s", text, t->eol);
}

/* Three digits: 384k, 1.23M, 0.5. */
static void put_number(char *cell, double value)
{
	static const char units[] = { 0, 'k', 'M', 'G', 'T', 0 };
	int unit = 0;

	while (value >= 999.5 && units[unit + 1]) {
		value /= 1000;
		unit++;
	}
	if (!unit && value == (double)(int)value)
		snprintf(cell, CELL, "%.0f", value);
	else if (value >= 99.95)
		snprintf(cell, CELL, "%.0f%c", value, units[unit]);
	else if (value >= 9.995 || !unit)
		snprintf(cell, CELL, "%.1f%c", value, units[unit]);
	else
		snprintf(cell, CELL, "%.2f%c", value, units[unit]);
}

static void put_time(char *cell, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	int unit = 0;

	while (value >= 999.5 && unit < 3) {
		value /= 1000;
		unit++;
	}
	if (value >= 9.95 || value == (double)(int)value)
		snprintf(cell, CELL, "%.0f%s", value, units[unit]);
	else
		snprintf(cell, CELL, "%.1f%s", value, units[unit]);
}

static void put_aqm(char *cell, const struct link *link)
{
	uint64_t level = link->stats.value[X(AQM_LEVEL)];
	uint64_t kind = link->values.value[WL_AQM];
	char number[CELL];

	if (!link->values.set[WL_AQM]) {
		strcpy(cell, "-");
		return;
	}
	snprintf(cell, CELL, "%.10s", wl_row_name(&wl_rows[WL_AQM], kind));
	if (kind == WLINK_AQM_RED) {
		put_number(number, (double)level / 1000);
		snprintf(cell, CELL, "red %.8s", number);
	} else if (kind == WLINK_AQM_SBD || kind == WLINK_AQM_CODEL) {
		snprintf(cell, CELL, "%.5s %.4s",
			 wl_row_name(&wl_rows[WL_AQM], kind),
			 wl_xstats_aqm_state(&link->stats));
	}
}

static void put_schedule(char *cell, const struct link *link)
{
	const uint64_t *v = link->stats.value;
	const uint64_t steps = v[X(SCHEDULE_STEPS)];

	if (v[X(SCHEDULE_STATE)] == WLINK_SCHEDULE_STATE_NONE)
		strcpy(cell, "-");
	else if (v[X(SCHEDULE_STATE)] == WLINK_SCHEDULE_STATE_PLAYS && steps)
		snprintf(cell, CELL, "%.0f%%",
			 100 * (double)v[X(SCHEDULE_STEP)] / (double)steps);
	else
		snprintf(cell, CELL, "%.8s",
			 wl_xstats_schedule_state(&link->stats));
}

static void put_row(char (*cells)[CELL], const struct top_row *row)
{
	const struct link *link = row->link;
	const uint64_t *v = link->stats.value;
	int i;

	snprintf(cells[BEARER], CELL, "%u", link->bearer);
	snprintf(cells[MODE], CELL, "%.8s",
		 wl_row_name(&wl_rows[WL_MODE], link->values.value[WL_MODE]));
	put_number(cells[RATE], (double)v[X(RATE)]);
	put_number(cells[SDUS], (double)v[X(BUFFER_SDUS)]);
	put_number(cells[BYTES], (double)v[X(BUFFER_BYTES)]);
	snprintf(cells[FULL], CELL, "%.0f%%", 100 * row->full);
	put_aqm(cells[AQM], link);
	put_schedule(cells[SCHEDULE], link);
	/* What needs an interval, and what needs a delivery in it. */
	strcpy(cells[NOW], "-");
	strcpy(cells[RETX], "-");
	if (row->interval_ns) {
		put_number(cells[NOW], top_per_s(row, row->bytes * 8));
		put_number(cells[RETX], top_per_s(row, row->retx));
	}
	for (i = 0; i < TOP_DELAYS; i++) {
		strcpy(cells[P50 + i], "-");
		if (row->has_delay)
			put_time(cells[P50 + i], row->delay_ns[i]);
	}
}

/* Return: length of the text with more behind it. */
static size_t add(char *text, size_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static size_t add(char *text, size_t n, const char *format, ...)
{
	va_list ap;
	int more;

	va_start(ap, format);
	more = vsnprintf(text + n, LINE - n, format, ap);
	va_end(ap);
	if (more < 0)
		return n;
	return n + (size_t)more < LINE ? n + (size_t)more : LINE - 1;
}

/* Names have so many letters at most. What does not fit whole is a plus.
 * Return: was there room for all?
 */
static bool put_some_drops(char *text, const struct top_row *row, size_t room,
			   int letters)
{
	const char *gap = letters > 3 ? " " : "";
	uint64_t left = row->dropped;
	char number[CELL];
	size_t n = 0;
	int i;

	text[0] = '\0';
	for (i = 1; i < __WLINK_DROP_MAX; i++) {
		size_t old = n;

		if (!row->drops[i])
			continue;
		left -= row->drops[i];
		put_number(number, top_per_s(row, row->drops[i]));
		n = add(text, n, "%s%.*s%s%s", n ? " " : "", letters,
			top_drops[i], gap, number);
		/* All but the last leave room for the plus. */
		if (left ? n < room : n <= room)
			continue;
		strcpy(text + old, room ? "+" : "");
		return false;
	}
	return true;
}

/* Whole names where there is room, first letters elsewhere. */
static void put_drops(char *text, const struct top_row *row, size_t room)
{
	if (!put_some_drops(text, row, room, 16))
		put_some_drops(text, row, room, 3);
}

static size_t table_width(const struct table *t)
{
	size_t width = 0;
	int i;

	for (i = 0; i < COLUMNS; i++)
		width += (size_t)t->columns[i] + !!t->columns[i];
	return width;
}

static size_t put_cells(const struct table *t, char *text,
			const char *const *cells)
{
	size_t n = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < COLUMNS; i++)
		if (t->columns[i])
			n = add(text, n, is_word(i) ? "%-*s " : "%*s ",
				t->columns[i], cells[i]);
	return n;
}

static void print_row(struct table *t, size_t at, const struct top_row *row)
{
	const char *cells[COLUMNS];
	size_t used = table_width(t);
	char drops[LINE];
	char text[LINE];
	size_t n;
	int i;

	for (i = 0; i < COLUMNS; i++)
		cells[i] = t->cells[at][i];
	n = put_cells(t, text, cells);
	put_drops(drops, row, !t->width ? LINE :
		  t->width > used ? t->width - used : 0);
	add(text, n, "%s", row->interval_ns ? drops : "-");
	put_line(t, text);
}

static void print_link(struct table *t, const struct link *link)
{
	char name[IF_NAMESIZE];
	char text[LINE];

	if (!if_indextoname((unsigned int)link->ifindex, name))
		snprintf(name, sizeof(name), "if%d", link->ifindex);
	snprintf(text, sizeof(text), "%s %x:", name, link->handle >> 16);
	put_line(t, text);
}

/* On a terminal room is dear: what says nothing of any bearer is left out. */
static bool says_something(const struct top_row *rows, size_t n, int column)
{
	bool any = column != SCHEDULE && column != RETX;
	size_t i;

	for (i = 0; i < n && !any; i++)
		any = column == SCHEDULE ?
		      rows[i].link->stats.value[X(SCHEDULE_STATE)] :
		      rows[i].link->values.value[WL_MODE] >= WLINK_MODE_AM;
	return any;
}

static void measure(struct table *t, const struct top_row *rows, size_t n)
{
	size_t i;
	int c;

	for (c = 0; c < COLUMNS; c++)
		t->columns[c] = (int)strlen(heads[c]);
	for (i = 0; i < n; i++) {
		put_row(t->cells[i], &rows[i]);
		for (c = 0; c < COLUMNS; c++)
			if ((int)strlen(t->cells[i][c]) > t->columns[c])
				t->columns[c] = (int)strlen(t->cells[i][c]);
	}
	for (c = 0; c < COLUMNS && t->width; c++)
		if (!says_something(rows, n, c))
			t->columns[c] = 0;
}

static void print_rows(struct table *t, const struct top_row *rows, size_t n)
{
	const struct link *last = NULL;
	char text[LINE];
	size_t i;

	for (i = 0; i < n; i++) {
		const struct link *link = rows[i].link;
		bool head = !last || last->ifindex != link->ifindex ||
			    last->handle != link->handle;

		/* A line is kept for what there is no room for. */
		if (t->height && t->left < 2U + head && i + 1 < n) {
			snprintf(text, sizeof(text), "and %zu more bearers",
				 n - i);
			put_line(t, text);
			return;
		}
		if (head)
			print_link(t, link);
		last = link;
		print_row(t, i, &rows[i]);
	}
}

void top_text(FILE *f, const struct top_row *rows, size_t n, size_t width,
	      size_t height, const char *eol)
{
	struct table t = {
		.f = f, .width = width, .left = height, .height = height,
		.eol = eol,
	};
	char text[LINE];

	t.cells = calloc(n + 1, sizeof(*t.cells));
	if (!t.cells)
		return;
	measure(&t, rows, n);
	add(text, put_cells(&t, text, heads), "DROPS/S");
	put_line(&t, text);
	if (n) {
		print_rows(&t, rows, n);
	} else {
		strcpy(text, "no wlink here");
		put_line(&t, text);
	}
	free(t.cells);
}
