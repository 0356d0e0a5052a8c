/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is left to do when tables are mended: to relieve the most loaded
 * channels.  Where that takes long, whoever has traffic wait for tables does it
 * when they are written.
 */
#ifndef WEFT_STANDING_REST_H
#define WEFT_STANDING_REST_H

#include "loads/blocks.h"
#include "loads/loads.h"

#include <weft/standing.h>

#include <stdatomic.h>

struct weft__rest {
	const struct weft_fabric *fabric;
	struct weft_arena *arena;
	struct weft__loads loads;	/* after mending, dependencies of the
					 * tables before included */
	uint64_t changes;		/* entries that may still change */
	struct weft__blocks blocks;	/* that mending has sent */
	uint64_t anyway;		/* struct weft__relief */
};

/* When that is done. */
enum weft__balance_when {
	WEFT__BALANCE_AUTO,	/* later if it would take long, which is
				 * estimated from what there is to look at, so
				 * that it is the same everywhere */
	WEFT__BALANCE_NOW,
	WEFT__BALANCE_LATER,
};

/* When relief is done, and how much may be tried. */
struct weft__terms {
	enum weft__balance_when when;
	uint64_t more;		/* entries that may change beyond the usual */
	bool brief;		/* there are other tables: no long search for ways of
				 * the last pairs */
	const uint32_t *order;	/* struct weft__fill_spec */
	bool in_order;		/* out: all traffic is known to be, that of switches,
				 * too */
	struct weft__rest *rest;	/* out: what is left, or NULL */
	uint64_t owed;		/* out: entries that may change in the next call
				 * instead, as some wait for that */
};

/* Does what weft_standing_run() does, but relief when it is told to. */
int weft__standing_run(const struct weft_fabric *fabric,
		       const struct weft_standing_spec *spec,
		       struct weft__terms *terms,
		       struct weft_routes *routes, struct weft_standing *out,
		       struct weft_diag *diag);

/*
 * Does it, for the tables that were mended: *routes are those that
 * weft_standing_run() would have made at once; entries and pairs of *moved tell
 * what is different in them.  Only once.  It ends early when *stop is set; what it
 * has made is of no use then.  0 or -ENOMEM; *routes is set on success only.
 */
int weft__rest_do(struct weft__rest *rest, const struct weft_routes *mended,
		  const atomic_bool *stop, struct weft_routes *routes,
		  struct weft_standing_move *moved);
void weft__rest_free(struct weft__rest *rest);	/* NULL is fine */

#endif
