// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: converging routes (EFT, BEFT)
 *
 * Idea (Zahavi et al. 2009, as in OpenSM; Bogdanski et al.: Achieving
 * predictable high performance in imbalanced fat trees, ICPADS 2010): if all
 * routes to a destination come down from one root, and roots are given out
 * evenly, the ways down are free of contention.  From the destination's switch
 * a chain climbs (climb.c).  Of the switches above, it takes the one whose
 * cables carry the fewest destinations down (EFT); among equals, the one with
 * the fewest destinations in all (BEFT), so that leaves with few hosts do not
 * all take the first root; among equals, the highest in the order, then the
 * lowest port.
 *
 * A switch below the chain goes up to it by the shortest way.  These ways are
 * found from the chain downwards (join.c), so that in a tree each switch is
 * looked at once for each destination.
 *
 * A rack is a group of leaves that cables join to each other.  From there
 * several ways may lead to the chain.  Of these the rack step of BEFT takes one
 * by which others send to this destination already, else the one by which the
 * fewest destinations are sent.  EFT takes the one that is reached first from
 * above, where the least used switches come first.  Only what endports send
 * counts as use there: if everything did, all leaves of a chassis would have
 * the same counter, whether racks send by them or not.
 *
 * A switch that cannot join the chain, as cables are missing, takes the least
 * used of its shortest ways if endports send over it, and so do switches above
 * the destination that are not in the chain.  Racks between parts of a fabric
 * send by both of their sides (sides.c).
 *
 * The counters are of destinations, not of routes, as in the papers.
 *
 * Complexity: O(switches + cables below the chain) for each destination.
 */
#include "engines/fattree/chain_parts.h"

#include "core/arena.h"
#include "engines/fattree/sides.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <string.h>

#define WORK_PER_SWITCH 20	/* edges that joining a chain counts for */

static bool alloc(struct weft__chains *c, struct weft_arena *arena)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t n = f->nsw, nedges = f->adj_first[n];

	c->back = weft__back_entries(c->run->fabric, arena);
	c->down = weft__arena_zalloc(arena, nedges, sizeof(*c->down));
	c->beside = weft__arena_zalloc(arena, nedges, sizeof(*c->beside));
	c->up = weft__arena_zalloc(arena, nedges, sizeof(*c->up));
	c->served = weft__arena_zalloc(arena, nedges, sizeof(*c->served));
	c->above = weft__arena_zalloc(arena, n, sizeof(*c->above));
	c->forwards = weft__arena_zalloc(arena, n, sizeof(*c->forwards));
	c->room = weft__arena_zalloc(arena, n, sizeof(*c->room));
	c->hops = weft__arena_alloc(arena, n, sizeof(*c->hops));
	c->cone = weft__arena_alloc(arena, n, 1);
	c->has_ends = weft__arena_alloc(arena, n, 1);
	c->is_lowest = weft__arena_alloc(arena, n, 1);
	c->cone_list = weft__arena_alloc(arena, n, sizeof(*c->cone_list));
	c->cone_run = weft__arena_alloc(arena, n, sizeof(*c->cone_run));
	c->cone_only = weft__arena_alloc(arena, n, 1);
	c->plan_run = weft__arena_alloc(arena, n, sizeof(*c->plan_run));
	c->idle = weft__arena_alloc(arena, n, sizeof(*c->idle));
	c->chain = weft__arena_alloc(arena, n, sizeof(*c->chain));
	c->queue = weft__arena_alloc(arena, n, sizeof(*c->queue));
	c->entry = weft__arena_alloc(arena, n, sizeof(*c->entry));
	c->seen = weft__arena_zalloc(arena, n, sizeof(*c->seen));
	c->taken = weft__arena_zalloc(arena, n, sizeof(*c->taken));
	c->used = weft__arena_zalloc(arena, n, sizeof(*c->used));
	c->passes = weft__arena_zalloc(arena, n, sizeof(*c->passes));
	return c->back && c->down && c->beside && c->up && c->served &&
	       c->above && c->forwards && c->room && c->hops && c->cone &&
	       c->has_ends &&
	       c->is_lowest && c->cone_list && c->cone_run &&
	       c->cone_only && c->plan_run && c->idle && c->chain && c->queue &&
	       c->entry && c->seen && c->used && c->passes && c->taken;
}

bool weft__chains_init(struct weft__chains *c, struct weft__fattree_run *run,
		       struct weft__chain_rule rule)
{
	const struct weft_fabric *f = run->fabric;

	*c = (struct weft__chains){ .run = run, .rule = rule,
				    .ways = &run->tree.ways, .node = 1 };
	if (!alloc(c, run->arena))
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		c->has_ends[s] = f->sw_ep_first[s] != f->sw_ep_first[s + 1];
		c->nends += c->has_ends[s];
		c->is_lowest[s] = 1;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			if (!weft__chain_above(c, s, c->ways->head[e]))
				continue;
			c->room[s] += f->capacity[f->adj[e]];
			c->is_lowest[s] = 0;
		}
	}
	return true;
}

/* True if cable e leads down and is kept for what its upper switch sends
 * itself; see trees/ways.h. */
static bool is_own(const struct weft__chains *c, uint32_t e)
{
	return c->ways->own && c->ways->own[e] == WEFT__OWN;
}

void weft__chains_root(struct weft__chains *c, uint32_t root)
{
	const struct weft__plan *plan = weft__ways_to(&c->run->tree.ways, root);
	uint32_t r = 0;

	c->plan = plan;
	memset(c->cone, 0, c->run->fabric->nsw);
	memset(c->hops, 0xff, c->run->fabric->nsw * sizeof(*c->hops));
	c->hops[root] = 0;
	c->cone[root] = 1;
	c->cone_ends = c->plan_ends = c->has_ends[root];
	c->ncone = 0;
	c->nidle = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint32_t e = weft__chain_run_entry(c, s, r);
		uint32_t head = c->ways->head[e];

		c->hops[s] = c->hops[head] + 1;
		c->plan_run[i] = r;
		c->plan_ends += c->has_ends[s];
		if (weft__chain_above(c, s, head) && !is_own(c, e)) {
			c->cone[s] = 1;
			c->cone_ends += c->has_ends[s];
			c->cone_list[c->ncone] = s;
			c->cone_only[c->ncone] = plan->nruns[i] == 1 &&
				plan->run[r].length == 1 ?
				plan->run[r].start : WEFT__UNFIXED;
			c->cone_run[c->ncone++] = i;
		} else if (!c->has_ends[s]) {
			c->idle[c->nidle++] = i;
		}
		r += plan->nruns[i];
	}
}

void weft__chains_tree(struct weft__chains *c, const struct weft__tree *tree)
{
	c->weight = tree->weight;
	c->second = c->model.n > 1 ?
		weft__chain_with_number(c, tree->root, c->model.number) :
		WEFT_NONE;
	weft__chain_climb(c, tree->root, tree->choice);
	c->number = c->nchain > 1 ?
		weft__chain_number_of(c, tree->root, c->chain[1]) : WEFT_NONE;
	c->shares |= c->plan_ends < c->nends;
	weft__chain_join(c, tree);
}

/* Goes from the farthest switch to the root, so that it is known of each switch
 * whether it passes traffic on. */
void weft__chains_mark_taken(struct weft__chains *c,
			     const struct weft__tree *tree)
{
	const struct weft_fabric *f = c->run->fabric;
	const struct weft__plan *plan = weft__ways_to(&c->run->tree.ways,
						      tree->root);

	c->stamp++;
	c->taken[tree->root] = c->node;
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i], head;

		if (c->used[s] != c->stamp && !c->has_ends[s])
			continue;
		head = c->ways->head[f->adj_first[s] + tree->choice[s]];
		c->used[head] = c->stamp;
		c->taken[head] = c->node;
	}
}

/* Returns how many endports of a group are on a switch. */
static uint32_t count_on(const struct weft_fabric *f, uint32_t s,
			 uint32_t group)
{
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		n += f->ep[f->sw_endport[i]].group == group;
	return n;
}

/* Returns the most endports of a group on a switch of the lowest level. */
static uint32_t most_on_leaf(const struct weft__chains *c, uint32_t group)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = count_on(f, s, group);

		if (!c->run->tree.level[s] && n > most)
			most = n;
	}
	return most;
}

static void add_dummies(struct weft__chains *c, uint32_t root, uint32_t group,
			uint32_t most)
{
	uint32_t n = count_on(c->run->fabric, root, group);

	if (!c->rule.dummies || c->run->tree.level[root])
		return;
	c->weight = 1;
	for (; n < most; n++)
		weft__chain_climb(c, root, NULL);
}

void weft__chains_endports(struct weft__chains *c)
{
	const struct weft__trees *trees = &c->run->trees;
	uint32_t most = 0, root = WEFT_NONE, group = WEFT_NONE;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		if (tree->root != root || tree->group != group) {
			if (root != WEFT_NONE)
				add_dummies(c, root, group, most);
			if (tree->group != group)
				most = most_on_leaf(c, tree->group);
			group = tree->group;
			root = tree->root;
			weft__chains_root(c, root);
		}
		weft__chains_tree(c, tree);
		c->run->balance.looked += WORK_PER_SWITCH * c->plan->n;
		if (c->rule.load)
			weft__balance_load(&c->run->balance, c->plan,
					   tree->choice, tree->weight);
	}
}

int weft__chains_run(struct weft__fattree_run *run,
		     struct weft__chain_rule rule)
{
	struct weft__chains c;

	if (rule.sides && !weft__sides_keep(run))
		return weft_no_memory(run->diag);
	if (!weft__chains_init(&c, run, rule))
		return weft_no_memory(run->diag);
	weft__chains_endports(&c);
	return 0;
}

static enum weft__chain_rack rack_of(const struct weft_options *options)
{
	const char *text = weft_options_text(options, "rack");

	return !strcmp(text, "on") ? WEFT__RACK_ON :
	       !strcmp(text, "off") ? WEFT__RACK_OFF : WEFT__RACK_AUTO;
}

struct weft__chain_rule weft__chains_eft(void)
{
	return (struct weft__chain_rule){ .dummies = true, .sides = true,
					  .rack = WEFT__RACK_OFF };
}

struct weft__chain_rule weft__chains_beft(const struct weft_options *options)
{
	return (struct weft__chain_rule){ .above = true, .sides = true,
					  .rack = rack_of(options) };
}
