// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the nodes that are in two fabrics, by GUID. */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>

/* Returns whether a vertex of B is a vertex of A, or both are nothing. */
static bool same_end(const struct weft__match *m, uint32_t a, uint32_t b)
{
	if (a == WEFT_NONE || b == WEFT_NONE)
		return a == b;
	if (weft_is_switch(b))
		return m->sw[b] == a;
	return !weft_is_switch(a) &&
		m->ep[b & ~WEFT_ENDPORT] == (a & ~WEFT_ENDPORT);
}

bool weft__match_cable(const struct weft__match *m, uint32_t s, unsigned port)
{
	uint32_t was = m->sw[s], a, b;

	if (was == WEFT_NONE || port > m->a->sw[was].nports ||
	    port > m->b->sw[s].nports)
		return false;
	a = weft_channel(m->a, was, port);
	b = weft_channel(m->b, s, port);
	return same_end(m, m->a->peer[a], m->b->peer[b]) &&
		(m->b->peer[b] == WEFT_NONE ||
		 m->a->peer_port[a] == m->b->peer_port[b]);
}

bool weft__match_lid(const struct weft__match *m, unsigned lid)
{
	uint32_t is = weft_lid_owner(m->b, lid);

	return is != WEFT_NONE && same_end(m, weft_lid_owner(m->a, lid), is);
}

static bool equal_ids(const struct weft__match *m)
{
	const struct weft_fabric *a = m->a, *b = m->b;

	if (a == b)
		return true;
	if (a->nsw != b->nsw || a->nep != b->nep || a->max_lid != b->max_lid)
		return false;
	for (uint32_t s = 0; s < b->nsw; s++)
		if (m->sw[s] != s || a->sw[s].nports != b->sw[s].nports)
			return false;
	for (uint32_t e = 0; e < b->nep; e++)
		if (m->ep[e] != e)
			return false;
	for (unsigned lid = 0; lid <= b->max_lid; lid++)
		if (a->lid_owner[lid] != b->lid_owner[lid])
			return false;
	for (uint32_t s = 0; s < b->nsw; s++)
		for (unsigned p = 1; p <= b->sw[s].nports; p++)
			if (!weft__match_cable(m, s, p))
				return false;
	return true;
}

/* Both are in the order of GUIDs. */
static void match_switches(struct weft__match *m)
{
	const struct weft_fabric *a = m->a, *b = m->b;
	uint32_t was = 0;

	for (uint32_t s = 0; s < b->nsw; s++) {
		while (was < a->nsw && a->sw[was].guid < b->sw[s].guid)
			was++;
		m->sw[s] = was < a->nsw && a->sw[was].guid == b->sw[s].guid ?
			was : WEFT_NONE;
	}
}

static void match_endports(struct weft__match *m)
{
	const struct weft_fabric *a = m->a, *b = m->b;
	uint32_t was = 0;

	for (uint32_t e = 0; e < b->nep; e++) {
		uint32_t plane;

		while (was < a->nep && a->ep[was].guid < b->ep[e].guid)
			was++;
		plane = was;
		while (plane < a->nep && a->ep[plane].guid == b->ep[e].guid &&
		       a->ep[plane].port != b->ep[e].port)
			plane++;
		if (plane == a->nep || a->ep[plane].guid != b->ep[e].guid)
			plane = was;
		m->ep[e] = plane < a->nep &&
			   a->ep[plane].guid == b->ep[e].guid ?
			plane : WEFT_NONE;
	}
}

int weft__match_make(struct weft__match *m, const struct weft_fabric *a,
		     const struct weft_fabric *b)
{
	*m = (struct weft__match){
		.a = a, .b = b,
		.sw = malloc((b->nsw + 1ull) * sizeof(*m->sw)),
		.ep = malloc((b->nep + 1ull) * sizeof(*m->ep)),
	};
	if (!m->sw || !m->ep) {
		weft__match_free(m);
		return -ENOMEM;
	}
	match_switches(m);
	match_endports(m);
	m->equal = equal_ids(m);
	return 0;
}

void weft__match_free(struct weft__match *m)
{
	free(m->sw);
	free(m->ep);
	*m = (struct weft__match){ .a = NULL };
}
