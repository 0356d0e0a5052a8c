// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Moves the entries of a LID where that is cheaper; see ease.c. */
#include "loads/easing.h"

#include "core/grow.h"
#include "graph/bfs.h"
#include "loads/pairs.h"

#define LONGER 1	/* cables that a way may have more than the shortest */
#define TRIES 8		/* ways that are tried where lanes refuse some */
#define LEAST_GAIN 1e-4	/* share of the price of a way that a move saves */
#define LOOK_WORK 4	/* edges that a look at a switch counts for */

/* What so much more on a channel costs; (uint64_t)-n: less n. */
static double cost(const struct weft__easing *z, uint32_t channel, uint64_t more)
{
	return weft__ease_price(z, channel, more) - weft__ease_price(z, channel, 0);
}

static uint32_t channel_of(const struct weft__easing *z, uint32_t s)
{
	return weft_channel(z->f, s, z->column.port[s]);
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
		p = weft__ease_price(z, f->adj[i], 0) + z->price[to];
		if (p < z->price[s]) {
			z->price[s] = p;
			z->cheap[s] = f->adj[i] - f->first_channel[s];
		}
	}
	z->out->looked += f->adj_first[s + 1] - f->adj_first[s];
}

/* Finds the order of a column that was read or changed, and its loads. */
static void survey(struct weft__easing *z)
{
	struct weft__column *c = &z->column;

	weft__column_survey(c);
	weft__loads_spread(&z->loads, c);
	z->worst[c->root] = z->price[c->root] = z->longer[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];
		double own = weft__ease_share(z, channel_of(z, s), 0);
		double on = z->worst[c->next[s]];

		z->worst[s] = own > on ? own : on;
		z->longer[s] = c->hops[s] - z->shortest[s];
		z->cheap[s] = c->port[s];
		z->price[s] = weft__ease_price(z, channel_of(z, s), 0) +
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
static void find_lanes(struct weft__easing *z)
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
static double leave_way(struct weft__easing *z, uint32_t s, uint64_t passes)
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
		z->out->looked++;
	}
	z->out->looked++;
	return z->mark[v] != z->look || v == s ? least : z->saves[v] - costs;
}

/* Whether what passes s may leave by a channel: no way becomes too long. */
static bool may_take(const struct weft__easing *z, uint32_t s, uint32_t channel)
{
	const struct weft__column *c = &z->column;
	uint32_t hops = c->hops[z->f->peer[channel]] + 1;

	return channel != channel_of(z, s) && weft__ease_share(z, channel, 0) < 1 &&
	       (hops <= c->hops[s] ||
		hops - c->hops[s] + z->longer[s] <= LONGER);
}

/* Notes what an entry of the column was, and the level of its pair unless that
 * is the same still.  Returns false without memory. */
static bool note(struct weft__easing *z, uint32_t s, uint8_t port, uint8_t level)
{
	const struct weft__column *c = &z->column;

	z->err = weft__grow(&z->was, &z->room, z->nwas + 1);
	if (!z->err)
		z->was[z->nwas++] = (struct weft__was){
			s, c->root, c->lid, port, level,
		};
	return !z->err;
}

/* Whether no switch sends by s. */
static bool is_last(const struct weft__easing *z, uint32_t s)
{
	const struct weft_fabric *f = z->f;
	const struct weft__column *c = &z->column;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t from = f->peer[f->adj[i]];

		if (c->hops[from] != WEFT__FAR && from != c->root &&
		    channel_of(z, from) == f->reverse[f->adj[i]])
			return false;
	}
	return true;
}

/* Puts what s alone sends by its new way into another lane.  Returns the level it
 * had; WEFT__NO_LEVEL: there is no lane for it, or all stays as it is. */
static uint8_t change_lane(struct weft__easing *z, uint32_t s)
{
	const struct weft_layers *y = &z->routes->layers;
	const struct weft__column *c = &z->column;
	uint8_t level;

	if (!z->changes_lanes || y->form != WEFT_SL_SWITCH_PAIR ||
	    !is_last(z, s))
		return WEFT__NO_LEVEL;
	level = y->table[(size_t)s * y->nsw + c->root];
	if (!weft__pair_move(&z->loads, z->routes, c, s))
		return WEFT__NO_LEVEL;
	z->own_known = false;
	return level;
}

/* Has the entry at s, which so much passes, send by a port, if that closes no
 * cycle. */
static bool change(struct weft__easing *z, uint32_t s, uint8_t port,
		   uint64_t passes)
{
	struct weft__loads *t = &z->loads;
	struct weft__column *c = &z->column;
	uint8_t from = c->port[s];
	uint64_t work = t->order.work;
	uint8_t level = WEFT__NO_LEVEL;
	bool legal;

	weft__loads_add_way(t, c, s, -passes);
	c->port[s] = port;
	legal = weft__loads_allow_subtree(t, c, s);
	if (!legal) {
		level = change_lane(z, s);
		legal = level != WEFT__NO_LEVEL;
	}
	if (!legal || !note(z, s, from, level))
		c->port[s] = from;
	weft__loads_add_way(t, c, s, passes);
	weft_lft_row(z->lft, s)[c->lid] = c->port[s];
	c->next[s] = weft__column_next(c, s);
	z->passed &= !legal;
	z->out->looked += t->order.work - work;
	return legal;
}

/* Has the switches on the way from s that carry nothing send by their cheapest
 * ways, the nearest one first. */
static bool turn(struct weft__easing *z, uint32_t s)
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
static bool move(struct weft__easing *z, uint32_t s, uint32_t channel,
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
static bool move_best(struct weft__easing *z, uint32_t s)
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
static bool is_concerned(const struct weft__easing *z, unsigned lid)
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

void weft__ease_lid(struct weft__easing *z, unsigned lid)
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

		if (z->worst[s] < WEFT__EASE_HOT || !z->loads.through[s] ||
		    !move_best(z, s))
			continue;
		survey(z);
		z->moved_at = z->out->looked;

	}
}
