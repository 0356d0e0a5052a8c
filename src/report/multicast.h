/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is told of multicast tables, of pages and by programs. */
#ifndef WEFT_REPORT_MULTICAST_H
#define WEFT_REPORT_MULTICAST_H

#include "report/report.h"

#include <weft/multicast.h>

/* The step to take where groups are no trees. */
#define WEFT__MULTICAST_STEP \
	"have the subnet manager sweep, so that it makes multicast trees anew"

/* What is wrong with a group, in words. */
void weft__multicast_words(const struct weft_fabric *f,
			   const struct weft_multicast_group *group,
			   const struct weft__report_names *names, char *buf,
			   size_t size);

/* The channel of the highest load below that of another one, or of the same and
 * behind it; last WEFT_NONE: the highest of all.  WEFT_NONE: there is none with
 * any.  O(channels). */
uint32_t weft__multicast_next(const struct weft_fabric *f,
			      const struct weft_multicast_verdict *v,
			      uint32_t last);

/* Sums over all groups. */
struct weft__multicast_sums {
	uint32_t fewest, most;	/* members of a group */
	uint64_t circles, pieces, lost;	/* cables too many; pieces besides the
					 * first of each; pairs that do not hear
					 * each other */
	uint64_t one_way;
};
struct weft__multicast_sums
weft__multicast_sum(const struct weft_multicast_verdict *v);

#endif
