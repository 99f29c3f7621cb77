/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_HARQ_H
#define _WL_HARQ_H

#include "../types.h"

/**
 * wl_harq_open() - a bearer is about to fill a transport block
 * @b: bearer with HARQ
 * @now_ns: start of the TTI; further calls for the same one do nothing
 *
 * Return: true, or false where no process is free: the bearer has something to do at
 * b->harq.next_ns, when one is.
 */
bool wl_harq_open(struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_free() - whether a bearer could begin a block
 * @b: bearer with HARQ
 * @now_ns: when
 *
 * Return: whether a process is free then.
 */
bool wl_harq_free(const struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_may() - whether a bearer may send in this TTI
 * @b: bearer with HARQ and something to send
 * @now_ns: start of the TTI
 *
 * Return: false where all processes of HARQ have a block; it is woken when one is
 * free.
 */
bool wl_harq_may(struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_put() - a PDU goes into the block
 * @b: bearer of a mode that numbers PDUs, its block open
 * @now_ns: start of the TTI
 * @tx: the PDU; ops->sent() follows when its fate is known
 */
void wl_harq_put(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx);

/**
 * wl_harq_put_sdu() - TM: PDUs of a SDU go into the block
 * @b: bearer, its block open
 * @sdu: first of b->queue
 * @bytes: payload in all
 * @pdus: how many
 */
void wl_harq_put_sdu(struct wl_bearer *b, struct wl_sdu *sdu, u32 bytes, u32 pdus);

/**
 * wl_harq_close() - the block is full and goes on the air
 * @b: first of link->open
 * @now_ns: start of the TTI
 *
 * Return: false when link->budget did not suffice: it is to be called again, and goes on.
 */
bool wl_harq_close(struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_pay() - what retransmissions take from a TTI
 * @link: link
 * @debt: what they take in all
 * @now_ns: start of the TTI
 * @gives: what a TTI gives, and a special slot
 *
 * TTIs since debt->from_ns in which nobody had anything else to send have paid
 * theirs.
 *
 * Return: bits or ns, at most what this one gives.
 */
u64 wl_harq_pay(const struct wl_link *link, struct wl_debt *debt, u64 now_ns,
		const u64 gives[2]);

/**
 * wl_harq_event() - blocks go once more, or a process is free
 * @b: bearer
 * @now_ns: b->harq.next_ns
 *
 * Return: false when link->budget did not suffice: it is to be called again, and goes on.
 */
bool wl_harq_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_set_round() - round trip or TTI have changed
 * @b: bearer
 */
void wl_harq_set_round(struct wl_bearer *b);

/**
 * wl_harq_configure() - b->cfg has just changed
 * @b: bearer; its mode is still the old one
 * @now_ns: when
 * @old: configuration before it
 *
 * Another BLER or factor holds for the transmissions to come. All else resets MAC.
 */
void wl_harq_configure(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old);

/**
 * wl_harq_reset() - all processes are emptied (TS 36.321 clause 5.9)
 * @b: bearer
 * @now_ns: when
 *
 * Blocks that have not arrived are lost. Where link->budget does not suffice harq.resets and
 * b->again are set, and wl_harq_event() goes on, at the same time.
 */
void wl_harq_reset(struct wl_bearer *b, u64 now_ns);

/**
 * wl_harq_flush() - forget all blocks
 * @b: bearer; b->harq.sdus is empty
 */
void wl_harq_flush(struct wl_bearer *b);

#endif
