// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat, stepped by hand: 64 kbit/s and 50 ms each way, frames of 250
 * bytes (31.25 ms), ACKs and NACKs of 8 (1 ms). A frame that begins at T arrives
 * at T + 81.25 ms and its ACK, if it is not delayed, at T + 132.25 ms.
 */
#include <stdlib.h>

#include "core/air/reverse.h"
#include "cell.h"
#include "say.h"
#include "sr.h"

static void sr_end(void *what)
{
	const struct peers *p = what;

	CHECK_EQ(p->b->ops->next_ns(p->b), WL_NEVER_NS);
	CHECK_EQ(p->b->mode.sr.una, p->b->mode.sr.next);
	CHECK_EQ(p->b->mode.sr.again.count, 0);
	CHECK_EQ(p->b->mode.sr.timed.count, 0);
	CHECK_EQ(p->b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	CHECK(!p->b->queue.head);
	CHECK(!p->b->passed);
}

void sr_setup(struct peers *p, enum wlink_mode mode, void (*change)(struct wl_cfg *cfg))
{
	struct wl_cfg cfg;

	ut_release(sr_end, p);
	sr_cfg(&cfg, mode);
	say(&cfg, "window 128 rto 1100ms alpha 3 beta 2 nack_guard auto");
	if (change)
		change(&cfg);
	peers_init(p, &cfg);
	ut_defer(sr_end, p);
}

void sr_cfg(struct wl_cfg *cfg, enum wlink_mode mode)
{
	wl_cfg_default(cfg);
	wl_cfg_set_mode(cfg, mode);
	say(cfg, "rate 64kbit delay 50ms pdu 250 limit %d ack_delay 0 ack_bytes 8", CELL_SDUS);
}

void sr_arrive(struct peers *p, u32 sdus)
{
	while (sdus--)
		peers_arrive(p, p->now_ns, 250);
}

static void rto_60ms(struct wl_cfg *cfg)
{
	cfg->rlc.rto_ns = 60 * WL_MS;
}

static struct peers p;

CASE(sr, "sr: a frame and its ACK take a round trip")
{
	sr_setup(&p, WLINK_MODE_ASR, NULL);
	sr_arrive(&p, 1);
	CHECK_EQ(p.b->mode.sr.rtxto_ns, 1100 * WL_MS);
	peers_run(&p, 132249 * WL_US);
	CHECK_EQ(p.b->mode.sr.una, 0);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	peers_run(&p, 132250 * WL_US);
	CHECK_EQ(p.b->mode.sr.una, 1);
	/* srtt is the sample, srttvar half of it: 3 * 132.25 + 132.25. */
	CHECK_EQ(p.b->mode.sr.srtt_x8_ns, 8 * 132250 * WL_US);
	CHECK_EQ(p.b->mode.sr.rtxto_ns, 529 * WL_MS);
	EXPECT(&p, "0 new 0\n81250 out 0\n81250 ack 1\n");
	CHECK_EQ(p.story[0].start_ns, 0);
	CHECK_EQ(p.story[0].end_ns, 31250 * WL_US);
	CHECK_EQ(p.story[0].due_ns, 81250 * WL_US);
	CHECK_EQ(p.story[0].whole_ns, 81250 * WL_US);
	CHECK_EQ(p.story[0].pdus, 1);
}

CASE(sr, "sr: frames hold bytes of one SDU and are not padded")
{
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	peers_arrive(&p, 0, 600);
	peers_arrive(&p, 0, 100);
	CHECK_EQ(p.tx.bytes, 250);
	peers_run(&p, 62500 * WL_US);
	CHECK_EQ(p.tx.bytes, 100);
	CHECK_EQ(p.tx.pad_bytes, 0);
	CHECK_EQ(p.tx.li_bytes, 0);
	/* ACK 3 is there, for all of the first SDU, at 176. */
	peers_run(&p, 175 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 2);
	peers_run(&p, 176 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n31250 new 1\n62500 new 2\n75000 new 3\n"
	       "81250 ack 1\n112500 ack 2\n125000 out 0\n125000 ack 3\n"
	       "137500 out 1\n137500 ack 4\n");
	CHECK_EQ(p.story[0].first_sn, 0);
	CHECK_EQ(p.story[0].last_sn, 2);
	CHECK_EQ(p.story[0].end_ns, 75 * WL_MS);
	CHECK_EQ(p.story[0].pdus, 3);
	CHECK_EQ(p.story[1].first_sn, 3);
}

CASE(sr, "sr: a gap is NACKed at once and the frame sent again")
{
	sr_setup(&p, WLINK_MODE_ASR, NULL);
	p.lose = 1 << 1;
	sr_arrive(&p, 4);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n31250 new 1\n62500 lost 1\n62500 new 2\n"
	       "81250 out 0\n81250 ack 1\n93750 new 3\n143750 nack 1\n"
	       "194750 again 1\n276000 out 1\n276000 out 2\n276000 out 3\n276000 ack 4\n");
	/* SDU 1 waited for its frame, SDU 2 for SDU 1. */
	CHECK_EQ(p.story[1].due_ns, 112500 * WL_US);
	CHECK_EQ(p.story[1].whole_ns, 276 * WL_MS);
	CHECK_EQ(p.story[1].pdus, 2);
	CHECK_EQ(p.story[1].pdus_lost, 1);
	CHECK_EQ(p.story[1].retx, 1);
	CHECK_EQ(p.story[2].retx, 0);
	CHECK_EQ(p.story[2].whole_ns, 143750 * WL_US);
	CHECK_EQ(p.story[2].deliver_ns, 276 * WL_MS);
	/* Samples: frame 0, and frame 3 when ACK 4 came, 327 - 93.75. */
	CHECK_EQ(p.b->mode.sr.srtt_x8_ns, 7 * 132250 * WL_US + 233250 * WL_US);
}

CASE(sr, "sr: for others a retransmission is as old as its SDU")
{
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = 1;
	peers_arrive(&p, WL_MS, 250);
	peers_arrive(&p, 2 * WL_MS, 250);
	peers_run(&p, 120 * WL_MS);
	peers_hold(&p, true);
	peers_arrive(&p, 121 * WL_MS, 250);
	CHECK_EQ(p.b->ops->key_ns(p.b), 121 * WL_MS);
	/* Frame 1 arrives at 113.5, its NACK at 164.5. */
	peers_run(&p, 165 * WL_MS);
	CHECK_EQ(p.b->ops->key_ns(p.b), WL_MS);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
}

CASE(sr, "sr: a NACK that is a round trip old is not void")
{
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = 1;
	sr_arrive(&p, 2);
	peers_run(&p, 63 * WL_MS);
	/* Frame 1 as if it had come with frame 0. */
	peers_feed(&p, 81250 * WL_US, 1);
	p.b->flight.head++;
	peers_run(&p, 140 * WL_MS);
	EXPECT(&p, "0 new 0\n31250 lost 0\n31250 new 1\n81250 nack 0\n132250 again 0\n");
	peers_run(&p, WL_SEC);
}

CASE(sr, "sr: a frame acknowledged before its turn is not sent again")
{
	sr_setup(&p, WLINK_MODE_FSR, rto_60ms);
	sr_arrive(&p, 1);
	peers_run(&p, 40 * WL_MS);
	peers_hold(&p, true);
	peers_run(&p, 100 * WL_MS);
	CHECK_EQ(p.b->mode.sr.again.count, 1);
	peers_run(&p, 140 * WL_MS);
	CHECK_EQ(p.b->mode.sr.again.count, 0);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n81250 out 0\n81250 ack 1\n91250 timeout 1\n");
}

CASE(sr, "sr: more room keeps what is outstanding")
{
	struct wl_rings rings;
	void *old;

	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = 1;
	sr_arrive(&p, 4);
	peers_run(&p, 120 * WL_MS);
	wl_rings_need(&p.b->cfg, &rings);
	rings.pdus *= 2;
	rings.flights *= 2;
	rings.feedbacks *= 2;
	rings.bytes *= 2;
	p.mem = calloc(1, rings.bytes);
	wl_rings_place(&rings, p.mem);
	old = p.b->rings.mem;
	CHECK(!wl_bearer_move(p.b, &rings, 2));
	peers_run(&p, 150 * WL_MS);
	CHECK(!wl_bearer_move(p.b, &rings, 2));
	peers_run(&p, 200 * WL_MS);
	CHECK(wl_bearer_move(p.b, &rings, WL_RINGS_RECORDS_MAX));
	free(old);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n31250 lost 0\n31250 new 1\n62500 new 2\n"
	       "93750 new 3\n112500 nack 0\n163500 again 0\n244750 out 0\n"
	       "244750 out 1\n244750 out 2\n244750 out 3\n244750 ack 4\n");
}

CASE(sr, "sr: a NACK for a frame that is acknowledged is void")
{
	struct wl_feedback nack = { .kind = WL_SR_NACK };

	sr_setup(&p, WLINK_MODE_FSR, NULL);
	sr_arrive(&p, 1);
	peers_run(&p, 200 * WL_MS);
	wl_reverse_send(p.b, p.now_ns, 8, &nack);
	p.feedback_sent++;
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n81250 out 0\n81250 ack 1\n");
}

CASE(sr, "sr: what arrives at one instant is seen as one")
{
	u32 sn;

	sr_setup(&p, WLINK_MODE_FSR, NULL);
	/* Nothing gets through, so that only what is fed arrives. */
	p.lose = ~0ULL;
	sr_arrive(&p, 6);
	peers_run(&p, 200 * WL_MS);
	p.log_used = 0;
	peers_feed(&p, 300 * WL_MS, 0);
	for (sn = 4; sn > 1; sn--)
		peers_feed(&p, 300 * WL_MS, sn);
	/* Without 1, 5 says no more than 4 has, until the guard is over. */
	peers_feed(&p, 400 * WL_MS, 5);
	peers_run(&p, 401 * WL_MS);
	EXPECT(&p, "300000 out 0\n300000 nack 1\n301000 ack 1\n351000 again 1\n382250 lost 1\n");
	peers_feed(&p, 402 * WL_MS, 5);
	peers_feed(&p, 402 * WL_MS, 1);
	p.lose = 0;
	peers_run(&p, 2 * WL_SEC);
	EXPECT(&p, "402000 out 1\n402000 out 2\n402000 out 3\n402000 out 4\n"
	       "402000 out 5\n402000 ack 6\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 1);
}

/* In a TTI one that goes again may come with a new one. */
CASE(sr, "sr: of what arrives at one instant the last number counts")
{
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = ~0ULL;
	sr_arrive(&p, 6);
	peers_run(&p, 200 * WL_MS);
	p.log_used = 0;
	peers_feed(&p, 300 * WL_MS, 0);
	peers_feed(&p, 300 * WL_MS, 4);
	peers_feed(&p, 300 * WL_MS, 2);
	peers_run(&p, 303 * WL_MS);
	EXPECT(&p, "300000 out 0\n300000 nack 1\n300000 nack 3\n302000 ack 1\n");
	/* A NACK, 51 ms, and two frames, 31.25 ms, of which the second takes 50 ms more. */
	CHECK_EQ(p.b->mode.sr.renack_ns, 463500 * WL_US);
	p.lose = 0;
	peers_run(&p, 10 * WL_SEC);
}

CASE(sr, "sr: numbers wrap")
{
	struct wl_sr *sr;

	sr_setup(&p, WLINK_MODE_FSR, NULL);
	sr = &p.b->mode.sr;
	sr->next = ~0U - 1;
	sr->una = sr->next;
	sr->rnext = sr->next;
	sr->highest = sr->next;
	p.lose = 1 << 1;
	sr_arrive(&p, 4);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 4294967294\n31250 new 4294967295\n62500 lost 4294967295\n62500 new 0\n"
	       "81250 out 0\n81250 ack 4294967295\n93750 new 1\n"
	       "143750 nack 4294967295\n194750 again 4294967295\n"
	       "276000 out 1\n276000 out 2\n276000 out 3\n276000 ack 2\n");
}
