/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of a basket; see weft/worth.h. */
#ifndef WEFT_WORTH_BASKET_H
#define WEFT_WORTH_BASKET_H

#include <weft/mapping.h>
#include <weft/worth.h>

/* Parts that are not patterns of weft_traffic_new(). */
#define WEFT__FRAGMENTS "fragments"
#define WEFT__UNIFORM "uniform"

struct weft__basket_part {
	char *name;
	double weight;		/* the weights of all parts add up to 1 */
	struct weft_traffic *traffic;	/* NULL: uniform, or no rounds as there
					 * are too few ranks */
	bool uniform;
	uint64_t *round;	/* [nrounds] numbers of rounds, ascending */
	uint64_t nrounds, all;
	uint32_t *rank;		/* [draws][ranks] endports of the ranks */
	uint32_t nranks, draws;
};

struct weft_basket {
	const struct weft_fabric *fabric;
	struct weft_mapping mapping;
	bool by_name;
	uint32_t seed;
	bool spread;
	uint64_t rounds;	/* at most, of each part */
	struct weft__basket_part part[WEFT_WORTH_PARTS];
	unsigned nparts;
	uint64_t max_pairs, max_scratch;
};

/* Returns the name that the basket has for a pattern, or the pattern itself. */
const char *weft__objective_part_name(const char *pattern);

/* Returns what tables are worth, the mean of the parts; 0: they could not be
 * judged. */
double weft__basket_mean(const struct weft_basket *basket,
			 const struct weft_routes *routes);

#endif
