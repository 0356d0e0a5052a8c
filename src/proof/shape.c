// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Proves trees of a known shape; see shape.h.
 *
 * If each switch sends to one that has a hop fewer, down to the one that
 * delivers, there is no loop and all packets arrive.  That is checked entry by
 * entry, in any order.  Loads and lanes need the order by hops.
 */
#include "proof/shape.h"

#include "proof/run.h"

#include <errno.h>
#include <string.h>

#define MIN_LIDS 4u		/* LIDs on a switch for which a shape pays */

/* Collects what the sources on each switch send. */
static void list_sources(struct weft__proof_run *r)
{
	struct weft__shapes *x = &r->shapes;
	uint32_t ending = 0, sending = 0;

	for (uint32_t i = 0; i < r->sources.n; i++) {
		const struct weft__proof_source *source = &r->sources.source[i];
		uint32_t s = source->sw;

		x->hosts[s] = source->hosts;
		x->sent[s] = source->hosts - source->self;
		x->ends[s] = source->n > 0;
		x->sends[s] = source->n || source->self;
		ending += x->ends[s];
		sending += x->sends[s];
	}
	x->all_end = ending == r->fabric->nsw;
	x->all_send = sending == r->fabric->nsw;
}

static void count_lids(struct weft__proof_run *r)
{
	for (unsigned lid = 1; lid <= r->fabric->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(r->fabric, lid);
		uint8_t *several;

		if (owner == WEFT_NONE)
			continue;
		several = &r->shapes.several[weft_vertex_switch(r->fabric,
								owner)];
		*several += *several < MIN_LIDS;
	}
}

int weft__shapes_init(struct weft__proof_run *r)
{
	struct weft__shapes *x = &r->shapes;
	struct weft_arena *a = r->scratch;
	uint32_t n = r->fabric->nsw;

	x->of = weft__arena_zalloc(a, n, sizeof(*x->of));
	x->several = weft__arena_zalloc(a, n, 1);
	x->hosts = weft__arena_zalloc(a, n, sizeof(*x->hosts));
	x->sent = weft__arena_zalloc(a, n, sizeof(*x->sent));
	x->ends = weft__arena_zalloc(a, n, 1);
	x->sends = weft__arena_zalloc(a, n, 1);
	x->out = weft__arena_alloc(a, n, sizeof(*x->out));
	x->next = weft__arena_alloc(a, n, sizeof(*x->next));
	x->flow = weft__arena_alloc(a, n, sizeof(*x->flow));
	x->busy = weft__arena_alloc(a, n, 1);
	if (weft__arena_failed(a))
		return -ENOMEM;
	list_sources(r);
	count_lids(r);
	return 0;
}

/* Reads all entries into out[] and next[].  Returns true if they fit the
 * shape. */
static bool read_entries(struct weft__proof_run *r,
			 const struct weft__shape *shape)
{
	const struct weft_fabric *f = r->fabric;
	const uint32_t *first = f->first_channel, *order = shape->order;
	const uint8_t *column = r->tree.column, *hops = shape->hops;
	uint32_t *out = r->shapes.out, *next = r->shapes.next;
	uint32_t home = order[0], peer, port = column[home];

	if (port > f->sw[home].nports)
		return false;
	out[0] = first[home] + port;
	peer = port ? f->peer[out[0]] : home;
	/* A cable may lead back to the switch that owns the LID. */
	if (peer != r->tree.owner || (port && weft_is_switch(peer)))
		return false;
	for (uint32_t k = 1; k < shape->n; k++) {
		uint32_t s = order[k], ch = first[s] + column[s];

		if (ch >= first[s + 1])
			return false;
		peer = f->peer[ch];
		if (!weft_is_switch(peer) || hops[peer] + 1 != hops[s])
			return false;
		out[k] = ch;
		next[k] = peer;
	}
	return true;
}

static bool is_minimal(const struct weft__proof_tree *t,
		       const struct weft__shape *shape)
{
	for (uint32_t k = 1; k < shape->n; k++)
		if (shape->hops[shape->order[k]] >
		    t->cables[shape->order[k]] + 1)
			return false;
	return true;
}

/* Hands flows down the tree.  Switches next to each other mostly send to the
 * same one, which is given their sum at once. */
static void add_loads(struct weft__proof_run *r,
		      const struct weft__shape *shape)
{
	const struct weft__shapes *x = &r->shapes;
	uint64_t *load = r->out->channel_load;
	uint32_t *flow = x->flow, sum = 0, to = shape->order[0];

	memcpy(flow, x->sent, r->fabric->nsw * sizeof(*flow));
	for (uint32_t k = shape->n - 1; k; k--) {
		uint32_t s = shape->order[k], through;

		if (s == to || x->next[k] != to) {
			flow[to] += sum;
			to = x->next[k];
			sum = 0;
		}
		through = flow[s];
		if (!through)
			continue;
		load[x->out[k]] += through;
		sum += through;
	}
	flow[to] += sum;
	load[x->out[0]] += flow[shape->order[0]] - 1;
}

/* Adds the dependencies of the channels of all switches with three hops or more
 * that are in busy[]; NULL: of all. */
static void add_edges(struct weft__proof_run *r,
		      const struct weft__shape *shape, const uint8_t *busy)
{
	const struct weft__shapes *x = &r->shapes;
	uint32_t lane = r->lanes.of_sl[r->tree.sls.one] * r->cdg.nch;

	for (uint32_t k = shape->second; k < shape->n; k++)
		if (!busy || busy[shape->order[k]])
			weft__cdg_add(&r->cdg, lane + x->out[k], 0,
				      r->tree.column[x->next[k]]);
}

/* Adds them if not all switches send. */
static void add_busy_edges(struct weft__proof_run *r,
			   const struct weft__shape *shape,
			   const uint8_t *senders)
{
	const struct weft__shapes *x = &r->shapes;

	memcpy(x->busy, senders, r->fabric->nsw);
	for (uint32_t k = shape->n - 1; k; k--)
		x->busy[x->next[k]] |= x->busy[shape->order[k]];
	add_edges(r, shape, x->busy);
}

static bool alloc(struct weft__proof_run *r, struct weft__shape *shape)
{
	uint32_t n = r->fabric->nsw;

	if (shape->hops && shape->hosts && shape->order)
		return true;
	shape->hops = weft__arena_alloc(r->scratch, n, 1);
	shape->hosts = weft__arena_alloc(r->scratch, UINT8_MAX,
					 sizeof(*shape->hosts));
	shape->order = weft__arena_alloc(r->scratch, n, sizeof(*shape->order));
	return shape->hops && shape->hosts && shape->order;
}

/* Finds the hops of a switch and of those on its way.  Returns false if the way
 * does not arrive. */
static bool follow_way(struct weft__proof_run *r, uint8_t *hops, uint32_t s)
{
	const struct weft_fabric *f = r->fabric;
	const uint8_t *column = r->tree.column;
	uint32_t *path = r->shapes.next, n = 0, h;

	for (; !hops[s]; n++) {
		uint32_t ch = f->first_channel[s] + column[s];

		if (n == f->nsw || n == UINT8_MAX)
			return false;
		path[n] = s;
		if (ch >= f->first_channel[s + 1] ||
		    !weft_is_switch(f->peer[ch]))
			return false;
		s = f->peer[ch];
	}
	h = hops[s] + n;
	if (h >= UINT8_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		hops[path[i]] = h--;
	return true;
}

/* Sorts the switches with traffic by hops. */
static void sort_by_hops(struct weft__proof_run *r, struct weft__shape *shape)
{
	uint32_t at[UINT8_MAX + 2] = { 0 };
	const uint8_t *hops = shape->hops;

	memset(shape->hosts, 0, UINT8_MAX * sizeof(*shape->hosts));
	for (uint32_t s = 0; s < r->fabric->nsw; s++) {
		at[hops[s] + 1]++;
		shape->hosts[hops[s]] += r->shapes.hosts[s];
	}
	shape->n = r->fabric->nsw - at[1];
	at[1] = 0;
	for (unsigned h = 2; h <= UINT8_MAX; h++)
		at[h] += at[h - 1];
	shape->second = at[3];
	for (uint32_t s = 0; s < r->fabric->nsw; s++)
		if (hops[s])
			shape->order[at[hops[s]]++] = s;
}

/* Finds the shape of the current tree.  Returns false if a route does not
 * arrive. */
static bool find_shape(struct weft__proof_run *r, struct weft__shape *shape)
{
	uint32_t home = weft__source_of(&r->sources, r->tree.owner);

	shape->n = 0;
	if (!alloc(r, shape))
		return false;
	memset(shape->hops, 0, r->fabric->nsw);
	shape->hops[r->tree.home] = 1;
	for (uint32_t i = 0; i < r->sources.n; i++) {
		const struct weft__proof_source *source = &r->sources.source[i];

		if (source->all > (i == home) &&
		    !follow_way(r, shape->hops, source->sw))
			return false;
	}
	sort_by_hops(r, shape);
	return true;
}

/* Adds to all counts as a walk would, for a tree that fits its shape. */
static void add_all(struct weft__proof_run *r, const struct weft__shape *shape)
{
	const struct weft__proof_tree *t = &r->tree;
	const struct weft__shapes *x = &r->shapes;
	bool selves = !weft_is_switch(t->owner) || r->spec->between_switches;

	for (unsigned h = shape->hops[shape->order[shape->n - 1]];
	     h && t->counted; h--)
		r->hops[h] += shape->hosts[h] - (h == 1);
	if (r->out->channel_load && t->counted && !weft_is_switch(t->owner))
		add_loads(r, shape);
	if (!r->spec->credit_loops)
		return;
	if (selves ? x->all_send : x->all_end)
		add_edges(r, shape, NULL);
	else
		add_busy_edges(r, shape, selves ? x->sends : x->ends);
}

bool weft__shape_prove(struct weft__proof_run *r)
{
	const struct weft__proof_tree *t = &r->tree;
	struct weft__shapes *x = &r->shapes;
	struct weft__shape *shape =
		x->several[t->home] < MIN_LIDS ? &x->once : &x->of[t->home];
	bool known;

	if (t->sls.by_switch || t->sls.by_endport || r->nplanes > 1)
		return false;
	known = shape != &x->once && shape->n && read_entries(r, shape);
	if (!known && (!find_shape(r, shape) || !read_entries(r, shape)))
		return false;
	if (t->cables && !is_minimal(t, shape))
		return false;
	add_all(r, shape);
	return true;
}
