// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The topology that iblinkinfo tells, in full and with --line. */
#include "io_topology_util.h"

#define UP "==( 4X       25.78125 Gbps Active/  LinkUp)==> "
#define DOWN "==(                Down/ Polling)==>             [  ] \"\" ( )\n"

/* The fabric of TEXT as the port report tells it, but for the rates. */
#define ROWS \
	"SW 1 1 0xa1 4x EDR - SW 2 1 0xc0 ( 'leaf \"#1\"' - 'spine' )\n" \
	"SW 1 2 0xa1 4x EDR - CA 8 1 0xd1 ( 'leaf \"#1\"' - 'dual' )\n" \
	"SW 1 3 0xa1 4x EDR - SW 1 4 0xa1 ( 'leaf \"#1\"' - 'leaf \"#1\"' )\n" \
	"SW 1 4 0xa1 4x EDR - SW 1 3 0xa1 ( 'leaf \"#1\"' - 'leaf \"#1\"' )\n" \
	"SW 2 1 0xc0 4x EDR - SW 1 1 0xa1 ( 'spine' - 'leaf \"#1\"' )\n" \
	"SW 2 2 0xc0 4x EDR - CA 12 2 0xd2 ( 'spine' - 'dual' )\n" \
	"SW 2 3 0xc0 4x SDR 'spine'\n" \
	"CA 8 1 0xd1 4x EDR - SW 1 2 0xa1 ( 'dual' - 'leaf \"#1\"' )\n" \
	"CA 12 2 0xd2 4x EDR - SW 2 2 0xc0 ( 'dual' - 'spine' )\n"

#define FULL_A \
	"Switch: 0x00000000000000a1 leaf \"#1\":\n" \
	"           1    1[  ] " UP "     2    1[  ] \"spine\" ( )\n" \
	"           1    2[17] " UP "     8    1[  ] \"dual\" ( )\n" \
	"           1    3[  ] " UP "     1    4[ 9] \"leaf \"#1\"\" ( )\n" \
	"           1    4[  ] " UP "     1    3[  ] \"leaf \"#1\"\" ( )\n"
#define FULL_C "Switch 0x00000000000000c0 spine:\n" \
	"           2    1[  ] " UP "     1    1[  ] \"leaf \"#1\"\" ( )\n" \
	"           2    2[  ] " UP "  12    2[  ] \"dual\" (Could be FDR )\n" \
	"           2    3[  ] " DOWN
#define FULL_D "CA: dual:\n" \
	"      0x00000000000000d1      8    1[  ] " UP \
	"     1    2[  ] \"leaf \"#1\"\" (Could be 12X )\n" \
	"      0x00000000000000d2     12    2[  ] " UP \
	"     2    2[  ] \"spine\" ( )\n"
#define FULL FULL_A FULL_C FULL_D

#define LINE_A \
	"0x00000000000000a1 \"                     leaf \"#1\"\" "
#define LINE_C "0x00000000000000c0 \"                         spine\" "
#define LINE_SWITCHES \
	LINE_A "     1    1[  ] " UP " 0xc0      2    1[  ] \"spine\" ( )\n" \
	LINE_A "     1    2[17] " UP " 0xd1      8    1[  ] \"dual\" ( )\n" \
	LINE_A "     1    3[  ] " UP " 0xa1  1    4[ 9] \"leaf \"#1\"\" ( )\n" \
	LINE_A "     1    4[  ] " UP " 0xa1  1    3[  ] \"leaf \"#1\"\" ( )\n" \
	LINE_C "     2    1[  ] " UP " 0xa1  1    1[  ] \"leaf \"#1\"\" ( )\n" \
	LINE_C "     2    2[  ] " UP " 0xd2   12    2[  ] \"dual\" ( )\n" \
	LINE_C "     2    3[  ] " DOWN
#define LINE_D \
	"0xd1 \"dual\" 8 1[  ] " UP " 0xa1 1 2[  ] \"leaf \"#1\"\" ( )\n" \
	"0xd2 \"dual\" 12 2[  ] " UP " 0xc0 2 2[  ] \"spine\" ( )\n"
#define LINE LINE_SWITCHES LINE_D

/* The fabric of ROWS, without a word. */
static void same_as_rows(const char *text)
{
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard), *g;

	assert_heard_count(&heard, 0, 0);
	g = load_text(ROWS, &heard);
	assert_same_fabric(f, g);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

TEST(test_full)
{
	char *text = replaced(FULL, "LinkUp)==>",
			      "LinkUp) (HOQ:0 VL_Stall:7)==>");

	same_as_rows(FULL);
	same_as_rows(FULL_D FULL_A FULL_C);
	same_as_rows(text);
	free(text);
	text = replaced(FULL, DOWN,
			"==( 4X 2.5 Gbps Init/ LinkUp)==>     \"Port not available\"\n");
	same_as_rows(text);
	free(text);
}

TEST(test_line)
{
	same_as_rows(LINE);
	same_as_rows(LINE_D LINE_SWITCHES);
	same_as_rows(LINE_SWITCHES);
}

TEST(test_rates)
{
	static const struct {
		const char *text;
		unsigned speed, warnings;
	} rate[] = {
		{ "2.5 Gbps", WEFT_SDR, 0 }, { "5.0 Gbps", WEFT_DDR, 0 },
		{ "10.0 Gbps", WEFT_QDR, 0 },
		{ "10.0 Gbps (FDR10)", WEFT_FDR10, 0 },
		{ "14.0625 Gbps", WEFT_FDR, 0 },
		{ "25.78125 Gbps", WEFT_EDR, 0 },
		{ "53.125 Gbps", WEFT_HDR, 0 }, { "106.25 Gbps", WEFT_NDR, 0 },
		{ "212.5 Gbps", WEFT_XDR, 0 },
		{ "undefined (7)", WEFT_SPEED_UNKNOWN, 0 },
		{ "77.7 Gbps", WEFT_SPEED_UNKNOWN, 1 },
	};

	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		char link[100], *text;

		snprintf(link, sizeof(link), "( 2X %s Active", rate[i].text);
		text = replaced(FULL, "( 4X       25.78125 Gbps Active", link);
		assert_rate(text, rate[i].speed, rate[i].warnings);
		free(text);
	}
}

TEST(test_widths)
{
	static const struct {
		const char *text;
		unsigned lanes, warnings;
	} width[] = {
		{ "1X", 1, 0 }, { "8X", 8, 0 }, { "12X", 12, 0 },
		{ "3X", 0, 1 }, { "12XX", 0, 1 },
	};

	for (size_t i = 0; i < sizeof(width) / sizeof(*width); i++) {
		struct weft_fabric *f;
		struct heard heard;
		char link[100], *text;

		snprintf(link, sizeof(link), "(%s 5.0 Gbps Active",
			 width[i].text);
		text = replaced(FULL, "( 4X       25.78125 Gbps Active", link);
		f = load_text(text, &heard);
		assert_heard_count(&heard, width[i].warnings, 0);
		ASSERT_EQ(f->width[weft_channel(f, 0, 1)], width[i].lanes);
		weft_fabric_free(f);
		free(text);
	}
}

/* Without headings, four ports of XDR with one GUID are an adapter's planes. */
TEST(test_planes)
{
#define XDR "==( 1X 212.5 Gbps Active/ LinkUp)==>"
	static const char text[] =
		"0xd0 \"host\" 9 1[  ] " XDR
		" 0xa0 1 5[  ] \"a\" ( )\n0xd0 \"host\" 9 2[  ] "
		XDR " 0xb0 2 5[  ] \"b\" ( )\n0xa0 \"a\" 1 5[  ] " XDR
		" 0xd0 9 1[  ] \"host\" ( )\n0xa0 \"a\" 1 6[  ] "
		XDR " 0xb0 2 6[  ] \"b\" ( )\n0xb0 \"b\" 2 5[  ] " XDR
		" 0xd0 9 2[  ] \"host\" ( )\n0xb0 \"b\" 2 6[  ] "
		XDR " 0xa0 1 6[  ] \"a\" ( )\n";
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_counts(f, 2, 1, 2, 3);
	weft_fabric_free(f);
}

/* Without headings, a far end with a port that no adapter has is a switch. */
TEST(test_far_switch)
{
	static const char text[] =
		"0x10 \"s\" 1 1[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 0xa0 2 1[  ] \"h\" ( )\n"
		"0x10 \"s\" 1 40[  ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 0x20 3 39[  ] \"t\" ( )\n";
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_counts(f, 2, 1, 1, 2);
	ASSERT_EQ(f->sw[1].nports, 39);
	weft_fabric_free(f);
}

/* A router is told by its heading; lines of something else are skipped. */
TEST(test_router)
{
	char *text = replaced("ibwarn: [7] mad_rpc: failed\nCAUTION: hot:\nSwitch: warm:\n" FULL,
			      "CA: dual", "Router: dual");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard(&heard, WEFT_WARNING, 1,
		     "skipped a line of something else: \"ibwarn: [7] mad_rpc: failed\"; 2 more");
	assert_heard_count(&heard, 1, 0);
	ASSERT_EQ(f->ep[0].kind, WEFT_ROUTER);
	weft_fabric_free(f);
	free(text);
}

/* Ports that no manager has given a LID yet: their own rows tell which is at the
 * far end, by the LID and port there, or by the names. */
TEST(test_no_lids)
{
#define HOST(guid, name, lid, port) \
	"CA: " name ":\n " guid " 0 1[  ] " UP #lid " " #port \
	"[  ] \"s" #lid "\" ( )\n"
#define SWITCH(lid, a, b) \
	"Switch: 0x1" #lid " s" #lid ":\n" \
	"  " #lid " 1[  ] " UP "0 1[  ] \"" a "\" ( )\n" \
	"  " #lid " 2[  ] " UP "0 1[  ] \"" b "\" ( )\n"
	static const char by_place[] = SWITCH(1, "h", "h") SWITCH(2, "h", "h")
		HOST("0xd0", "h", 2, 2) HOST("0xd1", "h", 1, 2)
		HOST("0xd2", "h", 2, 1) HOST("0xd3", "h", 1, 1);
	static const uint64_t at_place[] = { 0xd3, 0xd1, 0xd2, 0xd0 };
	static const char by_name[] =
		"Switch: 0x11 s:\n 0 1[  ] " UP "0 1[  ] \"a\" ( )\n"
		"Switch: 0x12 t:\n 0 1[  ] " UP "0 1[  ] \"b\" ( )\n"
		"CA: b:\n 0xdb 0 1[  ] " UP "0 1[  ] \"t\" ( )\n"
		"CA: a:\n 0xda 0 1[  ] " UP "0 1[  ] \"s\" ( )\n";
	struct heard heard;
	struct weft_fabric *f = load_text(by_place, &heard);

	assert_counts(f, 2, 4, 4, 4);
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t ch = weft_channel(f, i / 2, i % 2 + 1);

		suite_case("%u", i);
		EXPECT_EQ(f->ep[f->peer[ch] & ~WEFT_ENDPORT].guid,
			  at_place[i]);
	}
	weft_fabric_free(f);
	f = load_text(by_name, &heard);
	assert_counts(f, 2, 2, 2, 2);
	EXPECT_EQ(f->ep[f->peer[weft_channel(f, 1, 1)] & ~WEFT_ENDPORT].guid,
		  0xdb);
	weft_fabric_free(f);
}

TEST(test_refused)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ FULL_A FULL_C, 3,
			"port 1 of LID 8 at the far end has no row, and so no GUID"
			},
		{ FULL "CA: dual:\n 0xe1 8 1[  ] " UP
			"1 2[  ] \"leaf \"#1\"\" ( )\n", 3,
			"two nodes have LID 8" },
		{ FULL "CA: dual:\n 0xe1 12 2[  ] " UP
			"2 2[  ] \"spine\" ( )\n", 8,
			"two nodes have LID 12" },
		{ FULL "CA: x:\n 0xe1 x 1[  ] " DOWN, 14,
			"expected the LID, a decimal number" },
		{ FULL "CA: x:\n 0xe1 9 1 " DOWN, 14,
			"expected the port, 1 to 254" },
		{ FULL "CA: x:\n 0xe1 9 255[  ] " DOWN, 14,
			"expected the port, 1 to 254" },
		{ FULL "CA: x:\n 9 1[  ] " DOWN, 14, "expected the port GUID" },
		{ "7 1[  ] " DOWN, 1, "or a node's line above" },
		{ "0xa0 7 1[  ] " DOWN, 1, "or a node's line above" },
		{ LINE "0xe1 \"x 9 1[  ] " DOWN, 10, "between two quotes" },
		{ LINE "0xe1 \"x\" 9 1[  ] " UP "0xa1 1 4 \"leaf\"", 10,
			"expected the port, 1 to 254" },
		{ LINE "0xe1 \"x\" 9 1[  ] " UP "0xa1 1 4[  ] leaf", 10,
			"between two quotes" },
		{ LINE "0xe1 \"x\" 9 1[  ] " UP "0xa1 1 4[  ] \"leaf", 10,
			"the file was cut here" },
		{ LINE "0xe1 \"x\" 9 1[  ] " UP "0xa1 1 4[  ] \"leaf\"", 10,
			"is cabled to one port here and to another" },
		{ LINE_D, 0, "no switch is described" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].text, bad[i].line, bad[i].says);
}
