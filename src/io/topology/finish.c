// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From what a topology reader has said to a fabric; see topology.h. */
#include "io/topology/topology.h"

#include <errno.h>

/* Device of the reduction units of vendor 0x2c9, whatever their names. */
#define MELLANOX 0x2c9
#define AGGREGATION_NODE 0xcf09

static void mark_aggregation_nodes(struct weft__topology *t)
{
	for (uint32_t i = 0; i < weft_builder_count(t->builder); i++) {
		struct weft_node_spec *s = weft_builder_spec(t->builder, i);

		if (s->vendor == MELLANOX && s->device == AGGREGATION_NODE &&
		    s->type == WEFT_NODE_CA)
			s->aggregation = 1;
	}
}

static int check_switches(struct weft__topology *t)
{
	for (uint32_t i = 0; i < weft_builder_count(t->builder); i++)
		if (weft_builder_spec(t->builder, i)->type == WEFT_NODE_SWITCH)
			return 0;
	return weft__topology_bad(t, 0,
		"no switch is described: is the file cut?");
}

int weft__topology_finish(struct weft__topology *t, struct weft_fabric **out)
{
	int err = check_switches(t);

	if (!err)
		err = weft__topology_join(t);
	if (!err)
		err = weft__topology_check_lids(t);
	mark_aggregation_nodes(t);
	weft__notices_say(t->notice, WEFT__DEFECTS, t->file, t->diag);
	return err ? err : weft_builder_finish(t->builder, out, t->diag);
}
