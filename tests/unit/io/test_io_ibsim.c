// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ibsim's topologies, whose nodes have names of their own. */
#include "io_topology_util.h"

#define LEAF \
	"Switch\t8 \"sw1\"\n" \
	"[1]\t\"h1\"[1]\n" \
	"# a comment ends nothing\n" \
	"[2]\t\"h2\"\n" \
	"[3]\t\"sw2\" [5]\n" \
	"\n"
#define SPINE \
	"Switch 36 \"sw2\"\t# \"spine \"1\"\" enhanced port 0 lid 7 lmc 1\n" \
	"[5]\t\"sw1\"[3]\n" \
	"[6](12)\t\"h2\"[2](13)\t# \"two\" lid 12 4xHDR\n" \
	"\n"
#define HOSTS \
	"Hca\t1 \"h1\"\n" \
	"[1]\t\"sw1\"[1]\n" \
	"\n" \
	"Ca\t2 \"h2\"\t# host two lid 3 lmc 0\n" \
	"[1]\t\"sw1\"[2]\n" \
	"[2]\t\"sw2\"[6]\t# lid 12 lmc 2 \"spine \"1\"\" lid 7 4xHDR\n"
#define NET LEAF SPINE HOSTS

TEST(test_net)
{
	struct heard heard;
	struct weft_fabric *f = load_text(NET, &heard);
	uint32_t a = weft_fabric_switch_by_guid(f, 0x200000);
	uint32_t b = weft_fabric_switch_by_guid(f, 0x200001);
	uint32_t h1 = weft_fabric_endport_by_guid(f, 0x100001);
	/* one GUID for the node before it, and one for its port */
	uint32_t h2 = weft_fabric_endport_by_guid(f, 0x100004);

	assert_heard_count(&heard, 0, 0);
	assert_counts(f, 2, 2, 3, 4);
	ASSERT_STR(f->sw[a].name, "sw1");
	ASSERT_STR(f->sw[b].name, "spine \"1\"");
	ASSERT_EQ(f->sw[a].nports, 8);
	ASSERT_EQ(f->sw[b].nports, 36);
	ASSERT_EQ(f->sw[a].lid, 0);
	ASSERT_EQ(f->sw[b].lid, 7);
	ASSERT_EQ(f->sw[b].lmc, 1);
	ASSERT(f->sw[b].enhanced);
	ASSERT_EQ(f->peer[weft_channel(f, a, 3)], b);
	ASSERT_EQ(f->peer_port[weft_channel(f, a, 3)], 5);
	ASSERT_EQ(f->width[weft_channel(f, a, 3)], 4);
	ASSERT_EQ(f->speed[weft_channel(f, a, 3)], WEFT_SDR);
	ASSERT_EQ(f->speed[weft_channel(f, b, 6)], WEFT_HDR);
	ASSERT_STR(f->node[f->ep[h1].node].name, "h1");
	ASSERT_STR(f->node[f->ep[h2].node].name, "host two");
	ASSERT_EQ(f->ep[h2].lid, 12);
	ASSERT_EQ(f->ep[h2].lmc, 2);
	weft_fabric_free(f);
}

/* Lines may come in any order of sections, GUIDs follow them; a carriage
 * return and blanks do not matter. */
TEST(test_order)
{
	char *text = replaced(HOSTS "\n" SPINE LEAF, "\n", " \r\n");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_counts(f, 2, 2, 3, 4);
	ASSERT_STR(f->sw[weft_fabric_switch_by_guid(f, 0x200001)].name, "sw1");
	weft_fabric_free(f);
	free(text);
}

#define PAIR(settings, a, b) \
	settings "Switch 2 \"a\"\n[1] \"b\"[1] " a "\n\n" \
	"Switch 2 \"b\"\n[1] \"a\"[1] " b "\n"

/* Masks: the widest and fastest that is enabled. */
TEST(test_rates)
{
	static const struct {
		const char *text;
		unsigned width, speed, warnings;
	} sample[] = {
		{ PAIR("", "", ""), 4, WEFT_SDR, 0 },
		{ PAIR("", "w=3 s=7", "w=2 s=4"), 4, WEFT_QDR, 0 },
		{ PAIR("", "w=8 e=15", "w=8 e=8"), 12, WEFT_NDR, 0 },
		{ PAIR("", "w=16 s=2", "w=16 s=2"), 2, WEFT_DDR, 0 },
		{ PAIR("", "w=1 s=0", "w=1 s=0"), 1, WEFT_QDR, 0 },
		{ PAIR("", "e=1", "e=2"), 4, WEFT_FDR, 1 },
		{ PAIR("width=4\nspeed=1\nextspeed=6\n", "", ""), 8, WEFT_HDR,
			0 },
		{ PAIR("", "# 4xFDR10", "# \"a\" lid 1 4xFDR10"), 4,
			WEFT_FDR10, 0 },
	};

	for (size_t i = 0; i < sizeof(sample) / sizeof(*sample); i++) {
		struct heard heard;
		struct weft_fabric *f = load_text(sample[i].text, &heard);
		uint32_t c = weft_channel(f, 0, 1);

		suite_case("%zu", i);
		assert_heard_count(&heard, sample[i].warnings, 0);
		EXPECT_EQ(f->width[c], sample[i].width);
		EXPECT_EQ(f->speed[c], sample[i].speed);
		weft_fabric_free(f);
	}
}

TEST(test_guids)
{
	struct heard heard;
	struct weft_fabric *f = load_text(
		"switchguid=0x5000\nhcaguids=0x90(91)\n"
		"vendid=0x2c9\nsysimgguid=0x77\n" LEAF
		"switchguid+0x10\ncaguid+8\n" SPINE HOSTS, &heard);
	uint32_t a = weft_fabric_switch_by_guid(f, 0x5000);
	uint32_t b = weft_fabric_switch_by_guid(f, 0x5010);

	assert_heard_count(&heard, 0, 0);
	ASSERT(a != WEFT_NONE && b != WEFT_NONE);
	ASSERT_EQ(f->sw[a].vendor, 0x2c9);
	ASSERT_EQ(f->sw[a].system_guid, 0x77);
	ASSERT_EQ(f->sw[b].vendor, 0);
	ASSERT_EQ(f->sw[b].system_guid, 0);
	ASSERT(weft_fabric_endport_by_guid(f, 0x99) != WEFT_NONE);
	weft_fabric_free(f);
}

/* What a text cannot tell is said, and what to do about it. */
TEST(test_told)
{
	struct heard heard;
	struct weft_fabric *f = load_text("do Link \"a\"\ndo dump\n" NET,
					  &heard);

	assert_heard(&heard, WEFT_WARNING, 1, "not executed");
	assert_heard_count(&heard, 1, 0);
	weft_fabric_free(f);
	assert_refused(NET "include \"other\"\n", 17,
		       "put its text in the place");
	assert_refused("module \"m\"\n" NET, 1, "ibnetdiscover");
	assert_refused("Switch 2 \"a\"\n@[1] \"x\"\n", 2, "alias");
	assert_refused("Switch 2 \"a\"\n[1] \"@x\"\n", 2, "alias");
}

TEST(test_refused)
{
	assert_refused("Switch 8 \"a\"\n[1] \"b\"[1]\n", 2,
		       "\"b\", is described nowhere");
	assert_refused("Switch 8 \"a\"\n\nHca 1 \"a\"\n", 3,
		       "two nodes are called \"a\", the other one in line 1");
	assert_refused("Switch 8 \"a\"\n\n[1] \"a\"[2]\n", 3,
		       "no empty line may be between them");
	assert_refused("Switch 8 \"a\"\n[9] \"a\"[2]\n", 2, "has no port 9");
	assert_refused("Switch 8 \"a\"\n[1] \"a\"[9]\n", 2, "no port 9");
	assert_refused("Switch 300 \"a\"\n", 1, "1 to 254 are possible");
	assert_refused("Switch 8 \"a\"\n[x] \"a\"[2]\n", 2,
		       "expected the port");
	assert_refused("Switch 8 \"a\"\n[1] \"a[2]\n", 2,
		       "expected the node at the far end");
	assert_refused(PAIR("", "w=32", ""), 2, "a mask of widths, 1 to 31");
	assert_refused(PAIR("width=0\n", "", ""), 1, "a mask of widths");
	assert_refused(PAIR("switchguid 7\n", "", ""), 1, "expected = or +");
	assert_refused("Switch 8 \"a\"\nswitchguid+0\nSwitch 8 \"b\"\n", 3,
		       "GUIDs are used up");
	assert_refused("Hca 1 \"a\"\n", 0, "no switch is described");
}
