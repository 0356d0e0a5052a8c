// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the facts about a fabric before anything is routed; see weave.h. */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/entries.h"
#include "lanes/orders_around.h"
#include "shapes/pgft.h"
#include "trees/hops.h"
#include "worth/model/ranks.h"

#include <weft/diag.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ANY_CABLE 512	/* power of the share of pairs, which tells of any cable that is
			 * missing */
#define SAMPLES 24	/* switches that ways are sampled to, about */

/* The keys that endports are sorted by. */
struct ranks {
	const struct weft_fabric *f;
	const uint32_t *rank;	/* [nep] */
	const uint32_t *lowest;	/* [nsw] lowest rank on a switch */
	bool by_group;		/* groups come before switches */
};

static int by_switch(const void *x, const void *y, void *context)
{
	const struct ranks *r = context;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	uint32_t s = r->lowest[r->f->ep[a].sw], t = r->lowest[r->f->ep[b].sw];
	unsigned g = r->f->ep[a].group, h = r->f->ep[b].group;

	if (r->by_group && g != h)
		return g < h ? -1 : 1;
	if (s != t)
		return s < t ? -1 : 1;
	return r->rank[a] < r->rank[b] ? -1 : r->rank[a] > r->rank[b];
}

/* Lists the endports switch by switch, group by group before that or not;
 * switches by their lowest rank, and endports on a switch by their own. */
static uint32_t *order_by_rank(struct weft__weave *w, const uint32_t *rank,
			       bool by_group)
{
	const struct weft_fabric *f = w->f;
	uint32_t *order = weft__arena_alloc(w->kept, f->nep + 1ull,
					    sizeof(*order));
	uint32_t *lowest = weft__arena_alloc(w->kept, f->nsw + 1ull,
					     sizeof(*lowest));
	struct ranks ranks = { f, rank, lowest, by_group };

	if (weft__arena_failed(w->kept))
		return NULL;
	memset(lowest, 0xff, f->nsw * sizeof(*lowest));
	for (uint32_t e = 0; e < f->nep; e++) {
		order[e] = e;
		if (rank[e] < lowest[f->ep[e].sw])
			lowest[f->ep[e].sw] = rank[e];
	}
	qsort_r(order, f->nep, sizeof(*order), by_switch, &ranks);
	return order;
}

static int find_orders(struct weft__weave *w)
{
	struct weft__facts *facts = &w->facts;
	size_t n = w->f->nep;
	uint32_t *rank = weft__arena_alloc(w->kept, n + 1, sizeof(*rank));
	int err = rank ? weft__ranks_by_group(w->f, rank) : -ENOMEM;

	if (err)
		return err;
	facts->rank = rank;
	facts->order[facts->norders++] = order_by_rank(w, rank, true);
	if (w->f->ngroups > 1)
		facts->order[facts->norders++] = order_by_rank(w, rank, false);
	facts->order[facts->norders] = weft__endports_by_port(w->f, w->kept);
	if (weft__arena_failed(w->kept))
		return -ENOMEM;
	facts->norders += !!memcmp(facts->order[0],
				   facts->order[facts->norders],
				   n * sizeof(*rank));
	w->order = facts->order[0];
	return 0;
}

static void count_sizes(struct weft__weave *w)
{
	struct weft__facts *facts = &w->facts;
	const struct weft_fabric *f = w->f;

	facts->edges = f->adj_first[f->nsw];
	for (uint32_t e = 0; e < f->nep; e++)
		facts->lids += f->ep[e].lid != 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		facts->homes += f->sw_ep_first[s] != f->sw_ep_first[s + 1];
		facts->bare += !weft__hosts_on(f, s, !f->nhosts);
	}
}

/* Finds out whether the fabric is a product of full meshes, which has hosts on
 * all switches. */
static int find_meshes(struct weft__weave *w)
{
	struct weft__facts *facts = &w->facts;

	if (facts->bare || w->is_root)
		return 0;
	facts->hyperx.at = weft__arena_alloc(w->kept, w->f->nsw,
		WEFT_SHAPE_DIMENSIONS * sizeof(*facts->hyperx.at));
	return facts->hyperx.at &&
	       weft__hyperx_find(&facts->hyperx, w->f, w->kept,
				 &facts->meshes) ? 0 : -ENOMEM;
}

/* Returns how many edges lead one hop nearer to a switch. */
static uint64_t count_minimal(const struct weft_fabric *f, uint32_t root,
			      uint16_t *hops, uint32_t *queue)
{
	uint64_t n = 0;

	weft__bfs(f, root, hops, queue);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			n += hops[f->peer[f->adj[e]]] < hops[s];
	return n;
}

/* Returns how many switches with endports have minimal Up*Down* hops. */
static uint32_t count_straight(const struct weft_fabric *f,
			       const uint16_t *hops, const uint8_t *ordered)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		n += f->sw_ep_first[s] != f->sw_ep_first[s + 1] &&
		     ordered[s] == hops[s];
	return n;
}

/* Returns how many switches with endports have no way of least hops over another
 * such switch. over: [nsw]; queue: the switches by hops, the root first. */
static uint32_t count_over(const struct weft_fabric *f, const uint16_t *hops,
			   const uint32_t *queue, bool *over)
{
	uint32_t n = 1;

	over[queue[0]] = true;
	for (uint32_t i = 1; i < f->nsw; i++) {
		uint32_t s = queue[i], e = f->adj_first[s];

		over[s] = true;
		for (; over[s] && e < f->adj_first[s + 1]; e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (hops[t] < hops[s] && t != queue[0])
				over[s] = over[t] && weft__is_bare(f, t);
		}
		n += over[s] && !weft__is_bare(f, s);
	}
	return n;
}

/* Returns how many of the edges that lead one hop nearer to a switch are on
 * Up*Down* ways. */
static uint64_t count_kept(const struct weft__weave *w, const uint16_t *hops,
			   const uint8_t *ordered, const uint8_t *marks)
{
	const struct weft_fabric *f = w->f;
	const uint32_t *place = w->close.place;
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; ordered[s] == hops[s] &&
		     e < f->adj_first[s + 1]; e++) {
			uint32_t t = f->peer[f->adj[e]];
			bool down = marks[s] & WEFT__HOPS_DOWN;

			n += hops[t] < hops[s] && ordered[t] == hops[t] &&
			     (down ? place[t] > place[s] &&
			      marks[t] & WEFT__HOPS_DOWN : place[t] < place[s]);
		}
	return n;
}

static int find_tree(struct weft__weave *w)
{
	struct weft__facts *facts = &w->facts;
	double missing;
	int err;

	if (!facts->bare)
		return 0;
	err = weft__pgft_detect_torn(w->f, w->kept, &facts->form, &missing,
				     NULL);
	facts->tree = !err;
	facts->whole_tree = !err && !(missing > 0);
	return err == -ENOTSUP ? 0 : err;
}

/* Orders the switches by closeness, those at the top of a tree first: where it is
 * thin there, others may be closer to all hosts. */
static bool find_order(struct weft__weave *w)
{
	const struct weft__pgft_form *form = &w->facts.form;
	uint8_t *is_top;

	if (w->is_root || !w->facts.tree)
		return weft__closeness_init(&w->close, w->f, w->kept,
					    w->is_root);
	is_top = weft__arena_zalloc(w->kept, w->f->nsw, 1);
	for (uint32_t s = 0; is_top && s < w->f->nsw; s++)
		is_top[s] = form->level[s] == form->h;
	return is_top && weft__closeness_init(&w->close, w->f, w->kept, is_top);
}

/* Samples minimal ways, evenly from all switches with endports. */
static int sample_ways(struct weft__weave *w)
{
	const struct weft_fabric *f = w->f;
	struct weft_arena *arena = weft__arena_new();
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	uint32_t *queue = weft__arena_alloc(arena, f->nsw, sizeof(*queue));
	bool *passed = weft__arena_alloc(arena, f->nsw, sizeof(*passed));
	struct weft__hops ordered;
	const uint8_t *by_order, *marks;
	uint32_t step = w->facts.homes / SAMPLES + 1, home = 0, n = 0;
	uint64_t ways;
	double minimal = 0, straight = 0, kept = 0, over = 0;
	enum weft__around around;

	if (!hops || !queue || !passed ||
	    !weft__around_find(f, &w->close, arena, &around) ||
	    !weft__hops_init(&ordered, f, w->close.place, w->close.by_place,
			     arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1] ||
		    home++ % step)
			continue;
		n++;
		ways = count_minimal(f, s, hops, queue);
		w->facts.odd |= 2 * ways < w->facts.edges;
		minimal += ways;
		over += count_over(f, hops, queue, passed);
		if (weft__hops_find(&ordered, s, &by_order, &marks)) {
			straight += count_straight(f, hops, by_order);
			kept += count_kept(w, hops, by_order, marks);
		}
	}
	w->facts.minimal = n ? minimal / n : 0;
	w->facts.kept = minimal > 0 ? kept / minimal : 1;
	w->facts.straight = n ? straight / n / w->facts.homes : 1;
	w->facts.over = n ? over / n / w->facts.homes : 1;
	w->facts.room = around == WEFT__AROUND_PARTS ? 0 :
						       pow(w->facts.over, ANY_CABLE);
	weft__arena_free(arena);
	return 0;
}

int weft__facts_find(struct weft__weave *w)
{
	int err;

	count_sizes(w);
	if (find_orders(w))
		return -ENOMEM;
	err = find_tree(w);
	if (err)
		return err;
	if (!w->is_root && w->f->nep > 1 &&
	    !weft__rings_find(&w->facts.product, w->f, w->kept,
			      &w->facts.rings))
		return -ENOMEM;
	return find_order(w) && !sample_ways(w) && !find_meshes(w) ? 0 :
								     -ENOMEM;
}
