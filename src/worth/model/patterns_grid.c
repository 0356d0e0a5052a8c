// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns of neighbours: rings, grids, random graphs. */
#include "worth/model/pattern.h"

#include <math.h>
#include <stddef.h>

static const struct weft_option ring_options[] = {
	{ .name = "order", .type = WEFT_OPT_ENUM, .preset = "natural",
	  .choices = "natural|random",
	  .help = "the ring follows the ranks, or is drawn for each sample" },
	{ .name = "both", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "everybody sends to both neighbours at once" },
	WEFT__VIA_OPTIONS("none"),
	{ .type = WEFT_OPT_END },
};

static int ring_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	int err = weft__teams_prepare(t, o, diag);

	t->random = weft_options_int(o, "order");
	t->fair = t->random && !t->seated;
	t->flag = weft_options_bool(o, "both");
	t->nscratch = t->nranks;
	t->max_pairs = (uint64_t)t->nranks << t->flag;
	return err;
}

static uint64_t ring_pairs(const struct weft_traffic *t, uint32_t n,
			   uint64_t round, struct weft_draw *draw,
			   struct weft_pair *pair)
{
	uint32_t *order = draw->scratch;
	bool both = t->flag && n > 2;

	(void)round;
	if (t->random)
		weft__draw_order(draw->rng, order, n);
	else
		for (uint32_t i = 0; i < n; i++)
			order[i] = i;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = i + 1 < n ? i + 1 : 0;

		pair[i] = (struct weft_pair){ order[i], order[next] };
		if (both)
			pair[n + i] = (struct weft_pair){ order[next],
							  order[i] };
	}
	return (uint64_t)n << both;
}

static uint64_t ring_round(const struct weft_traffic *t, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team, ring_pairs, round, draw, pair);
}

const struct weft__pattern weft__pattern_ring = {
	.row = {
		.name = "ring",
		.summary = "everybody sends to the next one, as in each round of an all-reduce on a ring",
		.options = ring_options,
	},
	.prepare = ring_prepare,
	.round = ring_round,
};

static const struct weft_option neighbours_options[] = {
	{ .name = "dimensions", .type = WEFT_OPT_INT, .preset = "3", .min = 1,
	  .max = WEFT_GRID_DIMENSIONS,
	  .help = "of the grid of all ranks, sides as even as can be" },
	{ .name = "sides", .type = WEFT_OPT_STRING,
	  .help = "sides of the grid instead, as 8x8x4" },
	{ .name = "periodic", .type = WEFT_OPT_BOOL, .preset = "yes",
	  .help = "the grid closes around its edges" },
	{ .type = WEFT_OPT_END },
};

static int neighbours_prepare(struct weft_traffic *t,
			      const struct weft_options *o,
			      struct weft_diag *diag)
{
	t->flag = weft_options_bool(o, "periodic");
	t->max_pairs = 2 * WEFT_GRID_DIMENSIONS * (uint64_t)t->nranks;
	return weft__grid_parse(t, weft_options_text(o, "sides"),
				weft_options_int(o, "dimensions"), diag);
}

/* Adds the pairs of rank i with its neighbours in one dimension, in which
 * adjacent places are stride ranks apart. */
static uint64_t add_neighbours(const struct weft_traffic *t, uint32_t i,
			       unsigned dimension, uint32_t stride,
			       struct weft_pair *pair)
{
	uint32_t side = t->side[dimension], at = i / stride % side;
	uint32_t back = (side - 1) * stride;
	uint64_t n = 0;

	if (at + 1 < side)
		pair[n++] = (struct weft_pair){ i, i + stride };
	else if (t->flag && side > 2)
		pair[n++] = (struct weft_pair){ i, i - back };
	if (at)
		pair[n++] = (struct weft_pair){ i, i - stride };
	else if (t->flag && side > 2)
		pair[n++] = (struct weft_pair){ i, i + back };
	return n;
}

static uint64_t neighbours_round(const struct weft_traffic *t, uint64_t round,
				 struct weft_draw *draw,
				 struct weft_pair *pair)
{
	uint32_t all = t->side[0] * t->side[1] * t->side[2];
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < all; i++) {
		uint32_t stride = 1;

		for (unsigned d = 0; d < t->dimensions; d++) {
			n += add_neighbours(t, i, d, stride, pair + n);
			stride *= t->side[d];
		}
	}
	return n;
}

const struct weft__pattern weft__pattern_neighbours = {
	.row = {
		.name = "neighbours",
		.summary = "everybody sends to all neighbours in a grid at once",
		.options = neighbours_options,
	},
	.prepare = neighbours_prepare,
	.round = neighbours_round,
};

/* Steps to the next rank, row and plane of a grid as close to a cube as
 * possible.  The ranks need not fill the grid: it closes around the end like a
 * shift. */
static int stencil_prepare(struct weft_traffic *t, const struct weft_options *o,
			   struct weft_diag *diag)
{
	uint32_t n = t->nranks;

	(void)o;
	(void)diag;
	t->side[0] = lround(cbrt(n));
	t->side[1] = lround(sqrt((double)n / t->side[0]));
	t->max_pairs = 6 * (uint64_t)n;
	return 0;
}

static uint64_t stencil_round(const struct weft_traffic *t, uint64_t round,
			      struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t n = t->nranks, step[] = {
		1, t->side[0], t->side[0] * t->side[1]
	};
	uint64_t used = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < n; i++)
		for (unsigned d = 0; d < 3; d++) {
			uint32_t s = step[d] % n;

			used = weft__add_pair(pair, used, i, (i + s) % n);
			used = weft__add_pair(pair, used, i, (i + n - s) % n);
		}
	return used;
}

const struct weft__pattern weft__pattern_stencil = {
	.row = {
		.name = "stencil",
		.summary = "everybody sends to six neighbours in a twisted grid of any number at once",
	},
	.prepare = stencil_prepare,
	.round = stencil_round,
};

static const struct weft_option random_neighbours_options[] = {
	{ .name = "degree", .type = WEFT_OPT_INT, .preset = "6", .min = 1,
	  .max = 1024, .help = "neighbours of everybody" },
	{ .type = WEFT_OPT_END },
};

static int random_neighbours_prepare(struct weft_traffic *t,
				     const struct weft_options *o,
				     struct weft_diag *diag)
{
	t->number = weft_options_int(o, "degree");
	if (t->number >= t->nranks)
		return weft_fail(diag, EINVAL,
				 "random-neighbours: degree=%u needs more than %u ranks",
				 t->number, t->nranks);
	t->random = t->fair = true;
	t->max_pairs = (uint64_t)t->nranks * t->number;
	t->nscratch = t->max_pairs + t->nranks;
	return 0;
}

/* A graph under construction: each edge once, and the neighbours of each
 * rank. */
struct graph {
	uint32_t n, degree;
	uint64_t nedges;
	struct weft_pair *edge;
	uint32_t *neighbour;	/* [n][degree]; WEFT_MAX_RANKS: none */
};

static bool adjacent(const struct graph *g, uint32_t a, uint32_t b)
{
	const uint32_t *row = g->neighbour + (size_t)a * g->degree;

	for (uint32_t i = 0; i < g->degree; i++)
		if (row[i] == b)
			return true;
	return false;
}

static void replace(struct graph *g, uint32_t a, uint32_t old, uint32_t with)
{
	uint32_t *row = g->neighbour + (size_t)a * g->degree;

	while (*row != old)
		row++;
	*row = with;
}

static void add_edge(struct graph *g, uint32_t a, uint32_t b)
{
	replace(g, a, WEFT_MAX_RANKS, b);
	replace(g, b, WEFT_MAX_RANKS, a);
	g->edge[g->nedges++] = (struct weft_pair){ a, b };
}

/* Joins each rank to the next degree / 2 ones on a circle in that order and, if
 * the degree is odd, half of the circle to the other half; if n is odd as well,
 * one rank is left over. */
static void start_graph(struct graph *g, const uint32_t *order)
{
	uint32_t n = g->n;

	for (size_t i = 0; i < (size_t)n * g->degree; i++)
		g->neighbour[i] = WEFT_MAX_RANKS;
	for (uint32_t d = 1; d <= g->degree / 2; d++)
		for (uint32_t i = 0; i < n; i++)
			add_edge(g, order[i], order[(i + d) % n]);
	for (uint32_t i = 0; g->degree % 2 && i < n / 2; i++)
		add_edge(g, order[i], order[i + n / 2]);
}

/* Replaces two edges a-b, c-d by a-d, c-b if each rank then has as many
 * different neighbours as before. */
static void try_switch(struct graph *g, struct weft_rng *rng)
{
	struct weft_pair *x = &g->edge[weft_rng_below(rng, g->nedges)];
	struct weft_pair *y = &g->edge[weft_rng_below(rng, g->nedges)];
	uint32_t c = y->from, d = y->to;

	if (weft_rng_below(rng, 2)) {
		c = y->to;
		d = y->from;
	}
	if (x->from == d || x->to == c || adjacent(g, x->from, d) ||
	    adjacent(g, c, x->to))
		return;
	replace(g, x->from, x->to, d);
	replace(g, x->to, x->from, c);
	replace(g, c, d, x->to);
	replace(g, d, c, x->from);
	*y = (struct weft_pair){ c, x->to };
	x->to = d;
}

/* Starts from a circulant graph of ranks in random order and makes ten random
 * switches of partners per edge.  In the limit these make all graphs of these
 * degrees equally likely. */
static uint64_t random_neighbours_round(const struct weft_traffic *t,
					uint64_t round, struct weft_draw *draw,
					struct weft_pair *pair)
{
	struct graph g = {
		.n = t->nranks, .degree = t->number, .edge = pair,
		.neighbour = draw->scratch + t->nranks,
	};

	(void)round;
	weft__draw_order(draw->rng, draw->scratch, t->nranks);
	start_graph(&g, draw->scratch);
	for (uint64_t i = 0; i < 10 * g.nedges; i++)
		try_switch(&g, draw->rng);
	for (uint64_t i = 0; i < g.nedges; i++)
		pair[g.nedges + i] = (struct weft_pair){ pair[i].to,
							 pair[i].from };
	return 2 * g.nedges;
}

const struct weft__pattern weft__pattern_random_neighbours = {
	.row = {
		.name = "random-neighbours",
		.summary = "everybody exchanges with all neighbours in a random graph at once",
		.options = random_neighbours_options,
	},
	.prepare = random_neighbours_prepare,
	.round = random_neighbours_round,
};
