// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cuts a fabric into subnets at switches that become routers. */
#include "core/fabric/components.h"

#include <weft/subnets.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cut {
	const struct weft_fabric *f;
	const bool *is_router;
	uint32_t *part; /* [nsw] WEFT_NONE for routers */
	uint64_t *guid; /* [nsw] of routers */
	uint32_t n;
	struct weft_diag *diag;
};

/* Routers have cables to switches of subnets only. */
static int check_routers(const struct cut *c)
{
	const struct weft_fabric *f = c->f;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!c->is_router[s])
			continue;
		if (f->sw_ep_first[s] < f->sw_ep_first[s + 1])
			return weft_fail(c->diag, EINVAL,
					 "%s (0x%016" PRIx64
					 ") has hosts: it cannot be a router",
					 f->sw[s].name, f->sw[s].guid);
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
			if (c->is_router[f->peer[f->adj[i]]])
				return weft_fail(
					c->diag, EINVAL,
					"%s and %s are cabled to each other: a subnet has to be between routers",
					f->sw[s].name,
					f->sw[f->peer[f->adj[i]]].name);
	}
	return 0;
}

/* Numbers the parts between routers, by the lowest switch of each. */
static void number_parts(struct cut *c, uint32_t *queue)
{
	const struct weft_fabric *f = c->f;

	memset(c->part, 0xff, f->nsw * sizeof(*c->part));
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t head = 0, tail = 0;

		if (c->is_router[root] || c->part[root] != WEFT_NONE)
			continue;
		c->part[root] = c->n;
		queue[tail++] = root;
		while (head < tail) {
			uint32_t s = queue[head++];

			for (uint32_t i = f->adj_first[s];
			     i < f->adj_first[s + 1]; i++) {
				uint32_t peer = f->peer[f->adj[i]];

				if (c->is_router[peer] ||
				    c->part[peer] != WEFT_NONE)
					continue;
				c->part[peer] = c->n;
				queue[tail++] = peer;
			}
		}
		c->n++;
	}
}

/* Gives GUIDs to routers, above all that there are: those of a router's ports
 * are its own and the number of the port. */
static void give_guids(const struct cut *c)
{
	const struct weft_fabric *f = c->f;
	uint64_t most = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		most = f->sw[s].guid > most ? f->sw[s].guid : most;
	for (uint32_t i = 0; i < f->nnodes; i++)
		most = f->node[i].guid > most ? f->node[i].guid : most;
	for (uint32_t e = 0; e < f->nep; e++)
		most = f->ep[e].guid > most ? f->ep[e].guid : most;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!c->is_router[s])
			continue;
		most = (most | 0xff) + 1;
		c->guid[s] = most;
	}
}

/* Returns the router node that a switch becomes, with that port of its. */
static uint32_t router_handle(const struct cut *c, struct weft_builder *b,
			      uint32_t s, unsigned port)
{
	const struct weft_switch *sw = &c->f->sw[s];
	uint32_t h = weft_builder_find(b, c->guid[s]);

	if (h == WEFT_NONE) {
		h = weft_builder_node(b, WEFT_NODE_ROUTER, c->guid[s],
				      sw->nports);
		if (h == WEFT_NONE)
			return h;
		weft_builder_name(b, h, sw->name, strlen(sw->name));
	}
	weft_builder_port(b, h, port)->guid = c->guid[s] + port;
	return h;
}

static void add_cables(const struct cut *c, struct weft_builder *b, uint32_t s)
{
	const struct weft_fabric *f = c->f;
	uint32_t from = weft_builder_find(b, f->sw[s].guid);

	for (unsigned p = 1; p <= f->sw[s].nports; p++) {
		uint32_t ch = weft_channel(f, s, p), peer = f->peer[ch], to;
		unsigned at = f->peer_port[ch];

		if (peer == WEFT_NONE)
			continue;
		if (weft_is_endport(peer))
			to = weft__copy_endport(b, f,
						&f->ep[peer & ~WEFT_ENDPORT]);
		else if (c->is_router[peer])
			to = router_handle(c, b, peer, at);
		else if (f->reverse[ch] < ch)
			continue;
		else
			to = weft_builder_find(b, f->sw[peer].guid);
		if (from != WEFT_NONE && to != WEFT_NONE)
			weft_builder_link(b, from, p, to, at,
					  (struct weft_rate){ f->width[ch],
							      f->speed[ch] });
	}
}

/* Makes one part a fabric. */
static int make_part(const struct cut *c, uint32_t part,
		     struct weft_fabric **out)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *plain = NULL;
	int err;

	if (!b)
		return weft_no_memory(c->diag);
	weft_builder_uses(b, c->f->use_name, c->f->nuses);
	weft_builder_machines(b, c->f->machines_by);
	for (uint32_t s = 0; s < c->f->nsw; s++)
		if (c->part[s] == part)
			weft__copy_switch(b, &c->f->sw[s]);
	for (uint32_t s = 0; s < c->f->nsw; s++)
		if (c->part[s] == part)
			add_cables(c, b, s);
	weft__forget_lids(b);
	err = weft_builder_finish(b, &plain, c->diag);
	weft_builder_free(b);
	if (!err)
		err = weft_fabric_assign_lids(plain, -1, out, c->diag);
	weft_fabric_free(plain);
	return err;
}

/* Makes all parts subnets. */
static int make_subnets(const struct cut *c, struct weft_subnets **out)
{
	struct weft_subnet *subnet = calloc(c->n + 1ull, sizeof(*subnet));
	char name[32];
	int err = 0;

	if (!subnet)
		return weft_no_memory(c->diag);
	for (uint32_t i = 0; i < c->n && !err; i++) {
		snprintf(name, sizeof(name), "subnet-%u", (unsigned)i + 1);
		subnet[i].name = strdup(name);
		err = subnet[i].name ?
			      make_part(c, i, &subnet[i].fabric) :
			      weft_no_memory(c->diag);
	}
	if (!err)
		return weft_subnets_join(subnet, c->n, out, c->diag);
	weft_subnet_list_free(subnet, c->n);
	return err;
}

int weft_subnets_cut(const struct weft_fabric *f, const bool *is_router,
		     struct weft_subnets **out, struct weft_diag *diag)
{
	struct cut c = { .f = f, .is_router = is_router, .diag = diag };
	uint32_t *queue = malloc((f->nsw + 1ull) * sizeof(*queue));
	int err;

	c.part = malloc((f->nsw + 1ull) * sizeof(*c.part));
	c.guid = calloc(f->nsw + 1ull, sizeof(*c.guid));
	err = queue && c.part && c.guid ?
		      check_routers(&c) :
		      weft_no_memory(diag);
	if (!err) {
		number_parts(&c, queue);
		give_guids(&c);
	}
	if (!err && !c.n)
		err = weft_fail(diag, EINVAL, "all switches are routers");
	if (!err)
		err = make_subnets(&c, out);
	free(queue);
	free(c.part);
	free(c.guid);
	return err;
}
