// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What of tables that stand is away from home, and why; see weft/standing.h. */
#include <weft/standing.h>

#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>

struct finding {
	const struct weft_diff_side *now, *home;
	struct weft__match m;	/* of home in now */
	bool *same;		/* [home max_lid + 1] LIDs that both have */
	uint64_t *by_switch;	/* [home nsw] entries on account of it */
	uint64_t *by_channel;	/* [home nch] of a cable's lower channel, or
				 * of one into a switch */
	struct weft_away out;
};

static bool is_missing(const struct finding *x, uint32_t channel, uint32_t s)
{
	return !weft__match_cable(&x->m, s,
				  channel -
				  x->home->fabric->first_channel[s]);
}

static uint32_t cable_of(const struct weft_fabric *f, uint32_t channel)
{
	return f->reverse[channel] < channel &&
	       weft_is_switch(f->peer[channel]) ? f->reverse[channel] : channel;
}

/* Finds the first part of a way home that is missing and counts an entry on its
 * account. */
static void find_cause(struct finding *x, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = x->home->fabric;
	const struct weft_lft *lft = &x->home->routes->lft;

	for (uint32_t steps = 0; steps < f->nsw; steps++) {
		uint8_t port = weft_lft_get(lft, s, lid);
		uint32_t channel, peer;

		if (!port || port > f->sw[s].nports)
			return;
		channel = weft_channel(f, s, port);
		peer = f->peer[channel];
		if (peer == WEFT_NONE)
			return;
		if (is_missing(x, channel, s)) {
			x->out.missing++;
			if (weft_is_switch(peer) && x->m.sw[peer] == WEFT_NONE)
				x->by_switch[peer]++;
			else if (weft_is_switch(peer))
				x->by_channel[cable_of(f, channel)]++;
			else
				x->by_channel[f->reverse[channel]]++;
			return;
		}
		if (weft_is_endport(peer))
			return;
		s = peer;
	}
}

static void compare_rows(struct finding *x, uint32_t s)
{
	const struct weft_lft *home = &x->home->routes->lft;
	uint32_t is = x->m.sw[s];

	for (unsigned lid = 1; lid <= x->home->fabric->max_lid; lid++) {
		uint8_t was = weft_lft_get(home, s, lid);

		if (!x->same[lid] || was == WEFT_NO_PORT)
			continue;
		x->out.entries++;
		if (was == weft_lft_get(&x->now->routes->lft, is, lid))
			continue;
		x->out.away++;
		find_cause(x, s, lid);
	}
}

/* --- parts ------------------------------------------------------------- */

static uint32_t endports_gone(const struct finding *x, uint32_t s)
{
	const struct weft_fabric *f = x->home->fabric;
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		n += x->m.ep[f->sw_endport[i]] == WEFT_NONE;
	return n;
}

/* Adds parts to out->part, or counts them where there is no room yet. */
static void add(struct finding *x, const struct weft_away_part *part)
{
	if (x->out.part)
		x->out.part[x->out.nparts] = *part;
	x->out.nparts++;
}

static void add_cables(struct finding *x, uint32_t s)
{
	const struct weft_fabric *f = x->home->fabric;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t channel = f->adj[i];
		const struct weft_away_part part = {
			.vertex = WEFT_NONE, .channel = channel,
			.entries = x->by_channel[channel],
		};

		if (channel < f->reverse[channel] &&
		    x->m.sw[f->peer[channel]] != WEFT_NONE &&
		    is_missing(x, channel, s))
			add(x, &part);
	}
}

static void add_endport(struct finding *x, uint32_t e)
{
	const struct weft_fabric *f = x->home->fabric;
	uint32_t channel = f->first_injection + e, s = f->ep[e].sw;
	const struct weft_away_part part = {
		.vertex = e | WEFT_ENDPORT, .channel = channel,
		.moved = x->m.ep[e] != WEFT_NONE,
		.entries = x->by_channel[channel],
	};

	if (part.moved ? is_missing(x, f->reverse[channel], s) :
			 x->m.sw[s] != WEFT_NONE)
		add(x, &part);
}

static void add_parts(struct finding *x)
{
	const struct weft_fabric *f = x->home->fabric;

	x->out.nparts = 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		const struct weft_away_part part = {
			.vertex = s, .channel = WEFT_NONE,
			.endports = endports_gone(x, s),
			.entries = x->by_switch[s],
		};

		if (x->m.sw[s] == WEFT_NONE)
			add(x, &part);
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		if (x->m.sw[s] != WEFT_NONE)
			add_cables(x, s);
	for (uint32_t e = 0; e < f->nep; e++)
		add_endport(x, e);
}

/* Most entries first; else as they were added. */
static int compare_parts(const void *pa, const void *pb)
{
	const struct weft_away_part *a = pa, *b = pb;
	uint32_t x = a->channel == WEFT_NONE ? a->vertex : a->channel;
	uint32_t y = b->channel == WEFT_NONE ? b->vertex : b->channel;

	if (a->entries != b->entries)
		return a->entries > b->entries ? -1 : 1;
	if ((a->channel == WEFT_NONE) != (b->channel == WEFT_NONE))
		return a->channel == WEFT_NONE ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int list_parts(struct finding *x)
{
	add_parts(x);
	x->out.part = calloc(x->out.nparts + 1ull, sizeof(*x->out.part));
	if (!x->out.part)
		return -ENOMEM;
	add_parts(x);
	qsort(x->out.part, x->out.nparts, sizeof(*x->out.part), compare_parts);
	return 0;
}

/* Counts what was not there at home. */
static int count_new(struct finding *x)
{
	const struct weft_fabric *f = x->now->fabric;
	struct weft__match m;
	uint32_t cables = 0;
	int err = weft__match_make(&m, x->home->fabric, f);

	if (err)
		return err;
	for (uint32_t s = 0; s < f->nsw; s++) {
		x->out.switches += m.sw[s] == WEFT_NONE;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++)
			cables += !weft__match_cable(
				&m, s, f->adj[i] - f->first_channel[s]);
	}
	for (uint32_t e = 0; e < f->nep; e++)
		x->out.endports += m.ep[e] == WEFT_NONE;
	x->out.cables = cables / 2;
	weft__match_free(&m);
	return 0;
}

static int find(struct finding *x)
{
	const struct weft_fabric *f = x->home->fabric;
	int err = weft__match_make(&x->m, x->now->fabric, f);

	if (err)
		return err;
	x->same = calloc(f->max_lid + 1ull, sizeof(*x->same));
	x->by_switch = calloc(f->nsw + 1ull, sizeof(*x->by_switch));
	x->by_channel = calloc(f->nch + 1ull, sizeof(*x->by_channel));
	if (!x->same || !x->by_switch || !x->by_channel)
		return -ENOMEM;
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		x->same[lid] = weft__match_lid(&x->m, lid);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (x->m.sw[s] != WEFT_NONE)
			compare_rows(x, s);
	err = list_parts(x);
	return err ? err : count_new(x);
}

int weft_away_find(const struct weft_diff_side *standing,
		   const struct weft_diff_side *home, struct weft_away *out)
{
	struct finding x = { .now = standing, .home = home };
	int err = find(&x);

	weft__match_free(&x.m);
	free(x.same);
	free(x.by_switch);
	free(x.by_channel);
	if (err)
		weft_away_free(&x.out);
	else
		*out = x.out;
	return err;
}

void weft_away_free(struct weft_away *away)
{
	free(away->part);
	*away = (struct weft_away){ .part = NULL };
}
