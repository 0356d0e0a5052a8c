// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures, against fabrics from which the parts are really taken. */
#include "faults_util.h"
#include "sets.h"

#include <errno.h>
#include <math.h>

#define NEAR(a, b) (fabs((a) - (b)) < 1e-9)

/* Nodes with no port in the piece with most hosts, and whether these are
 * node[count]; the fabric was in one part. */
static uint32_t count_cut(const struct weft_fabric *f,
			  const struct weft_fabric *left, const uint32_t *node,
			  uint32_t count)
{
	uint32_t *root = malloc(f->nsw * sizeof(*root)), best = 0, cut = 0;
	uint32_t *hosts = calloc(f->nsw, sizeof(*hosts));

	for (uint32_t s = 0; s < f->nsw; s++)
		root[s] = s;
	for (uint32_t i = 0; i < left->adj_first[left->nsw]; i++)
		sets_join(root, weft_channel_switch(left, left->adj[i]),
			  left->peer[left->adj[i]]);
	for (uint32_t s = 0; s < f->nsw; s++)
		root[s] = sets_top(root, s);
	for (uint32_t e = 0; e < left->nep; e++)
		hosts[root[left->ep[e].sw]]++;
	for (uint32_t s = 0; s < f->nsw; s++)
		if (hosts[s] > hosts[best])
			best = s;
	for (uint32_t n = 0; n < f->nnodes; n++) {
		bool kept = false;

		for (uint32_t e = 0; e < left->nep; e++)
			kept |= root[left->ep[e].sw] == best &&
				left->node[left->ep[e].node].guid ==
					f->node[n].guid;
		EXPECT_EQ(!kept, cut < count && node[cut] == n);
		cut += !kept;
	}
	free(root);
	free(hosts);
	return cut;
}

/* The same tables for the fabric that is left: who sends to which LID goes by
 * endport. */
static uint8_t *offsets_left(const struct weft_fabric *f,
			     const struct weft_fabric *left,
			     const struct weft_routes *routes)
{
	uint8_t *offset = malloc(left->nep + 1ull);

	for (uint32_t e = 0; e < left->nep; e++)
		offset[e] = routes->lid_offset[weft_fabric_endport_by_guid(
			f, left->ep[e].guid)];
	return offset;
}

/* Bandwidth in the fabric that is left, by any tables: what all hosts get, and the
 * least of them, that one by its id in the whole; whether some have it to share. */
static bool check_bandwidth(const struct weft_fabric *f,
			    const struct weft_fabric *left,
			    const struct weft_routes *routes,
			    const struct weft_fault_bandwidth *b,
			    struct weft_saturation *s)
{
	const struct weft_saturation_spec spec = { .all_hosts = false };
	struct weft_saturation_host *host =
		malloc((left->nep + 1ull) * sizeof(*host));
	uint32_t least;

	ASSERT_EQ(weft_saturation_hosts(left, routes, &spec, s, host, NULL), 0);
	if (s->hosts > 1) {
		EXPECT(NEAR(b->even, s->even));
		EXPECT(NEAR(b->mean, s->mean));
		EXPECT(NEAR(b->least, s->least));
		ASSERT(b->least_endport < f->nep);
		least = weft_fabric_endport_by_guid(
			left, f->ep[b->least_endport].guid);
		ASSERT(least < left->nep);
		EXPECT(NEAR(host[least].got, s->least));
	}
	free(host);
	return s->hosts > 1;
}

static void check_loss(const struct weft_fabric *f,
		       const struct weft_routes *routes, uint64_t lost,
		       const struct weft_fabric *left,
		       const struct weft_fault_loss *loss)
{
	struct weft_routes same = *routes;
	struct weft_saturation s;

	if (routes->lid_offset)
		same.lid_offset = offsets_left(f, left, routes);
	check_bandwidth(f, left, &same, &loss->bandwidth, &s);
	EXPECT_EQ(loss->hosts, s.hosts);
	if (!lost)
		EXPECT_EQ(loss->broken, s.lost);
	if (routes->lid_offset)
		free(same.lid_offset);
}

static void check_rerouted(const struct weft_fabric *f, const char *engine,
			   const struct weft_routes *routes,
			   const struct weft_fabric *left,
			   const struct weft_fault *fault)
{
	const struct weft_fault_rerouted *r = &fault->rerouted;
	struct weft_routes anew = { .lid_offset = NULL };
	struct weft_saturation s;
	uint64_t entries = 0;

	ASSERT(fault->routed);
	if (route_left(engine, left, &anew)) {
		EXPECT(r->refused);
		return;
	}
	ASSERT(!r->refused);
	check_bandwidth(f, left, &anew, &r->bandwidth, &s);
	EXPECT_EQ(r->broken, s.lost);
	EXPECT_EQ(r->lanes, anew.layers.nvl ? anew.layers.nvl : 1);
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		for (uint32_t lid = 1; lid <= left->max_lid; lid++)
			entries += left->lid_owner[lid] != WEFT_NONE &&
				   weft_lft_get(&anew.lft, sw, lid) !=
					   weft_lft_get(&routes->lft, sw, lid);
	EXPECT_EQ(r->entries, entries);
	EXPECT(r->blocks <= r->entries && (r->blocks || !r->entries));
	weft_routes_free(&anew);
}

/* Judges sets and compares each with what is left without it. */
static void compare_sets(const struct weft_fabric *f, const char *engine,
			 const struct weft_routes *routes,
			 const struct weft_fault_sets *sets, bool reroute)
{
	struct weft_options *options = defaults(engine);
	const struct weft_faults_spec spec = {
		.engine = reroute ? weft_engine_find(engine) : NULL,
		.options = options,
		.each = true,
		.threads = 2,
	};
	struct weft_saturation s;
	struct weft_faults x;

	ASSERT_EQ(weft_faults_run(f, routes, sets, &spec, &x, NULL), 0);
	EXPECT_EQ(x.judged, sets->n);
	EXPECT(check_bandwidth(f, f, routes, &x.before, &s));
	EXPECT_EQ(x.hosts, s.hosts);
	EXPECT_EQ(x.pairs, s.hosts * (s.hosts - 1ull));
	EXPECT_EQ(x.lost, s.lost);
	EXPECT_EQ(x.lanes, routes->layers.nvl ? routes->layers.nvl : 1);
	for (uint32_t i = 0; i < sets->n; i++) {
		const uint32_t *part = sets->part + sets->first[i];
		uint32_t n = sets->first[i + 1] - sets->first[i];
		struct weft_fabric *left = take_away(f, part, n);
		uint32_t *node, count;

		check_loss(f, routes, x.lost, left, &x.fault[i].loss);
		ASSERT_EQ(weft_fault_cut(f, part, n, false, &node, &count), 0);
		EXPECT_EQ(x.fault[i].loss.cut, count);
		EXPECT_EQ(count_cut(f, left, node, count), count);
		free(node);
		if (reroute)
			check_rerouted(f, engine, routes, left, &x.fault[i]);
		weft_fabric_free(left);
	}
	weft_faults_free(&x);
	weft_options_free(options);
}

static void compare_kinds(const struct weft_fabric *f, const char *engine,
			  const struct weft_routes *routes, unsigned kinds,
			  bool reroute)
{
	struct weft_fault_sets sets;
	uint32_t *part, n;

	ASSERT_EQ(weft_fault_parts(f, kinds, &part, &n), 0);
	ASSERT_EQ(weft_fault_singles(part, n, &sets), 0);
	compare_sets(f, engine, routes, &sets, reroute);
	weft_fault_sets_free(&sets);
	free(part);
}

static void compare_random(const struct weft_fabric *f, const char *engine,
			   const struct weft_routes *routes)
{
	struct weft_fault_draw draw = {
		.cables = 2,
		.switches = 1,
		.sets = 12,
		.seed = 5,
	};
	struct weft_fault_sets sets;
	uint32_t *part;

	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
		  WEFT_PARTS_LINKS, &part, &draw.nparts), 0);
	draw.part = part;
	ASSERT_EQ(weft_fault_draw(&draw, &sets, NULL), 0);
	compare_sets(f, engine, routes, &sets, false);
	weft_fault_sets_free(&sets);
	free(part);
}

static const struct {
	const char *fabric, *engine;
	int lmc;
} brute[] = {
	{ "pgft:2;4,4;1,4;1,1", "eftree", -1 },
	{ "pgft:2;6,4;1,2;1,1", "eftree", -1 }, /* oversubscribed */
	{ "pgft:2;4,3;1,2;1,2", "minhop", -1 }, /* parallel cables */
	{ "pgft:3;3,3,3;1,2,2;1,1,1", "updn", -1 },
	{ "torus:3x3,hosts=2", "weave", -1 },
	{ "ring:5,hosts=3", "minhop", -1 },
	{ "random:8,3,3,seed=2", "weave", 1 },
	{ "full:4,hosts=3", "random", -1 },
	{ "mesh:3x2,hosts=2", "minhop", 2 },
};

/* With the tables as they are: pairs, bandwidth and who is cut off, for each
 * cable, each host's cable and each switch, and for some at once. */
TEST(test_loss)
{
	for (size_t i = 0; i < sizeof(brute) / sizeof(brute[0]); i++) {
		struct weft_fabric *f =
			route_fabric(brute[i].fabric, brute[i].lmc);
		struct weft_routes routes;

		route_whole(brute[i].engine, f, &routes);
		compare_kinds(f, brute[i].engine, &routes,
			      WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
				      WEFT_PARTS_LINKS,
			      false);
		compare_random(f, brute[i].engine, &routes);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* Sources that send to several LIDs of a destination, by what routes say. */
TEST(test_offsets)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", 1);
	struct weft_routes routes;

	route_whole("eftree", f, &routes);
	free(routes.lid_offset);
	routes.lid_offset = malloc(f->nep);
	for (uint32_t e = 0; e < f->nep; e++)
		routes.lid_offset[e] = e % 3;
	compare_kinds(f, "eftree", &routes,
		      WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
			      WEFT_PARTS_LINKS,
		      false);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* The same fabric with links of several rates, those of hosts on one switch,
 * too. */
static struct weft_fabric *mix_rates(struct weft_fabric *f)
{
	static const struct weft_rate rate[] = {
		{ 4, WEFT_QDR },
		{ 4, WEFT_EDR },
		{ 1, WEFT_EDR },
	};
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *out = NULL;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_SWITCH,
					       f->sw[s].guid, f->sw[s].nports);

		weft_builder_port(b, h, 0)->lid = f->sw[s].lid;
	}
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], s = weft_channel_switch(f, ch);

		if (f->reverse[ch] > ch)
			weft_builder_link(b, s, ch - f->first_channel[s],
					  f->peer[ch], f->peer_port[ch],
					  rate[ch % 3]);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t h =
			weft_builder_node(b, WEFT_NODE_CA, f->ep[e].guid, 1);

		weft_builder_port(b, h, 1)->lid = f->ep[e].lid;
		weft_builder_link(b, h, 1, f->ep[e].sw, f->ep[e].sw_port,
				  rate[e * e % 3]);
	}
	ASSERT_EQ(weft_builder_finish(b, &out, NULL), 0);
	weft_builder_free(b);
	weft_fabric_free(f);
	return out;
}

TEST(test_rates)
{
	for (size_t i = 0; i < 4; i++) {
		struct weft_fabric *f =
			mix_rates(route_fabric(brute[i].fabric, -1));
		struct weft_routes routes;

		route_whole(brute[i].engine, f, &routes);
		compare_kinds(f, brute[i].engine, &routes,
			      WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
				      WEFT_PARTS_LINKS,
			      false);
		compare_random(f, brute[i].engine, &routes);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* Tables with holes: what had no route before does not break. */
TEST(test_holes)
{
	struct weft_fabric *f = route_fabric("ring:5,hosts=2", -1);
	struct weft_routes routes;

	route_whole("minhop", f, &routes);
	for (uint32_t e = 0; e < f->nep; e += 3)
		weft_lft_row(&routes.lft, e % f->nsw)[f->ep[e].lid] =
			WEFT_NO_PORT;
	compare_kinds(f, "minhop", &routes,
		      WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
			      WEFT_PARTS_LINKS,
		      false);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Nodes with two ports: only one that loses both is cut off. */
TEST(test_several_ports)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1,dual=yes", -1);
	struct weft_routes routes;

	route_whole("eftree", f, &routes);
	compare_kinds(f, "eftree", &routes,
		      WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
			      WEFT_PARTS_LINKS,
		      false);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Routed anew: the same as the engine makes of the fabric without the part. */
TEST(test_rerouted)
{
	for (size_t i = 0; i < sizeof(brute) / sizeof(brute[0]); i++) {
		struct weft_fabric *f =
			route_fabric(brute[i].fabric, brute[i].lmc);
		struct weft_routes routes;

		route_whole(brute[i].engine, f, &routes);
		compare_kinds(f, brute[i].engine, &routes,
			      WEFT_PARTS_CABLES | WEFT_PARTS_LINKS, true);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* --- who uses a part ------------------------------------------------------ */

/* Pairs of hosts by walking each route. */
static uint64_t count_pairs(const struct weft_fabric *f,
			    const struct weft_routes *routes, uint32_t part)
{
	uint32_t *path = malloc((f->nsw + 1ull) * sizeof(*path));
	uint64_t pairs = 0;

	for (uint32_t a = 0; a < f->nep; a++)
		for (uint32_t b = 0; b < f->nep; b++) {
			unsigned lid = weft_routes_lid(f, routes, a, b);
			uint32_t own = f->first_injection + a, sw = f->ep[a].sw;
			bool through = f->reverse[own] == part;
			size_t n = 0;

			if (a == b)
				continue;
			weft_lft_walk(f, &routes->lft, sw, lid,
				      (struct weft_walk_path){ path, f->nsw },
				      &n);
			for (size_t i = 0; i < n; i++) {
				through |= path[i] == part ||
					   f->reverse[path[i]] == part ||
					   (sw | WEFT_PART_SWITCH) == part;
				sw = f->peer[path[i]];
			}
			pairs += through;
		}
	free(path);
	return pairs;
}

/* Everybody who uses a part, and nobody else; loads of the two directions of a
 * cable are those that the proof finds. */
TEST(test_through)
{
	const struct weft_proof_spec spec = { .loads = true };

	for (size_t i = 0; i < sizeof(brute) / sizeof(brute[0]); i++) {
		struct weft_fabric *f = route_fabric(brute[i].fabric, -1);
		struct weft_routes routes;
		struct weft_proof proof;
		uint32_t *part, n;

		route_whole(brute[i].engine, f, &routes);
		weft_proof_run(f, &routes, &spec, &proof, NULL);
		weft_fault_parts(f,
				 WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES |
					 WEFT_PARTS_LINKS,
				 &part, &n);
		for (uint32_t k = 0; k < n; k++) {
			struct weft_through x;
			uint64_t way[2] = { 0 };

			weft_through_find(f, &routes, part[k], false, &x);
			EXPECT_EQ(x.pairs, count_pairs(f, &routes, part[k]));
			for (uint32_t l = 0; l < x.nlids; l++)
				if (weft_is_endport(x.lid[l].dest))
					way[x.lid[l].direction] += x.lid[l].n;
			for (unsigned d = 0; d < 2; d++)
				if (x.channel[d] < f->first_injection)
					EXPECT_EQ(way[d], proof.channel_load
						  [x.channel[d]]);
			weft_through_free(&x);
		}
		free(part);
		weft_proof_free(&proof);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* --- what hosts get ------------------------------------------------------- */

/* What channels take from the hosts of a switch, by walking each route when all
 * hosts have links of one rate: the channel that takes most. */
static void check_blame(const struct weft_fabric *f,
			const struct weft_routes *routes,
			const struct weft_proof *proof, uint32_t sw,
			uint32_t blamed)
{
	double *taken = calloc(f->nch, sizeof(*taken)), most = 0;
	uint32_t *path = malloc((f->nsw + 1ull) * sizeof(*path));

	for (uint32_t e = 0; e < f->nep; e++) {
		double least = 1;
		uint32_t worst = WEFT_NONE;
		size_t n = 0;

		weft_lft_walk(f, &routes->lft, sw, f->ep[e].lid,
			      (struct weft_walk_path){ path, f->nsw }, &n);
		for (size_t i = 0; i + 1 < n; i++) {
			double part =
				(f->nep - 1.0) / proof->channel_load[path[i]];

			if (part < least - 1e-12) {
				least = part;
				worst = path[i];
			}
		}
		if (worst != WEFT_NONE)
			taken[worst] += 1 - least;
	}
	for (uint32_t ch = 0; ch < f->nch; ch++)
		most = taken[ch] > most ? taken[ch] : most;
	EXPECT_EQ(blamed == WEFT_NONE, most == 0);
	if (blamed != WEFT_NONE)
		EXPECT(NEAR(taken[blamed], most));
	free(taken);
	free(path);
}

/* Shares of hosts, their mean and the least of them, and who is to blame. */
TEST(test_hosts)
{
	const struct weft_saturation_spec spec = { .all_hosts = false };
	const struct weft_proof_spec loads = { .loads = true };

	for (size_t i = 0; i < sizeof(brute) / sizeof(brute[0]); i++) {
		struct weft_fabric *f = route_fabric(brute[i].fabric, -1);
		struct weft_saturation_host *host =
			malloc(f->nep * sizeof(*host));
		struct weft_saturation s, same;
		struct weft_routes routes;
		struct weft_proof proof;
		double sum = 0;

		route_whole(brute[i].engine, f, &routes);
		weft_proof_run(f, &routes, &loads, &proof, NULL);
		ASSERT_EQ(weft_saturation_hosts(f, &routes, &spec, &s, host,
			  NULL), 0);
		weft_saturation_run(f, &routes, &spec, &same, NULL);
		EXPECT_EQ(memcmp(&s, &same, sizeof(s)), 0);
		for (uint32_t e = 0; e < f->nep; e++) {
			EXPECT(host[e].got >= s.least);
			sum += host[e].got;
			check_blame(f, &routes, &proof, f->ep[e].sw,
				    host[e].channel);
		}
		EXPECT(NEAR(sum / f->nep, s.mean));
		EXPECT(NEAR(host[s.least_endport].got, s.least));
		weft_proof_free(&proof);
		weft_routes_free(&routes);
		weft_fabric_free(f);
		free(host);
	}
}
