// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a sweep says in OpenSM's log. */
#include "plugins/osm_engine.h"

/* What became of the tables that stood. */
static void report_standing(const struct shim *shim)
{
	const struct weft__stay *stay = &shim->sweeps.sweep.stay;
	const struct weft_standing *w = &stay->what;

	weft__flaps_report(&shim->flaps, shim->snapshot.fabric, &shim->osm->log,
			   shim->engine->name);
	weft__adopt_report(stay, &shim->osm->log, shim->engine->name);
	if (*stay->why)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: routed anew: %s\n", shim->engine->name, stay->why);
	if (stay->step && w->pairs)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: %" PRIu64
			" pairs of switches have other service levels\n",
			shim->engine->name, w->pairs);
	if (stay->step)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: a step to better tables: %" PRIu64 " entries, %" PRIu64 " are left\n", shim->engine->name, w->moved,
			stay->left);
	if (!stay->stayed || stay->step)
		return;
	if (stay->improved)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: tables stand: %" PRIu64
			" entries moved for balance, as the sweep before had left it\n",
			shim->engine->name, w->moved);
	if (stay->improved)
		return;
	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: tables stand: %" PRIu64 " entries mended, %" PRIu64
		" back home, %" PRIu64 " moved for balance, %" PRIu64
		" for what is new\n", shim->engine->name,
		w->dead + w->given_way, w->returned, w->moved, w->fresh);
	if (stay->later)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: balance is left for another sweep, and may take %" PRIu64 " entries\n", shim->engine->name,
			stay->later);
	if (w->waiting)
		osm_log(&shim->osm->log, OSM_LOG_INFO,
			"%s: %" PRIu64
			" entries wait for the next sweep, so that others are written before them\n",
			shim->engine->name, w->waiting);
}

void weft__shim_tell(const struct shim *shim)
{
	const struct weft_fabric *f = shim->snapshot.fabric;
	const struct weft__sweep *w = &shim->sweeps.sweep;
	const struct weft__times *t = &w->times;
	const struct weft__verdict *v = &w->verdict;
	char proven[100];

	snprintf(proven, sizeof(proven), v->partly ?
		 "%" PRIu64 " LIDs proven anew" :
		 "forwarding index %" PRIu64 ", longest route %u switches",
		 v->partly ? v->lids : v->forwarding_index, v->max_hops);
	osm_log(&shim->osm->log, OSM_LOG_INFO,
		"%s: routed %u hosts, %u switches in %.3f s (snapshot %.3f, route %.3f, verify %.3f, commit %.3f); VLs %u, %s%s%s\n",
		shim->engine->name, f->nhosts, f->nsw,
		t->snapshot + t->route + t->verify + t->commit, t->snapshot,
		t->route, t->verify, t->commit, w->lanes, proven,
		*shim->routes.how ? "; " : "", shim->routes.how);
	report_standing(shim);
	weft__layers_report(&shim->layered, f, &shim->osm->log,
			    shim->engine->name);
}
