/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Looking for the best order. */
#ifndef WEFT_WORTH_PLACE_SEARCH_H
#define WEFT_WORTH_PLACE_SEARCH_H

#include "worth/place/state.h"

#include <weft/place.h>

/* Orders that are tried one by one, at most. */
#define WEFT__PLACE_ORDERS 50000

/* How many orders there are, or more than WEFT__PLACE_ORDERS. */
uint64_t weft__place_orders(const struct weft__place *p);

/* Tries all orders; best[nplaces] becomes the first of the cheapest ones.
 * Returns 0 or -ENOMEM. */
int weft__place_try_all(const struct weft__place *p, uint32_t *best);

/* Fills in place[nplaces]: hosts of one switch side by side, those first that
 * offer most places.  Returns 0 or -ENOMEM. */
int weft__place_packed(const struct weft__place *p, uint32_t *place);

/* Fills in place[nplaces]: from the switch with most places to the nearest one
 * that is left, and so on.  Returns 0 or -ENOMEM. */
int weft__place_near(const struct weft__place *p, uint32_t *place);

/* Improves orders, in several chains of moves; best[nplaces] is the given order
 * at first, and the best that was found in the end.  *moves: how many were
 * tried.  Returns 0 or -ENOMEM. */
int weft__place_anneal(const struct weft__place *p,
		       const struct weft_place_spec *spec, uint32_t *best,
		       uint64_t *moves);

/* Judges hosts on place[hosts] by the model.  Returns 0, or -errno after an
 * error. */
int weft__place_judge(const struct weft_fabric *f,
		      const struct weft_routes *routes,
		      const struct weft_place_spec *spec, const uint32_t *place,
		      struct weft_place_worth *out, struct weft_diag *diag);

bool weft__place_better(const struct weft_place_worth *a,
			const struct weft_place_worth *b);

#endif
