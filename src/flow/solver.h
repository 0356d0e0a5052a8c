/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of the solver; flow.c says what it does. */
#ifndef WEFT_FLOW_SOLVER_H
#define WEFT_FLOW_SOLVER_H

#include "flow/flow.h"
#include "flow/net.h"

#include <stdbool.h>

struct weft__solver {
	const struct weft__flow_demand *demand;
	struct weft__flow_net net;
	struct weft__flow_net_tree tree;
	uint32_t nblocks, per_block;	/* goals that share a flow */
	float *flow;		/* [nblocks][nedges] Mbit/s at a share of 1 */
	double *u;		/* [nedges] */
	double *inverse;	/* [nedges] 1 / capacity */
	double scale;		/* capacity of the widest edge */
	double *weight;		/* [nedges] exp(steep (u - top)) */
	uint64_t *price_back;	/* [nedges] of the other direction, integers */
	double steep, top;
	double known;		/* bound of the share, from elsewhere */
	double *cost, *bend, *sum;	/* [nsw] see find_costs() */
	uint32_t *best_by;	/* [nsw] */
	double *passes;		/* [nsw] what passes a switch towards a goal */
	double *fresh;		/* [nedges] a block's flow on cheaper ways */
	uint32_t *moved;	/* [nedges] edges whose flow changes, and */
	double *by;		/* [nedges] by how much, in u */
	uint32_t nmoved;
	double *best;		/* [nedges] the prices of the best bound, */
	double *best_load;	/* [nedges] and the load of the best flow */
	double soft, slack;	/* how far the flow is from the bound: because
				 * prices are not steep, and since it pays more
				 * than the cheapest ways do; both >= 1 */
	struct weft__flow *out;
};

/* Finds the cheapest ways to goal g, and puts what is sent there at its
 * sources, in passes[].  *sent grows by it; returns what has no way. */
double weft__solver_put(struct weft__solver *s, uint32_t g, double *sent);

/* Sets the price of an edge by how crowded it is. */
void weft__solver_price(struct weft__solver *s, uint32_t e);

/* Moves a part of a block's flow to cheaper ways: to the very cheapest ones of
 * all, or to cheaper ones beside those it has. */
void weft__solver_move(struct weft__solver *s, uint32_t block, bool cheapest);

#endif
