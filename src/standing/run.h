/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One call for standing tables, and its columns. */
#ifndef WEFT_STANDING_RUN_H
#define WEFT_STANDING_RUN_H

#include <weft/standing.h>

#include "loads/blocks.h"
#include "standing/home.h"
#include "standing/mend.h"
#include "standing/rest.h"
#include "standing/survey.h"

struct weft__run {
	const struct weft_fabric *f;
	struct weft_standing_spec spec, told;
	struct weft__terms *terms;
	struct weft_arena *arena;
	struct weft__carried now;	/* the standing tables */
	struct weft__source source;	/* as they were */
	struct weft__lid_set changed;	/* LIDs that differ from those */
	struct weft__home home;
	struct weft__loads loads;
	struct weft__column column, other;
	struct weft__survey survey;
	uint8_t *before;	/* [nsw] the column as it was carried over, */
	uint8_t *returned;	/* [nsw] and once entries had returned home */
	bool any_returned;	/* in some column */
	uint64_t *behind, *added;	/* [nsw] struct weft__mending */
	uint32_t *all;			/* [nsw] likewise */
	uint8_t *was;			/* [nsw] likewise */
	struct weft__blocks blocks;	/* with an entry that changes */
	uint8_t *hard;		/* [max_lid + 1] whose turn comes first: the last
				 * attempt that a LID was left over by, 0 none */
	bool *failed;		/* [max_lid + 1] LIDs that would need that */
	unsigned again;		/* attempts before this one */
	bool model;		/* the column was mended, and others may follow it: */
	uint32_t nall;		/* all[nall] were lost, before[] is what it was */
	bool ordered;		/* ways follow the order of struct weft__terms: once
				 * pairs were left without */
	struct weft_standing_base *base;	/* made by the first attempt */
	bool in_order;		/* all kinds of traffic are, in the tables in
				 * force */
	struct weft_standing out;
};

/* Whether so many pairs are left that it would take long to find ways for them,
 * where there are other tables. */
static inline bool weft__is_hopeless(const struct weft__run *r)
{
	return r->terms->brief && r->out.unmended > r->f->nsw;
}

/*
 * Mends the columns of endports, or of switches; those of endports come first,
 * as ways to them are worth most.  Of either those that are hard to mend do, what
 * was left over last before what was so earlier; these find their ways as a whole,
 * and have them turn where others do already.
 */
void weft__mend_all(struct weft__run *r, bool switches);

/* Settles the pairs that were left without a way, where there are several lanes:
 * entries of others change for it.  0 or -ENOMEM. */
int weft__mend_left(struct weft__run *r);

#endif
