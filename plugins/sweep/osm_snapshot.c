// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Snapshot: OpenSM's subnet as a fabric.  Which of its cables are left out is
 * decided in osm_cables.c.
 *
 * OpenSM calls the engine in the middle of a sweep.  At that time drop_mgr has
 * removed what is gone, LIDs are assigned, and ports that are new are still in
 * state INIT.
 */
#include "plugins/osm_shim.h"

#include "core/fabric/lid_room.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_down(const osm_physp_t *port)
{
	return ib_port_info_get_port_state(&port->port_info) <= IB_LINK_DOWN;
}

static void describe_node(struct weft_builder *b, uint32_t handle,
			  const osm_node_t *node)
{
	const ib_node_info_t *info = &node->node_info;
	struct weft_node_spec *spec = weft_builder_spec(b, handle);

	spec->system_guid = cl_ntoh64(info->sys_guid);
	spec->vendor = cl_ntoh32(ib_node_info_get_vendor_id(info));
	spec->device = cl_ntoh16(info->device_id);
	if (node->print_desc)
		weft_builder_name(b, handle, node->print_desc,
				  strlen(node->print_desc));
}

static void describe_port(struct weft_builder *b, uint32_t handle,
			  const osm_physp_t *port, unsigned number)
{
	struct weft_port_spec *spec = weft_builder_port(b, handle, number);

	spec->guid = cl_ntoh64(osm_physp_get_port_guid(port));
	spec->lid = cl_ntoh16(osm_physp_get_base_lid(port));
	spec->lmc = ib_port_info_get_lmc(&port->port_info);
}

/* Port 0 of a switch: only an enhanced one has an LMC. */
static void describe_port0(struct weft_builder *b, uint32_t handle,
			   const osm_switch_t *sw)
{
	const osm_physp_t *port = osm_node_get_physp_ptr(sw->p_node, 0);
	struct weft_node_spec *spec = weft_builder_spec(b, handle);

	spec->enhanced = ib_switch_info_is_enhanced_port0(&sw->switch_info);
	if (!port)
		return;
	describe_port(b, handle, port, 0);
	if (!spec->enhanced)
		weft_builder_port(b, handle, 0)->lmc = 0;
}

static uint64_t guid_of(const osm_node_t *node)
{
	return cl_ntoh64(osm_node_get_node_guid(node));
}

static int add_switches(struct weft_builder *b, osm_subn_t *subnet)
{
	cl_qmap_t *table = &subnet->sw_guid_tbl;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		osm_switch_t *sw = (osm_switch_t *)i;
		uint32_t handle = weft_builder_node(b, WEFT_NODE_SWITCH,
						    guid_of(sw->p_node),
						    sw->num_ports - 1);

		if (handle == WEFT_NONE)
			return -ENOMEM;
		describe_node(b, handle, sw->p_node);
		describe_port0(b, handle, sw);
	}
	return 0;
}

static int add_adapters(struct weft_builder *b, osm_subn_t *subnet)
{
	cl_qmap_t *table = &subnet->node_guid_tbl;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		osm_node_t *node = (osm_node_t *)i;
		unsigned nports = osm_node_get_num_physp(node) - 1;
		bool router = osm_node_get_type(node) == IB_NODE_TYPE_ROUTER;
		uint32_t handle;

		if (osm_node_get_type(node) == IB_NODE_TYPE_SWITCH)
			continue;
		handle = weft_builder_node(b, router ? WEFT_NODE_ROUTER :
						       WEFT_NODE_CA,
					   guid_of(node), nports);
		if (handle == WEFT_NONE)
			return -ENOMEM;
		describe_node(b, handle, node);
		for (unsigned p = 1; p <= nports; p++) {
			osm_physp_t *port = osm_node_get_physp_ptr(node, p);

			if (port)
				describe_port(b, handle, port, p);
		}
	}
	return 0;
}

/* Adds the cables of a switch; returns how many ports have a link that is
 * down. */
static unsigned add_cables_of(struct weft_builder *b, const osm_switch_t *sw)
{
	uint32_t here = weft_builder_find(b, guid_of(sw->p_node));
	unsigned down = 0;

	for (unsigned p = 1; p < sw->num_ports; p++) {
		osm_physp_t *port = osm_node_get_physp_ptr(sw->p_node, p);
		osm_physp_t *far = port ? port->p_remote_physp : NULL;
		uint32_t there;

		if (!far)
			continue;
		if (is_down(port) || is_down(far)) {
			down++;
			continue;
		}
		there = weft_builder_find(b, guid_of(far->p_node));
		if (there != WEFT_NONE)
			weft_builder_link(
				b, here, p, there, far->port_num,
				weft__rate_of(port));
	}
	return down;
}

static void add_cables(struct weft_builder *b, osm_subn_t *subnet,
		       struct weft_diag *diag)
{
	cl_qmap_t *table = &subnet->sw_guid_tbl;
	unsigned down = 0;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i))
		down += add_cables_of(b, (osm_switch_t *)i);
	if (down)
		weft_diag_say(diag, WEFT_NOTE,
			      "%u ports with a link that is not up are not used",
			      down);
}

/* Finds OpenSM's switch for each id. */
static int map_switches(osm_subn_t *subnet, struct weft__snapshot *snapshot)
{
	const struct weft_fabric *f = snapshot->fabric;
	cl_qmap_t *table = &subnet->sw_guid_tbl;

	snapshot->sw = calloc(f->nsw + 1, sizeof(*snapshot->sw));
	if (!snapshot->sw)
		return -ENOMEM;
	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		osm_switch_t *sw = (osm_switch_t *)i;

		snapshot->sw[weft_fabric_switch_by_guid(
			f, guid_of(sw->p_node))] = sw;
	}
	return 0;
}

/* OpenSM reports every port that it has no LID left for, and not how many there
 * would be room for. */
static void tell_lids(const osm_subn_t *subnet, const struct weft_fabric *f,
		      struct weft_diag *diag)
{
	unsigned lmc = subnet->opt.lmc;
	uint32_t without = 0, ranges = f->nep;
	char room[WEFT__LID_ROOM_SIZE];

	for (uint32_t e = 0; e < f->nep; e++)
		without += !f->ep[e].lid;
	for (uint32_t s = 0; s < f->nsw; s++)
		ranges += f->sw[s].lmc > 0;
	if (without && weft__lid_room(f->nsw, lmc) < ranges)
		weft_diag_say(diag, WEFT_WARNING, "%" PRIu32 " of %" PRIu32
			      " ports have no LID: %s (lmc in opensm.conf)",
			      without, f->nep,
			      weft__lid_room_text(f->nsw, ranges, lmc, room));
}

int weft__snapshot_take(osm_subn_t *subnet, struct weft__flaps *flaps,
			struct weft__snapshot *out, struct weft_diag *diag)
{
	struct weft_builder *b = weft_builder_new();
	struct weft__snapshot snapshot = { 0 };
	int err;

	if (!b || add_switches(b, subnet) || add_adapters(b, subnet)) {
		weft_builder_free(b);
		return weft_fail(diag, ENOMEM, "out of memory");
	}
	add_cables(b, subnet, diag);
	err = weft_builder_finish(b, &snapshot.fabric, diag);
	weft_builder_free(b);
	if (err)
		return err;
	if (map_switches(subnet, &snapshot) ||
	    weft__leave_out_cables(subnet, flaps, &snapshot, diag)) {
		weft__snapshot_free(&snapshot);
		return weft_fail(diag, ENOMEM, "out of memory");
	}
	weft__tell_slow(subnet, &snapshot, diag);
	tell_lids(subnet, snapshot.fabric, diag);
	*out = snapshot;
	return 0;
}

void weft__snapshot_free(struct weft__snapshot *snapshot)
{
	weft_fabric_free(snapshot->fabric);
	free(snapshot->sw);
	*snapshot = (struct weft__snapshot){ 0 };
}
