/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes for the further LIDs of ports (LMC), once the base LIDs have theirs.
 *
 * An engine makes a fabric of base LIDs alone (weft__base_lids()), routes it as
 * if there were no others, and has weft__several_lids() route these.
 */
#ifndef WEFT_ENGINES_SEVERAL_SEVERAL_H
#define WEFT_ENGINES_SEVERAL_SEVERAL_H

#include "graph/closeness.h"

#include <weft/routes.h>
#include <weft/worth.h>

struct weft_arena;

#define WEFT__WORTH_MARGIN 0.001	/* smaller gains of worth do not count */

/*
 * Makes the basket for a fabric, or the objective of the options if there are
 * any; of streams that use all LIDs of a host at once if spread. *out: NULL:
 * too few hosts to judge. *work: about how many edges a judgement is worth.
 * Returns 0 or -errno.
 */
int weft__engine_basket(const struct weft_fabric *fabric,
			const struct weft_options *options, bool spread,
			struct weft_basket **out, double *work,
			struct weft_diag *diag);
/* Writes what the parts are worth, for explanations. */
void weft__explain_parts(const struct weft_basket *basket,
			 const struct weft_worth *worth, char *text,
			 size_t size);
/* True if all-to-all and shifts both count and have full bandwidth. */
bool weft__worth_is_full(const struct weft_basket *basket,
			 const struct weft_worth *worth);

/* Returns how many LIDs an endport has at most; 0: none has any. */
unsigned weft__most_lids(const struct weft_fabric *fabric);
/* Makes a copy of fabric f whose ports have their base LIDs alone; it lives as
 * long as f and the arena.  Returns false without memory. */
bool weft__base_lids(const struct weft_fabric *f, struct weft_arena *arena,
		     struct weft_fabric *base);
/*
 * Routes the other LIDs of f, too: each as the base LID of the endport on the
 * switch that comes step endports after that for the LID before, or so many
 * that the LIDs of a port are spread evenly.  0: as that of its own port.
 * Returns false without memory.
 */
#define WEFT__EVENLY (-1)
bool weft__other_lids(const struct weft_fabric *f, int step,
		      struct weft_arena *arena, struct weft_lft *lft);
/* What weft__several_lids() has to know. */
struct weft__several_spec {
	const struct weft_fabric *fabric;	/* with all LIDs */
	const struct weft_fabric *base;		/* with base LIDs alone */
	const struct weft_options *options;	/* with an objective; NULL: it is
						 * the basket */
	const uint32_t *order;	/* [nep] endports, in the order in which they
				 * are routed */
	const uint32_t *place;	/* [nsw] an order of switches that the base ways
				 * may follow by Up*Down*, 0 = the top */
	const struct weft__closeness *close;
	unsigned lanes;		/* that may be used */
	double budget;		/* of the base LIDs, in edges looked at */
	double spent;		/* of that; the others take no more, each time
				 * for one of them */
	struct weft_arena *arena;
	struct weft_diag *diag;
};

/*
 * Routes the other LIDs as is worth most to streams that use all LIDs of a host
 * at once, and gives out service levels anew where lanes are used; see
 * several.c.  routes: those of the base LIDs, in one lane or with lanes by
 * pairs of switches.  Returns 0, or -errno with the routes as they were.
 */
int weft__several_lids(const struct weft__several_spec *spec,
		       struct weft_routes *routes);

#endif
