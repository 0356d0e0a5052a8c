// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Patterns of training jobs: what everybody has to have got in the end, and
 * that pairs keep to their rail, their group, and out of machines.
 */
#include "pattern_util.h"
#include "../route.h"
#include "../suite.h"

#include <math.h>
#include <stdlib.h>

#define MACHINE 4

/* What everybody knows spreads along the pairs of each round. */
static void check_all_know(const char *name, uint32_t n)
{
	struct drawn d = make(name, n);
	uint64_t known[64], before[64], all = 0;

	suite_case("%s of %u", name, n);
	for (uint32_t i = 0; i < n; i++)
		all |= known[i] = (uint64_t)1 << i;
	for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
		draw(&d, r);
		memcpy(before, known, sizeof(before));
		for (uint64_t i = 0; i < d.n; i++)
			known[d.pair[i].to] |= before[d.pair[i].from];
	}
	for (uint32_t i = 0; i < n; i++)
		EXPECT_EQ(known[i], all);
	unmake(&d);
}

TEST(test_collectives)
{
	for (uint32_t n = 2; n <= 64; n++) {
		check_all_know("reduce-scatter:form=halving", n);
		check_all_know("all-gather:form=halving", n);
		check_all_know("hierarchical:form=halving", n);
		check_all_know("alltoall", n);
	}
}

/* One distance a round, farthest first when halving. */
TEST(test_halving)
{
	struct drawn d = make("reduce-scatter:form=halving", 8);
	struct drawn g = make("all-gather:form=halving", 8);

	EXPECT_EQ(weft_traffic_rounds(d.t), 3);
	EXPECT_EQ(weft_traffic_rounds(g.t), 3);
	for (uint32_t r = 0; r < 3; r++) {
		draw(&d, r);
		draw(&g, 2 - r);
		EXPECT_EQ(d.n, 8);
		for (uint32_t i = 0; i < 8; i++) {
			EXPECT(has_pair(&d, i, i ^ 4 >> r));
			EXPECT(has_pair(&g, i, i ^ 4 >> r));
		}
	}
	unmake(&d);
	unmake(&g);
}

/* Everybody sends all but its own part of the message; what is in excess of a
 * power of two is handed over whole. */
TEST(test_sizes)
{
	static const struct {
		const char *name;
		uint32_t n;
		double sent;	/* by rank 1 */
	} sums[] = {
		{ "reduce-scatter:form=halving", 16, 15 / 16. },
		{ "all-gather:form=halving", 16, 15 / 16. },
		{ "hierarchical:form=halving", 16, 2 * 15 / 16. },
		{ "hierarchical:inside,machine=4", 16, 2 * .75 + 1.5 / 4 },
		{ "hierarchical:form=halving,inside,machine=4", 16,
		  2 * .75 + 1.5 / 4 },
		{ "reduce-scatter:form=halving", 9, 7 / 8. + 1 / 8. },
		{ "all-gather:form=halving", 9, 7 / 8. + 1 },
		{ "reduce-scatter:form=halving@0.5+ring", 16, 7 / 8. },
	};

	for (size_t k = 0; k < sizeof(sums) / sizeof(*sums); k++) {
		struct drawn d = make(sums[k].name, sums[k].n);
		double sent = 0, more = 0;

		suite_case("%s of %u", sums[k].name, sums[k].n);
		ASSERT(weft_traffic_is_sized(d.t));
		for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
			draw(&d, r);
			for (uint64_t i = 0; i < d.n; i++) {
				sent += d.pair[i].from == 1 ?
					d.draw.size[i] : 0;
				more += d.pair[i].from == 15 ?
					d.draw.size[i] : 0;
			}
		}
		EXPECT(fabs(sent - sums[k].sent) < 1e-12);
		EXPECT(k < 7 || more == 3);
		unmake(&d);
	}
}

TEST(test_rings)
{
	static const char *const names[] = {
		"reduce-scatter", "all-gather", "hierarchical", "ring:via=rail",
		"ring:order=natural,via=any",
	};

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		struct drawn d = make(names[k], 9);

		suite_case("%s", names[k]);
		EXPECT_EQ(weft_traffic_rounds(d.t), 1);
		draw(&d, 0);
		EXPECT_EQ(d.n, 9);
		for (uint32_t i = 0; i < 9; i++)
			EXPECT(has_pair(&d, i, (i + 1) % 9));
		unmake(&d);
	}
}

/* Two trees of 8: 0 above 4, 4 above 2 and 6, these above odd ones; and the
 * same from the other end. */
TEST(test_double_tree_of_eight)
{
	static const uint32_t above[8] = { 0, 2, 4, 2, 0, 6, 4, 6 };
	struct drawn d = make("double-tree", 8);

	EXPECT_EQ(weft_traffic_rounds(d.t), 2);
	for (uint32_t down = 0; down < 2; down++) {
		draw(&d, down);
		EXPECT_EQ(d.n, 14);
		for (uint32_t i = 1; i < 8; i++) {
			uint32_t up = above[i];

			EXPECT(has_pair(&d, down ? up : i, down ? i : up));
			EXPECT(has_pair(&d, 7 - (down ? up : i),
					7 - (down ? i : up)));
		}
	}
	unmake(&d);
}

/* Everybody is below somebody in both trees, apart from a root of each; nobody
 * has more than two others below, apart from a root. */
TEST(test_double_tree)
{
	for (uint32_t n = 2; n < 200; n++) {
		struct drawn d = make("double-tree", n);

		suite_case("%u", n);
		draw(&d, 0);
		EXPECT_EQ(d.n, 2 * (n - 1));
		EXPECT_EQ(ranks_with(d.sends, n, 1), 2);
		EXPECT_EQ(ranks_with(d.sends, n, 2), n - 2);
		EXPECT(ranks_with(d.hears, n, 3) <= 1);
		for (uint32_t i = 0; i < n; i++)
			EXPECT(d.hears[i] <= 3);
		unmake(&d);
	}
}

/* Every pair of a group meets once, and nobody else does. */
static void check_groups(const char *name, uint32_t n, uint32_t rounds,
			 const uint32_t *group)
{
	struct drawn d = make(name, n);
	uint32_t *met = need(calloc(n * n, sizeof(*met)));

	suite_case("%s of %u", name, n);
	EXPECT_EQ(weft_traffic_rounds(d.t), rounds);
	for (uint64_t r = 0; r < rounds; r++) {
		draw(&d, r);
		for (uint64_t i = 0; i < d.n; i++)
			met[d.pair[i].from * n + d.pair[i].to]++;
	}
	for (uint32_t i = 0; i < n * n; i++)
		EXPECT_EQ(met[i], i / n != i % n &&
				  group[i / n] == group[i % n]);
	free(met);
	unmake(&d);
}

TEST(test_groups)
{
	static const uint32_t row[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2 };
	static const uint32_t turns[] = { 0, 1, 2, 0, 1, 2, 0, 1, 2, 0 };
	static const uint32_t rails[] = { 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5 };
	static const uint32_t one[12] = { 0 };

	check_groups("alltoall:groups=4", 10, 3, row);
	check_groups("alltoall:groups=4,strided", 10, 3, turns);
	check_groups("alltoall:groups=2,via=rail,machine=2", 12, 1, rails);
	check_groups("alltoall", 12, 11, one);
	check_groups("alltoall:groups=64", 12, 11, one);
}

/* Pairs do not leave their rail and do not stay in a machine, the last one of
 * which may lack the rail. */
static void check_rails(const char *name, uint32_t n)
{
	struct drawn d;
	char text[128];
	uint64_t pairs = 0;

	snprintf(text, sizeof(text), "%s,machine=%d", name, MACHINE);
	d = make(text, n);
	suite_case("%s of %u", text, n);
	EXPECT(weft_traffic_is_seated(d.t));
	for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
		draw(&d, r);
		pairs += d.n;
		for (uint64_t i = 0; i < d.n; i++) {
			uint32_t from = d.pair[i].from, to = d.pair[i].to;

			EXPECT(from % MACHINE == to % MACHINE ||
			       from / MACHINE * MACHINE + to % MACHINE >= n);
			EXPECT_NE(from / MACHINE, to / MACHINE);
		}
	}
	EXPECT(pairs);
	unmake(&d);
}

TEST(test_rails)
{
	static const char *const names[] = {
		"ring:via=rail", "ring:order=random,via=rail",
		"ring:both,via=rail", "ring:via=nearest",
		"reduce-scatter:form=ring", "reduce-scatter:form=halving",
		"all-gather:form=ring", "all-gather:form=halving",
		"double-tree:via=rail", "hierarchical:form=ring",
		"hierarchical:form=halving", "hierarchical:form=tree",
		"alltoall:via=rail", "alltoall:via=nearest",
		"alltoall:groups=16,via=nearest", "pipeline:via=rail",
		"alltoall:groups=8,strided,via=rail",
		"pipeline:stages=4,via=rail", "pipeline:stages=4,via=nearest",
		"incast:to=8", "incast:to=8,via=nearest",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		check_rails(names[i], 64);
		check_rails(names[i], 44);
		check_rails(names[i], 42);
	}
}

/* Whatever the way, what a machine sends to others of its group is the same;
 * only direct pairs cross rails. */
TEST(test_ways)
{
	static const char *const ways[] = { "any", "nearest" };

	for (unsigned w = 0; w < 2; w++) {
		uint64_t pairs = 0, crossing = 0;
		struct drawn d;
		char text[64];

		snprintf(text, sizeof(text), "alltoall:machine=4,via=%s",
			 ways[w]);
		d = make(text, 16);
		for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
			draw(&d, r);
			pairs += d.n;
			for (uint64_t i = 0; i < d.n; i++)
				crossing += d.pair[i].from % 4 !=
					    d.pair[i].to % 4;
		}
		EXPECT_EQ(pairs, 16 * 12);
		EXPECT_EQ(crossing, w ? 0 : 16 * 9);
		unmake(&d);
	}
}

/* Where NUMA nodes are known, nobody leaves by an adapter near another one. */
TEST(test_numa)
{
	for (unsigned known = 0; known < 3; known++) {
		struct weft_seat seat[8];
		uint64_t pairs = 0, crossing = 0;
		struct drawn d;

		for (uint32_t i = 0; i < 8; i++)
			seat[i] = (struct weft_seat){
				.machine = i / 4, .rail = i % 4,
				/* of the second machine alone: 1 */
				.numa = known == 2 || (known && i > 3) ?
					i % 4 / 2 + 1 : 0,
			};
		d = make_seated("alltoall:via=nearest", 8, seat);
		for (uint64_t r = 0; r < weft_traffic_rounds(d.t); r++) {
			draw(&d, r);
			pairs += d.n;
			for (uint64_t i = 0; i < d.n; i++) {
				uint32_t from = d.pair[i].from % 4;
				uint32_t to = d.pair[i].to % 4;

				crossing += from != to;
				EXPECT(from == to || from / 2 != to / 2);
			}
		}
		EXPECT_EQ(pairs, 8 * 4);
		EXPECT_EQ(crossing, 8 * known);
		unmake(&d);
	}
}

TEST(test_hierarchical)
{
	struct drawn d = make("hierarchical:machine=4,inside", 16);

	EXPECT_EQ(weft_traffic_rounds(d.t), 3);
	for (uint32_t r = 0; r < 3; r++) {
		draw(&d, r);
		EXPECT_EQ(d.n, 16);
		for (uint32_t i = 0; i < 16; i++)
			EXPECT(has_pair(&d, i, r == 1 ? (i + 4) % 16 :
					       i / 4 * 4 + (i + 1) % 4));
	}
	unmake(&d);
	d = make("hierarchical:inside", 16);
	EXPECT_EQ(weft_traffic_rounds(d.t), 1);
	unmake(&d);
}

TEST(test_stages)
{
	struct drawn d = make("pipeline:stages=4", 16);

	EXPECT_EQ(weft_traffic_rounds(d.t), 1);
	draw(&d, 0);
	EXPECT_EQ(d.n, 12);
	for (uint32_t i = 0; i < 12; i++)
		EXPECT(has_pair(&d, i, i + 4));
	unmake(&d);
	d = make("pipeline:stages=3,both", 8);
	draw(&d, 0);
	EXPECT_EQ(d.n, 10);
	EXPECT(is_symmetric(&d));
	for (uint32_t i = 0; i < 5; i++)
		EXPECT(has_pair(&d, i, i + 3));
	unmake(&d);
}

/* --- where ranks are ------------------------------------------------------ */

/* Machines of two rails, whose ranks lie apart; the last two ones store. */
static void seat_apart(struct weft_seat *seat, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		seat[i] = (struct weft_seat){ .machine = i % (n / 2),
					      .rail = i / (n / 2),
					      .storage = i % (n / 2) >=
							 n / 2 - 2 };
}

TEST(test_seats)
{
	struct weft_seat seat[16];
	struct drawn d;

	seat_apart(seat, 16);
	d = make_seated("all-gather", 16, seat);
	draw(&d, 0);
	EXPECT_EQ(d.n, 12);
	for (uint32_t i = 0; i < 6; i++) {
		EXPECT(has_pair(&d, i, (i + 1) % 6));
		EXPECT(has_pair(&d, 8 + i, 8 + (i + 1) % 6));
	}
	unmake(&d);
	d = make_seated("ring", 16, seat);
	draw(&d, 0);
	EXPECT_EQ(d.n, 16);
	EXPECT(!weft_traffic_is_seated(d.t));
	unmake(&d);
}

/* Storage hosts receive, on the rail that each sender is on. */
TEST(test_incast)
{
	struct weft_seat seat[16];
	struct drawn d = make("incast", 35);

	EXPECT_EQ(weft_traffic_rounds(d.t), 2);
	for (uint32_t r = 0; r < 2; r++) {
		draw(&d, r);
		EXPECT_EQ(d.n, 33);
		for (uint32_t i = 0; i < 33; i++)
			EXPECT(has_pair(&d, i, 33 + (i + r) % 2));
	}
	unmake(&d);
	seat_apart(seat, 16);
	d = make_seated("incast", 16, seat);
	EXPECT_EQ(weft_traffic_rounds(d.t), 2);
	draw(&d, 0);
	EXPECT_EQ(d.n, 12);
	for (uint32_t i = 0; i < 6; i++) {
		EXPECT(has_pair(&d, i, 6 + i % 2));
		EXPECT(has_pair(&d, 8 + i, 14 + i % 2));
	}
	unmake(&d);
	d = make_seated("incast:to=1", 16, seat);
	EXPECT_EQ(weft_traffic_rounds(d.t), 1);
	draw(&d, 0);
	EXPECT_EQ(d.n, 14);	/* 7 is on the same machine as 15 */
	EXPECT(has_pair(&d, 0, 15) && has_pair(&d, 8, 15));
	unmake(&d);
}

/* Machines, rails and storage as a fabric tells of them. */
TEST(test_placed)
{
	static const char *const names[] = { "compute", "storage" };
	struct weft_fabric *f = route_fabric("rails:gpus=2,hosts=8,radix=8",
					     -1);
	struct weft_draw draw = { .rng = NULL };
	struct weft_traffic *t;
	struct weft_mapping m;
	struct weft_pair pair[16];
	uint8_t use[16];
	bool by_name;

	for (uint32_t e = 0; e < 16; e++)
		use[e] = f->ep[e].machine < 2;
	ASSERT_EQ(weft_fabric_use(f, use, names, 2), 0);
	ASSERT_EQ(weft_mapping_natural(f, false, &m, &by_name, NULL), 0);
	ASSERT_EQ(weft_traffic_placed("incast", f, m.endport, 16, &t, NULL),
		  0);
	EXPECT_EQ(weft_traffic_round(t, 0, &draw, pair), 12);
	for (uint32_t i = 0; i < 12; i++) {
		const struct weft_endport *from, *to;

		from = &f->ep[m.endport[pair[i].from]];
		to = &f->ep[m.endport[pair[i].to]];
		EXPECT(from->machine >= 2 && to->machine < 2);
		EXPECT_EQ(from->rail, to->rail);
	}
	weft_traffic_free(t);
	ASSERT_EQ(weft_traffic_placed("ring:via=rail", f, NULL, 16, &t, NULL),
		  0);
	draw.scratch = need(malloc(16 * sizeof(*draw.scratch)));
	EXPECT_EQ(weft_traffic_round(t, 0, &draw, pair), 16);
	free(draw.scratch);
	weft_traffic_free(t);
	weft_mapping_free(&m);
	weft_fabric_free(f);
}

/* Storage hosts belong to no part but those that store. */
TEST(test_mix_with_storage)
{
	struct weft_seat seat[16];
	struct drawn d;

	seat_apart(seat, 16);
	d = make_seated("ring@0.5+incast", 16, seat);
	draw(&d, 0);
	EXPECT_EQ(d.n, 12);
	for (uint32_t i = 0; i < 6; i++) {
		EXPECT(has_pair(&d, i, (i + 1) % 6));
		EXPECT(has_pair(&d, 8 + i, 14 + i % 2));
	}
	unmake(&d);
}

/* Where all stays in machines there is nothing to send. */
TEST(test_inside_only)
{
	static const char *const names[] = {
		"reduce-scatter:via=any,machine=8", "hierarchical:machine=8",
		"double-tree:machine=8", "pipeline:machine=16,via=any",
		"alltoall:groups=8,machine=8",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct drawn d = make(names[i], 8);

		suite_case("%s", names[i]);
		EXPECT_EQ(weft_traffic_max_pairs(d.t), 0);
		draw(&d, 0);
		EXPECT_EQ(d.n, 0);
		unmake(&d);
	}
}
