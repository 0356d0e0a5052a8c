// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: destination, a lane for each destination
 *
 * All traffic to a LID goes to one lane, the first that stays acyclic with the
 * dependencies of the whole tree.  The SL table is the smallest possible, one
 * SL for a LID, and does not grow with the square of the fabric.  In return
 * there are more lanes than with pairs, and the two directions of a pair have
 * SLs of their own, so that this method is for one_way only.
 *
 * Deadlock: every lane is acyclic after each step.
 *
 * Complexity: O(lanes x trees x switches) insertions into the CDG.
 *
 * Memory: the CDG.
 */
#include "layers/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned first_lane(struct weft__job *job, struct weft__order *o,
			   uint32_t tree, unsigned limit)
{
	for (unsigned lane = 0; lane < limit; lane++) {
		weft__order_mark(o);
		if (weft__tree_add(&job->traffic, tree, o, lane))
			return lane;
		weft__order_undo(o);
	}
	return WEFT__UNPLACED;
}

static void place_trees(struct weft__job *job, struct weft__order *o,
			unsigned limit, struct weft__lanes_found *found)
{
	const struct weft__traffic *t = &job->traffic;

	for (uint32_t i = 0; i < t->first[t->nsw]; i++) {
		uint32_t k = t->live[i];
		unsigned lane = first_lane(job, o, k, limit);

		found->lane[k] = lane;
		if (lane == WEFT__UNPLACED)
			found->unplaced++;
		else if (lane >= found->nlanes)
			found->nlanes = lane + 1;
		if (weft__gives_up(job, o->work, found->unplaced))
			return;
	}
}

int weft__by_destination(struct weft__job *job, unsigned limit,
			 struct weft__lanes_found *out)
{
	struct weft__lanes_found found = { .by_tree = true, .nlanes = 1 };
	struct weft__order o = { 0 };
	int err = weft__order_init(&o, job->fabric, limit);

	found.lane = malloc(job->traffic.ntrees + 1ull);
	if (!err && found.lane) {
		memset(found.lane, WEFT__UNPLACED, job->traffic.ntrees);
		place_trees(job, &o, limit, &found);
		weft__count_unplaced(&found, job->traffic.ntrees);
		job->work += o.work;
		*out = found;
	} else {
		err = -ENOMEM;
		free(found.lane);
	}
	weft__order_free(&o);
	return err;
}
