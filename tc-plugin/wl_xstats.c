// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "wl_attr.h"
#include "wl_xstats.h"

#define X(name)	TCA_WLINK_XSTATS_##name

/**
 * struct stat_key - name of a counter in JSON
 * @attr: TCA_WLINK_XSTATS_*
 * @key: in the object of the statistics
 * @drop: in the object of the drops instead
 */
struct stat_key {
	uint16_t attr;
	const char *key;
	const char *drop;
};

/* In the order of the output; the drops stand together. */
static const struct stat_key keys[] = {
	{ X(SDUS_IN), "sdus_in", NULL },
	{ X(BYTES_IN), "bytes_in", NULL },
	{ X(SDUS_DELIVERED), "sdus_delivered", NULL },
	{ X(BYTES_DELIVERED), "bytes_delivered", NULL },
	{ X(BYTES_DROPPED), "bytes_dropped", NULL },
	{ X(SDUS_HELD), "sdus_held", NULL },
	{ X(BYTES_HELD), "bytes_held", NULL },
	{ X(DROP_OVERFLOW), NULL, "overflow" },
	{ X(DROP_CHANNEL), NULL, "channel" },
	{ X(DROP_SLOTS), NULL, "slots" },
	{ X(DROP_FLUSH), NULL, "flush" },
	{ X(PDUS_SENT), "pdus_sent", NULL },
	{ X(PDUS_LOST), "pdus_lost", NULL },
	{ X(AIR_BYTES), "air_bytes", NULL },
	{ X(BUFFER_SDUS), "buffer_sdus", NULL },
	{ X(BUFFER_BYTES), "buffer_bytes", NULL },
	{ X(BUFFER_SDUS_MAX), "buffer_sdus_max", NULL },
	{ X(BUFFER_BYTES_MAX), "buffer_bytes_max", NULL },
	{ X(QUEUE_NS), "queue_ns", NULL },
	{ X(SERIAL_NS), "serial_ns", NULL },
	{ X(PROP_NS), "prop_ns", NULL },
	{ X(LATE_NS), "late_ns", NULL },
	{ X(LATE_MAX_NS), "late_max_ns", NULL },
	{ X(RATE), "rate_bps", NULL },
	{ X(GENERATION), "generation", NULL },
	{ X(CHANNEL_BAD), "channel_bad", NULL },
	{ X(CHANNEL_FRAMES), "channel_frames", NULL },
	{ X(CHANNEL_FRAMES_BAD), "channel_frames_bad", NULL },
};

#define N_KEYS	ARRAY_SIZE(keys)

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct wl_xstats *stats = ctx;
	uint64_t *to;
	size_t size;

	(void)offset;
	if (type > TCA_WLINK_XSTATS_MAX)
		return;
	to = type == X(LATE_BINS) ? stats->late_bins : &stats->value[type];
	size = type == X(LATE_BINS) ? sizeof(stats->late_bins) : sizeof(*to);
	memcpy(to, data, len < size ? len : size);
}

void wl_xstats_decode(struct wl_xstats *stats, const void *buf, size_t len)
{
	memset(stats, 0, sizeof(*stats));
	wl_attr_each(buf, len, decode_one, stats);
}

uint64_t wl_xstats_late_below(const struct wl_xstats *stats,
			      unsigned int percent)
{
	uint64_t total = 0;
	uint64_t want, bound;
	uint64_t seen = 0;
	int i;

	for (i = 0; i < WLINK_LATE_BINS; i++)
		total += stats->late_bins[i];
	want = total / 100 * percent + (total % 100 * percent + 99) / 100;
	for (i = 0; i < WLINK_LATE_BINS - 1; i++) {
		seen += stats->late_bins[i];
		if (seen >= want)
			break;
	}
	bound = i == WLINK_LATE_BINS - 1 ? UINT64_MAX : (1ULL << i) - 1;
	if (bound > stats->value[X(LATE_MAX_NS)])
		bound = stats->value[X(LATE_MAX_NS)];
	return bound;
}

/* Three decimals of the largest fitting unit: for reading, not for typing. */
static const char *about(uint64_t ns, char *text)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	uint64_t scale = 1;
	int unit = 0;

	while (unit < 3 && ns / scale >= 1000) {
		scale *= 1000;
		unit++;
	}
	if (scale == 1)
		snprintf(text, WL_NUM_TEXT, "%" PRIu64 "ns", ns);
	else
		snprintf(text, WL_NUM_TEXT, "%" PRIu64 ".%03" PRIu64 "%s",
			 ns / scale, ns % scale / (scale / 1000), units[unit]);
	return text;
}

static uint64_t mean(const struct wl_xstats *stats, uint16_t attr)
{
	uint64_t n = stats->value[X(SDUS_DELIVERED)];

	return n ? stats->value[attr] / n : 0;
}

static void text_counts(FILE *f, const uint64_t *v, const char *eol)
{
	uint64_t dropped = v[X(DROP_OVERFLOW)] + v[X(DROP_CHANNEL)] +
			   v[X(DROP_SLOTS)] + v[X(DROP_FLUSH)];

	fprintf(f, "  SDUs in %" PRIu64 " delivered %" PRIu64 " dropped %"
		PRIu64 " held %" PRIu64 "%s",
		v[X(SDUS_IN)], v[X(SDUS_DELIVERED)], dropped,
		v[X(SDUS_HELD)], eol);
	fprintf(f, "  bytes in %" PRIu64 " delivered %" PRIu64 " dropped %"
		PRIu64 " held %" PRIu64 "%s",
		v[X(BYTES_IN)], v[X(BYTES_DELIVERED)], v[X(BYTES_DROPPED)],
		v[X(BYTES_HELD)], eol);
	fprintf(f, "  drops overflow %" PRIu64 " channel %" PRIu64 " slots %"
		PRIu64 " flush %" PRIu64 "%s",
		v[X(DROP_OVERFLOW)], v[X(DROP_CHANNEL)], v[X(DROP_SLOTS)],
		v[X(DROP_FLUSH)], eol);
	fprintf(f, "  PDUs sent %" PRIu64 " lost %" PRIu64 " on the air %"
		PRIu64 " bytes%s",
		v[X(PDUS_SENT)], v[X(PDUS_LOST)], v[X(AIR_BYTES)], eol);
	fprintf(f, "  buffer %" PRIu64 " SDUs %" PRIu64 " bytes, maximum %"
		PRIu64 " SDUs %" PRIu64 " bytes%s",
		v[X(BUFFER_SDUS)], v[X(BUFFER_BYTES)], v[X(BUFFER_SDUS_MAX)],
		v[X(BUFFER_BYTES_MAX)], eol);
}

static void text_times(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT], c[WL_NUM_TEXT], d[WL_NUM_TEXT];
	char e[WL_NUM_TEXT];

	fprintf(f, "  mean delay queue %s serialisation %s propagation %s%s",
		about(mean(stats, X(QUEUE_NS)), a),
		about(mean(stats, X(SERIAL_NS)), b),
		about(mean(stats, X(PROP_NS)), c), eol);
	fprintf(f, "  lateness mean %s p50 <=%s p90 <=%s p99 <=%s max %s%s",
		about(mean(stats, X(LATE_NS)), a),
		about(wl_xstats_late_below(stats, 50), b),
		about(wl_xstats_late_below(stats, 90), c),
		about(wl_xstats_late_below(stats, 99), d),
		about(stats->value[X(LATE_MAX_NS)], e), eol);
}

void wl_xstats_text(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	const uint64_t *v = stats->value;
	char rate[WL_NUM_TEXT];

	text_counts(f, v, eol);
	text_times(f, stats, eol);
	fprintf(f, "  channel frames %" PRIu64 " bad %" PRIu64 " now %s%s",
		v[X(CHANNEL_FRAMES)], v[X(CHANNEL_FRAMES_BAD)],
		v[X(CHANNEL_BAD)] ? "bad" : "good", eol);
	fprintf(f, "  rate now %s generation %" PRIu64,
		wl_num_print(WL_UNIT_RATE, v[X(RATE)], rate),
		v[X(GENERATION)]);
}

void wl_xstats_json(const struct wl_json *json, const struct wl_xstats *stats)
{
	bool in_drops = false;
	size_t i;

	for (i = 0; i < N_KEYS; i++) {
		const struct stat_key *key = &keys[i];

		if (key->drop && !in_drops)
			json->object("drops");
		else if (!key->drop && in_drops)
			json->end();
		in_drops = key->drop;
		json->u64(key->drop ? key->drop : key->key,
			  stats->value[key->attr]);
	}
	json->array("late_bins", stats->late_bins, WLINK_LATE_BINS);
}
