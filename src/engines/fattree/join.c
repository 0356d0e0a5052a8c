// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converging routes: how all other switches go to the chain; see chain.c. */
#include "engines/fattree/chain_parts.h"

/* Returns how many destinations endports send to from switch s, which has
 * joined, by the switch that comes next on its way. */
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

/* True if entry a of a switch is better than b; both lead to the chain. */
static bool is_better_entry(const struct weft__chains *c, uint32_t a,
			    uint32_t b, uint32_t twin, const uint8_t *choice)
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
	/* EFT: first from above is first, the least used switches first. */
	beyond_x = used_beyond(c, x, choice);
	beyond_y = used_beyond(c, y, choice);
	return beyond_x != beyond_y ? beyond_x < beyond_y :
				      weft__chain_above(c, x, y);
}

static void join_by(struct weft__chains *c, uint32_t s, uint32_t entry,
		    uint8_t *choice)
{
	uint32_t head = c->ways->head[entry];

	choice[s] = entry - c->run->fabric->adj_first[s];
	c->shares |= c->taken[head] == c->node;
	c->up[entry] += c->weight;
	if (c->used[head] != c->stamp)
		c->forwards[head] += c->weight;
	c->used[head] = c->stamp;
}

/*
 * Returns the switch above s that has the number of the chain's second switch,
 * as counted above the destination's; s joins by it.  WEFT_NONE: any will do.
 */
static uint32_t mirrored_switch(const struct weft__chains *c, uint32_t s)
{
	if (!c->rule.mirror || c->number == WEFT_NONE)
		return WEFT_NONE;
	return weft__chain_with_number(c, s, c->number);
}

/* Returns the best entry of s to a switch that has joined the chain. */
static uint32_t choose_joined(const struct weft__chains *c, uint32_t s,
			      const uint8_t *choice)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t best = WEFT_NONE, twin = mirrored_switch(c, s);

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (c->seen[t] != c->stamp || !weft__chain_above(c, t, s) ||
		    c->hops[t] + 1 != c->hops[s])
			continue;
		if (best == WEFT_NONE ||
		    is_better_entry(c, e, best, twin, choice))
			best = e;
	}
	return best;
}

/*
 * Puts each switch right below s that has a shortest way over s into the queue,
 * once.  A switch that finds several such ways chooses among all of them when
 * its turn comes.
 */
static void gather_below(struct weft__chains *c, uint32_t s, uint32_t *tail)
{
	const struct weft_fabric *f = c->run->fabric;
	unsigned hops = c->hops[s] + 1;

	if (c->is_lowest[s])
		return;
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (c->hops[t] != hops || c->cone[t] ||
		    !weft__chain_above(c, s, t))
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
 * Has switches join from the chain downwards, in the order of hops: the queue
 * lists switches that join, and each chain member comes in before the first one
 * with more hops.  A switch is marked as joined by the first switch that finds
 * it; when it chooses, all switches with one hop fewer have been marked.
 * Returns how many joined.
 */
static uint32_t join_all(struct weft__chains *c, uint8_t *choice)
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
		join_by(c, s,
			entry != WEFT_NONE ? entry :
					     choose_joined(c, s, choice),
			choice);
		gather_below(c, s, &tail);
	}
	return tail;
}

/* Counts the destination at each switch that has joined and that endports send
 * by. */
static void count_served(struct weft__chains *c, uint32_t joined,
			 const uint8_t *choice)
{
	for (uint32_t i = joined; i-- > 0;) {
		uint32_t s = c->queue[i];
		uint32_t e = c->run->fabric->adj_first[s] + choice[s];

		if (!c->has_ends[s] && c->passes[s] != c->stamp)
			continue;
		c->passes[c->ways->head[e]] = c->stamp;
		c->served[e] += c->weight;
	}
}

/* True if cable a is used less than b, up, or down by chains and beside. */
static bool is_preferred(const struct weft__chains *c, uint32_t a, uint32_t b,
			 bool down)
{
	bool x = c->taken[c->ways->head[a]] == c->node;
	bool y = c->taken[c->ways->head[b]] == c->node;

	if (x != y)
		return y;
	return down ? c->down[a] + c->beside[a] < c->down[b] + c->beside[b] :
		      c->up[a] < c->up[b];
}

/* Returns the least used of the cables of runs r .. r+n-1 of s. */
static uint32_t least_used_cable(const struct weft__chains *c, uint32_t s,
				 uint32_t r, unsigned n, bool down)
{
	uint32_t best = weft__chain_run_entry(c, s, r);

	for (; n; n--, r++) {
		uint32_t e = weft__chain_run_entry(c, s, r);

		for (uint32_t end = e + c->plan->run[r].length; e < end; e++)
			if (is_preferred(c, e, best, down))
				best = e;
	}
	return best;
}

/* Routes switches of the cone, which are above the destination, that are not in
 * the chain. */
static void route_cone(struct weft__chains *c, uint8_t *choice)
{
	const uint32_t *first = c->run->fabric->adj_first;

	for (uint32_t i = 0; i < c->ncone; i++) {
		uint32_t s = c->cone_list[i], at = c->cone_run[i], e;

		if (c->cone_only[i] != WEFT__UNFIXED) {
			choice[s] = c->cone_only[i];
		} else if (c->seen[s] != c->stamp) {
			e = least_used_cable(c, s, c->plan_run[at],
					     c->plan->nruns[at], true);
			c->beside[e] += c->weight;
			choice[s] = e - first[s];
		}
	}
}

/* Returns a way for a switch that no traffic of endports comes over. */
static uint8_t idle_choice(const struct weft__chains *c, uint32_t at,
			   const struct weft__tree *tree)
{
	const struct weft__run *run = &c->plan->run[c->plan_run[at]];

	return run->start + tree->number % run->length;
}

/*
 * Routes switches that have no shortest way to the chain.  The farthest come
 * first, so that it is known of each whether traffic of endports comes over it:
 * most are there for nobody, and need neither look for the least used cable nor
 * count as its users.
 */
static void route_stray(struct weft__chains *c, const struct weft__tree *tree)
{
	for (uint32_t i = c->plan->n; i-- > 0;) {
		uint32_t s = c->plan->order[i + 1], e;

		if (c->seen[s] == c->stamp || c->cone[s])
			continue;
		if (!c->has_ends[s] && c->passes[s] != c->stamp) {
			tree->choice[s] = idle_choice(c, i, tree);
			continue;
		}
		e = least_used_cable(c, s, c->plan_run[i], c->plan->nruns[i],
				     false);
		join_by(c, s, e, tree->choice);
		c->passes[c->ways->head[e]] = c->stamp;
	}
}

/* Routes such switches if none of them has endports. */
static void route_idle(const struct weft__chains *c,
		       const struct weft__tree *tree)
{
	for (uint32_t i = 0; i < c->nidle; i++) {
		uint32_t at = c->idle[i], s = c->plan->order[at + 1];

		if (c->seen[s] != c->stamp)
			tree->choice[s] = idle_choice(c, at, tree);
	}
}

void weft__chain_join(struct weft__chains *c, const struct weft__tree *tree)
{
	uint32_t joined = join_all(c, tree->choice), ends = c->cone_ends;

	if (c->rule.rack == WEFT__RACK_OFF)
		count_served(c, joined, tree->choice);
	route_cone(c, tree->choice);
	c->shares |= c->cone_ends > c->has_ends[tree->root];
	if (joined + c->ncone == c->plan->n)
		return;
	for (uint32_t i = 0; i < joined; i++)
		ends += c->has_ends[c->queue[i]];
	c->shares |= ends != c->nends;
	if (ends == c->nends)
		route_idle(c, tree);
	else
		route_stray(c, tree);
}
