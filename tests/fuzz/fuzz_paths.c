// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-paths.dump: what is read is written and read back to the same. */
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>

static void read_back(const struct weft_fabric *f,
		      const struct weft_routes *routes)
{
	struct weft_routes again = { 0 };
	struct weft__source source;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out && !weft_io_write_paths(out, f, routes, NULL));
	fclose(out);
	source = weft__source_text("again", text, size);
	fuzz_require(!weft__format_paths.read_tables(&source, f, &again,
						     NULL));
	fuzz_require(!memcmp(again.lid_offset, routes->lid_offset, f->nep));
	weft_routes_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_routes routes = { 0 };
	int err = weft__format_paths.read_tables(&source, f, &routes, &diag);

	fuzz_require(err <= 0);
	fuzz_require(!err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	fuzz_require(!err == !!routes.lid_offset);
	if (!err)
		read_back(f, &routes);
	weft_routes_free(&routes);
	return 0;
}
