/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Congestion of the streams of one round, the kernel of the model.
 */
#ifndef WEFT_WORTH_CONGESTION_H
#define WEFT_WORTH_CONGESTION_H

#include "worth/model/paths.h"

#include <weft/pattern.h>

/* The data that all threads share. */
struct weft__network {
	const struct weft__paths *paths;
	bool endpoints;		/* count channels to and from hosts */
	bool even;		/* all links are equally fast */
	uint32_t slowest;	/* Mbit/s, of all links */
	unsigned unit;		/* counts are in so many parts of a stream */
	uint64_t max_streams;	/* in one round */
};

/*
 * Whether counts have room for so many streams of a round in parts, whatever
 * their routes.
 */
bool weft__parts_fit(const struct weft_fabric *fabric, uint64_t streams);

/* Prepares the network, and finds out if its links are even. */
void weft__network_init(struct weft__network *net,
			const struct weft__paths *paths, bool endpoints,
			uint64_t max_streams);

/* The streams of one round, as pairs of ranks. */
struct weft__streams {
	uint64_t n;
	const struct weft_pair *pair;
	const uint32_t *host;		/* host of each rank */
	const uint8_t *offset;		/* [n] offset of the destination's LID;
					 * NULL: 0 */
};

/* The data that one thread writes. */
struct weft__congestion {
	const struct weft__network *net;
	struct weft__walker *walker;	/* [chunk] */
	uint32_t *active;		/* [chunk] parts that have not
					 * arrived */
	struct weft__use *use;		/* [chunk * channels of a route] */
	uint32_t *count;		/* [nch] units on it, 0 between
					 * rounds */
	struct weft__worst *worst;	/* [chunk] unless links are even */
	double *part;			/* [chunk] congestion of each part;
					 * NULL: streams are whole */
	double *congestion;		/* [max_streams] of each stream in the
					 * last round; INFINITY: lost */
	uint64_t *load;			/* [nch] units since init; NULL: not
					 * wanted */
	uint32_t *peak;			/* [nch] the most in a round; NULL: not
					 * wanted */
	uint64_t partial;		/* streams since init of which some
					 * parts were lost, but not all */
};

/* Returns false without memory.  Must be freed in any case. */
bool weft__congestion_init(struct weft__congestion *c,
			   const struct weft__network *net, bool loads);
void weft__congestion_free(struct weft__congestion *c);

/* Fills in c->congestion.  O(parts of streams x hops). */
void weft__congestion_run(struct weft__congestion *c,
			  const struct weft__streams *s);

/* The congestion of a stream in a network that is one big switch, when its host
 * sends and the other one hears so many at once. */
double weft__congestion_least(const struct weft__network *net, uint32_t from,
			      uint32_t to, uint32_t sends, uint32_t hears);

#endif
