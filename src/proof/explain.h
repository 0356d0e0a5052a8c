/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The traffic that closes credit loops, and the routes whose move opens
 * them. */
#ifndef WEFT_PROOF_EXPLAIN_H
#define WEFT_PROOF_EXPLAIN_H

#include "proof/run.h"

/* Fills in the traffic of r->out->cycle[], one cycle of each of the knots, and
 * r->out->remedy. -ENOMEM. */
int weft__explain(struct weft__proof_run *r, const struct weft__knots *knots);

#endif
