// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-paths.dump: what is written is read back equal; layouts and defects. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>

#define SEED 20101119u

struct fixture {
	struct weft_fabric *fabric;	/* ports 0xa1, 0xb1, 0xc1; LMC 0 */
	struct weft_routes routes;
	struct heard heard;
};

static int set_up(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	x->fabric = small_fabric();
	heard_init(&x->heard);
	*state = x;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	weft_routes_free(&x->routes);
	weft_fabric_free(x->fabric);
	free(x);
	return 0;
}

static int read_text(struct fixture *x, const char *text)
{
	return weft_io_read_paths(file_with(text, strlen(text)), x->fabric,
				  &x->routes, &x->heard.diag);
}

TEST(round_trip)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 100; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 8);
		struct weft_routes given = { 0 }, got = { 0 };
		const char *path = file_with("", 0);
		FILE *out = fopen(path, "w");
		const struct weft_format *format;
		struct heard heard;

		heard_init(&heard);
		given.lid_offset = malloc(f->nep + 1);
		for (uint32_t e = 0; e < f->nep; e++)
			given.lid_offset[e] = weft_rng_below(rng,
							     1u << i % 8);
		ASSERT_EQ(weft_io_write_paths(out, f, &given, &heard.diag), 0);
		fclose(out);
		ASSERT_EQ(weft_io_detect(path, &format, NULL), 0);
		ASSERT_EQ(format->kind, WEFT_FILE_PATHS);
		ASSERT_EQ(weft_io_read_paths(path, f, &got, &heard.diag), 0);
		ASSERT_MEM(got.lid_offset, given.lid_offset, f->nep);
		assert_heard_count(&heard, 0, 0);
		weft_routes_free(&given);
		weft_routes_free(&got);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

TEST_WITH(layout, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, "# weft-paths 1\r\n\n# by hand\n"
		  "0x00000000000000c1 0x0006 0 # n\n0xa1 0x0004 0\n"
		  "0xb1 0x0005 0 # x\nend\n"), 0);
	assert_heard_count(&x->heard, 0, 0);
	ASSERT_EQ(x->routes.lid_offset[0], 0);
}

TEST_WITH(differences, set_up, tear_down)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(read_text(x, "# weft-paths 1\n0xa1 0x0009 0\n"
		  "0xb1 0x0005 3\n0xd1 0x0007 1\nend\n"), 0);
	assert_heard(&x->heard, WEFT_WARNING, 2, "LID 0x0004");
	assert_heard(&x->heard, WEFT_WARNING, 4, "0x00000000000000d1");
	assert_heard(&x->heard, WEFT_WARNING, 0, "0x00000000000000c1");
	assert_heard(&x->heard, WEFT_WARNING, 0, "LMC");
	assert_heard_count(&x->heard, 4, 0);
	ASSERT_EQ(x->routes.lid_offset[1], 3);
	ASSERT_EQ(x->routes.lid_offset[2], 0);
}

TEST_WITH(refused, set_up, tear_down)
{
	struct fixture *x = suite_state;
	static const struct {
		const char *text;
		unsigned long line;
		const char *why;
	} bad[] = {
		{ "", 1, "expected" },
		{ "# weft-paths 2\nend\n", 1, "version" },
		{ "# weft-paths\nend\n", 1, "expected" },
		{ "# weft-paths 1\n0xa1 0x0004 0\n", 0, "cut off" },
		{ "# weft-paths 1\n0xa1 0x0004\nend\n", 2, "the LID" },
		{ "# weft-paths 1\n0xa1 0x0004 1 n\nend\n", 2,
		  "not understood" },
		{ "# weft-paths 1\n0xa1 0x0004 128\nend\n", 2, "that many" },
		{ "# weft-paths 1\n0xa1 0x0004 0\n0xa1 0x0004 1\nend\n", 3,
		  "another offset" },
		{ "# weft-paths 1\n0xff 0x0004 0\nend\n", 0, "none of" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		heard_init(&x->heard);
		ASSERT_EQ(read_text(x, bad[i].text), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, bad[i].line, bad[i].why);
		ASSERT(!x->routes.lid_offset);
	}
}
