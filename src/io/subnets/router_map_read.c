// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a mapping of what weft-routers.map says of a subnet; see
 * weft-formats(5). */
#include "io/source.h"
#include "io/tables/router_goals.h"
#include "subnets/map/router_map.h"
#include "subnets/proof/walks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct reader {
	const struct weft_subnets *s;
	uint32_t subnet;
	const char *path;
	struct weft__goals g;
	uint32_t *port; /* [g.nports] router ports */
	struct weft_diag *diag;
};

/* Finds the router port with a GUID among those of the subnet. */
static uint32_t find_port(const struct reader *r, uint64_t guid)
{
	const struct weft_subnets *s = r->s;

	for (uint32_t p = 0; p < s->nports; p++)
		if (s->port[p].subnet == r->subnet &&
		    weft_subnets_guid(s, r->subnet, s->port[p].ep) == guid)
			return p;
	return WEFT_NONE;
}

static int find_ports(struct reader *r)
{
	for (size_t i = 0; i < r->g.n; i++) {
		const struct weft__goal *e = &r->g.goal[i];

		for (uint32_t k = e->first; k < e->first + e->n; k++) {
			r->port[k] = find_port(r, r->g.port[k]);
			if (r->port[k] != WEFT_NONE)
				continue;
			weft_diag_at(r->diag, WEFT_ERROR, r->path, e->line,
				     "0x%016" PRIx64
				     " is no port of a router in this subnet",
				     r->g.port[k]);
			return -EINVAL;
		}
	}
	return 0;
}

/* Returns the subnet with a prefix; WEFT_NONE if there is none. */
static uint32_t find_subnet(const struct weft_subnets *s, uint64_t prefix)
{
	for (uint32_t k = 0; k < s->n; k++)
		if (s->subnet[k].prefix == prefix)
			return k;
	return WEFT_NONE;
}

/* Warns of GIDs and prefixes that are in no subnet. */
static void check_goals(const struct reader *r)
{
	const struct weft_subnets *s = r->s;
	char gid[WEFT_GID_SIZE];

	for (size_t i = 0; i < r->g.n; i++) {
		const struct weft__goal *e = &r->g.goal[i];
		uint32_t k = find_subnet(s, e->prefix);

		if (e->scope == WEFT__EVERYBODY ||
		    (k != WEFT_NONE &&
		     (e->scope == WEFT__PREFIX ||
		      weft_fabric_endport_by_guid(s->subnet[k].fabric,
						  e->guid) != WEFT_NONE)))
			continue;
		weft_diag_at(r->diag, WEFT_WARNING, r->path, e->line,
			     "%s%s is in no subnet",
			     weft_gid_text(e->prefix, e->guid, gid),
			     e->scope == WEFT__PREFIX ? "/64" : "");
	}
}

static void apply(const struct reader *r, struct weft_router_map *m)
{
	const struct weft_subnets *s = r->s;

	for (uint32_t h = 0; h < s->nhosts; h++) {
		const struct weft_place *to = &s->host[h];
		const struct weft__goal *e = NULL;

		if (to->subnet == r->subnet)
			continue;
		for (int scope = WEFT__HOST; scope >= WEFT__EVERYBODY && !e;
		     scope--)
			e = weft__goals_find(
				&r->g, (enum weft__scope)scope,
				s->subnet[to->subnet].prefix,
				weft_subnets_guid(s, to->subnet, to->ep));
		m->via[(size_t)r->subnet * s->nhosts + h] =
			e ? r->port[e->first] : WEFT_NONE;
	}
}

/* Takes over the levels of service. */
static int apply_levels(const struct reader *r, struct weft_router_map *m)
{
	const struct weft_subnets *s = r->s;
	unsigned lanes = weft__walks_lanes(s);

	for (size_t i = 0; i < r->g.nlevels; i++) {
		const struct weft__goal_level *e = &r->g.level[i];
		uint32_t to = find_subnet(s, e->prefix);

		if ((e->level + 1) * lanes > WEFT_MAX_LANES) {
			weft_diag_at(r->diag, WEFT_ERROR, r->path, e->line,
				     "level %u: with %s in a level there are only %u",
				     e->level, WEFT_COUNT(lanes, "lane"),
				     WEFT_MAX_LANES / lanes);
			return -EINVAL;
		}
		if (!m->level)
			m->level =
				calloc((size_t)s->n * s->n, sizeof(*m->level));
		if (!m->level)
			return weft_no_memory(r->diag);
		if (to == WEFT_NONE)
			continue;
		m->level[(size_t)r->subnet * s->n + to] = e->level;
		if (m->levels <= e->level)
			m->levels = e->level + 1u;
	}
	return 0;
}

int weft__router_map_parse(const struct weft__source *source,
			   const struct weft_subnets *s, uint32_t subnet,
			   struct weft_router_map *map, struct weft_diag *diag)
{
	struct reader r = {
		.s = s, .subnet = subnet, .path = source->name, .diag = diag
	};
	int err = weft__goals_parse(source, &r.g, diag);

	if (err)
		return err;
	r.port = malloc((r.g.nports + 1) * sizeof(*r.port));
	err = r.port ? find_ports(&r) :
		       weft_no_memory(diag);
	if (!err)
		err = apply_levels(&r, map);
	if (!err) {
		check_goals(&r);
		apply(&r, map);
	}
	free(r.port);
	weft__goals_free(&r.g);
	return err;
}

int weft_router_map_read(const char *path, const struct weft_subnets *s,
			 uint32_t subnet, struct weft_router_map *map,
			 struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = weft__router_map_parse(&source, s, subnet, map, diag);
	weft__source_close(&source);
	return err;
}
