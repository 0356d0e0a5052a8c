// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: completing a tree
 *
 * Where some switches of a tree have no choice yet, each of them takes the way
 * whose most loaded channel carries least with the traffic that it sends there,
 * and that traffic counts for the next one: if all took the way that is best
 * before, they would meet there.  The nearest to the destination comes first, so
 * that the rest of all ways is known.
 *
 * Complexity: O(switches), and O(cables x hops) for each of those switches.
 */
#include "trees/balance.h"

#include <string.h>

struct completion {
	struct weft__balance *b;
	const uint32_t *first;
	const uint8_t *choice;
	uint32_t root;
	uint64_t weight;
};

/* Finds the traffic that passes each switch, as far as choices lead. */
static void find_through(const struct completion *c,
			 const struct weft__plan *plan)
{
	uint32_t *through = c->b->through;

	memcpy(through, c->b->sources,
	       c->b->fabric->nsw * sizeof(*through));
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];

		if (c->choice[s] != WEFT__UNFIXED)
			through[c->b->head[c->first[s] + c->choice[s]]] +=
				through[s];
	}
}

/* A way: its most loaded channel, and all of them. */
struct load {
	uint64_t most, sum;
};

/* Returns the loads of the way by an edge, with more on it. */
static struct load load_of(const struct completion *c, uint32_t e,
			   uint64_t more)
{
	const struct weft__balance *b = c->b;
	struct load load = { 0, 0 };

	for (;; e = c->first[b->head[e]] + c->choice[b->head[e]]) {
		uint64_t with = b->weight[e] + more * b->scale[e];

		load.most = with > load.most ? with : load.most;
		load.sum += with;
		if (b->head[e] == c->root)
			return load;
	}
}

/* Adds traffic to the way of a switch, or takes it off with sign -1. */
static void add(const struct completion *c, uint32_t s, uint64_t sign)
{
	uint64_t more = sign * c->weight * c->b->through[s];

	for (; s != c->root; s = c->b->head[c->first[s] + c->choice[s]])
		c->b->weight[c->first[s] + c->choice[s]] +=
			more * c->b->scale[c->first[s] + c->choice[s]];
}

/* Returns the best edge of a switch. */
static uint32_t find_way(const struct completion *c, uint32_t s,
			 const struct weft__run *run, unsigned nruns)
{
	uint64_t more = c->weight * c->b->through[s];
	uint32_t best = c->first[s] + run->start;
	struct load least = { UINT64_MAX, 0 };

	for (; nruns; nruns--, run++)
		for (uint32_t k = 0; k < run->length; k++) {
			uint32_t e = c->first[s] + run->start + k;
			struct load load = load_of(c, e, more);

			c->b->looked += 2;
			if (load.most > least.most ||
			    (load.most == least.most && load.sum >= least.sum))
				continue;
			least = load;
			best = e;
		}
	return best;
}

void weft__balance_complete(struct weft__balance *b,
			    const struct weft__plan *plan, uint8_t *choice,
			    uint64_t weight)
{
	const struct completion c = { b, b->fabric->adj_first, choice,
				      plan->order[0], weight };
	const struct weft__run *run = plan->run;
	uint32_t n = 0;

	b->looked += WEFT__SWITCH_WORK * plan->n;
	find_through(&c, plan);
	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint32_t s = plan->order[i + 1];

		if (choice[s] != WEFT__UNFIXED)
			continue;
		choice[s] = find_way(&c, s, run, plan->nruns[i]) - c.first[s];
		add(&c, s, 1);
		b->list[n++] = s;
	}
	while (n--)
		add(&c, b->list[n], -UINT64_C(1));
}
