/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_LIST_H
#define _WL_LIST_H

#include "wl_internal.h"

struct wl_bearer;
struct wl_pdu;

/**
 * struct wl_list - PDUs of a window, linked by number through struct wl_pdu
 * @first: first one
 * @last: last one
 * @count: how many; @first and @last mean nothing where it is 0
 */
struct wl_list {
	u32 first;
	u32 last;
	u32 count;
};

/**
 * wl_list_add() - put a PDU into a list
 * @b: bearer
 * @list: one of its lists
 * @pdu: PDU that is in no list
 * @after: number of the one that it comes after, NULL: it becomes the first
 */
void wl_list_add(struct wl_bearer *b, struct wl_list *list, struct wl_pdu *pdu,
		 const u32 *after);

/**
 * wl_list_del() - take a PDU out of its list
 * @b: bearer
 * @list: the list
 * @pdu: PDU that is in it
 */
void wl_list_del(struct wl_bearer *b, struct wl_list *list,
		 const struct wl_pdu *pdu);

#endif
