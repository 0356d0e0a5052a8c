// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fat trees of which little is missing
 *
 * Chains that share roots by counters lose their step where a cable is missing:
 * all destinations behind it take other roots than they would, and streams that
 * never came near that cable meet.  Numbers of hosts stay what they are, so that
 * only routes that need the cable change (engines/pgft/follow.c).  In a whole tree
 * whose hosts divide by the ways up both come to the same.  In others subtrees begin
 * anew where hosts fill the ways up from all levels; but groups run on, as their
 * numbers keep the ports of machines apart.
 */
#include "engines/fattree/nearly.h"

#include "core/arena.h"
#include "engines/pgft/follow.h"
#include "worth/model/ranks.h"

#include <errno.h>

/* True if hosts fill the ways up from all levels. */
static bool fill_ways(const struct weft_fabric *f,
		      const struct weft__pgft_form *form)
{
	bool fill = true;

	for (unsigned l = 1; l < form->h; l++)
		fill &= weft__hosts_fill_ways(form, f->nhosts, l);
	return fill;
}

int weft__fattree_nearly(struct weft__fattree_run *run)
{
	const struct weft_fabric *f = run->fabric;
	uint32_t *rank;
	struct weft__pgft_form form;
	struct weft__follow_spec spec = {
		.fabric = f, .form = &form, .arena = run->arena,
	};
	double missing;
	int err;

	if (weft_options_given(run->options, "roots"))
		return -ENOTSUP;
	err = weft__pgft_detect_torn(f, run->arena, &form, &missing, NULL);
	if (!err && !(missing > 0))
		return -ENOTSUP;
	if (err)
		return err == -ENOTSUP ? err : weft_no_memory(run->diag);
	rank = weft__arena_alloc(run->arena, f->nep + 1ull, sizeof(*rank));
	if (!rank || weft__ranks_by_group(f, rank))
		return weft_no_memory(run->diag);
	spec.how.rank = rank;
	spec.how.aligned = run->trees.ngroups < 2 && fill_ways(f, &form);
	spec.how.separate = true;
	err = weft__pgft_follow(&spec, &run->tree.ways, &run->trees,
				&run->balance);
	return err ? weft_no_memory(run->diag) : 0;
}
