// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: separating routes that meet
 *
 * Routes to the ports of a node are kept apart as a whole: no switch on the way
 * from any source to one port takes part in routes to another port.  That is
 * more than is needed, as only routes from the same source must not meet, and
 * in a broken tree it may be impossible.  So where it has failed, every source
 * is looked at.  For a source whose routes meet, a way is searched that goes
 * around the switches that the other routes have in common.  It may pass any
 * switch that leads to the port by Up*Down*, by a shortest way or not.  A
 * switch that has a way down keeps to one, and the others climb wherever they
 * like; so all ways of the tree remain Up*Down* whatever is chosen.
 *
 * All traffic that passes the switches of the new way follows its choices, too.
 * They are kept if routes then meet from fewer sources than before, else they
 * are taken back.
 *
 * Where the routes to most machines meet, as where they were balanced in a whole
 * tree, each machine takes as long as many trees.  A limit in proportion to the
 * tables ends that, and most of it is given out machine by machine, so that it
 * soon shows where it will not last.
 */
#include "engines/fattree/separate.h"

#include "core/arena.h"
#include "engines/fattree/narrows.h"
#include "graph/entries.h"

#include <string.h>

/* Edges and switches that may be looked at: some in any case, and more for each
 * entry of the tables to endports. */
#define WORK 40000000
#define WORK_PER_ENTRY 32
#define AT_ONCE .25	/* share that the first machines may use */
#define NARROWS_WORK 4	/* what an edge counts for where narrows are found */

bool weft__separator_init(struct weft__separator *m,
			  const struct weft__fattree_run *run)
{
	const struct weft_fabric *f = run->fabric;
	struct weft_arena *arena = run->arena;
	uint32_t most = weft__most_ports(f);

	*m = (struct weft__separator){
		.run = run,
		.work = WORK + (double)run->trees.nendports * f->nsw *
			       WORK_PER_ENTRY,
	};
	m->limit = m->work;
	m->source = weft__arena_alloc(arena, f->nsw, sizeof(*m->source));
	m->met = weft__arena_zalloc(arena, f->nsw, sizeof(*m->met));
	m->touched = weft__arena_alloc(arena, f->nsw, sizeof(*m->touched));
	m->avoid = weft__arena_zalloc(arena, f->nsw, sizeof(*m->avoid));
	m->seen = weft__arena_zalloc(arena, f->nsw, sizeof(*m->seen));
	m->from = weft__arena_alloc(arena, f->nsw, sizeof(*m->from));
	m->queue = weft__arena_alloc(arena, f->nsw, sizeof(*m->queue));
	m->by = weft__arena_alloc(arena, f->nsw, 1);
	m->before = weft__arena_alloc(arena, f->nsw, 1);
	m->narrow = weft__arena_alloc(arena, (size_t)most * f->nsw,
				      sizeof(*m->narrow));
	m->known = weft__arena_alloc(arena, most, sizeof(*m->known));
	if (weft__arena_failed(arena))
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__hosts_on(f, s, false))
			m->source[m->nsources++] = s;
	return true;
}

/* Returns the entry by which s sends, or WEFT_NONE. */
static uint32_t edge_of(const struct weft__separator *m,
			const struct weft__tree *tree, uint32_t s)
{
	return tree->choice[s] == WEFT__UNFIXED ? WEFT_NONE :
		m->run->fabric->adj_first[s] + tree->choice[s];
}

/* True if a cable is kept for what its upper switch sends itself. */
static bool is_own(const struct weft__separator *m, uint32_t e)
{
	return m->run->tree.ways.own &&
	       m->run->tree.ways.own[e] == WEFT__OWN;
}

void weft__separator_go_on(struct weft__separator *m, double share)
{
	if (m->looked < m->limit)
		m->limit = m->work * (AT_ONCE + (1 - AT_ONCE) * share);
}

/* Counts a port at each switch on the route from s, but for s itself.  Returns
 * true if the route arrives. */
static bool mark_route(struct weft__separator *m, const struct weft__tree *tree,
		       uint32_t s, uint32_t *n)
{
	while (s != tree->root) {
		uint32_t e = edge_of(m, tree, s);

		if (e == WEFT_NONE)
			return false;
		s = m->run->tree.ways.head[e];
		m->looked++;
		if (!m->met[s]++)
			m->touched[(*n)++] = s;
	}
	return true;
}

static bool is_home(const struct weft__tree *const *tree, uint32_t n,
		    uint32_t s)
{
	for (uint32_t i = 0; i < n; i++)
		if (tree[i]->root == s)
			return true;
	return false;
}

/* True if all routes from s, but that to port skip, pass through one switch.
 * Such switches get the stamp in avoid[]. */
static bool routes_meet(struct weft__separator *m,
			const struct weft__tree *const *tree, uint32_t n,
			uint32_t skip, uint32_t s)
{
	uint32_t touched = 0, arrive = 0;
	bool any = false;

	for (uint32_t i = 0; i < n; i++)
		if (i != skip)
			arrive += mark_route(m, tree[i], s, &touched);
	m->stamp++;
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t t = m->touched[i];

		if (arrive && m->met[t] == arrive) {
			m->avoid[t] = m->stamp;
			any = true;
		}
		m->met[t] = 0;
	}
	return any;
}

/* Counts the sources from which all routes meet, up to "enough". */
static uint32_t count_meeting(struct weft__separator *m,
			      const struct weft__tree *const *tree, uint32_t n,
			      uint32_t enough)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < m->nsources && sum < enough; i++)
		sum += !is_home(tree, n, m->source[i]) &&
		       routes_meet(m, tree, n, WEFT_NONE, m->source[i]);
	return sum;
}

/* True if s may send by entry e on its way around the stamps. */
static bool may_pass(const struct weft__separator *m,
		     const struct weft__tree *tree, uint32_t s, uint32_t e)
{
	uint32_t t = m->run->tree.ways.head[e];

	return m->avoid[t] != m->stamp && m->seen[t] != m->stamp &&
	       weft__may_send(m->run, tree, s, e);
}

/* True if all ways from s to the root of the i-th tree are known to pass a switch
 * with the stamp.  Only single ones are found that all ways pass. */
static bool is_barred(const struct weft__separator *m,
		      const struct weft__tree *tree, uint32_t i, uint32_t s)
{
	const uint32_t *narrow = m->narrow + (size_t)i * m->run->fabric->nsw;

	while (m->known[i] && s != tree->root) {
		s = narrow[s];
		if (s == WEFT_NONE || m->avoid[s] == m->stamp)
			return true;
	}
	return false;
}

/* Finds the switches that all ways pass, once a search has found none around: other
 * sources need not search then. */
static void find_narrows(struct weft__separator *m,
			 const struct weft__tree *tree, uint32_t i)
{
	uint32_t nsw = m->run->fabric->nsw;

	if (m->known[i])
		return;
	weft__narrows_find(m->run, tree, m->narrow + (size_t)i * nsw);
	m->looked += NARROWS_WORK * m->run->fabric->adj_first[nsw];
	m->known[i] = true;
}

/* Finds the shortest way from s to the root around the switches with the stamp,
 * and sets the choices along it.  Returns false if there is none. */
static bool route_around(struct weft__separator *m,
			 const struct weft__tree *tree, uint32_t s)
{
	const uint32_t *first = m->run->fabric->adj_first;
	const uint32_t *head = m->run->tree.ways.head;
	uint32_t tail = 0, at = tree->root;

	m->seen[s] = m->stamp;
	m->queue[tail++] = s;
	for (uint32_t i = 0; i < tail && m->seen[at] != m->stamp; i++) {
		uint32_t x = m->queue[i], degree = first[x + 1] - first[x];

		m->looked += degree;
		for (uint32_t k = 0; k < degree; k++) {
			uint32_t e = first[x] + (k + tree->number) % degree;

			if (!may_pass(m, tree, x, e))
				continue;
			m->seen[head[e]] = m->stamp;
			m->from[head[e]] = x;
			m->queue[tail++] = head[e];
			m->by[head[e]] = e - first[x];
		}
	}
	if (m->seen[at] != m->stamp)
		return false;
	for (; at != s; at = m->from[at])
		tree->choice[m->from[at]] = m->by[at];
	return true;
}

/* Tries to separate the routes from s such that they meet from fewer sources
 * than *bad, which it then updates.  Returns true if it did. */
static bool separate_source(struct weft__separator *m,
			    const struct weft__tree *const *tree, uint32_t n,
			    uint32_t s, uint32_t *bad)
{
	for (uint32_t i = n; i-- > 0;) {
		uint32_t nsw = m->run->fabric->nsw, now;

		if (edge_of(m, tree[i], s) == WEFT_NONE ||
		    is_own(m, edge_of(m, tree[i], s)))
			continue;
		routes_meet(m, tree, n, i, s);
		if (is_barred(m, tree[i], i, s))
			continue;
		memcpy(m->before, tree[i]->choice, nsw);
		if (!route_around(m, tree[i], s)) {
			find_narrows(m, tree[i], i);
			continue;
		}
		now = count_meeting(m, tree, n, *bad);
		if (now < *bad) {
			*bad = now;
			m->known[i] = false;
			return true;
		}
		memcpy(tree[i]->choice, m->before, nsw);
	}
	return false;
}

uint32_t weft__separate_node(struct weft__separator *m,
			     const struct weft__tree *const *tree, uint32_t n)
{
	uint32_t bad = count_meeting(m, tree, n, UINT32_MAX);
	bool better = bad;

	memset(m->known, 0, n * sizeof(*m->known));
	while (better) {
		better = false;
		for (uint32_t i = 0; i < m->nsources && bad &&
		     m->looked < m->limit; i++) {
			uint32_t s = m->source[i];

			if (!is_home(tree, n, s) &&
			    routes_meet(m, tree, n, WEFT_NONE, s))
				better |= separate_source(m, tree, n, s, &bad);
		}
		better = better && bad;
	}
	return bad;
}
