// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: prove, everybody reaches everybody in a fabric of subnets
 *
 * A way is made of legs, and each leg is a route within a subnet from a switch
 * to an endport.  What these routes do is found once (reach.c).  The hosts of a
 * subnet on one switch share the way to a destination up to the router; behind
 * it they differ only where a hash of the source's LID chooses among ports.
 */
#include "proof/cycle.h"
#include "subnets/loops.h"
#include "subnets/reach.h"
#include "subnets/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXAMPLES 4 /* of each end */

struct proving {
	const struct weft_subnets *s;
	const struct weft_router_map *m;
	struct weft__reach *reach; /* [n] */
	struct weft_subnets_proof *out;
	unsigned examples[WEFT_WAY_ENDS];
};

/* A way while it is followed. */
struct way {
	enum weft_way_end end;
	uint32_t routers;   /* passed */
	uint32_t in, leave; /* ports of the last router; WEFT_NONE: none */
};

/* Follows a way leg by leg. */
static struct way follow(const struct proving *x, uint32_t source,
			 uint32_t dest)
{
	const struct weft_subnets *s = x->s;
	const struct weft_place *from = &s->host[source], *to = &s->host[dest];
	struct way w = { .in = WEFT_NONE, .leave = WEFT_NONE };
	uint32_t subnet = from->subnet, ep = from->ep;
	uint64_t guid = weft_subnets_guid(s, subnet, ep);

	for (;;) {
		const struct weft_fabric *f = s->subnet[subnet].fabric;
		uint32_t goal = to->ep;

		if (subnet != to->subnet) {
			w.in = weft__router_map_via(s, x->m, subnet, guid,
						    dest);
			w.end = WEFT_WAY_NO_ROUTER;
			if (w.in == WEFT_NONE)
				return w;
			goal = s->port[w.in].ep;
		}
		w.end = weft__reach(&x->reach[subnet], f->ep[ep].sw, goal);
		if (w.end != WEFT_WAY_ARRIVED || subnet == to->subnet)
			return w;
		w.end = WEFT_WAY_HOP_LIMIT;
		if (w.routers++ == WEFT_HOP_LIMIT)
			return w;
		w.leave = weft__router_exit(s, x->m, s->port[w.in].router,
					    f->ep[ep].lid, dest);
		w.end = WEFT_WAY_NO_ROUTER;
		if (w.leave == WEFT_NONE)
			return w;
		guid = s->router[s->port[w.in].router].guid;
		subnet = s->port[w.leave].subnet;
		ep = s->port[w.leave].ep;
	}
}

static bool note(struct proving *x, enum weft_way_end end, uint32_t source,
		 uint32_t dest)
{
	struct weft_subnets_proof *p = x->out;
	struct weft_subnets_finding *more;

	p->end[end]++;
	if (end == WEFT_WAY_ARRIVED || x->examples[end] == EXAMPLES)
		return true;
	more = realloc(p->finding, (p->nfindings + 1) * sizeof(*more));
	if (!more)
		return false;
	x->examples[end]++;
	p->finding = more;
	p->finding[p->nfindings++] =
		(struct weft_subnets_finding){ end, source, dest };
	return true;
}

/* Whether the answers to a pair come back through the ports of the router
 * next to the destination that the pair's packets took.  The destination's own
 * subnet chooses the port by which answers go. */
static bool is_astray(const struct proving *x, uint32_t source, uint32_t dest,
		      const struct way *w)
{
	const struct weft_place *to = &x->s->host[dest];

	return weft__router_map_via(x->s, x->m, to->subnet,
				    weft_subnets_guid(x->s, to->subnet, to->ep),
				    source) != w->leave;
}

static bool prove_pair(struct proving *x, uint32_t source, uint32_t dest)
{
	struct weft_subnets_proof *p = x->out;
	bool cross = x->s->host[source].subnet != x->s->host[dest].subnet;
	struct way w = follow(x, source, dest);

	p->pairs++;
	p->crossing += cross;
	if (w.routers > p->max_routers)
		p->max_routers = w.routers;
	if (cross && w.end == WEFT_WAY_ARRIVED)
		p->astray += is_astray(x, source, dest, &w);
	return note(x, w.end, source, dest);
}

static bool prove_all(struct proving *x)
{
	for (uint32_t d = 0; d < x->s->nhosts; d++)
		for (uint32_t h = 0; h < x->s->nhosts; h++)
			if (h != d && !prove_pair(x, h, d))
				return false;
	return true;
}

int weft_subnets_prove(const struct weft_subnets *s,
		       const struct weft_whole *whole,
		       const struct weft_router_map *map,
		       struct weft_subnets_proof *out, struct weft_diag *diag)
{
	struct weft_subnets_proof p = { .pairs = 0 };
	struct proving x = {
		.s = s,
		.m = map,
		.out = &p,
		.reach = calloc(s->n + 1ull, sizeof(*x.reach)),
	};
	int err = x.reach ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < s->n && !err; i++)
		err = weft__reach_find(&s->subnet[i], &x.reach[i]);
	if (!err && !prove_all(&x))
		err = -ENOMEM;
	if (!err)
		err = weft__subnets_loops(s, whole, map, &p);
	for (uint32_t i = 0; x.reach && i < s->n; i++)
		free(x.reach[i].end);
	free(x.reach);
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
