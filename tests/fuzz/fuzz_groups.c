// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups of hosts: each has endports of the fabric, ascending, or there is an
 * error. */
#include "io/lists/hosts.h"
#include "tables_util.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_host_groups groups;
	int err = weft__read_groups(&source, f, &groups, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	fuzz_require(groups.n > 0);
	for (uint32_t g = 0; g < groups.n; g++) {
		const struct weft_host_group *one = &groups.group[g];

		fuzz_require(one->n > 0 && one->name && *one->name);
		for (uint32_t i = 0; i < one->n; i++)
			fuzz_require(
				one->endport[i] < f->nep &&
				(!i || one->endport[i - 1] < one->endport[i]));
	}
	weft_host_groups_free(&groups);
	return 0;
}
