// SPDX-License-Identifier: GPL-2.0
#include "wl_words.h"

const char *wl_words_usage(void)
{
	return
"	[preset NAME] rate RATE [tti TIME] [delay TIME] [pdu BYTES]\n"
"	[header BYTES] [limit LIMIT] [seed N] [channel CHANNEL]\n"
"	[sched dedicated|fifo|rr|prio|pf] [prio N]\n"
"	[mode tm|um|am|fsr|asr] [RLC] [REVERSE]\n"
"\n"
"RATE    := bit/s of PDU payload, bare or with bit kbit mbit gbit,\n"
"           or bytes/s with bps kbps mbps gbps\n"
"TIME    := number with ns us ms s\n"
"BYTES   := bare number, or with b kb mb kib mib\n"
"LIMIT   := packets (bare number) | BYTES with unit | TIME at the current rate\n"
"CHANNEL := none | uniform loss PROB |\n"
"           gilbert p PROB r PROB [loss_good PROB] [loss_bad PROB] |\n"
"           twostate mean_good TIME mean_bad TIME ber_good BER ber_bad BER |\n"
"           rayleigh fer PROB fdt X | link\n"
"PROB    := 0..1 or a percentage such as 10%\n"
"BER     := bit error rate such as 1e-6\n"
"TIMER   := TIME | off\n"
"RLC     := tm, um, am: [discard_timer TIMER]\n"
"           um: [reorder N|off] [reorder_timer TIME] [duplicates on|off]\n"
"           am: [window N] [in_order on|off] [poll_last on|off]\n"
"               [poll_last_retx on|off] [poll_pdu N|off] [poll_sdu N|off]\n"
"               [poll_window PERCENT|off] [poll_timer TIMER]\n"
"               [poll_periodic TIMER] [poll_prohibit TIMER]\n"
"               [missing on|off] [status_periodic TIMER]\n"
"               [status_prohibit TIMER] [status list|bitmap]\n"
"               [discard mrw|reset|timer] [maxdat N] [mrw_timer TIME]\n"
"               [maxmrw N] [reset_timer TIME] [maxrst N]\n"
"           fsr, asr: [window N] [rto TIME] [ack_delay TIME]\n"
"               [ack_bytes BYTES] [nack_guard TIME|auto]\n"
"           asr: [alpha X] [beta X] [rttvar abs|signed]\n"
"REVERSE := [rev_rate RATE|same] [rev_delay TIME|same] [rev_channel CHANNEL,\n"
"           its words with rev_ before them]\n";
}
