/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An assignment of lanes to pairs of switches, the same lane in both
 * directions, without a cycle in any lane.  Routes are still being made: a pair
 * that finds no lane may get other routes.  (Lanes for tables that are given,
 * and stay, are those of src/layers.)
 */
#ifndef WEFT_LANES_ASSIGNMENT_H
#define WEFT_LANES_ASSIGNMENT_H

#include "graph/order.h"
#include "lanes/lane_masks.h"

#define WEFT__NO_LANE 255

struct weft__lane_assignment {
	const struct weft__lane_masks *masks;
	struct weft__order order; /* the dependencies of each lane */
	uint8_t *lane;		  /* [nsw * nsw] symmetric; WEFT__NO_LANE */
	uint16_t *seen;		  /* lanes that take a turn, in the order of
				   * turns_into.h */
	uint16_t *carry;	  /* [nsw] lanes of the traffic that leaves a
				   * switch */
	bool rerouted;		  /* trees no longer follow masks->ways */
	bool brief;		  /* insertion had better not take long */
	bool entered;		  /* the order holds the pairs that have a lane,
				   * and is of use where trees grow anew */
	bool around;		  /* there may be ways around (orders_around.h)
				   */
	bool apart;		  /* traffic between switches with endports has
				   * no cycle in one lane, which is the last
				   * one; no other is in that lane */
	uint64_t npairs;
	uint64_t inserted; /* pairs placed by insertion */
	uint64_t left;	   /* pairs without a lane */
};

static inline uint8_t *
weft__assignment_lane(const struct weft__lane_assignment *p, uint32_t x,
		      uint32_t y)
{
	return &p->lane[(size_t)x * p->masks->fabric->nsw + y];
}

static inline void weft__assignment_set(struct weft__lane_assignment *p,
					uint32_t x, uint32_t y, uint8_t lane)
{
	*weft__assignment_lane(p, x, y) = lane;
	*weft__assignment_lane(p, y, x) = lane;
}

/* Adds the way from a switch to a LID to a lane.  Returns false if that closes
 * a cycle; part of the way may have been added then. */
bool weft__assignment_add_way(struct weft__lane_assignment *pairs,
			      unsigned lane, uint32_t s,
			      const struct weft__tree *tree);

/* Makes room in the arena, or returns -ENOMEM.  Must be freed. */
int weft__assignment_init(struct weft__lane_assignment *pairs,
			  const struct weft__lane_masks *masks,
			  struct weft_arena *arena);
void weft__assignment_free(struct weft__lane_assignment *pairs);

/* Enters the dependencies of all pairs that have a lane into the order.
 * Returns false if they close a cycle. */
bool weft__assignment_enter(struct weft__lane_assignment *pairs);

/*
 * Gives a lane to every pair: one lane to all if that has no cycle; else one
 * lane to all traffic between switches with endports, if that has none; else to
 * each pair the first lane in which all of its ways are legal.
 * weft__masks_look() must have been called.
 *
 * If pairs with other switches are left in the second case, and there are ways
 * around, these pairs have no lane, and apart is set.  Otherwise each pair
 * that is left gets a lane that stays acyclic with the dependencies
 * of its ways.  Once failed insertions have looked at as many edges as effort
 * says, only lanes whose current order takes the pair are tried.  Where that is
 * to be brief, it does not begin if too many pairs are left.  Pairs that no lane
 * takes have none.  O(LIDs x switches + switches^2), and the insertions.
 */
void weft__assignment_insert(struct weft__lane_assignment *pairs,
			     uint64_t effort);

/* Gives each pair the first lane in which the masks have all of its ways legal.
 * Pairs without one count as left.  O(LIDs x switches). */
void weft__assignment_place(struct weft__lane_assignment *pairs);

/* Explains how many pairs have a lane, and by which method, if diag asks for
 * explanations. */
void weft__assignment_explain(const struct weft__lane_assignment *pairs,
			      const char *what, struct weft_diag *diag);

/* Makes service levels of the lanes; 0 or -ENOMEM. */
int weft__assignment_layers(const struct weft__lane_assignment *pairs,
			    struct weft_layers *layers);

#endif
