// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Nodes, ports and cables: libibnetdisc finds them, the builder joins them. */
#include "capture/inside.h"

#include "core/fabric/port_info.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINK_UP 5 /* PortPhysicalState */

ibnd_port_t *weft__port_of(const ibnd_node_t *n, unsigned port)
{
	return n->ports && (int)port <= n->numports ? n->ports[port] : NULL;
}

bool weft__is_cabled(const ibnd_node_t *n, unsigned port)
{
	const ibnd_port_t *p = weft__port_of(n, port);

	return p && p->remoteport;
}

unsigned weft__lid_of(const ibnd_node_t *n, unsigned port)
{
	const ibnd_port_t *p;

	if (weft__is_switch_node(n))
		return n->smalid;
	p = weft__port_of(n, port);
	return p ? p->base_lid : 0;
}

struct weft_rate weft__rate_of(const ibnd_port_t *port)
{
	const ibnd_port_t *first = weft__is_switch_node(port->node) ?
		weft__port_of(port->node, 0) : NULL;

	return weft__port_rate(port->info, (first ? first : port)->info);
}

static int by_guid(const void *a, const void *b)
{
	const ibnd_node_t *x = *(ibnd_node_t *const *)a;
	const ibnd_node_t *y = *(ibnd_node_t *const *)b;

	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

static int list_nodes(struct weft__capture *c)
{
	for (ibnd_node_t *n = c->seen->nodes; n; n = n->next)
		c->nnodes++;
	c->node = malloc((c->nnodes + 1ull) * sizeof(*c->node));
	c->silent = calloc(c->nnodes + 1ull, sizeof(*c->silent));
	c->second = calloc(c->nnodes + 1ull, sizeof(*c->second));
	if (!c->node || !c->silent || !c->second)
		return -ENOMEM;
	c->nnodes = 0;
	for (ibnd_node_t *n = c->seen->nodes; n; n = n->next)
		c->node[c->nnodes++] = n;
	qsort(c->node, c->nnodes, sizeof(*c->node), by_guid);
	return 0;
}

static enum weft_node_type type_of(const ibnd_node_t *n)
{
	return weft__is_switch_node(n)	 ? WEFT_NODE_SWITCH :
	       n->type == IB_NODE_ROUTER ? WEFT_NODE_ROUTER :
					   WEFT_NODE_CA;
}

/* Numbers of ports beyond what a fabric knows are those of no cable. */
static unsigned ports_of(const ibnd_node_t *n)
{
	return n->numports > WEFT_MAX_PORTS ? WEFT_MAX_PORTS :
	       n->numports < 1		    ? 1 :
					      (unsigned)n->numports;
}

static void describe_ports(struct weft_builder *b, uint32_t handle,
			   const ibnd_node_t *n)
{
	for (unsigned p = 0; p <= ports_of(n); p++) {
		const ibnd_port_t *seen = weft__port_of(n, p);
		struct weft_port_spec *port = weft_builder_port(b, handle, p);

		if (!seen || !port || (p && weft__is_switch_node(n)))
			continue;
		port->guid = seen->guid;
		port->lid = weft__lid_of(n, p);
		port->lmc = p ? seen->lmc : n->smalmc;
	}
}

static int describe_node(struct weft_builder *b, ibnd_node_t *n)
{
	uint32_t handle =
		weft_builder_node(b, type_of(n), n->guid, ports_of(n));
	struct weft_node_spec *spec;

	if (handle == WEFT_NONE)
		return -ENOMEM;
	spec = weft_builder_spec(b, handle);
	spec->system_guid = mad_get_field64(n->info, 0, IB_NODE_SYSTEM_GUID_F);
	spec->vendor = mad_get_field(n->info, 0, IB_NODE_VENDORID_F);
	spec->device = mad_get_field(n->info, 0, IB_NODE_DEVID_F);
	spec->enhanced = weft__is_switch_node(n) && n->smaenhsp0;
	weft_builder_name(b, handle, n->nodedesc,
			  strnlen(n->nodedesc, IB_SMP_DATA_SIZE));
	describe_ports(b, handle, n);
	return 0;
}

/* Handles are the places in c->node. */
static void describe_cables(struct weft__capture *c, struct weft_builder *b)
{
	for (uint32_t i = 0; i < c->nnodes; i++)
		for (unsigned p = 1; p <= ports_of(c->node[i]); p++) {
			const ibnd_port_t *port = weft__port_of(c->node[i], p);
			const ibnd_port_t *far = port ? port->remoteport : NULL;

			if (far && far->portnum)
				weft_builder_link(
					b, i, p,
					weft_builder_find(b, far->node->guid),
					(unsigned)far->portnum,
					weft__rate_of(port));
		}
}

static int build(struct weft__capture *c)
{
	struct weft_builder *b = weft_builder_new();
	int err = b ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < c->nnodes && !err; i++)
		err = describe_node(b, c->node[i]);
	if (err) {
		weft_diag_say(c->diag, WEFT_ERROR, "out of memory");
	} else {
		describe_cables(c, b);
		err = weft_builder_finish(b, &c->fabric, c->diag);
	}
	weft_builder_free(b);
	return err;
}

int weft__discover(struct weft__capture *c)
{
	struct weft__mads_port local = weft__mads_port(c->mads);
	struct ibnd_config config = {
		.max_smps = c->spec.mads.outstanding,
		.timeout_ms = c->spec.mads.timeout_ms,
		.retries = c->spec.mads.retries,
	};
	char ca[64];
	int err;

	snprintf(ca, sizeof(ca), "%s", local.ca);
	c->seen = ibnd_discover_fabric(ca, local.port, NULL, &config);
	if (!c->seen)
		return weft_fail(c->diag, EIO,
				 "nothing was discovered from %s port %d: is its link up (ibstat)?",
				 local.ca, local.port);
	err = list_nodes(c);
	if (err)
		return weft_no_memory(c->diag);
	return build(c);
}

uint32_t weft__capture_hidden(const struct weft__capture *c, char *text,
			      size_t size)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < c->nnodes; i++)
		for (unsigned p = 1; p <= ports_of(c->node[i]); p++) {
			ibnd_port_t *port = weft__port_of(c->node[i], p);

			if (!port || port->remoteport ||
			    mad_get_field(port->info, 0,
					  IB_PORT_PHYS_STATE_F) != LINK_UP)
				continue;
			if (!count++)
				snprintf(text, size,
					 "node 0x%016" PRIx64 ", port %u",
					 c->node[i]->guid, p);
		}
	return count;
}
