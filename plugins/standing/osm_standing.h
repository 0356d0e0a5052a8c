/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables that stand from one sweep to the next: what a sweep changes in them is
 * what it must (weft/standing.h).  The engine is asked when there are none,
 * when somebody changed its options, or when they do not serve any more.
 */
#ifndef WEFT_PLUGINS_OSM_STANDING_H
#define WEFT_PLUGINS_OSM_STANDING_H

#include "plugins/standing/osm_later.h"

#include <weft/standing.h>

/* What stands.  Zeroed: nothing as yet. */
struct weft__stood {
	struct weft__held *now;		/* in force */
	struct weft__held *home;	/* as the engine made them when all
					 * was there; NULL: nobody knows */
	struct weft__held *before;	/* in force when entries began to wait,
					 * which some still do; else NULL.
					 * After a restart without tables */
	bool adopted;	/* whoever made now, switches have it */

	int64_t now_since, home_since;	/* seconds since 1970 */
	unsigned waits;			/* sweeps in a row that left entries
					 * for the next one */
	bool moving;			/* on the way home, in steps: home is
					 * not to be reached at once */
	uint64_t told;			/* a hash of what the engine was told
					 * for home */
	uint64_t jump;			/* rebalance=jump that was heeded */
};

/* What switches said when they were asked for their tables (osm_adopt.h). */
struct weft__asked {
	uint32_t switches;	/* that were asked; 0: nobody was */
	uint32_t silent;	/* of these, those that did not answer all */
	uint64_t entries;	/* that may be of use */
	double seconds;
};

/* What became of it in a sweep. */
struct weft__stay {
	bool stayed;		/* tables stand, changed as the counts say */
	struct weft_standing what;
	double proof;		/* seconds that their proof took */
	char why[200];		/* the engine was asked; "": nothing stood */
	bool away;		/* it was, but home stays what it was */
	bool step;		/* towards better tables: what.moved entries,
				 * what.pairs of switches */
	uint64_t left;		/* of both, to change after it */
	bool improved;		/* as the last sweep had left it */
	uint64_t later;		/* entries that may change for balance, after
				 * this sweep */
	struct weft__asked adopted;	/* where the tables came from, whether
					 * they stand or not */
};

/*
 * Mends the tables that stand for the fabric of a sweep and proves the outcome,
 * in s->routes.  False: the engine has to be asked; s->routes is empty then.
 * Adopted ones may get other lanes, without a change of their entries.  known:
 * of the tables, or of others, which does not matter then.  later: gets what
 * can be done after the sweep; NULL: nothing can.
 */
bool weft__stand(const struct weft__stood *stood,
		 const struct weft__known *known, struct weft__later *later,
		 const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *layered, struct weft__stay *out);

/*
 * Proves better tables, which are in s->routes: those that were left for this
 * sweep (improved), or a step to new ones.  False: they are not taken;
 * s->routes is empty then.
 */
bool weft__stand_stepped(const struct weft__stood *stood,
			 const struct weft__known *known,
			 const struct weft__settling *s,
			 const struct weft_standing_move *moved, bool improved,
			 struct weft__verdict *verdict,
			 struct weft__layered *layered, struct weft__stay *out);

/* Returns how many lanes pairs may change to; finds out which there are, if
 * nobody has, and must do so before the snapshot goes. */
unsigned weft__standing_lanes(const struct weft__settling *s,
			      struct weft__layered *layered);

/* Has the tables of a sweep stand, of which stay tells where they come from. */
void weft__stood_take(struct weft__stood *stood, struct weft__held *held,
		      const struct weft__stay *stay,
		      const struct weft__settling *s);
void weft__stood_forget(struct weft__stood *stood);

#endif
