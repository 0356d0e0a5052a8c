// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A capture of a subnet that does not answer all, or is interrupted, and ports
 * that do not work; subnet_util.h draws the subnet. */
#include "subnet_util.h"

#include "capture/inside.h"

#include <errno.h>

/* --- silence -------------------------------------------------------------- */

static int no_lanes(const struct asked *q)
{
	return q->node == A && q->attribute == IB_ATTR_SLVL_TABLE ? LOST : OK;
}

/* A node that leaves two questions of a kind without an answer, three times by
 * its LID and three times by its path, is not asked for the rest of them. */
TEST(patience)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__missing m;
	struct weft__capture *c;
	struct heard heard;

	spec.mads.outstanding = 1;
	subnet_init();
	subnet.fate = no_lanes;
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	EXPECT_EQ(subnet_count(A, IB_ATTR_SLVL_TABLE), 2 * 6);
	EXPECT_EQ(subnet_asked(A, IB_ATTR_SLVL_TABLE, 1), 6);
	EXPECT_EQ(subnet_asked(A, IB_ATTR_SLVL_TABLE, 2), 6);
	EXPECT_EQ(subnet_count(B, IB_ATTR_SLVL_TABLE), 9);
	EXPECT_EQ(subnet_count(A, IB_ATTR_LINEARFORWTBL), 3);
	m = weft__capture_missing(c, WEFT__KIND_SL2VL);
	EXPECT_EQ(m.asked, 18);
	EXPECT_EQ(m.silent, 9);
	EXPECT_EQ(m.refused, 0);
	EXPECT_EQ(m.kept, 0);
	EXPECT_EQ(m.nodes, 1);
	EXPECT_STR(m.name, "leaf");
	EXPECT_EQ(m.guid, 0x20);
	m = weft__capture_missing(c, WEFT__KIND_LFT);
	EXPECT_EQ(m.asked, 4);
	EXPECT_EQ(m.silent, 0);
	EXPECT_EQ(m.nodes, 0);
	EXPECT_STR(m.name, "");
	EXPECT(weft__capture_has_sl2vl(c));
	weft__capture_free(c);
}

static int some_lanes(const struct asked *q)
{
	return q->attribute == IB_ATTR_SLVL_TABLE && q->modifier != 2 &&
			       q->modifier != 0x102 && q->modifier != 0x201 ?
		       LOST : OK;
}

/* An answer in between gives a node its two again: of 1, 2, 17, (1, 2), (1, 17)
 * and on, 17 is the second that is lost, (1, 17) the third and (2, 1) is there
 * again; then (2, 17) and (17, 1) are lost. */
TEST(patience_again)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	spec.mads.outstanding = 1;
	subnet_init();
	subnet.fate = some_lanes;
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	EXPECT_EQ(subnet_asked(A, IB_ATTR_SLVL_TABLE, 0x1101), 6);
	EXPECT_EQ(subnet_asked(A, IB_ATTR_SLVL_TABLE, 0x1102), 0);
	EXPECT_EQ(subnet_count(A, IB_ATTR_SLVL_TABLE), 5 * 6 + 3);
	/* and of switch 0x10 the last, (3, 2), likewise */
	EXPECT_EQ(subnet_asked(B, IB_ATTR_SLVL_TABLE, 0x302), 0);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_SL2VL).silent, 12);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_SL2VL).nodes, 2);
	EXPECT_STR(weft__capture_missing(c, WEFT__KIND_SL2VL).name, "spine");
	weft__capture_free(c);
}

static int refuses(const struct asked *q)
{
	return q->attribute == IB_ATTR_MULTICASTFORWTBL ||
			       q->attribute == IB_ATTR_SLVL_TABLE ?
		       REFUSED : OK;
}

/* What is refused is asked once, and is not missing. */
TEST(refused)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__missing m;
	struct weft__capture *c;
	struct heard heard;

	subnet_init();
	subnet.fate = refuses;
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	m = weft__capture_missing(c, WEFT__KIND_MULTICAST);
	EXPECT_EQ(m.asked, 4);
	EXPECT_EQ(m.refused, 4);
	EXPECT_EQ(m.silent, 0);
	EXPECT_EQ(subnet_count(A, IB_ATTR_MULTICASTFORWTBL), 4);
	EXPECT_EQ(subnet_count(A, IB_ATTR_SLVL_TABLE), 9);
	EXPECT(!weft__capture_has_sl2vl(c));
	weft__capture_free(c);
}

/* --- the journal ---------------------------------------------------------- */

static char *arbitration(const struct weft__capture *c)
{
	const struct weft__capture_file *file = weft__capture_files;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (strcmp(file->name, "weft-vlarb.csv"))
		file++;
	ASSERT_EQ(file->write(c, out), 0);
	fclose(out);
	return text;
}

static int no_table(const struct asked *q)
{
	return q->node == B && q->attribute == IB_ATTR_LINEARFORWTBL ? LOST :
								       OK;
}

static void expect_kept(const struct weft__capture *c, bool kept)
{
	/* forwarding tables, lanes, arbitration, groups, managers */
	static const unsigned n[] = { 3, 18, 15, 4, 3 };

	for (unsigned kind = 0; kind < WEFT__KINDS; kind++)
		EXPECT_EQ(weft__capture_missing(c, kind).kept,
			  kept && kind < 5 ? n[kind] : 0);
}

/* The second time only what is missing is asked, and what is never kept. */
TEST(goes_on)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;
	char *text, *again;

	spec.journal = file_with("", 0);
	subnet_init();
	subnet.fate = no_table;
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	assert_heard_count(&heard, 0, 0);
	expect_kept(c, false);
	EXPECT_EQ(weft__capture_missing(c, WEFT__KIND_LFT).silent, 1);
	text = arbitration(c);
	weft__capture_free(c);
	for (unsigned fresh = 0; fresh < 2; fresh++) {
		subnet_init();
		spec.fresh = fresh;
		c = subnet_capture(&spec, &heard);
		ASSERT(c);
		suite_case("fresh: %u", fresh);
		assert_heard_count(&heard, !fresh, 0);
		if (!fresh)
			assert_heard(&heard, WEFT_WARNING, 0, "43 answers");
		expect_kept(c, !fresh);
		EXPECT_EQ(subnet_count(B, IB_ATTR_LINEARFORWTBL), 1);
		EXPECT_EQ(subnet_count(A, IB_ATTR_LINEARFORWTBL), 3 * fresh);
		EXPECT_EQ(subnet_count(A, IB_ATTR_SLVL_TABLE), 9 * fresh);
		EXPECT_EQ(subnet_count(H2, IB_ATTR_VL_ARBITRATION), 4 * fresh);
		EXPECT_EQ(subnet_count(H1, IB_ATTR_SMINFO), fresh);
		EXPECT_EQ(subnet_count(A, CLASS_PORT_INFO), 1);
		EXPECT_EQ(subnet_count(A, IB_GSI_PORT_COUNTERS), 6);
		for (unsigned s = 0; s < 2; s++)
			for (unsigned lid = 0; lid < 64; lid++)
				EXPECT_EQ(weft_lft_get(
					  &weft__capture_routes(c)->lft, s,
					  lid), subnet_out(s, lid));
		again = arbitration(c);
		EXPECT_STR(again, text);
		free(again);
		weft__capture_free(c);
	}
	free(text);
}

/* --- what is told meanwhile ----------------------------------------------- */

struct told {
	char phases[300];
	unsigned calls;
	uint64_t total;
};

static void hear_phase(void *context, const char *what)
{
	struct told *t = context;

	strcat(strcat(t->phases, what), "; ");
}

static void hear_progress(void *context, uint64_t done, uint64_t total)
{
	struct told *t = context;

	EXPECT(done <= total);
	t->calls++;
	t->total += total;
}

/* How far it is is told at the first answer and each 256th, of 5 kinds of
 * counters, 10 + 5 counters twice and 44 pieces of tables; of paths, whether
 * somebody has a LID or not. */
TEST(progress)
{
	struct told told = { .calls = 0 };
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	spec.paths = true;
	spec.phase = hear_phase;
	spec.progress = hear_progress;
	spec.context = &told;
	subnet_init();
	c = subnet_capture(&spec, &heard);
	ASSERT(c);
	EXPECT_STR(told.phases, "discovering the fabric; reading counters; "
		   "reading tables; asking for paths; "
		   "waiting for the second reading; reading counters again; ");
	/* 524 paths, but the first that is one is beyond a multiple of 256 */
	ASSERT_WITHIN(told.calls, 4, 6);
	EXPECT_EQ((told.total - (5 + 15 + 44 + 15)) % 524, 0);
	/* eight answers every 2 ms, to 5, 15, 44 and 28 questions */
	assert_heard(&heard, WEFT_NOTE, 0, "discovering the fabric: 0.002 s");
	assert_heard(&heard, WEFT_NOTE, 0, "reading counters: 0.004 s");
	assert_heard(&heard, WEFT_NOTE, 0, "reading tables: 0.012 s");
	assert_heard(&heard, WEFT_NOTE, 0, "asking for paths: 0.008 s");
	assert_heard(&heard, WEFT_NOTE, 0,
		     "waiting for the second reading: 0.980 s");
	assert_heard(&heard, WEFT_NOTE, 0, "reading counters again: 0.004 s");
	EXPECT_EQ(subnet.config.max_smps, 8);
	EXPECT_EQ(subnet.config.timeout_ms, 100);
	EXPECT_EQ(subnet.config.retries, 2);
	weft__capture_free(c);
}

/* The second reading does not wait when reading the rest took as long. */
TEST(interval)
{
	static const unsigned interval[] = { 0, 1, 5000 };

	for (unsigned i = 0; i < 3; i++) {
		struct weft__capture_spec spec = subnet_spec();
		struct weft__capture *c;
		struct heard heard;
		uint64_t first = 0, second = 0;

		spec.interval_ms = interval[i];
		subnet_init();
		c = subnet_capture(&spec, &heard);
		ASSERT(c);
		for (size_t k = 0; k < subnet.n; k++) {
			const struct asked *q = &subnet.log[k];

			if (q->class != IB_PERFORMANCE_CLASS)
				continue;
			if (q->nth && !second)
				second = q->sent;
			if (!q->nth)
				first = q->answered;
		}
		suite_case("%u ms", interval[i]);
		if (i < 2)
			ASSERT_WITHIN((long long)(second - first), 0, 100);
		else
			EXPECT_EQ(second - first, 5000);
		weft__capture_free(c);
	}
}

/* --- what does not work --------------------------------------------------- */

static void expect_error(const char *text, bool paths)
{
	struct weft__capture_spec spec = subnet_spec();
	struct weft__capture *c;
	struct heard heard;

	spec.paths = paths;
	suite_case("%s", text);
	c = subnet_capture(&spec, &heard);
	EXPECT(!c);
	assert_heard(&heard, WEFT_ERROR, 0, text);
	EXPECT_EQ(subnet.released, subnet.opened);
	EXPECT_EQ(subnet.closed, subnet.no_open ? 0 : subnet.opened);
	weft__capture_free(c);
}

TEST(errors)
{
	subnet_init();
	subnet.no_umad = true;
	expect_error("is ib_umad loaded", false);
	subnet_init();
	subnet.no_port = true;
	expect_error("no InfiniBand port here;", false);
	subnet_init();
	subnet.no_open = true;
	expect_error("cannot open toy0 port 1: Permission denied", false);
	subnet_init();
	subnet.no_class = IB_SA_CLASS;
	expect_error("(class 0x3): Operation not permitted", false);
	subnet_init();
	subnet.no_fabric = true;
	expect_error("nothing was discovered from toy0 port 1", false);
	subnet_init();
	subnet.no_send = ENOSPC;
	expect_error("toy0 port 1 takes no datagrams: No space", false);
	subnet_init();
	subnet.no_receive = EIO;
	expect_error("toy0 port 1 gives no datagrams: Input/output", false);
	subnet_init();
	subnet.no_manager = true;
	expect_error("no subnet manager to ask for paths", true);
}

TEST(no_such_port)
{
	struct weft__capture_spec spec = subnet_spec();
	struct heard heard;

	subnet_init();
	subnet.no_port = true;
	spec.mads.ca = "toy0";
	spec.mads.port = 3;
	EXPECT(!subnet_capture(&spec, &heard));
	assert_heard(&heard, WEFT_ERROR, 0,
		     "no InfiniBand port of toy0 with that number;");
}

/* A journal that cannot be there. */
TEST(no_journal)
{
	struct weft__capture_spec spec = subnet_spec();
	struct heard heard;

	subnet_init();
	spec.journal = "/nowhere/at/all";
	EXPECT(!subnet_capture(&spec, &heard));
	assert_heard(&heard, WEFT_ERROR, 0, "cannot keep answers there");
	EXPECT_EQ(subnet.destroyed, 1);
	EXPECT_EQ(subnet.closed, 2);
}
