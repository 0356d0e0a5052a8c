// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * From net to fabric: GUIDs, LIDs, names.
 *
 * GUIDs and LIDs are given to everything before the failed parts are left out,
 * so that a degraded fabric is the whole one less what failed.  The GUIDs are
 * locally administered (02), then "WEF", a byte for the kind, and a number.
 */
#include "gen/net.h"

#include <weft/rng.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SWITCH_GUID 0x0257454600000001u
#define HOST_GUID 0x0257454601000000u
#define HOST_GUID_STEP 0x100u	/* the ports' GUIDs follow the node's */

/* The one ordering of things that GUIDs are given in. */
struct ids {
	uint32_t *sw_rank, *host_rank;	/* place in GUID order */
	uint32_t *sw_lid, *port_lid;
	uint32_t *handle;		/* of switches in the builder */
};

static void ids_free(struct ids *ids)
{
	free(ids->sw_rank);
	free(ids->host_rank);
	free(ids->sw_lid);
	free(ids->port_lid);
	free(ids->handle);
}

static uint32_t *ramp(uint32_t n)
{
	uint32_t *a = malloc((n + 1ull) * sizeof(*a));

	for (uint32_t i = 0; a && i < n; i++)
		a[i] = i;
	return a;
}

/* Host ports in the order in which they get LIDs, as indices. */
static bool lid_order(const struct weft__net *net, const struct ids *ids,
		      bool by_guid, uint32_t *order)
{
	uint32_t *first = malloc((net->nhosts + 1ull) * sizeof(*first));
	uint32_t *by_rank = ramp(net->nhosts);
	uint32_t n = 0;

	for (uint32_t i = net->nports; first && i-- > 0;)
		first[net->port[i].host] = i;
	for (uint32_t h = 0; by_guid && by_rank && h < net->nhosts; h++)
		by_rank[ids->host_rank[h]] = h;
	for (uint32_t r = 0; first && by_rank && r < net->nhosts; r++)
		for (uint32_t i = first[by_rank[r]]; i < net->nports &&
		     net->port[i].host == by_rank[r]; i++)
			order[n++] = i;
	n = first && by_rank;
	free(first);
	free(by_rank);
	return n;
}

/* Switches first, then host ports, each aligned to its LMC. */
static bool give_lids(const struct weft__net *net,
		      const struct weft__gen_spec *spec, struct ids *ids)
{
	bool by_guid = weft__gen_get(spec, WEFT__GEN_LIDS) ==
		       WEFT__GEN_BY_GUID;
	uint32_t step = 1u << weft__gen_get(spec, WEFT__GEN_LMC);
	uint32_t lid = (net->nsw + step) / step * step;
	uint32_t *order = ramp(net->nports);

	if (!order || !lid_order(net, ids, by_guid, order)) {
		free(order);
		return false;
	}
	for (uint32_t i = 0; i < net->nsw; i++)
		ids->sw_lid[i] = 1 + (by_guid ? ids->sw_rank[i] : i);
	for (uint32_t i = 0; i < net->nports; i++, lid += step)
		ids->port_lid[order[i]] = lid;
	free(order);
	return true;
}

static bool give_ids(const struct weft__net *net,
		     const struct weft__gen_spec *spec, struct ids *ids)
{
	bool shuffle = weft__gen_get(spec, WEFT__GEN_GUIDS) ==
		       WEFT__GEN_SHUFFLE;
	struct weft_rng *rng = weft__net_rng(spec, WEFT__NET_GUIDS);

	*ids = (struct ids){ ramp(net->nsw), ramp(net->nhosts),
			     ramp(net->nsw), ramp(net->nports),
			     ramp(net->nsw) };
	if (!rng || !ids->sw_rank || !ids->host_rank || !ids->sw_lid ||
	    !ids->port_lid || !ids->handle) {
		weft_rng_free(rng);
		return false;
	}
	if (shuffle) {
		weft_rng_shuffle(rng, ids->sw_rank, net->nsw);
		weft_rng_shuffle(rng, ids->host_rank, net->nhosts);
	}
	weft_rng_free(rng);
	return give_lids(net, spec, ids);
}

static void set_name(struct weft_builder *b, uint32_t node,
		     const struct weft__gen_spec *spec, const char *name,
		     const char *same)
{
	uint32_t how = weft__gen_get(spec, WEFT__GEN_NAMES);

	if (how == WEFT__GEN_SAME)
		name = same;
	if (how != WEFT__GEN_NONE)
		weft_builder_name(b, node, name, strlen(name));
}

static uint8_t link_width(const struct weft__gen_spec *spec)
{
	static const uint8_t lanes[] = { 1, 2, 4, 8, 12 };

	return lanes[weft__gen_get(spec, WEFT__GEN_WIDTH)];
}

static uint8_t link_speed(const struct weft__gen_spec *spec)
{
	return WEFT_SDR + weft__gen_get(spec, WEFT__GEN_SPEED);
}

static bool add_switches(struct weft_builder *b, const struct weft__net *net,
			 const struct weft__gen_spec *spec, struct ids *ids)
{
	for (uint32_t i = 0; i < net->nsw; i++) {
		const struct weft__net_switch *sw = &net->sw[i];
		uint64_t guid = SWITCH_GUID + ids->sw_rank[i];
		uint32_t node;

		if (sw->dead)
			continue;
		node = weft_builder_node(b, WEFT_NODE_SWITCH, guid,
					 sw->nports);
		if (node == WEFT_NONE)
			return false;
		weft_builder_spec(b, node)->system_guid = guid;
		weft_builder_spec(b, node)->role = sw->role;
		weft_builder_port(b, node, 0)->lid = ids->sw_lid[i];
		set_name(b, node, spec, sw->name, "switch");
		ids->handle[i] = node;
	}
	return true;
}

static void add_cables(struct weft_builder *b, const struct weft__net *net,
		       const struct weft__gen_spec *spec,
		       const struct ids *ids)
{
	for (uint32_t i = 0; i < net->ncables; i++) {
		const struct weft__net_cable *c = &net->cable[i];

		if (!c->dead && !net->sw[c->a].dead && !net->sw[c->b].dead)
			weft_builder_link(
				b, ids->handle[c->a], c->port_a,
				ids->handle[c->b], c->port_b,
				(struct weft_rate){ link_width(spec),
						    link_speed(spec) });
	}
}

static bool port_lives(const struct weft__net *net,
		       const struct weft__net_port *p)
{
	return !p->dead && !net->sw[p->sw].dead;
}

/* The first adapter of a host's machine. */
static uint32_t first_adapter(const struct weft__net *net, uint32_t host)
{
	return net->adapters ? host / net->adapters * net->adapters : host;
}

/* As people name hosts, and their adapters where these are by themselves. */
static void name_host(struct weft_builder *b, uint32_t node,
		      const struct weft__net *net,
		      const struct weft__gen_spec *spec, uint32_t host)
{
	bool hca = weft__gen_get(spec, WEFT__GEN_NAMES) == WEFT__GEN_HCA;
	uint32_t adapter = host - first_adapter(net, host);
	char name[48];
	int n;

	if (net->adapters)
		n = snprintf(name, sizeof(name), "gpu%03" PRIu32,
			     host / net->adapters + 1);
	else
		n = snprintf(name, sizeof(name), "host-%04" PRIu32, host);
	if (hca)
		snprintf(name + n, sizeof(name) - n, " HCA-%" PRIu32,
			 adapter + 1);
	else if (net->adapters)
		snprintf(name + n, sizeof(name) - n, " mlx5_%" PRIu32, adapter);
	set_name(b, node, spec, name, "host");
}

static uint64_t host_guid(const struct ids *ids, uint32_t host)
{
	return HOST_GUID + (uint64_t)HOST_GUID_STEP * ids->host_rank[host];
}

/* One host: its ports are net->port[from .. to-1].  Those on dead switches
 * stay without cable; a host that has no other is left out. */
static bool add_host(struct weft_builder *b, const struct weft__net *net,
		     const struct weft__gen_spec *spec, const struct ids *ids,
		     const uint32_t range[2])
{
	uint32_t host = net->port[range[0]].host, live = 0, node;
	uint64_t guid = host_guid(ids, host);
	bool one = weft__gen_get(spec, WEFT__GEN_ONE_PORT) == WEFT__GEN_YES;

	for (uint32_t i = range[0]; i < range[1]; i++)
		live += port_lives(net, &net->port[i]);
	if (!live)
		return true;
	node = weft_builder_node(b, WEFT_NODE_CA, guid, range[1] - range[0]);
	if (node == WEFT_NONE)
		return false;
	weft_builder_spec(b, node)->system_guid =
		host_guid(ids, first_adapter(net, host));
	name_host(b, node, net, spec, host);
	for (uint32_t i = range[0]; i < range[1]; i++) {
		const struct weft__net_port *p = &net->port[i];
		struct weft_port_spec *port =
			weft_builder_port(b, node, p->number);

		port->guid = guid + (one ? 1 : p->number);
		if (!port_lives(net, p))
			continue;
		port->lid = ids->port_lid[one ? range[0] : i];
		port->lmc = weft__gen_get(spec, WEFT__GEN_LMC);
		weft_builder_link(b, node, p->number, ids->handle[p->sw],
				  p->sw_port,
				  (struct weft_rate){ link_width(spec),
						      link_speed(spec) });
	}
	return true;
}

static bool add_hosts(struct weft_builder *b, const struct weft__net *net,
		      const struct weft__gen_spec *spec,
		      const struct ids *ids)
{
	uint32_t range[2] = { 0, 0 };

	for (; range[0] < net->nports; range[0] = range[1]) {
		while (range[1] < net->nports && net->port[range[1]].host ==
		       net->port[range[0]].host)
			range[1]++;
		if (!add_host(b, net, spec, ids, range))
			return false;
	}
	return true;
}

int weft__net_finish(const struct weft__net *net,
		     const struct weft__gen_spec *spec,
		     struct weft_fabric **out, struct weft_diag *diag)
{
	struct weft_builder *b = weft_builder_new();
	struct ids ids = { NULL, NULL, NULL, NULL, NULL };
	int err;

	if (!b || !give_ids(net, spec, &ids) ||
	    !add_switches(b, net, spec, &ids)) {
		err = weft_no_memory(diag);
		goto free_all;
	}
	add_cables(b, net, spec, &ids);
	err = add_hosts(b, net, spec, &ids) ?
	      weft_builder_finish(b, out, diag) :
	      weft_no_memory(diag);
free_all:
	ids_free(&ids);
	weft_builder_free(b);
	return err;
}
