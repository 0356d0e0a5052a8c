// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fabrics of subnets: mappings and ways. */
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

/* --- losses ---------------------------------------------------------------- */

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
