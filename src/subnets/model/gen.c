// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Made-up fabrics of subnets; weft/subnets.h has the grammar. */
#include "core/fabric/components.h"

#include <weft/gen.h>
#include <weft/number.h>
#include <weft/subnets.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY "subnets:"
#define HOSTS_OF_BRANCH 72
#define GUID_STEP (1ull << 32)		  /* between the GUIDs of subnets */
#define ROUTER_GUID 0x0257444600000000ull /* below those of subnets */
#define ROUTER_STEP 0x100

struct spec {
	uint32_t n, routers, ports;
	const char *of;
};

bool weft_subnets_is_spec(const char *text)
{
	return !strncmp(text, FAMILY, strlen(FAMILY));
}

/* Reads a number of 1 to most that ends at a comma or the end. */
static int read_number(const char **at, const char *what, uint32_t most,
		       uint32_t *out, struct weft_diag *diag)
{
	uint64_t n;

	if (!weft_number_uint_at(at, ",", most, &n) || !n)
		return weft_fail(diag, EINVAL,
				 "'%.60s': %s is a number, 1 to %u", *at, what,
				 most);
	*out = n;
	*at += **at == ',';
	return 0;
}

static int parse(const char *text, struct spec *s, struct weft_diag *diag)
{
	const char *at = text + strlen(FAMILY);
	int err = read_number(&at, "how many subnets", WEFT_MAX_SUBNETS, &s->n,
			      diag);

	s->ports = 1;
	while (!err && *at && !s->of) {
		if (!strncmp(at, "routers=", 8)) {
			at += 8;
			err = read_number(&at, "routers", 4096, &s->routers,
					  diag);
		} else if (!strncmp(at, "ports=", 6)) {
			at += 6;
			err = read_number(&at, "ports", 64, &s->ports, diag);
		} else if (!strncmp(at, "of=", 3)) {
			s->of = at + 3;
		} else {
			return weft_fail(diag, EINVAL,
					 "'%.60s': there are routers=, ports= and, at the end, of=DESCRIPTION",
					 at);
		}
	}
	if (!err && !s->of != !s->routers)
		return weft_fail(diag, EINVAL,
				 "%s: routers= and of=DESCRIPTION belong together",
				 text);
	if (!err && s->n * s->ports > WEFT_MAX_PORTS)
		return weft_fail(diag, EINVAL,
				 "%s: a router would need %u ports, %d is the most",
				 text, s->n * s->ports, WEFT_MAX_PORTS);
	return err;
}

/* The paper's: branches of a tree, cut at its spines. */
static int branches(const struct spec *s, struct weft_subnets **out,
		    struct weft_diag *diag)
{
	struct weft_fabric *f = NULL;
	char name[32];
	bool *is_router;
	int err;

	if (s->n != 2 && s->n != 3 && s->n != 6 && s->n != 9)
		return weft_fail(
			diag, EINVAL,
			"subnets:%u: there are 2, 3, 6 and 9 branches; any number with routers=R,of=DESCRIPTION",
			s->n);
	snprintf(name, sizeof(name), "rack%u", s->n * HOSTS_OF_BRANCH);
	err = weft_gen(name, &f, diag);
	if (err)
		return err;
	is_router = calloc(f->nsw + 1ull, sizeof(*is_router));
	for (uint32_t i = 0; is_router && i < f->nsw; i++)
		is_router[i] = !strncmp(f->sw[i].name, "spine", 5);
	err = is_router ? weft_subnets_cut(f, is_router, out, diag) :
			  weft_no_memory(diag);
	free(is_router);
	weft_fabric_free(f);
	return err;
}

/* --- attached routers ----------------------------------------------------- */

/* Lists the switches that are farthest from those with hosts; returns how many.
 */
static uint32_t find_top(const struct weft_fabric *f, uint32_t *top,
			 uint32_t *far)
{
	uint32_t head = 0, tail = 0, n = 0, most = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		far[s] = WEFT_NONE;
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		far[s] = 0;
		top[tail++] = s;
	}
	while (head < tail) {
		uint32_t s = top[head++];

		most = far[s];
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t peer = f->peer[f->adj[i]];

			if (far[peer] != WEFT_NONE)
				continue;
			far[peer] = far[s] + 1;
			top[tail++] = peer;
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		if (far[s] == most)
			top[n++] = s;
	return n;
}

/* Copies a fabric with GUIDs of its own and room for more ports on switches. */
static void copy_all(const struct weft_fabric *f, uint64_t step, unsigned room,
		     struct weft_builder *b)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		struct weft_switch sw = f->sw[s];

		sw.guid += step;
		sw.port_guid += step;
		sw.system_guid += sw.system_guid ? step : 0;
		sw.nports = sw.nports + room;
		sw.lid = 0;
		weft__copy_switch(b, &sw);
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p), peer = f->peer[ch];
			uint32_t to = peer;

			if (peer == WEFT_NONE || f->reverse[ch] < ch)
				continue;
			if (weft_is_endport(peer)) {
				const struct weft_endport *ep =
					&f->ep[peer & ~WEFT_ENDPORT];
				const struct weft_node *n = &f->node[ep->node];

				to = weft_builder_find(b, n->guid + step);
				if (to == WEFT_NONE)
					to = weft_builder_node(b, WEFT_NODE_CA,
							       n->guid + step,
							       n->nports);
				if (to == WEFT_NONE)
					return;
				weft_builder_name(b, to, n->name,
						  strlen(n->name));
				weft_builder_port(b, to, ep->port)->guid =
					ep->guid + step;
			}
			weft_builder_link(b, s, p, to, f->peer_port[ch],
					  (struct weft_rate){ f->width[ch],
							      f->speed[ch] });
		}
}

/* Cables the routers' ports of subnet i to the switches at its top, in turn. */
static void attach(const struct weft_fabric *f, const struct spec *s,
		   uint32_t i, const uint32_t *top, uint32_t ntop,
		   struct weft_builder *b)
{
	for (uint32_t r = 0; r < s->routers; r++) {
		uint64_t guid = ROUTER_GUID + (uint64_t)ROUTER_STEP * r;
		uint32_t h = weft_builder_node(b, WEFT_NODE_ROUTER, guid,
					       s->n * s->ports);
		char name[32];

		if (h == WEFT_NONE)
			return;
		snprintf(name, sizeof(name), "router-%03u", (unsigned)r);
		weft_builder_name(b, h, name, strlen(name));
		for (uint32_t p = 0; p < s->ports; p++) {
			uint32_t k = r * s->ports + p, sw = top[k % ntop];
			unsigned port = i * s->ports + p + 1;

			weft_builder_port(b, h, port)->guid = guid + port;
			weft_builder_link(
				b, sw, f->sw[sw].nports + 1 + k / ntop, h, port,
				(struct weft_rate){ f->width[f->adj[0]],
						    f->speed[f->adj[0]] });
		}
	}
}

static int make_subnet(const struct weft_fabric *f, const struct spec *s,
		       uint32_t i, struct weft_subnet *out,
		       struct weft_diag *diag)
{
	uint32_t *top = malloc((2 * (size_t)f->nsw + 1) * sizeof(*top));
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *plain = NULL;
	uint32_t ntop, room;
	char name[32];
	int err;

	snprintf(name, sizeof(name), "subnet-%u", (unsigned)i + 1);
	out->name = strdup(name);
	err = top && b && out->name ? 0 :
				      weft_no_memory(diag);
	if (!err) {
		ntop = find_top(f, top, top + f->nsw);
		room = (s->routers * s->ports + ntop - 1) / ntop;
		for (uint32_t k = 0; k < f->nsw && !err; k++)
			if (f->sw[k].nports + room > WEFT_MAX_PORTS)
				err = weft_fail(diag, ERANGE,
						"%u routers with %u ports: the %u switches at the top would need %u ports more each",
						s->routers, s->ports, ntop,
						room);
		if (!err) {
			copy_all(f, i * GUID_STEP, room, b);
			attach(f, s, i, top, ntop, b);
			err = weft_builder_finish(b, &plain, diag);
		}
	}
	if (!err)
		err = weft_fabric_assign_lids(plain, -1, &out->fabric, diag);
	weft_fabric_free(plain);
	weft_builder_free(b);
	free(top);
	return err;
}

static int attached(const struct spec *s, struct weft_subnets **out,
		    struct weft_diag *diag)
{
	struct weft_subnet *subnet = calloc(s->n, sizeof(*subnet));
	struct weft_fabric *f = NULL;
	int err = subnet ? weft_gen(s->of, &f, diag) :
			   weft_no_memory(diag);

	if (!err && !f->adj_first[f->nsw])
		err = weft_fail(diag, EINVAL,
				"%s has one switch only: there is no top for routers",
				s->of);
	for (uint32_t i = 0; i < s->n && !err; i++)
		err = make_subnet(f, s, i, &subnet[i], diag);
	weft_fabric_free(f);
	if (!err)
		return weft_subnets_join(subnet, s->n, out, diag);
	weft_subnet_list_free(subnet, s->n);
	return err;
}

int weft_subnets_gen(const char *description, struct weft_subnets **out,
		     struct weft_diag *diag)
{
	struct spec s = { .of = NULL };
	int err = parse(description, &s, diag);

	if (err)
		return err;
	return s.of ? attached(&s, out, diag) : branches(&s, out, diag);
}
