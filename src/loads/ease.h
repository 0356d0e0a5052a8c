/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Eases the most loaded channels: moves entries of whole tables to other ways,
 * within the lanes that pairs have.
 */
#ifndef WEFT_LOADS_EASE_H
#define WEFT_LOADS_EASE_H

#include <weft/routes.h>

struct weft__ease_spec {
	uint64_t work;		/* to look at, in units of trees/balance.h */
	bool keep_base;		/* base LIDs stay as they are */
	/* Who is asked about the tables after each of the first falls of the peak,
	 * and in the end, and may take over the copy that it gets; NULL: nobody.
	 * Easing ends with what it returns, unless that is 0. */
	int (*ask)(void *whom, struct weft_routes *copy);
	void *whom;
	unsigned falls;		/* so many first ones */
	uint64_t asking;	/* what an answer counts for, as work */
};

struct weft__eased {
	uint64_t moved;		/* entries */
	uint64_t looked;	/* at what, in these units */
	bool cut;		/* work did not last to the end */
};

/* Returns what finding the loads looks at: with less, nothing is moved. */
uint64_t weft__ease_least(const struct weft_fabric *fabric);

/*
 * Moves entries of endports' LIDs while that lowers the price of all-to-all
 * traffic over all LIDs, as long as work lasts.  Ways become longer up to one
 * cable more than the shortest have, not beyond.  The tables stay whole, and free
 * of credit loops within the lanes of their layers, for all traffic that they
 * were free of them for.  Tables whose service levels are other lanes on other
 * cables are left alone, and so are those that host links bound.  Returns 0,
 * -ENOMEM, or what ask() did.  O(switches x LIDs) to begin with, O(LIDs of a round
 * x switches) for a round.
 */
int weft__ease(const struct weft_fabric *fabric, struct weft_routes *routes,
	       const struct weft__ease_spec *spec, struct weft__eased *out);

#endif
