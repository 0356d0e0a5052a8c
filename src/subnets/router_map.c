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
#include "subnets/router_map.h"
#include "subnets/weave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define RAND_FACTOR 1103515245u /* of the C standard's example of rand() */
#define RAND_STEP 12345u

static uint32_t distance(const struct weft_subnets *s, uint32_t from,
			 uint32_t to)
{
	return s->hops[(size_t)from * s->n + to];
}

/* Returns the least distance to a subnet of those that a router is in. */
static uint32_t nearest(const struct weft_subnets *s, uint32_t router,
			uint32_t to)
{
	const struct weft_router *r = &s->router[router];
	uint32_t best = WEFT_NONE;

	for (uint32_t i = r->first; i < r->first + r->n; i++)
		if (distance(s, s->port[i].subnet, to) < best)
			best = distance(s, s->port[i].subnet, to);
	return best;
}

bool weft__router_leads(const struct weft_subnets *s, uint32_t router,
			uint32_t from, uint32_t to)
{
	uint32_t far = distance(s, from, to);

	return far && far != WEFT_NONE && nearest(s, router, to) < far;
}

uint32_t weft__router_map_choices(const struct weft_subnets *s, uint32_t from,
				  uint32_t to, uint32_t *out)
{
	uint32_t n = 0, rank = 0, before;

	do {
		before = n;
		for (uint32_t r = 0; r < s->nrouters; r++) {
			const struct weft_router *q = &s->router[r];
			uint32_t seen = 0;

			if (!weft__router_leads(s, r, from, to))
				continue;
			for (uint32_t i = q->first; i < q->first + q->n; i++)
				if (s->port[i].subnet == from && seen++ == rank)
					out[n++] = i;
		}
		rank++;
	} while (n > before);
	return n;
}

uint32_t weft__router_map_exits(const struct weft_subnets *s, uint32_t router,
				uint32_t to, uint32_t *out)
{
	const struct weft_router *r = &s->router[router];
	uint32_t least = nearest(s, router, to), n = 0;

	for (uint32_t i = r->first; least != WEFT_NONE && i < r->first + r->n;
	     i++)
		if (distance(s, s->port[i].subnet, to) == least)
			out[n++] = i;
	return n;
}

uint64_t weft__router_map_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

uint32_t weft__router_map_hash(const struct weft_router_map *m,
			       unsigned source_lid, unsigned dest_lid,
			       uint32_t n)
{
	uint32_t seed = source_lid + dest_lid;
	bool swap = m->symmetric && source_lid > dest_lid;
	uint64_t both = swap ? (uint64_t)dest_lid << 16 | source_lid :
			       (uint64_t)source_lid << 16 | dest_lid;

	if (m->hash == WEFT_HASH_MIX)
		return weft__router_map_mix(both) % n;
	return ((seed * RAND_FACTOR + RAND_STEP) >> 16) % 32768 % n;
}

static void put_gid(unsigned char *at, uint64_t prefix, uint64_t guid)
{
	for (int i = 0; i < 8; i++) {
		at[i] = prefix >> (56 - 8 * i);
		at[8 + i] = guid >> (56 - 8 * i);
	}
}

uint32_t weft__router_port_in(const struct weft_subnets *s, uint32_t router,
			      uint32_t subnet, uint32_t rank)
{
	const struct weft_router *r = &s->router[router];
	uint32_t n = 0;

	for (uint32_t i = r->first; i < r->first + r->n; i++)
		n += s->port[i].subnet == subnet;
	if (!n)
		return WEFT_NONE;
	rank %= n;
	for (uint32_t i = r->first; i < r->first + r->n; i++)
		if (s->port[i].subnet == subnet && !rank--)
			return i;
	return WEFT_NONE;
}

/* Returns the CRC-32 of two GIDs; of the lower one first if that is asked for.
 */
static uint32_t draw(const struct weft_subnets *s,
		     const struct weft__sender *from,
		     const struct weft_place *to, bool ordered)
{
	unsigned char gid[2][16];
	uint32_t crc = crc32(0, NULL, 0);
	bool swap;

	put_gid(gid[0], s->subnet[from->subnet].prefix, from->guid);
	put_gid(gid[1], s->subnet[to->subnet].prefix,
		weft_subnets_guid(s, to->subnet, to->ep));
	swap = ordered && memcmp(gid[0], gid[1], sizeof(gid[0])) > 0;
	crc = crc32(crc, gid[swap], sizeof(gid[0]));
	return crc32(crc, gid[!swap], sizeof(gid[0]));
}

uint32_t weft__router_map_via(const struct weft_subnets *s,
			      const struct weft_router_map *m,
			      const struct weft__sender *from, uint32_t dest)
{
	const struct weft_place *to = &s->host[dest];
	size_t pair = (size_t)from->subnet * s->n + to->subnet;
	uint32_t crc;

	if (m->via)
		return m->via[(size_t)from->subnet * s->nhosts + dest];
	if (!m->nchoices[pair])
		return WEFT_NONE;
	crc = draw(s, from, to, m->symmetric);
	return m->symmetric ? weft__symmetric_draw(s, m, from, dest, crc) :
			      m->choice[pair * s->nports +
					crc % m->nchoices[pair]];
}

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
	if (!choice || !(m->via || (m->choice && m->nchoices))) {
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

static bool may_be_symmetric(const struct weft_router_map_spec *spec)
{
	return !spec->symmetric || spec->method == WEFT_ROUTER_MAP_STATIC ||
	       spec->method == WEFT_ROUTER_MAP_CRC32;
}

int weft_router_map_make(const struct weft_subnets *s,
			 const struct weft_router_map_spec *spec,
			 struct weft_router_map *out, struct weft_diag *diag)
{
	struct weft_router_map m = { .method = spec->method,
				     .hash = spec->hash,
				     .symmetric = spec->symmetric };
	int err;

	if (!may_be_symmetric(spec))
		return weft_fail(diag, EINVAL,
				 "%s goes by destination alone, and such a "
				 "mapping is symmetric only if it is static: "
				 "take static or crc32",
				 weft_router_map_name(spec->method));
	if (m.method == WEFT_ROUTER_MAP_WEAVE)
		return weft__weave_map(s, spec, out, diag);
	err = map_all(s, &m);
	if (!err && m.method == WEFT_ROUTER_MAP_ISFR)
		err = weft__isfr(s, &m);
	if (err)
		err = weft_fail(diag, ENOMEM, "out of memory");
	else if (m.symmetric)
		err = m.via ? weft__symmetric_static(s, &m, diag) :
			      weft__symmetric_crc32(s, diag);
	if (err)
		weft_router_map_free(&m);
	else
		*out = m;
	return err;
}

int weft_router_map_empty(const struct weft_subnets *s,
			  enum weft_router_map_hash hash,
			  struct weft_router_map *out, struct weft_diag *diag)
{
	size_t n = (size_t)s->n * s->nhosts;
	struct weft_router_map m = {
		.method = WEFT_ROUTER_MAP_FILE,
		.hash = hash,
		.via = malloc((n + 1) * sizeof(*m.via)),
	};

	if (!m.via)
		return weft_fail(diag, ENOMEM, "out of memory");
	memset(m.via, 0xff, n * sizeof(*m.via));
	*out = m;
	return 0;
}

void weft_router_map_free(struct weft_router_map *m)
{
	free(m->via);
	free(m->out);
	free(m->choice);
	free(m->nchoices);
	free(m->level);
	*m = (struct weft_router_map){ .method = WEFT_ROUTER_MAP_STATIC };
}

const char *weft_router_map_name(enum weft_router_map_method method)
{
	static const char *const name[] = {
		[WEFT_ROUTER_MAP_STATIC] = "static",
		[WEFT_ROUTER_MAP_CRC32] = "crc32",
		[WEFT_ROUTER_MAP_ISSR] = "issr",
		[WEFT_ROUTER_MAP_ISFR] = "isfr",
		[WEFT_ROUTER_MAP_WEAVE] = "weave",
		[WEFT_ROUTER_MAP_FILE] = "files",
	};

	return name[method];
}
