/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles of the channel-dependency graph, for people to read. */
#ifndef WEFT_PROOF_CYCLE_H
#define WEFT_PROOF_CYCLE_H

#include "graph/cdg.h"

#include <weft/proof.h>

/*
 * Finds a shortest cycle, or a short one, of each component, in their order;
 * see weft/proof.h. *out is malloc()ed, as are the arrays in it. -ENOMEM.
 */
int weft__cdg_cycles(const struct weft__cdg *g, const struct weft__knots *knots,
		     struct weft_cycle **out);
void weft__cycles_free(struct weft_cycle *cycle, uint32_t n);

#endif
