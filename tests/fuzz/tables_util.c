// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See tables_util.h. */
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>

void fuzz_broken(const char *condition, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken: %s\n", file, line, condition);
	abort();
}

const struct weft_fabric *fuzz_fabric(void)
{
	static struct weft_fabric *fabric;
	struct weft_builder *b;
	uint32_t sw[3], ca;

	if (fabric)
		return fabric;
	b = weft_builder_new();
	for (unsigned i = 0; i < 3; i++) {
		sw[i] = weft_builder_node(b, WEFT_NODE_SWITCH,
					  0x10 * (i + 1), 4);
		weft_builder_port(b, sw[i], 0)->lid = i + 1;
		ca = weft_builder_node(b, WEFT_NODE_CA, 0xa0 + 0x10 * i, 1);
		weft_builder_port(b, ca, 1)->guid = 0xa1 + 0x10 * i;
		weft_builder_port(b, ca, 1)->lid = 4 + 2 * i;
		weft_builder_port(b, ca, 1)->lmc = 1;
		weft_builder_link(b, sw[i], 1, ca, 1,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	weft_builder_port(b, sw[1], 0)->guid = 0x1020;
	weft_builder_link(b, sw[0], 2, sw[1], 2,
			  (struct weft_rate){ 4, WEFT_EDR });
	weft_builder_link(b, sw[1], 3, sw[2], 3,
			  (struct weft_rate){ 4, WEFT_EDR });
	weft_builder_link(b, sw[1], 4, sw[2], 4,
			  (struct weft_rate){ 4, WEFT_EDR });
	fuzz_require(!weft_builder_finish(b, &fabric, NULL));
	weft_builder_free(b);
	return fabric;
}
