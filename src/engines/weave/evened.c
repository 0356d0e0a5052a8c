// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weave on trees: routes that converge, then passes of balance; see
 * convergent.c. */
#include "engines/weave/convergent.h"

static double work(const struct weft__weave *w)
{
	return weft__woven_work(w) + (double)w->facts.lids * w->f->nsw * 12 +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	return weft__convergent_build(w, w->passes - 1, out);
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 20;
}

const struct weft__strategy weft__strategy_evened = {
	.name = "evened",
	.about = "racks, and trees with many failures",
	.promise = promise,
	.refuses = weft__convergent_refuses,
	.work = work,
	.build = build,
	.orders = true,
};
