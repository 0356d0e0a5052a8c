// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, cables with fewer lanes than others
 *
 * Strategies give out lanes as if all cables had them all.  Where some have
 * fewer, the layers that meet there share a lane (graph/vls.h), which mostly
 * does no harm: the proof tells.  If it does, strategies that give out lanes
 * pair by pair (lanes.c) build once more, and have each cable carry as many
 * lanes as it has; pairs whose ways pass it take these, or other ways.  Other
 * strategies give up the variant.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"
#include "proof/folded.h"

#include <weft/routes.h>

#include <errno.h>

static int build(struct weft__weave *w, const struct weft__strategy *strategy,
		 struct weft_routes *out)
{
	int err = -ENOMEM;

	w->arena = weft__arena_new();
	if (w->arena)
		err = strategy->build(w, out);
	weft__arena_free(w->arena);
	return err;
}

/* Builds, and proves that lanes which are shared close no loop. */
static int build_and_prove(struct weft__weave *w,
			   const struct weft__strategy *strategy,
			   struct weft_routes *out)
{
	bool loops = false;
	int err = build(w, strategy, out);

	if (!err && w->vls.of)
		err = weft__folded_loops(w->f, out, &loops, w->diag);
	if (!err && !loops)
		return 0;
	weft_routes_free(out);
	*out = (struct weft_routes){ 0 };
	return err ? err : -EXDEV;
}

int weft__build_within(struct weft__weave *w,
		       const struct weft__strategy *strategy,
		       struct weft_routes *out, bool *again)
{
	int err = build_and_prove(w, strategy, out);

	*again = err == -EXDEV && strategy->limits;
	if (!*again)
		return err;
	w->limited = true;
	err = build_and_prove(w, strategy, out);
	w->limited = false;
	return err;
}
