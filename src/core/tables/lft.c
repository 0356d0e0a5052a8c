// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Handles forwarding tables; see weft/lft.h. */
#include "core/tables/lft.h"

#include "core/large.h"
#include "core/transpose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weft__lft_make(struct weft_lft *lft, uint32_t nsw, uint32_t max_lid)
{
	uint32_t stride = (max_lid / WEFT_LFT_BLOCK + 1) * WEFT_LFT_BLOCK;
	size_t size = (size_t)nsw * stride;
	uint8_t *port = weft__large_alloc(size ? size : WEFT_LFT_BLOCK,
					  WEFT_LFT_BLOCK);

	if (!port)
		return -ENOMEM;
	*lft = (struct weft_lft){
		.nsw = nsw, .max_lid = max_lid, .stride = stride,
		.port = port,
	};
	return 0;
}

int weft_lft_init(struct weft_lft *lft, uint32_t nsw, uint32_t max_lid)
{
	int err = weft__lft_make(lft, nsw, max_lid);

	if (!err)
		memset(lft->port, WEFT_NO_PORT, (size_t)nsw * lft->stride);
	return err;
}

int weft__lft_copy(const struct weft_lft *lft, struct weft_lft *out)
{
	int err = weft__lft_make(out, lft->nsw, lft->max_lid);

	if (!err)
		memcpy(out->port, lft->port, (size_t)lft->nsw * lft->stride);
	return err;
}

void weft_lft_free(struct weft_lft *lft)
{
	free(lft->port);
	*lft = (struct weft_lft){ 0 };
}

void weft_lft_columns(const struct weft_lft *lft, uint32_t block, uint8_t *out)
{
	const uint8_t *in = lft->port + (size_t)block * WEFT_LFT_BLOCK;
	uint32_t s = 0;

	for (; s + 8 <= lft->nsw; s += 8, in += 8 * (size_t)lft->stride)
		for (unsigned i = 0; i < WEFT_LFT_BLOCK; i += 8)
			weft__transpose8(in + i, lft->stride,
					 out + (size_t)i * lft->nsw + s,
					 lft->nsw);
	for (; s < lft->nsw; s++, in += lft->stride)
		for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
			out[(size_t)i * lft->nsw + s] = in[i];
}

const char *weft_walk_end_name(enum weft_walk_end end)
{
	static const char *const name[] = {
		[WEFT_ARRIVED] = "arrived",
		[WEFT_NO_ROUTE] = "no route",
		[WEFT_BAD_PORT] = "port does not exist",
		[WEFT_DEAD_END] = "nothing on the port",
		[WEFT_WRONG_END] = "wrong endport",
		[WEFT_LOOP] = "loop",
	};

	return name[end];
}

/* Takes one step from switch sw towards lid.  Returns WEFT_LOOP to go on, with
 * *next set to the next switch. *channel: the channel taken. */
static enum weft_walk_end take_step(const struct weft_fabric *f,
				    const struct weft_lft *lft, uint32_t sw,
				    unsigned lid, uint32_t *channel,
				    uint32_t *next)
{
	uint8_t port = weft_lft_get(lft, sw, lid);
	uint32_t owner = weft_lid_owner(f, lid);
	uint32_t peer;

	if (port == WEFT_NO_PORT)
		return WEFT_NO_ROUTE;
	if (port > f->sw[sw].nports)
		return WEFT_BAD_PORT;
	*channel = weft_channel(f, sw, port);
	if (!port)
		return owner == sw ? WEFT_ARRIVED : WEFT_WRONG_END;
	peer = f->peer[*channel];
	if (peer == WEFT_NONE)
		return WEFT_DEAD_END;
	if (weft_is_endport(peer))
		return peer == owner ? WEFT_ARRIVED : WEFT_WRONG_END;
	*next = peer;
	return WEFT_LOOP;
}

enum weft_walk_end weft_lft_walk(const struct weft_fabric *fabric,
				 const struct weft_lft *lft, uint32_t sw,
				 unsigned lid, struct weft_walk_path path,
				 size_t *n)
{
	size_t steps = 0;
	enum weft_walk_end end;

	do {
		uint32_t channel = WEFT_NONE;

		end = take_step(fabric, lft, sw, lid, &channel, &sw);
		if (path.channel && steps < path.max)
			path.channel[steps] = channel;
		steps++;
	} while (end == WEFT_LOOP && steps <= fabric->nsw);
	if (n)
		*n = steps;
	return end;
}

/* Returns an entry of a table that may have fewer switches or LIDs than the
 * other one. */
static uint8_t entry(const struct weft_lft *lft, uint32_t sw, uint32_t lid)
{
	return sw < lft->nsw ? weft_lft_get(lft, sw, lid) : WEFT_NO_PORT;
}

/* Whether both tables have a block of a switch, and it is the same. */
static bool same_block(const struct weft_lft *a, const struct weft_lft *b,
		       uint32_t sw, uint32_t block)
{
	uint32_t first = block * WEFT_LFT_BLOCK, last = first + WEFT_LFT_BLOCK;

	return sw < a->nsw && sw < b->nsw && last <= a->max_lid + 1ull &&
	       last <= b->max_lid + 1ull &&
	       !memcmp(weft_lft_row(a, sw) + first, weft_lft_row(b, sw) + first,
		       WEFT_LFT_BLOCK);
}

/* Counts what differs in a block, and sets a bit for each such LID. */
static uint64_t compare_block(const struct weft_lft *a,
			      const struct weft_lft *b, uint32_t sw,
			      uint32_t block, uint64_t *lids)
{
	uint32_t first = block * WEFT_LFT_BLOCK;
	uint64_t n = 0;

	if (same_block(a, b, sw, block))
		return 0;
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
		if (entry(a, sw, first + i) != entry(b, sw, first + i)) {
			*lids |= 1ull << i;
			n++;
		}
	return n;
}

void weft__lft_differ(const struct weft_lft *a, const struct weft_lft *b,
		      struct weft_lft_diff *diff, struct weft__lid_set *lids)
{
	uint32_t nsw = a->nsw > b->nsw ? a->nsw : b->nsw;
	uint32_t max_lid = a->max_lid > b->max_lid ? a->max_lid : b->max_lid;
	uint32_t nblocks = max_lid / WEFT_LFT_BLOCK + 1;

	*lids = (struct weft__lid_set){ { 0 } };
	*diff = (struct weft_lft_diff){ 0 };
	for (uint32_t s = 0; s < nsw; s++) {
		uint64_t before = diff->entries;

		for (uint32_t k = 0; k < nblocks; k++) {
			uint64_t n = compare_block(a, b, s, k,
						   &lids->bits[k]);

			diff->entries += n;
			diff->blocks += n > 0;
		}
		diff->switches += diff->entries != before;
	}
	for (uint32_t k = 0; k < nblocks; k++)
		diff->lids += __builtin_popcountll(lids->bits[k]);
}

void weft_lft_compare(const struct weft_lft *a, const struct weft_lft *b,
		      struct weft_lft_diff *diff)
{
	struct weft__lid_set lids;

	weft__lft_differ(a, b, diff, &lids);
}
