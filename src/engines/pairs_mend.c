// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mending, other ways for pairs without a lane
 *
 * A pair of switches that no lane takes may have other ways: a switch on the way
 * to a LID, first the one where it begins, sends by another cable, from where the
 * rest is as the tree has it, minimal or not.  What else comes to that switch on
 * its way to the LID goes on by that cable, too: it keeps its lanes, and their
 * dependencies must stay acyclic, as must those of the pair in the lane at hand.
 * Shortest ways come first, then least loaded ones.
 *
 * If there is no such way to some LIDs of a switch, but to others there is, the
 * former share the tree of one of these: whoever has a lane has its way to that
 * LID in it already, so that this costs nothing but balance.
 *
 * At first orders stay as they are, and a dependency is taken if it runs forward
 * in its lane's: that tells without a search, and other ways are many.  Of 413
 * pairs of dragonfly:8,4,4,33 with 3 lanes 382 get ways that run forward, 13 with
 * a shared tree, by 73,000 looks at edges, where searches took 4 million for 279.
 * Who is left after that is few: searches may move the order, as far as effort
 * goes, and then weave_trial.c has mend.c do it.
 *
 * Dependencies of ways that are no more stay in the graph: it refuses more than
 * it must, never less.  Trees then follow no plan any more.
 *
 * Up to 1000 endports mend.c does all of it, which knows for each way the lanes
 * in which it is legal, and has other pairs change their lanes: on tori with gaps
 * there are no ways for all pairs otherwise.
 *
 * Complexity: for each pair O(lanes x LIDs x BENDS x ports) ways, each O(hops),
 * and O(switches x hops) for what comes to a switch.
 */
#include "engines/pairs.h"

#include "core/arena.h"
#include "engines/common.h"

#include <errno.h>
#include <string.h>

#define BENDS 3			/* switches of a way that are tried */
#define FARTHER 2		/* hops that a way may gain, less one */

/* A cable by which a switch may send. */
struct way {
	uint64_t load;
	uint32_t hops;
	uint8_t choice;
};

/* Where what comes to a switch comes from. */
struct entry {
	uint32_t channel;
	uint16_t lanes;
};

struct mender {
	struct weft__pairs *p;
	const struct weft__spread *sp;
	const struct weft_fabric *f;
	unsigned lane;		/* at hand */
	struct way *way;	/* [255] */
	struct entry *entry;	/* [255] */
	unsigned nentries;
	uint16_t through;	/* lanes of them all */

	/* choices of the pair that were changed */
	struct change {
		uint8_t *choice;
		uint8_t old;
	} *change;		/* [trees] */
	uint32_t nchanges;

	/* trees to be given up for another one */
	struct share {
		const struct weft__tree *tree, *with;
	} *share;		/* [trees] */
	uint32_t nshares;
	bool sharing;
};

static uint32_t edge(const struct mender *m, const struct weft__tree *t,
		     uint32_t s)
{
	return m->f->adj_first[s] + t->choice[s];
}

/* Hops from switch s to the root; WEFT_NONE by way of x. */
static uint32_t count_hops(const struct mender *m, const struct weft__tree *t,
			   uint32_t s, uint32_t x)
{
	uint32_t hops = 0;

	for (; s != t->root; hops++) {
		if (s == x)
			return WEFT_NONE;
		s = m->sp->ways->head[edge(m, t, s)];
	}
	return hops;
}

/* Lanes that come by one more channel. */
static void add_entry(struct mender *m, uint32_t channel, unsigned lane)
{
	unsigned i = 0;

	while (i < m->nentries && m->entry[i].channel != channel)
		i++;
	if (i == m->nentries)
		m->entry[m->nentries++] = (struct entry){ .channel = channel };
	m->entry[i].lanes |= 1u << lane;
	m->through |= 1u << lane;
}

/* What comes to x on its way to the root, or begins there. */
static void list_entries(struct mender *m, const struct weft__tree *t,
			 uint32_t x)
{
	const uint32_t *head = m->sp->ways->head;
	uint32_t first = m->f->adj_first[x], end = m->f->adj_first[x + 1];
	bool any = false;
	unsigned lane;

	m->nentries = 0;
	m->through = 0;
	for (uint32_t e = first; e < end && !any; e++)
		any = head[e] != t->root &&
		      head[edge(m, t, head[e])] == x;
	for (uint32_t z = 0; z < m->f->nsw && any; z++) {
		uint32_t s = z, e = WEFT_NONE;

		lane = *weft__pairs_lane(m->p, z, t->root);
		if (lane == WEFT__NO_LANE)
			continue;
		for (; s != t->root && s != x; s = head[e])
			e = edge(m, t, s);
		if (s == x && z != x)
			add_entry(m, m->f->adj[e], lane);
	}
	lane = *weft__pairs_lane(m->p, x, t->root);
	if (lane != WEFT__NO_LANE)
		m->through |= 1u << lane;
}

/* Whether what comes to x may go on as it now does. */
static bool put_entries(struct mender *m, const struct weft__tree *t,
			uint32_t x)
{
	struct weft__order *o = &m->p->order;
	unsigned port = weft__port(m->f, x, m->f->adj[edge(m, t, x)]);

	for (unsigned i = 0; i < m->nentries; i++)
		for (unsigned left = m->entry[i].lanes; left; left &= left - 1)
			if (!weft__order_add(o, __builtin_ctz(left) *
					     o->cdg.nch + m->entry[i].channel,
					     port))
				return false;
	for (unsigned left = m->through; left; left &= left - 1)
		if (!weft__pairs_put_way(m->p, __builtin_ctz(left), x, t))
			return false;
	return true;
}

static bool is_before(const struct way *a, const struct way *b)
{
	if (a->hops != b->hops)
		return a->hops < b->hops;
	return a->load != b->load ? a->load < b->load : a->choice < b->choice;
}

/* The other ways of x to the root, best first; how many. */
static unsigned list_ways(struct mender *m, const struct weft__tree *t,
			  uint32_t x)
{
	uint32_t first = m->f->adj_first[x], n = m->f->adj_first[x + 1] - first;
	uint32_t hops = count_hops(m, t, x, WEFT_NONE);
	unsigned nways = 0;

	for (uint32_t k = 0; k < n; k++) {
		struct way w = {
			.choice = k, .load = m->sp->balance->weight[first + k],
			.hops = count_hops(m, t, m->sp->ways->head[first + k],
					   x),
		};
		unsigned i = nways;

		if (k == t->choice[x] || w.hops >= hops + FARTHER)
			continue;
		for (; i && is_before(&w, &m->way[i - 1]); i--)
			m->way[i] = m->way[i - 1];
		m->way[i] = w;
		nways++;
	}
	return nways;
}

/* Another way of x to the root that serves what comes from a switch, in the
 * lane at hand. */
static bool bend_at(struct mender *m, const struct weft__tree *t, uint32_t x,
		    uint32_t from)
{
	struct weft__order *o = &m->p->order;
	size_t mark = o->nadded;
	uint8_t old = t->choice[x];
	unsigned nways = list_ways(m, t, x);
	bool listed = false;

	for (unsigned i = 0; i < nways; i++) {
		t->choice[x] = m->way[i].choice;
		if (weft__pairs_put_way(m->p, m->lane, from, t)) {
			if (!listed)
				list_entries(m, t, x);
			listed = true;
			if (put_entries(m, t, x)) {
				m->change[m->nchanges++] = (struct change){
					.choice = &t->choice[x], .old = old,
				};
				return true;
			}
		}
		weft__order_back(o, mark);
	}
	t->choice[x] = old;
	return false;
}

static bool bend(struct mender *m, const struct weft__tree *t, uint32_t from)
{
	uint32_t x = from, n = 0;

	for (; x != t->root && n < BENDS; n++) {
		if (bend_at(m, t, x, from))
			return true;
		x = m->sp->ways->head[edge(m, t, x)];
	}
	return false;
}

/* Every way from a switch to another one's LIDs into the lane at hand.  With
 * share, LIDs for which there is none will share the tree of one before or after
 * them that has one. */
static bool put_ways(struct mender *m, uint32_t from, uint32_t to)
{
	const struct weft__spread *sp = m->sp;
	uint32_t first = sp->first[to], end = sp->first[to + 1];
	const struct weft__tree *good = NULL;
	uint32_t missing = m->nshares;

	for (uint32_t i = first; i < end; i++) {
		const struct weft__tree *t = &sp->trees->tree[sp->list[i]];
		size_t mark = m->p->order.nadded;
		bool done = weft__pairs_put_way(m->p, m->lane, from, t);

		if (!done) {
			weft__order_back(&m->p->order, mark);
			done = bend(m, t, from);
		}
		if (done)
			good = t;
		else if (!m->sharing)
			return false;
		else
			m->share[m->nshares++] = (struct share){ t, good };
	}
	for (; missing < m->nshares && good; missing++)
		if (!m->share[missing].with)
			m->share[missing].with = good;
	return good || first == end;
}

static void take(struct mender *m, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < m->nshares; i++)
		memcpy(m->share[i].tree->choice, m->share[i].with->choice,
		       m->f->nsw);
	weft__pairs_set(m->p, x, y, m->lane);
	m->p->left--;
	m->p->mended++;
}

static bool mend_pair(struct mender *m, uint32_t x, uint32_t y)
{
	weft__order_mark(&m->p->order);
	m->nchanges = m->nshares = 0;
	if (put_ways(m, x, y) && put_ways(m, y, x)) {
		take(m, x, y);
		return true;
	}
	while (m->nchanges) {
		struct change *c = &m->change[--m->nchanges];

		*c->choice = c->old;
	}
	weft__order_undo(&m->p->order);
	return false;
}

static void mend(struct mender *m, uint64_t effort)
{
	struct weft__pairs *p = m->p;
	unsigned n = m->sp->orders->n;

	for (uint32_t x = 0; x < m->f->nsw && p->left; x++) {
		for (uint32_t y = 0; y < x; y++) {
			bool done = *weft__pairs_lane(p, x, y) != WEFT__NO_LANE;

			for (unsigned k = n; k && !done &&
			     p->order.work < effort; k--) {
				m->lane = k - 1;
				done = mend_pair(m, x, y);
			}
		}
	}
}

int weft__pairs_mend(struct weft__pairs *p, uint64_t effort,
		     struct weft_arena *arena)
{
	struct mender m = {
		.p = p, .sp = p->spread, .f = p->spread->fabric,
		.way = weft__arena_alloc(arena, 256, sizeof(*m.way)),
		.entry = weft__arena_alloc(arena, 256, sizeof(*m.entry)),
		.change = weft__arena_alloc(arena, p->spread->trees->n,
					    sizeof(*m.change)),
	};

	m.share = weft__arena_alloc(arena, p->spread->trees->n,
				    sizeof(*m.share));
	if (!m.way || !m.entry || !m.change || !m.share)
		return -ENOMEM;
	p->order.work = 0;
	p->order.patience = 0;
	mend(&m, UINT64_MAX);
	m.sharing = true;
	mend(&m, UINT64_MAX);
	p->order.work = 0;
	p->order.patience = UINT64_MAX;
	mend(&m, effort);
	return 0;
}
