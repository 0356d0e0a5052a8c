/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which nodes of two fabrics are the same. */
#ifndef WEFT_DIFF_MATCH_H
#define WEFT_DIFF_MATCH_H

#include <weft/diff.h>
#include <weft/routes.h>

struct weft__match {
	const struct weft_fabric *a, *b;
	uint32_t *sw;		/* [b->nsw] switch of A; WEFT_NONE: not there */
	uint32_t *ep;		/* [b->nep] endport of A, likewise */
	bool equal;		/* ids, LIDs and cables are the same */
};

int weft__match_make(struct weft__match *m, const struct weft_fabric *a,
		     const struct weft_fabric *b);
void weft__match_free(struct weft__match *m);	/* zeroed is fine */

/* Whether a port of switch s of B leads where it does in A, or nowhere in
 * both. */
bool weft__match_cable(const struct weft__match *m, uint32_t s, unsigned port);

/* Whether somebody has a LID in B, and it is who has it in A. */
bool weft__match_lid(const struct weft__match *m, unsigned lid);

/* Does the same as weft_routes_carry(), from A to B. */
int weft__carry_routes(const struct weft__match *m,
		       const struct weft_routes *routes,
		       struct weft_routes *out);

/* Counts pairs of hosts in both whose routes or service levels differ. */
int weft__diff_pairs(const struct weft__match *m, const struct weft_routes *a,
		     const struct weft_routes *b, struct weft_diff *out);

/* Counts entries that changed although the old route still arrives. -ENOMEM. */
int weft__diff_needless(const struct weft__match *m, const struct weft_lft *a,
			const struct weft_lft *b, struct weft_diff *out);

#endif
