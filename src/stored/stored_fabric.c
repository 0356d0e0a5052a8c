// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fabric in a file: switches, nodes with their endports, cables between
 * switches.  It is read into a builder, which numbers, checks and indexes
 * everything as for any other input.
 */
#include "stored/stored.h"

#include "core/fabric/fabric_build.h"

#include <errno.h>
#include <inttypes.h>

#define LMC_MOST 7
#define WORDS 200	/* of a builder */
/* Bytes of each, at least. */
#define ENTRY 17
#define SWITCH 43
#define NODE 31
#define CABLE 13

/* --- writing ----------------------------------------------------------- */

static void put_switch(struct weft__put *p, const struct weft_switch *sw)
{
	weft__put_number(p, sw->guid, 8);
	weft__put_number(p, sw->port_guid, 8);
	weft__put_number(p, sw->system_guid, 8);
	weft__put_number(p, sw->vendor, 4);
	weft__put_number(p, sw->device, 4);
	weft__put_number(p, sw->lid, 2);
	weft__put_number(p, sw->lmc, 1);
	weft__put_number(p, sw->nports, 1);
	weft__put_number(p, sw->enhanced, 1);
	weft__put_number(p, sw->role, 1);
	weft__put_text(p, sw->name);
}

static void put_rate(struct weft__put *p, const struct weft_fabric *f,
		     uint32_t ch)
{
	weft__put_number(p, f->width[ch], 1);
	weft__put_number(p, f->speed[ch], 1);
	weft__put_number(p, f->vls ? f->vls[ch] : 0, 1);
}

static void put_endport(struct weft__put *p, const struct weft_fabric *f,
			uint32_t e)
{
	const struct weft_endport *ep = &f->ep[e];

	weft__put_number(p, ep->guid, 8);
	weft__put_number(p, ep->lid, 2);
	weft__put_number(p, ep->weight, 2);
	weft__put_number(p, ep->lmc, 1);
	weft__put_number(p, ep->port, 1);
	weft__put_number(p, ep->sw_port, 1);
	weft__put_number(p, ep->sw, 4);
	put_rate(p, f, f->first_injection + e);
}

static void put_node(struct weft__put *p, const struct weft_fabric *f,
		     const struct weft_node *node)
{
	weft__put_number(p, node->guid, 8);
	weft__put_number(p, node->system_guid, 8);
	weft__put_number(p, node->vendor, 4);
	weft__put_number(p, node->device, 4);
	weft__put_number(p, node->kind, 1);
	weft__put_number(p, node->nports, 1);
	weft__put_number(p, node->nendports, 1);
	weft__put_text(p, node->name);
	for (uint32_t i = 0; i < node->nendports; i++)
		put_endport(p, f, f->node_endport[node->first_endport + i]);
}

/* Cables between switches, and from a switch to itself, once each. */
static bool is_cable(const struct weft_fabric *f, uint32_t ch)
{
	return weft_is_switch(f->peer[ch]) && f->reverse[ch] > ch;
}

static void put_cables(struct weft__put *p, const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		n += is_cable(f, ch);
	weft__put_number(p, n, 4);
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (unsigned port = 1; port <= f->sw[s].nports; port++) {
			uint32_t ch = weft_channel(f, s, port);

			if (!is_cable(f, ch))
				continue;
			weft__put_number(p, s, 4);
			weft__put_number(p, port, 1);
			weft__put_number(p, f->peer[ch], 4);
			weft__put_number(p, f->peer_port[ch], 1);
			put_rate(p, f, ch);
		}
	}
}

void weft__put_fabric(struct weft__put *p, const struct weft_fabric *f)
{
	weft__put_number(p, f->prefix, 8);
	weft__put_number(p, f->nrouter_entries, 4);
	for (uint32_t i = 0; i < f->nrouter_entries; i++) {
		weft__put_number(p, f->router_entry[i].router, 8);
		weft__put_number(p, f->router_entry[i].prefix, 8);
		weft__put_number(p, f->router_entry[i].adjacent, 1);
	}
	weft__put_number(p, f->nsw, 4);
	for (uint32_t s = 0; s < f->nsw; s++)
		put_switch(p, &f->sw[s]);
	weft__put_number(p, f->nnodes, 4);
	for (uint32_t n = 0; n < f->nnodes; n++)
		put_node(p, f, &f->node[n]);
	put_cables(p, f);
}

/* --- reading ----------------------------------------------------------- */

static void take_entries(struct weft__take *t, struct weft_builder *b)
{
	uint32_t n = weft__take_count(t, ENTRY, "the number of router entries");

	for (uint32_t i = 0; i < n && !t->err; i++) {
		struct weft_router_entry entry = {
			.router = weft__take_number(t, 8),
			.prefix = weft__take_number(t, 8),
			.adjacent = weft__take_most(t, 1, 1, "a yes or no"),
		};

		weft_builder_router_entry(b, &entry);
	}
}

static unsigned take_ports(struct weft__take *t)
{
	return weft__take_most(t, 1, WEFT_MAX_PORTS, "a number of ports");
}

/* Adds a node and takes its name; WEFT_NONE after an error. */
static uint32_t add_node(struct weft__take *t, struct weft_builder *b,
			 const struct weft_node_spec *spec)
{
	const char *name;
	size_t length = weft__take_text(t, &name);
	uint32_t h;

	if (!t->err && weft_builder_find(b, spec->guid) != WEFT_NONE)
		weft__take_fail(t, EINVAL, "has 0x%016" PRIx64 " twice",
				spec->guid);
	if (t->err)
		return WEFT_NONE;
	h = weft_builder_node(b, spec->type, spec->guid, spec->nports);
	if (h == WEFT_NONE) {
		weft__take_fail(t, ENOMEM, "out of memory");
		return WEFT_NONE;
	}
	*weft_builder_spec(b, h) = *spec;
	weft_builder_name(b, h, name, length);
	return h;
}

static void take_lid(struct weft__take *t, struct weft_port_spec *port)
{
	port->lid = weft__take_most(t, 2, WEFT_MAX_LID, "a LID");
}

static void take_lmc(struct weft__take *t, struct weft_port_spec *port)
{
	port->lmc = weft__take_most(t, 1, LMC_MOST, "an LMC");
}

static void take_switch(struct weft__take *t, struct weft_builder *b)
{
	struct weft_node_spec spec = { .type = WEFT_NODE_SWITCH };
	struct weft_port_spec zero = { .lid = 0 }, *port;
	uint32_t h;

	spec.guid = weft__take_number(t, 8);
	zero.guid = weft__take_number(t, 8);
	spec.system_guid = weft__take_number(t, 8);
	spec.vendor = weft__take_number(t, 4);
	spec.device = weft__take_number(t, 4);
	take_lid(t, &zero);
	take_lmc(t, &zero);
	spec.nports = take_ports(t);
	spec.enhanced = weft__take_most(t, 1, 1, "a yes or no");
	spec.role = weft__take_most(t, 1, WEFT_ROLE_ROOT, "a role");
	h = add_node(t, b, &spec);
	if (h == WEFT_NONE)
		return;
	port = weft_builder_port(b, h, 0);
	port->guid = zero.guid;
	port->lid = zero.lid;
	port->lmc = zero.lmc;
}

/* Takes the rate of a cable between two ports, which have to be free. */
static void take_cable(struct weft__take *t, struct weft_builder *b,
		  const uint32_t node[2], const unsigned port[2])
{
	struct weft_rate rate = { .width = weft__take_number(t, 1) };
	unsigned vls;

	rate.speed = weft__take_most(t, 1, WEFT_XDR, "a speed");
	vls = weft__take_most(t, 1, WEFT_MAX_LANES, "a number of lanes");
	for (unsigned end = 0; end < 2 && !t->err; end++) {
		struct weft_port_spec *p =
			weft_builder_port(b, node[end], port[end]);

		if (!p || !port[end] || p->peer != WEFT_NONE)
			weft__take_fail(t, EINVAL,
					"has a cable to port %u of 0x%016" PRIx64 ", which %s",
					port[end],
					weft_builder_spec(b, node[end])->guid,
					p && port[end] ? "has one already" :
							 "is not there");
		if (!t->err)
			p->vls = vls;
	}
	if (!t->err && weft_builder_link(b, node[0], port[0], node[1], port[1],
					 rate))
		weft__take_fail(t, EINVAL, "has a cable from a port to itself");
}

/* The GUID of an endport, 0 where a builder makes the same up: two of these may
 * be alike. */
static uint64_t told_guid(const struct weft_node_spec *node, uint64_t guid,
			  unsigned port)
{
	return guid == node->guid + (node->nports > 1 ? port : 0) ? 0 : guid;
}

static void take_endport(struct weft__take *t, struct weft_builder *b,
			 uint32_t node, uint32_t nsw)
{
	struct weft_port_spec spec = { .guid = weft__take_number(t, 8) }, *p;
	uint32_t end[2] = { node, 0 };
	unsigned port[2];

	take_lid(t, &spec);
	spec.weight = weft__take_most(t, 2, WEFT_MAX_WEIGHT, "a weight");
	take_lmc(t, &spec);
	port[0] = take_ports(t);
	port[1] = take_ports(t);
	end[1] = weft__take_most(t, 4, nsw ? nsw - 1 : 0, "a switch");
	if (!nsw)
		weft__take_fail(t, EINVAL, "has hosts, but no switches");
	if (!t->err)
		take_cable(t, b, end, port);
	if (t->err)
		return;
	p = weft_builder_port(b, node, port[0]);
	p->guid = told_guid(weft_builder_spec(b, node), spec.guid, port[0]);
	p->lid = spec.lid;
	p->lmc = spec.lmc;
	p->weight = spec.weight;
}

static void take_node(struct weft__take *t, struct weft_builder *b,
		      uint32_t nsw)
{
	struct weft_node_spec spec = { .guid = weft__take_number(t, 8) };
	unsigned kind, n;
	uint32_t h;

	spec.system_guid = weft__take_number(t, 8);
	spec.vendor = weft__take_number(t, 4);
	spec.device = weft__take_number(t, 4);
	kind = weft__take_most(t, 1, WEFT_ROUTER, "a kind of node");
	spec.type = kind == WEFT_ROUTER ? WEFT_NODE_ROUTER : WEFT_NODE_CA;
	spec.aggregation = kind == WEFT_AGGREGATION;
	spec.nports = take_ports(t);
	n = take_ports(t);
	h = add_node(t, b, &spec);
	for (unsigned i = 0; i < n && !t->err; i++)
		take_endport(t, b, h, nsw);
}

static void take_cables(struct weft__take *t, struct weft_builder *b,
			uint32_t nsw)
{
	uint32_t n = weft__take_count(t, CABLE, "the number of cables");

	for (uint32_t i = 0; i < n && !t->err; i++) {
		uint32_t node[2];
		unsigned port[2];

		for (unsigned end = 0; end < 2; end++) {
			node[end] = weft__take_most(t, 4, nsw ? nsw - 1 : 0,
						    "a switch");
			port[end] = take_ports(t);
		}
		if (!nsw)
			weft__take_fail(t, EINVAL,
					"has cables, but no switches");
		if (!t->err)
			take_cable(t, b, node, port);
	}
}

static void take_parts(struct weft__take *t, struct weft_builder *b)
{
	uint32_t nsw, nnodes;

	weft_builder_prefix(b, weft__take_number(t, 8));
	take_entries(t, b);
	nsw = weft__take_count(t, SWITCH, "the number of switches");
	for (uint32_t s = 0; s < nsw && !t->err; s++)
		take_switch(t, b);
	nnodes = weft__take_count(t, NODE, "the number of nodes");
	for (uint32_t n = 0; n < nnodes && !t->err; n++)
		take_node(t, b, nsw);
	take_cables(t, b, nsw);
}

/* What a builder works around must not be in a file of ours either. */
static void hear(void *context, const struct weft_message *message)
{
	snprintf(context, WORDS, "%s", message->text);
}

static struct weft_fabric *finish(struct weft__take *t, struct weft_builder *b)
{
	char words[WORDS] = "";
	struct weft_diag diag = { .emit = hear, .context = words };
	struct weft_fabric *f = NULL;
	int err = weft_builder_finish(b, &f, &diag);

	if (err == -ENOMEM)
		weft__take_fail(t, ENOMEM, "out of memory");
	else if (err || *words)
		weft__take_fail(t, EINVAL, "has no fabric: %s", words);
	if (!t->err)
		return f;
	weft_fabric_free(f);
	return NULL;
}

int weft__take_fabric(struct weft__take *t, struct weft_fabric **out)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;

	if (b)
		take_parts(t, b);
	else
		weft__take_fail(t, ENOMEM, "out of memory");
	if (!t->err)
		f = finish(t, b);
	weft_builder_free(b);
	if (!t->err)
		*out = f;
	return t->err;
}
