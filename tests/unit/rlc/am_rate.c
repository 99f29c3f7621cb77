// SPDX-License-Identifier: GPL-2.0
/*
 * What a channel that loses a share f of the PDUs leaves of the rate: 1 - f, as
 * each PDU has to get through once, less what is sent twice for nothing.
 */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

static struct cell cell;

static struct wl_cfg bearer(double loss)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "mode am rate 384kbit tti 10ms delay 20ms pdu 40");
	cfg.limit.value = WLINK_LIMIT_PACKETS_MAX;
	/* Nothing is given up. */
	cfg.rlc.maxdat = WLINK_MAXDAT_MAX;
	/* More than a report and what it asks for take: 20 ms, the rest of a
	 * TTI, another one, 20 ms. Less, and all is asked for twice.
	 */
	cfg.rlc.status_prohibit_ns = 80 * WL_MS;
	cell_uniform(&cfg.channel, loss * 4294967296.);
	cfg.reverse.channel.kind = WLINK_CHANNEL_NONE;
	return cfg;
}

static void residual(double loss, double least)
{
	const u32 sdus = 15000, bytes = 1499;
	struct wl_cfg cfg = bearer(loss);
	const struct wl_stats *stats;
	double rate, share;
	u64 last_ns;

	ut_begin("am: a loss of %g leaves less than it should, or more", loss);
	cell_init(&cell, &cfg, 0);
	/* With its length indicator a SDU is 1500 bytes of PDU payload. */
	cell_carry(&cell, 1, bytes, sdus, 4000 * WL_SEC);
	stats = &cell.bearer[1]->stats;
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], sdus);
	last_ns = cell.done[sdus - 1].sdu.deliver_ns;
	rate = sdus * (bytes + 1) * 8. / (last_ns / 1e9);
	share = rate / 384000;
	/* Three standard deviations of the PDUs lost. */
	CHECK(share < 1 - loss + 3 * sqrt(loss / stats->v[WLINK_STAT_PDUS_SENT]));
	CHECK(share > least * (1 - loss));
	CHECK_NEAR((double)stats->v[WLINK_STAT_PDUS_LOST] / stats->v[WLINK_STAT_PDUS_SENT], loss,
		   4 * sqrt(loss / stats->v[WLINK_STAT_PDUS_SENT]) + 0.000001);
}

TEST(am_rate)
{
	/* Reports come every 80 ms, so a lost PDU waits for two at most, and a
	 * window of 1024 holds 853 ms.
	 */
	residual(0, 0.9995);
	residual(0.01, 0.999);
	residual(0.1, 0.998);
	residual(0.3, 0.997);
}
