/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Those who judge failures. */
#ifndef WEFT_FAULTS_RUN_H
#define WEFT_FAULTS_RUN_H

#include "faults/loss.h"
#include "faults/reroute.h"

struct weft__faults_run {
	const struct weft_routes *routes;
	const struct weft_faults_spec *spec;
	struct weft__flows flows;
	struct weft__judge *judge; /* [threads] */
	unsigned threads;
};

/* Prepares as many judges as spec asks for, within that limit.  0, -ENOMEM or
 * -EFBIG; must be ended in any case. */
int weft__faults_begin(struct weft__faults_run *r,
		       const struct weft_fabric *fabric,
		       const struct weft_routes *routes,
		       const struct weft_faults_spec *spec, uint32_t most);
void weft__faults_end(struct weft__faults_run *r);

/* Judges one set by the judge of a thread.  0 or -ENOMEM. */
int weft__faults_judge(struct weft__faults_run *r, unsigned thread,
		       const uint32_t *part, uint32_t n, bool reroute,
		       struct weft_fault *out);

#endif
