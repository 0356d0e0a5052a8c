// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The floor of bench-osm: an engine that computes nothing.  OpenSM sends empty
 * tables to all switches; the time that takes is what no engine can save.
 */
#include "plugins/osm_shim.h"

static int nothing(void *context)
{
	(void)context;
	return 0;
}

static int set_up(struct osm_routing_engine *re, osm_opensm_t *osm)
{
	(void)osm;
	re->build_lid_matrices = nothing;
	re->ucast_build_fwd_tables = nothing;
	return 0;
}

static void *create(struct osm_opensm *osm)
{
	external_routing_engine_module_t module = {
		.name = "empty",
		.setup = set_up,
	};

	osm_register_external_routing_engine(osm, &module, NULL);
	return osm;
}

static void delete(void *plugin)
{
	(void)plugin;
}

extern osm_event_plugin_t osm_event_plugin;
osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create,
	.delete = delete,
};
