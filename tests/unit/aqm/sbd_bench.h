/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SBD_BENCH_H
#define SBD_BENCH_H

/* A buffer of 40 SDUs with slope based discard, moved by hand. */
#include "ut.h"
#include "core/aqm/aqm.h"

#define MS		WL_NSEC_PER_MSEC

struct bench {
	struct wl_aqm_cfg cfg;
	struct wl_aqm aqm;
	struct wl_aqm_at at;
};

static struct bench t;

static inline void bench(u32 minth, u64 tr_ms)
{
	memset(&t, 0, sizeof(t));
	wl_aqm_default(&t.cfg, WLINK_AQM_SBD);
	t.cfg.minth = minth;
	t.cfg.tr_ns = tr_ms * MS;
	t.at.cfg = &t.cfg;
	t.at.maxth = 40;
	t.at.rate_bps = 384000;
	wl_aqm_start(&t.aqm, &t.at);
}

/* A SDU arrives and makes it bo. */
static inline bool arrive(u64 now_ns, u64 bo)
{
	t.at.now_ns = now_ns;
	t.at.bo = bo;
	t.at.arriving = 1;
	return t.aqm.ops->arrived(&t.aqm, &t.at);
}

static inline void expire(u64 now_ns, u64 bo)
{
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), now_ns);
	t.at.now_ns = now_ns;
	t.at.bo = bo;
	t.at.arriving = 0;
	t.aqm.ops->expired(&t.aqm, &t.at);
}

static inline void change(u64 now_ns, u64 bo, const struct wl_aqm_cfg *old)
{
	t.at.now_ns = now_ns;
	t.at.bo = bo;
	t.at.arriving = 0;
	wl_aqm_change(&t.aqm, &t.at, old);
}

static inline void is_measure(u64 th, u64 end_ns)
{
	CHECK_EQ(wl_aqm_state(&t.aqm), 1);
	CHECK_EQ(wl_aqm_level(&t.aqm), th);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), end_ns);
}

static inline void is_hold(u64 end_ns)
{
	CHECK_EQ(wl_aqm_state(&t.aqm), 2);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), end_ns);
}

static inline void is_idle(void)
{
	CHECK_EQ(wl_aqm_state(&t.aqm), 0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 0);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), WL_NEVER_NS);
}

#endif
