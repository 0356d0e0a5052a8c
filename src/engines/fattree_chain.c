// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: converging routes (EFT, BEFT)
 *
 * Idea (Zahavi et al. 2009, as in OpenSM; Bogdanski et al.: Achieving
 * predictable high performance in imbalanced fat trees, ICPADS 2010): if all
 * routes to a destination come down from one root, and roots are given out
 * evenly, the ways down are free of contention.  From the destination's switch
 * a chain climbs: of the switches above, the one wins whose cables carry fewest
 * destinations down (EFT); among equals, the one with fewest destinations in
 * all (BEFT), so that leaves with few hosts do not all take the first root;
 * among equals, the highest in the order, then the lowest port.
 *
 * Who has the chain above itself goes up to it by the shortest way.  These are
 * found from the chain downwards, so that in a tree each switch is looked at
 * once for each destination.  Where several ways lead to the chain (racks), the
 * rack step of BEFT chooses: one by which others send to this destination
 * already, else the one by which fewest destinations are sent.  EFT takes the
 * one that is reached first from above, where least used switches come first;
 * only what endports send by them counts as use.  (All that is sent counted
 * once: then every leaf of a chassis has the same counter, whether racks send
 * by it or not, and rack648 .605 of bandwidth instead of .727; stock opensm has
 * .679, with 7 % of the pairs without a route, which count as nothing.)  Who
 * cannot join the chain (missing cables) takes the least used of its shortest
 * ways, and so do switches above the destination that are not in the chain.
 * Racks between parts of a fabric send by both of their sides
 * (fattree_sides.c).
 *
 * The counters are of destinations, not of routes, as in the papers.
 *
 * Complexity: O(switches + cables below the chain) for each destination.
 */
#include "engines/fattree_chain.h"

#include "core/arena.h"
#include "engines/common.h"
#include "engines/fattree_sides.h"

#include <errno.h>
#include <string.h>

static bool alloc(struct weft__chains *c, struct weft_arena *arena)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t n = f->nsw, nedges = f->adj_first[n];

	c->back = weft__arena_alloc(arena, nedges, sizeof(*c->back));
	c->down = weft__arena_zalloc(arena, nedges, sizeof(*c->down));
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
	return c->back && c->down && c->up && c->served && c->above &&
	       c->forwards && c->room && c->hops && c->cone && c->has_ends &&
	       c->is_lowest && c->cone_list && c->cone_run &&
	       c->cone_only && c->plan_run && c->idle && c->chain && c->queue &&
	       c->entry && c->seen && c->used && c->passes && c->taken;
}

static bool is_above(const struct weft__chains *c, uint32_t a, uint32_t b)
{
	return c->ways->place[a] < c->ways->place[b];
}

bool weft__chains_init(struct weft__chains *c, struct weft__fattree_run *run,
		       struct weft__chain_rule rule)
{
	const struct weft_fabric *f = run->fabric;
	uint32_t *entry;

	*c = (struct weft__chains){ .run = run, .rule = rule,
				    .ways = &run->tree.ways, .node = 1 };
	entry = weft__arena_alloc(run->arena, f->nch, sizeof(*entry));
	if (!entry || !alloc(c, run->arena))
		return false;
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		entry[f->adj[e]] = e;
	for (uint32_t s = 0; s < f->nsw; s++) {
		c->has_ends[s] = f->sw_ep_first[s] != f->sw_ep_first[s + 1];
		c->nends += c->has_ends[s];
		c->is_lowest[s] = 1;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			c->back[e] = entry[f->reverse[f->adj[e]]];
			if (!is_above(c, s, c->ways->head[e]))
				continue;
			c->room[s] += f->capacity[f->adj[e]];
			c->is_lowest[s] = 0;
		}
	}
	return true;
}

/* Whether a cable leads down and to nobody below: see ways.h. */
static bool is_own(const struct weft__chains *c, uint32_t e)
{
	return c->ways->own && c->ways->own[e] == WEFT__OWN;
}

/* A plan's first entry for a run. */
static uint32_t run_entry(const struct weft__chains *c, uint32_t s, uint32_t r)
{
	return c->run->fabric->adj_first[s] + c->plan->run[r].start;
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
	c->cone_ends = c->has_ends[root];
	c->ncone = 0;
	c->nidle = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		uint32_t e = run_entry(c, s, r), head = c->ways->head[e];

		c->hops[s] = c->hops[head] + 1;
		c->plan_run[i] = r;
		if (is_above(c, s, head) && !is_own(c, e)) {
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

/* A switch above the end of the chain. */
struct offer {
	uint32_t sw, entry;	/* entry of sw: its least used cable down */
	uint64_t link, total;	/* counters, scaled */
	bool avoided, level, model;
};

static bool is_better(const struct weft__chains *c, const struct offer *a,
		      const struct offer *b)
{
	if (b->sw == WEFT_NONE)
		return true;
	if (a->avoided != b->avoided)
		return b->avoided;
	if (a->level != b->level)
		return b->level;
	if (a->link != b->link)
		return a->link < b->link;
	if (a->model != b->model)
		return a->model;
	if (c->rule.above && a->total != b->total)
		return a->total < b->total;
	return is_above(c, a->sw, b->sw);
}

/* Counter over capacity, in a unit that keeps order and fits. */
static uint64_t scaled(const struct weft__chains *c, uint64_t count,
		       uint64_t capacity)
{
	return (count << 32) / (c->rule.capacity && capacity ? capacity : 1);
}

/* The switch with a number among those on higher levels right above s, in the
 * order of its adjacency; WEFT_NONE: there are not so many. */
static uint32_t with_number(const struct weft__chains *c, uint32_t s,
			    uint32_t number)
{
	const uint32_t *first = c->run->fabric->adj_first;
	const uint16_t *level = c->run->tree.level;
	uint32_t n = 0, last = WEFT_NONE;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (t == last || level[t] <= level[s])
			continue;
		if (n++ == number)
			return t;
		last = t;
	}
	return WEFT_NONE;
}

/* The other way around; WEFT_NONE: it is none of these. */
static uint32_t number_of(const struct weft__chains *c, uint32_t s,
			  uint32_t above)
{
	for (uint32_t n = 0;; n++) {
		uint32_t t = with_number(c, s, n);

		if (t == above || t == WEFT_NONE)
			return t == above ? n : WEFT_NONE;
	}
}

/* Whether the chain goes on as the model's does: by the switch with the same
 * number, then by the same ones. */
static bool follows(const struct weft__chains *c, uint32_t sw)
{
	if (c->nchain >= c->model.n)
		return false;
	return sw == (c->nchain == 1 ? c->second : c->model.chain[c->nchain]);
}

/* What the cables e .. e+n-1 of switch s, all to one switch above, offer. */
static struct offer make_offer(const struct weft__chains *c, uint32_t s,
			       uint32_t e, uint32_t n)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t sw = c->ways->head[e], least = c->back[e];
	uint64_t sum = 0, capacity = 0;

	for (uint32_t i = e; i < e + n; i++) {
		sum += c->down[c->back[i]];
		capacity += f->capacity[f->adj[i]];
		if (c->down[c->back[i]] < c->down[least])
			least = c->back[i];
	}
	return (struct offer){ .sw = sw, .entry = least,
		.link = scaled(c, sum, c->rule.capacity ? capacity : n),
		.total = scaled(c, c->above[sw], c->room[sw]),
		.avoided = c->taken[sw] == c->node,
		.model = follows(c, sw),
		.level = c->run->tree.level[sw] <= c->run->tree.level[s] };
}

/* The best switch above s that has s on a shortest way down; sw is WEFT_NONE
 * where there is none. */
static struct offer choose_above(const struct weft__chains *c, uint32_t s)
{
	const struct weft_fabric *f = c->run->fabric;
	struct offer best = { .sw = WEFT_NONE };
	uint32_t end = f->adj_first[s + 1], n;

	for (uint32_t e = f->adj_first[s]; e < end; e += n) {
		uint32_t t = c->ways->head[e];
		struct offer o;

		for (n = 1; e + n < end && c->ways->head[e + n] == t;)
			n++;
		if (!c->cone[t] || c->hops[t] != c->hops[s] + 1 ||
		    !is_above(c, t, s))
			continue;
		o = make_offer(c, s, e, n);
		if (is_better(c, &o, &best))
			best = o;
	}
	return best;
}

/* Climbs from the root, counting; choice NULL: only that. */
static void climb(struct weft__chains *c, uint32_t root, uint8_t *choice)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t s = root;

	c->nchain = 0;
	c->chain[c->nchain++] = root;
	for (;;) {
		struct offer o = choose_above(c, s);

		if (o.sw == WEFT_NONE)
			break;
		c->shares |= o.avoided;
		c->down[o.entry]++;
		c->above[o.sw]++;
		s = o.sw;
		if (choice)
			choice[s] = o.entry - f->adj_first[s];
		c->chain[c->nchain++] = s;
	}
}

/* Destinations that somebody sends to over the switch by which switch s, which
 * has joined, goes on. */
static uint32_t used_beyond(const struct weft__chains *c, uint32_t s,
			    const uint8_t *choice)
{
	const uint32_t *first = c->run->fabric->adj_first;
	uint32_t t = c->ways->head[first[s] + choice[s]], sum = 0;

	if (c->cone[s])
		return 0;
	for (uint32_t e = first[s]; e < first[s + 1]; e++)
		if (c->ways->head[e] == t)
			sum += c->served[e];
	return sum;
}

/* Whether entry a of a switch is better than b; both lead to the chain. */
static bool is_nicer(const struct weft__chains *c, uint32_t a, uint32_t b,
		     uint32_t twin, const uint8_t *choice)
{
	uint32_t x = c->ways->head[a], y = c->ways->head[b];
	uint32_t beyond_x, beyond_y;

	if (x == y)
		return c->up[a] < c->up[b];
	if ((c->taken[x] == c->node) != (c->taken[y] == c->node))
		return c->taken[y] == c->node;
	if (c->rule.rack != WEFT__RACK_OFF) {
		if ((c->used[x] == c->stamp) != (c->used[y] == c->stamp))
			return c->used[x] == c->stamp;
		if ((x == twin) != (y == twin))
			return x == twin;
		if (c->forwards[x] != c->forwards[y])
			return c->forwards[x] < c->forwards[y];
	}
	/* EFT: who comes first from above, least used switches first. */
	beyond_x = used_beyond(c, x, choice);
	beyond_y = used_beyond(c, y, choice);
	return beyond_x != beyond_y ? beyond_x < beyond_y : is_above(c, x, y);
}

static void settle(struct weft__chains *c, uint32_t s, uint32_t entry,
		   uint8_t *choice)
{
	uint32_t head = c->ways->head[entry];

	choice[s] = entry - c->run->fabric->adj_first[s];
	c->shares |= c->taken[head] == c->node;
	c->up[entry]++;
	c->forwards[head] += c->used[head] != c->stamp;
	c->used[head] = c->stamp;
}

/* The switch above s with the number that the chain's second switch has above
 * the destination's: how s joins; WEFT_NONE: whichever way. */
static uint32_t mirror(const struct weft__chains *c, uint32_t s)
{
	if (!c->rule.mirror || c->number == WEFT_NONE)
		return WEFT_NONE;
	return with_number(c, s, c->number);
}

/* The best of s's entries that lead to switches that have joined the chain. */
static uint32_t choose_joined(const struct weft__chains *c, uint32_t s,
			      const uint8_t *choice)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t best = WEFT_NONE, twin = mirror(c, s);

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (c->seen[t] != c->stamp || !is_above(c, t, s) ||
		    c->hops[t] + 1 != c->hops[s])
			continue;
		if (best == WEFT_NONE || is_nicer(c, e, best, twin, choice))
			best = e;
	}
	return best;
}

/* Those right below s, on a shortest way over it, can go up to s: they are put
 * into the queue once, and choose among all such switches when their turn comes
 * if there are several. */
static void gather_below(struct weft__chains *c, uint32_t s, uint32_t *tail)
{
	const struct weft_fabric *f = c->run->fabric;
	unsigned hops = c->hops[s] + 1;

	if (c->is_lowest[s])
		return;
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (c->hops[t] != hops || c->cone[t] || !is_above(c, s, t))
			continue;
		if (c->seen[t] == c->stamp) {
			c->entry[t] = WEFT_NONE;
			continue;
		}
		c->seen[t] = c->stamp;
		c->entry[t] = c->back[e];
		c->queue[(*tail)++] = t;
	}
}

/*
 * From the chain downwards, in the order of hops: the queue is one of switches
 * that join, each chain member comes in before the first with more hops.  A
 * switch is marked as joined by the first that finds it; when it chooses, all
 * with one hop fewer have been marked.  Returns how many joined.
 */
static uint32_t join(struct weft__chains *c, uint8_t *choice)
{
	uint32_t head = 0, tail = 0, member = 1, entry;

	c->stamp++;
	for (uint32_t i = 0; i < c->nchain; i++)
		c->seen[c->chain[i]] = c->stamp;
	gather_below(c, c->chain[0], &tail);
	while (head < tail || member < c->nchain) {
		uint32_t s;

		if (member < c->nchain &&
		    (head == tail || c->hops[c->chain[member]] <=
				     c->hops[c->queue[head]])) {
			gather_below(c, c->chain[member++], &tail);
			continue;
		}
		s = c->queue[head++];
		entry = c->entry[s];
		settle(c, s, entry != WEFT_NONE ? entry :
		       choose_joined(c, s, choice), choice);
		gather_below(c, s, &tail);
	}
	return tail;
}

/* Counts whom endports have sent to, of the switches that have joined. */
static void serve(struct weft__chains *c, uint32_t joined,
		  const uint8_t *choice)
{
	for (uint32_t i = joined; i-- > 0;) {
		uint32_t s = c->queue[i];
		uint32_t e = c->run->fabric->adj_first[s] + choice[s];

		if (!c->has_ends[s] && c->passes[s] != c->stamp)
			continue;
		c->passes[c->ways->head[e]] = c->stamp;
		c->served[e]++;
	}
}

static bool prefers(const struct weft__chains *c, uint32_t a, uint32_t b,
		    const uint32_t *count)
{
	bool x = c->taken[c->ways->head[a]] == c->node;
	bool y = c->taken[c->ways->head[b]] == c->node;

	return x != y ? y : count[a] < count[b];
}

/* The least used of the cables of runs r .. r+n-1 of s. */
static uint32_t least_used(const struct weft__chains *c, uint32_t s, uint32_t r,
			   unsigned n, const uint32_t *count)
{
	uint32_t best = run_entry(c, s, r);

	for (; n; n--, r++) {
		uint32_t e = run_entry(c, s, r);

		for (uint32_t end = e + c->plan->run[r].length; e < end; e++)
			if (prefers(c, e, best, count))
				best = e;
	}
	return best;
}

/* Who is above the destination and not in the chain. */
static void descend(struct weft__chains *c, uint8_t *choice)
{
	const uint32_t *first = c->run->fabric->adj_first;

	for (uint32_t i = 0; i < c->ncone; i++) {
		uint32_t s = c->cone_list[i], at = c->cone_run[i];

		if (c->cone_only[i] != WEFT__UNFIXED)
			choice[s] = c->cone_only[i];
		else if (c->seen[s] != c->stamp)
			choice[s] = least_used(c, s, c->plan_run[at],
					       c->plan->nruns[at], c->down) -
				    first[s];
	}
}

/* Who has no shortest way to the chain. */
static void stray(struct weft__chains *c, uint8_t *choice)
{
	for (uint32_t i = 0; i < c->plan->n; i++) {
		uint32_t s = c->plan->order[i + 1];

		if (c->seen[s] != c->stamp && !c->cone[s])
			settle(c, s, least_used(c, s, c->plan_run[i],
						c->plan->nruns[i], c->up),
			       choice);
	}
}

/* The same where none of them has endports, so that nothing comes over them. */
static void route_idle(const struct weft__chains *c,
		       const struct weft__tree *tree)
{
	for (uint32_t i = 0; i < c->nidle; i++) {
		uint32_t at = c->idle[i], s = c->plan->order[at + 1];
		const struct weft__run *run = &c->plan->run[c->plan_run[at]];

		if (c->seen[s] != c->stamp)
			tree->choice[s] = run->start + tree->lid % run->length;
	}
}

void weft__chains_tree(struct weft__chains *c, const struct weft__tree *tree)
{
	uint32_t joined, ends = c->cone_ends;

	c->second = c->model.n > 1 ?
		with_number(c, tree->root, c->model.number) : WEFT_NONE;
	climb(c, tree->root, tree->choice);
	c->number = c->nchain > 1 ? number_of(c, tree->root, c->chain[1]) :
				    WEFT_NONE;
	joined = join(c, tree->choice);
	if (c->rule.rack == WEFT__RACK_OFF)
		serve(c, joined, tree->choice);
	descend(c, tree->choice);
	if (joined + c->ncone == c->plan->n)
		return;
	for (uint32_t i = 0; i < joined; i++)
		ends += c->has_ends[c->queue[i]];
	if (ends == c->nends)
		route_idle(c, tree);
	else
		stray(c, tree->choice);
}

/* Farthest first, so that who passes something on is known by its turn. */
void weft__chains_take(struct weft__chains *c, const struct weft__tree *tree)
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

/* Most endports on a switch of the lowest level. */
static uint32_t most_on_leaf(const struct weft__chains *c)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = f->sw_ep_first[s + 1] - f->sw_ep_first[s];

		if (!c->run->tree.level[s] && n > most)
			most = n;
	}
	return most;
}

static void add_dummies(struct weft__chains *c, uint32_t root, uint32_t most)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t n = f->sw_ep_first[root + 1] - f->sw_ep_first[root];

	if (!c->rule.dummies || c->run->tree.level[root])
		return;
	for (; n < most; n++)
		climb(c, root, NULL);
}

void weft__chains_endports(struct weft__chains *c)
{
	const struct weft__trees *trees = &c->run->trees;
	uint32_t most = most_on_leaf(c), root = WEFT_NONE;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		if (tree->root != root) {
			if (root != WEFT_NONE)
				add_dummies(c, root, most);
			root = tree->root;
			weft__chains_root(c, root);
		}
		weft__chains_tree(c, tree);
	}
}

int weft__chains_run(struct weft__fattree_run *run,
		     struct weft__chain_rule rule)
{
	struct weft__chains c;

	if (rule.sides && !weft__sides_keep(run))
		return weft_fail(run->diag, ENOMEM, "out of memory");
	if (!weft__chains_init(&c, run, rule))
		return weft_fail(run->diag, ENOMEM, "out of memory");
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
