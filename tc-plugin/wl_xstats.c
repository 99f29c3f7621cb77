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
	{ X(DROP_MAXDAT), NULL, "maxdat" },
	{ X(DROP_TIMER), NULL, "timer" },
	{ X(DROP_RESET), NULL, "reset" },
	{ X(DROP_REESTABLISH), NULL, "reestablish" },
	{ X(DROP_AQM), NULL, "aqm" },
	{ X(PDUS_SENT), "pdus_sent", NULL },
	{ X(PDUS_LOST), "pdus_lost", NULL },
	{ X(AIR_BYTES), "air_bytes", NULL },
	{ X(PDUS_RETX), "pdus_retx", NULL },
	{ X(PDUS_CONTROL), "pdus_control", NULL },
	{ X(PAD_BYTES), "pad_bytes", NULL },
	{ X(LI_BYTES), "li_bytes", NULL },
	{ X(POLLS), "polls", NULL },
	{ X(DUPLICATES), "duplicates", NULL },
	{ X(FEEDBACK_SENT), "feedback_sent", NULL },
	{ X(FEEDBACK_LOST), "feedback_lost", NULL },
	{ X(FEEDBACK_BYTES), "feedback_bytes", NULL },
	{ X(FEEDBACK_NS), "feedback_ns", NULL },
	{ X(TIMEOUTS), "timeouts", NULL },
	{ X(MRWS), "mrws", NULL },
	{ X(RESETS), "resets", NULL },
	{ X(UNRECOVERABLE), "unrecoverable", NULL },
	{ X(WINDOW_PDUS), "window_pdus", NULL },
	{ X(RTO_NS), "rto_ns", NULL },
	{ X(BUFFER_SDUS), "buffer_sdus", NULL },
	{ X(BUFFER_BYTES), "buffer_bytes", NULL },
	{ X(BUFFER_SDUS_MAX), "buffer_sdus_max", NULL },
	{ X(BUFFER_BYTES_MAX), "buffer_bytes_max", NULL },
	{ X(QUEUE_NS), "queue_ns", NULL },
	{ X(SERIAL_NS), "serial_ns", NULL },
	{ X(PROP_NS), "prop_ns", NULL },
	{ X(RETX_NS), "retx_ns", NULL },
	{ X(HOL_NS), "hol_ns", NULL },
	{ X(LATE_NS), "late_ns", NULL },
	{ X(LATE_MAX_NS), "late_max_ns", NULL },
	{ X(RATE), "rate_bps", NULL },
	{ X(GENERATION), "generation", NULL },
	{ X(CHANNEL_BAD), "channel_bad", NULL },
	{ X(CHANNEL_FRAMES), "channel_frames", NULL },
	{ X(CHANNEL_FRAMES_BAD), "channel_frames_bad", NULL },
	{ X(AQM_SELF), "aqm_self", NULL },
	{ X(MARKS), "marks", NULL },
	{ X(RAMP_MARKS), "ramp_marks", NULL },
	{ X(AQM_LEVEL), "aqm_level", NULL },
	{ X(PENDING), "pending", NULL },
	{ X(PLAY_STEPS), "play_steps", NULL },
	{ X(PLAY_STEP), "play_step", NULL },
	{ X(PLAY_PASS), "play_pass", NULL },
	{ X(GRANTS), "grants", NULL },
	{ X(GRANT_BYTES), "grant_bytes", NULL },
	{ X(GRANT_BYTES_USED), "grant_bytes_used", NULL },
	{ X(BEARERS), "bearers", NULL },
	{ X(MEMORY), "memory", NULL },
};

#define N_KEYS	ARRAY_SIZE(keys)

/* Parts of the delay in JSON, and their sums. */
static const struct {
	const char *key;
	uint16_t sum;
} parts[WLINK_WHY_TOTAL] = {
	[WLINK_WHY_QUEUE] = { "queue", X(QUEUE_NS) },
	[WLINK_WHY_SERIAL] = { "serial", X(SERIAL_NS) },
	[WLINK_WHY_PROP] = { "prop", X(PROP_NS) },
	[WLINK_WHY_RETX] = { "retx", X(RETX_NS) },
	[WLINK_WHY_HOL] = { "hol", X(HOL_NS) },
};

/* They come narrow, so that a dump has room for them. */
static void decode_why(struct wl_xstats *stats, const void *data, size_t len)
{
	uint32_t bins[__WLINK_WHY_MAX][WLINK_LATE_BINS] = { 0 };
	int why, i;

	memcpy(bins, data, len < sizeof(bins) ? len : sizeof(bins));
	for (why = 0; why < __WLINK_WHY_MAX; why++)
		for (i = 0; i < WLINK_LATE_BINS; i++)
			stats->why_bins[why][i] = bins[why][i];
}

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct wl_xstats *stats = ctx;
	uint64_t *to = stats->late_bins;
	size_t size = sizeof(stats->late_bins);

	(void)offset;
	if (type > TCA_WLINK_XSTATS_MAX)
		return;
	if (type == X(WHY_BINS)) {
		decode_why(stats, data, len);
		return;
	}
	if (type != X(LATE_BINS)) {
		to = &stats->value[type];
		size = sizeof(*to);
	}
	memcpy(to, data, len < size ? len : size);
}

void wl_xstats_decode(struct wl_xstats *stats, const void *buf, size_t len)
{
	memset(stats, 0, sizeof(*stats));
	wl_attr_each(buf, len, decode_one, stats);
}

const char *wl_xstats_aqm_state(const struct wl_xstats *stats)
{
	static const char *const sbd[] = { "idle", "measure", "hold" };
	static const char *const codel[] = { "idle", "dropping" };
	uint64_t state = stats->value[X(AQM_STATE)];

	if (stats->aqm == WLINK_AQM_SBD)
		return state < ARRAY_SIZE(sbd) ? sbd[state] : "unknown";
	if (stats->aqm == WLINK_AQM_CODEL)
		return state < ARRAY_SIZE(codel) ? codel[state] : "unknown";
	return "none";
}

const char *wl_xstats_play_state(const struct wl_xstats *stats)
{
	static const char *const names[] = {
		"none", "loaded", "waits", "plays", "holds",
	};
	uint64_t state = stats->value[X(PLAY_STATE)];

	return state < ARRAY_SIZE(names) ? names[state] : "unknown";
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

/* Return: width * part / whole, where width is a power of 2: a digit of the
 * quotient at a time, so that nothing is wider than 64 bits.
 */
static uint64_t share(uint64_t width, uint64_t part, uint64_t whole)
{
	uint64_t result = part / whole;

	for (part %= whole; width > 1; width /= 2) {
		part *= 2;
		result = 2 * result + part / whole;
		part %= whole;
	}
	return result;
}

uint64_t wl_xstats_why(const struct wl_xstats *stats, enum wlink_why why,
		       unsigned int percent)
{
	/* They came in 32 bits each, so their sum times 100 fits. */
	const uint64_t *bins = stats->why_bins[why];
	uint64_t before = 0;
	uint64_t total = 0;
	uint64_t least, want;
	int i;

	for (i = 0; i < WLINK_LATE_BINS; i++)
		total += bins[i];
	if (!total)
		return 0;
	want = total * percent;		/* in 1/100 */
	for (i = 0; i < WLINK_LATE_BINS - 1; i++) {
		if ((before + bins[i]) * 100 >= want)
			break;
		before += bins[i];
	}
	if (!i)
		return 0;
	/* Bin i begins at 2^(i-1) and is as wide. */
	least = 1ULL << (i - 1);
	return least + share(least, want - before * 100, bins[i] * 100);
}

static void json_part(const struct wl_json *json, const struct wl_xstats *stats,
		      enum wlink_why why, const char *key, uint64_t sum)
{
	json->object(key);
	json->u64("sum_ns", sum);
	json->u64("p50_ns", wl_xstats_why(stats, why, 50));
	json->u64("p95_ns", wl_xstats_why(stats, why, 95));
	json->u64("p99_ns", wl_xstats_why(stats, why, 99));
	json->array("bins", stats->why_bins[why], WLINK_LATE_BINS);
	json->end();
}

void wl_xstats_json(const struct wl_json *json, const struct wl_xstats *stats)
{
	bool in_drops = false;
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < N_KEYS; i++) {
		const struct stat_key *key = &keys[i];

		/* A class has none, a qdisc at least one. */
		if (key->attr == X(BEARERS) && !stats->value[key->attr])
			continue;
		if (key->drop && !in_drops)
			json->object("drops");
		else if (!key->drop && in_drops)
			json->end();
		in_drops = key->drop;
		json->u64(key->drop ? key->drop : key->key,
			  stats->value[key->attr]);
	}
	json->string("aqm_state", wl_xstats_aqm_state(stats));
	json->string("play_state", wl_xstats_play_state(stats));
	json->array("late_bins", stats->late_bins, WLINK_LATE_BINS);
	json->object("why");
	for (i = 0; i < WLINK_WHY_TOTAL; i++) {
		uint64_t sum = stats->value[parts[i].sum];

		total += sum;
		json_part(json, stats, (enum wlink_why)i, parts[i].key, sum);
	}
	json_part(json, stats, WLINK_WHY_TOTAL, "total", total);
	json->end();
}
