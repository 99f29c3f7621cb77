// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "delayed.h"

/* Both right sides of a merge: a node of rank r has 2^r - 1 below it at least. */
#define DELAYED_DEPTH	64

static bool delayed_before(const struct wl_sdu *a, const struct wl_sdu *b)
{
	return a->deliver_ns != b->deliver_ns ? a->deliver_ns < b->deliver_ns :
						(s32)(a->order - b->order) < 0;
}

static u32 delayed_rank(const struct wl_sdu *sdu)
{
	return sdu ? sdu->rank : 0;
}

/* Down the right sides, always with the earlier one, and back up: the deeper side goes
 * to the left.
 */
static struct wl_sdu *delayed_merge(struct wl_sdu *a, struct wl_sdu *b)
{
	struct wl_sdu *path[DELAYED_DEPTH], *below, *sdu;
	u32 depth = 0;

	while (a && b) {
		sdu = delayed_before(a, b) ? a : b;
		if (sdu == b)
			b = a;
		a = sdu->out_next;
		path[depth++] = sdu;
	}
	below = a ?: b;
	while (depth) {
		sdu = path[--depth];
		sdu->out_next = below;
		if (delayed_rank(sdu->left) < delayed_rank(below)) {
			sdu->out_next = sdu->left;
			sdu->left = below;
		}
		sdu->rank = delayed_rank(sdu->out_next) + 1;
		below = sdu;
	}
	return below;
}

void wl_delayed_push(struct wl_sdu **root, struct wl_sdu *sdu)
{
	sdu->left = NULL;
	sdu->out_next = NULL;
	sdu->rank = 1;
	*root = delayed_merge(*root, sdu);
}

struct wl_sdu *wl_delayed_pop(struct wl_sdu **root)
{
	struct wl_sdu *sdu = *root;

	*root = delayed_merge(sdu->left, sdu->out_next);
	return sdu;
}
