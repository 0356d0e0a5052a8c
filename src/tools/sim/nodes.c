// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Nodes in a random order.
 *
 * The ports of a node stay together: where one node takes another's place, its
 * first port takes that of the other's first port and so on, so that first
 * ports go on to send to first ports where they did before.  So only nodes with
 * as many ports change places.
 */
#include "tools/sim/sim.h"

#include <stdlib.h>
#include <string.h>

/* The places of nodes, by node, in the order of the places. */
struct places {
	uint32_t *first;   /* [nodes + 1] */
	uint32_t *place;   /* [slots] */
	uint32_t *group;   /* [nodes] those with as many places */
	uint32_t *drawn;   /* [nodes] these in a random order */
	uint32_t *endport; /* [slots] as they were */
};

static void sort_places(const struct weft_fabric *f,
			const struct weft_mapping *m, struct places *p)
{
	for (uint32_t i = 0; i < m->nslots; i++)
		p->first[f->ep[m->endport[i]].node + 1]++;
	for (uint32_t n = 0; n < f->nnodes; n++)
		p->first[n + 1] += p->first[n];
	for (uint32_t i = m->nslots; i-- > 0;) {
		uint32_t *end = &p->first[f->ep[m->endport[i]].node + 1];

		p->place[--*end] = i;
	}
	/* Each first[n + 1] is where the places of n begin now. */
	memmove(p->first, p->first + 1, f->nnodes * sizeof(*p->first));
	p->first[f->nnodes] = m->nslots;
	memcpy(p->endport, m->endport, m->nslots * sizeof(*p->endport));
}

static uint32_t count_places(const struct places *p, uint32_t node)
{
	return p->first[node + 1] - p->first[node];
}

/* Has the nodes with that many places change these. */
static void shuffle_group(const struct weft_fabric *f, struct places *p,
			  uint32_t places, struct weft_rng *rng,
			  struct weft_mapping *m)
{
	uint32_t n = 0;

	for (uint32_t node = 0; node < f->nnodes; node++)
		if (count_places(p, node) == places)
			p->group[n++] = node;
	memcpy(p->drawn, p->group, n * sizeof(*p->group));
	weft_rng_shuffle(rng, p->drawn, n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < places; k++) {
			uint32_t at = p->place[p->first[p->group[i]] + k];
			uint32_t from = p->place[p->first[p->drawn[i]] + k];

			m->endport[at] = p->endport[from];
		}
}

bool tool_sim_shuffle_nodes(const struct weft_fabric *f, uint32_t seed,
			    struct weft_mapping *m)
{
	struct places p = {
		.first = calloc(f->nnodes + 1ull, sizeof(*p.first)),
		.place = malloc((m->nslots + 1ull) * sizeof(*p.place)),
		.group = malloc((f->nnodes + 1ull) * sizeof(*p.group)),
		.drawn = malloc((f->nnodes + 1ull) * sizeof(*p.drawn)),
		.endport = malloc((m->nslots + 1ull) * sizeof(*p.endport)),
	};
	struct weft_rng *rng = weft_rng_new(seed);
	bool ok = p.first && p.place && p.group && p.drawn && p.endport && rng;
	uint32_t most = 0;

	if (ok) {
		sort_places(f, m, &p);
		for (uint32_t n = 0; n < f->nnodes; n++)
			if (count_places(&p, n) > most)
				most = count_places(&p, n);
		for (uint32_t places = 1; places <= most; places++)
			shuffle_group(f, &p, places, rng, m);
	}
	weft_rng_free(rng);
	free(p.first);
	free(p.place);
	free(p.group);
	free(p.drawn);
	free(p.endport);
	return ok;
}
