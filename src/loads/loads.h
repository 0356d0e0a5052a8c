/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What all routes together put on the channels: loads when everybody sends to
 * everybody, and who waits for whose buffers.
 */
#ifndef WEFT_LOADS_H
#define WEFT_LOADS_H

#include "graph/order.h"
#include "loads/column.h"
#include "loads/hubs.h"
#include "loads/lane_map.h"

#include <weft/layers.h>

/* Traffic by its ends: endports both, a switch one of them, switches both. */
#define WEFT__KINDS 3

struct weft__loads {
	const struct weft_fabric *fabric;
	const struct weft_layers *layers;	/* service levels */
	uint64_t *load;		/* [nch] routes, by the weight of their ends */
	uint32_t *scale;	/* [nch] 16 on the fastest links, more on slower
				 * ones */
	uint64_t *hosts;	/* [nsw] weight of the endports that send */
	uint16_t *ends;		/* [nsw] 1: endports are there, else 0 */
	unsigned nlanes;
	struct weft__lane_map map;

	/*
	 * Dependencies between channels that are in order.  They are those of
	 * the first kinds of traffic, as many as the tables in force are free
	 * of credit loops with: they stay so.
	 */
	struct weft__order order;
	unsigned kinds;		/* 0: not even the first has an order */
	bool closed;		/* set: none is added */
	bool forward;		/* set: only those that lead forward in the order as
				 * it is */
	struct weft__hubs hubs;
	uint64_t *refused;	/* [nv][words] as the order's edges: those that
				 * closed a cycle and always will */

	/* The column that was spread last, of switches that arrive. */
	uint64_t *through;	/* [nsw] weight of what passes */
	uint16_t *lanes;	/* [nsw] lanes of what passes, a bit each, as
				 * far as it has to be in order */
};

/* Begins without traffic; lanes: that pairs may change to.  0 or -ENOMEM; must
 * be freed in both cases. */
int weft__loads_init(struct weft__loads *t, const struct weft_fabric *f,
		     const struct weft_layers *layers, unsigned lanes,
		     struct weft_arena *arena);
void weft__loads_free(struct weft__loads *t);

/* Weight of a LID in a fabric: what its endport counts for, 0 if nobody or a
 * switch has it. */
uint32_t weft__lid_weight(const struct weft_fabric *f, unsigned lid);
/* Weight of a column's LID. */
uint32_t weft__loads_weight(const struct weft__loads *t,
			    const struct weft__column *c);

/*
 * Finds how much traffic of a column passes each switch, and in which lanes, if
 * that is wanted.  Ways that do not arrive carry none.  The column was
 * surveyed. O(switches).
 */
void weft__loads_spread(struct weft__loads *t, const struct weft__column *c);
void weft__loads_spread_lanes(struct weft__loads *t,
			      const struct weft__column *c);
/* Finds the lanes that have to be in order alone, if some have, from those of
 * each switch, own[], as weft__loads_own_lanes() tells.  O(switches). */
void weft__loads_pass_lanes(struct weft__loads *t, const struct weft__column *c,
			    const uint16_t *own);

/* The highest load of a channel times its scale.  O(channels). */
uint64_t weft__loads_peak(const struct weft__loads *t);
/* That of the busiest host link, in the same unit: with a lower peak nothing is
 * faster.  O(channels). */
uint64_t weft__loads_host_peak(const struct weft__loads *t);

/* Adds so much to the channels on the way from s; (uint64_t)-n takes n away. */
void weft__loads_add_way(struct weft__loads *t, const struct weft__column *c,
			 uint32_t s, uint64_t more);
/* Adds what is sent along a column, or takes it away (sign -1). */
void weft__loads_add(struct weft__loads *t, const struct weft__column *c,
		     int sign);
/* The same, for a column that was just spread.  Each O(switches). */
void weft__loads_add_spread(struct weft__loads *t,
			    const struct weft__column *c, int sign);

/*
 * These add dependencies, if they close no cycle with those that are there, and
 * else change nothing and return false: of the way from s to the root, s having
 * its entry, in lanes; of all that passes s in a column that was spread with
 * its lanes; of all that goes along that column.
 */
bool weft__loads_allow(struct weft__loads *t, const struct weft__column *c,
		       uint32_t s, uint16_t lanes);
bool weft__loads_allow_subtree(struct weft__loads *t,
			       const struct weft__column *c, uint32_t s);
bool weft__loads_allow_column(struct weft__loads *t,
			      const struct weft__column *c);

/* Adds one dependency, which undoing takes away again. */
bool weft__loads_try(struct weft__loads *t, uint32_t channel, unsigned lane,
		     unsigned port);

/* Lanes of what a switch and its endports send to the column's LID, of each kind
 * by itself: WEFT__KIND_BITS for each, the first ones lowest. */
#define WEFT__KIND_BITS 16
uint64_t weft__loads_lanes_by_kind(const struct weft__loads *t,
				   const struct weft__column *c, uint32_t s);

/* The same of all kinds that have to be in order. */
uint16_t weft__loads_own_lanes(const struct weft__loads *t,
			       const struct weft__column *c, uint32_t s);

#endif
