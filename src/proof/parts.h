/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A proof in parts, each by a thread of its own: what is found wrong, and which
 * examples of it are kept, does not depend on their number.
 */
#ifndef WEFT_PROOF_PARTS_H
#define WEFT_PROOF_PARTS_H
#include "proof/run.h"

/*
 * Walks all destination trees in parts and adds to everything in r and *r->out.
 * False, and nothing added, where it does not pay, where memory is short or
 * where something is wrong with the tables: a single walk is to find it.
 */
bool weft__parts_walk(struct weft__proof_run *r);

/* Of proof.c: makes a run whose fabric, routes, spec and out are set. */
int weft__proof_prepare(struct weft__proof_run *r, struct weft_diag *diag);
/* Every step-th block of 64 LIDs, from that one on. */
void weft__proof_walk(struct weft__proof_run *r, uint32_t block, uint32_t step);

#endif
