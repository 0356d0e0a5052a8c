/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Linear forwarding tables and walking them.
 */
#ifndef WEFT_LFT_H
#define WEFT_LFT_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_NO_PORT 255	/* LFT entry: no route */
#define WEFT_LFT_BLOCK 64	/* LIDs a subnet manager sends at a time */

/*
 * One byte for each (switch, LID), row-major by switch.  stride is a multiple
 * of 64 and > max_lid; rows are cache-line aligned.
 */
struct weft_lft {
	uint32_t nsw;
	uint32_t max_lid;
	uint32_t stride;
	uint8_t *port;
};

/* Allocates, all entries WEFT_NO_PORT.  0 or -ENOMEM. */
int weft_lft_init(struct weft_lft *lft, uint32_t nsw, uint32_t max_lid);
void weft_lft_free(struct weft_lft *lft);	/* of a zeroed one is fine */

static inline uint8_t *weft_lft_row(const struct weft_lft *lft, uint32_t sw)
{
	return lft->port + (size_t)sw * lft->stride;
}

/* Port for a LID; LIDs past the table have no route. */
static inline uint8_t weft_lft_get(const struct weft_lft *lft, uint32_t sw,
				   unsigned lid)
{
	return lid <= lft->max_lid ? weft_lft_row(lft, sw)[lid] : WEFT_NO_PORT;
}

/*
 * Column access: copies the entries of 64 LIDs (block * 64 ...) of all switches
 * into out[64][nsw], so that work per destination reads consecutive memory.
 */
void weft_lft_columns(const struct weft_lft *lft, uint32_t block, uint8_t *out);

enum weft_walk_end {
	WEFT_ARRIVED,
	WEFT_NO_ROUTE,		/* the last switch has no entry */
	WEFT_BAD_PORT,		/* its entry is a port it does not have */
	WEFT_DEAD_END,		/* its entry is a port with nothing on it */
	WEFT_WRONG_END,		/* ends at an endport or port 0 that does not
				 * own the LID */
	WEFT_LOOP,
};

const char *weft_walk_end_name(enum weft_walk_end end);

/* Place for the channels that a walk takes, the last one (to the endport, or
 * port 0) included; NULL: they are only counted. */
struct weft_walk_path {
	uint32_t *channel;
	size_t max;		/* that fit into it */
};

/*
 * Walks the route of lid from switch sw.  *n becomes the number of channels
 * taken, which is that of switches visited, also when it exceeds path.max; n
 * may be NULL.  A loop is recognised after nsw steps.
 */
enum weft_walk_end weft_lft_walk(const struct weft_fabric *fabric,
				 const struct weft_lft *lft, uint32_t sw,
				 unsigned lid, struct weft_walk_path path,
				 size_t *n);

/* How two tables of one fabric differ. */
struct weft_lft_diff {
	uint64_t entries;	/* (switch, LID) pairs that differ */
	uint64_t blocks;	/* 64-LID blocks that would be sent */
	uint32_t switches;	/* switches with any difference */
	uint32_t lids;		/* LIDs with any difference */
};
void weft_lft_compare(const struct weft_lft *a, const struct weft_lft *b,
		      struct weft_lft_diff *diff);

#ifdef __cplusplus
}
#endif
#endif
