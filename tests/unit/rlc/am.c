// SPDX-License-Identifier: GPL-2.0
/*
 * What fits in a PDU, counted by hand: SUFIs in a STATUS PDU (TS 25.322 clause
 * 9.2.2.11), length indicators in a data PDU (clause 9.2.2.8).
 */
#include "say.h"
#include "ut.h"
#include "core/link.h"
#include "core/rlc/am.h"
#include "core/rlc/mode.h"
#include "core/rlc/segment.h"

#define PDUS	1024

static struct wl_pdu pdus[PDUS];

static void begin_bearer(struct wl_bearer *b, enum wlink_mode mode, u32 pdu_bytes)
{
	memset(b, 0, sizeof(*b));
	memset(pdus, 0, sizeof(pdus));
	wl_cfg_default(&b->cfg);
	wl_cfg_set_mode(&b->cfg, mode);
	b->cfg.pdu_bytes = pdu_bytes;
	b->rings.pdu = pdus;
	b->rings.pdus = PDUS;
}

/* Of the numbers from 0 to vr_h those that are a multiple of step are missing. */
struct report {
	const char *name;
	enum wlink_status status;
	u32 pdu_bytes;
	u32 vr_h;
	u32 step;
	u32 bits;
	u32 to;
	bool last;
};

static const struct report reports[] = {
	/* Head 4, LIST 8, pair 16, ACK 16. */
	{ "one pair", WLINK_STATUS_LIST, 40, 2, 2, 44, 2, true },
	{ "16 in a row are one pair", WLINK_STATUS_LIST, 40, 16, 1, 44, 16,
	  true },
	{ "17 in a row are two", WLINK_STATUS_LIST, 40, 17, 1, 60, 17, true },
	{ "15 pairs are one SUFI", WLINK_STATUS_LIST, 40, 30, 2,
	  4 + 8 + 15 * 16 + 16, 30, true },
	{ "16 pairs are two SUFIs", WLINK_STATUS_LIST, 40, 32, 2,
	  4 + 8 + 15 * 16 + 8 + 16 + 16, 32, true },
	/* 42 octets less an ACK are 320 bits: 18 pairs in two SUFIs take 308.
	 * The 19th is that of number 36.
	 */
	{ "room for 18 pairs", WLINK_STATUS_LIST, 40, 60, 2,
	  4 + 8 + 15 * 16 + 8 + 3 * 16, 36, false },
	{ "18 pairs and all told", WLINK_STATUS_LIST, 40, 36, 2,
	  4 + 8 + 15 * 16 + 8 + 3 * 16 + 16, 36, true },
	/* 6 octets less an ACK are 32 bits. */
	{ "smallest PDU, LIST", WLINK_STATUS_LIST, 4, 6, 2, 28, 2, false },
	{ "smallest PDU, all told", WLINK_STATUS_LIST, 4, 2, 2, 44, 2, true },
	/* 5 octets less an ACK are 24 bits, and a LIST takes 28 with the head. */
	{ "no room for a LIST", WLINK_STATUS_LIST, 3, 6, 2, 20, 0, true },
	/* Head 4, BITMAP 20 and octets, ACK 16. */
	{ "one octet", WLINK_STATUS_BITMAP, 40, 8, 2, 48, 8, true },
	{ "two octets", WLINK_STATUS_BITMAP, 40, 9, 2, 56, 9, true },
	{ "16 octets", WLINK_STATUS_BITMAP, 126, 128, 1, 4 + 20 + 128 + 16, 128,
	  true },
	{ "a BITMAP has 128 numbers", WLINK_STATUS_BITMAP, 126, 129, 1,
	  4 + 20 + 128 + 20 + 8 + 16, 129, true },
	/* Two full ones take 300 of the 320 bits, a third at least 28. */
	{ "room for two BITMAPs", WLINK_STATUS_BITMAP, 40, 300, 1,
	  4 + 2 * (20 + 128), 256, false },
	{ "room for part of one", WLINK_STATUS_BITMAP, 10, 128, 1,
	  4 + 20 + 8 * 7, 56, false },
	{ "smallest PDU, BITMAP", WLINK_STATUS_BITMAP, 4, 16, 1, 32, 8, false },
	{ "no room for a BITMAP", WLINK_STATUS_BITMAP, 3, 6, 2, 20, 0, true },
	/* Behind the 128 numbers of the first, what is there costs nothing. */
	{ "the next hole is 200 away", WLINK_STATUS_BITMAP, 40, 201, 200,
	  4 + (20 + 128) + (20 + 8) + 16, 201, true },
};

static void part_of(const struct report *report)
{
	struct wl_am_part part;
	struct wl_bearer b;
	bool last;
	u32 sn;

	ut_begin("am: a STATUS PDU is of the wrong size: %s", report->name);
	begin_bearer(&b, WLINK_MODE_AM, report->pdu_bytes);
	b.cfg.rlc.status = report->status;
	b.mode.am.vr_h = report->vr_h;
	for (sn = 0; sn < report->vr_h; sn++) {
		if (sn % report->step)
			pdus[sn].flags = WL_PDU_RECEIVED;
	}
	last = wl_am_status_part(&b, 0, &part);
	CHECK_EQ(part.to, report->to);
	CHECK_EQ(part.bits, report->bits);
	CHECK_EQ(last, report->last);
}

struct filled {
	u32 li_bytes;
	u32 pad_bytes;
	u32 sdus;
};

struct filling {
	const char *name;
	enum wlink_mode mode;
	u32 pdu_bytes;
	u32 sdus[4];
	struct filled pdus[5];
};

static const struct filling fillings[] = {
	{ "an LI that fills the PDU", WLINK_MODE_AM, 10, { 9, 9 },
	  { { 1, 0, 1 }, { 1, 0, 1 } } },
	{ "the end and the padding", WLINK_MODE_AM, 10, { 5 },
	  { { 2, 3, 1 } } },
	{ "the end and an LI for no padding", WLINK_MODE_AM, 10, { 8 },
	  { { 2, 0, 1 } } },
	{ "exactly full: LI 0 in the next", WLINK_MODE_AM, 10, { 10 },
	  { { 0, 0, 1 }, { 2, 8, 1 } } },
	{ "exactly full, and more", WLINK_MODE_AM, 10, { 10, 12 },
	  { { 0, 0, 1 }, { 1, 0, 2 }, { 2, 5, 1 } } },
	{ "three in one", WLINK_MODE_AM, 10, { 1, 2, 3 }, { { 4, 0, 3 } } },
	{ "126 octets have short LIs", WLINK_MODE_AM, 124, { 100 },
	  { { 2, 22, 1 } } },
	{ "127 octets have long ones", WLINK_MODE_AM, 125, { 100 },
	  { { 4, 21, 1 } } },
	{ "UM: 125 octets have short LIs", WLINK_MODE_UM, 124, { 100 },
	  { { 2, 22, 1 } } },
	{ "UM: 126 octets have long ones", WLINK_MODE_UM, 125, { 100 },
	  { { 4, 21, 1 } } },
	{ "long: full", WLINK_MODE_AM, 200, { 200 },
	  { { 0, 0, 1 }, { 4, 196, 1 } } },
	{ "long: one octet short", WLINK_MODE_AM, 200, { 199 },
	  { { 0, 1, 1 }, { 4, 196, 1 } } },
	{ "long: two octets short", WLINK_MODE_AM, 200, { 198 },
	  { { 2, 0, 1 } } },
	/* One octet is no room for the LI that says padding. */
	{ "long: three octets short", WLINK_MODE_AM, 200, { 197 },
	  { { 2, 1, 1 } } },
	{ "long: the next begins in one octet", WLINK_MODE_AM, 200,
	  { 197, 10 }, { { 2, 0, 2 }, { 4, 187, 1 } } },
};

static void fill(const struct filling *filling)
{
	struct wl_sdu sdus[4] = { };
	const struct filled *want;
	struct wl_bearer b;
	struct wl_tx tx;

	ut_begin("seg: a PDU is filled wrong: %s", filling->name);
	begin_bearer(&b, filling->mode, filling->pdu_bytes);
	for (u32 i = 0; i < 4 && filling->sdus[i]; i++) {
		sdus[i].bytes = filling->sdus[i];
		sdus[i].left_bytes = filling->sdus[i];
		wl_fifo_push(&b.queue, &sdus[i]);
	}
	b.fresh = b.queue.head;
	for (u32 i = 0; i < 5 && filling->pdus[i].sdus; i++) {
		want = &filling->pdus[i];
		CHECK_EQ(wl_seg_wanted(&b), filling->pdu_bytes);
		memset(&tx, 0, sizeof(tx));
		tx.sn = i;
		wl_seg_fill(&b, 0, &tx);
		CHECK_EQ(tx.bytes, filling->pdu_bytes);
		CHECK_EQ(tx.li_bytes, want->li_bytes);
		CHECK_EQ(tx.pad_bytes, want->pad_bytes);
		CHECK_EQ(pdus[i].sdus, want->sdus);
	}
	CHECK_EQ(wl_seg_wanted(&b), 0);
}

/* The least PDU, with a header of its own and without, and a poll or a period at the least. */
CASE(am, "am, um: a PDU that is too small is taken, or one that nobody asks for")
{
	static const struct {
		enum wlink_mode mode;
		u32 header_bytes, least;
	} rows[] = {
		/* HEAD, a LIST of one pair or a BITMAP of an octet, and ACK: 48 bits. */
		{ WLINK_MODE_AM, 2, 4 }, { WLINK_MODE_AM, 0, 6 }, { WLINK_MODE_AM, 4, 2 },
		/* A byte beside a length indicator of 7 bits, or of 15. */
		{ WLINK_MODE_UM, 1, 2 }, { WLINK_MODE_UM, 123, 2 }, { WLINK_MODE_UM, 124, 3 },
	};
	struct wl_refusal why;
	struct wl_cfg cfg;

	for (u32 i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		wl_cfg_default(&cfg);
		wl_cfg_set_mode(&cfg, rows[i].mode);
		cfg.rate_bps = 1000000;
		cfg.rlc.poll_last = 1;
		cfg.header_bytes = rows[i].header_bytes;
		cfg.pdu_bytes = rows[i].least;
		CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
		cfg.pdu_bytes--;
		CHECK(wl_cfg_check(&cfg, &why) < 0);
		CHECK_EQ(why.min, rows[i].least);
	}
	wl_cfg_default(&cfg);
	say(&cfg, "mode am rate 1mbit");
	cfg.rlc.poll_last = 0;
	say(&cfg, "poll_pdu off poll_sdu off poll_window off poll_periodic off");
	say(&cfg, "status_periodic off");
	CHECK(wl_cfg_check(&cfg, &why) < 0);
	CHECK_EQ(why.max, 6);
	cfg.rlc.poll_last = 1;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
}

TEST(am)
{
	for (u32 i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		part_of(&reports[i]);
	for (u32 i = 0; i < sizeof(fillings) / sizeof(fillings[0]); i++)
		fill(&fillings[i]);
}
