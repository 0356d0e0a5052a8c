/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The state of a proof: of the whole run, of the current block of 64 LIDs and
 * of the current tree.
 */
#ifndef WEFT_PROOF_RUN_H
#define WEFT_PROOF_RUN_H

#include "graph/cdg.h"
#include "graph/distance.h"
#include "proof/shape.h"
#include "proof/sources.h"

#include <weft/proof.h>

/* weft__stop.end: one of enum weft_walk_end, or */
enum {
	WEFT__DROPPED = WEFT_LOOP + 1,	/* discarded for its VL */
	WEFT__UNDER_WAY,		/* not known yet */
};

/* The state of one switch in the current tree. */
struct weft__stop {
	uint32_t walk;		/* the walk that the rest is about */
	uint32_t hops;		/* switches from here on, including this one */
	uint32_t out;		/* channel that its entry names */
	uint32_t next;		/* switch where packets go on from there;
				 * WEFT_NONE: none */
	uint32_t flow;		/* pairs whose route passes, of those that
				 * arrive */
	uint16_t lanes;		/* lanes of out in use, a bit each */
	uint8_t end;		/* the way in which routes from here end */
	uint8_t port;		/* of out if it leads to a switch, else 0 */
	uint8_t next_lane;	/* with mixed lanes, the lane on which next
				 * sends packets from here */
};

struct weft__proof_tree {
	unsigned lid;
	uint32_t owner, home;	/* vertex, and its switch */
	bool counted;		/* the owner counts as a host */
	const uint8_t *column;	/* [nsw], the LFT entries */
	const uint32_t *cables;	/* [nsw] distances; NULL: not asked for */
	struct weft__sls sls;
};

struct weft__proof_run {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
	const struct weft_proof_spec *spec;
	struct weft_proof *out;
	struct weft_arena *scratch;	/* owns all arrays below */

	const bool *only;	/* [max_lid + 1] LIDs to prove; NULL: all */
	struct weft__proof_lanes lanes;
	struct weft__sources sources;
	struct weft__cdg cdg;
	uint64_t *hops;		/* [nsw + 1] pairs that arrive, by hops */

	uint32_t *part;		/* [nsw] part of the fabric that a switch is
				 * in */

	uint32_t nplanes;	/* of weft/planes.h; 1: there are none */
	uint32_t *plane;	/* [nsw] that a switch is in */
	uint64_t *plane_hosts;	/* [nplanes] sources that are hosts */

	uint8_t *columns;	/* [64][nsw], LFT entries of the block */
	uint8_t *no_column;	/* [nsw], for LIDs past the table */
	struct weft__distances distances;

	struct weft__proof_tree tree;
	uint32_t walk;		/* counts up from 1 */
	struct weft__stop *stop;	/* [nsw] */
	uint32_t *path;		/* [nsw + 1] */
	uint32_t *order;	/* [nsw] switches met, each behind its next */
	uint32_t norder;
	bool looped;		/* a switch that was met is on a loop */
	struct weft__shapes shapes;

	struct weft_finding *example;	/* [kinds][spec->max_examples] */
	uint32_t kept[WEFT_FIND_KINDS];
	uint64_t noted[WEFT_FIND_KINDS];	/* out->found[] when examples
						 * were last searched */
};

/* Returns the defect of routes of switch s to the current LID that end like
 * that.  Having no entry for a LID that no cable leads to is as it should
 * be. */
static inline enum weft_finding_kind
weft__kind_of(const struct weft__proof_run *r, unsigned end, uint32_t s)
{
	return end == WEFT_NO_ROUTE && r->part[s] != r->part[r->tree.home] ?
		WEFT_FIND_APART :
		(enum weft_finding_kind)(end - WEFT_NO_ROUTE);
}

/* Whether traffic to the current LID may come from a switch: nothing is sent
 * from one plane to another. */
static inline bool weft__in_plane(const struct weft__proof_run *r, uint32_t sw)
{
	return r->nplanes < 2 || r->plane[sw] == r->plane[r->tree.home];
}

/*
 * Does the same as weft_proof_run(), and hands out the graph of dependencies,
 * which is empty unless spec->credit_loops is set.  The caller frees it with
 * weft__cdg_free().
 */
int weft__proof_graph(const struct weft_fabric *fabric,
		      const struct weft_routes *routes,
		      const struct weft_proof_spec *spec,
		      struct weft_proof *out, struct weft__cdg *graph,
		      struct weft_diag *diag);

/* Walks r->tree and adds to all counts in r and *r->out, but to no examples. */
void weft__tree_prove(struct weft__proof_run *r);

/* Keeps examples of what the current tree has added to out->found[]. */
void weft__findings_note(struct weft__proof_run *r);
/* Counts pairs with destinations that have no LID, and keeps examples. */
void weft__findings_no_lid(struct weft__proof_run *r);
/* Moves the examples to *r->out.  -ENOMEM. */
int weft__findings_finish(struct weft__proof_run *r);

/* Whether machines alone join the parts of a fabric, and each rail is in one of
 * them.  0 or -ENOMEM.  O(endports). */
int weft__joined_by_machines(const struct weft_fabric *f, const uint32_t *part,
			     uint32_t nparts, struct weft_arena *scratch,
			     bool *out);

#endif
