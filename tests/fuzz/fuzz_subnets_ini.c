// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of subnets: each subnet has a name and a fabric, and prefixes differ, or
 * there is an error. */
#include "io/subnets/ini.h"
#include "tables_util.h"

static void check(const struct weft_subnets_ini *ini)
{
	fuzz_require(ini->n > 0);
	for (uint32_t i = 0; i < ini->n; i++) {
		const struct weft_subnet_input *one = &ini->subnet[i];

		fuzz_require(one->name && *one->name && one->fabric);
		for (uint32_t k = 0; k < i; k++)
			fuzz_require(strcmp(one->name, ini->subnet[k].name) &&
				     (!one->prefix ||
				      one->prefix != ini->subnet[k].prefix));
	}
	for (uint32_t i = 0; i < ini->nports; i++)
		fuzz_require(ini->port[i].router && ini->port[i].subnet &&
			     ini->port[i].guid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_subnets_ini ini;
	int err = weft__subnets_ini_parse(&source, &ini, &diag);

	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (err)
		return 0;
	check(&ini);
	weft_subnets_ini_free(&ini);
	return 0;
}
