// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast entries: trees, circles, pieces, loads. */
#include "../suite.h"

#include <weft/gen.h>
#include <weft/multicast.h>

#include <stdlib.h>

/* A tree of 2 leaves with 2 hosts at ports 1 and 2 and 2 spines at 3 and 4. */
static struct weft_fabric *tree(void)
{
	struct weft_fabric *f;

	ASSERT_EQ(weft_gen("pgft:2;2,2;1,2;1,1", &f, NULL), 0);
	ASSERT_EQ(f->nsw, 4);
	return f;
}

/* Switch, then its ports, 255 for the end. */
struct row {
	unsigned sw, mlid;
	unsigned char port[6];
};

static struct weft_multicast entries(const struct row *row, uint32_t n)
{
	struct weft_multicast m = { calloc(n, sizeof(*m.entry)), n };

	for (uint32_t i = 0; i < n; i++) {
		m.entry[i].sw = row[i].sw;
		m.entry[i].mlid = (uint16_t)row[i].mlid;
		for (int p = 0; row[i].port[p] != 255; p++)
			m.entry[i].ports[row[i].port[p] / 64] |=
				(uint64_t)1 << row[i].port[p] % 64;
	}
	weft_multicast_sort(&m);
	return m;
}

static void judge(const struct weft_fabric *f, const struct row *row,
		  uint32_t n, struct weft_multicast_verdict *v)
{
	struct weft_multicast m = entries(row, n);

	ASSERT_EQ(weft_multicast_judge(f, &m, v), 0);
	weft_multicast_free(&m);
}

/* Two groups; the second by the other spine, with a switch as a member. */
TEST(test_trees)
{
	static const struct row row[] = {
		{ 1, 0xc001, { 0, 1, 4, 255 } },
		{ 0, 0xc000, { 1, 3, 255 } },
		{ 0, 0xc000, { 2, 255 } },	/* more of the same */
		{ 1, 0xc000, { 2, 3, 255 } },
		{ 2, 0xc000, { 1, 2, 255 } },
		{ 3, 0xc001, { 1, 2, 255 } },
		{ 0, 0xc001, { 2, 4, 255 } },
		{ 2, 0xc001, { 255 } },		/* no ports: no entry */
	};
	struct weft_fabric *f = tree();
	struct weft_multicast_verdict v;

	judge(f, row, 8, &v);
	ASSERT_EQ(v.n, 2);
	EXPECT_EQ(v.broken, 0);
	EXPECT_EQ(v.group[0].mlid, 0xc000);
	EXPECT_EQ(v.group[0].switches, 3);
	EXPECT_EQ(v.group[0].members, 3);
	EXPECT_EQ(v.group[1].switches, 3);
	EXPECT_EQ(v.group[1].members, 3);
	EXPECT_EQ(v.group[1].trees, 1);
	EXPECT_EQ(v.max_load, 1);
	EXPECT_EQ(v.used, 8);
	EXPECT_EQ(v.load[weft_channel(f, 0, 3)], 1);
	EXPECT_EQ(v.load[weft_channel(f, 0, 1)], 0);
	weft_multicast_verdict_free(&v);
	weft_fabric_free(f);
}

TEST(test_broken)
{
	static const struct row row[] = {
		/* both spines: a circle of four cables */
		{ 0, 0xc000, { 1, 3, 4, 255 } },
		{ 1, 0xc000, { 1, 3, 4, 255 } },
		{ 2, 0xc000, { 1, 2, 255 } },
		{ 3, 0xc000, { 1, 2, 255 } },
		/* two pieces of 2 members and one */
		{ 0, 0xc001, { 1, 2, 255 } },
		{ 1, 0xc001, { 2, 255 } },
		/* the spine does not send back to the first leaf */
		{ 0, 0xc002, { 1, 3, 255 } },
		{ 1, 0xc002, { 1, 3, 255 } },
		{ 2, 0xc002, { 2, 255 } },
	};
	struct weft_fabric *f = tree();
	struct weft_multicast_verdict v;

	judge(f, row, 9, &v);
	ASSERT_EQ(v.n, 3);
	EXPECT_EQ(v.broken, 3);
	EXPECT_EQ(v.group[0].circles, 1);
	EXPECT_EQ(v.group[0].lost, 0);
	EXPECT_EQ(v.group[0].trees, 1);
	EXPECT(v.group[0].channel != WEFT_NONE);
	EXPECT_EQ(v.group[1].circles, 0);
	EXPECT_EQ(v.group[1].lost, 4);
	EXPECT_EQ(v.group[1].trees, 2);
	EXPECT_EQ(v.group[1].channel, WEFT_NONE);
	EXPECT_EQ(v.group[2].one_way, 1);
	EXPECT_EQ(v.group[2].lost, 2);
	EXPECT_EQ(v.group[2].channel, weft_channel(f, 0, 3));
	EXPECT_EQ(v.load[weft_channel(f, 0, 3)], 2);
	EXPECT_EQ(v.max_load, 2);
	weft_multicast_verdict_free(&v);
	weft_fabric_free(f);
}

/* A cable that is gone, and no group at all. */
TEST(test_nowhere)
{
	static const struct row row[] = { { 0, 0xc000, { 1, 3, 255 } } };
	struct weft_multicast none = { NULL, 0 };
	struct weft_fabric *f = tree(), *less;
	uint32_t ch = weft_channel(f, 0, 3);
	struct weft_multicast_verdict v;

	ASSERT_EQ(weft_fabric_without(f, &ch, 1, &less, NULL), 0);
	judge(less, row, 1, &v);
	EXPECT_EQ(v.group[0].nowhere, 1);
	EXPECT_EQ(v.broken, 0);
	weft_multicast_verdict_free(&v);
	ASSERT_EQ(weft_multicast_judge(f, &none, &v), 0);
	EXPECT_EQ(v.n, 0);
	EXPECT_EQ(v.max_channel, WEFT_NONE);
	weft_multicast_verdict_free(&v);
	weft_fabric_free(less);
	weft_fabric_free(f);
}
