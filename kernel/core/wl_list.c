// SPDX-License-Identifier: GPL-2.0
#include "wl_mode.h"

void wl_list_add(struct wl_bearer *b, struct wl_list *list, struct wl_pdu *pdu,
		 const u32 *after)
{
	if (!list->count) {
		list->first = pdu->sn;
		list->last = pdu->sn;
	} else if (!after) {
		pdu->next = list->first;
		wl_pdu_at(b, list->first)->prev = pdu->sn;
		list->first = pdu->sn;
	} else {
		pdu->prev = *after;
		if (*after == list->last) {
			list->last = pdu->sn;
		} else {
			pdu->next = wl_pdu_at(b, *after)->next;
			wl_pdu_at(b, pdu->next)->prev = pdu->sn;
		}
		wl_pdu_at(b, pdu->prev)->next = pdu->sn;
	}
	list->count++;
}

void wl_list_del(struct wl_bearer *b, struct wl_list *list,
		 const struct wl_pdu *pdu)
{
	if (list->first == pdu->sn)
		list->first = pdu->next;
	else
		wl_pdu_at(b, pdu->prev)->next = pdu->next;
	if (list->last == pdu->sn)
		list->last = pdu->prev;
	else
		wl_pdu_at(b, pdu->next)->prev = pdu->prev;
	list->count--;
}
