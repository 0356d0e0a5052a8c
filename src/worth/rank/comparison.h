/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A comparison, as the files of this folder see it. */
#ifndef WEFT_COMPARE_COMPARISON_H
#define WEFT_COMPARE_COMPARISON_H

#include <weft/compare.h>

#include <limits.h>

#define WEFT__COMPARE_NONE UINT_MAX
#define WEFT__COMPARE_SLIGHT 0.005 /* of worth: smaller gains are none */

struct weft_comparison {
	struct weft_comparison_spec spec;
	struct weft_basket *basket; /* of the fabric */
	const struct weft_fabric *fabric;
	const struct weft_fabric *present_fabric;
	const struct weft_routes *present;
	struct weft_compared *row;
	unsigned nrows;
	unsigned best;	   /* row that is worth most of the sound ones */
	unsigned failures; /* judged for the last row */
	double failures_sum;
	uint64_t failed_entries;	/* and of entries that changed */
};

#endif
