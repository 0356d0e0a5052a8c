/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proofs of tables that changed a little: of what changed, and of all that
 * passes there.  The rest was proven before, in another state of the fabric.
 */
#ifndef WEFT_STANDING_PROVEN_H
#define WEFT_STANDING_PROVEN_H

#include "diff/match.h"
#include "graph/cdg.h"

#include <weft/proof.h>

/* Tables that were proven as a whole. */
struct weft__proven {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
	struct weft_proof proof;
	struct weft__cdg graph;	/* all dependencies */
	bool holds;		/* no defect; cables join all with all */
	/* [graph.nv] every edge leads to a higher one, in an order and counted
	 * from the ends of all ways; NULL: not known */
	uint32_t *rank, *late;
};

/* Proves tables as a subnet manager has to.  *out must be freed in any case.
 * -errno after an error. */
int weft__prove(const struct weft_fabric *fabric,
		const struct weft_routes *routes, struct weft__proven *out,
		struct weft_diag *diag);
/*
 * Finds both, where tables hold in one lane: positions in an order of all
 * channels, if all edges lead to higher ones there; NULL, or if not: in another
 * one.  Without memory there are none.  O(edges).
 */
void weft__proven_rank(struct weft__proven *p, const uint32_t *position);
void weft__proven_free(struct weft__proven *p);	/* zeroed is fine */

/*
 * Proves other tables from those: in *holds that everyone is reached and
 * nothing, of old and new routes together, closes a credit loop.  If not, that
 * is not known: they have to be proven as a whole.  *lids: how many LIDs were
 * looked at.  0 or -ENOMEM.  O(switches x LIDs) bytes compared, and LIDs x
 * switches; with ranks, as a rule, entries that changed x ports.
 */
int weft__prove_again(const struct weft__proven *p,
		      const struct weft_fabric *fabric,
		      const struct weft_routes *routes, bool *holds,
		      uint32_t *lids);

#endif
