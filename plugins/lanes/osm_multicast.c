// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Multicast: the spanning tree of a group.
 *
 * OpenSM's own trees need hop counts of every switch to every other one through
 * every port, 48 bytes for each pair of 36-port switches and a pointer for each
 * LID besides.  The same tree follows from the distances between switches, one
 * byte a pair, which are kept from the last routing:
 *
 * - The root is the switch whose farthest member is nearest; of several the one
 *   that comes first in OpenSM's table.
 * - From the root each member's switch is reached over shortest paths, each
 *   switch on the way sending by its lowest port that leads nearer.
 *
 * The ways to two members never meet again after they have parted, so that
 * their union is a tree.  Let them part at s by ports p < q and meet at t: both
 * pieces from s to t are shortest, so p leads nearer to the second member, too,
 * and s would have sent it by p.
 */
#include "plugins/osm_shim.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* A switch with members of the group at hand. */
struct branch {
	uint32_t sw;
	uint32_t first, n;	/* its member ports: port[first ..] */
	bool itself;		/* its port 0 is one of them */
};

struct member {
	uint32_t sw;
	uint8_t port;
};

struct group {
	const struct weft__multicast *m;
	osm_subn_t *subnet;
	uint16_t mlid;
	struct member *member;	/* [nmembers], by switch once sorted */
	uint32_t nmembers;
	struct branch *branch;	/* [nbranches] */
	uint32_t nbranches;
	struct weft_diag *diag;
};

static uint8_t distance(const struct weft__multicast *m, uint32_t a, uint32_t b)
{
	return m->distance[(size_t)a * m->fabric->nsw + b];
}

static uint32_t id_of(const struct weft__multicast *m, const osm_node_t *node)
{
	return weft_fabric_switch_by_guid(
		m->fabric, cl_ntoh64(osm_node_get_node_guid(node)));
}

static osm_switch_t *switch_of(const struct group *g, uint32_t id)
{
	return osm_get_switch_by_guid(g->subnet,
				      cl_hton64(g->m->fabric->sw[id].guid));
}

/* --- members ----------------------------------------------------------- */

static int by_switch_and_port(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->sw != y->sw)
		return x->sw < y->sw ? -1 : 1;
	return (int)x->port - y->port;
}

/* The switch and port where a member hangs; false if that is not known. */
static bool locate(const struct group *g, const osm_port_t *port,
		   struct member *out)
{
	const osm_physp_t *at = port->p_physp;

	if (!port->p_node->sw)
		at = at ? at->p_remote_physp : NULL;
	if (!at || !at->p_node->sw)
		return false;
	out->sw = id_of(g->m, at->p_node);
	out->port = at->port_num;
	return out->sw != WEFT_NONE;
}

static void add_members(struct group *g, const osm_mgrp_t *mgrp)
{
	const cl_qmap_t *table = &mgrp->mcm_port_tbl;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		const osm_mcm_port_t *mcm =
			PARENT_STRUCT(i, osm_mcm_port_t, map_item);

		if (locate(g, mcm->port, &g->member[g->nmembers]))
			g->nmembers++;
		else
			weft_diag_say(g->diag, WEFT_WARNING,
				      "port 0x%016" PRIx64
				      " is a member of multicast group 0x%X but not on any switch that was routed",
				      cl_ntoh64(osm_port_get_guid(mcm->port)),
				      g->mlid);
	}
}

static void sort_members(struct group *g)
{
	uint32_t n = 0;

	qsort(g->member, g->nmembers, sizeof(*g->member), by_switch_and_port);
	/* A port can be in several groups that share the MLID. */
	for (uint32_t i = 0; i < g->nmembers; i++)
		if (!n || by_switch_and_port(&g->member[n - 1], &g->member[i]))
			g->member[n++] = g->member[i];
	g->nmembers = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct member *m = &g->member[i];

		if (!i || m->sw != m[-1].sw)
			g->branch[g->nbranches++] = (struct branch){
				.sw = m->sw, .first = i, .itself = !m->port };
		g->branch[g->nbranches - 1].n++;
	}
}

static int collect_members(struct group *g, const osm_mgrp_box_t *box)
{
	size_t n = 0;

	for (cl_list_item_t *i = cl_qlist_head(&box->mgrp_list);
	     i != cl_qlist_end(&box->mgrp_list); i = cl_qlist_next(i))
		n += cl_qmap_count(&PARENT_STRUCT(i, osm_mgrp_t, list_item)
					    ->mcm_port_tbl);
	g->member = malloc((n + 1) * sizeof(*g->member));
	g->branch = malloc((n + 1) * sizeof(*g->branch));
	if (!g->member || !g->branch)
		return weft_fail(g->diag, ENOMEM, "out of memory");
	for (cl_list_item_t *i = cl_qlist_head(&box->mgrp_list);
	     i != cl_qlist_end(&box->mgrp_list); i = cl_qlist_next(i))
		add_members(g, PARENT_STRUCT(i, osm_mgrp_t, list_item));
	sort_members(g);
	return 0;
}

/* --- tree -------------------------------------------------------------- */

/* Hops from a switch to the farthest member. */
static unsigned farthest(const struct group *g, uint32_t sw)
{
	unsigned most = 0;

	for (uint32_t i = 0; i < g->nbranches; i++) {
		const struct branch *b = &g->branch[i];
		unsigned hops = distance(g->m, sw, b->sw) + !b->itself;

		if (hops > most)
			most = hops;
	}
	return most;
}

/* The switch to build the tree around; WEFT_NONE if none does multicast. */
static uint32_t find_root(const struct group *g)
{
	cl_qmap_t *table = &g->subnet->sw_guid_tbl;
	uint32_t root = WEFT_NONE;
	unsigned least = UINT_MAX;

	for (cl_map_item_t *i = cl_qmap_head(table); i != cl_qmap_end(table);
	     i = cl_qmap_next(i)) {
		const osm_switch_t *sw = (osm_switch_t *)i;
		uint32_t id = id_of(g->m, sw->p_node);
		unsigned hops;

		if (id == WEFT_NONE || !osm_switch_supports_mcast(sw))
			continue;
		hops = farthest(g, id);
		if (hops < least) {
			least = hops;
			root = id;
		}
	}
	return root;
}

/* The lowest port of sw that leads nearer to dest; 0 if there is none. */
static unsigned next_port(const struct weft__multicast *m, uint32_t sw,
			  uint32_t dest)
{
	const struct weft_fabric *f = m->fabric;
	unsigned left = distance(m, sw, dest);

	for (unsigned p = 1; p <= f->sw[sw].nports && left < OSM_NO_PATH; p++) {
		uint32_t peer = f->peer[weft_channel(f, sw, p)];

		if (peer != WEFT_NONE && weft_is_switch(peer) &&
		    distance(m, peer, dest) + 1u == left)
			return p;
	}
	return 0;
}

/* Adds ports of a switch to its multicast table; false if the switch is gone
 * or does not do multicast. */
static bool set_ports(const struct group *g, uint32_t id, unsigned a,
		      unsigned b)
{
	osm_switch_t *sw = switch_of(g, id);

	if (!sw || !osm_switch_supports_mcast(sw))
		return false;
	osm_mcast_tbl_set(&sw->mcast_tbl, g->mlid, a);
	osm_mcast_tbl_set(&sw->mcast_tbl, g->mlid, b);
	return true;
}

/* The way from the root to a switch, then its members. */
static bool grow_branch(const struct group *g, uint32_t root,
			const struct branch *b)
{
	const struct weft_fabric *f = g->m->fabric;
	unsigned in = 0;

	for (uint32_t sw = root; sw != b->sw;) {
		unsigned out = next_port(g->m, sw, b->sw);
		uint32_t ch = weft_channel(f, sw, out);

		if (!out || !set_ports(g, sw, in ? in : out, out))
			return false;
		in = f->peer_port[ch];
		sw = f->peer[ch];
	}
	for (uint32_t i = 0; i < b->n; i++) {
		unsigned port = g->member[b->first + i].port;

		if (!set_ports(g, b->sw, in ? in : port, port))
			return false;
	}
	return true;
}

static int grow_tree(const struct group *g)
{
	uint32_t root = find_root(g);
	int err = 0;

	if (root == WEFT_NONE)
		return weft_fail(g->diag, ENODEV,
				 "no switch does multicast: group 0x%X has no tree",
				 g->mlid);
	for (uint32_t i = 0; i < g->nbranches; i++)
		if (!grow_branch(g, root, &g->branch[i]))
			err = weft_fail(g->diag, EHOSTUNREACH,
					"multicast group 0x%X does not reach its members on switch 0x%016" PRIx64
					" (%s)",
					g->mlid,
					g->m->fabric->sw[g->branch[i].sw].guid,
					g->m->fabric->sw[g->branch[i].sw].name);
	weft_diag_say(g->diag, WEFT_NOTE,
		      "Configured MLID 0x%X for %u ports, root switch 0x%016" PRIx64 " (%s)",
		      g->mlid, g->nmembers, g->m->fabric->sw[root].guid,
		      g->m->fabric->sw[root].name);
	return err;
}

int weft__multicast_tree(const struct weft__multicast *multicast,
			 osm_subn_t *subnet, const osm_mgrp_box_t *box,
			 struct weft_diag *diag)
{
	struct group g = {
		.m = multicast, .subnet = subnet, .mlid = box->mlid,
		.diag = diag,
	};
	int err = collect_members(&g, box);

	if (!err && g.nmembers >= 2)
		err = grow_tree(&g);
	free(g.member);
	free(g.branch);
	return err;
}

void weft__multicast_free(struct weft__multicast *multicast)
{
	free(multicast->distance);
	*multicast = (struct weft__multicast){ 0 };
}
