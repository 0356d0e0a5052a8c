// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: management, one lane in spite of switches' own LIDs
 *
 * On a fat tree the routes to hosts need one lane, but the shortest way from
 * one spine to another leads down and up again, and such turns close cycles
 * when they are made here and there.  Traffic to spines is management traffic,
 * to the switches themselves and to aggregation nodes; their LIDs are called
 * thin.  Instead of a second lane they get other routes, as in sFtree
 * (Bogdanski et al., "sFtree: a fully connected and deadlock-free
 * switch-to-switch routing algorithm for fat-trees", ACM TACO 8(4), 2012).  The
 * routes to hosts stay as they are.
 *
 * This works on any fabric whose routes to hosts are acyclic:
 *
 * 1. The dependencies of all traffic to hosts, from all switches, are
 *    collected.  If they have a cycle, nothing can be done here.
 * 2. A breadth-first spanning tree is searched, from one of up to 16 switches
 *    with hosts, all turns of which close no cycle with these dependencies.  On
 *    a fat tree that of any leaf will do: down turns into up only below that
 *    leaf's ancestors, which is sFtree's subtree.  The turns are added; from
 *    now on the tree is a way from every switch to every other one.
 * 3. Each thin LID keeps its routes if they close no cycle.  If they do, it
 *    shares those of a host on the switch, if there is one.  Else its tree
 *    grows again from the switch outwards, nearest first, by cables whose
 *    dependencies close no cycle.  If that leaves a switch out, the LID is
 *    routed along the spanning tree.  After a fixed effort the topological
 *    order does not change any more, and only dependencies that run forward in
 *    it are used.
 *
 * Deadlock: all dependencies run forward in one order at the end.
 *
 * Complexity: O(LIDs x switches) for 1; O(edges of the CDG) for each try of 2;
 * O(cables) for each LID of 3, and the effort.
 */
#include "layers/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROOTS 16	/* spanning trees to try */
#define EFFORT (1u << 21)	/* edges looked at before the order is fixed */

struct management {
	struct weft__job *job;
	const struct weft_fabric *f;
	struct weft__order order;
	uint8_t *spanning;	/* [nsw] port to the parent; 0 at the root */
	uint8_t *new_tree;	/* [nsw] */
	uint32_t *queue;	/* [nsw] */
	uint8_t *settled;	/* [nsw] the switch is in the tree */
	uint64_t *bits;		/* the CDG before the spanning tree in
				 * question */
};

/* Grows a tree towards root, by edges that accept() agrees to.  Returns how
 * many switches it has. */
static uint32_t grow_tree(struct management *m, uint32_t root, uint8_t *tree,
			  bool (*accept)(struct management *m, uint8_t *tree,
					 uint32_t channel))
{
	const struct weft_fabric *f = m->f;
	uint32_t head = 0, tail = 0;

	memset(m->settled, 0, f->nsw);
	memset(tree, 0, f->nsw);
	m->settled[root] = 1;
	m->queue[tail++] = root;
	while (head < tail) {
		uint32_t t = m->queue[head++];

		for (uint32_t e = f->adj_first[t]; e < f->adj_first[t + 1];
		     e++) {
			uint32_t s = f->peer[f->adj[e]];
			uint32_t ch = f->reverse[f->adj[e]];

			if (m->settled[s] || !accept(m, tree, ch))
				continue;
			tree[s] = ch - f->first_channel[s];
			m->settled[s] = 1;
			m->queue[tail++] = s;
		}
	}
	return tail;
}

static bool accept_any(struct management *m, uint8_t *tree, uint32_t ch)
{
	(void)m;
	(void)tree;
	(void)ch;
	return true;
}

/* Accepts a channel if packets that come by it may go on as the tree says. */
static bool accept_forward(struct management *m, uint8_t *tree, uint32_t ch)
{
	unsigned port = tree[m->f->peer[ch]];
	uint32_t to;

	if (!port)
		return true;
	if (m->order.work < EFFORT)
		return weft__order_add(&m->order, ch, port);
	to = weft__cdg_head(&m->order.cdg, ch, port);
	return m->order.position[ch] < m->order.position[to];
}

static bool runs_forward(struct management *m, uint8_t *tree)
{
	weft__order_mark(&m->order);
	for (uint32_t s = 0; s < m->f->nsw; s++) {
		uint32_t ch = weft_channel(m->f, s, tree[s]);

		if (tree[s] && !accept_forward(m, tree, ch)) {
			weft__order_undo(&m->order);
			return false;
		}
	}
	return true;
}

/* Accepts the channels of the spanning tree. */
static bool accept_spanning(struct management *m, uint8_t *tree, uint32_t ch)
{
	const struct weft_fabric *f = m->f;
	uint32_t t = f->peer[ch], s = f->peer[f->reverse[ch]];

	(void)tree;
	return ch == weft_channel(f, s, m->spanning[s]) ||
	       f->reverse[ch] == weft_channel(f, t, m->spanning[t]);
}

/* Adds each turn from one cable of the spanning tree to another. */
static void add_spanning_turns(struct management *m)
{
	const struct weft_fabric *f = m->f;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], t = f->peer[ch];

		if (!accept_spanning(m, NULL, ch))
			continue;
		for (uint32_t e = f->adj_first[t]; e < f->adj_first[t + 1]; e++)
			if (f->adj[e] != f->reverse[ch] &&
			    accept_spanning(m, NULL, f->adj[e]))
				weft__cdg_add(&m->order.cdg, ch, 0,
					f->adj[e] - f->first_channel[t]);
	}
}

/* Adds the spanning tree from that switch if it closes no cycle.  Returns
 * false, and adds nothing, if it does. */
static bool try_spanning(struct management *m, uint32_t root, size_t size)
{
	memcpy(m->bits, m->order.cdg.bits, size);
	if (grow_tree(m, root, m->spanning, accept_any) == m->f->nsw) {
		add_spanning_turns(m);
		if (weft__order_renew(&m->order))
			return true;
	}
	memcpy(m->order.cdg.bits, m->bits, size);
	return false;
}

/* Returns the first tree to a host or router on switch s along which all
 * traffic arrives, or WEFT_NONE. */
static uint32_t host_tree(const struct weft__traffic *t, uint32_t s)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		const struct weft_endport *ep = &f->ep[f->sw_endport[i]];

		if (ep->lid && ep->kind != WEFT_AGGREGATION &&
		    weft__tree_is_whole(t, t->of_lid[ep->lid]))
			return t->of_lid[ep->lid];
	}
	return WEFT_NONE;
}

/* Tries spanning trees from switches with hosts, spread over all of these. */
static bool find_spanning(struct management *m)
{
	const struct weft__traffic *t = &m->job->traffic;
	const struct weft_fabric *f = m->f;
	size_t size = (size_t)m->order.cdg.nv * m->order.cdg.words *
		sizeof(*m->order.cdg.bits);
	uint32_t n = 0, seen = 0, step;

	for (uint32_t s = 0; s < f->nsw; s++)
		n += host_tree(t, s) != WEFT_NONE;
	step = n / MAX_ROOTS + 1;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (host_tree(t, s) != WEFT_NONE && seen++ % step == 0 &&
		    try_spanning(m, s, size))
			return true;
	return false;
}

/* Grows tree k to switch s again. */
static void regrow_tree(struct management *m, uint32_t s, uint32_t k)
{
	uint8_t *tree = weft__tree_ports(&m->job->traffic, k);

	weft__order_mark(&m->order);
	if (grow_tree(m, s, m->new_tree, accept_forward) < m->f->nsw) {
		weft__order_undo(&m->order);
		grow_tree(m, s, m->new_tree, accept_spanning);
	}
	memcpy(tree, m->new_tree, m->f->nsw);
}

static void fit_lid(struct management *m, unsigned lid)
{
	struct weft__traffic *t = &m->job->traffic;
	uint32_t s = weft_vertex_switch(m->f, m->f->lid_owner[lid]);
	uint32_t k = t->of_lid[lid];
	uint32_t other = host_tree(t, s);

	if (runs_forward(m, weft__tree_ports(t, k)))
		return;
	if (other == WEFT_NONE)
		regrow_tree(m, s, k);
	else
		t->of_lid[lid] = other;
}

static int alloc_management(struct management *m)
{
	size_t n = m->f->nsw + 1ull;
	int err = weft__order_init(&m->order, m->f, 1);

	if (err)
		return err;
	m->spanning = malloc(n);
	m->new_tree = malloc(n);
	m->settled = malloc(n);
	m->queue = malloc(n * sizeof(*m->queue));
	m->bits = malloc(((size_t)m->order.cdg.nv * m->order.cdg.words + 1) *
			 sizeof(*m->bits));
	return m->spanning && m->new_tree && m->settled && m->queue &&
	       m->bits ? 0 : -ENOMEM;
}

static bool hosts_fit(struct management *m)
{
	const struct weft__traffic *t = &m->job->traffic;

	for (uint32_t k = 0; k < t->ntrees; k++)
		if (!t->thin[k])
			weft__tree_collect(t, k, &m->order.cdg, 0);
	return weft__order_renew(&m->order) && find_spanning(m);
}

int weft__route_management(struct weft__job *job, bool *done)
{
	struct management m = { .job = job, .f = job->fabric };
	int err = alloc_management(&m);

	*done = !err && hosts_fit(&m);
	for (unsigned lid = 0; *done && lid <= m.f->max_lid; lid++)
		if (m.f->lid_owner[lid] != WEFT_NONE &&
		    weft__is_thin(m.f, m.f->lid_owner[lid]))
			fit_lid(&m, lid);
	job->work += m.order.work;
	weft__order_free(&m.order);
	free(m.spanning);
	free(m.new_tree);
	free(m.settled);
	free(m.queue);
	free(m.bits);
	return err;
}

void weft__share_thin(struct weft__job *job)
{
	struct weft__traffic *t = &job->traffic;
	const struct weft_fabric *f = job->fabric;

	for (unsigned lid = 0; lid <= f->max_lid; lid++) {
		uint32_t owner = f->lid_owner[lid], other;

		if (owner == WEFT_NONE || !weft__is_thin(f, owner))
			continue;
		other = host_tree(t, weft_vertex_switch(f, owner));
		if (other != WEFT_NONE)
			t->of_lid[lid] = other;
	}
}
