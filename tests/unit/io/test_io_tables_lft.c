// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading forwarding tables: every layout, every defect. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct fixture {
	struct weft_fabric *fabric;
	struct weft_lft lft;
	struct heard heard;
};

static int set_up(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	x->fabric = small_fabric();
	heard_init(&x->heard);
	*state = x;
	return weft_io_lft_init(x->fabric, &x->lft);
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	weft_lft_free(&x->lft);
	weft_fabric_free(x->fabric);
	free(x);
	return 0;
}

static int read_text(struct fixture *x, const char *text)
{
	return weft_io_read_lft(file_with(text, strlen(text)), x->fabric,
				&x->lft, &x->heard.diag);
}

/* ports: one character for each LID from 1 on, '-' = no route. */
static void assert_row(const struct fixture *x, uint32_t sw, const char *ports)
{
	char row[8] = "";

	ASSERT_EQ(weft_lft_get(&x->lft, sw, 0), WEFT_NO_PORT);
	for (unsigned lid = 1; lid <= x->fabric->max_lid; lid++) {
		unsigned port = weft_lft_get(&x->lft, sw, lid);

		row[lid - 1] = port == WEFT_NO_PORT ? '-' :
			(char)('0' + port);
	}
	ASSERT_STR(row, ports);
}

#define NO_TABLE "------"

/* Rows of the three switches, in the layout of opensm-lfts.dump. */
#define OPENSM_1 \
	"Unicast lids [0-6] of switch Lid 1 guid 0x0000000000000010 ('a'):\n" \
	"0x0001 000 # Switch portguid 0x0000000000000010: 'a'\n" \
	"0x0002 002 # Switch portguid 0x0000000000001020: 'b'\n" \
	"0x0003 002 # Switch portguid 0x0000000000000030: 'c'\n" \
	"0x0004 001 # Channel Adapter portguid 0x00000000000000a1: 'x'\n" \
	"0x0005 002 # unknown node and type\n" \
	"0x0006 002 # Channel Adapter portguid 0x00000000000000c1: 'z'\n" \
	"6 lids dumped\n"
#define ROW_1 "022122"
#define OPENSM_2 \
	"Unicast lids [0-6] of switch Lid 2 guid 0x0000000000000020 ('b'):\n" \
	"0x0001 002 # Switch portguid 0x0000000000000010: 'a'\n" \
	"0x0004 002 # Channel Adapter portguid 0x00000000000000a1: 'x'\n" \
	"0x0005 001 # Channel Adapter portguid 0x00000000000000b1: 'y'\n" \
	"0x0006 004 # Channel Adapter portguid 0x00000000000000c1: 'z'\n" \
	"6 lids dumped\n"
#define ROW_2 "2--214"
#define OPENSM_3 \
	"Unicast lids [0-6] of switch Lid 3 guid 0x0000000000000030 ('c'):\n" \
	"0x0003 000 # Switch portguid 0x0000000000000030: 'c'\n" \
	"0x0006 001 # Channel Adapter portguid 0x00000000000000c1: 'z'\n" \
	"6 lids dumped\n"
#define ROW_3 "--0--1"

TEST_WITH(opensm_lfts_dump, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, OPENSM_1 OPENSM_2 OPENSM_3), 0);
	assert_row(x, 0, ROW_1);
	assert_row(x, 1, ROW_2);
	assert_row(x, 2, ROW_3);
	ASSERT_EQ(x->heard.n, 0);
}

/* The switch by LID, by directed route, in quotes; GUID of the port. */
TEST_WITH(ibroute_headers, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const char *text =
		"Unicast lids [0x0-0x6] of switch Lid 1 guid 0x0000000000000010 (it's (a) \"guid 0x30\"):\n"
		"  Lid  Out   Destination\n"
		"       Port     Info \n"
		"0x0001 000 : (Switch portguid 0x0000000000000010: 'a')\n"
		"0x0004 001 : (Channel Adapter portguid 0xa1: 'it's #0x4 (')\n"
		"2 valid lids dumped \n"
		"Unicast lids [0x0-0x6] of switch DR path slid 0; dlid 0; 0,1,19 guid 0x0000000000001020 (b):\n"
		"  Lid  Out   Destination\n"
		"       Port     Info \n"
		"0x0005 001 : (Channel Adapter portguid 0xb1: 'y')\n"
		"0x0006 003 : (path #1 out of 2: portguid 0xc1)\n"
		"2 valid lids dumped \n"
		"Unicast lids [0x0-0x6] of switch Lid 3 (c):\n"
		"  Lid  Out   Destination\n"
		"       Port     Info \n"
		"0x0000 255 : (path #0 - illegal port)\n"
		"0x0001 003 \n"
		"0x0002 255 : (illegal port)\n"
		"0x0003 000\n"
		"0x0006 1\n"
		"5 lids dumped \n";

	ASSERT_EQ(read_text(x, text), 0);
	assert_row(x, 0, "0--1--");
	assert_row(x, 1, "----13");
	assert_row(x, 2, "3-0--1");
	ASSERT_EQ(x->heard.n, 0);
}

/* One file for each switch, no closing line, error output at the end. */
/* A first line whose range of LIDs cannot be says nothing of the last one; one
 * that has something else in its brackets is an error. */
TEST_WITH(no_range, set_up, tear_down)
{
	static const char *const ranges[] = {
		"[0x0-0xc000]", "[0-65536]", "",
	};
	static const char *const broken[] = { "[6-]", "[]", "[0-6junk]" };
	struct fixture *x = suite_state;
	char text[256];

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		snprintf(text, sizeof(text), "Unicast lids %s of switch Lid 1 "
			 "guid 0x10 (a):\n0x0001 000\n0x0004 001\n",
			 ranges[i]);
		heard_init(&x->heard);
		ASSERT_EQ(read_text(x, text), 0);
		for (unsigned k = 0; k < x->heard.n; k++)
			ASSERT(!strstr(x->heard.message[k].text, "cut?"));
	}
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		snprintf(text, sizeof(text), "Unicast lids %s of switch Lid 1 "
			 "guid 0x10 (a):\n0x0001 000\n0x0004 001\n",
			 broken[i]);
		ASSERT_NE(read_text(x, text), 0);
	}
	heard_init(&x->heard);
	ASSERT_EQ(read_text(x,
		  "Unicast lids [0x0-0x5] of switch Lid 1 guid 0x10 (a):\n0x0004 001\n"),
		  0);
	assert_heard(&x->heard, WEFT_WARNING, 1,
		     "ends at LID 4, expected up to 5");
}

TEST_WITH(file_per_switch, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x,
		  "Unicast lids [0x0-0x6] of switch Lid 1 guid 0x10 (a):\n"
		  "0x0001 000 : (Switch portguid 0x10: 'a')\n"
		  "0x0006 002 : (Channel Adapter portguid 0xc1: 'z')\n"
		  "/usr/sbin/ibroute: iberror: failed: dump tables: linear forwarding table get failed\n"),
		  0);
	assert_heard(&x->heard, WEFT_WARNING, 4, "iberror: failed: dump");
	assert_heard_count(&x->heard, 1, 0);
	ASSERT_EQ(read_text(x, OPENSM_3), 0);
	assert_row(x, 0, "0----2");
	assert_row(x, 1, NO_TABLE);
	assert_row(x, 2, ROW_3);
	assert_heard_count(&x->heard, 1, 0);
}

TEST_WITH(fdbs, set_up, tear_down)
{
	static const char *const header[] = {
		"osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000010\n",
		"__osm_ucast_mgr_dump_ucast_routes: Switch 0x10\n",
		"dump_ucast_routes: Switch 0x0000000000000010\n",
	};
	const char *rows =
		"LID    : Port : Hops : Optimal\n"
		"0x0001 : 000  : 00   : yes\n"
		"0x0002 : UNREACHABLE\n"
		"0x0003 : 002  : HOPS UNKNOWN\n"
		"0x0004 : 001  : 00   : No 1 hop path possible via port 3!\n"
		"0x0005 : UNREACHABLE\n"
		"0x0006 : 002  : 02   : yes\n\n";
	struct fixture *x = suite_state;
	char text[600];

	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "%s%s", header[i], rows);
		ASSERT_EQ(read_text(x, text), 0);
		assert_row(x, 0, "0-21-2");
		ASSERT_EQ(x->heard.n, 0);
		weft_lft_free(&x->lft);
		weft_io_lft_init(x->fabric, &x->lft);
	}
}

/* ibdiagnet2: PLFT 0 is the table, others are private ones. */
TEST_WITH(fdbs_private_tables, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, "# a comment\n"
		  "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000001020\n"
		  "PLFT_NUM: 0\n" "LID    : Port : Hops : Optimal\n"
		  "0x0005 : 001  : 00   : yes\n" "PLFT_NUM: 1\n"
		  "LID    : Port : Hops : Optimal\n"
		  "0x0005 : 003  : 00   : yes\n" "0x0006 : 003  : 00   : yes\n"
		  "osm_ucast_mgr_dump_ucast_routes: Switch 0x0000000000000030\n"
		  "PLFT_NUM: 0\n" "LID    : Port : Hops : Optimal\n"
		  "0x000A : UNREACHABLE\n" "0x0006 : 001  : 00   : yes\n"), 0);
	assert_row(x, 1, "----1-");
	assert_row(x, 2, "-----1");
	assert_heard(&x->heard, WEFT_WARNING, 6, "private tables left out");
	assert_heard(&x->heard, WEFT_WARNING, 0, "no table for 1 of 3");
	assert_heard_count(&x->heard, 2, 0);
}

/* CRLF, a byte-order mark, blanks, prompts, a multicast table. */
TEST_WITH(terminal_log, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, "\xef\xbb\xbf[root@sm ~]# dump_lfts.sh\r\n"
		  "ibwarn: [1] sim_connect: attached\r\n"
		  " Unicast lids [0x0-0x6] of switch Lid 3 guid 0x30 (c):\r\n"
		  "\t0x0003\t000\r\n" "0x0006   001 : (Channel Adapter)\r\n"
		  "2 valid lids dumped \r\n"
		  "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x10 (a):\r\n"
		  "     Ports: 0 1 2\r\n" " MLid\r\n" "0xc000      x x\r\n"
		  "0xc001 001\r\n" "2 valid mlids dumped \r\n"), 0);
	assert_row(x, 0, NO_TABLE);
	assert_row(x, 2, ROW_3);
	assert_heard(&x->heard, WEFT_NOTE, 1, "[root@sm ~]# dump_lfts.sh");
	assert_heard(&x->heard, WEFT_NOTE, 1, "1 more like this");
	assert_heard(&x->heard, WEFT_WARNING, 7, "multicast tables left out");
	assert_heard_count(&x->heard, 1, 0);
}

TEST_WITH(bad_entries_are_counted, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x,
		  "Unicast lids [0-6] of switch Lid 1 guid 0x10 ('a'):\n"
		  "0x0000 001 # unknown\n" "0x0001 000 # fine\n"
		  "0x0002 005 # no such port\n" "0x0003 040 # no such port\n"
		  "0x0004 001 # fine\n" "0x0004 001 # the same again\n"
		  "0x0004 002 # another port\n"
		  "0x0007 001 # above the fabric\n"
		  "0x0008 255 # nothing lost\n"
		  "0xbfff 001 # above the fabric\n" "0xc000 001 # multicast\n"
		  "0xffff 001 # permissive\n" "11 lids dumped\n"), 0);
	/* Ports that do not exist stay, for the check of the tables. */
	assert_row(x, 0, "05X1--");
	assert_heard(&x->heard, WEFT_WARNING, 2, "0x0000 is no unicast LID");
	assert_heard(&x->heard, WEFT_WARNING, 2, "2 more like this");
	assert_heard(&x->heard, WEFT_WARNING, 4, "port 5 for LID 0x0002");
	assert_heard(&x->heard, WEFT_WARNING, 4, "1 more like this");
	assert_heard(&x->heard, WEFT_WARNING, 8, "LID 0x0004 again");
	assert_heard(&x->heard, WEFT_WARNING, 9, "LID 0x0007 is above");
	assert_heard(&x->heard, WEFT_WARNING, 9, "1 more like this");
	assert_heard(&x->heard, WEFT_WARNING, 1,
		     "has 12 rows, its last line says 11");
	assert_heard_count(&x->heard, 5, 0);
}

TEST_WITH(switch_twice, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, OPENSM_1 OPENSM_2 OPENSM_2 OPENSM_3
		  "Unicast lids [0-6] of switch Lid 1 guid 0x10 ('a'):\n"
		  "0x0001 000\n0x0002 003\n0x0004 001\n0x0006 002\n"
		  "6 lids dumped\n"), 0);
	assert_row(x, 0, ROW_1);
	assert_row(x, 1, ROW_2);
	assert_heard(&x->heard, WEFT_WARNING, 25,
		     "second table of switch 0x0000000000000010 differs from the first in 3 entries");
	assert_heard_count(&x->heard, 1, 0);
}

TEST_WITH(switches_that_do_not_match, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, OPENSM_1
		"Unicast lids [0-6] of switch Lid 77 guid 0x99 ('?'):\n"
		"0x0001 099\n"
		"6 lids dumped\n"
		/* LID 4 is a host's: no switch is found by it. */
		"Unicast lids [0-6] of switch Lid 4 guid 0x98 ('?'):\n"
		"0x0001 099\n"
		"6 lids dumped\n"
		"Unicast lids [0-6] of switch Lid 3 guid 0x97 ('c'):\n"
		"0x0006 001\n"
		"6 lids dumped\n"), 0);
	assert_row(x, 0, ROW_1);
	assert_row(x, 2, "-----1");
	assert_heard(&x->heard, WEFT_WARNING, 9, "0x0000000000000099 (LID 77)");
	assert_heard(&x->heard, WEFT_WARNING, 9, "1 more like this");
	assert_heard(&x->heard, WEFT_WARNING, 15,
		     "taken for switch 0x0000000000000030, which has its LID 3");
	assert_heard(&x->heard, WEFT_WARNING, 0,
		     "no table for 1 of 3 switches, the first is 0x0000000000000020");
	assert_heard_count(&x->heard, 3, 0);
}

TEST_WITH(lids_have_moved, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x,
		  "Unicast lids [0-6] of switch Lid 5 guid 0x10 ('a'):\n"
		  "0x0001 000\n6 lids dumped\n"), 0);
	assert_heard(&x->heard, WEFT_WARNING, 1,
		     "had LID 5 when the tables were taken, in the topology it has 1");
	assert_heard_count(&x->heard, 1, 0);
}

TEST_WITH(no_switch_matches, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x,
		  "Unicast lids [0-6] of switch Lid 77 guid 0x99 ('?'):\n"
		  "0x0001 000\n6 lids dumped\n"), -EINVAL);
	assert_heard(&x->heard, WEFT_ERROR, 1, "none of its 1 tables");
}

/* Whether all was read, or the whole first table and nothing else. */
static bool nothing_to_say(const struct weft_lft *lft,
			   const struct weft_lft *full)
{
	struct weft_lft_diff diff;

	weft_lft_compare(lft, full, &diff);
	return !diff.entries ||
	       (!memcmp(weft_lft_row(lft, 0), weft_lft_row(full, 0),
			lft->stride) &&
		diff.switches == 2 && weft_lft_get(lft, 1, 1) == WEFT_NO_PORT);
}

/*
 * Cut after every byte: always the true beginning, and silence only when
 * nothing but whole tables of other switches are lost from a file that then
 * looks like one that was taken of a single switch.
 */
TEST_WITH(cut_anywhere, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const char *whole = OPENSM_1 OPENSM_2 OPENSM_3;
	size_t first = strlen("Unicast lids [0-6] of switch Lid 1 guid 0x0000000000000010 ('a'):\n");
	struct weft_lft full;

	ASSERT_EQ(read_text(x, whole), 0);
	full = x->lft;
	for (size_t n = 0; n + 1 < strlen(whole); n++) {
		int err;

		weft_io_lft_init(x->fabric, &x->lft);
		heard_init(&x->heard);
		err = weft_io_read_lft(file_with(whole, n), x->fabric, &x->lft,
				       &x->heard.diag);
		ASSERT_EQ(err, n < first ? -EINVAL : 0);
		ASSERT(x->heard.n > 0 || nothing_to_say(&x->lft, &full));
		for (uint32_t s = 0; s < 3; s++)
			for (unsigned lid = 0; lid <= 6; lid++) {
				unsigned port = weft_lft_get(&x->lft, s, lid);

				if (port != WEFT_NO_PORT)
					ASSERT_EQ(port,
						  weft_lft_get(&full, s, lid));
			}
		weft_lft_free(&x->lft);
	}
	x->lft = full;
}

TEST_WITH(fdbs_cut, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, "dump_ucast_routes: Switch 0x10\n"
		  "0x0001 : 000  : 00   : yes\n" "0x0006 : 002  : 00   : yes\n"
		  "dump_ucast_routes: Switch 0x20\n"
		  "0x0001 : 002  : 00   : yes\n" "0x0006 : 003  : 00   : yes\n"
		  "dump_ucast_routes: Switch 0x30\n"
		  "0x0001 : 003  : 00   : yes\n"), 0);
	assert_heard(&x->heard, WEFT_WARNING, 7,
		     "ends at LID 1, expected up to 6");
	assert_heard_count(&x->heard, 1, 0);
}

TEST_WITH(not_tables, set_up, tear_down)
{
	static const struct {
		const char *text;
		unsigned long line;
		const char *error;
	} cases[] = {
		{ "", 0, "it is empty" },
		{ "\x1f\x8b\x08", 0, "this gzip file is cut" },
		{ "vendid=0x2c9\ndevid=0xc738\n", 0, "this is ibnetdiscover" },
		{ "\n\nhello\n", 0, "no unicast forwarding table" },
		{ "0x0001 000\n", 1, "a row before any line that names" },
		{ OPENSM_1 "0x0001 000\n", 9, "a row before any line" },
		{ OPENSM_1 "Unicast lids [0-6]\n", 9, "no switch" },
		{ "Unicast lids [0-6] of switch ('a'):\n", 1,
		  "neither GUID nor LID" },
		{ "dump_ucast_routes: Switch zero\n", 1, "no GUID" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n0x0001 0x2\n",
		  2, "expected the port, 0 to 255, found" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n0x0001 256\n",
		  2, "expected the port, 0 to 255, found" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n0x10001 001\n",
		  2, "expected the LID, 0x0000" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n0x 001\n",
		  2, "not a row" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n0x0001 001x\n",
		  2, "not a row" },
		{ "Unicast lids [0-6] of switch Lid 1 guid 0x10 (a):\n"
		  "0x0001 /:: : (no digits, though they add up to 10)\n", 2,
		  "not a row" },
		{ "dump_ucast_routes: Switch 0x10\nPLFT_NUM: x\n", 2,
		  "no number" },
		{ "Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x10 (a):\n"
		  "0xc000      x x\n", 0, "dump_fts -M, which holds no" },
	};
	struct fixture *x = suite_state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		heard_init(&x->heard);
		ASSERT_EQ(read_text(x, cases[i].text), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, cases[i].line,
			     cases[i].error);
	}
	ASSERT_EQ(weft_io_read_lft("/nonexistent/file", x->fabric, &x->lft,
		  &x->heard.diag), -ENOENT);
}

/* Thousands of defects: a handful of messages. */
TEST_WITH(messages_collapse, set_up, tear_down)
{
	enum { ROWS = 20000, SIZE = ROWS * 64 };
	struct fixture *x = suite_state;
	char *text = malloc(SIZE);
	size_t n = 0;

	n += (size_t)sprintf(text, OPENSM_3);
	for (unsigned i = 0; i < ROWS; i++)
		n += (size_t)sprintf(text + n, i % 4 ? "0x%04x 200 # bad\n" :
			i % 8 ? "guid %x failed\n" :
			"Unicast lids [0-6] of switch Lid 1 guid 0x10%x (?)\n",
			i);
	ASSERT_EQ(weft_io_read_lft(file_with(text, n), x->fabric, &x->lft,
		  &x->heard.diag), 0);
	ASSERT(x->heard.n < WEFT_NO_PORT / 16);
	free(text);
}

/* A dump directory that holds the table of one switch. */
TEST_WITH(directory_lacks_tables, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char dir[] = "/tmp/weft-test-XXXXXX", topology[64], table[64];
	struct weft_input in;
	FILE *out;

	ASSERT(mkdtemp(dir));
	snprintf(topology, sizeof(topology), "%s/small.ibnetdiscover", dir);
	snprintf(table, sizeof(table), "%s/table", dir);
	out = fopen(topology, "w");
	ASSERT_EQ(weft_io_write_ibnetdiscover(out, x->fabric, NULL), 0);
	fclose(out);
	out = fopen(table, "w");
	fputs(OPENSM_2, out);
	fclose(out);
	ASSERT_EQ(weft_input_open(dir, false, &in, &x->heard.diag), 0);
	ASSERT(in.sources.ntables);
	assert_heard(&x->heard, WEFT_WARNING, 0,
		     "no table for 2 of 3 switches, the first is 0x0000000000000010");
	assert_heard_count(&x->heard, 1, 0);
	weft_input_close(&in);
	unlink(topology);
	unlink(table);
	rmdir(dir);
}
