// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proofs of fabrics whose every figure is known, and the words for them. */
#include "../proof_random.h"
#include "../suite.h"

#include <errno.h>
#include <stdlib.h>

#define SEED 11u
#define LARGE 800u	/* switches */

static const struct weft_proof_spec everything = {
	.minimal = true, .loads = true, .credit_loops = true,
	.max_examples = 2,
};

static const unsigned ring[][2] = {
	{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 6 }, { 6, 7 },
	{ 7, 0 },
};

static struct weft_proof prove(const struct weft_fabric *f,
			       const struct weft_routes *routes,
			       const struct weft_proof_spec *spec)
{
	struct weft_proof p = { 0 };

	EXPECT_EQ(weft_proof_run(f, routes, spec, &p, NULL), 0);
	return p;
}

/* Port 1 is the host, 2 the first cable of the list, 3 the second; of switch 0
 * 2 leads to 1 and 3 to 7. */
static struct weft_routes clockwise(const struct weft_fabric *f)
{
	struct weft_routes routes = { 0 };

	if (weft_lft_init(&routes.lft, f->nsw, f->max_lid))
		abort();
	weft_layers_init(&routes.layers);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			bool here = weft_vertex_switch(f, f->lid_owner[lid]) ==
				s;

			weft_lft_row(&routes.lft, s)[lid] = !here ?
				(s ? 3 : 2) : lid > f->nsw;
		}
	return routes;
}

TEST(test_ring)
{
	struct weft_fabric *f = plain_fabric(8, 8, ring, 8);
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_routes routes = { 0 };
	struct weft_proof p;

	random_routes(rng, f, TABLES_MINIMAL, &routes);
	p = prove(f, &routes, &everything);
	EXPECT(p.pairs == 56 && p.reached == 56 && !p.unreachable);
	EXPECT(!p.nonminimal && p.max_hops == 5);
	for (unsigned h = 2; h < 5; h++)
		EXPECT_EQ(p.hops_pairs[h], 16);
	EXPECT(p.hops_pairs[5] == 8 && !p.hops_pairs[1]);
	EXPECT_EQ(p.load_channels, 16);
	EXPECT(p.cyclic_vls == 1 && p.cycle[0].n == 8);
	EXPECT(!weft_proof_holds(&p));
	weft_proof_free(&p);
	weft_routes_free(&routes);
	weft_rng_free(rng);
	weft_fabric_free(f);
}

/* All one way around: known loads, known detours. */
TEST(test_clockwise)
{
	struct weft_fabric *f = plain_fabric(8, 8, ring, 8);
	struct weft_routes routes = clockwise(f);
	struct weft_proof p = prove(f, &routes, &everything);

	EXPECT(p.reached == 56 && p.max_hops == 8 && p.hops_sum == 280);
	EXPECT_EQ(p.nonminimal, 24);
	EXPECT(p.load_min == 0 && p.load_zero == 8 && p.load_max == 28);
	EXPECT_NEAR(p.load_mean, 14, 1e-12);
	EXPECT_EQ(p.nfindings, 2);
	EXPECT(p.cyclic_vls == 1 && p.cycle[0].n == 8);
	for (unsigned i = 0; i < p.cycle[0].n; i++)
		EXPECT_EQ(p.cycle[0].channel[i], weft_channel(f, i, i ? 3 : 2));
	weft_proof_free(&p);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* A ring of 7: packets that cross the cable between 6 and 0 on a lane of their
 * own wait in no circle; without a second lane they do. */
TEST(test_dateline)
{
	static const unsigned ring7[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 6 },
		{ 6, 0 },
	};
	struct weft_fabric *f = plain_fabric(7, 7, ring7, 7);
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_routes routes = { 0 };
	struct weft_proof p;

	random_routes(rng, f, TABLES_MINIMAL, &routes);
	routes.layers.form = WEFT_SL_SWITCH_PAIR;
	routes.layers.nsw = 7;
	routes.layers.table = need(calloc(7, 7));
	for (int s = 0; s < 7; s++)
		for (int d = 0; d < 7; d++)
			routes.layers.table[s * 7 + d] = abs(s - d) > 3;
	routes.layers.nvl = 2;
	p = prove(f, &routes, &everything);
	EXPECT(p.reached == 42 && !p.cyclic_vls && weft_proof_holds(&p));
	weft_proof_free(&p);

	routes.layers.nvl = 1;
	p = prove(f, &routes, &everything);
	EXPECT(p.reached == 42 && p.cyclic_vls == 1 && p.cycle[0].n == 7);
	weft_proof_free(&p);
	weft_routes_free(&routes);
	weft_rng_free(rng);
	weft_fabric_free(f);
}

/*      4   5        spines
 *     /|\ /|\
 *    0 1 2 3        leaves, a host on each; each leaf under both */
TEST(test_tree)
{
	static const unsigned cable[][2] = {
		{ 0, 4 }, { 1, 4 }, { 2, 4 }, { 3, 4 },
		{ 0, 5 }, { 1, 5 }, { 2, 5 }, { 3, 5 },
	};
	struct weft_fabric *f = plain_fabric(6, 4, cable, 8);
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned round = 0; round < 20; round++) {
		struct weft_routes routes = { 0 };
		struct weft_proof p;

		random_routes(rng, f, TABLES_MINIMAL, &routes);
		p = prove(f, &routes, &everything);
		EXPECT(p.pairs == 12 && p.hops_pairs[3] == 12);
		EXPECT(weft_proof_holds(&p) && !p.cyclic_vls);
		EXPECT_NEAR(p.load_mean, 24 / 16., 1e-12);
		weft_proof_free(&p);
		weft_routes_free(&routes);
	}
	weft_rng_free(rng);
	weft_fabric_free(f);
}

/* Fabrics in which there is hardly anything to prove. */
TEST(test_tiny)
{
	static const struct {
		uint32_t nsw, nhosts;
		unsigned cables;
		uint64_t pairs;
	} tiny[] = {
		{ 1, 0, 0, 0 }, { 1, 1, 0, 0 }, { 2, 0, 1, 0 }, { 2, 1, 1, 0 },
		{ 2, 2, 1, 2 },
	};
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned i = 0; i < sizeof(tiny) / sizeof(tiny[0]); i++) {
		struct weft_fabric *f = plain_fabric(tiny[i].nsw,
						     tiny[i].nhosts, ring,
						     tiny[i].cables);
		struct weft_routes routes = { 0 };
		struct weft_proof p;

		random_routes(rng, f, TABLES_MINIMAL, &routes);
		p = prove(f, &routes, &everything);
		EXPECT(p.pairs == tiny[i].pairs && p.reached == p.pairs);
		EXPECT(p.load_channels == 2 * tiny[i].cables);
		EXPECT(p.max_hops == (p.pairs ? 2 : 0) && !p.nfindings);
		EXPECT(weft_proof_holds(&p));
		weft_proof_free(&p);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* A cable leads from a switch back to itself, and its entry for its own LID leads
 * there: packets go around. */
TEST(test_around)
{
	static const unsigned cable[][2] = { { 0, 0 } };
	struct weft_proof_spec spec = everything;
	struct weft_fabric *f = plain_fabric(1, 1, cable, 1);
	struct weft_routes routes = clockwise(f);
	struct weft_proof p;

	spec.switches = true;
	p = prove(f, &routes, &spec);
	EXPECT(p.pairs == 2 && p.reached == 2);
	weft_proof_free(&p);
	weft_lft_row(&routes.lft, 0)[1] = 2;
	p = prove(f, &routes, &spec);
	EXPECT_EQ(p.reached, 1);
	EXPECT_EQ(p.loops, 1);
	weft_proof_free(&p);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

TEST(test_refused)
{
	struct weft_fabric *f = plain_fabric(8, 8, ring, 8);
	struct weft_fabric *g = plain_fabric(7, 7, ring, 6);
	struct suite_words words = { 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_routes routes = clockwise(f);
	struct weft_proof p;

	EXPECT_EQ(weft_proof_run(g, &routes, &everything, &p, &diag), -EINVAL);
	EXPECT(strstr(words.text, "8 switches"));
	routes.layers.form = WEFT_SL_DESTINATION;
	routes.layers.max_lid = f->max_lid - 1;
	routes.layers.table = need(calloc(f->max_lid, 1));
	EXPECT_EQ(weft_proof_run(f, &routes, &everything, &p, &diag), -EINVAL);
	EXPECT(strstr(words.text, "service levels"));
	weft_routes_free(&routes);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

static void expect_text(const struct weft_fabric *f,
			const struct weft_finding *x, const char *text)
{
	char buf[256];

	weft_finding_text(f, x, buf, sizeof(buf));
	EXPECT_STR(buf, text);
	if (strcmp(buf, text))
		printf("\n  got      %s\n  expected %s\n", buf, text);
	for (size_t size = 1; size < sizeof(buf); size++) {
		memset(buf, 'x', sizeof(buf));
		weft_finding_text(f, x, buf, size);
		if (strlen(text) < size)
			EXPECT_STR(buf, text);
		if (strlen(text) >= size)
			EXPECT_EQ(strlen(buf), size - 1);
		if (strlen(text) >= size && size > 3)
			EXPECT_STR(buf + size - 4, "...");
	}
}

TEST(test_finding_text)
{
#define PAIR "\"host0\" (0x0000000000000108) -> " \
	     "\"host1\" (0x0000000000000109)"
#define AT PAIR " LID 10: switch \"sw1\" (0x0000000000000101)"
	static const char *const text[WEFT_FIND_KINDS] = {
		AT " has no entry for it",
		AT " sends it to port 9 but has only 12",
		AT " sends it to port 9, where nothing is connected",
		AT " sends it to port 9, where it does not belong",
		AT " port 9 is where it enters a loop",
		AT " port 9 discards it: SL 3 is mapped to VL 15",
		AT
		" port 9 is where it turns from the shortest way: 5 hops in place of 2",
		PAIR ": the destination has no LID",
		PAIR " LID 10: no cable leads there",
	};
	struct weft_fabric *f = plain_fabric(8, 8, ring, 8);

	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++) {
		struct weft_finding x = {
			.kind = kind, .source = 0 | WEFT_ENDPORT,
			.dest = 1 | WEFT_ENDPORT, .lid = 10, .sl = 3, .sw = 1,
			.port = 9, .hops = 5, .minimum = 2,
		};

		expect_text(f, &x, text[kind]);
		EXPECT(strlen(weft_finding_name(kind)) > 0);
	}
	weft_fabric_free(f);
}

TEST(test_cycle_text)
{
	static const unsigned triangle[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
	struct weft_fabric *f = plain_fabric(3, 3, triangle, 3);
	struct weft_routes routes = clockwise(f);
	struct weft_proof p = prove(f, &routes, &everything);
	char buf[512];

	ASSERT_EQ(p.cyclic_vls, 1);
	weft_cycle_text(f, p.cycle, buf, sizeof(buf));
	EXPECT_STR(buf, "VL 0: "
		   "\"sw0\" (0x0000000000000100):2 -> \"sw1\" (0x0000000000000101):2, \"sw1\" (0x0000000000000101):3 -> \"sw2\" (0x0000000000000102):2, \"sw2\" (0x0000000000000102):3 -> \"sw0\" (0x0000000000000100):3");
	p.cycle[0].lane[1] = 4;
	p.cycle[0].n = 2;
	weft_cycle_text(f, p.cycle, buf, sizeof(buf));
	EXPECT(strstr(buf, ":2, VL 4: \"sw1\""));
	weft_proof_free(&p);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* So large that threads share the walk; asking for shortest ways is to be done
 * in a single one. */
TEST(test_parts)
{
	struct weft_proof_spec shared = everything;
	static unsigned cables[LARGE][2];
	struct weft_routes routes;
	struct weft_proof a, b;
	struct weft_fabric *f;

	for (unsigned i = 0; i < LARGE; i++) {
		cables[i][0] = i;
		cables[i][1] = (i + 1) % LARGE;
	}
	f = plain_fabric(LARGE, LARGE, cables, LARGE);
	routes = clockwise(f);
	shared.minimal = false;
	for (int broken = 0; broken < 2; broken++) {
		a = prove(f, &routes, &everything);
		b = prove(f, &routes, &shared);
		EXPECT(a.pairs == LARGE * (LARGE - 1) && a.pairs == b.pairs);
		EXPECT(a.reached == b.reached && a.hops_sum == b.hops_sum);
		EXPECT(a.unreachable == b.unreachable);
		EXPECT(!a.unreachable == !broken);
		EXPECT(b.nfindings == (broken ? 2 : 0));
		EXPECT(a.max_hops == b.max_hops && a.ncycles == b.ncycles);
		EXPECT(a.cyclic_vls == 1 && b.cyclic_vls == 1);
		EXPECT(!memcmp(a.channel_load, b.channel_load,
		       f->first_injection * sizeof(*a.channel_load)));
		weft_proof_free(&a);
		weft_proof_free(&b);
		weft_lft_row(&routes.lft, LARGE / 2)[f->max_lid] =
			WEFT_NO_PORT;
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
}
