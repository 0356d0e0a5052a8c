// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ibnetdiscover's classic layout in all its forms. */
#include "io_topology_util.h"

TEST(test_classic)
{
	struct heard heard;
	struct weft_fabric *f = load_text(TEXT, &heard);
	uint32_t a, b, d;

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->nhosts, 3);
	a = weft_fabric_switch_by_guid(f, 0xa0);
	ASSERT_EQ(f->sw[a].port_guid, 0xa1);
	ASSERT_EQ(f->sw[a].system_guid, 0xaf);
	ASSERT_EQ(f->sw[a].nports, 4);
	ASSERT_EQ(f->sw[a].enhanced, 1);
	ASSERT_EQ(f->sw[a].vendor, 0x2c9);
	ASSERT_EQ(f->sw[a].device, 0xd2f0);
	ASSERT_EQ(f->sw[a].lid, 1);
	ASSERT_STR(f->sw[a].name, "leaf \\\"#1\\\"");
	ASSERT_EQ(f->sw[1 - a].nports, 129);
	ASSERT_EQ(f->sw[1 - a].enhanced, 0);
	ASSERT_EQ(f->peer[weft_channel(f, a, 3)], a);
	ASSERT_EQ(f->peer_port[weft_channel(f, a, 3)], 4);
	ASSERT_EQ(f->width[weft_channel(f, a, 3)], 1);
	ASSERT_EQ(f->speed[weft_channel(f, a, 3)], WEFT_XDR);

	b = weft_fabric_endport_by_guid(f, 0xb1);
	ASSERT_EQ(f->ep[b].lid, 4);
	ASSERT_EQ(f->ep[b].lmc, 2);
	ASSERT_EQ(f->ep[b].sw_port, 129);
	ASSERT_EQ(f->width[f->first_injection + b], 12);
	ASSERT_EQ(f->speed[f->first_injection + b], WEFT_QDR);
	ASSERT_EQ(f->node[f->ep[b].node].nports, 2);
	ASSERT_EQ(f->node[f->ep[b].node].guid, 0xb0);
	d = weft_fabric_endport_by_guid(f, 0xd2);
	ASSERT_EQ(f->ep[d].port, 2);
	ASSERT_EQ(f->ep[d].lid, 12);
	ASSERT_EQ(f->node[f->ep[d].node].nendports, 2);
	ASSERT_EQ(weft_lid_owner(f, 15), d | WEFT_ENDPORT);
	weft_fabric_free(f);
}

/* A text that must load without a word and as the same fabric as TEXT. */
static void same_as_classic(const char *text)
{
	struct heard heard;
	struct weft_fabric *classic = load_text(TEXT, &heard);
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_same_fabric(classic, f);
	weft_fabric_free(classic);
	weft_fabric_free(f);
}

static void same_when_replaced(const char *from, const char *to)
{
	char *text = replaced(TEXT, from, to);

	same_as_classic(text);
	free(text);
}

TEST(test_blanks_and_line_ends)
{
	char *text = replaced(TEXT, "\t", "    ");

	same_as_classic(text);
	free(text);
	same_when_replaced("\t\t", "\t");
	same_when_replaced("\n", "\r\n");
	same_when_replaced("\n", "\r\r\n");
	same_when_replaced("\n", "\n\n");
	same_when_replaced("\n", "   \n");
	same_when_replaced("\n", "\n  \t");
	same_when_replaced(TEXT_HEAD, "\xef\xbb\xbf");
	same_when_replaced(TEXT_HEAD, "\xef\xbb\xbf" TEXT_HEAD);
}

TEST(test_no_final_newline)
{
	struct heard heard;
	struct weft_fabric *f, *classic = load_text(TEXT, &heard);

	ASSERT_EQ(read_text(TEXT, strlen(TEXT) - 1, &f, &heard), 0);
	assert_heard_count(&heard, 0, 0);
	assert_same_fabric(classic, f);
	weft_fabric_free(f);
	weft_fabric_free(classic);
}

TEST(test_full)
{
	same_when_replaced("4xHDR\n", "4xHDR s=4 w=2 v=4\n");
	same_when_replaced("12xQDR\n", "12xQDR s=4 w=8 v=8\n");
	same_when_replaced("4xEDR\n", "4xEDR slot 3\n");
}

TEST(test_verbose)
{
	same_as_classic(
		"DR path slid 0; dlid 0; 0 -> new Channel Adapter {00000000000000b0} portnum 1 lid 0-0 \"\"\n"
			"DR path slid 0; dlid 0; 0,1 -> new Switch {00000000000000a0} portnum 0 lid 0-0 \"\"\n"
			TEXT);
}

TEST(test_chassis)
{
	same_as_classic(TEXT_HEAD "\nChassis 1 (guid 0xaf)\n\n# Spine Nodes\n"
			TEXT_SWITCH_C "\n# Line Nodes\n" TEXT_SWITCH_A
			"\nNon-Chassis Nodes\n\n" TEXT_HOST_D "\n"
			TEXT_HOST_B);
	same_when_replaced("sysimgguid=0xaf",
			   "sysimgguid=0xaf\t\t# Chassis 1 (box) slot 3");
	same_when_replaced("switchguid=0xa0(a1)",
			   "switchguid=0xa0(a1)\t# ISR9288 line 4 chip 1");
	same_when_replaced("[1]\t\"S-", "[1][ext 17]\t\"S-");
	same_when_replaced("\"[1](d1)", "\"[1][ext 2] (d1)");
}

/* -g prints the switches of a chassis as spine or line, then all of them. */
TEST(test_described_twice)
{
	struct heard heard;
	struct weft_fabric *f, *classic = load_text(TEXT, &heard);

	f = load_text(TEXT "\n# Chassis Switches\n" TEXT_SWITCH_C, &heard);
	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(heard.diag.count[WEFT_NOTE], 1);
	assert_same_fabric(classic, f);
	weft_fabric_free(f);
	weft_fabric_free(classic);
}

/* Some versions write 0x within parentheses, too. */
TEST(test_guid_prefixes)
{
	same_when_replaced("switchguid=0xa0(a1)", "switchguid=0xa0(0xa1)");
	same_when_replaced("\"[1](d1)", "\"[1](0xd1)");
}

TEST(test_ibdiagnet)
{
	same_when_replaced("switchguid=0xa0(a1)", "switchguid=0xaf(a1)");
	same_when_replaced("[1]\t\"S-", "[1](1/1/1) \"S-");
	same_when_replaced("[1]\t\"S-", "[1](swp 1) \"S-");
}

TEST(test_ibdiagnet_labels)
{
	char *a = replaced(TEXT, "[1](b1) \t", "[1](HCA-1/1)(b1) ");
	char *b = replaced(a, "\"[129]\t", "\"[129](33/1)\t");

	same_as_classic(b);
	free(a);
	free(b);
	a = replaced(TEXT, "[1](d1)", "[1](1)(d1)");
	b = replaced(a, "[2](d2)", "[2](N/A)(d2)");
	same_as_classic(b);
	free(a);
	free(b);
}

TEST(test_terminal_log)
{
	struct heard heard;
	struct weft_fabric *f, *classic = load_text(TEXT, &heard);
	char *text = replaced(TEXT_SWITCH_A "\n" TEXT_SWITCH_C, "\t", " ");
	char *log;

	ASSERT(asprintf(&log, "\xef\xbb\xbfLast login: Mon\n"
	       "[root@node01 ~]# ibnetdiscover\n%s\n"
	       "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1) bad\n"
	       TEXT_HOST_B "\n" "ibwarn: [7] mad_rpc: timed out\n"
	       "[1]+  Done                    sleep 5\n"
	       "[2] 4711\n[12345.678] mlx5_core: link up\n" TEXT_HOST_D
	       "[root@node01 ~]# ", text) > 0);
	free(text);
	text = replaced(log, "\n", "\r\n");
	f = load_text(text, &heard);
	assert_heard(&heard, WEFT_WARNING, 1, "\"Last login: Mon\"; 7 more");
	assert_heard_count(&heard, 1, 0);
	assert_same_fabric(classic, f);
	weft_fabric_free(f);
	weft_fabric_free(classic);
	free(log);
	free(text);
}

/* Releases of 2006: no speed, no port GUID, no GUID in brackets. */
TEST(test_old_release)
{
	static const char text[] =
		"vendid=0x8f1\n"
		"devid=0x5a30\n"
		"sysimgguid=0x8f10400411a09\n"
		"switchguid=0x8f10400411a08\n"
		"Switch  24 \"S-0008f104003f1e29\"         # \"sLB-2024\" base port 0 lid 742 lmc 0\n"
		"[24]    \"H-0002c90200247010\"[1]         # \"atlas35\" lid 1252\n"
		"[23]    \"H-0002c90200247010\"[2]         # \"atlas35\" lid 1260\n\n"
		"vendid=0x2c9\n"
		"devid=0x5a44\n"
		"caguid=0x2c90200247010\n"
		"Ca      2 \"H-0002c90200247010\"          # \"atlas35\"\n"
		"[1]     \"S-0008f104003f1e29\"[24]        # lid 1252 lmc 0 \"sLB-2024\" lid 742\n"
		"[2]     \"S-0008f104003f1e29\"[23]        # lid 1260 lmc 0 \"sLB-2024\" lid 742\n";
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_counts(f, 1, 1, 2, 2);
	ASSERT_EQ(f->sw[0].guid, 0x8f104003f1e29);
	ASSERT_EQ(f->sw[0].port_guid, 0x8f104003f1e29);
	ASSERT_EQ(f->ep[0].guid, 0x2c90200247011);
	ASSERT_EQ(f->ep[1].guid, 0x2c90200247012);
	ASSERT_EQ(f->speed[weft_channel(f, 0, 24)], WEFT_SPEED_UNKNOWN);
	weft_fabric_free(f);
}

TEST(test_names)
{
	static const char *const name[] = {
		"", " ", "a # b", "a \"quoted\" b", "\" lid 7 4xSDR", "#",
		"[1]\t\"S-00\"[2]", "ends with \"", "caf\xc3\xa9 \xff\x01",
		"GUID=0x00066a00e8001310 L101", "tab\there", "blank ",
	};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		char *text = replaced(TEXT, "\"host\"\n", "\"@\"\n");
		char *named = replaced(text, "@", name[i]);
		struct heard heard;
		struct weft_fabric *again, *f = load_text(named, &heard);
		uint32_t b = weft_fabric_endport_by_guid(f, 0xb1);
		char *out = written(f);

		assert_heard_count(&heard, 0, 0);
		ASSERT_STR(f->node[f->ep[b].node].name, name[i]);
		again = load_text(out, &heard);
		assert_same_fabric(f, again);
		weft_fabric_free(f);
		weft_fabric_free(again);
		free(text);
		free(named);
		free(out);
	}
}

/* What follows a name begins right after its last quotation mark. */
TEST(test_fact_after_name)
{
	char *a = replaced(TEXT, "\"spine\" lid 2 4xHDR", "\"spine 4\"4xHDR");
	char *b = replaced(a, "\"leaf\" lid 1 4xHDR", "\"leaf 4\"4xHDR");
	struct heard heard;
	struct weft_fabric *whole = load_text(TEXT, &heard);
	struct weft_fabric *f = load_text(b, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_same_fabric(f, whole);
	weft_fabric_free(whole);
	weft_fabric_free(f);
	free(a);
	free(b);
}

/* Two switches and all adapters of one name are still as many. */
TEST(test_equal_names)
{
	char *a = replaced(TEXT, "\"leaf \\\"#1\\\"\"", "\"x\"");
	char *b = replaced(a, "\"spine\"", "\"x\"");
	char *c = replaced(b, "\"host\"", "\"x\"");
	char *d = replaced(c, "\"dual\"", "\"x\"");
	struct heard heard;
	struct weft_fabric *f = load_text(d, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	free(a);
	free(b);
	free(c);
	free(d);
}

TEST(test_router_and_aggregation)
{
	char *a = replaced(TEXT, "H-00000000000000b0", "R-00000000000000b0");
	char *b = replaced(a, "caguid=0xb0\nCa", "rtguid=0xb0\nRt");
	char *c = replaced(b, "\"dual\"",
			   "\"Mellanox Technologies Aggregation Node\"");
	struct heard heard;
	struct weft_fabric *again, *f = load_text(c, &heard);
	uint32_t e = weft_fabric_endport_by_guid(f, 0xb1);
	char *out = written(f);

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->ep[e].kind, WEFT_ROUTER);
	e = weft_fabric_endport_by_guid(f, 0xd1);
	ASSERT_EQ(f->ep[e].kind, WEFT_AGGREGATION);
	ASSERT_EQ(f->nhosts, 0);
	again = load_text(out, &heard);
	ASSERT_EQ(again->nhosts, 0);
	assert_same_fabric(f, again);
	weft_fabric_free(f);
	weft_fabric_free(again);
	free(a);
	free(b);
	free(c);
	free(out);
}

/* By its device as well, when it was given another name. */
TEST(test_named_aggregation_node)
{
	char *text = replaced(TEXT, "devid=0x1003\nsysimgguid=0xbf",
			      "devid=0xcf09\nsysimgguid=0xbf");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	uint32_t b = weft_fabric_endport_by_guid(f, 0xb1);

	assert_text_counts(f);
	ASSERT_EQ(f->ep[b].kind, WEFT_AGGREGATION);
	ASSERT_EQ(f->nhosts, 2);
	weft_fabric_free(f);
	free(text);
}

/* Planes: ports of one node with one GUID and one LID. */
TEST(test_planes)
{
	char *a = replaced(TEXT, "(d2)", "(d1)");
	char *b = replaced(a, "lid 12 ", "lid 8 ");
	struct heard heard;
	struct weft_fabric *again, *f = load_text(b, &heard);
	uint32_t d = weft_fabric_endport_by_guid(f, 0xd1);
	char *out = written(f);

	assert_heard_count(&heard, 0, 0);
	assert_heard(&heard, WEFT_NOTE, 35, "shares GUID and LID");
	assert_text_counts(f);
	ASSERT_EQ(f->ep[d].port, 1);
	ASSERT_EQ(f->ep[d].lid, 8);
	ASSERT_EQ(f->ep[d + 1].port, 2);
	ASSERT_EQ(f->ep[d + 1].guid, 0xd1);
	ASSERT_EQ(f->ep[d + 1].lid, 0);
	again = load_text(out, &heard);
	assert_same_fabric(f, again);
	weft_fabric_free(f);
	weft_fabric_free(again);
	free(a);
	free(b);
	free(out);
}

TEST(test_unknown_rates)
{
	char *a = replaced(TEXT, "4xHDR", "4x???");
	char *b = replaced(a, "12xQDR", "?????");
	char *c = replaced(b, "1xXDR", "??DDR");
	struct heard heard;
	struct weft_fabric *f = load_text(c, &heard);
	uint32_t s = weft_fabric_switch_by_guid(f, 0xa0);

	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(f->width[weft_channel(f, s, 1)], 4);
	ASSERT_EQ(f->speed[weft_channel(f, s, 1)], 0);
	ASSERT_EQ(f->width[weft_channel(f, s, 3)], 0);
	ASSERT_EQ(f->speed[weft_channel(f, s, 3)], WEFT_DDR);
	ASSERT_EQ(f->width[weft_channel(f, 1 - s, 129)], 0);
	weft_fabric_free(f);
	free(a);
	free(b);
	free(c);
}

/* An adapter without cables is a node without endports. */
TEST(test_uncabled)
{
	struct heard heard;
	struct weft_fabric *f = load_text(TEXT "\ncaguid=0xe0\n"
		"Ca\t2 \"H-00000000000000e0\"\t\t# \"alone\"\n\n"
		"switchguid=0xf0(f0)\nSwitch\t8 \"S-00000000000000f0\"\t\t"
		"# \"bare\" base port 0 lid 99 lmc 0\n", &heard);

	assert_heard_count(&heard, 1, 0);
	assert_heard(&heard, WEFT_WARNING, 39,
		     "no port of this node is cabled; 1 more like this");
	assert_counts(f, 3, 3, 3, 5);
	weft_fabric_free(f);
}
