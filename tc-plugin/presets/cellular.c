// SPDX-License-Identifier: GPL-2.0
/*
 * LTE, NR and Starlink: the downlink, and with -up the uplink. Each number has three
 * sources: the specification, what open stacks and simulators set, and what somebody has
 * measured; - where there is none.
 *
 * RRC-Probe is its data of the SIGCOMM 2021 artifact, medians of the round trip by the
 * silence before it; Mahimahi and DeepCC are means of their traces.
 */
#include "presets/presets.h"

#define SAYS(spec, stacks, measured) \
	"spec: " spec "; stacks: " stacks "; measured: " measured
#define CHOICE(why)	SAYS("-", "-", "-, wlink's choice: " why)

#define BLER_SPEC	"TS 36.213 and 38.214, CQI means at most 10 %"
#define BLER_STACKS	"FikoRE 10 %, srsRAN_4G 5 %, srsRAN_Project and Simu5G 1 %: " \
			"they differ by ten"

#define END { NULL, NULL, NULL }

#define COMMON \
	{ "limit", "4096", \
	  SAYS("-", "srsRAN_Project 4096 SDUs or 6.17 MB, ns-3 10 KiB", \
	       "several seconds of queue, Sprout (NSDI 2013)") }, \
	{ "sched", "pf", \
	  SAYS("left to the implementation", "pf in srsRAN and ns-3", "-") }, \
	{ "harq_factor", "20%", \
	  SAYS("-", "Simu5G and FikoRE 0.2 for each attempt", "-") }, \
	{ "harq_max", "4", \
	  SAYS("TS 36.331, maxHARQ-Tx 1 to 28, default 5", \
	       "4 in srsRAN and FikoRE, 3 repetitions in Simu5G", "-") }

#define CLEAN \
	{ "channel", "none", \
	  CHOICE("harq_bler has the errors of the air") }

/* TS 36.331, 6.3.2, RLC-Config, has the values that are possible. */
#define LTE_AM \
	{ "mode", "lte-am", \
	  SAYS("TS 36.322, 4.2.1.3", "am for QCI 9 in srsRAN_4G, um in ns-3", "-") }, \
	{ "window", "512", SAYS("TS 36.322, 7.2", "512 in all", "-") }, \
	{ "reorder_timer", "50ms", \
	  SAYS("TS 36.331, 6.3.2, 0 to 200 ms", "srsRAN_4G 50 ms, ns-3 10 ms", "-") }, \
	{ "poll_timer", "120ms", \
	  SAYS("TS 36.331, 6.3.2, 5 to 500 ms", "srsRAN_4G 120 ms, ns-3 20 ms", "-") }, \
	{ "poll_pdu", "64", \
	  SAYS("TS 36.331, 6.3.2, 4 to 256", "srsRAN_4G 64, ns-3 1", "-") }, \
	{ "poll_byte", "750kb", \
	  SAYS("TS 36.331, 6.3.2, 25 to 3000 kB", "srsRAN_4G 750 kB, ns-3 50 bytes", "-") }, \
	{ "status_prohibit", "50ms", \
	  SAYS("TS 36.331, 6.3.2, 0 to 500 ms", "srsRAN_4G 50 ms, ns-3 10 ms", "-") }, \
	{ "maxretx", "16", \
	  SAYS("TS 36.331, 6.3.2, 1 to 32", "srsRAN_4G 16, ns-3 5", "-") }

/* The same of TS 38.331, 6.3.2; srsRAN_Project's are those of 5QI 9 in its qos.yml. */
#define NR_AM \
	{ "mode", "nr-am", \
	  SAYS("TS 38.322, 4.2.1.3", "am for 5QI 9 in srsRAN_Project", "-") }, \
	{ "window", "2048", \
	  SAYS("TS 38.322, 7.2, numbers of 12 bits", "srsRAN_Project 18 bits", "-") }, \
	{ "reorder_timer", "20ms", \
	  SAYS("TS 38.331, 6.3.2, 0 to 200 ms", "srsRAN_Project 20 ms", "-") }, \
	{ "poll_timer", "20ms", \
	  SAYS("TS 38.331, 6.3.2, 5 to 4000 ms", "srsRAN_Project 20 ms", "-") }, \
	{ "poll_pdu", "16", \
	  SAYS("TS 38.331, 6.3.2, 4 to 65536", "srsRAN_Project 16", "-") }, \
	{ "poll_byte", "off", \
	  SAYS("TS 38.331, 6.3.2, 1 kB to infinity", "srsRAN_Project infinity", "-") }, \
	{ "status_prohibit", "10ms", \
	  SAYS("TS 38.331, 6.3.2, 0 to 2400 ms", "srsRAN_Project 10 ms", "-") }, \
	{ "maxretx", "32", \
	  SAYS("TS 38.331, 6.3.2, 1 to 32", "srsRAN_Project 32", "-") }

/* In the direction in which conversations begin; it has no paging. */
#define IDLE \
	{ "rrc_idle", "10s", \
	  SAYS("left to the network", "srsRAN_4G 30 s", \
	       "RRC-Probe, round trips grow after 10 or 11 s, on T-Mobile's 4G after 5") }, \
	{ "rrc_promotion", "200ms", \
	  SAYS("TR 25.913, 6.2.1, below 100 ms", "-", \
	       "RRC-Probe, 0.9 s more, of which a paging cycle of 1.28 s is 0.64") }

#define ACCESS(period, period_sources, grant, grant_sources) \
	{ "sr", period, period_sources }, \
	{ "sr_grant", grant, grant_sources }, \
	{ "sr_first", "100", CHOICE("a ping of 84 bytes fits in") }, \
	IDLE

#define LTE_ACCESS(period) \
	ACCESS(period, \
	       SAYS("TS 36.213, table 10.1.5-1, 5 to 80 ms", "20 ms in srsRAN_4G", \
		    "10 ms in LTE for UMTS (2011), 11.11"), \
	       "8ms", \
	       SAYS("TR 36.912, B.2, from the request to the data 8 ms", \
		    "4 + 4 subframes in ns-3", \
		    "10 ms with the wait, LTE for UMTS (2011), 11.11"))

#define LTE(rate_, rate_source, bler_, bler_measured, channel_, ...) { \
	{ "rate", rate_, rate_source }, \
	{ "tti", "1ms", SAYS("TS 36.211, 4.1, a subframe", "as specified", "-") }, \
	{ "delay", "4ms", \
	  SAYS("TR 25.913, 6.2.2, below 5 ms one way", "-", \
	       "least ping 9.4 ms, TTIs included, LTE for UMTS (2011), 11.11") }, \
	COMMON, channel_, LTE_AM, \
	{ "harq", "8", SAYS("TS 36.213, 7, FDD", "8 in all", "-") }, \
	{ "harq_bler", bler_, SAYS(BLER_SPEC, BLER_STACKS, bler_measured) }, \
	{ "harq_rtt", "8ms", \
	  SAYS("TS 36.321, 7.7, HARQ RTT timer of 8 subframes", \
	       "8 ms, FikoRE 5 + 2", "8 ms steps of pings, LTE for UMTS (2011), 11.11") }, \
	__VA_ARGS__ \
}

#define NR(rate_, rate_source, bler_, bler_measured, rtt_, rtt_spec, ...) { \
	{ "rate", rate_, rate_source }, \
	{ "tti", "500us", \
	  SAYS("TS 38.211, 4.3.2, a slot at 30 kHz", \
	       "30 kHz in srsRAN_Project and FikoRE", "-") }, \
	{ "delay", "4ms", SAYS("TR 38.913, 7.5, 4 ms one way for eMBB", "-", "-") }, \
	COMMON, CLEAN, NR_AM, \
	{ "harq", "16", \
	  SAYS("TS 38.214, 5.1, up to 16", "16 in srsRAN_Project, 5 in Simu5G", "-") }, \
	{ "harq_bler", bler_, SAYS(BLER_SPEC, BLER_STACKS, bler_measured) }, \
	{ "harq_rtt", rtt_, \
	  SAYS(rtt_spec, "k1 and k2 of 4 slots or more in srsRAN_Project", "-") }, \
	__VA_ARGS__ \
}

#define NR_ACCESS \
	ACCESS("20ms", \
	       SAYS("TS 38.331, 6.3.2, SchedulingRequestResourceConfig", \
		    "20 ms in srsRAN_Project", \
		    "pings of 15 to 35 ms that fall by the period, srsRAN_Project issue 501"), \
	       "4ms", \
	       SAYS("TS 38.214, 6.1.2.1, k2", "k2 of 4 slots or more in srsRAN_Project", \
		    "5 to 6 ms with the answer, srsRAN_Project issue 603"))

#define TEN_PERCENT	"10 % in the delay profiles of TS 26.132"
#define LATE_CQI	"by wlab channel, CQI of 40 ms that is 8 ms late: above 20 % for who moves"
#define BY_K1		"TS 38.213, 9.2.3, set by k1"
#define BY_K2		"TS 38.214, 6.1.2.1, set by k2"

/* Handovers of a train: one in ten fails, 0.9 x 50 ms and 0.1 x 2 s. */
#define HANDOVERS \
	{ "channel", "twostate", CHOICE("outages at handovers") }, \
	{ "mean_good", "18s", CHOICE("sites 1.5 km apart, at 300 km/h") }, \
	{ "mean_bad", "250ms", \
	  SAYS("TS 36.331, 7.3, T304 50 ms to 2 s", "Simu5G 50 ms, srsRAN_4G T304 of 2 s", \
	       "30 to 80 ms, 1 to 3 s where it fails (5g6gacademy.com, 12.3.5)") }, \
	{ "ber_good", "0", CHOICE("harq_bler has the errors of the air") }, \
	{ "ber_bad", "1", CHOICE("nothing arrives") }

const struct wl_preset_row wl_lte_good[] =
	LTE("16416kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 10, I_TBS 16",
		 "75 Mbit/s of 20 MHz in srsRAN_4G's tests",
		 "T-Mobile LTE 16.7 Mbit/s in Mahimahi, taxi 17.1 in DeepCC"),
	    "10%", TEN_PERCENT, CLEAN, END);

const struct wl_preset_row wl_lte_good_up[] =
	LTE("14112kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, 16QAM, I_TBS 14", "-",
		 "T-Mobile LTE 13.3 Mbit/s in Mahimahi"),
	    "10%", TEN_PERCENT, CLEAN, LTE_ACCESS("10ms"), END);

const struct wl_preset_row wl_lte_edge[] =
	LTE("3624kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 4, I_TBS 4",
		 "-", "AT&T LTE driving 4.56 Mbit/s in Mahimahi"),
	    "30%", LATE_CQI, CLEAN, END);

const struct wl_preset_row wl_lte_edge_up[] =
	LTE("1800kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, power for 15 resource blocks, I_TBS 7", "-",
		 "AT&T LTE driving 1.91 Mbit/s in Mahimahi"),
	    "30%", LATE_CQI, CLEAN, LTE_ACCESS("20ms"), END);

const struct wl_preset_row wl_lte_train[] =
	LTE("8760kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 7, I_TBS 10",
		 "-", "taxi 9.6 Mbit/s in DeepCC"),
	    "30%", LATE_CQI, HANDOVERS, END);

const struct wl_preset_row wl_lte_train_up[] =
	LTE("3496kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, power for 25 resource blocks, I_TBS 8", "-",
		 "Verizon LTE 5.95 Mbit/s in Mahimahi"),
	    "30%", LATE_CQI, HANDOVERS, LTE_ACCESS("20ms"), END);

/* The network begins: the receiver sleeps, and may have no connection. */
const struct wl_preset_row wl_lte_push[] =
	LTE("16416kbit", SAYS("as lte-good", "as lte-good", "as lte-good"),
	    "10%", TEN_PERCENT, CLEAN,
	    { "drx", "320ms",
	      SAYS("TS 36.331, 6.3.2, DRX-Config, 10 to 2560 ms", "off in srsRAN_4G",
		   "MTN Ghana, 90 % of connections (a blog, the one source)") },
	    { "drx_on", "10ms",
	      SAYS("TS 36.331, 6.3.2, 1 to 200 ms", "off in srsRAN_4G", "MTN Ghana") },
	    { "drx_inactivity", "200ms",
	      SAYS("TS 36.331, 6.3.2, 1 to 2560 ms", "off in srsRAN_4G", "MTN Ghana") },
	    { "drx_short", "40ms",
	      SAYS("TS 36.331, 6.3.2, 2 to 640 ms", "off in srsRAN_4G", "MTN Ghana") },
	    IDLE,
	    { "rrc_paging", "1280ms",
	      SAYS("TS 36.331, 6.3.1, 320 to 2560 ms", "srsRAN_4G 1280 ms",
		   "RRC-Probe, 0.5 to 1 s more than connected") }, END);

const struct wl_preset_row wl_nr_fr1[] =
	NR("147552kbit",
	   SAYS("TS 38.214, 5.1.3.2, 40 MHz at 30 kHz, CQI 12, one layer",
		"two or four layers in srsRAN_Project", "-"),
	   "10%", TEN_PERCENT, "4ms", BY_K1, END);

const struct wl_preset_row wl_nr_fr1_up[] =
	NR("53264kbit",
	   SAYS("TS 38.214, 6.1.4.2, 40 MHz at 30 kHz, 16QAM at 490/1024, one layer", "-", "-"),
	   "10%", TEN_PERCENT, "4ms", BY_K2, NR_ACCESS, END);

const struct wl_preset_row wl_nr_fr1_edge[] =
	NR("40992kbit",
	   SAYS("TS 38.214, 5.1.3.2, 40 MHz at 30 kHz, CQI 4, one layer", "-", "-"),
	   "30%", LATE_CQI, "4ms", BY_K1, END);

const struct wl_preset_row wl_nr_fr1_edge_up[] =
	NR("3856kbit",
	   SAYS("TS 38.214, 6.1.4.2, power for 24 resource blocks, QPSK at 308/1024", "-", "-"),
	   "30%", LATE_CQI, "4ms", BY_K2, NR_ACCESS, END);

#define TDD(direction) \
	{ "tdd", "DDDSU", \
	  SAYS("TS 38.331, 6.3.2, TDD-UL-DL-ConfigCommon, 2.5 ms", \
	       "DDDSU wanted of Simu5G, 7 and 3 slots of 10 in FikoRE", "-") }, \
	{ "tdd_direction", direction, CHOICE("this is one way") }, \
	{ "tdd_special", "10", \
	  SAYS("TS 38.331, 6.3.2, nrofDownlinkSymbols", "10 wanted of Simu5G", "-") }

const struct wl_preset_row wl_nr_sa_tdd[] =
	NR("147552kbit",
	   SAYS("TS 38.214, 5.1.3.2, 40 MHz at 30 kHz, CQI 12, one layer, of a slot",
		"two or four layers in srsRAN_Project",
		"114 Mbit/s of 40 MHz with DDSU, srsRAN_Project issue 1192"),
	   "10%", TEN_PERCENT, "5ms",
	   "TS 38.213, 9.2.3, feedback waits for U: two patterns", TDD("downlink"), END);

const struct wl_preset_row wl_nr_sa_tdd_up[] =
	NR("53264kbit",
	   SAYS("TS 38.214, 6.1.4.2, 40 MHz at 30 kHz, 16QAM at 490/1024, one layer, of a slot",
		"-", "59 Mbit/s of 40 MHz with one slot of four, srsRAN_Project issue 1192"),
	   "10%", TEN_PERCENT, "5ms",
	   "TS 38.214, 6.1.2.1, data wait for U: two patterns", TDD("uplink"), NR_ACCESS, END);

const struct wl_preset_row wl_starlink[] = {
	{ "rate", "150mbit",
	  SAYS("-", "-", "100 to 200 Mbit/s promoted, tests reach 300 (UCLouvain, IMC 2022)") },
	{ "tti", "0", CHOICE("the frames are not public") },
	{ "delay", "20ms",
	  SAYS("-", "-", "RTT median 50 ms, least 20 ms (UCLouvain, IMC 2022)") },
	{ "limit", "200ms", CHOICE("no source names the buffer") },
	{ "sched", "fifo", CHOICE("one user") },
	{ "channel", "twostate", CHOICE("outages, which end a satellite's turn") },
	{ "mean_good", "15s",
	  SAYS("-", "userspace/wlab/examples/starlink.schedule has exact times",
	       "reconfiguration each 15 s, for all at once (arXiv 2310.09242)") },
	{ "mean_bad", "100ms", CHOICE("sources give loss, not lengths") },
	{ "ber_good", "0", CHOICE("loss at changes only") },
	{ "ber_bad", "1e-4",
	  SAYS("-", "-", "up to half of the packets at a change (IMC 2022)") },
	{ "mode", "tm", CHOICE("retransmission is not public") },
	{ NULL, NULL, NULL },
};

/*
 * A QoS flow on a bearer of its own, beside any link with sched prio: TS 23.501, table
 * 5.7.4-1. The mode is the link's where loss is to be rare.
 */
#define FIVE_QI(priority, budget, budget_stacks, ...) { \
	{ "prio", priority, \
	  SAYS("TS 23.501, table 5.7.4-1, default priority level", \
	       "the same in srsRAN_Project", "-") }, \
	{ "discard_timer", budget, \
	  SAYS("TS 23.501, table 5.7.4-1, packet delay budget", budget_stacks, "-") }, \
	__VA_ARGS__ \
}

#define NO_DISCARD	"srsRAN_Project's qos.yml never discards"
#define QCI_DISCARD	"srsRAN_4G 100 ms, srsRAN_Project's qos.yml never"

#define LOSSY(reorder) \
	{ "mode", "lte-um", \
	  SAYS("TS 23.501, table 5.7.4-1, one packet in 100 or 1000 may be lost", \
	       "um in srsRAN_Project, whose um of NR wlink has not", "-") }, \
	{ "reorder_timer", reorder, \
	  SAYS("TS 36.331, 6.3.2, 0 to 200 ms", "srsRAN_Project, t-Reassembly", "-") }

#define GBR(rate, codec) \
	{ "gbr", rate, SAYS(codec, "-", "-, of a flow, not of the class") }

const struct wl_preset_row wl_5qi_1[] =
	FIVE_QI("20", "100ms", NO_DISCARD, LOSSY("50ms"),
		GBR("41kbit", "TS 26.114, AMR-WB of 23.85 kbit/s over IPv4"), END);
const struct wl_preset_row wl_5qi_2[] =
	FIVE_QI("40", "150ms", NO_DISCARD, LOSSY("50ms"),
		GBR("384kbit", "TS 26.114, 5.2.2, H.264 of level 1.2, 384 kbit/s at most"), END);
const struct wl_preset_row wl_5qi_3[] = FIVE_QI("30", "50ms", "-", LOSSY("50ms"), END);
const struct wl_preset_row wl_5qi_4[] = FIVE_QI("50", "300ms", "-", END);
const struct wl_preset_row wl_5qi_5[] = FIVE_QI("10", "100ms", NO_DISCARD, END);
const struct wl_preset_row wl_5qi_6[] = FIVE_QI("60", "300ms", "-", END);
const struct wl_preset_row wl_5qi_7[] = FIVE_QI("70", "100ms", QCI_DISCARD, LOSSY("100ms"), END);
const struct wl_preset_row wl_5qi_8[] = FIVE_QI("80", "300ms", "-", END);
const struct wl_preset_row wl_5qi_9[] = FIVE_QI("90", "300ms", QCI_DISCARD, END);
