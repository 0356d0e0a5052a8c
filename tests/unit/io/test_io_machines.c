// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which adapters are in one machine, as lists, hwloc and NCCL tell. */
#include "io_tables_util.h"

#include <weft/machines.h>

#include <errno.h>

/* Four hosts on a switch, whose adapters no name and no system tells. */
static struct weft_fabric *make(void)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 0x9000, 8);
	struct weft_fabric *f = NULL;

	for (unsigned i = 0; i < 4; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA,
					       0x506b4b0300f0a100 + 16 * i, 1);

		weft_builder_name(b, h, "host", 4);
		weft_builder_spec(b, h)->system_guid =
			0x506b4b0300f0a107 + 16 * i;
		weft_builder_link(b, sw, i + 1, h, 1,
				  (struct weft_rate){ 0, 0 });
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static int apply(const char *text, struct weft_fabric *f, struct heard *h)
{
	struct weft_adapters told;
	int err;

	heard_init(h);
	err = weft_io_read_machines(file_with(text, strlen(text)), &told,
				    &h->diag);
	if (err)
		return err;
	err = weft_adapters_apply(&told, f, &h->diag);
	weft_adapters_free(&told);
	return err;
}

/* The machines of the four hosts, and the NUMA nodes of their adapters. */
static void expect(const struct weft_fabric *f, const char *machines,
		   const char *numas)
{
	for (unsigned i = 0; i < 4; i++) {
		EXPECT_EQ(f->ep[i].machine, (uint32_t)(machines[i] - 'a'));
		EXPECT_EQ(f->node[f->ep[i].node].numa,
			  numas[i] == '-' ? 0 : numas[i] - '0' + 1);
	}
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
}

TEST(lists)
{
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply("# who is where\n506b:4b03:00f0:a100\tn1 0\n"
			"0x506b4b0300f0a127 n1 1 # by its system\n"
			"0x506b4b0300f0a130 n2 -1\n", f, &h), 0);
	assert_heard_count(&h, 0, 0);
	expect(f, "abac", "0-1-");
	EXPECT_EQ(f->ep[0].rail, 0);
	EXPECT_EQ(f->ep[2].rail, 1);
	EXPECT_EQ(f->nmachines, 3);
	weft_fabric_free(f);
}

/* Parts of a fabric know what was told of the whole. */
TEST(copies)
{
	struct weft_fabric *f = make(), *part = NULL;
	struct heard h;

	EXPECT_EQ(apply("0x506b4b0300f0a100 n1 0\n0x506b4b0300f0a110 n2 0\n"
			"0x506b4b0300f0a130 n1 1\n", f, &h), 0);
	expect(f, "abca", "00-1");
	ASSERT_EQ(weft_fabric_without(f, NULL, 0, &part, NULL), 0);
	expect(part, "abca", "00-1");
	weft_fabric_free(part);
	weft_fabric_free(f);
}

/* hwloc 2: NUMA nodes are memory of what is around adapters; a machine of two
 * has none that is near all. */
TEST(hwloc)
{
	static const char text[] =
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
		"<topology version=\"2.0\">\n"
		" <object type=\"Machine\" os_index=\"0\">\n"
		"  <info name=\"HostName\" value=\"n1\"/>\n"
		"  <object type=\"Package\" os_index=\"0\">\n"
		"   <object type=\"NUMANode\" os_index=\"0\" local_memory=\"7\"/>\n"
		"   <object type=\"Bridge\"><object type=\"PCIDev\">\n"
		"    <object type=\"OSDev\" name=\"mlx5_0\" osdev_type=\"3\">\n"
		"     <info name=\"NodeGUID\" value=\"506b:4b03:00f0:a100\"/>\n"
		"     <info name=\"SysImageGUID\" value=\"506b:4b03:00f0:a107\"/>\n"
		"    </object></object></object>\n"
		"  </object>\n"
		"  <object type=\"Package\" os_index=\"1\">\n"
		"   <object type=\"NUMANode\" os_index=\"1\"/>\n"
		"   <object type=\"OSDev\" name=\"mlx5_1\"><info value=\"506b:4b03:00f0:a120\" name='NodeGUID'/></object>\n"
		"  </object>\n"
		"  <object type=\"OSDev\" name=\"mlx5_2\"><info name=\"NodeGUID\" value=\"506b:4b03:00f0:a130\"/></object>\n"
		"  <!-- <object type=\"OSDev\"> > -->\n"
		" </object>\n</topology>\n";
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply(text, f, &h), 0);
	assert_heard_count(&h, 0, 0);
	expect(f, "abaa", "0-1-");
	weft_fabric_free(f);
}

/* hwloc 1: NUMA nodes are around adapters. */
TEST(hwloc_old)
{
	static const char text[] =
		"<topology>\n <object type=\"Machine\">\n"
		"  <object type=\"NUMANode\" os_index=\"4\">\n"
		"   <object type=\"OSDev\"><info name=\"NodeGUID\" value=\"506b:4b03:00f0:a110\"/></object>\n"
		"  </object>\n"
		"  <object type=\"NUMANode\" os_index=\"5\">\n"
		"   <object type=\"OSDev\"><info name=\"NodeGUID\" value=\"506b:4b03:00f0:a130\"/></object>\n"
		"  </object>\n </object>\n</topology>\n";
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply(text, f, &h), 0);
	expect(f, "abcb", "-4-5");
	weft_fabric_free(f);
}

/* NCCL writes system image GUIDs as they lie in memory, and no name. */
TEST(nccl)
{
	static const char text[] =
		"<system version=\"1\">\n"
		" <cpu numaid=\"0\" arch=\"x86_64\"><pci busid=\"0000:0a:00.0\">\n"
		"  <nic><net name=\"mlx5_0\" dev=\"0\" speed=\"200000\" port=\"1\" guid=\"0x7a1f000034b6b50\"/></nic>\n"
		" </pci></cpu>\n"
		" <cpu numaid=\"1\"><pci><nic>\n"
		"  <net name=\"mlx5_1\" guid=\"0x17a1f000034b6b50\"/>\n"
		"  <net name=\"eth0\" guid=\"0x0\"/>\n"
		" </nic></pci></cpu>\n"
		"</system>\n";
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply(text, f, &h), 0);
	assert_heard_count(&h, 0, 0);
	expect(f, "aabc", "01--");
	weft_fabric_free(f);
}

TEST(strangers)
{
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply("0x506b4b0300f0a100 n1\n0x77 n1\n0x78 n2\n", f, &h),
		  0);
	assert_heard_count(&h, 1, 0);
	assert_heard(&h, WEFT_WARNING, 2, "of 3 adapters the fabric lacks 2, first of them 0x0000000000000077");
	weft_fabric_free(f);
}

TEST(refused)
{
	static const struct {
		const char *text, *words;
		unsigned long line;
	} cases[] = {
		{ "", "no adapters in it; a line has a GUID", 0 },
		{ "0x506b4b0300f0a100\n", "an adapter without its machine", 1 },
		{ "0x0 n1\n", "not an adapter", 1 },
		{ "506b:4b03:00f0 n1\n", "expected a GUID", 1 },
		{ "506b:4b03:00f0:a100:1 n1\n", "expected a GUID", 1 },
		{ "\nmlx5_0 n1\n", "expected a GUID", 2 },
		{ "0x1 n1 x\n", "expected a NUMA node", 1 },
		{ "0x1 n1 300\n", "expected a NUMA node", 1 },
		{ "0x1 n1 0 0\n", "more than an adapter", 1 },
		{ "0x1 n1 0\n", "none of these adapters is in the fabric", 0 },
		{ "0x506b4b0300f0a100 n1 0\n0x506b4b0300f0a107 n2\n",
		  "in machine 'n2' here, and in 'n1' by", 2 },
		{ "\tGPU0\tGPU1\tNIC0\n", "nvidia-smi topo prints has no GUIDs",
		  0 },
		{ "<html>\n", "neither a topology of hwloc", 1 },
		{ "<topology>\n</topology>\n", "no InfiniBand adapter in it",
		  0 },
		{ "<topology>\n<object type=\"OSDev\n", "does not end", 2 },
		{ "<topology><!-- \n", "does not end", 1 },
		{ "<topology><object type=\"OSDev\">\n<info name=\"NodeGUID\" value=\"x\"/>",
		  "not the GUID of an adapter: \"x\"", 2 },
		{ "<system><net guid=\"12\"/></system>",
		  "not the GUID of an adapter", 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct weft_fabric *f = make();
		struct heard h;

		suite_case("%s", cases[i].text);
		EXPECT_EQ(apply(cases[i].text, f, &h), -EINVAL);
		assert_heard_count(&h, 0, 1);
		assert_heard(&h, WEFT_ERROR, cases[i].line, cases[i].words);
		weft_fabric_free(f);
	}
}
