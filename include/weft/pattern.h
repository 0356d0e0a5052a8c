/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Communication patterns: who sends to whom, by rank, in rounds.
 *
 * A pattern is a row of one table.  Made for a number of ranks, with its
 * arguments, it is a struct weft_traffic, which lists the pairs of each round;
 * all pairs of a round send at the same time.
 */
#ifndef WEFT_PATTERN_H
#define WEFT_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include <weft/options.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;
struct weft_rng;

/* One stream: from sends to to.  They differ. */
struct weft_pair {
	uint32_t from, to;
};

struct weft_pattern {
	const char *name;	/* lower case and '-' */
	const char *summary;	/* one line, for listings */
	const struct weft_option *options;	/* NULL = none */
};

/* All patterns, NULL-terminated. */
const struct weft_pattern *const *weft_patterns(void);
/* By exact name, NULL if there is none. */
const struct weft_pattern *weft_pattern_find(const char *name);

/* A pattern for a number of ranks.  Immutable: threads may share it. */
struct weft_traffic;

#define WEFT_MAX_RANKS (1u << 24)

/*
 * Makes what a description asks for: "NAME", "NAME:OPTION=VALUE,...", or
 * several of these side by side, "A@SHARE+B@SHARE+C": the first SHARE (0..1) of
 * the ranks do A, the next ones B, and so on; those without a share have what
 * is left in equal parts.  What has fewer rounds begins again until all are
 * done.
 * -EINVAL: no such pattern, an option is wrong, shares do not add up, or the
 * pattern cannot be made for that number of ranks (the error says why);
 * -ENOMEM.
 */
int weft_traffic_new(const char *description, uint32_t nranks,
		     struct weft_traffic **out, struct weft_diag *diag);

/*
 * Where a rank is: on a machine, at one of its adapters.  Adapters of the same
 * number are a rail.
 */
struct weft_seat {
	uint32_t machine;	/* numbers as dense as can be */
	uint8_t rail;
	uint8_t numa;		/* NUMA node, + 1; 0: not known */
	bool storage;		/* of a host that others store data on */
};

/*
 * The same, and patterns that send per rail or inside machines know how ranks
 * lie on them.  seat: [nranks], not kept; NULL: every rank is a machine of its
 * own, as by weft_traffic_new().
 */
int weft_traffic_seated(const char *description, uint32_t nranks,
			const struct weft_seat *seat, struct weft_traffic **out,
			struct weft_diag *diag);

/* Pairs that somebody else lists, as a file does. */
struct weft_pair_list {
	uint32_t nranks;	/* ranks are 0 .. nranks - 1 */
	uint32_t nrounds;
	uint64_t *first;	/* [nrounds + 1]: pairs of round r are
				 * pair[first[r]] .. pair[first[r + 1] - 1] */
	struct weft_pair *pair;
	double *size;		/* of each pair, > 0; NULL = all alike */
};
void weft_pair_list_free(struct weft_pair_list *list);	/* zeroed is fine */

/*
 * Traffic of listed pairs, which it takes over (*list is zeroed).  nranks may
 * be more than the list has: the others are idle.  -EINVAL when it is less.
 */
int weft_traffic_from_list(struct weft_pair_list *list, uint32_t nranks,
			   struct weft_traffic **out, struct weft_diag *diag);
void weft_traffic_free(struct weft_traffic *traffic);	/* NULL is fine */

uint32_t weft_traffic_ranks(const struct weft_traffic *traffic);
uint64_t weft_traffic_rounds(const struct weft_traffic *traffic);
/* Pairs of the largest round, at most. */
uint64_t weft_traffic_max_pairs(const struct weft_traffic *traffic);
/* Whether pairs differ in size; else the size of all is 1. */
bool weft_traffic_is_sized(const struct weft_traffic *traffic);
/* Whether it depends on where ranks are. */
bool weft_traffic_is_seated(const struct weft_traffic *traffic);
/* Whether it is drawn anew for each sample. */
bool weft_traffic_is_random(const struct weft_traffic *traffic);
/* Random, and just as likely under any renaming of the ranks: a random mapping
 * onto the same hosts adds nothing. */
bool weft_traffic_is_fair(const struct weft_traffic *traffic);

/* State that drawing a pattern needs; each thread has its own one. */
struct weft_draw {
	struct weft_rng *rng;	/* seeded by the caller for each sample */
	uint32_t *scratch;	/* [weft_traffic_scratch()] */
	double *size;		/* [max_pairs] gets the sizes of the pairs that
				 * are listed, if they differ; NULL: nobody
				 * wants them */
};
uint64_t weft_traffic_scratch(const struct weft_traffic *traffic);

/*
 * Lists round number round (0 .. rounds - 1) into pair[max_pairs] and returns
 * how many they are; a round may be empty.  Random patterns have one round, or
 * several that are drawn each by itself.  Time O(pairs + ranks).
 */
uint64_t weft_traffic_round(const struct weft_traffic *traffic, uint64_t round,
			    struct weft_draw *draw, struct weft_pair *pair);
/* Different bisections of n hosts, n! / (n/2)! for even n: who is in the
 * sending half, times who sends to whom (CLUSTER 2008, section 3). */
double weft_pattern_bisections(uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
