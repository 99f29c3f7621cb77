// SPDX-License-Identifier: GPL-2.0
/*
 * LTE, NR and Starlink, downlink. Each number has three sources: the specification,
 * what open stacks and simulators set, and what somebody has measured; - where there
 * is none.
 */
#include "presets/presets.h"

#define SAYS(spec, stacks, measured) \
	"spec: " spec "; stacks: " stacks "; measured: " measured
#define CHOICE(why)	SAYS("-", "-", "-, wlink's choice: " why)

#define BLER_SPEC	"TS 36.213 and 38.214, CQI means at most 10 %"
#define BLER_STACKS	"FikoRE 10 %, srsRAN_4G 5 %, srsRAN_Project and Simu5G 1 %: " \
			"they differ by ten"

#define COMMON \
	{ "limit", "4096", \
	  SAYS("-", "srsRAN_Project 4096 SDUs or 6.17 MB, ns-3 10 KiB", \
	       "several seconds of queue, Sprout (NSDI 2013)") }, \
	{ "sched", "pf", \
	  SAYS("left to the implementation", "pf in srsRAN and ns-3", "-") }, \
	{ "channel", "none", \
	  CHOICE("harq_bler has the errors of the air") }, \
	{ "mode", "tm", \
	  CHOICE("HARQ gives up less than one block in 10^5") }, \
	{ "harq_factor", "20%", \
	  SAYS("-", "Simu5G and FikoRE 0.2 for each attempt", "-") }, \
	{ "harq_max", "4", \
	  SAYS("TS 36.331, maxHARQ-Tx 1 to 28, default 5", \
	       "4 in srsRAN and FikoRE, 3 repetitions in Simu5G", "-") }

#define LTE(rate_, rate_source, delay_, bler_, bler_measured) { \
	{ "rate", rate_, rate_source }, \
	{ "tti", "1ms", SAYS("TS 36.211, 4.1, a subframe", "as specified", "-") }, \
	{ "delay", delay_, \
	  SAYS("TR 25.913, 6.2.2, below 5 ms one way", "-", "-") }, \
	COMMON, \
	{ "harq", "8", SAYS("TS 36.213, 7, FDD", "8 in all", "-") }, \
	{ "harq_bler", bler_, SAYS(BLER_SPEC, BLER_STACKS, bler_measured) }, \
	{ "harq_rtt", "8ms", \
	  SAYS("TS 36.321, 7.7, HARQ RTT timer of 8 subframes", \
	       "8 ms, FikoRE 5 + 2", "8 ms steps of VoLTE") }, \
	{ NULL, NULL, NULL }, \
}

#define NR(rate_, rate_source, bler_, bler_measured, rtt_, rtt_spec) { \
	{ "rate", rate_, rate_source }, \
	{ "tti", "500us", \
	  SAYS("TS 38.211, 4.3.2, a slot at 30 kHz", \
	       "30 kHz in srsRAN_Project and FikoRE", "-") }, \
	{ "delay", "4ms", SAYS("TR 38.913, 7.5, 4 ms one way for eMBB", "-", "-") }, \
	COMMON, \
	{ "harq", "16", \
	  SAYS("TS 38.214, 5.1, up to 16", "16 in srsRAN_Project, 5 in Simu5G", "-") }, \
	{ "harq_bler", bler_, SAYS(BLER_SPEC, BLER_STACKS, bler_measured) }, \
	{ "harq_rtt", rtt_, \
	  SAYS(rtt_spec, "k1 and k2 of 4 slots or more in srsRAN_Project", "-") }, \
	{ NULL, NULL, NULL }, \
}

#define TEN_PERCENT	"10 % in the delay profiles of TS 26.132"
#define LATE_CQI	"by wlab channel, CQI of 40 ms that is 8 ms late: above 20 % for who moves"

const struct wl_preset_row wl_lte_good[] =
	LTE("16416kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 10, I_TBS 16",
		 "75 Mbit/s of 20 MHz in srsRAN_4G's tests",
		 "T-Mobile LTE 16.7 Mbit/s in Mahimahi, taxi 17.1 in DeepCC"),
	    "5ms", "10%", TEN_PERCENT);

const struct wl_preset_row wl_lte_edge[] =
	LTE("3624kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 4, I_TBS 4",
		 "-", "AT&T LTE driving 4.56 Mbit/s in Mahimahi"),
	    "5ms", "30%", LATE_CQI);

const struct wl_preset_row wl_lte_train[] =
	LTE("8760kbit",
	    SAYS("TS 36.213, table 7.1.7.2.1-1, 50 resource blocks, CQI 7, I_TBS 10",
		 "-", "taxi 9.6 Mbit/s in DeepCC"),
	    "5ms", "30%", LATE_CQI);

const struct wl_preset_row wl_nr_fr1[] =
	NR("147552kbit",
	   SAYS("TS 38.214, 5.1.3.2, 40 MHz at 30 kHz, CQI 12, one layer",
		"two or four layers in srsRAN_Project", "-"),
	   "10%", TEN_PERCENT, "4ms",
	   "TS 38.213, 9.2.3, set by k1");

const struct wl_preset_row wl_nr_fr1_edge[] =
	NR("40992kbit",
	   SAYS("TS 38.214, 5.1.3.2, 40 MHz at 30 kHz, CQI 4, one layer", "-", "-"),
	   "30%", LATE_CQI, "4ms",
	   "TS 38.213, 9.2.3, set by k1");

const struct wl_preset_row wl_nr_sa_tdd[] =
	NR("109188480",
	   SAYS("TS 38.331, DDDSU of 2.5 ms with 10 of 14 symbols in S: 0.74 of nr-fr1",
		"DDDSU wanted of Simu5G, 7 and 3 slots in FikoRE", "-"),
	   "10%", TEN_PERCENT, "5ms",
	   "TS 38.213, 9.2.3, feedback waits for U: two patterns");

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
