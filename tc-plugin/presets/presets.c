// SPDX-License-Identifier: GPL-2.0
/*
 * AQM paper: Alcaraz, Cerdan: "Performance evaluation of AQM schemes in
 * rate-varying 3G links". Link-layer paper: Xylomenos, Makidis: "Adaptive link
 * layer protocols for shared wireless links". Emulation paper: Gurtov:
 * "Technical issues of real-time network simulation in Linux".
 */
#include <string.h>

#include "presets/presets.h"

#define TABLE_1		"AQM paper, Table 1: "
#define LINK		"link-layer paper, section 5: "
#define EMULATION	"emulation paper, section 3: "
#define CHOICE		"wlink's choice: "

/* A UMTS bearer of the AQM paper; only the rate differs. */
#define UMTS(rate) { \
	{ "rate", rate, \
	  "AQM paper, sections 4, 5: one of four standard rates" }, \
	{ "tti", "10ms", TABLE_1 "TTI" }, \
	{ "delay", "20ms", \
	  TABLE_1 "wireless round trip delay 50 ms: a TTI and twice this" }, \
	{ "pdu", "40", TABLE_1 "PDU payload size 320 bits" }, \
	{ "header", "2", "TS 25.322, 9.2.1.4: AMD PDU header of 16 bits" }, \
	{ "limit", "40", "AQM paper, section 5: RLC buffer of 40 SDUs" }, \
	{ "sched", "dedicated", \
	  CHOICE "a radio bearer has a channel of its own" }, \
	{ "channel", "rayleigh", \
	  "AQM paper, section 4: Markov model of Rayleigh fading" }, \
	{ "fer", "10%", TABLE_1 "frame error ratio" }, \
	{ "fdt", "0.01", TABLE_1 "normalized Doppler frequency" }, \
	{ "mode", "am", "AQM paper, section 1: RLC as reliable service" }, \
	{ "window", "1024", TABLE_1 "transmission window, PDUs" }, \
	{ "in_order", "on", TABLE_1 "in-order delivery" }, \
	{ "poll_last", "on", TABLE_1 "last PDU in buffer poll" }, \
	{ "poll_last_retx", "on", TABLE_1 "last retransmitted PDU poll" }, \
	{ "poll_pdu", "off", TABLE_1 "not listed" }, \
	{ "poll_sdu", "off", TABLE_1 "not listed" }, \
	{ "poll_window", "50%", TABLE_1 "poll window" }, \
	{ "poll_timer", "60ms", TABLE_1 "poll timer" }, \
	{ "poll_periodic", "off", TABLE_1 "not listed" }, \
	{ "poll_prohibit", "off", TABLE_1 "not listed" }, \
	{ "missing", "on", TABLE_1 "missing PDU detection" }, \
	{ "status_periodic", "off", TABLE_1 "not listed" }, \
	{ "status_prohibit", "60ms", TABLE_1 "status prohibit timer" }, \
	{ "status", "bitmap", \
	  CHOICE "the paper is silent; one report names 128 PDUs" }, \
	{ "discard", "mrw", \
	  CHOICE "the paper is silent; a reset would drop more" }, \
	{ "maxdat", "10", \
	  TABLE_1 "maxDAT; by TS 25.322, 9.4 a PDU is sent 9 times" }, \
	{ "discard_timer", "off", TABLE_1 "not listed" }, \
	{ "mrw_timer", "120ms", CHOICE "a value of TS 25.331, 10.3.4" }, \
	{ "maxmrw", "8", CHOICE "a value of TS 25.331, 10.3.4" }, \
	{ "reset_timer", "300ms", CHOICE "a value of TS 25.331, 10.3.4" }, \
	{ "maxrst", "8", CHOICE "a value of TS 25.331, 10.3.4" }, \
	{ "rev_rate", "same", \
	  "AQM paper, section 4: bidirectional nominal rate" }, \
	{ "rev_delay", "20ms", \
	  TABLE_1 "wireless round trip delay 50 ms: a TTI and twice this" }, \
	{ "rev_channel", "link", \
	  "AQM paper, section 4: same error probability both ways" }, \
	{ NULL, NULL, NULL }, \
}

static const struct wl_preset_row umts_64[] = UMTS("64kbit");
static const struct wl_preset_row umts_128[] = UMTS("128kbit");
static const struct wl_preset_row umts_256[] = UMTS("256kbit");
static const struct wl_preset_row umts_384[] = UMTS("384kbit");

static const struct wl_preset_row gprs[] = {
	{ "rate", "9600",
	  "emulation thesis: the slow link of its examples" },
	{ "tti", "20ms", "TS 43.064: multiframe of 240 ms with 12 radio blocks" },
	{ "delay", "250ms",
	  CHOICE "with blocks and feedback a round trip above half a second" },
	{ "pdu", "25", EMULATION "typical RLC packet of 25 bytes" },
	{ "header", "2", "TS 44.060, 10.2: RLC header of 2 octets" },
	{ "limit", "50",
	  CHOICE "the sources name no buffer for it" },
	{ "sched", "dedicated", CHOICE "one user" },
	{ "channel", "none", CHOICE "the sources name no loss; add one" },
	{ "mode", "am", "TS 44.060, 9.3.2: RLC acknowledged mode" },
	{ "window", "64", "TS 44.060, 9.1.9: GPRS window of 64 blocks" },
	{ "in_order", "on", "TS 44.060, 9.3.2: reassembled in order" },
	{ "poll_last", "on", "TS 44.060, 9.3.2: the final block is confirmed" },
	{ "poll_last_retx", "on", CHOICE "without it a lost end waits" },
	{ "poll_pdu", "16", CHOICE "a quarter of the window" },
	{ "poll_sdu", "off", CHOICE "blocks are counted, not packets" },
	{ "poll_window", "off", CHOICE "blocks are counted" },
	{ "poll_timer", "800ms",
	  CHOICE "above the round trip; a value of TS 25.331, 10.3.4" },
	{ "poll_periodic", "off", CHOICE "blocks are counted" },
	{ "poll_prohibit", "off", CHOICE "polls are rare" },
	{ "missing", "off", "TS 44.060, 9.1.8: reports come on request only" },
	{ "status_periodic", "off", "as missing" },
	{ "status_prohibit", "off", "as missing" },
	{ "status", "bitmap", "TS 44.060, 9.1.8: received block bitmap" },
	{ "discard", "mrw", CHOICE "a release of the TBF is not modelled" },
	{ "maxdat", "40", CHOICE "GPRS has no such limit; the largest of TS 25.331" },
	{ "discard_timer", "off", CHOICE "the sources name none" },
	{ "mrw_timer", "900ms", CHOICE "above the round trip, TS 25.331, 10.3.4" },
	{ "maxmrw", "8", CHOICE "a value of TS 25.331, 10.3.4" },
	{ "reset_timer", "1s", CHOICE "above the round trip, TS 25.331, 10.3.4" },
	{ "maxrst", "8", CHOICE "a value of TS 25.331, 10.3.4" },
	{ "rev_rate", "same", CHOICE "one time slot each way" },
	{ "rev_delay", "same", CHOICE "one time slot each way" },
	{ "rev_channel", "link", CHOICE "the same both ways" },
	{ NULL, NULL, NULL },
};

static const struct wl_preset_row shared_64[] = {
	{ "rate", "64kbit", LINK "bandwidth of 64 Kbps" },
	{ "tti", "0", CHOICE "ns-2 sends frames one after the other" },
	{ "delay", "50ms", LINK "propagation delay" },
	{ "pdu", "250", LINK "frame size of 250 bytes plus a header" },
	{ "header", "8", CHOICE "the paper does not state the header's size" },
	{ "limit", "50", CHOICE "the default queue of ns-2; the paper is silent" },
	{ "sched", "fifo", LINK "all share the link; " CHOICE "as they come" },
	{ "channel", "none",
	  LINK "the baseline; others are in tc-wlink(8)" },
	{ "mode", "asr", LINK "ASR, one of its four options" },
	{ "window", "128", LINK "window size of 128 frames" },
	{ "rto", "1.1s", LINK "FSR's timer; ASR's until the first sample: "
	  CHOICE "the paper is silent" },
	{ "alpha", "3", LINK "Uniform error model; Two State: 4" },
	{ "beta", "2", LINK "Uniform error model; Two State: 0" },
	{ "rttvar", "abs",
	  CHOICE "as TCP, which section 3 follows; signed is as printed" },
	{ "ack_delay", "50ms", CHOICE "the paper says a short interval" },
	{ "ack_bytes", "8", CHOICE "a header; the paper is silent" },
	{ "nack_guard", "auto", CHOICE "the paper is silent; a round trip" },
	{ "rev_rate", "same", LINK "one link, both ways" },
	{ "rev_delay", "same", LINK "one link, both ways" },
	{ "rev_channel", "link",
	  LINK "error processes of both directions identical, independent" },
	{ NULL, NULL, NULL },
};

const struct wl_preset wl_presets[] = {
	{ "gprs", "GPRS at the level of RLC blocks", gprs },
	{ "umts-64", "UMTS bearer of 64 kbit/s, AQM paper, Table 1", umts_64 },
	{ "umts-128", "UMTS bearer of 128 kbit/s, AQM paper, Table 1",
	  umts_128 },
	{ "umts-256", "UMTS bearer of 256 kbit/s, AQM paper, Table 1",
	  umts_256 },
	{ "umts-384", "UMTS bearer of 384 kbit/s, AQM paper, Table 1",
	  umts_384 },
	{ "shared-64", "shared link of 64 kbit/s, link-layer paper, section 5",
	  shared_64 },
	{ "lte-good", "LTE, 10 MHz, downlink of one layer near the site", wl_lte_good },
	{ "lte-edge", "LTE, 10 MHz, downlink at the edge of a cell", wl_lte_edge },
	{ "lte-train", "LTE, 10 MHz, downlink at 300 km/h", wl_lte_train },
	{ "nr-fr1", "NR, 40 MHz at 30 kHz, downlink of one layer", wl_nr_fr1 },
	{ "nr-fr1-edge", "NR, 40 MHz at 30 kHz, at the edge of a cell", wl_nr_fr1_edge },
	{ "nr-sa-tdd", "NR, 40 MHz, TDD of pattern DDDSU", wl_nr_sa_tdd },
	{ "starlink", "Starlink, downlink", wl_starlink },
};

const size_t wl_presets_count = sizeof(wl_presets) / sizeof(wl_presets[0]);

const struct wl_preset *wl_preset_find(const char *name)
{
	size_t i;

	for (i = 0; i < wl_presets_count; i++)
		if (!strcmp(wl_presets[i].name, name))
			return &wl_presets[i];
	return NULL;
}
