/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One round of streams; see weft/bound.h. */
#ifndef WEFT_WORTH_BOUND_H
#define WEFT_WORTH_BOUND_H

#include "flow/flow.h"

#include <weft/bound.h>

/* Pairs of endports, all of which send at once. */
int weft__bound_round(const struct weft_fabric *f,
		      const struct weft_bound_spec *spec,
		      const struct weft__flow_pair *pair, uint32_t n,
		      struct weft_bound *out);
/* What these streams get in the mean, the rest is not asked for. */
int weft__bound_mean(const struct weft_fabric *f,
		     const struct weft_bound_spec *spec,
		     const struct weft__flow_pair *pair, uint32_t n,
		     double *mean);

/*
 * Bounds uniform traffic, all of which has a way, where what a switch sends to a
 * LID takes one cable: whole falls to that, if that is less, and ways where hosts
 * have 2^lmc LIDs.  unit: Mbit/s that all amounts of the demand are multiples of.
 * -ENOMEM.  O(rows of the demand x channels).
 */
int weft__bound_entries(const struct weft_fabric *f,
			const struct weft__flow_demand *demand, double unit,
			unsigned lmc, struct weft_arena *arena,
			struct weft_bound *out);

/* Has spec->solve find a flow.  -ENOTSUP: it cannot. */
int weft__bound_solve(const struct weft_fabric *f,
		      const struct weft_bound_spec *spec,
		      const struct weft__flow_demand *demand, double *share);

#endif
