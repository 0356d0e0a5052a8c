// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, as eftree has it
 *
 * In one lane eftree and weave differ in how they join what has no common switch
 * above: eftree by one subtree in which all turn (fattree_complete.c), which
 * there always is, weave by a valley for each pair, which is shorter, but on
 * large trees with gaps may not be found: everything goes below one root then.
 * And eftree orders switches within a level, where racks or trees are joined by
 * cables across.  Where one order makes detours eftree is asked, too, and
 * bisections tell which is better; above 1000 endports only where there was no
 * valley.  A build without eftree does without.
 *
 * Bandwidth in one lane, before and after: ranger with 5 % of cables missing
 * .025, .650; dual4608 .022, .599; 12 racks of two switches below two trees of
 * four spines .428, .441.
 */
#include "engines/weave.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static bool is_asked(const struct weft__weave *w)
{
	return !w->is_root && weft__weave_may_have_levels(w->f) &&
	       (weft__weave_is_large(w->f) ? w->close.one_root : w->detours);
}

/* Routes by eftree, with as much effort. */
static int route(const struct weft__weave *w, const struct weft_engine *eftree,
		 struct weft_routes *routes)
{
	struct weft_options *options;
	char effort[24];
	int err = weft_options_new(&options, eftree->options);

	if (err)
		return err;
	snprintf(effort, sizeof(effort), "%" PRIu64, w->effort / 1000000);
	err = weft_options_set(options, "effort", effort, NULL, 0, NULL);
	if (!err)
		err = eftree->route(w->f, options, routes, NULL);
	weft_options_free(options);
	return err;
}

int weft__weave_tree(struct weft__weave *w, struct weft__trees *trees,
		     bool *better)
{
	const struct weft_engine *eftree = weft_engine_find("eftree");
	struct weft_routes routes = { 0 };
	int err;

	*better = false;
	if (!eftree || !is_asked(w))
		return 0;
	err = route(w, eftree, &routes);
	if (!err && !weft__trees_list(w->f, w->arena, w->order, trees))
		err = -ENOMEM;
	if (!err) {
		weft__weave_read(w->f, &routes.lft, trees);
		err = weft__weave_compare(w, &w->ordered.trees, trees, better);
	}
	weft_routes_free(&routes);
	return err;
}
