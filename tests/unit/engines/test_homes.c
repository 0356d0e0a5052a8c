// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Hosts with several ports: which switches they depend on, counted by brute
 * force, and what first ports and second ports are to each other.
 */
#include "core/fabric/components.h"

#include "../model_util.h"
#include "../route.h"

#include <errno.h>
#include <stdlib.h>

/* The fabrics of the mFtree paper; the last two are those with spines of which
 * the hosts of a leaf are no multiple. */
static const char *const papers[] = {
	"switch648,dual=yes", "rack648,dual=yes", "rack432,dual=yes",
	"rack216,dual=yes", "pgft:2;24,16;1,9;1,2,dual=yes",
	"pgft:2;24,16;1,8;1,2,dual=yes",
};
enum { NPAPERS = sizeof(papers) / sizeof(papers[0]) };

enum { SEED = 20267 };

/* Whether the routes from s to all ports of a machine pass through switch x. */
static bool depends(const struct weft_fabric *f, const struct weft_lft *lft,
		    const uint32_t *first, uint32_t s, uint32_t x)
{
	uint32_t path[64];
	size_t hops;

	for (uint32_t i = first[0]; i < first[1]; i++) {
		const struct weft_endport *ep =
			&f->ep[f->machine_endport[i]];
		bool passes = false;

		if (ep->sw == s)
			return false;
		weft_lft_walk(f, lft, s, ep->lid,
			      (struct weft_walk_path){ path, 64 }, &hops);
		for (size_t k = 0; k + 1 < hops; k++)
			passes |= f->peer[path[k]] == x;
		if (!passes)
			return false;
	}
	return true;
}

/* Whether cables lead from s to a machine without switch x. */
static bool leads_around(const struct weft_fabric *f, const uint32_t *first,
			 uint32_t s, const uint32_t *part)
{
	for (uint32_t i = first[0]; i < first[1]; i++)
		if (part[f->ep[f->machine_endport[i]].sw] == part[s])
			return true;
	return false;
}

/* Finds the parts that are left without switch x. */
static void part_without(const struct weft_fabric *f, uint32_t x,
			 uint32_t *part)
{
	bool *avoid = need(calloc(f->nsw, sizeof(*avoid)));
	uint32_t *queue = need(calloc(f->nsw, sizeof(*queue)));

	avoid[x] = true;
	weft__components_around(f, avoid, part, queue);
	free(avoid);
	free(queue);
}

/* weft_redundancy_find() against looking at every machine, source and switch. */
static void check_redundancy(const struct weft_fabric *f,
			     const struct weft_lft *lft)
{
	struct weft_redundancy r;
	uint32_t *part = need(calloc(f->nsw, sizeof(*part)));
	uint32_t at = 0;

	ASSERT_EQ(weft_redundancy_find(f, lft, &r), 0);
	for (uint32_t m = 0; m < f->nmachines; m++) {
		const uint32_t *first = &f->machine_first[m];

		for (uint32_t x = 0; x < f->nsw; x++) {
			uint32_t sources = 0, needless = 0;

			for (uint32_t s = 0; s < f->nsw; s++) {
				if (s == x || first[1] - first[0] < 2 ||
				    f->sw_ep_first[s] ==
					    f->sw_ep_first[s + 1] ||
				    !depends(f, lft, first, s, x))
					continue;
				if (!sources++)
					part_without(f, x, part);
				needless += leads_around(f, first, s, part);
			}
			if (!sources)
				continue;
			ASSERT(at < r.n);
			EXPECT_EQ(r.weak[at].machine, m);
			EXPECT_EQ(r.weak[at].sw, x);
			EXPECT_EQ(r.weak[at].sources, sources);
			EXPECT_EQ(r.weak[at].needless, needless);
			at++;
		}
	}
	EXPECT_EQ(at, r.n);
	free(part);
	weft_redundancy_free(&r);
}

TEST(test_homes)
{
	static const struct {
		const char *engine, *spec;
		bool weak;
		const char *option;
	} expected[] = {
		/* As in figure 1 of the mFtree paper, seen from more leaves. */
		{ "eft", "pgft:2;4,4;1,4;1,1,dual=yes", true, NULL },
		{ "mftree", "pgft:2;4,4;1,4;1,1,dual=yes", false, NULL },
		{ "beft", "pgft:2;4,6;1,4;1,1,dual=yes", true, NULL },
		{ "mftree", "pgft:2;4,6;1,4;1,1,dual=yes", false, NULL },
		{ "eftree", "pgft:2;4,6;1,4;1,1,dual=yes", false, NULL },
		{ "mftree", "pgft:3;4,4,4;1,4,4;1,1,1,dual=yes", false, NULL },
		{ "eftree", "pgft:3;4,4,4;1,4,4;1,1,1,dual=yes,guids=shuffle,seed=9",
			    false, NULL },
		{ "mftree", "rack216,dual=yes", false, NULL },
		{ "mftree", "pgft:2;6,8;1,3;1,2,dual=yes", false, NULL },
		{ "mftree", "pgft:2;4,6;1,4;1,1,dual=yes", false, "order=node" },
		{ "mftree", "rack216,dual=yes", false, "order=node" },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		struct weft_fabric *f = route_fabric(expected[i].spec, -1);
		struct weft_routes routes = { 0 };
		struct weft_redundancy r;

		ASSERT_EQ(route_by(expected[i].engine, expected[i].option, f,
			  &routes, NULL), 0);
		if (f->nsw < 60)
			check_redundancy(f, &routes.lft);
		ASSERT_EQ(weft_redundancy_find(f, &routes.lft, &r), 0);
		EXPECT_EQ(r.needless_machines > 0, expected[i].weak);
		EXPECT(r.several > 0 && !r.single);
		weft_redundancy_free(&r);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* Where single switches keep parts together, those that depend on them have to. */
TEST(test_cut_switches)
{
	static const char *const fabrics[] = {
		"ring:6,hosts=2,dual=yes,fail-links=1,seed=1",
		"mesh:5,hosts=2,dual=yes",
		"star:5,hosts=2,dual=yes",
		"pgft:3;3,3,3;1,1,2;1,1,1,dual=yes",
		"random:14,3,2,dual=yes,seed=4",
	};

	for (size_t i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
		struct weft_fabric *f = route_fabric(fabrics[i], -1);
		struct weft_routes routes = { 0 };

		ASSERT_EQ(route_by("psssp", NULL, f, &routes, NULL), 0);
		check_redundancy(f, &routes.lft);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* Trees that have lost cables and switches: nothing depends on one switch that
 * need not, and ways that are not the shortest close no cycle. */
TEST(test_broken)
{
	static const char *const broken[] = {
		"rack648,dual=yes,fail-links=10%,seed=1",
		"rack648,dual=yes,fail-links=20%,seed=1",
		"rack432,dual=yes,fail-links=15%,seed=3",
		"rack216,dual=yes,fail-links=20%,seed=2",
		"rack216,dual=yes,fail-switches=5,seed=6",
		"rack216,dual=yes,fail-links=20%,seed=2,lmc=1",
		"pgft:3;6,6,12;1,6,6;1,1,1,dual=yes,fail-links=10%,seed=4",
	};

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct weft_fabric *f = route_fabric(broken[i], -1);
		struct weft_routes routes = { 0 };
		struct weft_redundancy r;
		struct weft_proof_spec spec = { .all_hosts = true,
			.switches = true, .between_switches = true,
			.credit_loops = true };
		struct weft_proof proof;

		ASSERT_EQ(route_by("mftree", NULL, f, &routes, NULL), 0);
		ASSERT_EQ(weft_redundancy_find(f, &routes.lft, &r), 0);
		EXPECT_EQ(r.needless_machines, 0);
		weft_redundancy_free(&r);
		ASSERT_EQ(weft_proof_run(f, &routes, &spec, &proof, NULL), 0);
		EXPECT(weft_proof_holds(&proof));
		weft_proof_free(&proof);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* The mean bandwidth of a pattern's streams, between all or first ports. */
static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *routes, const char *pattern,
			enum weft_order order, bool first_ports)
{
	struct weft_mapping_spec spec = { .order = order };
	struct weft_model_spec what = { .samples = 200, .seed = SEED };
	uint32_t *given = malloc(f->nep * sizeof(*given));
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_model m;
	double mean;

	ASSERT(given);
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].port == 1)
			given[spec.ngiven++] = e;
	if (first_ports)
		spec.given = given;
	ASSERT_EQ(weft_mapping_init(&mapping, f, &spec, NULL), 0);
	ASSERT_EQ(weft_traffic_new(pattern, mapping.nranks, &traffic, NULL), 0);
	what.traffic = traffic;
	what.mapping = &mapping;
	ASSERT_EQ(weft_model_run(f, routes, &what, &m, NULL), 0);
	mean = m.measure[WEFT_STREAMS].mean;
	weft_model_free(&m);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	free(given);
	return mean;
}

static double worth_of(const struct weft_fabric *f,
		       const struct weft_routes *routes)
{
	const struct weft_basket_spec spec = { .seed = 1 };

	return test_basket_worth(f, routes, &spec);
}

/* What the paper promises, with everything in use.  Returns what mftree's tables
 * are worth. */
static double check_beside_eft(const struct weft_fabric *f,
			       const struct weft_routes *eft)
{
	static const char *const doubling = "recursive-doubling";
	static const char *const apart =
		"recursive-doubling+recursive-doubling";
	struct weft_routes r = { 0 };
	struct weft_redundancy weak;
	double worth;

	ASSERT_EQ(route_by("mftree", NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft_redundancy_find(f, &r.lft, &weak), 0);
	EXPECT_EQ(weak.needless_machines, 0);
	EXPECT(bandwidth(f, &r, apart, WEFT_ORDER_PORT, false) >= bandwidth(f,
	       eft, apart, WEFT_ORDER_PORT, false) - 1e-9);
	EXPECT(bandwidth(f, &r, doubling, WEFT_ORDER_NAME, false) > bandwidth(f,
	       eft, doubling, WEFT_ORDER_NAME, false));
	EXPECT(bandwidth(f, &r, "shift", WEFT_ORDER_PORT, false) >= .95 *
	       bandwidth(f, eft, "shift", WEFT_ORDER_PORT, false));
	EXPECT(bandwidth(f, &r, "bisect", WEFT_ORDER_RANDOM, false) >= .99 *
	       bandwidth(f, eft, "bisect", WEFT_ORDER_RANDOM, false));
	worth = worth_of(f, &r);
	weft_redundancy_free(&weak);
	weft_routes_free(&r);
	return worth;
}

/* mftree does what the paper promises, and eftree is worth no less. */
TEST(test_beside_eft)
{
	for (size_t i = 0; i < NPAPERS; i++) {
		struct weft_fabric *f = route_fabric(papers[i], -1);
		struct weft_routes eft = { 0 }, eftree = { 0 };
		double mftree;

		ASSERT_EQ(route_by("eft", NULL, f, &eft, NULL), 0);
		ASSERT_EQ(route_by("eftree", NULL, f, &eftree, NULL), 0);
		mftree = check_beside_eft(f, &eft);
		EXPECT(worth_of(f, &eftree) >= .999 * mftree);
		weft_routes_free(&eftree);
		weft_routes_free(&eft);
		weft_fabric_free(f);
	}
}

/* Where all machines of a whole tree have two ports, weave has no contention among the
 * first ports, the second ones, or all of them, as mftree; tapered, it is no worse. */
TEST(test_weave_beside_mftree)
{
	static const char *const some[] = {
		"pgft:3;8,8,16;1,8,8;1,1,1,dual=yes",
		"pgft:3;10,10,10;1,10,10;1,1,1,dual=yes",
		"pgft:3;8,8,16;1,8,4;1,1,1,dual=yes",
		"rails:gpus=8,hosts=64,radix=32",
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		struct weft_fabric *f = route_fabric(some[i], -1);
		struct weft_routes mftree = { 0 }, weave = { 0 };

		suite_case("%s", some[i]);
		ASSERT_EQ(route_by("mftree", NULL, f, &mftree, NULL), 0);
		ASSERT_EQ(route_by("weave", NULL, f, &weave, NULL), 0);
		EXPECT(worth_of(f, &weave) >= .998 * worth_of(f, &mftree));
		weft_routes_free(&mftree);
		weft_routes_free(&weave);
		weft_fabric_free(f);
	}
}

/* eftree keeps apart what mftree does, and balances no worse than beft. */
TEST(test_beside_beft)
{
	for (size_t i = 0; i < NPAPERS; i++) {
		struct weft_fabric *f = route_fabric(papers[i], -1);
		struct weft_routes beft = { 0 }, eftree = { 0 };
		struct weft_redundancy weak;

		ASSERT_EQ(route_by("beft", NULL, f, &beft, NULL), 0);
		ASSERT_EQ(route_by("eftree", NULL, f, &eftree, NULL), 0);
		ASSERT_EQ(weft_redundancy_find(f, &eftree.lft, &weak), 0);
		EXPECT_EQ(weak.needless_machines, 0);
		EXPECT(bandwidth(f, &eftree, "bisect", WEFT_ORDER_RANDOM, false)
		       >= .995 * bandwidth(f, &beft, "bisect",
		       WEFT_ORDER_RANDOM, false));
		weft_redundancy_free(&weak);
		weft_routes_free(&eftree);
		weft_routes_free(&beft);
		weft_fabric_free(f);
	}
}

/* As long as no leaf has more ports than cables up, no two of them share a
 * channel in any shift: among first ports, and among all with the two of a node
 * in a row. */
TEST(test_shift)
{
	static const char *const specs[] = {
		"pgft:2;6,12;1,6;1,1,dual=yes", "pgft:2;8,8;1,4;1,2,dual=yes",
		"pgft:3;4,4,4;1,4,4;1,1,1,dual=yes", "switch648,dual=yes",
		"rack648,dual=yes", "rack432,dual=yes", "rack216,dual=yes",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes r = { 0 };

		ASSERT_EQ(route_by("mftree", NULL, f, &r, NULL), 0);
		for (int first_ports = 0; first_ports < 2; first_ports++)
			EXPECT_NEAR(bandwidth(f, &r, "shift", WEFT_ORDER_NAME,
				    first_ports), 1, 1e-9);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* The channels of a longest route to an endport; how many. */
static size_t walk(const struct weft_fabric *f, const struct weft_lft *lft,
		   uint32_t e, uint32_t *path)
{
	size_t hops, most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t way[64];

		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		ASSERT_EQ(weft_lft_walk(f, lft, s, f->ep[e].lid, (struct
			  weft_walk_path){ way, 64 }, &hops), WEFT_ARRIVED);
		if (hops <= most)
			continue;
		most = hops;
		memcpy(path, way, hops * sizeof(*path));
	}
	return most;
}

/* Where a leaf has a cable up for each port, every port has one to itself, the
 * second ones, too: also with spines of an odd number, and few of them. */
TEST(test_second_ports)
{
	static const char *const specs[] = {
		"pgft:2;5,8;1,5;1,1,dual=yes", "pgft:2;3,4;1,3;1,1,dual=yes",
		"pgft:2;2,6;1,2;1,1,dual=yes", "switch648,dual=yes",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		uint8_t *load = calloc(f->nch, 1);
		struct weft_routes r = { 0 };
		struct weft_redundancy weak;
		uint32_t path[64];

		ASSERT(load);
		ASSERT_EQ(route_by("mftree", NULL, f, &r, NULL), 0);
		for (uint32_t e = 0; e < f->nep; e++) {
			size_t n = walk(f, &r.lft, e, path);

			EXPECT_EQ(load[path[n - 2]]++, 0);
		}
		ASSERT_EQ(weft_redundancy_find(f, &r.lft, &weak), 0);
		EXPECT_EQ(weak.n, 0);
		weft_redundancy_free(&weak);
		weft_routes_free(&r);
		weft_fabric_free(f);
		free(load);
	}
}

/* What ports of hosts are in use. */
enum active { FIRST_PORTS, SECOND_PORTS, SOME_SECOND_PORTS, ACTIVES };

/* Says whether an endport is in use: first ports are, or active ones. */
static bool in_use(const struct weft_fabric *f, uint32_t e, enum active active)
{
	bool second = active == SECOND_PORTS ||
		      (active == SOME_SECOND_PORTS && f->ep[e].node % 3 == 0);

	return f->ep[e].port == (second ? 2 : 1);
}

/* Routes by mftree with standby ports, and names the ports in use where these
 * are not the first ones. */
static void route_standby(const struct weft_fabric *f, enum active active,
			  struct weft_routes *out)
{
	char *text = calloc(f->nep + 1ull, 24);
	const struct weft_engine *e = weft_engine_find("mftree");
	struct weft_options *o;
	size_t n;

	ASSERT(text && e && !weft_options_new(&o, e->options));
	n = sprintf(text, "active=");
	for (uint32_t i = 0; i < f->nep && active != FIRST_PORTS; i++)
		if (in_use(f, i, active))
			n += sprintf(text + n, "0x%llx ",
				     (unsigned long long)f->ep[i].guid);
	if (active != FIRST_PORTS)
		ASSERT_EQ(weft_options_parse(o, text, NULL), 0);
	ASSERT_EQ(weft_options_parse(o, "standby=yes", NULL), 0);
	ASSERT_EQ(e->route(f, o, out, NULL), 0);
	weft_options_free(o);
	free(text);
}

/* Returns how many more endports in use the busiest root routes than the one
 * with the fewest. */
static uint32_t spread_over_roots(const struct weft_fabric *f,
				  const struct weft_lft *lft,
				  enum active active)
{
	uint32_t *load = calloc(f->nsw, sizeof(*load));
	uint8_t *root = calloc(f->nsw, 1);
	uint32_t path[64], most = 0, least = UINT32_MAX;

	ASSERT(load && root);
	for (uint32_t e = 0; e < f->nep; e++) {
		size_t n = walk(f, lft, e, path);

		ASSERT_EQ(n, 5);
		load[f->peer[path[1]]] += in_use(f, e, active);
		root[f->peer[path[1]]] = 1;
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!root[s])
			continue;
		most = load[s] > most ? load[s] : most;
		least = load[s] < least ? load[s] : least;
	}
	EXPECT(most > 0);
	free(load);
	free(root);
	return most - least;
}

/* If only first ports are in use, or those said to be active, each root routes
 * as many of them, or one more, where they would fill but half of the roots'
 * cables. Tables made for other ports are less even. */
TEST(test_standby)
{
	static const char *const specs[] = {
		"pgft:3;4,4,4;1,4,4;1,1,1,dual=yes", "rack216,dual=yes",
	};

	for (size_t i = 0; i < 2 * ACTIVES; i++) {
		struct weft_fabric *f = route_fabric(specs[i / ACTIVES], -1);
		enum active active = i % ACTIVES;
		struct weft_routes r = { 0 };

		route_standby(f, active, &r);
		EXPECT(spread_over_roots(f, &r.lft, active) <= 1);
		if (active != SOME_SECOND_PORTS)
			EXPECT(spread_over_roots(f, &r.lft, SOME_SECOND_PORTS) >
			       1);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

TEST(test_no_port)
{
	struct suite_words w = { 0 };
	struct weft_fabric *f =
		route_fabric("pgft:2;4,6;1,4;1,1,dual=yes", -1);
	struct weft_routes r = { 0 };

	EXPECT_EQ(route_by("mftree", "active=port", f, &r, &w), -EINVAL);
	EXPECT_EQ(w.severity, WEFT_ERROR);
	EXPECT(!r.lft.port);
	weft_fabric_free(f);
}

/* Neighbours on a leaf share a cable rather than those farther apart: on each
 * of several cables between two switches, up and down, the destinations of a
 * leaf are a row among those that the two switches carry. */
static void check_rows(const struct weft_fabric *f, const struct weft_lft *lft,
		       uint32_t leaf, uint32_t from)
{
	uint32_t path[64], last_up[64], last_down[64], changes = 0;
	size_t hops;

	for (uint32_t k = 0; k < 64; k++)
		last_up[k] = last_down[k] = WEFT_NONE;
	for (uint32_t i = f->sw_ep_first[leaf]; i < f->sw_ep_first[leaf + 1];
	     i++) {
		uint32_t e = f->sw_endport[i], spine;

		ASSERT_EQ(weft_lft_walk(f, lft, from, f->ep[e].lid, (struct
			  weft_walk_path){ path, 64 }, &hops), WEFT_ARRIVED);
		ASSERT_EQ(hops, 3);
		spine = f->peer[path[0]];
		ASSERT(spine < 64);
		changes += last_up[spine] != path[0];
		changes += last_down[spine] != path[1];
		last_up[spine] = path[0];
		last_down[spine] = path[1];
	}
	/* Each cable once. */
	EXPECT_EQ(changes, 2 * (f->adj_first[leaf + 1] - f->adj_first[leaf]));
}

TEST(test_blocks)
{
	static const char *const specs[] = {
		"pgft:2;24,16;1,8;1,2,dual=yes", "pgft:2;9,8;1,2;1,3,dual=yes",
		"pgft:2;24,16;1,9;1,2,dual=yes",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes r = { 0 };

		ASSERT_EQ(route_by("mftree", NULL, f, &r, NULL), 0);
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t t = 0; t < f->nsw; t++)
				if (s != t && f->sw[s].role == WEFT_ROLE_LEAF &&
				    f->sw[t].role == WEFT_ROLE_LEAF)
					check_rows(f, &r.lft, s, t);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}
