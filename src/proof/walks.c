// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Walks every route of a fabric by itself; see walks.h. */
#include "proof/walks.h"

#include <errno.h>

#define SOURCES 256	/* at most, on a switch: port 0 and 255 others */

struct walk {
	const struct weft__proof_run *r;
	bool by_endport;	/* each endport is a source of its own */
	bool by_port;		/* and so is each input port */
	uint32_t (*best)[2];	/* [nsw] endports that stand for the others,
				 * hosts first; WEFT_NONE: none */
	uint32_t *seen;		/* [nv] round of the walk that met it */
	uint32_t round;
	unsigned lid;
	uint32_t owner;
	const uint8_t *column;	/* [nsw], the LFT entries */
	struct weft__proof_way way;
	int (*visit)(const struct weft__proof_way *way, void *context);
	void *context;
};

static bool is_host(const struct walk *w, uint32_t vertex)
{
	return weft_is_endport(vertex) &&
		w->r->fabric->ep[vertex & ~WEFT_ENDPORT].kind == WEFT_HOST;
}

static enum weft__rank rank_source(const struct walk *w, uint32_t source)
{
	if (is_host(w, source) && is_host(w, w->owner))
		return WEFT__RANK_HOST;
	return weft_is_endport(source) && weft_is_endport(w->owner) ?
		WEFT__RANK_ENDPORT : WEFT__RANK_SWITCH;
}

/* Returns true if the traffic of that switch itself to the current LID
 * counts. */
static bool sends_itself(const struct walk *w, uint32_t sw)
{
	const struct weft_proof_spec *spec = w->r->spec;

	return spec->switches && sw != w->owner &&
		(weft_is_endport(w->owner) || spec->between_switches);
}

static unsigned in_port(const struct walk *w, uint32_t source)
{
	return weft_is_switch(source) ? 0 :
		w->r->fabric->ep[source & ~WEFT_ENDPORT].sw_port;
}

/* Follows the route of way->by, into way->vertex. */
static void follow_route(struct walk *w, unsigned in)
{
	const struct weft_fabric *f = w->r->fabric;
	const struct weft__proof_lanes *l = &w->r->lanes;
	uint32_t sw = w->way.route.sw, nch = f->first_injection;
	unsigned sl = w->way.route.sl;

	w->round++;
	w->way.n = 0;
	for (;;) {
		unsigned out = w->column[sw];
		unsigned vl = l->of_sl[sl];
		uint32_t ch, v;

		if (!out || out > f->sw[sw].nports)
			return;
		ch = weft_channel(f, sw, out);
		if (!weft_is_switch(f->peer[ch]))
			return;
		if (l->mixed)
			vl = weft_layers_vl(l->layers, f, sw, in, out, sl) %
				WEFT_NSL;
		if (l->mixed && vl == WEFT_VL_DROP)
			return;
		v = vl * nch + ch;
		w->way.vertex[w->way.n++] = v;
		if (w->seen[v] == w->round)
			return;
		w->seen[v] = w->round;
		in = f->peer_port[ch];
		sw = f->peer[ch];
	}
}

static int visit_source(struct walk *w, uint32_t source, unsigned sl)
{
	uint32_t sw = weft_vertex_switch(w->r->fabric, source);
	unsigned in = in_port(w, source);

	w->way.by = (struct weft_flow){
		.source = source, .dest = w->owner, .lid = w->lid, .sl = sl,
	};
	w->way.route = (struct weft_route){
		.sw = sw, .lid = w->lid, .sl = sl, .in = w->by_port ? in : 0,
		.turn = WEFT_NONE,
	};
	w->way.rank = rank_source(w, source);
	follow_route(w, in);
	return w->visit(&w->way, w->context);
}

static unsigned sl_of(const struct walk *w, uint32_t source)
{
	return weft_layers_sl(&w->r->routes->layers, w->r->fabric, source,
			      w->lid) % WEFT_NSL;
}

/* Visits the route of a switch all of whose sources have the same SL. */
static int visit_switch(struct walk *w, uint32_t sw)
{
	uint32_t source = w->best[sw][0];

	if (source != WEFT_NONE && (source | WEFT_ENDPORT) == w->owner)
		source = w->best[sw][1];
	if (source != WEFT_NONE)
		source |= WEFT_ENDPORT;
	else if (sends_itself(w, sw))
		source = sw;
	else
		return 0;
	return visit_source(w, source, sl_of(w, source));
}

struct group {
	uint32_t source;
	enum weft__rank rank;
	uint8_t in, sl;
};

/* Adds a source to those like it, and keeps the best of these. */
static unsigned add_source(const struct walk *w, struct group *group,
			   unsigned n, uint32_t source)
{
	struct group g = {
		.source = source, .rank = rank_source(w, source),
		.in = w->by_port ? in_port(w, source) : 0,
		.sl = sl_of(w, source),
	};
	unsigned i = 0;

	while (i < n && (group[i].in != g.in || group[i].sl != g.sl))
		i++;
	if (i == n || group[i].rank < g.rank)
		group[i] = g;
	return i == n ? n + 1 : n;
}

static int visit_groups(struct walk *w, uint32_t sw)
{
	const struct weft_fabric *f = w->r->fabric;
	struct group group[SOURCES];
	unsigned n = 0;
	int err = 0;

	if (sends_itself(w, sw))
		n = add_source(w, group, n, sw);
	for (uint32_t k = f->sw_ep_first[sw]; k < f->sw_ep_first[sw + 1];
	     k++) {
		uint32_t source = f->sw_endport[k] | WEFT_ENDPORT;

		if (source != w->owner)
			n = add_source(w, group, n, source);
	}
	for (unsigned i = 0; i < n && !err; i++)
		err = visit_source(w, group[i].source, group[i].sl);
	return err;
}

static int visit_lid(struct walk *w)
{
	int err = 0;

	for (uint32_t s = 0; s < w->r->fabric->nsw && !err; s++)
		err = w->by_endport ? visit_groups(w, s) : visit_switch(w, s);
	return err;
}

/* Returns the entries for the current LID; a block of them is copied at its
 * first. */
static const uint8_t *find_column(const struct walk *w)
{
	const struct weft__proof_run *r = w->r;

	if (w->lid > r->routes->lft.max_lid)
		return r->no_column;
	if (w->lid == 1 || w->lid % WEFT_LFT_BLOCK == 0)
		weft_lft_columns(&r->routes->lft, w->lid / WEFT_LFT_BLOCK,
				 r->columns);
	return r->columns + (size_t)(w->lid % WEFT_LFT_BLOCK) *
		r->fabric->nsw;
}

/* Finds the two endports of each switch that are the best examples. */
static void find_best(struct walk *w)
{
	const struct weft_fabric *f = w->r->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t *best = w->best[s];

		best[0] = best[1] = WEFT_NONE;
		for (uint32_t k = f->sw_ep_first[s];
		     k < f->sw_ep_first[s + 1]; k++) {
			uint32_t e = f->sw_endport[k];
			bool host = is_host(w, e | WEFT_ENDPORT);

			if (best[0] == WEFT_NONE ||
			    (host && !is_host(w, best[0] | WEFT_ENDPORT))) {
				best[1] = best[0];
				best[0] = e;
			} else if (best[1] == WEFT_NONE ||
				   (host && !is_host(w, best[1] |
						     WEFT_ENDPORT))) {
				best[1] = e;
			}
		}
	}
}

int weft__proof_ways_each(const struct weft__proof_run *r,
			  int (*visit_way)(const struct weft__proof_way *way,
					   void *context),
			  void *context)
{
	const struct weft_fabric *f = r->fabric;
	struct walk w = {
		.r = r, .visit = visit_way, .context = context,
		.by_port = r->lanes.mixed && r->routes->layers.base,
	};
	int err = 0;

	w.by_endport = w.by_port ||
		r->routes->layers.form == WEFT_SL_ENDPORT_LID;
	w.best = weft__arena_alloc(r->scratch, f->nsw, sizeof(*w.best));
	w.seen = weft__arena_zalloc(r->scratch, r->cdg.nv, sizeof(*w.seen));
	w.way.vertex = weft__arena_alloc(r->scratch, r->cdg.nv + 1ull,
					 sizeof(*w.way.vertex));
	if (weft__arena_failed(r->scratch))
		return -ENOMEM;
	find_best(&w);
	for (w.lid = 1; w.lid <= f->max_lid && !err; w.lid++) {
		w.owner = f->lid_owner[w.lid];
		w.column = find_column(&w);
		if (w.owner == WEFT_NONE ||
		    (weft_is_switch(w.owner) && !r->spec->switches))
			continue;
		err = visit_lid(&w);
	}
	return err;
}
