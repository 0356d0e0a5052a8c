/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a fabric cannot lose: switches and cables without which hosts are in
 * different parts, whatever the routes.
 */
#ifndef WEFT_REPORT_CUTS_H
#define WEFT_REPORT_CUTS_H

#include <weft/fabric.h>

/* A switch, or a channel of a cable, that joins hosts that nothing else
 * does. */
struct weft__cut {
	uint32_t id;
	uint32_t hosts; /* that the largest of the parts left does not
			 * have; those on the switch itself not
			 * counted */
};

struct weft__cuts {
	struct weft__cut *sw;	 /* [nsw], most hosts first, then by id */
	struct weft__cut *cable; /* [ncables], likewise */
	uint32_t nsw, ncables;
	uint32_t single;  /* hosts (nodes) with one cabled port */
	uint32_t homes;	  /* switches with such hosts */
	uint32_t crowded; /* that with most of them; WEFT_NONE = none */
	uint32_t crowd;	  /* how many it has */
};

/* 0 or -ENOMEM.  O(switches + cables + hosts), and sorting. */
int weft__cuts_find(const struct weft_fabric *f, bool all_hosts,
		    struct weft__cuts *out);
void weft__cuts_free(struct weft__cuts *c); /* zeroed is fine */

#endif
