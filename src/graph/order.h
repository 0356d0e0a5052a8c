/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * DOC: a CDG that stays acyclic while edges come and go
 *
 * The graph comes with a topological order of its vertices.  Adding an edge
 * that runs forward in the order costs one memory access.  For an edge that
 * runs backward, from v to an earlier w, the vertices between the two are
 * searched.  The search goes forward from w; if it meets v, the edge would
 * close a cycle and is refused.  Else a search goes backward from v, and the
 * vertices found change places among themselves (Pearce and Kelly, "A Dynamic
 * Topological Sort Algorithm for Directed Acyclic Graphs", 2006).  Removing an
 * edge leaves the order as it is.
 *
 * Lanes never meet, so that one order serves all of them; the vertices of a
 * lane only ever change places with each other.
 *
 * Time of an insertion: O(d log d + edges at them) for the d vertices that must
 * move, O(1) for most.  Memory: 20 bytes for each vertex beside the graph, and
 * as much as the graph takes for the edges into vertices.
 */
#ifndef WEFT_GRAPH_ORDER_H
#define WEFT_GRAPH_ORDER_H

#include "graph/cdg.h"

struct weft__order {
	struct weft__cdg cdg;	/* never mixed */
	uint32_t *position;	/* [nv] every edge leads to a higher one */
	uint32_t *vertex;	/* [nv] its inverse */
	uint64_t work;		/* edges looked at so far */
	/* Work after which the order does not change any more: edges that run
	 * backward in it are refused then, even if they close no cycle. */
	uint64_t work_limit;

	/* The edges into a vertex: a bit for each port of the switch that its
	 * channel leaves.  They follow those of the graph from the first search
	 * backward on, until the order is renewed. */
	uint64_t *back;		/* [nv][words] */
	bool back_known;

	/* scratch of one insertion */
	uint64_t *met;		/* [nsw][words] ports by which a search has met
				 * vertices before or behind a switch; none
				 * between searches */
	uint32_t *found;	/* [nv] */
	uint32_t *place;	/* [2 * nv] */

	/* edges added since the last mark, for undoing */
	struct weft__order_edge {
		uint32_t v;
		uint8_t port;
	} *added;
	size_t nadded, room;
};

/* Makes a graph without edges for that many lanes. -ENOMEM. */
int weft__order_init(struct weft__order *o, const struct weft_fabric *fabric,
		     uint32_t nlanes);
void weft__order_free(struct weft__order *o);	/* a zeroed one is fine */

/* Adds a new edge: the slow path of weft__order_add(). */
bool weft__order_insert(struct weft__order *o, uint32_t v, unsigned port);

/*
 * Adds the edge from v to the channel by which port (1 and up) leaves the
 * switch behind it.  Returns false, and changes nothing, if that would close a
 * cycle.
 */
static inline bool weft__order_add(struct weft__order *o, uint32_t v,
				   unsigned port)
{
	o->work++;
	return weft__cdg_has(&o->cdg, v, port) ||
	       weft__order_insert(o, v, port);
}

/* Removes an edge, which must be there; not to be mixed with undo. */
void weft__order_remove(struct weft__order *o, uint32_t v, unsigned port);

/* Makes edges that are added from here on undoable. */
void weft__order_mark(struct weft__order *o);
/* Remove the edges added since the mark: all, or all but the first n. */
void weft__order_undo(struct weft__order *o);
void weft__order_back(struct weft__order *o, size_t n);

/*
 * Orders all vertices anew after edges were put into the graph directly.
 * Returns false if the graph has a cycle; the order is void then.
 */
bool weft__order_renew(struct weft__order *o);

/* Orders the vertices of an acyclic graph anew: of those that may come next the
 * lowest one does.  So an order of few edges departs little from that of ids.
 * O(vertices x log vertices + edges). */
void weft__order_by_id(struct weft__order *o);

/* How to order the channels of a lane. */
struct weft__order_rule {
	uint32_t from;		/* a lane; the order holds its edges, which must
				 * be acyclic, */
	const bool *without;	/* [nsw] but for those at such switches;
				 * NULL: there are none */
	const uint32_t *rank;	/* [nch] of channels that may come next, the
				 * lowest does */
	const uint32_t *by_rank;	/* [nch] its inverse */
};

/* Sets the positions of a lane's vertices, within the lane, by a rule.  vertex[]
 * is void then. */
void weft__order_by_rule(struct weft__order *o, uint32_t lane,
			 const struct weft__order_rule *rule);

/* Orders each lane anew by its own edges and the same ranks of channels, [nch];
 * by_rank: the inverse. */
void weft__order_by_rank(struct weft__order *o, const uint32_t *rank,
			 const uint32_t *by_rank);

#endif
