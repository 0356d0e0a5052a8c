// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Forwarding tables: whatever is read can be written and read back, and
 * whatever LMCs it tells make a fabric. */
#include "tables_util.h"

#include "io/tables/lmc_told.h"

#include <stdio.h>
#include <stdlib.h>

#define MESSAGES_MAX 16		/* of one file, however broken */

/* Entries that the writer leaves out. */
static void drop_bad_ports(const struct weft_fabric *f, struct weft_lft *lft)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 0; lid <= f->max_lid; lid++)
			if (weft_lft_get(lft, s, lid) > f->sw[s].nports)
				weft_lft_row(lft, s)[lid] = WEFT_NO_PORT;
}

static void read_back(const struct weft_fabric *f, struct weft_lft *lft)
{
	struct weft_lft_diff diff;
	struct weft__source source;
	struct weft_routes again = { 0 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out && !weft_io_write_lfts(out, f, lft, NULL));
	fclose(out);
	source = weft__source_text("again", text, size);
	fuzz_require(!weft_io_lft_init(f, &again.lft));
	fuzz_require(weft__format_lfts.read_tables(&source, f, &again, NULL) ==
		     (int)f->nsw);
	drop_bad_ports(f, lft);
	weft_lft_compare(lft, &again.lft, &diff);
	fuzz_require(!diff.entries);
	weft_routes_free(&again);
	free(text);
}

static void read_lmc(const struct weft__source *source,
		     const struct weft_fabric *f)
{
	struct weft_fabric *told;
	struct weft_diag diag = { 0 };

	fuzz_require(!weft__lmc_in(source, f, &told, &diag));
	fuzz_require(!diag.count[WEFT_ERROR]);
	fuzz_require(diag.count[WEFT_WARNING] + diag.count[WEFT_NOTE] <
		     MESSAGES_MAX);
	if (!told)
		return;
	fuzz_require(!weft_fabric_check(told, NULL));
	fuzz_require(told->nsw == f->nsw && told->nep == f->nep);
	weft_fabric_free(told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_routes routes = { 0 };
	int tables;

	read_lmc(&source, f);
	fuzz_require(!weft_io_lft_init(f, &routes.lft));
	tables = weft__format_lfts.read_tables(&source, f, &routes, &diag);
	fuzz_require((tables >= 0) == !diag.count[WEFT_ERROR]);
	fuzz_require(tables < 0 || !fuzz_has_nul(&source));
	fuzz_require(diag.count[WEFT_WARNING] + diag.count[WEFT_NOTE] <
		     MESSAGES_MAX);
	for (uint32_t s = 0; s < f->nsw; s++)
		fuzz_require(weft_lft_row(&routes.lft, s)[0] ==
			     WEFT_NO_PORT);
	if (tables >= 0)
		read_back(f, &routes.lft);
	weft_routes_free(&routes);
	return 0;
}
