/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics that have lost parts at random. */
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

#endif
