// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: offline, cycles broken one by one
 *
 * All routes start in the first lane.  A cycle is searched; all pairs that need
 * the edge of it which the fewest routes need move up one lane.  When the lane
 * is acyclic, the next one is treated likewise (Domke, Hoefler, Nagel,
 * "Deadlock-free oblivious routing for arbitrary topologies", 2011).  A pair
 * moves as a whole, with its other direction.
 *
 * The search is depth-first and goes on where it was after each break.  Edges
 * are only ever removed, so that parts found to be acyclic stay so.
 *
 * Structures: uses[] counts the routes over each edge of the current lane.
 *
 * Deadlock: the search ends when it has seen the whole lane acyclic.
 *
 * Complexity: O(routes x hops) for the counts, O(edges of the CDG) for the
 * search, and O(trees + switches x trees over the edge) for each cycle broken.
 *
 * Memory: 4 bytes for each possible edge, one for each pair of switches.
 */
#include "layers/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WHITE, GREY, BLACK };

struct offline {
	struct weft__job *job;
	const struct weft__traffic *t;
	struct weft__cdg cdg;	/* of the current lane */
	unsigned radix;
	uint32_t *uses;		/* [nch * radix], by port of the next switch */
	uint8_t *colour;	/* [nch] */
	uint32_t *at;		/* [nch] place among the successors */
	uint32_t *stack;	/* [nch] */
	uint32_t depth;
	uint8_t *through;	/* [nsw] scratch of move_users() */
	unsigned lane;		/* the current one */
	uint64_t work;
	struct weft__lanes_found found;
};

static uint32_t *uses_of(const struct offline *o, uint32_t ch, unsigned port)
{
	return &o->uses[(size_t)ch * o->radix + port - 1];
}

/* Counts the route of switch s along tree k in the lane (by 1) or out of it (by
 * -1). */
static void count_route(struct offline *o, uint32_t k, uint32_t s, int by)
{
	const struct weft_fabric *f = o->t->fabric;
	const uint8_t *tree = weft__tree_ports(o->t, k);

	while (tree[s]) {
		uint32_t ch = weft_channel(f, s, tree[s]);
		uint32_t *uses;

		s = f->peer[ch];
		o->work++;
		if (!tree[s])
			return;
		uses = uses_of(o, ch, tree[s]);
		*uses += by;
		if (by > 0)
			weft__cdg_add(&o->cdg, ch, 0, tree[s]);
		else if (!*uses)
			weft__cdg_remove(&o->cdg, ch, tree[s]);
	}
}

static void count_routes(struct offline *o, uint32_t a, uint32_t b, int by)
{
	for (uint32_t i = o->t->first[b]; i < o->t->first[b + 1]; i++)
		count_route(o, o->t->live[i], a, by);
}

/* Moves the traffic from a to b up one lane. */
static void move_route(struct offline *o, uint32_t a, uint32_t b)
{
	count_routes(o, a, b, -1);
	o->found.lane[(size_t)a * o->t->nsw + b] = o->lane + 1;
}

static void move_pair(struct offline *o, uint32_t a, uint32_t b)
{
	move_route(o, a, b);
	if (!o->job->one_way && a != b)
		move_route(o, b, a);
}

/* Finds the switches whose routes along a tree pass switch u. */
static void find_through(struct offline *o, const uint8_t *tree, uint32_t u)
{
	enum { UNKNOWN, NO, YES };
	const struct weft_fabric *f = o->t->fabric;

	memset(o->through, UNKNOWN, o->t->nsw);
	o->through[u] = YES;
	for (uint32_t s = 0; s < o->t->nsw; s++) {
		uint32_t at = s;
		uint8_t answer;

		while (!o->through[at] && tree[at])
			at = f->peer[weft_channel(f, at, tree[at])];
		answer = o->through[at] ? o->through[at] : NO;
		for (at = s; !o->through[at];
		     at = f->peer[weft_channel(f, at, tree[at])]) {
			o->through[at] = answer;
			if (!tree[at])
				break;
		}
	}
	o->work += 2 * o->t->nsw;
	for (uint32_t s = 0; s < o->t->nsw; s++)
		o->through[s] = o->through[s] == YES;
}

static bool is_live(const struct weft__traffic *t, uint32_t k)
{
	uint32_t b = t->home[k];

	for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++)
		if (t->live[i] == k)
			return true;
	return false;
}

/* Moves all pairs whose route along tree k passes switch u. */
static void move_tree(struct offline *o, uint32_t k, uint32_t u)
{
	uint32_t b = o->t->home[k], n = o->t->nsw;

	find_through(o, weft__tree_ports(o->t, k), u);
	for (uint32_t a = 0; a < n; a++)
		if (o->through[a] &&
		    o->found.lane[(size_t)a * n + b] == o->lane)
			move_pair(o, a, b);
}

/* Moves all pairs whose routes need the edge from channel ch to port. */
static void move_users(struct offline *o, uint32_t ch, unsigned port)
{
	const struct weft_fabric *f = o->t->fabric;
	uint32_t u = f->peer[f->reverse[ch]], v = f->peer[ch];
	unsigned out = ch - f->first_channel[u];

	for (uint32_t k = 0; k < o->t->ntrees; k++) {
		const uint8_t *tree = weft__tree_ports(o->t, k);

		if (tree[u] == out && tree[v] == port && is_live(o->t, k))
			move_tree(o, k, u);
	}
	o->work += o->t->ntrees;
}

/* Breaks the cycle stack[from ..]: moves the users of the edge that the fewest
 * routes need. */
static void break_cycle(struct offline *o, uint32_t from)
{
	const struct weft_fabric *f = o->t->fabric;
	uint32_t weakest = 0, least = UINT32_MAX;
	unsigned weakest_port = 0;

	for (uint32_t i = from; i < o->depth; i++) {
		uint32_t v = o->stack[i];
		uint32_t w = o->stack[i + 1 < o->depth ? i + 1 : from];
		unsigned port = w - f->first_channel[f->peer[v]];
		uint32_t uses = *uses_of(o, v, port);

		if (uses < least) {
			least = uses;
			weakest = v;
			weakest_port = port;
		}
	}
	move_users(o, weakest, weakest_port);
}

/* Cuts the path of the search at the first edge that is gone. */
static void cut_stack(struct offline *o)
{
	const struct weft_fabric *f = o->t->fabric;
	uint32_t keep = 1;

	while (keep < o->depth) {
		uint32_t v = o->stack[keep - 1], w = o->stack[keep];

		if (!weft__cdg_has(&o->cdg, v,
				   w - f->first_channel[f->peer[v]]))
			break;
		keep++;
	}
	while (o->depth > keep) {
		uint32_t v = o->stack[--o->depth];

		o->colour[v] = WHITE;
		o->at[v] = 0;
	}
}

static uint32_t place_on_stack(const struct offline *o, uint32_t v)
{
	uint32_t i = o->depth;

	while (o->stack[--i] != v)
		;
	return i;
}

static void push(struct offline *o, uint32_t v)
{
	o->colour[v] = GREY;
	o->at[v] = 0;
	o->stack[o->depth++] = v;
}

/* Searches depth-first from root and breaks cycles.  Returns false when the
 * effort is spent. */
static bool clear_from(struct offline *o, uint32_t root)
{
	push(o, root);
	while (o->depth) {
		uint32_t v = o->stack[o->depth - 1];
		uint32_t w = weft__cdg_next(&o->cdg, v, &o->at[v]);

		o->work++;
		if (w == WEFT_NONE) {
			o->colour[v] = BLACK;
			o->depth--;
		} else if (o->colour[w] == WHITE) {
			push(o, w);
		} else if (o->colour[w] == GREY) {
			/* look at the edge again: another one may have gone */
			o->at[v]--;
			break_cycle(o, place_on_stack(o, w));
			cut_stack(o);
		}
		if (weft__gives_up(o->job, o->work, 0))
			return false;
	}
	return true;
}

/* Counts the routes of all pairs in the lane, and returns how many pairs there
 * are. */
static uint64_t fill_lane(struct offline *o)
{
	size_t n = o->t->nsw;
	uint64_t pairs = 0;

	memset(o->uses, 0, (size_t)o->cdg.nch * o->radix * sizeof(*o->uses));
	memset(o->cdg.bits, 0, (size_t)o->cdg.nv * o->cdg.words *
	       sizeof(*o->cdg.bits));
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			if (o->found.lane[a * n + b] == o->lane) {
				count_routes(o, a, b, 1);
				pairs++;
			}
	return pairs;
}

static void mark_unplaced(struct offline *o)
{
	size_t n = (size_t)o->t->nsw * o->t->nsw;

	for (size_t i = 0; i < n; i++)
		if (o->found.lane[i] >= o->lane)
			o->found.lane[i] = WEFT__UNPLACED;
	weft__count_unplaced(&o->found, n);
}

static void clear_lanes(struct offline *o, unsigned limit)
{
	for (o->lane = 0; o->lane < limit && fill_lane(o); o->lane++) {
		memset(o->colour, WHITE, o->cdg.nch);
		o->depth = 0;
		for (uint32_t v = 0; v < o->cdg.nch; v++)
			if (o->colour[v] == WHITE && !clear_from(o, v))
				goto mark;
		o->found.nlanes = o->lane + 1;
	}
mark:
	mark_unplaced(o);
}

int weft__offline(struct weft__job *job, unsigned limit,
		  struct weft__lanes_found *out)
{
	struct offline o = { .job = job, .t = &job->traffic };
	const struct weft_fabric *f = job->fabric;
	size_t nch = f->first_injection;
	int err = weft__cdg_init(&o.cdg, f, 1, false);

	o.radix = o.cdg.words * 64;
	o.uses = malloc((nch * o.radix + 1) * sizeof(*o.uses));
	o.colour = malloc(nch + 1);
	o.at = malloc((nch + 1) * sizeof(*o.at));
	o.stack = malloc((nch + 1) * sizeof(*o.stack));
	o.through = malloc(f->nsw + 1ull);
	o.found.lane = calloc((size_t)f->nsw * f->nsw + 1, 1);
	if (!err && o.uses && o.colour && o.at && o.stack && o.through &&
	    o.found.lane) {
		clear_lanes(&o, limit);
		job->work += o.work;
		*out = o.found;
	} else {
		err = -ENOMEM;
		free(o.found.lane);
	}
	weft__cdg_free(&o.cdg);
	free(o.uses);
	free(o.colour);
	free(o.at);
	free(o.stack);
	free(o.through);
	return err;
}
