// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What streams expect of each other; see expect.h, and improve.c for why. */
#include "trees/expect.h"

#include "core/arena.h"

#include <string.h>

#define LEGAL (INT64_C(1) << 57)	/* above all differences of worth */

static bool counts(const struct weft__expect *x, uint32_t endport)
{
	return !x->hosts_only || x->fabric->ep[endport].kind == WEFT_HOST;
}

bool weft__expect_counts(const struct weft__expect *x,
			 const struct weft__tree *tree)
{
	return counts(x, weft_lid_owner(x->fabric, tree->lid) & ~WEFT_ENDPORT);
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

	x->edge = weft__arena_zalloc(arena, nedges, sizeof(*x->edge));
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
	x->turn = weft__arena_zalloc(arena, n, sizeof(*x->turn));
	x->radix = most;
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

bool weft__expect_init(struct weft__expect *x, const struct weft_fabric *f,
		       struct weft_arena *arena, bool hosts_only)
{
	*x = (struct weft__expect){ .fabric = f, .hosts_only = hosts_only };
	x->tables = weft__arena_alloc(arena, 1, sizeof(*x->tables));
	x->way = weft__arena_zalloc(arena, f->nsw, sizeof(*x->way));
	x->sender = weft__arena_zalloc(arena, f->nsw, sizeof(*x->sender));
	x->sources = weft__arena_zalloc(arena, f->nsw, sizeof(*x->sources));
	if (!x->tables || !x->way || !x->sender || !x->sources)
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		x->sources[f->ep[e].sw] += counts(x, e);
	return prepare_edges(x, arena) && prepare_turns(x, arena) &&
	       prepare_cables(x, arena);
}

/* The turns from each edge that enters a switch into one that leaves it. */
static inline uint32_t *turns_into(const struct weft__expect *x, uint32_t s,
				   uint32_t k)
{
	uint32_t degree = x->fabric->adj_first[s + 1] - x->fabric->adj_first[s];

	return x->turn + x->first_turn[s] + (size_t)k * degree;
}

/* Farthest switches first. */
void weft__expect_load(struct weft__expect *x, const struct weft__plan *plan,
		       const uint8_t *choice, uint32_t sign)
{
	const uint32_t *first = x->fabric->adj_first;
	struct weft__sender *sender = x->sender;
	uint32_t root = plan->order[0];

	for (uint32_t i = 0; i <= plan->n; i++)
		sender[plan->order[i]].through = x->sources[plan->order[i]];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		struct weft__edge *e = &x->edge[first[s] + choice[s]];
		uint32_t h = e->head, through = sender[s].through;

		e->load += sign * through;
		e->uses += sign;
		if (h != root)
			turns_into(x, h, choice[h])[e->entry] +=
				sign * through;
		sender[h].through += through;
		sender[s].own = through ? x->sources[s] * UINT16_MAX / through :
			0;
	}
}

/* What most endports send: of capacities that are equally common the largest;
 * of a few capacities, for others do not occur. */
static uint32_t host_capacity(const struct weft_fabric *f)
{
	uint32_t capacity[WEFT__SPEEDS], count[WEFT__SPEEDS], n = 0, best = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t mine = f->capacity[f->first_injection + e], i = 0;

		while (i < n && capacity[i] != mine)
			i++;
		if (i == WEFT__SPEEDS)
			continue;
		if (i == n) {
			capacity[n] = mine;
			count[n++] = 0;
		}
		count[i]++;
	}
	for (uint32_t i = 1; i < n; i++)
		if (count[i] > count[best] || (count[i] == count[best] &&
					       capacity[i] > capacity[best]))
			best = i;
	return n ? capacity[best] : 0;
}

/* How much slower an edge is than a host. */
static double slowness(const struct weft_fabric *f, uint32_t e, uint32_t host)
{
	uint32_t capacity = f->capacity[f->adj[e]];

	return host && capacity ? (double)host / capacity : 1;
}

/* Gives each edge the rows of its speed; speeds after the last that there is
 * room for share its rows. */
static void sort_speeds(struct weft__expect *x, uint32_t host)
{
	double speed[WEFT__SPEEDS];
	unsigned n = 0, i;

	for (uint32_t e = 0; e < x->fabric->adj_first[x->fabric->nsw]; e++) {
		double slow = slowness(x->fabric, e, host);

		for (i = 0; i < n && speed[i] != slow; i++)
			;
		if (i == WEFT__SPEEDS)
			i--;
		if (i == n) {
			speed[n++] = slow;
			weft__crowds_speed(x->tables, i, slow);
		}
		x->edge[e].rows = i * WEFT__CROWDS;
	}
}

void weft__expect_ready(struct weft__expect *x, uint32_t nlids)
{
	/* Half of the hosts send, each to one of all others. */
	double chance = 0.5 / (nlids > 1 ? nlids - 1 : 1);
	uint32_t host = host_capacity(x->fabric);
	double streams = 0, congestion = 0;

	for (uint32_t e = 0; e < x->fabric->adj_first[x->fabric->nsw]; e++) {
		double slow = slowness(x->fabric, e, host);
		double here = x->edge[e].load * chance;

		if (here > streams)
			streams = here;
		if (slow * here > congestion)
			congestion = slow * here;
	}
	weft__crowds_init(x->tables, streams, congestion);
	sort_speeds(x, host);
	x->crowds = chance / 4 * x->tables->crowds_per_stream *
		    (UINT64_C(1) << 32);
	x->streams = chance / 4 * x->tables->crowds_per_stream *
		     x->tables->bundles_per_crowd;
}

/*
 * Quarters of the pairs that a stream meets on an edge, but not of those it
 * meets on the next one, too: whose streams go on together meet once.  (Three
 * quarters of these are left out, not all: the larger crowd may be on the next
 * edge.)  A source's other pairs are left out as well.
 */
static inline uint32_t fresh(const struct weft__edge *e,
			     const struct weft__rest *head, uint32_t own)
{
	uint32_t met = 3 * head->turn[e->entry] + (e->uses * own >> 14);

	return 4 * e->load > met ? 4 * e->load - met : 0;
}

static inline uint32_t crowd(const struct weft__expect *x,
			     const struct weft__edge *e, uint32_t quarters)
{
	uint64_t row = x->crowds * quarters >> 32;

	return e->rows + (row < WEFT__CROWDS ? row : WEFT__CROWDS - 1);
}

/* Lists the cables of a plan, level by level of hops. */
static void unfold(struct weft__expect *x, const struct weft__plan *plan)
{
	const uint32_t *first = x->fabric->adj_first;
	const struct weft__run *run = plan->run;
	struct weft__cable *cable = x->cable;

	x->hops[plan->order[0]] = 0;
	x->nlevels = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];
		const struct weft__cable *mine = cable;

		for (unsigned n = plan->nruns[i]; n; n--, run++) {
			for (unsigned k = 0; k < run->length; k++) {
				unsigned position = run->start + k;
				uint32_t e = first[s] + position;

				*cable = (struct weft__cable){
					.edge = e, .head = x->edge[e].head,
					.sw = s, .position = position,
					.fresh = cable == mine,
				};
				cable++;
			}
		}
		x->hops[s] = x->hops[mine->head] + 1;
		if (x->hops[s] > x->nlevels)
			x->level[x->nlevels++] = (struct weft__level){
				.sw = i + 1, .cable = mine - x->cable,
			};
	}
	x->level[x->nlevels] = (struct weft__level){
		.sw = plan->n + 1, .cable = cable - x->cable,
	};
	x->unfolded = plan->order[0];
}

/*
 * The kernel: which cable of each switch of a level serves its streams best,
 * less what they cost others.  Below its worth are a bit for the cable taken so
 * far and a byte for its position, the lower the better, so that the maximum of
 * a switch, best[], finds the cable without a branch: how many cables switches
 * have, and which is best, no processor predicts.
 */
static void weigh_cables(const struct weft__expect *x,
			 const struct weft__level *level, const uint8_t *choice,
			 const int32_t *noise)
{
	const struct weft__cable *cable = x->cable;
	const struct weft__edge *edge = x->edge;
	const struct weft__rest *way = x->way;
	int64_t *best = x->best, most = INT64_MIN;
	uint32_t end = level[1].cable;

	for (uint32_t c = level->cable; c < end; c++) {
		const struct weft__edge *e = &edge[cable[c].edge];
		const struct weft__rest *head = &way[cable[c].head];
		uint32_t s = cable[c].sw, k = cable[c].position;
		uint32_t quarters = fresh(e, head, x->sender[s].own);
		int64_t worth;

		worth = weft__crowds_worth(
			x->tables->chance[crowd(x, e, quarters)], head->gain);
		worth -= head->price + (int64_t)e->price * quarters;
		worth += noise[c % WEFT__NOISE];
		worth = worth * 512 + (k == choice[s]) * 256 + (255 - k);
		if (x->legal)
			worth += LEGAL * weft__legal_rank(x->legal, s,
							  cable[c].edge,
							  cable[c].head);
		most = cable[c].fresh ? INT64_MIN : most;
		most = worth > most ? worth : most;
		best[s] = most;
	}
}

/* A switch's way by the edge it takes, and what its own streams are worth. */
static inline void settle(struct weft__expect *x, uint32_t s, uint32_t choice)
{
	const struct weft__edge *e = &x->edge[x->fabric->adj_first[s] + choice];
	const struct weft__rest *head = &x->way[e->head];
	struct weft__sender *sender = &x->sender[s];
	uint32_t quarters = fresh(e, head, sender->own);
	struct weft__rest *way = &x->way[s];
	int16_t gain[WEFT__LEVELS], sources = x->sources[s];
	const int16_t *chance;

	sender->crowd = crowd(x, e, quarters);
	sender->through = x->sources[s];
	chance = x->tables->chance[sender->crowd];
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		gain[k] = (head->gain[k] * chance[k] + (1 << 14)) >> 15;
	memcpy(way->gain, gain, sizeof(gain));
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		sender->worth[k] = sources * gain[k];
	way->price = head->price + (int64_t)e->price * quarters;
	way->turn = turns_into(x, s, choice);
}

/* Adds the loads of a tree that is settled, what one more stream on each edge
 * would cost the tree's own ones, and what these are worth; farthest switches
 * first. */
static void join(struct weft__expect *x, const struct weft__plan *plan,
		 const uint8_t *choice)
{
	const uint32_t *first = x->fabric->adj_first;
	const struct weft__sender *root = &x->sender[plan->order[0]];

	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		const struct weft__sender *from = &x->sender[s];
		struct weft__edge *e = &x->edge[first[s] + choice[s]];
		struct weft__sender *head = &x->sender[e->head];
		const int16_t *fall = x->tables->fall[from->crowd];
		uint64_t harm = 0;

#pragma GCC unroll 8
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			harm += (uint64_t)from->worth[k] * (uint16_t)fall[k];
		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			head->worth[k] += from->worth[k];
		x->harm[first[s] + choice[s]] += harm;
		e->load += from->through;
		e->uses++;
		x->way[e->head].turn[e->entry] += from->through;
		head->through += from->through;
	}
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		x->worth += root->worth[k];
}

/* Takes the best cables of a level; returns how many choices changed. */
static uint32_t take_best(struct weft__expect *x, const uint32_t *sw, uint32_t n,
			  uint8_t *choice)
{
	uint32_t changed = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = sw[i], e = x->fabric->adj_first[s];
		uint8_t k = ~x->best[s];

		changed += k != choice[s];
		choice[s] = k;
		settle(x, s, k);
		if (x->legal)
			weft__legal_take(x->legal, s, e + k,
					 x->edge[e + k].head);
	}
	return changed;
}

/* Chooses a tree anew; returns how many choices changed. */
static uint32_t choose(struct weft__expect *x, const struct weft__plan *plan,
		       uint8_t *choice, const int32_t *noise)
{
	uint32_t changed = 0;

	if (x->unfolded != plan->order[0])
		unfold(x, plan);
	if (x->legal)
		weft__legal_start(x->legal, plan->order[0]);
	for (const struct weft__level *l = x->level;
	     l < x->level + x->nlevels; l++) {
		weigh_cables(x, l, choice, noise);
		changed += take_best(x, plan->order + l->sw, l[1].sw - l->sw,
				     choice);
	}
	return changed;
}

uint32_t weft__expect_visit(struct weft__expect *x,
			    const struct weft__plan *plan, uint8_t *choice,
			    const int32_t *noise)
{
	uint32_t root = plan->order[0], changed = 0;
	struct weft__rest *end = &x->way[root];

	weft__expect_load(x, plan, choice, -UINT32_C(1));
	*end = (struct weft__rest){ .turn = x->no_turn };
	memcpy(end->gain, x->tables->gain, sizeof(end->gain));
	memset(x->sender[root].worth, 0, sizeof(x->sender[root].worth));
	if (noise)
		changed = choose(x, plan, choice, noise);
	else
		for (uint32_t i = 1; i <= plan->n; i++)
			settle(x, plan->order[i], choice[plan->order[i]]);
	join(x, plan, choice);
	memset(x->no_turn, 0, x->radix * sizeof(*x->no_turn));
	return changed;
}

void weft__expect_prices(struct weft__expect *x)
{
	for (uint32_t e = 0; e < x->fabric->adj_first[x->fabric->nsw]; e++) {
		struct weft__edge *edge = &x->edge[e];
		double price = edge->load ? (double)x->harm[e] / edge->load *
					    x->streams : 0;

		edge->price = price < UINT32_MAX ? price : UINT32_MAX;
		x->harm[e] = 0;
	}
}
