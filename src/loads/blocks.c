// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sets of entries; see blocks.h. */
#include "loads/blocks.h"

#include "core/arena.h"

bool weft__blocks_init(struct weft__blocks *b, uint32_t nsw, unsigned max_lid,
		       struct weft_arena *arena)
{
	b->n = 0;
	b->words = max_lid / WEFT_LFT_BLOCK + 1;
	b->entries = weft__arena_zalloc(arena, nsw * (size_t)b->words + 1,
					sizeof(*b->entries));
	return b->entries;
}

void weft__blocks_put(struct weft__blocks *b, uint32_t s, unsigned lid)
{
	b->n += !weft__blocks_has(b, s, lid);
	b->entries[(size_t)s * b->words + lid / WEFT_LFT_BLOCK] |=
		1ull << lid % WEFT_LFT_BLOCK;
}

void weft__blocks_drop(struct weft__blocks *b, uint32_t s, unsigned lid)
{
	uint64_t *block = &b->entries[(size_t)s * b->words + lid / WEFT_LFT_BLOCK];

	b->n -= *block == 1ull << lid % WEFT_LFT_BLOCK;
	*block &= ~(1ull << lid % WEFT_LFT_BLOCK);
}
