// SPDX-License-Identifier: GPL-2.0
#include <net/if.h>

#include "lib/json.h"
#include "top/top.h"

#define X(name)	WLINK_STAT_##name

static void decimal(const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	json_writer.number(key, text);
}

static void limit_json(const struct wl_values *values)
{
	static const enum wl_word words[] = {
		WL_LIMIT_PACKETS, WL_LIMIT_BYTES, WL_LIMIT_TIME,
	};
	static const char *const keys[] = { "packets", "bytes", "time_ns" };
	size_t i;

	json_writer.object("limit");
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (values->set[words[i]])
			json_writer.u64(keys[i], values->value[words[i]]);
	json_writer.end();
}

static void aqm_json(const struct link *link)
{
	if (!link->values.set[WL_AQM])
		return;
	json_writer.object("aqm");
	json_writer.string("kind", wl_row_name(&wl_rows[WL_AQM],
					       link->values.value[WL_AQM]));
	json_writer.string("state", wl_xstats_aqm_state(&link->stats));
	json_writer.u64("level", link->stats.value[X(AQM_LEVEL)]);
	json_writer.end();
}

static void schedule_json(const struct link *link)
{
	const uint64_t *v = link->stats.value;

	json_writer.object("play");
	json_writer.string("state", wl_xstats_schedule_state(&link->stats));
	json_writer.u64("step", v[X(SCHEDULE_STEP)]);
	json_writer.u64("steps", v[X(SCHEDULE_STEPS)]);
	json_writer.u64("pass", v[X(SCHEDULE_PASS)]);
	json_writer.end();
}

static void delay_json(const struct top_row *row)
{
	char key[16];
	int i;

	json_writer.object("delay");
	for (i = 0; i < TOP_DELAYS; i++) {
		snprintf(key, sizeof(key), "p%u_ns", top_percents[i]);
		if (row->has_delay)
			json_writer.u64(key, row->delay_ns[i]);
		else
			json_writer.number(key, "null");
	}
	json_writer.end();
}

static void drops_json(const struct top_row *row)
{
	int i;

	json_writer.object("drops");
	for (i = 1; i < __WLINK_DROP_MAX; i++)
		json_writer.u64(top_drops[i], row->drops[i]);
	json_writer.end();
	json_writer.object("drops_per_s");
	for (i = 1; i < __WLINK_DROP_MAX; i++)
		decimal(top_drops[i], top_per_s(row, row->drops[i]));
	json_writer.end();
}

static void row_json(const struct top_row *row)
{
	const struct link *link = row->link;
	const uint64_t *v = link->stats.value;
	char text[IF_NAMESIZE + 16];

	json_writer.object(NULL);
	if (!if_indextoname((unsigned int)link->ifindex, text))
		snprintf(text, sizeof(text), "if%d", link->ifindex);
	json_writer.string("dev", text);
	snprintf(text, sizeof(text), "%x:", link->handle >> 16);
	json_writer.string("handle", text);
	json_writer.u64("bearer", link->bearer);
	json_writer.string("mode", wl_row_name(&wl_rows[WL_MODE],
					       link->values.value[WL_MODE]));
	if (v[X(RATE)] == WLINK_RATE_UNLIMITED)
		json_writer.number("rate_bps", "null");
	else
		json_writer.u64("rate_bps", v[X(RATE)]);
	json_writer.u64("generation", v[X(GENERATION)]);
	json_writer.u64("sdus_delivered", row->sdus);
	json_writer.u64("bytes_delivered", row->bytes);
	decimal("delivered_bps", top_per_s(row, row->bytes * 8));
	json_writer.u64("buffer_sdus", v[X(BUFFER_SDUS)]);
	json_writer.u64("buffer_bytes", v[X(BUFFER_BYTES)]);
	limit_json(&link->values);
	decimal("full", row->full);
	aqm_json(link);
	delay_json(row);
	drops_json(row);
	json_writer.u64("pdus_retx", row->retx);
	decimal("retx_per_s", top_per_s(row, row->retx));
	schedule_json(link);
	json_writer.end();
}

void top_json(const struct top_look *look, const struct top_row *rows, size_t n)
{
	size_t i;

	json_start();
	json_writer.object(NULL);
	json_writer.u64("time_ns", look->at_ns);
	json_writer.u64("interval_ns", n ? rows[0].interval_ns : 0);
	json_open_array("bearers");
	for (i = 0; i < n; i++)
		row_json(&rows[i]);
	json_end_array();
	json_writer.end();
	json_finish();
}
