// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sets of blocks; see blocks.h. */
#include "standing/blocks.h"

#include "core/arena.h"

bool weft__blocks_init(struct weft__blocks *b, uint32_t nsw, unsigned max_lid,
		       struct weft_arena *arena)
{
	b->n = 0;
	b->words = max_lid / WEFT_LFT_BLOCK / 64 + 1;
	b->bits = weft__arena_zalloc(arena, nsw * (size_t)b->words + 1,
				     sizeof(*b->bits));
	return b->bits;
}

bool weft__blocks_put(struct weft__blocks *b, uint32_t s, unsigned lid)
{
	uint32_t block = lid / WEFT_LFT_BLOCK;

	if (weft__blocks_has(b, s, lid))
		return false;
	b->bits[(size_t)s * b->words + block / 64] |= 1ull << block % 64;
	b->n++;
	return true;
}

void weft__blocks_drop(struct weft__blocks *b, uint32_t s, unsigned lid)
{
	uint32_t block = lid / WEFT_LFT_BLOCK;

	b->bits[(size_t)s * b->words + block / 64] &= ~(1ull << block % 64);
	b->n--;
}
