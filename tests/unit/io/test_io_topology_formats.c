// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Port reports, subnet lists, and telling formats apart. */
#include "io_topology_util.h"

#include <errno.h>

/* --- ibnetdiscover -p: the fabric of TEXT, as far as rows can tell it ---- */

#define ROWS_A \
	"SW     1  4 0x00000000000000a1 1x XDR - SW     1  3 " \
		"0x00000000000000a1 ( 'leaf' - 'leaf' )\n" \
	"SW     1  3 0x00000000000000a1 1x XDR - SW     1  4 " \
		"0x00000000000000a1 ( 'leaf' - 'leaf' )\n" \
	"SW     1  2 0x00000000000000a1 4x EDR - CA     8  1 " \
		"0x00000000000000d1 ( 'leaf' - 'dual' )\n" \
	"SW     1  1 0x00000000000000a1 4x HDR - SW     2  1 " \
		"0x00000000000000c0 ( 'leaf' - 'the ' - 'spine' )\n"
#define ROWS_C \
	"SW     2 129 0x00000000000000c0 12x QDR - CA    64  1 " \
		"0x00000000000000b1 ( 'spine' - 'host' )\n" \
	"SW     2 128 0x00000000000000c0 4x ???" \
		"                                    'spine'\n" \
	"SW     2  2 0x00000000000000c0 4x EDR - CA    12  2 " \
		"0x00000000000000d2 ( 'spine' - 'dual' )\n" \
	"SW     2  1 0x00000000000000c0 4x HDR - SW     1  1 " \
		"0x00000000000000a1 ( 'spine' - 'leaf' )\n"
#define ROWS_B \
	"CA     0  2 0x00000000000000b2 4x SDR" \
		"                                    'host'\n" \
	"CA    64  1 0x00000000000000b1 12x QDR - SW     2 129 " \
		"0x00000000000000c0 ( 'host' - 'spine' )\n"
#define ROWS_D \
	"CA    12  2 0x00000000000000d2 4x EDR - SW     2  2 " \
		"0x00000000000000c0 ( 'dual' - 'spine' )\n" \
	"CA     8  1 0x00000000000000d1 4x EDR - SW     1  2 " \
		"0x00000000000000a1 ( 'dual' - 'leaf' )\n"
#define ROWS ROWS_A ROWS_C ROWS_B ROWS_D

TEST(test_rows)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ROWS, &heard);
	uint32_t a = weft_fabric_switch_by_guid(f, 0xa1), d;

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->sw[a].lid, 1);
	ASSERT_EQ(f->sw[a].nports, 4);
	ASSERT_EQ(f->sw[1 - a].nports, 129);
	ASSERT_EQ(f->peer[weft_channel(f, a, 3)], a);
	ASSERT_EQ(f->width[weft_channel(f, 1 - a, 129)], 12);
	ASSERT_EQ(f->speed[weft_channel(f, 1 - a, 129)], WEFT_QDR);
	d = weft_fabric_endport_by_guid(f, 0xd2);
	ASSERT_EQ(f->ep[d].lid, 12);
	ASSERT_EQ(f->ep[d].port, 2);
	ASSERT_EQ(f->node[f->ep[d].node].nendports, 2);
	ASSERT_STR(f->node[f->ep[d].node].name, "dual");
	d = weft_fabric_endport_by_guid(f, 0xb1);
	ASSERT_EQ(f->node[f->ep[d].node].nports, 2);
	weft_fabric_free(f);
}

/* Neighbouring GUIDs and equal names do not make one node of two ports 1. */
TEST(test_rows_two_functions)
{
	char *text = replaced(ROWS, "2 0x00000000000000d2",
			      "1 0x00000000000000d2");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_counts(f, 2, 3, 3, 5);
	weft_fabric_free(f);
	free(text);
}

TEST(test_rows_planes)
{
	char *a = replaced(ROWS, "0x00000000000000d2", "0x00000000000000d1");
	char *b = replaced(a, "CA    12 ", "CA     8 ");
	struct heard heard;
	struct weft_fabric *f = load_text(b, &heard);

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	free(a);
	free(b);
}

/* Names that look like the border between two names. */
TEST(test_rows_ambiguous_names)
{
	char *text = replaced(ROWS, "'dual'", "''n2' - 'x''");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	uint32_t d = weft_fabric_endport_by_guid(f, 0xd1);
	uint32_t a = weft_fabric_switch_by_guid(f, 0xa1);

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_STR(f->node[f->ep[d].node].name, "'n2' - 'x'");
	ASSERT_STR(f->sw[a].name, "leaf");
	ASSERT_STR(f->sw[1 - a].name, "spine");
	weft_fabric_free(f);
	free(text);
}

TEST(test_rows_any_order)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ROWS, &heard);
	struct weft_fabric *g = load_text(ROWS_D ROWS_B ROWS_C ROWS_A, &heard);

	assert_same_fabric(f, g);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

TEST(test_rows_verbose)
{
	struct heard heard;
	struct weft_fabric *f, *g = load_text(ROWS, &heard);
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	/* more of these than are looked at for the format */
	for (unsigned i = 0; i < 2000; i++)
		fputs("DR path slid 0; dlid 0; 0,1 -> new Switch {00000000000000a0} portnum 0 lid 0-0 \"\"\n",
		      out);
	fputs(ROWS, out);
	fclose(out);
	ASSERT(size > 65536);
	f = load_text(text, &heard);
	assert_heard_count(&heard, 0, 0);
	assert_same_fabric(f, g);
	weft_fabric_free(f);
	weft_fabric_free(g);
	free(text);
	text = replaced(ROWS, "\n", "\r\n");
	f = load_text(text, &heard);
	assert_text_counts(f);
	weft_fabric_free(f);
	free(text);
}

TEST(test_rows_incomplete)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ROWS_A ROWS_B ROWS_D, &heard);
	uint32_t c = weft_fabric_switch_by_guid(f, 0xc0);

	assert_heard_count(&heard, 2, 0);
	assert_heard(&heard, WEFT_WARNING, 4, "only this end");
	assert_heard(&heard, WEFT_WARNING, 4, "no rows of its own");
	assert_text_counts(f);
	ASSERT_EQ(f->sw[c].lid, 2);
	weft_fabric_free(f);

	f = load_text(ROWS_A ROWS_C, &heard);
	assert_heard_count(&heard, 1, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
}

/* Two devices with one port GUID: the row of the adapter itself counts. */
TEST(test_rows_two_places)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ROWS
		"SW     1  9 0x00000000000000a1 4x EDR - CA    99  1 0x00000000000000d1 ( 'leaf' - 'dual' )\n",
		&heard);

	assert_heard(&heard, WEFT_WARNING, 13, "another row has this adapter");
	assert_heard(&heard, WEFT_WARNING, 13, "the LID of the far end is");
	assert_heard_count(&heard, 2, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xd1)].lid, 8);
	weft_fabric_free(f);
}

TEST(test_rows_broken)
{
	static const char *const row[] = {
		"SW     2  7 0x00000000000000c0 4x SDR       spine\n",
		"SW     2  7 0x00000000000000c0 4x SDR       'spine\n",
		"SW     2  7 0x00000000000000c0 4x SDR\n",
		"SW     2  7 0x00000000000000c0\n",
		"SW     2  7\n",
		"SW     2  0 0x00000000000000c0 4x SDR       'spine'\n",
		"SW     2 255 0x00000000000000c0 4x SDR      'spine'\n",
		"SW     2  7 0x00000000000000c0 4x SDR - 'spine'\n",
		"SW     2  7 0x00000000000000c0 4x SDR - SW 1 9 0x00000000000000a1 ( 'spine' 'leaf' )\n",
		"SW     2  7 0x00000000000000c0 4x SDR - SW 1 9 0x00000000000000a1 ( 'spine' - 'leaf'\n",
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char text[4096];

		snprintf(text, sizeof(text), "%s%s", ROWS, row[i]);
		assert_refused(text, 13, "a row that cannot be read");
	}
	/* a switch's port on two cables, and a GUID of two nodes */
	assert_refused(ROWS
		"SW     2  1 0x00000000000000c0 4x HDR - SW     1  9 0x00000000000000a1 ( 'spine' - 'leaf' )\n",
		13,
		"to another one in line 8");
	assert_refused(ROWS
		"CA     9  1 0x00000000000000c0 4x HDR - SW     1  9 0x00000000000000a1 ( 'x' - 'leaf' )\n",
		13,
		"is that of a switch");
}

/* --- opensm-subnet.lst -------------------------------------------------- */

#define LST_A "SW Ports:04 SystemGUID:00000000000000af " \
	"NodeGUID:00000000000000a0 PortGUID:00000000000000a1 VenID:0002C9 " \
	"DevID:D2F0 Rev:000000A1 {leaf {#1} LID:x} LID:0001 "
#define LST_C "SW Ports:81 SystemGUID:0000000000000000 " \
	"NodeGUID:00000000000000c0 PortGUID:00000000000000c0 VenID:0002C9 " \
	"DevID:D2F0 Rev:000000A1 {spine} LID:0002 "
#define LST_B "CA-SM Ports:02 SystemGUID:00000000000000bf " \
	"NodeGUID:00000000000000b0 PortGUID:00000000000000b1 VenID:0002C9 " \
	"DevID:1003 Rev:00000000 {host} LID:0040 "
#define LST_D(n, lid) "CA Ports:02 SystemGUID:0000000000000000 " \
	"NodeGUID:00000000000000d0 PortGUID:00000000000000d" n \
	" VenID:000002C9 DevID:1003 Rev:00000000 {dual} LID:" lid " "
#define LST_CABLE(a, pa, b, pb, rate) \
	"{ " a "PN:" pa " } { " b "PN:" pb " } " rate "\n"
#define LST_BOTH(a, pa, b, pb, rate) \
	LST_CABLE(a, pa, b, pb, rate) LST_CABLE(b, pb, a, pa, rate)
#define LST_FIRST \
	LST_BOTH(LST_A, "01", LST_C, "01", "PHY=4x LOG=ACT SPD=50") \
	LST_BOTH(LST_A, "02", LST_D("1", "0008"), "01", \
		 "PHY=4x LOG=INI SPD=25") \
	LST_BOTH(LST_A, "03", LST_A, "04", "PHY=1x LOG=ACT SPD=200")
#define LST LST_FIRST \
	LST_BOTH(LST_C, "02", LST_D("2", "000C"), "02", \
		 "PHY=4x LOG=ARM SPD=25") \
	LST_BOTH(LST_C, "81", LST_B, "01", "PHY=12x LOG=ACT SPD=10")

TEST(test_lst)
{
	struct heard heard;
	struct weft_fabric *f = load_text(LST, &heard);
	uint32_t a = weft_fabric_switch_by_guid(f, 0xa0), e;

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->sw[a].nports, 4);
	ASSERT_EQ(f->sw[a].port_guid, 0xa1);
	ASSERT_EQ(f->sw[a].device, 0xd2f0);
	ASSERT_STR(f->sw[a].name, "leaf {#1} LID:x");
	ASSERT_EQ(f->sw[1 - a].nports, 129);
	ASSERT_EQ(f->speed[weft_channel(f, a, 1)], WEFT_HDR);
	ASSERT_EQ(f->speed[weft_channel(f, a, 3)], WEFT_XDR);
	e = weft_fabric_endport_by_guid(f, 0xb1);
	ASSERT_EQ(f->ep[e].lid, 64);
	ASSERT_EQ(f->ep[e].sw_port, 129);
	ASSERT_EQ(f->speed[f->first_injection + e], WEFT_QDR);
	ASSERT_EQ(f->node[f->ep[e].node].device, 0x1003);
	e = weft_fabric_endport_by_guid(f, 0xd2);
	ASSERT_EQ(f->node[f->ep[e].node].nendports, 2);
	ASSERT_EQ(f->node[f->ep[e].node].device, 0x1003);
	weft_fabric_free(f);
}

/* OpenSM writes the device of the second end in the wrong byte order. */
TEST(test_lst_device)
{
	char *text = replaced(LST,
			      "DevID:1003 Rev:00000000 {dual} LID:0008 PN:01 } PHY",
			      "DevID:03100000 Rev:00000000 {dual} LID:0008 PN:01 } PHY");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	uint32_t e = weft_fabric_endport_by_guid(f, 0xd1);

	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(f->node[f->ep[e].node].device, 0x1003);
	weft_fabric_free(f);
	free(text);
}

TEST(test_lst_speeds)
{
	static const struct {
		const char *text;
		unsigned speed, warnings;
	} rate[] = {
		{ "2.5", WEFT_SDR, 0 }, { "5", WEFT_DDR, 0 },
		{ "10", WEFT_QDR, 0 }, { "FDR10", WEFT_FDR10, 0 },
		{ "14", WEFT_FDR, 0 }, { "25", WEFT_EDR, 0 },
		{ "50", WEFT_HDR, 0 }, { "100", WEFT_NDR, 0 },
		{ "200", WEFT_XDR, 0 }, { "??", WEFT_SPEED_UNKNOWN, 0 },
		{ "77", WEFT_SPEED_UNKNOWN, 1 },
	};

	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		char text[2048];

		snprintf(text, sizeof(text),
			 LST_BOTH(LST_A, "01", LST_C, "01",
				  "PHY=2x LOG=ACT SPD=%s"),
			 rate[i].text, rate[i].text);
		assert_rate(text, rate[i].speed, rate[i].warnings);
	}
}

TEST(test_lst_defects)
{
	struct heard heard;
	struct weft_fabric *f = load_text(LST_FIRST "stray\n", &heard);

	assert_heard(&heard, WEFT_WARNING, 7, "something else: \"stray\"");
	assert_heard_count(&heard, 1, 0);
	weft_fabric_free(f);
	f = load_text(LST_FIRST LST_BOTH(LST_C, "81", LST_B, "01",
		      "PHY=4x LOG=DWN SPD=10"), &heard);
	assert_heard(&heard, WEFT_WARNING, 7, "is down: not cabled; 1 more");
	assert_heard(&heard, WEFT_WARNING, 7, "no port of this node is");
	assert_counts(f, 2, 2, 1, 3);
	weft_fabric_free(f);
	f = load_text(LST_FIRST LST_CABLE(LST_C, "81", LST_B, "01",
		      "PHY=4x LOG=ACT SPD=10"), &heard);
	assert_heard(&heard, WEFT_WARNING, 7, "only this end");
	assert_counts(f, 2, 2, 2, 4);
	weft_fabric_free(f);

	assert_refused(LST_FIRST "{ SW Ports:04\n", 7, "cannot be read");
	assert_refused(LST_FIRST "{ " LST_C "PN:09 } { " LST_B
		       "PN:01 } PHY=4x LOG=ACT SPD=1",
		       7, "the file was cut here");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "82", LST_B, "01",
		       "PHY=4x LOG=ACT SPD=10"), 7, "has no port 130");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "1FF", LST_B, "01",
		       "PHY=4x LOG=ACT SPD=10"), 7, "above 254");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "01", LST_B, "01",
		       "PHY=4x LOG=ACT SPD=10"), 7, "to another one");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "03",
		       "CA Ports:03 SystemGUID:0 NodeGUID:d0 PortGUID:d1 VenID:0 DevID:0 Rev:0 {dual} LID:8 ",
		       "01", "PHY=4x LOG=ACT SPD=10"),
		       7, "two nodes have the GUID");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "03",
		       "CA Ports:02 SystemGUID:0 NodeGUID:d0 PortGUID:d1 VenID:0 DevID:0 Rev:0 {dual} LID:9 ",
		       "01", "PHY=4x LOG=ACT SPD=10"),
		       7, "two nodes with one GUID");
	assert_refused(LST_FIRST LST_CABLE(LST_C, "03",
		       "CA Ports:1FF SystemGUID:0 NodeGUID:d3 PortGUID:d3 VenID:0 DevID:0 Rev:0 {dual} LID:9 ",
		       "01", "PHY=4x LOG=ACT SPD=10"),
		       7, "511 ports");
}

/* ibdiagnet2 has comments above; no program but these writes SPD=. */
TEST(test_lst_without_speed)
{
	char *text = replaced("# This database file was generated\n#\n\n" LST,
			      " SPD=50", "");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	uint32_t a = weft_fabric_switch_by_guid(f, 0xa0);

	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->speed[weft_channel(f, a, 1)], WEFT_SPEED_UNKNOWN);
	ASSERT_EQ(f->width[weft_channel(f, a, 1)], 4);
	weft_fabric_free(f);
	free(text);
}

/* An LMC may follow the LID. */
TEST(test_lst_lmc)
{
	char *text = replaced(LST, "LID:0008 PN", "LID:0008 LMC:02 PN");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	uint32_t e = weft_fabric_endport_by_guid(f, 0xd1);

	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(f->ep[e].lmc, 2);
	weft_fabric_free(f);
	free(text);
}

/* topo2subnet calls all nodes CA; it writes devices with four zeros. */
TEST(test_lst_called_ca)
{
	char *big = replaced(LST, "SW Ports:81", "CA Ports:81");
	char *device = replaced(big, "DevID:D2F0", "DevID:B9240000");
	char *text = replaced(device, "SW Ports:04", "CA Ports:04");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard(&heard, WEFT_NOTE, 1, "taken for one; 1 more");
	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->sw[0].device, 0xb924);
	weft_fabric_free(f);
	free(big);
	free(device);
	free(text);
}

/* A refused line names the field, what it should be and what it is. */
TEST(test_fields)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ ROWS "SW     2  7 2c90\n", 13,
			"expected the port GUID, 0x and hexadecimal digits, found \"2c90\""
			},
		{ ROWS "SW     2  999 0x00000000000000c0\n", 13,
			"expected the port, 1 to 254, found \"999\"" },
		{ ROWS "SW     2  7 0x00000000000000c0 4x SDR\n", 13,
			"expected a name between two ', found the end" },
		{ LST_FIRST "{ SW Ports:04 SystemGUID:0 NodeGUDI:1 }\n", 7,
			"expected NodeGUID: and a hexadecimal number, found \"NodeGUDI:1\""
			},
		{ LST_FIRST LST_CABLE(LST_C, "01", LST_B, "01", "PHY=4x"), 7,
			"expected the state of the port, as LOG=ACT" },
		{ LST_FIRST LST_CABLE(LST_C, "01", LST_B, "01",
				      "PHY=4x LOG=ACT x"), 7,
			"expected the speed, as SPD=25, or the end" },
		{ TEXT_SWITCH_A "[5]\t\"S-000x\"[1]\n", 10,
			"expected the node, as \"S-, \"H- or \"R- and its GUID, found \"\"S-000x\"[1]\""
			},
		{ TEXT_SWITCH_A "[5]\t\"S-00c0\"[1]\t# \"spine\" lid xy\n",
			10,
			"expected the LID, a decimal number, found \"xy\"" },
		{ "Switch\t4 \"S-000000a0\" # \"leaf\" lid 1 lmc x\n", 1,
			"expected the LMC, a decimal number, found \"x\"" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].text, bad[i].line, bad[i].says);
}

/* --- telling formats apart ---------------------------------------------- */

/* Name of the format that a text is taken for; NULL for none. */
static const char *detected(const char *text)
{
	const struct weft_format *format = NULL;

	ASSERT_EQ(weft_io_detect(file_with(text, strlen(text)), &format, NULL),
		  0);
	return format ? format->name : NULL;
}

TEST(test_detect)
{
	static const struct {
		const char *format, *text;
	} sample[] = {
		{ "ibnetdiscover", TEXT },
		{ "ibnetdiscover", TEXT_HEAD },
		{ "ibnetdiscover", "some\nbanner\n" TEXT_HOST_B },
		{ "ibnetdiscover -p", ROWS },
		{ "ibnetdiscover -p", "$ ibnetdiscover -p\n" ROWS },
		{ "opensm-subnet.lst", LST },
		{ "ibdiagnet2.net_dump", "\"a\", Mellanox, 0xc0, LID 2\n" },
		{ "ibdiagnet2.net_dump", "  #   : IB# : Sta  : PhysSta\n" },
		{ "ibsim", "Switch 8 \"Switch1\"\n[1] \"Hca1\"[1]\n" },
		{ "ibsim", "Hca\t2 \"S-1 of 2\"\n" },
		{ ".topo of ibdm", "MTS800 S-1\n P1 -4x-5G-> HCA H-1 P1\n" },
		{ "list of cables", "rack_a,node_a,port_a,rack_b,node_b\n" },
		{ "list of cables",
			"Start Device,Start Port,End Device,End Port\n" },
		{ ".topo of ibdm", "MTS9600 S-1\n L1/P3 -> HCA H-1 P1\n" },
		{ "iblinkinfo",
			"  2  3[  ] ==(  Down/ Polling)==>   [  ] \"\" ( )\n" },
		{ "ibdiagnet2.db_csv", "START_NODES\nNodeDesc,NumPorts\n" },
		{ "ibdiagnet2.db_csv", "# INDEX_TABLE offset:   9, line: 1\n" },
		{ "opensm-lfts.dump",
			"Unicast lids [0x0-0x9] of switch DR path slid 0; dlid 0; 0 guid 0xa0 (a):\n"
			},
		{ "opensm-lfts.dump", "0x0001 000 : (Switch portguid 0x1: 'a')" },
		{ "opensm.fdbs",
			"__osm_ucast_mgr_dump_ucast_routes: Switch 0x00a0\n" },
		{ "opensm.fdbs", "0x0002 : 019  : 01   : yes\n" },
		{ "opensm.fdbs", "0x0002 : UNREACHABLE\n" },
		{ "opensm-sl2vl.dump",
			"Switch 0x00000000000000a0, base LID 1, \"leaf\"\n#in out : 0  1  2\n"
			},
		{ NULL, "" },
		{ NULL, "hello\nworld\n" },
		{ NULL, "\n\n\n" },
	};

	for (size_t i = 0; i < sizeof(sample) / sizeof(*sample); i++) {
		const char *format = detected(sample[i].text);

		ASSERT(!format == !sample[i].format);
		if (format)
			ASSERT_STR(format, sample[i].format);
	}
	ASSERT_EQ(weft_io_detect("/nonexistent", &(const struct weft_format *){
		  0 }, NULL), -ENOENT);
}

/* Every row of the table can be asked for, and the manual has it. */
TEST(test_table)
{
	const struct weft_format *const *format = weft_formats();
	char path[4096], *manual;
	const char *dir = getenv("WEFT_SRCDIR");
	size_t n;
	FILE *in;

	snprintf(path, sizeof(path), "%s/man/weft-formats.5", dir ? dir : ".");
	in = fopen(path, "r");
	ASSERT(in);
	manual = calloc(1, 1 << 20);
	n = fread(manual, 1, (1 << 20) - 1, in);
	fclose(in);
	for (char *from = manual, *to = manual; from <= manual + n; from++)
		if (*from != '\\')
			*to++ = *from;
	for (size_t i = 0; format[i]; i++) {
		const struct weft__format *row = weft__formats[i];

		ASSERT(format[i] == &row->row);
		ASSERT(row->recognises);
		ASSERT(format[i]->kind == WEFT_FILE_TOPOLOGY ?
		       row->read_topology && !row->read_tables :
		       row->read_tables && !row->read_topology);
		ASSERT(strstr(manual, format[i]->name));
	}
	free(manual);
}
