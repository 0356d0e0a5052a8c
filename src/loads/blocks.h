/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries that change, and the blocks with one of them, which a subnet manager
 * has to send.  Another entry in one of these costs nothing more.
 */
#ifndef WEFT_LOADS_BLOCKS_H
#define WEFT_LOADS_BLOCKS_H

#include <weft/lft.h>

struct weft_arena;

struct weft__blocks {
	uint64_t *entries;	/* [nsw x words] a bit for each; a word is a
				 * block */
	uint32_t words;
	uint64_t n;		/* blocks that are sent */
};
_Static_assert(WEFT_LFT_BLOCK == 64, "a block is a word");

/* None changes.  Returns false without memory. */
bool weft__blocks_init(struct weft__blocks *b, uint32_t nsw, unsigned max_lid,
		       struct weft_arena *arena);

/* Whether an entry's block is sent. */
static inline bool weft__blocks_has(const struct weft__blocks *b, uint32_t s,
				    unsigned lid)
{
	return b->entries[(size_t)s * b->words + lid / WEFT_LFT_BLOCK];
}

/* Whether an entry itself changes. */
static inline bool weft__blocks_changes(const struct weft__blocks *b,
					uint32_t s, unsigned lid)
{
	return b->entries[(size_t)s * b->words + lid / WEFT_LFT_BLOCK] >>
	       lid % WEFT_LFT_BLOCK & 1;
}

/* An entry changes, or after all does not. */
void weft__blocks_put(struct weft__blocks *b, uint32_t s, unsigned lid);
void weft__blocks_drop(struct weft__blocks *b, uint32_t s, unsigned lid);

#endif
