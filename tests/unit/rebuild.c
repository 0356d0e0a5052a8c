// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The same fabric, discovered in another order. */
#include "rebuild.h"

#include <stdlib.h>
#include <string.h>

/* Node i of switches, then CAs and routers. */
static void add_node(struct weft_builder *b, const struct weft_fabric *f,
		     uint32_t i)
{
	uint32_t h;

	if (i < f->nsw) {
		const struct weft_switch *sw = &f->sw[i];
		struct weft_port_spec *p0;

		h = weft_builder_node(b, WEFT_NODE_SWITCH, sw->guid,
				      sw->nports);
		weft_builder_name(b, h, sw->name, strlen(sw->name));
		p0 = weft_builder_port(b, h, 0);
		p0->guid = sw->port_guid;
		p0->lid = sw->lid;
		p0->lmc = sw->lmc;
	} else {
		const struct weft_node *n = &f->node[i - f->nsw];

		h = weft_builder_node(b, n->kind == WEFT_ROUTER ?
				      WEFT_NODE_ROUTER : WEFT_NODE_CA, n->guid,
				      n->nports);
		weft_builder_name(b, h, n->name, strlen(n->name));
		weft_builder_spec(b, h)->aggregation =
			n->kind == WEFT_AGGREGATION;
	}
}

static uint32_t handle_of(struct weft_builder *b, const struct weft_fabric *f,
			  uint32_t vertex)
{
	if (weft_is_switch(vertex))
		return weft_builder_find(b, f->sw[vertex].guid);
	return weft_builder_find(b,
		f->node[f->ep[vertex & ~WEFT_ENDPORT].node].guid);
}

static int add_cable(struct weft_builder *b, const struct weft_fabric *f,
		     uint32_t ch)
{
	uint32_t s = weft_channel_switch(f, ch), peer = f->peer[ch];

	if (peer == WEFT_NONE || f->reverse[ch] < ch)
		return 0;
	if (weft_is_endport(peer)) {
		const struct weft_endport *ep = &f->ep[peer & ~WEFT_ENDPORT];
		struct weft_port_spec *p = weft_builder_port(b,
				handle_of(b, f, peer), ep->port);

		p->guid = ep->guid;
		p->lid = ep->lid;
		p->lmc = ep->lmc;
	}
	return weft_builder_link(
		b, handle_of(b, f, s), ch - f->first_channel[s],
		handle_of(b, f, peer), f->peer_port[ch],
		(struct weft_rate){ f->width[ch], f->speed[ch] });
}

struct weft_fabric *rebuild_shuffled(const struct weft_fabric *f,
				     struct weft_rng *rng)
{
	uint32_t n = f->nsw + f->nnodes;
	uint32_t m = n > f->first_injection ? n : f->first_injection;
	uint32_t *perm = malloc((m + 1) * sizeof(*perm));
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *g = NULL;
	int err = 0;

	for (uint32_t i = 0; i < m; i++)
		perm[i] = i;
	weft_rng_shuffle(rng, perm, n);
	for (uint32_t i = 0; i < n; i++)
		add_node(b, f, perm[i]);
	for (uint32_t i = 0; i < m; i++)
		perm[i] = i;
	weft_rng_shuffle(rng, perm, f->first_injection);
	for (uint32_t i = 0; i < f->first_injection && !err; i++)
		err = add_cable(b, f, perm[i]);
	if (!err && weft_builder_finish(b, &g, NULL))
		g = NULL;
	weft_builder_free(b);
	free(perm);
	return g;
}
