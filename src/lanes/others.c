// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the lanes of all ways of pairs but one; see others.h. */
#include "lanes/others.h"

#include "core/arena.h"

#include <string.h>

#define AHEAD 12	/* switches for which masks are fetched beforehand */

bool weft__others_init(struct weft__others *o,
		       const struct weft__legal_counts *counts,
		       struct weft_arena *arena)
{
	uint32_t nsw = counts->masks->fabric->nsw, most = 0;

	for (uint32_t s = 0; s < nsw; s++)
		most = counts->ntrees[s] > most ? counts->ntrees[s] : most;
	*o = (struct weft__others){
		.counts = counts,
		.root = WEFT_NONE,
		.back = weft__arena_alloc(arena, nsw, sizeof(*o->back)),
		.done = weft__arena_alloc(arena, nsw, sizeof(*o->done)),
		.rest = weft__arena_alloc(arena, (size_t)nsw * most,
					  sizeof(*o->rest)),
	};
	return o->back && o->done && o->rest;
}

void weft__others_forget(struct weft__others *o)
{
	o->root = WEFT_NONE;
}

/* Finds what the ways from the root allow. */
static void find_back(struct weft__others *o, uint32_t root)
{
	const struct weft__lane_masks *masks = o->counts->masks;

	for (uint32_t s = 0; s < masks->fabric->nsw; s++) {
		weft__masks_fetch(masks, root, s + AHEAD);
		o->back[s] = masks->all &
			weft__masks_common(weft__masks_of(masks, root, s),
					   o->counts->ntrees[s]);
	}
}

/* Finds what the trees behind each one allow, before the first of them. */
static void find_rest(struct weft__others *o, uint32_t root)
{
	const struct weft__lane_masks *masks = o->counts->masks;
	uint32_t nsw = masks->fabric->nsw, n = o->counts->ntrees[root];
	uint16_t *rest = o->rest;

	memset(o->done, 0xff, nsw * sizeof(*o->done));
	o->next = 0;
	for (uint32_t s = 0; s < nsw; s++, rest += n) {
		const uint16_t *mask = weft__masks_of(masks, s, root);
		uint16_t lanes = UINT16_MAX;

		for (uint32_t i = n; i-- > 0; lanes &= mask[i])
			rest[i] = lanes;
	}
}

void weft__others_find(struct weft__others *o, uint32_t tree, uint16_t *lanes)
{
	const struct weft__lane_masks *masks = o->counts->masks;
	uint32_t root = masks->trees->tree[tree].root;
	uint32_t nsw = masks->fabric->nsw, n = o->counts->ntrees[root];
	uint32_t at = masks->position[tree] - masks->first[root];

	if (o->root != root)
		find_back(o, root);
	if (o->root != root || at < o->next)
		find_rest(o, root);
	o->root = root;
	for (uint32_t s = 0; s < nsw; s++) {
		const uint16_t *mask = weft__masks_of(masks, s, root);

		for (uint32_t i = o->next; i < at; i++)
			o->done[s] &= mask[i];
		lanes[s] = o->back[s] & o->done[s] &
			   o->rest[(size_t)s * n + at];
	}
	o->next = at;
}
