// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: prove, everybody reaches everybody in a fabric of subnets
 *
 * A way is made of legs, and each leg is a route within a subnet from a switch
 * to an endport.  What these routes do is found once (reach.c).  The hosts of a
 * subnet on one switch share the way to a destination up to the router; behind
 * it they differ only where a hash of the source's LID chooses among ports.
 */
#include "core/grow.h"
#include "proof/cycle.h"
#include "subnets/proof/loops.h"
#include "subnets/proof/reach.h"
#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>

#define EXAMPLES 4    /* of each end */
#define STRETCHES 256 /* of destinations */

struct proving {
	const struct weft_subnets *s;
	const struct weft_router_map *m;
	struct weft__reach *reach; /* [n] */
	uint32_t **leaf;  /* [n] hosts of a subnet by switch: numbers */
	uint32_t **first; /* [n][switches + 1] where those of one are */
	bool *open; /* [nports] all hosts of its subnet reach the router port */
};

/* The ways on from a router's ports: what a subnet's packets for a host share.
 */
struct beyond {
	uint32_t dest;	 /* that they are known for; WEFT_NONE: none */
	bool alike;	 /* all end at its port, and arrive */
	uint32_t n, lid; /* ports; LID that the hash takes for the next one */
	uint32_t exit[WEFT_MAX_PORTS + 1];
};

/* What one thread finds. */
struct found {
	struct weft_subnets_proof p;
	struct beyond *beyond; /* [nrouters] */
	unsigned examples[WEFT_WAY_ENDS];
	bool failed; /* out of memory */
};

/* A way while it is followed. */
struct way {
	enum weft_way_end end;
	uint32_t routers; /* passed */
	uint32_t leave;	  /* port of the last router; WEFT_NONE: none */
};

/* A place on a way: an endport that a packet comes from. */
struct origin {
	uint32_t subnet, ep;
	uint64_t guid; /* of the host, or of the router's node */
};

/* Follows a way leg by leg from a place on. */
static void follow(const struct proving *x, struct origin at, uint32_t dest,
		   struct way *w)
{
	const struct weft_subnets *s = x->s;
	const struct weft_place *to = &s->host[dest];

	for (;;) {
		const struct weft_fabric *f = s->subnet[at.subnet].fabric;
		uint32_t goal = to->ep, in = WEFT_NONE;

		if (at.subnet != to->subnet) {
			const struct weft__sender sender = {
				at.subnet, f->ep[at.ep].lid, at.guid
			};

			in = weft__router_map_via(s, x->m, &sender, dest);
			w->end = WEFT_WAY_NO_ROUTER;
			if (in == WEFT_NONE)
				return;
			goal = s->port[in].ep;
		}
		w->end = weft__reach(&x->reach[at.subnet], f->ep[at.ep].sw,
				     goal);
		if (w->end != WEFT_WAY_ARRIVED || at.subnet == to->subnet)
			return;
		w->end = WEFT_WAY_HOP_LIMIT;
		if (w->routers++ == s->hop_limit)
			return;
		w->leave = weft__router_exit(s, x->m, s->port[in].router,
					     f->ep[at.ep].lid, dest);
		w->end = WEFT_WAY_NO_ROUTER;
		if (w->leave == WEFT_NONE)
			return;
		at.guid = s->router[s->port[in].router].guid;
		at.subnet = s->port[w->leave].subnet;
		at.ep = s->port[w->leave].ep;
	}
}

static void note(struct found *o, enum weft_way_end end, uint32_t source,
		 uint32_t dest)
{
	struct weft_subnets_proof *p = &o->p;

	p->end[end]++;
	if (end == WEFT_WAY_ARRIVED || o->examples[end] == EXAMPLES)
		return;
	if (weft__grow_one(&p->finding, p->nfindings)) {
		o->failed = true;
		return;
	}
	o->examples[end]++;
	p->finding[p->nfindings++] =
		(struct weft_subnets_finding){ end, source, dest };
}

/* Whether answers to a pair leave by another port than the one by which its
 * packets came into the destination's subnet. */
static bool is_astray(const struct proving *x, uint32_t source, uint32_t dest,
		      uint32_t leave)
{
	const struct weft_place *to = &x->s->host[dest];
	const struct weft_endport *ep =
		&x->s->subnet[to->subnet].fabric->ep[to->ep];
	const struct weft__sender back = { to->subnet, ep->lid, ep->guid };

	return weft__router_map_via(x->s, x->m, &back, source) != leave;
}

/* A pair by itself. */
static void prove_pair(const struct proving *x, struct found *o,
		       uint32_t source, uint32_t dest)
{
	const struct weft_place *from = &x->s->host[source];
	struct way w = { .leave = WEFT_NONE };

	follow(x,
	       (struct origin){
		       from->subnet, from->ep,
		       weft_subnets_guid(x->s, from->subnet, from->ep) },
	       dest, &w);
	if (w.routers > o->p.max_routers)
		o->p.max_routers = w.routers;
	if (w.leave != WEFT_NONE && w.end == WEFT_WAY_ARRIVED)
		o->p.astray += is_astray(x, source, dest, w.leave);
	note(o, w.end, source, dest);
}

/* All pairs of a subnet's hosts and a host of the same one, by switches. */
static void prove_within(const struct proving *x, struct found *o,
			 uint32_t dest)
{
	const struct weft_place *to = &x->s->host[dest];
	const struct weft_fabric *f = x->s->subnet[to->subnet].fabric;
	const uint32_t *first = x->first[to->subnet];

	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		enum weft_way_end end =
			weft__reach(&x->reach[to->subnet], sw, to->ep);

		if (end == WEFT_WAY_ARRIVED) {
			o->p.end[end] += first[sw + 1] - first[sw] -
					 (f->ep[to->ep].sw == sw);
			continue;
		}
		for (uint32_t i = first[sw]; i < first[sw + 1]; i++)
			if (x->leaf[to->subnet][i] != dest)
				note(o, end, x->leaf[to->subnet][i], dest);
	}
}

/* Finds them, unless the ways differ by more than the last router's port, or
 * not all arrive: then each pair is looked at by itself. */
static void find_beyond(const struct proving *x, uint32_t router, uint32_t dest,
			struct beyond *b)
{
	const struct weft_subnets *s = x->s;
	const struct weft_place *to = &s->host[dest];
	uint32_t fixed = x->m->out ?
				 x->m->out[(size_t)router * s->nhosts + dest] :
				 WEFT_NONE;

	b->dest = dest;
	b->n = 1;
	b->exit[0] = fixed;
	b->lid = s->subnet[to->subnet].fabric->ep[to->ep].lid;
	if (fixed == WEFT_NONE)
		b->n = weft__router_map_exits(s, router, to->subnet, b->exit);
	b->alike = b->n > 0;
	for (uint32_t i = 0; i < b->n && b->alike; i++) {
		const struct weft_router_port *p = &s->port[b->exit[i]];
		const struct weft_fabric *f = s->subnet[p->subnet].fabric;

		b->alike = p->subnet == to->subnet &&
			   weft__reach(&x->reach[p->subnet], f->ep[p->ep].sw,
				       to->ep) == WEFT_WAY_ARRIVED;
	}
}

/* Returns the ways on from the router of a port, if all hosts of the port's
 * subnet reach it and the ways are alike; NULL: they have to be looked at one
 * by one. */
static const struct beyond *beyond_port(const struct proving *x,
					struct found *o, uint32_t via,
					uint32_t dest)
{
	struct beyond *b;

	if (via == WEFT_NONE || !x->open[via])
		return NULL;
	b = &o->beyond[x->s->port[via].router];
	if (b->dest != dest)
		find_beyond(x, x->s->port[via].router, dest, b);
	return b->alike ? b : NULL;
}

/* Counts pairs whose answers go astray: all hosts of a subnet, a host. */
static uint64_t count_astray(const struct proving *x, uint32_t from,
			     uint32_t dest, const struct beyond *b)
{
	const struct weft_subnets *s = x->s;
	const struct weft_fabric *f = s->subnet[from].fabric;
	const uint32_t *back =
		&x->m->via[(size_t)s->host[dest].subnet * s->nhosts];
	uint64_t n = 0;

	if (b->n == 1) {
		for (uint32_t h = s->first_host[from];
		     h < s->first_host[from + 1]; h++)
			n += back[h] != b->exit[0];
		return n;
	}
	for (uint32_t h = s->first_host[from]; h < s->first_host[from + 1]; h++)
		n += back[h] != b->exit[weft__router_map_hash(
					x->m, f->ep[s->host[h].ep].lid,
					b->lid, b->n)];
	return n;
}

/* Counts pairs whose answers go astray, where each draws its router port: all
 * hosts of a subnet, a host. */
static uint64_t count_drawn_astray(const struct proving *x,
				   const struct found *o, uint32_t from,
				   uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	const struct weft_fabric *f = s->subnet[from].fabric;
	uint64_t n = 0;

	for (uint32_t h = s->first_host[from]; h < s->first_host[from + 1];
	     h++) {
		uint32_t via = weft__router_map_host_via(s, x->m, h, dest);
		const struct beyond *b = &o->beyond[s->port[via].router];
		uint32_t k = b->n == 1 ? 0 :
					 weft__router_map_hash(
						 x->m, f->ep[s->host[h].ep].lid,
						 b->lid, b->n);

		n += weft__router_map_host_via(s, x->m, dest, h) != b->exit[k];
	}
	return n;
}

/* Pairs of a subnet's hosts and a host of another one, if they are alike as far
 * as it matters.  Returns false if not. */
static bool prove_alike(const struct proving *x, struct found *o, uint32_t from,
			uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	size_t pair = (size_t)from * s->n + s->host[dest].subnet;
	uint32_t n = x->m->via ? 1 : x->m->nchoices[pair];
	const uint32_t *via =
		x->m->via ? &x->m->via[(size_t)from * s->nhosts + dest] :
			    &x->m->choice[pair * s->nports];
	const struct beyond *b = NULL;

	for (uint32_t i = 0; i < n; i++) {
		b = beyond_port(x, o, via[i], dest);
		if (!b)
			return false;
	}
	if (!b)
		return false;
	if (!o->p.max_routers)
		o->p.max_routers = 1;
	o->p.end[WEFT_WAY_ARRIVED] +=
		s->first_host[from + 1] - s->first_host[from];
	o->p.astray += x->m->via ? count_astray(x, from, dest, b) :
				   count_drawn_astray(x, o, from, dest);
	return true;
}

/* Pairs of a subnet's hosts and a host of another one. */
static void prove_across(const struct proving *x, struct found *o,
			 uint32_t from, uint32_t dest)
{
	const struct weft_subnets *s = x->s;

	if (!prove_alike(x, o, from, dest))
		for (uint32_t h = s->first_host[from];
		     h < s->first_host[from + 1]; h++)
			prove_pair(x, o, h, dest);
}

static void prove_to(const struct proving *x, struct found *o, uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	uint32_t home = s->host[dest].subnet;
	uint32_t at_home = s->first_host[home + 1] - s->first_host[home];

	o->p.pairs += s->nhosts - 1;
	o->p.crossing += s->nhosts - at_home;
	for (uint32_t i = 0; i < s->n; i++)
		if (i == home)
			prove_within(x, o, dest);
		else
			prove_across(x, o, i, dest);
}

/* Adds what a thread found behind what those before it did. */
static bool add_found(struct found *all, const struct found *o)
{
	struct weft_subnets_proof *p = &all->p;

	if (o->failed)
		return false;
	p->pairs += o->p.pairs;
	p->crossing += o->p.crossing;
	p->astray += o->p.astray;
	if (o->p.max_routers > p->max_routers)
		p->max_routers = o->p.max_routers;
	for (uint32_t i = 0; i < o->p.nfindings; i++) {
		const struct weft_subnets_finding *f = &o->p.finding[i];

		note(all, f->end, f->source, f->dest);
		p->end[f->end]--;
	}
	for (unsigned e = 0; e < WEFT_WAY_ENDS; e++)
		p->end[e] += o->p.end[e];
	return !all->failed;
}

/* Proves what is sent to the hosts from one to before another one. */
static void prove_stretch(const struct proving *x, struct found *o,
			  uint32_t first, uint32_t end)
{
	o->beyond = malloc((x->s->nrouters + 1ull) * sizeof(*o->beyond));
	o->failed = !o->beyond;
	for (uint32_t r = 0; o->beyond && r < x->s->nrouters; r++)
		o->beyond[r].dest = WEFT_NONE;
	for (uint32_t d = first; o->beyond && d < end; d++)
		prove_to(x, o, d);
	free(o->beyond);
}

/* Shares destinations among threads in stretches, whose findings are put one
 * behind the other, so that they are the same for any number of threads. */
static bool prove_all(const struct proving *x, struct weft_subnets_proof *out)
{
	struct found part[STRETCHES] = { { .failed = false } };
	struct found all = { .failed = false };
	uint64_t n = x->s->nhosts;
	bool ok = true;

#pragma omp parallel for schedule(dynamic)
	for (unsigned i = 0; i < STRETCHES; i++)
		prove_stretch(x, &part[i], n * i / STRETCHES,
			      n * (i + 1) / STRETCHES);
	for (unsigned i = 0; i < STRETCHES; i++) {
		ok = add_found(&all, &part[i]) && ok;
		free(part[i].p.finding);
	}
	*out = all.p;
	return ok;
}

/* Lists the hosts of a subnet by the switches that they are on. */
static bool sort_hosts(struct proving *x, uint32_t i)
{
	const struct weft_subnet *t = &x->s->subnet[i];
	const struct weft_fabric *f = t->fabric;
	uint32_t n = 0;

	x->leaf[i] = malloc((f->nep + 1ull) * sizeof(*x->leaf[i]));
	x->first[i] = malloc((f->nsw + 1ull) * sizeof(*x->first[i]));
	if (!x->leaf[i] || !x->first[i])
		return false;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		x->first[i][sw] = n;
		for (uint32_t k = f->sw_ep_first[sw];
		     k < f->sw_ep_first[sw + 1]; k++)
			if (t->host_of[f->sw_endport[k]] != WEFT_NONE)
				x->leaf[i][n++] = t->host_of[f->sw_endport[k]];
	}
	x->first[i][f->nsw] = n;
	return true;
}

/* Finds out which router ports all hosts of their subnets reach. */
static void find_open(struct proving *x)
{
	for (uint32_t p = 0; p < x->s->nports; p++) {
		const struct weft_router_port *q = &x->s->port[p];
		const uint32_t *first = x->first[q->subnet];
		uint32_t nsw = x->s->subnet[q->subnet].fabric->nsw;

		x->open[p] = true;
		for (uint32_t sw = 0; sw < nsw && x->open[p]; sw++)
			x->open[p] = first[sw] == first[sw + 1] ||
				     weft__reach(&x->reach[q->subnet], sw,
						 q->ep) == WEFT_WAY_ARRIVED;
	}
}

static int start(struct proving *x)
{
	uint32_t n = x->s->n;
	int err = 0;

	x->reach = calloc(n + 1ull, sizeof(*x->reach));
	x->leaf = calloc(n + 1ull, sizeof(*x->leaf));
	x->first = calloc(n + 1ull, sizeof(*x->first));
	x->open = malloc(x->s->nports + 1ull);
	if (!x->reach || !x->leaf || !x->first || !x->open)
		return -ENOMEM;
	for (uint32_t i = 0; i < n && !err; i++) {
		err = weft__reach_find(&x->s->subnet[i], &x->reach[i]);
		if (!err && !sort_hosts(x, i))
			err = -ENOMEM;
	}
	if (!err)
		find_open(x);
	return err;
}

static void end(struct proving *x)
{
	for (uint32_t i = 0; i < x->s->n; i++) {
		if (x->reach)
			free(x->reach[i].end);
		if (x->leaf)
			free(x->leaf[i]);
		if (x->first)
			free(x->first[i]);
	}
	free(x->reach);
	free(x->leaf);
	free(x->first);
	free(x->open);
}

int weft_subnets_prove(const struct weft_subnets *s,
		       const struct weft_whole *whole,
		       const struct weft_router_map *map,
		       struct weft_subnets_proof *out, struct weft_diag *diag)
{
	struct weft_subnets_proof p = { .pairs = 0 };
	struct proving x = { .s = s, .m = map };
	int err = start(&x);

	if (!err && !prove_all(&x, &p))
		err = -ENOMEM;
	if (!err)
		err = weft__subnets_loops(s, whole, map, &p);
	end(&x);
	if (err) {
		weft_subnets_proof_free(&p);
		return weft_fail(diag, -err, "out of memory");
	}
	*out = p;
	return 0;
}

void weft_subnets_proof_free(struct weft_subnets_proof *p)
{
	weft__cycles_free(p->cycle, p->ncycles);
	free(p->finding);
	*p = (struct weft_subnets_proof){ .pairs = 0 };
}
