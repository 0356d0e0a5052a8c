// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The topologies that ibdiagnet writes: its database, its dump of links. */
#include "io_topology_util.h"

#include <errno.h>

/* --- ibdiagnet2.db_csv: the fabric of TEXT ------------------------------- */

#define SECTION(name, columns, rows) \
	"START_" name "\n" columns "\n" rows "END_" name "\n\n\n"

#define DB_HEAD \
	"# INDEX_TABLE offset:        9999, line:          99\n\n\n" \
	SECTION("RUN_INFO", "IBDIAGNET_Version,Date,Args", \
		"\"IBDIAGNET 2.10.0\",\"2025-01-01 00:00:00\",\" --routing\"\n")
#define NODE_COLUMNS \
	"NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion," \
	"SystemImageGUID,NodeGUID,PortGUID,DeviceID,PartitionCap,revision," \
	"VendorID,LocalPortNum"
#define NODE_ROWS \
	"\"leaf \\\"#1\\\"\",4,2,1,1,0xaf,0xa0,0xa1,54000,8,160,713,1\n" \
	"\"spine\",129,2,1,1,0x00,0xc0,0xc0,54000,8,160,713,1\n" \
	"\"host\",2,1,1,1,0xbf,0xb0,0xb1,4099,128,0,713,1\n" \
	"\"dual\",2,1,1,1,0x0,0xd0,0xd1,4099,128,0,713,1\n"
#define DB_NODES SECTION("NODES", NODE_COLUMNS, NODE_ROWS)
#define PORT_COLUMNS \
	"NodeGuid,PortGuid,PortNum,MKey,LID,LinkWidthActv,LinkWidthSup," \
	"LinkSpeedActv,LMC,PortState"
#define PORT_ROWS \
	"0xa0,0xa1,0,0x0000000000000000,1,0,0,0,0,0\n" \
	"0xa0,0xa1,1,0x0000000000000000,0,2,19,1028,0,4\n" \
	"0xa0,0xa1,2,0x0000000000000000,0,2,19,516,0,4\n" \
	"0xa0,0xa1,3,0x0000000000000000,0,1,19,4100,0,4\n" \
	"0xa0,0xa1,4,0x0000000000000000,0,1,19,4100,0,4\n" \
	"0xc0,0xc0,0,0x0000000000000000,2,0,0,0,0,0\n" \
	"0xc0,0xc0,1,0x0000000000000000,0,2,19,1028,0,4\n" \
	"0xc0,0xc0,2,0x0000000000000000,0,2,19,516,0,4\n" \
	"0xc0,0xc0,128,0x0000000000000000,0,0,19,0,0,1\n" \
	"0xc0,0xc0,129,0x0000000000000000,0,8,19,4,0,4\n" \
	"0xb0,0xb1,1,0x0000000000000000,4,8,19,4,2,4\n" \
	"0xd0,0xd1,1,0x0000000000000000,8,2,19,516,2,4\n" \
	"0xd0,0xd2,2,0x0000000000000000,12,2,19,516,2,4\n"
#define DB_PORTS SECTION("PORTS", PORT_COLUMNS, PORT_ROWS)
#define DB_SWITCHES SECTION("SWITCHES", \
	"NodeGUID,LinearFDBCap,LinearFDBTop,OptimizedSLVLMapping,ENP0", \
	"0xa0,49152,15,3,1\n" "0xc0,49152,15,3,0\n")
#define LINK_COLUMNS "NodeGuid1,PortNum1,NodeGuid2,PortNum2"
#define LINK_ROWS \
	"0xa0,1,0xc0,1\n" "0xa0,2,0xd0,1\n" "0xa0,3,0xa0,4\n" \
	"0xd0,2,0xc0,2\n" "0xc0,129,0xb0,1\n"
#define DB_LINKS SECTION("LINKS", LINK_COLUMNS, LINK_ROWS)
#define DB_REST SECTION("ROUTERS_INFO", "NodeGUID,CapabilityMask", "")
#define DB DB_HEAD DB_NODES DB_PORTS DB_SWITCHES DB_LINKS DB_REST

/* The same fabric as from ibnetdiscover, without a word. */
static void same_as_text(const char *text)
{
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);
	struct weft_fabric *g = load_text(TEXT, &heard);

	assert_same_fabric(f, g);
	weft_fabric_free(f);
	weft_fabric_free(g);
}

static void test_db_csv(void **state)
{
	struct heard heard;
	struct weft_fabric *f = load_text(DB, &heard);

	(void)state;
	assert_heard_count(&heard, 0, 0);
	assert_int_equal(heard.n, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	same_as_text(DB);
}

/* Sections and columns in any order, columns that nobody knows. */
static void test_db_csv_order(void **state)
{
	(void)state;
	same_as_text(DB_LINKS DB_SWITCHES DB_PORTS DB_HEAD DB_NODES);
	same_as_text(DB_HEAD DB_NODES DB_PORTS DB_SWITCHES SECTION("LINKS",
		"portnum2, PORTNUM1 ,New,NodeGuid1,NodeGuid2,More",
		"1,1,\"a,b\",0xa0,0xc0\n" "1 , 2,,0xa0,0xd0,x\n"
		"4,3,,0xa0,0xa0,\n" "2,2,,0xd0,0xc0,\n"
		"0x1,0x81,\"\",c0,b0,\n"));
}

static void test_db_csv_crlf(void **state)
{
	char *text = replaced(DB, "\n", "\r\n");

	(void)state;
	same_as_text(text);
	free(text);
}

/* What PORTS does not tell: LIDs are missing, GUIDs come from NODES. */
static void test_db_csv_without_ports(void **state)
{
	struct heard heard;
	struct weft_fabric *f = load_text(DB_NODES DB_LINKS, &heard);

	(void)state;
	assert_heard(&heard, WEFT_WARNING, 3, "has no LID; 4 more");
	assert_heard_count(&heard, 1, 0);
	assert_text_counts(f);
	assert_int_equal(f->sw[0].port_guid, 0xa1);
	assert_int_not_equal(weft_fabric_endport_by_guid(f, 0xb1), WEFT_NONE);
	weft_fabric_free(f);
}

static void test_db_csv_speeds(void **state)
{
	static const struct {
		const char *code;
		unsigned speed, warnings;
	} rate[] = {
		{ "1", WEFT_SDR, 0 }, { "2", WEFT_DDR, 0 },
		{ "4", WEFT_QDR, 0 }, { "65540", WEFT_FDR10, 0 },
		{ "256", WEFT_FDR, 0 }, { "516", WEFT_EDR, 0 },
		{ "1028", WEFT_HDR, 0 }, { "2052", WEFT_NDR, 0 },
		{ "4100", WEFT_XDR, 0 }, { "0", WEFT_SPEED_UNKNOWN, 0 },
		{ "N/A", WEFT_SPEED_UNKNOWN, 0 },
		{ "8192", WEFT_SPEED_UNKNOWN, 1 },
		{ "131076", WEFT_SPEED_UNKNOWN, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		char text[2048];

		snprintf(text, sizeof(text), SECTION("NODES", NODE_COLUMNS,
			 NODE_ROWS) SECTION("PORTS", PORT_COLUMNS,
			 "0xa0,0xa1,0,0,1,0,0,0,0,0\n"
			 "0xc0,0xc0,0,0,2,0,0,0,0,0\n"
			 "0xb0,0xb1,1,0,3,0,0,0,0,0\n"
			 "0xd0,0xd1,1,0,4,0,0,0,0,0\n"
			 "0xa0,0xa1,1,0,0,16,0,%s,0,0\n"
			 "0xc0,0xc0,1,0,0,16,0,%s,0,0\n")
			 SECTION("LINKS", LINK_COLUMNS, "0xc0,1,0xa0,1\n"
				 "0xa0,2,0xd0,1\n" "0xc0,3,0xb0,1\n"),
			 rate[i].code, rate[i].code);
		assert_rate(text, rate[i].speed, rate[i].warnings);
	}
}

/* A router is one of the subnet's ends; that the rest is not read is said. */
static void test_db_csv_routers(void **state)
{
	char *text = replaced(DB, "\"host\",2,1,", "\"router\",2,3,");
	char *with = replaced(text, "CapabilityMask\n",
			      "CapabilityMask\n0xb0,0\n");
	struct heard heard;
	struct weft_fabric *f = load_text(with, &heard);
	uint32_t e = weft_fabric_endport_by_guid(f, 0xb1);

	(void)state;
	assert_heard(&heard, WEFT_NOTE, 54, "routers are nodes");
	assert_heard_count(&heard, 0, 0);
	assert_int_equal(f->ep[e].kind, WEFT_ROUTER);
	weft_fabric_free(f);
	free(with);
	free(text);
}

static void test_db_csv_refused(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ DB_NODES, 0, "no section LINKS" },
		{ DB_LINKS, 0, "no section NODES" },
		{ DB DB_NODES, 59, "a second section NODES: the first one "
			"begins in line 10" },
		{ DB_NODES "START_LINKS\n" LINK_COLUMNS "\n" LINK_ROWS, 10,
			"has no END_LINKS: the file was cut" },
		{ DB_NODES SECTION("LINKS", "NodeGuid1,PortNum1", ""), 11,
			"has no column NodeGuid2" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,1\n"), 12,
			"a row of 2 columns, where column PortNum2 is the 4th" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,x,0xc0,1\n"),
			12, "section LINKS, column PortNum1: expected a "
			"number, found \"x\"" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xleaf,1,0xc0,1\n"),
			12, "section LINKS, column NodeGuid1: expected a "
			"GUID, found \"0xleaf\"" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "N/A,1,0xc0,1\n"),
			12, "column NodeGuid1: expected a GUID, found \"N/A\"" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,1,0xee,1\n"),
			12, "the node 0x00000000000000ee is not in the section" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,255,0xc0,1\n"),
			12, "column PortNum1: a port number above 254" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,5,0xc0,1\n"),
			12, "has no port 5: it has 4" },
		{ DB_NODES SECTION("PORTS", PORT_COLUMNS,
			"0xa0,0xa1,0,0,1,0,0,0,9,0\n") DB_LINKS, 12,
			"LMC 9: it is at most 7" },
		{ DB_NODES SECTION("PORTS", PORT_COLUMNS,
			"0xa0,0xa1,9,0,1,0,0,0,0,0\n") DB_LINKS, 12,
			"has no port 9" },
		{ SECTION("NODES", NODE_COLUMNS, "\"a,4,2\n") DB_LINKS, 3,
			"no quote ends the text of column 1" },
		{ SECTION("NODES", NODE_COLUMNS,
			  "\"a\",300,2,1,1,0,0xa0,0xa0,0,0,0,0,0\n") DB_LINKS,
			3, "a node with 300 ports" },
		{ SECTION("NODES", NODE_COLUMNS,
			  "\"a\",30,4,1,1,0,0xa0,0xa0,0,0,0,0,0\n") DB_LINKS,
			3, "column NodeType: expected 1, 2 or 3, found 4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].text, bad[i].line, bad[i].says);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_db_csv),
		cmocka_unit_test(test_db_csv_order),
		cmocka_unit_test(test_db_csv_crlf),
		cmocka_unit_test(test_db_csv_without_ports),
		cmocka_unit_test(test_db_csv_speeds),
		cmocka_unit_test(test_db_csv_routers),
		cmocka_unit_test(test_db_csv_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
