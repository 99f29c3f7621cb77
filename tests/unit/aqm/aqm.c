// SPDX-License-Identifier: GPL-2.0
/* What AQMs have in common: parameters, their judge, profiles, the ramp. */
#include <math.h>

#include "ut.h"
#include "core/aqm/aqm.h"

#define MS		WL_NSEC_PER_MSEC
#define SEC		WL_NSEC_PER_SEC

static struct wl_cfg link_of(enum wl_limit_kind kind, u64 value)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.rate_bps = 384000;
	cfg.limit.kind = kind;
	cfg.limit.value = value;
	return cfg;
}

/* With what must be given. */
static struct wl_aqm_cfg good(enum wlink_aqm kind)
{
	struct wl_aqm_cfg aqm;

	wl_aqm_default(&aqm, kind);
	aqm.minth = 20;
	aqm.maxp_q32 = 1;
	aqm.tr_ns = 200 * MS;
	return aqm;
}

CASE(aqm, "aqm: the default is not what is documented")
{
	struct wl_aqm_cfg aqm;
	u32 kind;

	for (kind = 0; kind <= WLINK_AQM_MAX; kind++) {
		memset(&aqm, 0xff, sizeof(aqm));
		wl_aqm_default(&aqm, kind);
		CHECK_EQ(aqm.kind, kind);
		CHECK_EQ(aqm.unit, WLINK_UNIT_SDUS);
		CHECK_EQ(aqm.minth, 0);
		CHECK_EQ(aqm.maxth, 0);
		CHECK_EQ(aqm.maxp_q32, 0);
		CHECK_EQ(aqm.weight_q32, 0xffffffff);
		CHECK_EQ(aqm.sdu_bytes, 1500);
		CHECK_EQ(aqm.alpha, 5);
		CHECK_EQ(aqm.count, 1);
		CHECK_EQ(aqm.gentle, 0);
		CHECK_EQ(aqm.head, 1);
		CHECK_EQ(aqm.ecn, 0);
		CHECK_EQ(aqm.tr_ns, 0);
		CHECK_EQ(aqm.target_ns, 5000000);
		CHECK_EQ(aqm.interval_ns, 100000000);
		CHECK_EQ(aqm.ramp_from_ns, ~0ULL);
		CHECK_EQ(aqm.ramp_to_ns, ~0ULL);
	}
}

/* What must be given is refused when it is not. */
CASE(aqm, "aqm: a kind is taken without what it needs")
{
	static const char *const missing[] = {
		NULL, "aqm minth", "aqm minth", NULL,
	};
	struct wl_cfg cfg = link_of(WL_LIMIT_PACKETS, 40);
	struct wl_refusal why;
	struct wl_aqm_cfg aqm;
	u32 kind;

	for (kind = 0; kind <= WLINK_AQM_MAX; kind++) {
		wl_aqm_default(&aqm, kind);
		if (!missing[kind]) {
			CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), 0);
			continue;
		}
		CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), (u64)-ERANGE);
		CHECK(!strcmp(why.what, missing[kind]));
		CHECK_EQ(why.value, 0);
		aqm = good(kind);
		CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), 0);
	}
}

#define MEMBER(name)	offsetof(struct wl_aqm_cfg, name)
#define OF_KIND(kind)	WLINK_AQM_##kind
#define HOUR		3600000000000ULL

/* Of a limit of 40 SDUs; ramp_to is 20 ms where ramp_from is set. */
static const struct bound {
	enum wlink_aqm kind;
	size_t member;
	size_t size;
	u64 good[2];
	u64 bad[2];
	const char *what;
	const char *unit;
	u64 min;
	u64 max;
} bounds[] = {
	{ OF_KIND(RED), MEMBER(unit), 4, { 0, 0 }, { 2, 2 }, "aqm unit", "",
	  0, 1 },
	{ OF_KIND(RED), MEMBER(minth), 4, { 1, 39 }, { 0, 40 }, "aqm minth",
	  "SDUs", 1, 39 },
	{ OF_KIND(RED), MEMBER(maxp_q32), 4, { 1, U32_MAX }, { 0, 0 },
	  "aqm maxp", "/ 2^32", 1, U32_MAX },
	{ OF_KIND(RED), MEMBER(weight_q32), 4, { 1, U32_MAX }, { 0, 0 },
	  "aqm weight", "/ 2^32", 1, U32_MAX },
	{ OF_KIND(RED), MEMBER(sdu_bytes), 4, { 1, 1 << 30 },
	  { 0, (1 << 30) + 1 }, "aqm sdu", "bytes", 1, 1 << 30 },
	{ OF_KIND(RED), MEMBER(maxth), 4, { 21, U32_MAX }, { 1, 1 },
	  "aqm maxth", "SDUs", 2, U32_MAX },
	{ OF_KIND(SBD), MEMBER(minth), 4, { 1, 39 }, { 0, 40 }, "aqm minth",
	  "SDUs", 1, 39 },
	{ OF_KIND(SBD), MEMBER(sdu_bytes), 4, { 1, 1 << 30 },
	  { 0, (1 << 30) + 1 }, "aqm sdu", "bytes", 1, 1 << 30 },
	{ OF_KIND(SBD), MEMBER(alpha), 4, { 1, 40 }, { 0, 41 }, "aqm alpha",
	  "SDUs", 1, 40 },
	{ OF_KIND(SBD), MEMBER(tr_ns), 8, { 1000, HOUR }, { 999, HOUR + 1 },
	  "aqm tr", "ns", 1000, HOUR },
	{ OF_KIND(CODEL), MEMBER(target_ns), 8, { 1000, HOUR },
	  { 999, HOUR + 1 }, "aqm target", "ns", 1000, HOUR },
	{ OF_KIND(CODEL), MEMBER(interval_ns), 8, { 1000, HOUR },
	  { 0, HOUR + 1 }, "aqm interval", "ns", 1000, HOUR },
	{ OF_KIND(DROPTAIL), MEMBER(ecn), 4, { 0, 0 }, { 1, 1 }, "aqm ecn",
	  "with aqm droptail", 0, 0 },
	{ OF_KIND(DROPTAIL), MEMBER(ramp_from_ns), 8, { 0, 20 * MS - 1 },
	  { 20 * MS, ~0ULL }, "aqm ramp_from", "ns", 0, 20 * MS - 1 },
	{ OF_KIND(CODEL), MEMBER(ramp_to_ns), 8, { 1000, HOUR },
	  { 999, HOUR + 1 }, "aqm ramp_to", "ns", 1000, HOUR },
	{ OF_KIND(SBD), MEMBER(ramp_to_ns), 8, { 1000, 20 * MS },
	  { 0, ~0ULL }, "aqm ramp_to", "ns", 1000, HOUR },
};

static int judge(const struct bound *row, u64 value, struct wl_refusal *why)
{
	struct wl_cfg cfg = link_of(WL_LIMIT_PACKETS, 40);
	struct wl_aqm_cfg aqm = good(row->kind);

	if (row->member == MEMBER(ramp_from_ns))
		aqm.ramp_to_ns = 20 * MS;
	if (row->member == MEMBER(ramp_to_ns))
		aqm.ramp_from_ns = 0;
	if (row->size == 8)
		memcpy((char *)&aqm + row->member, &value, 8);
	else
		*(u32 *)((char *)&aqm + row->member) = value;
	memset(why, 0, sizeof(*why));
	return wl_aqm_check(&aqm, &cfg, why);
}

static void bound(const struct bound *row)
{
	struct wl_refusal why;

	ut_begin("aqm: kind %u: %s is taken, refused or blamed on another", row->kind, row->what);
	for (unsigned int i = 0; i < 2; i++) {
		CHECK_EQ(judge(row, row->good[i], &why), 0);
		CHECK(!why.what);
		CHECK_EQ(judge(row, row->bad[i], &why), (u64)-ERANGE);
		if (!CHECK(why.what && !strcmp(why.what, row->what)))
			continue;
		CHECK(!strcmp(why.unit, row->unit));
		CHECK_EQ(why.value, row->bad[i]);
		CHECK_EQ(why.min, row->min);
		CHECK_EQ(why.max, row->max);
	}
}

CASE(aqm, "aqm: a kind that does not exist is taken")
{
	struct wl_cfg cfg = link_of(WL_LIMIT_PACKETS, 40);
	struct wl_aqm_cfg aqm = good(__WLINK_AQM_MAX);
	struct wl_refusal why;

	CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), (u64)-ERANGE);
	CHECK(!strcmp(why.what, "aqm"));
	CHECK_EQ(why.max, WLINK_AQM_MAX);
}

static const struct level {
	enum wl_limit_kind kind;
	u64 limit;
	enum wlink_unit unit;
	u32 given, sdu_bytes;
	u64 maxth;
} levels[] = {
	{ WL_LIMIT_PACKETS, 40, WLINK_UNIT_SDUS, 0, 1500, 40 },
	{ WL_LIMIT_PACKETS, 40, WLINK_UNIT_SDUS, 30, 1500, 30 },
	{ WL_LIMIT_PACKETS, 40, WLINK_UNIT_SDUS, 50, 1500, 50 },
	{ WL_LIMIT_PACKETS, 40, WLINK_UNIT_BYTES, 0, 1500, 60000 },
	{ WL_LIMIT_BYTES, 60000, WLINK_UNIT_BYTES, 0, 1500, 60000 },
	{ WL_LIMIT_BYTES, 60000, WLINK_UNIT_SDUS, 0, 1500, 40 },
	{ WL_LIMIT_BYTES, 59999, WLINK_UNIT_SDUS, 0, 1500, 39 },
	{ WL_LIMIT_BYTES, 59999, WLINK_UNIT_SDUS, 0, 500, 119 },
	{ WL_LIMIT_BYTES, 1499, WLINK_UNIT_SDUS, 0, 1500, 1 },
	/* 384 kbit/s * 1.25 s = 60000 bytes */
	{ WL_LIMIT_TIME, 1250 * MS, WLINK_UNIT_BYTES, 0, 1500, 60000 },
	{ WL_LIMIT_TIME, 1250 * MS, WLINK_UNIT_SDUS, 0, 1500, 40 },
	{ WL_LIMIT_TIME, 1, WLINK_UNIT_BYTES, 0, 1500, 1 },
	{ WL_LIMIT_TIME, 1, WLINK_UNIT_SDUS, 0, 0, 1 },
	{ WL_LIMIT_PACKETS, 1000000, WLINK_UNIT_BYTES, 0, 1 << 30, U32_MAX },
};

CASE(aqm, "aqm: maxth is not what the limit comes to")
{
	const struct level *row;
	struct wl_aqm_cfg aqm;
	struct wl_cfg cfg;

	for (row = levels; row < levels + ARRAY_SIZE(levels); row++) {
		cfg = link_of(row->kind, row->limit);
		aqm = good(WLINK_AQM_RED);
		aqm.unit = row->unit;
		aqm.maxth = row->given;
		aqm.sdu_bytes = row->sdu_bytes;
		CHECK_EQ(wl_aqm_maxth(&aqm, &cfg), row->maxth);
	}
}

/* A limit that leaves nothing between minth and itself. */
CASE(aqm, "aqm: a limit of one SDU is blamed on minth")
{
	struct wl_cfg cfg = link_of(WL_LIMIT_PACKETS, 1);
	struct wl_aqm_cfg aqm = good(WLINK_AQM_SBD);
	struct wl_refusal why;

	aqm.minth = 1;
	CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), (u64)-ERANGE);
	CHECK(!strcmp(why.what, "aqm maxth"));
	CHECK_EQ(why.value, 1);
	CHECK_EQ(why.min, 2);
	aqm.unit = WLINK_UNIT_BYTES;
	CHECK_EQ(wl_aqm_check(&aqm, &cfg, &why), 0);
}

CASE(aqm, "aqm: a rate has the AQM of another")
{
	static const u64 rates[] = { 64000, 128000, 256000, 384000 };
	struct wl_cfg cfg = link_of(WL_LIMIT_PACKETS, 40);
	struct wl_profile *profile;
	struct wl_aqm_cfg before;

	profile = calloc(1, sizeof(*profile) + 4 * sizeof(*profile->row));
	profile->count = 4;
	for (u32 i = 0; i < 4; i++) {
		profile->row[i].rate_bps = rates[i];
		profile->row[i].aqm = good(WLINK_AQM_SBD);
		profile->row[i].aqm.minth = 10 + i;
	}
	cfg.aqm = good(WLINK_AQM_RED);
	before = cfg.aqm;
	wl_cfg_follow(&cfg);
	CHECK(!memcmp(&before, &cfg.aqm, sizeof(before)));
	cfg.profile = profile;
	for (u32 i = 0; i < 4; i++) {
		cfg.rate_bps = rates[i];
		wl_cfg_follow(&cfg);
		CHECK_EQ(cfg.aqm.kind, WLINK_AQM_SBD);
		CHECK_EQ(cfg.aqm.minth, 10 + i);
		/* Below the first row it is the first one's. */
		cfg.rate_bps--;
		wl_cfg_follow(&cfg);
		CHECK_EQ(cfg.aqm.minth, i ? 9 + i : 10);
	}
	cfg.rate_bps = WLINK_RATE_MAX;
	wl_cfg_follow(&cfg);
	CHECK_EQ(cfg.aqm.minth, 13);
	free(profile);
}

static bool is_share(struct wl_aqm *aqm, const struct wl_aqm_cfg *cfg, u64 sojourn_ns, double p)
{
	u32 i, hits = 0, n = 40000;

	for (i = 0; i < n; i++)
		hits += wl_aqm_ramp(aqm, cfg, sojourn_ns);
	return CHECK_NEAR((double)hits / n, p, 3.2905 * sqrt(p * (1 - p) / n));
}

/* A tenth of the way at a time; at the ends it is certain, and draws nothing. */
static void ramp(u64 from_ns, u64 to_ns)
{
	struct wl_aqm aqm = { .rng = { 99 } };
	struct wl_aqm_cfg cfg = good(WLINK_AQM_DROPTAIL);
	u64 state, i;

	ut_begin("aqm: the ramp from %llu to %llu ns is not straight", from_ns, to_ns);
	CHECK(!wl_aqm_ramp(&aqm, &cfg, U64_MAX - 1));
	cfg.ramp_from_ns = from_ns;
	cfg.ramp_to_ns = to_ns;
	for (i = 1; i < 10; i++)
		is_share(&aqm, &cfg, from_ns + (to_ns - from_ns) * i / 10, i / 10.0);
	state = aqm.rng.state;
	CHECK(!wl_aqm_ramp(&aqm, &cfg, from_ns));
	CHECK(!wl_aqm_ramp(&aqm, &cfg, 0));
	CHECK(wl_aqm_ramp(&aqm, &cfg, to_ns));
	/* Far above, where a shift by 32 leaves nothing of it. */
	CHECK(wl_aqm_ramp(&aqm, &cfg, from_ns + (1ULL << 52)));
	CHECK(wl_aqm_ramp(&aqm, &cfg, U64_MAX));
	CHECK_EQ(aqm.rng.state, state);
}

struct bench {
	struct wl_aqm_cfg cfg;
	struct wl_aqm aqm;
	struct wl_aqm_at at;
};

static void start(struct bench *t, enum wlink_aqm kind)
{
	memset(t, 0xaa, sizeof(*t));
	t->cfg = good(kind);
	t->at = (struct wl_aqm_at){ .cfg = &t->cfg, .maxth = 40, .bo = 16 };
	wl_aqm_start(&t->aqm, &t->at);
}

/* Over what another kind has left there. */
CASE(aqm, "aqm: it begins with what another has left")
{
	static const u32 level[] = { 0, 16000, 0, 0 };
	struct bench t;
	u32 kind;

	for (kind = 0; kind <= WLINK_AQM_MAX; kind++) {
		start(&t, kind);
		CHECK_EQ(t.aqm.rng.state, 0xaaaaaaaaaaaaaaaaULL);
		CHECK_EQ(wl_aqm_state(&t.aqm), 0);
		CHECK_EQ(wl_aqm_level(&t.aqm), level[kind]);
		CHECK_EQ(wl_aqm_next_ns(&t.aqm), WL_NEVER_NS);
	}
	start(&t, WLINK_AQM_CODEL);
	CHECK(!t.aqm.codel.maxpacket && !t.aqm.codel.count);
	CHECK(!t.aqm.codel.first_above_ns && !t.aqm.codel.drop_next_ns);
}

CASE(aqm, "aqm: another kind goes on with the state of the one before")
{
	struct wl_aqm_cfg old;
	struct bench t;

	start(&t, WLINK_AQM_SBD);
	t.at.arriving = 1;
	CHECK(!t.aqm.ops->arrived(&t.aqm, &t.at));
	CHECK_EQ(wl_aqm_state(&t.aqm), 1);
	old = t.cfg;
	t.cfg = good(WLINK_AQM_RED);
	t.at.bo = 18;
	wl_aqm_change(&t.aqm, &t.at, &old);
	CHECK(t.aqm.ops == &wl_red_ops);
	CHECK_EQ(wl_aqm_level(&t.aqm), 18000);
	/* Of bytes, now. */
	old = t.cfg;
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.at.bo = 27000;
	wl_aqm_change(&t.aqm, &t.at, &old);
	CHECK_EQ(wl_aqm_level(&t.aqm), 27000000);
	old = t.cfg;
	t.cfg = good(WLINK_AQM_DROPTAIL);
	wl_aqm_change(&t.aqm, &t.at, &old);
	CHECK(!t.aqm.ops);
	wl_aqm_change(&t.aqm, &t.at, &t.cfg);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), WL_NEVER_NS);
}

/* An average is not lost when a threshold changes. */
CASE(aqm, "aqm: a new threshold begins the average anew")
{
	struct wl_aqm_cfg old;
	struct bench t;

	start(&t, WLINK_AQM_RED);
	old = t.cfg;
	t.cfg.minth = 10;
	t.at.bo = 30;
	wl_aqm_change(&t.aqm, &t.at, &old);
	CHECK_EQ(wl_aqm_level(&t.aqm), 16000);
}

TEST(aqm)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(bounds); i++)
		bound(&bounds[i]);
	ramp(5 * MS, 25 * MS);
	ramp(0, 1000);
	ramp(SEC, SEC + 10);
	ramp(0, HOUR);
}
