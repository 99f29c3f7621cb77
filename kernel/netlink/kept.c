// SPDX-License-Identifier: GPL-2.0
/* What a message brings for a qdisc to keep. */
#include <linux/slab.h>
#include <linux/string.h>

#include "attr.h"
#include "kept.h"

struct wl_kept *wl_kept_new(enum wl_kept_kind kind, size_t bytes)
{
	struct wl_kept *kept = kvzalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);

	if (!kept)
		return NULL;
	kept->bytes = bytes;
	kept->kind = kind;
	return kept;
}

static bool kept_same(const struct wl_kept *a, const struct wl_kept *b)
{
	return a->bytes == b->bytes &&
	       !memcmp(&a->kind, &b->kind, a->bytes - offsetof(struct wl_kept, kind));
}

struct wl_kept *wl_kept_add(struct wl_kept **list, struct wl_kept *kept)
{
	struct wl_kept *old;

	for (old = *list; old; old = old->next) {
		if (kept_same(old, kept)) {
			kvfree(kept);
			return old;
		}
	}
	kept->next = *list;
	*list = kept;
	return kept;
}
