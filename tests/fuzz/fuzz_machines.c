// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adapters of machines: each has a GUID, a machine and a line, or there is an
 * error; a fabric takes them or says why not. */
#include "io/lists/machines_read.h"
#include "tables_util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_adapters a = { .n = 0 };
	int err = weft__machines_source(&source, "host", &a, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || (a.n && !fuzz_has_nul(&source)));
	for (uint32_t i = 0; i < a.n; i++)
		fuzz_require(a.adapter[i].guid && *a.adapter[i].machine &&
			     a.adapter[i].numa >= -1 && a.adapter[i].line);
	weft_adapters_free(&a);
	return 0;
}
