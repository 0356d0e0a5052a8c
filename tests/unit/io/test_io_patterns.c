// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading patterns, communication matrices and lists of hosts. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>

/* What a pattern reads as: "RANKS: FROM-TO*SIZE ... | ...". */
static void describe(const struct weft_pair_list *l, char *text, size_t size)
{
	size_t n = snprintf(text, size, "%u:", l->nranks);

	for (uint32_t r = 0; r < l->nrounds; r++) {
		if (r)
			n += snprintf(text + n, size - n, " |");
		for (uint64_t i = l->first[r]; i < l->first[r + 1]; i++) {
			n += snprintf(text + n, size - n, " %u-%u",
				      l->pair[i].from, l->pair[i].to);
			if (l->size)
				n += snprintf(text + n, size - n, "*%g",
					      l->size[i]);
		}
	}
}

static void reads_as(const char *text, const char *expected)
{
	struct weft_pair_list list = { 0 };
	struct heard heard;
	char got[1024];

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_pattern(file_with(text, strlen(text)), &list,
		  &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	describe(&list, got, sizeof(got));
	ASSERT_STR(got, expected);
	weft_pair_list_free(&list);
}

TEST(test_pairs)
{
	reads_as("0 1\n2 3\n", "4: 0-1 2-3");
	reads_as("# comment\n\n  0\t1 \r\n", "2: 0-1");
	reads_as("ranks 9\n0 1 2.5\n1 0", "9: 0-1*2.5 1-0*1");
	reads_as("0 1 1\n1 0 1.0\n", "2: 0-1 1-0");
	reads_as("round\n0 1\nround\nround\n0 1\n", "2: 0-1 | | 0-1");
	reads_as("0 1\nround\n1 0\n", "2: 0-1 | 1-0");
}

TEST(test_matrices)
{
	reads_as("0,5,0\n1.5,9,0\n0,2,7\n", "3: 0-1*5 1-0*1.5 2-1*2");
	reads_as("# bytes\n; 3\n1e3; 0\n", "2: 0-1*3 1-0*1000");
	reads_as("0,1\n1,0\n", "2: 0-1 1-0");
	reads_as("%%MatrixMarket matrix coordinate real general\n% c\n"
		 "3 3 3\n1 2 5\n3 1 0.5\n2 2 7\n", "3: 0-1*5 2-0*0.5");
	reads_as("%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n4 3\n",
		 "4: 1-0 0-1 3-2 2-3");
	reads_as("%%MatrixMarket matrix array integer general\n2 2\n0\n4\n2\n0\n",
		 "2: 1-0*4 0-1*2");
	reads_as("%%MatrixMarket matrix array real symmetric\n2 2\n0\n4\n0\n",
		 "2: 1-0*4 0-1*4");
}

static void refuses(const char *text, unsigned long line, const char *words)
{
	struct weft_pair_list list = { .nranks = 77 };
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_pattern(file_with(text, strlen(text)), &list,
		  &heard.diag), -EINVAL);
	assert_heard_count(&heard, 0, 1);
	assert_heard(&heard, WEFT_ERROR, line, words);
	ASSERT_EQ(list.nranks, 77);
}

TEST(test_bad_pairs)
{
	refuses("", 0, "no pair of ranks");
	refuses("round\nround\n", 0, "no pair of ranks");
	refuses("ranks 0\n", 1, "0 ranks; there are 1 to");
	refuses("ranks 4\n0 4\n", 2, "rank 4, but ranks are 0 to 3");
	refuses("0 1\n0 99999999\n", 2, "ranks at most");
	refuses("0 1\n2 2\n", 2, "rank 2 sends to itself");
	refuses("0 1\n1 0\n0 1\n", 3,
		"rank 0 sends to rank 1 twice in one round; first in line 1");
	refuses("0 1\nranks 4\n", 2, "comes first");
	refuses("ranks 4\nranks 4\n", 2, "comes first");
	refuses("ranks four\n", 1, "no number of ranks");
	refuses("0 -1\n", 1, "not 'FROM TO [SIZE]'");
	refuses("0\n", 1, "not 'FROM TO [SIZE]'");
	refuses("0 1 2 3\n", 1, "not 'FROM TO [SIZE]'");
	refuses("0 1 0\n", 1, "larger than 0");
	refuses("0 1 -2\n", 1, "larger than 0");
	refuses("0 1 nan\n", 1, "not 'FROM TO [SIZE]'");
	refuses("round 2\n", 1, "what is this?");
}

TEST(test_bad_matrices)
{
	refuses("0,0\n0,0\n", 0, "no pair of ranks");
	refuses("0,1\n", 0, "1 rows, but 2 columns");
	refuses("0,1\n1,0,0\n", 2, "3 values, but 2 in the first row");
	refuses("0,1\n1,0\n0,0\n", 3, "more rows than the 2 columns");
	refuses("0,x\n1,0\n", 1, "not a number");
	refuses("0,-1\n1,0\n", 1, "not an amount");
	refuses("0,1 2\n1,0\n", 1, "no comma");
	refuses("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", 1,
		"not 'real'");
	refuses("%%MatrixMarket vector\n", 1, "neither 'coordinate'");
	refuses("%%MatrixMarket matrix array real skew\n", 1,
		"neither 'general'");
	refuses("%%MatrixMarket matrix array real general\n", 0, "no size");
	refuses("%%MatrixMarket matrix array real general\n2 3\n", 2,
		"2 rows, 3 columns");
	refuses("%%MatrixMarket matrix array real general\n0 0\n", 2,
		"0 rows, 0 columns");
	refuses("%%MatrixMarket matrix array real general\n2 2\n0\n1\n", 0,
		"2 entries, but 4 announced");
	refuses("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n",
		3, "row 3, column 1: they are 1 to 2");
	refuses("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n1 2 6\n",
		4, "twice");
	refuses("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n",
		0, "1 entries, but 2 announced");
}

TEST(test_more_ranks_than_hosts)
{
	struct weft_fabric *f = small_fabric();
	const struct weft_mapping_spec spec = { .ranks = 4 };
	struct weft_mapping m = { .nranks = 77 };
	struct weft_pair_list list;
	struct weft_traffic *t = NULL;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_mapping_init(&m, f, &spec, &heard.diag), -EINVAL);
	assert_heard(&heard, WEFT_ERROR, 0, "4 ranks, but only 3 hosts");
	ASSERT_EQ(m.nranks, 77);
	ASSERT_EQ(weft_io_read_pattern(file_with("0 3\n", 4), &list,
		  &heard.diag), 0);
	ASSERT_EQ(weft_traffic_from_list(&list, 3, &t, &heard.diag), -EINVAL);
	assert_heard(&heard, WEFT_ERROR, 0, "has 4 ranks, more than the 3");
	ASSERT(!t);
	weft_pair_list_free(&list);
	weft_fabric_free(f);
}

/* Switch 0x1 with hosts node1, node02, "a b", gpu-1.site, node10. */
static struct weft_fabric *named_fabric(void)
{
	static const char *const names[] = {
		"node1 mlx5_0", "node02 HCA-1", "a b", "gpu-1.site", "node10",
	};
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f;
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 8);

	for (unsigned i = 0; i < 5; i++) {
		uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 0x10 + i, 1);

		weft_builder_name(b, ca, names[i], strlen(names[i]));
		weft_builder_port(b, ca, 1)->guid = 0x10 + i;
		weft_builder_port(b, ca, 1)->lid = i + 1;
		weft_builder_link(b, ca, 1, sw, i + 1,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static void hosts_are(const char *text, const char *expected)
{
	struct weft_fabric *f = named_fabric();
	struct heard heard;
	uint32_t *endport, n;
	char got[256] = "";

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_hosts(file_with(text, strlen(text)), f, &endport,
		  &n, &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	for (uint32_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%u",
			 endport[i]);
	ASSERT_STR(got, expected);
	free(endport);
	weft_fabric_free(f);
}

TEST(test_hosts)
{
	hosts_are("node1\n# c\n\nnode02\nnode1\n", "010");
	hosts_are("node10 slots=3 max_slots=4\nnode1\n", "4440");
	hosts_are("node10:2\nnode1:1\n", "440");
	hosts_are("node1 mlx5_0\n", "0");
	hosts_are("\"a b\"\n\"node02 HCA-1\"\n", "21");
	hosts_are("gpu-1\ngpu-1.site\nnode1.cluster\n", "330");
	hosts_are("0x12\n0x0000000000000014:2\n", "244");
	hosts_are("node[1,02,10]\n", "014");
	hosts_are("node[02-02],gpu-[1].site,node1\n", "130");
	hosts_are("rank 1=node1 slot=0\nrank 0=node02\n", "10");
}

/* "NAME=ids ..." of each group. */
static void groups_are(const char *text, const char *expected)
{
	struct weft_fabric *f = named_fabric();
	struct weft_host_groups groups;
	struct heard heard;
	char got[256] = "";

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_groups(file_with(text, strlen(text)), f, &groups,
		  &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	for (uint32_t g = 0; g < groups.n; g++) {
		const struct weft_host_group *one = &groups.group[g];
		size_t n = strlen(got);

		n += snprintf(got + n, sizeof(got) - n, "%s%s=", g ? " " : "",
			      one->name);
		for (uint32_t i = 0; i < one->n; i++)
			n += snprintf(got + n, sizeof(got) - n, "%u",
				      one->endport[i]);
	}
	ASSERT_STR(got, expected);
	weft_host_groups_free(&groups);
	weft_fabric_free(f);
}

TEST(test_groups)
{
	groups_are("a node[1,10]\n", "a=04");
	groups_are("a: node10,node1\n\n # c\nb = gpu-1 # one\n", "a=04 b=3");
	groups_are("a node1\nb node10\na=node[02-02],node1\n", "a=01 b=4");
	groups_are("PartitionName=p Default=YES Nodes=node[1,02] X=y\n"
		   "PartitionName=q Nodes=ALL\n", "p=01");
	groups_are("a:0x12\n", "a=2");
}

static void groups_refused(const char *text, unsigned long line,
			   const char *words)
{
	struct weft_fabric *f = named_fabric();
	struct weft_host_groups groups = { .n = 7 };
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_groups(file_with(text, strlen(text)), f, &groups,
		  &heard.diag), -EINVAL);
	assert_heard_count(&heard, 0, 1);
	assert_heard(&heard, WEFT_ERROR, line, words);
	ASSERT_EQ(groups.n, 7);
	weft_fabric_free(f);
}

TEST(test_bad_groups)
{
	groups_refused("", 0, "no group in it");
	groups_refused("# a node1\n", 0, "no group in it");
	groups_refused("a node1\nb node[1-2]\n", 2, "has no host 'node2'");
	groups_refused("a\n", 1, "not a group and its hosts");
	groups_refused("= node1\n", 1, "not a group and its hosts");
	groups_refused("a node1 node02\n", 1, "not a group and its hosts");
	groups_refused("a node[1\n", 1, "bracket is left open");
}

static void hosts_refused(const char *text, unsigned long line,
			  const char *words)
{
	struct weft_fabric *f = named_fabric();
	struct heard heard;
	uint32_t *endport = NULL, n = 7;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_hosts(file_with(text, strlen(text)), f, &endport,
		  &n, &heard.diag), -EINVAL);
	assert_heard_count(&heard, 0, 1);
	assert_heard(&heard, WEFT_ERROR, line, words);
	ASSERT(!endport);
	ASSERT_EQ(n, 7);
	weft_fabric_free(f);
}

/* Ranks stand on the adapters of a machine in turn, unless one is named. */
TEST(test_adapters)
{
	struct weft_fabric *f = NULL;
	const char *text = "gpu001 slots=3\ngpu[001-002]\n\"gpu001 mlx5_1\"\n";
	uint32_t *endport = NULL, n = 0, m;

	ASSERT_EQ(weft_gen("rails:gpus=2,hosts=2,radix=4", &f, NULL), 0);
	ASSERT_EQ(weft_io_read_hosts(file_with(text, strlen(text)), f,
				     &endport, &n, NULL), 0);
	ASSERT_EQ(n, 6);
	m = f->ep[endport[0]].machine;
	for (uint32_t i = 0; i < 4; i++) {
		EXPECT_EQ(f->ep[endport[i]].machine, m);
		EXPECT_EQ(f->ep[endport[i]].rail, i % 2);
	}
	EXPECT_NE(f->ep[endport[4]].machine, m);
	EXPECT_EQ(f->ep[endport[4]].rail, 0);
	EXPECT_EQ(endport[5], endport[1]);
	free(endport);
	weft_fabric_free(f);
}

/* A group has all adapters of its hosts. */
TEST(test_groups_of_machines)
{
	struct weft_fabric *f = NULL;
	const char *text = "a gpu[001-002]\nb gpu002\n";
	struct weft_host_groups groups;

	ASSERT_EQ(weft_gen("rails:gpus=2,hosts=2,radix=4", &f, NULL), 0);
	ASSERT_EQ(weft_io_read_groups(file_with(text, strlen(text)), f,
				      &groups, NULL), 0);
	ASSERT_EQ(groups.n, 2);
	EXPECT_EQ(groups.group[0].n, 4);
	EXPECT_EQ(groups.group[1].n, 2);
	weft_host_groups_free(&groups);
	weft_fabric_free(f);
}

TEST(test_bad_hosts)
{
	hosts_refused("", 0, "no host in it");
	hosts_refused("node1\nnode2\n", 2, "has no host 'node2'");
	hosts_refused("node[1-2]\n", 1, "has no host 'node2'");
	hosts_refused("node[1\n", 1, "bracket is left open");
	hosts_refused("node[x]\n", 1, "no number in the brackets");
	hosts_refused("node[2-1]\n", 1, "no range in the brackets");
	hosts_refused("node[1-]\n", 1, "no range in the brackets");
	hosts_refused("node1 slots=x\n", 1, "no number of slots");
	hosts_refused("node1 slots=99999999\n", 1, "too many ranks");
	hosts_refused("\"node1\n", 1, "no name");
	hosts_refused("rank 0=node1\nrank 0=node02\n", 2,
		      "has a host already");
	hosts_refused("rank 1=node1\n", 0, "rank 0 has no host");
	hosts_refused("rank x=node1\n", 1, "not 'rank N=HOST'");
	hosts_refused("rank 0=node1\nnode02\n", 2, "with and without number");
}
