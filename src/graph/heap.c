// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A heap of vertices by their distance; see heap.h. */
#include "graph/heap.h"

#include <stdbool.h>

static bool is_nearer(const struct weft__heap_item *a,
		      const struct weft__heap_item *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->second != b->second ? a->second < b->second :
					a->vertex < b->vertex;
}

void weft__heap_push(struct weft__heap *heap, struct weft__heap_item new)
{
	struct weft__heap_item *item = heap->item;
	uint32_t i = heap->n++;

	for (; i && is_nearer(&new, &item[(i - 1) / 2]); i = (i - 1) / 2)
		item[i] = item[(i - 1) / 2];
	item[i] = new;
}

struct weft__heap_item weft__heap_pop(struct weft__heap *heap)
{
	struct weft__heap_item *item = heap->item;
	struct weft__heap_item top = item[0], last = item[--heap->n];
	uint32_t i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < heap->n &&
		    is_nearer(&item[child + 1], &item[child]))
			child++;
		if (child >= heap->n || !is_nearer(&item[child], &last))
			break;
		item[i] = item[child];
		i = child;
	}
	item[i] = last;
	return top;
}
