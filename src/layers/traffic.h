/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All routes of a fabric as trees towards switches, the form in which lanes are
 * given out.
 *
 * A tree is one column of the tables: the port by which each switch sends to a
 * LID, as far as it leads to another switch; 0 = no further, there or lost.
 * Trees are grouped by the switch that the LID is on, and LIDs with the same
 * tree share it.  Whatever is sent from switch a to switch b, by its endports
 * or itself, follows b's trees from a on: between them, the trees of a and b
 * know all that runs between two switches.
 *
 * Memory: (trees x switches) bytes.
 */
#ifndef WEFT_LAYERS_TRAFFIC_H
#define WEFT_LAYERS_TRAFFIC_H
#include "graph/order.h"

#include <weft/diag.h>
#include <weft/lft.h>

struct weft__traffic {
	const struct weft_fabric *fabric;
	uint32_t nsw, ntrees;
	uint8_t *tree;		/* [ntrees][nsw] */
	uint32_t *first;	/* [nsw + 1] trees to LIDs on each switch: */
	uint32_t *live;		/* [first[nsw]] ascending, no tree twice */
	uint32_t *home;		/* [ntrees] the switch they are to */
	uint8_t *thin;		/* [ntrees] to thin LIDs only */
	uint32_t *of_lid;	/* [max_lid + 1], WEFT_NONE = nobody's */
};

/*
 * Collects the trees of all LIDs that have an owner.  -ELOOP with an error when
 * packets to one of them run in a circle, which no lanes can mend; -EINVAL when
 * the tables are of another fabric; -ENOMEM (all said).
 * O(LIDs x switches).
 */
int weft__traffic_init(struct weft__traffic *t,
		       const struct weft_fabric *fabric,
		       const struct weft_lft *lft, struct weft_diag *diag);
void weft__traffic_free(struct weft__traffic *t);

/* Lists first[] and live[] anew after LIDs were given other trees.  -ENOMEM.
 * O(LIDs log LIDs). */
int weft__traffic_list(struct weft__traffic *t);

static inline uint8_t *weft__tree_ports(const struct weft__traffic *t,
					uint32_t i)
{
	return t->tree + (size_t)i * t->nsw;
}

/* Whether everyone arrives along tree i; others are not to be copied. */
bool weft__tree_is_whole(const struct weft__traffic *t, uint32_t i);

/* Adds the dependencies of everything sent along tree i by all switches to a
 * lane, whether that closes a cycle or not.  O(switches). */
void weft__tree_collect(const struct weft__traffic *t, uint32_t i,
			struct weft__cdg *g, uint32_t lane);
/* The same, one after the other; false if one would close a cycle.  What was
 * added before then is in o's list of edges since the mark. */
bool weft__tree_add(const struct weft__traffic *t, uint32_t i,
		    struct weft__order *o, uint32_t lane);
/* The same for what switch s alone sends.  O(hops). */
bool weft__route_add(const struct weft__traffic *t, uint32_t i, uint32_t s,
		     struct weft__order *o, uint32_t lane);

/* Hops of what all endports send along tree i; routes over each channel are
 * added to loads[first_injection].  O(switches x hops). */
uint64_t weft__tree_measure(const struct weft__traffic *t, uint32_t i,
			    uint64_t *loads);

/*
 * What the routes are worth: the mean share of bandwidth of the streams of
 * random bisections, always the same ones; see trial.c.  -ENOMEM.
 */
int weft__traffic_worth(const struct weft__traffic *t, double *worth);

/* Switches and aggregation nodes have little traffic, for management and
 * reductions.  Aggregation nodes are on spines, too. */
static inline bool weft__is_thin(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ||
	       f->ep[vertex & ~WEFT_ENDPORT].kind == WEFT_AGGREGATION;
}

/*
 * Writes trees to the tables, as far as they lead on.  How many LIDs have
 * a new route is added to the counts, of thin ones apart.
 * O(LIDs x switches).
 */
void weft__traffic_store(const struct weft__traffic *t, struct weft_lft *lft,
			 uint32_t *changed, uint32_t *thin_changed);

#endif
