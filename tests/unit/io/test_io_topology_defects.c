// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Broken topologies: what is refused, what is worked around, what is said. */
#include "io_topology_util.h"

#include <errno.h>
#include <unistd.h>

/* Number of the first line of TEXT that contains what. */
static unsigned long line_of(const char *text, const char *what)
{
	const char *end = strstr(text, what);
	unsigned long line = 1;

	ASSERT(end);
	for (const char *p = text; p < end; p++)
		line += *p == '\n';
	return line;
}

/* TEXT with one replacement is refused at the line where "at" stands then. */
static void refused_when(const char *from, const char *to, const char *at,
			 const char *says)
{
	char *text = replaced(TEXT, from, to);

	assert_refused(text, line_of(text, at), says);
	free(text);
}

/* Likewise loads with one warning. */
static struct weft_fabric *warned_when(const char *from, const char *to,
				       const char *at, const char *says)
{
	char *text = replaced(TEXT, from, to);
	struct heard heard;
	struct weft_fabric *f = load_text(text, &heard);

	assert_heard(&heard, WEFT_WARNING, line_of(text, at), says);
	assert_heard_count(&heard, 1, 0);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	free(text);
	return f;
}

static void warned_and_same_counts(const char *from, const char *to,
				   const char *at, const char *says)
{
	struct weft_fabric *f = warned_when(from, to, at, says);

	assert_text_counts(f);
	weft_fabric_free(f);
}

#define PORT_AC "[1]\t\"S-00000000000000c0\"[1]\t\t# \"spine\" lid 2 4xHDR\n"
#define PORT_CB "[129]\t\"H-00000000000000b0\"[1](b1) \t\t# \"host\" lid 4 " \
	"12xQDR\n"
#define PORT_BC "[1](b1) \t\"S-00000000000000c0\"[129]\t\t# lid 4 lmc 2 " \
	"\"spine\" lid 2 12xQDR\n"

TEST(test_malformed_lines)
{
	refused_when("\"S-00000000000000c0\"[129]", "\"S-00000000000000c0\"",
		     "[1](b1) \t\"S", "cannot be read");
	refused_when("Ca\t2 \"H-00000000000000b0\"", "Ca\t2 \"H-x0\"",
		     "\"H-x0\"", "cannot be read");
	refused_when("Ca\t2 \"H-00000000000000b0\"", "Ca\t2 \"S-00b0\"",
		     "\"S-00b0\"", "cannot be read");
	refused_when("\"H-00000000000000b0\"[1]", "\"?-00000000000000b0\"[1]",
		     "\"?-", "cannot be read");
	refused_when("\"host\"\n", "\"host\n", "\"host\n", "cannot be read");
	refused_when("lid 4 12x", "lid x 12x", "lid x", "cannot be read");
	refused_when("lid 4 12x", "lid 99999999999 12x", "lid 999",
		     "cannot be read");
	refused_when("caguid=0xb0", "caguid=0xq0", "0xq0", "no hexadecimal");
	refused_when("caguid=0xb0", "caguid=0x11111111111111111", "0x1111",
		     "no hexadecimal");
	refused_when("devid=0x1003", "devid=0x100000000", "0x100000000",
		     "no hexadecimal");
	refused_when("switchguid=0xa0(a1)", "switchguid=0xa0(a1", "0xa0(",
		     "no hexadecimal");
}

TEST(test_port_without_node)
{
	refused_when("Ca\t2 \"H-00000000000000b0\"\t\t# \"host\"\n", "",
		     PORT_BC, "without the line of its node");
	refused_when("Ca\t2 \"H-00000000000000b0\"", "Cb\t2 \"H-00b0\"",
		     PORT_BC, "without the line of its node");
	assert_refused(PORT_AC TEXT, 1, "without the line of its node");
}

TEST(test_port_counts)
{
	refused_when("Switch\t129", "Switch\t128", "[129]\t", "has no port 129");
	refused_when("Switch\t129", "Switch\t255", "Switch\t255", "255 ports");
	refused_when("Switch\t129", "Switch\t0", "Switch\t0", "0 ports");
	refused_when("Switch\t129", "Switch\t4294967425", "Switch\t42949",
		     "cannot be read");
	refused_when("[129]\t\"H", "[0]\t\"H", "[0]\t", "has no port 0");
	refused_when("[129]\t\"H", "[255]\t\"H", "[255]\t", "above 254");
	refused_when("[129]\t\"H", "[385]\t\"H", "[385]\t", "above 254");
	refused_when("\"H-00000000000000b0\"[1](b1)",
		     "\"H-00000000000000b0\"[3](b1)", "[3](b1)",
		     "has no port 3");
	refused_when("\"S-00000000000000c0\"[1]", "\"S-00000000000000c0\"[0]",
		     "[0]\t", "has no port 0");
	refused_when("Ca\t2 \"H-00000000000000d0\"",
		     "Ca\t1 \"H-00000000000000d0\"", "[2](d2) \t\"S",
		     "has no port 2");
	refused_when("lid 4 lmc 2", "lid 4 lmc 8", "lmc 8", "LMC 8");
}

TEST(test_unknown_switch)
{
	char *twice;

	refused_when(TEXT_SWITCH_C "\n", "", PORT_AC, "described nowhere");
	refused_when("\"S-00000000000000c0\"[1]", "\"S-00000000000000cc\"[1]",
		     "00cc", "0x00000000000000cc, is described nowhere");
	twice = replaced(TEXT, "\"S-00000000000000a0\"[1]",
			 "\"S-00000000000000cc\"[1]");
	assert_refused(twice, line_of(twice, "00cc"), "described nowhere");
	free(twice);
}

TEST(test_unknown_adapter)
{
	struct heard heard;
	struct weft_fabric *f = warned_when(TEXT_HOST_B "\n", "", PORT_CB,
					    "is not described");
	uint32_t b = weft_fabric_endport_by_guid(f, 0xb1);

	assert_text_counts(f);
	ASSERT_EQ(f->ep[b].lid, 4);
	ASSERT_EQ(f->ep[b].sw_port, 129);
	ASSERT_STR(f->node[f->ep[b].node].name, "host");
	weft_fabric_free(f);

	/* both ports of one that is cabled twice */
	f = load_text(TEXT_SWITCH_A "\n" TEXT_SWITCH_C "\n" TEXT_HOST_B,
		      &heard);
	assert_heard_count(&heard, 1, 0);
	assert_heard(&heard, WEFT_WARNING, line_of(TEXT_SWITCH_A, "(d1)"),
		     "; 1 more like this");
	assert_text_counts(f);
	weft_fabric_free(f);
}

TEST(test_one_sided)
{
	warned_and_same_counts(PORT_AC, "", "[1]\t\"S-00000000000000a0\"[1]",
			       "only this end");
	warned_and_same_counts(PORT_CB, "", PORT_BC, "only this end");
	warned_and_same_counts(PORT_BC, "", PORT_CB, "only this end");
	warned_and_same_counts("[3]\t\"S-00000000000000a0\"[4]\t\t# \"leaf\" lid 1 1xXDR\n",
			       "", "[4]\t\"S-", "only this");
}

TEST(test_contradictions)
{
	/* the far end has another cable in that port */
	refused_when(PORT_AC,
		     "[1]\t\"S-00000000000000c0\"[2]\t\t# \"spine\" lid 2 4xHDR\n",
		     "\"S-00000000000000c0\"[2]\t\t# \"sp",
		     "is cabled to one port here and to another one in line");
	/* one port, two lines */
	refused_when(PORT_AC, PORT_AC
		     "[1]\t\"S-00000000000000c0\"[3]\t\t# \"spine\" lid 2 4xHDR\n",
		     "\"[3]\t\t# \"spine",
		     "to another one in line");
	/* two one-sided cables to one port */
	refused_when(PORT_BC,
		     "[1](b1) \t\"S-00000000000000c0\"[7]\t\t# lid 4 lmc 2 \"spine\" lid 2 12xQDR\n"
		     "[2](b2) \t\"S-00000000000000c0\"[7]\t\t# lid 64 lmc 2 \"spine\" lid 2 12xQDR\n",
		     PORT_CB,
		     "to another one in line");
	/* an adapter that is a switch */
	refused_when("\"H-00000000000000b0\"[1]", "\"H-00000000000000a0\"[1]",
		     "\"H-00000000000000a0\"", "no such node but S-");
}

TEST(test_two_nodes_with_one_guid)
{
	refused_when("Ca\t2 \"H-00000000000000d0\"",
		     "Ca\t2 \"H-00000000000000b0\"",
		     "Ca\t2 \"H-00000000000000b0\"\t\t# \"dual\"",
		     "two nodes have the GUID 0x00000000000000b0");
	refused_when("Ca\t2 \"H-00000000000000d0\"",
		     "Ca\t2 \"H-00000000000000a0\"",
		     "Ca\t2 \"H-00000000000000a0\"", "is that of a switch");
	refused_when("Switch\t129 \"S-00000000000000c0\"",
		     "Switch\t129 \"S-00000000000000a0\"", "Switch\t129",
		     "two nodes have the GUID 0x00000000000000a0");
	/* the same name, too: the LIDs differ */
	assert_refused(TEXT "\n"
		"Ca\t2 \"H-00000000000000d0\"\t\t# \"dual\"\n"
		"[1](d1) \t\"S-00000000000000c0\"[99]\t\t# lid 77 lmc 2 \"leaf\" lid 1 4xEDR\n",
		line_of(TEXT, "[2](d2) \t\"S-") + 4,
		"two nodes with one GUID");
}

TEST(test_lids)
{
	struct weft_fabric *f;

	f = warned_when("lid 4 ", "lid 0 ", "[1](b1) \t\"S", "has no LID");
	assert_text_counts(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xb1)].lid, 0);
	weft_fabric_free(f);
	f = warned_when("lid 4 ", "lid 65535 ", "[1](b1) \t\"S", "no unicast");
	assert_text_counts(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xb1)].lid, 0);
	weft_fabric_free(f);
	f = warned_when("lid 4 ", "lid 49151 ", "[1](b1) \t\"S", "no unicast");
	weft_fabric_free(f);
	/* a blank in its place; the far end has "lid  12xQDR" */
	f = warned_when("lid 4 ", "lid  ", "[1](b1) \t\"S", "has no LID");
	assert_text_counts(f);
	ASSERT_EQ(f->ep[weft_fabric_endport_by_guid(f, 0xb1)].lid, 0);
	ASSERT_EQ(f->width[f->first_injection + weft_fabric_endport_by_guid(f,
		  0xb1)], 12);
	weft_fabric_free(f);
	f = warned_when("lid 4 ", "", "[1](b1) \t\"S", "has no LID");
	assert_text_counts(f);
	weft_fabric_free(f);
	/* 13 is one of those that LMC 2 gives to the port of LID 12 */
	f = warned_when("lid 2 ", "lid 13 ", "[2](d2) \t\"S", "belongs to");
	ASSERT_EQ(weft_lid_owner(f, 13), weft_fabric_switch_by_guid(f, 0xc0));
	weft_fabric_free(f);
	warned_and_same_counts("\"dual\" lid 8", "\"dual\" lid 9", "lid 9",
			       "not the one it states itself");
	warned_and_same_counts("[1](b1) \t\t# \"host\"",
			       "[1](b2) \t\t# \"host\"", "[1](b2) \t\t",
			       "the port GUID of the far end is not");
}

TEST(test_rates)
{
	struct weft_fabric *f = warned_when(PORT_AC,
		"[1]\t\"S-00000000000000c0\"[1]\t\t# \"spine\" lid 2 4xEDR\n",
		"[1]\t\"S-", "slower");
	uint32_t s = weft_fabric_switch_by_guid(f, 0xa0);

	ASSERT_EQ(f->speed[weft_channel(f, s, 1)], WEFT_EDR);
	ASSERT_EQ(f->speed[f->reverse[weft_channel(f, s, 1)]], WEFT_EDR);
	weft_fabric_free(f);
	warned_and_same_counts("4xHDR", "4xZDR", "4xZDR", "unknown width or");
	warned_and_same_counts("4xHDR", "3xHDR", "3xHDR", "unknown width or");
}

TEST(test_to_itself)
{
	struct weft_fabric *f = warned_when(PORT_CB, PORT_CB
		"[7]\t\"S-00000000000000c0\"[7]\t\t# \"spine\" lid 2 4xHDR\n",
		"[7]\t", "cabled to itself");

	assert_text_counts(f);
	weft_fabric_free(f);
}

TEST(test_back_to_back)
{
	struct heard heard;
	struct weft_fabric *f = load_text(TEXT
		"\n"
		"Ca\t1 \"H-00000000000000e0\"\t\t# \"e\"\n"
		"[1](e1) \t\"H-00000000000000f0\"[1] (f1) \t\t# lid 20 lmc 0 \"f\" lid 21 4xEDR\n\n"
		"Ca\t1 \"H-00000000000000f0\"\t\t# \"f\"\n"
		"[1](f1) \t\"H-00000000000000e0\"[1] (e1) \t\t# lid 21 lmc 0 \"e\" lid 20 4xEDR\n",
		&heard);

	ASSERT_EQ(heard.diag.count[WEFT_WARNING], 1);
	assert_counts(f, 2, 4, 3, 5);
	weft_fabric_free(f);
}

TEST(test_foreign_lines)
{
	struct weft_fabric *f = warned_when(
		"\nvendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xc0",
		"\nSwitches of the fabric: 2\n"
		"vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xc0",
		"Switches of", "skipped a line of something else: \"Switches");

	assert_text_counts(f);
	weft_fabric_free(f);
	warned_and_same_counts("caguid=0xb0", "caguid=0xb7",
			       "Ca\t2 \"H-00000000000000b0",
			       "is not that in it");
}

/* Wherever the text is cut: an error, or a warning, or nothing is missing. */
TEST(test_cut_anywhere)
{
	struct heard heard;
	struct weft_fabric *whole = load_text(TEXT, &heard), *f;
	unsigned refused = 0, warned = 0, silent = 0;

	for (size_t n = strlen(TEXT); n--;) {
		int err = read_text(TEXT, n, &f, &heard);

		if (err) {
			ASSERT_EQ(err, -EINVAL);
			ASSERT_EQ(heard.diag.count[WEFT_ERROR], 1);
			refused++;
			continue;
		}
		ASSERT_EQ(weft_fabric_check(f, NULL), 0);
		if (heard.diag.count[WEFT_WARNING]) {
			warned++;
		} else {
			ASSERT_EQ(f->nlinks, whole->nlinks);
			silent++;
		}
		weft_fabric_free(f);
	}
	/* only the final newline, and the last words, can go unnoticed */
	ASSERT_WITHIN(silent, 1, 2);
	ASSERT(refused > warned && warned);
	weft_fabric_free(whole);
}

TEST(test_cut_words)
{
	static const char *const end[] = {
		"lid 1 4xED", "lid 1 4x", "lid 1", "lid ", "lid", "\"leaf",
		"# lid 8 lmc", "\"S-00000000000000a0\"[", "[1](d1", "[1",
	};

	for (size_t i = 0; i < sizeof(end) / sizeof(*end); i++) {
		char text[] = TEXT;
		char *last = strstr(text, "[1](d1) \t\"S-");

		/* the last line up to and including end[i] */
		strstr(last, end[i])[strlen(end[i])] = '\0';
		assert_refused(text, line_of(TEXT, "[1](d1) \t\"S-"),
			       "the file was cut here");
	}
}

TEST(test_cut_ids)
{
	assert_refused(TEXT "\nvendid=0x2c9\ndevid=0x10",
		       line_of(TEXT "\nX", "\nX") + 1, "the file was cut");
}

static void refuse_file(const char *path, int err, const char *says)
{
	struct weft_fabric *f = NULL;
	struct heard heard;

	heard_init(&heard);
	ASSERT_EQ(weft_io_read_fabric(path, &f, &heard.diag), err);
	assert_heard(&heard, WEFT_ERROR, 0, says);
	assert_heard_count(&heard, 0, 1);
	ASSERT(!f);
}

TEST(test_files)
{
	static char noise[100000];
	uint32_t seed = 1;

	refuse_file(file_with("", 0), -EINVAL, "it is empty");
	refuse_file("/tmp", -EISDIR, "directory");
	refuse_file("/nonexistent/file", -ENOENT, "No such file");
	refuse_file(file_with("hello\n", 6), -EINVAL,
		    "expected the output of ibnetdiscover");
	for (size_t i = 0; i < sizeof(noise); i++) {
		seed = seed * 1664525 + 1013904223;
		noise[i] = (char)(seed >> 24);
	}
	refuse_file(file_with(noise, sizeof(noise)), -EINVAL, "not a topol");
	refuse_file(file_with("\x1f\x8b\x08", 3), -EINVAL,
		    "this gzip file is cut");
	refuse_file(file_with("BZh", 3), -EINVAL, "bunzip2");
	refuse_file(file_with("\xff\xfeS\0", 4), -EINVAL, "UTF-16");
	refuse_file(file_with("Switch\t : 0x00a0 ports 4 devid 0x1\n", 35),
		    -EINVAL, "a list of nodes");
	refuse_file(file_with("0x0001 000 : (Switch portguid 0x1: 'a')\n", 40),
		    -EINVAL, "which holds tables");
}

TEST(test_unreadable)
{
	const char *path = file_with(TEXT, strlen(TEXT));

	if (!geteuid()) {
		printf("root may read everything: skipped\n");
		suite_skip();
	}
	unlink(path);
	ASSERT_EQ(symlink("/proc/1/mem", path), 0);
	refuse_file(path, -EACCES, "Permission denied");
	unlink(path);
}

/* Lines of 10 MB: as foreign text, as a name, as one port line. */
TEST(test_long_lines)
{
	size_t n = 10000000;
	char *name = malloc(n + 1);

	ASSERT(name);
	memset(name, 'x', n);
	name[n] = '\0';
	warned_and_same_counts("\nvendid=0x2c9\ndevid=0x1003\ncaguid=0xd0",
			       name, "xxxx", "skipped a line");
	free(name);
}

TEST(test_long_name)
{
	size_t n = 10000000;
	char *name = malloc(n + 1), *text;
	struct weft_fabric *f;
	struct heard heard;

	ASSERT(name);
	memset(name, '"', n);
	name[n] = '\0';
	text = replaced(TEXT, "dual", name);
	f = load_text(text, &heard);
	assert_heard_count(&heard, 0, 0);
	assert_text_counts(f);
	weft_fabric_free(f);
	free(text);
	free(name);
}

/* A name would end there, and what is behind it be lost. */
TEST(test_nul_bytes)
{
	static const char *const places[] = { "host", "Topology" };

	for (unsigned i = 0; i < 2; i++) {
		char text[] = TEXT, *at = strstr(text, places[i]);
		struct weft_fabric *f;
		struct heard heard;
		unsigned line = 1;

		for (const char *p = text; p < at; p++)
			line += *p == '\n';
		*at = '\0';
		ASSERT_EQ(read_text(text, sizeof(text) - 1, &f, &heard),
			  -EINVAL);
		assert_heard(&heard, WEFT_ERROR, line, "a NUL byte");
	}
}

/* Thousands of defects, a few lines. */
TEST(test_many_defects)
{
	struct heard heard;
	struct weft_fabric *f;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	for (unsigned s = 1; s <= 100; s++) {
		fprintf(out,
			"prompt$\nSwitch\t100 \"S-%016x\"\t\t# \"s\" base port 0 lid 0 lmc 0\n",
			s);
		for (unsigned p = 1; p <= 100; p++)
			fprintf(out,
				"[%u]\t\"H-%016x\"[1](%x)\t\t# \"h\" lid 65535 4xABC\n",
				p, 4096 + s * 128 + p,
				65536 + s * 128 + p);
	}
	fclose(out);
	f = load_text(text, &heard);
	ASSERT_EQ(f->nlinks, 10000);
	ASSERT_WITHIN(heard.diag.count[WEFT_WARNING], 5, 5);
	weft_fabric_free(f);
	free(text);
}
