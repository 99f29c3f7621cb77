/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _CELL_H
#define _CELL_H

/* A cell whose broken rules are failed checks of the running case. */
#include "wl_cell.h"

#define CELL_SDUS	20000

/** cell_link() - configuration of a link with room for any number of SDUs */
struct wl_cfg cell_link(enum wlink_sched sched, u64 rate_bps, u64 tti_ns,
			u32 pdu_bytes);

/** cell_class() - configuration of another bearer of such a link */
struct wl_cfg cell_class(const struct wl_cfg *link, u64 rate_bps);

/** cell_blocks() - configuration of a link with a block of 125 bytes in each TTI of 1 ms
 *
 * What comes at 0 goes in the TTI that starts at 1 ms, and is there 5 ms after its end.
 */
struct wl_cfg cell_blocks(enum wlink_mode mode);

/** cell_uniform() - a channel that loses each PDU with a probability */
void cell_uniform(struct wl_chan_cfg *channel, u64 loss_q32);

/** cell_stat() - a counter of bearer 1 */
u64 cell_stat(const struct cell *cell, enum wlink_stat which);

/** cell_end_ns() - end of sending of a SDU, 0 as long as it is not over */
u64 cell_end_ns(const struct cell *cell, u32 seq);

/** cell_init() - a link whose bearer 1 has a configuration
 *
 * It ends with the case, or where the cell is given another one: then it is checked, as by
 * cell_check(), and its memory given back.
 */
void cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns);

/** cell_add() - bearers from one number to another */
void cell_add(struct cell *cell, u32 from, u32 to, const struct wl_cfg *cfg);

/** cell_share() - a link from 0 on, with bearers 2 to @last of another configuration */
void cell_share(struct cell *cell, const struct wl_cfg *cfg, u32 last, const struct wl_cfg *other);

/** cell_del() - delete a bearer */
void cell_del(struct cell *cell, u32 number);

/** cell_configure() - change a bearer, with the room that it needs */
void cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg);

/** cell_send() - SDUs into a bearer, now */
void cell_send(struct cell *cell, u32 number, u32 bytes, u32 count);

/** cell_fill() - a link from 0 on, with SDUs for bearer 1 */
void cell_fill(struct cell *cell, const struct wl_cfg *cfg, u32 bytes, u32 count);

/** cell_play() - the same, up to a time */
void cell_play(struct cell *cell, const struct wl_cfg *cfg, u32 bytes, u32 count, u64 until_ns);

/** cell_call() - one call at a time, and all that is due popped
 *
 * Return: as wl_link_advance().
 */
bool cell_call(struct cell *cell, u64 now_ns);

/** cell_run() - call at each wl_link_next_ns() up to a time, and at it */
void cell_run(struct cell *cell, u64 until_ns);

/** cell_send_all() - the same SDUs into bearers 1 to @last each, now */
void cell_send_all(struct cell *cell, u32 last, u32 bytes, u32 count);

/** cell_carry() - SDUs into a bearer, now, and what becomes of them up to a time */
void cell_carry(struct cell *cell, u32 number, u32 bytes, u32 count, u64 until_ns);

/** cell_lose() - the channel takes what bearer 1 sends in the TTIs, of 1 ms, from one to another
 *
 * It ends in the middle of the last of them.
 */
void cell_lose(struct cell *cell, const struct wl_cfg *cfg, u32 from_ms, u32 to_ms);

/** cell_check() - conservation, of each bearer and of the link */
void cell_check(struct cell *cell);

/** cell_bits() - bits delivered of a bearer */
u64 cell_bits(const struct cell *cell, u32 number);

/** cell_txn() - a transaction for some bearers of one configuration */
struct wl_pending *cell_txn(struct cell *cell, u32 id, u32 from, u32 to,
			    const struct wl_cfg *cfg);

/** cell_ask() - commit a transaction for one bearer, now */
void cell_ask(struct cell *cell, u64 at_ns, u32 id, u32 number,
	      const struct wl_cfg *cfg);

/** cell_commit() - commit a transaction, now */
void cell_commit(struct cell *cell, u64 at_ns, struct wl_pending *txn);

/** cell_steps() - a schedule; words are of each step the offset, its values */
struct wl_schedule *cell_steps(u32 columns, u32 words, const u64 *word);

#define SCHEDULE(columns, ...) __extension__ ({				\
	const u64 words_[] = { __VA_ARGS__ };				\
	cell_steps(columns, ARRAY_SIZE(words_), words_); })

/** cell_schedule() - start a schedule */
void cell_schedule(struct cell *cell, u32 number, struct wl_schedule *schedule);

/** cell_stop() - stop the schedule of a bearer */
void cell_stop(struct cell *cell, u32 number);

/** cell_send_ecn() - SDUs with an ECN field into a bearer, now */
void cell_send_ecn(struct cell *cell, u32 number, u32 bytes, u32 count,
		   u8 ecn);

/** cell_is_note() - check a note */
void cell_is_note(const struct cell *cell, u32 i, const char *where,
		  struct cell_note wanted);

/* Members as in struct cell_note. */
#define NOTE(cell, i, ...) \
	cell_is_note(cell, i, UT_WHERE, (struct cell_note){ __VA_ARGS__ })

/** cell_fate() - check the end of a SDU, and why it was dropped */
void cell_fate(const struct cell *cell, u32 seq, const char *where,
	       u64 end_ns, u32 drop);

#define FATE(cell, seq, end_ns, drop) \
	cell_fate(cell, seq, UT_WHERE, end_ns, drop)

/** check_mismatch() - what the shared code has found is a failed check */
void check_mismatch(const struct wl_mismatch *bad);

#endif
