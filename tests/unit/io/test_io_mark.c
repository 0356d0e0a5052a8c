// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The mark by which weft-sl.dump and weft-paths.dump name the tables that they
 * belong to: dumps of two sweeps are not read together. */
#include "io_tables_util.h"

#include <errno.h>
#include <stdio.h>

#define SEED 20261125u
#define SL_HEAD "# weft-sl 1\nform one\ndefault 3\nlanes 1\n"

struct dump {
	int (*write)(FILE *out, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, struct weft_diag *diag);
};

static const struct dump dumps[] = {
	{ weft_io_write_sl }, { weft_io_write_paths },
};

static struct weft_routes random_routes(const struct weft_fabric *f,
					struct weft_rng *rng)
{
	struct weft_routes routes = { 0 };

	weft_layers_init(&routes.layers);
	ASSERT_EQ(weft_io_lft_init(f, &routes.lft), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			weft_lft_row(&routes.lft, s)[lid] =
				(uint8_t)weft_rng_below(rng, 256);
	return routes;
}

static const char *written(const struct dump *dump, const struct weft_fabric *f,
			   const struct weft_routes *routes)
{
	const char *path = file_with("", 0);
	FILE *out = fopen(path, "w");

	ASSERT_EQ(dump->write(out, f, routes, NULL), 0);
	fclose(out);
	return path;
}

/* What comes of reading a dump with some tables. */
static int reads(const char *path, const struct weft_fabric *f,
		 const struct weft_routes *tables, struct heard *heard)
{
	struct weft_routes routes = { .lft = tables->lft };
	int err;

	heard_init(heard);
	weft_layers_init(&routes.layers);
	err = weft_io_add_tables(path, f, &routes, &heard->diag);
	routes.lft = (struct weft_lft){ 0 };
	weft_routes_free(&routes);
	return err;
}

/* Another value than the one that is there; both of a port. */
static bool change(struct weft_routes *routes, uint32_t sw, unsigned lid)
{
	uint8_t *entry = weft_lft_row(&routes->lft, sw) + lid;

	if (!*entry || *entry == WEFT_NO_PORT)
		return false;
	*entry = *entry % 254 + 1;
	return true;
}

static void change_one(const struct dump *dump, const struct weft_fabric *f,
		       struct weft_routes *routes, struct weft_rng *rng)
{
	const char *path = written(dump, f, routes);
	uint32_t s = weft_rng_below(rng, f->nsw);
	unsigned lid = 1 + weft_rng_below(rng, f->max_lid);
	bool counts = f->lid_owner[lid] != WEFT_NONE;
	struct heard heard;

	ASSERT_EQ(reads(path, f, routes, &heard), 0);
	assert_heard_count(&heard, 0, 0);
	if (!change(routes, s, lid))
		return;
	ASSERT_EQ(reads(path, f, routes, &heard), counts ? -EINVAL : 0);
	if (counts)
		assert_heard(&heard, WEFT_ERROR, heard.message[0].line,
			     f->sw[s].name);
}

TEST(refused)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 200; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 4);
		struct weft_routes routes = random_routes(f, rng);

		change_one(&dumps[i % 2], f, &routes, rng);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Switches without a table tell nothing, nor do no tables at all. */
TEST(nothing_told)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_fabric *f = random_named_fabric(rng, 0);
	struct weft_routes routes = random_routes(f, rng), none = { 0 };
	const char *path = written(&dumps[0], f, &routes);
	struct heard heard;

	ASSERT_EQ(reads(path, f, &none, &heard), 0);
	assert_heard_count(&heard, 0, 0);
	memset(weft_lft_row(&routes.lft, 0), WEFT_NO_PORT, routes.lft.stride);
	ASSERT_EQ(reads(path, f, &routes, &heard), 0);
	assert_heard_count(&heard, 0, 0);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	weft_rng_free(rng);
}

TEST(layouts)
{
	static const struct {
		const char *text, *error;	/* NULL: none */
	} cases[] = {
		{ SL_HEAD "# lids 0x0001-0xbfff\n"
		  "# table 0x0000000000000010 0x0000000000000000\nend\n", NULL },
		{ SL_HEAD "# lids\n# tables\n#lids 5\nend\n", NULL },
		{ SL_HEAD "# table 0x99 0x0\nend\n", NULL },
		{ SL_HEAD "# table 0x10 0x1\nend\n", "other forwarding tables" },
		{ SL_HEAD "# lids 5\nend\n", "a LID" },
		{ SL_HEAD "# lids 0x0005-\nend\n", "a LID" },
		{ SL_HEAD "# lids 0x0005 0x0005\nend\n", "ascending" },
		{ SL_HEAD "# lids 0x0005-0xc000\nend\n", "ascending" },
		{ SL_HEAD "# table 0x10\nend\n", "the sum of its table" },
		{ SL_HEAD "# table x\nend\n", "the GUID of a switch" },
		{ SL_HEAD "# table 0x10 0x1 2\nend\n", "the end of the line" },
	};
	struct weft_fabric *f = small_fabric();
	struct weft_routes routes = { 0 };
	struct heard heard;

	ASSERT_EQ(weft_io_lft_init(f, &routes.lft), 0);
	weft_lft_row(&routes.lft, 0)[1] = 0;
	weft_lft_row(&routes.lft, 0)[2] = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = file_with(cases[i].text,
					     strlen(cases[i].text));

		ASSERT_EQ(reads(path, f, &routes, &heard),
			  cases[i].error ? -EINVAL : 0);
		if (cases[i].error)
			assert_heard(&heard, WEFT_ERROR, 5, cases[i].error);
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
}
