// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "heap.h"

static bool heap_before(const struct wl_node *a, const struct wl_node *b)
{
	return a->key != b->key ? a->key < b->key : a->sub < b->sub;
}

static void heap_put(struct wl_heap *heap, struct wl_node *node, u32 at)
{
	heap->node[at] = node;
	node->at = at;
}

static void heap_rise(struct wl_heap *heap, struct wl_node *node, u32 at, u32 top)
{
	while (at > top && heap_before(node, heap->node[at / 2])) {
		heap_put(heap, heap->node[at / 2], at);
		at /= 2;
	}
	heap_put(heap, node, at);
}

/* What sinks is most often heap_put off for long: down to the bottom without looking at
 * it, and up from there.
 */
static void heap_settle(struct wl_heap *heap, struct wl_node *node, u32 at)
{
	u32 top = at, child;

	if (at > 1 && heap_before(node, heap->node[at / 2])) {
		heap_rise(heap, node, at, 1);
		return;
	}
	while ((child = 2 * at) <= heap->count) {
		if (child < heap->count &&
		    heap_before(heap->node[child + 1], heap->node[child]))
			child++;
		heap_put(heap, heap->node[child], at);
		at = child;
	}
	heap_rise(heap, node, at, top);
}

void wl_heap_set(struct wl_heap *heap, struct wl_node *node, u64 key, u32 sub)
{
	if (node->at && node->key == key && node->sub == sub)
		return;
	node->key = key;
	node->sub = sub;
	if (!node->at)
		heap_put(heap, node, ++heap->count);
	heap_settle(heap, node, node->at);
}

void wl_heap_remove(struct wl_heap *heap, struct wl_node *node)
{
	struct wl_node *last;
	u32 at = node->at;

	if (!at)
		return;
	node->at = 0;
	last = heap->node[heap->count--];
	if (last != node)
		heap_settle(heap, last, at);
}
