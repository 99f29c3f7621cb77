// SPDX-License-Identifier: GPL-2.0
#include "wl_heap.h"

static bool before(const struct wl_node *a, const struct wl_node *b)
{
	return a->key != b->key ? a->key < b->key : a->sub < b->sub;
}

static void put(struct wl_heap *heap, struct wl_node *node, u32 at)
{
	heap->slot[at] = node;
	node->at = at;
}

static void rise(struct wl_heap *heap, struct wl_node *node, u32 at, u32 top)
{
	while (at > top && before(node, heap->slot[at / 2])) {
		put(heap, heap->slot[at / 2], at);
		at /= 2;
	}
	put(heap, node, at);
}

/* What sinks is most often put off for long: down to the bottom without looking at
 * it, and up from there.
 */
static void settle(struct wl_heap *heap, struct wl_node *node, u32 at)
{
	u32 top = at, child;

	if (at > 1 && before(node, heap->slot[at / 2])) {
		rise(heap, node, at, 1);
		return;
	}
	while ((child = 2 * at) <= heap->count) {
		if (child < heap->count &&
		    before(heap->slot[child + 1], heap->slot[child]))
			child++;
		put(heap, heap->slot[child], at);
		at = child;
	}
	rise(heap, node, at, top);
}

void wl_heap_set(struct wl_heap *heap, struct wl_node *node, u64 key, u32 sub)
{
	if (node->at && node->key == key && node->sub == sub)
		return;
	node->key = key;
	node->sub = sub;
	if (!node->at)
		put(heap, node, ++heap->count);
	settle(heap, node, node->at);
}

void wl_heap_remove(struct wl_heap *heap, struct wl_node *node)
{
	struct wl_node *last;
	u32 at = node->at;

	if (!at)
		return;
	node->at = 0;
	last = heap->slot[heap->count--];
	if (last != node)
		settle(heap, last, at);
}
