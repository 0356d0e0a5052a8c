// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dependencies of old and new routes where SL2VL tables move packets from lane
 * to lane.  The lane on which a switch sends a packet depends on its SL and the
 * port it came in by, and either SL2VL table may be in place.
 */
#include "transition/mixture.h"

#include <string.h>

/* Returns the lanes on which switch s may send, a bit each. */
static uint16_t lanes_of(const struct weft__transit *t, uint32_t s, unsigned in,
			 unsigned out, unsigned sl)
{
	uint16_t lanes = 0;

	for (unsigned k = 0; k < 2; k++)
		lanes |= 1u << weft_layers_vl(&t->routes[k]->layers, t->fabric,
					      s, in, out, sl) %
				       WEFT_NSL;
	return lanes & ~(1u << WEFT_VL_DROP);
}

/* Notes the lanes of packets that come into s by a port, on each way on. */
static void note_lanes(const struct weft__transit *t, struct weft__mixture *m,
		       uint32_t s, unsigned in, uint16_t classes)
{
	const struct weft__fork *at = &m->fork[s];

	for (unsigned k = 0; k < at->n; k++)
		for (unsigned c = classes; c; c &= c - 1) {
			unsigned sl = __builtin_ctz(c);

			m->lanes[s * 2ull + k][sl] |=
				lanes_of(t, s, in, at->port[k], sl);
		}
}

/* The SLs of an endport's packets, a bit each: its switch has those of all its
 * endports, which come in by other ports. */
static uint16_t sls_of(const struct weft__transit *t, uint32_t ep, unsigned lid)
{
	uint16_t sls = 0;

	for (unsigned k = 0; k < 2; k++)
		sls |= 1u << weft_layers_sl(&t->routes[k]->layers, t->fabric,
					    ep | WEFT_ENDPORT, lid);
	return sls;
}

static void note_all(const struct weft__transit *t, struct weft__mixture *m,
		     unsigned lid)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t i = 0; i < m->norder; i++)
		memset(m->lanes[m->order[i] * 2ull], 0, 2 * sizeof(*m->lanes));
	for (uint32_t i = 0; i < m->norder; i++) {
		uint32_t s = m->order[i];
		const struct weft__fork *at = &m->fork[s];

		for (uint32_t e = f->sw_ep_first[s]; e < f->sw_ep_first[s + 1];
		     e++)
			note_lanes(t, m, s, f->ep[f->sw_endport[e]].sw_port,
				   sls_of(t, f->sw_endport[e], lid));
		for (unsigned k = 0; k < at->n; k++)
			note_lanes(
				t, m, at->next[k],
				f->peer_port[weft_channel(f, s, at->port[k])],
				at->classes);
	}
}

/* Adds what packets of one SL wait for that switch s sends on its k-th way, at
 * the next switch on its j-th. */
static void add_waits(struct weft__transit *t, const struct weft__mixture *m,
		      uint32_t s, unsigned k, unsigned j)
{
	const struct weft_fabric *f = t->fabric;
	const struct weft__fork *at = &m->fork[s];
	uint32_t to = at->next[k], channel = weft_channel(f, s, at->port[k]);
	unsigned port = m->fork[to].port[j];

	for (unsigned c = at->classes; c; c &= c - 1) {
		unsigned sl = __builtin_ctz(c);
		unsigned then =
			lanes_of(t, to, f->peer_port[channel], port, sl);

		for (unsigned l = m->lanes[s * 2ull + k][sl]; l; l &= l - 1)
			for (unsigned n = then; n; n &= n - 1)
				weft__cdg_add(&t->waits,
					      __builtin_ctz(l) * t->waits.nch +
						      channel,
					      __builtin_ctz(n), port);
	}
}

void weft__mixture_lanes(struct weft__transit *t, struct weft__mixture *m,
			 unsigned lid)
{
	note_all(t, m, lid);
	for (uint32_t i = 0; i < m->norder; i++) {
		uint32_t s = m->order[i];
		const struct weft__fork *at = &m->fork[s];

		for (unsigned k = 0; k < at->n; k++)
			for (unsigned j = 0; j < m->fork[at->next[k]].n; j++)
				add_waits(t, m, s, k, j);
	}
}
