// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: further LIDs that take the routes of base LIDs
 *
 * Nearly all traffic goes to base LIDs.  These are routed as if there were no
 * other LIDs, and the other LIDs may take routes that are there already: those
 * of their own base LID, or those of the base LIDs of other endports on the
 * switch, each LID those of an endport some steps further.  Then each set of
 * LIDs with one offset is as good as the base LIDs are; traffic between a pair
 * of switches takes the same ways in the same lane as before, so that no new
 * dependency arises; and routing takes no longer than without LMC.
 *
 * LIDs that take routes apart from their base LID's help traffic that uses all
 * of them at the same time, but cost traffic that picks one of them: on a full
 * tree each host has a cable down to itself as long as no traffic to others
 * comes by it.
 *
 * Limits: LIDs that are apart have no more routes than the endports of a switch
 * have: with one endport on a switch, or along dimensions (dimensions.c), all
 * are the same.  Where that is not the best, they get trees of their own
 * (several.c).
 * Complexity: O(LIDs x switches).
 */
#include "engines/several/several.h"

#include "core/arena.h"

#include <string.h>

/* Leaves all LIDs of a port but the first without an owner. */
static void disown(uint32_t *owner, unsigned lid, unsigned lmc)
{
	for (unsigned k = 1; lid && k < 1u << lmc; k++)
		owner[lid + k] = WEFT_NONE;
}

bool weft__base_lids(const struct weft_fabric *f,
			   struct weft_arena *arena, struct weft_fabric *base)
{
	size_t nlids = f->max_lid + 1u;
	struct weft_switch *sw = weft__arena_alloc(arena, f->nsw, sizeof(*sw));
	struct weft_endport *ep = weft__arena_alloc(arena, f->nep, sizeof(*ep));
	uint32_t *owner = weft__arena_alloc(arena, nlids, sizeof(*owner));

	if (weft__arena_failed(arena))
		return false;
	memcpy(sw, f->sw, f->nsw * sizeof(*sw));
	memcpy(ep, f->ep, f->nep * sizeof(*ep));
	memcpy(owner, f->lid_owner, nlids * sizeof(*owner));
	for (uint32_t s = 0; s < f->nsw; s++) {
		disown(owner, sw[s].lid, sw[s].lmc);
		sw[s].lmc = 0;
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		disown(owner, ep[e].lid, ep[e].lmc);
		ep[e].lmc = 0;
	}
	*base = *f;
	base->sw = sw;
	base->ep = ep;
	base->lid_owner = owner;
	return true;
}

/* Returns the endport with a LID that comes after the i-th of the n on a
 * switch. */
static uint32_t next_endport(const struct weft_fabric *f,
			     const uint32_t *endport, uint32_t n, uint32_t i)
{
	do {
		i = i + 1 < n ? i + 1 : 0;
	} while (!f->ep[endport[i]].lid);
	return i;
}

/* Finds the base LIDs whose routes the LIDs of endports on switch s take. */
static void find_models(const struct weft_fabric *f, uint32_t s, int step,
			uint16_t *model)
{
	const uint32_t *endport = f->sw_endport + f->sw_ep_first[s];
	uint32_t n = f->sw_ep_first[s + 1] - f->sw_ep_first[s];

	for (uint32_t i = 0; i < n; i++) {
		const struct weft_endport *ep = &f->ep[endport[i]];
		uint32_t steps = step == WEFT__EVENLY ? n >> ep->lmc :
						(uint32_t)step;
		uint32_t at = i;

		if (step == WEFT__EVENLY && !steps)
			steps = 1;
		for (unsigned k = 1; ep->lid && k < 1u << ep->lmc; k++) {
			for (uint32_t j = 0; j < steps; j++)
				at = next_endport(f, endport, n, at);
			model[ep->lid + k] = f->ep[endport[at]].lid;
		}
	}
}

/* Lists for each LID the base LID whose routes it takes; a base LID takes its
 * own. */
static uint16_t *list_models(const struct weft_fabric *f, int step,
			     struct weft_arena *arena)
{
	uint16_t *model = weft__arena_alloc(arena, f->max_lid + 1ull,
					    sizeof(*model));

	if (!model)
		return NULL;
	for (uint32_t lid = 0; lid <= f->max_lid; lid++)
		model[lid] = lid;
	for (uint32_t s = 0; s < f->nsw; s++) {
		const struct weft_switch *sw = &f->sw[s];

		for (unsigned k = 1; sw->lid && k < 1u << sw->lmc; k++)
			model[sw->lid + k] = sw->lid;
		find_models(f, s, step, model);
	}
	return model;
}

/* Has each switch deliver all LIDs of its own endports to these. */
static void deliver_locally(const struct weft_fabric *f, struct weft_lft *lft)
{
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];

		if (ep->lid)
			memset(weft_lft_row(lft, ep->sw) + ep->lid, ep->sw_port,
			       1u << ep->lmc);
	}
}

bool weft__other_lids(const struct weft_fabric *f, int step,
		      struct weft_arena *arena, struct weft_lft *lft)
{
	uint16_t *model = list_models(f, step, arena);

	if (!model)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(lft, s);

		for (uint32_t lid = 1; lid <= f->max_lid; lid++)
			row[lid] = row[model[lid]];
	}
	deliver_locally(f, lft);
	return true;
}

unsigned weft__most_lids(const struct weft_fabric *f)
{
	unsigned n = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].lid && 1u << f->ep[e].lmc > n)
			n = 1u << f->ep[e].lmc;
	return n;
}
