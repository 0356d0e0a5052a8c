/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The most loaded channels between switches, and whose traffic they carry. */
#ifndef WEFT_REPORT_HOTTEST_H
#define WEFT_REPORT_HOTTEST_H

#include <weft/proof.h>

#define WEFT__HOT_SWITCHES 3 /* that are told, and */
#define WEFT__HOT_HOSTS 3    /* hosts, where there are no more */

/* A switch whose hosts send, or are sent to, over a channel. */
struct weft__hot_switch {
	uint32_t sw;
	uint64_t routes;
};

struct weft__hot {
	uint32_t channel;
	uint64_t routes;    /* under all-to-all, those that arrive */
	uint32_t senders;   /* hosts that send over it */
	uint32_t receivers; /* hosts that are sent to */
	/* The first of either, endports by id. */
	uint32_t sender[WEFT__HOT_HOSTS], receiver[WEFT__HOT_HOSTS];
	/* Switches of the most routes, most first; 0 routes: none left. */
	struct weft__hot_switch from[WEFT__HOT_SWITCHES];
	struct weft__hot_switch to[WEFT__HOT_SWITCHES];
};

struct weft__hottest {
	struct weft__hot *hot; /* [n] */
	uint32_t n;
};

/*
 * The channels with the most routes for their capacity, at most that many; ties
 * by channel.  proof has loads.  0 or -ENOMEM.
 * O(most x LIDs over the channel x switches).
 */
int weft__hottest_find(const struct weft_fabric *f,
		       const struct weft_routes *routes,
		       const struct weft_proof *proof, bool all_hosts,
		       uint32_t most, struct weft__hottest *out);
void weft__hottest_free(struct weft__hottest *h); /* zeroed is fine */

#endif
