// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Joins subnets by the routers that they have in common. */
#include "subnets/model/unite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void weft_subnet_list_free(struct weft_subnet *subnet, uint32_t n)
{
	for (uint32_t i = 0; subnet && i < n; i++) {
		weft_routes_free(&subnet[i].routes);
		weft_fabric_free(subnet[i].fabric);
		free(subnet[i].name);
		free(subnet[i].host_of);
		free(subnet[i].port_of);
	}
	free(subnet);
}

void weft_subnets_free(struct weft_subnets *s)
{
	if (!s)
		return;
	weft_subnet_list_free(s->subnet, s->n);
	free(s->router);
	free(s->port);
	free(s->host);
	free(s->first_host);
	free(s->hops);
	free(s);
}

/* --- prefixes and GUIDs --------------------------------------------------- */

static bool has_prefix(const struct weft_subnets *s, uint64_t prefix)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].prefix == prefix)
			return true;
	return false;
}

static int by_prefix(const void *x, const void *y)
{
	const struct weft_subnet *a = x, *b = y;

	return a->prefix < b->prefix ? -1 : a->prefix > b->prefix;
}

/* Gives a prefix to those that have none, and looks for one that is twice.  The
 * order is that of prefixes then, in whatever order subnets were found. */
static int set_prefixes(struct weft_subnets *s, struct weft_diag *diag)
{
	uint64_t next = WEFT_SUBNET_PREFIX;

	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t j = 0; s->subnet[i].prefix && j < i; j++)
			if (s->subnet[j].prefix == s->subnet[i].prefix)
				return weft_fail(
					diag, EINVAL,
					"subnets %s and %s have the same prefix, 0x%016" PRIx64 ": GIDs would not tell their ports apart",
					s->subnet[j].name, s->subnet[i].name,
					s->subnet[i].prefix);
	}
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->subnet[i].prefix)
			continue;
		while (has_prefix(s, next))
			next++;
		s->subnet[i].prefix = next;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		char gid[WEFT_GID_SIZE];

		s->subnet[i].given = i;
		/* fe80::/10 */
		if (s->subnet[i].prefix >> 54 == 0x3fa)
			weft_diag_say(diag, WEFT_WARNING,
				      "subnet %s has the prefix %s, which is link-local: OpenSM never routes to it; fec0:0:0:1:: and up will do",
				      s->subnet[i].name,
				      weft_gid_text(s->subnet[i].prefix, 0,
						    gid));
	}
	qsort(s->subnet, s->n, sizeof(*s->subnet), by_prefix);
	return 0;
}

/* A port of any subnet, by its GUID. */
struct owner {
	uint64_t guid;
	uint32_t subnet, ep;
};

static int by_guid(const void *x, const void *y)
{
	const struct owner *a = x, *b = y;

	return a->guid < b->guid ? -1 : a->guid > b->guid;
}

/* Looks for a port GUID in two subnets: a host or router port that two of them
 * claim, as when one subnet was given twice. */
static int check_guids(const struct weft_subnets *s, struct weft_diag *diag)
{
	struct owner *all;
	size_t n = 0, at = 0;
	int err = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += s->subnet[i].fabric->nep;
	all = malloc((n + 1) * sizeof(*all));
	if (!all)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t e = 0; e < s->subnet[i].fabric->nep; e++)
			all[at++] = (struct owner){ weft_subnets_guid(s, i, e),
						    i, e };
	qsort(all, n, sizeof(*all), by_guid);
	for (size_t k = 1; k < n && !err; k++)
		if (all[k].guid == all[k - 1].guid)
			err = weft_fail(diag, EINVAL,
					"port 0x%016" PRIx64
					" is in two subnets, %s and %s: a port is in one",
					all[k].guid,
					s->subnet[all[k - 1].subnet].name,
					s->subnet[all[k].subnet].name);
	free(all);
	return err;
}

/* --- hosts ---------------------------------------------------------------- */

static int number_hosts(struct weft_subnets *s, struct weft_diag *diag)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += s->subnet[i].fabric->nep;
	s->host = malloc((n + 1ull) * sizeof(*s->host));
	s->first_host = calloc(s->n + 1ull, sizeof(*s->first_host));
	if (!s->host || !s->first_host)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < s->n; i++) {
		struct weft_subnet *t = &s->subnet[i];
		const struct weft_fabric *f = t->fabric;

		t->host_of = malloc((f->nep + 1ull) * sizeof(*t->host_of));
		t->port_of = malloc((f->nep + 1ull) * sizeof(*t->port_of));
		if (!t->host_of || !t->port_of)
			return weft_no_memory(diag);
		s->first_host[i] = s->nhosts;
		for (uint32_t e = 0; e < f->nep; e++) {
			if (!f->ep[e].lid)
				return weft_fail(diag, EINVAL,
						 "subnet %s: port 0x%016" PRIx64
						 " has no LID",
						 t->name, f->ep[e].guid);
			t->host_of[e] = WEFT_NONE;
			t->port_of[e] = WEFT_NONE;
			if (f->ep[e].kind == WEFT_ROUTER)
				continue;
			t->host_of[e] = s->nhosts;
			s->host[s->nhosts++] = (struct weft_place){ i, e };
		}
	}
	s->first_host[s->n] = s->nhosts;
	return 0;
}

/* --- routers -------------------------------------------------------------- */

static int by_router(const void *x, const void *y)
{
	const struct weft__found *a = x, *b = y;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->port.subnet != b->port.subnet)
		return a->port.subnet < b->port.subnet ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (int)a->port.port - b->port.port;
}

/* Numbers the ports of a router that is several nodes, which have numbers of
 * their own. */
static int number_ports(const struct weft__found *all, uint32_t n,
			struct weft_router_port *port, struct weft_diag *diag)
{
	bool one = true;

	for (uint32_t i = 1; i < n; i++)
		one &= all[i].node == all[0].node;
	if (!one && n > WEFT_MAX_PORTS)
		return weft_fail(diag, EINVAL,
				 "router 0x%016" PRIx64
				 " has %u ports: %d are the most",
				 all->guid, n, WEFT_MAX_PORTS);
	for (uint32_t i = 0; i < n && !one; i++)
		port[i].port = i + 1;
	return 0;
}

/* Looks for a port number of a router that is twice. */
static int check_numbers(const struct weft_subnets *s,
			 const struct weft_router *r, struct weft_diag *diag)
{
	const struct weft_router_port *p = &s->port[r->first];

	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t j = 0; j < i; j++)
			if (p[i].port == p[j].port)
				return weft_fail(
					diag, EINVAL,
					"port %u of router 0x%016" PRIx64
					" is in subnets %s and %s",
					p[i].port, r->guid,
					s->subnet[p[j].subnet].name,
					s->subnet[p[i].subnet].name);
	return 0;
}

/* Fills in routers and their ports from the list of all ports, sorted. */
static int take_ports(struct weft_subnets *s, const struct weft__found *all,
		      uint32_t n, struct weft_diag *diag)
{
	int err = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct weft_router *r = NULL;

		if (s->nrouters)
			r = &s->router[s->nrouters - 1];
		if (!r || r->guid != all[i].guid) {
			r = &s->router[s->nrouters++];
			*r = (struct weft_router){ .guid = all[i].guid,
						   .name = all[i].name,
						   .first = i };
		}
		s->port[i] = all[i].port;
		s->port[i].router = s->nrouters - 1;
		s->subnet[all[i].port.subnet].port_of[all[i].port.ep] = i;
		r->n++;
		s->nports++;
	}
	for (uint32_t k = 0; k < s->nrouters && !err; k++) {
		const struct weft_router *r = &s->router[k];

		err = number_ports(&all[r->first], r->n, &s->port[r->first],
				   diag);
		if (!err)
			err = check_numbers(s, r, diag);
	}
	return err;
}

static int find_routers(struct weft_subnets *s,
			const struct weft_subnets_ini *ini,
			struct weft_diag *diag)
{
	struct weft__found *all;
	uint32_t n = 0, at = 0;
	int err = 0;

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t e = 0; e < s->subnet[i].fabric->nep; e++)
			n += s->subnet[i].host_of[e] == WEFT_NONE;
	all = malloc((n + 1ull) * sizeof(*all));
	s->router = malloc((n + 1ull) * sizeof(*s->router));
	s->port = malloc((n + 1ull) * sizeof(*s->port));
	if (!all || !s->router || !s->port) {
		free(all);
		return weft_no_memory(diag);
	}
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t e = 0; e < s->subnet[i].fabric->nep; e++) {
			const struct weft_fabric *f = s->subnet[i].fabric;
			const struct weft_node *node = &f->node[f->ep[e].node];

			if (s->subnet[i].host_of[e] == WEFT_NONE)
				all[at++] = (struct weft__found){
					node->guid,
					node->guid,
					node->name,
					{ .subnet = i,
					  .ep = e,
					  .port = f->ep[e].port }
				};
		}
	if (ini)
		err = weft__unite_routers(s, ini, all, n, diag);
	qsort(all, n, sizeof(*all), by_router);
	if (!err)
		err = take_ports(s, all, n, diag);
	free(all);
	return err;
}

/* --- distances ------------------------------------------------------------ */

/* Subnets one router further than those at distance d from a subnet. */
static bool spread_from(struct weft_subnets *s, uint32_t *hops, uint32_t d)
{
	bool any = false;

	for (uint32_t r = 0; r < s->nrouters; r++) {
		const struct weft_router_port *p = &s->port[s->router[r].first];
		bool here = false;

		for (uint32_t i = 0; i < s->router[r].n; i++)
			here |= hops[p[i].subnet] == d;
		for (uint32_t i = 0; here && i < s->router[r].n; i++) {
			if (hops[p[i].subnet] != WEFT_NONE)
				continue;
			hops[p[i].subnet] = d + 1;
			any = true;
		}
	}
	return any;
}

static int find_distances(struct weft_subnets *s, struct weft_diag *diag)
{
	s->hops = malloc(((size_t)s->n * s->n + 1) * sizeof(*s->hops));
	if (!s->hops)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t *hops = &s->hops[(size_t)i * s->n];

		for (uint32_t j = 0; j < s->n; j++)
			hops[j] = j == i ? 0 : WEFT_NONE;
		for (uint32_t d = 0; spread_from(s, hops, d); d++)
			;
	}
	for (uint32_t j = 1; j < s->n; j++)
		if (s->hops[j] == WEFT_NONE)
			weft_diag_say(diag, WEFT_WARNING,
				      "no router leads from subnet %s to %s",
				      s->subnet[0].name, s->subnet[j].name);
	for (uint32_t r = 0; r < s->nrouters; r++) {
		const struct weft_router *q = &s->router[r];

		if (s->port[q->first].subnet ==
		    s->port[q->first + q->n - 1].subnet)
			weft_diag_say(diag, WEFT_WARNING,
				      "router 0x%016" PRIx64
				      " (%s) is in subnet %s alone, as far as is known",
				      q->guid, q->name,
				      s->subnet[s->port[q->first].subnet].name);
	}
	return 0;
}

int weft_subnets_join_ini(struct weft_subnet *subnet, uint32_t n,
			  const struct weft_subnets_ini *ini,
			  struct weft_subnets **out, struct weft_diag *diag)
{
	struct weft_subnets *s = calloc(1, sizeof(*s));
	int err;

	if (!s) {
		weft_subnet_list_free(subnet, n);
		return weft_no_memory(diag);
	}
	s->subnet = subnet;
	s->n = n;
	s->hop_limit = WEFT_HOP_LIMIT;
	err = n <= WEFT_MAX_SUBNETS ?
		      set_prefixes(s, diag) :
		      weft_fail(diag, EINVAL, "%u subnets: %d is the most", n,
				WEFT_MAX_SUBNETS);
	if (!err)
		err = check_guids(s, diag);
	if (!err)
		err = number_hosts(s, diag);
	if (!err)
		err = find_routers(s, ini, diag);
	if (!err)
		err = find_distances(s, diag);
	if (err)
		weft_subnets_free(s);
	else
		*out = s;
	return err;
}

int weft_subnets_join(struct weft_subnet *subnet, uint32_t n,
		      struct weft_subnets **out, struct weft_diag *diag)
{
	return weft_subnets_join_ini(subnet, n, NULL, out, diag);
}
