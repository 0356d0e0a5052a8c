/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The worst that any permutation can do to a channel.
 */
#ifndef WEFT_WORST_H
#define WEFT_WORST_H

#include <weft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_worst_spec {
	enum weft_lid_rule lids;	/* where it leaves a choice (RANDOM,
				 * ROUND_ROBIN), the worst one counts; not
				 * ALL */
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	bool links;		/* fill in weft_worst.link */
};

/* A stream of the witness. */
struct weft_worst_stream {
	uint32_t from, to;	/* endports */
	uint16_t lid;		/* of to, that from sends to */
};

struct weft_worst {
	uint32_t load;		/* most streams on a channel; 0 if no pair of
				 * hosts uses a channel between switches */
	uint32_t channel;	/* that has them, WEFT_NONE with load 0 */
	struct weft_worst_stream *stream;	/* [load], by destination: no
				 * host sends or receives twice, and all of
				 * these go over channel */
	uint32_t hosts;
	uint32_t *link;		/* [first_injection] the most streams that a
				 * permutation puts on each channel, 0 for
				 * those to hosts; NULL unless asked for */
};

/*
 * WORST of Nienaber, Mahapatra and Yuan, exactly: for each channel between two
 * switches the largest matching between the hosts that send over it and those
 * that they reach over it.  A permutation may leave hosts out; a pair without a
 * route loads nothing.  Capacities do not count, nor do channels to hosts,
 * which a permutation loads with one stream.
 * 0 or -ENOMEM.  *out is set on success only; to be freed.
 * Time O(pairs of (switch with hosts and LID offset, destination) x hops) for
 * bounds, and again for the channels whose bound exceeds the result (with
 * links: for all), whose matchings come on top.  Memory O(channels x switches
 * with hosts / 8) and at most 256 MB for matchings, or what the largest needs.
 */
int weft_worst_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_worst_spec *spec, struct weft_worst *out,
		   struct weft_diag *diag);
void weft_worst_free(struct weft_worst *worst);	/* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
