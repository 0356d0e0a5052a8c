// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * LIDs that are missing, out of range or taken: found here, where the line is
 * known, and taken away, so that the fabric's own check has nothing to say.
 * Of two claimants the one that comes first in the fabric's order (switches,
 * then endports, by GUID) keeps the LID.
 */
#include "io/topology/topology.h"

#include <stdlib.h>

struct holder {
	uint64_t guid, guid2;	/* of the port and its node */
	struct weft_port_spec *port;
	uint32_t lid;		/* as the file has it */
	uint8_t number;		/* of the port */
	bool endport;
};

static int compare_holders(const void *pa, const void *pb)
{
	const struct holder *a = pa, *b = pb;

	if (a->endport != b->endport)
		return a->endport - b->endport;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->guid2 != b->guid2)
		return a->guid2 < b->guid2 ? -1 : 1;
	return a->number - b->number;
}

/* Whether a port has a LID in the fabric that is built: port 0 of a switch, a
 * cabled port of anything else. */
static bool addressable(const struct weft_node_spec *s,
			const struct weft_port_spec *p, unsigned port)
{
	return s->type == WEFT_NODE_SWITCH ? !port : p->peer != WEFT_NONE;
}

/* All of them; NULL without memory. */
static struct holder *collect(struct weft_builder *b, uint32_t *n)
{
	uint32_t nodes = weft_builder_count(b);
	uint64_t ports = 0;
	struct holder *h;

	for (uint32_t i = 0; i < nodes; i++) {
		const struct weft_node_spec *s = weft_builder_spec(b, i);

		ports += s->type == WEFT_NODE_SWITCH ? 1 : s->nports;
	}
	*n = 0;
	h = malloc((ports + 1) * sizeof(*h));
	for (uint32_t i = 0; h && i < nodes; i++) {
		const struct weft_node_spec *s = weft_builder_spec(b, i);
		bool sw = s->type == WEFT_NODE_SWITCH;
		unsigned last = sw ? 0 : s->nports;

		for (unsigned port = !sw; port <= last; port++) {
			struct weft_port_spec *p = weft_builder_port(b, i,
								     port);

			if (addressable(s, p, port))
				h[(*n)++] = (struct holder){
					.guid = sw ? s->guid : p->guid,
					.guid2 = s->guid, .port = p,
					.lid = p->lid, .endport = !sw,
					.number = (uint8_t)port,
				};
		}
	}
	return h;
}

/* Marks the LIDs of a port; false when one of them is taken. */
static bool take(uint8_t *taken, uint32_t lid, unsigned lmc)
{
	for (uint32_t i = lid; i < lid + (1u << lmc); i++)
		if (taken[i])
			return false;
	memset(taken + lid, 1, 1u << lmc);
	return true;
}

/* The planes of an adapter are ports with one GUID and one LID. */
static bool same_plane(const struct holder *a, const struct holder *b)
{
	return a->guid == b->guid && a->guid2 == b->guid2 && a->lid == b->lid;
}

static void check(struct weft__topology *t, struct weft_port_spec *p,
		  uint8_t *taken)
{
	if (!p->lid) {
		if (!t->no_lids)
			weft__topology_note(t, WEFT__NO_LID, p->line);
		return;
	}
	if (p->lid > WEFT_MAX_LID ||
	    p->lid + (1u << p->lmc) - 1 > WEFT_MAX_LID)
		weft__topology_note(t, WEFT__BAD_LID, p->line);
	else if (!take(taken, p->lid, p->lmc))
		weft__topology_note(t, WEFT__SAME_LID, p->line);
	else
		return;
	p->lid = 0;
}

int weft__topology_check_lids(struct weft__topology *t)
{
	uint8_t *taken = calloc(WEFT_MAX_LID + 1, 1);
	struct holder *h;
	uint32_t n;

	if (!taken)
		return weft_no_memory(t->diag);
	h = collect(t->builder, &n);
	if (!h) {
		free(taken);
		return weft_no_memory(t->diag);
	}
	qsort(h, n, sizeof(*h), compare_holders);
	for (uint32_t i = 0; i < n; i++) {
		if (i && h[i].lid && same_plane(&h[i], &h[i - 1])) {
			weft__topology_note(t, WEFT__PLANE_LID,
					    h[i].port->line);
			h[i].port->lid = 0;
		} else {
			check(t, h[i].port, taken);
		}
	}
	free(h);
	free(taken);
	return 0;
}
