// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Follows the entries for one LID; see column.h. */
#include "standing/column.h"

#include "core/arena.h"
#include "core/components.h"
#include "graph/entries.h"

#include <string.h>

#define UNKNOWN (WEFT__FAR - 1)
#define PENDING (WEFT__FAR - 2)

bool weft__column_init(struct weft__column *c, const struct weft_fabric *f,
		       struct weft_arena *arena)
{
	size_t n = f->nsw + 1ull;

	*c = (struct weft__column){
		.fabric = f,
		.port = weft__arena_alloc(arena, n, sizeof(*c->port)),
		.hops = weft__arena_alloc(arena, n, sizeof(*c->hops)),
		.stack = weft__arena_alloc(arena, n, sizeof(*c->stack)),
		.lost = weft__arena_alloc(arena, n, sizeof(*c->lost)),
		.part = weft__arena_alloc(arena, n, sizeof(*c->part)),
	};
	if (!c->port || !c->hops || !c->stack || !c->lost || !c->part)
		return false;
	weft__components(f, c->part, c->stack);
	return true;
}

void weft__column_read(struct weft__column *c, const struct weft_lft *lft,
		       unsigned lid)
{
	const struct weft_fabric *f = c->fabric;
	const uint8_t *entry = lft->port + lid;

	c->lid = lid;
	c->owner = weft_lid_owner(f, lid);
	c->root = weft_vertex_switch(f, c->owner);
	for (uint32_t s = 0; s < f->nsw; s++, entry += lft->stride)
		c->port[s] = *entry;
	c->port[c->root] = weft__delivery_port(f, c->owner);
}

/* Follows the way from s until its hops are known, and notes those of all
 * switches on it. */
static void follow(struct weft__column *c, uint32_t s)
{
	uint32_t n = 0;
	uint16_t hops;

	for (; s != WEFT_NONE && c->hops[s] == UNKNOWN;
	     s = weft__column_next(c, s)) {
		c->hops[s] = PENDING;
		c->stack[n++] = s;
	}
	hops = s == WEFT_NONE || c->hops[s] == PENDING ? WEFT__FAR :
							 c->hops[s];
	while (n) {
		hops += hops != WEFT__FAR;
		c->hops[c->stack[--n]] = hops;
	}
}

void weft__column_survey(struct weft__column *c)
{
	uint32_t nsw = c->fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++)
		c->hops[s] = UNKNOWN;
	c->hops[c->root] = 0;
	c->nlost = c->njoined = 0;
	for (uint32_t s = 0; s < nsw; s++) {
		if (c->hops[s] == UNKNOWN)
			follow(c, s);
		if (c->part[s] != c->part[c->root])
			continue;
		c->njoined++;
		if (c->hops[s] == WEFT__FAR)
			c->lost[c->nlost++] = s;
	}
}
