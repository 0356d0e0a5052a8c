/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What an engine makes of a fabric in which parts have failed. */
#ifndef WEFT_FAULTS_REROUTE_H
#define WEFT_FAULTS_REROUTE_H

#include "faults/loss.h"

/* Whether anything routes what is left. */
static inline bool weft__reroutes(const struct weft_faults_spec *spec)
{
	return spec->engine || spec->mend;
}

/*
 * Routes what is left anew and compares with the routes before.  An engine that
 * refuses is no error: out->refused, malloc()ed, says why.  0 or -ENOMEM.
 */
int weft__reroute(const struct weft__down *down,
		  const struct weft_routes *before,
		  const struct weft_faults_spec *spec,
		  struct weft_fault_rerouted *out);

#endif
