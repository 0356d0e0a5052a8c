// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Follows the entries for one LID; see column.h. */
#include "loads/column.h"

#include "core/arena.h"
#include "core/fabric/components.h"
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
		.next = weft__arena_alloc(arena, n, sizeof(*c->next)),
		.hops = weft__arena_alloc(arena, n, sizeof(*c->hops)),
		.order = weft__arena_alloc(arena, n, sizeof(*c->order)),
		.level = weft__arena_alloc(arena, n, sizeof(*c->level)),
		.rooted = WEFT_NONE,
		.stack = weft__arena_alloc(arena, n, sizeof(*c->stack)),
		.lost = weft__arena_alloc(arena, n, sizeof(*c->lost)),
		.part = weft__arena_alloc(arena, n, sizeof(*c->part)),
		.size = weft__arena_zalloc(arena, n, sizeof(*c->size)),
	};
	if (!c->port || !c->next || !c->hops || !c->order || !c->level ||
	    !c->stack || !c->lost || !c->part || !c->size)
		return false;
	weft__components(f, c->part, c->stack);
	for (uint32_t s = 0; s < f->nsw; s++)
		c->size[c->part[s]]++;
	return true;
}

void weft__column_begin(struct weft__column *c, unsigned lid)
{
	c->lid = lid;
	c->owner = weft_lid_owner(c->fabric, lid);
	c->root = weft_vertex_switch(c->fabric, c->owner);
	c->port[c->root] = weft__delivery_port(c->fabric, c->owner);
}

void weft__column_read(struct weft__column *c, const struct weft_lft *lft,
		       unsigned lid)
{
	const uint8_t *entry = lft->port + lid;

	for (uint32_t s = 0; s < c->fabric->nsw; s++, entry += lft->stride)
		c->port[s] = *entry;
	weft__column_begin(c, lid);
}

void weft__column_write(const struct weft__column *c, struct weft_lft *lft)
{
	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		weft_lft_row(lft, s)[c->lid] = c->port[s];
}

void weft__column_take(struct weft__column *c, unsigned lid,
		       const uint8_t *port)
{
	memcpy(c->port, port, c->fabric->nsw);
	weft__column_begin(c, lid);
}

/* Follows the way from s until its hops are known, and notes those of all
 * switches on it. */
static void follow(struct weft__column *c, uint32_t s)
{
	uint32_t n = 0;
	uint16_t hops;

	for (; s != WEFT_NONE && c->hops[s] == UNKNOWN; s = c->next[s]) {
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

static uint16_t farthest(const struct weft__column *c)
{
	uint16_t most = 0;

	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		if (c->hops[s] != WEFT__FAR && c->hops[s] > most)
			most = c->hops[s];
	return most;
}

/* Puts the switches that arrive in the order of their hops. */
static void sort_by_hops(struct weft__column *c)
{
	uint32_t nsw = c->fabric->nsw, *end = c->stack, sum = 0;
	uint16_t most = farthest(c);

	memset(end, 0, (most + 1ull) * sizeof(*end));
	for (uint32_t s = 0; s < nsw; s++)
		if (c->hops[s] != WEFT__FAR && s != c->root)
			end[c->hops[s]]++;
	for (uint32_t h = 0; h <= most; h++) {
		sum += end[h];
		end[h] = sum - end[h];
	}
	for (uint32_t s = 0; s < nsw; s++)
		if (c->hops[s] != WEFT__FAR && s != c->root)
			c->order[end[c->hops[s]]++] = s;
	c->norder = sum;
}

static void find_lost(struct weft__column *c)
{
	for (uint32_t s = 0; s < c->fabric->nsw; s++)
		if (c->hops[s] == WEFT__FAR &&
		    c->part[s] == c->part[c->root])
			c->lost[c->nlost++] = s;
}

bool weft__column_keeps_order(struct weft__column *c)
{
	if (c->rooted != c->root)
		return false;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i], to = weft__column_next(c, s);

		if (to == WEFT_NONE || c->level[to] >= c->level[s])
			return false;
		c->next[s] = to;
	}
	c->nlost = 0;
	c->njoined = c->fabric->nsw;
	return true;
}

/* Finds the hops in the order of the tree. */
static void follow_order(struct weft__column *c)
{
	c->hops[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];

		c->hops[s] = c->hops[c->next[s]] + 1;
	}
}

static void follow_all(struct weft__column *c)
{
	uint32_t nsw = c->fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++) {
		c->next[s] = weft__column_next(c, s);
		c->hops[s] = UNKNOWN;
	}
	c->hops[c->root] = 0;
	for (uint32_t s = 0; s < nsw; s++)
		if (c->hops[s] == UNKNOWN)
			follow(c, s);
	sort_by_hops(c);
}

void weft__column_survey(struct weft__column *c)
{
	if (weft__column_keeps_order(c)) {
		follow_order(c);
		return;
	}
	c->nlost = 0;
	c->njoined = c->size[c->part[c->root]];
	follow_all(c);
	c->rooted = WEFT_NONE;
	if (c->norder + 1 < c->njoined) {
		find_lost(c);
		return;
	}
	/* which switches arrive has to be the same */
	if (c->njoined != c->fabric->nsw)
		return;
	c->rooted = c->root;
	memcpy(c->level, c->hops, c->fabric->nsw * sizeof(*c->level));
}
