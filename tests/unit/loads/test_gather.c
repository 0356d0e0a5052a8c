// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What whole tables put on the channels: loads and dependencies are those of all
 * routes, followed one by one, whether they are gathered at once or in two steps.
 */
#include "../engines/weave_util.h"
#include "../route.h"

#include "core/arena.h"
#include "loads/gather.h"

#include <stdlib.h>
#include <string.h>

/* All that is gathered, by routes. */
struct walks {
	const struct weft_fabric *f;
	const struct weft_routes *r;
	struct weft__loads *t;
	struct weft__cdg cdg;
	uint64_t *load;		/* [nch] */
};

/* Follows what a vertex at a switch sends to a LID. */
static void walk(struct walks *w, uint32_t from, unsigned lid, uint64_t weight)
{
	const struct weft_fabric *f = w->f;
	uint32_t owner = weft_lid_owner(f, lid);
	uint32_t s = weft_vertex_switch(f, from);
	uint32_t root = weft_vertex_switch(f, owner), before = WEFT_NONE;
	bool in_order = weft_is_switch(from) + weft_is_switch(owner) <
			(int)w->t->kinds;
	unsigned sl = weft_layers_sl(&w->r->layers, f, from, lid);

	for (; s != root; s = f->peer[before]) {
		unsigned port = weft_lft_get(&w->r->lft, s, lid);
		unsigned lane = weft_layers_vl(&w->r->layers, f, s, 0, port, sl);

		if (before != WEFT_NONE && in_order)
			weft__cdg_add(&w->cdg, lane * w->cdg.nch + before, 0,
				      port);
		before = weft_channel(f, s, port);
		w->load[before] += weight;
	}
}

static void walk_all(struct walks *w)
{
	const struct weft_fabric *f = w->f;

	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint64_t weight = weft__lid_weight(f, lid);

		if (weft_lid_owner(f, lid) == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++)
			walk(w, s, lid, w->t->hosts[s] * weight);
		for (uint32_t e = 0; e < f->nep; e++)
			walk(w, e | WEFT_ENDPORT, lid, 0);
	}
}

static void begin(struct weft__loads *t, const struct weft_fabric *f,
		  const struct weft_routes *r, struct weft_arena *arena)
{
	ASSERT_EQ(weft__loads_init(t, f, &r->layers, 1, arena), 0);
}

/* Whether loads and dependencies are the same. */
static void compare(const struct walks *w, const struct weft__loads *t)
{
	EXPECT(!memcmp(t->load, w->load, w->f->nch * sizeof(*w->load)));
	EXPECT(!memcmp(t->order.cdg.bits, w->cdg.bits,
		       (size_t)w->cdg.nv * w->cdg.words * 8));
}

static void gather(const char *spec, unsigned lanes, unsigned kinds)
{
	struct weft_fabric *f = weave_fabric(spec);
	struct weft_arena *arena = weft__arena_new();
	uint8_t *lost = calloc(f->max_lid + 1u, 1);
	struct weft_routes r = { 0 };
	struct weft__loads once, twice;
	struct walks w = { .f = f, .r = &r, .t = &once };

	suite_case("%s, %u lanes", spec, lanes);
	ASSERT_EQ(weave_route(f, lanes, "effort=0", &r, NULL), 0);
	begin(&once, f, &r, arena);
	begin(&twice, f, &r, arena);
	w.load = weft__arena_zalloc(arena, f->nch, sizeof(*w.load));
	ASSERT_EQ(weft__cdg_init(&w.cdg, f, once.nlanes, false), 0);
	ASSERT_EQ(weft__gather(&once, &r.lft, lost), 0);
	ASSERT_EQ(weft__gather_loads(&twice, &r.lft, lost), 0);
	ASSERT_EQ(weft__gather_order(&twice, &r.lft, lost), 0);
	walk_all(&w);
	EXPECT_EQ(once.kinds, kinds);
	EXPECT_EQ(twice.kinds, kinds);
	compare(&w, &once);
	compare(&w, &twice);
	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		EXPECT(!lost[lid]);
	weft__cdg_free(&w.cdg);
	weft__loads_free(&once);
	weft__loads_free(&twice);
	weft__arena_free(arena);
	weft_routes_free(&r);
	weft_fabric_free(f);
	free(lost);
}

TEST(test_gathered)
{
	gather("pgft:3;3,3,4;1,3,3;1,1,1,fail-links=5%", 1, WEFT__KINDS);
	gather("torus:5x5,hosts=2", 4, WEFT__KINDS);
	gather("dragonfly:4,2,2,9", 8, WEFT__KINDS);
	gather("random:20,6,4", 2, WEFT__KINDS);
}

/* Endports of a switch may have lanes of their own, and a switch's LID too. */
TEST(test_levels_by_endport)
{
	struct weft_fabric *f = weave_fabric("star:3,hosts=2");
	struct weft_layers y = {
		.form = WEFT_SL_ENDPORT_LID, .nsw = f->nsw, .nep = f->nep,
		.max_lid = f->max_lid, .nvl = 4,
		.table = calloc((size_t)f->nep * (f->max_lid + 1), 1),
	};
	struct weft_arena *arena = weft__arena_new();
	struct weft__column c;
	struct weft__loads t;
	unsigned lid = f->ep[0].lid;
	uint32_t s = f->ep[f->nep - 1].sw;

	for (uint32_t e = 0; e < f->nep; e++)
		y.table[(size_t)e * (f->max_lid + 1) + lid] = e % 4;
	ASSERT_EQ(weft__loads_init(&t, f, &y, 1, arena), 0);
	ASSERT(weft__column_init(&c, f, arena));
	weft__column_begin(&c, lid);
	/* two endports, and the switch by lane 0 as the second kind */
	EXPECT_EQ(weft__loads_lanes_by_kind(&t, &c, s),
		  (1u << (f->nep - 1) % 4 | 1u << (f->nep - 2) % 4) |
			  1u << WEFT__KIND_BITS);
	t.kinds = 1;
	EXPECT_EQ(weft__loads_own_lanes(&t, &c, s),
		  1u << (f->nep - 1) % 4 | 1u << (f->nep - 2) % 4);
	t.kinds = 2;
	EXPECT_EQ(weft__loads_own_lanes(&t, &c, s),
		  1u << (f->nep - 1) % 4 | 1u << (f->nep - 2) % 4 | 1);
	weft__loads_free(&t);
	weft__arena_free(arena);
	free(y.table);
	weft_fabric_free(f);
}
