// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the graph, and finds cheapest ways in it; see net.h. */
#include "flow/net.h"

#include "core/arena.h"

/* Joins adjacency entries with the same two ends, which are next to each other.
 */
static void join_cables(struct weft__flow_net *net, const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		net->first[s] = n;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i], to = f->peer[ch];

			if (n == net->first[s] || net->head[n - 1] != to) {
				net->head[n] = to;
				net->capacity[n++] = 0;
			}
			net->edge[i] = n - 1;
			net->capacity[n - 1] += f->capacity[ch];
		}
	}
	net->first[f->nsw] = n;
	net->nedges = n;
}

/* Finds the other direction of each edge: those into a switch are met in the
 * order of the switches that they come from, as those out of it are sorted. */
static void find_back(struct weft__flow_net *net, uint32_t *next)
{
	for (uint32_t s = 0; s < net->nsw; s++)
		next[s] = net->first[s];
	for (uint32_t s = 0; s < net->nsw; s++)
		for (uint32_t e = net->first[s]; e < net->first[s + 1]; e++)
			net->back[e] = next[net->head[e]]++;
}

int weft__flow_net_init(struct weft__flow_net *net, const struct weft_fabric *f,
			struct weft_arena *arena)
{
	uint32_t most = f->adj_first[f->nsw];
	uint32_t *next = weft__arena_alloc(arena, f->nsw, sizeof(*next));

	*net = (struct weft__flow_net){
		.nsw = f->nsw,
		.first = weft__arena_alloc(arena, f->nsw + 1ull,
					   sizeof(*net->first)),
		.head = weft__arena_alloc(arena, most, sizeof(*net->head)),
		.back = weft__arena_alloc(arena, most, sizeof(*net->back)),
		.capacity =
			weft__arena_alloc(arena, most, sizeof(*net->capacity)),
		.edge = weft__arena_alloc(arena, most, sizeof(*net->edge)),
	};
	if (weft__arena_failed(arena))
		return -ENOMEM;
	join_cables(net, f);
	find_back(net, next);
	return 0;
}

int weft__flow_net_tree_init(struct weft__flow_net_tree *t,
			     const struct weft__flow_net *net,
			     struct weft_arena *arena)
{
	*t = (struct weft__flow_net_tree){
		.distance = weft__arena_alloc(arena, net->nsw,
					      sizeof(*t->distance)),
		.by = weft__arena_alloc(arena, net->nsw, sizeof(*t->by)),
		.order = weft__arena_alloc(arena, net->nsw, sizeof(*t->order)),
		/* an edge puts its end there at most once, and the goal is
		   there */
		.heap.item = weft__arena_alloc(arena, net->nedges + 1ull,
					       sizeof(*t->heap.item)),
	};
	return weft__arena_error(arena);
}

void weft__flow_net_search(const struct weft__flow_net *net, uint32_t goal,
			   const uint64_t *price_back,
			   struct weft__flow_net_tree *t)
{
	for (uint32_t s = 0; s < net->nsw; s++)
		t->distance[s] = WEFT__FLOW_NET_FAR;
	t->n = t->heap.n = 0;
	t->distance[goal] = 0;
	t->by[goal] = WEFT_NONE;
	weft__heap_push(&t->heap, (struct weft__heap_item){ .vertex = goal });
	while (t->heap.n) {
		struct weft__heap_item at = weft__heap_pop(&t->heap);

		if (at.distance != t->distance[at.vertex])
			continue;
		t->order[t->n++] = at.vertex;
		for (uint32_t e = net->first[at.vertex];
		     e < net->first[at.vertex + 1]; e++) {
			uint64_t d = at.distance + price_back[e];
			uint32_t s = net->head[e];

			if (d >= t->distance[s])
				continue;
			t->distance[s] = d;
			t->by[s] = net->back[e];
			weft__heap_push(&t->heap,
					(struct weft__heap_item){
						.distance = d, .vertex = s });
		}
	}
}
