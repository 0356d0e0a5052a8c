// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lane assignment, which pair of switches uses which lane
 *
 * All traffic goes into one lane if it has no cycle there.  Otherwise all
 * traffic between switches with endports goes into one lane, if that has no
 * cycle, and traffic from and to the other switches into the other lanes.
 * Where neither is possible, pairs get lanes as follows.
 *
 * A pair of switches whose ways are all legal in the order of a lane (both
 * directions, all LIDs) can use that lane, whichever other pairs do, as an
 * order has no cycle.  The pairs that are left are inserted one after the other
 * into a lane whose dependencies stay acyclic with theirs.  Only dependencies
 * that really occur count here; they are fewer than an order allows.  LASH
 * inserts all pairs that way (Skeie, Lysne, Theiss, IPDPS 2002).
 *
 * The lanes are first tried without a search: a lane takes the pair if its
 * current order does.  The last lanes come first, as most pairs use the first
 * ones.  Searches for another order then begin with the lane in which the
 * fewest dependencies run against the order, which takes less time and changes
 * the order less.
 *
 * Dependencies of legal pairs are found tree by tree, from the farthest switch
 * on: each channel carries the set of lanes of all that comes by it, and each
 * turn collects those of all trees, which are entered in the end.
 */
#include "lanes/assignment.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <weft/diag.h>
#include <weft/layers.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 12	/* switches for which masks are fetched beforehand */
#define SAMPLED 64	/* trees that mostly tell whether all together close a
			 * cycle */
#define ENTER_WORK 8	/* edges that entering a way of a tree counts for */
#define MIN_TRIED 1024 /* pairs after which insertion must pay: */
#define INSERT_WORK 2 /* edges that an insertion counts for */
#define MOST_EFFORTS 4 /* times the effort that all insertions may take */
#define GAIN_RATIO 16  /* at least one in GAIN_RATIO finds a lane */
#define MAX_SHARE 0.25 /* of all pairs; of more, trees have to grow anew */
#define MANY_LANES 8 /* with fewer, insertion may find lanes for more; */
#define SEVERAL_LANES 4 /* where it does not, its order is of use with fewer */

int weft__assignment_init(struct weft__lane_assignment *p,
			  const struct weft__lane_masks *masks,
			  struct weft_arena *arena)
{
	uint32_t nsw = masks->fabric->nsw;
	size_t n = (size_t)nsw * nsw;

	*p = (struct weft__lane_assignment){
		.masks = masks,
		.npairs = (uint64_t)nsw * (nsw - 1) / 2,
		.lane = weft__arena_alloc(arena, n, 1),
		.seen = weft__arena_alloc(arena, masks->into.n,
					  sizeof(*p->seen)),
		.carry = weft__arena_alloc(arena, nsw, sizeof(*p->carry)),
	};
	if (!p->lane || !p->seen || !p->carry)
		return -ENOMEM;
	memset(p->lane, WEFT__NO_LANE, n);
	return weft__order_init(&p->order, masks->fabric, masks->orders->n);
}

void weft__assignment_free(struct weft__lane_assignment *p)
{
	weft__order_free(&p->order);
}

void weft__assignment_place(struct weft__lane_assignment *p)
{
	const struct weft__lane_masks *masks = p->masks;
	uint32_t nsw = masks->fabric->nsw;

	p->left = p->inserted = 0;
	masks->balance->looked += (uint64_t)nsw * (masks->trees->n + nsw);
	for (uint32_t x = 0; x < nsw; x++) {
		for (uint32_t y = 0; y < x; y++) {
			unsigned mask;

			weft__masks_fetch(masks, x, y + AHEAD);
			mask = weft__masks_pair(masks, x, y);
			weft__assignment_set(p, x, y,
					     mask ? __builtin_ctz(mask) :
						    WEFT__NO_LANE);
			p->left += !mask;
		}
	}
}

/* Finds the dependencies of all ways of one tree that have a lane. */
static void see_tree(struct weft__lane_assignment *p,
		     const struct weft__tree *tree)
{
	const struct weft__lane_masks *masks = p->masks;
	const struct weft_fabric *f = masks->fabric;
	const struct weft__turns_into *into = &masks->into;
	const uint32_t *list = weft__masks_sort(masks, tree);

	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned lane = *weft__assignment_lane(p, tree->root, s);

		p->carry[s] = lane == WEFT__NO_LANE ? 0 : 1u << lane;
	}
	for (uint32_t i = f->nsw - 1; i > 0; i--) {
		uint32_t s = list[i];
		uint32_t e = f->adj_first[s] + tree->choice[s];
		uint32_t t = masks->ways->head[e];

		if (t == tree->root)
			continue;
		p->carry[t] |= p->carry[s];
		p->seen[weft__turns_row(into, t, tree->choice[t]) +
			into->back[e]] |= p->carry[s];
	}
}

/* Enters the dependencies into an edge of switch t by position. */
static void enter_turns(struct weft__lane_assignment *p, uint32_t t,
			uint32_t next)
{
	const struct weft__turns_into *into = &p->masks->into;
	const struct weft_fabric *f = into->fabric;
	const uint32_t *adj = f->adj + f->adj_first[t];
	const uint16_t *seen = p->seen + weft__turns_row(into, t, next);
	struct weft__cdg *g = &p->order.cdg;
	unsigned port = weft__port(f, t, adj[next]);

	for (uint32_t k = 0; k < f->adj_first[t + 1] - f->adj_first[t]; k++)
		for (unsigned l = seen[k]; l; l &= l - 1)
			weft__cdg_add(g, __builtin_ctz(l) * g->nch +
				      f->reverse[adj[k]], 0, port);
}

bool weft__assignment_add_way(struct weft__lane_assignment *p, unsigned lane,
			      uint32_t s, const struct weft__tree *tree)
{
	const struct weft__lane_masks *masks = p->masks;
	const struct weft__turns *turns = &masks->orders->turns;
	const struct weft_fabric *f = masks->fabric;
	uint32_t v = WEFT_NONE;

	while (s != tree->root) {
		uint32_t e = f->adj_first[s] + tree->choice[s];

		if (!(weft__turns_room(turns, e) >> lane & 1) ||
		    (v != WEFT_NONE &&
		     !weft__order_add(&p->order, v,
				      weft__port(f, s, f->adj[e]))))
			return false;
		v = lane * p->order.cdg.nch + f->adj[e];
		s = masks->ways->head[e];
	}
	return true;
}

static bool put_ways(struct weft__lane_assignment *p, unsigned lane,
		     uint32_t from, uint32_t to)
{
	const struct weft__lane_masks *masks = p->masks;
	const struct weft__tree *tree = masks->trees->tree;

	for (uint32_t i = masks->first[to]; i < masks->first[to + 1]; i++)
		if (!weft__assignment_add_way(p, lane, from,
					      &tree[masks->list[i]]))
			return false;
	return true;
}

static bool put_pair(struct weft__lane_assignment *p, uint32_t x, uint32_t y,
		     unsigned lane)
{
	weft__order_mark(&p->order);
	if (put_ways(p, lane, x, y) && put_ways(p, lane, y, x)) {
		weft__assignment_set(p, x, y, lane);
		p->inserted++;
		p->left--;
		return true;
	}
	weft__order_undo(&p->order);
	return false;
}

/* Counts the dependencies of a way that run against the order of a lane. */
static uint32_t count_against(const struct weft__lane_assignment *p,
			      unsigned lane, uint32_t s,
			      const struct weft__tree *tree)
{
	const struct weft__lane_masks *masks = p->masks;
	const struct weft_fabric *f = masks->fabric;
	const uint32_t *position = p->order.position + lane * p->order.cdg.nch;
	uint32_t before = 0, n = 0;

	while (s != tree->root) {
		uint32_t e = f->adj_first[s] + tree->choice[s];
		uint32_t at = position[f->adj[e]];

		n += at < before;
		before = at;
		s = masks->ways->head[e];
	}
	return n;
}

static uint32_t count_all_against(const struct weft__lane_assignment *p,
				  unsigned lane, uint32_t from, uint32_t to)
{
	const struct weft__lane_masks *masks = p->masks;
	uint32_t n = 0;

	for (uint32_t i = masks->first[to]; i < masks->first[to + 1]; i++)
		n += count_against(p, lane, from,
				   &masks->trees->tree[masks->list[i]]);
	return n;
}

/* Sorts the lanes by how many dependencies of a pair run against their orders:
 * each of these calls for a search. */
static void sort_lanes(const struct weft__lane_assignment *p, uint32_t x,
		       uint32_t y, unsigned *lane)
{
	unsigned n = p->masks->orders->n;
	uint32_t against[WEFT_NSL];

	for (unsigned k = 0; k < n; k++) {
		unsigned i = k, last = n - 1 - k;
		uint32_t many = count_all_against(p, last, x, y) +
			count_all_against(p, last, y, x);

		for (; i && many < against[i - 1]; i--) {
			against[i] = against[i - 1];
			lane[i] = lane[i - 1];
		}
		against[i] = many;
		lane[i] = last;
	}
}

/* Puts a pair into a lane, by the current orders if possible, else by changed
 * ones.  Returns false if no lane takes it. */
static bool put_somewhere(struct weft__lane_assignment *p, uint32_t x,
			  uint32_t y, uint64_t work_limit)
{
	unsigned n = p->masks->orders->n, lane[WEFT_NSL];
	bool done = false;

	p->order.work_limit = 0;
	for (unsigned k = 0; k < n && !done; k++)
		done = put_pair(p, x, y, n - 1 - k);
	p->order.work_limit = work_limit;
	if (done || !work_limit)
		return done;
	sort_lanes(p, x, y, lane);
	for (unsigned k = 0; k < n && !done; k++)
		done = put_pair(p, x, y, lane[k]);
	return done;
}

/* True if so many insertions, which have looked at as many edges, are to be the
 * last: they hardly find lanes, or take too long. */
static bool is_vain(const struct weft__lane_assignment *p, uint64_t tried,
		    uint64_t work, uint64_t effort)
{
	return p->inserted < tried / GAIN_RATIO ||
	       work > effort * MOST_EFFORTS;
}

/* True if so many pairs are left, in so many lanes, that trees have to grow
 * anew. */
static bool needs_trees(const struct weft__lane_assignment *p, unsigned lanes)
{
	return p->masks->orders->n >= lanes &&
	       p->left > MAX_SHARE * p->npairs;
}

/* Inserts the pairs without a lane, and stops when hardly any pair finds one.
 * Orders are no longer changed once failed insertions have looked at as many
 * edges as effort says. */
static void try_pairs(struct weft__lane_assignment *p, uint64_t effort)
{
	uint32_t nsw = p->masks->fabric->nsw;
	uint64_t tried = 0, spent = 0, work_limit = UINT64_MAX;
	uint64_t begin = p->order.work;

	for (uint32_t x = 0; x < nsw; x++) {
		for (uint32_t y = 0; y < x; y++) {
			uint64_t before = p->order.work;

			if (*weft__assignment_lane(p, x, y) != WEFT__NO_LANE)
				continue;
			if (++tried > MIN_TRIED &&
			    is_vain(p, tried, before - begin, effort)) {
				p->entered = !needs_trees(p, SEVERAL_LANES);
				return;
			}
			if (!put_somewhere(p, x, y, work_limit))
				spent += p->order.work - before;
			if (spent > effort)
				work_limit = 0;
		}
	}
}

static void insert_pairs(struct weft__lane_assignment *p, uint64_t effort)
{
	uint64_t before = p->order.work;

	try_pairs(p, effort);
	p->masks->balance->looked += (p->order.work - before) * INSERT_WORK;
}

/* Enters the dependencies of every so manieth tree.  Returns false if they
 * close a cycle. */
static bool enter_trees(struct weft__lane_assignment *p, uint32_t step)
{
	const struct weft__trees *trees = p->masks->trees;
	const struct weft_fabric *f = p->masks->fabric;
	struct weft__cdg *g = &p->order.cdg;

	p->inserted = 0;
	p->masks->balance->looked += (uint64_t)trees->n / step * ENTER_WORK *
				     f->nsw + g->nv;
	memset(g->bits, 0, (size_t)g->nv * g->words * sizeof(*g->bits));
	memset(p->seen, 0, p->masks->into.n * sizeof(*p->seen));
	for (uint32_t d = 0; d < trees->n; d += step)
		see_tree(p, &trees->tree[d]);
	for (uint32_t t = 0; t < f->nsw; t++)
		for (uint32_t e = f->adj_first[t]; e < f->adj_first[t + 1]; e++)
			enter_turns(p, t, e - f->adj_first[t]);
	return weft__order_renew(&p->order);
}

bool weft__assignment_enter(struct weft__lane_assignment *p)
{
	return enter_trees(p, 1);
}

/* Does so if a sample of trees closes no cycle already. */
static bool enter_if_acyclic(struct weft__lane_assignment *p)
{
	uint32_t step = p->masks->trees->n / SAMPLED + 1;

	return enter_trees(p, step) && (step == 1 || enter_trees(p, 1));
}

/* Puts all pairs into the first lane, but for switches with themselves: their traffic
 * takes no cable, and so no lane. */
static void place_all(struct weft__lane_assignment *p)
{
	uint32_t nsw = p->masks->fabric->nsw;

	memset(p->lane, 0, (size_t)nsw * nsw);
	for (uint32_t s = 0; s < nsw; s++)
		*weft__assignment_lane(p, s, s) = WEFT__NO_LANE;
	p->left = 0;
}

/* Puts all traffic between switches with endports into the last lane, and the
 * other pairs into other lanes in which they are legal. */
static void place_apart(struct weft__lane_assignment *p)
{
	const struct weft__lane_masks *masks = p->masks;
	unsigned last = masks->orders->n - 1;

	p->left = 0;
	for (uint32_t x = 0; x < masks->fabric->nsw; x++) {
		for (uint32_t y = 0; y < x; y++) {
			unsigned mask =
				weft__masks_pair(masks, x, y) & ~(1u << last);
			bool bare = weft__is_bare(masks->fabric, x) ||
				weft__is_bare(masks->fabric, y);
			unsigned first_lane = mask ?
				(unsigned)__builtin_ctz(mask) : WEFT__NO_LANE;
			unsigned lane = bare ? first_lane : last;

			weft__assignment_set(p, x, y, lane);
			p->left += lane == WEFT__NO_LANE;
		}
	}
}

/* Tries one lane for all traffic, then one for that between switches with
 * endports.  Returns true if every pair has a lane then. */
static bool place_together(struct weft__lane_assignment *p)
{
	place_all(p);
	if (enter_if_acyclic(p))
		return true;
	if (!weft__any_bare(p->masks->fabric) ||
	    (p->masks->orders->n < 2 && !p->around))
		return false;
	place_apart(p);
	p->apart = enter_if_acyclic(p);
	return p->apart && !p->left;
}

void weft__assignment_insert(struct weft__lane_assignment *p, uint64_t effort)
{
	if (place_together(p))
		return;
	if (p->apart && !p->around)
		insert_pairs(p, effort);
	if (p->apart && (!p->left || p->around))
		return;
	weft__assignment_place(p);
	if (!p->left || (p->brief && needs_trees(p, MANY_LANES)))
		return;
	p->entered = true;
	if (weft__assignment_enter(p))
		insert_pairs(p, effort);
	else	/* legal ways have no cycle; if one shows up, no lane is to be
		 * trusted */
		p->left = p->npairs;
}

void weft__assignment_explain(const struct weft__lane_assignment *p,
			      const char *what, struct weft_diag *diag)
{
	weft_diag_explain(diag,
			  "%s, %s: of %s of switches %" PRIu64
			  " share a lane by its order, %" PRIu64
			  " as it comes, %" PRIu64 " have none",
			  WEFT_COUNT(p->masks->orders->n, "lane"), what,
			  WEFT_COUNT(p->npairs, "pair"),
			  p->npairs - p->inserted - p->left,
			  p->inserted, p->left);
}

/* Numbers the lanes that are in use, and returns how many there are. */
static uint8_t number_lanes(const struct weft__orders *orders, uint8_t *number)
{
	uint8_t used = 0;

	for (unsigned i = 0; i < orders->n; i++) {
		unsigned k = !orders->last_first ? i : i ? i - 1 :
			orders->n - 1;

		number[k] = number[k] ? used++ : 0;
	}
	return used;
}

int weft__assignment_layers(const struct weft__lane_assignment *p,
			    struct weft_layers *layers)
{
	const struct weft_fabric *f = p->masks->fabric;
	size_t n = (size_t)f->nsw * f->nsw;
	uint8_t number[WEFT_NSL] = { 0 }, used;
	uint8_t *table = malloc(n + 1);

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (p->lane[i] != WEFT__NO_LANE)
			number[p->lane[i]] = 1;
	used = number_lanes(p->masks->orders, number);
	for (size_t i = 0; i < n; i++)
		table[i] = p->lane[i] == WEFT__NO_LANE ? 0 :
			number[p->lane[i]];
	weft_layers_init(layers);
	if (used <= 1) {
		free(table);
		return 0;
	}
	layers->form = WEFT_SL_SWITCH_PAIR;
	layers->nsw = f->nsw;
	layers->nep = f->nep;
	layers->max_lid = f->max_lid;
	layers->table = table;
	layers->nvl = used;
	return 0;
}
