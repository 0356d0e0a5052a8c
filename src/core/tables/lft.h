/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which LIDs of two forwarding tables differ. */
#ifndef WEFT_CORE_LFT_H
#define WEFT_CORE_LFT_H

#include <weft/lft.h>

#include <stdbool.h>

/* A set of LIDs, a bit each. */
struct weft__lid_set {
	uint64_t bits[(UINT16_MAX + 1) / WEFT_LFT_BLOCK];
};

static inline bool weft__lid_set_has(const struct weft__lid_set *set,
				     unsigned lid)
{
	return set->bits[lid / WEFT_LFT_BLOCK] >> lid % WEFT_LFT_BLOCK & 1;
}

static inline void weft__lid_set_add(struct weft__lid_set *set, unsigned lid)
{
	set->bits[lid / WEFT_LFT_BLOCK] |= 1ull << lid % WEFT_LFT_BLOCK;
}

/* Makes tables whose entries are not set as yet.  0 or -ENOMEM. */
int weft__lft_make(struct weft_lft *lft, uint32_t nsw, uint32_t max_lid);

/* Makes a copy.  0 or -ENOMEM. */
int weft__lft_copy(const struct weft_lft *lft, struct weft_lft *out);

/* Does the same as weft_lft_compare(), and finds the LIDs of which some entry
 * differs. */
void weft__lft_differ(const struct weft_lft *a, const struct weft_lft *b,
		      struct weft_lft_diff *diff, struct weft__lid_set *lids);

#endif
