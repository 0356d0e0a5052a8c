/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A heap of vertices by their distance, for searches of the nearest one.  A
 * vertex that got nearer is pushed once more, and who pops passes over what is
 * out of date.
 */
#ifndef WEFT_GRAPH_HEAP_H
#define WEFT_GRAPH_HEAP_H

#include <stdint.h>

struct weft__heap_item {
	uint64_t distance;
	uint64_t second;	/* decides where distances are the same, then
				 * the number of the vertex */
	uint32_t vertex;
};

struct weft__heap {
	struct weft__heap_item *item;	/* the caller's, with room enough */
	uint32_t n;
};

/* O(log n). */
void weft__heap_push(struct weft__heap *heap, struct weft__heap_item item);

/* Takes the nearest one off a heap that is not empty.  O(log n). */
struct weft__heap_item weft__heap_pop(struct weft__heap *heap);

#endif
