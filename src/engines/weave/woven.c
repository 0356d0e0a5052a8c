// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What several strategies do with trees; see weave.h. */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <errno.h>

#define ROUNDS 64	/* of relief */

int weft__woven_balance(struct weft__weave *w, struct weft__woven *out)
{
	if (!weft__trees_list(w->f, w->arena, w->order, &out->trees) ||
	    !weft__balance_init(&out->balance, w->f, w->arena))
		return -ENOMEM;
	weft__balance_endports(&out->balance, &out->ways, &out->trees,
			       w->passes);
	weft__balance_relieve(&out->balance, &out->ways, &out->trees, ROUNDS);
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	return 0;
}

double weft__woven_work(const struct weft__weave *w)
{
	return w->facts.lids * (w->facts.edges / 2.0 + 2.0 * w->f->nsw) *
	       (w->passes + 1);
}

int weft__woven_ordered(struct weft__weave *w, const uint32_t *place,
			struct weft__woven *out, bool *complete)
{
	uint64_t had_none, missing;

	if (!weft__ways_init(&out->ways, w->f, w->arena, place) ||
	    !weft__ways_complete(&out->ways, &had_none, &missing))
		return -ENOMEM;
	*complete = !missing;
	return 0;
}

int weft__woven_tables(const struct weft__weave *w,
		       const struct weft__woven *woven,
		       struct weft_routes *out)
{
	int err = weft__trees_fill(w->f, &woven->trees, &out->lft);

	weft_layers_init(&out->layers);
	return err;
}
