// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds single points of failure of machines with several ports; see
 * weft/redundancy.h. */
#include "core/grow.h"

#include <weft/redundancy.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct search {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	struct weft_redundancy *out;
	size_t room;		/* entries that out->weak has room for */
	uint32_t *path;		/* [nsw] channels of one route */
	uint32_t *met;		/* [nsw] ports whose route passes it */
	uint32_t *touched;	/* [nsw] switches that a route passes */
	uint32_t *hits;		/* [nsw] sources that depend on it */
	uint32_t *part;		/* [nsw] parts without the current switch */
	uint32_t *queue;	/* [nsw] */
	uint8_t *has_host;	/* [nsw] */
};

/* Counts a port for every switch on its route from s, but s itself.  Returns
 * true if the route arrives. */
static bool count_switches(struct search *w, uint32_t s, unsigned lid,
			   uint32_t *n)
{
	size_t hops;

	if (weft_lft_walk(w->f, w->lft, s, lid,
			  (struct weft_walk_path){ w->path, w->f->nsw },
			  &hops) != WEFT_ARRIVED)
		return false;
	for (size_t i = 0; i + 1 < hops; i++) {
		uint32_t t = w->f->peer[w->path[i]];

		if (!w->met[t]++)
			w->touched[(*n)++] = t;
	}
	return true;
}

/* Calls call() for each switch that all routes from s to a machine
 * pass. */
static void for_each_common(struct search *w, uint32_t machine, uint32_t s,
			    void (*call)(struct search *w, uint32_t sw,
					 void *context),
			    void *context)
{
	const uint32_t *first = &w->f->machine_first[machine];
	uint32_t touched = 0, ports = 0;
	bool local = false;

	for (uint32_t i = first[0]; i < first[1]; i++) {
		const struct weft_endport *ep =
			&w->f->ep[w->f->machine_endport[i]];

		local |= ep->sw == s && ep->lid;
		if (ep->lid)
			ports += count_switches(w, s, ep->lid, &touched);
	}
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t t = w->touched[i];

		if (!local && w->met[t] == ports)
			call(w, t, context);
		w->met[t] = 0;
	}
}

static void count_hit(struct search *w, uint32_t sw, void *context)
{
	(void)context;
	w->hits[sw]++;
}

static bool add_weak(struct search *w, struct weft_weak weak)
{
	struct weft_redundancy *out = w->out;

	if (weft__grow(&out->weak, &w->room, out->n + 1ull))
		return false;
	out->weak[out->n++] = weak;
	return true;
}

static bool examine_machine(struct search *w, uint32_t machine)
{
	uint32_t before = w->out->n;

	w->out->several++;
	for (uint32_t s = 0; s < w->f->nsw; s++)
		if (w->has_host[s])
			for_each_common(w, machine, s, count_hit, NULL);
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		if (w->hits[s] &&
		    !add_weak(w, (struct weft_weak){ .machine = machine,
						     .sw = s,
						     .sources = w->hits[s] }))
			return false;
		w->hits[s] = 0;
	}
	w->out->weak_machines += w->out->n > before;
	return true;
}

/* Finds the parts into which the fabric falls without switch sw, into
 * part[]. */
static void find_parts(struct search *w, uint32_t sw)
{
	const struct weft_fabric *f = w->f;

	memset(w->part, 0xff, f->nsw * sizeof(*w->part));
	w->part[sw] = sw;
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t head = 0, tail = 0;

		if (w->part[root] != WEFT_NONE)
			continue;
		w->part[root] = root;
		w->queue[tail++] = root;
		while (head < tail) {
			uint32_t s = w->queue[head++];

			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint32_t t = f->peer[f->adj[e]];

				if (w->part[t] != WEFT_NONE)
					continue;
				w->part[t] = root;
				w->queue[tail++] = t;
			}
		}
	}
}

/* A switch with hosts, and the weak point that its routes are checked for. */
struct source {
	struct weft_weak *weak;
	uint32_t sw;
};

static void count_needless(struct search *w, uint32_t sw, void *context)
{
	const struct source *s = context;
	const uint32_t *first = &w->f->machine_first[s->weak->machine];

	if (sw != s->weak->sw)
		return;
	for (uint32_t i = first[0]; i < first[1]; i++) {
		const struct weft_endport *ep =
			&w->f->ep[w->f->machine_endport[i]];

		if (ep->lid && ep->sw != sw &&
		    w->part[ep->sw] == w->part[s->sw]) {
			s->weak->needless++;
			return;
		}
	}
}

static int by_switch(const void *a, const void *b)
{
	const struct weft_weak *x = a, *y = b;

	if (x->sw != y->sw)
		return x->sw < y->sw ? -1 : 1;
	return x->machine < y->machine ? -1 : x->machine > y->machine;
}

static int by_machine(const void *a, const void *b)
{
	const struct weft_weak *x = a, *y = b;

	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	return x->sw < y->sw ? -1 : x->sw > y->sw;
}

/* Counts the dependences that the cables would allow to avoid. */
static void find_needless(struct search *w)
{
	struct weft_redundancy *r = w->out;
	uint32_t last = WEFT_NONE;

	if (r->n)
		qsort(r->weak, r->n, sizeof(*r->weak), by_switch);
	for (uint32_t i = 0; i < r->n; i++) {
		struct source s = { .weak = &r->weak[i] };

		if (!i || r->weak[i].sw != r->weak[i - 1].sw)
			find_parts(w, r->weak[i].sw);
		for (s.sw = 0; s.sw < w->f->nsw; s.sw++)
			if (w->has_host[s.sw])
				for_each_common(w, s.weak->machine, s.sw,
						count_needless, &s);
	}
	if (r->n)
		qsort(r->weak, r->n, sizeof(*r->weak), by_machine);
	for (uint32_t i = 0; i < r->n; i++) {
		if (!r->weak[i].needless || r->weak[i].machine == last)
			continue;
		last = r->weak[i].machine;
		r->needless_machines++;
	}
}

static bool find_weak(struct search *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST)
			w->has_host[f->ep[e].sw] = 1;
	for (uint32_t m = 0; m < f->nmachines; m++) {
		const uint32_t *first = &f->machine_first[m];

		if (first[0] == first[1]) {
			w->out->single++;	/* of no cable */
			continue;
		}
		if (f->ep[f->machine_endport[first[0]]].kind != WEFT_HOST)
			continue;
		if (first[1] - first[0] < 2)
			w->out->single++;
		else if (!examine_machine(w, m))
			return false;
	}
	find_needless(w);
	return true;
}

int weft_redundancy_find(const struct weft_fabric *f,
			  const struct weft_lft *lft,
			  struct weft_redundancy *out)
{
	struct weft_redundancy r = { 0 };
	struct search w = { .f = f, .lft = lft, .out = &r };
	uint32_t n = f->nsw + 1;
	bool good;

	w.path = malloc(n * sizeof(*w.path));
	w.met = calloc(n, sizeof(*w.met));
	w.touched = malloc(n * sizeof(*w.touched));
	w.hits = calloc(n, sizeof(*w.hits));
	w.part = malloc(n * sizeof(*w.part));
	w.queue = malloc(n * sizeof(*w.queue));
	w.has_host = calloc(n, 1);
	good = w.path && w.met && w.touched && w.hits && w.part && w.queue &&
	       w.has_host && find_weak(&w);
	free(w.path);
	free(w.met);
	free(w.touched);
	free(w.hits);
	free(w.part);
	free(w.queue);
	free(w.has_host);
	if (!good) {
		weft_redundancy_free(&r);
		return -ENOMEM;
	}
	*out = r;
	return 0;
}

void weft_redundancy_free(struct weft_redundancy *r)
{
	free(r->weak);
	*r = (struct weft_redundancy){ 0 };
}
