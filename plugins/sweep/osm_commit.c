// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Commit: hop counts and tables into OpenSM's switches.
 *
 * OpenSM keeps hops[lid] of a switch as a row of its own for each LID, a byte
 * for each port, [0] the least of them.  It allocates a row when the first
 * count is set, frees rows one by one, and before each routing fills those that
 * are there with NO_PATH (osm_switch_prepare_path_rebuild).  So rows are made
 * with malloc() here as well, for the switches' base LIDs only: nothing else is
 * asked for.  On 1,620 switches of 36 ports that is 240 MB and most of the time
 * that committing takes, so it is done only for opensm-lid-matrix.dump, or
 * where OpenSM is to build the multicast trees.
 */
#include "plugins/osm_shim.h"

#include "graph/distance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes the rows of one switch that are missing. */
static bool make_rows(const struct weft_fabric *f, osm_switch_t *sw)
{
	for (uint32_t d = 0; d < f->nsw; d++) {
		uint16_t lid = f->sw[d].lid;

		if (!lid || lid > sw->max_lid_ho || sw->hops[lid])
			continue;
		sw->hops[lid] = malloc(sw->num_ports);
		if (!sw->hops[lid])
			return false;
		memset(sw->hops[lid], OSM_NO_PATH, sw->num_ports);
	}
	return true;
}

uint8_t *weft__distances_all(const struct weft_fabric *f)
{
	struct weft_arena *scratch = weft__arena_new();
	uint8_t *distance = malloc((size_t)f->nsw * f->nsw + 1);
	struct weft__distances d;

	if (!scratch || !distance || weft__distances_init(&d, f, scratch)) {
		free(distance);
		distance = NULL;
	}
	for (uint32_t first = 0; first < f->nsw && distance; first += 64) {
		uint8_t *row = distance + (size_t)first * f->nsw;

		weft__distances_clear(&d);
		for (uint32_t s = first; s < first + 64 && s < f->nsw; s++)
			weft__distances_ask(&d, s);
		weft__distances_find(&d);
		for (size_t i = 0; i < (size_t)d.n * f->nsw; i++)
			row[i] = d.cables[i] == WEFT_NONE ? OSM_NO_PATH :
				 d.cables[i] < OSM_NO_PATH ? d.cables[i] :
				 OSM_NO_PATH - 1;
	}
	weft__arena_free(scratch);
	return distance;
}

/* A port of a switch and the distances of the switch behind it. */
struct way {
	const uint8_t *distance;	/* [nsw] */
	uint8_t port;
};

static uint8_t further(uint8_t distance)
{
	return distance < OSM_NO_PATH - 1 ? distance + 1 : distance;
}

static void fill_rows(const struct weft_fabric *f, uint32_t s,
		      const uint8_t *distance, osm_switch_t *sw)
{
	const uint8_t *own = distance + (size_t)s * f->nsw;
	struct way way[WEFT_MAX_PORTS + 1];
	unsigned n = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++, n++) {
		way[n].distance = distance +
			(size_t)f->peer[f->adj[i]] * f->nsw;
		way[n].port = f->adj[i] - f->first_channel[s];
	}
	for (uint32_t d = 0; d < f->nsw; d++) {
		uint16_t lid = f->sw[d].lid;
		uint8_t *row;

		if (!lid || lid > sw->max_lid_ho)
			continue;
		row = sw->hops[lid];
		row[0] = own[d];
		for (unsigned w = 0; w < n; w++)
			row[way[w].port] = further(way[w].distance[d]);
	}
}

int weft__commit_hops(const struct weft__snapshot *snapshot,
		      const uint8_t *distance, struct weft_diag *diag)
{
	const struct weft_fabric *f = snapshot->fabric;
	bool made = true;

	for (uint32_t s = 0; s < f->nsw && made; s++)
		made = make_rows(f, snapshot->sw[s]);
	for (uint32_t s = 0; s < f->nsw && made; s++)
		fill_rows(f, s, distance, snapshot->sw[s]);
	return made ? 0 : weft_fail(diag, ENOMEM, "out of memory");
}

int weft__commit_check(const struct weft__snapshot *snapshot,
		       const struct weft_lft *lft, struct weft_diag *diag)
{
	const struct weft_fabric *f = snapshot->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		const osm_switch_t *sw = snapshot->sw[s];

		if (!sw->new_lft || lft->max_lid > sw->max_lid_ho)
			return weft_fail(diag, ERANGE,
					 "the table of switch 0x%016" PRIx64
					 " (%s) ends at LID %u, LIDs go up to %u",
					 f->sw[s].guid, f->sw[s].name,
					 sw->new_lft ? sw->max_lid_ho : 0,
					 lft->max_lid);
	}
	return 0;
}

void weft__commit_tables(const struct weft__snapshot *snapshot,
			 const struct weft_lft *lft)
{
	for (uint32_t s = 0; s < snapshot->fabric->nsw; s++)
		memcpy(snapshot->sw[s]->new_lft, weft_lft_row(lft, s),
		       lft->max_lid + 1);
}
