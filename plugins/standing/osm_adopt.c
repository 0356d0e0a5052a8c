// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Has the tables that switches hold stand; see osm_adopt.h. */
#include "plugins/standing/osm_adopt.h"

#include "graph/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_owned(const struct weft_fabric *f, unsigned lid)
{
	return weft_lid_owner(f, lid) != WEFT_NONE;
}

/* An entry by which a packet gets anywhere. */
static bool is_alive(const struct weft_fabric *f, uint32_t s, uint8_t port)
{
	return port <= f->sw[s].nports &&
	       (!port || f->peer[weft_channel(f, s, port)] != WEFT_NONE);
}

/* Takes what OpenSM read as far as it leads anywhere, and counts entries. */
static int take_tables(const struct weft__snapshot *snapshot,
		       struct weft_lft *lft, uint64_t *held)
{
	const struct weft_fabric *f = snapshot->fabric;
	int err = weft_lft_init(lft, f->nsw, f->max_lid);

	*held = 0;
	for (uint32_t s = 0; s < f->nsw && !err; s++) {
		const osm_switch_t *sw = snapshot->sw[s];
		uint8_t *row = weft_lft_row(lft, s);

		for (unsigned lid = 1;
		     lid <= f->max_lid && lid < sw->lft_size; lid++) {
			if (!is_alive(f, s, sw->lft[lid]))
				continue;
			row[lid] = sw->lft[lid];
			*held += is_owned(f, lid);
		}
	}
	return err;
}

/* The last step to a port is no matter of choice: an entry of its own switch
 * that leads elsewhere is of a time when another one had the LID. */
static void deliver(const struct weft_fabric *f, struct weft_lft *lft)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);

		if (owner != WEFT_NONE)
			weft_lft_row(lft, weft_vertex_switch(f, owner))[lid] =
				weft__delivery_port(f, owner);
	}
}

/* Whether a row has nothing that another one has not.  Where it has no entry
 * that is not said. */
static bool agrees(const struct weft_fabric *f, const uint8_t *row,
		   const struct weft_lft *lft, uint32_t was)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		if (is_owned(f, lid) && row[lid] != WEFT_NO_PORT &&
		    row[lid] != weft_lft_get(lft, was, lid))
			return false;
	return true;
}

/* Whether the switches hold what stands already. */
static bool is_known(const struct weft__held *now, const struct weft_fabric *f,
		     const struct weft_lft *lft)
{
	for (uint32_t s = 0; now && s < f->nsw; s++) {
		uint32_t was = weft_fabric_switch_by_guid(now->fabric,
							  f->sw[s].guid);

		if (was != WEFT_NONE && !agrees(f, weft_lft_row(lft, s),
						&now->routes.lft, was))
			return false;
	}
	return now;
}

/* Takes the lanes of what stands, as nobody else knows any. */
static int take_lanes(const struct weft__held *now, const struct weft_fabric *f,
		      struct weft_layers *layers)
{
	struct weft_routes carried = { 0 };
	int err = 0;

	weft_layers_init(layers);
	if (!now || now->routes.layers.nvl < 2)
		return 0;
	err = weft_routes_carry(&(struct weft_diff_side){ now->fabric,
							  &now->routes },
				f, &carried);
	if (err)
		return err;
	*layers = carried.layers;
	weft_layers_init(&carried.layers);
	weft_routes_free(&carried);
	return 0;
}

/* Entries that the tables of a fabric have. */
static uint64_t entries_of(const struct weft_fabric *f)
{
	uint64_t n = 0;

	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		n += is_owned(f, lid);
	return n * f->nsw;
}

static bool has_lmc(const struct weft_fabric *f)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].lmc)
			return true;
	return false;
}

/* Tables of which most has to be made anew are better made by the engine. */
static bool too_few(const struct weft_fabric *f, uint64_t n,
		    struct weft__stay *out)
{
	uint64_t all = entries_of(f);

	if (n >= all - n && n)
		return false;
	if (n)
		snprintf(out->why, sizeof(out->why), "of %" PRIu64
			 " entries the switches hold %" PRIu64 " that are of use", all,
			 n);
	return true;
}

static bool stand(const struct weft__stood *from,
		  const struct weft__settling *s, struct weft__verdict *verdict,
		  struct weft__layered *layered, struct weft__stay *out)
{
	struct weft__layered granted = *layered;

	if (!weft__stand(from, NULL, NULL, s, verdict, layered, out))
		return false;
	if (!too_few(s->snapshot->fabric, out->what.kept, out))
		return true;
	*layered = granted;
	out->stayed = false;
	weft_routes_free(s->routes);
	return false;
}

bool weft__adopt(const struct weft__stood *stood,
		 const struct weft__asked *asked,
		 const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *layered, struct weft__stay *out)
{
	const struct weft_fabric *f = s->snapshot->fabric;
	struct weft__held held = {
		.fabric = s->snapshot->fabric,
		.routes = { .how = "as the switches had them" },
	};
	const struct weft__stood from = { .now = &held, .adopted = true };
	bool stands = false;
	uint64_t n;

	*out = (struct weft__stay){ .stayed = false };
	if (!asked->switches)
		return false;
	if (s->conf->by_lmc && has_lmc(f)) {
		snprintf(out->why, sizeof(out->why),
			 "which of a port's LIDs hosts send to is in no switch");
		return false;
	}
	if (!take_tables(s->snapshot, &held.routes.lft, &n) &&
	    !is_known(stood->now, f, &held.routes.lft) &&
	    !too_few(f, n, out) &&
	    !take_lanes(stood->now, f, &held.routes.layers)) {
		deliver(f, &held.routes.lft);
		stands = stand(&from, s, verdict, layered, out);
		out->adopted = *asked;
		out->adopted.entries = n;
	}
	weft_routes_free(&held.routes);
	return stands;
}

void weft__adopt_report(const struct weft__stay *stay, osm_log_t *log,
			const char *engine)
{
	const struct weft__asked *a = &stay->adopted;

	if (a->switches)
		osm_log(log, OSM_LOG_INFO, "%s: tables of %" PRIu32
			" switches %s: %" PRIu64 " entries, read in %.3f s, %" PRIu32
			" switches silent\n", engine, a->switches,
			stay->stayed ? "taken over" : "not taken over",
			a->entries, a->seconds, a->silent);
}
