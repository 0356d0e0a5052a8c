// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which buffer waits for which, by following every pair of hosts on old and on new
 * routes: slow, and nothing of what mends tables is used.
 */
#include "churn.h"

#include <stdlib.h>

#define LANES 16

struct waits {
	uint8_t *waits;	/* [nch x LANES][WEFT_MAX_PORTS][LANES / 8]: for the
			 * port of the next switch, and its lane */
	uint8_t *state;	/* [nch x LANES] of the search */
};

enum { UNSEEN, OPEN, DONE };

static uint8_t *place(struct waits *w, uint32_t buffer, unsigned port)
{
	return w->waits + ((size_t)buffer * WEFT_MAX_PORTS + port) *
				  (LANES / 8);
}

/* Follows a route to its end, noting what waits; tells whether it arrives. */
static bool follow(struct waits *w, const struct weft_fabric *f,
		   const struct weft_routes *r, uint32_t from, unsigned lid,
		   bool note)
{
	uint32_t s = f->ep[from].sw, last = WEFT_NONE;
	unsigned in = f->ep[from].sw_port;
	unsigned sl = weft_layers_sl(&r->layers, f, from | WEFT_ENDPORT, lid);

	for (uint32_t hops = 0; hops < f->nsw; hops++) {
		unsigned port = weft_lft_get(&r->lft, s, lid), vl;
		uint32_t ch;

		if (!port || port > f->sw[s].nports)
			return false;
		ch = weft_channel(f, s, port);
		if (!weft_is_switch(f->peer[ch]))
			return f->peer[ch] == weft_lid_owner(f, lid);
		vl = weft_layers_vl(&r->layers, f, s, in, port, sl);
		if (vl >= LANES)
			return false;
		if (note && last != WEFT_NONE)
			place(w, last, port)[vl / 8] |= 1u << vl % 8;
		last = ch * LANES + vl;
		s = f->peer[ch];
		in = f->peer_port[ch];
	}
	return false;
}

static void add(struct waits *w, const struct weft_fabric *f,
		const struct weft_routes *r)
{
	for (uint32_t to = 0; to < f->nep; to++)
		for (uint32_t from = 0; from < f->nep; from++)
			if (from != to && f->ep[to].lid &&
			    follow(w, f, r, from, f->ep[to].lid, false))
				follow(w, f, r, from, f->ep[to].lid, true);
}

/* Searches from a buffer; as deep as channels are many at most. */
static bool is_in_circle(struct waits *w, const struct weft_fabric *f,
			 uint32_t buffer)
{
	uint32_t s = f->peer[buffer / LANES];

	w->state[buffer] = OPEN;
	for (unsigned port = 1; port <= f->sw[s].nports; port++) {
		const uint8_t *lanes = place(w, buffer, port);

		for (unsigned vl = 0; vl < LANES; vl++) {
			uint32_t next = weft_channel(f, s, port) * LANES + vl;

			if (lanes[vl / 8] >> vl % 8 & 1 &&
			    (w->state[next] == OPEN ||
			     (w->state[next] == UNSEEN &&
			      is_in_circle(w, f, next))))
				return true;
		}
	}
	w->state[buffer] = DONE;
	return false;
}

bool churn_waits_in_circle(const struct world *world, const struct state *was,
			   const struct state *now)
{
	/* ids are the same, whatever is out */
	const struct weft_fabric *f = world->home_fabric;
	struct waits w = { .waits = NULL };
	uint32_t nbuffers = f->nch * LANES;
	bool circle = false;

	w.waits = calloc((size_t)nbuffers * WEFT_MAX_PORTS, LANES / 8);
	w.state = calloc(nbuffers, 1);
	if (!w.waits || !w.state)
		churn_die("no memory");
	add(&w, now->fabric, &was->routes);
	add(&w, now->fabric, &now->routes);
	for (uint32_t b = 0; b < nbuffers && !circle; b++)
		circle = w.state[b] == UNSEEN &&
			 weft_is_switch(f->peer[b / LANES]) &&
			 is_in_circle(&w, f, b);
	free(w.waits);
	free(w.state);
	return circle;
}
