// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fabrics of subnets: mappings, ways, and proofs beside brute force. */
#include "../proof_random.h"
#include "subnets_util.h"
#include "io/source.h"
#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>

#define MAX_WAY 256
#define SEED 11u

/* Makes a mapping as routers in the paper draw ports. */
static int make_map(const struct weft_subnets *s,
		    enum weft_router_map_method method,
		    struct weft_router_map *map)
{
	const struct weft_router_map_spec spec = { .method = method };

	return weft_router_map_make(s, &spec, map, NULL);
}

/* --- mappings ------------------------------------------------------------- */

static const char *const trees[] = {
	"rack216",
	"pgft:3;4,4,3;1,4,4;1,1,1",
	"pgft:3;2,3,4;1,2,6;1,1,1",
};
#define NTREES (sizeof(trees) / sizeof(trees[0]))

/* A fabric that was cut has all of its hosts and routers, each once. */
TEST(test_cut)
{
	for (unsigned i = 0; i < NTREES; i++) {
		struct weft_fabric *f = route_fabric(trees[i], -1);
		struct weft_subnets *s = cut(trees[i]);
		uint32_t roots = 0, nsw = 0;

		for (uint32_t k = 0; k < f->nsw; k++)
			roots += f->sw[k].role == WEFT_ROLE_ROOT;
		for (uint32_t k = 0; k < s->n; k++)
			nsw += s->subnet[k].fabric->nsw;
		EXPECT_EQ(s->nrouters, roots);
		EXPECT_EQ(s->nhosts, f->nhosts);
		EXPECT_EQ(nsw + roots, f->nsw);
		EXPECT(s->n > 1);
		for (uint32_t k = 0; k < s->n * s->n; k++)
			EXPECT_EQ(s->hops[k], k % s->n != k / s->n);
		weft_subnets_free(s);
		weft_fabric_free(f);
	}
}

/* Router ports that a mapping names lead to the subnet; issr's differ by one
 * destination at most, static has one for each pair of subnets. */
TEST(test_even)
{
	struct weft_subnets *s = cut(trees[0]);
	struct weft_router_map map;
	uint32_t *count = need(calloc(s->nports, sizeof(*count)));

	ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_ISSR, &map), 0);
	for (uint32_t h = s->first_host[1]; h < s->first_host[2]; h++) {
		EXPECT_EQ(map.via[s->nhosts + h], WEFT_NONE);
		EXPECT_EQ(s->port[map.via[h]].subnet, 0);
		count[map.via[h]]++;
	}
	for (uint32_t p = 0; p < s->nports; p++)
		EXPECT(s->port[p].subnet ? !count[p] : count[p] == 1);
	weft_router_map_free(&map);
	ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_STATIC, &map), 0);
	for (uint32_t h = s->first_host[1]; h < s->first_host[3]; h++)
		EXPECT_EQ(map.via[h],
			  map.via[s->first_host[s->host[h].subnet]]);
	EXPECT_NE(map.via[s->first_host[1]], map.via[s->first_host[2]]);
	weft_router_map_free(&map);
	free(count);
	weft_subnets_free(s);
}

/* Makes a mapping that is symmetric and counts the pairs whose answers go
 * another way; or says why there is none. */
static int count_astray(const char *spec, enum weft_router_map_method method,
			enum weft_router_map_hash hash, uint64_t *astray)
{
	const struct weft_router_map_spec how = { .method = method,
						  .hash = hash,
						  .symmetric = true };
	struct weft_subnets *s = NULL;
	struct weft_router_map map;
	struct weft_subnets_proof p;
	struct weft_whole w;
	int err;

	ASSERT_EQ(weft_subnets_gen(spec, &s, NULL), 0);
	route_all(s, "minhop");
	err = weft_router_map_make(s, &how, &map, NULL);
	if (!err) {
		ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
		ASSERT_EQ(weft_subnets_prove(s, &w, &map, &p, NULL), 0);
		EXPECT_EQ(p.end[WEFT_WAY_ARRIVED], p.pairs);
		*astray = p.astray;
		weft_subnets_proof_free(&p);
		weft_whole_free(s, &w);
		weft_router_map_free(&map);
	}
	weft_subnets_free(s);
	return err;
}

/* No answer goes astray with a symmetric mapping, and only static and crc32
 * have one. */
TEST(test_symmetric)
{
	static const char *const spec[] = {
		"subnets:3",
		"subnets:4,routers=3,ports=2,of=pgft:2;4,4;1,2;1,2",
		"subnets:2,routers=2,ports=3,of=ring:4,hosts=3",
	};

	for (unsigned i = 0; i < sizeof(spec) / sizeof(spec[0]); i++)
		for (int hash = WEFT_HASH_SUM; hash <= WEFT_HASH_MIX; hash++)
			for (int m = 0; m < WEFT_ROUTER_MAP_METHODS; m++) {
				bool may = m == WEFT_ROUTER_MAP_STATIC ||
					   m == WEFT_ROUTER_MAP_CRC32;
				uint64_t astray = 0;

				EXPECT_EQ(count_astray(spec[i], m, hash,
					  &astray), may ? 0 : -EINVAL);
				EXPECT_EQ(astray, 0);
			}
}

/* The names of the switches of a way in one subnet. */
static unsigned one_way(const struct weft_fabric *f, const struct weft_lft *lft,
			uint32_t from, uint32_t to, const char **name)
{
	uint32_t sw = f->ep[from].sw;
	unsigned n = 0;

	while (n < MAX_WAY) {
		uint32_t peer = f->peer[weft_channel(
			f, sw, weft_lft_get(lft, sw, f->ep[to].lid))];

		name[n++] = f->sw[sw].name;
		if (!weft_is_switch(peer))
			return n;
		sw = peer;
	}
	return n;
}

/* With isfr, routers in the place of roots, and d-mod-k in each subnet, packets
 * take the same switches as with d-mod-k in the fabric as one subnet. */
TEST(test_same_tree)
{
	for (unsigned i = 1; i < NTREES; i++) {
		struct weft_fabric *f = route_fabric(trees[i], -1);
		const struct weft_engine *e = weft_engine_find("dmodk");
		struct weft_subnets *s = cut(trees[i]);
		struct weft_routes whole = { .lid_offset = NULL };
		struct weft_options *o = NULL;
		struct weft_router_map map;
		struct weft_whole w;
		uint64_t other = 0;

		ASSERT_EQ(weft_options_new(&o, e->options), 0);
		ASSERT_EQ(weft_route(e, f, o, &whole, NULL), 0);
		route_all(s, "dmodk");
		ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_ISFR, &map), 0);
		EXPECT_EQ(map.unfit, 0);
		ASSERT_EQ(weft_subnets_whole(s, &w, NULL), 0);
		for (uint32_t a = 0; a < s->nhosts; a++)
			for (uint32_t b = 0; b < s->nhosts; b++) {
				const char *name[MAX_WAY];
				uint32_t ch[MAX_WAY];
				unsigned n, m;

				if (a == b)
					continue;
				EXPECT_EQ(weft_subnets_way(s, &w, &map, a, b,
					  ch, MAX_WAY, &n), WEFT_WAY_ARRIVED);
				m = one_way(
					f, &whole.lft,
					weft_fabric_endport_by_guid(
						f, w.fabric->ep[w.ep[a]].guid),
					weft_fabric_endport_by_guid(
						f, w.fabric->ep[w.ep[b]].guid),
					name);
				for (unsigned k = 0; k < n && m == n; k++)
					if (strcmp(w.fabric->sw
							   [weft_channel_switch(
								    w.fabric,
								    ch[k])]
								   .name,
						   name[k]))
						m = 0;
				other += m != n;
			}
		EXPECT_EQ(other, 0);
		weft_whole_free(s, &w);
		weft_router_map_free(&map);
		weft_routes_free(&whole);
		weft_options_free(o);
		weft_subnets_free(s);
		weft_fabric_free(f);
	}
}

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
	struct weft_router_map map;
	int err = make_map(s, method, &map);

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

	for (unsigned i = 1; i < NTREES; i++) {
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

/* Counts hosts that nobody is left to send to, times those who would, and the
 * most that a router port has. */
static uint64_t count_lost(const struct weft_subnets *s,
			   const struct weft_router_map *before,
			   const struct weft_router_map *m, uint32_t *most)
{
	uint32_t *load = need(calloc(s->nports, sizeof(*load)));
	uint64_t lost = 0;

	*most = 0;
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t h = 0; h < s->nhosts; h++) {
			uint32_t at = i * s->nhosts + h, via = m->via[at];

			if (before->via[at] != WEFT_NONE && via == WEFT_NONE)
				lost += s->first_host[i + 1] - s->first_host[i];
			if (via != WEFT_NONE && ++load[via] > *most)
				*most = load[via];
		}
	free(load);
	return lost;
}

/* The loss of each router is what is left when it is taken out, and what is
 * left is the same for all who are sent by others. */
TEST(test_losses)
{
	static const char *const spec[] = {
		"subnets:3,routers=3,ports=2,of=pgft:2;4,4;1,2;1,2",
		"subnets:2,routers=1,ports=2,of=pgft:2;4,4;1,2;1,2",
		"subnets:6",
	};

	for (unsigned i = 0; i < sizeof(spec) / sizeof(spec[0]); i++) {
		struct weft_subnets *s = NULL;
		struct weft_router_loss *loss;
		struct weft_router_map map;
		bool *down;

		ASSERT_EQ(weft_subnets_gen(spec[i], &s, NULL), 0);
		route_all(s, "minhop");
		ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_ISSR, &map), 0);
		loss = need(calloc(s->nrouters, sizeof(*loss)));
		down = need(calloc(s->nrouters, sizeof(*down)));
		ASSERT_EQ(weft_router_losses(s, &map, loss), 0);
		for (uint32_t r = 0; r < s->nrouters; r++) {
			struct weft_router_map left;
			uint32_t most;

			ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_ISSR, &left), 0);
			down[r] = true;
			ASSERT_EQ(weft_router_map_lose(s, down, &left), 0);
			down[r] = false;
			EXPECT_EQ(count_lost(s, &map, &left, &most),
				  loss[r].pairs);
			EXPECT_EQ(most, loss[r].most);
			EXPECT_EQ(loss[r].pairs != 0, s->nrouters == 1);
			for (uint32_t p = 0;
			     p < s->n * s->nhosts && s->nrouters > 1; p++)
				EXPECT(map.via[p] == left.via[p] ||
				       s->port[map.via[p]].router == r);
			weft_router_map_free(&left);
		}
		free(loss);
		free(down);
		weft_router_map_free(&map);
		weft_subnets_free(s);
	}
}

/* In a ring of five subnets of one switch with two hosts, those two routers
 * away are out of reach of packets that may pass one. */
TEST(test_hop_limit)
{
	struct weft_subnets *s = ring(5);
	struct weft_router_map map;
	struct weft_subnets_proof p;
	struct weft_whole w;

	route_all(s, "minhop");
	s->hop_limit = 1;
	ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_STATIC, &map), 0);
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

/* What is written of a mapping reads as the same, levels included. */
TEST(test_written)
{
	const struct weft_router_map_spec spec = {
		.method = WEFT_ROUTER_MAP_WEAVE
	};
	struct weft_subnets *s = NULL;
	struct weft_router_map map, again;
	char *text = NULL;
	size_t size;

	ASSERT_EQ(weft_subnets_gen("subnets:2,routers=3,ports=2,of=mesh:5x5,hosts=1",
		  &s, NULL), 0);
	route_all(s, "updn");
	ASSERT_EQ(weft_router_map_make(s, &spec, &map, NULL), 0);
	EXPECT_EQ(map.levels, 2);
	ASSERT_EQ(weft_router_map_empty(s, 0, &again, NULL), 0);
	for (uint32_t i = 0; i < s->n; i++) {
		FILE *out = need(open_memstream(&text, &size));
		struct weft__source source;

		EXPECT_EQ(weft_router_map_write(out, s, &map, i, NULL), 0);
		fclose(out);
		source = weft__source_text("written", text, size);
		EXPECT_EQ(weft__router_map_parse(&source, s, i, &again, NULL),
			  0);
		free(text);
	}
	EXPECT_EQ(again.levels, 2);
	EXPECT(!memcmp(map.level, again.level, (size_t)s->n * s->n));
	EXPECT(!memcmp(map.via, again.via, (size_t)s->n * s->nhosts *
	       sizeof(*map.via)));
	weft_router_map_free(&map);
	weft_router_map_free(&again);
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

/* Returns the most that passes a channel of a subnet between switches when
 * every endport sends to every other one, each by its weight. */
static uint64_t peak_of(const struct weft_subnet *t)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t *load = need(calloc(f->nch, sizeof(*load))), peak = 0;

	for (uint32_t a = 0; a < f->nep; a++)
		for (uint32_t b = 0; b < f->nep; b++) {
			uint32_t sw = f->ep[a].sw;

			while (sw != f->ep[b].sw) {
				uint32_t ch = weft_channel(
					f, sw,
					weft_lft_get(&t->routes.lft, sw,
						     f->ep[b].lid));

				load[ch] += (uint64_t)f->ep[a].weight *
					    f->ep[b].weight;
				peak = load[ch] > peak ? load[ch] : peak;
				sw = f->peer[ch];
			}
		}
	free(load);
	return peak;
}

/* Router ports weigh as many hosts as are sent to by them, all together those
 * of the other subnets, and engines balance them so. */
TEST(test_weights)
{
	static const char *const engines[] = { "psssp", "p2sssp", "eftree" };
	struct weft_subnets *s = NULL;
	struct weft_router_map map;
	uint32_t sum = 0;

	ASSERT_EQ(weft_subnets_gen("subnets:2,routers=5,ports=1,of=hypercube:4,hosts=3",
		  &s, NULL), 0);
	ASSERT_EQ(make_map(s, WEFT_ROUTER_MAP_STATIC, &map), 0);
	for (unsigned i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		uint64_t even;

		for (uint32_t p = 0; p < s->nports; p++)
			weft_fabric_weigh(s->subnet[s->port[p].subnet].fabric,
					  s->port[p].ep, 1);
		route_all(s, engines[i]);
		weft_subnets_weigh(s, &map);
		even = peak_of(&s->subnet[0]);
		route_all(s, engines[i]);
		EXPECT(peak_of(&s->subnet[0]) < even);
	}
	for (uint32_t p = 0; p < s->nports; p++)
		if (s->port[p].subnet == 0)
			sum += s->subnet[0].fabric->ep[s->port[p].ep].weight;
	EXPECT_EQ(sum, s->first_host[2] - s->first_host[1] + 4);
	weft_fabric_weigh(s->subnet[0].fabric, 0, 1000000);
	EXPECT_EQ(s->subnet[0].fabric->ep[0].weight, WEFT_MAX_WEIGHT);
	weft_router_map_free(&map);
	weft_subnets_free(s);
}
