// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: polish, better trees within the lanes
 *
 * Trees that were bent to fit the lanes (mend.c) were bent without regard to
 * bandwidth.  One after the other is taken out and grown anew by what streams
 * expect of each other (improve.c), each switch by the best cable that leads
 * one hop nearer, in hops of the tree as it was, and leaves a lane to all ways
 * of the pair.  Where a switch has none, those on its old way are pinned to what
 * they sent by, and the tree grows again; if need be, until it is what it was.
 * If the model does not find all of it better, everything is.
 *
 * Complexity: as improve.c, for each attempt at a tree.
 */
#include "engines/polish.h"

#include "core/arena.h"
#include "engines/votes.h"
#include "trees/expect.h"

#include <errno.h>
#include <string.h>

#define ATTEMPTS 6	/* at a tree; then it stays */

struct polish {
	struct weft__spread *sp;
	const struct weft_fabric *f;
	const struct weft__trees *trees;
	unsigned step;		/* from one tree that is grown to the next */
	unsigned one_in;	/* is weighed */
	struct weft__votes votes;
	struct weft__expect model;
	struct weft__legal legal;
	struct weft__plan plan;
	int32_t *still;		/* [WEFT__NOISE] zeroes */
	uint8_t *copy;		/* [endports' trees][nsw] choices at first, */
	uint16_t *masks;	/* [trees * nsw] and the spread's masks */

	/* of the tree at hand */
	uint8_t *old;		/* [nsw] choices as they were */
	uint16_t *hops;		/* [nsw] by these */
	uint8_t *pinned;	/* [nsw] keeps its choice */
	uint16_t *allowed;	/* [nsw] lanes that others leave */
};

static uint32_t head(const struct polish *p, uint32_t s, uint8_t choice)
{
	return p->sp->ways->head[p->f->adj_first[s] + choice];
}

/* The switches in the order of their hops along the old tree. */
static void order_switches(struct polish *p, uint32_t root)
{
	uint32_t *order = p->plan.order, n = 1;

	order[0] = root;
	p->hops[root] = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = order[i];

		for (uint32_t e = p->f->adj_first[s];
		     e < p->f->adj_first[s + 1]; e++) {
			uint32_t behind = p->sp->ways->head[e];

			if (behind == root ||
			    p->old[behind] != p->votes.back[e])
				continue;
			p->hops[behind] = p->hops[s] + 1;
			order[n++] = behind;
		}
	}
	p->plan.n = n - 1;
}

/* Lists the cables that switch s may take. */
static void list_cables(struct polish *p, uint32_t i)
{
	struct weft__plan *plan = &p->plan;
	uint32_t s = plan->order[i + 1];
	uint8_t degree = weft__turns_end(&p->sp->orders->turns, s);

	plan->nruns[i] = 0;
	for (unsigned k = 0; k < degree; k++) {
		if (p->pinned[s] ? k != p->old[s] :
		    p->hops[head(p, s, k)] + 1 != p->hops[s])
			continue;
		plan->run[plan->total++] = (struct weft__run){ k, 1 };
		plan->nruns[i]++;
	}
}

static void make_plan(struct polish *p)
{
	p->plan.total = 0;
	for (uint32_t i = 0; i < p->plan.n; i++)
		list_cables(p, i);
}

/* Prepares for growing a tree: lanes by those that others leave. */
static void start(struct polish *p, uint32_t d)
{
	const struct weft__tree *t = &p->trees->tree[d];

	memcpy(p->old, t->choice, p->f->nsw);
	memset(p->pinned, 0, p->f->nsw);
	order_switches(p, t->root);
	weft__legal_start(&p->legal, t->root);
	for (uint32_t s = 0; s < p->f->nsw; s++)
		p->allowed[s] = s == t->root ? p->legal.all :
			weft__votes_others(&p->votes, d, s);
}

/* Pins the old ways of switches that are left without a lane; whether there
 * are any. */
static bool pin(struct polish *p, uint32_t root)
{
	bool any = false;

	for (uint32_t i = 1; i <= p->plan.n; i++) {
		uint32_t s = p->plan.order[i];

		if (p->legal.legal[s] & p->allowed[s])
			continue;
		any = true;
		for (; s != root && !p->pinned[s]; s = head(p, s, p->old[s]))
			p->pinned[s] = 1;
	}
	return any;
}

static void grow(struct polish *p, uint32_t d)
{
	const struct weft__tree *t = &p->trees->tree[d];
	unsigned attempt = 0;

	start(p, d);
	do {
		if (attempt++ == ATTEMPTS)
			memset(p->pinned, 1, p->f->nsw);
		make_plan(p);
		p->model.unfolded = WEFT_NONE;
		memcpy(p->legal.allowed, p->allowed,
		       p->f->nsw * sizeof(*p->allowed));
		weft__expect_choose(&p->model, &p->plan, t->choice, p->still);
	} while (pin(p, t->root));
	for (uint32_t s = 0; s < p->f->nsw; s++)
		if (s != t->root)
			*weft__votes_mask(&p->votes, d, s) = p->legal.legal[s];
}

/* What trees, or some of them, are worth by the model, which knows all loads. */
static uint64_t weigh(struct polish *p)
{
	p->model.worth = 0;
	for (uint32_t d = 0; d < p->trees->nendports; d++) {
		const struct weft__tree *t = &p->trees->tree[d];

		if (!weft__expect_sampled(d, p->one_in))
			continue;
		memcpy(p->old, t->choice, p->f->nsw);
		order_switches(p, t->root);
		weft__expect_weigh(&p->model, &p->plan, t->choice);
	}
	weft__expect_prices(&p->model);
	return p->model.worth;
}

static void load_all(struct polish *p)
{
	weft__expect_reset(&p->model);
	for (uint32_t d = 0; d < p->trees->nendports; d++) {
		const struct weft__tree *t = &p->trees->tree[d];

		memcpy(p->old, t->choice, p->f->nsw);
		order_switches(p, t->root);
		weft__expect_load(&p->model, &p->plan, t->choice);
	}
	weft__expect_ready(&p->model, p->trees->nendports);
}

/* Choices of all trees, and their masks, to copies, and back. */
static void save(struct polish *p)
{
	uint32_t nsw = p->f->nsw;

	memcpy(p->masks, p->sp->mask,
	       (size_t)p->trees->n * nsw * sizeof(*p->masks));
	weft__trees_save(p->trees, p->trees->nendports, nsw, p->copy);
}

static void restore(struct polish *p)
{
	uint32_t nsw = p->f->nsw;

	memcpy(p->sp->mask, p->masks,
	       (size_t)p->trees->n * nsw * sizeof(*p->masks));
	weft__trees_restore(p->trees, p->trees->nendports, nsw, p->copy);
}

static bool alloc(struct polish *p, struct weft_arena *arena)
{
	uint32_t nsw = p->f->nsw, nedges = p->f->adj_first[nsw];

	p->still = weft__arena_zalloc(arena, WEFT__NOISE, sizeof(*p->still));
	p->copy = weft__arena_alloc(arena, p->trees->nendports, nsw);
	p->masks = weft__arena_alloc(arena, (size_t)p->trees->n * nsw,
				     sizeof(*p->masks));
	p->old = weft__arena_alloc(arena, nsw, 1);
	p->hops = weft__arena_alloc(arena, nsw, sizeof(*p->hops));
	p->pinned = weft__arena_alloc(arena, nsw, 1);
	p->allowed = weft__arena_alloc(arena, nsw, sizeof(*p->allowed));
	p->plan.order = weft__arena_alloc(arena, nsw + 1ull,
					  sizeof(*p->plan.order));
	p->plan.nruns = weft__arena_alloc(arena, nsw, 1);
	p->plan.run = weft__arena_alloc(arena, nedges, sizeof(*p->plan.run));
	return p->still && p->copy && p->masks && p->old && p->hops &&
	       p->pinned && p->allowed && p->plan.order &&
	       p->plan.nruns && p->plan.run &&
	       weft__votes_init(&p->votes, p->sp, arena) &&
	       weft__expect_init(&p->model, p->f, arena, false) &&
	       weft__legal_init(&p->legal, &p->sp->orders->turns,
				p->sp->orders->n, arena);
}

int weft__polish(struct weft__spread *sp, unsigned passes, bool quickly)
{
	struct polish p = {
		.sp = sp, .f = sp->fabric, .trees = sp->trees,
		.step = quickly ? 2 : 1, .one_in = quickly ? 4 : 1,
	};
	struct weft_arena *arena = weft__arena_new();
	uint64_t before, after;

	if (!arena || !alloc(&p, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	weft__legal_reset(&p.legal);
	save(&p);
	load_all(&p);
	before = weigh(&p);
	p.model.legal = &p.legal;
	for (unsigned i = 0; i < passes; i++) {
		for (uint32_t d = 0; d < p.trees->nendports; d += p.step)
			grow(&p, d);
		weft__expect_prices(&p.model);
	}
	after = weigh(&p);
	if (after <= before)
		restore(&p);
	weft__votes_share(&p.votes);
	weft__arena_free(arena);
	return 0;
}
