/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds a lane for every pair of switches, and gives trees other ways where a pair
 * has none; see fit.c.
 */
#ifndef WEFT_LANES_FIT_H
#define WEFT_LANES_FIT_H

#include "graph/closeness.h"
#include "lanes/orders.h"
#include "trees/balance.h"

struct weft_diag;

/* Orders that are known to have a way for each pair in each lane. */
struct weft__lanes_held {
	const uint32_t *up;	/* as for weft__settle_pairs() */
	const uint16_t *first;	/* and as for weft__regrow_all() */
	unsigned min_common_lanes;
	bool keep;		/* trees keep the ways that have a lane */
};

struct weft__fit {
	const struct weft__closeness *close;
	/* Trees grow anew within these at once; NULL: they stay as they are, or
	 * are rerouted where they lack a lane, and the orders change. */
	const struct weft__lanes_held *held;
	const uint16_t *room;	/* [edges] as in turns.h; NULL: all lanes */
	bool straight;		/* Up*Down* by closeness keeps most ways minimal */
	bool keep;		/* loads are not to be evened out */
	double budget;		/* in edges looked at; what only improves trees
				 * ends at balance->limit besides */
	struct weft_diag *diag;
	struct weft_arena *arena;
};

/*
 * Finds lanes for the trees of endports, which follow minimal ways and are
 * loaded, by the turns that the orders allow, and routes the switches' own LIDs,
 * too.  *found: all pairs have a lane, and *layers is set.  That is certain with
 * held orders.  Returns 0 or -ENOMEM.
 */
int weft__fit_lanes(const struct weft__fit *spec, struct weft__ways *ways,
		    struct weft__trees *trees, struct weft__balance *balance,
		    struct weft__orders *orders, struct weft_layers *layers,
		    bool *found);

/* Returns about how many edges that looks at for so many LIDs, left to itself. */
double weft__fit_work(const struct weft_fabric *fabric, double budget,
		      unsigned lanes, uint32_t lids, uint32_t edges);

/* Returns what it looks at, at least, if so many edges lead nearer to a switch on
 * an average. */
double weft__fit_least(const struct weft_fabric *fabric, uint32_t lids,
		       double minimal);

#endif
