// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of hosts: every rank has an endport of the fabric, or there is an
 * error. */
#include "io/lists/hosts.h"
#include "tables_util.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	uint32_t *endport, n;
	int err = weft__read_hosts(&source, f, &endport, &n, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	fuzz_require(n > 0 && n <= WEFT_MAX_RANKS);
	for (uint32_t i = 0; i < n; i++)
		fuzz_require(endport[i] < f->nep);
	free(endport);
	return 0;
}
