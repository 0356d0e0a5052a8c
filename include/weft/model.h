/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The static congestion model: streams over fixed routes.
 *
 * A stream gets the bandwidth of a link divided by the largest number of
 * streams on any channel of its route (Hoefler, Schneider, Lumsdaine, CLUSTER
 * 2008 and HOTI 2009).  Channels between a host and its switch are not counted:
 * in a bisection every host is in one stream.
 */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include <weft/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_ebb_spec {
	uint64_t patterns;	/* random bisections, >= 1 */
	uint32_t seed;		/* pattern i depends on (seed, i) alone */
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	unsigned threads;	/* 0 = OpenMP's choice; no influence on the
				 * result */
	/* Called now and then from one thread; may be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
};

#define WEFT_MAX_CONGESTION 255	/* histogram bins; the last one is "more" */
#define WEFT_EBB_BINS 100

struct weft_ebb {
	double mean;		/* share of full bandwidth, 0..1 */
	double stddev;		/* of the patterns' means */
	double ci99;		/* half width of the 99 % interval of the mean
				 * (Student's t); 1 = unknown, one pattern */
	double min, max;	/* worst and best pattern */
	uint64_t patterns;
	uint32_t seed;
	uint32_t hosts;		/* that took part; one sits out if odd */
	uint64_t streams;	/* all streams of all patterns */
	uint64_t lost;		/* streams without a route: bandwidth 0 */
	/* Streams by the largest congestion on their route;
	 * congestion[0] = lost. */
	uint64_t congestion[WEFT_MAX_CONGESTION + 1];
	/* Patterns by their mean: bin i holds i/100 <= mean < (i+1)/100, the
	 * last one 1.0, too. */
	uint64_t bandwidth[WEFT_EBB_BINS];
};

/*
 * Effective bisection bandwidth: hosts are split at random into two halves and
 * paired; each host of the first half sends to its partner.  The paper's
 * Lambda(G, R) as a share of full bandwidth.  A stream within one switch has
 * full bandwidth.  A stream without a route loads no channel.  Endports with an
 * LMC are reached by their base LID.
 * -EINVAL with fewer than two hosts or no pattern; -ENOMEM.
 * Time O(hosts x switches) once, then O(hosts x hops + channels) per pattern.
 */
int weft_ebb_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_ebb_spec *spec, struct weft_ebb *out,
		 struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
