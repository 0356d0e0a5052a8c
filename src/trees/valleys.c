// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: valleys, Up*Down* ways between all switches
 *
 * Two switches without a common ancestor, such as two spines of a fat tree,
 * have no Up*Down* way to each other.  That does no harm if hosts are on leaves
 * alone; but every switch has a LID, and aggregation nodes or hosts may be on
 * upper switches.  In sFtree (Bogdanski et al., sFtree: A fully connected and
 * deadlock-free switch-to-switch routing algorithm for fat-trees, ACM TACO
 * 8(4), 2012) all such traffic goes down to one switch, the valley, and up
 * again from there.  As all other traffic turns from up to down only, a cycle
 * would have to come down to the valley from the place where its way out leads
 * to.
 *
 * The paper proves that fat trees have no such cycle.  Here the fabric may be
 * of any kind.  So the dependencies of all ways of all destinations, whatever
 * will be chosen among them, are put into one graph, and a valley is taken only
 * if that graph is acyclic.
 *
 * Candidates for the root are the switches below the most maxima; of these
 * those with the fewest endports come first, as their traffic shares cables
 * with the detours, then the lowest.  Where cables are missing, a whole kind of
 * switches may be unsuitable, and one root alone leaves far less bandwidth.  So
 * a few candidates are tried in this order, then others from all over the list.
 *
 * The valley is a tree of switches.  From its root, a low switch, it branches
 * upwards until it holds every local maximum above the root.  It has as few
 * branches as possible: where two branches lead to the same maximum, packets
 * may come down the branch that others climb, which is a cycle.  Maxima that
 * are not above the root, as in a tree with broken cables, are connected by the
 * shortest ways.  A switch without a way to a destination climbs to a maximum
 * and follows the tree to the first switch that has one.  Switches in the
 * valley climb within the valley towards destinations that some switch needs it
 * for.  Where such a destination has endports and no cycle comes of it, they
 * climb wherever they like (loosen()).
 */
#include "trees/valley.h"

#include "core/arena.h"
#include "core/divisor.h"
#include "graph/entries.h"
#include "graph/closeness.h"
#include "graph/order.h"

#include <stdlib.h>
#include <string.h>

#define WORD 64
#define FIRST_TRIES 6	/* candidates that are tried in order */
#define TRIES 32	/* with others from all over the list */
#define RENEW_WORK 16	/* edges that a channel counts for in each search for
			 * cycles */

/* A switch that may become the root of the valley. */
struct candidate {
	uint32_t maxima;	/* how many are above it */
	uint32_t endports;
	uint32_t place;
	uint32_t sw;
};

static int compare(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->maxima != b->maxima)
		return a->maxima > b->maxima ? -1 : 1;
	if (a->endports != b->endports)
		return a->endports < b->endports ? -1 : 1;
	return a->place > b->place ? -1 : 1;
}

/* The state of the search for a valley. */
struct search {
	struct weft__ways *w;
	struct weft__order order;	/* all dependencies that ways may
					 * have */
	uint64_t *mask;		/* [nsw * words] ports by which a plan's ways
				 * leave */
	struct weft__valley valley;
	struct candidate *candidate;
	uint64_t *base;		/* bits of the graph of destinations without
				 * detours */
	uint32_t *turn;		/* [nturns] the other ones, in the order of
				 * trying */
	uint32_t nturns;
	uint32_t *scratch;	/* [nsw] */
};

static void add_turns(struct search *v, uint32_t ch, const uint64_t *mask)
{
	uint32_t words = v->order.cdg.words;
	uint64_t *row = v->order.cdg.bits + (size_t)ch * words;

	for (uint32_t x = 0; x < words; x++)
		row[x] |= mask[x];
}

static bool try_turns(struct search *v, uint32_t ch, const uint64_t *mask)
{
	const uint64_t *row = v->order.cdg.bits +
			      (size_t)ch * v->order.cdg.words;

	for (uint32_t x = 0; x < v->order.cdg.words; x++)
		for (uint64_t left = mask[x] & ~row[x]; left; left &= left - 1)
			if (!weft__order_add(&v->order, ch, x * WORD +
					     __builtin_ctzll(left) + 1))
				return false;
	return true;
}

/* Sets the ports by which switch s may send along a plan. */
static void set_mask(const struct search *v, uint32_t s,
		     const struct weft__run *run, unsigned nruns)
{
	const struct weft_fabric *f = v->w->fabric;
	uint32_t words = v->order.cdg.words;
	uint64_t *mask = v->mask + (size_t)s * words;

	memset(mask, 0, words * sizeof(*mask));
	for (; nruns; nruns--, run++) {
		const uint32_t *adj = f->adj + f->adj_first[s] + run->start;

		for (unsigned k = 0; k < run->length; k++) {
			unsigned bit = weft__port(f, s, adj[k]) - 1;

			mask[bit / WORD] |= UINT64_C(1) << bit % WORD;
		}
	}
}

/*
 * Adds the dependencies of all ways of a plan: traffic that enters a switch may
 * leave it by each of its ways. careful: adds them to the order one by one, and
 * returns false if that closes a cycle.
 */
static bool add_plan(struct search *v, const struct weft__plan *plan,
		     bool careful)
{
	const struct weft_fabric *f = v->w->fabric;
	const struct weft__run *run = plan->run;
	uint32_t words = v->order.cdg.words;

	memset(v->mask + (size_t)plan->order[0] * words, 0,
	       words * sizeof(*v->mask));
	v->w->looked += plan->edges;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];

		set_mask(v, s, run, plan->nruns[i]);
		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			uint32_t e = f->adj_first[s] + run->start;

			for (uint32_t end = e + run->length; e < end; e++) {
				const uint64_t *mask = v->mask +
					(size_t)v->w->head[e] * words;

				if (!careful)
					add_turns(v, f->adj[e], mask);
				else if (!try_turns(v, f->adj[e], mask))
					return false;
			}
		}
	}
	return true;
}

static size_t graph_size(const struct weft__cdg *g)
{
	return (size_t)g->nv * g->words * sizeof(*g->bits);
}

/* Puts the n - n / 2 destinations before the nth, which closed a cycle,
 * first. */
static void try_first(struct search *v, uint32_t n)
{
	uint32_t kept = n / 2;

	memcpy(v->scratch, v->turn, kept * sizeof(*v->turn));
	memmove(v->turn, v->turn + kept, (n - kept) * sizeof(*v->turn));
	memcpy(v->turn + n - kept, v->scratch, kept * sizeof(*v->turn));
}

/* Returns true if the valley with that root closes no cycle.  Most bad valleys
 * close one soon.  So cycles are searched for after 1, 2, 4, ... destinations,
 * first those that closed one with the last valley. */
static bool try_valley(struct search *v, uint32_t bottom)
{
	struct weft__ways *w = v->w;
	uint32_t look = 1;

	weft__valley_make(&v->valley, bottom);
	memcpy(v->order.cdg.bits, v->base, graph_size(&v->order.cdg));
	for (uint32_t n = 1; n <= v->nturns; n++) {
		add_plan(v, weft__ways_make(w, v->turn[n - 1]), false);
		if (n < look && n < v->nturns)
			continue;
		w->looked += (uint64_t)v->order.cdg.nv * RENEW_WORK;
		if (!weft__order_renew(&v->order)) {
			try_first(v, n);
			return false;
		}
		look *= 2;
	}
	return true;
}

/* Lets switches in the valley climb as all others do, towards one destination
 * with endports, if that closes no cycle.  Returns the plan of that
 * destination. */
static const struct weft__plan *loosen(struct search *v, uint32_t d)
{
	struct weft__ways *w = v->w;
	const struct weft__plan *plan;

	w->loose[d] = 1;
	plan = weft__ways_make(w, d);
	weft__order_mark(&v->order);
	if (add_plan(v, plan, true))
		return plan;
	weft__order_undo(&v->order);
	w->loose[d] = 0;
	return weft__ways_make(w, d);
}

/* Renews the stored plans of destinations that have detours. */
static bool store_plans(struct search *v)
{
	struct weft__ways *w = v->w;

	for (uint32_t d = 0; d < w->fabric->nsw; d++) {
		struct weft__plan *plan = &w->plan[d];

		if (plan->order && w->cut[d] &&
		    !weft__ways_keep(w, loosen(v, d), plan))
			return false;
	}
	return true;
}

/* Adds the dependencies of all destinations that every switch has a way to.
 * Returns how many pairs have none. */
static uint64_t add_base(struct search *v)
{
	uint32_t all = v->w->fabric->nsw - 1;
	uint64_t missing = 0;

	for (uint32_t d = 0; d <= all; d++) {
		const struct weft__plan *plan = weft__ways_to(v->w, d);

		v->w->cut[d] = plan->n < all;
		missing += all - plan->n;
		if (!v->w->cut[d])
			add_plan(v, plan, false);
	}
	memcpy(v->base, v->order.cdg.bits, graph_size(&v->order.cdg));
	return missing;
}

/* Lists the destinations with detours; neighbours in the list have ids far
 * apart. */
static void list_turns(struct search *v)
{
	uint32_t nsw = v->w->fabric->nsw, step = (uint64_t)nsw * 618 / 1000;

	while (step > 1 && weft__common_divisor(step, nsw) > 1)
		step--;
	v->nturns = 0;
	for (uint32_t i = 0, d = 0; i < nsw; i++, d = (d + step) % nsw)
		if (v->w->cut[d])
			v->turn[v->nturns++] = d;
}

/* Lists the candidates, the best one first. */
static void list_candidates(struct search *v)
{
	const struct weft__ways *w = v->w;
	const struct weft_fabric *f = w->fabric;
	struct weft__maxima *m = &v->valley.maxima;

	weft__maxima_find(m, w->place, w->by_place);
	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint64_t *above = weft__above(m, s);

		v->candidate[s] = (struct candidate){
			.maxima = weft__valley_overlap(above, above, m->nwords),
			.endports = f->sw_ep_first[s + 1] - f->sw_ep_first[s],
			.place = w->place[s], .sw = s,
		};
	}
	qsort(v->candidate, f->nsw, sizeof(*v->candidate), compare);
}

static bool alloc(struct search *v)
{
	struct weft__ways *w = v->w;
	uint32_t nsw = w->fabric->nsw;
	const struct weft__cdg *g = &v->order.cdg;

	v->mask = weft__arena_alloc(w->arena, (size_t)nsw * g->words,
				    sizeof(*v->mask));
	v->base = weft__arena_alloc(w->arena, graph_size(g), 1);
	v->turn = weft__arena_alloc(w->arena, nsw, sizeof(*v->turn));
	v->scratch = weft__arena_alloc(w->arena, nsw, sizeof(*v->scratch));
	v->candidate = weft__arena_alloc(w->arena, nsw, sizeof(*v->candidate));
	return v->mask && v->base && v->turn && v->scratch && v->candidate &&
	       weft__valley_init(&v->valley, w);
}

/* Returns which one of n candidates is tried as number i. */
static uint32_t nth(uint32_t n, uint32_t i)
{
	uint32_t rest = TRIES - FIRST_TRIES;

	if (i < FIRST_TRIES || n <= TRIES)
		return i;
	return FIRST_TRIES + (uint64_t)(i - FIRST_TRIES) * (n - FIRST_TRIES) /
		rest;
}

/* Finds a valley and makes the plans.  Returns false without memory. */
static bool find_valley(struct search *v, uint64_t *had_none)
{
	struct weft__ways *w = v->w;
	uint32_t n = w->fabric->nsw;

	if (!alloc(v))
		return false;
	*had_none = add_base(v);
	if (!*had_none)
		return true;
	list_candidates(v);
	list_turns(v);
	for (uint32_t i = 0; i < n && i < TRIES; i++) {
		uint32_t s = v->candidate[nth(n, i)].sw;

		if (s == w->keep_off || !try_valley(v, s))
			continue;
		return store_plans(v);
	}
	w->nvalley = 0;
	return true;
}

bool weft__ways_complete(struct weft__ways *w, uint64_t *had_none,
			 uint64_t *missing)
{
	struct search v = { .w = w };
	bool ok;

	*had_none = *missing = 0;
	if (!w->fabric->nsw)
		return true;
	if (weft__order_init(&v.order, w->fabric, 1))
		return false;
	ok = find_valley(&v, had_none);
	*missing = w->nvalley ? 0 : *had_none;
	weft__order_free(&v.order);
	return ok;
}

bool weft__ways_by_closeness(struct weft__ways *w,
			     struct weft__closeness *close,
			     struct weft_arena *arena)
{
	uint64_t had_none, missing;

	if (!weft__ways_init(w, close->fabric, arena, close->place) ||
	    !weft__ways_complete(w, &had_none, &missing))
		return false;
	return !missing ||
	       (weft__closeness_one_root(close, arena) &&
		weft__ways_init(w, close->fabric, arena, close->place));
}

bool weft__ways_collect(struct weft__ways *w, struct weft__cdg *graph,
			uint32_t lane)
{
	struct search v = { .w = w, .order.cdg = *graph };

	v.order.cdg.bits += (size_t)lane * graph->nch * graph->words;
	v.mask = weft__arena_alloc(w->arena, (size_t)w->fabric->nsw *
				   graph->words, sizeof(*v.mask));
	if (!v.mask)
		return false;
	for (uint32_t d = 0; d < w->fabric->nsw; d++)
		add_plan(&v, weft__ways_to(w, d), false);
	return true;
}
