// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Improves tables after the sweep that mended them; see osm_later.h. */
#include "plugins/standing/osm_later.h"

static void drop(struct weft__later *later)
{
	if (later->there)
		weft_routes_free(&later->next);
	later->there = false;
	weft__let_go(later->from);
	later->from = NULL;
	if (later->rest)
		later->owed = later->rest->changes;
	weft__rest_free(later->rest);
	later->rest = NULL;
}

void weft__later_stop(struct weft__later *later)
{
	atomic_store(&later->stop, true);
}

bool weft__later_take(struct weft__later *later, const struct weft__held *now,
		      const struct weft_fabric *fabric, struct weft_routes *out,
		      struct weft_standing_move *moved)
{
	bool there = later->there && later->from == now &&
		     weft__held_is_of(now, fabric);

	if (there) {
		*out = later->next;
		*moved = later->moved;
		later->there = false;
	}
	drop(later);
	if (there)
		later->owed = 0;
	return there;
}

uint64_t weft__later_owed(const struct weft__later *later)
{
	return later->rest ? later->rest->changes : later->owed;
}

void weft__later_forget(struct weft__later *later)
{
	drop(later);
	later->owed = later->left = 0;
}

void weft__later_begin(struct weft__later *later, struct weft__held *held)
{
	/* the rest has what was owed in it, if there is one */
	later->owed = later->left;
	later->left = 0;
	if (later->rest)
		later->from = weft__hold(held);
	atomic_store(&later->stop, false);
}

void weft__later_find(struct weft__later *later)
{
	struct weft_routes view;

	if (!later->rest)
		return;
	weft__side_of(later->from, &view);
	later->there = !weft__rest_do(later->rest, &view, &later->stop,
				      &later->next, &later->moved);
	/* half of it is not what a standby would find */
	if (!later->there || atomic_load(&later->stop)) {
		drop(later);
		return;
	}
	if (later->moved.entries)
		weft__ask_for_sweep(later->osm);
}

void weft__ask_for_sweep(osm_opensm_t *osm)
{
	if (osm->subn.sm_state != IB_SMINFO_STATE_MASTER)
		return;
	osm->subn.force_heavy_sweep = TRUE;
	osm_sm_sweep(&osm->sm);
}
