// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mappings, which router port a source takes
 *
 * static: OpenSM's prefix routes, one router port for all destinations of a
 * subnet; subnets take different ones as far as there are ports.
 * crc32: the CRC-32 (IEEE 802.3) of source GID and destination GID, as bytes of
 * the wire, modulo the number of ports, as newer subnet managers do.
 * issr: inter-subnet source routing (Bogdanski, Johnsen, Reinemo, Flich: Making
 * the Network Scalable: Inter-subnet Routing in InfiniBand, Euro-Par 2013).
 * Destinations of a subnet take its ports in turn, first those of all routers,
 * then second ones; the router chooses by a hash of two LIDs.
 * isfr: inter-subnet fat-tree routing, see isfr.c.
 * weave: the best of several, see weave.c.
 *
 * The papers' hash draws rand() after srand(source LID + destination LID).  The
 * sum is one number for all pairs of LIDs whose sum is the same, so that
 * neighbours' pairs meet; WEFT_HASH_MIX keeps both LIDs apart.
 */
#include "subnets/map/router_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Gives out router ports to the destinations of a subnet. */
static void map_subnet(const struct weft_subnets *s, struct weft_router_map *m,
		       uint32_t from, uint32_t to, const uint32_t *choice,
		       uint32_t n)
{
	/* Subnets take different ports, counted from the source on. */
	uint32_t turn = (to + s->n - from - 1) % s->n;

	for (uint32_t h = s->first_host[to]; n && h < s->first_host[to + 1];
	     h++)
		m->via[(size_t)from * s->nhosts + h] =
			choice[(m->method == WEFT_ROUTER_MAP_STATIC ?
					turn :
					h - s->first_host[to]) %
			       n];
}

/* Fills in via[], or the choices that CRC-32 draws from. */
static int map_all(const struct weft_subnets *s, struct weft_router_map *m)
{
	size_t pairs = (size_t)s->n * s->n;
	uint32_t *choice = malloc((s->nports + 1ull) * sizeof(*choice));

	if (m->method == WEFT_ROUTER_MAP_CRC32) {
		m->choice = calloc(pairs * s->nports + 1, sizeof(*m->choice));
		m->nchoices = calloc(pairs + 1, sizeof(*m->nchoices));
	} else {
		m->via = malloc(((size_t)s->n * s->nhosts + 1) *
				sizeof(*m->via));
		if (m->via)
			memset(m->via, 0xff,
			       (size_t)s->n * s->nhosts * sizeof(*m->via));
	}
	if (!choice ||
	    !(m->via || (m->choice && m->nchoices && weft__draw_init(s, m)))) {
		free(choice);
		return -ENOMEM;
	}
	for (uint32_t from = 0; from < s->n; from++)
		for (uint32_t to = 0; to < s->n; to++) {
			size_t pair = (size_t)from * s->n + to;
			uint32_t n =
				weft__router_map_choices(s, from, to, choice);

			if (m->via) {
				map_subnet(s, m, from, to, choice, n);
				continue;
			}
			m->nchoices[pair] = n;
			memcpy(&m->choice[pair * s->nports], choice,
			       n * sizeof(*choice));
		}
	free(choice);
	return 0;
}

int weft__router_map_by_method(const struct weft_subnets *s,
			       const struct weft_router_map_spec *spec,
			       struct weft_router_map *out,
			       struct weft_diag *diag)
{
	struct weft_router_map m = { .method = spec->method,
				     .hash = spec->hash,
				     .symmetric = spec->symmetric };
	int err;

	err = map_all(s, &m);
	if (!err && m.method == WEFT_ROUTER_MAP_ISFR)
		err = weft__isfr(s, &m);
	if (err)
		err = weft_no_memory(diag);
	else if (m.symmetric)
		err = m.via ? weft__symmetric_static(s, &m, diag) :
			      weft__symmetric_crc32(s, diag);
	if (err)
		weft_router_map_free(&m);
	else
		*out = m;
	return err;
}
