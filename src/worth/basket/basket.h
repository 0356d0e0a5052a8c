/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of a basket; see weft/worth.h. */
#ifndef WEFT_WORTH_BASKET_H
#define WEFT_WORTH_BASKET_H

#include <weft/mapping.h>
#include <weft/worth.h>

/* Parts that are not patterns of weft_traffic_new(). */
#define WEFT__FRAGMENTS "fragments"
#define WEFT__UNIFORM "uniform"
#define WEFT__JOBS "jobs"

/* Hosts that do a pattern among themselves. */
struct weft__team {
	struct weft_traffic *traffic;
	uint32_t *rank;		/* [draws][nranks] endports of the ranks */
	uint32_t nranks;
};

/* What is judged in the same rounds: a team by itself, or several at once. */
struct weft__section {
	uint32_t first, nteams;	/* team[first ..] */
	double share;		/* of the part; they add up to 1 */
	uint64_t *round;	/* [nrounds] numbers of rounds, ascending */
	uint64_t nrounds, all;
	bool random;
};

struct weft__basket_part {
	char *name;
	double weight;		/* the weights of all parts add up to 1 */
	bool uniform;
	uint32_t draws;
	struct weft__team *team;
	uint32_t nteams;
	struct weft__section *section;	/* none: uniform, or no rounds as there
					 * are too few ranks */
	uint32_t nsections;
	uint64_t nrounds, all;	/* of all sections */
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

/* Adds a pattern, pairs that a site lists, or its jobs, as a part; errors as of
 * weft_basket_new(). */
int weft__basket_add(struct weft_basket *basket, const char *pattern,
		     double weight, struct weft_diag *diag);
int weft__basket_add_pairs(struct weft_basket *basket, const char *name,
			   const struct weft_pair_list *list, double weight,
			   struct weft_diag *diag);
int weft__basket_add_jobs(struct weft_basket *basket,
			  const struct weft_jobs *jobs, double weight,
			  struct weft_diag *diag);
void weft__basket_free_part(struct weft__basket_part *part);

/* Returns the most pairs of a round of a section. */
uint64_t weft__section_pairs(const struct weft__basket_part *part,
			     const struct weft__section *section);

/* Lists the pairs of a round of all teams of a section into pair[max_pairs];
 * their ranks follow one another.  Returns how many they are. */
uint64_t weft__section_round(const struct weft_basket *basket,
			     const struct weft__basket_part *part,
			     const struct weft__section *section,
			     uint64_t number, struct weft_draw *draw,
			     struct weft_pair *pair);

/* Returns the name that a basket has for a pattern, or the pattern itself. */
const char *weft__objective_part_name(const char *pattern);

/* Finds what tables are worth, the mean of the parts.  Errors are those of
 * weft_basket_judge(), and leave 0. */
int weft__basket_mean(const struct weft_basket *basket,
		      const struct weft_routes *routes, double *mean);

#endif
