// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All subnets as one fabric, and ways through it. */
#include "core/fabric/components.h"

#include <weft/subnets.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Adds the routers with as many ports as are known. */
static void add_routers(const struct weft_subnets *s, struct weft_builder *b)
{
	for (uint32_t i = 0; i < s->nrouters; i++) {
		const struct weft_router *r = &s->router[i];
		unsigned most = 0;
		uint32_t h;

		for (uint32_t k = r->first; k < r->first + r->n; k++)
			if (s->port[k].port > most)
				most = s->port[k].port;
		h = weft_builder_node(b, WEFT_NODE_SWITCH, r->guid, most);
		if (h != WEFT_NONE)
			weft_builder_name(b, h, r->name, strlen(r->name));
	}
}

/* Adds the cables of a switch of a subnet. */
static void add_cables(const struct weft_subnets *s,
		       const struct weft_subnet *t, uint32_t sw,
		       struct weft_builder *b)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t from = weft_builder_find(b, f->sw[sw].guid), to;

	for (unsigned p = 1; p <= f->sw[sw].nports; p++) {
		uint32_t ch = weft_channel(f, sw, p), peer = f->peer[ch];
		unsigned far = f->peer_port[ch];
		struct weft_rate rate = { f->width[ch], f->speed[ch] };

		if (peer == WEFT_NONE)
			continue;
		if (weft_is_switch(peer)) {
			if (f->reverse[ch] < ch)
				continue;
			to = weft_builder_find(b, f->sw[peer].guid);
		} else {
			uint32_t e = peer & ~WEFT_ENDPORT, port = t->port_of[e];

			if (port == WEFT_NONE) {
				to = weft__copy_endport(b, f, &f->ep[e]);
			} else {
				to = weft_builder_find(
					b,
					s->router[s->port[port].router].guid);
				far = s->port[port].port;
			}
		}
		if (from != WEFT_NONE && to != WEFT_NONE)
			weft_builder_link(b, from, p, to, far, rate);
	}
}

static int build(const struct weft_subnets *s, struct weft_builder *b,
		 struct weft_diag *diag)
{
	/* Kinds are those of a site: all subnets have the names of one. */
	weft_builder_uses(b, s->subnet[0].fabric->use_name,
			  s->subnet[0].fabric->nuses);
	weft_builder_machines(b, s->subnet[0].fabric->machines_by);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		for (uint32_t sw = 0; sw < f->nsw; sw++) {
			if (weft_builder_find(b, f->sw[sw].guid) != WEFT_NONE)
				return weft_fail(
					diag, EINVAL,
					"switch 0x%016" PRIx64
					" (%s) is in two subnets, the second is %s",
					f->sw[sw].guid, f->sw[sw].name,
					s->subnet[i].name);
			weft__copy_switch(b, &f->sw[sw]);
		}
	}
	add_routers(s, b);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t sw = 0; sw < s->subnet[i].fabric->nsw; sw++)
			add_cables(s, &s->subnet[i], sw, b);
	weft__forget_lids(b);
	return 0;
}

/* Finds where everything is in the fabric. */
static bool find_all(const struct weft_subnets *s, struct weft_whole *w)
{
	w->sw = calloc(s->n + 1ull, sizeof(*w->sw));
	w->router = malloc((s->nrouters + 1ull) * sizeof(*w->router));
	w->ep = malloc((s->nhosts + 1ull) * sizeof(*w->ep));
	if (!w->sw || !w->router || !w->ep)
		return false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		w->sw[i] = malloc((f->nsw + 1ull) * sizeof(*w->sw[i]));
		if (!w->sw[i])
			return false;
		for (uint32_t sw = 0; sw < f->nsw; sw++)
			w->sw[i][sw] = weft_fabric_switch_by_guid(
				w->fabric, f->sw[sw].guid);
	}
	for (uint32_t r = 0; r < s->nrouters; r++)
		w->router[r] = weft_fabric_switch_by_guid(w->fabric,
							  s->router[r].guid);
	for (uint32_t h = 0; h < s->nhosts; h++)
		w->ep[h] = weft_fabric_endport_by_guid(
			w->fabric,
			weft_subnets_guid(s, s->host[h].subnet, s->host[h].ep));
	return true;
}

int weft_subnets_whole(const struct weft_subnets *s, struct weft_whole *out,
		       struct weft_diag *diag)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_whole w = { .fabric = NULL };
	int err = b ? build(s, b, diag) :
		      weft_no_memory(diag);

	if (!err)
		err = weft_builder_finish(b, &w.fabric, diag);
	weft_builder_free(b);
	if (!err && !find_all(s, &w))
		err = weft_no_memory(diag);
	if (err)
		weft_whole_free(s, &w);
	else
		*out = w;
	return err;
}

void weft_whole_free(const struct weft_subnets *s, struct weft_whole *w)
{
	for (uint32_t i = 0; w->sw && i < s->n; i++)
		free(w->sw[i]);
	free(w->sw);
	free(w->router);
	free(w->ep);
	weft_fabric_free(w->fabric);
	*w = (struct weft_whole){ .fabric = NULL };
}

/* --- ways ----------------------------------------------------------------- */

/* The channels found so far. */
struct list {
	uint32_t *channel;
	unsigned max, n;
};

/* Follows the tables of a subnet along a leg. */
static enum weft_way_end follow(const struct weft_subnets *s,
				const struct weft_whole *w,
				const struct weft_leg *leg, struct list *l)
{
	const struct weft_subnet *t = &s->subnet[leg->subnet];
	const struct weft_fabric *f = t->fabric;
	unsigned lid = f->ep[leg->to].lid;
	uint32_t sw = f->ep[leg->from].sw;

	for (uint32_t hops = 0; hops <= f->nsw; hops++) {
		unsigned port = weft_lft_get(&t->routes.lft, sw, lid);
		uint32_t peer;

		if (!port || port > f->sw[sw].nports || l->n == l->max)
			return WEFT_WAY_NO_ROUTE;
		peer = f->peer[weft_channel(f, sw, port)];
		if (peer == WEFT_NONE)
			return WEFT_WAY_NO_ROUTE;
		l->channel[l->n++] =
			weft_channel(w->fabric, w->sw[leg->subnet][sw], port);
		if (!weft_is_switch(peer))
			return peer == (leg->to | WEFT_ENDPORT) ?
				       WEFT_WAY_ARRIVED :
				       WEFT_WAY_NO_ROUTE;
		sw = peer;
	}
	return WEFT_WAY_LOOP;
}

enum weft_way_end weft_subnets_way(const struct weft_subnets *s,
				   const struct weft_whole *w,
				   const struct weft_router_map *map,
				   uint32_t source, uint32_t dest,
				   uint32_t *channel, unsigned max, unsigned *n)
{
	struct weft_leg leg[WEFT_HOP_LIMIT + 1];
	struct list l = { .channel = channel, .max = max };
	unsigned nlegs;
	enum weft_way_end end = weft_subnets_legs(s, map, source, dest, leg,
						  WEFT_HOP_LIMIT + 1, &nlegs);

	for (unsigned i = 0; i < nlegs; i++) {
		const struct weft_subnet *t = &s->subnet[leg[i].subnet];
		enum weft_way_end here;

		if (!t->routes.lft.port) {
			end = WEFT_WAY_NO_ROUTE;
			break;
		}
		/* A router sends by its port at the begin of the leg. */
		if (i && l.n < max)
			l.channel[l.n++] = weft_channel(
				w->fabric,
				w->router[s->port[leg[i - 1].port].router],
				s->port[t->port_of[leg[i].from]].port);
		here = follow(s, w, &leg[i], &l);
		if (here != WEFT_WAY_ARRIVED) {
			end = here;
			break;
		}
	}
	*n = l.n;
	return end;
}
