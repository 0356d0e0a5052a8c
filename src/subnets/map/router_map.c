// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What mappings have in common: which ports there are, what is drawn, and where
 * it leads. */
#include "subnets/map/router_map.h"

#include <stdlib.h>
#include <string.h>

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

/* Returns true if a router leads from a subnet towards another one. */
static bool leads(const struct weft_subnets *s, uint32_t router, uint32_t from,
		  uint32_t to)
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

			if (!leads(s, r, from, to))
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
		return weft_no_memory(diag);
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
	free(m->crc);
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
