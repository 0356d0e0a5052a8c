/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The routes between hosts, as small as a congestion model can have them.
 *
 * A forwarding table has an entry for each (switch, LID); a model that walks
 * millions of random routes through it waits for memory.  So only the columns
 * of the LIDs in use are kept, one row per LID, so that all hops of a route
 * fall into the same few cache lines and one page.  Every route is walked once
 * when the rows are made: those that do not arrive are marked where they start,
 * so that a walk need only test if it has arrived.
 */
#ifndef WEFT_WORTH_PATHS_H
#define WEFT_WORTH_PATHS_H

#include <weft/fabric.h>
#include <weft/lft.h>

/* The LIDs of a host that have rows. */
enum weft__rows {
	WEFT__ROWS_BASE,	/* the base LID */
	WEFT__ROWS_ALL,		/* all, one of them for a stream */
	WEFT__ROWS_SPREAD,	/* all, and each stream uses all of them */
};

struct weft__paths {
	const struct weft_fabric *fabric;
	uint32_t nhosts;
	uint32_t *endport;	/* [nhosts] ascending, each once */
	uint32_t *sw;		/* [nhosts] switch the host is on */
	unsigned bits;		/* rows of a host: 2^bits */
	bool spread;		/* streams use all rows of a host at once */
	uint8_t *mask;		/* [nhosts] largest offset of its LIDs */
	uint8_t *port;		/* [nhosts << bits][nsw] output port at a
				 * switch to that host's base LID + offset */
	uint32_t *cut;		/* [nhosts] other hosts that have no route to
				 * one of its rows */
	uint32_t max_hops;	/* channels between switches on the longest
				 * route between hosts */
};

/*
 * Collects the hosts among n endports (repetitions are fine) and their rows.  0
 * or -ENOMEM.
 * Time O(rows x switches), memory as much in bytes.
 */
int weft__paths_init(struct weft__paths *paths,
		     const struct weft_fabric *fabric,
		     const struct weft_lft *lft, enum weft__rows rows,
		     const uint32_t *endport, uint32_t n);
void weft__paths_free(struct weft__paths *paths);

/* Returns the number of an endport that was given to init, or WEFT_NONE.  O(log
 * hosts). */
uint32_t weft__paths_host(const struct weft__paths *paths, uint32_t endport);

/* Returns the row of a LID.  Offsets count modulo the number of LIDs of the
 * host. */
static inline const uint8_t *weft__paths_row(const struct weft__paths *paths,
					     uint32_t dest, unsigned offset)
{
	size_t row = (size_t)dest << paths->bits;

	return paths->port + (row + (offset & paths->mask[dest])) *
	       paths->fabric->nsw;
}

/* Returns how many parts a stream to dest is cut into: one for each LID that it
 * uses at once. */
static inline unsigned weft__paths_parts(const struct weft__paths *paths,
					 uint32_t dest)
{
	return paths->spread ? paths->mask[dest] + 1u : 1;
}

/* Returns how many units a whole stream counts as.  Its parts are whole numbers
 * of them, whatever the LMC of its destination. */
static inline unsigned weft__paths_unit(const struct weft__paths *paths)
{
	return paths->spread ? 1u << paths->bits : 1;
}

/*
 * Returns true if the host of the row can be reached from switch sw, which must
 * have hosts.  The route goes on by port row[sw], row[next switch] ... until
 * paths->sw[dest].
 */
static inline bool weft__paths_reach(const uint8_t *row, uint32_t sw)
{
	return row[sw] != WEFT_NO_PORT;
}

#endif
