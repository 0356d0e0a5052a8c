/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All routes of a fabric as trees towards switches, the form in which lanes are
 * given out.
 *
 * A tree is one column of the tables: the port by which each switch sends to a
 * LID, as far as it leads to another switch; 0 where it leads no further,
 * whether the packets have arrived or are lost.  Trees are grouped by the
 * switch that the LID is on, and LIDs with the same tree share it.  All traffic
 * from switch a to switch b, from its endports or itself, follows b's trees
 * from a on.  So the trees of a and b have all routes between the two switches.
 *
 * Memory: (trees x switches) bytes.
 */
#ifndef WEFT_LAYERS_TRAFFIC_H
#define WEFT_LAYERS_TRAFFIC_H

#include "graph/order.h"

#include <weft/diag.h>
#include <weft/layering.h>
#include <weft/lft.h>

struct weft__traffic {
	const struct weft_fabric *fabric;
	uint32_t nsw, ntrees;
	uint8_t *tree;		/* [ntrees][nsw] */
	uint32_t *first;	/* [nsw + 1] trees to LIDs on each switch are */
	uint32_t *live;		/* live[first[s]] .., ascending, no tree
				 * twice */
	uint32_t *home;		/* [ntrees] switch that the tree leads to */
	uint8_t *thin;		/* [ntrees] leads to thin LIDs only */
	uint32_t *of_lid;	/* [max_lid + 1]; WEFT_NONE: no owner */
	/*
	 * [first_injection] lanes that a channel has, the first ones; NULL: all
	 * have enough.  last (0: no) is the lane beside these that all channels
	 * have; then each has one less of the others.
	 */
	const uint8_t *room;
	unsigned last;
};

/* Returns true if a channel has that lane. */
static inline bool weft__has_room(const struct weft__traffic *t, uint32_t ch,
				  unsigned lane)
{
	return !t->room || (t->last && lane == t->last) ||
	       lane + (t->last > 0) < t->room[ch];
}

/*
 * Collects the trees of all LIDs that have an owner.  Returns -ELOOP if packets
 * to one of them run in a circle, which no lanes can repair; -EINVAL if the
 * tables are of another fabric; -ENOMEM.  All errors are reported.  O(LIDs x
 * switches).
 */
int weft__traffic_init(struct weft__traffic *t,
		       const struct weft_fabric *fabric,
		       const struct weft_lft *lft, struct weft_diag *diag);
void weft__traffic_free(struct weft__traffic *t);

/* Lists first[] and live[] anew after LIDs were given other trees. -ENOMEM.
 * O(LIDs log LIDs). */
int weft__traffic_list(struct weft__traffic *t);

static inline uint8_t *weft__tree_ports(const struct weft__traffic *t,
					uint32_t i)
{
	return t->tree + (size_t)i * t->nsw;
}

/* Returns true if all traffic arrives along tree i; other trees must not be
 * copied. */
bool weft__tree_is_whole(const struct weft__traffic *t, uint32_t i);

/* Adds the dependencies of all switches' traffic along tree i to a lane, even
 * if that closes a cycle.  O(switches). */
void weft__tree_collect(const struct weft__traffic *t, uint32_t i,
			struct weft__cdg *g, uint32_t lane);
/* Adds them one by one.  Returns false if one would close a cycle, or a channel
 * does not have the lane; those added before are in o's list of edges since the
 * mark. */
bool weft__tree_add(const struct weft__traffic *t, uint32_t i,
		    struct weft__order *o, uint32_t lane);
/* Adds, like that, the dependencies of switch s's traffic alone.  O(hops). */
bool weft__route_add(const struct weft__traffic *t, uint32_t i, uint32_t s,
		     struct weft__order *o, uint32_t lane);

/* Returns the hops of all endports' routes along tree i, and adds the routes
 * over each channel to loads[first_injection].  O(switches x hops). */
uint64_t weft__tree_measure(const struct weft__traffic *t, uint32_t i,
			    uint64_t *loads);

/*
 * Finds the worth of the routes: the mean share of bandwidth of the streams of
 * random bisections, always the same ones; see trial.c. -ENOMEM.
 */
int weft__traffic_worth(const struct weft__traffic *t, double *worth);

/* Finds what the slowest stream gets, as a share of the slowest host's bandwidth, when
 * each endport sends to all others. -ENOMEM. */
int weft__traffic_uniform(const struct weft__traffic *t, double *share);

/*
 * Compares routes with those of tables: hops, loads and bandwidth, before and
 * after.  Returns -ENOMEM or the errors of weft__traffic_init().
 */
int weft__traffic_compare(const struct weft__traffic *now,
			  const struct weft_lft *lft,
			  struct weft_layering *out, struct weft_diag *diag);

/* Returns true for switches and aggregation nodes, which have little traffic,
 * for management and reductions.  Aggregation nodes may be on spines. */
static inline bool weft__is_thin(const struct weft_fabric *f, uint32_t vertex)
{
	return weft_is_switch(vertex) ||
	       f->ep[vertex & ~WEFT_ENDPORT].kind == WEFT_AGGREGATION;
}

/*
 * Writes trees to the tables, as far as they lead on.  Adds to the counts how
 * many LIDs have a new route, thin ones apart.  O(LIDs x switches).
 */
void weft__traffic_store(const struct weft__traffic *t, struct weft_lft *lft,
			 uint32_t *changed, uint32_t *thin_changed);

#endif
