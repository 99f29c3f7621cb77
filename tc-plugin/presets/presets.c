// SPDX-License-Identifier: GPL-2.0
/*
 * AQM paper: Alcaraz, Cerdan: "Performance evaluation of AQM schemes in
 * rate-varying 3G links". Link-layer paper: Xylomenos, Makidis: "Adaptive link
 * layer protocols for shared wireless links".
 */
#include <string.h>

#include "presets/presets.h"

#define TABLE_1		"AQM paper, Table 1: "
#define LINK		"link-layer paper, section 5: "
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
	{ "gprs", "GPRS at the level of RLC blocks", wl_gprs },
	{ "gprs-cs1", "GPRS, CS-1, downlink of three time slots", wl_gprs_cs1 },
	{ "gprs-cs1-up", "uplink of gprs-cs1: one time slot", wl_gprs_cs1_up },
	{ "gprs-cs2", "GPRS, CS-2, downlink of three time slots", wl_gprs_cs2 },
	{ "gprs-cs2-up", "uplink of gprs-cs2: one time slot", wl_gprs_cs2_up },
	{ "hscsd-28", "HSCSD of 28.8 kbit/s, non-transparent, either direction", wl_hscsd_28 },
	{ "hscsd-57", "HSCSD of 57.6 kbit/s, non-transparent, either direction", wl_hscsd_57 },
	{ "hscsd-57-t", "HSCSD of 57.6 kbit/s, transparent, either direction", wl_hscsd_57_t },
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
	{ "lte-good-up", "uplink of lte-good", wl_lte_good_up },
	{ "lte-edge", "LTE, 10 MHz, downlink at the edge of a cell", wl_lte_edge },
	{ "lte-edge-up", "uplink of lte-edge", wl_lte_edge_up },
	{ "lte-train", "LTE, 10 MHz, downlink at 300 km/h, with outages", wl_lte_train },
	{ "lte-train-up", "uplink of lte-train", wl_lte_train_up },
	{ "lte-push", "lte-good where the network begins: DRX and paging", wl_lte_push },
	{ "nr-fr1", "NR, 40 MHz at 30 kHz, downlink of one layer", wl_nr_fr1 },
	{ "nr-fr1-up", "uplink of nr-fr1", wl_nr_fr1_up },
	{ "nr-fr1-edge", "NR, 40 MHz at 30 kHz, at the edge of a cell", wl_nr_fr1_edge },
	{ "nr-fr1-edge-up", "uplink of nr-fr1-edge", wl_nr_fr1_edge_up },
	{ "nr-sa-tdd", "NR, 40 MHz, TDD of pattern DDDSU", wl_nr_sa_tdd },
	{ "nr-sa-tdd-up", "uplink of nr-sa-tdd", wl_nr_sa_tdd_up },
	{ "starlink", "Starlink, downlink", wl_starlink },
	{ "5qi-1", "a bearer of conversational voice, beside others with sched prio", wl_5qi_1 },
	{ "5qi-2", "a bearer of conversational video", wl_5qi_2 },
	{ "5qi-3", "a bearer of real-time games", wl_5qi_3 },
	{ "5qi-4", "a bearer of buffered video with a guaranteed rate", wl_5qi_4 },
	{ "5qi-5", "a bearer of IMS signalling", wl_5qi_5 },
	{ "5qi-6", "a bearer of buffered video, TCP", wl_5qi_6 },
	{ "5qi-7", "a bearer of voice, live video, games", wl_5qi_7 },
	{ "5qi-8", "a bearer of buffered video, TCP", wl_5qi_8 },
	{ "5qi-9", "a bearer of all else, the default one", wl_5qi_9 },
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
