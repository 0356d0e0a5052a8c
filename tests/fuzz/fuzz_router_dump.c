// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables of routers: what is read names ports of the router itself, and reads
 * as the same when written out. */
#include "subnets/map/router_map.h"
#include "tables_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE "subnets:3,routers=2,of=pgft:2;2,2;1,2;1,1"

static const struct weft_subnets *site(void)
{
	static struct weft_subnets *s;

	if (!s)
		fuzz_require(!weft_subnets_gen(SITE, &s, NULL));
	return s;
}

static void read_back(const struct weft_subnets *s,
		      const struct weft_router_map *m)
{
	struct weft_router_map again;
	struct weft__source source;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out != NULL);
	fuzz_require(!weft_router_dump_write(out, s, m, NULL));
	fclose(out);
	fuzz_require(!weft_router_map_empty(s, m->hash, &again, NULL));
	source = weft__source_text("again", text, size);
	fuzz_require(!weft__router_dump_parse(&source, s, &again, NULL));
	fuzz_require(again.hash == m->hash);
	for (size_t i = 0; i < (size_t)s->nrouters * s->nhosts; i++) {
		uint32_t port = m->out[i];

		fuzz_require(port == again.out[i]);
		fuzz_require(port == WEFT_NONE ||
			     s->port[port].router == i / s->nhosts);
	}
	weft_router_map_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct weft_subnets *s = site();
	struct weft__source source = fuzz_source(data, size);
	struct weft_diag diag = { 0 };
	struct weft_router_map m;
	int err;

	fuzz_require(!weft_router_map_empty(s, WEFT_HASH_SUM, &m, NULL));
	err = weft__router_dump_parse(&source, s, &m, &diag);
	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (!err)
		read_back(s, &m);
	weft_router_map_free(&m);
	return 0;
}
