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

/* Nearest rank: the smallest value that at least that part is not above. */
static uint64_t rank(const uint64_t *v, size_t n, unsigned int percent)
{
	return v[(n * percent + 99) / 100 - 1];
}

static void delay_json(const char *key, uint64_t *v, size_t n, const char *end)
{
	double sum = 0;
	size_t i;

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

/* Occupancy over time; its mean over the run. */
static double buffer_write(const struct log *log, struct name_link *l)
{
	FILE *f = out_open(log, "series", l->name, ".buffer.tsv");
	int64_t sdus = 0, bytes = 0, last = 0;
	double area = 0;
	size_t i;

	qsort(l->steps, l->step_count, sizeof(*l->steps), by_time);
	for (i = 0; i < l->step_count; i++) {
		const struct step *s = &l->steps[i];

		area += (double)sdus * (double)(s->t_ns - last);
		last = s->t_ns;
		sdus += s->sdus;
		bytes += s->bytes;
		if (i + 1 < l->step_count && l->steps[i + 1].t_ns == s->t_ns)
			continue;
		fprintf(f, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", s->t_ns,
			sdus, bytes);
	}
	area += (double)sdus * (double)((int64_t)log->duration_ns - last);
	if (fclose(f))
		fail("%s: cannot write the occupancy", l->name);
	return area / (double)log->duration_ns;
}

/* What the buffer holds until it is acknowledged, seen by all who came in. */
static void fills_write(const struct log *log, struct name_link *l)
{
	FILE *f = out_open(log, "series", l->name, ".occupancy.tsv");
	size_t i;

	if (l->fill_count)
		qsort(l->fills, l->fill_count, sizeof(*l->fills), by_arrival);
	for (i = 0; i < l->fill_count; i++)
		fprintf(f, "%" PRId64 "\t%u\t%u\n", l->fills[i].t_ns,
			l->fills[i].bearer, l->fills[i].sdus);
	if (fclose(f))
		fail("%s: cannot write the occupancy", l->name);
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
		append_u64(&f->e2e, &f->e2e_count,
			   (uint64_t)(r.received_ns - r.sent_ns));
		fprintf(out, "%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\n", r.seq,
			r.sent_ns, r.received_ns);
	}
	fclose(in);
	if (fclose(out))
		fail("%s: cannot write the delays", f->name);
}

void stats_write(struct log *log)
{
	size_t i;

	printf("{\"events\": %" PRIu64 ", \"links\": {", log->event_count);
	for (i = 0; i < log->link_count; i++) {
		struct name_link *l = &log->links[i];

		printf("%s\"%s\": {\"buffer_mean_sdus\": %.6f, ",
		       i ? ", " : "", l->name, buffer_write(log, l));
		fills_write(log, l);
		delay_json("delay", l->delays, l->delay_count, "}");
	}
	printf("}, \"flows\": {");
	for (i = 0; i < log->flow_count; i++) {
		struct name_flow *f = &log->flows[i];

		printf("%s\"%s\": {", i ? ", " : "", f->name);
		delay_json("delay", f->delays, f->delay_count, f->tcp ? "}" :
			   ", ");
		if (f->tcp)
			continue;
		udp_read(log, f);
		delay_json("end_to_end", f->e2e, f->e2e_count, "}");
	}
	printf("}}\n");
}
