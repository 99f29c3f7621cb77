// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

struct udp_record {
	uint64_t seq;
	int64_t sent_ns;
	int64_t received_ns;
};

static int by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->t_ns != y->t_ns)
		return x->t_ns < y->t_ns ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_arrival(const void *a, const void *b)
{
	const struct fill *x = a, *y = b;

	return (x->seq > y->seq) - (x->seq < y->seq);
}

/* A percentile by nearest rank. */
static uint64_t rank(const uint64_t *v, size_t n, unsigned int percent)
{
	return v[(n * percent + 99) / 100 - 1];
}

static void delay_json(const char *key, const struct delays *d, int which,
		       const char *end)
{
	uint64_t *v = d->list[which];
	size_t n = d->count[which], i;
	double sum = 0;

	printf("\"%s\": ", key);
	if (!n) {
		printf("null%s", end);
		return;
	}
	qsort(v, n, sizeof(*v), by_value);
	for (i = 0; i < n; i++)
		sum += (double)v[i];
	printf("{\"count\": %zu, \"mean_ns\": %.3f, \"min_ns\": %" PRIu64
	       ", \"p50_ns\": %" PRIu64 ", \"p95_ns\": %" PRIu64
	       ", \"p99_ns\": %" PRIu64 ", \"max_ns\": %" PRIu64 "}%s", n,
	       sum / (double)n, v[0], rank(v, n, 50), rank(v, n, 95),
	       rank(v, n, 99), v[n - 1], end);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Occupancy over time; its mean over the run and after the warm-up. */
static void buffer_write(const struct log *log, struct name_link *l,
			 double mean[2])
{
	const int64_t from[2] = { 0, (int64_t)log->warmup_ns };
	const int64_t end = (int64_t)log->duration_ns;
	FILE *f = out_open(log, "series", l->name, ".buffer.tsv");
	int64_t sdus = 0, bytes = 0, last = 0;
	double area[2] = { 0, 0 };
	size_t i;
	int k;

	qsort(l->steps, l->step_count, sizeof(*l->steps), by_time);
	for (i = 0; i < l->step_count; i++) {
		const struct step *s = &l->steps[i];

		for (k = WHOLE; k <= WARM; k++)
			area[k] += (double)sdus *
				   (double)(later(s->t_ns, from[k]) -
					    later(last, from[k]));
		last = s->t_ns;
		sdus += s->sdus;
		bytes += s->bytes;
		if (i + 1 < l->step_count && l->steps[i + 1].t_ns == s->t_ns)
			continue;
		put_first(f, s->t_ns);
		put_next(f, sdus);
		put_next(f, bytes);
		put_end(f);
	}
	for (k = WHOLE; k <= WARM; k++) {
		area[k] += (double)sdus *
			   (double)(end - later(last, from[k]));
		mean[k] = area[k] / (double)(end - from[k]);
	}
	out_close(f);
}

/* The occupancies, which include unacknowledged SDUs, as found by arrivals. */
static void fills_write(const struct log *log, struct name_link *l)
{
	FILE *f = out_open(log, "series", l->name, ".occupancy.tsv");
	size_t i;

	if (l->fill_count)
		qsort(l->fills, l->fill_count, sizeof(*l->fills), by_arrival);
	for (i = 0; i < l->fill_count; i++) {
		put_first(f, l->fills[i].t_ns);
		put_next(f, l->fills[i].bearer);
		put_next(f, l->fills[i].sdus);
		put_end(f);
	}
	out_close(f);
}

static void drops_json(const struct name_link *l, int which, const char *end)
{
	int i;

	printf("\"dropped\": {");
	for (i = WLINK_DROP_NONE + 1; i < __WLINK_DROP_MAX; i++)
		printf("%s\"%s\": %" PRIu64, i > WLINK_DROP_NONE + 1 ? ", " : "",
		       drop_names[i], l->drops[which][i]);
	printf("}%s", end);
}

static void udp_read(const struct log *log, struct name_flow *f)
{
	struct udp_record r;
	char path[4096];
	FILE *in, *out;

	snprintf(path, sizeof(path), "%s/%s.udp", log->in, f->name);
	in = fopen(path, "r");
	if (!in)
		fail("%s: %s", path, strerror(errno));
	out = out_open(log, "series", f->name, ".e2e.tsv");
	while (fread(&r, sizeof(r), 1, in) == 1) {
		delay_add(log, &f->e2e, r.sent_ns,
			  (uint64_t)(r.received_ns - r.sent_ns));
		put_first(out, (int64_t)r.seq);
		put_next(out, r.sent_ns);
		put_next(out, r.received_ns);
		put_end(out);
	}
	fclose(in);
	out_close(out);
}

static void link_json(const struct name_link *l, const double mean[2],
		      int which)
{
	printf("\"buffer_mean_sdus\": %.6f, ", mean[which]);
	drops_json(l, which, ", ");
	delay_json("delay", &l->delays, which, "");
}

static void flow_json(const struct name_flow *f, int which)
{
	delay_json("delay", &f->delays, which, f->tcp && !f->web && !f->ping ? "" : ", ");
	if (f->ping)
		delay_json("rtt", &f->e2e, which, "");
	else if (!f->tcp)
		delay_json("end_to_end", &f->e2e, which, "");
	if (f->web)
		delay_json("transaction", &f->transactions, which, "");
}

void stats_write(struct log *log)
{
	double mean[2];
	size_t i;

	printf("{\"events\": %" PRIu64 ", \"links\": {", log->event_count);
	for (i = 0; i < log->link_count; i++) {
		struct name_link *l = &log->links[i];

		buffer_write(log, l, mean);
		fills_write(log, l);
		printf("%s\"%s\": {", i ? ", " : "", l->name);
		link_json(l, mean, WARM);
		if (log->warmup_ns) {
			printf(", \"whole\": {");
			link_json(l, mean, WHOLE);
			printf("}");
		}
		if (l->capture)
			printf(", \"capture\": {\"packets\": %" PRIu64
			       ", \"stopped_ns\": %" PRId64 "}", l->captured,
			       l->capture_stopped_ns);
		printf("}");
	}
	printf("}, \"flows\": {");
	for (i = 0; i < log->flow_count; i++) {
		struct name_flow *f = &log->flows[i];

		if (f->ping)
			ping_read(log, f);
		else if (!f->tcp)
			udp_read(log, f);
		if (f->web)
			web_read(log, f);
		printf("%s\"%s\": {", i ? ", " : "", f->name);
		flow_json(f, WARM);
		if (log->warmup_ns) {
			printf(", \"whole\": {");
			flow_json(f, WHOLE);
			printf("}");
		}
		printf("}");
	}
	printf("}}\n");
}
