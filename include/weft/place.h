/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Placement: which hosts a job gets, and in which order its ranks stand on
 * them, so that its traffic meets least.
 *
 * Hosts are places of as many ranks each, one on each of its adapters.  By the
 * model of weft/model.h, channels at hosts included, a round of a pattern takes
 * as long as its most congested stream; an order is the better the less time
 * all rounds take, with channels at hosts and then without, and among equals the
 * less streams share channels, and the fewer switches hosts are on.  Streams of
 * others take their part of channels that the job uses.
 */
#ifndef WEFT_PLACE_H
#define WEFT_PLACE_H

#include <weft/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_place_spec {
	const struct weft_traffic *traffic;	/* of hosts x width ranks; not
						 * one that is fair */
	const uint32_t *endport;	/* [nplaces x width] hosts that may be
					 * taken, in the order that is compared
					 * with; each once */
	uint32_t nplaces;
	uint32_t width;		/* ranks of a host, >= 1 */
	const struct weft_beside *beside;	/* that others send meanwhile,
						 * on no host that may be
						 * taken; NULL: nothing */
	uint32_t rounds;	/* that the search goes by, 0 = 64; patterns
				 * with more are sampled */
	uint64_t moves;		/* that are tried; 0 = by the size of the
				 * problem */
	double seconds;		/* > 0: as many as that time allows instead, so
				 * that results differ from run to run */
	uint32_t seed;
	unsigned threads;	/* 0 = OpenMP's choice; no influence on the
				 * result, unless seconds are given */
	/* Called now and then; may be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
};

/* What an order is worth, shares of full bandwidth. */
struct weft_place_worth {
	double lower;		/* all wait for the slowest: WEFT_LOWER */
	double between;		/* the same between switches alone */
	double streams;		/* mean of the streams */
	double slowest;		/* stream of all rounds */
	double beside;		/* mean of the streams of others; 1 without
				 * any */
	uint64_t lost;		/* streams without a route */
	uint32_t leaves;	/* switches that hosts in use are on */
};

struct weft_placement {
	uint32_t n;		/* hosts in use */
	uint32_t *place;	/* [n] the place of each, in the order of their
				 * ranks */
	struct weft_place_worth given, found;	/* the first n places as they
						 * were given; this */
	bool exact;		/* none is better: all orders were tried, or no
				 * stream met another in the given one */
	uint64_t moves;		/* tried */
};

/*
 * Finds an order, and where there are more places than hosts are needed the
 * hosts, too.  It is never worse than the given one.  All orders are tried if
 * they are 50,000 at most, else orders are improved by simulated annealing from
 * several starts.
 * -EINVAL: the ranks are no multiple of width, or more than there are places
 * for, or the pattern is fair to all orders and there are no hosts to choose
 * from; -ENOMEM.  *out is set on success only, and to be freed.
 * Time O(moves x rounds x streams of a rank x hops).
 */
int weft_place_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_place_spec *spec,
		   struct weft_placement *out, struct weft_diag *diag);
void weft_placement_free(struct weft_placement *placement);

#ifdef __cplusplus
}
#endif
#endif
