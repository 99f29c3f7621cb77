// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "blocks.h"
#include "hostile.h"
#include "say.h"
#include "wl_schedules.h"

void hostile_default(struct wl_cfg *cfg)
{
	wl_cfg_default(cfg);
	say(cfg, "rate 100gbit seed 1 limit 1000000");
}

void hostile_lose(struct wl_cfg *cfg, double part)
{
	cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg->channel.loss_q32 = part >= 1 ? WLINK_PROB_ONE :
				(u32)(part * WLINK_PROB_ONE);
}

/* What rows have in common, as large or as short as it may be. */
#define DEAF		"rev_rate 100gbit rev_channel uniform rev_loss 1 "
#define LOSE(part)	"channel uniform loss " part " "
#define SHARED(sched)	"rate 1kbit tti 1us sched " sched
#define AM(pdu)		"mode am pdu " pdu " window 4095 poll_timer 1us discard timer " \
			"discard_timer 3600s "
#define AM_HUGE		AM("65535") "header 0 "
#define AM_FAR		AM_HUGE "poll_timer off status_prohibit off "
#define AM_REPORTS	AM("8") LOSE("0.5") DEAF "status_periodic 1us status_prohibit off "
#define AM_ANSWERS	AM_REPORTS "status list rev_channel none "
#define AM_RESET(pdu)	AM(pdu) LOSE("0.1") "discard reset discard_timer off maxdat 2 " \
			"reset_timer 1us "
#define AM_HOLE		AM("1400") LOSE("0.001") "delay 10ms "
#define UM(pdu)		"mode um pdu " pdu " reorder 64 " LOSE("0.1")
#define CELL(mode)	"tti 1ms mode " mode " rate 10mbit delay 10ms reorder_timer 200ms " \
			LOSE("0.01")
#define FSR		"mode fsr pdu 100 window 2048 rto 1us nack_guard 1us " LOSE("0.5")
#define HARQ		"tti 10ms rate 40mbit harq 8 harq_rtt 80ms harq_max 2 "
/* A bit in 64, in the bad state, as the hazard that the core has. */
#define TWOSTATE	"tti 1s rate 10kbit channel twostate mean_good 1us mean_bad 1us " \
			"ber_bad 1125899906842624"
#define CODEL		"rate 1mbit aqm codel target 1us interval 1us "
#define EXPIRES		"rate 1mbit discard_timer 1us"
#define FAR		"rate 100mbit pdu 40 "

/* --- schedules --- */

/* @count steps of one column, @gap_ns from one to the next. */
static struct wl_schedule *steps(enum wlink_column column, u32 count, u64 gap_ns,
				 u64 value)
{
	struct wl_schedule *schedule = wl_schedules_new(1U << column);
	u64 *words = zeroed(count, 2 * sizeof(*words));

	for (u32 i = 0; i < count; i++) {
		words[2 * i] = i * gap_ns;
		words[2 * i + 1] = value + i % 2;
	}
	if (wl_schedules_add(schedule, count, words) != count)
		abort();
	free(words);
	return schedule;
}

static struct wl_schedule *at_once(u32 bearer)
{
	return steps(WLINK_COLUMN_RATE, SDUS_MAX, 0, 384000);
}

static struct wl_schedule *at_first_sdu(u32 bearer)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 1024, 0, 384000);

	schedule->start_ns = WLINK_START_PACKET;
	return schedule;
}

static struct wl_schedule *loop(u32 bearer)
{
	struct wl_schedule *schedule = steps(WLINK_COLUMN_RATE, 2, 1, 384000);

	schedule->end = WLINK_SCHEDULE_END_LOOP;
	return schedule;
}

/* What bearer 1 has concerns the others' channels. */
static struct wl_schedule *loop_first(u32 bearer)
{
	return bearer > 1 ? NULL : loop(bearer);
}

static struct wl_schedule *loop_losses(u32 bearer)
{
	struct wl_schedule *schedule;

	if (bearer > 1)
		return NULL;
	schedule = steps(WLINK_COLUMN_LOSS, 2, 1, 1);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	return schedule;
}

static struct wl_schedule *one_grant(u32 bearer)
{
	return steps(WLINK_COLUMN_GRANT, 1, 0, WLINK_GRANT_MAX);
}

#define ALL	WLINK_BEARERS_MAX

const struct hostile hostile[] = {
	{ "pf, all bearers busy, least TTI", SHARED("pf"), ALL, 2 * ALL, 1400, SEC },
	{ "rr, the same", SHARED("rr"), ALL, 2 * ALL, 1400, SEC },
	{ "fifo, the same", SHARED("fifo"), ALL, 2 * ALL, 1400, SEC },
	{ "dedicated, the same", SHARED("dedicated"), ALL, 2 * ALL, 1400, SEC },
	{ "pf, all bearers, much sent", "tti 10ms sched pf", ALL, SDUS_MAX, 1400, SEC },
	{ "am, SDUs of 1 byte in PDUs of 65535, all lost", AM_HUGE LOSE("1"), 1, SDUS_MAX, 1,
	  100 * MS },
	{ "am, the same, none lost", AM_HUGE, 1, SDUS_MAX, 1, 100 * MS },
	{ "am, the same, half lost", AM_HUGE LOSE("0.5"), 1, SDUS_MAX, 1, 100 * MS },
	{ "am, the same, acknowledged at once, 5 bearers", AM_FAR, 5, 42000, 1, 100 * MS },
	{ "am, the same, all arrive at once out of order, 5 bearers",
	  AM_FAR "delay 100ms in_order off", 5, 42000, 1, 90 * MS, "delay 0 rev_delay 0", SEC },
	{ "am, the same, an aqm that looks at each SDU",
	  AM_HUGE LOSE("1") "aqm codel target 1us interval 3600s", 12, SDUS_MAX, 1, 100 * MS },
	{ "am, bitmaps of 4095, half missing", AM_REPORTS, 1, SDUS_MAX, 40, 100 * MS },
	{ "am, lists of 4095, half missing", AM_REPORTS "status list", 1, SDUS_MAX, 40, 100 * MS },
	{ "am, lists that arrive", AM_ANSWERS, 1, SDUS_MAX, 40, 100 * MS },
	{ "am, many give up by MRW", AM_ANSWERS "discard mrw discard_timer off maxdat 2", 1,
	  SDUS_MAX, 1, 100 * MS },
	{ "am, RESET with a full window", AM_RESET("1400"), 1, SDUS_MAX, 20, 100 * MS },
	{ "am, a hole is filled before many", AM_HOLE, 1, SDUS_MAX, 1, SEC },
	{ "am, out of order", AM_HOLE "in_order off", 1, SDUS_MAX, 1, SEC },
	{ "am, all bearers", AM_REPORTS "status list", 256, SDUS_MAX, 40, 100 * MS },
	{ "am, Timer_Discard of all", AM("1400") EXPIRES, 1, SDUS_MAX, 40, 100 * MS },
	{ "um, the same", UM("65534") EXPIRES, 1, SDUS_MAX, 40, 100 * MS },
	{ "tm, the same", EXPIRES, 1, SDUS_MAX, 40, 100 * MS },
	{ "am, a shorter way: all arrive at once",
	  AM("40") FAR "delay 100ms status_prohibit off poll_pdu 1", 1, SDUS_MAX, 40, 90 * MS,
	  "delay 0 rev_delay 0", SEC },
	{ "um, the same", UM("40") FAR "delay 1s channel uniform loss 0", 1, SDUS_MAX, 40, 900 * MS,
	  "delay 0 rev_delay 0", 10 * SEC },
	{ "asr, the same", FSR "mode asr window 2048 rto 1s delay 100ms ack_bytes 1", 1, SDUS_MAX,
	  40, 90 * MS, "delay 0 rev_delay 0", SEC },
	{ "plain, the same", "delay 1s", 1, SDUS_MAX, 1400, 10 * MS, "delay 0 rev_delay 0",
	  10 * SEC },
	{ "um, SDUs of 1 byte in large PDUs, reordered", UM("65534"), 1, SDUS_MAX, 1, 100 * MS },
	{ "um, one PDU in 10000 comes", UM("3") LOSE("0.9999"), 1, 10, 65000, SEC },
	{ "um, all PDUs but few are lost",
	  UM("3") LOSE("0.99997") "rate 100mbit reorder_timer 3600s", 1, SDUS_MAX, 3, 40 * SEC },
	{ "lte-um, a hole before many SDUs", CELL("lte-um") "reorder_timer 1600ms", 1, SDUS_MAX, 4,
	  4 * SEC },
	{ "lte-am, a hole before many SDUs", CELL("lte-am") "poll_timer 4s", 1, SDUS_MAX, 4,
	  4 * SEC },
	{ "nr-am, what has come has many holes",
	  CELL("nr-am") LOSE("0.5") "rate 160kbit poll_timer 4s maxretx 32", 1, 2000, 1500,
	  60 * SEC },
	{ "am, RESET is never answered", AM_RESET("65000") DEAF "maxrst 1", 1, SDUS_MAX, 1,
	  100 * MS },
	{ "fsr, a faster way back for much feedback", FSR "rev_rate 1kbit delay 10ms", 1, SDUS_MAX,
	  100, 200 * MS, "rev_rate 2kbit", SEC },
	{ "fsr, much feedback waits when a pair begins", FSR LOSE("0.9") "rto 1s delay 100ms", 50,
	  SDUS_MAX, 100, 90 * MS, "rate 0", SEC, .pair = true },
	{ "um, a TTI of 10 s", UM("1400") "tti 10s rate 500mbit", 1, SDUS_MAX, 40, 100 * SEC },
	{ "um, transport blocks of many PDUs", UM("4") HARQ LOSE("0.5"), 1, SDUS_MAX, 1, SEC },
	{ "tm, transport blocks of many SDUs", HARQ LOSE("0.5"), 1, SDUS_MAX, 1, SEC },
	{ "tm, a TTI of 10 s", "tti 10s delay 1ms", 1, SDUS_MAX, 1400, 100 * SEC },
	{ "tm, PDUs of 1 byte, half lost", "pdu 1 tti 10ms " LOSE("0.5"), 1, SDUS_MAX, 1400, SEC },
	{ "fsr, half lost, timers of 1 us", FSR, 1, SDUS_MAX, 100, 100 * MS },
	{ "fsr, no feedback", FSR DEAF, 1, SDUS_MAX, 100, 100 * MS },
	{ "twostate, sojourns of 1 us, all bearers", TWOSTATE, ALL, 2 * ALL, 1400, 100 * SEC },
	{ "twostate, another channel after 100 s, all bearers", TWOSTATE, ALL, 0, 0, 100 * SEC,
	  LOSE("0.5"), SEC },
	{ "twostate, other sojourns after 100 s, 64 bearers", TWOSTATE, 64, 0, 0, 100 * SEC,
	  "mean_good 2us", SEC },
	{ "codel, everything is late", CODEL, 1, SDUS_MAX, 40, SEC },
	{ "codel, fifo, all bearers", CODEL "sched fifo", ALL, SDUS_MAX, 40, SEC },
	{ "codel, um, many SDUs in a PDU", UM("65534") CODEL, 1, SDUS_MAX, 1, SEC },
	{ "limit 1 on a full buffer", "rate 1kbit", 1, SDUS_MAX, 40, SEC, "limit 1", SEC },
	{ "half the limit", "rate 1kbit", 1, SDUS_MAX, 40, SEC, "limit 50000", SEC },
	{ "limit 1, am", AM("40") "rate 1kbit", 1, SDUS_MAX, 40, SEC, "limit 1", SEC },
	{ "another PDU, am", AM("40") "rate 1kbit", 1, SDUS_MAX, 40, SEC, "pdu 41", SEC },
	{ "tm becomes am", "rate 1kbit", 1, SDUS_MAX, 40, SEC, "mode am", SEC },
	{ "am becomes tm", AM("40") "rate 1kbit", 1, SDUS_MAX, 40, SEC, "mode tm", SEC },
	{ "another TTI, all bearers", "rate 1kbit tti 10ms", ALL, 2 * ALL, 40, SEC, "tti 20ms",
	  SEC },
	{ "pf from now on, all bearers", "rate 1kbit tti 10ms", ALL, 2 * ALL, 40, SEC, "sched pf",
	  SEC },
	{ "another sched many times, all bearers", "rate 1kbit", ALL, 2 * ALL, 40, SEC, "sched rr",
	  SEC, .often = true },
	{ "am, another PDU, all bearers", AM("40") "rate 1kbit", 256, SDUS_MAX, 40, SEC, "pdu 41",
	  SEC },
	{ "a full buffer is forwarded", "rate 1kbit", 1, SDUS_MAX, 40, SEC, .forward = true },
	{ "the same, am", AM("40") "rate 1kbit", 1, SDUS_MAX, 40, SEC, .forward = true },
	{ "the same, on its way", "delay 1s", 1, SDUS_MAX, 1400, 10 * MS, .forward = true },
	{ "a bearer of two is deleted, full", "rate 1kbit", 2, SDUS_MAX, 40, SEC, .del = true },
	{ "the same, am", AM("40") "rate 1kbit", 2, SDUS_MAX, 40, SEC, .del = true },
	{ "the same, on its way", "delay 1s", 2, SDUS_MAX, 1400, 10 * MS, .del = true },
	{ "a bearer of an engine that is behind is forwarded", "rate 1kbit", 2, 0, 40, SEC,
	  .late = SDUS_MAX, .forward = true },
	{ "the same is deleted", "rate 1kbit", 2, 0, 40, SEC, .late = SDUS_MAX, .del = true },
	{ "one that nobody dequeues from is deleted", "delay 0", 2, 0, 40, SEC, .late = SDUS_MAX,
	  .due = true, .del = true },
	{ "all bearers are flushed", "rate 1kbit", ALL, SDUS_MAX / 4, 40, SEC, .late = SDUS_MAX / 4,
	  .flush = true },
	{ "the same, nobody dequeues", "delay 0", ALL, 0, 40, SEC, .late = SDUS_MAX / 2,
	  .due = true, .flush = true },
	{ "other HARQ with 100000 SDUs in blocks", HARQ LOSE("0") "harq_bler 1", 1, SDUS_MAX, 1,
	  25 * MS, "harq_rtt 40ms", SEC },
	{ "tm becomes am, the same", HARQ LOSE("0") "harq_bler 1", 1, SDUS_MAX, 1, 25 * MS,
	  "mode am", SEC },
	{ "um becomes am, the same", UM("4") HARQ LOSE("0") "harq_bler 1", 1, SDUS_MAX, 4, 75 * MS,
	  "mode am", SEC },
	{ "another TTI, the same, two bearers", UM("4") HARQ LOSE("0") "harq_bler 1", 2, SDUS_MAX,
	  4, 45 * MS, "tti 20ms", SEC },
	{ "rr, all bearers are guaranteed something", SHARED("rr"), ALL, 2 * ALL, 1400, SEC,
	  "gbr 1bit", SEC },
	{ "another seed, all bearers", "rate 1kbit tti 10ms", ALL, 2 * ALL, 40, SEC, "seed 2",
	  SEC },
	{ "a longer way: rings placed anew, um", UM("40") FAR "delay 1s channel uniform loss 0", 1,
	  SDUS_MAX, 40, 900 * MS, "delay 3s", SEC },
	{ "schedule, 100000 steps at one time", "rate 1kbit", 1, 0, 0, SEC, .schedule = at_once },
	{ "schedule, 1024 steps at the first SDU, all bearers", "rate 1kbit", ALL, 2 * ALL, 40, SEC,
	  .schedule = at_first_sdu },
	{ "schedule, a loop of 1 us steps, idle", "rate 1kbit", 1, 0, 0, HOUR, .schedule = loop },
	{ "schedule, the same, all bearers", "rate 1kbit", ALL, 0, 0, SEC, .schedule = loop },
	{ "schedule, the same, bearer 1 of all", "rate 1kbit", ALL, 0, 0, SEC,
	  .schedule = loop_first },
	{ "schedule, a loop of losses, bearer 1 of all", "rate 1kbit", ALL, 0, 0, SEC,
	  .schedule = loop_losses },
	{ "schedule, an opportunity for all at once", "pdu 1", 1, SDUS_MAX, 1, SEC,
	  .schedule = one_grant },
};

const u32 hostile_cases = ARRAY_SIZE(hostile);
