// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: models
 *
 * Idea: counters balance the load, but among ways with equal counters they take
 * the first.  So each switch deals out its ports in another order, and streams
 * that keep apart at one switch meet at the next.  Where counters leave a
 * choice, routes to a port follow those to its model, a port routed earlier:
 * - Among ports of the same rank (the first ports of all nodes are of one
 *   rank), the i-th on a switch follows the i-th on another switch that has as
 *   many, and that has as many switches with ports before it below the same
 *   switch.  Traffic to ports in a row, as in a shift, then finds each way once
 *   where the row goes from one switch to the next.  The first switch of the
 *   chain is the one with the same number among those above, as it may be
 *   another switch.
 * - If there is no such switch yet, the port follows the i-th on the last
 *   switch before that has as many ports, for one step.  If a switch has more
 *   ports than cables, some ports share a cable; these are then the same ports
 *   on all switches, and ports that share a channel up share the one down.
 * - If there is no such switch either, a second port follows the first port of
 *   the node next to its own: this is as balanced as first ports are, and
 *   another spine.  First come, first served would leave the last port of a
 *   switch the spine that its own first port has.
 *
 * A switch with several ways to a chain, as in racks, takes the switch above
 * with the number that the chain's switch has above the destination: streams
 * that keep apart on the way down then keep apart on the way up.
 *
 * Switches with spare cables have no models of the first two kinds: counters
 * see to it that each switch deals its ways from where the last one stopped.
 * Neither have switches that lack cables, or whose upper switches do: a good
 * place elsewhere is not a good one there.
 */
#include "engines/fattree/models.h"

#include "core/arena.h"

struct models {
	const struct weft__fattree_run *run;
	const uint32_t *rank;
	struct weft__model *model;
	uint32_t *up;		/* [nsw] cables to higher levels */
	uint32_t *most_up;	/* [levels] most cables up of a switch */
	uint32_t *next;		/* [nep] the next port of that rank on the
				 * switch, in a ring */
	uint32_t *before;	/* [nsw] switches with ports below it, so far */
	uint32_t width;		/* most endports on a switch, + 1 */
	uint32_t *last;		/* [width] by number of ports, the first port on
				 * the last switch that has as many */
	uint32_t *alike;	/* [nsw][width] the same, among switches with as
				 * many before them */
};

static bool is_up(const struct models *m, uint32_t s, uint32_t e)
{
	const uint16_t *level = m->run->tree.level;

	return level[m->run->tree.ways.head[e]] > level[s];
}

static void count_cables(struct models *m)
{
	const struct weft_fabric *f = m->run->fabric;
	const uint16_t *level = m->run->tree.level;

	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			m->up[s] += is_up(m, s, e);
		if (m->up[s] > m->most_up[level[s]])
			m->most_up[level[s]] = m->up[s];
	}
}

/* True if a switch, and all those right above it, have all their cables up. */
static bool is_whole(const struct models *m, uint32_t s)
{
	const struct weft_fabric *f = m->run->fabric;
	const uint16_t *level = m->run->tree.level;
	bool whole = m->up[s] == m->most_up[level[s]];

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = m->run->tree.ways.head[e];

		if (is_up(m, s, e))
			whole &= m->up[t] == m->most_up[level[t]];
	}
	return whole;
}

/* Links the ports of one rank on a switch into a ring, and counts them.
 * Returns the first one, or WEFT_NONE if there is none. */
static uint32_t link_ports(struct models *m, uint32_t s, uint32_t rank,
			   uint32_t *n)
{
	const struct weft_fabric *f = m->run->fabric;
	uint32_t first = WEFT_NONE, last = WEFT_NONE;

	*n = 0;
	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t e = f->sw_endport[i];

		if (m->rank[e] != rank)
			continue;
		if (first == WEFT_NONE)
			first = e;
		else
			m->next[last] = e;
		m->next[e] = first;
		last = e;
		++*n;
	}
	return first;
}

/* Returns how many switches before s have ports below the first switch above
 * s. */
static uint32_t count_before(struct models *m, uint32_t s)
{
	const struct weft_fabric *f = m->run->fabric;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
		if (is_up(m, s, e))
			return m->before[m->run->tree.ways.head[e]]++;
	return 0;
}

/* Returns the port of the rank before on the node next to that of port e. */
static uint32_t neighbour_port(const struct models *m, uint32_t e)
{
	const struct weft_fabric *f = m->run->fabric;
	const uint32_t *first = &f->machine_first[f->ep[e].machine];

	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t other = f->machine_endport[i];

		if (m->rank[other] + 1 == m->rank[e])
			return m->next[other];
	}
	return WEFT_NONE;
}

/* Makes the n ports from model on the models of those from e on. */
static void set_models(struct models *m, uint32_t e, uint32_t n, uint32_t model,
		       enum weft__follow how)
{
	for (; n; n--, e = m->next[e], model = m->next[model])
		m->model[e] = (struct weft__model){ model, how };
}

static void follow_neighbours(struct models *m, uint32_t e, uint32_t n)
{
	for (; n; n--, e = m->next[e]) {
		uint32_t model = neighbour_port(m, e);

		if (model != WEFT_NONE)
			m->model[e] = (struct weft__model){ model,
							    WEFT__CHAIN };
	}
}

/* Finds the models of the ports of one rank on a switch. */
static void find_on_switch(struct models *m, uint32_t s, uint32_t rank)
{
	uint32_t n, e = link_ports(m, s, rank, &n), *alike;

	if (!n)
		return;
	alike = &m->alike[(size_t)count_before(m, s) * m->width + n];
	if (n < m->up[s] || !is_whole(m, s)) {
		if (rank)
			follow_neighbours(m, e, n);
		return;
	}
	if (*alike != WEFT_NONE)
		set_models(m, e, n, *alike, WEFT__CHAIN);
	else if (m->last[n] != WEFT_NONE)
		set_models(m, e, n, m->last[n], WEFT__FIRST_STEP);
	else if (rank)
		follow_neighbours(m, e, n);
	*alike = e;
	m->last[n] = e;
}

static void find_rank_models(struct models *m, uint32_t rank)
{
	uint32_t nsw = m->run->fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++)
		m->before[s] = 0;
	for (size_t i = 0; i < (size_t)nsw * m->width; i++)
		m->alike[i] = WEFT_NONE;
	for (uint32_t i = 0; i < m->width; i++)
		m->last[i] = WEFT_NONE;
	for (uint32_t s = 0; s < nsw; s++)
		find_on_switch(m, s, rank);
}

static bool alloc(struct models *m)
{
	const struct weft_fabric *f = m->run->fabric;
	struct weft_arena *arena = m->run->arena;
	size_t width;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s + 1] - f->sw_ep_first[s] > m->width)
			m->width = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
	width = ++m->width;
	m->up = weft__arena_zalloc(arena, f->nsw, sizeof(*m->up));
	m->most_up = weft__arena_zalloc(arena, m->run->tree.nlevels,
					sizeof(*m->most_up));
	m->next = weft__arena_alloc(arena, f->nep, sizeof(*m->next));
	m->before = weft__arena_alloc(arena, f->nsw, sizeof(*m->before));
	m->last = weft__arena_alloc(arena, width, sizeof(*m->last));
	m->alike = weft__arena_alloc(arena, f->nsw * width, sizeof(*m->alike));
	return m->up && m->most_up && m->next && m->before && m->last &&
	       m->alike;
}

bool weft__models_find(const struct weft__fattree_run *run,
		       const uint32_t *rank, uint32_t ranks,
		       struct weft__model *model)
{
	struct models m = { .run = run, .rank = rank, .model = model };

	if (!alloc(&m))
		return false;
	for (uint32_t e = 0; e < run->fabric->nep; e++)
		model[e] = (struct weft__model){ WEFT_NONE, WEFT__NOBODY };
	count_cables(&m);
	for (uint32_t k = 0; k < ranks; k++)
		find_rank_models(&m, k);
	return true;
}
