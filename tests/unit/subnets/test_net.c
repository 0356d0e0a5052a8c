// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Subnets as one network that packets move in: LIDs, tables and lanes are those
 * of the subnets, and legs are those of the mapping. */
#include "../proof_random.h"
#include "subnets_util.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_LEGS 300

static unsigned lanes_of(const struct weft_subnet *t)
{
	return t->routes.layers.nvl ? t->routes.layers.nvl : 1;
}

/* Lanes of a level: those of the subnet with most, or all with SL2VL tables;
 * service levels of one: as many if there are several. */
static unsigned stride_of(const struct weft_subnets *s,
			  const struct weft_router_map *map)
{
	unsigned most = 1;

	if (map->levels <= 1)
		return WEFT_NSL;
	for (uint32_t i = 0; i < s->n; i++) {
		most = lanes_of(&s->subnet[i]) > most ? lanes_of(&s->subnet[i])
						      : most;
		if (s->subnet[i].routes.layers.sl2vl)
			most = WEFT_MAX_LANES;
	}
	return most;
}

static void check_ids(const struct weft_subnets *s,
		      const struct weft_subnets_net *net)
{
	uint32_t routers = 0;

	for (uint32_t h = 0; h < s->nhosts; h++) {
		const struct weft_endport *is =
			&net->fabric.ep[net->whole.ep[h]];
		const struct weft_endport *there =
			&s->subnet[s->host[h].subnet].fabric->ep[s->host[h].ep];

		EXPECT_EQ(is->lid, there->lid);
		EXPECT_EQ(is->lmc, there->lmc);
		EXPECT_EQ(is->guid, there->guid);
		EXPECT_EQ(net->sim.subnet[net->whole.ep[h]],
			  s->host[h].subnet);
	}
	for (uint32_t sw = 0; sw < net->fabric.nsw; sw++)
		routers += net->sim.is_router[sw];
	EXPECT_EQ(routers, s->nrouters);
	for (uint32_t r = 0; r < s->nrouters; r++)
		EXPECT(net->sim.is_router[net->whole.router[r]]);
	EXPECT_EQ(net->sim.n, s->n);
	EXPECT_EQ(net->sim.hop_limit, s->hop_limit);
}

/* Of a switch all rows: where it sends, and by which lanes. */
static void check_switch(const struct weft_subnets *s,
			 const struct weft_router_map *map,
			 const struct weft_subnets_net *net, uint32_t i,
			 uint32_t sw)
{
	const struct weft_subnet *t = &s->subnet[i];
	unsigned stride = stride_of(s, map), n = t->fabric->sw[sw].nports;
	unsigned levels = map->levels ? map->levels : 1;
	uint32_t at = net->whole.sw[i][sw];

	EXPECT_EQ(net->fabric.sw[at].lid, t->fabric->sw[sw].lid);
	EXPECT_EQ(net->fabric.sw[at].guid, t->fabric->sw[sw].guid);
	for (unsigned lid = 0; lid <= t->fabric->max_lid; lid++)
		EXPECT_EQ(weft_lft_get(&net->routes.lft, at, lid),
			  weft_lft_get(&t->routes.lft, sw, lid));
	for (unsigned k = 0; k < (n + 1) * (n + 1) * WEFT_NSL; k++) {
		unsigned sl = k % WEFT_NSL, out = k / WEFT_NSL % (n + 1);
		unsigned in = k / WEFT_NSL / (n + 1), lane;

		if (levels > 1 && sl >= levels * stride)
			continue;
		lane = weft_layers_vl(&t->routes.layers, t->fabric, sw, in, out,
				      sl % stride);
		if (lane != WEFT_VL_DROP)
			lane += sl / stride * stride;
		EXPECT_EQ(weft_layers_vl(&net->routes.layers, &net->fabric, at,
			  in, out, sl), lane);
	}
}

/* The legs that the simulator is told are those of the mapping, and keep the
 * level that the first one has. */
static void check_way(const struct weft_subnets *s,
		      const struct weft_router_map *map,
		      const struct weft_subnets_net *net, uint32_t a,
		      uint32_t b)
{
	uint32_t from = s->host[a].subnet, to = s->host[b].subnet;
	const struct weft_subnet *t = &s->subnet[from];
	unsigned stride = stride_of(s, map), n, level = 0, sl;
	struct weft_leg leg[MAX_LEGS];
	struct weft_sim_leg is;

	ASSERT_EQ(weft_subnets_legs(s, map, a, b, leg, MAX_LEGS, &n),
		  WEFT_WAY_ARRIVED);
	if (map->level && from != to)
		level = map->level[from * s->n + to];
	sl = weft_layers_sl(&t->routes.layers, t->fabric,
			    leg[0].from | WEFT_ENDPORT,
			    t->fabric->ep[leg[0].to].lid) % stride +
	     level * stride;
	memset(&is, 0, sizeof(is));
	net->sim.begin(net->sim.context, net->whole.ep[a], net->whole.ep[b],
		       &is);
	for (unsigned i = 0; i < n; i++) {
		const struct weft_fabric *f = s->subnet[leg[i].subnet].fabric;
		struct weft_sim_leg next = is;
		struct weft_sim_arrival here;
		const struct weft_router_port *in;

		EXPECT_EQ(is.from, f->ep[leg[i].from].lid);
		EXPECT_EQ(is.to, f->ep[leg[i].to].lid);
		EXPECT_EQ(is.sl, sl);
		EXPECT_EQ(is.vl, sl % stride %
			  lanes_of(&s->subnet[leg[i].subnet]) +
			  sl / stride * stride);
		if (i + 1 == n)
			break;
		in = &s->port[leg[i].port];
		here = (struct weft_sim_arrival){
			.sw = net->whole.router[in->router],
			.in = in->port,
			.dest = net->whole.ep[b],
			.leg = &is,
		};
		ASSERT(net->sim.pass(net->sim.context, &here, &next));
		/* a packet that is for another port is nothing for a router */
		is.to++;
		EXPECT(!net->sim.pass(net->sim.context, &here, &is));
		is = next;
	}
}

/* Returns the levels; 0: weave refuses subnets that have a credit loop. */
static unsigned check(const struct weft_subnets *s,
		      const struct weft_router_map_spec *how)
{
	struct weft_subnets_net net;
	struct weft_router_map map;
	int err = weft_router_map_make(s, how, &map, NULL);
	unsigned levels;

	if (err == -ELOOP && how->method == WEFT_ROUTER_MAP_WEAVE)
		return 0;
	ASSERT_EQ(err, 0);
	ASSERT_EQ(weft_subnets_net_make(s, &map, &net, NULL), 0);
	check_ids(s, &net);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t sw = 0; sw < s->subnet[i].fabric->nsw; sw++)
			check_switch(s, &map, &net, i, sw);
	for (uint32_t a = 0; a < s->nhosts; a++)
		for (uint32_t b = 0; b < s->nhosts; b++)
			if (a != b)
				check_way(s, &map, &net, a, b);
	levels = map.levels ? map.levels : 1;
	weft_subnets_net_free(&net);
	weft_router_map_free(&map);
	return levels;
}

static void route_one(struct weft_subnets *s, uint32_t i, const char *engine)
{
	weft_routes_free(&s->subnet[i].routes);
	ASSERT_EQ(route_by(engine, NULL, s->subnet[i].fabric,
			   &s->subnet[i].routes, NULL), 0);
}

static const char *const specs[] = {
	"subnets:2,routers=2,ports=2,of=torus:3x3,hosts=1",
	"subnets:3,routers=2,ports=1,of=pgft:2;3,3;1,2;1,1",
	"subnets:2,routers=3,ports=2,of=mesh:4x4,hosts=1",
};
#define NSPECS (sizeof(specs) / sizeof(specs[0]))

/* Subnets with as many lanes, with others, and with levels on top. */
TEST(test_engines)
{
	static const char *const engines[] = { "updn", "weave", "psssp" };
	unsigned levelled = 0;

	for (unsigned i = 0; i < NSPECS * 9 * WEFT_ROUTER_MAP_METHODS; i++) {
		struct weft_router_map_spec how = {
			.method = i % WEFT_ROUTER_MAP_METHODS, .lanes = 8,
			.hash = i % 2,
		};
		unsigned k = i / WEFT_ROUTER_MAP_METHODS;
		struct weft_subnets *s = NULL;

		ASSERT_EQ(weft_subnets_gen(specs[k % NSPECS], &s, NULL), 0);
		for (uint32_t n = 0; n < s->n; n++)
			route_one(s, n, engines[n ? k / NSPECS % 3 :
						k / NSPECS / 3]);
		suite_case("%s, %s and %s, method %u", specs[k % NSPECS],
			   engines[k / NSPECS / 3], engines[k / NSPECS % 3],
			   how.method);
		levelled += check(s, &how) > 1;
		weft_subnets_free(s);
	}
	EXPECT(levelled > 1);
}

/* SL2VL tables by output and by input, which discard some. */
TEST(test_tables_of_lanes)
{
	struct weft_rng *rng = weft_rng_new(5);

	for (unsigned i = 0; i < 60; i++) {
		struct weft_router_map_spec how = {
			.method = i % WEFT_ROUTER_MAP_WEAVE,
		};
		struct weft_subnets *s = NULL;

		ASSERT_EQ(weft_subnets_gen(specs[i % NSPECS], &s, NULL), 0);
		for (uint32_t n = 0; n < s->n; n++) {
			struct weft_layers *y = &s->subnet[n].routes.layers;

			route_one(s, n, "updn");
			weft_layers_free(y);
			random_any_layers(rng, s->subnet[n].fabric, SL2VLS, y);
		}
		suite_case("round %u", i);
		check(s, &how);
		weft_subnets_free(s);
	}
	weft_rng_free(rng);
}
