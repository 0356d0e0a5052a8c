/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Destination trees all of whose routes arrive, and their shape, which is how
 * many hops each switch has.  Routes to the LIDs on one switch differ, but as a
 * rule their hops do not.  Then one look at each entry proves that they arrive.
 */
#ifndef WEFT_PROOF_SHAPE_H
#define WEFT_PROOF_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

struct weft__proof_run;

/* The shape that the LIDs on one switch had last time. */
struct weft__shape {
	uint32_t n;		/* switches with traffic; 0: not known */
	uint32_t second;	/* the first in order[] with three hops or
				 * more */
	uint8_t *hops;		/* [nsw] 0: no traffic */
	uint32_t *order;	/* [n] by hops, the LIDs' own switch first */
	uint32_t *hosts;	/* [hops of the last + 1] how many hosts have so
				 * many */
};

struct weft__shapes {
	struct weft__shape *of;	/* [nsw] */
	struct weft__shape once;	/* of a switch with too few LIDs */
	uint8_t *several;		/* [nsw] LIDs, up to MIN_LIDS */
	uint32_t *hosts;	/* [nsw] counted hosts, the switch itself
				 * included */
	uint32_t *sent;		/* [nsw] those of them that load channels */
	uint8_t *ends;		/* [nsw] has endports */
	uint8_t *sends;		/* [nsw] has endports or is a source itself */
	bool all_end, all_send;	/* true for every switch */
	/* of the current tree, in the order of its shape */
	uint32_t *out, *next;	/* [nsw] as in struct weft__stop */
	uint32_t *flow;		/* [nsw] by switch */
	uint8_t *busy;		/* [nsw] by switch */
};

/* Prepares a run with sources and scratch memory. -ENOMEM. */
int weft__shapes_init(struct weft__proof_run *r);

/* Does the work of weft__tree_prove() where all sources send with one SL and
 * all routes arrive.  Else returns false and does nothing. */
bool weft__shape_prove(struct weft__proof_run *r);

#endif
