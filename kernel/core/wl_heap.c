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

static void settle(struct wl_heap *heap, struct wl_node *node, u32 at)
{
	while (at > 1 && before(node, heap->slot[at / 2])) {
		put(heap, heap->slot[at / 2], at);
		at /= 2;
	}
	for (;;) {
		u32 child = 2 * at;

		if (child > heap->count)
			break;
		if (child < heap->count &&
		    before(heap->slot[child + 1], heap->slot[child]))
			child++;
		if (!before(heap->slot[child], node))
			break;
		put(heap, heap->slot[child], at);
		at = child;
	}
	put(heap, node, at);
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
