// SPDX-License-Identifier: GPL-2.0
/*
 * The links that Seawind was made for. The emulation paper and thesis (Gurtov: "Technical
 * issues of real-time network simulation in Linux") name GPRS and HSCSD, packets of 1000,
 * 200 and 25 bytes and a line of 9600 bit/s; of rates, delays, buffers and errors of either
 * they say nothing. Rates and frames are those of the specifications.
 *
 * Of TS 44.060, TS 24.022 and RFC 3481 the clauses were checked against their titles; of GPRS the
 * sizes, the window and the multislot class against osmo-pcu; TS 45.003, 3.8, and TS 22.034 against
 * the text; defaults of RLP against what equipment documents. "Not checked" is from memory.
 */
#include "presets/presets.h"

#define EMULATION	"emulation paper, section 3: "
#define CHOICE		"wlink's choice: "
#define NOT_CHECKED	" (not checked against the text)"
#define END		{ NULL, NULL, NULL }

/* RFC 3481 is by Gurtov, too. */
#define ROUND_TRIP	"RFC 3481, 2.1: round trips of a few hundred ms to a second; "

#define GPRS_LINK(delay, delay_source) \
	{ "tti", "20ms", "TS 43.064: multiframe of 240 ms with 12 radio blocks" NOT_CHECKED }, \
	{ "delay", delay, delay_source }, \
	{ "limit", "50", \
	  CHOICE "the sources name no buffer for it" }, \
	{ "sched", "dedicated", CHOICE "one user" }, \
	{ "channel", "none", \
	  CHOICE "the papers name no loss; add one: at the sensitivity of TS 45.005, 6.2, " \
	  "10 % of the blocks" }

#define GPRS_RLC \
	{ "mode", "am", "TS 44.060, 9.3.2: RLC acknowledged mode" }, \
	{ "window", "64", "TS 44.060, 9.1.9: GPRS window of 64 blocks" }, \
	{ "in_order", "on", "TS 44.060, 9.1.12: reassembled in order" }, \
	{ "poll_last", "on", "TS 44.060, 10.4.8: the final block is marked and confirmed" }, \
	{ "poll_last_retx", "on", CHOICE "without it a lost end waits" }, \
	{ "poll_pdu", "16", CHOICE "a quarter of the window" }, \
	{ "poll_sdu", "off", CHOICE "blocks are counted, not packets" }, \
	{ "poll_window", "off", CHOICE "blocks are counted" }, \
	{ "poll_timer", "800ms", \
	  CHOICE "above the round trip; a value of TS 25.331, 10.3.4" }, \
	{ "poll_periodic", "off", CHOICE "blocks are counted" }, \
	{ "poll_prohibit", "off", CHOICE "polls are rare" }, \
	{ "missing", "off", "TS 44.060, 10.4.4: reports come on request, the S/P bit" }, \
	{ "status_periodic", "off", "as missing" }, \
	{ "status_prohibit", "off", "as missing" }, \
	{ "status", "bitmap", "TS 44.060, 9.1.8: received block bitmap" }, \
	{ "discard", "mrw", CHOICE "a release of the TBF is not modelled" }, \
	{ "maxdat", "40", CHOICE "GPRS has no such limit; the largest of TS 25.331" }, \
	{ "discard_timer", "off", CHOICE "the sources name none" }, \
	{ "mrw_timer", "900ms", CHOICE "above the round trip, TS 25.331, 10.3.4" }, \
	{ "maxmrw", "8", CHOICE "a value of TS 25.331, 10.3.4" }, \
	{ "reset_timer", "1s", CHOICE "above the round trip, TS 25.331, 10.3.4" }, \
	{ "maxrst", "8", CHOICE "a value of TS 25.331, 10.3.4" }

const struct wl_preset_row wl_gprs[] = {
	{ "rate", "9600",
	  "emulation thesis: the slow link of its examples" },
	{ "pdu", "25", EMULATION "typical RLC packet of 25 bytes" },
	{ "header", "2", "TS 44.060, 10.2: RLC header of 2 octets" },
	GPRS_LINK("250ms", CHOICE "with blocks and feedback a round trip above half a second"),
	GPRS_RLC,
	{ "rev_rate", "same", CHOICE "one time slot each way" },
	{ "rev_delay", "same", CHOICE "one time slot each way" },
	{ "rev_channel", "link", CHOICE "the same both ways" },
	END
};

/*
 * A block of a time slot in 20 ms. Headers of LLC and SNDCP, some ten octets a packet, are
 * not part of it; a size table of tc-stab(8) adds them.
 */
#define GPRS(rate, rate_source, block, block_source, rev_rate) { \
	{ "rate", rate, rate_source }, \
	{ "pdu", block, block_source }, \
	{ "header", "3", "TS 44.060, 10.2: MAC header of 1 octet, RLC header of 2" }, \
	GPRS_LINK("100ms", \
		  ROUND_TRIP CHOICE "feedback comes back before the window of 64 is full"), \
	GPRS_RLC, \
	{ "rev_rate", rev_rate, "the other direction" }, \
	{ "rev_delay", "same", CHOICE "the same both ways" }, \
	{ "rev_channel", "link", CHOICE "the same both ways" }, \
	END \
}

#define THREE_SLOTS	"TS 45.002, annex B: multislot class 4, 3 time slots of "
#define ONE_SLOT	"TS 45.002, annex B: multislot class 4, 1 time slot of "
#define CS1		"20 octets in 20 ms; 9.05 kbit/s with headers"
#define CS2		"30 octets in 20 ms; 13.4 kbit/s with headers"
#define CS1_BLOCK	"TS 44.060, 10.2: block of 22 octets, RLC header of 2"
#define CS2_BLOCK	"TS 44.060, 10.2: block of 32 octets, RLC header of 2"

const struct wl_preset_row wl_gprs_cs1[] =
	GPRS("24kbit", THREE_SLOTS CS1, "20", CS1_BLOCK, "8kbit");
const struct wl_preset_row wl_gprs_cs1_up[] =
	GPRS("8kbit", ONE_SLOT CS1, "20", CS1_BLOCK, "24kbit");
const struct wl_preset_row wl_gprs_cs2[] =
	GPRS("36kbit", THREE_SLOTS CS2, "30", CS2_BLOCK, "12kbit");
const struct wl_preset_row wl_gprs_cs2_up[] =
	GPRS("12kbit", ONE_SLOT CS2, "30", CS2_BLOCK, "36kbit");

#define HSCSD_LINK \
	{ "delay", "150ms", \
	  "TS 45.003, 3.8.4: interleaved as TCH/F9.6, over 22 bursts, 100 ms" NOT_CHECKED "; " \
	  ROUND_TRIP \
	  CHOICE "50 ms for the rest" }, \
	{ "limit", "50", CHOICE "the sources name no buffer for it" }, \
	{ "sched", "dedicated", "TS 23.034: a circuit, time slots of one user" }, \
	{ "channel", "none", CHOICE "the papers name no loss; add one" }

/*
 * The frames of RLP's version 2, which has sequence numbers for several time slots. Its
 * layer 2 relay, of an octet a frame, is not part of it.
 */
#define HSCSD(rate, rate_source) { \
	{ "rate", rate, rate_source }, \
	{ "tti", "40ms", \
	  "TS 45.003, 3.8.1: blocks of 290 bits each 20 ms, a frame in two of them" }, \
	{ "pdu", "66", "TS 24.022, 4.1: 528 bits of information of a frame of 576" }, \
	{ "header", "6", "TS 24.022, 4.1: header and check sequence of 24 bits each" }, \
	HSCSD_LINK, \
	{ "mode", "am", "TS 24.022: RLP repeats frames, non-transparent service" }, \
	{ "window", "240", \
	  "TS 27.007, AT+CRLP: 240 by default of version 2, 61 of one time slot" }, \
	{ "in_order", "on", "TS 24.022: user data in order" NOT_CHECKED }, \
	{ "poll_last", "on", CHOICE "as an answer to the P bit" }, \
	{ "poll_last_retx", "on", CHOICE "as an answer to the P bit" }, \
	{ "poll_pdu", "16", \
	  CHOICE "RLP acknowledges with each frame of the other direction" }, \
	{ "poll_sdu", "off", CHOICE "frames are counted, not packets" }, \
	{ "poll_window", "off", CHOICE "frames are counted" }, \
	{ "poll_timer", "480ms", \
	  "TS 24.022, 5.5: T1, 480 ms by default of AT+CRLP (TS 27.007) and of 12 kbit/s; " \
	  "equipment has 520 ms by default at 14.5 kbit/s" }, \
	{ "poll_periodic", "off", CHOICE "frames are counted" }, \
	{ "poll_prohibit", "off", CHOICE "polls are rare" }, \
	{ "missing", "on", "TS 24.022, 5.2.3: SREJ or REJ when a number is missing" }, \
	{ "status_periodic", "off", CHOICE "SREJ and answers are enough" }, \
	{ "status_prohibit", "480ms", \
	  "TS 24.022, 5.3: T1 guards a frame that is requested again" NOT_CHECKED }, \
	{ "status", "list", "TS 24.022, 5.2.3.8: an SREJ names a frame" }, \
	{ "discard", "reset", "TS 24.022, 5.3: after N2 attempts the link is reset" NOT_CHECKED }, \
	{ "maxdat", "8", \
	  "TS 24.022, 5.5: N2, 6 by default of AT+CRLP: sent 7 times; maxdat is one more" }, \
	{ "discard_timer", "off", "TS 24.022: none" }, \
	{ "mrw_timer", "900ms", CHOICE "not used" }, \
	{ "maxmrw", "8", CHOICE "not used" }, \
	{ "reset_timer", "500ms", CHOICE "about T1; a value of TS 25.331, 10.3.4" }, \
	{ "maxrst", "6", CHOICE "as N2; a value of TS 25.331, 10.3.4" }, \
	{ "rev_rate", "same", CHOICE "as many time slots each way" }, \
	{ "rev_delay", "same", CHOICE "the same both ways" }, \
	{ "rev_channel", "link", CHOICE "the same both ways" }, \
	END \
}

const struct wl_preset_row wl_hscsd_28[] =
	HSCSD("26400", "TS 22.034: 2 time slots of 14.4 kbit/s; 528 bits in 40 ms of each");
const struct wl_preset_row wl_hscsd_57[] =
	HSCSD("52800", "TS 22.034: 4 time slots of 14.4 kbit/s; 528 bits in 40 ms of each");

/* Bits as they come, for PPP to check. */
const struct wl_preset_row wl_hscsd_57_t[] = {
	{ "rate", "57600", "TS 22.034: 4 time slots of 14.4 kbit/s" },
	{ "tti", "20ms", "TS 45.003, 3.8.1: blocks of 290 bits each 20 ms" },
	HSCSD_LINK,
	{ "pdu", "0", CHOICE "no frames: what an error hits PPP drops whole" },
	{ "mode", "tm", "TS 22.034: transparent service, no retransmission" },
	END
};
