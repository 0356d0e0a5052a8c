// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes mappings: for hosts, for OpenSM, and the tables of routers. */
#include "io/text.h"
#include "subnets/router_map.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

const char *weft_gid_text(uint64_t prefix, uint64_t guid, char *buf)
{
	struct in6_addr gid;

	for (int i = 0; i < 8; i++) {
		gid.s6_addr[i] = prefix >> (56 - 8 * i);
		gid.s6_addr[8 + i] = guid >> (56 - 8 * i);
	}
	return inet_ntop(AF_INET6, &gid, buf, WEFT_GID_SIZE);
}

int weft_gid_parse(const char *text, uint64_t *prefix, uint64_t *guid)
{
	struct in6_addr gid;

	if (inet_pton(AF_INET6, text, &gid) != 1)
		return -EINVAL;
	*prefix = *guid = 0;
	for (int i = 0; i < 8; i++) {
		*prefix = *prefix << 8 | gid.s6_addr[i];
		*guid = *guid << 8 | gid.s6_addr[8 + i];
	}
	return 0;
}

static uint64_t port_guid(const struct weft_subnets *s, uint32_t port)
{
	return weft_subnets_guid(s, s->port[port].subnet, s->port[port].ep);
}

/* The lines for the hosts of another subnet, and one for those that it may have
 * besides: all router ports that lead there. */
static void write_subnet(FILE *out, const struct weft_subnets *s,
			 const struct weft_router_map *m, uint32_t from,
			 uint32_t to, uint32_t *choice)
{
	uint32_t n = weft__router_map_choices(s, from, to, choice);
	char gid[WEFT_GID_SIZE];

	fprintf(out, "# to subnet %s, %" PRIu32 " hosts\n", s->subnet[to].name,
		s->first_host[to + 1] - s->first_host[to]);
	for (uint32_t h = s->first_host[to]; h < s->first_host[to + 1]; h++) {
		uint32_t via = m->via[(size_t)from * s->nhosts + h];

		if (via != WEFT_NONE)
			fprintf(out, "%s 0x%016" PRIx64 "\n",
				weft_gid_text(
					s->subnet[to].prefix,
					weft_subnets_guid(s, to, s->host[h].ep),
					gid),
				port_guid(s, via));
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
	char gid[WEFT_GID_SIZE];

	if (!m->via)
		return weft_fail(diag, ENOTSUP,
				 "crc32 draws a router port for each pair of "
				 "hosts: there is no mapping of destinations "
				 "to write");
	choice = malloc((s->nports + 1ull) * sizeof(*choice));
	if (!choice)
		return weft_fail(diag, ENOMEM, "out of memory");
	fprintf(out,
		"# weft router map: GID, router port; PREFIX/64, router ports\n"
		"# of subnet %s, %s/64, by %s\n",
		s->subnet[subnet].name,
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

int weft_prefix_routes_write(FILE *out, const struct weft_subnets *s,
			     const struct weft_router_map *m, uint32_t subnet,
			     uint32_t *lost, struct weft_diag *diag)
{
	uint32_t *count = malloc((s->nports + 1ull) * sizeof(*count));

	*lost = 0;
	if (!count)
		return weft_fail(diag, ENOMEM, "out of memory");
	fprintf(out, "# subnet %s: prefix, GUID of a router port\n",
		s->subnet[subnet].name);
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
	fputs("# weft router dump: ports of routers; GID, port that packets "
	      "leave by\n",
	      out);
	for (uint32_t r = 0; r < s->nrouters; r++)
		write_router(out, s, m, r);
	return weft__finish_output(out, diag);
}
