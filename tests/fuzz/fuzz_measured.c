// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measured pairs: endports of the fabric with rates, in rounds none of which is
 * empty, or there is an error. */
#include "io/lists/hosts.h"
#include "tables_util.h"

#include <weft/measured.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_fabric *f = fuzz_fabric();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_measured m;
	int err = weft__read_measured(&source, f, &m, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	fuzz_require(m.nrounds > 0 && !m.first[0]);
	for (uint32_t r = 0; r < m.nrounds; r++)
		fuzz_require(m.first[r] < m.first[r + 1]);
	for (uint64_t i = 0; i < m.first[m.nrounds]; i++) {
		const struct weft_measured_pair *p = &m.pair[i];

		fuzz_require(p->from < f->nep && p->to < f->nep &&
			     p->from != p->to && p->rate > 0 &&
			     p->rate <= m.best);
	}
	weft_measured_free(&m);
	return 0;
}
