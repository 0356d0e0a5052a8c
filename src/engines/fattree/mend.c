// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mending routes that meet
 *
 * Routes to the ports of a node are kept apart as wholes: no switch that any
 * source's route to one port passes takes part in those to another.  That is
 * more than is needed, as only routes from the same source must not meet, and
 * in a broken tree more than there is.  So where it was not to be had every
 * source is looked at, and for one whose routes meet a way is searched that
 * goes around what the other routes have in common: from there over any switch
 * that leads to the port by Up*Down*, whether by a shortest way or not.  Who
 * has a way down keeps to one, the others climb wherever they like; so that
 * whatever is chosen, all ways of the tree remain Up*Down*.
 *
 * The choices on the new way are everybody's who passes there.  They are kept
 * if routes meet from fewer sources than before, else taken back.
 */
#include "engines/fattree/mend.h"

#include "core/arena.h"
#include "graph/entries.h"

#include <string.h>

bool weft__mend_init(struct weft__mend *m, const struct weft__fattree_run *run)
{
	const struct weft_fabric *f = run->fabric;
	struct weft_arena *arena = run->arena;

	*m = (struct weft__mend){ .run = run };
	m->source = weft__arena_alloc(arena, f->nsw, sizeof(*m->source));
	m->met = weft__arena_zalloc(arena, f->nsw, sizeof(*m->met));
	m->touched = weft__arena_alloc(arena, f->nsw, sizeof(*m->touched));
	m->avoid = weft__arena_zalloc(arena, f->nsw, sizeof(*m->avoid));
	m->seen = weft__arena_zalloc(arena, f->nsw, sizeof(*m->seen));
	m->from = weft__arena_alloc(arena, f->nsw, sizeof(*m->from));
	m->queue = weft__arena_alloc(arena, f->nsw, sizeof(*m->queue));
	m->by = weft__arena_alloc(arena, f->nsw, 1);
	m->before = weft__arena_alloc(arena, f->nsw, 1);
	if (!m->source || !m->met || !m->touched || !m->avoid || !m->seen ||
	    !m->from || !m->queue || !m->by || !m->before)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft__hosts_on(f, s, false))
			m->source[m->nsources++] = s;
	return true;
}

/* The entry by which s sends, WEFT_NONE: it has none. */
static uint32_t edge_of(const struct weft__mend *m,
			const struct weft__tree *tree, uint32_t s)
{
	return tree->choice[s] == WEFT__UNFIXED ? WEFT_NONE :
		m->run->fabric->adj_first[s] + tree->choice[s];
}

/* Whether a cable is kept for what its upper switch sends itself. */
static bool is_own(const struct weft__mend *m, uint32_t e)
{
	return m->run->tree.ways.own &&
	       m->run->tree.ways.own[e] == WEFT__OWN;
}

/* Counts a port for each switch on the route from s, s itself left out; whether
 * it arrives. */
static bool follow(struct weft__mend *m, const struct weft__tree *tree,
		   uint32_t s, uint32_t *n)
{
	while (s != tree->root) {
		uint32_t e = edge_of(m, tree, s);

		if (e == WEFT_NONE)
			return false;
		s = m->run->tree.ways.head[e];
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

/* Whether all routes from s, but that to port skip, pass through one switch;
 * such switches get the stamp in avoid[]. */
static bool meet(struct weft__mend *m, const struct weft__tree *const *tree,
		 uint32_t n, uint32_t skip, uint32_t s)
{
	uint32_t touched = 0, arrive = 0;
	bool any = false;

	for (uint32_t i = 0; i < n; i++)
		if (i != skip)
			arrive += follow(m, tree[i], s, &touched);
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

/* From how many sources all routes meet; as soon as there are that many, no
 * more are looked for. */
static uint32_t count(struct weft__mend *m,
		      const struct weft__tree *const *tree, uint32_t n,
		      uint32_t enough)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < m->nsources && sum < enough; i++)
		sum += !is_home(tree, n, m->source[i]) &&
		       meet(m, tree, n, WEFT_NONE, m->source[i]);
	return sum;
}

/* Whether s leads down to the root of the tree. */
static bool descends(const struct weft__mend *m, const struct weft__tree *tree,
		     uint32_t s)
{
	const uint32_t *place = m->run->tree.ways.place;
	uint32_t e = edge_of(m, tree, s);

	return s == tree->root ||
	       (e != WEFT_NONE && !is_own(m, e) &&
		place[m->run->tree.ways.head[e]] > place[s]);
}

/* Whether s may send by entry e on its way to the root. */
static bool may_pass(const struct weft__mend *m, const struct weft__tree *tree,
		     uint32_t s, uint32_t e)
{
	const struct weft__ways *ways = &m->run->tree.ways;
	uint32_t t = ways->head[e], next;

	if (is_own(m, e) || m->avoid[t] == m->stamp ||
	    m->seen[t] == m->stamp)
		return false;
	if (descends(m, tree, s))
		return ways->place[t] > ways->place[s] && descends(m, tree, t);
	next = edge_of(m, tree, t);
	return ways->place[t] < ways->place[s] &&
	       (t == tree->root || (next != WEFT_NONE && !is_own(m, next)));
}

/* The shortest way from s to the root around what has the stamp; sets choices
 * along it.  false: there is none. */
static bool go_around(struct weft__mend *m, const struct weft__tree *tree,
		      uint32_t s)
{
	const uint32_t *first = m->run->fabric->adj_first;
	const uint32_t *head = m->run->tree.ways.head;
	uint32_t tail = 0, at = tree->root;

	m->seen[s] = m->stamp;
	m->queue[tail++] = s;
	for (uint32_t i = 0; i < tail && m->seen[at] != m->stamp; i++) {
		uint32_t x = m->queue[i], degree = first[x + 1] - first[x];

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

/* Whether the routes from s could be parted so that fewer meet than did. */
static bool mend_source(struct weft__mend *m,
			const struct weft__tree *const *tree, uint32_t n,
			uint32_t s, uint32_t *bad)
{
	for (uint32_t i = n; i-- > 0;) {
		uint32_t nsw = m->run->fabric->nsw, now;

		if (edge_of(m, tree[i], s) == WEFT_NONE ||
		    is_own(m, edge_of(m, tree[i], s)))
			continue;
		meet(m, tree, n, i, s);
		if (m->avoid[tree[i]->root] == m->stamp)
			continue;
		memcpy(m->before, tree[i]->choice, nsw);
		if (!go_around(m, tree[i], s))
			continue;
		now = count(m, tree, n, *bad);
		if (now < *bad) {
			*bad = now;
			return true;
		}
		memcpy(tree[i]->choice, m->before, nsw);
	}
	return false;
}

uint32_t weft__mend_node(struct weft__mend *m,
			 const struct weft__tree *const *tree, uint32_t n)
{
	uint32_t bad = count(m, tree, n, UINT32_MAX);
	bool better = bad;

	while (better) {
		better = false;
		for (uint32_t i = 0; i < m->nsources && bad; i++) {
			uint32_t s = m->source[i];

			if (!is_home(tree, n, s) &&
			    meet(m, tree, n, WEFT_NONE, s))
				better |= mend_source(m, tree, n, s, &bad);
		}
		better = better && bad;
	}
	return bad;
}
