/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whose routes those to a port follow where counters leave a choice. */
#ifndef WEFT_ENGINES_FATTREE_MODELS_H
#define WEFT_ENGINES_FATTREE_MODELS_H
#include "engines/fattree/engine.h"

/* How far. */
enum weft__follow {
	WEFT__NOBODY,
	WEFT__FIRST_STEP,	/* its chain's first switch */
	WEFT__CHAIN,		/* its chain */
};

struct weft__model {
	uint32_t endport;
	enum weft__follow how;
};

/*
 * Models of all endports; rank: [nep] of a port among those of its node, below
 * ranks.  A model is of lower rank, or of the same on a switch before, so that
 * it is routed by then.  false without memory.
 * O(ranks x (endports + cables)).
 */
bool weft__models_find(const struct weft__fattree_run *run,
		       const uint32_t *rank, uint32_t ranks,
		       struct weft__model *model);

#endif
