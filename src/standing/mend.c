// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mends trees; see mend.h. */
#include "standing/mend.h"

#include "loads/pairs.h"

#include <string.h>

/* How good a way is: less is better. */
struct burden {
	unsigned turns;		/* new ones, where they are precious */
	uint64_t most, sum;
};

/* Whether nothing waits as yet, in some lane, as it would at the far end. */
static bool is_new_turn(const struct weft__mending *m, uint32_t channel,
			unsigned port)
{
	const struct weft__loads *t = m->loads;

	for (uint16_t lanes = m->passing; lanes; lanes &= lanes - 1)
		if (!weft__cdg_has(&t->order.cdg, __builtin_ctz(lanes) *
				   t->order.cdg.nch + channel, port))
			return true;
	return false;
}

static struct burden burden_of(const struct weft__mending *m,
			       const struct weft__column *c, uint32_t channel,
			       uint64_t more)
{
	const struct weft__loads *t = m->loads;
	struct burden b = { 0, 0, 0 };

	for (;;) {
		uint32_t s;
		uint64_t here = (t->load[channel] + more) * t->scale[channel];

		b.most = here > b.most ? here : b.most;
		b.sum += here;
		s = t->fabric->peer[channel];
		if (s == c->root)
			return b;
		b.turns += is_new_turn(m, channel, c->port[s]);
		channel = weft_channel(t->fabric, s, c->port[s]);
	}
}

static bool lighter(struct burden a, struct burden b)
{
	if (a.turns != b.turns)
		return a.turns < b.turns;
	return a.most < b.most || (a.most == b.most && a.sum < b.sum);
}

/* Whether a channel leads to a switch that arrives in so many hops. */
static bool leads(const struct weft__column *c, uint32_t s, uint8_t port,
		  uint16_t hops)
{
	const struct weft_fabric *f = c->fabric;
	uint32_t to;

	if (!port || port > f->sw[s].nports)
		return false;
	to = f->peer[weft_channel(f, s, port)];
	return weft_is_switch(to) && to != s && c->hops[to] == hops;
}

static bool take(struct weft__mending *m, uint32_t s, uint8_t port)
{
	struct weft__column *c = m->column;
	uint8_t before = c->port[s];

	c->port[s] = port;
	if (weft__loads_allow(m->loads, c, s, m->passing |
			      weft__loads_own_lanes(m->loads, c, s)))
		return true;
	if (m->lanes && weft__pair_move(m->loads, m->routes, c, s,
					m->loads->nlanes)) {
		m->pairs++;
		return true;
	}
	c->port[s] = before;
	return false;
}

/* Finds the lightest legal port to a switch that arrives in so many hops. */
static bool take_lightest(struct weft__mending *m, uint32_t s, uint16_t hops)
{
	const struct weft__loads *t = m->loads;
	const struct weft__column *c = m->column;
	const struct weft_fabric *f = t->fabric;
	uint64_t more = m->behind[s] ? m->behind[s] : 1;
	struct burden burden[WEFT_MAX_PORTS];
	uint32_t channel[WEFT_MAX_PORTS], n = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t ch = f->adj[i];

		if (c->hops[f->peer[ch]] != hops)
			continue;
		burden[n] = burden_of(m, c, ch, more);
		channel[n++] = ch;
	}
	while (n) {
		uint32_t best = 0;

		for (uint32_t i = 1; i < n; i++)
			if (lighter(burden[i], burden[best]))
				best = i;
		if (take(m, s, channel[best] - f->first_channel[s]))
			return true;
		/* in the order of ids still, so that the first of equals is
		 * the lowest */
		n--;
		for (uint32_t i = best; i < n; i++) {
			burden[i] = burden[i + 1];
			channel[i] = channel[i + 1];
		}
	}
	return false;
}

/* Has a lost switch send to one that arrives in so many hops. */
static bool attach(struct weft__mending *m, uint32_t s, uint16_t hops)
{
	const struct weft__column *c = m->column;

	if (leads(c, s, c->port[s], hops) && take(m, s, c->port[s]))
		return true;
	if (m->home && leads(c, s, m->home[s], hops) &&
	    take(m, s, m->home[s]))
		return true;
	return take_lightest(m, s, hops);
}

/* Whether a switch that is attached still leads where those behind it were
 * expected to go, so that what it brings along is counted there. */
static bool is_counted(const struct weft__mending *m, uint32_t s, uint32_t was)
{
	return was != WEFT_NONE && was == weft__column_next(m->column, s) &&
	       m->behind[was];
}

/* Has lost switches send to those that arrive in so many hops.  Returns how
 * many do. */
static uint32_t step(struct weft__mending *m, uint16_t hops)
{
	struct weft__column *c = m->column;
	uint64_t weight = weft__loads_weight(m->loads, c);
	uint32_t left = 0, n = 0;

	for (uint32_t i = 0; i < c->nlost; i++) {
		uint32_t s = c->lost[i], was = c->next[s];

		if (!attach(m, s, hops)) {
			c->lost[left++] = s;
			continue;
		}
		c->stack[n++] = s;
		if (is_counted(m, s, was))
			continue;
		m->added[s] = weight * m->behind[s];
		weft__loads_add_way(m->loads, c, s, m->added[s]);
	}
	/* only now, so that a step sees those of the last one alone */
	for (uint32_t i = 0; i < n; i++)
		c->hops[c->stack[i]] = hops + 1;
	c->nlost = left;
	return n;
}

/* Returns the most hops of a switch that arrives and has a lost neighbour. */
static uint16_t farthest(const struct weft__column *c)
{
	const struct weft_fabric *f = c->fabric;
	uint16_t most = 0;

	for (uint32_t k = 0; k < c->nlost; k++) {
		uint32_t s = c->lost[k];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint16_t hops = c->hops[f->peer[f->adj[i]]];

			if (hops != WEFT__FAR && hops > most)
				most = hops;
		}
	}
	return most;
}

static void find_levels(struct weft__mending *m)
{
	uint16_t last = farthest(m->column);

	for (uint16_t hops = 0; m->column->nlost && hops <= last; hops++)
		if (step(m, hops) && hops + 1 > last)
			last = hops + 1;
}

/* First ways for whatever may pass, then each pair in its lane, then in any. */
static void find_ways_by_lanes(struct weft__mending *m, uint16_t passing)
{
	m->lanes = false;
	m->passing = passing;
	if (passing)
		find_levels(m);
	m->passing = 0;
	find_levels(m);
	m->lanes = true;
	find_levels(m);
}

/* Last, what switches send to each other may close credit loops, then all that
 * they send or get, rather than that hosts are not reached. */
static void find_ways(struct weft__mending *m)
{
	struct weft__column *c = m->column;
	struct weft__loads *t = m->loads;
	uint16_t passing = m->passing;

	t->forward = m->forward;
	if (t->forward)
		find_ways_by_lanes(m, passing);
	t->forward = false;
	find_ways_by_lanes(m, passing);
	while (c->nlost && !m->strict && t->kinds >= 2) {
		t->kinds--;
		find_levels(m);
	}
}

/* Finds what comes with each lost switch: what its endports send, and those of
 * lost ones that lead to it. */
static void look_behind(struct weft__mending *m)
{
	const struct weft__column *c = m->column;

	for (uint32_t i = 0; i < c->nlost; i++) {
		uint64_t hosts = m->loads->hosts[c->lost[i]];
		uint32_t s = c->lost[i];

		for (uint32_t n = 0; hosts && n < c->nlost && s != WEFT_NONE &&
				     c->hops[s] == WEFT__FAR; n++) {
			m->behind[s] += hosts;
			s = c->next[s];
		}
	}
}

/* What was expected of the ways becomes what they carry. */
static void settle_loads(struct weft__mending *m, uint32_t n)
{
	const struct weft__column *c = m->column;
	struct weft__loads *t = m->loads;
	uint64_t weight = weft__loads_weight(t, c);

	for (uint32_t i = 0; i < n; i++)
		weft__loads_add_way(t, c, m->all[i], -m->added[m->all[i]]);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = m->all[i];

		if (m->behind[s] && c->hops[s] != WEFT__FAR)
			weft__loads_add_way(t, c, s, weight * t->hosts[s]);
		m->behind[s] = m->added[s] = 0;
	}
}

/* --- longer ways ---------------------------------------------------------- */

/* Whether the way from s passes a switch. */
static bool passes(const struct weft__column *c, uint32_t s, uint32_t by)
{
	while (s != c->root && s != by)
		s = weft__column_next(c, s);
	return s == by;
}

/* Has a lost switch send to the nearest of its neighbours that arrive. */
static bool attach_anywhere(struct weft__mending *m, uint32_t s, uint16_t last)
{
	for (uint16_t hops = 0; hops <= last; hops++)
		if (take_lightest(m, s, hops))
			return true;
	return false;
}

/* Whether a lost switch arrives again, by itself or by its old port. */
static bool follow(struct weft__mending *m, uint32_t s, uint16_t last)
{
	const struct weft__column *c = m->column;
	uint32_t next = c->next[s];

	if (next == WEFT_NONE)
		return attach_anywhere(m, s, last);
	return c->hops[next] != WEFT__FAR && take(m, s, c->port[s]);
}

/* What is sent to switches themselves is next to nothing, and may go a longer
 * way: a switch whose own cable is gone sends on by any other neighbour that
 * arrives, and those that send to it keep their entries. */
static void find_detours(struct weft__mending *m)
{
	struct weft__column *c = m->column;
	uint32_t left;

	m->lanes = false;
	do {
		uint16_t last = farthest(c);

		left = c->nlost;
		c->nlost = 0;
		for (uint32_t i = 0; i < left; i++) {
			uint32_t s = c->lost[i];

			if (follow(m, s, last))
				c->hops[s] = c->hops[weft__column_next(c, s)] +
					     1;
			else
				c->lost[c->nlost++] = s;
		}
	} while (c->nlost && c->nlost < left);
}

/* Has a switch send by its old port again, and what comes to it, too. */
static bool turn_back(struct weft__mending *m, uint32_t s)
{
	struct weft__column *c = m->column;
	uint32_t to = c->next[s];
	uint8_t port = c->port[s];

	if (to == WEFT_NONE || port == m->was[s] || passes(c, to, s))
		return false;
	c->port[s] = m->was[s];
	if (weft__loads_allow_subtree(m->loads, c, s))
		return true;
	c->port[s] = port;
	return false;
}

/*
 * Where all ways to a switch led by one whose cable is gone, only those of its
 * senders change that it sends by now.  In tables of several lanes such turns
 * are too precious for that.
 */
static void keep_old(struct weft__mending *m, uint32_t n)
{
	const struct weft__column *c = m->column;
	struct weft__loads *t = m->loads;
	uint16_t lane = 0;
	bool more = true;

	for (uint32_t i = 0; i < n; i++)
		lane |= weft__loads_own_lanes(t, c, m->all[i]);
	for (uint32_t i = 0; i < n; i++)
		t->lanes[m->all[i]] = lane;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			more |= turn_back(m, m->all[i]);
	}
}

uint32_t weft__mend(struct weft__mending *m)
{
	struct weft__column *c = m->column;
	uint32_t n = c->nlost;

	memcpy(m->all, c->lost, n * sizeof(*m->all));
	look_behind(m);
	for (uint32_t i = 0; i < n; i++)
		m->was[m->all[i]] = c->port[m->all[i]];
	if (weft_is_switch(c->owner))
		find_detours(m);
	find_ways(m);
	if (weft_is_switch(c->owner) && !c->nlost &&
	    m->loads->layers->nvl <= 1)
		keep_old(m, n);
	settle_loads(m, n);
	for (uint32_t i = 0; i < c->nlost; i++)
		c->port[c->lost[i]] = WEFT_NO_PORT;
	return c->nlost;
}
