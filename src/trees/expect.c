// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What streams expect of each other; see expect.h, and improve.c for why. */
#include "trees/expect_tree.h"

#include "core/arena.h"

#include <string.h>

static bool counts(const struct weft__expect *x, uint32_t endport)
{
	return !x->hosts_only || x->fabric->ep[endport].kind == WEFT_HOST;
}

static uint32_t endport_of(const struct weft__expect *x,
			   const struct weft__tree *tree)
{
	return weft_lid_owner(x->fabric, tree->lid) & ~WEFT_ENDPORT;
}

bool weft__expect_counts(const struct weft__expect *x,
			 const struct weft__tree *tree)
{
	return counts(x, endport_of(x, tree));
}

/* Position of a channel that leaves switch s in its adjacency. */
static uint32_t position(const struct weft_fabric *f, uint32_t s,
			 uint32_t channel)
{
	const uint32_t *adj = f->adj + f->adj_first[s];
	uint32_t k = 0;

	while (adj[k] != channel)
		k++;
	return k;
}

static bool prepare_edges(struct weft__expect *x, struct weft_arena *arena)
{
	const struct weft_fabric *f = x->fabric;
	uint32_t nedges = f->adj_first[f->nsw];

	x->edge = weft__arena_alloc(arena, nedges, sizeof(*x->edge));
	x->harm = weft__arena_zalloc(arena, nedges, sizeof(*x->harm));
	if (!x->edge || !x->harm)
		return false;
	for (uint32_t e = 0; e < nedges; e++) {
		uint32_t head = f->peer[f->adj[e]];

		x->edge[e] = (struct weft__edge){
			.head = head,
			.entry = position(f, head, f->reverse[f->adj[e]]),
		};
	}
	return true;
}

static bool prepare_turns(struct weft__expect *x, struct weft_arena *arena)
{
	const struct weft_fabric *f = x->fabric;
	uint64_t n = 0, most = 0;

	x->first_turn = weft__arena_alloc(arena, f->nsw,
					  sizeof(*x->first_turn));
	if (!x->first_turn)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint64_t degree = f->adj_first[s + 1] - f->adj_first[s];

		x->first_turn[s] = n;
		n += degree * degree;
		most = degree > most ? degree : most;
	}
	x->nturns = n;
	x->turn = weft__arena_alloc(arena, n, sizeof(*x->turn));
	x->no_turn = weft__arena_zalloc(arena, most, sizeof(*x->no_turn));
	return x->turn && x->no_turn;
}

static bool prepare_cables(struct weft__expect *x, struct weft_arena *arena)
{
	const struct weft_fabric *f = x->fabric;

	x->unfolded = WEFT_NONE;
	x->cable = weft__arena_alloc(arena, f->adj_first[f->nsw],
				     sizeof(*x->cable));
	x->level = weft__arena_alloc(arena, f->nsw + 1ull, sizeof(*x->level));
	x->hops = weft__arena_alloc(arena, f->nsw, sizeof(*x->hops));
	x->best = weft__arena_alloc(arena, f->nsw, sizeof(*x->best));
	return x->cable && x->level && x->hops && x->best;
}

/* Rates beyond those that there is room for count as the last one. */
static uint32_t rate_of(const struct weft__expect *x, uint32_t endport)
{
	uint32_t mine = x->fabric->capacity[x->fabric->first_injection +
					    endport];
	uint32_t i = 0;

	while (i < x->nrates && x->rate[i] != mine)
		i++;
	return i < WEFT__RATES ? i : WEFT__RATES - 1;
}

static double slower(double a, double b)
{
	return a < b ? a : b;
}

/* What all endports can send on average to one of some rate. */
static void find_means(struct weft__expect *x)
{
	const struct weft_fabric *f = x->fabric;

	for (uint32_t r = 0; r < x->nrates; r++) {
		double sum = 0;

		for (uint32_t e = 0; e < f->nep; e++)
			sum += slower(f->capacity[f->first_injection + e],
				      x->rate[r]);
		x->mean[r] = sum / f->nep;
	}
}

static bool prepare_rates(struct weft__expect *x, struct weft_arena *arena)
{
	const struct weft_fabric *f = x->fabric;

	x->fastest = weft__arena_zalloc(arena, f->nsw, sizeof(*x->fastest));
	if (!x->fastest)
		return false;
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t mine = f->capacity[f->first_injection + e];
		uint32_t *most = &x->fastest[f->ep[e].sw];

		*most = mine > *most ? mine : *most;
		if (rate_of(x, e) == x->nrates)
			x->rate[x->nrates++] = mine;
	}
	find_means(x);
	x->rows = weft__arena_alloc(arena, (uint64_t)x->nrates *
				    f->adj_first[f->nsw], sizeof(*x->rows));
	return x->rows;
}

bool weft__expect_init(struct weft__expect *x, const struct weft_fabric *f,
		       struct weft_arena *arena, bool hosts_only)
{
	*x = (struct weft__expect){ .fabric = f, .hosts_only = hosts_only };
	x->tables = weft__arena_alloc(arena, 1, sizeof(*x->tables));
	x->way = weft__arena_zalloc(arena, f->nsw, sizeof(*x->way));
	x->sender = weft__arena_zalloc(arena, f->nsw, sizeof(*x->sender));
	x->sources = weft__arena_zalloc(arena, f->nsw, sizeof(*x->sources));
	x->busy = weft__arena_alloc(arena, f->nsw, sizeof(*x->busy));
	if (!x->tables || !x->way || !x->sender || !x->sources || !x->busy)
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		x->sources[f->ep[e].sw] += counts(x, e);
	return prepare_edges(x, arena) && prepare_turns(x, arena) &&
	       prepare_cables(x, arena) && prepare_rates(x, arena);
}

/* How much slower an edge of switch s is than streams to hosts of that rate:
 * those of its own hosts, or if it has none, of all on average. */
static double slowness(const struct weft__expect *x, uint32_t s, uint32_t e,
		       uint32_t rate)
{
	double streams = x->fastest[s] ?
		slower(x->fastest[s], x->rate[rate]) : x->mean[rate];

	return streams / x->fabric->capacity[x->fabric->adj[e]];
}

/* The number of a speed; those after the last that there is room for share its
 * number. */
static unsigned find_speed(struct weft__expect *x, double *speed, unsigned *n,
			   double slow)
{
	unsigned i = 0;

	while (i < *n && speed[i] != slow)
		i++;
	if (i == WEFT__SPEEDS)
		return i - 1;
	if (i == *n) {
		speed[(*n)++] = slow;
		weft__crowds_speed(x->tables, i, slow);
	}
	return i;
}

/* Finds each edge the rows of its speed, for each rate of destinations. */
static void sort_speeds(struct weft__expect *x)
{
	const uint32_t *first = x->fabric->adj_first;
	uint32_t *rows = x->rows;
	double speed[WEFT__SPEEDS];
	unsigned n = 0;

	for (uint32_t r = 0; r < x->nrates; r++)
		for (uint32_t s = 0; s < x->fabric->nsw; s++)
			for (uint32_t e = first[s]; e < first[s + 1]; e++)
				*rows++ = WEFT__CROWDS *
					find_speed(x, speed, &n,
						   slowness(x, s, e, r));
	x->at = WEFT_NONE;
}

void weft__expect_toward(struct weft__expect *x, const struct weft__tree *tree)
{
	uint32_t nedges = x->fabric->adj_first[x->fabric->nsw];
	uint32_t rate = rate_of(x, endport_of(x, tree));
	const uint32_t *rows = x->rows + (size_t)rate * nedges;

	if (rate == x->at)
		return;
	x->at = rate;
	for (uint32_t e = 0; e < nedges; e++)
		x->edge[e].rows = rows[e];
}

/* The most streams expected on an edge, and the largest congestion. */
static void find_most(const struct weft__expect *x, double *streams,
		      double *congestion)
{
	const uint32_t *first = x->fabric->adj_first;
	uint32_t rate = 0;

	*streams = *congestion = 0;
	for (uint32_t r = 1; r < x->nrates; r++)
		rate = x->rate[r] > x->rate[rate] ? r : rate;
	for (uint32_t s = 0; s < x->fabric->nsw; s++) {
		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			double here = x->edge[e].load * x->chance;
			double crowd = here * slowness(x, s, e, rate);

			*streams = here > *streams ? here : *streams;
			*congestion = crowd > *congestion ? crowd : *congestion;
		}
	}
}

static void make_tables(struct weft__expect *x)
{
	find_most(x, &x->most_streams, &x->most_congestion);
	weft__crowds_init(x->tables, x->most_streams, x->most_congestion);
	sort_speeds(x);
	x->crowds = x->chance / 4 * x->tables->crowds_per_stream *
		    (UINT64_C(1) << 32);
	x->streams = x->chance / 4 * x->tables->crowds_per_stream *
		     x->tables->bundles_per_crowd;
}

void weft__expect_ready(struct weft__expect *x, uint32_t nlids)
{
	/* Half of the hosts send, each to one of all others. */
	x->chance = 0.5 / (nlids > 1 ? nlids - 1 : 1);
	make_tables(x);
}

void weft__expect_renew(struct weft__expect *x)
{
	double streams, congestion;

	find_most(x, &streams, &congestion);
	if (streams > x->most_streams * WEFT__CROWDS_ROOM ||
	    congestion > x->most_congestion * WEFT__CROWDS_ROOM)
		make_tables(x);
}

/* What one more stream on each edge of a tree would cost the tree's own ones,
 * and what these are worth; farthest switches first. */
void weft__expect_sum(struct weft__expect *x, uint32_t root,
		      const uint8_t *choice)
{
	const uint32_t *first = x->fabric->adj_first;

	memset(x->sender[root].worth, 0, sizeof(x->sender[root].worth));
	for (uint32_t i = 0; i < x->nbusy; i++) {
		uint32_t s = x->busy[i], e = first[s] + choice[s];
		const struct weft__sender *from = &x->sender[s];
		struct weft__sender *head = &x->sender[x->edge[e].head];
		const int16_t *fall = x->tables->fall[from->crowd];
		uint64_t harm = 0;

#pragma GCC unroll 8
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			harm += (uint64_t)from->worth[k] * (uint16_t)fall[k];
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			head->worth[k] += from->worth[k];
		x->harm[e].fall += harm;
		x->harm[e].pairs += from->through;
	}
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		x->worth += x->sender[root].worth[k];
}

void weft__expect_weigh(struct weft__expect *x, const struct weft__plan *plan,
			const uint8_t *choice)
{
	weft__expect_follow(x, plan, choice, 0);
	weft__expect_start(x, plan->order[0]);
	for (uint32_t i = x->nbusy; i-- > 0;) {
		uint32_t s = x->busy[i];

		weft__expect_settle(x, s, choice[s], x->sender[s].through);
	}
	weft__expect_sum(x, plan->order[0], choice);
}

void weft__expect_reset(struct weft__expect *x)
{
	const struct weft_fabric *f = x->fabric;

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		x->edge[e].load = x->edge[e].uses = 0;
	memset(x->turn, 0, x->nturns * sizeof(*x->turn));
}

void weft__expect_load(struct weft__expect *x, const struct weft__plan *plan,
		       const uint8_t *choice)
{
	weft__expect_follow(x, plan, choice, 1);
}

void weft__expect_forget(struct weft__expect *x)
{
	uint32_t nedges = x->fabric->adj_first[x->fabric->nsw];

	memset(x->harm, 0, nedges * sizeof(*x->harm));
}

/* What a stream costs one of the pairs visited, on all edges together. */
static double mean_fall(const struct weft__expect *x)
{
	double fall = 0, pairs = 0;

	for (uint32_t e = 0; e < x->fabric->adj_first[x->fabric->nsw]; e++) {
		fall += x->harm[e].fall;
		pairs += x->harm[e].pairs;
	}
	return pairs ? fall / pairs : 0;
}

void weft__expect_prices(struct weft__expect *x)
{
	double mean = mean_fall(x);

	for (uint32_t e = 0; e < x->fabric->adj_first[x->fabric->nsw]; e++) {
		struct weft__edge *edge = &x->edge[e];
		struct weft__harm *harm = &x->harm[e];
		double fall = harm->pairs ? (double)harm->fall / harm->pairs :
			      edge->load ? mean : 0;
		double price = fall * x->streams;

		edge->price = price < UINT32_MAX ? price : UINT32_MAX;
		*harm = (struct weft__harm){ 0 };
	}
}
