/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics that have lost parts at random, and what two of them share. */
#ifndef WEFT_TESTS_THINNED_H
#define WEFT_TESTS_THINNED_H

#include "../suite.h"

#include <weft/weft.h>

#include <stdlib.h>

/* Takes each part of a fabric out with that chance, in percent; of the hosts that
 * stay, one in eight has a slower cable.  Endport e comes to where place[e] was;
 * NULL: all stay where they are. */
static inline struct weft_fabric *thin_out_moved(const struct weft_fabric *f,
						 struct weft_rng *rng,
						 unsigned chance,
						 const uint32_t *place)
{
	const struct weft_rate rate = { 4, WEFT_QDR }, slow = { 4, WEFT_DDR };
	struct weft_builder *b = weft_builder_new();
	uint32_t *node = calloc(f->nsw + 1ull, sizeof(*node));
	struct weft_fabric *out = NULL;

	for (uint32_t s = 0; s < f->nsw; s++) {
		node[s] = WEFT_NONE;
		if (weft_rng_below(rng, 100) < chance)
			continue;
		node[s] = weft_builder_node(b, WEFT_NODE_SWITCH, f->sw[s].guid,
					    f->sw[s].nports);
		weft_builder_port(b, node[s], 0)->lid = f->sw[s].lid;
	}
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], s = f->peer[f->reverse[ch]];
		uint32_t to = f->peer[ch];

		if (ch < f->reverse[ch] && node[s] != WEFT_NONE &&
		    node[to] != WEFT_NONE && weft_rng_below(rng, 100) >= chance)
			weft_builder_link(b, node[s], ch - f->first_channel[s],
					  node[to], f->peer_port[ch], rate);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *at = &f->ep[place ? place[e] : e];
		uint32_t h;

		if (node[at->sw] == WEFT_NONE ||
		    weft_rng_below(rng, 100) < chance)
			continue;
		h = weft_builder_node(b, WEFT_NODE_CA, f->ep[e].guid, 1);
		weft_builder_port(b, h, 1)->lid = f->ep[e].lid;
		weft_builder_port(b, h, 1)->lmc = f->ep[e].lmc;
		/* some come back slower than they were */
		weft_builder_link(b, h, 1, node[at->sw], at->sw_port,
				  weft_rng_below(rng, 8) ? rate : slow);
	}
	ASSERT_EQ(weft_builder_finish(b, &out, NULL), 0);
	weft_builder_free(b);
	free(node);
	return out;
}

/* The same where all stay where they are. */
static inline struct weft_fabric *thin_out(const struct weft_fabric *f,
					   struct weft_rng *rng,
					   unsigned chance)
{
	return thin_out_moved(f, rng, chance, NULL);
}

/* Who a port leads to: a GUID, 0 nobody; *there: by which port. */
static inline uint64_t node_behind(const struct weft_fabric *f, uint32_t s,
				   unsigned port, unsigned *there)
{
	uint32_t channel = weft_channel(f, s, port), to = f->peer[channel];

	*there = to == WEFT_NONE ? 0 : f->peer_port[channel];
	return to == WEFT_NONE ? 0 :
		weft_is_switch(to) ? f->sw[to].guid :
		f->ep[to & ~WEFT_ENDPORT].guid;
}

/* Whether a port of a switch has the same cable in both fabrics, or port 0. */
static inline bool same_cable(const struct weft_fabric *a, uint32_t s,
			      const struct weft_fabric *b, uint32_t t,
			      unsigned port)
{
	unsigned p, q;
	uint64_t to;

	if (!port || s == WEFT_NONE || t == WEFT_NONE ||
	    port > a->sw[s].nports || port > b->sw[t].nports)
		return !port;
	to = node_behind(a, s, port, &p);
	return to && to == node_behind(b, t, port, &q) && p == q;
}

/* The switch, or the endport, of one fabric in another one; WEFT_NONE: it is not
 * there. */
static inline uint32_t switch_in(const struct weft_fabric *f, uint32_t s,
				 const struct weft_fabric *other)
{
	return weft_fabric_switch_by_guid(other, f->sw[s].guid);
}

static inline uint32_t endport_in(const struct weft_fabric *f, uint32_t e,
				  const struct weft_fabric *other)
{
	for (uint32_t i = 0; i < other->nep; i++)
		if (other->ep[i].guid == f->ep[e].guid)
			return i;
	return WEFT_NONE;
}

/* Whether somebody has a LID, and it is the same node in both. */
static inline bool same_owner(const struct weft_fabric *a,
			      const struct weft_fabric *b, unsigned lid)
{
	uint32_t owner = weft_lid_owner(a, lid), is;

	if (owner == WEFT_NONE)
		return false;
	if (weft_is_switch(owner)) {
		is = switch_in(a, owner, b);
	} else {
		is = endport_in(a, owner & ~WEFT_ENDPORT, b);
		is = is == WEFT_NONE ? is : is | WEFT_ENDPORT;
	}
	return is != WEFT_NONE && weft_lid_owner(b, lid) == is;
}

#endif
