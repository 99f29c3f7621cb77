/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_HEAP_H
#define _WL_HEAP_H

#include "types.h"

struct wl_bearer;

/**
 * struct wl_node - a bearer's place in a heap
 * @bearer: whose
 * @key: least first
 * @sub: decides between equal keys; no two nodes of a heap are equal in both
 * @at: place, 0 for none
 */
struct wl_node {
	struct wl_bearer *bearer;
	u64 key;
	u32 sub;
	u32 at;
};

/**
 * struct wl_heap - nodes by key; what is in it costs log2 of its size to move,
 *	what is not in it costs nothing
 * @node: nodes from place 1 on; place 0 is not used
 * @count: nodes
 */
struct wl_heap {
	struct wl_node **node;
	u32 count;
};

/**
 * wl_heap_set() - put a node in or move it to where its key belongs
 * @heap: heap with room for it
 * @node: node, in the heap or not
 * @key: its key from now on
 * @sub: see struct wl_node
 */
void wl_heap_set(struct wl_heap *heap, struct wl_node *node, u64 key, u32 sub);

/**
 * wl_heap_remove() - take a node out
 * @heap: heap
 * @node: node, in the heap or not
 */
void wl_heap_remove(struct wl_heap *heap, struct wl_node *node);

/**
 * wl_heap_first() - node with the least key
 * @heap: heap
 *
 * Return: node, or NULL.
 */
static inline struct wl_node *wl_heap_first(const struct wl_heap *heap)
{
	return heap->count ? heap->node[1] : NULL;
}

#endif
