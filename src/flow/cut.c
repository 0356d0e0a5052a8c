// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what cables alone allow
 *
 * Two bounds that need no flow.  All that is sent takes as many cables as the
 * way with the fewest has, and all cables together carry no more than they do.
 * And what is sent from some switches to all others fits through the cables
 * between the two.  There are too many sets of switches to try all; these are
 * tried: each switch alone, and the first ones of some orders, for any number
 * of them: nearest first from each of up to SEEDS switches, and by the
 * eigenvector of the second smallest eigenvalue of the Laplacian (Fiedler,
 * "Algebraic Connectivity of Graphs", Czech. Math. J. 23, 1973), by which
 * switches that have few cables between them are far apart.
 */
#include "flow/flow.h"

#include "core/arena.h"
#include "flow/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 64
#define STEPS 200	/* towards the eigenvector */

/* The switches in two sets, and what goes from one to the other. */
struct cut {
	const struct weft__flow_demand *d;
	struct weft__flow_net net;
	struct weft__flow_net_tree tree;
	uint64_t *one;		/* [nedges] the price of a cable */
	uint32_t *first, *row;	/* [nsw + 1] rows that a switch is in, */
	double *amount;		/* and how much it sends there */
	uint32_t *goal_first, *goal;	/* [nsw + 1] goals at each switch */
	double *total;		/* [nrows] all amounts of it */
	/* which switches are inside; what those send, and the goals there */
	bool *inside;		/* [nsw] */
	double *sent;		/* [nrows] amounts of switches inside */
	double *goals[2];	/* [nrows] scales of goals outside, inside */
	double out, in;		/* Mbit/s at a share of 1 that cross */
	double room_out, room_in;	/* and cables for them */
	double least;		/* share */
};

/* Lists where each switch occurs: n entries at the switches of at[]. */
static void sort_by_switch(const uint32_t *at, uint32_t n, uint32_t nsw,
			   uint32_t *first, uint32_t *place)
{
	memset(first, 0, (nsw + 1ull) * sizeof(*first));
	for (uint32_t i = 0; i < n; i++)
		first[at[i] + 1]++;
	for (uint32_t s = 0; s < nsw; s++)
		first[s + 1] += first[s];
	for (uint32_t i = 0; i < n; i++)
		place[first[at[i]]++] = i;
	for (uint32_t s = nsw; s; s--)
		first[s] = first[s - 1];
	first[0] = 0;
}

static int cut_init(struct cut *c, const struct weft_fabric *f,
		    const struct weft__flow_demand *d, struct weft_arena *arena)
{
	uint32_t n = d->nrows ? d->first[d->nrows] : 0, nsw = f->nsw, *place;

	*c = (struct cut){ .d = d, .least = d->hosts_allow };
	if (weft__flow_net_init(&c->net, f, arena) ||
	    weft__flow_net_tree_init(&c->tree, &c->net, arena))
		return -ENOMEM;
	c->one = weft__arena_alloc(arena, c->net.nedges, sizeof(*c->one));
	c->first = weft__arena_alloc(arena, nsw + 1ull, sizeof(*c->first));
	c->row = weft__arena_alloc(arena, n, sizeof(*c->row));
	c->amount = weft__arena_alloc(arena, n, sizeof(*c->amount));
	c->goal_first = weft__arena_alloc(arena, nsw + 1ull,
					  sizeof(*c->goal_first));
	c->goal = weft__arena_alloc(arena, d->ngoals, sizeof(*c->goal));
	c->total = weft__arena_zalloc(arena, d->nrows, sizeof(*c->total));
	c->inside = weft__arena_alloc(arena, nsw, sizeof(*c->inside));
	c->sent = weft__arena_alloc(arena, d->nrows, sizeof(*c->sent));
	for (unsigned i = 0; i < 2; i++)
		c->goals[i] = weft__arena_alloc(arena, d->nrows,
						sizeof(*c->goals[i]));
	place = weft__arena_alloc(arena, n, sizeof(*place));
	if (weft__arena_failed(arena))
		return -ENOMEM;
	for (uint32_t e = 0; e < c->net.nedges; e++)
		c->one[e] = 1;
	sort_by_switch(d->goal, d->ngoals, nsw, c->goal_first, c->goal);
	sort_by_switch(d->source, n, nsw, c->first, place);
	for (uint32_t r = 0; r < d->nrows; r++)
		for (uint32_t i = d->first[r]; i < d->first[r + 1]; i++) {
			c->total[r] += d->amount[i];
			c->row[i] = r;
		}
	/* from the order of rows to that of switches */
	for (uint32_t i = 0; i < n; i++)
		c->amount[i] = d->amount[place[i]];
	for (uint32_t i = 0; i < n; i++)
		place[i] = c->row[place[i]];
	memcpy(c->row, place, n * sizeof(*place));
	return 0;
}

/* --- cables taken --------------------------------------------------------- */

/* What all cables carry, over what the ways with the fewest of them take. */
static void look_at_hops(struct cut *c)
{
	const struct weft__flow_demand *d = c->d;
	double all = 0, taken = 0;

	for (uint32_t e = 0; e < c->net.nedges; e++)
		all += c->net.capacity[e];
	for (uint32_t g = 0; g < d->ngoals; g++) {
		weft__flow_net_search(&c->net, d->goal[g], c->one, &c->tree);
		for (uint32_t i = d->first[d->row[g]];
		     i < d->first[d->row[g] + 1]; i++) {
			uint64_t hops = c->tree.distance[d->source[i]];

			if (hops != WEFT__FLOW_NET_FAR)
				taken += d->scale[g] * d->amount[i] * hops;
		}
	}
	if (all < c->least * taken)
		c->least = all / taken;
}

/* --- sets of switches ----------------------------------------------------- */

static void empty(struct cut *c)
{
	const struct weft__flow_demand *d = c->d;

	memset(c->inside, 0, c->net.nsw * sizeof(*c->inside));
	memset(c->sent, 0, d->nrows * sizeof(*c->sent));
	for (unsigned i = 0; i < 2; i++)
		memset(c->goals[i], 0, d->nrows * sizeof(*c->goals[i]));
	for (uint32_t g = 0; g < d->ngoals; g++)
		c->goals[0][d->row[g]] += d->scale[g];
	c->out = c->in = c->room_out = c->room_in = 0;
}

/* Takes a switch inside. */
static void enter(struct cut *c, uint32_t s)
{
	const struct weft__flow_demand *d = c->d;
	const struct weft__flow_net *net = &c->net;

	for (uint32_t e = net->first[s]; e < net->first[s + 1]; e++) {
		double to = net->capacity[e];
		double from = net->capacity[net->back[e]];
		bool inner = c->inside[net->head[e]];

		c->room_out += inner ? -from : to;
		c->room_in += inner ? -to : from;
	}
	for (uint32_t i = c->first[s]; i < c->first[s + 1]; i++) {
		uint32_t r = c->row[i];

		c->sent[r] += c->amount[i];
		c->out += c->amount[i] * c->goals[0][r];
		c->in -= c->amount[i] * c->goals[1][r];
	}
	for (uint32_t i = c->goal_first[s]; i < c->goal_first[s + 1]; i++) {
		uint32_t g = c->goal[i], r = d->row[g];

		c->goals[0][r] -= d->scale[g];
		c->goals[1][r] += d->scale[g];
		c->out -= d->scale[g] * c->sent[r];
		c->in += d->scale[g] * (c->total[r] - c->sent[r]);
	}
	c->inside[s] = true;
}

/* No cables at all: parts of a fabric, whose traffic is lost. */
static void look_at_set(struct cut *c)
{
	double least = c->least, tiny = 1e-9 * (c->out + c->in);

	if (c->room_out > 0 && c->out > tiny && c->room_out < least * c->out)
		least = c->room_out / c->out;
	if (c->room_in > 0 && c->in > tiny && c->room_in < least * c->in)
		least = c->room_in / c->in;
	c->least = least;
}

static void look_along(struct cut *c, const uint32_t *order, uint32_t n)
{
	empty(c);
	for (uint32_t i = 0; i + 1 < n; i++) {
		enter(c, order[i]);
		look_at_set(c);
	}
}

static void look_at_neighbourhoods(struct cut *c)
{
	uint32_t nsw = c->net.nsw, step = (nsw + SEEDS - 1) / SEEDS;

	for (uint32_t s = 0; s < nsw; s++) {
		empty(c);
		enter(c, s);
		look_at_set(c);
	}
	for (uint32_t s = 0; s < nsw; s += step) {
		weft__flow_net_search(&c->net, s, c->one, &c->tree);
		look_along(c, c->tree.order, c->tree.n);
	}
}

/* --- the order by the eigenvector ----------------------------------------- */

struct place {
	double at;
	uint32_t sw;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->sw > y->sw) - (x->sw < y->sw);
}

/* Takes the mean off, and makes the largest 1 again. */
static void centre(double *x, uint32_t n)
{
	double mean = 0, most = 0;

	for (uint32_t i = 0; i < n; i++)
		mean += x[i] / n;
	for (uint32_t i = 0; i < n; i++) {
		x[i] -= mean;
		most = fmax(most, fabs(x[i]));
	}
	for (uint32_t i = 0; i < n && most > 0; i++)
		x[i] /= most;
}

/* One step of the power method for a matrix whose largest eigenvalues are the
 * Laplacian's smallest ones: the mean of a switch and its neighbours. */
static void step(const struct weft__flow_net *net, double widest,
		 const double *x, double *y)
{
	for (uint32_t s = 0; s < net->nsw; s++) {
		double sum = 2 * widest * x[s];

		for (uint32_t e = net->first[s]; e < net->first[s + 1]; e++)
			sum += net->capacity[e] * (x[net->head[e]] - x[s]);
		y[s] = sum;
	}
}

static int look_along_eigenvector(struct cut *c, struct weft_arena *arena)
{
	uint32_t n = c->net.nsw;
	double *x = weft__arena_alloc(arena, n, sizeof(*x));
	double *y = weft__arena_alloc(arena, n, sizeof(*y)), widest = 0;
	struct place *place = weft__arena_alloc(arena, n, sizeof(*place));
	uint32_t *order = weft__arena_alloc(arena, n, sizeof(*order));

	if (weft__arena_failed(arena))
		return -ENOMEM;
	for (uint32_t s = 0; s < n; s++) {
		double sum = 0;

		for (uint32_t e = c->net.first[s]; e < c->net.first[s + 1]; e++)
			sum += c->net.capacity[e];
		widest = fmax(widest, sum);
		/* nothing that a regular fabric is symmetric to */
		x[s] = s * UINT32_C(2654435761) / 0x1p32;
	}
	for (unsigned i = 0; i < STEPS; i++) {
		double *old = x;

		centre(x, n);
		step(&c->net, widest, x, y);
		x = y;
		y = old;
	}
	for (uint32_t s = 0; s < n; s++)
		place[s] = (struct place){ x[s], s };
	qsort(place, n, sizeof(*place), compare_places);
	for (uint32_t i = 0; i < n; i++)
		order[i] = place[i].sw;
	look_along(c, order, n);
	return 0;
}

int weft__flow_cut(const struct weft_fabric *f,
		   const struct weft__flow_demand *demand, double *share)
{
	struct weft_arena *arena = weft__arena_new();
	struct cut c;
	int err = arena ? cut_init(&c, f, demand, arena) : -ENOMEM;

	if (!err) {
		look_at_hops(&c);
		look_at_neighbourhoods(&c);
		err = look_along_eigenvector(&c, arena);
	}
	if (!err)
		*share = c.least;
	weft__arena_free(arena);
	return err;
}
