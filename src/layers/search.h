/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The search for lanes where one is not enough; see search.c. */
#ifndef WEFT_LAYERS_SEARCH_H
#define WEFT_LAYERS_SEARCH_H

#include "layers/outcome.h"

/*
 * Gives all traffic lanes, by job->traffic or by new trees in it. *out, which
 * must be empty with no root, is the result. -ENOMEM.
 */
int weft__search(struct weft__job *job, struct weft__outcome *out);

#endif
