/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * DOC: a CDG that stays acyclic while edges come and go
 *
 * Beside the graph a topological order of its vertices is kept.  An edge that
 * runs forward in the order costs one memory access.  One that runs backward,
 * from v to an earlier w, has the vertices between the two searched: forward
 * from w, and if v is met, the edge would close a cycle and is refused; else
 * backward from v, and the vertices found change places among themselves
 * (Pearce and Kelly, "A Dynamic Topological Sort Algorithm for Directed Acyclic
 * Graphs", 2006).  Taking an edge out leaves the order as it is.
 *
 * Lanes never meet, so that one order serves all of them; the vertices of a
 * lane only ever change places with each other.
 *
 * Time of an insertion: O(d log d + edges at them) for the d vertices that must
 * move, O(1) for most.  Memory: 24 bytes for each vertex beside the graph.
 */
#ifndef WEFT_GRAPH_ORDER_H
#define WEFT_GRAPH_ORDER_H
#include "graph/cdg.h"

struct weft__order {
	struct weft__cdg cdg;	/* never mixed */
	uint32_t *position;	/* [nv] every edge leads to a higher one */
	uint32_t *vertex;	/* [nv] its inverse */
	uint64_t work;		/* edges looked at so far */
	/* Work after which the order is left as it is: edges that run backward
	 * in it are refused from then on, cycle or not. */
	uint64_t work_limit;

	/* scratch of one insertion */
	uint32_t *seen;		/* [nv] = round: met */
	uint32_t round;
	uint32_t *found;	/* [nv] */
	uint32_t *place;	/* [2 * nv] */

	/* edges added since the last mark, for undoing */
	struct weft__order_edge {
		uint32_t v;
		uint8_t port;
	} *added;
	size_t nadded, room;
};

/* Without edges, for that many lanes.  -ENOMEM. */
int weft__order_init(struct weft__order *o, const struct weft_fabric *fabric,
		     uint32_t nlanes);
void weft__order_free(struct weft__order *o);	/* of a zeroed one is fine */

/* Slow path of weft__order_add(): the edge is new. */
bool weft__order_insert(struct weft__order *o, uint32_t v, unsigned port);

/*
 * Adds the edge from v to what leaves the switch behind it by port (1 and up).
 * False, and nothing is changed, if that would close a cycle.
 */
static inline bool weft__order_add(struct weft__order *o, uint32_t v,
				   unsigned port)
{
	o->work++;
	return weft__cdg_has(&o->cdg, v, port) ||
	       weft__order_insert(o, v, port);
}

/* Takes out an edge, which must be there; not to be mixed with undo. */
void weft__order_remove(struct weft__order *o, uint32_t v, unsigned port);

/* What is added from here on can be undone. */
void weft__order_mark(struct weft__order *o);
/* Takes out all edges that were added since the mark; all but the first n. */
void weft__order_undo(struct weft__order *o);
void weft__order_back(struct weft__order *o, size_t n);

/*
 * After edges were put into the graph past this module: orders all vertices
 * anew.  False if the graph has a cycle; the order is void then.
 */
bool weft__order_renew(struct weft__order *o);

#endif
