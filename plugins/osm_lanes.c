// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes: how many there are.
 *
 * A layer has to be the same lane all the way, so the cable between two
 * switches that has the fewest decides for all.  Cables to adapters and routers
 * do not count: nothing that comes out of such a cable waits for another one,
 * and nothing waits to go into one from a switch that sends on it, so no cycle
 * of waiting buffers has one in it, and there layers may share a lane
 * (osm_sl2vl.c).
 *
 * A cable has the lanes that both ends are capable of and max_op_vls allows, as
 * OpenSM's link manager will set them at the end of the sweep
 * (osm_physp_calc_link_op_vls), but no more than are operational now: until the
 * link manager comes, OpenSM cuts SL2VL entries to those.
 */
#include "osm_layers.h"

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

/* The channel between switches with the fewest lanes. */
struct narrowest {
	unsigned lanes;
	uint32_t sw;
	unsigned port;
};

static struct narrowest find_narrowest(const osm_subn_t *subnet,
				       const struct weft__snapshot *snapshot)
{
	const struct weft_fabric *f = snapshot->fabric;
	struct narrowest n = { .lanes = WEFT_MAX_LANES, .sw = WEFT_NONE };

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			unsigned p = f->adj[i] - f->first_channel[s];
			osm_node_t *node = snapshot->sw[s]->p_node;
			unsigned lanes = weft__port_lanes(
				subnet, osm_node_get_physp_ptr(node, p));

			if (lanes < n.lanes)
				n = (struct narrowest){ lanes, s, p };
		}
	return n;
}

int weft__lanes_find(const osm_subn_t *subnet,
		     const struct weft__snapshot *snapshot,
		     const struct weft__conf *conf, struct weft__lanes *out,
		     struct weft_diag *diag)
{
	const struct weft_fabric *f = snapshot->fabric;
	struct narrowest n = find_narrowest(subnet, snapshot);

	if (!subnet->opt.qos) {
		weft_diag_say(diag, WEFT_WARNING,
			      "qos is FALSE, so no SL2VL table can be set: "
			      "routing for one lane");
		*out = (struct weft__lanes){ 1, 1, 1 };
		return 0;
	}
	if (n.lanes < conf->qos_levels)
		return weft_fail(diag, ENOTSUP,
				 "qos_levels = %u, but port %u of switch "
				 "0x%016" PRIx64 " (%s) has %u data lanes, "
				 "with max_op_vls %u", conf->qos_levels,
				 n.port, f->sw[n.sw].guid, f->sw[n.sw].name,
				 n.lanes, subnet->opt.max_op_vls);
	if (n.sw != WEFT_NONE)
		weft_diag_say(diag, WEFT_NOTE,
			      "%u data lanes, as at port %u of switch "
			      "0x%016" PRIx64 " (%s)", n.lanes, n.port,
			      f->sw[n.sw].guid, f->sw[n.sw].name);
	*out = (struct weft__lanes){
		.lanes = n.lanes,
		.levels = conf->qos_levels,
		.each = n.lanes / conf->qos_levels,
	};
	return 0;
}

int weft__lanes_grant(const osm_subn_t *subnet,
		      const struct weft__snapshot *snapshot,
		      const struct weft__conf *conf, struct weft_diag *diag)
{
	struct weft__lanes found = { 1, 1, 1 };
	char text[16];
	int err = 0;

	if (!conf->lanes)
		return 0;
	if (subnet->opt.qos)
		err = weft__lanes_find(subnet, snapshot, conf, &found, diag);
	if (err)
		return err;
	snprintf(text, sizeof(text), "%u", found.each < conf->lanes ?
		 found.each : conf->lanes);
	return weft_options_set(conf->options, "lanes", text, NULL, 0, diag);
}
