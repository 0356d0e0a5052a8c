/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has lost switches of a column find other ways. */
#ifndef WEFT_STANDING_MEND_H
#define WEFT_STANDING_MEND_H

#include "loads/loads.h"

struct weft__mending {
	struct weft__loads *loads;
	struct weft_routes *routes;	/* the other columns, and lanes */
	struct weft__column *column;
	const uint8_t *home;	/* [nsw] ports at home; NULL: none is known */

	/* [nsw] scratch, by lost switch: the endports that come with it, and
	 * what was added to the loads of its way on their account.  Zeroed,
	 * and so again afterwards. */
	uint64_t *behind, *added;
	uint32_t *all;		/* [nsw] scratch: those that were lost */
	uint8_t *was;		/* [nsw] scratch: ports of these before */
	uint16_t passing;	/* lanes of what may pass any switch: ways are
				 * sought first that are in order for it, too,
				 * and have it wait as others do already */
	bool forward;		/* ways that lead forward in the order of channels
				 * are sought first */
	bool lanes;		/* pairs may change lanes */
	bool strict;		/* what is in order stays so, of switches, too */
	uint64_t pairs;		/* that did */
};

/*
 * Gives each lost switch of a column, which has been surveyed, or read as far
 * as ways of their neighbours lead, a port; those that arrive keep theirs.
 * Switches take shortest ways, a step farther from those that arrive in each
 * turn: the port that they had if it leads there, else the one of home, else
 * the one whose way is least loaded.  What is sent to a switch may go longer
 * ways if so fewer entries change.  A way that would close a credit loop is
 * none.  Where no other is left, the pair changes lanes; where that does not
 * help, and unless that is strict, the traffic of switches themselves is no
 * longer kept in order.  Returns how many switches stay lost; their port is
 * WEFT_NO_PORT.  The loads follow.  O(lost switches x (cables + ports x hops) x
 * turns).
 */
uint32_t weft__mend(struct weft__mending *m);

#endif
