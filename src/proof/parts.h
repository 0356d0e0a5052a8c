/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A proof in parts, each by a thread of its own.  Neither the findings nor the
 * examples that are kept depend on the number of parts.
 */
#ifndef WEFT_PROOF_PARTS_H
#define WEFT_PROOF_PARTS_H

#include "proof/run.h"

/*
 * Walks all destination trees in parts and adds to all sums in r and *r->out.
 * Returns false, and adds nothing, if parts do not pay, if memory is short, or
 * if the tables have a defect, which a single walk must find.
 */
bool weft__parts_walk(struct weft__proof_run *r);

/* Makes a run whose fabric, routes, spec and out are set.  Defined in
 * proof.c. */
int weft__proof_prepare(struct weft__proof_run *r, struct weft_diag *diag);
/* Proves every step-th block of 64 LIDs, from that one on. */
void weft__proof_walk(struct weft__proof_run *r, uint32_t block, uint32_t step);

#endif
