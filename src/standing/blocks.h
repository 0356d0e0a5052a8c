/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Blocks that a subnet manager has to send: those with an entry that changes.
 * Another entry in one of them costs nothing more.
 */
#ifndef WEFT_STANDING_BLOCKS_H
#define WEFT_STANDING_BLOCKS_H

#include <weft/lft.h>

struct weft_arena;

struct weft__blocks {
	uint64_t *bits;		/* [nsw x words] a bit for each block */
	uint32_t words;
	uint64_t n;		/* that are sent */
};

/* None is sent.  Returns false without memory. */
bool weft__blocks_init(struct weft__blocks *b, uint32_t nsw, unsigned max_lid,
		       struct weft_arena *arena);

static inline bool weft__blocks_has(const struct weft__blocks *b, uint32_t s,
				    unsigned lid)
{
	uint32_t block = lid / WEFT_LFT_BLOCK;

	return b->bits[(size_t)s * b->words + block / 64] >> block % 64 & 1;
}

/* Has the block of an entry be sent.  Returns whether it was not before. */
bool weft__blocks_put(struct weft__blocks *b, uint32_t s, unsigned lid);
/* The block of an entry is not sent after all. */
void weft__blocks_drop(struct weft__blocks *b, uint32_t s, unsigned lid);

#endif
