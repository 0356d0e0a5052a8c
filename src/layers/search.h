/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lanes for what one lane does not hold; see search.c. */
#ifndef WEFT_LAYERS_SEARCH_H
#define WEFT_LAYERS_SEARCH_H
#include "layers/outcome.h"

/*
 * Gives everything a lane, by job->traffic or by new trees in it; *out, empty
 * but for its root (none), says what it came to.  -ENOMEM.
 */
int weft__search(struct weft__job *job, struct weft__outcome *out);

#endif
