// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A plugin: compiled once for each engine, -DENGINE='"psssp"', and once for all
 * of them, -DENGINE=NULL. */
#include "plugins/osm_shim.h"

static void *create(struct osm_opensm *osm)
{
	return weft__shim_create(osm, ENGINE);
}

extern osm_event_plugin_t osm_event_plugin;

/* OpenSM looks for this symbol. */
osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create,
	.delete = weft__shim_delete,
	.report = weft__shim_report,
};
