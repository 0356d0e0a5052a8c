// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proofs of fabrics of subnets beside brute force: what all ways do, one by one,
 * and what waits for what on them. */
#include "../proof_random.h"
#include "subnets_util.h"
#include "subnets/proof/walks.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_WAY 256
#define MAX_LEGS 300
#define SEED 11u

static const char *const trees[] = {
	"pgft:3;4,4,3;1,4,4;1,1,1",
	"pgft:3;2,3,4;1,2,6;1,1,1",
};
#define NTREES (sizeof(trees) / sizeof(trees[0]))

/* --- proofs --------------------------------------------------------------- */

/* Dependencies of channels of the whole fabric, one lane. */
struct graph {
	uint32_t n;
	bool *edge; /* [n * n] */
	uint8_t *state;
};

/* Whether a depth-first search from a vertex comes back to one on its way. */
static bool closes(struct graph *g, uint32_t v)
{
	g->state[v] = 1;
	for (uint32_t w = 0; w < g->n; w++)
		if (g->edge[(size_t)v * g->n + w] &&
		    (g->state[w] == 1 || (!g->state[w] && closes(g, w))))
			return true;
	g->state[v] = 2;
	return false;
}

/* Whose each switch of the whole fabric is: subnet and number there, or
 * WEFT_NONE and a router. */
struct owner {
	uint32_t subnet, sw;
};

static struct owner *find_owners(const struct weft_subnets *s,
				 const struct weft_whole *w)
{
	struct owner *o = need(calloc(w->fabric->nsw, sizeof(*o)));

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->subnet[i].fabric->nsw; k++)
			o[w->sw[i][k]] = (struct owner){ i, k };
	for (uint32_t r = 0; r < s->nrouters; r++)
		o[w->router[r]] = (struct owner){ WEFT_NONE, r };
	return o;
}

/* Lanes of a level: those of the subnet with most. */
static unsigned stride_of(const struct weft_subnets *s)
{
	unsigned most = 1;

	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].routes.layers.nvl > most)
			most = s->subnet[i].routes.layers.nvl;
	return most;
}

/* Turns the channels of a way into vertices: lane x channels + channel. */
static void add_lanes(const struct weft_subnets *s, const struct weft_whole *w,
		      const struct weft_router_map *map,
		      const struct owner *owner, const struct weft_leg *leg,
		      uint32_t dest, uint32_t *ch, unsigned n)
{
	const struct weft_subnet *t = &s->subnet[leg->subnet];
	unsigned stride = stride_of(s), level = 0, in, sl;

	sl = weft_layers_sl(&t->routes.layers, t->fabric,
			    leg->from | WEFT_ENDPORT,
			    t->fabric->ep[leg->to].lid);
	if (map->level && leg->subnet != s->host[dest].subnet)
		level = map->level[(size_t)leg->subnet * s->n +
				   s->host[dest].subnet];
	in = t->fabric->ep[leg->from].sw_port;
	for (unsigned k = 0; k < n; k++) {
		uint32_t sw = weft_channel_switch(w->fabric, ch[k]);
		unsigned out = ch[k] - w->fabric->first_channel[sw], lane;
		uint32_t peer = w->fabric->peer[ch[k]];

		if (owner[sw].subnet == WEFT_NONE) {
			t = &s->subnet[owner[peer].subnet];
			lane = sl % (t->routes.layers.nvl ?
					     t->routes.layers.nvl :
					     1);
		} else {
			lane = weft_layers_vl(&t->routes.layers, t->fabric,
					      owner[sw].sw, in, out, sl);
		}
		in = w->fabric->peer_port[ch[k]];
		ch[k] += (level * stride + lane) * w->fabric->nch;
	}
}

/* Whether the graph of a proof has an edge. */
static bool has_edge(const struct weft__cdg *g, uint32_t v, uint32_t to)
{
	uint32_t w;

	for (uint32_t at = 0; (w = weft__cdg_next(g, v, &at)) != WEFT_NONE; )
		if (w == to)
			return true;
	return false;
}

/* The levels on which hosts send to each router port, a bit for each. */
static uint16_t *find_used(const struct weft_subnets *s,
			   const struct weft_router_map *map)
{
	uint16_t *used = need(calloc(s->nports, sizeof(*used)));

	for (uint32_t a = 0; a < s->nhosts; a++)
		for (uint32_t b = 0; b < s->nhosts; b++) {
			uint32_t from = s->host[a].subnet;
			uint32_t to = s->host[b].subnet;
			struct weft_leg leg;
			unsigned n;

			if (from == to)
				continue;
			weft_subnets_legs(s, map, a, b, &leg, 1, &n);
			if (leg.port != WEFT_NONE)
				used[leg.port] |= 1u << (map->level ?
					map->level[from * s->n + to] : 0);
		}
	return used;
}

/* Walks to the router ports that hosts send to, and to all hosts: what any way
 * waits for is there, and if exact, nothing else. */
static void check_graph(const struct weft_subnets *s,
			const struct weft_whole *w,
			const struct weft_router_map *map,
			const struct graph *g, bool exact)
{
	uint32_t nch = w->fabric->nch;
	uint16_t *used = find_used(s, map);
	struct weft__walks x;

	ASSERT_EQ(weft__walks_init(&x, s, w, map, map->levels ? map->levels :
				   1), 0);
	ASSERT_EQ(weft__walks_within(&x), 0);
	for (uint32_t p = 0; p < s->nports; p++)
		for (unsigned l = 0; l < 16; l++)
			if (used[p] >> l & 1)
				weft__walks_to_port(&x, p, l);
	ASSERT_EQ(weft__walks_across(&x), 0);
	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t to = 0; to < g->n; to++) {
			uint32_t a = v / nch * x.cdg.nch + v % nch;
			uint32_t b = to / nch * x.cdg.nch + to % nch;
			bool is = g->edge[(size_t)v * g->n + to];

			if (v % nch >= x.cdg.nch || to % nch >= x.cdg.nch ||
			    (!is && !exact))
				continue;
			/* the last channel, to a host, waits for nothing */
			EXPECT_EQ(has_edge(&x.cdg, a, b), is);
		}
	weft__walks_free(&x);
	free(used);
}

/* Where the packets of a way come into the subnet of their end: the endport of a
 * router; and the router port by which they left their own. */
struct ends {
	uint32_t in, out;
	unsigned routers;
	bool arrives;
};

static struct ends ends_of(const struct weft_subnets *s,
			   const struct weft_whole *w,
			   const struct weft_router_map *map, uint32_t a,
			   uint32_t b)
{
	struct weft_leg leg[MAX_LEGS];
	uint32_t ch[MAX_WAY];
	struct ends e = { WEFT_NONE, WEFT_NONE, 0, false };
	unsigned n = 0, nch;

	weft_subnets_legs(s, map, a, b, leg, MAX_LEGS, &n);
	e.arrives = weft_subnets_way(s, w, map, a, b, ch, MAX_WAY, &nch) ==
		    WEFT_WAY_ARRIVED;
	if (n < 2)
		return e;
	e.in = s->subnet[leg[n - 1].subnet].port_of[leg[n - 1].from];
	e.out = leg[0].port;
	e.routers = n - 1;
	return e;
}

/* Answers that leave by another port, routers, and examples of each defect. */
static void check_told(const struct weft_subnets *s,
		       const struct weft_whole *w,
		       const struct weft_router_map *map,
		       const struct weft_subnets_proof *p)
{
	unsigned examples[WEFT_WAY_ENDS] = { 0 };
	bool all = p->end[WEFT_WAY_ARRIVED] == p->pairs;
	uint64_t astray = 0;
	uint32_t most = 0;

	for (uint32_t a = 0; a < s->nhosts && all; a++)
		for (uint32_t b = 0; b < s->nhosts; b++) {
			struct ends to, back;

			if (s->host[a].subnet == s->host[b].subnet)
				continue;
			to = ends_of(s, w, map, a, b);
			back = ends_of(s, w, map, b, a);
			astray += to.in != back.out;
			most = to.routers > most ? to.routers : most;
		}
	if (all) {
		EXPECT_EQ(p->astray, astray);
		EXPECT_EQ(p->max_routers, most);
	}
	for (uint32_t i = 0; i < p->nfindings; i++) {
		const struct weft_subnets_finding *f = &p->finding[i];
		uint32_t ch[MAX_WAY];
		unsigned n;

		examples[f->end]++;
		EXPECT_NE(f->source, f->dest);
		EXPECT_EQ(weft_subnets_way(s, w, map, f->source, f->dest, ch,
			  MAX_WAY, &n), f->end);
		for (uint32_t k = 0; k < i; k++)
			EXPECT(p->finding[k].source != f->source ||
			       p->finding[k].dest != f->dest);
	}
	for (unsigned e = 0; e < WEFT_WAY_ENDS; e++)
		EXPECT_EQ(examples[e], e == WEFT_WAY_ARRIVED ? 0 :
			  p->end[e] < 4 ? p->end[e] : 4);
}

/* Proves a fabric and compares with what all ways, one by one, say; counts what
 * has a loop. */
static void check_map(const struct weft_subnets *s,
		      const struct weft_router_map *map, unsigned *loops)
{
	struct weft_whole w;
	struct weft_subnets_proof p;
	uint64_t end[WEFT_WAY_ENDS] = { 0 }, pairs = 0, crossing = 0;
	struct owner *owner;
	struct graph g;
	bool cyclic = false;

	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	EXPECT_EQ(weft_fabric_check(w.fabric, NULL), 0);
	ASSERT_EQ(weft_subnets_prove(s, &w, map, &p, NULL), 0);
	owner = find_owners(s, &w);
	g.n = w.fabric->nch * stride_of(s) * (map->levels ? map->levels : 1);
	g.edge = need(calloc((size_t)g.n * g.n, 1));
	g.state = need(calloc(g.n, 1));
	for (uint32_t a = 0; a < s->nhosts; a++)
		for (uint32_t b = 0; b < s->nhosts; b++) {
			uint32_t ch[MAX_WAY];
			struct weft_leg leg;
			unsigned n, nlegs;

			if (a == b)
				continue;
			pairs++;
			crossing += s->host[a].subnet != s->host[b].subnet;
			end[weft_subnets_way(s, &w, map, a, b, ch, MAX_WAY,
					     &n)]++;
			weft_subnets_legs(s, map, a, b, &leg, 1, &nlegs);
			add_lanes(s, &w, map, owner, &leg, b, ch, n);
			for (unsigned k = 1; k < n; k++)
				g.edge[(size_t)ch[k - 1] * g.n + ch[k]] = true;
		}
	for (unsigned e = 0; e < WEFT_WAY_ENDS; e++)
		EXPECT_EQ(p.end[e], end[e]);
	check_told(s, &w, map, &p);
	/* where few draw a port, none of a switch may, which nobody looks at */
	check_graph(s, &w, map, &g, end[WEFT_WAY_ARRIVED] == pairs &&
		    stride_of(s) == 1 && !map->levels &&
		    map->method != WEFT_ROUTER_MAP_CRC32);
	EXPECT_EQ(p.pairs, pairs);
	EXPECT_EQ(p.crossing, crossing);
	for (uint32_t v = 0; v < g.n && !cyclic; v++)
		cyclic = !g.state[v] && closes(&g, v);
	EXPECT_EQ(p.cyclic_vls != 0, cyclic);
	EXPECT_EQ(p.ncycles != 0, cyclic);
	*loops += cyclic;
	free(owner);
	free(g.edge);
	free(g.state);
	weft_subnets_proof_free(&p);
	weft_whole_free(s, &w);
}

static void check_proof(const struct weft_subnets *s,
			enum weft_router_map_method method, unsigned *loops)
{
	const struct weft_router_map_spec how = {
		.method = method,
		.hash = method % 2 ? WEFT_HASH_SUM : WEFT_HASH_MIX,
	};
	struct weft_router_map map;
	int err = weft_router_map_make(s, &how, &map, NULL);

	/* Tables with a loop of their own are refused by weave alone. */
	if (method == WEFT_ROUTER_MAP_WEAVE && *loops && err == -ELOOP)
		return;
	ASSERT_EQ(err, 0);
	check_map(s, &map, loops);
	weft_router_map_free(&map);
}

/* All methods on trees, whole and with entries missing, none has a loop. */
TEST(test_trees)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));
	unsigned loops = 0;

	for (unsigned i = 0; i < NTREES; i++) {
		struct weft_subnets *s = cut(trees[i]);

		route_all(s, "eftree");
		for (int m = 0; m < WEFT_ROUTER_MAP_METHODS; m++)
			check_proof(s, m, &loops);
		for (unsigned k = 0; k < 20; k++) {
			struct weft_subnet *t =
				&s->subnet[weft_rng_below(rng, s->n)];
			const struct weft_fabric *f = t->fabric;
			uint8_t *row = weft_lft_row(
				&t->routes.lft, weft_rng_below(rng, f->nsw));

			row[1 + weft_rng_below(rng, f->max_lid)] =
				k % 2 ? WEFT_NO_PORT : 1;
		}
		for (int m = 0; m < WEFT_ROUTER_MAP_METHODS; m++)
			check_proof(s, m, &loops);
		weft_subnets_free(s);
	}
	weft_rng_free(rng);
}

/* Across several routers, static alone is symmetric. */
static void check_symmetric(const struct weft_subnets *s)
{
	struct weft_router_map_spec spec = { .method = WEFT_ROUTER_MAP_STATIC,
					     .symmetric = true };
	struct weft_router_map map;
	struct weft_subnets_proof p;
	struct weft_whole w;

	ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	ASSERT_EQ(weft_subnets_prove(s, &w, &map, &p, NULL), 0);
	EXPECT_EQ(p.end[WEFT_WAY_ARRIVED], p.pairs);
	EXPECT_EQ(p.astray, 0);
	EXPECT_EQ(p.max_routers, s->n / 2);
	weft_subnets_proof_free(&p);
	weft_whole_free(s, &w);
	weft_router_map_free(&map);
	spec.method = WEFT_ROUTER_MAP_CRC32;
	EXPECT_EQ(weft_router_map_make(s, &spec, &map, NULL),
		  s->n > 3 ? -ENOTSUP : 0);
	if (s->n <= 3)
		weft_router_map_free(&map);
}

/* Rings of subnets of one switch each: from five on, shortest ways close a
 * credit loop across all of them. */
TEST(test_rings)
{
	for (unsigned n = 3; n < 8; n++) {
		struct weft_subnets *s = ring(n);
		unsigned loops = 0;

		EXPECT_EQ(s->n, n);
		route_all(s, "minhop");
		check_proof(s, WEFT_ROUTER_MAP_STATIC, &loops);
		check_proof(s, WEFT_ROUTER_MAP_ISSR, &loops);
		EXPECT(n < 5 || loops == 2);
		loops = 0;
		check_proof(s, WEFT_ROUTER_MAP_WEAVE, &loops);
		EXPECT_EQ(loops, 0);
		check_symmetric(s);
		weft_subnets_free(s);
	}
}

/* Where no router joins two subnets, nobody of the one reaches the other one. */
TEST(test_apart)
{
	for (unsigned n = 2; n < 4; n++) {
		struct weft_subnets *s = rings(n, 2);

		EXPECT_EQ(s->n, 2 * n);
		route_all(s, "minhop");
		for (int m = 0; m < WEFT_ROUTER_MAP_METHODS; m++) {
			unsigned loops = 0;

			suite_case("rings of %u, method %d", n, m);
			check_proof(s, m, &loops);
			EXPECT_EQ(loops, 0);
		}
		weft_subnets_free(s);
	}
}

/* In a ring of five subnets of one switch with two hosts, those two routers
 * away are out of reach of packets that may pass one. */
TEST(test_hop_limit)
{
	const struct weft_router_map_spec how = {
		.method = WEFT_ROUTER_MAP_STATIC
	};
	struct weft_subnets *s = ring(5);
	struct weft_router_map map;
	struct weft_subnets_proof p;
	struct weft_whole w;

	route_all(s, "minhop");
	s->hop_limit = 1;
	ASSERT_EQ(weft_router_map_make(s, &how, &map, NULL), 0);
	ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
	ASSERT_EQ(weft_subnets_prove(s, &w, &map, &p, NULL), 0);
	EXPECT_EQ(p.pairs, 90);
	EXPECT_EQ(p.end[WEFT_WAY_HOP_LIMIT], 40);
	EXPECT_EQ(p.end[WEFT_WAY_ARRIVED], 50);
	weft_subnets_proof_free(&p);
	weft_whole_free(s, &w);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}

/* weave across subnets of any form, in few lanes and more: no loop, and never
 * worse than isfr and issr where these have none. */
TEST(test_weave)
{
	static const struct {
		const char *spec, *engine;
		unsigned lanes;
		int err;
		unsigned levels; /* at most */
	} cases[] = {
		{ "subnets:2", "eftree", 1, 0, 1 },
		{ "subnets:3,routers=2,ports=2,of=pgft:2;3,3;1,2;1,1", "updn",
		  1, 0, 1 },
		{ "subnets:2,routers=3,ports=2,of=mesh:5x5,hosts=1", "updn", 1,
		  -ENOTSUP, 0 },
		{ "subnets:2,routers=3,ports=2,of=mesh:5x5,hosts=1", "updn", 2,
		  0, 2 },
		{ "subnets:3,routers=2,ports=1,of=random:8x2,5", "updn", 8, 0,
		  8 },
		{ "subnets:2,routers=2,ports=1,of=torus:4x4,hosts=1", "weave",
		  15, 0, 3 },
		{ "subnets:2,routers=2,ports=1,of=ring:5,hosts=1", "minhop", 8,
		  -ELOOP, 0 },
		/* not even lanes for one level */
		{ "subnets:3,routers=3,ports=2,of=torus:4x5,hosts=1", "weave",
		  1, -ENOTSUP, 0 },
		/* two levels of two lanes */
		{ "subnets:3,routers=3,ports=2,of=torus:4x5,hosts=1", "weave",
		  15, 0, 2 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct weft_router_map_spec spec = {
			.method = WEFT_ROUTER_MAP_WEAVE,
			.lanes = cases[i].lanes,
		};
		struct weft_subnets *s = NULL;
		struct weft_router_map map = { .levels = 0 };
		unsigned loops = 0;

		ASSERT_EQ(weft_subnets_gen(cases[i].spec, &s, NULL), 0);
		route_all(s, cases[i].engine);
		EXPECT_EQ(weft_router_map_make(s, &spec, &map, NULL),
			  cases[i].err);
		if (!cases[i].err) {
			EXPECT(map.levels <= cases[i].levels);
			check_map(s, &map, &loops);
			EXPECT_EQ(loops, 0);
			weft_router_map_free(&map);
		}
		weft_subnets_free(s);
	}
}
