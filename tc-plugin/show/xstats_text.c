// SPDX-License-Identifier: GPL-2.0
/* Statistics for a reader. */
#include <inttypes.h>

#include <wlink/names.h>

#include "show/xstats.h"

#define X(name)	WLINK_STAT_##name

/* Parts of the delay for a reader, and their sums. */
static const struct {
	const char *text;
	enum wlink_stat sum;
} parts[] = {
	{ "queue", X(QUEUE_NS) },
	{ "serialisation", X(SERIAL_NS) },
	{ "propagation", X(PROP_NS) },
	{ "retransmission", X(RETX_NS) },
	{ "head of line", X(HOL_NS) },
	/* The last ones: said only where a bearer has them. */
	{ "access", X(ACCESS_NS) },
	{ "jitter", X(JITTER_NS) },
};

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

static uint64_t mean(const struct wl_xstats *stats, enum wlink_stat sum)
{
	uint64_t n = stats->value[X(SDUS_DELIVERED)];

	return n ? stats->value[sum] / n : 0;
}

#define U	PRIu64

static const char *wl_rrc_name(uint64_t state)
{
	static const char *const names[] = WL_NAMES(RRC, WL_RRC_STATES);

	return state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

#define PLUS(of, word, name)		+ v[X(of##_##word)]
#define FORMAT(of, word, name)		" " #name " %" U
#define ARGUMENT(of, word, name)	v[X(of##_##word)],

static void text_counts(FILE *f, const uint64_t *v, const char *eol)
{
	uint64_t dropped = 0 WL_DROPS(PLUS);

	fprintf(f, "  SDUs in %" U " delivered %" U " dropped %" U " held %" U
		"%s", v[X(SDUS_IN)], v[X(SDUS_DELIVERED)], dropped,
		v[X(SDUS_HELD)], eol);
	fprintf(f, "  bytes in %" U " delivered %" U " dropped %" U " held %" U
		"%s", v[X(BYTES_IN)], v[X(BYTES_DELIVERED)],
		v[X(BYTES_DROPPED)], v[X(BYTES_HELD)], eol);
	if (v[X(SDUS_DUPLICATED)] || v[X(SDUS_CORRUPTED)])
		fprintf(f, "  duplicated %" U " SDUs %" U " bytes, corrupted %" U
			" SDUs%s", v[X(SDUS_DUPLICATED)], v[X(BYTES_DUPLICATED)],
			v[X(SDUS_CORRUPTED)], eol);
	fprintf(f, "  drops" WL_DROPS(FORMAT) "%s", WL_DROPS(ARGUMENT) eol);
	fprintf(f, "  PDUs sent %" U " lost %" U " on the air %" U " bytes%s",
		v[X(PDUS_SENT)], v[X(PDUS_LOST)], v[X(AIR_BYTES)], eol);
	fprintf(f, "  buffer %" U " SDUs %" U " bytes, maximum %" U " SDUs %" U
		" bytes%s",
		v[X(BUFFER_SDUS)], v[X(BUFFER_BYTES)], v[X(BUFFER_SDUS_MAX)],
		v[X(BUFFER_BYTES_MAX)], eol);
}

/* Only of bearers that number their PDUs; others have none of it. */
static void text_rlc(FILE *f, const uint64_t *v, const char *eol)
{
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT];

	if (v[X(PDUS_RETX)] || v[X(PDUS_CONTROL)] || v[X(PAD_BYTES)] ||
	    v[X(LI_BYTES)] || v[X(POLLS)] || v[X(DUPLICATES)])
		fprintf(f, "  of these again %" U " control %" U " polls %" U
			" padding %" U " indicators %" U
			" bytes, received twice %" U "%s",
			v[X(PDUS_RETX)], v[X(PDUS_CONTROL)], v[X(POLLS)],
			v[X(PAD_BYTES)], v[X(LI_BYTES)], v[X(DUPLICATES)],
			eol);
	if (v[X(FEEDBACK_SENT)])
		fprintf(f, "  feedback sent %" U " lost %" U
			" on the air %" U " bytes %s%s",
			v[X(FEEDBACK_SENT)], v[X(FEEDBACK_LOST)],
			v[X(FEEDBACK_BYTES)], about(v[X(FEEDBACK_NS)], a),
			eol);
	if (v[X(PDUS_RETX)] || v[X(FEEDBACK_SENT)] || v[X(TIMEOUTS)] ||
	    v[X(MRWS)] || v[X(RESETS)])
		fprintf(f, "  timeouts %" U " window moves %" U " resets %" U
			" unrecoverable %" U " outstanding %" U
			" PDUs timer %s%s",
			v[X(TIMEOUTS)], v[X(MRWS)], v[X(RESETS)],
			v[X(UNRECOVERABLE)], v[X(WINDOW_PDUS)],
			about(v[X(RTO_NS)], b), eol);
}

static void text_times(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT], c[WL_NUM_TEXT], d[WL_NUM_TEXT];
	const uint64_t *v = stats->value;
	char e[WL_NUM_TEXT];
	size_t i;

	fprintf(f, "  mean delay");
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (i < ARRAY_SIZE(parts) - 2 || v[parts[i].sum])
			fprintf(f, " %s %s", parts[i].text,
				about(mean(stats, parts[i].sum), a));
	fprintf(f, "%s  total delay p50 %s p95 %s p99 %s%s", eol,
		about(v[X(DELAY_P50_NS)], a), about(v[X(DELAY_P95_NS)], b),
		about(v[X(DELAY_P99_NS)], c), eol);
	fprintf(f, "  lateness mean %s p50 <=%s p90 <=%s p99 <=%s max %s%s",
		about(mean(stats, X(LATE_NS)), a), about(v[X(LATE_P50_NS)], b),
		about(v[X(LATE_P90_NS)], c), about(v[X(LATE_P99_NS)], d),
		about(v[X(LATE_MAX_NS)], e), eol);
}

static void text_level(FILE *f, const struct wl_xstats *stats)
{
	uint64_t level = stats->value[X(AQM_LEVEL)];

	if (stats->aqm == WLINK_AQM_RED)
		fprintf(f, " average %" U ".%03" U, level / 1000, level % 1000);
	else if (stats->aqm == WLINK_AQM_SBD)
		fprintf(f, " threshold %" U, level);
	else if (stats->aqm == WLINK_AQM_CODEL)
		fprintf(f, " in a row %" U, level);
}

/* Only where something but the limit looks after the buffer. */
static void text_aqm(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	const uint64_t *v = stats->value;

	if (stats->aqm == WLINK_AQM_DROPTAIL && !v[X(DROP_AQM)] &&
	    !v[X(MARKS)] && !v[X(RAMP_MARKS)])
		return;
	fprintf(f, "  aqm dropped %" U " on arrival %" U " marked %" U
		" by ramp %" U, v[X(DROP_AQM)], v[X(AQM_SELF)], v[X(MARKS)],
		v[X(RAMP_MARKS)]);
	if (stats->aqm == WLINK_AQM_SBD || stats->aqm == WLINK_AQM_CODEL)
		fprintf(f, " state %s", wl_xstats_aqm_state(stats));
	text_level(f, stats);
	fputs(eol, f);
}

/* Only where there is a schedule, or has been one with grants. */
static void text_schedule(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	const uint64_t *v = stats->value;

	if (v[X(SCHEDULE_STATE)])
		fprintf(f, "  schedule %s step %" U " of %" U " passes %" U
			"%s", wl_xstats_schedule_state(stats), v[X(SCHEDULE_STEP)],
			v[X(SCHEDULE_STEPS)], v[X(SCHEDULE_PASS)], eol);
	if (v[X(GRANTS)])
		fprintf(f, "  grants %" U " of %" U " bytes, used %" U
			" bytes%s", v[X(GRANTS)], v[X(GRANT_BYTES)],
			v[X(GRANT_BYTES_USED)], eol);
}

static void text_harq(FILE *f, const uint64_t *v, const char *eol)
{
	if (v[X(HARQ_BLOCKS)])
		fprintf(f, "  harq blocks %" U " again %" U " lost %" U "%s",
			v[X(HARQ_BLOCKS)], v[X(HARQ_RETX)], v[X(HARQ_LOST)], eol);
}

static void text_access(FILE *f, const uint64_t *v, const char *eol)
{
	if (v[X(ACCESS_REQUESTS)])
		fprintf(f, "  scheduling requests %" U "%s", v[X(ACCESS_REQUESTS)], eol);
	if (v[X(RRC_STATE)])
		fprintf(f, "  rrc %s%s", wl_rrc_name(v[X(RRC_STATE)]), eol);
}

void wl_xstats_text(FILE *f, const struct wl_xstats *stats, const char *eol)
{
	const uint64_t *v = stats->value;
	char rate[WL_NUM_TEXT];

	text_counts(f, v, eol);
	text_rlc(f, v, eol);
	text_harq(f, v, eol);
	text_access(f, v, eol);
	text_times(f, stats, eol);
	text_aqm(f, stats, eol);
	text_schedule(f, stats, eol);
	fprintf(f, "  channel frames %" U " bad %" U " now %s%s",
		v[X(CHANNEL_FRAMES)], v[X(CHANNEL_FRAMES_BAD)],
		v[X(CHANNEL_BAD)] ? "bad" : "good", eol);
	if (v[X(BEARERS)])
		fprintf(f, "  bearers %" U " memory %" U " bytes%s",
			v[X(BEARERS)], v[X(MEMORY)], eol);
	fprintf(f, "  rate now %s generation %" U,
		v[X(RATE)] == WLINK_RATE_UNLIMITED ? wl_rows[WL_RATE].other :
			wl_num_print(WL_UNIT_RATE, v[X(RATE)], rate),
		v[X(GENERATION)]);
	if (v[X(PENDING)])
		fprintf(f, " pending %" U, v[X(PENDING)]);
}
