// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fat-tree engines, what their trees do not reach
 *
 * Routes go up and down again, or in a valley where two switches have nobody above
 * both.  Where trees hang together by cables between switches of one level alone, one
 * valley need not join all of them, and some switch is left without a way.  It gets
 * one as a switch does whose cable fails (standing/mend.c): whoever has a way keeps
 * it, and new ones close no credit loop.
 */
#include "engines/fattree/whole.h"

#include "standing/fill.h"

#include <weft/list.h>

#include <errno.h>
#include <inttypes.h>

/* Returns how many entries lack a port. */
static uint64_t count_holes(const struct weft_fabric *f, const struct weft_lft *lft)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint8_t *row = weft_lft_row(lft, s);

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			n += row[lid] == WEFT_NO_PORT &&
			     f->lid_owner[lid] != WEFT_NONE;
	}
	return n;
}

int weft__fattree_make_whole(const struct weft_fabric *f,
			     struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft__fill_spec spec = { .lanes = 1 };
	uint64_t holes = count_holes(f, &routes->lft);
	struct weft__filled filled;
	int err;

	if (!holes)
		return 0;
	err = weft__standing_fill(f, routes, &spec, &filled, diag);
	if (err)
		return err;
	if (filled.left || !filled.in_order)
		return weft_fail(diag, ENOTSUP,
				 "%" PRIu64 " of the pairs of a switch and a LID had no way up and down again, and in one lane not all find another one without a credit loop; weave routes such fabrics",
				 holes);
	weft_diag_say(diag, WEFT_NOTE,
		      "%" PRIu64 " of the pairs of a switch and a LID had no way up and down again, and go another one",
		      holes);
	return 0;
}
