// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <wlink/names.h>

#include "attr/attr.h"
#include "show/xstats.h"

#define X(name)	WLINK_STAT_##name

/**
 * struct stat_key - name of a counter in JSON
 * @stat: its place
 * @key: in the object of the statistics
 * @drop: in the object of the drops instead
 */
struct stat_key {
	enum wlink_stat stat;
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
#define DROP(of, word, name)	{ X(DROP_##word), NULL, #name },
	WL_DROPS(DROP)
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
	{ X(ACCESS_NS), "access_ns", NULL },
	{ X(LATE_NS), "late_ns", NULL },
	{ X(LATE_MAX_NS), "late_max_ns", NULL },
	{ X(LATE_P50_NS), "late_p50_ns", NULL },
	{ X(LATE_P90_NS), "late_p90_ns", NULL },
	{ X(LATE_P99_NS), "late_p99_ns", NULL },
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
	{ X(SCHEDULE_STEPS), "play_steps", NULL },
	{ X(SCHEDULE_STEP), "play_step", NULL },
	{ X(SCHEDULE_PASS), "play_pass", NULL },
	{ X(GRANTS), "grants", NULL },
	{ X(GRANT_BYTES), "grant_bytes", NULL },
	{ X(GRANT_BYTES_USED), "grant_bytes_used", NULL },
	{ X(HARQ_BLOCKS), "harq_blocks", NULL },
	{ X(HARQ_RETX), "harq_retx", NULL },
	{ X(HARQ_LOST), "harq_lost", NULL },
	{ X(ACCESS_REQUESTS), "access_requests", NULL },
	{ X(RRC_STATE), "rrc_state", NULL },
	{ X(SDUS_DUPLICATED), "sdus_duplicated", NULL },
	{ X(BYTES_DUPLICATED), "bytes_duplicated", NULL },
	{ X(SDUS_CORRUPTED), "sdus_corrupted", NULL },
	{ X(JITTER_NS), "jitter_ns", NULL },
	{ X(BEARERS), "bearers", NULL },
	{ X(MEMORY), "memory", NULL },
};

#define N_KEYS	ARRAY_SIZE(keys)

/* Parts of the delay in JSON, and their sums. */
static const struct {
	const char *key;
	enum wlink_stat sum;
} parts[__WLINK_WHY_MAX] = {
#define WHY(of, word, name) \
	[WLINK_WHY_##word] = { #name, X(word##_NS) },
	WL_PARTS(WHY)
};

/* A kernel of another age has more numbers or fewer. */
static void copy(void *to, size_t size, const void *from, size_t len)
{
	memcpy(to, from, len < size ? len : size);
}

void wl_xstats_decode(struct wl_xstats *stats, const void *buf, size_t len)
{
	memset(stats, 0, sizeof(*stats));
	copy(stats->value, sizeof(stats->value), buf, len);
}

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct wl_xstats *stats = ctx;

	(void)offset;
	switch (type) {
	case WLINK_A_STATS:
		copy(stats->value, sizeof(stats->value), data, len);
		break;
	case WLINK_A_LATE_BINS:
		copy(stats->late_bins, sizeof(stats->late_bins), data, len);
		break;
	case WLINK_A_WHY_BINS:
		copy(stats->why_bins, sizeof(stats->why_bins), data, len);
		stats->has_bins = true;
		break;
	}
}

void wl_xstats_decode_all(struct wl_xstats *stats, const void *buf, size_t len)
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

const char *wl_xstats_schedule_state(const struct wl_xstats *stats)
{
	static const char *const names[] = WL_NAMES(SCHEDULE_STATE, WL_SCHEDULE_STATES);
	uint64_t state = stats->value[X(SCHEDULE_STATE)];

	return state < ARRAY_SIZE(names) ? names[state] : "unknown";
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

/* Return: how far counts are shifted so that 100 times their sum fits. */
static unsigned int shift_of(const uint64_t *bins)
{
	unsigned int shift = 0;
	uint64_t all = 0;
	int i;

	for (i = 0; i < WLINK_LATE_BINS; i++)
		all |= bins[i];
	while (all >> shift >> 51)
		shift++;
	return shift;
}

uint64_t wl_xstats_why(const struct wl_xstats *stats, enum wlink_why why,
		       unsigned int percent)
{
	const uint64_t *bins = stats->why_bins[why];
	unsigned int shift = shift_of(bins);
	uint64_t least, want = 0;
	int i;

	for (i = 0; i < WLINK_LATE_BINS; i++)
		want += (bins[i] >> shift) * percent;	/* in 1/100 */
	for (i = 0; i < WLINK_LATE_BINS - 1; i++) {
		if ((bins[i] >> shift) * 100 >= want)
			break;
		want -= (bins[i] >> shift) * 100;
	}
	if (!i || !want)
		return 0;
	/* Bin i begins at 2^(i-1) and is as wide. */
	least = 1ULL << (i - 1);
	return least + share(least, want, (bins[i] >> shift) * 100);
}

static void json_part(const struct wl_json *json, const struct wl_xstats *stats,
		      enum wlink_why why, const char *key, uint64_t sum)
{
	json->object(key);
	json->u64("sum_ns", sum);
	if (why == WLINK_WHY_TOTAL) {
		json->u64("p50_ns", stats->value[X(DELAY_P50_NS)]);
		json->u64("p95_ns", stats->value[X(DELAY_P95_NS)]);
		json->u64("p99_ns", stats->value[X(DELAY_P99_NS)]);
	} else if (stats->has_bins) {
		json->u64("p50_ns", wl_xstats_why(stats, why, 50));
		json->u64("p95_ns", wl_xstats_why(stats, why, 95));
		json->u64("p99_ns", wl_xstats_why(stats, why, 99));
	}
	if (stats->has_bins)
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
		if (key->stat == X(BEARERS) && !stats->value[key->stat])
			continue;
		if (key->drop && !in_drops)
			json->object("drops");
		else if (!key->drop && in_drops)
			json->end();
		in_drops = key->drop;
		if (key->stat == WLINK_STAT_RATE &&
		    stats->value[key->stat] == WLINK_RATE_UNLIMITED)
			json->number(key->key, "null");
		else
			json->u64(key->drop ? key->drop : key->key,
				  stats->value[key->stat]);
	}
	json->string("aqm_state", wl_xstats_aqm_state(stats));
	json->string("play_state", wl_xstats_schedule_state(stats));
	if (stats->has_bins)
		json->array("late_bins", stats->late_bins, WLINK_LATE_BINS);
	json->object("why");
	for (i = 0; i < __WLINK_WHY_MAX; i++) {
		uint64_t sum = stats->value[parts[i].sum];

		if (i == WLINK_WHY_TOTAL)
			continue;
		total += sum;
		json_part(json, stats, (enum wlink_why)i, parts[i].key, sum);
	}
	json_part(json, stats, WLINK_WHY_TOTAL, "total", total);
	json->end();
}
