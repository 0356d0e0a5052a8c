// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What routes are worth, both ways; see trees/worth.c. */
#include "layers/traffic.h"
#include "trees/worth.h"

#include <errno.h>
#include <stdlib.h>

int weft__traffic_worth(const struct weft__traffic *t, double *worth)
{
	const struct weft_fabric *f = t->fabric;
	struct weft__columns c = {
		.fabric = f, .ports = true, .both_ways = true,
		.to = calloc(f->nep + 1ull, sizeof(*c.to)),
	};
	int err = c.to ? 0 : -ENOMEM;

	for (uint32_t e = 0; !err && e < f->nep; e++)
		if (f->ep[e].lid)
			c.to[e] = weft__tree(t, t->of_lid[f->ep[e].lid]);
	if (!err)
		err = weft__columns_worth(&c, worth);
	free(c.to);
	return err;
}
