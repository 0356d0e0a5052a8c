// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes that all ways of two switches have in common; see legal.h. */
#include "trees/legal.h"

#include "core/arena.h"

#include <string.h>

bool weft__legal_init(struct weft__legal *c, const struct weft__turns *turns,
		      unsigned lanes, struct weft_arena *arena)
{
	uint32_t nsw = turns->fabric->nsw;

	*c = (struct weft__legal){
		.turns = turns, .nsw = nsw, .all = (1u << lanes) - 1, .care = 1,
		.left = weft__arena_alloc(arena, (size_t)nsw * nsw,
					  sizeof(*c->left)),
		.allowed = weft__arena_alloc(arena, nsw, sizeof(*c->allowed)),
		.legal = weft__arena_alloc(arena, nsw, sizeof(*c->legal)),
		.next = weft__arena_alloc(arena, nsw, sizeof(*c->next)),
	};
	return c->left && c->allowed && c->legal && c->next;
}

void weft__legal_reset(struct weft__legal *c)
{
	size_t size = (size_t)c->nsw * c->nsw * sizeof(*c->left);

	if (c->first)
		memcpy(c->left, c->first, size);
	else
		memset(c->left, 0xff, size);
	c->root = WEFT_NONE;
}

void weft__legal_start(struct weft__legal *c, uint32_t root)
{
	if (c->root == root)
		return;
	c->root = root;
	c->to = c->left + (size_t)root * c->nsw;
	for (uint32_t s = 0; s < c->nsw; s++) {
		uint16_t both = c->to[s] & c->left[(size_t)s * c->nsw + root] &
			c->all;

		c->allowed[s] = both ? both : c->all;
	}
	c->legal[root] = c->all;
	c->next[root] = weft__turns_end(c->turns, root);
}
