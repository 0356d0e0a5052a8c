// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes: how many there are.
 *
 * As many as all cables between switches have, but for a few: where a cable has
 * fewer, layers share a lane (osm_sl2vl.c), and the engine is told so by the
 * fabric, which then proves that no credit loop comes of it, or gives the cable
 * no more layers than it has lanes (graph/vls.h).  Cables to adapters and
 * routers do not count: nothing that comes out of such a cable waits for
 * another one, and nothing waits to go into one from a switch that sends on it,
 * so no cycle of waiting buffers has one in it.
 *
 * A cable has the lanes that both ends are capable of and max_op_vls allows, as
 * OpenSM's link manager will set them at the end of the sweep
 * (osm_physp_calc_link_op_vls), but no more than are operational now: until the
 * link manager comes, OpenSM cuts SL2VL entries to those.
 */
#include "plugins/lanes/osm_layers.h"

#include "core/arena.h"
#include "graph/vls.h"

#include <errno.h>
#include <stdio.h>

/* VLCap and OperationalVLs count in powers of two, the last being 15. */
static unsigned data_lanes(unsigned code)
{
	return code >= 5 ? 15 : code ? 1u << (code - 1) : 1;
}

static unsigned end_lanes(const osm_physp_t *port)
{
	unsigned able = ib_port_info_get_vl_cap(&port->port_info);
	unsigned now = ib_port_info_get_op_vls(&port->port_info);

	return data_lanes(now && now < able ? now : able);
}

unsigned weft__port_lanes(const osm_subn_t *subnet, const osm_physp_t *port)
{
	const osm_physp_t *far = port->p_remote_physp;
	unsigned most = data_lanes(subnet->opt.max_op_vls ?
				   subnet->opt.max_op_vls : 5);
	unsigned lanes = end_lanes(port);

	if (far && end_lanes(far) < lanes)
		lanes = end_lanes(far);
	return lanes < most ? lanes : most;
}

/* The fewest and the most lanes of cables between switches. */
struct range {
	unsigned least, most;
};

static struct range find_range(const osm_subn_t *subnet,
			       const struct weft__snapshot *snapshot)
{
	const struct weft_fabric *f = snapshot->fabric;
	struct range r = { WEFT_MAX_LANES, 0 };

	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++) {
		unsigned n = weft__port_lanes(
			subnet, weft__channel_port(snapshot, f->adj[e]));

		r.least = n < r.least ? n : r.least;
		r.most = n > r.most ? n : r.most;
	}
	return r.most ? r : (struct range){ WEFT_MAX_LANES, WEFT_MAX_LANES };
}

/* Tells the fabric how many lanes each cable between switches has. */
static int tell_fabric(const osm_subn_t *subnet,
		       const struct weft__snapshot *snapshot)
{
	struct weft_fabric *f = snapshot->fabric;
	int err = 0;

	for (uint32_t e = 0; e < f->adj_first[f->nsw] && !err; e++)
		err = weft_fabric_limit(
			f, f->adj[e],
			weft__port_lanes(subnet, weft__channel_port(
							 snapshot,
							 f->adj[e])));
	return err;
}

/* Replaces the lanes of cables by those that each level has there; all have
 * enough of which nothing is told. */
static int share_cables(const struct weft__lanes *l, struct weft_fabric *f)
{
	int err = 0;

	for (uint32_t e = 0; f->vls && e < f->adj_first[f->nsw] && !err; e++) {
		uint32_t ch = f->adj[e];
		unsigned room;

		if (f->reverse[ch] < ch)
			continue;
		room = weft__lanes_room(l, f->vls[ch]);
		err = weft_fabric_limit(f, ch, room < l->each ? room : 0);
	}
	return err;
}

/* Finds the cable with the fewest lanes of those that count. */
static void name_narrowest(const struct weft_fabric *f,
			   const struct weft__vls *v, struct weft__lanes *l)
{
	if (!v->nfewer)
		return;
	l->nfewer = v->nfewer;
	l->narrow_lanes = v->least;
	l->narrow_sw = weft_channel_switch(f, v->narrowest);
	l->narrow_port = v->narrowest - f->first_channel[l->narrow_sw];
}

static int find_lanes(osm_subn_t *subnet, const struct weft__snapshot *snapshot,
		      unsigned levels, struct weft_arena *arena,
		      struct weft__lanes *l)
{
	struct range range = find_range(subnet, snapshot);
	struct weft_fabric *f = snapshot->fabric;
	struct weft__vls v;
	int err = range.least < range.most ? tell_fabric(subnet, snapshot) : 0;

	if (err)
		return err;
	if (!arena || !weft__vls_find(&v, f, arena))
		return -ENOMEM;
	*l = (struct weft__lanes){
		.lanes = v.most < range.most ? v.most : range.most,
	};
	name_narrowest(f, &v, l);
	weft__qos_plan(subnet, levels, l);
	return share_cables(l, f);
}

int weft__lanes_find(osm_subn_t *subnet, const struct weft__snapshot *snapshot,
		     const struct weft__conf *conf, struct weft__lanes *out,
		     struct weft_diag *diag)
{
	struct weft_arena *arena;
	int err;

	if (!subnet->opt.qos) {
		*out = (struct weft__lanes){
			.lanes = find_range(subnet, snapshot).least,
			.levels = 1, .each = 1,
			.why = "qos is FALSE, so no SL2VL table can be set",
			.remedy = "set qos TRUE in opensm.conf",
		};
		return 0;
	}
	arena = weft__arena_new();
	err = find_lanes(subnet, snapshot, conf->qos_levels, arena, out);
	weft__arena_free(arena);
	return err ? weft_fail(diag, ENOMEM, "out of memory") : 0;
}

int weft__lanes_grant(osm_subn_t *subnet,
		      const struct weft__snapshot *snapshot,
		      const struct weft__conf *conf, struct weft__lanes *out,
		      struct weft_diag *diag)
{
	char text[16];
	int err;

	if (!conf->lanes)
		return 0;
	err = weft__lanes_find(subnet, snapshot, conf, out, diag);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%u", out->each < conf->lanes ?
		 out->each : conf->lanes);
	return weft_options_set(conf->options, "lanes", text, NULL, 0, diag);
}
