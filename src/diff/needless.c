// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Needless entries: those that changed although the route by the old one still
 * arrives, over cables that are still there.
 */
#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum fate { UNKNOWN, PENDING, ARRIVES, FAILS };

struct walk {
	const struct weft__match *m;
	const struct weft_lft *a;
	unsigned lid;
	uint8_t *fate;		/* [nsw] of B */
	uint32_t *stack;	/* [nsw] */
};

/* The switch that a switch of B sent to in A, by a cable that is still there;
 * WEFT_NONE: there is none. */
static uint32_t old_next(const struct walk *w, uint32_t s)
{
	const struct weft__match *m = w->m;
	uint32_t was = m->sw[s], to;
	unsigned port;

	if (was == WEFT_NONE)
		return WEFT_NONE;
	port = weft_lft_get(w->a, was, w->lid);
	if (!port || port > m->b->sw[s].nports ||
	    port > m->a->sw[was].nports || !weft__match_cable(m, s, port))
		return WEFT_NONE;
	to = m->b->peer[weft_channel(m->b, s, port)];
	return weft_is_switch(to) ? to : WEFT_NONE;
}

static void follow(struct walk *w, uint32_t s)
{
	enum fate fate;
	uint32_t n = 0;

	for (; s != WEFT_NONE && w->fate[s] == UNKNOWN; s = old_next(w, s)) {
		w->fate[s] = PENDING;
		w->stack[n++] = s;
	}
	fate = s != WEFT_NONE && w->fate[s] == ARRIVES ? ARRIVES : FAILS;
	while (n)
		w->fate[w->stack[--n]] = fate;
}

/* Whether the switch of an endport is the same one in both. */
static bool is_there(const struct weft__match *m, uint32_t owner)
{
	uint32_t s = weft_vertex_switch(m->b, owner);
	uint32_t was = weft_is_switch(owner) ? m->sw[s] :
		m->a->ep[m->ep[owner & ~WEFT_ENDPORT]].sw;

	return m->sw[s] == was;
}

int weft__diff_needless(const struct weft__match *m, const struct weft_lft *a,
			const struct weft_lft *b, struct weft_diff *out)
{
	uint32_t nsw = m->b->nsw;
	struct walk w = {
		.m = m, .a = a, .fate = malloc(nsw + 1ull),
		.stack = malloc((nsw + 1ull) * sizeof(*w.stack)),
	};
	bool ok = w.fate && w.stack;

	for (w.lid = 1; ok && w.lid <= m->b->max_lid; w.lid++) {
		uint32_t owner = weft_lid_owner(m->b, w.lid), root;

		if (!weft__match_lid(m, w.lid) || !is_there(m, owner))
			continue;
		root = weft_vertex_switch(m->b, owner);
		memset(w.fate, UNKNOWN, nsw);
		w.fate[root] = ARRIVES;
		for (uint32_t s = 0; s < nsw; s++) {
			if (s == root || m->sw[s] == WEFT_NONE ||
			    weft_lft_get(a, m->sw[s], w.lid) ==
				    weft_lft_get(b, s, w.lid))
				continue;
			follow(&w, s);
			out->needless += w.fate[s] == ARRIVES;
		}
	}
	free(w.fate);
	free(w.stack);
	return ok ? 0 : -ENOMEM;
}
