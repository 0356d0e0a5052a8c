// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: easing loads by prices
 *
 * What all-to-all traffic gets is decided by the most loaded channel.  How much
 * that can fall is a question of flows: among flows that may split, the best
 * ones follow shortest ways where each channel has a price that rises
 * exponentially with its load (Garg and Konemann, "Faster and Simpler
 * Algorithms for Multicommodity Flow", 1998).  Tables cannot split flows, but
 * the prices tell the same for them (Aspnes, Azar, Fiat, Plotkin and Waarts,
 * "On-line Routing of Virtual Circuits", 1997): an entry whose traffic is
 * cheaper by another way moves there.  The sum of prices falls with every move,
 * so that moves end.  Here a price is a high power of the load, which is close
 * to the exponential near the peak, and nearly nothing elsewhere: what does not
 * pass a hot channel stays as it is, and with it what is good for other traffic.
 *
 * Where all ways to an owner meet early, the switches nearby that carry nothing
 * lead to the same hot channel.  So these are taken to send by their cheapest
 * way, and do so as soon as an entry moves there.
 *
 * A way may be one cable longer than the shortest.  It must close no cycle among
 * the dependencies of the lanes of all pairs that take it; dependencies of ways
 * that were left stay in the graph, which is safe, and costs nothing.
 *
 * Rounds go through the LIDs that hot channels carry.  They end when the sum of
 * prices hardly falls any more.  What was moved after the peak fell last is moved
 * back then, as it gains nothing.
 */
#include "loads/ease.h"

#include "core/arena.h"
#include "core/grow.h"
#include "graph/bfs.h"
#include "loads/gather.h"

#include <errno.h>
#include <stdlib.h>

#define DOUBLINGS 6	/* the price is the load to the power of two to so
			 * many, */
#define HOT 0.95	/* and channels from this share of the peak on are hot */
#define LONGER 1	/* cables that a way may have more than the shortest */
#define TRIES 3		/* ways that are tried where lanes refuse some */
#define LEAST_GAIN 1e-4	/* share of the price of a way that a move saves */
#define STALE 2		/* rounds in which the prices may hardly fall */
#define FALL 0.02	/* share by which they should */
#define PATIENCE 8	/* part of the work after which nothing moves any more,
			 * if nothing did */
#define LOOK_WORK 4	/* edges that a look at a switch counts for, */
#define GATHER_WORK 12	/* and one at an entry and its lanes */

struct easing {
	const struct weft_fabric *f;
	struct weft_lft *lft;
	struct weft__loads loads;
	struct weft__column column;
	uint16_t *shortest;	/* [nsw] cables to the root, at least */
	uint32_t *queue;	/* [nsw] scratch */
	uint32_t known;		/* root that shortest[] is for */
	uint16_t *own;		/* [nsw] lanes that switches send in, */
	bool own_known, passed;	/* for this column; and what passes them */
	uint8_t *cheap;		/* [nsw] port that a switch sends by, or one that
				 * carries nothing would best send by */
	double *price;		/* [nsw] of the way from there by these */
	double *worst;		/* [nsw] highest load of the way from there */
	uint16_t *longer;	/* [nsw] cables that ways through there have more
				 * than the shortest, at most */
	double *saves;		/* [nsw] what leaving the way saves up to there */
	uint32_t *mark;		/* [nsw] look in which it was on the way */
	uint32_t look;
	uint32_t *hot;		/* [nhot] channels that were hot when the round
				 * began */
	uint32_t nhot;
	double unit;		/* 1 / peak */
	struct was {
		uint32_t sw;
		uint16_t lid;
		uint8_t port;
	} *was;			/* [nwas] entries that moved, what they were */
	size_t nwas, room;
	int err;
	const struct weft__ease_spec *spec;
	uint64_t moved_at;	/* looked when an entry moved last */
	struct weft__eased *out;
};

/* The load of a channel as a share of the peak, with that much more. */
static double share(const struct easing *z, uint32_t channel, uint64_t more)
{
	return (double)(z->loads.load[channel] + more) *
	       z->loads.scale[channel] * z->unit;
}

/* The price of a channel with so much more load. */
static double price(const struct easing *z, uint32_t channel, uint64_t more)
{
	double p = share(z, channel, more);

	for (unsigned i = 0; i < DOUBLINGS; i++)
		p *= p;
	return p;
}

/* What so much more on a channel costs; (uint64_t)-n: less n. */
static double cost(const struct easing *z, uint32_t channel, uint64_t more)
{
	return price(z, channel, more) - price(z, channel, 0);
}

static uint32_t channel_of(const struct easing *z, uint32_t s)
{
	return weft_channel(z->f, s, z->column.port[s]);
}

/* Finds the cheapest way of a switch that carries nothing, to switches that are
 * nearer. */
static void find_cheap(struct easing *z, uint32_t s)
{
	const struct weft__column *c = &z->column;
	const struct weft_fabric *f = z->f;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t to = f->peer[f->adj[i]];
		double p;

		if (c->hops[to] >= c->hops[s])
			continue;
		p = price(z, f->adj[i], 0) + z->price[to];
		if (p < z->price[s]) {
			z->price[s] = p;
			z->cheap[s] = f->adj[i] - f->first_channel[s];
		}
	}
	z->out->looked += f->adj_first[s + 1] - f->adj_first[s];
}

/* Finds the order of a column that was read or changed, and its loads. */
static void survey(struct easing *z)
{
	struct weft__column *c = &z->column;

	weft__column_survey(c);
	weft__loads_spread(&z->loads, c);
	z->worst[c->root] = z->price[c->root] = z->longer[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];
		double own = share(z, channel_of(z, s), 0);
		double on = z->worst[c->next[s]];

		z->worst[s] = own > on ? own : on;
		z->longer[s] = c->hops[s] - z->shortest[s];
		z->cheap[s] = c->port[s];
		z->price[s] = price(z, channel_of(z, s), 0) +
			      z->price[c->next[s]];
		if (!z->loads.through[s])
			find_cheap(z, s);
	}
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];

		if (z->longer[s] > z->longer[to])
			z->longer[to] = z->longer[s];
	}
	z->passed = false;
	z->out->looked += LOOK_WORK * c->norder;
}

/* Finds in which lanes what passes each switch is. */
static void find_lanes(struct easing *z)
{
	const struct weft__column *c = &z->column;

	for (uint32_t s = 0; !z->own_known && s < z->f->nsw; s++)
		z->own[s] = weft__loads_own_lanes(&z->loads, c, s);
	if (!z->passed)
		weft__loads_pass_lanes(&z->loads, c, z->own);
	z->out->looked += (!z->own_known * 2 + !z->passed) * c->norder;
	z->own_known = z->passed = true;
}

/* Finds what it saves to leave the way from s, up to each switch on it.  Returns
 * what leaving all of it does. */
static double leave_way(struct easing *z, uint32_t s, uint64_t passes)
{
	const struct weft__column *c = &z->column;
	double sum = 0;

	z->look++;
	for (; s != c->root; s = c->next[s]) {
		z->mark[s] = z->look;
		z->saves[s] = sum;
		sum -= cost(z, channel_of(z, s), -passes);
	}
	z->mark[s] = z->look;
	z->saves[s] = sum;
	return sum;
}

/* Returns what is saved if what passes s leaves by a channel instead; at most
 * least, or less, if that is not more. */
static double gain(struct easing *z, uint32_t s, uint32_t channel,
		   uint64_t passes, double all, double least)
{
	uint32_t v = z->f->peer[channel];
	double costs = cost(z, channel, passes);

	while (z->mark[v] != z->look && all - costs > least) {
		channel = weft_channel(z->f, v, z->cheap[v]);
		costs += cost(z, channel, passes);
		v = z->f->peer[channel];
		z->out->looked++;
	}
	z->out->looked++;
	return z->mark[v] != z->look || v == s ? least : z->saves[v] - costs;
}

/* Whether what passes s may leave by a channel: no way becomes too long. */
static bool may_take(const struct easing *z, uint32_t s, uint32_t channel)
{
	const struct weft__column *c = &z->column;
	uint32_t hops = c->hops[z->f->peer[channel]] + 1;

	return channel != channel_of(z, s) && share(z, channel, 0) < 1 &&
	       (hops <= c->hops[s] ||
		hops - c->hops[s] + z->longer[s] <= LONGER);
}

/* Notes what an entry of the column was.  Returns false without memory. */
static bool note(struct easing *z, uint32_t s, uint8_t port)
{
	z->err = weft__grow(&z->was, &z->room, z->nwas + 1);
	if (!z->err)
		z->was[z->nwas++] = (struct was){ s, z->column.lid, port };
	return !z->err;
}

/* Moves entries back, all but the first n. */
static void move_back(struct easing *z, size_t n)
{
	for (; z->nwas > n; z->nwas--) {
		const struct was *was = &z->was[z->nwas - 1];

		weft_lft_row(z->lft, was->sw)[was->lid] = was->port;
	}
}

/* Has the entry at s, which so much passes, send by a port, if that closes no
 * cycle. */
static bool change(struct easing *z, uint32_t s, uint8_t port, uint64_t passes)
{
	struct weft__loads *t = &z->loads;
	struct weft__column *c = &z->column;
	uint8_t from = c->port[s];
	uint64_t work = t->order.work;
	bool legal;

	weft__loads_add_way(t, c, s, -passes);
	c->port[s] = port;
	legal = weft__loads_allow_subtree(t, c, s) && note(z, s, from);
	if (!legal)
		c->port[s] = from;
	weft__loads_add_way(t, c, s, passes);
	weft_lft_row(z->lft, s)[c->lid] = c->port[s];
	c->next[s] = weft__column_next(c, s);
	z->passed = false;
	z->out->looked += t->order.work - work;
	return legal;
}

/* Has the switches on the way from s that carry nothing send by their cheapest
 * ways, the nearest one first. */
static bool turn(struct easing *z, uint32_t s)
{
	struct weft__column *c = &z->column;
	uint32_t n = 0;

	for (; z->mark[s] != z->look;
	     s = z->f->peer[weft_channel(z->f, s, z->cheap[s])])
		if (z->cheap[s] != c->port[s])
			z->queue[n++] = s;
	while (n--)
		if (!change(z, z->queue[n], z->cheap[z->queue[n]], 0))
			return false;
	return true;
}

/* Has the entry at s send by a channel, if that closes no cycle. */
static bool move(struct easing *z, uint32_t s, uint32_t channel,
		 uint64_t passes)
{
	return turn(z, z->f->peer[channel]) &&
	       change(z, s, channel - z->f->first_channel[s], passes);
}

static bool is_in(const uint32_t *list, unsigned n, uint32_t channel)
{
	while (n)
		if (list[--n] == channel)
			return true;
	return false;
}

/* Moves the entry at s to the way that saves most, if one does. */
static bool move_best(struct easing *z, uint32_t s)
{
	const struct weft_fabric *f = z->f;
	uint64_t passes = z->loads.through[s] *
		weft__loads_weight(&z->loads, &z->column);
	uint32_t tried[TRIES];
	double all = leave_way(z, s, passes);

	for (unsigned n = 0; n < TRIES; n++) {
		double most = all * LEAST_GAIN;
		uint32_t best = WEFT_NONE;

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			double saved;

			if (!may_take(z, s, f->adj[i]) ||
			    is_in(tried, n, f->adj[i]))
				continue;
			saved = gain(z, s, f->adj[i], passes, all, most);
			if (saved > most) {
				most = saved;
				best = f->adj[i];
			}
		}
		if (best == WEFT_NONE)
			return false;
		find_lanes(z);
		if (move(z, s, best, passes))
			return true;
		tried[n] = best;
	}
	return false;
}

/* Whether a channel that was hot carries a LID. */
static bool is_concerned(const struct easing *z, unsigned lid)
{
	const struct weft_fabric *f = z->f;

	for (uint32_t i = 0; i < z->nhot; i++) {
		uint32_t tail = f->peer[f->reverse[z->hot[i]]];

		if (weft_lft_get(z->lft, tail, lid) ==
		    z->hot[i] - f->first_channel[tail])
			return true;
	}
	return false;
}

/* Moves entries of a LID, those farthest from its owner first, as least passes
 * them; after a move others may move again. */
static void ease_lid(struct easing *z, unsigned lid)
{
	struct weft__column *c = &z->column;

	z->out->looked += z->nhot / 4 + 1;
	if (!is_concerned(z, lid))
		return;
	weft__column_read(c, z->lft, lid);
	z->own_known = false;
	if (z->known != c->root) {
		weft__bfs(z->f, c->root, z->shortest, z->queue);
		z->out->looked += z->f->adj_first[z->f->nsw];
		z->known = c->root;
	}
	survey(z);
	for (uint32_t i = c->norder; i-- && z->out->looked < z->spec->work; ) {
		uint32_t s = c->order[i];

		if (z->worst[s] < HOT || !z->loads.through[s] ||
		    !move_best(z, s))
			continue;
		survey(z);
		z->moved_at = z->out->looked;
		i = c->norder;
	}
}

static uint64_t find_peak(const struct easing *z)
{
	uint64_t peak = 0;

	for (uint32_t i = 0; i < z->f->adj_first[z->f->nsw]; i++) {
		uint32_t channel = z->f->adj[i];
		uint64_t load = z->loads.load[channel] *
				z->loads.scale[channel];

		peak = load > peak ? load : peak;
	}
	return peak;
}

/* The load of the busiest host link, in the same unit: with a lower peak nothing
 * is faster. */
static uint64_t host_load(const struct easing *z)
{
	const struct weft_fabric *f = z->f;
	uint64_t all = 0, most = 0, fastest = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		all += z->loads.hosts[s];
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (f->capacity[f->adj[i]] > fastest)
			fastest = f->capacity[f->adj[i]];
	for (uint32_t e = 0; e < f->nep; e++) {
		uint64_t rate = f->capacity[f->first_injection + e];
		uint64_t load = weft__lid_weight(f, f->ep[e].lid) * all * 16 *
				fastest / (rate ? rate : 1);

		most = load > most ? load : most;
	}
	return most;
}

/* Begins a round: prices are in relation to the peak. */
static void begin_round(struct easing *z, uint64_t peak)
{
	const struct weft_fabric *f = z->f;

	z->unit = 1.0 / peak;
	z->nhot = 0;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (share(z, f->adj[i], 0) >= HOT)
			z->hot[z->nhot++] = f->adj[i];
}

/* Returns the sum of all prices. */
static double sum_prices(const struct easing *z)
{
	const struct weft_fabric *f = z->f;
	double sum = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		sum += price(z, f->adj[i], 0);
	return sum;
}

/* Whether there is work left, and hope. */
static bool goes_on(const struct easing *z)
{
	return !z->err && z->out->looked < z->spec->work &&
	       z->out->looked - z->moved_at < z->spec->work / PATIENCE;
}

static bool may_change(const struct easing *z, unsigned lid)
{
	uint32_t owner = weft_lid_owner(z->f, lid);

	return weft_is_endport(owner) &&
	       (!z->spec->keep_base || z->f->ep[owner & ~WEFT_ENDPORT].lid != lid);
}

/* Goes through all LIDs once.  Returns by what share the prices fall. */
static double run_round(struct easing *z, uint64_t peak)
{
	const struct weft_fabric *f = z->f;
	double before;

	begin_round(z, peak);
	before = sum_prices(z);
	for (unsigned lid = 1; lid <= f->max_lid && goes_on(z); lid++)
		if (may_change(z, lid))
			ease_lid(z, lid);
	return 1 - sum_prices(z) / before;
}

static void run_rounds(struct easing *z)
{
	uint64_t least = host_load(z), peak = find_peak(z), lowest = peak;
	unsigned stale = 0, falls = 0;
	size_t gained = 0;

	z->moved_at = z->out->looked;
	while (falls < z->spec->falls && stale < STALE && peak > least &&
	       goes_on(z)) {
		stale = run_round(z, peak) < FALL ? stale + 1 : 0;
		peak = find_peak(z);
		if (peak < lowest) {
			lowest = peak;
			gained = z->nwas;
			falls++;
		}
	}
	move_back(z, gained);
	z->out->moved = gained;
}

static int make_room(struct easing *z, struct weft_arena *arena)
{
	size_t n = z->f->nsw + 1ull;

	z->shortest = weft__arena_alloc(arena, n, sizeof(*z->shortest));
	z->queue = weft__arena_alloc(arena, n, sizeof(*z->queue));
	z->own = weft__arena_alloc(arena, n, sizeof(*z->own));
	z->cheap = weft__arena_zalloc(arena, n, sizeof(*z->cheap));
	z->longer = weft__arena_alloc(arena, n, sizeof(*z->longer));
	z->price = weft__arena_zalloc(arena, n, sizeof(*z->price));
	z->worst = weft__arena_alloc(arena, n, sizeof(*z->worst));
	z->saves = weft__arena_alloc(arena, n, sizeof(*z->saves));
	z->mark = weft__arena_zalloc(arena, n, sizeof(*z->mark));
	z->hot = weft__arena_alloc(arena, z->f->adj_first[z->f->nsw] + 1ull,
				   sizeof(*z->hot));
	z->known = WEFT_NONE;
	return weft__column_init(&z->column, z->f, arena) &&
	       !weft__arena_failed(arena) ? 0 : -ENOMEM;
}

/* Finds the loads and eases them. */
static int ease(struct easing *z, const struct weft_layers *layers,
		struct weft_arena *arena)
{
	bool *lost = weft__arena_zalloc(arena, z->f->max_lid + 1ull,
					sizeof(*lost));
	int err = make_room(z, arena);

	if (!err)
		err = weft__loads_init(&z->loads, z->f, layers, 1, arena);
	if (!err)
		err = weft__gather(&z->loads, z->lft, lost);
	z->loads.varied = true;
	z->out->looked += weft__ease_least(z->f);
	if (!err && z->loads.map.uniform && z->loads.kinds == WEFT__KINDS)
		run_rounds(z);
	weft__loads_free(&z->loads);
	free(z->was);
	return err ? err : z->err;
}

uint64_t weft__ease_least(const struct weft_fabric *f)
{
	return (uint64_t)GATHER_WORK * f->max_lid * f->nsw;
}

int weft__ease(const struct weft_fabric *f, struct weft_routes *routes,
	       const struct weft__ease_spec *spec, struct weft__eased *out)
{
	struct easing z = {
		.f = f, .lft = &routes->lft, .spec = spec, .out = out,
	};
	struct weft_arena *arena;
	int err = -ENOMEM;

	*out = (struct weft__eased){ 0 };
	if (spec->work < weft__ease_least(f))
		return 0;
	arena = weft__arena_new();
	if (arena)
		err = ease(&z, &routes->layers, arena);
	weft__arena_free(arena);
	return err;
}
