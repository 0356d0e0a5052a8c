/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of easing, prices, and what is done with the entries of one LID; see
 * ease.c. */
#ifndef WEFT_LOADS_EASING_H
#define WEFT_LOADS_EASING_H

#include "loads/ease.h"
#include "loads/loads.h"

#define WEFT__EASE_DOUBLINGS 6	/* the price is the load to the power of two to
				 * so many, */
#define WEFT__EASE_HOT 0.95	/* and channels from this share of the peak on
				 * are hot */

struct weft__easing {
	const struct weft_fabric *f;
	struct weft_routes *routes;
	struct weft_lft *lft;	/* theirs */
	struct weft__loads loads;
	struct weft__column column;
	uint16_t *shortest;	/* [nsw] cables to the root, at least */
	uint32_t *queue;	/* [nsw] scratch */
	uint32_t known;		/* root that shortest[] is for */
	uint16_t *own;		/* [nsw] lanes that switches send in, */
	bool own_known, passed;	/* for this column; and what passes them */
	uint8_t *cheap;		/* [nsw] port that a switch sends by, or one that
				 * carries nothing would best send by */
	double *price;		/* [nsw] of the way from there by these */
	double *worst;		/* [nsw] highest load of the way from there */
	uint16_t *longer;	/* [nsw] cables that ways through there have more
				 * than the shortest, at most */
	double *saves;		/* [nsw] what leaving the way saves up to there */
	uint32_t *mark;		/* [nsw] look in which it was on the way */
	uint32_t look;
	uint32_t *hot;		/* [nhot] channels that were hot when the round
				 * began */
	uint32_t nhot;
	double unit;		/* 1 / peak */
	struct weft__was {
		uint32_t sw, root;
		uint16_t lid;
		uint8_t port;
		uint8_t level;	/* of the pair of switches, if it changed lanes;
				 * else WEFT__NO_LEVEL */
	} *was;			/* [nwas] entries that moved, what they were */
	size_t nwas, room;
	bool changes_lanes;	/* pairs may, as the peak no longer falls
				 * otherwise */
	int err;
	const struct weft__ease_spec *spec;
	uint64_t moved_at;	/* looked when an entry moved last */
	struct weft__eased *out;
};

/* The load of a channel as a share of the peak, with that much more. */
static inline double weft__ease_share(const struct weft__easing *z,
				      uint32_t channel, uint64_t more)
{
	return (double)(z->loads.load[channel] + more) *
	       z->loads.scale[channel] * z->unit;
}

/* The price of a channel with so much more load. */
static inline double weft__ease_price(const struct weft__easing *z,
				      uint32_t channel, uint64_t more)
{
	double p = weft__ease_share(z, channel, more);

	for (unsigned i = 0; i < WEFT__EASE_DOUBLINGS; i++)
		p *= p;
	return p;
}

/* Moves entries of a LID, those farthest from its owner first, as least passes
 * them; after a move others may move again. */
void weft__ease_lid(struct weft__easing *z, unsigned lid);

#endif
