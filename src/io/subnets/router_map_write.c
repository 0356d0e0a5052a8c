// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes mappings: for hosts, for OpenSM, and the tables of routers. */
#include "io/text.h"
#include "subnets/map/router_map.h"
#include "subnets/proof/walks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static uint64_t port_guid(const struct weft_subnets *s, uint32_t port)
{
	return weft_subnets_guid(s, s->port[port].subnet, s->port[port].ep);
}

/* Returns the SL that OpenSM is to ask for a level: where tables have several
 * lanes, weft's plugins have a level in each 16 / levels of them. */
static unsigned sl_of(const struct weft_subnets *s,
		      const struct weft_router_map *m, unsigned level)
{
	return weft__walks_lanes(s) == 1 ? level :
					   level * (WEFT_NSL / m->levels);
}

/* The lines for the hosts of another subnet, and one for those that it may have
 * besides: all router ports that lead there. */
static void write_subnet(FILE *out, const struct weft_subnets *s,
			 const struct weft_router_map *m, uint32_t from,
			 uint32_t to, uint32_t *choice)
{
	uint32_t n = weft__router_map_choices(s, from, to, choice);
	char gid[WEFT_GID_SIZE], name[WEFT__NAME_SIZE];

	fprintf(out, "# to subnet %s, %" PRIu32 " hosts\n",
		weft__clean_name(s->subnet[to].name, name),
		s->first_host[to + 1] - s->first_host[to]);
	if (m->levels > 1)
		fprintf(out, "level %s/64 %u sl %u\n",
			weft_gid_text(s->subnet[to].prefix, 0, gid),
			m->level[(size_t)from * s->n + to],
			sl_of(s, m, m->level[(size_t)from * s->n + to]));
	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		uint32_t via = m->via[(size_t)from * s->nhosts + h], next;

		if (via == WEFT_NONE)
			continue;
		fprintf(out, "%s 0x%016" PRIx64,
			weft_gid_text(s->subnet[to].prefix,
				      weft_subnets_guid(s, to, s->host[h].ep),
				      gid),
			port_guid(s, via));
		next = weft__router_map_backup(s, choice, n, via, NULL);
		if (next != WEFT_NONE)
			fprintf(out, " 0x%016" PRIx64, port_guid(s, next));
		fputc('\n', out);
	}
	if (!n)
		return;
	fprintf(out, "%s/64", weft_gid_text(s->subnet[to].prefix, 0, gid));
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, " 0x%016" PRIx64, port_guid(s, choice[i]));
	fputc('\n', out);
}

int weft_router_map_write(FILE *out, const struct weft_subnets *s,
			  const struct weft_router_map *m, uint32_t subnet,
			  struct weft_diag *diag)
{
	uint32_t *choice;
	char gid[WEFT_GID_SIZE], name[WEFT__NAME_SIZE];

	if (!m->via)
		return weft_fail(diag, ENOTSUP,
				 "crc32 draws a router port for each pair of hosts: there is no mapping of destinations to write");
	choice = malloc((s->nports + 1ull) * sizeof(*choice));
	if (!choice)
		return weft_no_memory(diag);
	fprintf(out,
		"# weft router map: GID, router port, and one for when that is down;\n"
		"# PREFIX/64, router ports\n"
		"# of subnet %s, %s/64, by %s\n",
		weft__clean_name(s->subnet[subnet].name, name),
		weft_gid_text(s->subnet[subnet].prefix, 0, gid),
		weft_router_map_name(m->method));
	for (uint32_t to = 0; to < s->n; to++)
		if (to != subnet)
			write_subnet(out, s, m, subnet, to, choice);
	free(choice);
	return weft__finish_output(out, diag);
}

/* Returns the router port that most hosts of a subnet are mapped to, and how
 * many these are; WEFT_NONE if none has one.  Where several are alike,
 * different subnets have different ones, if they can. */
static uint32_t favourite(const struct weft_subnets *s,
			  const struct weft_router_map *m, uint32_t from,
			  uint32_t to, uint32_t *count)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t p = 0; p < s->nports; p++)
		count[p] = 0;
	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		uint32_t via = m->via[(size_t)from * s->nhosts + h];

		if (via != WEFT_NONE)
			count[via]++;
	}
	for (uint32_t i = 0; i < s->nports; i++) {
		uint32_t p = (i + (uint64_t)to * s->nports / s->n) % s->nports;

		if (count[p] && (best == WEFT_NONE || count[p] > count[best]))
			best = p;
	}
	return best;
}

int weft_subnets_prefix_routes_write(FILE *out, const struct weft_subnets *s,
				     const struct weft_router_map *m,
				     uint32_t subnet, uint32_t *lost,
				     struct weft_diag *diag)
{
	uint32_t *count = malloc((s->nports + 1ull) * sizeof(*count));
	char name[WEFT__NAME_SIZE];

	*lost = 0;
	if (!count)
		return weft_no_memory(diag);
	fprintf(out, "# subnet %s: prefix, GUID of a router port\n",
		weft__clean_name(s->subnet[subnet].name, name));
	for (uint32_t to = 0; to < s->n; to++) {
		uint32_t n, port;

		if (to == subnet)
			continue;
		if (m->via) {
			port = favourite(s, m, subnet, to, count);
		} else {
			n = weft__router_map_choices(s, subnet, to, count);
			port = n ? count[0] : WEFT_NONE;
		}
		if (port == WEFT_NONE)
			continue;
		fprintf(out, "0x%016" PRIx64 " 0x%016" PRIx64 "\n",
			s->subnet[to].prefix, port_guid(s, port));
		n = s->first_host[to + 1] - s->first_host[to];
		*lost += m->via ? n - count[port] : n;
	}
	free(count);
	return weft__finish_output(out, diag);
}

/* One router: its ports, then destinations that it does not draw for. */
static void write_router(FILE *out, const struct weft_subnets *s,
			 const struct weft_router_map *m, uint32_t router)
{
	const struct weft_router *r = &s->router[router];
	char gid[WEFT_GID_SIZE], name[WEFT__NAME_SIZE];

	fprintf(out, "router 0x%016" PRIx64 " \"%s\"\nhash %s\n", r->guid,
		weft__clean_name(r->name, name),
		m->hash == WEFT_HASH_MIX ? "mix" : "sum");
	for (uint32_t p = r->first; p < r->first + r->n; p++)
		fprintf(out, "port %u 0x%016" PRIx64 " lid %u subnet %s/64\n",
			s->port[p].port, port_guid(s, p),
			s->subnet[s->port[p].subnet]
				.fabric->ep[s->port[p].ep]
				.lid,
			weft_gid_text(s->subnet[s->port[p].subnet].prefix, 0,
				      gid));
	for (uint32_t h = 0; m->out && h < s->nhosts; h++) {
		uint32_t port = m->out[(size_t)router * s->nhosts + h];
		const struct weft_place *to = &s->host[h];

		if (port != WEFT_NONE)
			fprintf(out, "%s %u\n",
				weft_gid_text(s->subnet[to->subnet].prefix,
					      weft_subnets_guid(s, to->subnet,
								to->ep),
					      gid),
				s->port[port].port);
	}
	fputc('\n', out);
}

int weft_router_dump_write(FILE *out, const struct weft_subnets *s,
			   const struct weft_router_map *m,
			   struct weft_diag *diag)
{
	fputs("# weft router dump: ports of routers; GID, port that packets leave by\n",
	      out);
	for (uint32_t r = 0; r < s->nrouters; r++)
		write_router(out, s, m, r);
	return weft__finish_output(out, diag);
}
