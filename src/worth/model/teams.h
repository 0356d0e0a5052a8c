/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Teams: the ranks that take part in a collective operation together, in their
 * order.
 *
 * A pattern of training jobs is a kernel, which lists the pairs of a round of
 * one team by the places of its members, and the teams it runs in, all at the
 * same time.  Option via tells how the ranks of a machine, each at an adapter
 * of its own, share the work:
 *
 *	none		machines do not count: all ranks are one team
 *	any		one team; what stays in a machine needs no network
 *	nearest		likewise, and what goes to another machine leaves by the
 *			adapter on the rail of its destination, unless that is
 *			near another NUMA node
 *	rail		a team on each rail
 *
 * Storage hosts are in no team, except with none.
 */
#ifndef WEFT_WORTH_TEAMS_H
#define WEFT_WORTH_TEAMS_H

#include <weft/pattern.h>

struct weft_diag;

enum weft__via { WEFT__VIA_NONE, WEFT__VIA_ANY, WEFT__VIA_NEAREST,
		 WEFT__VIA_RAIL };

#define WEFT__MACHINE_OPTION { \
	.name = "machine", .type = WEFT_OPT_INT, .preset = "0", .max = 256, \
	.help = "ranks of a machine, in a row, on rails 0, 1, ...; 0: as the fabric tells" }
#define WEFT__VIA_OPTIONS(usual) { \
	.name = "via", .type = WEFT_OPT_ENUM, .preset = usual, \
	.choices = "none|any|nearest|rail", \
	.help = "none: machines do not count; any: across rails; nearest: by the adapter on the rail of the destination; rail: on each rail by itself" }, \
	WEFT__MACHINE_OPTION

/* Where ranks are, in traffic that asks for it. */
struct weft__machines {
	struct weft_seat *seat;	/* [ranks]; NULL: each is a machine */
	uint32_t n;
	unsigned rails;
	uint32_t *at;		/* [n * rails] rank, or WEFT_NONE */
	bool storage;		/* there is some, beside other hosts */
};

struct weft_traffic;

struct weft__teams {
	uint32_t n, most;	/* teams; members of the largest */
	uint32_t *first;	/* [n + 1] */
	uint32_t *member;	/* team i: member[first[i]] ..; NULL: the rank
				 * is the place */
	bool inside;		/* pairs within a machine count */
	bool nearest;		/* pairs leave by the rail of the destination */
	/* Size of the pairs of a round in a team of n; NULL: 1. */
	double (*size)(const struct weft_traffic *t, uint32_t n,
		       uint64_t round);
};

/* Pairs of a round in a team of n members; none after its last round. */
typedef uint64_t weft__kernel(const struct weft_traffic *t, uint32_t n,
			      uint64_t round, struct weft_draw *draw,
			      struct weft_pair *pair);

/* Reads options machine and via, finds out where ranks are, and makes
 * t->team. */
int weft__teams_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag);
/* Likewise of option machine alone. */
int weft__machines_prepare(struct weft_traffic *t, const struct weft_options *o,
			   struct weft_diag *diag);
/* All ranks that are storage hosts, or all others, as a team or as one on each
 * rail. */
int weft__teams_of(const struct weft_traffic *t, bool rails, bool storage,
		   struct weft__teams *out, struct weft_diag *diag);
/* The ranks of each machine as a team. */
int weft__teams_of_machines(const struct weft_traffic *t,
			    struct weft__teams *out, struct weft_diag *diag);
/* One team of ranks in a row. */
int weft__teams_row(struct weft__teams *teams, uint32_t first, uint32_t end,
		    struct weft_diag *diag);
/* Cuts teams into groups of at most size members, in a row or by turns. */
int weft__teams_cut(struct weft__teams *teams, uint32_t size, bool strided,
		    struct weft_diag *diag);

/* Lists a round of all teams; what stays in a machine is left out. */
uint64_t weft__teams_round(const struct weft_traffic *t,
			   const struct weft__teams *teams,
			   weft__kernel *kernel, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair);

/* Adds a pair of ranks to n ones, if it needs the network.  Returns how many
 * there are. */
uint64_t weft__teams_add(const struct weft_traffic *t,
			 const struct weft__teams *teams,
			 struct weft_pair *pair, uint64_t n, uint32_t from,
			 uint32_t to);

void weft__teams_free(struct weft__teams *teams);	/* zeroed is fine */
void weft__machines_free(struct weft__machines *machines);

/* Rank of a place in a team. */
static inline uint32_t weft__team_rank(const struct weft__teams *teams,
				       uint32_t team, uint32_t place)
{
	uint32_t at = teams->first[team] + place;

	return teams->member ? teams->member[at] : at;
}

#endif
