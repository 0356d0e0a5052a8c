/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Congestion of all rounds of a job, kept up to date while hosts change
 * places. */
#ifndef WEFT_WORTH_PLACE_STATE_H
#define WEFT_WORTH_PLACE_STATE_H

#include "worth/model/paths.h"

#include <weft/model.h>

#define WEFT__PLACE_CLASSES 8	/* of capacities */
#define WEFT__PLACE_SCALE 256	/* relative load of a stream on the fastest
				 * link */

/* A stream; weight is its size, 1 unless sizes differ. */
struct weft__place_pair {
	uint32_t from, to;	/* ranks */
	uint32_t round;
	uint32_t weight;
};

/* The data that all searches share.  Units are hosts of the job, and then
 * those that stay idle: as many as places. */
struct weft__place {
	const struct weft_fabric *fabric;
	const uint8_t *lid_offset;	/* [nep] or NULL */
	struct weft__paths paths;
	uint32_t nplaces, nunits;	/* units from nunits on are idle */
	uint32_t width;			/* ranks of a unit */
	uint32_t *host;		/* [nplaces x width] number in paths */
	uint32_t nrounds;
	struct weft__place_pair *pair;	/* [npairs] */
	uint64_t npairs;
	uint64_t *first;	/* [nunits + 1] pairs of a unit: incident[first
				 * [unit] ..] */
	uint64_t *incident;
	uint64_t *alone;	/* [nrounds] the peak if no stream meets
				 * another between switches, by the fastest
				 * links */
	uint64_t *least;	/* [nrounds] the same with channels at hosts,
				 * which are as fast as the fastest of these */
	uint8_t *class;		/* [nch] of its capacity */
	uint32_t nclasses;
	uint32_t factor[WEFT__PLACE_CLASSES];	/* relative load of a stream */
	uint32_t buckets;	/* of histograms; more load counts as that */
	uint32_t *base;		/* [nrounds][nch] load of others' streams, which
				 * counts where the job uses a channel; NULL:
				 * none */
};

/* Fills in classes and factors. */
void weft__place_classes(struct weft__place *p);

/* Fills in what others load in each round, which is the one of that number
 * there, modulo their rounds; makes room for it in buckets.  Returns false
 * without memory. */
bool weft__place_others(struct weft__place *p, const struct weft_beside *beside,
			const uint64_t *number, uint32_t weight);

/* What is to be as small as can be. */
struct weft__place_cost {
	uint64_t lost;		/* streams without a route */
	uint64_t peaks;		/* the largest relative load of each round, all
				 * rounds together; at least that at hosts */
	uint64_t between;	/* the same between switches, at least that of a
				 * stream alone */
	uint64_t squares;	/* of the relative loads of all channels */
};

/* An order, and its loads. */
struct weft__place_state {
	const struct weft__place *p;
	uint32_t *place;	/* [nplaces] of each unit */
	uint32_t *load;		/* [nrounds][nch] of the job */
	uint32_t *count;	/* [nrounds][nclasses][buckets + 1] channels by
				 * load */
	uint32_t *top;		/* [nrounds][nclasses] the largest load */
	uint64_t *peak;		/* [nrounds] the largest relative load between
				 * switches */
	uint8_t *touched;	/* [nrounds] its peak is to be found anew */
	struct weft__place_cost cost;
};

/* Returns false without memory.  To be freed in any case. */
bool weft__place_state_init(struct weft__place_state *s,
			    const struct weft__place *p);
void weft__place_state_free(struct weft__place_state *s);

/* Puts all units on new places.  O(pairs x hops + channels x rounds). */
void weft__place_set(struct weft__place_state *s, const uint32_t *place);

/* Swaps the places of two units, of which one may be idle.  O(their streams x
 * hops), about. */
void weft__place_swap(struct weft__place_state *s, uint32_t a, uint32_t b);

/* Whether a costs less than b. */
bool weft__place_cheaper(const struct weft__place_cost *a,
			 const struct weft__place_cost *b);

#endif
