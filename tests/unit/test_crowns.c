// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What destinations have in common is what each of them would have by itself:
 * converging routes with crowns and without, choices, counters and loads.
 */
#include "route.h"

#include "core/arena.h"
#include "engines/fattree_chain_parts.h"
#include "engines/fattree_sides.h"

/* Chains of all endports of a fabric. */
struct job {
	struct weft__fattree_run run;
	struct weft__chains chains;
	uint32_t shared;	/* crowns in use by the last destinations */
};

/* Without crowns weft__crown_load() loads each tree by itself. */
static void job_run(struct job *j, const struct weft_fabric *f,
		    const char *set, enum weft__chain_rack rack, bool crowns)
{
	const struct weft_engine *e = weft_engine_find("eftree");
	struct weft_options *options;
	struct weft__fattree_run *run = &j->run;

	*j = (struct job){ .run = { .fabric = f,
				    .arena = weft__arena_new() } };
	CU_ASSERT_EQUAL_FATAL(weft_options_new(&options, e->options), 0);
	if (set)
		CU_ASSERT_EQUAL_FATAL(weft_options_parse(options, set, NULL),
				      0);
	CU_ASSERT_EQUAL_FATAL(weft__fattree_find(f, options, run->arena,
						 &run->tree, NULL), 0);
	weft_options_free(options);
	CU_ASSERT_TRUE_FATAL(
		weft__joints_find(&run->joints, &run->tree, run->arena,
				  WEFT_NONE) &&
		weft__balance_init(&run->balance, f, run->arena) &&
		weft__trees_list(f, run->arena, f->sw_endport, &run->trees) &&
		weft__sides_keep(run) &&
		weft__chains_init(&j->chains, run, (struct weft__chain_rule){
			.above = true, .capacity = true, .load = true,
			.rack = rack }));
	if (crowns)
		CU_ASSERT_TRUE_FATAL(weft__crowns_init(&j->chains));
	weft__chains_endports(&j->chains);
	j->shared = j->chains.crowns.nuncounted;
	weft__crown_count(&j->chains);
}

static void compare(const struct job *a, const struct job *b)
{
	const struct weft_fabric *f = a->run.fabric;
	size_t edges = f->adj_first[f->nsw];

	for (uint32_t d = 0; d < a->run.trees.nendports; d++)
		CU_ASSERT(!memcmp(a->run.trees.tree[d].choice,
				  b->run.trees.tree[d].choice, f->nsw));
	CU_ASSERT(!memcmp(a->chains.up, b->chains.up,
			  edges * sizeof(*a->chains.up)));
	CU_ASSERT(!memcmp(a->chains.down, b->chains.down,
			  edges * sizeof(*a->chains.down)));
	CU_ASSERT(!memcmp(a->chains.forwards, b->chains.forwards,
			  f->nsw * sizeof(*a->chains.forwards)));
	CU_ASSERT(!memcmp(a->run.balance.weight, b->run.balance.weight,
			  edges * sizeof(*a->run.balance.weight)));
}

/* Frees the fabric; whether the last destinations share what they have in
 * common. */
static bool check(struct weft_fabric *f, const char *set,
		  enum weft__chain_rack rack)
{
	struct job alone, together;

	job_run(&alone, f, set, rack, false);
	job_run(&together, f, set, rack, true);
	compare(&alone, &together);
	weft__arena_free(alone.run.arena);
	weft__arena_free(together.run.arena);
	weft_fabric_free(f);
	return together.shared;
}

static void test_crowns(void)
{
	static const struct {
		const char *spec, *set;
		bool shared;
	} expected[] = {
		{ "pgft:2;4,6;1,4;1,1", NULL, true },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", NULL, true },
		{ "pgft:3;3,3,4;1,3,3;1,1,1,hosts=3:1,guids=shuffle", NULL,
		  true },
		{ "pgft:3;4,4,4;1,4,4;1,1,1,fail-links=6,seed=1", NULL, true },
		{ "pgft:3;4,4,4;1,4,4;1,1,1,fail-switches=4,seed=3", NULL,
		  false },
		{ "pgft:4;2,2,2,3;1,2,2,2;1,1,1,1,lmc=1", NULL, true },
		{ "pgft:2;4,6;1,2;1,2", NULL, false },
		{ "rack216", NULL, false },
		/* Hosts on all levels. */
		{ "chain:7,hosts=3", "roots=sw-3", true },
		{ "star:5,hosts=2", "roots=leaf-001", true },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		for (int rack = WEFT__RACK_AUTO; rack <= WEFT__RACK_ON; rack++)
			CU_ASSERT_EQUAL(
				check(route_fabric(expected[i].spec, -1),
				      expected[i].set, rack),
				expected[i].shared);
}

/* What comes down from hosts above a leaf does not come by the crown. */
static void test_hosts_above(void)
{
	static const char *const prefixes[] = { "spine", "mid" };

	for (unsigned i = 0; i < 2; i++)
		check(route_with_hosts("pgft:3;3,3,4;1,3,3;1,1,1", prefixes[i],
				       3), NULL, WEFT__RACK_AUTO);
}

/* Two leaves that hang on a root by one way each, and on a nearer switch that
 * is not below it: to follow the chain from the root would be the long way. */
static void test_shortcut(void)
{
	/* Roots, middle switches, leaves. */
	static const char *const name[] = { "r0", "r1", "m0", "m1", "m2",
					    "l0", "l1" };
	static const uint32_t cable[][2] = { { 0, 2 }, { 0, 3 }, { 1, 4 },
		{ 2, 5 }, { 4, 5 }, { 3, 6 }, { 4, 6 } };
	unsigned ports[9] = { 0 };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;

	for (uint32_t s = 0; s < 7; s++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x10 + s, 6);
		weft_builder_name(b, s, name[s], strlen(name[s]));
		weft_builder_port(b, s, 0)->lid = 1 + s;
	}
	for (unsigned i = 0; i < 7; i++)
		weft_builder_link(b, cable[i][0], ++ports[cable[i][0]],
				  cable[i][1], ++ports[cable[i][1]], 4,
				  WEFT_QDR);
	for (unsigned i = 0; i < 8; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x100 + i, 1);

		weft_builder_port(b, h, 1)->lid = 8 + i;
		weft_builder_link(b, h, 1, 5 + i % 2, ++ports[5 + i % 2], 4,
				  WEFT_QDR);
	}
	CU_ASSERT_EQUAL_FATAL(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	check(f, "roots=r0+r1", WEFT__RACK_AUTO);
}

/* So broken that some have no way. */
static void test_broken(void)
{
	unsigned shared = 0;

	for (unsigned seed = 1; seed <= 60; seed++) {
		char spec[100];

		snprintf(spec, sizeof(spec), "pgft:3;%u,3,4;1,3,%u;1,1,1,"
			 "fail-links=%u%%,keep-connected=yes,seed=%u",
			 2 + seed % 2, 2 + seed % 3, 10 + seed % 5 * 10, seed);
		shared += check(route_fabric(spec, -1), NULL, WEFT__RACK_AUTO);
	}
	CU_ASSERT(shared > 0 && shared < 60);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "with crowns and without", test_crowns },
		{ "hosts above leaves", test_hosts_above },
		{ "a shortcut beside the crown", test_shortcut },
		{ "in broken trees", test_broken },
		{ NULL, NULL },
	};

	return suite_run("crowns", tests);
}
