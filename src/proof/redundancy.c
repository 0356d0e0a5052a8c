// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds single points of failure of machines with several ports; see
 * weft/redundancy.h. */
#include "core/arena.h"
#include "core/grow.h"
#include "graph/depth.h"
#include "graph/entries.h"

#include <weft/redundancy.h>

#include <errno.h>
#include <stdlib.h>

#define ARRIVED (WEFT_NONE - 1)

struct search {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	struct weft_redundancy *out;
	size_t room;		/* entries that out->weak has room for */
	struct weft__depth depth;
	uint8_t *has_host;	/* [nsw] */

	/* Of the machine that is looked at: */
	uint32_t *leaf;		/* [nports] switches of the ports with a LID */
	uint32_t nports;
	uint32_t *next;		/* [nports][nsw] where each switch sends to a port:
				 * a switch, ARRIVED or WEFT_NONE */
	uint32_t *sources;	/* [nsw] that depend on a switch, */
	uint32_t *needless;	/* [nsw] and those of them that need not */

	/* Of the switch whose routes are followed: */
	uint32_t *met;		/* [nsw] ports whose route passes it */
	uint32_t *touched;	/* [nsw] switches that a route passes */
};

/* Returns where a switch sends to a LID. */
static uint32_t next_of(const struct search *w, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = w->f;
	uint8_t port = weft_lft_get(w->lft, s, lid);
	uint32_t peer;

	if (!port || port > f->sw[s].nports)
		return WEFT_NONE;
	peer = f->peer[weft_channel(f, s, port)];
	if (peer == WEFT_NONE || weft_is_switch(peer))
		return peer;
	return peer == weft_lid_owner(f, lid) ? ARRIVED : WEFT_NONE;
}

/* Reads the entries for all ports of a machine. */
static void read_ports(struct search *w, uint32_t machine)
{
	const struct weft_fabric *f = w->f;

	w->nports = 0;
	for (uint32_t i = f->machine_first[machine];
	     i < f->machine_first[machine + 1]; i++) {
		const struct weft_endport *ep = &f->ep[f->machine_endport[i]];
		uint32_t *next = w->next + (size_t)w->nports * f->nsw;

		if (!ep->lid)
			continue;
		w->leaf[w->nports++] = ep->sw;
		for (uint32_t s = 0; s < f->nsw; s++)
			next[s] = next_of(w, s, ep->lid);
	}
}

/* Whether the route from s arrives. */
static bool arrives(const struct search *w, const uint32_t *next, uint32_t s)
{
	for (uint32_t n = 0; n <= w->f->nsw; n++) {
		if (next[s] == ARRIVED)
			return true;
		if (next[s] == WEFT_NONE)
			return false;
		s = next[s];
	}
	return false;
}

/* Counts a port for every switch on its route from s, but s itself.  Returns
 * true if the route arrives. */
static bool count_switches(struct search *w, const uint32_t *next, uint32_t s,
			   uint32_t *n)
{
	if (!arrives(w, next, s))
		return false;
	for (s = next[s]; s != ARRIVED; s = next[s])
		if (!w->met[s]++)
			w->touched[(*n)++] = s;
	return true;
}

/* Whether cables lead from s to a machine without switch sw. */
static bool leads_around(const struct search *w, uint32_t sw, uint32_t s)
{
	for (uint32_t i = 0; i < w->nports; i++)
		if (w->leaf[i] != sw &&
		    !weft__depth_parts(&w->depth, sw, s, w->leaf[i]))
			return true;
	return false;
}

/* Counts the switches that all routes from s to the machine pass. */
static void examine_source(struct search *w, uint32_t s)
{
	uint32_t touched = 0, arrived = 0;
	bool local = false;

	for (uint32_t i = 0; i < w->nports; i++) {
		local |= w->leaf[i] == s;
		arrived += count_switches(w, w->next + (size_t)i * w->f->nsw, s,
					  &touched);
	}
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t t = w->touched[i];

		if (!local && w->met[t] == arrived) {
			w->sources[t]++;
			w->needless[t] += leads_around(w, t, s);
		}
		w->met[t] = 0;
	}
}

static bool add_weak(struct search *w, struct weft_weak weak)
{
	struct weft_redundancy *out = w->out;

	if (weft__grow(&out->weak, &w->room, out->n + 1ull))
		return false;
	out->weak[out->n++] = weak;
	return true;
}

static bool examine_machine(struct search *w, uint32_t machine)
{
	bool weak = false, needless = false;

	w->out->several++;
	read_ports(w, machine);
	for (uint32_t s = 0; s < w->f->nsw; s++)
		if (w->has_host[s])
			examine_source(w, s);
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		const struct weft_weak found = {
			.machine = machine, .sw = s,
			.sources = w->sources[s], .needless = w->needless[s],
		};

		if (found.sources && !add_weak(w, found))
			return false;
		weak |= found.sources > 0;
		needless |= found.needless > 0;
		w->sources[s] = w->needless[s] = 0;
	}
	w->out->weak_machines += weak;
	w->out->needless_machines += needless;
	return true;
}

static bool find_weak(struct search *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST)
			w->has_host[f->ep[e].sw] = 1;
	for (uint32_t m = 0; m < f->nmachines; m++) {
		const uint32_t *first = &f->machine_first[m];

		if (first[0] == first[1]) {
			w->out->single++;	/* of no cable */
			continue;
		}
		if (f->ep[f->machine_endport[first[0]]].kind != WEFT_HOST)
			continue;
		if (first[1] - first[0] < 2)
			w->out->single++;
		else if (!examine_machine(w, m))
			return false;
	}
	return true;
}

static bool make_room(struct search *w, struct weft_arena *arena)
{
	size_t n = w->f->nsw + 1ull, ports = weft__most_ports(w->f) + 1ull;

	w->has_host = weft__arena_zalloc(arena, n, 1);
	w->leaf = weft__arena_alloc(arena, ports, sizeof(*w->leaf));
	w->next = weft__arena_alloc(arena, ports * n, sizeof(*w->next));
	w->sources = weft__arena_zalloc(arena, n, sizeof(*w->sources));
	w->needless = weft__arena_zalloc(arena, n, sizeof(*w->needless));
	w->met = weft__arena_zalloc(arena, n, sizeof(*w->met));
	w->touched = weft__arena_alloc(arena, n, sizeof(*w->touched));
	return weft__depth_init(&w->depth, w->f, arena) &&
	       !weft__arena_failed(arena);
}

int weft_redundancy_find(const struct weft_fabric *f,
			  const struct weft_lft *lft,
			  struct weft_redundancy *out)
{
	struct weft_redundancy r = { 0 };
	struct search w = { .f = f, .lft = lft, .out = &r };
	struct weft_arena *arena = weft__arena_new();
	bool good = arena && make_room(&w, arena) && find_weak(&w);

	weft__arena_free(arena);
	if (!good) {
		weft_redundancy_free(&r);
		return -ENOMEM;
	}
	*out = r;
	return 0;
}

void weft_redundancy_free(struct weft_redundancy *r)
{
	free(r->weak);
	*r = (struct weft_redundancy){ 0 };
}
