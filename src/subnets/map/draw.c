// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: draw, router ports by CRC-32
 *
 * A CRC is linear: that of two GIDs in a row is the exclusive or of what the
 * first one alone leaves after as many zeros as the second one is long, and of
 * the CRC of the second one.  Both are kept for each host, so that to draw for
 * a pair is to look up two numbers.
 */
#include "subnets/map/router_map.h"

#include <stdlib.h>
#include <zlib.h>

enum { GID_BYTES = 16 };

static uint32_t crc_of(const struct weft_subnets *s, uint32_t subnet,
		       uint64_t guid)
{
	uint64_t prefix = s->subnet[subnet].prefix;
	unsigned char gid[GID_BYTES];

	for (int i = 0; i < 8; i++) {
		gid[i] = prefix >> (56 - 8 * i);
		gid[8 + i] = guid >> (56 - 8 * i);
	}
	return crc32(0, gid, GID_BYTES);
}

/* Returns what is left of the CRC of a GID after the zeros behind it. */
static uint32_t as_first(uint32_t crc)
{
	return crc32_combine(crc, 0, GID_BYTES);
}

bool weft__draw_init(const struct weft_subnets *s, struct weft_router_map *m)
{
	m->crc = malloc((2 * (size_t)s->nhosts + 1) * sizeof(*m->crc));
	for (uint32_t h = 0; m->crc && h < s->nhosts; h++) {
		const struct weft_place *p = &s->host[h];
		uint32_t crc = crc_of(s, p->subnet,
				      weft_subnets_guid(s, p->subnet, p->ep));

		m->crc[2 * (size_t)h] = as_first(crc);
		m->crc[2 * (size_t)h + 1] = crc;
	}
	return m->crc;
}

/* Returns true if the CRC of a pair is that of the second one's GID before the
 * first one's: if a mapping is symmetric, the lower one comes first. */
static bool is_swapped(const struct weft_subnets *s,
		       const struct weft_router_map *m, uint32_t from,
		       uint32_t to)
{
	return m->symmetric && s->subnet[from].prefix > s->subnet[to].prefix;
}

/* Returns the router port that a CRC draws. */
static uint32_t draw(const struct weft_subnets *s,
		     const struct weft_router_map *m,
		     const struct weft__sender *from, uint32_t dest,
		     uint32_t crc)
{
	size_t pair = (size_t)from->subnet * s->n + s->host[dest].subnet;

	if (m->symmetric)
		return weft__symmetric_draw(s, m, from, dest, crc);
	return m->choice[pair * s->nports + crc % m->nchoices[pair]];
}

uint32_t weft__router_map_via(const struct weft_subnets *s,
			      const struct weft_router_map *m,
			      const struct weft__sender *from, uint32_t dest)
{
	uint32_t to = s->host[dest].subnet, crc;

	if (m->via)
		return m->via[(size_t)from->subnet * s->nhosts + dest];
	if (!m->nchoices[(size_t)from->subnet * s->n + to])
		return WEFT_NONE;
	crc = crc_of(s, from->subnet, from->guid);
	if (is_swapped(s, m, from->subnet, to))
		crc ^= m->crc[2 * (size_t)dest];
	else
		crc = as_first(crc) ^ m->crc[2 * (size_t)dest + 1];
	return draw(s, m, from, dest, crc);
}

uint32_t weft__router_map_host_via(const struct weft_subnets *s,
				   const struct weft_router_map *m,
				   uint32_t source, uint32_t dest)
{
	uint32_t subnet = s->host[source].subnet, to = s->host[dest].subnet;
	bool swap = is_swapped(s, m, subnet, to);
	struct weft__sender from = { .subnet = subnet };

	if (m->via)
		return m->via[(size_t)subnet * s->nhosts + dest];
	if (!m->nchoices[(size_t)subnet * s->n + to])
		return WEFT_NONE;
	if (m->symmetric)
		from.lid = s->subnet[subnet].fabric->ep[s->host[source].ep].lid;
	return draw(s, m, &from, dest,
		    m->crc[2 * (size_t)source + swap] ^
			    m->crc[2 * (size_t)dest + !swap]);
}
