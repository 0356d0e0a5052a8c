// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the parts of a fabric; see components.h. */
#include "core/fabric/components.h"

#include <weft/diag.h>
#include <weft/planes.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers all switches that root can reach. */
static void flood(const struct weft_fabric *f, const bool *avoid,
		  uint32_t root, uint32_t *part, uint32_t *queue)
{
	uint32_t head = 0, tail = 0, number = part[root];

	queue[tail++] = root;
	while (head < tail) {
		uint32_t s = queue[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (part[t] != WEFT_NONE || (avoid && avoid[t]))
				continue;
			part[t] = number;
			queue[tail++] = t;
		}
	}
}

uint32_t weft__components(const struct weft_fabric *f, uint32_t *part,
			  uint32_t *queue)
{
	return weft__components_around(f, NULL, part, queue);
}

uint32_t weft__components_around(const struct weft_fabric *f,
				 const bool *avoid, uint32_t *part,
				 uint32_t *queue)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		part[s] = WEFT_NONE;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (part[s] != WEFT_NONE || (avoid && avoid[s]))
			continue;
		part[s] = n++;
		flood(f, avoid, s, part, queue);
	}
	return n;
}

uint32_t weft__copy_switch(struct weft_builder *b,
			   const struct weft_switch *sw)
{
	uint32_t h = weft_builder_node(b, WEFT_NODE_SWITCH, sw->guid,
				       sw->nports);
	struct weft_node_spec *spec;
	struct weft_port_spec *port;

	if (h == WEFT_NONE)
		return h;	/* the builder remembers the failure */
	weft_builder_name(b, h, sw->name, strlen(sw->name));
	spec = weft_builder_spec(b, h);
	spec->system_guid = sw->system_guid;
	spec->vendor = sw->vendor;
	spec->device = sw->device;
	spec->enhanced = sw->enhanced;
	spec->role = sw->role;
	spec->more_ports = sw->more_ports;
	port = weft_builder_port(b, h, 0);
	port->guid = sw->port_guid;
	port->lid = sw->lid;
	port->lmc = sw->lmc;
	return h;
}

/* Returns the node of an endport, made when the first of its ports is met. */
static uint32_t node_handle(struct weft_builder *b, const struct weft_node *n)
{
	uint32_t h = weft_builder_find(b, n->guid);
	struct weft_node_spec *spec;

	if (h != WEFT_NONE)
		return h;
	h = weft_builder_node(b, n->kind == WEFT_ROUTER ? WEFT_NODE_ROUTER :
			      WEFT_NODE_CA, n->guid, n->nports);
	if (h == WEFT_NONE)
		return h;
	weft_builder_name(b, h, n->name, strlen(n->name));
	spec = weft_builder_spec(b, h);
	spec->system_guid = n->system_guid;
	spec->vendor = n->vendor;
	spec->device = n->device;
	spec->told = n->told;
	spec->numa = n->numa;
	spec->aggregation = n->kind == WEFT_AGGREGATION;
	return h;
}

uint32_t weft__copy_endport(struct weft_builder *b,
			    const struct weft_fabric *f,
			    const struct weft_endport *ep)
{
	uint32_t h = node_handle(b, &f->node[ep->node]);
	const struct weft_endport *first =
		&f->ep[weft_plane_first(f, ep - f->ep)];
	struct weft_port_spec *port;

	if (h == WEFT_NONE)
		return h;
	port = weft_builder_port(b, h, ep->port);
	port->guid = ep->guid;
	port->lid = first->lid;		/* for where that one is left out */
	port->lmc = first->lmc;
	port->weight = ep->weight;
	port->use = ep->use;
	return h;
}

void weft__forget_lids(struct weft_builder *b)
{
	for (uint32_t h = 0; h < weft_builder_count(b); h++) {
		const struct weft_node_spec *spec = weft_builder_spec(b, h);
		unsigned n = spec->nports,
			 first = spec->type != WEFT_NODE_SWITCH;

		for (unsigned p = first; p <= n; p++)
			weft_builder_port(b, h, p)->lid = 0;
	}
}

/* What is copied of a fabric; NULL: all. */
struct selection {
	const uint32_t *part;	/* [nsw] numbers of parts, which of them */
	uint32_t which;
	const bool *gone;	/* [nch] channels whose cable is left out */
	const bool *dead;	/* [nsw] switches that are */
};

static bool is_selected(const struct selection *some, uint32_t sw)
{
	return (!some->part || some->part[sw] == some->which) &&
	       (!some->dead || !some->dead[sw]);
}

/* Adds the cables of a switch whose lower end it is. */
static void add_cables(struct weft_builder *b, const struct weft_fabric *f,
		       uint32_t s, const bool *gone)
{
	uint32_t from = weft_builder_find(b, f->sw[s].guid);

	for (unsigned p = 1; p <= f->sw[s].nports; p++) {
		uint32_t ch = weft_channel(f, s, p), peer = f->peer[ch], to;

		if (peer == WEFT_NONE || f->reverse[ch] < ch ||
		    (gone && gone[ch]))
			continue;
		to = weft_is_switch(peer) ?
			weft_builder_find(b, f->sw[peer].guid) :
			weft__copy_endport(b, f, &f->ep[peer & ~WEFT_ENDPORT]);
		if (from != WEFT_NONE && to != WEFT_NONE)
			weft_builder_link(b, from, p, to, f->peer_port[ch],
					  (struct weft_rate){ f->width[ch],
							      f->speed[ch] });
		if (f->vls && from != WEFT_NONE)
			weft_builder_port(b, from, p)->vls = f->vls[ch];
	}
}

static int copy_selected(const struct weft_fabric *f,
			 const struct selection *some, struct weft_fabric **out)
{
	struct weft_builder *b = weft_builder_new();
	int err;

	if (!b)
		return -ENOMEM;
	weft_builder_uses(b, f->use_name, f->nuses);
	weft_builder_machines(b, f->machines_by);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (is_selected(some, s))
			weft__copy_switch(b, &f->sw[s]);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (is_selected(some, s))
			add_cables(b, f, s, some->gone);
	err = weft_builder_finish(b, out, NULL);
	weft_builder_free(b);
	return err;
}

struct weft_fabric *weft__component(const struct weft_fabric *f,
				    const uint32_t *part, uint32_t which)
{
	const struct selection some = { .part = part, .which = which };
	struct weft_fabric *out = NULL;

	return copy_selected(f, &some, &out) ? NULL : out;
}

int weft__fabric_less(const struct weft_fabric *f, const bool *dead,
		      const bool *gone, struct weft_fabric **out)
{
	const struct selection some = { .dead = dead, .gone = gone };

	return copy_selected(f, &some, out);
}

int weft_fabric_without(const struct weft_fabric *f, const uint32_t *channel,
			uint32_t n, struct weft_fabric **out,
			struct weft_diag *diag)
{
	bool *gone = calloc(f->nch + 1ull, sizeof(*gone));
	const struct selection some = { .gone = gone };
	int err = -ENOMEM;

	for (uint32_t i = 0; gone && i < n; i++)
		gone[channel[i]] = gone[f->reverse[channel[i]]] = true;
	if (gone)
		err = copy_selected(f, &some, out);
	free(gone);
	return err == -ENOMEM ? weft_no_memory(diag) : err;
}
