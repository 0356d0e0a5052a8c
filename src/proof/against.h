/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files that compare a fabric with its plan share. */
#ifndef WEFT_PROOF_AGAINST_H
#define WEFT_PROOF_AGAINST_H

#include <weft/against.h>

struct weft__against {
	const struct weft_fabric *plan, *fabric;
	bool any_port;
	uint32_t *to_fabric, *to_plan; /* by device; WEFT_NONE: not there */
	struct weft_against *out;
};

/* Adds a difference, all zero but for its kind. */
struct weft_difference *weft__against_add(struct weft__against *a,
					  enum weft_difference_kind kind);

/* Compares the cables of devices that are in both.  Returns 0 or -ENOMEM. */
int weft__against_cables(struct weft__against *a);

#endif
