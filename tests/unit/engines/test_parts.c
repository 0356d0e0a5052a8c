// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Every engine on the smallest fabrics, and on fabrics in parts that no cable
 * joins: who can reach each other by cable does by the tables, and each part
 * has the tables that it has alone.
 */
#include "../rebuild.h"
#include "../suite.h"

#include <weft/weft.h>

#include <errno.h>
#include <string.h>

#define STEP 0x1000000000000ull		/* between the GUIDs of parts */

struct cable {
	unsigned a, b;
};

/* Switches with that many hosts each, and cables between them. */
static uint32_t add_graph(struct weft_builder *b, uint64_t base, unsigned nsw,
			  const unsigned *hosts, unsigned ncables,
			  const struct cable *cable)
{
	uint32_t sw[16];
	unsigned port[16], n = 0;

	for (unsigned s = 0; s < nsw; s++) {
		sw[s] = weft_builder_node(b, WEFT_NODE_SWITCH, base + s + 1,
					  12);
		port[s] = 1;
		for (unsigned h = 0; h < hosts[s]; h++) {
			uint32_t ca = weft_builder_node(b, WEFT_NODE_CA,
					base + 0x1000 + 0x10 * n++, 1);

			weft_builder_link(b, sw[s], port[s]++, ca, 1,
					  (struct weft_rate){ 4, WEFT_EDR });
		}
	}
	for (unsigned i = 0; i < ncables; i++)
		weft_builder_link(b, sw[cable[i].a], port[cable[i].a]++,
				  sw[cable[i].b], port[cable[i].b]++,
				  (struct weft_rate){ 4, WEFT_EDR });
	return nsw;
}

static const struct shape {
	const char *name;
	unsigned nsw, hosts[8], ncables;
	struct cable cable[8];
} shapes[] = {
	{ "one switch", 1, { 3 }, 0, { { 0, 0 } } },
	{ "one switch, one host", 1, { 1 }, 0, { { 0, 0 } } },
	{ "one switch, no host", 1, { 0 }, 0, { { 0, 0 } } },
	{ "two switches", 2, { 2, 1 }, 1, { { 0, 1 } } },
	{ "two switches, two cables", 2, { 2, 2 }, 2, { { 0, 1 }, { 0, 1 } } },
	{ "two switches, no host", 2, { 0, 0 }, 1, { { 0, 1 } } },
	{ "a chain", 5, { 1, 2, 0, 1, 1 }, 4,
	  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 } } },
	{ "a star", 5, { 0, 2, 2, 1, 1 }, 4,
	  { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 } } },
	{ "a star with hosts in the middle", 4, { 2, 1, 1, 0 }, 3,
	  { { 0, 1 }, { 0, 2 }, { 0, 3 } } },
	{ "a ring with a tail", 7, { 1, 1, 1, 1, 1, 0, 1 }, 7,
	  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 0 }, { 4, 5 },
	    { 5, 6 } } },
	{ "a triangle without hosts", 3, { 0, 0, 0 }, 3,
	  { { 0, 1 }, { 1, 2 }, { 2, 0 } } },
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))

static struct weft_fabric *finish(struct weft_builder *b, int lmc)
{
	struct weft_fabric *plain = NULL, *f = NULL;

	ASSERT_EQ(weft_builder_finish(b, &plain, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_fabric_assign_lids(plain, lmc, &f, NULL), 0);
	weft_fabric_free(plain);
	return f;
}

static void add_shape(struct weft_builder *b, uint64_t base, unsigned which)
{
	const struct shape *s = &shapes[which];

	add_graph(b, base, s->nsw, s->hosts, s->ncables, s->cable);
}

static int route(const struct weft_engine *e, const char *option,
		 const struct weft_fabric *f, struct weft_routes *out,
		 struct weft_diag *d)
{
	struct weft_options *o;
	int err;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	if (option)
		EXPECT_EQ(weft_options_parse(o, option, NULL), 0);
	err = weft_route(e, f, o, out, d);
	weft_options_free(o);
	return err;
}

/* Regular trees only; anything else they may refuse, but not leave holes in. */
static bool is_choosy(const struct weft_engine *e)
{
	return e->needs & WEFT_NEEDS_TREE;
}

/* All that cables join reach each other; that many pairs are in different parts. */
static void judge(const struct weft_engine *e, const char *name,
		  const struct weft_fabric *f, const struct weft_routes *r,
		  uint32_t parts)
{
	const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true, .loads = true, .max_examples = 1,
	};
	struct weft_proof p;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	if (p.unreachable != p.apart || p.parts != parts ||
	    (e->loopfree == WEFT_LOOPFREE_ALL && p.cyclic_vls)) {
		EXPECT_NEVER("holes, or a credit loop");
		printf("%s: %s\n", e->name, name);
	}
	weft_proof_free(&p);
}

TEST(test_shapes)
{
	for (unsigned i = 0; i < SHAPES; i++) {
		struct weft_builder *b = weft_builder_new();
		struct weft_fabric *f;

		add_shape(b, 0, i);
		f = finish(b, 0);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes r = { 0 };
			int err = route(*e, NULL, f, &r, NULL);

			if (err && !is_choosy(*e)) {
				EXPECT_NEVER("refused");
				printf("%s: %s\n", (*e)->name, shapes[i].name);
			}
			if (!err)
				judge(*e, shapes[i].name, f, &r, 1);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* Whether the entries of part, alone and routed alone, are in whole. */
static bool has_tables(const struct weft_fabric *f, const struct weft_lft *whole,
		       const struct weft_fabric *part,
		       const struct weft_lft *alone)
{
	for (uint32_t s = 0; s < part->nsw; s++) {
		uint32_t t = weft_fabric_switch_by_guid(f, part->sw[s].guid);

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (weft_lft_get(alone, s, lid) !=
			    weft_lft_get(whole, t, lid))
				return false;
	}
	return true;
}

/* A copy with the LIDs that the same ports have in f. */
static struct weft_fabric *with_lids_of(const struct weft_fabric *f,
					unsigned shape, uint64_t base)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *part = NULL;

	add_shape(b, base, shape);
	for (uint32_t i = 0; i < weft_builder_count(b); i++) {
		struct weft_node_spec *spec = weft_builder_spec(b, i);
		bool is_switch = spec->type == WEFT_NODE_SWITCH;
		uint32_t v = is_switch ?
			weft_fabric_switch_by_guid(f, spec->guid) :
			weft_fabric_endport_by_guid(f, spec->guid);

		weft_builder_port(b, i, !is_switch)->lid = is_switch ?
			f->sw[v].lid : f->ep[v].lid;
	}
	ASSERT_EQ(weft_builder_finish(b, &part, NULL), 0);
	weft_builder_free(b);
	return part;
}

static void check_part(const struct weft_engine *e, const struct weft_fabric *f,
		       const struct weft_routes *whole, unsigned shape,
		       uint64_t base)
{
	struct weft_fabric *part = with_lids_of(f, shape, base);
	struct weft_routes alone = { 0 };

	ASSERT_EQ(route(e, NULL, part, &alone, NULL), 0);
	EXPECT(has_tables(f, &whole->lft, part, &alone.lft));
	for (uint32_t i = 0; i < part->nep; i++) {
		uint32_t from = weft_fabric_endport_by_guid(f, part->ep[i].guid);

		for (unsigned lid = 1; lid <= part->max_lid; lid++)
			if (weft_lid_owner(part, lid) != WEFT_NONE)
				EXPECT_EQ(weft_layers_sl(&alone.layers, part, i
					  | WEFT_ENDPORT, lid),
					  weft_layers_sl(&whole->layers, f, from
					  | WEFT_ENDPORT, lid));
	}
	weft_routes_free(&alone);
	weft_fabric_free(part);
}

/* Pairs of shapes beside each other, and all of them. */
TEST(test_beside)
{
	for (unsigned i = 0; i < SHAPES; i++) {
		unsigned j = (i + 3) % SHAPES;
		struct weft_builder *b = weft_builder_new();
		struct weft_fabric *f;

		add_shape(b, STEP, i);
		add_shape(b, 2 * STEP, j);
		f = finish(b, 0);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct suite_words w = { 0 };
			struct weft_diag d = { .emit = suite_hear,
					       .context = &w };
			struct weft_routes r = { 0 };

			if (route(*e, NULL, f, &r, &d)) {
				EXPECT(is_choosy(*e));
				EXPECT(!r.lft.port);
				continue;
			}
			EXPECT(d.count[WEFT_WARNING] > 0);
			judge(*e, shapes[i].name, f, &r, 2);
			check_part(*e, f, &r, i, STEP);
			check_part(*e, f, &r, j, 2 * STEP);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

TEST(test_all_at_once)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_rng *rng = weft_rng_new(1);
	struct weft_fabric *f, *g;
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };

	for (unsigned i = 0; i < SHAPES; i++)
		add_shape(b, (i + 1) * STEP, i);
	f = finish(b, 0);
	g = rebuild_shuffled(f, rng);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft_routes r = { 0 }, again = { 0 };
		struct weft_lft_diff diff;

		if (is_choosy(*e))
			continue;
		ASSERT_EQ(route(*e, NULL, f, &r, &d), 0);
		judge(*e, "all at once", f, &r, SHAPES);
		ASSERT_EQ(route(*e, NULL, g, &again, NULL), 0);
		weft_lft_compare(&r.lft, &again.lft, &diff);
		EXPECT_EQ(diff.entries, 0);
		weft_routes_free(&r);
		weft_routes_free(&again);
	}
	weft_rng_free(rng);
	weft_fabric_free(g);
	weft_fabric_free(f);
}

/* Lanes against credit loops, however few: in each part by itself. */
TEST(test_lanes)
{
	const struct weft_engine *psssp = weft_engine_find("psssp");
	const struct weft_proof_spec what = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true,
	};

	for (unsigned lanes = 1; psssp && lanes <= 3; lanes++) {
		struct weft_builder *b = weft_builder_new();
		struct weft_layering_spec spec = { .lanes = lanes };
		struct weft_layering outcome;
		struct weft_routes r = { 0 };
		struct weft_proof p;
		struct weft_fabric *f;

		for (unsigned i = 6; i < SHAPES; i++)
			add_shape(b, (i + 1) * STEP, i);
		add_shape(b, (SHAPES + 1) * STEP, 9);
		f = finish(b, 0);
		ASSERT_EQ(route(psssp, NULL, f, &r, NULL), 0);
		ASSERT_EQ(weft_proof_run(f, &r, &what, &p, NULL), 0);
		EXPECT(p.cyclic_vls > 0);
		weft_proof_free(&p);
		ASSERT_EQ(weft_layering_run(f, &r, &spec, &outcome, NULL), 0);
		EXPECT(outcome.lanes >= 1 && outcome.lanes <= lanes);
		ASSERT_EQ(weft_proof_run(f, &r, &what, &p, NULL), 0);
		EXPECT_EQ(p.cyclic_vls, 0);
		EXPECT_EQ(p.unreachable, p.apart);
		EXPECT_EQ(p.parts, SHAPES - 5);
		weft_proof_free(&p);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* The warning tells of the largest parts, and how many there are. */
TEST(test_warning)
{
	struct weft_builder *b = weft_builder_new();
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_routes r = { 0 };
	struct weft_fabric *f;

	for (unsigned i = 0; i < 6; i++)
		add_shape(b, (i + 1) * STEP, i);
	f = finish(b, 0);
	EXPECT_EQ(route(weft_engine_find("null"), NULL, f, &r, &d), 0);
	EXPECT_EQ(d.count[WEFT_WARNING], 1);
	EXPECT(strstr(w.text, "in 6 parts that no cable joins"));
	EXPECT(strstr(w.text,
	       ": 2 switches with 4 hosts, such as 0x0005000000000001"));
	EXPECT(strstr(w.text, "; and 2 more"));
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Two fat trees, of which hosts have a port each: every engine takes them, and
 * what chooses at the source does so in each. */
TEST(test_rails)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f;
	uint32_t host[8];

	for (unsigned h = 0; h < 8; h++)
		host[h] = weft_builder_node(b, WEFT_NODE_CA, 0x1000 + 16 * h, 2);
	for (unsigned rail = 1; rail < 3; rail++) {
		uint32_t sw[8];

		for (unsigned s = 0; s < 6; s++)
			sw[s] = weft_builder_node(b, WEFT_NODE_SWITCH,
						  rail * STEP + s, 6);
		for (unsigned h = 0; h < 8; h++) {
			weft_builder_port(b, host[h], rail)->guid =
				0x1000 + 16 * h + rail;
			weft_builder_link(b, sw[h / 2], 1 + h % 2, host[h],
					  rail,
					  (struct weft_rate){ 4, WEFT_EDR });
		}
		for (unsigned i = 0; i < 8; i++)
			weft_builder_link(b, sw[i % 4], 3 + i / 4,
					  sw[4 + i / 4], 1 + i % 4,
					  (struct weft_rate){ 4, WEFT_EDR });
	}
	f = finish(b, 1);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft_routes r = { 0 };

		ASSERT_EQ(route(*e, NULL, f, &r, NULL), 0);
		judge(*e, "rails", f, &r, 2);
		if (!strcmp((*e)->name, "smodk")) {
			ASSERT(r.lid_offset);
			for (uint32_t i = 0; i < f->nep; i++)
				EXPECT_EQ(r.lid_offset[i], f->ep[i].node & 1);
		}
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

/* Lists are about the whole fabric: of what a part lacks nothing is said. */
TEST(test_lists)
{
	struct weft_builder *b = weft_builder_new();
	const struct weft_engine *weave = weft_engine_find("weave");
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_routes r = { 0 }, plain = { 0 };
	struct weft_lft_diff diff;
	struct weft_fabric *f;

	if (!weave)
		return;
	add_shape(b, STEP, 9);
	add_shape(b, 2 * STEP, 9);
	f = finish(b, 0);
	EXPECT_EQ(route(weave, NULL, f, &plain, NULL), 0);
	EXPECT_EQ(route(weave, "roots=0x1000000000007", f, &r, &d), 0);
	EXPECT_EQ(d.count[WEFT_WARNING], 1);
	judge(weave, "roots in one part", f, &r, 2);
	weft_routes_free(&r);
	EXPECT_EQ(route(weave, "roots=0x1000000000007+0x99", f, &r, &d), 0);
	EXPECT_EQ(d.count[WEFT_WARNING], 3);
	weft_lft_compare(&plain.lft, &r.lft, &diff);
	EXPECT(diff.switches <= 7);
	weft_routes_free(&r);
	EXPECT_EQ(route(weave, "roots=0x99", f, &r, &d), -EINVAL);
	EXPECT(!r.lft.port);
	weft_routes_free(&plain);
	weft_fabric_free(f);
}
