/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Models: ports whose routes are followed where counters leave a choice. */
#ifndef WEFT_ENGINES_FATTREE_MODELS_H
#define WEFT_ENGINES_FATTREE_MODELS_H

#include "engines/fattree/engine.h"

/* The part of the model's chain that routes follow. */
enum weft__follow {
	WEFT__NOBODY,
	WEFT__FIRST_STEP,	/* its first switch */
	WEFT__CHAIN,		/* all of it */
};

struct weft__model {
	uint32_t endport;
	enum weft__follow how;
};

/*
 * Finds the models of all endports.  rank: [nep] number of a port among those
 * of its node, below ranks.  A model has a lower rank, or the same rank on an
 * earlier switch, so that it is routed before.  Returns false without memory.
 * O(ranks x (endports + cables)).
 */
bool weft__models_find(const struct weft__fattree_run *run,
		       const uint32_t *rank, uint32_t ranks,
		       struct weft__model *model);

#endif
