// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The topologies that ibdiagnet writes: its database, its dump of cables. */
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

TEST(test_db_csv)
{
	struct heard heard;
	struct weft_fabric *f = load_text(DB, &heard);

	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(heard.n, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	same_as_text(DB);
}

/* Dumps of other managers: blanks around values, rates as codes, as words and as
 * Gbit/s of a lane, cables from both ends. */
#define SMDB_NODES SECTION("NODES", \
	"SystemImageGUID, NodeGUID, NodeType, ExtNodeType, NumPorts, VendorID, DeviceID, NodeDesc", \
	"0xaf, 0xa0, 2, 0, 4, 713, 54000, \"leaf \\\"#1\\\"\" \n" \
	"0x0, 0xc0, 2, 0, 129, 713, 54000, \"spine\"\n" \
	"0xbf, 0xb0, 1, 0, 2, 713, 4099, \"host\"\n" \
	"0x0, 0xd0, 1, 0, 2, 713, 4099, \"dual\"\n")
#define SMDB_PORTS(hdr, edr, xdr, qdr, one, four, twelve) SECTION("PORTS", \
	"NodeGUID, PortGUID, PortNum, LID, LMC, PortState, LinkWidth, LinkSpeed", \
	"0xa0, 0xa1, 0, 1, 0, ACT, N/A, N/A\n" \
	"0xa0, 0xa1, 1, 0, 0, ACT, " four ", " hdr "\n" \
	"0xa0, 0xa1, 2, 0, 0, ACT, " four ", " edr "\n" \
	"0xa0, 0xa1, 3, 0, 0, ACT, " one ", " xdr "\n" \
	"0xa0, 0xa1, 4, 0, 0, ACT, " one ", " xdr "\n" \
	"0xc0, 0xc0, 0, 2, 0, ACT, 0, 0\n" \
	"0xc0, 0xc0, 1, 0, 0, ACT, " four ", " hdr "\n" \
	"0xc0, 0xc0, 2, 0, 0, ACT, " four ", " edr "\n" \
	"0xc0, 0xc0, 129, 0, 0, ACT, " twelve ", " qdr "\n" \
	"0xb0, 0xb1, 1, 4, 2, ACT, " twelve ", " qdr "\n" \
	"0xd0, 0xd1, 1, 8, 2, ACT, " four ", " edr "\n" \
	"0xd0, 0xd2, 2, 12, 2, ACT, " four ", " edr "\n")
#define SMDB_SWITCHES SECTION("SWITCHES", "NodeGUID, Status, Rank, ENP0", \
	"0xa0, VALID, 1, 1\n0xc0, VALID, 0, 0\n")
#define SMDB_LINKS SECTION("LINKS", \
	"NodeGUID1, PortNum1, NodeGUID2, PortNum2", \
	"0xa0, 1, 0xc0, 1\n0xc0, 1, 0xa0, 1\n0xa0, 2, 0xd0, 1\n" \
	"0xd0, 1, 0xa0, 2\n0xa0, 3, 0xa0, 4\n0xa0, 4, 0xa0, 3\n" \
	"0xd0, 2, 0xc0, 2\n0xc0, 2, 0xd0, 2\n0xc0, 129, 0xb0, 1\n" \
	"0xb0, 1, 0xc0, 129\n")
#define SMDB(ports) SMDB_NODES ports SMDB_SWITCHES SMDB_LINKS

TEST(test_smdb)
{
	static const char *const text[] = {
		SMDB(SMDB_PORTS("HDR", "EDR", "XDR", "QDR", "1x", "4x", "12x")),
		SMDB(SMDB_PORTS("53.125", "25", "200", "10", "1x", "4x", "12x")),
		SMDB(SMDB_PORTS("1028", "516", "4100", "4", "1", "2", "8")),
	};
	struct heard heard;

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		suite_case("%zu", i);
		weft_fabric_free(load_text(text[i], &heard));
		EXPECT_EQ(heard.n, 0);
		same_as_text(text[i]);
	}
	weft_fabric_free(load_text(SMDB(SMDB_PORTS("HDX", "EDR", "XDR", "QDR",
						   "1x", "4x", "12x")),
				   &heard));
	assert_heard_count(&heard, 1, 0);
}

/* Sections and columns in any order, columns that nobody knows. */
TEST(test_db_csv_order)
{
	same_as_text(DB_LINKS DB_SWITCHES DB_PORTS DB_HEAD DB_NODES);
	same_as_text(DB_NODES DB_PORTS DB_SWITCHES SECTION("LINKS",
		"# both ends\n \t\n" LINK_COLUMNS, " \n" LINK_ROWS "#\n"));
	same_as_text(DB_HEAD DB_NODES DB_PORTS DB_SWITCHES SECTION("LINKS",
		"portnum2, PORTNUM1 ,New,NodeGuid1,NodeGuid2,More",
		"1,1,\"a,b\",0xa0,0xc0\n1 , 2,,0xa0,0xd0,x\n4,3,,0xa0,0xa0,\n"
		"2,2,,0xd0,0xc0,\n0x1,0x81,\"\",c0,b0,\n"));
}

TEST(test_db_csv_crlf)
{
	char *text = replaced(DB, "\n", "\r\n");

	same_as_text(text);
	free(text);
}

/* What PORTS does not tell: LIDs are missing, GUIDs come from NODES. */
TEST(test_db_csv_without_ports)
{
	struct heard heard;
	struct weft_fabric *f = load_text(DB_NODES DB_LINKS, &heard);

	assert_heard(&heard, WEFT_WARNING, 3, "has no LID; 4 more");
	assert_heard_count(&heard, 1, 0);
	assert_text_counts(f);
	ASSERT_EQ(f->sw[0].port_guid, 0xa1);
	ASSERT_NE(weft_fabric_endport_by_guid(f, 0xb1), WEFT_NONE);
	weft_fabric_free(f);
}

TEST(test_db_csv_speeds)
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
			 SECTION("LINKS", LINK_COLUMNS,
				 "0xc0,1,0xa0,1\n0xa0,2,0xd0,1\n0xc0,3,0xb0,1\n"),
			 rate[i].code, rate[i].code);
		assert_rate(text, rate[i].speed, rate[i].warnings);
	}
}

#define ADJACENT SECTION("ROUTERS_ADJ_SITE_LOCAL_SUBNETS_TABLE", \
	"NodeGUID,BlockNum,RecordNum,SubnetPrefix,Pkey,MasterSMLID", \
	"0xb0,0,0,0xfec0000000000001,0x7fff,1\n" \
	"0xb0,0,1,0xfec0000000000002,0x7fff,3\n")
#define NEXT_HOPS SECTION("ROUTERS_NEXT_HOP_TABLE", \
	"NodeGUID,BlockNum,RecordNum,SubnetPrefix,Pkey,Weight", \
	"0xb0,0,0,0xfec0000000000003,0x7fff,10\n")

/* A router is one of the subnet's ends, and has the tables that are told. */
TEST(test_db_csv_routers)
{
	char *text = replaced(DB ADJACENT NEXT_HOPS, "\"host\",2,1,",
			      "\"router\",2,3,");
	char *column = replaced(text, "PortNum,MKey,", "PortNum,GIDPrfx,");
	char *prefix = replaced(column, "0xa0,0xa1,0,0x0000000000000000,1,",
				"0xa0,0xa1,0,0xfec0000000000001,1,");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard), *g = NULL;
	uint32_t e = weft_fabric_endport_by_guid(f, 0xb1);

	assert_heard_count(&heard, 0, 0);
	ASSERT_EQ(f->ep[e].kind, WEFT_ROUTER);
	ASSERT_EQ(f->prefix, 0);
	ASSERT_EQ(f->nrouter_entries, 3);
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(f->router_entry[i].router, 0xb0);
		ASSERT_EQ(f->router_entry[i].prefix, 0xfec0000000000001 + i);
		ASSERT_EQ(f->router_entry[i].adjacent, i < 2);
	}
	ASSERT_EQ(weft_fabric_assign_lids(f, -1, &g, NULL), 0);
	ASSERT_EQ(g->nrouter_entries, 3);
	ASSERT_EQ(g->router_entry[2].prefix, 0xfec0000000000003);
	weft_fabric_free(g);
	weft_fabric_free(f);
	f = load_text(prefix, &heard);
	ASSERT_EQ(f->prefix, 0xfec0000000000001);
	weft_fabric_free(f);
	free(prefix);
	free(column);
	free(text);
}

TEST(test_db_csv_refused)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ DB_NODES, 0, "no section LINKS" },
		{ DB_LINKS, 0, "no section NODES" },
		{ DB ADJACENT, 61, "is no router, and has a table of one" },
		{ DB DB_NODES, 59,
			"a second section NODES: the first one begins in line 10"
			},
		{ DB_NODES "START_LINKS\n" LINK_COLUMNS "\n" LINK_ROWS, 10,
			"has no END_LINKS: the file was cut" },
		{ DB_NODES SECTION("LINKS", "NodeGuid1,PortNum1", ""), 11,
			"has no column NodeGuid2" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,1\n"), 12,
			"a row of 2 columns, where column PortNum2 is the 4" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,x,0xc0,1\n"),
			12,
			"section LINKS, column PortNum1: expected a number, found \"x\""
			},
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xleaf,1,0xc0,1\n"),
			12,
			"section LINKS, column NodeGuid1: expected a GUID, found \"0xleaf\""
			},
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "N/A,1,0xc0,1\n"),
			12, "column NodeGuid1: expected a GUID, found \"N/A" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,1,0xee,1\n"),
			12, "the node 0x00000000000000ee is not in the" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,255,0xc0,1\n"),
			12, "column PortNum1: a port number above 254" },
		{ DB_NODES SECTION("LINKS", LINK_COLUMNS, "0xa0,1,0xc0,255\n"),
			12, "column PortNum2: a port number above 254" },
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

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].text, bad[i].line, bad[i].says);
}

/* --- ibdiagnet2.net_dump ------------------------------------------------- */

#define ND_COLUMNS \
	"   #    : IB# : Sta  : PhysSta : MTU : LWA  : LSA : FEC mode : " \
	"Retran : Neighbor Guid : N#  : NLID : Neighbor Description\n"
#define ND_UP " : ACT  : LINK UP : 5 : 4x : "
#define ND_FEC " : MLNX_RS_271_257_PLR : NO-RTR : "
#define ND_A_HEAD "\"MF0;leaf \"#1\":MQM8700/U1\", Mellanox, 0xa0, LID 1\n"
#define ND_A ND_A_HEAD ND_COLUMNS \
	"   1/1  : 1" ND_UP "50" ND_FEC "0xc0 : 7/2 : 2 : \"spine\"\n" \
	"   1/2  : 2" ND_UP "25" ND_FEC "0xd0 : 1 : 8 : \"dual\"\n" \
	"   2/1  : 3" ND_UP "200" ND_FEC "0xa0 : 2/2 : 1 : \"leaf\"\n" \
	"   2/2  : 4" ND_UP "200" ND_FEC "0xa0 : 2/1 : 1 : \"leaf\"\n"
#define ND_C_HEAD "\"spine\", Mellanox, 0xc0, LID 2\n"
#define ND_C_ROWS \
	"   7/2  : 1" ND_UP "50" ND_FEC "0xa0 : 1/1 : 1 : \"leaf\"\n" \
	"   2    : 2" ND_UP "25" ND_FEC "0xd0 : HCA-1/2 : 12 : \"dual\"\n" \
	"   3:4:DOWN:POLLING:N/A:N/A:N/A:N/A:N/A::::\n" \
	"   1/16/1:31:INI:LINK UP:5:4x:100:RS:NO-RTR::::\n" \
	"   129  : 129" ND_UP "10" ND_FEC "0xb0 : 1 : 4 : \"host\"\n"
#define ND_HEAD \
	"# This database file was automatically generated by IBDIAG\n\n" \
	"# Switch label port numbering explanation:\n" \
	"#   Quantum switch split mode: Port/Split\n\n\n"
#define ND ND_HEAD ND_A "\n\n" ND_C_HEAD ND_COLUMNS ND_C_ROWS

TEST(test_net_dump)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ND, &heard);
	uint32_t e = weft_fabric_endport_by_guid(f, 0xd2);

	ASSERT_EQ(heard.n, 0);
	assert_text_counts(f);
	ASSERT_STR(f->sw[0].name, "MF0;leaf \"#1\":MQM8700/U1");
	ASSERT_EQ(f->sw[0].lid, 1);
	ASSERT_EQ(f->sw[1].nports, 129);
	ASSERT_NE(e, WEFT_NONE);
	ASSERT_EQ(f->ep[e].lid, 12);
	ASSERT_EQ(f->ep[e].sw, 1);
	ASSERT_EQ(f->ep[e].sw_port, 2);
	ASSERT_STR(f->node[f->ep[e].node].name, "dual");
	ASSERT_EQ(f->speed[weft_channel(f, 0, 1)], WEFT_HDR);
	ASSERT_EQ(f->peer_port[weft_channel(f, 0, 3)], 4);
	weft_fabric_free(f);
}

/* Fewer columns in another order; no empty line between switches. */
TEST(test_net_dump_columns)
{
	struct heard heard;
	struct weft_fabric *f = load_text(ND_A_HEAD
		"#  : IB# : LSA : LWA : N# : Neighbor Guid : NLID : Neighbor Description\n"
		"1/1 : 1 : 50 : 4x : 1 : 0xc0 : 2 : \"MF0;a:b:MQM8700/U1\"\n"
		"1/2 : 2 : 50 : 4x : 1 : 0xd0 : 8 : \"a:b : c\"\n"
		ND_C_HEAD
		"# : IB# : LWA : LSA : Neighbor Guid : N# : NLID : Neighbor Description\n"
		"1 : 1 : 4x : 50 : 0xa0 : 1/1 : 1 : leaf\n", &heard);

	ASSERT_EQ(heard.n, 0);
	assert_counts(f, 2, 1, 1, 2);
	ASSERT_STR(f->node[0].name, "a:b : c");
	weft_fabric_free(f);
}

/* Lines of something else are skipped, more columns than any version has are
 * not looked at. */
TEST(test_net_dump_odd)
{
#define EIGHT ":::::::: "
	struct heard heard;
	struct weft_fabric *f = load_text("-I- done\n" ND, &heard);

	assert_heard(&heard, WEFT_WARNING, 1, "skipped a line of something");
	assert_text_counts(f);
	weft_fabric_free(f);
	assert_refused(ND_C_HEAD "# : IB# : LWA " EIGHT EIGHT EIGHT EIGHT
		       ": LSA : N# : Neighbor Guid : NLID : Neighbor Description\n",
		       2, "no column \"LSA\"");
}

/* The same port of an adapter at several switches: its planes. */
TEST(test_net_dump_planes)
{
	char *text = replaced(ND, "HCA-1/2 : 12", "1 : 8");
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard(&heard, WEFT_NOTE, 18, "shares GUID and LID");
	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	free(text);
}

TEST(test_net_dump_speeds)
{
	char *text = replaced(ND, ND_UP "50", " : ACT : LINK UP : 5 : 2x : 7");

	assert_rate(text, WEFT_SPEED_UNKNOWN, 1);
	free(text);
	text = replaced(ND, ND_UP "50", " : ACT : LINK UP : 5 : 2x : FDR10");
	assert_rate(text, WEFT_FDR10, 0);
	free(text);
}

TEST(test_net_dump_refused)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ ND_COLUMNS ND_C_ROWS, 2, "without the line of its switch" },
		{ ND_C_HEAD ND_C_ROWS, 2, "without the names of the columns" },
		{ ND_C_HEAD "# : IB# : Sta\n", 2, "no column \"LWA\"" },
		{ ND_C_HEAD
			"# : IB# : LSA : N# : Neighbor Guid : NLID : Neighbor Description : LWA\n",
			2, "the column \"LWA\" stands behind the names" },
		{ ND_C_HEAD ND_COLUMNS "1 : 1" ND_UP, 3,
			"a row of less than 13 columns" },
		{ ND_C_HEAD ND_COLUMNS "1 : 0" ND_UP "5" ND_FEC ":::\n", 3,
			"column \"IB#\": expected a port, 1 to 254" },
		{ ND_C_HEAD ND_COLUMNS "1 : 1" ND_UP "5" ND_FEC "a0:::\n", 3,
			"column \"Neighbor Guid\": expected 0x" },
		{ ND_C_HEAD ND_COLUMNS "1 : 1" ND_UP "5" ND_FEC "0xe0:1:x:\n",
			3, "column \"NLID\": expected a decimal number" },
		{ ND_C_HEAD ND_COLUMNS "1 : 1" ND_UP "5" ND_FEC "0xe0:y:3:\n",
			3,
			"column \"N#\": expected the number of a port, found \"y\""
			},
		{ ND_C_HEAD ND_COLUMNS "1 : 1" ND_UP "5" ND_FEC "0xc0:9:2:\n",
			3,
			"column \"N#\": expected the label of a port of that switch, found \"9\""
			},
		{ ND_A ND_C_HEAD, 7, "a switch without ports" },
		{ ND ND_C_HEAD ND_COLUMNS ND_C_ROWS, 22,
			"has a heading already, in line 15" },
		{ "\"spine, Mellanox, 0xc0, LID 2\n" ND, 1,
			"expected the name, between two quotes" },
		{ "\"spine\", Mellanox, LID 2\n" ND, 1, "the GUID as , 0x" },
		{ "\"spine\", Mellanox, 0xc0\n" ND, 1,
			"expected , LID and a decimal number" },
		{ ND_HEAD ND_COLUMNS, 0, "no switch is described" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].text, bad[i].line, bad[i].says);
}
