/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_AQM_H
#define _WL_AQM_H

/*
 * What manages the SDU buffer of a bearer. An AQM is a function of its state, the
 * time and a stream of random numbers: it says that a SDU is to go, buffer/buffer.c
 * knows which, and whether a mark will do.
 */
#include "../config/cfg.h"
#include "../lib/rng.h"

struct wl_aqm_ops;

/**
 * enum wl_sbd_state - what slope based discard is at
 * @WL_SBD_IDLE: the occupancy is below minth - alpha
 * @WL_SBD_MEASURE: it waits for whether th_n or the end of C_n comes first
 * @WL_SBD_HOLD: it has dropped and lets the sender react
 */
enum wl_sbd_state {
	WL_SBD_IDLE,
	WL_SBD_MEASURE,
	WL_SBD_HOLD,
};

/**
 * struct wl_red - random early detection
 * @avg_q24: average occupancy in the unit of the thresholds, times 2^24
 * @count: SDUs accepted since the last one that was chosen, while the average is
 *	not below minth
 */
struct wl_red {
	u64 avg_q24;
	u64 count;
};

/**
 * struct wl_sbd - slope based discard
 * @state: see enum wl_sbd_state
 * @end_ns: end of C_n or, in WL_SBD_HOLD, of T_r; WL_NEVER_NS when idle
 * @again_ns: end of T_r where it runs beside C_n, WL_NEVER_NS for none
 * @th: th_n
 */
struct wl_sbd {
	enum wl_sbd_state state;
	u64 end_ns;
	u64 again_ns;
	u64 th;
};

/**
 * struct wl_codel - CoDel; names as in RFC 8289
 * @dropping: in the dropping state
 * @count: drops since it was entered
 * @lastcount: count when it was entered
 * @first_above_ns: when the time in the buffer will have been above target for
 *	an interval, 0 when it is below
 * @drop_next_ns: when to drop next, or when it was last due
 * @due: drop_next_ns has been used; it moves on if the next SDU may go, too
 * @maxpacket: largest SDU so far
 */
struct wl_codel {
	bool dropping;
	bool due;
	u32 count;
	u32 lastcount;
	u64 first_above_ns;
	u64 drop_next_ns;
	u32 maxpacket;
};

/**
 * struct wl_aqm - state of an AQM
 * @ops: of its kind, NULL for droptail
 * @rng: its stream
 * @maxth: wl_aqm_maxth() at the last start or change
 * @red: red
 * @sbd: sbd
 * @codel: codel
 */
struct wl_aqm {
	const struct wl_aqm_ops *ops;
	struct wl_rng rng;
	u64 maxth;
	union {
		struct wl_red red;
		struct wl_sbd sbd;
		struct wl_codel codel;
	};
};

/**
 * struct wl_aqm_at - what an AQM may know
 * @cfg: its parameters
 * @now_ns: the time
 * @maxth: wl_aqm_maxth()
 * @bo: occupancy in the unit of @cfg: SDUs that are not acknowledged yet, where
 *	something arrives with it
 * @arriving: of that, what arrives
 * @idle_ns: how long the buffer had been empty before, 0 when it was not
 * @rate_bps: of the bearer
 * @sojourn_ns: front(): how long the SDU has been in the buffer
 * @bytes: front(): its size
 * @behind_bytes: front(): bytes of the SDUs behind it, none of which has been begun
 */
struct wl_aqm_at {
	const struct wl_aqm_cfg *cfg;
	u64 now_ns;
	u64 maxth;
	u64 bo;
	u64 arriving;
	u64 idle_ns;
	u64 rate_bps;
	u64 sojourn_ns;
	u32 bytes;
	u64 behind_bytes;
};

/**
 * struct wl_aqm_ops - a kind of AQM; NULL members are allowed
 * @start: state of an empty history; at->bo counts what is there
 * @arrived: a SDU that the limit has let in has arrived. Return: whether one is
 *	to be dropped or marked, once
 * @front: a SDU is about to be begun, asked once for each. Return: whether it is
 *	to be dropped or marked. The SDU behind the last is never asked to go:
 *	true must not be returned where behind_bytes is 0
 * @next_ns: when expired() is needed
 * @expired: at next_ns()
 * @changed: parameters have changed, the kind has not
 * @state: wl_aqm_state()
 * @level: wl_aqm_level(); not NULL
 * @check: judge the parameters, for a configuration of the bearer; 0, or -ERANGE
 *	with @why set; not NULL
 */
struct wl_aqm_ops {
	void (*start)(struct wl_aqm *aqm, const struct wl_aqm_at *at);
	bool (*arrived)(struct wl_aqm *aqm, const struct wl_aqm_at *at);
	bool (*front)(struct wl_aqm *aqm, const struct wl_aqm_at *at);
	u64 (*next_ns)(const struct wl_aqm *aqm);
	void (*expired)(struct wl_aqm *aqm, const struct wl_aqm_at *at);
	void (*changed)(struct wl_aqm *aqm, const struct wl_aqm_at *at);
	u64 (*state)(const struct wl_aqm *aqm);
	u64 (*level)(const struct wl_aqm *aqm);
	int (*check)(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		     struct wl_refusal *why);
};

extern const struct wl_aqm_ops wl_red_ops;
extern const struct wl_aqm_ops wl_sbd_ops;
extern const struct wl_aqm_ops wl_codel_ops;

/**
 * wl_aqm_check() - judge an AQM together with the buffer that it manages
 * @aqm: what to judge
 * @cfg: configuration of the bearer
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_aqm_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		 struct wl_refusal *why);

/**
 * wl_aqm_start() - begin with an AQM of the kind in at->cfg
 * @aqm: state; its stream is kept
 * @at: the time and the occupancy
 */
void wl_aqm_start(struct wl_aqm *aqm, const struct wl_aqm_at *at);

/**
 * wl_aqm_change() - other parameters, or another kind, which then begins anew
 * @aqm: state
 * @at: with the new parameters
 * @old: the old ones
 */
void wl_aqm_change(struct wl_aqm *aqm, const struct wl_aqm_at *at,
		   const struct wl_aqm_cfg *old);

/**
 * wl_aqm_ramp() - whether the ramp marks a SDU that is about to be begun
 * @aqm: state
 * @cfg: its parameters
 * @sojourn_ns: how long the SDU has been in the buffer
 *
 * Return: whether it does.
 */
bool wl_aqm_ramp(struct wl_aqm *aqm, const struct wl_aqm_cfg *cfg,
		 u64 sojourn_ns);

/**
 * wl_aqm_next_ns() - when wl_aqm_expired() is needed
 * @aqm: state
 *
 * Return: time, WL_NEVER_NS for never.
 */
static inline u64 wl_aqm_next_ns(const struct wl_aqm *aqm)
{
	if (!aqm->ops || !aqm->ops->next_ns)
		return WL_NEVER_NS;
	return aqm->ops->next_ns(aqm);
}

/**
 * wl_aqm_state() - for people
 * @aqm: state
 *
 * Return: WLINK_STAT_AQM_STATE.
 */
u64 wl_aqm_state(const struct wl_aqm *aqm);

/**
 * wl_aqm_level() - for people
 * @aqm: state
 *
 * Return: WLINK_STAT_AQM_LEVEL.
 */
u64 wl_aqm_level(const struct wl_aqm *aqm);

#endif
