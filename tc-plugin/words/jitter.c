// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numbers/dist.h"
#include "table/read.h"
#include "table/value.h"
#include "words/jitter.h"

#define BLANKS		" \t\r"
#define DIST_SCALE	8192		/* of iproute2's tables */

/* Where tc itself looks for netem's tables. */
#define TABLES		"/usr/lib/*/tc"

/**
 * struct table - a file that is read
 * @bins: it is a histogram
 * @count: values or bins
 * @low: of each, where it begins: ns, or 1/8192 of a standard deviation
 * @high: of bins: where it ends
 * @weight: of bins
 */
struct table {
	bool bins;
	size_t count;
	double low[WLINK_POINTS_MAX];
	double high[WLINK_POINTS_MAX];
	double weight[WLINK_POINTS_MAX];
};

int wl_jitter_name(struct wl_values *values, const char *text, char *error)
{
	size_t i, len = strlen(text);

	if (!len || len > WLINK_JITTER_NAME_MAX)
		return wl_refuse(error, "jitter_table \"%.80s\" has %zu bytes, outside 1..%u",
				 text, len, WLINK_JITTER_NAME_MAX);
	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f)
			return wl_refuse(error, "jitter_table has byte 0x%02x, which no name has",
					 (unsigned char)text[i]);
	strcpy(values->table, text);
	return 0;
}

/* --- Files. --- */

static int parse_time(const char *text, double *ns)
{
	uint64_t value;

	if (wl_num_parse(WL_UNIT_TIME, text, &value))
		return -1;
	*ns = (double)value;
	return 0;
}

static int parse_weight(const char *text, double *weight)
{
	char *end;

	*weight = strtod(text, &end);
	return end == text || *end || !isfinite(*weight) || *weight < 0 ? -1 : 0;
}

static int check_room(struct table *table, bool bins, char *error)
{
	if (table->count && table->bins != bins)
		return wl_refuse(error, "numbers and a histogram do not mix");
	/* A bin, a gap before it and an end of all. */
	if (table->count >= (bins ? WLINK_POINTS_MAX / 2 : WLINK_POINTS_MAX - 2))
		return wl_refuse(error, "more than %u %s: a table has at most 32 KiB",
				 bins ? WLINK_POINTS_MAX / 2 : WLINK_POINTS_MAX - 2,
				 bins ? "lines" : "numbers");
	table->bins = bins;
	return 0;
}

static int take_bin(struct table *table, char *line, char *error)
{
	char *word[4], *save = NULL;
	size_t n = 0, i = table->count;

	for (word[n] = strtok_r(line, ",", &save); word[n] && n < 3;
	     word[n] = strtok_r(NULL, ",", &save))
		n++;
	if (n < 2 || word[n])
		return wl_refuse(error, "not TIME,WEIGHT or TIME,TIME,WEIGHT");
	if (check_room(table, true, error))
		return -1;
	if (parse_time(word[0], &table->low[i]))
		return wl_refuse(error, "no time: %.80s", word[0]);
	if (parse_time(word[n - 2], &table->high[i]))
		return wl_refuse(error, "no time: %.80s", word[n - 2]);
	if (parse_weight(word[n - 1], &table->weight[i]))
		return wl_refuse(error, "no weight, 0 or more: %.80s", word[n - 1]);
	if (table->high[i] < table->low[i])
		return wl_refuse(error, "a bin ends before it begins: %.80s", word[1]);
	if (i && table->low[i] < table->high[i - 1])
		return wl_refuse(error, "begins before the one before ends: %.80s", word[0]);
	table->count++;
	return 0;
}

static int take_number(struct table *table, const char *word, char *error)
{
	size_t i = table->count;
	char *end;
	double x;

	if (check_room(table, false, error))
		return -1;
	x = strtod(word, &end);
	if (*end || !isfinite(x))
		return wl_refuse(error, "no number: %.80s", word);
	if (i && x < table->low[i - 1])
		return wl_refuse(error, "below the number before: %.80s", word);
	table->low[i] = x;
	table->count++;
	return 0;
}

static int take_line(void *to, unsigned int number, char *line, char *error)
{
	char *word, *save = NULL;
	size_t n;

	(void)number;
	line[strcspn(line, "#")] = '\0';
	line += strspn(line, BLANKS);
	for (n = strlen(line); n && strchr(BLANKS, line[n - 1]); n--)
		line[n - 1] = '\0';
	if (strchr(line, ','))
		return take_bin(to, line, error);
	for (word = strtok_r(line, BLANKS, &save); word; word = strtok_r(NULL, BLANKS, &save))
		if (take_number(to, word, error))
			return -1;
	return 0;
}

/* As tc does for netem, unless it is a path. Return: the file, or what is typed. */
static const char *find_table(const char *name, char *path, size_t size)
{
	const char *folder = getenv("TC_LIB_DIR");
	glob_t found;

	if (strchr(name, '/') || !access(name, F_OK))
		return name;
	snprintf(path, size, "%s/%s.dist", folder ? folder : "/usr/lib/tc", name);
	if (!access(path, F_OK))
		return path;
	snprintf(path, size, TABLES "/%s.dist", name);
	if (glob(path, 0, NULL, &found))
		return name;
	snprintf(path, size, "%s", found.gl_pathv[0]);
	globfree(&found);
	return path;
}

static int read_table(struct table *table, const char *name, char *error)
{
	char path[4096];

	if (wl_read_file("jitter_table", find_table(name, path, sizeof(path)), NULL, take_line,
			 table, error) < 0)
		return -1;
	return table->count ? 0 : wl_refuse(error, "jitter_table %s: it is empty", name);
}

/* --- Their points. --- */

static int put_bins(struct wl_values *values, const struct table *table, char *error)
{
	struct wl_points *points = values->points;
	uint64_t *mean_ns = &values->value[WL_JITTER];
	double total = 0, mean = 0, factor = 1, sum = 0;
	size_t i;

	for (i = 0; i < table->count; i++) {
		total += table->weight[i];
		mean += table->weight[i] * (table->low[i] + table->high[i]) / 2;
	}
	if (total <= 0 || !isfinite(total) || !isfinite(mean))
		return wl_refuse(error, "jitter_table %s: the weights come to %g", values->table,
				 total);
	mean /= total;
	/* Shown and typed again it is what it was. */
	if (!values->set[WL_JITTER])
		*mean_ns = (uint64_t)llround(mean);
	else if (*mean_ns != (uint64_t)llround(mean))
		factor = mean > 0 ? (double)*mean_ns / mean : 1;
	wl_points_unit(points, table->high[table->count - 1] * factor);
	for (i = 0; i < table->count; i++) {
		if (table->weight[i] <= 0)
			continue;
		wl_points_add(points, sum / total, 1 - sum / total, table->low[i] * factor);
		sum += table->weight[i];
		wl_points_add(points, sum / total, 1 - sum / total, table->high[i] * factor);
	}
	points->point[points->count - 1].cum = UINT32_MAX;
	return 0;
}

/* N numbers are the quantiles (i + 1/2) / N; before the first and behind the last there is
 * nothing.
 */
static void put_numbers(struct wl_points *points, const struct table *table,
			double mean, double dev)
{
	size_t i, n = table->count;

	wl_points_unit(points, fmax(mean + dev * table->low[n - 1] / DIST_SCALE, 0));
	wl_points_add(points, 0, 1, mean + dev * table->low[0] / DIST_SCALE);
	for (i = 0; i < n; i++)
		wl_points_add(points, ((double)i + 0.5) / (double)n,
			      ((double)(n - i) - 0.5) / (double)n,
			      mean + dev * table->low[i] / DIST_SCALE);
	wl_points_add(points, 1, 0, mean + dev * table->low[n - 1] / DIST_SCALE);
}

static int make_table(struct wl_values *values, char *error)
{
	bool dev = values->set[WL_JITTER_DEV] && values->value[WL_JITTER_DEV];
	struct table *table = calloc(1, sizeof(*table));
	int err;

	if (!table)
		return wl_refuse(error, "%s", strerror(ENOMEM));
	err = read_table(table, values->table, error);
	if (!err && table->bins && dev)
		err = wl_refuse(error, "jitter_dev does not belong to a histogram, which %s is",
				values->table);
	else if (!err && !table->bins && (!dev || !values->set[WL_JITTER]))
		err = wl_refuse(error, "jitter_table %s needs both jitter and jitter_dev",
				values->table);
	else if (!err && table->bins)
		err = put_bins(values, table, error);
	else if (!err)
		put_numbers(values->points, table, (double)values->value[WL_JITTER],
			    (double)values->value[WL_JITTER_DEV]);
	if (!err)
		strcpy(values->points->name, values->table);
	free(table);
	return err;
}

static int make_named(struct wl_values *values, char *error)
{
	enum wlink_dist dist = values->value[WL_JITTER_DIST];
	bool fixed = dist == WLINK_DIST_CONSTANT || dist == WLINK_DIST_EXPONENTIAL;
	uint64_t dev_ns = values->value[WL_JITTER_DEV];
	const char *name = wl_row_name(&wl_rows[WL_JITTER_DIST], dist), *wrong;

	if (dist == WLINK_DIST_TABLE)
		return wl_refuse(error, "jitter_dist table needs jitter_table");
	if (fixed && dev_ns)
		return wl_refuse(error, "jitter_dev does not belong to jitter_dist %s", name);
	if (!fixed && !dev_ns)
		return wl_refuse(error, "jitter_dist %s needs jitter_dev", name);
	wrong = wl_points_make(values->points, dist, values->value[WL_JITTER], dev_ns);
	return wrong ? wl_refuse(error, "jitter_dev of jitter_dist %s %s", name, wrong) : 0;
}

static int check_most(const struct wl_points *points, char *error)
{
	uint64_t most = points->point[points->count - 1].value * points->unit_ns;
	char is[WL_NUM_TEXT], max[WL_NUM_TEXT];

	if (most <= WLINK_JITTER_MAX)
		return 0;
	return wl_refuse(error, "jitter would be up to %s, above %s",
			 wl_num_print(WL_UNIT_TIME, most, is),
			 wl_num_print(WL_UNIT_TIME, WLINK_JITTER_MAX, max));
}

/* Return: a word that says more of the distribution, WL_WORDS for none. */
static enum wl_word shape_word(const struct wl_values *values)
{
	enum wl_word word;

	for (word = WL_JITTER_DIST; word <= WL_JITTER_TABLE; word++)
		if (values->set[word])
			return word;
	return WL_WORDS;
}

static void set_usual(struct wl_values *values)
{
	bool dev = values->set[WL_JITTER_DEV] && values->value[WL_JITTER_DEV];

	if (!values->set[WL_JITTER_DEV])
		values->value[WL_JITTER_DEV] = 0;
	if (values->set[WL_JITTER_TABLE] && !values->set[WL_JITTER_DIST])
		values->value[WL_JITTER_DIST] = WLINK_DIST_TABLE;
	else if (!values->set[WL_JITTER_DIST])
		values->value[WL_JITTER_DIST] = dev ? WLINK_DIST_NORMAL :
						      WLINK_DIST_EXPONENTIAL;
	values->set[WL_JITTER_DIST] = true;
	values->set[WL_JITTER_DEV] = true;
}

int wl_jitter_finish(struct wl_values *values, char *error)
{
	bool typed = values->set[WL_JITTER], table = values->set[WL_JITTER_TABLE];
	enum wl_word word = shape_word(values);

	if (!typed && word == WL_WORDS)
		return 0;
	if (typed && !values->value[WL_JITTER])
		return word == WL_WORDS ? 0 :
		       wl_refuse(error, "%s does not belong to jitter off",
				 wl_rows[word].keyword);
	if (!typed && !table)
		return wl_refuse(error, "%s needs jitter", wl_rows[word].keyword);
	set_usual(values);
	if (table && values->value[WL_JITTER_DIST] != WLINK_DIST_TABLE)
		return wl_refuse(error, "jitter_table belongs to jitter_dist table");
	values->points = calloc(1, sizeof(*values->points));
	if (!values->points)
		return wl_refuse(error, "%s", strerror(ENOMEM));
	if (table ? make_table(values, error) : make_named(values, error))
		return -1;
	values->set[WL_JITTER] = true;
	if (!values->value[WL_JITTER])
		return wl_refuse(error, "jitter_table %s: its mean is below 1ns", values->table);
	return check_most(values->points, error);
}
