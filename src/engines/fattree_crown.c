// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Converging routes: what many destinations have in common.
 *
 * The switches below a root go up to it by the same cables, whatever
 * destination its chain leads to, where each has one way: its crown.  It is
 * found once for each root; a destination copies it, and adds its chain and who
 * is above it.  That it may is checked switch by switch: each has as many hops
 * as its plan tells, so that all others would not have joined otherwise.
 *
 * What is counted and loaded is the same for all but the chain, where what goes
 * up in the crown comes down.  So only the chain is counted at once, and the
 * rest, times the number of destinations, when somebody asks for it.
 */
#include "engines/fattree_chain_parts.h"

#include "core/arena.h"

#include <string.h>

enum crown_state { UNKNOWN, USABLE, USELESS };

struct weft__crown {
	enum crown_state state;
	uint32_t root, n;
	uint32_t *sw, *parent;	/* [n] from the root down */
	uint32_t *behind;	/* [nsw] endports of a switch and below it */
	uint8_t *choice;	/* [nsw] WEFT__UNFIXED = not in it */
	uint8_t *children;	/* [nsw] 2 = more than one */
	uint32_t ends;		/* of sw[], how many have endports */
	uint32_t uncounted, unloaded;	/* destinations */
};

static uint32_t count_ends(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s + 1] - f->sw_ep_first[s];
}

/* Everyone below the root, from the top down; whether each has one way up. */
static bool list_below(const struct weft__chains *c, struct weft__crown *x)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t s = x->root;

	memset(x->choice, WEFT__UNFIXED, f->nsw);
	for (uint32_t i = 0;; s = x->sw[i++]) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = c->ways->head[e];

			if (!weft__chain_above(c, s, t))
				continue;
			if (x->choice[t] != WEFT__UNFIXED)
				return false;
			x->choice[t] = c->back[e] - f->adj_first[t];
			x->parent[x->n] = s;
			x->sw[x->n++] = t;
		}
		if (i == x->n)
			return true;
	}
}

static void sum_up(const struct weft__chains *c, struct weft__crown *x)
{
	const struct weft_fabric *f = c->run->fabric;

	x->behind[x->root] = count_ends(f, x->root);
	for (uint32_t i = 0; i < x->n; i++) {
		x->behind[x->sw[i]] = count_ends(f, x->sw[i]);
		x->ends += c->has_ends[x->sw[i]];
	}
	for (uint32_t i = x->n; i-- > 0;) {
		x->behind[x->parent[i]] += x->behind[x->sw[i]];
		x->children[x->parent[i]] += x->children[x->parent[i]] < 2;
	}
}

static void find_crown(struct weft__chains *c, struct weft__crown *x,
		       uint32_t root)
{
	struct weft_arena *arena = c->run->arena;
	uint32_t nsw = c->run->fabric->nsw;

	x->state = USELESS;
	x->root = root;
	x->sw = weft__arena_alloc(arena, nsw, sizeof(*x->sw));
	x->parent = weft__arena_alloc(arena, nsw, sizeof(*x->parent));
	x->behind = weft__arena_zalloc(arena, nsw, sizeof(*x->behind));
	x->choice = weft__arena_alloc(arena, nsw, 1);
	x->children = weft__arena_zalloc(arena, nsw, 1);
	if (!x->sw || !x->parent || !x->behind || !x->choice ||
	    !x->children || !list_below(c, x))
		return;
	sum_up(c, x);
	x->state = USABLE;
}

/* Of those that join, how many have endports. */
static uint32_t ends_joining(const struct weft__chains *c,
			     const struct weft__crown *x)
{
	uint32_t ends = x->ends;

	for (uint32_t i = 0; i + 1 < c->nchain; i++)
		ends -= c->has_ends[c->chain[i]];
	return ends;
}

/* Whether everyone in the crown joins the chain at hand by it, and those that
 * do not join pass nothing on. */
static bool fits(struct weft__chains *c, const struct weft__crown *x)
{
	uint32_t joined = x->n + 1 - c->nchain, *hops = c->crowns.hops;
	const uint32_t *sw = x->sw, *parent = x->parent, *seen = c->seen;
	const uint16_t *planned = c->hops;
	const uint8_t *cone = c->cone;
	uint32_t n = x->n, stamp = c->stamp;

	if (joined + c->ncone != c->plan->n &&
	    c->cone_ends + ends_joining(c, x) != c->nends)
		return false;
	for (uint32_t i = 0; i < c->nchain; i++)
		hops[c->chain[i]] = i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = sw[i], h = hops[parent[i]] + 1;

		if (seen[s] == stamp)
			continue;
		if (planned[s] != h || cone[s])
			return false;
		hops[s] = h;
	}
	return true;
}

/* Nobody joins the chain from within: takes back what weft__crown_count() adds
 * for it. */
static void uncount_chain(struct weft__chains *c, const struct weft__crown *x)
{
	const uint32_t *first = c->run->fabric->adj_first;

	for (uint32_t i = 0; i < c->nchain; i++) {
		uint32_t s = c->chain[i];

		if (i + 1 < c->nchain)
			c->up[first[s] + x->choice[s]]--;
		c->forwards[s] -= i && x->children[s] == 1;
	}
}

/* Those that nothing comes over; as a rule all have as many ways. */
static void copy_idle(const struct weft__chains *c, const struct weft__crown *x,
		      const struct weft__tree *tree)
{
	/* Stores of bytes could be to anything but these. */
	const uint32_t *idle = c->idle, *order = c->plan->order + 1;
	const uint32_t *plan_run = c->plan_run, *seen = c->seen;
	const struct weft__run *runs = c->plan->run;
	const uint8_t *crown = x->choice;
	uint8_t *choice = tree->choice;
	uint32_t n = c->nidle, stamp = c->stamp, length = 1, turn = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = idle[i], s = order[at];
		struct weft__run run = runs[plan_run[at]];

		if (crown[s] != WEFT__UNFIXED || seen[s] == stamp)
			continue;
		if (run.length != length) {
			length = run.length;
			turn = tree->number % length;
		}
		choice[s] = run.start + turn;
	}
}

/* The crown, but for the chain, and those that nothing comes over. */
static void copy(struct weft__chains *c, const struct weft__crown *x,
		 const struct weft__tree *tree)
{
	uint8_t *choice = tree->choice;

	for (uint32_t i = 1; i < c->nchain; i++)
		c->queue[i] = choice[c->chain[i]];
	memcpy(choice, x->choice, c->run->fabric->nsw);
	choice[tree->root] = WEFT__UNFIXED;
	for (uint32_t i = 1; i < c->nchain; i++)
		choice[c->chain[i]] = c->queue[i];
	copy_idle(c, x, tree);
}

bool weft__crown_join(struct weft__chains *c, const struct weft__tree *tree)
{
	uint32_t root = c->chain[c->nchain - 1];
	struct weft__crown *x;

	c->crowns.used = NULL;
	if (!c->crowns.of)
		return false;
	x = &c->crowns.of[root];
	if (x->state == UNKNOWN)
		find_crown(c, x, root);
	c->stamp++;
	for (uint32_t i = 0; i < c->nchain; i++)
		c->seen[c->chain[i]] = c->stamp;
	if (x->state == USELESS || !fits(c, x))
		return false;
	if (!x->uncounted++)
		c->crowns.uncounted[c->crowns.nuncounted++] = root;
	uncount_chain(c, x);
	copy(c, x, tree);
	weft__chain_descend(c, tree->choice);
	c->crowns.used = x;
	return true;
}

void weft__crown_count(struct weft__chains *c)
{
	const uint32_t *first = c->run->fabric->adj_first;

	while (c->crowns.nuncounted) {
		struct weft__crown *x;
		uint32_t n;

		x = &c->crowns.of[c->crowns.uncounted[--c->crowns.nuncounted]];
		n = x->uncounted;
		x->uncounted = 0;
		c->forwards[x->root] += x->n ? n : 0;
		for (uint32_t i = 0; i < x->n; i++) {
			uint32_t s = x->sw[i];

			c->up[first[s] + x->choice[s]] += n;
			c->forwards[s] += x->children[s] ? n : 0;
		}
	}
}

static void add_routes(struct weft__balance *b, uint32_t e, uint64_t routes)
{
	b->weight[e] += routes * b->scale[e];
}

/* What the crown sends up in the chain comes down, with all that is elsewhere;
 * upwards it is loaded later for all destinations. */
static void load_chain(struct weft__chains *c, const struct weft__crown *x,
		       const uint8_t *choice)
{
	struct weft__balance *b = &c->run->balance;
	const uint32_t *first = c->run->fabric->adj_first;
	uint64_t all = x->behind[x->root];

	for (uint32_t i = 0; i + 1 < c->nchain; i++) {
		uint32_t s = c->chain[i], above = c->chain[i + 1];
		uint64_t behind = x->behind[s];

		add_routes(b, first[above] + choice[above], all - behind);
		add_routes(b, first[s] + x->choice[s], -behind);
	}
}

void weft__crown_load(struct weft__chains *c, const struct weft__tree *tree)
{
	struct weft__crown *x = c->crowns.used;

	if (!c->rule.load)
		return;
	/* Endports above the destination have ways of their own. */
	if (!x || c->cone_ends != c->has_ends[tree->root]) {
		weft__balance_load(&c->run->balance, c->plan, tree->choice, 1);
		return;
	}
	x->unloaded++;
	load_chain(c, x, tree->choice);
}

void weft__crown_load_all(struct weft__chains *c)
{
	struct weft__balance *b = &c->run->balance;
	const uint32_t *first = c->run->fabric->adj_first;

	for (uint32_t r = 0; c->crowns.of && r < c->run->fabric->nsw; r++) {
		struct weft__crown *x = &c->crowns.of[r];

		for (uint32_t i = 0; x->unloaded && i < x->n; i++)
			add_routes(b, first[x->sw[i]] + x->choice[x->sw[i]],
				   (uint64_t)x->unloaded * x->behind[x->sw[i]]);
		x->unloaded = 0;
	}
}

bool weft__crowns_init(struct weft__chains *c)
{
	struct weft_arena *arena = c->run->arena;
	uint32_t nsw = c->run->fabric->nsw;

	c->crowns.of = weft__arena_zalloc(arena, nsw, sizeof(*c->crowns.of));
	c->crowns.hops = weft__arena_alloc(arena, nsw,
					   sizeof(*c->crowns.hops));
	c->crowns.uncounted = weft__arena_alloc(arena, nsw,
						sizeof(*c->crowns.uncounted));
	return c->crowns.of && c->crowns.hops && c->crowns.uncounted;
}
