/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The state of a transition from one set of tables to another.
 *
 * A slot is the destination tree of one LID in the tables that are in place: a
 * column of entries, one for each switch.
 */
#ifndef WEFT_TRANSITION_RUN_H
#define WEFT_TRANSITION_RUN_H

#include "graph/cdg.h"
#include "proof/lanes.h"

#include <weft/transition.h>

/* What an entry says, beside the ends of enum weft_walk_end. */
#define WEFT__ON_THE_WAY 255

/* What a mixture may do to packets of endports. */
enum {
	WEFT__RISKY_LOST = 1, /* lose those that both sets deliver */
	WEFT__RISKY_LOOP = 2, /* turn others in a circle, which neither set
			       * does */
};

struct weft__transit {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes[2]; /* before, after */
	const struct weft_transition_spec *spec;
	struct weft_transition *out;
	struct weft_arena *scratch;

	struct weft__proof_lanes lanes[2];
	/* If set, classes of traffic are SLs; else lanes, which it keeps. */
	bool mixed;
	uint32_t nlanes;

	uint32_t *hosts;	  /* [nsw] */
	uint32_t *writes;	  /* [nsw] order of switches */
	uint8_t *risky;		  /* [max_lid + 1] WEFT__RISKY_... */
	uint8_t *column[2];	  /* [64][nsw] entries of the current block */
	struct weft__cdg waits;	  /* of all mixtures */
	struct weft__knots knots; /* of these */
};

/* Reads an entry of switch s: how the route to the owner ends there, or
 * WEFT__ON_THE_WAY and the switch where it goes on. */
static inline unsigned weft__transit_entry(const struct weft_fabric *f,
					   uint32_t s, unsigned port,
					   uint32_t owner, uint32_t *next)
{
	uint32_t first = f->first_channel[s], peer;

	*next = WEFT_NONE;
	if (port >= f->first_channel[s + 1] - first)
		return port == WEFT_NO_PORT ? WEFT_NO_ROUTE : WEFT_BAD_PORT;
	peer = f->peer[first + port];
	if (weft_is_switch(peer)) {
		*next = peer;
		return WEFT__ON_THE_WAY;
	}
	if (!port)
		peer = s;
	else if (peer == WEFT_NONE)
		return WEFT_DEAD_END;
	return peer == owner ? WEFT_ARRIVED : WEFT_WRONG_END;
}

/* Reads the entries of a block of both sets into t->column[]. */
void weft__transit_columns(struct weft__transit *t, uint32_t block);

/*
 * Stores how the routes from all switches end in end[nsw], by a column of
 * entries.  path: scratch, [nsw].  O(switches).
 */
void weft__transit_ends(const struct weft_fabric *f, const uint8_t *column,
			uint32_t owner, uint8_t *end, uint32_t *path);

/*
 * Follows the route from s. *at becomes the switch where it ends, or one on its
 * loop; *steps counts switches.  O(hops).
 */
unsigned weft__transit_walk(const struct weft_fabric *f, const uint8_t *column,
			    uint32_t owner, uint32_t s, uint32_t *at,
			    uint64_t *steps);

/*
 * Finds the switches whose route comes by s, s first, into up[]; returns how
 * many. seen[nsw] must differ from round everywhere.
 */
uint32_t weft__transit_behind(const struct weft_fabric *f,
			      const uint8_t *column, uint32_t s, uint32_t *up,
			      uint32_t *seen, uint32_t round);

/* Finds out about lanes, and makes t->waits, without edges. -EINVAL if the
 * service levels are of another fabric. */
int weft__transit_lanes(struct weft__transit *t, struct weft_diag *diag);

/* Sets classes[nsw]: those of the traffic from each switch's endports to a LID,
 * a bit each.  LIDs must ascend from call to call. */
void weft__transit_classes(struct weft__transit *t, unsigned lid,
			   uint16_t *classes);

/* Fills in t->waits, t->risky and what *t->out says of every order. */
int weft__transit_union(struct weft__transit *t);

/* Fills in t->out->opensm. */
int weft__transit_opensm(struct weft__transit *t);

/* Fills in the safe order. */
int weft__transit_search(struct weft__transit *t);

#endif
