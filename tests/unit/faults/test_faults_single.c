// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Single points of failure, against the loss of every part. */
#include "../route.h"

#include <stdlib.h>

static bool hangs_on(const struct weft_fabric *f, uint32_t node, uint32_t part)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].node == node &&
		    (f->ep[e].sw | WEFT_PART_SWITCH) != part)
			return false;
	return true;
}

/* Whether hosts are cut off besides those on the part itself. */
static bool is_single(const struct weft_fabric *f, uint32_t part)
{
	uint32_t *node, n;
	bool found = false;

	ASSERT_EQ(weft_fault_cut(f, &part, 1, false, &node, &n), 0);
	for (uint32_t i = 0; i < n; i++)
		found |= !hangs_on(f, node[i], part);
	free(node);
	return found;
}

static void compare(const struct weft_fabric *f, uint32_t cables,
		    uint32_t switches)
{
	uint32_t *single, n, *part, parts, found[2] = { 0 };
	bool *told = calloc(f->nch + f->nsw, sizeof(*told));

	ASSERT_EQ(weft_fault_single_points(f, false, &single, &n), 0);
	for (uint32_t i = 0; i < n; i++) {
		bool sw = single[i] & WEFT_PART_SWITCH;
		uint32_t at = sw ? f->nch + (single[i] & ~WEFT_PART_SWITCH) :
				   single[i];

		EXPECT(!told[at]);
		EXPECT(!i || sw || !(single[i - 1] & WEFT_PART_SWITCH));
		told[at] = true;
		found[sw]++;
	}
	EXPECT_EQ(found[0], cables);
	EXPECT_EQ(found[1], switches);
	ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES,
		  &part, &parts), 0);
	for (uint32_t i = 0; i < parts; i++) {
		bool sw = part[i] & WEFT_PART_SWITCH;

		EXPECT_EQ(told[sw ? f->nch + (part[i] & ~WEFT_PART_SWITCH) :
			  part[i]], is_single(f, part[i]));
	}
	free(part);
	free(single);
	free(told);
}

static void compare_spec(const char *spec, uint32_t cables, uint32_t switches)
{
	struct weft_fabric *f = route_fabric(spec, -1);

	compare(f, cables, switches);
	weft_fabric_free(f);
}

/* In a grid of one row each cable, and each switch but those at its ends, joins
 * what nothing else does. */
TEST(test_chain)
{
	compare_spec("mesh:5,hosts=2", 4, 3);
}

TEST(test_none)
{
	compare_spec("ring:5,hosts=2", 0, 0);
	compare_spec("pgft:2;4,4;1,4;1,1", 0, 0);
	compare_spec("torus:4x4", 0, 0);
}

/* One root, one cable from each leaf: all but the leaves. */
TEST(test_star)
{
	compare_spec("pgft:2;4,4;1,1;1,1", 4, 1);
}

/* A ring that was cut in two before: what is apart already is not counted. */
TEST(test_parts)
{
	struct weft_fabric *f = route_fabric("ring:8", -1), *left = NULL;
	uint32_t cut[2] = { WEFT_NONE, WEFT_NONE };

	for (uint32_t i = f->adj_first[0]; i < f->adj_first[1]; i++)
		if (f->peer[f->adj[i]] == 1)
			cut[0] = f->adj[i];
	for (uint32_t i = f->adj_first[4]; i < f->adj_first[5]; i++)
		if (f->peer[f->adj[i]] == 5)
			cut[1] = f->adj[i];
	ASSERT_EQ(weft_fabric_without(f, cut, 2, &left, NULL), 0);
	compare(left, 6, 4);
	weft_fabric_free(left);
	weft_fabric_free(f);
}

/* Random fabrics with few cables, so that some of them matter; how many, the
 * loss of each one tells. */
TEST(test_random)
{
	uint32_t some = 0;

	for (unsigned seed = 1; seed <= 20; seed++) {
		struct weft_fabric *f;
		uint32_t *single, n, cables = 0;
		char spec[80];

		snprintf(spec, sizeof(spec), "random:14x2,5,fail-links=20%%,seed=%u", seed);
		f = route_fabric(spec, -1);
		ASSERT_EQ(weft_fault_single_points(f, false, &single, &n), 0);
		for (uint32_t i = 0; i < n; i++)
			cables += !(single[i] & WEFT_PART_SWITCH);
		some += n > 0;
		compare(f, cables, n - cables);
		free(single);
		weft_fabric_free(f);
	}
	EXPECT(some > 0 && some < 20);
}
