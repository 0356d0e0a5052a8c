// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Events at random: cables, hosts and switches fail and come back one after the
 * other, up to a tenth of all cables being out, until in the end all are back.
 */
#include "churn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 37
#define MOST_OUT 10	/* of 100 cables */

/* What failed: one channel of a cable, all of a switch's, a host's. */
struct part {
	uint32_t first, n;	/* in channel[] */
};

struct walk {
	struct world w;
	uint32_t *channel;	/* of parts that are out, part by part */
	uint32_t nchannels;
	struct part *part;
	uint32_t nparts, most;	/* parts that may be out */
	struct state state;
	unsigned events, holes, loops, together, wide, mixed, anew;
};

static void add_part(struct walk *k)
{
	const struct weft_fabric *f = k->w.home_fabric;
	uint32_t kind = weft_rng_below(k->w.rng, 8), first = k->nchannels;
	uint32_t s, end;

	if (kind == 0) {	/* a switch without hosts, if that is one */
		s = weft_rng_below(k->w.rng, f->nsw);
		end = f->sw_ep_first[s] == f->sw_ep_first[s + 1] ?
			f->adj_first[s + 1] : f->adj_first[s];
		for (uint32_t e = f->adj_first[s]; e < end; e++)
			k->channel[k->nchannels++] = f->adj[e];
	} else if (kind < 3 && f->nep) {
		k->channel[k->nchannels++] =
			f->first_injection + weft_rng_below(k->w.rng, f->nep);
	}
	if (k->nchannels == first)
		k->channel[k->nchannels++] =
			f->adj[weft_rng_below(k->w.rng, f->adj_first[f->nsw])];
	k->part[k->nparts++] = (struct part){ first, k->nchannels - first };
}

static void give_back(struct walk *k, uint32_t which)
{
	struct part p = k->part[which];

	memmove(k->channel + p.first, k->channel + p.first + p.n,
		(k->nchannels - p.first - p.n) * sizeof(*k->channel));
	k->nchannels -= p.n;
	memmove(k->part + which, k->part + which + 1,
		(k->nparts - which - 1) * sizeof(*k->part));
	k->nparts--;
	for (uint32_t i = which; i < k->nparts; i++)
		k->part[i].first -= p.n;
}

/* Whether some mixture of old and new entries has a credit loop that neither
 * has. */
static bool is_mixed(const struct state *now, const struct weft_routes *before)
{
	const struct weft_transition_spec spec = { .search = false };
	struct weft_transition t;
	bool mixed;

	if (weft_transition_run(now->fabric, before, &now->routes, &spec, &t,
				NULL))
		churn_die("no transition");
	mixed = t.cyclic_vls && !t.cyclic_before && !t.cyclic_after;
	weft_transition_free(&t);
	return mixed;
}

static void move_on(struct walk *k)
{
	struct weft_fabric *f = k->w.home_fabric;
	struct state next;
	bool holes;

	if (k->nparts)
		churn_take_out(f, k->channel, k->nchannels, &f);
	next = churn_follow(&k->w, &k->state, f);
	k->events++;
	if (next.what.unmended) {
		k->anew++;
		weft_routes_free(&next.routes);
		next.routes = (struct weft_routes){ .lid_offset = NULL };
		if (weft_route(k->w.engine, f, k->w.options, &next.routes,
			       NULL))
			churn_die("the engine refuses");
	}
	k->loops += churn_prove(f, &next.routes, false, &holes) > k->w.cyclic;
	k->wide += churn_prove(f, &next.routes, true, &holes) > k->w.wide;
	k->holes += holes;
	k->together += !next.what.unmended && !k->w.cyclic &&
		       churn_waits_in_circle(&k->w, &k->state, &next);
	k->mixed += !next.what.unmended && is_mixed(&next, &k->state.routes);
	if (k->state.routes.lft.port != k->w.home.lft.port)
		weft_routes_free(&k->state.routes);
	if (k->state.fabric != k->w.home_fabric)
		weft_fabric_free(k->state.fabric);
	k->state = next;
}

static void walk(struct walk *k, unsigned n)
{
	while (k->events < n) {
		bool back = k->nparts && (k->nparts == k->most ||
					  weft_rng_below(k->w.rng, 2));

		if (back)
			give_back(k, weft_rng_below(k->w.rng, k->nparts));
		else
			add_part(k);
		move_on(k);
	}
	k->nparts = k->nchannels = 0;
	move_on(k);
}

void churn_events(const char *fabric, const char *engine, unsigned n)
{
	struct walk k = { .nparts = 0 };
	struct weft_lft_diff d;
	uint32_t cables;

	churn_open(&k.w, fabric, engine, SEED);
	cables = k.w.home_fabric->adj_first[k.w.home_fabric->nsw] / 2;
	k.most = 1 + cables * MOST_OUT / 100;
	k.channel = malloc((k.most + 1ull) * (WEFT_MAX_PORTS + 1) *
			   sizeof(*k.channel));
	k.part = malloc((k.most + 1ull) * sizeof(*k.part));
	if (!k.channel || !k.part)
		churn_die("no memory");
	k.w.cyclic = churn_prove(k.w.home_fabric, &k.w.home, false,
				 &(bool){ false });
	k.w.wide = churn_prove(k.w.home_fabric, &k.w.home, true,
			       &(bool){ false });
	k.state = churn_home(&k.w);
	walk(&k, n);
	weft_lft_compare(&k.state.routes.lft, &k.w.home.lft, &d);
	printf("%-28s %-14s %5u events: holes or loops %u, credit loops %u, "
	       "of old and new routes together %u, with switches' traffic %u, "
	       "of some mixture of entries %u, "
	       "routed anew %u; back home but for %llu entries\n", fabric, engine,
	       k.events, k.holes, k.loops, k.together, k.wide, k.mixed, k.anew,
	       (unsigned long long)d.entries);
	fflush(stdout);
	churn_leave(&k.w, &k.state);
	free(k.channel);
	free(k.part);
	churn_close(&k.w);
}
