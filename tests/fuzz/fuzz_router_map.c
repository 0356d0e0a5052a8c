// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mappings to router ports: what is read names router ports of the subnet
 * alone, and reads as the same when written out. */
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

static void check(const struct weft_subnets *s, const struct weft_router_map *m)
{
	for (uint32_t h = 0; h < s->nhosts; h++) {
		uint32_t via = m->via[h];

		fuzz_require(via == WEFT_NONE ||
			     (via < s->nports && !s->port[via].subnet));
		fuzz_require(s->host[h].subnet || via == WEFT_NONE);
	}
}

/* Lines of prefixes that the writer adds are for those alone that have none. */
static void read_back(const struct weft_subnets *s,
		      const struct weft_router_map *m)
{
	struct weft_router_map again;
	struct weft__source source;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(out != NULL);
	fuzz_require(!weft_router_map_write(out, s, m, 0, NULL));
	fclose(out);
	fuzz_require(!weft_router_map_empty(s, m->hash, &again, NULL));
	source = weft__source_text("again", text, size);
	fuzz_require(!weft__router_map_parse(&source, s, 0, &again, NULL));
	for (uint32_t h = 0; h < s->nhosts; h++)
		fuzz_require(m->via[h] == WEFT_NONE ||
			     m->via[h] == again.via[h]);
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
	err = weft__router_map_parse(&source, s, 0, &m, &diag);
	fuzz_require(err <= 0 && !err == !diag.count[WEFT_ERROR]);
	fuzz_require(err || !fuzz_has_nul(&source));
	if (!err) {
		check(s, &m);
		read_back(s, &m);
	}
	weft_router_map_free(&m);
	return 0;
}
