// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds cheaper ways for the entries of a LID; see ease.c. */
#include "loads/easing.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <errno.h>

#define LEAST_GAIN 1e-4	/* share of the price of a way that a move saves */
#define LOOK_WORK 4	/* edges that a look at a switch counts for */

#define CHANGED_COST 0.05	/* of an entry that changes anyway */
#define BETTER 1.1	/* what another entry must save at most, in relation to
			 * the best one, to be looked at */

struct tally {
	double cost;
	uint64_t entries;
};

int weft__ease_init(struct weft__easing *z, struct weft_arena *arena)
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
	z->turned = weft__arena_zalloc(arena, n, sizeof(*z->turned));
	z->channel_price = weft__arena_alloc(arena, z->f->nch + 1ull,
					     sizeof(*z->channel_price));
	z->is_hot = weft__arena_zalloc(arena, z->f->nch + 1ull,
				       sizeof(*z->is_hot));
	z->hot = weft__arena_alloc(arena, z->f->adj_first[z->f->nsw] + 1ull,
				   sizeof(*z->hot));
	z->known = WEFT_NONE;
	z->most_longer = WEFT__EASE_LONGER;
	return weft__column_init(&z->column, z->f, arena) &&
	       !weft__arena_failed(arena) ? 0 : -ENOMEM;
}

void weft__ease_begin(struct weft__easing *z, uint64_t peak, double level)
{
	const struct weft_fabric *f = z->f;

	z->unit = 1.0 / peak;
	z->level = level;
	z->nhot = 0;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];

		z->channel_price[ch] = weft__ease_price(z, ch, 0);
		z->is_hot[ch] = weft__ease_share(z, ch, 0) >= z->level;
		if (z->is_hot[ch])
			z->hot[z->nhot++] = ch;
	}
}

void weft__ease_reprice(struct weft__easing *z, uint32_t s)
{
	while (s != z->column.root) {
		uint32_t ch = weft_channel(z->f, s, z->column.port[s]);

		z->channel_price[ch] = weft__ease_price(z, ch, 0);
		if (z->costs && !z->is_hot[ch] &&
		    weft__ease_share(z, ch, 0) >= z->level) {
			z->is_hot[ch] = true;
			z->hot[z->nhot++] = ch;
		}
		s = z->f->peer[ch];
	}
}

/* What so much more on a channel costs; (uint64_t)-n: less n. */
static double cost(const struct weft__easing *z, uint32_t channel, uint64_t more)
{
	return weft__ease_price(z, channel, more) - z->channel_price[channel];
}

static uint32_t channel_of(const struct weft__easing *z, uint32_t s)
{
	return weft_channel(z->f, s, z->column.port[s]);
}

void weft__ease_read(struct weft__easing *z, unsigned lid)
{
	weft__column_read(&z->column, z->lft, lid);
	z->own_known = false;
}

/* Finds the cheapest way of a switch that carries nothing, to switches that are
 * nearer. */
static void find_cheap(struct weft__easing *z, uint32_t s)
{
	const struct weft__column *c = &z->column;
	const struct weft_fabric *f = z->f;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t to = f->peer[f->adj[i]];
		double p;

		if (c->hops[to] >= c->hops[s])
			continue;
		p = z->channel_price[f->adj[i]] + z->price[to];
		if (p < z->price[s]) {
			z->price[s] = p;
			z->cheap[s] = f->adj[i] - f->first_channel[s];
		}
	}
	z->looked += f->adj_first[s + 1] - f->adj_first[s];
}

void weft__ease_survey(struct weft__easing *z)
{
	struct weft__column *c = &z->column;

	weft__column_survey(c);
	weft__loads_spread(z->loads, c);
	z->worst[c->root] = z->price[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];
		double own = weft__ease_share(z, channel_of(z, s), 0);
		double on = z->worst[c->next[s]];

		z->worst[s] = own > on ? own : on;
		z->cheap[s] = c->port[s];
		z->price[s] = z->channel_price[channel_of(z, s)] +
			      z->price[c->next[s]];
		if (!z->costs && !z->loads->through[s])
			find_cheap(z, s);
	}
	z->passed = z->longer_known = false;
	z->nsurveys++;
	z->looked += LOOK_WORK * c->norder;
}

void weft__ease_shortest(struct weft__easing *z)
{
	if (z->known == z->column.root)
		return;
	weft__bfs(z->f, z->column.root, z->shortest, z->queue);
	z->looked += z->f->adj_first[z->f->nsw];
	z->known = z->column.root;
}

/* Finds by how much ways are longer than the shortest. */
static void find_longer(struct weft__easing *z)
{
	const struct weft__column *c = &z->column;

	if (z->longer_known)
		return;
	weft__ease_shortest(z);
	z->longer[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++)
		z->longer[c->order[i]] = c->hops[c->order[i]] -
					 z->shortest[c->order[i]];
	for (uint32_t i = c->norder; i--; ) {
		uint32_t s = c->order[i], to = c->next[s];

		if (z->longer[s] > z->longer[to])
			z->longer[to] = z->longer[s];
	}
	z->longer_known = true;
}

double weft__ease_leave(struct weft__easing *z, uint32_t s, uint64_t passes)
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
static double gain(struct weft__easing *z, uint32_t s, uint32_t channel,
		   uint64_t passes, double all, double least)
{
	uint32_t v = z->f->peer[channel];
	double costs = cost(z, channel, passes);

	while (z->mark[v] != z->look && all - costs > least) {
		channel = weft_channel(z->f, v, z->cheap[v]);
		costs += cost(z, channel, passes);
		v = z->f->peer[channel];
		z->looked++;
	}
	z->looked++;
	return z->mark[v] != z->look || v == s ? least : z->saves[v] - costs;
}

/* Whether what passes s may leave by a channel: no way becomes too long. */
static bool may_take(struct weft__easing *z, uint32_t s, uint32_t channel)
{
	const struct weft__column *c = &z->column;
	uint32_t hops = c->hops[z->f->peer[channel]] + 1;

	if (channel == channel_of(z, s) ||
	    weft__ease_share(z, channel, 0) >= 1 ||
	    weft__ease_is_refused(z, channel))
		return false;
	if (hops <= c->hops[s] || hops > c->hops[s] + z->most_longer)
		return hops <= c->hops[s];
	find_longer(z);
	return hops - c->hops[s] + z->longer[s] <= z->most_longer;
}

/* Counts an entry that changes. */
static void count(const struct weft__easing *z, uint32_t s, struct tally *t)
{
	const struct weft__blocks *b = z->costs->changed;
	bool fresh = !weft__blocks_has(b, s, z->column.lid);
	bool more = !weft__blocks_changes(b, s, z->column.lid);

	t->entries += more;
	t->cost += more ? 1 + fresh * z->costs->block : CHANGED_COST;
}

/* The same for those on the way from s that carry nothing and turn. */
static void count_turning(const struct weft__easing *z, uint32_t s,
			  struct tally *t)
{
	for (; z->mark[s] != z->look;
	     s = z->f->peer[weft_channel(z->f, s, z->cheap[s])])
		if (z->cheap[s] != z->column.port[s])
			count(z, s, t);
}

static bool can_pay(const struct weft__easing *z, const struct tally *t)
{
	return !z->costs || t->entries <= z->costs->entries;
}

/* Where entries cost something, switches that carry nothing turn only if their
 * way is hot. */
static void turn_if_hot(struct weft__easing *z, uint32_t s)
{
	if (z->loads->through[s] || z->worst[s] < z->level ||
	    z->turned[s] == z->nsurveys)
		return;
	z->turned[s] = z->nsurveys;
	find_cheap(z, s);
}

/* Whether a channel begins a way that is by so much cheaper now. */
static bool is_cheaper(struct weft__easing *z, uint32_t s, uint32_t channel,
		       double by)
{
	uint32_t to = z->f->peer[channel];
	double now = z->price[s] - z->channel_price[channel];

	if (now <= by)
		return false;
	turn_if_hot(z, to);
	return now - z->price[to] > by;
}

/* The same for one channel, where what begins there costs so much, and all of
 * the way that is left saves so much. */
static void look_at(struct weft__easing *z, uint32_t s, uint32_t channel,
		    struct tally t, double all, struct weft__ease_move *best)
{
	double least = all * LEAST_GAIN, saves;

	if (best->worth * t.cost > least)
		least = best->worth * t.cost;
	saves = gain(z, s, channel, weft__ease_passes(z, s), all, least);
	if (saves <= least)
		return;
	if (z->costs)
		count_turning(z, z->f->peer[channel], &t);
	if (can_pay(z, &t) && saves > best->worth * t.cost)
		*best = (struct weft__ease_move){ saves / t.cost, s, channel };
}

void weft__ease_look(struct weft__easing *z, uint32_t s,
		     struct weft__ease_move *best)
{
	const struct weft_fabric *f = z->f;
	struct tally t = { .cost = z->costs ? 0 : 1 };
	double all;

	if (z->costs)
		count(z, s, &t);
	if (z->price[s] <= best->worth * t.cost || !can_pay(z, &t))
		return;
	all = weft__ease_leave(z, s, weft__ease_passes(z, s));
	if (all <= best->worth * t.cost * BETTER)
		return;
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		if (all > best->worth * t.cost && may_take(z, s, f->adj[i]) &&
		    (!z->costs ||
		     is_cheaper(z, s, f->adj[i], best->worth * t.cost)))
			look_at(z, s, f->adj[i], t, all, best);
}
