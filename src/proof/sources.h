/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Groups of sources whose traffic takes the same way.
 *
 * All endports on a switch take the same route to a LID, so that they are
 * counted, not walked.  Where SL2VL tables tell input ports apart, they are
 * grouped by input ports with equal tables.
 */
#ifndef WEFT_PROOF_SOURCES_H
#define WEFT_PROOF_SOURCES_H

#include "proof/lanes.h"

#include <weft/proof.h>

struct weft__proof_source {
	uint32_t sw;
	uint32_t first, n;	/* endports: endport[first .. first + n - 1] */
	uint32_t hosts;		/* sources that pairs are counted of */
	uint32_t all;		/* sources that channels depend on each other
				 * by: n, and the switch itself if it is one */
	uint8_t in;		/* port by which their packets come in, or one
				 * of several that are alike */
	bool self;		/* the switch's port 0 is one of them */
};

/* Sources of one group that send with the same SL. */
struct weft__share {
	uint32_t hosts, all;
};

struct weft__sources {
	const struct weft_fabric *fabric;
	struct weft__proof_source *source;
	uint32_t n;
	uint64_t hosts;		/* sum of source[].hosts */
	uint32_t *endport;	/* [nep], grouped by source */
	bool *host;		/* [nep], in the same order: counts as host */
	uint32_t *of_endport;	/* [nep], source of each endport */
	uint32_t *of_switch;	/* [nsw], source of each port 0 */

	/* of the current LID, without its owner; only with mixed lanes */
	uint16_t *sls;		/* [n], SLs with a share */
	struct weft__share *share;	/* [16][n] */
};

/* Returns true if a vertex is one of the hosts of which pairs are counted. */
static inline bool weft__counts(const struct weft_fabric *f,
				const struct weft_proof_spec *spec,
				uint32_t vertex)
{
	if (weft_is_switch(vertex))
		return spec->switches;
	return weft_endport_is_host(&f->ep[vertex & ~WEFT_ENDPORT],
				    spec->all_hosts);
}

/* Returns the source that a vertex is part of. */
static inline uint32_t weft__source_of(const struct weft__sources *s,
				       uint32_t vertex)
{
	return weft_is_switch(vertex) ? s->of_switch[vertex] :
		s->of_endport[vertex & ~WEFT_ENDPORT];
}

/* Groups all sources, and sets lanes->endport to their order. -ENOMEM. */
int weft__sources_init(struct weft__sources *s,
		       const struct weft_fabric *fabric,
		       const struct weft_proof_spec *spec,
		       struct weft__proof_lanes *lanes,
		       struct weft_arena *scratch);

/* Distributes all sources by the SLs to a LID, without its owner, which counts
 * as a host or not. */
void weft__sources_share(struct weft__sources *s, uint32_t owner,
			 bool counted, const struct weft__sls *sls);

#endif
