// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: cables with fewer data lanes than others
 *
 * A lane is a buffer at the far end of a cable.  Layers of routes that have a
 * lane each on all cables close no credit loop together if none does so by
 * itself.  On a cable with fewer lanes layers share one.  A loop through
 * several layers changes from one to the next in such a buffer, in two of them
 * at least, or it were a loop of one layer.  So it takes two channels that are
 * shared, the two directions of one cable at the least, and layers that pass
 * them in different orders.
 *
 * Channels towards a part of the fabric that is a tree of switches, and those
 * out of it, are on no loop at all: packets never turn round on a cable.  They
 * do not count, whatever lanes they have; nor do links to endports.
 *
 * Hence, in this order, whoever gives out layers
 * - lets them share the lanes of such cables, and proves that no loop comes of
 *   it (proof/folded.h);
 * - else has each cable carry only as many layers as it has lanes, the first
 *   ones, so that nothing is shared;
 * - else does with fewer layers everywhere.
 */
#include "graph/vls.h"

#include "core/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHARE 8	/* of the cables, that have to have the most lanes */

/*
 * Takes switches with one cable to others away, again and again, and marks both
 * channels of these cables. left: [nsw] cables that a switch has left.
 */
static void strip_trees(const struct weft_fabric *f, uint32_t *left,
			uint32_t *queue, uint8_t *of)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		left[s] = f->adj_first[s + 1] - f->adj_first[s];
		if (left[s] == 1)
			queue[n++] = s;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = f->adj_first[queue[i]], ch, t;

		while (e < f->adj_first[queue[i] + 1] &&
		       of[f->adj[e]] == WEFT_VL_UNTOLD)
			e++;
		if (e == f->adj_first[queue[i] + 1])
			continue;
		ch = f->adj[e];
		t = f->peer[ch];
		of[ch] = of[f->reverse[ch]] = WEFT_VL_UNTOLD;
		if (--left[t] == 1)
			queue[n++] = t;
	}
}

static unsigned lanes_of(const struct weft_fabric *f, uint32_t ch)
{
	return f->vls[ch] && f->vls[ch] < WEFT_MAX_LANES ? f->vls[ch] :
							    WEFT_MAX_LANES;
}

/* Sums up the channels that are not marked, and gives marked ones all lanes. */
static void sum_up(struct weft__vls *v, const struct weft_fabric *f,
		   uint8_t *of)
{
	uint32_t count[WEFT_MAX_LANES + 1] = { 0 }, all = 0, with = 0;
	unsigned most = WEFT_MAX_LANES;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		uint32_t ch = f->adj[e];

		if (of[ch] == WEFT_VL_UNTOLD) {
			of[ch] = WEFT_MAX_LANES;
			continue;
		}
		of[ch] = lanes_of(f, ch);
		count[of[ch]]++;
		all++;
		if (of[ch] < v->least) {
			v->least = of[ch];
			v->narrowest = ch;
		}
	}
	for (with = count[most]; most > v->least && with * SHARE < all;)
		with += count[--most];
	v->most = most;
	v->nfewer = (all - with) / 2;
}

bool weft__vls_find(struct weft__vls *v, const struct weft_fabric *f,
		    struct weft_arena *arena)
{
	uint32_t *left, *queue;
	uint8_t *of;

	*v = (struct weft__vls){
		.least = WEFT_MAX_LANES, .most = WEFT_MAX_LANES,
		.narrowest = WEFT_NONE,
	};
	if (!f->vls)
		return true;
	left = weft__arena_alloc(arena, f->nsw + 1ull, sizeof(*left));
	queue = weft__arena_alloc(arena, f->nsw + 1ull, sizeof(*queue));
	of = weft__arena_zalloc(arena, f->first_injection + 1ull, 1);
	if (!left || !queue || !of)
		return false;
	strip_trees(f, left, queue, of);
	sum_up(v, f, of);
	if (v->nfewer)
		v->of = of;
	return true;
}

const uint16_t *weft__vls_room(const struct weft__vls *v,
			       const struct weft_fabric *f, unsigned n,
			       struct weft_arena *arena)
{
	uint32_t nedges = f->adj_first[f->nsw];
	uint16_t *room = weft__arena_alloc(arena, nedges + 1ull, sizeof(*room));

	for (uint32_t e = 0; room && e < nedges; e++) {
		unsigned k = v->of ? v->of[f->adj[e]] : WEFT_MAX_LANES;

		room[e] = k >= n ? (1u << n) - 1 :
				   1u << (n - 1) | ((1u << (k - 1)) - 1);
	}
	return room;
}

/* Returns true if some link of a switch has fewer lanes than there are. */
static bool has_fewer(const struct weft_fabric *f, unsigned lanes)
{
	for (uint32_t ch = 0; f->vls && ch < f->first_injection; ch++)
		if (f->vls[ch] && f->vls[ch] < lanes)
			return true;
	return false;
}

int weft__vls_fold(const struct weft_fabric *f, struct weft_layers *layers)
{
	unsigned lanes = layers->nvl ? layers->nvl : 1;
	uint8_t *sl2vl;

	if (layers->sl2vl || !has_fewer(f, lanes))
		return 0;
	sl2vl = malloc((size_t)f->first_injection * WEFT_NSL);
	if (!sl2vl)
		return -ENOMEM;
	for (uint32_t ch = 0; ch < f->first_injection; ch++) {
		unsigned here = f->vls[ch] && f->vls[ch] < lanes ? f->vls[ch] :
								   lanes;

		for (unsigned sl = 0; sl < WEFT_NSL; sl++)
			sl2vl[(size_t)ch * WEFT_NSL + sl] = sl % lanes % here;
	}
	layers->sl2vl = sl2vl;
	return 0;
}
