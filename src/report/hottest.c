// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The routes to one LID are a tree: those over a channel come from the switches
 * below it.  Each of these is found once, by following the tables until a
 * switch is met that is known to be below the channel or not.
 */
#include "report/hottest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum below { UNKNOWN, NOT, BELOW };

struct search {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	bool all_hosts;
	uint32_t sw; /* that the channel leaves */
	unsigned port;
	uint8_t *below;	     /* [nsw] enum below, for one LID */
	uint32_t *path;	     /* [nsw] */
	uint32_t *hosts;     /* [nsw] on each switch */
	uint64_t *from, *to; /* [nsw] routes over the channel */
};

/* Whether the route from sw takes the channel; marks all switches on its way.
 * A way that comes to itself ends: the switches on it are not below. */
static bool is_below(struct search *s, uint32_t sw, unsigned lid)
{
	uint8_t outcome = NOT;
	uint32_t n = 0;

	while (s->below[sw] == UNKNOWN) {
		unsigned port = weft_lft_get(&s->routes->lft, sw, lid);
		uint32_t peer;

		s->below[sw] = NOT;
		s->path[n++] = sw;
		if (sw == s->sw && port == s->port)
			s->below[sw] = BELOW;
		if (s->below[sw] == BELOW || !port ||
		    port > s->f->sw[sw].nports)
			break;
		peer = s->f->peer[weft_channel(s->f, sw, port)];
		if (peer == WEFT_NONE || !weft_is_switch(peer))
			break;
		sw = peer;
	}
	if (s->below[sw] == BELOW)
		outcome = BELOW;
	while (n)
		s->below[s->path[--n]] = outcome;
	return outcome == BELOW;
}

static bool counts(const struct search *s, uint32_t e)
{
	return weft_endport_is_host(&s->f->ep[e], s->all_hosts);
}

/* Adds the routes to one LID of endport e. */
static uint64_t add_lid(struct search *s, uint32_t e, unsigned lid)
{
	uint32_t home = s->f->ep[e].sw;
	uint64_t all = 0;

	if (weft_lft_walk(s->f, &s->routes->lft, s->sw, lid,
			  (struct weft_walk_path){ 0 }, NULL) != WEFT_ARRIVED)
		return 0;
	memset(s->below, UNKNOWN, s->f->nsw);
	for (uint32_t sw = 0; sw < s->f->nsw; sw++) {
		uint64_t routes = s->hosts[sw] - (sw == home);

		if (!s->hosts[sw] || !is_below(s, sw, lid))
			continue;
		s->from[sw] += routes;
		all += routes;
	}
	s->to[home] += all;
	return all;
}

/* Puts the switches with the most routes into top. */
static void take_top(const uint64_t *routes, uint32_t nsw,
		     struct weft__hot_switch *top)
{
	for (unsigned i = 0; i < WEFT__HOT_SWITCHES; i++) {
		struct weft__hot_switch *t = &top[i];

		*t = (struct weft__hot_switch){ .sw = WEFT_NONE };
		for (uint32_t sw = 0; sw < nsw; sw++) {
			bool taken = false;

			for (unsigned k = 0; k < i; k++)
				taken |= top[k].sw == sw;
			if (!taken && routes[sw] > t->routes)
				*t = (struct weft__hot_switch){ sw,
								routes[sw] };
		}
	}
}

/* Finds who uses one channel. */
static void ask_channel(struct search *s, struct weft__hot *hot)
{
	const struct weft_fabric *f = s->f;

	s->sw = weft_channel_switch(f, hot->channel);
	s->port = hot->channel - f->first_channel[s->sw];
	memset(s->from, 0, f->nsw * sizeof(*s->from));
	memset(s->to, 0, f->nsw * sizeof(*s->to));
	for (uint32_t e = 0; e < f->nep; e++) {
		unsigned lids = f->ep[e].lid ? 1u << f->ep[e].lmc : 0;
		uint64_t routes = 0;

		for (unsigned i = 0; i < lids && counts(s, e); i++)
			if (weft_lft_get(&s->routes->lft, s->sw,
					 f->ep[e].lid + i) == s->port)
				routes += add_lid(s, e, f->ep[e].lid + i);
		if (!routes)
			continue;
		hot->routes += routes;
		if (hot->receivers < WEFT__HOT_HOSTS)
			hot->receiver[hot->receivers] = e;
		hot->receivers++;
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		if (!s->from[f->ep[e].sw] || !counts(s, e))
			continue;
		if (hot->senders < WEFT__HOT_HOSTS)
			hot->sender[hot->senders] = e;
		hot->senders++;
	}
	take_top(s->from, f->nsw, hot->from);
	take_top(s->to, f->nsw, hot->to);
}

/* Whether channel a is hotter than b: more routes for its capacity. */
static bool is_hotter(const struct weft_fabric *f, const uint64_t *load,
		      uint32_t a, uint32_t b)
{
	double x = (double)load[a] * (f->capacity[b] ? f->capacity[b] : 1);
	double y = (double)load[b] * (f->capacity[a] ? f->capacity[a] : 1);

	return x > y || (x == y && a < b);
}

/* The hottest channels into hot[most], sorted; how many. */
static uint32_t choose(const struct weft_fabric *f, const uint64_t *load,
		       uint32_t most, struct weft__hot *hot)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], at = n;

		if (!load[ch])
			continue;
		while (at && is_hotter(f, load, ch, hot[at - 1].channel))
			at--;
		if (at == most)
			continue;
		n += n < most;
		memmove(&hot[at + 1], &hot[at], (n - 1 - at) * sizeof(*hot));
		hot[at] = (struct weft__hot){ .channel = ch };
	}
	return n;
}

static void count_hosts(struct search *s)
{
	for (uint32_t e = 0; e < s->f->nep; e++)
		s->hosts[s->f->ep[e].sw] += counts(s, e);
}

int weft__hottest_find(const struct weft_fabric *f,
		       const struct weft_routes *routes,
		       const struct weft_proof *proof, bool all_hosts,
		       uint32_t most, struct weft__hottest *out)
{
	size_t n = f->nsw + (size_t)1;
	struct search s = {
		.f = f,
		.routes = routes,
		.all_hosts = all_hosts,
		.below = malloc(n),
		.path = malloc(n * sizeof(*s.path)),
		.hosts = calloc(n, sizeof(*s.hosts)),
		.from = malloc(n * sizeof(*s.from)),
		.to = malloc(n * sizeof(*s.to)),
	};
	struct weft__hot *hot = calloc(most + (size_t)1, sizeof(*hot));
	bool ok = hot && s.below && s.path && s.hosts && s.from && s.to;

	if (ok) {
		count_hosts(&s);
		out->n = choose(f, proof->channel_load, most, hot);
		for (uint32_t i = 0; i < out->n; i++)
			ask_channel(&s, &hot[i]);
		out->hot = hot;
	} else {
		free(hot);
	}
	free(s.below);
	free(s.path);
	free(s.hosts);
	free(s.from);
	free(s.to);
	return ok ? 0 : -ENOMEM;
}

void weft__hottest_free(struct weft__hottest *h)
{
	free(h->hot);
	*h = (struct weft__hottest){ .hot = NULL };
}
