// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which adapters are of one machine, on which rails, and in which groups. */
#include "../suite.h"

#include <weft/fabric.h>
#include <weft/machines.h>

#include <stdlib.h>

struct node {
	const char *name;
	uint64_t system;
	unsigned ports;
	/* what is expected of its first port: a letter for each machine, in
	 * the order of nodes, and the rail */
	char machine;
	unsigned rail;
};

/* Cables the nodes to one switch, each by all of its ports. */
static struct weft_fabric *star(const struct node *node, unsigned n)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 0x9000, 64);
	struct weft_fabric *f = NULL;
	unsigned port = 1;

	for (unsigned i = 0; i < n; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x100 + 16 * i,
					       node[i].ports);

		weft_builder_name(b, h, node[i].name, strlen(node[i].name));
		weft_builder_spec(b, h)->system_guid = node[i].system;
		for (unsigned p = 1; p <= node[i].ports; p++)
			weft_builder_link(b, sw, port++, h, p,
					  (struct weft_rate){ 0, 0 });
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	return f;
}

static void check(const char *what, const struct node *node, unsigned n)
{
	struct weft_fabric *f = star(node, n);

	suite_case("%s", what);
	for (unsigned i = 0; i < n; i++) {
		uint32_t e = f->node_endport[f->node[i].first_endport];

		EXPECT_EQ(f->ep[e].machine, (uint32_t)(node[i].machine - 'a'));
		EXPECT_EQ(f->ep[e].rail, node[i].rail);
	}
	weft_fabric_free(f);
}

#define CHECK(what, ...) do { \
	static const struct node nodes[] = { __VA_ARGS__ }; \
	check(what, nodes, sizeof(nodes) / sizeof(nodes[0])); \
} while (0)

TEST(machines)
{
	CHECK("adapters are told by name",
	      { "n1 HCA-2", 0, 1, 'a', 1 }, { "n2 HCA-1", 0, 1, 'b', 0 },
	      { "n1 HCA-1", 0, 1, 'a', 0 }, { "n2 HCA-2", 0, 1, 'b', 1 });
	CHECK("rails are the same where an adapter is missing",
	      { "n1 mlx5_0", 0, 1, 'a', 0 }, { "n1 mlx5_3", 0, 1, 'a', 1 },
	      { "n1 mlx5_6", 0, 1, 'a', 2 }, { "n2 mlx5_6", 0, 1, 'b', 2 },
	      { "n3 mlx5_3", 0, 1, 'c', 1 }, { "n3 mlx5_6", 0, 1, 'c', 2 });
	CHECK("a number that no machine of several adapters has",
	      { "n1 HCA-5", 0, 1, 'a', 0 }, { "n2 HCA-1", 0, 1, 'b', 0 });
	CHECK("hosts that are all called alike stay apart",
	      { "localhost HCA-1", 0, 1, 'a', 0 },
	      { "localhost HCA-1", 0, 1, 'b', 0 },
	      { "localhost HCA-2", 0, 1, 'c', 0 });
	CHECK("numbers that name no adapter",
	      { "node 1", 0, 1, 'a', 0 }, { "node 2", 0, 1, 'b', 0 },
	      { "HCA-1", 0, 1, 'c', 0 }, { "HCA-2", 0, 1, 'd', 0 });
	CHECK("ports of an adapter",
	      { "n1 HCA-1", 0, 2, 'a', 0 }, { "n1 HCA-2", 0, 2, 'a', 2 },
	      { "n2 HCA-1", 0, 1, 'b', 0 });
	CHECK("adapters with one system image GUID",
	      { "x", 7, 1, 'a', 0 }, { "y", 8, 1, 'b', 0 },
	      { "z", 7, 1, 'a', 1 });
	CHECK("different kinds of names",
	      { "n1 mlx5_0", 0, 1, 'a', 0 }, { "n1 mlx5_1", 0, 1, 'a', 1 },
	      { "n2 HCA-1", 0, 1, 'b', 0 }, { "n2 HCA-2", 0, 1, 'b', 1 });
}

TEST(one_system_guid_everywhere)
{
	struct node node[40];
	struct weft_fabric *f;

	for (unsigned i = 0; i < 40; i++)
		node[i] = (struct node){ "x", 5, 1, 'a', 0 };
	f = star(node, 40);
	EXPECT_EQ(f->nmachines, 40);
	weft_fabric_free(f);
}

TEST(groups)
{
	static const struct node nodes[] = {
		{ "n1 HCA-1", 0, 1, 'a', 0 }, { "n1 HCA-2", 0, 1, 'a', 1 },
		{ "io1", 0, 1, 'b', 0 }, { "n2 HCA-1", 0, 1, 'c', 0 },
	};
	static const char *const kind[] = { "compute", "storage", "idle" };
	static const uint8_t use[] = { 0, 0, 1, 0 };
	struct weft_fabric *f = star(nodes, 4), *copy;

	EXPECT_EQ(f->ngroups, 2);
	ASSERT_EQ(weft_fabric_use(f, use, kind, 3), 0);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	ASSERT_EQ(f->ngroups, 3);
	EXPECT_EQ(f->group[0].nendports, 2);
	EXPECT_EQ(f->group[1].rail, 1);
	EXPECT_STR(f->group[2].kind, "storage");
	EXPECT_EQ(f->ep[2].group, 2);

	/* Copies keep them, whether whole or without a cable. */
	ASSERT_EQ(weft_fabric_assign_lids(f, -1, &copy, NULL), 0);
	ASSERT_EQ(weft_fabric_check(copy, NULL), 0);
	EXPECT_EQ(copy->ep[2].group, 2);
	weft_fabric_free(f);
	ASSERT_EQ(weft_fabric_without(copy, &copy->first_injection, 1, &f,
				      NULL), 0);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	EXPECT_EQ(f->nep, 3);
	EXPECT_STR(f->group[f->ep[1].group].kind, "storage");
	weft_fabric_free(copy);
	weft_fabric_free(f);
}

TEST(rules)
{
	static const struct node nodes[] = {
		{ "n1 HCA-1", 0, 1, 'a', 0 }, { "n1 HCA-2", 0, 1, 'a', 1 },
		{ "x", 7, 1, 'b', 0 }, { "y", 7, 1, 'b', 1 },
	};
	static const struct {
		enum weft_machines_by by;
		uint32_t machines, groups;
		const char *word;
	} rule[] = {
		{ WEFT_MACHINES_AUTO, 2, 2, "auto" },
		{ WEFT_MACHINES_NAME, 3, 2, "name" },
		{ WEFT_MACHINES_SYSTEM, 3, 2, "system" },
		{ WEFT_MACHINES_NODE, 4, 1, "node" },
	};
	struct weft_fabric *f = star(nodes, 4), *copy;
	enum weft_machines_by by = WEFT_MACHINES_NODE;

	EXPECT(!weft_machines_rule("nodes", &by));
	EXPECT_EQ(by, WEFT_MACHINES_NODE);

	for (unsigned i = 0; i < 4; i++) {
		suite_case("%u", i);
		ASSERT(weft_machines_rule(rule[i].word, &by));
		ASSERT_EQ(by, rule[i].by);
		ASSERT_EQ(weft_fabric_machines(f, rule[i].by), 0);
		ASSERT_EQ(weft_fabric_check(f, NULL), 0);
		EXPECT_EQ(f->nmachines, rule[i].machines);
		EXPECT_EQ(f->ngroups, rule[i].groups);
		ASSERT_EQ(weft_fabric_without(f, NULL, 0, &copy, NULL), 0);
		EXPECT_EQ(copy->nmachines, rule[i].machines);
		weft_fabric_free(copy);
	}
	weft_fabric_free(f);
}
