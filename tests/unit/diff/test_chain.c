// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chains of two to four switches, of which everything that differs can be
 * counted by hand, and what is carried from one to another.
 */
#include "../route.h"

#include "diff/match.h"

#include <stdlib.h>
#include <string.h>

#define PORTS 6
#define HOST 100		/* what its number is above its switch's */

/* Where a chain is not as the others. */
struct twist {
	unsigned moved;		/* host of that switch: on port 4, not 3 */
	unsigned away;		/* host of that switch: on the first switch */
	unsigned aside;		/* cables to that switch end at port 5, not 2 */
	unsigned router;	/* switch with a router on port 6, or 5 if it
				 * has moved */
	bool router_moved;
	unsigned twice;		/* its host has two LIDs */
};

/*
 * Switches in a row, port 1 of each to port 2 of the next, with a host on port
 * 3.  Numbers ascend and are GUIDs and LIDs, that of a host 100 more than its
 * switch's.
 */
static struct weft_fabric *chain(const unsigned *sw, unsigned n,
				 const struct twist *t)
{
	static const struct twist none = { .moved = 0 };
	const struct weft_rate rate = { 4, WEFT_QDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	uint32_t node[4], h;

	t = t ? t : &none;
	for (unsigned i = 0; i < n; i++) {
		node[i] = weft_builder_node(b, WEFT_NODE_SWITCH, sw[i], PORTS);
		weft_builder_port(b, node[i], 0)->lid = sw[i];
		if (i)
			weft_builder_link(b, node[i - 1], 1, node[i],
					  t->aside == sw[i] ? 5 : 2, rate);
	}
	for (unsigned i = 0; i < n; i++) {
		bool away = t->away == sw[i];

		h = weft_builder_node(b, WEFT_NODE_CA, HOST + sw[i], 1);
		weft_builder_port(b, h, 1)->lid = HOST + sw[i];
		weft_builder_port(b, h, 1)->lmc = t->twice == sw[i];
		weft_builder_link(b, h, 1, node[away ? 0 : i],
				  away || t->moved == sw[i] ? 4 : 3, rate);
		if (t->router != sw[i])
			continue;
		h = weft_builder_node(b, WEFT_NODE_ROUTER, 900, 1);
		weft_builder_port(b, h, 1)->lid = 190;
		weft_builder_link(b, h, 1, node[i], t->router_moved ? 5 : 6,
				  rate);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static uint32_t switch_of(const struct weft_fabric *f, unsigned number)
{
	return weft_fabric_switch_by_guid(f, number);
}

static uint32_t host_of(const struct weft_fabric *f, unsigned number)
{
	return weft_fabric_endport_by_guid(f, number);
}

static void route(const struct weft_fabric *f, struct weft_routes *out)
{
	*out = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(route_by("minhop", NULL, f, out, NULL), 0);
}

static struct weft_diff compare(const struct weft_fabric *f,
				const struct weft_routes *a,
				const struct weft_fabric *g,
				const struct weft_routes *b)
{
	struct weft_diff_side from = { f, a }, to = { g, b };
	struct weft_diff d;

	ASSERT_EQ(weft_diff_run(&from, &to, &d, NULL), 0);
	return d;
}

/* --- what differs --------------------------------------------------------- */

static const unsigned three[] = { 10, 20, 30 };

/* A chain of three as it was and as it is, each by its own routes. */
static struct weft_diff twisted(const struct twist *was, const struct twist *is)
{
	struct weft_fabric *f = chain(three, 3, was), *g = chain(three, 3, is);
	struct weft_routes a, b;
	struct weft_diff d;

	route(f, &a);
	route(g, &b);
	d = compare(f, &a, g, &b);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
	return d;
}

/* A host on another port of its switch: that one's entry, and all routes from
 * and to it, differ. */
TEST(test_other_port)
{
	struct weft_diff d = twisted(NULL, &(struct twist){ .moved = 20 });

	EXPECT_EQ(d.endports_moved, 1);
	EXPECT_EQ(d.lids_moved, 0);
	EXPECT_EQ(d.entries, 1);
	EXPECT_EQ(d.needless, 0);
	EXPECT_EQ(d.pairs, 6);
	EXPECT_EQ(d.routes, 4);
	weft_diff_free(&d);
}

/* On the first switch: all three have another entry for it, and none of the old
 * ones leads to it. */
TEST(test_other_switch)
{
	struct weft_diff d = twisted(NULL, &(struct twist){ .away = 30 });

	EXPECT_EQ(d.endports_moved, 1);
	EXPECT_EQ(d.entries, 3);
	EXPECT_EQ(d.needless, 0);
	EXPECT_EQ(d.routes, 4);
	weft_diff_free(&d);
}

/* A cable that ends at another port: what the last switch sends back differs,
 * and all routes over the cable, though the entries toward it stay. */
TEST(test_other_end)
{
	struct weft_diff d = twisted(NULL, &(struct twist){ .aside = 30 });

	EXPECT_EQ(d.endports_moved, 0);
	/* to two switches and their hosts */
	EXPECT_EQ(d.entries, 4);
	EXPECT_EQ(d.routes, 4);
	weft_diff_free(&d);
}

/* LIDs that only one side has. */
TEST(test_other_lmc)
{
	struct weft_diff d = twisted(NULL, &(struct twist){ .twice = 20 });

	EXPECT_EQ(d.endports_moved, 0);
	EXPECT_EQ(d.lids_moved, 1);
	EXPECT(!weft_diff_same(&d));
	EXPECT_EQ(d.pairs, 6);
	EXPECT_EQ(d.routes, 0);
	weft_diff_free(&d);
}

/* A router is no host, but where it is counts. */
TEST(test_router)
{
	const struct twist here = { .router = 20 };
	const struct twist there = { .router = 20, .router_moved = true };
	struct weft_fabric *f = chain(three, 3, &here);
	struct weft_fabric *g = chain(three, 3, &there);
	struct weft_routes routes;
	struct weft_diff d;

	route(f, &routes);
	d = compare(f, &routes, g, &routes);
	EXPECT_EQ(d.endports_moved, 1);
	EXPECT_EQ(d.entries + d.routes, 0);
	EXPECT(!weft_diff_same(&d));
	weft_diff_free(&d);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* Whether ids, LIDs and cables are those of a plain chain. */
static bool is_equal(const struct twist *is)
{
	struct weft_fabric *f = chain(three, 3, NULL), *g = chain(three, 3, is);
	struct weft__match m;
	bool equal;

	ASSERT_EQ(weft__match_make(&m, f, g), 0);
	equal = m.equal;
	weft__match_free(&m);
	weft_fabric_free(f);
	weft_fabric_free(g);
	return equal;
}

TEST(test_equal)
{
	EXPECT(is_equal(NULL));
	EXPECT(!is_equal(&(struct twist){ .moved = 20 }));
	EXPECT(!is_equal(&(struct twist){ .away = 20 }));
	EXPECT(!is_equal(&(struct twist){ .aside = 20 }));
	EXPECT(!is_equal(&(struct twist){ .router = 20 }));
	EXPECT(!is_equal(&(struct twist){ .twice = 20 }));
}

/* Entries of switches in both alone are compared, and of those with as many
 * that differ the first comes first. */
TEST(test_order)
{
	static const unsigned more[] = { 5, 10, 20, 30 };
	struct weft_fabric *f = chain(three, 3, NULL), *g = chain(more, 4, NULL);
	struct weft_routes a, b;
	struct weft_diff d;

	route(f, &a);
	route(g, &b);
	for (uint32_t s = 1; s < 4; s++)
		weft_lft_row(&b.lft, s)[5] = weft_lft_row(&b.lft, s)[105] =
			WEFT_NO_PORT;
	weft_lft_row(&b.lft, 2)[30] = WEFT_NO_PORT;
	weft_lft_row(&b.lft, 3)[20] = WEFT_NO_PORT;
	d = compare(f, &a, g, &b);
	EXPECT_EQ(d.compared, 3 * 130);
	ASSERT_EQ(d.nsw, 2);
	EXPECT_EQ(d.sw[0].id, 2);
	EXPECT_EQ(d.sw[1].id, 3);
	ASSERT_EQ(d.nlids, 2);
	EXPECT_EQ(d.lid[0].id, 20);
	EXPECT_EQ(d.lid[1].id, 30);
	weft_diff_free(&d);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* Without tables, four lanes for 16 SLs differ from eight in half of them, on
 * each of the seven ends of cables at switches. */
TEST(test_lanes)
{
	struct weft_fabric *f = chain(three, 3, NULL);
	struct weft_routes a, b;
	struct weft_diff d;

	route(f, &a);
	route(f, &b);
	a.layers.nvl = 4;
	b.layers.nvl = 8;
	d = compare(f, &a, f, &b);
	EXPECT_EQ(d.lanes, 7 * 8);
	EXPECT_EQ(d.entries + d.routes + d.sls, 0);
	EXPECT(!weft_diff_same(&d));
	weft_diff_free(&d);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
}

/* SL2VL tables by input and output, in which all is lane vl. */
static void fill_lanes(const struct weft_fabric *f, uint8_t vl,
		       struct weft_layers *y)
{
	size_t rows = 0;

	y->nvl = 8;
	y->base = malloc(f->nsw * sizeof(*y->base));
	for (uint32_t s = 0; s < f->nsw; s++, rows += (PORTS + 1) * (PORTS + 1))
		y->base[s] = rows;
	y->sl2vl = malloc(rows * WEFT_NSL);
	memset(y->sl2vl, vl, rows * WEFT_NSL);
}

/* The lanes of packets from one port of a switch to another. */
static uint8_t *row_of(struct weft_layers *y, uint32_t s, unsigned in,
		       unsigned out)
{
	return y->sl2vl +
	       (y->base[s] + in * (PORTS + 1) + out) * WEFT_NSL;
}

/* Rows of ports without a cable say nothing. */
TEST(test_inputs)
{
	struct weft_fabric *f = chain(three, 3, NULL);
	struct weft_routes a, b;
	struct weft_diff d;

	route(f, &a);
	route(f, &b);
	fill_lanes(f, 1, &a.layers);
	fill_lanes(f, 1, &b.layers);
	row_of(&b.layers, 1, 6, 1)[0] = 2;
	row_of(&b.layers, 1, 1, 6)[0] = 2;
	d = compare(f, &a, f, &b);
	EXPECT_EQ(d.lanes, 0);
	EXPECT(weft_diff_same(&d));
	weft_diff_free(&d);
	row_of(&b.layers, 1, 3, 1)[4] = 2;
	row_of(&b.layers, 1, 0, 2)[15] = 2;
	d = compare(f, &a, f, &b);
	EXPECT_EQ(d.lanes, 2);
	weft_diff_free(&d);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
}

/* --- what is carried ------------------------------------------------------ */

/* Two of four switches, of which the first and the last are new. */
static const unsigned two[] = { 20, 30 }, four[] = { 10, 20, 30, 40 };

static void carry(const struct weft_fabric *f, const struct weft_routes *a,
		  const struct weft_fabric *g, struct weft_routes *out)
{
	const struct weft_diff_side from = { f, a };

	*out = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_routes_carry(&from, g, out), 0);
}

/* Service levels of those who were there go by who they are; all others have
 * that of nothing being told. */
TEST(test_carry_levels)
{
	static const enum weft_sl_form form[] = { WEFT_SL_DESTINATION,
						  WEFT_SL_SWITCH_PAIR,
						  WEFT_SL_ENDPORT_LID };

	for (unsigned i = 0; i < 3; i++) {
		struct weft_fabric *f = chain(two, 2, NULL);
		struct weft_fabric *g = chain(four, 4, NULL);
		size_t n[] = { 131, 4, 2 * 131 };
		struct weft_routes a, b;

		suite_case("form %u", i);
		route(f, &a);
		a.layers.form = form[i];
		a.layers.sl = 5;
		a.layers.nsw = a.layers.nep = 2;
		a.layers.max_lid = 130;
		a.layers.one_way = i == 1;
		a.layers.table = malloc(n[i]);
		memset(a.layers.table, 7, n[i]);
		carry(f, &a, g, &b);
		for (uint32_t e = 0; e < 4; e++)
			for (unsigned d = 0; d < 4; d++) {
				bool known = d == 1 || d == 2;

				if (i)
					known &= e == 1 || e == 2;
				/* a LID that nobody had */
				if (i != 1 && !d)
					continue;
				EXPECT_EQ(weft_layers_sl(&b.layers, g,
							 e | WEFT_ENDPORT,
							 HOST + four[d]),
					  known ? 7 : 5);
			}
		EXPECT_EQ(b.layers.one_way, i == 1);
		EXPECT_EQ(b.layers.nvl, a.layers.nvl);
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
}

/* A cable that is new has the lanes of the first one of which they are told. */
TEST(test_carry_lanes)
{
	struct weft_fabric *f = chain(two, 2, NULL), *g = chain(four, 4, NULL);
	struct weft_routes a, b;

	route(f, &a);
	fill_lanes(f, WEFT_VL_UNTOLD, &a.layers);
	memset(row_of(&a.layers, 1, 0, 2), 3, WEFT_NSL);
	memset(row_of(&a.layers, 1, 3, 2), 4, WEFT_NSL);
	carry(f, &a, g, &b);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		const struct weft_layers *y = &b.layers;

		/* as it was */
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 30), 0, 2, sl), 3);
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 30), 3, 2, sl), 4);
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 20), 0, 1, sl),
			  WEFT_VL_UNTOLD);
		/* to, from and past new cables */
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 30), 0, 1, sl), 3);
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 30), 1, 2, sl), 3);
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 10), 3, 1, sl), 3);
		EXPECT_EQ(weft_layers_vl(y, g, switch_of(g, 40), 2, 3, sl), 3);
	}
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* Which LID of a destination a host sends to is known by host. */
TEST(test_carry_offsets)
{
	struct weft_fabric *f = chain(two, 2, NULL), *g = chain(four, 4, NULL);
	struct weft_routes a, b;

	route(f, &a);
	a.lid_offset = malloc(2);
	a.lid_offset[host_of(f, 120)] = 1;
	a.lid_offset[host_of(f, 130)] = 2;
	carry(f, &a, g, &b);
	ASSERT(b.lid_offset);
	EXPECT_EQ(b.lid_offset[host_of(g, 110)], 0);
	EXPECT_EQ(b.lid_offset[host_of(g, 120)], 1);
	EXPECT_EQ(b.lid_offset[host_of(g, 130)], 2);
	EXPECT_EQ(b.lid_offset[host_of(g, 140)], 0);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

/* Any one difference is one; how much was compared, and how much of it was
 * needless, is none. */
TEST(test_same)
{
	struct weft_diff d = { .switches = 5, .endports = 7, .compared = 9,
			       .pairs = 3 };

	EXPECT(weft_diff_same(&d));
#define DIFFERS(field)                                                         \
	do {                                                                   \
		d.field = 1;                                                   \
		EXPECT(!weft_diff_same(&d));                                   \
		d.field = 0;                                                   \
		EXPECT(weft_diff_same(&d));                                    \
	} while (0)
	DIFFERS(nswitches_only[0]);
	DIFFERS(nswitches_only[1]);
	DIFFERS(nendports_only[0]);
	DIFFERS(nendports_only[1]);
	DIFFERS(endports_moved);
	DIFFERS(lids_moved);
	DIFFERS(entries);
	DIFFERS(routes);
	DIFFERS(sls);
	DIFFERS(lanes);
}
