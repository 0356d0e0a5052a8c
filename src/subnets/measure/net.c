// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: subnets for the packet simulator
 *
 * The whole is one fabric whose switches have the rows of their subnets' tables
 * as they are: LIDs mean what they do where the switch is.  Its endports have
 * the LIDs of their subnets, so that several have the same one; nobody may ask
 * whose a LID is.  At a router the methods say which port a packet leaves by
 * and what the LID of its next leg's end is.
 *
 * Lanes are those of walks.h, which a proof is about: a packet keeps its SL,
 * and each level has lanes of its own.  Where subnets differ in these, SL2VL
 * tables of the whole say it.
 */
#include "subnets/map/router_map.h"
#include "subnets/proof/walks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A switch of a subnet. */
struct local {
	uint32_t subnet, sw;
};

struct weft_subnets_context {
	const struct weft_subnets *s;
	const struct weft_router_map *m;
	const struct weft_whole *whole;
	unsigned stride; /* SLs of a level */
	uint32_t *host;	 /* [nep] host that an endport of the whole is */
	struct local *sw; /* [nsw] what a switch of the whole is; of a router
			   * nothing */
	uint32_t *port;	 /* [first_injection] router port that a channel of
			  * the whole leaves by, or WEFT_NONE */
};

static unsigned lanes_of(const struct weft_subnet *t)
{
	return t->routes.layers.nvl ? t->routes.layers.nvl : 1;
}

/* Returns the lane by which a host or a router sends into a subnet. */
static unsigned lane_into(const struct weft_subnets_context *c,
			  const struct weft_subnet *t, unsigned sl)
{
	return sl % c->stride % lanes_of(t) + sl / c->stride * c->stride;
}

static uint16_t lid_of(const struct weft_subnet *t, uint32_t ep)
{
	return t->fabric->ep[ep].lid;
}

/* --- legs ----------------------------------------------------------------- */

/* Fills in the SL and the lane of a leg between ports of a subnet. */
static void set_level(const struct weft_subnets_context *c,
		      const struct weft_subnet *t, uint32_t vertex,
		      unsigned level, struct weft_sim_leg *out)
{
	out->sl = weft_layers_sl(&t->routes.layers, t->fabric, vertex,
				 out->to) %
			  c->stride +
		  level * c->stride;
	out->vl = lane_into(c, t, out->sl);
}

/* The leg from port 0 of a switch to that of another one of its subnet. */
static void begin_switch(const struct weft_subnets_context *c, uint32_t from,
			 uint32_t to, struct weft_sim_leg *out)
{
	const struct local *a = &c->sw[from], *b = &c->sw[to];
	const struct weft_subnet *t = &c->s->subnet[a->subnet];

	*out = (struct weft_sim_leg){
		.from = t->fabric->sw[a->sw].lid,
		.to = t->fabric->sw[b->sw].lid,
	};
	set_level(c, t, a->sw, 0, out);
}

static void begin_leg(const void *context, uint32_t from, uint32_t to,
		      struct weft_sim_leg *out)
{
	const struct weft_subnets_context *c = context;
	const struct weft_subnets *s = c->s;
	uint32_t nep = c->whole->fabric->nep, source, dest, via;
	const struct weft_place *a, *b;
	const struct weft_subnet *t;
	unsigned level = 0;

	if (from >= nep) {
		begin_switch(c, from - nep, to - nep, out);
		return;
	}
	source = c->host[from];
	dest = c->host[to];
	a = &s->host[source];
	b = &s->host[dest];
	t = &s->subnet[a->subnet];
	*out = (struct weft_sim_leg){ .from = lid_of(t, a->ep) };
	if (a->subnet == b->subnet) {
		out->to = lid_of(t, b->ep);
	} else {
		via = weft__router_map_host_via(s, c->m, source, dest);
		if (via != WEFT_NONE)
			out->to = lid_of(t, s->port[via].ep);
		if (c->m->level)
			level = c->m->level[(size_t)a->subnet * s->n +
					    b->subnet];
	}
	set_level(c, t, a->ep | WEFT_ENDPORT, level, out);
}

/* Returns the LID that a packet goes to in a subnet that it enters by a port of
 * a router; 0: no router leads on. */
static uint16_t next_end(const struct weft_subnets_context *c,
			 const struct weft_router_port *out, uint32_t dest)
{
	const struct weft_subnets *s = c->s;
	const struct weft_subnet *t = &s->subnet[out->subnet];
	const struct weft__sender here = { out->subnet, lid_of(t, out->ep),
					   s->router[out->router].guid };
	uint32_t via;

	if (s->host[dest].subnet == out->subnet)
		return lid_of(t, s->host[dest].ep);
	via = weft__router_map_via(s, c->m, &here, dest);
	return via == WEFT_NONE ? 0 : lid_of(t, s->port[via].ep);
}

static bool pass_router(const void *context, const struct weft_sim_arrival *at,
			struct weft_sim_leg *leg)
{
	const struct weft_subnets_context *c = context;
	const struct weft_subnets *s = c->s;
	uint32_t in = c->port[weft_channel(c->whole->fabric, at->sw, at->in)];
	uint32_t dest = c->host[at->dest], port;
	const struct weft_router_port *out;

	if (in == WEFT_NONE || lid_of(&s->subnet[s->port[in].subnet],
				      s->port[in].ep) != at->leg->to)
		return false;
	port = weft__router_exit(s, c->m, s->port[in].router, at->leg->from,
				 dest);
	if (port == WEFT_NONE)
		return false;
	out = &s->port[port];
	leg->port = out->port;
	leg->from = lid_of(&s->subnet[out->subnet], out->ep);
	leg->to = next_end(c, out, dest);
	leg->vl = lane_into(c, &s->subnet[out->subnet], leg->sl);
	return leg->to;
}

/* --- the network ---------------------------------------------------------- */

static bool make_context(struct weft_subnets_net *net,
			 const struct weft_router_map *map)
{
	const struct weft_subnets *s = net->subnets;
	const struct weft_fabric *f = net->whole.fabric;
	struct weft_subnets_context *c = calloc(1, sizeof(*c));

	net->context = c;
	if (!c)
		return false;
	c->s = s;
	c->m = map;
	c->whole = &net->whole;
	c->stride = map->levels > 1 ? weft__walks_lanes(s) : WEFT_NSL;
	c->host = malloc((f->nep + 1ull) * sizeof(*c->host));
	c->sw = calloc(f->nsw + 1ull, sizeof(*c->sw));
	c->port = malloc((f->first_injection + 1ull) * sizeof(*c->port));
	net->subnet = malloc((f->nep + 1ull) * sizeof(*net->subnet));
	net->is_router = calloc(f->nsw + 1ull, sizeof(*net->is_router));
	if (!c->host || !c->sw || !c->port || !net->subnet || !net->is_router)
		return false;
	for (uint32_t h = 0; h < s->nhosts; h++) {
		c->host[net->whole.ep[h]] = h;
		net->subnet[net->whole.ep[h]] = s->host[h].subnet;
	}
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t sw = 0; sw < s->subnet[i].fabric->nsw; sw++)
			c->sw[net->whole.sw[i][sw]] =
				(struct local){ i, sw };
	memset(c->port, 0xff, f->first_injection * sizeof(*c->port));
	for (uint32_t i = 0; i < s->nports; i++) {
		uint32_t sw = net->whole.router[s->port[i].router];

		net->is_router[sw] = true;
		c->port[weft_channel(f, sw, s->port[i].port)] = i;
	}
	return true;
}

/* Gives the ports of the whole the LIDs of their subnets. */
static bool set_lids(struct weft_subnets_net *net)
{
	const struct weft_subnets *s = net->subnets;
	uint32_t nep = net->whole.fabric->nep, nsw = net->whole.fabric->nsw;
	struct weft_endport *ep = malloc((nep + 1ull) * sizeof(*ep));
	struct weft_switch *sw = malloc((nsw + 1ull) * sizeof(*sw));

	net->fabric = *net->whole.fabric;
	net->fabric.ep = net->endport = ep;
	net->fabric.sw = net->sw = sw;
	if (!ep || !sw)
		return false;
	memcpy(ep, net->whole.fabric->ep, nep * sizeof(*ep));
	memcpy(sw, net->whole.fabric->sw, nsw * sizeof(*sw));
	for (uint32_t h = 0; h < s->nhosts; h++) {
		const struct weft_place *p = &s->host[h];
		const struct weft_endport *there =
			&s->subnet[p->subnet].fabric->ep[p->ep];

		ep[net->whole.ep[h]].lid = there->lid;
		ep[net->whole.ep[h]].lmc = there->lmc;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		for (uint32_t k = 0; k < f->nsw; k++)
			sw[net->whole.sw[i][k]].lid = f->sw[k].lid;
	}
	return true;
}

/* Copies the tables of the switches of all subnets. */
static int copy_tables(struct weft_subnets_net *net)
{
	const struct weft_subnets *s = net->subnets;
	uint32_t max_lid = 0;
	int err;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].routes.lft.port &&
		    s->subnet[i].routes.lft.max_lid > max_lid)
			max_lid = s->subnet[i].routes.lft.max_lid;
	err = weft_lft_init(&net->routes.lft, net->fabric.nsw, max_lid);
	for (uint32_t i = 0; i < s->n && !err; i++) {
		const struct weft_lft *from = &s->subnet[i].routes.lft;

		for (uint32_t sw = 0; from->port && sw < from->nsw; sw++)
			memcpy(weft_lft_row(&net->routes.lft,
					    net->whole.sw[i][sw]),
			       weft_lft_row(from, sw), from->max_lid + 1ull);
	}
	return err;
}

/* --- lanes ---------------------------------------------------------------- */

/* What SL2VL tables there are to be. */
struct lanes {
	struct weft_subnets_net *net;
	const struct weft_subnets_context *c;
	struct weft_layers *y;
	unsigned end; /* SLs in use */
};

/* Whether all subnets have as many lanes and no SL2VL tables, so that SLs tell
 * lanes everywhere alike; *per_input: some have tables by input. */
static bool are_alike(const struct weft_subnets *s,
		      const struct weft_router_map *map, bool *per_input)
{
	bool alike = map->levels <= 1;

	*per_input = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_layers *y = &s->subnet[i].routes.layers;

		alike &= !y->sl2vl &&
			 lanes_of(&s->subnet[i]) == lanes_of(&s->subnet[0]);
		*per_input |= y->sl2vl && y->base;
	}
	return alike;
}

/* Fills in a row of SL2VL at a switch of a subnet. */
static void fill_row(const struct lanes *l, uint32_t subnet, uint32_t sw,
		     const uint8_t port[2], uint8_t *row)
{
	const struct weft_subnet *t = &l->c->s->subnet[subnet];

	memset(row, WEFT_VL_DROP, WEFT_NSL);
	for (unsigned sl = 0; sl < l->end; sl++) {
		unsigned lane =
			weft_layers_vl(&t->routes.layers, t->fabric, sw,
				       port[0], port[1], sl % l->c->stride);

		lane += lane == WEFT_VL_DROP ? 0 :
					       sl / l->c->stride * l->c->stride;
		row[sl] = lane < WEFT_VL_DROP ? lane : WEFT_VL_DROP;
	}
}

static void fill_switch(const struct lanes *l, uint32_t subnet, uint32_t sw)
{
	const struct weft_fabric *f = l->c->s->subnet[subnet].fabric;
	uint32_t at = l->net->whole.sw[subnet][sw];
	unsigned n = f->sw[sw].nports + 1u;
	uint8_t port[2];

	for (port[0] = 0; port[0] < (l->y->base ? n : 1); port[0]++)
		for (port[1] = 0; port[1] < n; port[1]++) {
			uint64_t row =
				l->y->base ?
					l->y->base[at] + port[0] * n + port[1] :
					weft_channel(&l->net->fabric, at,
						     port[1]);

			fill_row(l, subnet, sw, port,
				 &l->y->sl2vl[row * WEFT_NSL]);
		}
}

static int make_lanes(struct weft_subnets_net *net,
		      const struct weft_router_map *map)
{
	const struct weft_subnets *s = net->subnets;
	const struct weft_fabric *f = &net->fabric;
	struct lanes l = { net, net->context, &net->routes.layers, WEFT_NSL };
	uint64_t rows = f->first_injection;
	bool per_input;

	weft_layers_init(l.y);
	l.y->nvl = lanes_of(&s->subnet[0]);
	if (are_alike(s, map, &per_input))
		return 0;
	if (map->levels > 1 && map->levels * l.c->stride < WEFT_NSL)
		l.end = map->levels * l.c->stride;
	l.y->nvl = weft__walks_lanes(s) * (map->levels ? map->levels : 1);
	if (l.y->nvl > WEFT_MAX_LANES)
		l.y->nvl = WEFT_MAX_LANES;
	if (per_input) {
		l.y->base = calloc(f->nsw + 1ull, sizeof(*l.y->base));
		rows = 0;
		for (uint32_t sw = 0; l.y->base && sw < f->nsw; sw++) {
			l.y->base[sw] = rows;
			rows += (f->sw[sw].nports + 1ull) *
				(f->sw[sw].nports + 1ull);
		}
	}
	l.y->sl2vl = malloc(rows * WEFT_NSL + 1);
	if (!l.y->sl2vl || (per_input && !l.y->base))
		return -ENOMEM;
	memset(l.y->sl2vl, WEFT_VL_DROP, rows * WEFT_NSL);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t sw = 0; sw < s->subnet[i].fabric->nsw; sw++)
			fill_switch(&l, i, sw);
	return 0;
}

/* --- making --------------------------------------------------------------- */

int weft_subnets_net_make(const struct weft_subnets *s,
			  const struct weft_router_map *map,
			  struct weft_subnets_net *out, struct weft_diag *diag)
{
	struct weft_subnets_net *net = out;
	int err;

	*net = (struct weft_subnets_net){ .subnets = s };
	err = weft_subnets_whole(s, &net->whole, diag);
	if (err)
		return err;
	err = set_lids(net) && make_context(net, map) ? 0 : -ENOMEM;
	err = err ? err : copy_tables(net);
	err = err ? err : make_lanes(net, map);
	if (err) {
		weft_subnets_net_free(net);
		return weft_no_memory(diag);
	}
	net->sim = (struct weft_sim_subnets){
		.n = s->n,
		.subnet = net->subnet,
		.is_router = net->is_router,
		.hop_limit = s->hop_limit,
		.context = net->context,
		.begin = begin_leg,
		.pass = pass_router,
	};
	return 0;
}

void weft_subnets_net_free(struct weft_subnets_net *net)
{
	if (net->context) {
		free(net->context->host);
		free(net->context->sw);
		free(net->context->port);
	}
	free(net->context);
	free(net->subnet);
	free(net->is_router);
	free(net->endport);
	free(net->sw);
	weft_routes_free(&net->routes);
	if (net->subnets)
		weft_whole_free(net->subnets, &net->whole);
	*net = (struct weft_subnets_net){ .subnets = NULL };
}
