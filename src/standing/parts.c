// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compares two states of a fabric part by part; see parts.h. */
#include "standing/parts.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

/* Port 0 always leads where it did, and WEFT_NO_PORT nowhere. */
static bool is_alive(const struct weft__match *m, uint32_t s, unsigned port)
{
	const struct weft_fabric *f = m->b;

	return !port || (weft__match_cable(m, s, port) &&
			 f->peer[weft_channel(f, s, port)] != WEFT_NONE);
}

int weft__alive_find(struct weft__alive *a, const struct weft__match *m,
		     struct weft_arena *arena)
{
	const struct weft_fabric *f = m->b;

	a->port = weft__arena_zalloc(arena, f->nsw + 1ull, sizeof(*a->port));
	if (!a->port)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 0; p <= f->sw[s].nports; p++)
			if (is_alive(m, s, p))
				a->port[s][p / 64] |= 1ull << p % 64;
	return 0;
}

/* Cables of a fabric, from both ends, those to endports included. */
static uint32_t count_ends(const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		n += f->peer[ch] != WEFT_NONE;
	return n;
}

static uint32_t count_common(const struct weft__match *m)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < m->b->nsw; s++)
		for (unsigned p = 1; p <= m->b->sw[s].nports; p++)
			n += is_alive(m, s, p);
	return n;
}

/* Whether all LIDs of one of the two fabrics have the same owner in both. */
static bool same_lids(const struct weft__match *m, const struct weft_fabric *f)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		if (weft_lid_owner(f, lid) != WEFT_NONE &&
		    !weft__match_lid(m, lid))
			return false;
	return true;
}

bool weft__parts_whole(const struct weft__match *m)
{
	return count_common(m) == count_ends(m->a) && same_lids(m, m->a);
}

bool weft__parts_no_more(const struct weft__match *m)
{
	for (uint32_t s = 0; s < m->b->nsw; s++)
		if (m->sw[s] == WEFT_NONE)
			return false;
	return count_common(m) == count_ends(m->b) && same_lids(m, m->b);
}

int weft__same_find(struct weft__same *same, const struct weft__match *m,
		    struct weft_arena *arena)
{
	const struct weft_fabric *was = m->a, *f = m->b;

	same->channel = weft__arena_alloc(arena, was->first_injection + 1ull,
					  sizeof(*same->channel));
	same->port = weft__arena_zalloc(arena, f->nsw + 1ull,
					sizeof(*same->port));
	if (!same->channel || !same->port)
		return -ENOMEM;
	memset(same->channel, 0xff,
	       was->first_injection * sizeof(*same->channel));
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			if (!is_alive(m, s, p))
				continue;
			same->channel[weft_channel(was, m->sw[s], p)] =
				weft_channel(f, s, p);
			same->port[s][(p - 1) / 64] |= 1ull << (p - 1) % 64;
		}
	return 0;
}

/* Adds the dependencies of a vertex. */
static void join_row(const struct weft__same *same,
		     const struct weft__cdg *from, uint32_t v,
		     struct weft__cdg *to)
{
	uint32_t ch = same->channel[v % from->nch], lane = v / from->nch;
	const uint64_t *in = from->bits + (size_t)v * from->words;
	uint64_t *out = to->bits + ((size_t)lane * to->nch + ch) * to->words;
	uint32_t head = to->fabric->peer[ch];

	for (uint32_t k = 0; k < from->words && k < to->words; k++)
		out[k] |= in[k] & same->port[head][k];
}

void weft__same_join(const struct weft__same *same,
		     const struct weft__cdg *from, struct weft__cdg *to)
{
	for (uint32_t v = 0; v < from->nv; v++) {
		uint32_t ch = same->channel[v % from->nch];

		if (ch != WEFT_NONE && weft_is_switch(to->fabric->peer[ch]))
			join_row(same, from, v, to);
	}
}
