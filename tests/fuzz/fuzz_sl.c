// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-sl.dump: what is read is written and read back to the same text. */
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>

static char *write_text(const struct weft_fabric *f,
			const struct weft_layers *layers, size_t *size)
{
	const struct weft_routes routes = { .layers = *layers };
	char *text;
	FILE *out = open_memstream(&text, size);

	fuzz_require(out && !weft_io_write_sl(out, f, &routes, NULL));
	fclose(out);
	return text;
}

static void read_back(const struct weft_fabric *f,
		      const struct weft_layers *layers)
{
	struct weft_routes again = { 0 };
	struct weft__source source;
	size_t size, size_again;
	char *text = write_text(f, layers, &size), *text_again;

	weft_layers_init(&again.layers);
	source = weft__source_text("again", text, size);
	fuzz_require(!weft__format_sl.read_tables(&source, f, &again, NULL));
	text_again = write_text(f, &again.layers, &size_again);
	fuzz_require(size == size_again && !memcmp(text, text_again, size));
	weft_routes_free(&again);
	free(text);
	free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_routes routes = { 0 };
	int err;

	weft_layers_init(&routes.layers);
	fuzz_require(!weft_io_lft_init(f, &routes.lft));
	weft_lft_row(&routes.lft, 0)[1] = 1;
	err = weft__format_sl.read_tables(&source, f, &routes, &diag);
	fuzz_require(err <= 0);
	fuzz_require(!err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (!err)
		read_back(f, &routes.layers);
	weft_routes_free(&routes);
	return 0;
}
