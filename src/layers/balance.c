// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: balance, the use of spare lanes
 *
 * Lanes that the routes do not need are given, one after the other, to the lane
 * that then has the most routes for each of its lanes.  The routes of that lane
 * are then distributed over its lanes, each pair to the one with the fewest
 * routes so far.
 *
 * Deadlock: a part of an acyclic set of routes is acyclic.
 *
 * Complexity: O(pairs x lanes).
 */
#include "layers/job.h"

#include <string.h>

struct balance {
	const struct weft__job *job;
	uint8_t *lane;
	uint64_t load[WEFT_MAX_LANES];	/* routes by lane */
	uint8_t origin[WEFT_MAX_LANES];	/* lane whose routes it shares */
	unsigned nlanes;
};

static uint64_t endports_on(const struct balance *b, uint32_t s)
{
	const struct weft_fabric *f = b->job->fabric;

	return f->sw_ep_first[s + 1] - f->sw_ep_first[s];
}

/* Counts the routes between two switches; 1 stands for those of the switches
 * themselves. */
static uint64_t count_routes(const struct balance *b, uint32_t x, uint32_t y)
{
	return 1 + endports_on(b, x) * endports_on(b, y);
}

/* Chooses the used lane from which each spare one takes routes. */
static void share_out(struct balance *b, unsigned used)
{
	unsigned lanes[WEFT_MAX_LANES];

	for (unsigned i = 0; i < used; i++) {
		b->origin[i] = i;
		lanes[i] = 1;
	}
	for (unsigned next = used; next < b->nlanes; next++) {
		unsigned most = 0;

		for (unsigned i = 1; i < used; i++)
			if (b->load[i] * lanes[most] >
			    b->load[most] * lanes[i])
				most = i;
		b->origin[next] = most;
		lanes[most]++;
	}
}

/* Adds a load to the least loaded of the lanes that share a lane's routes, and
 * returns that one. */
static unsigned add_to_least(struct balance *b, unsigned origin, uint64_t load)
{
	unsigned best = origin;

	for (unsigned i = 0; i < b->nlanes; i++)
		if (b->origin[i] == origin && b->load[i] < b->load[best])
			best = i;
	b->load[best] += load;
	return best;
}

static void balance_pairs(struct balance *b, unsigned used)
{
	uint32_t n = b->job->fabric->nsw;
	bool one_way = b->job->one_way;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			b->load[b->lane[(size_t)x * n + y]] +=
				count_routes(b, x, y);
	share_out(b, used);
	memset(b->load, 0, sizeof(b->load));
	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = one_way ? 0 : x; y < n; y++) {
			unsigned lane = b->lane[(size_t)x * n + y];

			lane = add_to_least(b, lane, count_routes(b, x, y));
			weft__pair_set(b->job, b->lane, x, y, lane);
		}
}

static void balance_trees(struct balance *b, unsigned used)
{
	uint32_t n = b->job->traffic.ntrees;

	for (uint32_t k = 0; k < n; k++)
		b->load[b->lane[k]]++;
	share_out(b, used);
	memset(b->load, 0, sizeof(b->load));
	for (uint32_t k = 0; k < n; k++)
		b->lane[k] = add_to_least(b, b->lane[k], 1);
}

void weft__balance(const struct weft__job *job, struct weft__lanes_found *l,
		   unsigned nlanes)
{
	struct balance b = { .job = job, .lane = l->lane,
			     .nlanes = nlanes };

	if (l->by_tree)
		balance_trees(&b, l->nlanes);
	else
		balance_pairs(&b, l->nlanes);
	l->nlanes = nlanes;
}
