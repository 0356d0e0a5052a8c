// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * weave: everyone reaches everyone without a credit loop, with any number of
 * lanes, on any fabric; proven by the library and, on small random fabrics, by
 * brute force.  All traffic counts: of endports and switches, to both.
 */
#include "model_util.h"
#include "proof_brute.h"
#include "proof_random.h"
#include "rebuild.h"
#include "suite.h"

#include "engines/weave.h"
#include "layers/traffic.h"

#include <errno.h>

#define GAIN 1.015

enum { SEED = 40417, RANDOM_FABRICS = 150 };

static const struct weft_proof_spec everything = {
	.all_hosts = true, .switches = true, .between_switches = true,
	.credit_loops = true, .max_examples = 1,
};

static const char *const fixtures[] = {
	"star:6,hosts=3",
	"chain:2,hosts=2",
	"chain:5,hosts=2",
	"ring:7,hosts=1",
	"pgft:2;4,6;1,4;1,1",
	"pgft:2;4,6;1,2;1,2,lmc=1",
	"pgft:3;3,3,4;1,3,3;1,1,1",
	"pgft:3;4,4,4;1,4,4;1,1,1,guids=shuffle,seed=7",
	"pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3",
	"pgft:3;4,4,4;1,4,4;1,1,1,fail-links=15%,guids=shuffle,seed=5",
	"torus:4x4,hosts=2",
	"torus:3x3x3,hosts=1",
	"torus:5x5x5,hosts=1",
	"torus:6x6,hosts=2",
	"torus:7x5,hosts=1,guids=shuffle,seed=3",
	"torus:6x4x5,hosts=1",
	"torus:8x3,hosts=2,links=2",
	"torus:6x5,hosts=2,lmc=1",
	"torus:6x6,hosts=1,fail-links=3%",
	"torus:7x6,hosts=1,fail-links=10%,seed=2",
	"torus:8x9,hosts=1,fail-links=15%,guids=shuffle,seed=4",
	"torus:5x5,hosts=0:4",
	"ring:12,hosts=2",
	"mesh:4x3,hosts=2",
	"hypercube:4,hosts=2",
	"random:20x3,12,seed=11",
	"random:16x2,8,seed=12,guids=shuffle",
	"dragonfly:4,2,2,9",
	"odin",
	"rack648",
	"pgft:2;4,6;1,4;1,1,dual=yes",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

static void complain(void *context, const struct weft_message *m)
{
	if (m->severity != WEFT_NOTE)
		printf("\n%s: %s", (const char *)context, m->text);
}

static struct weft_fabric *generate(const char *spec)
{
	struct weft_diag d = { .emit = complain, .context = (void *)spec };
	struct weft_fabric *f = NULL;

	CU_ASSERT_EQUAL_FATAL(weft_gen(spec, &f, &d), 0);
	return f;
}

static const unsigned lane_counts[] = { 8, 4, 2, 1 };
enum { NCOUNTS = sizeof(lane_counts) / sizeof(lane_counts[0]) };

static int route(const struct weft_fabric *f, unsigned lanes,
		 const char *option, struct weft_routes *r,
		 struct weft_diag *diag)
{
	const struct weft_engine *e = weft_engine_find("weave");
	struct weft_options *o;
	char text[8];
	int err;

	snprintf(text, sizeof(text), "%u", lanes);
	CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, e->options), 0);
	CU_ASSERT_EQUAL(weft_options_set(o, "lanes", text, NULL, 0, diag), 0);
	CU_ASSERT_EQUAL(weft_options_set(o, "effort", "5", NULL, 0, diag), 0);
	if (option)
		CU_ASSERT_EQUAL(weft_options_parse(o, option, diag), 0);
	err = e->route(f, o, r, diag);
	weft_options_free(o);
	return err;
}

static void judge(const char *what, const struct weft_fabric *f,
		  const struct weft_routes *r, unsigned lanes)
{
	struct weft_proof p;

	CU_ASSERT(r->layers.nvl <= lanes);
	if (r->layers.form == WEFT_SL_SWITCH_PAIR)
		for (uint32_t x = 0; x < f->nsw; x++)
			for (uint32_t y = 0; y < x; y++)
				CU_ASSERT(r->layers.table[x * f->nsw + y] ==
					  r->layers.table[y * f->nsw + x]);
	CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, r, &everything, &p, NULL), 0);
	if (p.unreachable != p.no_lid || p.cyclic_vls) {
		printf("\n%s: %lu unreachable, %u cyclic lanes", what,
		       (unsigned long)(p.unreachable - p.no_lid),
		       p.cyclic_vls);
		CU_FAIL("property violated");
	}
	weft_proof_free(&p);
}

static void test_fixtures(void)
{
	unsigned several = 0;

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = generate(fixtures[i]);

		for (unsigned k = 0; k < NCOUNTS; k++) {
			struct weft_routes r = { 0 };

			CU_ASSERT_EQUAL_FATAL(route(f, lane_counts[k], NULL,
						    &r, NULL), 0);
			judge(fixtures[i], f, &r, lane_counts[k]);
			several += r.layers.nvl > 1;
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
	CU_ASSERT(several > 0);
}

/* Tori: by dimensions, shortest ways, 2 lanes for each ring of 5 and more. */
static void test_rings(void)
{
	static const struct {
		const char *spec;
		unsigned lanes;
		bool gap;	/* one of 20 rings or fewer */
	} torus[] = {
		{ "torus:4x4x4,hosts=1", 1, false },
		{ "torus:4x2x3,hosts=2", 1, false },
		{ "torus:6x4,hosts=2", 2, false },
		{ "ring:9,hosts=2", 2, false },
		{ "torus:5x6,hosts=2,links=2", 4, false },
		{ "torus:8x6x5,hosts=1", 8, false },
		{ "hypercube:5,hosts=1", 1, false },
		{ "mesh:6x3,hosts=1", 1, false },
		{ "torus:5x6,hosts=2,links=2,fail-links=4", 4, false },
		{ "torus:6x5x4,hosts=1,fail-links=2", 4, true },
		{ "torus:4x4x4,hosts=2,fail-links=3", 1, true },
	};
	struct weft_proof_spec spec = everything;

	spec.minimal = true;
	for (unsigned i = 0; i < sizeof(torus) / sizeof(torus[0]); i++) {
		struct weft_fabric *f = generate(torus[i].spec);

		for (unsigned k = 0; k < NCOUNTS; k++) {
			unsigned lanes = lane_counts[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(route(f, lanes, NULL, &r, NULL),
					      0);
			judge(torus[i].spec, f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT_EQUAL(r.layers.nvl, lanes < torus[i].lanes ?
					lanes : torus[i].lanes);
			CU_ASSERT_EQUAL(p.nonminimal > 0, torus[i].gap ||
					lanes < torus[i].lanes);
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* Above 1000 endports, where time counts: several lanes, and routes in them that
 * are minimal but for some of the few pairs that had no lane, and with one lane
 * by the order. */
static void test_large(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	static const char *const large[] = {
		"random:60x20,24,seed=1", "dragonfly:8,4,4,33",
	};

	for (unsigned i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct weft_fabric *f = generate(large[i]);

		for (unsigned k = 0; k < NCOUNTS; k++) {
			unsigned lanes = lane_counts[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(route(f, lanes, "effort=-1", &r,
						    NULL), 0);
			judge(large[i], f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT(lanes == 2 ||
				  (r.layers.nvl > 1) == (lanes > 1));
			CU_ASSERT_EQUAL(p.nonminimal > p.pairs / 20,
					r.layers.nvl < 2);
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* What random bisections say of tables. */
static double worth_of(const struct weft_fabric *f, const struct weft_lft *lft)
{
	struct weft__traffic t;
	double worth = 0;

	CU_ASSERT_EQUAL_FATAL(weft__traffic_init(&t, f, lft, NULL), 0);
	CU_ASSERT_EQUAL(weft__traffic_worth(&t, &worth), 0);
	weft__traffic_free(&t);
	return worth;
}

/* The same of psssp's, which have credit loops. */
static double worth_of_psssp(const struct weft_fabric *f)
{
	const struct weft_engine *e = weft_engine_find("psssp");
	struct weft_routes r = { 0 };
	struct weft_options *o;
	double worth;

	CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, e->options), 0);
	CU_ASSERT_EQUAL_FATAL(e->route(f, o, &r, NULL), 0);
	worth = worth_of(f, &r.lft);
	weft_options_free(o);
	weft_routes_free(&r);
	return worth;
}

/* Where many rings have gaps, minimal routes but for a few that are bent, and
 * with 8 lanes more bandwidth than without care for credit loops. */
static void test_damaged(void)
{
	static const char *const damaged[] = {
		"torus:8x8,hosts=2,fail-links=10%",
		"torus:10x10,hosts=1,fail-links=20%,seed=3",
		"torus:6x5x4,hosts=1,fail-links=15%,guids=shuffle,seed=2",
		"torus:6x6x6,hosts=1,fail-links=20%",
		"mesh:8x8,hosts=2,fail-links=10%",
		"hypercube:6,hosts=2,fail-switches=3",
	};
	struct weft_proof_spec spec = everything;

	spec.minimal = true;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct weft_fabric *f = generate(damaged[i]);
		double psssp = worth_of_psssp(f);

		for (unsigned k = 0; k < NCOUNTS; k++) {
			unsigned lanes = lane_counts[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(route(f, lanes, "effort=90", &r,
						    NULL), 0);
			judge(damaged[i], f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT(lanes < 8 ||
				  worth_of(f, &r.lft) > psssp * GAIN);
			if (lanes > 2) {
				CU_ASSERT(r.layers.nvl > 1);
				CU_ASSERT(p.nonminimal < p.pairs / 20);
			}
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* Three lanes promise more than one there, and bisections deny it. */
static void test_no_gain(void)
{
	struct weft_fabric *f = generate("deimos");
	struct weft_routes r = { 0 };

	CU_ASSERT_EQUAL_FATAL(route(f, 3, NULL, &r, NULL), 0);
	CU_ASSERT_EQUAL(r.layers.nvl, 1);
	judge("deimos", f, &r, 3);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Random fabrics: hosts, aggregation nodes and routers anywhere, trunks, cables
 * that loop back, switches without anything. */
static void test_random(void)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_proof_spec spec = everything;

	for (unsigned i = 0; i < RANDOM_FABRICS; i++) {
		struct weft_fabric *f = random_fabric(rng, i % SHAPE_PARTS,
				2 + weft_rng_below(rng, 11));
		unsigned lanes = lane_counts[weft_rng_below(rng, NCOUNTS)];
		struct weft_routes r = { 0 };
		struct brute b = { .fabric = f, .routes = &r, .spec = &spec };

		if (route(f, lanes, NULL, &r, NULL)) {
			weft_fabric_free(f);
			continue;
		}
		judge("random", f, &r, lanes);
		brute_run(&b);
		for (uint32_t v = 0; v < b.nv; v++)
			CU_ASSERT_EQUAL(b.length[v], 0);
		CU_ASSERT_EQUAL(b.reached + b.found[WEFT_FIND_NO_LID], b.pairs);
		brute_free(&b);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Fabrics without hosts on most switches. */
static void test_sparse(void)
{
	static const unsigned tail[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 },
		{ 3, 4 }, { 4, 0 }, { 4, 5 }, { 5, 6 } };
	static const unsigned cube[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 },
		{ 3, 0 }, { 4, 5 }, { 5, 6 }, { 6, 7 }, { 7, 4 }, { 0, 4 },
		{ 1, 5 }, { 2, 6 }, { 3, 7 } };

	for (unsigned hosts = 0; hosts <= 7; hosts++) {
		struct weft_fabric *f[2] = {
			plain_fabric(7, hosts, tail, 7),
			plain_fabric(8, hosts, cube, 12),
		};

		for (unsigned i = 0; i < 2; i++) {
			struct weft_routes r = { 0 };

			CU_ASSERT_EQUAL_FATAL(route(f[i], 8, NULL, &r,
						    NULL), 0);
			judge(i ? "cube" : "ring with a tail", f[i], &r, 8);
			weft_routes_free(&r);
			weft_fabric_free(f[i]);
		}
	}
}

static bool same(const struct weft_fabric *f, const struct weft_routes *a,
		 const struct weft_routes *b)
{
	struct weft_lft_diff diff;

	weft_lft_compare(&a->lft, &b->lft, &diff);
	if (diff.entries || a->layers.nvl != b->layers.nvl ||
	    a->layers.form != b->layers.form)
		return false;
	return a->layers.form != WEFT_SL_SWITCH_PAIR ||
	       !memcmp(a->layers.table, b->layers.table,
		       (size_t)f->nsw * f->nsw);
}

static void test_deterministic(void)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = generate(fixtures[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes a = { 0 }, b = { 0 };

		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		CU_ASSERT_EQUAL_FATAL(route(f, 8, NULL, &a, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(route(g, 8, NULL, &b, NULL), 0);
		CU_ASSERT(same(f, &a, &b));
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* The same tables where pairs without a lane get other ways. */
static void test_mended(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_fabric *f = generate("random:60x20,24,seed=1");
	struct weft_fabric *g = rebuild_shuffled(f, rng);
	struct weft_routes a = { 0 }, b = { 0 };
	struct weft_proof p;

	CU_ASSERT_PTR_NOT_NULL_FATAL(g);
	CU_ASSERT_EQUAL_FATAL(route(f, 4, "effort=-1", &a, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(route(g, 4, "effort=-1", &b, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &a, &spec, &p, NULL), 0);
	CU_ASSERT(a.layers.nvl > 1);
	CU_ASSERT(p.nonminimal > 0);
	CU_ASSERT(same(f, &a, &b));
	weft_proof_free(&p);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
	weft_rng_free(rng);
}

/*
 * Two trees, joined by cables between two spines of each.  These are so close to
 * all hosts that leaves next to them are closer than the other spines, over which
 * few routes would go: levels are the better order.
 */
static void test_levels(void)
{
	enum { SPINES = 9, LEAVES = 12, ONE = SPINES + LEAVES };
	unsigned hosts[2 * ONE] = { 0 }, cable[4 * SPINES * LEAVES + 4][2];
	unsigned n = 0, used = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;

	for (unsigned s = 0; s < 2 * ONE; s++) {
		if (s % ONE < SPINES)
			continue;
		hosts[s] = 18;
		for (unsigned k = 0; k < 2 * SPINES; k++, n++) {
			cable[n][0] = s;
			cable[n][1] = s / ONE * ONE + k / 2;
		}
	}
	for (unsigned k = 0; k < 4; k++, n++) {
		cable[n][0] = k / 2;
		cable[n][1] = ONE + k / 2;
	}
	f = test_fabric(2 * ONE, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(route(f, 1, NULL, &r, NULL), 0);
	judge("two trees", f, &r, 1);
	for (unsigned lid = 1; lid <= LEAVES * 18; lid++)
		used += f->peer[weft_channel(f, SPINES, weft_lft_get(&r.lft,
				SPINES, lid))] == SPINES - 1;
	CU_ASSERT(used > LEAVES);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

static unsigned join(unsigned (*cable)[2], unsigned a, unsigned b,
		     unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		cable[i][0] = a;
		cable[i][1] = b;
	}
	return times;
}

static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_ebb_spec spec = { .patterns = 200, .seed = SEED };
	struct weft_ebb e;

	CU_ASSERT_EQUAL_FATAL(weft_ebb_run(f, r, &spec, &e, NULL), 0);
	return e.mean;
}

/* An orthogonal tree of more than 1000 hosts: leaves are the points of a
 * projective plane, twice, spines its lines.  One lane, by its levels, where the
 * order by closeness makes detours. */
static void test_large_levels(void)
{
	static const unsigned line[] = { 1, 5, 11, 24, 25, 27 };
	enum { LINES = 31, LEAVES = 2 * LINES, DEGREE = 6 };
	unsigned hosts[LINES + LEAVES] = { 0 }, cable[LEAVES * DEGREE][2];
	struct weft_routes r = { 0 };
	struct weft_fabric *f;
	unsigned n = 0;

	for (unsigned s = 0; s < LEAVES; s++) {
		hosts[LINES + s] = 17;
		for (unsigned k = 0; k < DEGREE; k++)
			n += join(cable + n, LINES + s,
				  (s + line[k]) % LINES, 1);
	}
	f = test_fabric(LINES + LEAVES, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(route(f, 1, "effort=-1", &r, NULL), 0);
	judge("orthogonal tree", f, &r, 1);
	CU_ASSERT(worth_of(f, &r.lft) > worth_of_psssp(f) * 0.98);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* The Hoffman-Singleton graph: 50 switches, no two of them more than two hops
 * apart, of more than 1000 hosts.  Two lanes hold minimal routes, though many
 * pairs have none by two orders. */
static void test_near(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	enum { NSW = 50, NCABLES = 175 };
	unsigned hosts[NSW], cable[NCABLES][2], n = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;
	struct weft_proof p;

	for (unsigned s = 0; s < NSW; s++) {
		unsigned five = s / 5 * 5, step = s < 25 ? 1 : 2;

		hosts[s] = 21;
		n += join(cable + n, s, five + (s + step) % 5, 1);
		for (unsigned i = 0; i < 5 && s < 25; i++)
			n += join(cable + n, s,
				  25 + 5 * i + (s / 5 * i + s) % 5, 1);
	}
	f = test_fabric(NSW, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(route(f, 2, "effort=-1", &r, NULL), 0);
	judge("Hoffman-Singleton", f, &r, 2);
	CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p, NULL), 0);
	CU_ASSERT_EQUAL(p.nonminimal, 0);
	weft_proof_free(&p);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* A hypercube of 7 dimensions without its last 28 switches, two of the dimensions
 * by double cables, and more than 1000 hosts.  The order makes few detours, and
 * with eight lanes care finds all pairs one. */
static void test_care(void)
{
	enum { NSW = 100, DIMENSIONS = 7, DOUBLE = 5, HOSTS = 12 };
	unsigned hosts[NSW], cable[NSW * DIMENSIONS][2], n = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;

	for (unsigned s = 0; s < NSW; s++) {
		hosts[s] = HOSTS;
		for (unsigned d = 0; d < DIMENSIONS; d++) {
			unsigned t = s ^ 1u << d;

			if (s < t && t < NSW)
				n += join(cable + n, s, t, 1 + (d >= DOUBLE));
		}
	}
	f = test_fabric(NSW, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(route(f, 8, "effort=-1", &r, NULL), 0);
	judge("part of a hypercube", f, &r, 8);
	CU_ASSERT(r.layers.nvl > 1);
	CU_ASSERT(worth_of(f, &r.lft) > worth_of_psssp(f) * 0.99);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* 12 racks of two leaves, each below a tree of its own, as eftree has them: in
 * one lane no less than by that. */
static void test_racks(void)
{
	enum { SPINES = 8, LEAVES = 24, ALL = SPINES + LEAVES };
	unsigned hosts[ALL] = { 0 }, cable[4 * 12 + 8 * LEAVES + 8][2], n = 0;
	const struct weft_engine *eftree = weft_engine_find("eftree");
	struct weft_routes r = { 0 }, other = { 0 };
	struct weft_options *o;
	struct weft_fabric *f;

	for (unsigned i = 0; i < LEAVES; i++) {
		hosts[SPINES + i] = 24;
		for (unsigned k = 0; k < 4; k++)
			n += join(cable + n, SPINES + i, i % 2 * 4 + k, 2);
	}
	for (unsigned i = 0; i < LEAVES; i += 2)
		n += join(cable + n, SPINES + i, SPINES + i + 1, 4);
	for (unsigned i = 0; i < SPINES; i += 2)
		n += join(cable + n, i, i + 1, 2);
	f = test_fabric(ALL, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(route(f, 1, NULL, &r, NULL), 0);
	judge("racks", f, &r, 1);
	if (eftree) {
		CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, eftree->options), 0);
		CU_ASSERT_EQUAL_FATAL(eftree->route(f, o, &other, NULL), 0);
		CU_ASSERT(bandwidth(f, &r) > bandwidth(f, &other) * 0.99);
		weft_options_free(o);
	}
	weft_routes_free(&r);
	weft_routes_free(&other);
	weft_fabric_free(f);
}

/* Aggregation nodes on the upper switches do not make hosts of them. */
static void test_aggregation(void)
{
	struct weft_fabric *f = generate("chain:3,hosts=2");

	CU_ASSERT(!weft__weave_may_have_levels(f));
	for (uint32_t i = f->sw_ep_first[1]; i < f->sw_ep_first[2]; i++)
		((struct weft_endport *)f->ep)[f->sw_endport[i]].kind =
			WEFT_AGGREGATION;
	CU_ASSERT(weft__weave_may_have_levels(f));
	f->nhosts = 0;
	CU_ASSERT(!weft__weave_may_have_levels(f));
	weft_fabric_free(f);
	f = generate("pgft:2;3,3;1,3;1,1");
	CU_ASSERT(weft__weave_may_have_levels(f));
	weft_fabric_free(f);
}

/* Roots: on top of the order, and refused if there is no such switch. */
static void test_roots(void)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f = generate("ring:7,hosts=1");
	struct weft_routes r = { 0 };
	char option[64];
	unsigned to;

	snprintf(option, sizeof(option), "roots=0x%llx",
		 (unsigned long long)f->sw[3].guid);
	CU_ASSERT_EQUAL_FATAL(route(f, 1, option, &r, &d), 0);
	judge("roots", f, &r, 1);
	/* Opposite to the root nobody turns: 0 to 6 are neighbours there. */
	to = f->ep[f->sw_endport[f->sw_ep_first[6]]].lid;
	CU_ASSERT_EQUAL(f->peer[weft_channel(f, 0, weft_lft_get(&r.lft, 0,
			to))], 6);
	to = f->ep[f->sw_endport[f->sw_ep_first[5]]].lid;
	CU_ASSERT_EQUAL(f->peer[weft_channel(f, 0, weft_lft_get(&r.lft, 0,
			to))], 1);
	weft_routes_free(&r);
	CU_ASSERT_EQUAL(route(f, 1, "roots=0x12345", &r, &d), -EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(w.text, "nothing in this list"));
	weft_fabric_free(f);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "complete and acyclic on fixtures", test_fixtures },
		{ "complete and acyclic on random fabrics", test_random },
		{ "tori by dimensions", test_rings },
		{ "more than 1000 hosts", test_large },
		{ "few detours around gaps", test_damaged },
		{ "lanes that gain nothing", test_no_gain },
		{ "few hosts", test_sparse },
		{ "tables do not depend on discovery", test_deterministic },
		{ "pairs that get other ways", test_mended },
		{ "levels where spines are not central", test_levels },
		{ "the same above 1000 hosts", test_large_levels },
		{ "switches all near each other", test_near },
		{ "care where one order makes few detours", test_care },
		{ "racks below two trees", test_racks },
		{ "upper switches with aggregation nodes", test_aggregation },
		{ "roots given by hand", test_roots },
		{ NULL, NULL },
	};

	printf("seed %d\n", SEED);
	return suite_run("weave", tests);
}
