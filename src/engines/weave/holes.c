// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, what is missing of a whole
 *
 * Tables of a whole torus are good ones for what is left of it, too: few of their
 * entries lead by a cable that is missing.  These are mended as those of tables that
 * stand (standing/mend.c): whoever is not lost with them keeps its way, and new ways
 * close no cycle in the lane of their pair, or the pair takes another lane.  So it
 * takes no more lanes than the whole does.
 *
 * Where whole parts of it lose their ways at once, the shortest others would close
 * cycles.  Then new ways go by an order of the channels that the strategy knows.
 *
 * A few pairs are left at times, or what switches send and get closes a loop.  Then
 * there are other strategies, so that no long search is made for these.
 */
#include "engines/weave/holes.h"

#include "core/grow.h"
#include "standing/fill.h"

#include <errno.h>
#include <stdlib.h>

#define LOOKS 6		/* at a switch, for each hole: those who are lost with it find
			 * their ways once or twice */

int weft__holes_note(struct weft__holes *holes, uint32_t sw, unsigned lid)
{
	int err = weft__grow(&holes->hole, &holes->room, holes->n + 1);

	if (!err)
		holes->hole[holes->n++] = (struct weft__hole){ sw, lid };
	return err;
}

void weft__holes_free(struct weft__holes *holes)
{
	free(holes->hole);
}

static double work_of(const struct weft__weave *w, double holes)
{
	return holes * w->f->nsw * LOOKS;
}

int weft__holes_mend(struct weft__weave *w, const struct weft__holes *holes,
		     struct weft_routes *routes)
{
	const struct weft__fill_spec spec = {
		.lanes = w->lanes, .brief = true, .order = holes->order,
	};
	struct weft__filled filled;
	int err;

	if (!holes->n)
		return 0;
	for (size_t i = 0; i < holes->n; i++)
		weft_lft_row(&routes->lft, holes->hole[i].sw)
			[holes->hole[i].lid] = WEFT_NO_PORT;
	err = weft__standing_fill(w->f, routes, &spec, &filled, w->diag);
	if (err || filled.left)
		return err ? err : -ENOTSUP;
	w->looked += work_of(w, holes->n) + filled.looked;
	return filled.in_order ? 0 : -ENOTSUP;
}

/* Whether routes lack a channel: a ring with a gap is a path, which has ends. */
static bool is_missing(const struct weft__rings *r, uint32_t s, unsigned i,
		       enum weft__direction way)
{
	size_t at = (size_t)s * r->n + i;

	if (weft__rings_next(r, s, i, way) != WEFT_NONE)
		return false;
	return r->dim[i].ring ? r->gap[at] == WEFT_NONE :
	       r->at[at] != (way == WEFT__ASCENDING ? r->dim[i].length - 1 : 0);
}

double weft__holes_work(const struct weft__weave *w)
{
	const struct weft__rings *r = &w->facts.product;
	double each = (double)w->facts.lids * w->f->nsw /
		      (w->facts.edges + 1.0);
	uint32_t n = 0;

	if (r->whole)
		return 0;
	for (uint32_t s = 0; s < w->f->nsw; s++)
		for (unsigned i = 0; i < r->n; i++)
			n += is_missing(r, s, i, WEFT__ASCENDING) +
			     is_missing(r, s, i, WEFT__DESCENDING);
	return work_of(w, n * each);
}
