// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: narrow, routes that need fewer lanes
 *
 * Balance costs lanes: the more ways are in use, the more cycles they close.
 * One tree for each switch needs the fewest, above all if all trees decide
 * alike between ways of the same length.  So one tree is made for each switch,
 * in two kinds:
 *
 * - that of its first LID, as it was;
 * - with every switch sending by its lowest port on a shortest way.  Where
 *   cables are plugged in the same way everywhere, as on grids, that is
 *   dimension order.
 *
 * The pairs of switches get their lanes from lash.  If some find none, lash
 * runs again with these first; those left at the end are tried by other ways of
 * the same length (repair.c).  If asked for, the pairs are then spread over all
 * lanes.  At last the LIDs' own trees are grown within these lanes (refit.c).
 * The kind that leaves the fewest pairs without a lane is taken, and of equals
 * the one whose routes are worth most.
 */
#include "layers/narrow.h"

#include "graph/bfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RETRIES 8	/* further runs of lash at most, */
#define MAX_IDLE 2		/* or that many in a row without a gain */
/* Repairs only if fewer than one pair in that many has no place. */
#define MAX_UNPLACED_SHARE 8

enum { LOWEST_PORT, FIRST_TREE, KINDS };

int weft__near_init(struct weft__near *w, const struct weft_fabric *f)
{
	size_t n = f->nsw;

	w->nsw = n;
	w->hops = malloc((n * n + 1) * sizeof(*w->hops));
	w->order = malloc((n * n + 1) * sizeof(*w->order));
	if (!w->hops || !w->order) {
		weft__near_free(w);
		return -ENOMEM;
	}
	for (uint32_t b = 0; b < n; b++) {
		uint16_t *hops = w->hops + b * n;
		uint32_t *order = w->order + b * n, tail;

		tail = weft__bfs(f, b, hops, order);
		/* switches out of reach come last */
		for (uint32_t s = 0; tail < n; s++)
			if (hops[s] == WEFT__FAR)
				order[tail++] = s;
	}
	return 0;
}

void weft__near_free(struct weft__near *w)
{
	free(w->hops);
	free(w->order);
	*w = (struct weft__near){ 0 };
}

static void base_free(struct weft__base *base)
{
	weft__traffic_free(&base->job.traffic);
	weft__packing_free(&base->packing);
	free(base->found.lane);
	*base = (struct weft__base){ 0 };
}

/* Returns the lowest port above another one on a shortest way from s to b, or
 * 0. */
static unsigned next_port(const struct weft_fabric *f,
			  const struct weft__near *w, uint32_t s, uint32_t b,
			  unsigned above)
{
	unsigned best = 0;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		unsigned port = f->adj[e] - f->first_channel[s];

		if (port > above && (!best || port < best) &&
		    weft__is_nearer(w, f, f->adj[e], s, b))
			best = port;
	}
	return best;
}

/* Returns true if port, which leads s nearer to b, no longer does so behind
 * port other of s. The two ports then go around in different directions. */
static bool is_rival(const struct weft_fabric *f, const struct weft__near *w,
		     uint32_t s, uint32_t b, unsigned other, unsigned port)
{
	uint32_t t = f->peer[weft_channel(f, s, other)], ch;

	if (port > f->sw[t].nports)
		return true;
	ch = weft_channel(f, t, port);
	return !weft_is_switch(f->peer[ch]) || !weft__is_nearer(w, f, ch, t, b);
}

/*
 * Makes a tree of the lowest ports.  Where the lowest two ports go around in
 * different directions, s takes the second one if s > b, so that both
 * directions of a pair pass the same side rather than circle.
 */
static void lowest_ports(const struct weft_fabric *f,
			 const struct weft__near *w, uint32_t b, uint8_t *tree)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned first = next_port(f, w, s, b, 0), next;

		next = first && s > b ? next_port(f, w, s, b, first) : 0;
		tree[s] = next && is_rival(f, w, s, b, first, next) ? next :
			first;
	}
}

/* Returns a tree to switch b along which all traffic arrives, the first one to
 * a host if there is any, else to a thin LID, or WEFT_NONE. */
static uint32_t first_whole(const struct weft__traffic *t, uint32_t b)
{
	uint32_t thin = WEFT_NONE;

	for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++) {
		uint32_t k = t->live[i];

		if (!weft__tree_is_whole(t, k))
			continue;
		if (!t->thin[k])
			return k;
		if (thin == WEFT_NONE)
			thin = k;
	}
	return thin;
}

static int single_init(struct weft__traffic *single,
		       const struct weft__traffic *t)
{
	size_t n = t->nsw, words = (n + 1) * sizeof(uint32_t);

	*single = (struct weft__traffic){
		.fabric = t->fabric, .nsw = n, .ntrees = n,
		.room = t->room, .last = t->last,
		.tree = malloc(n * n + 1), .first = malloc(words),
		.live = malloc(words), .home = malloc(words),
		.thin = malloc(n + 1),
	};
	if (!single->tree || !single->first || !single->live ||
	    !single->home || !single->thin) {
		weft__traffic_free(single);
		return -ENOMEM;
	}
	for (uint32_t s = 0; s < n; s++) {
		single->first[s] = single->live[s] = single->home[s] = s;
		single->thin[s] = 1;
		for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++)
			single->thin[s] &= t->thin[t->live[i]];
	}
	single->first[n] = n;
	return 0;
}

/*
 * Runs lash again and again, with pairs that found no place first from then on.
 * Keeps the result with the fewest of them.
 */
static int place_pairs(struct weft__base *base, unsigned limit)
{
	size_t n = (size_t)base->job.fabric->nsw * base->job.fabric->nsw;
	uint8_t *urgent = calloc(n + 1, 1);
	int err = urgent ? weft__lash(&base->job, limit, &base->found) :
		-ENOMEM;
	struct weft__lanes_found next = base->found;

	base->job.urgent = urgent;
	for (unsigned i = 0, idle = 0;
	     !err && i < RETRIES && idle < MAX_IDLE && next.unplaced &&
	     next.unplaced < n / MAX_UNPLACED_SHARE &&
	     base->job.work < base->job.effort;
	     i++, idle++) {
		for (size_t k = 0; k < n; k++)
			urgent[k] |= next.lane[k] == WEFT__UNPLACED;
		if (next.lane != base->found.lane)
			free(next.lane);
		err = weft__lash(&base->job, limit, &next);
		if (!err && next.unplaced < base->found.unplaced) {
			free(base->found.lane);
			base->found = next;
			idle = 0;
		}
	}
	if (!err && next.lane != base->found.lane)
		free(next.lane);
	base->job.urgent = NULL;
	free(urgent);
	return err;
}

/* Puts all placed pairs into lanes that can be changed, and repairs the
 * rest. */
static int pack(struct weft__base *base, unsigned limit)
{
	size_t n = base->job.fabric->nsw;
	int err = weft__packing_init(&base->packing, &base->job.traffic,
				     limit);

	if (err)
		return err;
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = a; b < n; b++) {
			uint8_t lane = base->found.lane[a * n + b];

			if (lane != WEFT__UNPLACED)
				weft__packing_add_pair(&base->packing, a, b,
						       lane);
		}
	return base->found.unplaced < n * n / MAX_UNPLACED_SHARE ?
		       weft__repair(base) :
		       0;
}

static int base_init(struct weft__base *base, const struct weft__job *job,
		     const struct weft__narrow_spec *spec, unsigned kind)
{
	const struct weft__near *ways = spec->ways;
	const struct weft__traffic *t = &job->traffic;
	int err;

	*base = (struct weft__base){ .job = *job, .ways = ways };
	base->job.one_way = base->job.first_gap_ends = false;
	base->job.work = 0;
	err = single_init(&base->job.traffic, t);
	if (err)
		return err;
	for (uint32_t b = 0; b < t->nsw; b++) {
		uint8_t *tree = weft__tree_ports(&base->job.traffic, b);
		uint32_t k = kind == FIRST_TREE ? first_whole(t, b) :
			WEFT_NONE;

		if (k == WEFT_NONE)
			lowest_ports(job->fabric, ways, b, tree);
		else
			memcpy(tree, weft__tree_ports(t, k), t->nsw);
	}
	err = place_pairs(base, spec->limit);
	if (!err && spec->spread && !base->found.unplaced && !t->room)
		weft__balance(&base->job, &base->found, spec->limit);
	if (!err)
		err = pack(base, spec->limit);
	if (err)
		base_free(base);
	return err;
}

static unsigned count_lanes(const struct weft__lanes_found *l, size_t n)
{
	unsigned lanes = 1;

	for (size_t i = 0; i < n; i++)
		if (l->lane[i] != WEFT__UNPLACED && l->lane[i] >= lanes)
			lanes = l->lane[i] + 1u;
	return lanes;
}

/* One kind of base, and its result. */
struct kind {
	uint8_t *tree;		/* trees of job->traffic */
	struct weft__lanes_found found;
	double value;		/* worth of the routes; 0: no place for some */
};

static int try_kind(struct weft__job *job,
		    const struct weft__narrow_spec *spec, unsigned kind,
		    struct kind *out)
{
	const struct weft__traffic *t = &job->traffic;
	size_t n = t->nsw;
	struct weft__base base;
	int err = base_init(&base, job, spec, kind);

	if (err)
		return err;
	*out = (struct kind){ .tree = malloc(t->ntrees * n + 1) };
	if (!out->tree)
		err = -ENOMEM;
	if (!err && !base.found.unplaced)
		err = weft__refit(job, &base);
	if (!err && !base.found.unplaced)
		err = weft__traffic_worth(t, &out->value);
	if (!err) {
		memcpy(out->tree, t->tree, t->ntrees * n);
		out->found = base.found;
		out->found.nlanes = count_lanes(&out->found, n * n);
		base.found.lane = NULL;
	} else {
		free(out->tree);
	}
	job->work += base.job.work + base.packing.order.work;
	base_free(&base);
	return err;
}

static void kind_free(struct kind *k)
{
	free(k->tree);
	free(k->found.lane);
}

static bool is_better(const struct kind *now, const struct kind *next)
{
	if (now->found.unplaced != next->found.unplaced)
		return next->found.unplaced < now->found.unplaced;
	return next->value > now->value;
}

int weft__narrow(struct weft__job *job, const struct weft__narrow_spec *spec,
		 struct weft__lanes_found *out, double *value)
{
	struct weft__traffic *t = &job->traffic;
	size_t size = (size_t)t->ntrees * t->nsw;
	struct kind best = { 0 }, next;
	uint8_t *given = malloc(size + 1);
	int err = given ? 0 : -ENOMEM;

	if (given)
		memcpy(given, t->tree, size);
	for (unsigned kind = 0; !err && kind < KINDS; kind++) {
		memcpy(t->tree, given, size);
		err = try_kind(job, spec, kind, &next);
		if (err)
			break;
		if (!kind || is_better(&best, &next)) {
			kind_free(&best);
			best = next;
		} else {
			kind_free(&next);
		}
	}
	if (!err) {
		memcpy(t->tree, best.tree, size);
		*out = best.found;
		*value = best.value;
		best.found.lane = NULL;
	}
	kind_free(&best);
	free(given);
	return err;
}
