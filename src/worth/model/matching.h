/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The largest matching between destinations and sources in groups.
 *
 * All sources of a group reach the same destinations, so that a group is one
 * vertex that may be matched as often as it has members.
 */
#ifndef WEFT_MODEL_MATCHING_H
#define WEFT_MODEL_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

/* Says that the sources of a group reach a destination. */
struct weft__reach {
	uint32_t dest, group;
};

struct weft__matching {
	uint32_t ngroups;
	const uint32_t *size;	/* [ngroups] */
	uint32_t *left;		/* [ngroups] members not matched yet */
	uint32_t *seen;		/* [ngroups] last search that met it; DEAD */
	uint32_t *from;		/* [ngroups] destination that led to it */
	uint32_t *head;		/* [ngroups] first destination matched */
	uint32_t *queue;	/* [ngroups] */

	uint32_t capacity;	/* destinations there is room for */
	uint64_t *first;	/* [capacity + 1] entries of a destination */
	uint32_t *dest;		/* [capacity] the destination */
	uint32_t *group;	/* [capacity] its group, or WEFT_NONE */
	uint32_t *next;		/* [capacity] next one matched to that group */

	uint32_t ndest;
	const struct weft__reach *reach;
};

/* Returns 0 or -ENOMEM. size[] must outlive the matching. */
int weft__matching_init(struct weft__matching *m, uint32_t ngroups,
			const uint32_t *size, uint32_t max_dests);
void weft__matching_free(struct weft__matching *m);	/* a zeroed one is
							 * fine */

/*
 * Returns the size of a largest matching.  The n entries of reach[] must be
 * grouped by destination; they may repeat. enough: no matching is larger, so
 * that the search may end there.  Afterwards group[i] is the group that
 * destination dest[i], i < ndest, is matched to, or WEFT_NONE.  Time O(n +
 * augmentations x (groups + entries that they touch)).
 */
uint32_t weft__matching_run(struct weft__matching *m,
			    const struct weft__reach *reach, uint64_t n,
			    uint32_t enough);

#endif
