// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The ways of a subnet's hosts to its router ports, and what packets meet on
 * them; see spread.c.
 *
 * Two streams of one source do not meet.  With s sources behind a channel, that
 * leaves 1 - 1/s of all pairs of streams.
 */
#include "subnets/map/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int weft__step(const struct weft_subnet *t, uint32_t ep, struct weft__step *at)
{
	const struct weft_fabric *f = t->fabric;
	unsigned port = weft_lft_get(&t->routes.lft, at->sw, f->ep[ep].lid);
	uint32_t peer;

	if (!port || port > f->sw[at->sw].nports || at->hops++ > f->nsw)
		return -1;
	at->channel = weft_channel(f, at->sw, port);
	peer = f->peer[at->channel];
	if (peer == WEFT_NONE ||
	    (!weft_is_switch(peer) && peer != (ep | WEFT_ENDPORT)))
		return -1;
	if (!weft_is_switch(peer))
		return 0;
	at->sw = peer;
	return 1;
}

/* The ways to a router port. */
struct tree {
	uint32_t port, n;
	uint32_t *channel; /* [n] */
	uint32_t *sources; /* [n] hosts that send over it */
};

/* Counts the hosts that send over each channel to an endport, in order[] the
 * channels; returns how many these are, or WEFT_NONE if not all arrive. */
static uint32_t count_sources(const struct weft__spread *x, uint32_t subnet,
			      uint32_t ep, uint32_t *sources, uint32_t *order)
{
	const struct weft_subnet *t = &x->s->subnet[subnet];
	uint32_t n = 0;

	for (uint32_t sw = 0; sw < t->fabric->nsw; sw++) {
		uint32_t hosts = x->hosts[subnet][sw];
		struct weft__step at = { .sw = sw };
		int on = 1;

		while (hosts && on > 0) {
			on = weft__step(t, ep, &at);
			if (on < 0)
				return WEFT_NONE;
			if (!sources[at.channel])
				order[n++] = at.channel;
			sources[at.channel] += hosts;
		}
	}
	return n;
}

/* Keeps the ways to a port, and finds what packets on them meet of what stays
 * within the subnet. */
static bool keep(struct weft__spread *x, uint32_t subnet,
		 const uint32_t *sources, const uint32_t *order, struct tree *a)
{
	const struct weft_fabric *f = x->s->subnet[subnet].fabric;

	a->channel = malloc((a->n + 1ull) * sizeof(*a->channel));
	a->sources = malloc((a->n + 1ull) * sizeof(*a->sources));
	if (!a->channel || !a->sources)
		return false;
	x->approach[a->port] = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t ch = order[i], n = sources[ch];

		a->channel[i] = ch;
		a->sources[i] = n;
		x->approach[a->port] += (n - 1.0) / x->s->nhosts *
					x->load[subnet][ch] / f->capacity[ch];
	}
	return true;
}

/* Lists the ways to all router ports of a subnet.  Returns how many have some,
 * or WEFT_NONE without memory. */
static uint32_t list(struct weft__spread *x, uint32_t subnet, struct tree *a,
		     uint32_t *sources, uint32_t *order)
{
	const struct weft_fabric *f = x->s->subnet[subnet].fabric;
	uint32_t n = 0;

	for (uint32_t p = 0; p < x->s->nports; p++) {
		uint32_t m;

		if (x->s->port[p].subnet != subnet)
			continue;
		memset(sources, 0, f->nch * sizeof(*sources));
		m = count_sources(x, subnet, x->s->port[p].ep, sources, order);
		x->approach[p] = INFINITY;
		if (m == WEFT_NONE)
			continue;
		a[n] = (struct tree){ .port = p, .n = m };
		if (!keep(x, subnet, sources, order, &a[n++]))
			return WEFT_NONE;
	}
	return n;
}

/* Returns what one more host behind a port, with that many sources on each
 * channel, adds to what packets on the ways to another port meet. */
static float meeting(const struct weft__spread *x, const struct weft_fabric *f,
		     const uint32_t *sources, const struct tree *b)
{
	double all = (double)x->s->nhosts * x->s->nhosts, sum = 0;

	for (uint32_t i = 0; i < b->n; i++)
		sum += (b->sources[i] - 1.0) * sources[b->channel[i]] /
		       f->capacity[b->channel[i]];
	return sum / all;
}

static void find_meetings(struct weft__spread *x, const struct weft_fabric *f,
			  const struct tree *a, uint32_t n, uint32_t *sources)
{
	memset(sources, 0, f->nch * sizeof(*sources));
	for (uint32_t i = 0; i < n; i++) {
		float *row = &x->meet[(size_t)a[i].port * x->s->nports];

		for (uint32_t k = 0; k < a[i].n; k++)
			sources[a[i].channel[k]] = a[i].sources[k];
		for (uint32_t k = 0; k < n; k++)
			row[a[k].port] = meeting(x, f, sources, &a[k]);
		for (uint32_t k = 0; k < a[i].n; k++)
			sources[a[i].channel[k]] = 0;
	}
}

bool weft__approaches_find(struct weft__spread *x, uint32_t subnet)
{
	const struct weft_fabric *f = x->s->subnet[subnet].fabric;
	struct tree *a = calloc(x->s->nports + 1ull, sizeof(*a));
	uint32_t *sources = malloc((f->nch + 1ull) * sizeof(*sources));
	uint32_t *order = malloc((f->nch + 1ull) * sizeof(*order));
	uint32_t n = WEFT_NONE;

	if (a && sources && order)
		n = list(x, subnet, a, sources, order);
	if (n != WEFT_NONE)
		find_meetings(x, f, a, n, sources);
	for (uint32_t i = 0; a && i < x->s->nports; i++) {
		free(a[i].channel);
		free(a[i].sources);
	}
	free(a);
	free(sources);
	free(order);
	return n != WEFT_NONE;
}
