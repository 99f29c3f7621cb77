/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_IMPAIR_H
#define _WL_IMPAIR_H

/*
 * What may happen to a SDU between the receiver and the far side: it gets errors, comes
 * twice, or later. Off by default, and then none of this is called.
 */
#include "../types.h"

/**
 * struct wl_error - something wrong in a SDU
 * @byte: which byte of it
 * @mask: bits of that which are the other ones, not 0
 */
struct wl_error {
	u32 byte;
	u8 mask;
};

/**
 * wl_sdu_out() - a SDU is due on the far side
 * @link: link
 * @sdu: SDU; deliver_ns is not before that of any earlier one
 */
static inline void wl_sdu_out(struct wl_link *link, struct wl_sdu *sdu)
{
	sdu->flags |= WL_SDU_OUT;
	sdu->out_next = NULL;
	if (link->out.head)
		link->out.tail->out_next = sdu;
	else
		link->out.head = sdu;
	link->out.tail = sdu;
}

/**
 * wl_impair_out() - a SDU has been received, and is to go on
 * @b: bearer whose impair.on is set
 * @sdu: SDU; deliver_ns is now
 */
void wl_impair_out(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_sdu_received() - a SDU leaves the receiving entity
 * @b: bearer
 * @sdu: SDU; deliver_ns is now
 */
static inline void wl_sdu_received(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (b->impair.on)
		wl_impair_out(b, sdu);
	else
		wl_sdu_out(b->link, sdu);
}

/**
 * wl_impair_event() - let go of those that are due
 * @b: bearer
 * @now_ns: when
 *
 * Return: false when link->budget did not suffice.
 */
bool wl_impair_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_impair_configure() - the configuration may have changed
 * @b: bearer; cfg is the new one
 *
 * SDUs that wait keep their time, and unless reorder is on nothing overtakes them.
 */
void wl_impair_configure(struct wl_bearer *b);

/**
 * wl_impair_seed() - start the streams anew
 * @b: bearer
 */
void wl_impair_seed(struct wl_bearer *b);

/**
 * wl_impair_take() - take the SDUs that wait, one by one
 * @b: bearer
 *
 * Return: the next SDU, not out any more; NULL for none.
 */
struct wl_sdu *wl_impair_take(struct wl_bearer *b);

/**
 * wl_impair_errors() - where the errors of a SDU are
 * @sdu: SDU that is due
 * @errors: set, WLINK_ERRORS_MAX of them
 *
 * They are drawn from the seed and the SDU's number alone, each place equally likely and
 * none twice.
 *
 * Return: how many.
 */
u32 wl_impair_errors(const struct wl_sdu *sdu, struct wl_error *errors);

#endif
