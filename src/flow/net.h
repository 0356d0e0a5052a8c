/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The switches as a graph whose edges are all cables from one to another. */
#ifndef WEFT_FLOW_NET_H
#define WEFT_FLOW_NET_H

#include "graph/heap.h"

#include <weft/fabric.h>

struct weft_arena;

struct weft__flow_net {
	uint32_t nsw, nedges;
	uint32_t *first;	/* [nsw + 1] edges from each switch */
	uint32_t *head;		/* [nedges] the switch that one leads to */
	uint32_t *back;		/* [nedges] the edge of the other direction */
	double *capacity;	/* [nedges] Mbit/s */
	uint32_t *edge;		/* [adj_first[nsw]] of an adjacency entry */
};

/* Memory of the arena; -ENOMEM.  O(channels). */
int weft__flow_net_init(struct weft__flow_net *net, const struct weft_fabric *f,
			struct weft_arena *arena);

#define WEFT__FLOW_NET_FAR UINT64_MAX

/* The cheapest ways to a goal. */
struct weft__flow_net_tree {
	uint64_t *distance;	/* [nsw] WEFT__FLOW_NET_FAR: no way */
	uint32_t *by;		/* [nsw] the edge by which a switch sends */
	uint32_t *order;	/* [nsw] switches with a way, nearest first */
	uint32_t n;		/* that many, with the goal */
	struct weft__heap heap;
};

int weft__flow_net_tree_init(struct weft__flow_net_tree *t,
			     const struct weft__flow_net *net,
			     struct weft_arena *arena);

/*
 * Finds them (Dijkstra 1959).  price_back: [nedges] prices of the edges of the
 * other direction, >= 1: what a search from the goal reads in one go.  Of ways
 * that cost the same, the one whose next switch was found first.
 */
void weft__flow_net_search(const struct weft__flow_net *net, uint32_t goal,
			   const uint64_t *price_back,
			   struct weft__flow_net_tree *t);

#endif
