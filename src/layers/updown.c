// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Up*Down* trees; see updown.h. */
#include "layers/updown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 8	/* roots to compare */

static uint32_t endports_on(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s + 1] - f->sw_ep_first[s];
}

/* Cables from a switch to all others into hops[], the switches nearest first
 * into order[]; the sum over all endports. */
static uint64_t spread_out(struct weft__updown *u, uint32_t from)
{
	const struct weft_fabric *f = u->fabric;
	uint32_t head = 0, tail = 0;
	uint64_t sum = 0;

	memset(u->hops, 0xff, f->nsw * sizeof(*u->hops));
	u->hops[from] = 0;
	u->order[tail++] = from;
	while (head < tail) {
		uint32_t s = u->order[head++];

		sum += (uint64_t)u->hops[s] * endports_on(f, s);
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->hops[t] != WEFT_NONE)
				continue;
			u->hops[t] = u->hops[s] + 1;
			u->order[tail++] = t;
		}
	}
	return sum;
}

/* Places of all switches with that root. */
static void place_switches(struct weft__updown *u, uint32_t root)
{
	uint32_t n = u->fabric->nsw, at = 0;

	u->root = root;
	spread_out(u, root);
	for (uint32_t hops = 0; at < n; hops++)
		for (uint32_t s = 0; s < n; s++)
			if (u->hops[s] == hops) {
				u->place[s] = at;
				u->by_place[at++] = s;
			}
}

/* Those with a way that only descends, nearest first; how many. */
static uint32_t find_down(struct weft__updown *u, uint32_t home)
{
	const struct weft_fabric *f = u->fabric;
	uint32_t head = 0, tail = 0;

	memset(u->hops, 0xff, f->nsw * sizeof(*u->hops));
	memset(u->down, 0, f->nsw);
	u->hops[home] = 0;
	u->down[home] = 1;
	u->order[tail++] = home;
	while (head < tail) {
		uint32_t s = u->order[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->place[t] > u->place[s] || u->down[t])
				continue;
			u->hops[t] = u->hops[s] + 1;
			u->down[t] = 1;
			u->order[tail++] = t;
		}
	}
	return tail;
}

/* Hops of the shortest legal routes to home, and the order. */
static void find_hops(struct weft__updown *u, uint32_t home)
{
	const struct weft_fabric *f = u->fabric;
	uint32_t n = find_down(u, home);

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = u->by_place[i];

		if (u->down[s])
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->place[t] < u->place[s] &&
			    u->hops[t] + 1 < u->hops[s])
				u->hops[s] = u->hops[t] + 1;
		}
		u->order[n++] = s;
	}
}

static bool may_send(const struct weft__updown *u, uint32_t s, uint32_t t)
{
	if (u->hops[t] + 1 != u->hops[s])
		return false;
	if (u->down[s])
		return u->down[t] && u->place[t] > u->place[s];
	return u->place[t] < u->place[s];
}

/* Hops of all pairs of a switch and an endport elsewhere. */
static uint64_t total_hops(struct weft__updown *u)
{
	const struct weft_fabric *f = u->fabric;
	uint64_t sum = 0;

	for (uint32_t home = 0; home < f->nsw; home++) {
		if (!endports_on(f, home))
			continue;
		find_hops(u, home);
		for (uint32_t s = 0; s < f->nsw; s++)
			sum += (uint64_t)u->hops[s] * endports_on(f, home) *
				endports_on(f, s);
	}
	return sum;
}

/* The switches nearest to all endports, nearest first; how many. */
static unsigned find_candidates(struct weft__updown *u, uint32_t *candidate)
{
	uint64_t far[CANDIDATES];
	unsigned n = 0;

	for (uint32_t s = 0; s < u->fabric->nsw; s++) {
		uint64_t sum = spread_out(u, s);
		unsigned at = n;

		if (n < CANDIDATES)
			n++;
		else if (sum < far[n - 1])
			at--;
		else
			continue;
		for (; at && far[at - 1] > sum; at--) {
			far[at] = far[at - 1];
			candidate[at] = candidate[at - 1];
		}
		far[at] = sum;
		candidate[at] = s;
	}
	return n;
}

static void choose_root(struct weft__updown *u)
{
	uint32_t candidate[CANDIDATES] = { 0 }, best = 0;
	unsigned n = find_candidates(u, candidate);
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < n; i++) {
		uint64_t hops;

		place_switches(u, candidate[i]);
		hops = total_hops(u);
		if (hops < least) {
			least = hops;
			best = candidate[i];
		}
	}
	place_switches(u, best);
}

/* Says which switch cannot be reached from the first one. */
static int refuse_parts(struct weft__updown *u, struct weft_diag *diag)
{
	const struct weft_fabric *f = u->fabric;

	spread_out(u, 0);
	for (uint32_t s = 1; s < f->nsw; s++)
		if (u->hops[s] == WEFT_NONE)
			return weft_fail(diag, ENETUNREACH,
				"the fabric is in parts: no cable leads from "
				"switch 0x%016" PRIx64 " (%s) to switch 0x%016"
				PRIx64 " (%s)", f->sw[0].guid, f->sw[0].name,
				f->sw[s].guid, f->sw[s].name);
	return 0;
}

int weft__updown_init(struct weft__updown *u, const struct weft_fabric *fabric,
		      struct weft_diag *diag)
{
	int err = 0;

	size_t n = fabric->nsw + 1ull;

	*u = (struct weft__updown){
		.fabric = fabric,
		.place = malloc(n * sizeof(*u->place)),
		.by_place = malloc(n * sizeof(*u->by_place)),
		.load = calloc(fabric->first_injection + 1ull,
			       sizeof(*u->load)),
		.hops = malloc(n * sizeof(*u->hops)),
		.order = malloc(n * sizeof(*u->order)),
		.down = malloc(n),
		.flow = malloc(n * sizeof(*u->flow)),
	};
	if (!u->place || !u->by_place || !u->load || !u->hops || !u->order ||
	    !u->down || !u->flow) {
		err = -ENOMEM;
	} else if (fabric->nsw) {
		err = refuse_parts(u, diag);
		if (!err)
			choose_root(u);
	}
	if (err)
		weft__updown_free(u);
	return err;
}

void weft__updown_free(struct weft__updown *u)
{
	free(u->place);
	free(u->by_place);
	free(u->load);
	free(u->hops);
	free(u->order);
	free(u->down);
	free(u->flow);
	*u = (struct weft__updown){ 0 };
}

static uint8_t least_loaded(const struct weft__updown *u, uint32_t s)
{
	const struct weft_fabric *f = u->fabric;
	uint32_t best = WEFT_NONE;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t ch = f->adj[e];

		if (may_send(u, s, f->peer[ch]) &&
		    (best == WEFT_NONE || u->load[ch] < u->load[best]))
			best = ch;
	}
	return best - f->first_channel[s];
}

void weft__updown_tree(struct weft__updown *u, uint32_t home, uint8_t *tree)
{
	const struct weft_fabric *f = u->fabric;

	find_hops(u, home);
	for (uint32_t s = 0; s < f->nsw; s++) {
		tree[s] = s == home ? 0 : least_loaded(u, s);
		u->flow[s] = endports_on(f, s);
	}
	for (uint32_t i = f->nsw; --i;) {
		uint32_t s = u->order[i];
		uint32_t ch = weft_channel(f, s, tree[s]);

		u->load[ch] += u->flow[s];
		u->flow[f->peer[ch]] += u->flow[s];
	}
}

void weft__updown_turns(const struct weft__updown *u, struct weft__cdg *g,
			uint32_t lane)
{
	const struct weft_fabric *f = u->fabric;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], t = f->peer[ch];
		uint32_t s = f->peer[f->reverse[ch]];
		bool climbs = u->place[t] < u->place[s];

		for (uint32_t e = f->adj_first[t]; e < f->adj_first[t + 1];
		     e++) {
			uint32_t to = f->peer[f->adj[e]];

			if (to != s && (climbs || u->place[to] > u->place[t]))
				weft__cdg_add(g, lane * g->nch + ch, 0,
					      f->adj[e] - f->first_channel[t]);
		}
	}
}
