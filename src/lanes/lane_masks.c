// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lane masks, the lanes that ways may use
 *
 * Each lane allows some turns (orders.h) and may carry every way that has only
 * these.  The lanes in which a way is legal follow from the lanes of the next
 * switch's way by one bit operation for all lanes at once: those that allow the
 * first turn as well.
 *
 * Trees to switches without endports are built by that: a switch takes the edge
 * that leaves the most lanes to its traffic with the destination, and the least
 * loaded one of equals.
 */
#include "lanes/lane_masks.h"

#include "core/arena.h"

#include <string.h>

#define LANES 16
#define LOOK_WORK 12 /* edges that the mask of a switch and LID counts for */

static void list_trees(struct weft__lane_masks *p)
{
	uint32_t nsw = p->fabric->nsw;

	for (uint32_t d = 0; d < p->trees->n; d++)
		p->first[p->trees->tree[d].root + 1]++;
	for (uint32_t s = 0; s < nsw; s++)
		p->first[s + 1] += p->first[s];
	for (uint32_t d = 0; d < p->trees->n; d++)
		p->list[p->first[p->trees->tree[d].root]++] = d;
	memmove(p->first + 1, p->first, nsw * sizeof(*p->first));
	p->first[0] = 0;
	for (uint32_t i = 0; i < p->trees->n; i++)
		p->position[p->list[i]] = i;
}

bool weft__masks_init(struct weft__lane_masks *p,
		      const struct weft__orders *orders,
		      struct weft__ways *ways, const struct weft__trees *trees,
		      struct weft__balance *balance, struct weft_arena *arena)
{
	uint32_t nsw = ways->fabric->nsw;

	*p = (struct weft__lane_masks){
		.fabric = ways->fabric, .orders = orders, .ways = ways,
		.trees = trees, .balance = balance,
		.all = (1u << orders->n) - 1,
	};
	p->mask = weft__arena_alloc(arena, (size_t)trees->n * nsw,
				    sizeof(*p->mask));
	p->position = weft__arena_alloc(arena, trees->n, sizeof(*p->position));
	p->legal = weft__arena_alloc(arena, nsw, sizeof(*p->legal));
	p->first = weft__arena_zalloc(arena, nsw + 1ull, sizeof(*p->first));
	p->list = weft__arena_alloc(arena, trees->n, sizeof(*p->list));
	p->row = weft__arena_zalloc(arena, nsw, sizeof(*p->row));
	p->behind = weft__arena_alloc(arena, nsw, 1);
	p->allowed = weft__arena_alloc(arena, nsw, sizeof(*p->allowed));
	p->sorted = weft__arena_alloc(arena, nsw, sizeof(*p->sorted));
	if (!p->mask || !p->position || !p->legal || !p->first || !p->list ||
	    !p->row || !p->behind || !p->allowed || !p->sorted ||
	    !weft__turns_into_init(&p->into, p->fabric, arena))
		return false;
	list_trees(p);
	return true;
}

void weft__masks_turns(struct weft__lane_masks *p)
{
	weft__turns_into_read(&p->into, &p->orders->turns);
}

void weft__masks_read(const struct weft__lane_masks *p, uint32_t tree,
		      uint16_t *mask)
{
	uint32_t root = p->trees->tree[tree].root;
	uint32_t n = p->first[root + 1] - p->first[root];
	const uint16_t *from = weft__mask_of(p, tree, 0);

	for (uint32_t s = 0; s < p->fabric->nsw; s++, from += n)
		mask[s] = *from;
}

void weft__masks_write(const struct weft__lane_masks *p, uint32_t tree,
		       const uint16_t *mask)
{
	uint32_t root = p->trees->tree[tree].root;
	uint32_t n = p->first[root + 1] - p->first[root];
	uint16_t *to = weft__mask_of(p, tree, 0);

	for (uint32_t s = 0; s < p->fabric->nsw; s++, to += n)
		*to = mask[s];
}

/* Returns the lanes in which the way by edge e is legal. */
static inline uint16_t legal_by(const struct weft__lane_masks *p, uint32_t e)
{
	uint32_t t = p->ways->head[e];

	return p->legal[t] & weft__turn_of_row(&p->into, p->row[t], e);
}

/* Begins a tree at its root, where ways end in any lane. */
static void begin_tree(struct weft__lane_masks *p, uint32_t root)
{
	p->legal[root] = p->all;
	p->row[root] = weft__turns_row(&p->into, root,
				       weft__turns_end(&p->orders->turns,
						       root));
}

/* Has s send by edge e. */
static inline void use_edge(struct weft__lane_masks *p, uint32_t s, uint32_t e)
{
	p->legal[s] = legal_by(p, e);
	p->row[s] = weft__turns_row(&p->into, s, e - p->fabric->adj_first[s]);
}

/* Appends a switch to the n that are listed, behind all switches on its way
 * that are not listed yet.  Returns how many are listed then. */
static inline uint32_t list_way(const struct weft__lane_masks *p,
				const struct weft__tree *tree, uint32_t s,
				uint32_t n)
{
	const uint32_t *first = p->fabric->adj_first, *head = p->ways->head;
	uint32_t from = n;

	for (; p->behind[s]; s = head[first[s] + tree->choice[s]]) {
		p->sorted[n++] = s;
		p->behind[s] = false;
	}
	for (uint32_t to = n; from + 1 < to; ) {
		uint32_t farther = p->sorted[from];

		p->sorted[from++] = p->sorted[--to];
		p->sorted[to] = farther;
	}
	return n;
}

const uint32_t *weft__masks_sort(const struct weft__lane_masks *p,
				 const struct weft__tree *tree)
{
	const struct weft__plan *plan = weft__ways_to(p->ways, tree->root);
	uint32_t n = 1;

	if (p->along)
		return plan->order;
	memset(p->behind, true, p->fabric->nsw);
	p->behind[tree->root] = false;
	p->sorted[0] = tree->root;
	for (uint32_t i = 1; i <= plan->n; i++)
		n = list_way(p, tree, plan->order[i], n);
	return p->sorted;
}

static void find_masks(struct weft__lane_masks *p, uint32_t d)
{
	const struct weft__tree *tree = &p->trees->tree[d];
	const uint32_t *list = weft__masks_sort(p, tree);

	begin_tree(p, tree->root);
	for (uint32_t i = 1; i < p->fabric->nsw; i++) {
		uint32_t s = list[i];

		use_edge(p, s, p->fabric->adj_first[s] + tree->choice[s]);
	}
	weft__masks_write(p, d, p->legal);
}

void weft__masks_look(struct weft__lane_masks *p, uint32_t n)
{
	weft__masks_turns(p);
	for (uint32_t d = 0; d < n; d++)
		find_masks(p, d);
	p->balance->looked += (uint64_t)n * p->fabric->nsw * LOOK_WORK;
}

uint16_t weft__masks_common(const uint16_t *mask, uint32_t n)
{
	uint64_t four, all = UINT64_MAX;
	uint16_t lanes;

	for (; n >= 4; n -= 4, mask += 4) {
		memcpy(&four, mask, sizeof(four));
		all &= four;
	}
	all &= all >> 32;
	for (lanes = all & all >> 16; n; n--)
		lanes &= *mask++;
	return lanes;
}

uint16_t weft__masks_pair(const struct weft__lane_masks *p, uint32_t x,
			  uint32_t y)
{
	return weft__masks_common(weft__masks_of(p, x, y),
				  p->first[y + 1] - p->first[y]) &
	       weft__masks_common(weft__masks_of(p, y, x),
				  p->first[x + 1] - p->first[x]) &
	       p->all;
}

/* Returns the lanes in which most ways of a pair are legal, where the pair has
 * none in common. */
static uint16_t majority_lanes(const struct weft__lane_masks *p, uint32_t d,
			       uint32_t s)
{
	uint32_t root = p->trees->tree[d].root;
	unsigned counts[LANES] = { 0 }, most = 0;
	uint16_t lanes = 0;

	for (unsigned way = 0; way < 2; way++) {
		uint32_t to = way ? s : root, from = way ? root : s;
		const uint16_t *mask = weft__masks_of(p, from, to);

		for (uint32_t i = p->first[to]; i < p->first[to + 1]; i++) {
			unsigned m = p->list[i] == d ? 0 :
				mask[i - p->first[to]];

			for (; m; m &= m - 1)
				counts[__builtin_ctz(m)]++;
		}
	}
	for (unsigned k = 0; k < p->orders->n; k++)
		most = counts[k] > most ? counts[k] : most;
	for (unsigned k = 0; k < p->orders->n; k++)
		if (counts[k] == most)
			lanes |= 1u << k;
	return lanes;
}

/* Finds the lanes in which all other ways between each switch and the root of d
 * are legal, or most of them where there is none. */
static void find_allowed(struct weft__lane_masks *p, uint32_t d)
{
	uint32_t root = p->trees->tree[d].root, nsw = p->fabric->nsw;
	uint32_t here = p->first[root + 1] - p->first[root];
	uint32_t own = p->position[d] - p->first[root];

	for (uint32_t s = 0; s < nsw; s++) {
		const uint16_t *mask = weft__masks_of(p, s, root);
		uint16_t lanes = p->all &
			weft__masks_common(weft__masks_of(p, root, s),
					   p->first[s + 1] - p->first[s]);

		for (uint32_t i = 0; i < here; i++)
			lanes &= i == own ? p->all : mask[i];
		p->allowed[s] = lanes || s == root ? lanes :
			majority_lanes(p, d, s);
	}
}

/* Returns the best edge of a switch: the one that leaves the most allowed
 * lanes, then the least loaded.  Where none leaves an allowed lane, edges that
 * are legal in any lane come first. */
static uint32_t best_edge(const struct weft__lane_masks *p, uint32_t s,
			  const struct weft__run *run, unsigned nruns)
{
	const struct weft__balance *b = p->balance;
	uint64_t best = UINT64_MAX;
	unsigned best_class = 0;
	uint32_t edge = WEFT_NONE;

	for (; nruns; nruns--, run++) {
		uint32_t e = p->fabric->adj_first[s] + run->start;

		for (uint32_t end = e + run->length; e < end; e++) {
			uint32_t t = b->head[e];
			uint16_t l = legal_by(p, e);
			unsigned n = __builtin_popcount(l & p->allowed[s]);
			unsigned class = n ? n + 1 : !!l;
			uint64_t x = b->distance[t] + b->weight[e];

			if (edge != WEFT_NONE && (class < best_class ||
			    (class == best_class && x >= best)))
				continue;
			best_class = class;
			best = x;
			edge = e;
		}
	}
	return edge;
}

static void find_tree(struct weft__lane_masks *p, const struct weft__plan *plan,
		      uint32_t d)
{
	const struct weft__run *run = plan->run;
	struct weft__balance *b = p->balance;
	uint8_t *choice = p->trees->tree[d].choice;
	const uint32_t *first = p->fabric->adj_first;

	b->distance[plan->order[0]] = 0;
	begin_tree(p, plan->order[0]);
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1], e;

		e = best_edge(p, s, run, plan->nruns[i]);
		run += plan->nruns[i];
		choice[s] = e - first[s];
		b->distance[s] = (b->distance[b->head[e]] + b->weight[e]) &
			~(uint64_t)0xff;
		use_edge(p, s, e);
	}
}

void weft__masks_switches(struct weft__lane_masks *p)
{
	const struct weft__trees *trees = p->trees;

	for (uint32_t s = 0; s < p->fabric->nsw; s++)
		p->legal[s] = p->all;
	for (uint32_t d = trees->nendports; d < trees->n; d++)
		weft__masks_write(p, d, p->legal);
	for (uint32_t d = trees->nendports; d < trees->n; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan =
			weft__ways_to(p->ways, tree->root);
		uint32_t host = p->list[p->first[tree->root]];

		if (host < trees->nendports) {
			memcpy(tree->choice, trees->tree[host].choice,
			       p->fabric->nsw);
			find_masks(p, d);
		} else {
			find_allowed(p, d);
			p->balance->looked += p->trees->n +
				(uint64_t)LOOK_WORK * p->fabric->nsw;
			find_tree(p, plan, d);
			weft__masks_write(p, d, p->legal);
		}
		if (p->balance->switches)
			weft__balance_load(p->balance, plan, tree->choice,
					   tree->weight);
	}
}
