// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading SL2VL tables and service levels: layouts and defects. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>

struct fixture {
	struct weft_fabric *fabric;
	struct weft_layers layers;
	struct heard heard;
};

static int set_up(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	x->fabric = small_fabric();
	weft_layers_init(&x->layers);
	heard_init(&x->heard);
	*state = x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	weft_layers_free(&x->layers);
	weft_fabric_free(x->fabric);
	free(x);
	return 0;
}

static int read_sl2vl(struct fixture *x, const char *text)
{
	return weft_io_read_sl2vl(file_with(text, strlen(text)), x->fabric,
				  &x->layers, &x->heard.diag);
}

static int read_sl(struct fixture *x, const char *text)
{
	return weft_io_read_sl(file_with(text, strlen(text)), x->fabric,
			       &x->layers, &x->heard.diag);
}

static unsigned vl(const struct fixture *x, uint32_t sw, unsigned in,
		   unsigned out, unsigned sl)
{
	size_t row = x->layers.base[sw] + in * 5 + out;

	return x->layers.sl2vl[row * WEFT_NSL + sl];
}

/* A table in which SL s of row (in, out) has VL (s + in + 2 out) mod 8. */
static size_t format_table(char *text, unsigned lid, uint64_t guid)
{
	int n = sprintf(text, "Switch 0x%016llx, base LID %u, \"a \"b\"\"\n"
			"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
			"#-----------------\n", (unsigned long long)guid,
			lid);

	for (unsigned out = 1; out <= 4; out++)
		for (unsigned in = 0; in <= 4; in++) {
			n += sprintf(text + n, "%-3u %-3u :", in, out);
			for (unsigned sl = 0; sl < WEFT_NSL; sl++)
				n += sprintf(text + n, " %-2u",
					     (sl + in + 2 * out) % 8);
			n += sprintf(text + n, "\n");
		}
	return (size_t)n + (size_t)sprintf(text + n, "#-------\n\n");
}

/* Whether all rows are as format_table() and format_bytes() have them. */
static void assert_tables(const struct fixture *x)
{
	for (uint32_t s = 0; s < 3; s++)
		for (unsigned out = 1; out <= 4; out++)
			for (unsigned in = 0; in <= 4; in++)
				for (unsigned sl = 0; sl < WEFT_NSL; sl++)
					ASSERT_EQ(vl(x, s, in, out, sl),
						  (sl + in + 2 * out) % 8);
	/* All is on SL 0, which reaches lane 7. */
	ASSERT_EQ(x->layers.nvl, 8);
}

TEST_WITH(sl2vl_dump, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char text[8192];
	size_t n = 0;

	n += (size_t)sprintf(text,
		"Channel Adapter 0x00000000000000a1, base LID 4, \"x\"\n"
		"#in out : 0  1  2\n"
		"0   0   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"#-------\n\n");
	n += format_table(text + n, 2, 0x1020);
	n += format_table(text + n, 1, 0x10);
	n += format_table(text + n, 3, 0x30);
	ASSERT_EQ(read_sl2vl(x, text), 0);
	ASSERT_EQ(x->heard.n, 0);
	assert_tables(x);
}

/* The same as rows of GUID, ports and eight bytes. */
static size_t format_bytes(char *text, uint64_t guid)
{
	int n = 0;

	for (unsigned out = 1; out <= 4; out++)
		for (unsigned in = 0; in <= 4; in++) {
			n += sprintf(text + n, "0x%016llx %u %u",
				     (unsigned long long)guid, in, out);
			for (unsigned sl = 0; sl < WEFT_NSL; sl += 2)
				n += sprintf(text + n, " 0x%x%x",
					     (sl + in + 2 * out) % 8,
					     (sl + 1 + in + 2 * out) % 8);
			n += sprintf(text + n, "\n");
		}
	return (size_t)n;
}

/* ibdiagnet2.slvl; that a switch is not in the topology is told once. */
TEST_WITH(sl2vl_bytes, set_up, tear_down)
{
	struct fixture *x = suite_state;
	const struct weft_format *format;
	char text[16384];
	size_t n = (size_t)sprintf(text, "# by IBDIAG\n\n");

	n += format_bytes(text + n, 0x1020);
	n += format_bytes(text + n, 0x10);
	n += format_bytes(text + n, 0x30);
	ASSERT_EQ(weft_io_detect(file_with(text, n), &format, NULL), 0);
	ASSERT_STR(format->name, "opensm-sl2vl.dump");
	ASSERT_EQ(read_sl2vl(x, text), 0);
	ASSERT_EQ(x->heard.n, 0);
	assert_tables(x);
	format_bytes(text + n, 0x99);
	ASSERT_EQ(read_sl2vl(x, text), 0);
	assert_heard(&x->heard, WEFT_WARNING, 63,
		     "switch 0x0000000000000099 is not in the topology: table left out");
	assert_heard_count(&x->heard, 1, 0);
	assert_tables(x);
}

/* Writes the SL2VL tables at hand and reads them back into *out. */
static void write_and_read(struct fixture *x, struct weft_layers *out)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	ASSERT_EQ(weft_io_write_sl2vl(file, x->fabric, &x->layers, NULL), 0);
	fclose(file);
	weft_layers_init(out);
	ASSERT_EQ(weft_io_read_sl2vl(file_with(text, size), x->fabric, out,
		  &x->heard.diag), 0);
	ASSERT_EQ(x->heard.n, 0);
	free(text);
}

static void same_lanes(const struct fixture *x, const struct weft_layers *a,
		       const struct weft_layers *b)
{
	const struct weft_fabric *f = x->fabric;
	unsigned rows = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned in = 0; in <= f->sw[s].nports; in++)
			for (unsigned out = 1; out <= f->sw[s].nports; out++) {
				if (in == out ||
				    f->peer[weft_channel(f, s, out)] ==
				    WEFT_NONE || (in &&
				    f->peer[weft_channel(f, s, in)] ==
				    WEFT_NONE))
					continue;
				rows++;
				for (unsigned sl = 0; sl < WEFT_NSL; sl++)
					ASSERT_EQ(weft_layers_vl(a, f, s, in,
						  out, sl), weft_layers_vl(b, f,
						  s, in, out, sl));
			}
	ASSERT(rows > 8);
}

/* What is written reads back: tables, and the rule without any. */
TEST_WITH(sl2vl_round, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft_layers back;
	char text[8192];
	size_t n = format_table(text, 2, 0x1020);

	x->layers.nvl = 15;
	write_and_read(x, &back);
	same_lanes(x, &x->layers, &back);
	ASSERT_EQ(weft_layers_vl(&back, x->fabric, 0, 0, 1, 14), 14);
	weft_layers_free(&back);
	x->layers.nvl = 3;
	write_and_read(x, &back);
	same_lanes(x, &x->layers, &back);
	weft_layers_free(&back);
	n += format_table(text + n, 1, 0x10);
	format_table(text + n, 3, 0x30);
	ASSERT_EQ(read_sl2vl(x, text), 0);
	write_and_read(x, &back);
	same_lanes(x, &x->layers, &back);
	weft_layers_free(&back);
}

/* The mark of SLs that may differ between two directions. */
TEST_WITH(one_way, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	ASSERT_EQ(read_sl(x,
		  "# weft-sl 1\nform one\ndefault 3\nlanes 1\nend\n"), 0);
	ASSERT(!x->layers.one_way);
	ASSERT_EQ(read_sl(x,
		  "# weft-sl 1\nform one\ndefault 3\nlanes 1\none-way\nend\n"),
		  0);
	ASSERT(x->layers.one_way);
	ASSERT_EQ(weft_io_write_sl(file, x->fabric, &(struct weft_routes){
		  .layers = x->layers }, NULL), 0);
	fclose(file);
	ASSERT_STR(text,
		   "# weft-sl 1\nform one\ndefault 3\nlanes 1\none-way\nend\n");
	free(text);
	ASSERT_EQ(read_sl(x, "# weft-sl 1\nform destination\ndefault 3\n"
		  "lanes 1\nfrom all\none-way\n0x0001 2\nend\n"), -EINVAL);
	ASSERT_EQ(read_sl(x,
		  "# weft-sl 1\nform one\ndefault 3\nlanes 1\none-ways\nend\n"),
		  -EINVAL);
}

/* Only the lanes of SLs in use count, whichever file comes first. */
TEST_WITH(lanes_in_use, set_up, tear_down)
{
	static const char *const sls =
		"# weft-sl 1\nform one\ndefault 3\nlanes 1\nend\n";
	static const char *const lanes =
		"Switch 0x10, base LID 1, \"\"\n"
		"0 1 : 0 1 2 4 3 5 5 5 5 5 5 5 5 5 5 15\n"
		"0 2 : 0 1 2 15 3 5 5 5 5 5 5 5 5 5 5 15\n";
	struct fixture *x = suite_state;

	ASSERT_EQ(read_sl(x, sls), 0);
	ASSERT_EQ(read_sl2vl(x, lanes), 0);
	ASSERT_EQ(x->layers.nvl, 5);
	weft_layers_free(&x->layers);
	ASSERT_EQ(read_sl2vl(x, lanes), 0);
	ASSERT_EQ(x->layers.nvl, 1);
	ASSERT_EQ(read_sl(x, sls), 0);
	ASSERT_EQ(x->layers.nvl, 5);
}

/* SLs of the last LID and of the last source count as all others. */
TEST_WITH(last_lanes_in_use, set_up, tear_down)
{
	static const char *const lanes =
		"Switch 0x10, base LID 1, \"\"\n"
		"0 1 : 0 1 2 4 3 5 5 5 5 5 5 5 5 5 5 15\n";
	static const char *const sls[] = {
		"destination\ndefault 0\nlanes 1\nfrom all\n"
		"0x0001-0x0005 1\n0x0006 3\nend\n",
		"endport-lid\ndefault 0\nlanes 1\nfrom 0xc1 0x0006\n"
		"0x0001-0x0005 1\n0x0006 3\nend\n",
		"switch-pair\ndefault 0\nlanes 1\nfrom 0x30 0x0003\n"
		"0x0001-0x0002 1\n0x0003 3\nend\n",
	};
	struct fixture *x = suite_state;
	char text[256];

	for (size_t i = 0; i < sizeof(sls) / sizeof(sls[0]); i++) {
		weft_layers_free(&x->layers);
		heard_init(&x->heard);
		snprintf(text, sizeof(text), "# weft-sl 1\nform %s", sls[i]);
		ASSERT_EQ(read_sl(x, text), 0);
		ASSERT_EQ(read_sl2vl(x, lanes), 0);
		ASSERT_EQ(x->layers.nvl, 5);
	}
}

TEST_WITH(sl2vl_defects, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char text[8192];
	size_t n = format_table(text, 1, 0x10);

	sprintf(text + n,
		"Switch 0x99, base LID 77, \"?\"\n"
		"1   2   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"Switch 0x77, base LID 3, \"found by its LID\"\n"
		"1   5   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"9   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"0   1   : 9  9  9  9  9  9  9  9  9  9  9  9  9  9  9  9 \n"
		"0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"noise\n"
		"0   3   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  1");
	ASSERT_EQ(read_sl2vl(x, text), 0);
	assert_heard(&x->heard, WEFT_WARNING, 34, "in the middle of a line");
	assert_heard(&x->heard, WEFT_WARNING, 26, "0x0000000000000099 (LID");
	assert_heard(&x->heard, WEFT_WARNING, 29, "has only 4 ports; 1 more");
	assert_heard(&x->heard, WEFT_WARNING, 32,
		     "another row of input port 0, output port 1");
	assert_heard(&x->heard, WEFT_WARNING, 0,
		     "no table for switch 0x0000000000000020: lane 0 is assumed");
	/* Of 9 ways through switch 0x30 (0, 1, 3, 4 to 1, 3, 4; not back),
	 * one is known. */
	assert_heard(&x->heard, WEFT_WARNING, 0,
		     "no row of input port 0, output port 3 of switch 0x0000000000000030: lane 0 is assumed; 7 more");
	assert_heard(&x->heard, WEFT_NOTE, 33, "noise");
	assert_heard_count(&x->heard, 6, 0);
	ASSERT_EQ(vl(x, 2, 0, 1, 0), 9);
	ASSERT_EQ(vl(x, 2, 0, 3, 0), 0);
	ASSERT_EQ(vl(x, 1, 2, 3, 5), 0);
}

struct refusal {
	const char *text;
	unsigned long line;
	const char *error;
};

TEST_WITH(not_sl2vl, set_up, tear_down)
{
	static const struct refusal cases[] = {
		{ "", 0, "no SL2VL table of a switch" },
		{ "0x10 x 1 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n", 1,
		  "expected the input port, found \"x\"" },
		{ "0x10 1 : 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n", 1,
		  "expected the output port" },
		{ "0x10 1 2 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n", 1,
		  "expected eight times 0x and two lanes" },
		{ "0x10 1 2 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x100\n", 1,
		  "two lanes, 0 to f each, found \"0x100\"" },
		{ "0x10 1 2 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n", 1,
		  "expected the end of the line" },
		{ "Channel Adapter 0xa1, base LID 4, \"x\"\n", 0, "no SL2VL" },
		{ "Switch 0x99, base LID 77, \"x\"\n", 0, "no SL2VL" },
		{ "0 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n", 1,
		  "a row before any line that names a port" },
		{ "Switch 0x10\n", 1, "no GUID and LID" },
		{ "Switch 0x10, base LID 1, \"\"\n0 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6\n",
		  2,
		  "expected sixteen" },
		{ "Switch 0x10, base LID 1, \"\"\n"
		  "0 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 8\n", 2,
		  "not a row" },
		{ "Switch 0x10, base LID 1, \"\"\n"
		  "0 1 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 16\n", 2, "sixteen" },
		{ "Switch 0x10, base LID 1, \"\"\n99999999999 1 : 0\n", 2,
		  "not a row" },
	};
	struct fixture *x = suite_state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		heard_init(&x->heard);
		ASSERT_EQ(read_sl2vl(x, cases[i].text), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, cases[i].line,
			     cases[i].error);
		ASSERT(!x->layers.sl2vl);
	}
}

/* The layout to the letter: switches and endports that share a row. */
TEST_WITH(sl_layout, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft_layers l = {
		.form = WEFT_SL_SWITCH_PAIR, .sl = 1, .nvl = 3, .nsw = 3,
		.nep = 3, .max_lid = 6, .table = (uint8_t [9]){
			0, 2, 2,
			2, 0, 0,
			0, 2, 2,
		},
	};
	const char *expected =
		"# weft-sl 1\n"
		"form switch-pair\n"
		"default 1\n"
		"lanes 3\n"
		"from 0x0000000000000010 0x0001\n"
		"from 0x0000000000000030 0x0003\n"
		"from 0x00000000000000a1 0x0004\n"
		"from 0x00000000000000c1 0x0006\n"
		"0x0001 0\n"
		"0x0002-0x0003 2\n"
		"0x0004 0\n"
		"0x0005-0x0006 2\n"
		"from 0x0000000000001020 0x0002\n"
		"from 0x00000000000000b1 0x0005\n"
		"0x0001 2\n"
		"0x0002-0x0003 0\n"
		"0x0004 2\n"
		"0x0005-0x0006 0\n"
		"end\n";
	const char *path = file_with("", 0);
	FILE *out = fopen(path, "w");
	char *text;

	ASSERT_EQ(weft_io_write_sl(out, x->fabric, &(struct weft_routes){
		  .layers = l }, NULL), 0);
	fclose(out);
	text = file_content(path, NULL);
	ASSERT_STR(text, expected);
	free(text);
	ASSERT_EQ(read_sl(x, expected), 0);
	ASSERT_MEM(x->layers.table, l.table, 9);
	ASSERT_EQ(x->heard.n, 0);
}

#define HEAD(form) "# weft-sl 1\nform " form "\ndefault 1\nlanes 2\n"

TEST_WITH(sl_defects, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_sl(x, HEAD("endport-lid") "# a comment\r\n\n"
		  "from 0xa1 0x0004\n" "from 0xdead 0x0009\n"
		  "from 0xb1 0x0007\n" "0x0001-0x0004 2\n" "0x0006-0x0100 0\n"
		  "end"), 0);
	assert_heard(&x->heard, WEFT_WARNING, 8,
		     "port 0x000000000000dead is not in the topology");
	assert_heard(&x->heard, WEFT_WARNING, 9, "had LID 7 when");
	assert_heard(&x->heard, WEFT_WARNING, 7, "no SL towards LID 0x0005");
	/* Three switches and a host. */
	assert_heard(&x->heard, WEFT_WARNING, 0,
		     "no SLs from port 0x0000000000000010: default assumed; 3 more");
	assert_heard_count(&x->heard, 4, 0);
	for (unsigned lid = 1; lid <= 6; lid++) {
		ASSERT_EQ(x->layers.table[lid], lid < 5 ? 2 : lid == 5 ? 1 : 0);
		ASSERT_EQ(x->layers.table[7 + lid], x->layers.table[lid]);
		ASSERT_EQ(x->layers.table[14 + lid], 1);
	}
}

/* Nothing is said of the last LID, 6, and what is said of it counts. */
TEST_WITH(last_lid, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_sl(x, HEAD("destination")
		  "from all\n0x0001-0x0005 0\nend\n"), 0);
	assert_heard(&x->heard, WEFT_WARNING, 5, "no SL towards LID 0x0006");
	assert_heard_count(&x->heard, 1, 0);
	ASSERT_EQ(x->layers.table[6], 1);
	weft_layers_free(&x->layers);
	ASSERT_EQ(read_sl(x, HEAD("destination")
		  "from all\n0x0001-0x0006 0\nend\n"), 0);
	assert_heard_count(&x->heard, 1, 0);
	ASSERT_EQ(x->layers.table[6], 0);
}

TEST_WITH(not_sl, set_up, tear_down)
{
	static const struct refusal cases[] = {
		{ "", 0, "cut within its first lines" },
		{ "# weft-sl 1\nform one\n", 2, "cut within its first" },
		{ "hello\n", 1, "not weft-sl.dump" },
		{ "# weft-sl 2\n", 1, "a later version" },
		{ "# weft-sl 1\nform two\n", 2, "expected one" },
		{ "# weft-sl 1\nform one\ndefault 16\n", 3, "expected default" },
		{ "# weft-sl 1\nform one\ndefault 1\nlanes 0\nend\n", 4,
		  "at least one lane" },
		{ "# weft-sl 1\nform one\ndefault 1\nlanes 16\n", 4,
		  "not understood" },
		{ HEAD("one"), 4, "the file is cut" },
		{ HEAD("one") "from all\n", 5, "not understood" },
		{ HEAD("one") "end\nend\n", 6, "text after the end" },
		{ HEAD("destination") "0x0001 1\n", 5, "before any" },
		{ HEAD("destination") "from 0xa1 0x0004\n", 5,
		  "not understood" },
		{ HEAD("destination") "from all\nfrom all\n", 6,
		  "not understood" },
		{ HEAD("destination")
		  "from all\n0x0001-0x0006 1\nfrom all\n0x0001 2\nend\n",
		  7, "a second group" },
		{ HEAD("destination") "from all\n0x0002 1\n0x0002 1\n", 7,
		  "out of order" },
		{ HEAD("destination") "from all\n0x0002-0x0001 1\n", 6,
		  "out of order" },
		{ HEAD("destination") "from all\n0x0000 1\n", 6,
		  "out of order" },
		{ HEAD("destination") "from all\n0x0001-0xc000 1\n", 6,
		  "out of order" },
		{ HEAD("destination") "from all\n0x0001 16\n", 6,
		  "not understood" },
		{ HEAD("destination") "from all\n0x0001- 1\n", 6,
		  "not understood" },
		{ HEAD("endport-lid") "from 0x99 0x0004\n0x0001 1\nend\n",
		  0, "none of its ports" },
		{ HEAD("endport-lid") "from all\n", 5, "not understood" },
		{ HEAD("endport-lid")
		  "from 0xa1 0x0004\n0x0001 1\nfrom 0xa1 0x0004\n",
		  7, "a second group" },
		{ HEAD("endport-lid") "from 0x10 0x0001\n0x0001 2\nend\n", 5,
		  "a switch sends with another SL" },
		{ HEAD("endport-lid") "from 0x10 0x0001\n0x0006 2\nend\n", 5,
		  "a switch sends with another SL" },
		{ HEAD("switch-pair")
		  "from 0xa1 0x0004\n0x0003 1\n0x0006 2\nend\n",
		  5, "different SLs towards LIDs of one switch" },
		{ HEAD("switch-pair")
		  "from 0xa1 0x0004\n0x0003 1\nfrom 0x10 0x0001\n0x0006 2\nend\n",
		  7,
		  "different SLs from sources of one switch" },
		{ HEAD("switch-pair")
		  "from 0xa1 0x0004\n0x0001 1\n0x0004 2\nend\n",
		  5, "different SLs towards LIDs of one switch" },
		{ HEAD("switch-pair")
		  "from 0xa1 0x0004\n0x0001 1\nfrom 0x10 0x0001\n0x0001 2\nend\n",
		  7,
		  "different SLs from sources of one switch" },
	};
	struct fixture *x = suite_state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		heard_init(&x->heard);
		ASSERT_EQ(read_sl(x, cases[i].text), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, cases[i].line,
			     cases[i].error);
		assert_heard_count(&x->heard, 0, 1);
		ASSERT(!x->layers.table);
	}
}
