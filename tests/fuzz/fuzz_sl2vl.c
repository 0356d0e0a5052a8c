// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SL2VL tables: every lane that is left in the tables exists. */
#include "tables_util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_routes routes = { 0 };
	const struct weft_layers *layers = &routes.layers;
	size_t rows = 0;
	int err;

	weft_layers_init(&routes.layers);
	err = weft__format_sl2vl.read_tables(&source, f, &routes, &diag);
	fuzz_require(err <= 0);
	fuzz_require(!err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	fuzz_require(layers->nvl >= 1 && layers->nvl <= WEFT_VL_DROP);
	for (uint32_t s = 0; s < f->nsw && !err; s++) {
		fuzz_require(layers->base[s] == rows);
		rows += (f->sw[s].nports + 1u) * (f->sw[s].nports + 1u);
	}
	for (size_t i = 0; i < rows * WEFT_NSL; i++)
		fuzz_require(layers->sl2vl[i] <= WEFT_VL_DROP);
	weft_routes_free(&routes);
	return 0;
}
