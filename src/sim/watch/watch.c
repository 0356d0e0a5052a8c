// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who is to look on; see watch.h. */
#include "sim/watch/watch.h"

bool weft__watch_init(struct weft__watch *watch, const struct weft__net *net,
		      struct weft_sim_trace *result, struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = net->spec;
	size_t nends = net->nends;

	if (spec->trace_number && !weft__trace_init(watch, net, result, arena))
		return false;
	if (!spec->check && spec->paths == WEFT_SIM_TABLES)
		return true;
	watch->nends = net->nends;
	if (spec->lids != WEFT_SIM_LIDS_ROUTES)
		watch->lmc = weft_fabric_lmc(net->f);
	watch->last_sequence =
		weft__arena_zalloc(arena, nends * nends << watch->lmc,
				   sizeof(*watch->last_sequence));
	return watch->last_sequence;
}
