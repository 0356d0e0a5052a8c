/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Destination trees all of whose routes arrive, and their shape: how many hops
 * each switch has.  Routes to the LIDs on one switch differ, but their hops as a
 * rule do not: then one look at each entry proves that they arrive.
 */
#ifndef WEFT_PROOF_SHAPE_H
#define WEFT_PROOF_SHAPE_H
#include <stdbool.h>
#include <stdint.h>

struct weft__proof_run;

/* What the LIDs on one switch had in common last time. */
struct weft__shape {
	uint32_t n;		/* switches with traffic; 0: nothing known */
	uint32_t second;	/* the first in order[] of three hops or more */
	uint8_t *hops;		/* [nsw] 0 = no traffic */
	uint32_t *order;	/* [n] by hops, the LIDs' own switch first */
	uint32_t *hosts;	/* [hops of the last + 1] hosts by hops */
};

struct weft__shapes {
	struct weft__shape *of;	/* [nsw] */
	struct weft__shape once;	/* of a switch that is not worth one */
	uint8_t *several;	/* [nsw] enough LIDs to be worth a shape */
	uint32_t *hosts;	/* [nsw] counted hosts, itself included */
	uint32_t *sent;		/* [nsw] of these, those that load channels */
	uint8_t *ends;		/* [nsw] there are endports on it */
	uint8_t *sends;		/* [nsw] that or itself a source */
	bool all_end, all_send;	/* every switch is one of these */
	/* of the tree at hand, in the order of its shape */
	uint32_t *out, *next;	/* [nsw] as in struct weft__stop */
	uint32_t *flow;		/* [nsw] by switch */
	uint8_t *busy;		/* [nsw] by switch */
};

/* Of a run with sources and scratch memory.  -ENOMEM. */
int weft__shapes_init(struct weft__proof_run *r);

/* Does what weft__tree_prove() is to do, where all sources send with one SL and
 * all routes arrive; else false, and nothing is done. */
bool weft__shape_prove(struct weft__proof_run *r);

#endif
