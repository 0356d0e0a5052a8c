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
 * of any kind.  So all turns that the order and the valley allow, whatever will
 * be chosen among them, are put into one graph (valley_turns.c), and a valley is
 * taken only if that graph is acyclic.  As switches are destinations, too,
 * nearly all of these turns are on some way, while to plan the ways would take
 * longer than to choose among them.
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
 * climb wherever they like (loosen_many()).
 */
#include "trees/valley.h"
#include "trees/valley_turns.h"
#include "trees/ways_search.h"

#include "core/arena.h"
#include "graph/entries.h"
#include "graph/closeness.h"
#include "graph/order.h"

#include <string.h>

#define WORD 64
#define FIRST_TRIES 6	/* candidates that are tried in order */
#define TRIES 32	/* with others from all over the list */
#define BATCH 256	/* destinations that are loosened at once, at most */
#define FEW 32		/* that many are loosened one by one instead */
#define RENEW_WORK 16	/* edges that a channel counts for in each search for
			 * cycles */

/* The state of the search for a valley. */
struct search {
	struct weft__ways *w;
	struct weft__order order;	/* all dependencies that ways may
					 * have */
	uint64_t *mask;		/* [nsw * words] ports by which a plan's ways
				 * leave */
	struct weft__valley valley;
	struct weft__valley_candidate *candidate;
	uint64_t *base;		/* bits of the graph to go back to: without a
				 * valley, then with what was loosened */
	uint32_t *cut;		/* [nsw] destinations to be loosened */
};

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
					weft__turns_add(&v->order.cdg,
							f->adj[e], mask);
				else if (!weft__turns_try(&v->order,
							  f->adj[e], mask))
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

/* Orders the channels anew.  Returns false if there is a cycle. */
static bool renew(struct search *v)
{
	v->w->looked += (uint64_t)v->order.cdg.nv * RENEW_WORK;
	return weft__order_renew(&v->order);
}

/* True if two branches of the valley that meet below lead to the same maximum:
 * then there is a cycle. */
static bool has_double(const struct search *v)
{
	const struct weft__ways *w = v->w;

	for (uint32_t i = 0; i < w->nvalley; i++)
		if (weft__valley_doubles(&v->valley, w->valley[i]))
			return true;
	return false;
}

/* True if all switches have a way to all others by the valley.  Those that it has
 * to lead over a cable that is kept have none. */
static bool serves_all(struct weft__ways *w)
{
	bool all = true;

	for (uint32_t d = 0; w->own && d < w->fabric->nsw && all; d++)
		all = !w->cut[d] ||
		      weft__ways_make(w, d)->n + 1 == w->fabric->nsw;
	return all;
}

/* Returns true if the valley with that root closes no cycle and serves all. */
static bool try_valley(struct search *v, uint32_t bottom)
{
	weft__valley_make(&v->valley, bottom);
	weft__ways_turn(v->w);
	if (has_double(v))
		return false;
	memcpy(v->order.cdg.bits, v->base, graph_size(&v->order.cdg));
	weft__turns_of_valley(v->w, &v->order.cdg);
	return renew(v) && serves_all(v->w);
}

/* Adds the dependencies of switches in the valley that climb wherever they like
 * towards a destination, and maybe others'.  careful: as by add_plan(). */
static bool add_loose(struct search *v, uint32_t d, bool careful)
{
	return v->w->own ? add_plan(v, weft__ways_make(v->w, d), careful) :
		weft__turns_of_loose(v->w, d, &v->order, careful);
}

/* Forbids switches in the valley to climb as all others do, towards one
 * destination with endports, if that closes a cycle. */
static void loosen(struct search *v, uint32_t d)
{
	struct weft__ways *w = v->w;

	weft__order_mark(&v->order);
	if (add_loose(v, d, true))
		return;
	weft__order_undo(&v->order);
	w->loose[d] = 0;
}

/* Does so towards n destinations at once.  Returns false, and loosens none,
 * where that closes a cycle. */
static bool loosen_at_once(struct search *v, const uint32_t *d, uint32_t n)
{
	struct weft__ways *w = v->w;
	bool ok = true;

	memcpy(v->base, v->order.cdg.bits, graph_size(&v->order.cdg));
	for (uint32_t i = 0; i < n; i++)
		w->loose[d[i]] = 1;
	weft__ways_turn(w);
	for (uint32_t i = 0; i < n && ok; i++)
		ok = add_loose(v, d[i], false);
	if (ok && renew(v))
		return true;
	memcpy(v->order.cdg.bits, v->base, graph_size(&v->order.cdg));
	for (uint32_t i = 0; i < n; i++)
		w->loose[d[i]] = 0;
	return false;
}

static void loosen_one_by_one(struct search *v, const uint32_t *d, uint32_t n)
{
	renew(v);
	for (uint32_t i = 0; i < n; i++)
		v->w->loose[d[i]] = 1;
	weft__ways_turn(v->w);
	for (uint32_t i = 0; i < n; i++)
		loosen(v, d[i]);
}

/* Loosens whichever of n destinations can be, in their order.  Most can, so
 * that many are tried at once, and halves of them where that fails. */
static void loosen_many(struct search *v, const uint32_t *d, uint32_t n)
{
	if (n <= FEW)
		loosen_one_by_one(v, d, n);
	else if (n > BATCH || !loosen_at_once(v, d, n)) {
		loosen_many(v, d, n / 2);
		loosen_many(v, d + n / 2, n - n / 2);
	}
}

/* Loosens what can be, of destinations with endports that have detours, and
 * renews their stored plans. */
static bool store_plans(struct search *v)
{
	struct weft__ways *w = v->w;
	uint32_t n = 0;

	for (uint32_t d = 0; d < w->fabric->nsw; d++)
		if (w->plan[d].order && w->cut[d])
			v->cut[n++] = d;
	loosen_many(v, v->cut, n);
	weft__ways_turn(w);
	for (uint32_t i = 0; i < n; i++)
		if (!weft__ways_keep(w, weft__ways_make(w, v->cut[i]),
				     &w->plan[v->cut[i]]))
			return false;
	return true;
}

/* Returns how many switches have a way to d. */
static uint32_t count_ways(struct weft__ways *w, uint32_t d)
{
	const uint8_t *hops, *marks;
	uint32_t n = 0;

	if (w->own || !weft__hops_find(&w->known, d, &hops, &marks))
		return weft__ways_to(w, d)->n + 1;
	for (uint32_t s = 0; s < w->fabric->nsw; s++)
		n += hops[s] != WEFT__HOPS_NONE;
	return n;
}

/* Finds the destinations that some switches have no way to.  Returns how many
 * pairs there are. */
static uint64_t find_cut(struct weft__ways *w)
{
	uint64_t missing = 0;

	for (uint32_t i = 0; i < w->fabric->nsw; i++) {
		uint32_t d = w->known.root[i];
		uint32_t n = w->fabric->nsw - count_ways(w, d);

		w->cut[d] = n > 0;
		missing += n;
	}
	return missing;
}

static bool alloc(struct search *v)
{
	struct weft__ways *w = v->w;
	uint32_t nsw = w->fabric->nsw;
	const struct weft__cdg *g = &v->order.cdg;

	v->mask = weft__arena_alloc(w->arena, (size_t)nsw * g->words,
				    sizeof(*v->mask));
	v->base = weft__arena_alloc(w->arena, graph_size(g), 1);
	v->cut = weft__arena_alloc(w->arena, nsw, sizeof(*v->cut));
	v->candidate = weft__arena_alloc(w->arena, nsw, sizeof(*v->candidate));
	return v->mask && v->base && v->cut && v->candidate &&
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

	*had_none = find_cut(w);
	if (!*had_none)
		return true;
	if (weft__order_init(&v->order, w->fabric, 1) || !alloc(v))
		return false;
	weft__valley_list_candidates(&v->valley, v->candidate);
	weft__turns_of_order(w, &v->order.cdg);
	memcpy(v->base, v->order.cdg.bits, graph_size(&v->order.cdg));
	for (uint32_t i = 0; i < n && i < TRIES; i++) {
		uint32_t s = v->candidate[nth(n, i)].sw;

		if (s == w->keep_off || !try_valley(v, s))
			continue;
		return store_plans(v);
	}
	w->nvalley = 0;
	weft__ways_turn(w);
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
