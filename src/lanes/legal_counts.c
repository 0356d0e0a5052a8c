// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes in which the ways of pairs are legal; see legal_counts.h. */
#include "lanes/legal_counts.h"

#include "core/arena.h"

#include <weft/fabric.h>

#include <string.h>

uint32_t weft__legal_shared(const struct weft__legal_counts *v, uint32_t tree)
{
	const struct weft__lane_masks *masks = v->masks;
	uint32_t host =
		masks->list[masks->first[masks->trees->tree[tree].root]];

	return tree >= masks->trees->nendports &&
			       host < masks->trees->nendports ?
		       host :
		       tree;
}

void weft__legal_share(const struct weft__legal_counts *v)
{
	const struct weft__trees *trees = v->masks->trees;
	uint32_t nsw = v->masks->fabric->nsw;

	for (uint32_t d = trees->nendports; d < trees->n; d++) {
		uint32_t host = weft__legal_shared(v, d);

		memcpy(trees->tree[d].choice, trees->tree[host].choice, nsw);
		for (uint32_t s = 0; s < nsw; s++)
			*weft__mask_of(v->masks, d, s) =
				*weft__mask_of(v->masks, host, s);
	}
}

/* Returns the lowest eight bits of a mask as a byte each. */
static uint64_t spread_bits(uint64_t mask)
{
	uint64_t bits = (mask & 0xff) * UINT64_C(0x0101010101010101) &
			UINT64_C(0x8040201008040201);

	return (bits + UINT64_C(0x00406070787c7e7f)) >> 7 &
	       UINT64_C(0x0101010101010101);
}

/* Adds up the masks in which each lane is set, in bytes, as many as these can
 * hold at a time. */
static void count_lanes(const uint16_t *mask, uint32_t n, uint32_t *counts)
{
	while (n) {
		uint32_t some = n < UINT8_MAX ? n : UINT8_MAX;
		uint64_t low = 0, high = 0;

		for (uint32_t i = 0; i < some; i++) {
			low += spread_bits(mask[i]);
			high += spread_bits(mask[i] >> 8);
		}
		for (unsigned k = 0; k < 8; k++) {
			counts[k] += low >> 8 * k & UINT8_MAX;
			counts[8 + k] += high >> 8 * k & UINT8_MAX;
		}
		mask += some;
		n -= some;
	}
}

void weft__legal_count(const struct weft__legal_counts *v, uint32_t a,
		       uint32_t b, uint32_t *counts)
{
	memset(counts, 0, WEFT__LEGAL_LANES * sizeof(*counts));
	count_lanes(weft__masks_of(v->masks, a, b), v->ntrees[b], counts);
	count_lanes(weft__masks_of(v->masks, b, a), v->ntrees[a], counts);
}

uint32_t weft__legal_missing(const struct weft__legal_counts *v, uint32_t a,
			     uint32_t b)
{
	const uint16_t *to = weft__masks_of(v->masks, a, b);
	const uint16_t *from = weft__masks_of(v->masks, b, a);
	uint32_t nto = v->ntrees[b], nfrom = v->ntrees[a], most = 0;
	uint32_t counts[WEFT__LEGAL_LANES];

	if (weft__masks_common(to, nto) & weft__masks_common(from, nfrom))
		return 0;
	weft__legal_count(v, a, b, counts);
	for (unsigned k = 0; k < v->masks->orders->n; k++)
		most = counts[k] > most ? counts[k] : most;
	return nto + nfrom - most;
}

static void count_trees(const struct weft__legal_counts *v)
{
	const struct weft__trees *trees = v->masks->trees;

	for (uint32_t d = 0; d < trees->n; d++)
		v->ntrees[trees->tree[d].root] += weft__legal_shared(v, d) == d;
}

bool weft__legal_init(struct weft__legal_counts *v,
		      struct weft__lane_masks *masks, struct weft_arena *arena)
{
	const struct weft_fabric *f = masks->fabric;

	*v = (struct weft__legal_counts){
		.masks = masks,
		.back = masks->into.back,
		.ntrees = weft__arena_zalloc(arena, f->nsw, sizeof(*v->ntrees)),
	};
	if (!v->ntrees)
		return false;
	count_trees(v);
	return true;
}
