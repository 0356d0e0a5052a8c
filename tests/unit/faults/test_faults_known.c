// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures whose figures are known without a walk: chains that fall apart,
 * triangles, draws, and an engine that refuses what is left. */
#include "../route.h"

#include <stdlib.h>

static void route(const char *engine, const struct weft_fabric *f,
		  struct weft_routes *out)
{
	*out = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(route_by(engine, NULL, f, out, NULL), 0);
}

/* --- a chain falls apart -------------------------------------------------- */

#define LENGTH 5		/* switches in a row, two hosts on each */

/* The cable from switch i to the next one of a chain. */
static uint32_t cable_of(const struct weft_fabric *f, uint32_t i)
{
	for (uint32_t k = f->adj_first[i]; k < f->adj_first[i + 1]; k++)
		if (f->peer[f->adj[k]] == i + 1)
			return f->adj[k] < f->reverse[f->adj[k]] ?
				       f->adj[k] : f->reverse[f->adj[k]];
	ASSERT_NEVER("no cable");
	return WEFT_NONE;
}

/* Judges sets of cables of a chain: set i is cable[first[i]] to
 * cable[first[i + 1] - 1]. */
static void judge(const uint32_t *cable, const uint32_t *first, uint32_t n,
		  struct weft_faults *out)
{
	struct weft_fabric *f = route_fabric("mesh:5,hosts=2", -1);
	const struct weft_faults_spec spec = { .threads = 1 };
	uint32_t part[8];
	struct weft_fault_sets sets = { .n = n, .first = (uint32_t *)first,
					.part = part };
	struct weft_routes routes;

	ASSERT_EQ(f->nsw, LENGTH);
	for (uint32_t i = 0; i < first[n]; i++)
		part[i] = cable_of(f, cable[i]);
	route("minhop", f, &routes);
	ASSERT_EQ(weft_faults_run(f, &routes, &sets, &spec, out, NULL), 0);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Without a cable, all pairs of the two sides are apart, and broken. */
TEST(test_apart)
{
	static const uint32_t cable[] = { 0, 1, 2, 3 };
	static const uint32_t first[] = { 0, 1, 2, 3, 4 };
	struct weft_faults x;

	judge(cable, first, 4, &x);
	for (uint32_t i = 0; i < 4; i++) {
		const struct weft_fault_loss *loss = &x.fault[i].loss;
		uint32_t left = 2 * (i + 1), right = 2 * LENGTH - left;

		EXPECT_EQ(loss->apart, 2 * left * right);
		EXPECT_EQ(loss->broken, loss->apart);
		EXPECT_EQ(loss->cut, left < right ? left : right);
	}
	weft_faults_free(&x);
}

/* Of sets that cut off as many hosts, the one that tears more pairs apart is the
 * worse one: two hosts at either end, rather than four at one. */
TEST(test_rank_apart)
{
	static const uint32_t cable[] = { 1, 0, 3, 2 }, first[] = { 0, 1, 3, 4 };
	struct weft_faults x;
	uint32_t set[3];

	judge(cable, first, 3, &x);
	for (uint32_t i = 0; i < 3; i++)
		EXPECT_EQ(x.fault[i].loss.cut, 4);
	EXPECT_EQ(x.fault[0].loss.apart, 2 * 4 * 6);
	EXPECT_EQ(x.fault[1].loss.apart, 2 * (2 * 6 + 2 * 2 + 6 * 2));
	ASSERT_EQ(weft_faults_rank(&x, set), 3);
	EXPECT_EQ(set[0], 1);
	weft_faults_free(&x);
}

/* --- what is alike -------------------------------------------------------- */

/* Three switches, each cabled to both others, with a host; the cable between the
 * last two may be another one. */
static struct weft_fabric *triangle(struct weft_rate last)
{
	const struct weft_rate rate = { 4, WEFT_SDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	uint32_t sw[3];

	for (unsigned i = 0; i < 3; i++)
		sw[i] = weft_builder_node(b, WEFT_NODE_SWITCH, 1 + i, 3);
	for (unsigned i = 0; i < 3; i++)
		weft_builder_link(b, weft_builder_node(b, WEFT_NODE_CA, 11 + i,
						       1),
				  1, sw[i], 3, rate);
	weft_builder_link(b, sw[0], 1, sw[1], 1, rate);
	weft_builder_link(b, sw[0], 2, sw[2], 2, rate);
	weft_builder_link(b, sw[1], 2, sw[2], 1, last);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static uint32_t count_classes(const struct weft_fabric *f, unsigned kinds)
{
	uint32_t *part, like[3], n, classes = 0;

	ASSERT_EQ(weft_fault_parts(f, kinds, &part, &n), 0);
	ASSERT_EQ(n, 3);
	ASSERT_EQ(weft_fault_alike(f, part, n, like), 0);
	for (uint32_t i = 0; i < n; i++)
		classes += like[i] == i;
	free(part);
	return classes;
}

static void expect_classes(const struct weft_fabric *f, uint32_t n)
{
	EXPECT_EQ(count_classes(f, WEFT_PARTS_CABLES), n);
	EXPECT_EQ(count_classes(f, WEFT_PARTS_LINKS), n);
	EXPECT_EQ(count_classes(f, WEFT_PARTS_SWITCHES), n);
}

/* One cable that is slower, or as fast by other lanes, or one host that stands
 * for more, is alone, and the others are alike on its two sides. */
TEST(test_triangle)
{
	static const struct weft_rate last[] = {
		{ 4, WEFT_SDR }, { 1, WEFT_SDR }, { 1, WEFT_QDR },
	};

	for (unsigned i = 0; i < 3; i++) {
		struct weft_fabric *f = triangle(last[i]);

		suite_case("rate %u", i);
		expect_classes(f, i ? 2 : 1);
		weft_fabric_weigh(f, 0, 5);
		expect_classes(f, 2);
		weft_fabric_weigh(f, 0, 1);
		expect_classes(f, i ? 2 : 1);
		weft_fabric_free(f);
	}
}

/* --- who uses a part ------------------------------------------------------ */

/* By its own cable a host sends to all others and gets from them, once each,
 * however many LIDs they have and whichever of these is sent to. */
TEST(test_own_cable)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", 1);
	struct weft_routes routes;

	route("eftree", f, &routes);
	free(routes.lid_offset);
	routes.lid_offset = malloc(f->nep);
	for (uint32_t e = 0; e < f->nep; e++)
		routes.lid_offset[e] = e % 2;
	for (uint32_t e = 0; e < f->nep; e++) {
		struct weft_through x;
		uint32_t ch = f->reverse[f->first_injection + e];

		ASSERT_EQ(weft_through_find(f, &routes, ch, false, &x), 0);
		EXPECT_EQ(x.pairs, 2 * (f->nep - 1));
		weft_through_free(&x);
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* --- draws ---------------------------------------------------------------- */

/* Each two of three cables are drawn as often, in either order: six outcomes of
 * 1,000 each, give or take five standard deviations. */
TEST(test_fair)
{
	struct weft_fabric *f = route_fabric("ring:3", -1);
	struct weft_fault_draw draw = { .cables = 2, .sets = 6000, .seed = 1 };
	struct weft_fault_sets sets;
	uint32_t *part, count[3][3] = { { 0 } };

	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES, &part, &draw.nparts),
		  0);
	ASSERT_EQ(draw.nparts, 3);
	draw.part = part;
	ASSERT_EQ(weft_fault_draw(&draw, &sets, NULL), 0);
	for (uint32_t i = 0; i < draw.sets; i++) {
		uint32_t at[2] = { 0, 0 };

		for (unsigned k = 0; k < 2; k++)
			while (part[at[k]] != sets.part[2 * i + k])
				at[k]++;
		count[at[0]][at[1]]++;
	}
	for (unsigned a = 0; a < 3; a++)
		for (unsigned b = 0; b < 3; b++)
			if (a != b)
				ASSERT_WITHIN(count[a][b], 1000 - 145,
					      1000 + 145);
	weft_fault_sets_free(&sets);
	free(part);
	weft_fabric_free(f);
}

/* --- plans ---------------------------------------------------------------- */

/* Without a cable a tree is none to dmodk, which refuses it: no part can be
 * taken out by itself, whatever hosts are to keep. */
TEST(test_refused)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", -1);
	const struct weft_engine *engine = weft_engine_find("dmodk");
	struct weft_options *options = NULL;
	struct weft_faults_spec spec = { .engine = engine, .threads = 1 };
	struct weft_fault_plan_spec plan = { .keep = 0 };
	struct weft_fault_plan x;
	struct weft_routes routes;
	uint32_t *part, n;

	ASSERT_EQ(weft_options_new(&options, engine->options), 0);
	spec.options = options;
	route("dmodk", f, &routes);
	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES, &part, &n), 0);
	plan.part = part;
	plan.n = 2;
	ASSERT_EQ(weft_faults_plan(f, &routes, &plan, &spec, &x, NULL), 0);
	EXPECT(!x.all.safe);
	EXPECT(x.all.fault.rerouted.refused);
	ASSERT_EQ(x.ngroups, 2);
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_EQ(x.group[i].nparts, 1);
		EXPECT(!x.group[i].safe);
	}
	weft_fault_plan_free(&x);
	weft_options_free(options);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(part);
}

struct told {
	unsigned calls;
	uint64_t total;
};

static void hear_progress(void *context, bool rerouting, uint64_t done,
			  uint64_t total)
{
	struct told *t = context;

	EXPECT(!rerouting);
	EXPECT_EQ(done, ++t->calls);
	t->total = total;
}

/* All cables of a chain: a plan tells each part that it has found a place for. */
TEST(test_told)
{
	struct weft_fabric *f = route_fabric("chain:4,hosts=1", -1);
	struct told told = { .calls = 0 };
	struct weft_faults_spec spec = {
		.threads = 1, .progress = hear_progress, .context = &told,
	};
	struct weft_fault_plan_spec plan = { .keep = 0 };
	struct weft_fault_plan x;
	struct weft_routes routes;
	uint32_t *part, n;

	route("minhop", f, &routes);
	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES, &part, &n), 0);
	ASSERT_EQ(n, 3);
	plan.part = part;
	plan.n = n;
	ASSERT_EQ(weft_faults_plan(f, &routes, &plan, &spec, &x, NULL), 0);
	EXPECT(!x.all.safe);
	EXPECT_EQ(told.calls, n);
	EXPECT_EQ(told.total, n);
	weft_fault_plan_free(&x);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(part);
}

/* --- mended tables -------------------------------------------------------- */

/* A torus without a cable is whole: tables that are mended reach everybody, or
 * are refused. */
TEST(test_mended)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=1", -1);
	const struct weft_faults_spec spec = { .mend = true, .threads = 1 };
	struct weft_fault_sets sets;
	struct weft_faults x;
	struct weft_routes routes;
	uint32_t *part, n;

	route("updn", f, &routes);
	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES, &part, &n), 0);
	ASSERT_EQ(weft_fault_singles(part, n, &sets), 0);
	ASSERT_EQ(weft_faults_run(f, &routes, &sets, &spec, &x, NULL), 0);
	EXPECT_EQ(x.routed, n);
	for (uint32_t i = 0; i < n; i++)
		EXPECT(x.fault[i].rerouted.refused ||
		       !x.fault[i].rerouted.broken);
	weft_faults_free(&x);
	weft_fault_sets_free(&sets);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(part);
}
