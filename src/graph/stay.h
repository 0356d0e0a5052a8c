/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The edges of a graph that can stay together without a cycle.
 */
#ifndef WEFT_GRAPH_STAY_H
#define WEFT_GRAPH_STAY_H

#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct weft__weighted {
	uint32_t n;		/* vertices */
	uint32_t *first;	/* [n + 1] edges from each */
	uint32_t *head;		/* [first[n]] vertex they lead to; UINT32_MAX:
				 * out of the graph, on no cycle */
	uint64_t *weight;	/* [first[n]] */
};

struct weft__stay {
	const struct weft__weighted *g;
	bool *kept;		/* [edges] */
	uint32_t *position;	/* [n] every kept edge leads to a higher one */
	uint32_t *vertex;	/* [n] its inverse */
	uint32_t *found;	/* [n] scratch */
	uint32_t *seen;		/* [n] round of the search that met it */
	uint32_t round;
	uint64_t work;		/* steps so far, */
	uint64_t effort;	/* and at most */
};

/* Begins without kept edges.  Memory comes from scratch. -ENOMEM. */
int weft__stay_init(struct weft__stay *s, const struct weft__weighted *g,
		    uint64_t effort, struct weft_arena *scratch);

/*
 * Keeps edge e from tail.  Returns false, and changes nothing, if that would
 * close a cycle with edges kept, or, once the effort is spent, if it points
 * backwards in the current order.  To drop an edge, clear s->kept[e].
 */
bool weft__stay_keep(struct weft__stay *s, uint32_t tail, uint32_t e);

/* Keeps all edges that can be kept, heaviest first, in their order if equal.
 * -ENOMEM. */
int weft__stay_heaviest(struct weft__stay *s, struct weft_arena *scratch);

#endif
