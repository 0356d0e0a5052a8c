/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Forwarding tables over a parallel-ports generalised fat tree. */
#ifndef WEFT_ENGINES_PGFT_TABLES_H
#define WEFT_ENGINES_PGFT_TABLES_H

#include "shapes/pgft.h"

#include <weft/engine.h>

/*
 * The parts of an engine that differ from engine to engine.  Hosts, even if
 * they are no destinations, are known by their numbers; context is handed to
 * every callback.
 *
 * A way q leaves level l upwards by digit q / (w_2 ... w_l), modulo w_l+1 *
 * p_l+1: the parent is this digit modulo w_l+1, the cable the digit divided by
 * w_l+1.
 */
struct weft__pgft_rule {
	/* Checks that the form suits; returns 0, or -errno after an error.
	 * NULL: every form suits. */
	int (*prepare)(const struct weft_fabric *fabric,
		       const struct weft__pgft_form *form, void *context,
		       struct weft_diag *diag);
	/* Returns the way to the LID at that offset of that number. */
	uint32_t (*way)(const void *context, uint32_t number, unsigned offset);
	/* Returns the offset of the LIDs that a number sends to.  NULL: base
	 * LIDs. */
	uint8_t (*offset)(const void *context, uint32_t number);
	void *context;
};

/*
 * Runs a whole engine: detects the form and routes every LID of the fabric.
 * Routes to an endport on a leaf climb by its way until they meet the way down,
 * of which there is only one; routes to other LIDs are shortest ones.  Returns
 * 0; -ENOMEM; -ENOTSUP as weft__pgft_detect() or what prepare says;
 * -ENETUNREACH for a fabric in parts.  O(switches x LIDs) time.
 */
int weft__pgft_route(const struct weft_fabric *fabric,
		     const struct weft__pgft_rule *rule,
		     struct weft_routes *out, struct weft_diag *diag);

/*
 * Makes the tables of a form that is known.  Where it lacks a cable
 * (weft__pgft_detect_torn()) they lack an entry.  Returns 0, what prepare says,
 * or -ENOMEM.  O(switches x LIDs) time.
 */
int weft__pgft_fill(const struct weft_fabric *fabric,
		    const struct weft__pgft_form *form,
		    const struct weft__pgft_rule *rule,
		    struct weft_arena *arena, struct weft_lft *lft,
		    struct weft_diag *diag);

/*
 * Checks that every host has the LMC that so many paths need.  Returns 0; or
 * -ENOTSUP with an error that tells the LMC and a host that lacks it, or that
 * no LMC would do.
 */
int weft__pgft_need_lmc(const struct weft_fabric *fabric, uint32_t paths,
			struct weft_diag *diag);

#endif
