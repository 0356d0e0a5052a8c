/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Filling forwarding tables from a file: what every grammar of such files
 * shares.  A parser announces a table, hands over its rows and ends it; here
 * the switch is found, entries are judged and defects are counted.
 */
#ifndef WEFT_IO_TABLES_LFT_FILL_H
#define WEFT_IO_TABLES_LFT_FILL_H

#include "io/notice.h"
#include "io/tables/switch_index.h"

#include <weft/lft.h>

/* Kinds of defects, in the order in which they are told. */
enum weft__fill_defect {
	WEFT__FILL_CUT,		/* the file ends within a line */
	WEFT__FILL_SHORT,	/* a table ends before its last LID */
	WEFT__FILL_COUNT,	/* its closing line counts other rows */
	WEFT__FILL_UNKNOWN,	/* the topology lacks the switch */
	WEFT__FILL_BY_LID,	/* only the switch's LID is known */
	WEFT__FILL_OTHER_LID,	/* the topology has another LID for it */
	WEFT__FILL_AGAIN,	/* a second table of a switch */
	WEFT__FILL_TWICE,	/* a LID with two ports in one table */
	WEFT__FILL_BAD_PORT,	/* a port that the switch does not have */
	WEFT__FILL_BAD_LID,	/* no unicast LID */
	WEFT__FILL_BEYOND,	/* a LID above all of the topology */
	WEFT__FILL_IGNORED,	/* a table of another kind */
	WEFT__FILL_FAILED,	/* a line in which a program reports failure */
	WEFT__FILL_FOREIGN,	/* any other line that is no part of a table */
	WEFT__FILL_DEFECTS
};

/* The name of a switch in the header of its table; 0 = not given. */
struct weft__fill_header {
	uint64_t guid;		/* node GUID, or that of port 0 */
	uint32_t lid;
	uint32_t top;		/* last LID that the table covers; WEFT_NONE =
				 * not said, but the same in all tables */
};

struct weft__fill {
	const struct weft_fabric *fabric;
	struct weft_lft *lft;
	struct weft__notice notice[WEFT__FILL_DEFECTS];
	uint32_t tables;	/* seen so far */
	uint32_t matched;	/* of these, of switches of the topology */
	uint64_t first_guid;	/* of the first table */
	unsigned long first_line;

	/* the table under way */
	uint8_t *row;		/* where its entries go; NULL = none open */
	uint32_t sw;		/* WEFT_NONE: nobody's, dropped */
	unsigned nports;
	unsigned long line;	/* of its header */
	uint32_t top;
	uint32_t entries;	/* its rows so far, those without a route too */
	uint32_t last_lid;	/* of these */
	uint32_t former_last;	/* last LID of the table before it */

	uint8_t *scratch;	/* [max_lid + 1]: rows that are not stored */
	struct weft__switch_index index;
};

/* 0 or -ENOMEM.  The fabric, and an lft of its size, must outlive fill. */
int weft__fill_init(struct weft__fill *fill, const struct weft_fabric *fabric,
		    struct weft_lft *lft);
void weft__fill_free(struct weft__fill *fill);

/* Opens a table; one that is still open ends. */
void weft__fill_begin(struct weft__fill *fill, unsigned long line,
		      const struct weft__fill_header *header);
/* Opens a table of another kind (multicast, private), whose rows are dropped;
 * what names it in the message. */
void weft__fill_ignore(struct weft__fill *fill, unsigned long line,
		       const char *what);
/* Ends the table that is open, if any.  count: the rows it says it has;
 * WEFT_NONE without a closing line. */
void weft__fill_end(struct weft__fill *fill, uint32_t count);

/* An entry that is not plainly good: see weft__fill_entry(). */
void weft__fill_odd_entry(struct weft__fill *fill, unsigned long line,
			  uint32_t lid, unsigned port);

/* Takes one row; port 255 = no route.  A table must be open. */
static inline void weft__fill_entry(struct weft__fill *fill,
				    unsigned long line, uint32_t lid,
				    unsigned port)
{
	fill->entries++;
	fill->last_lid = lid;
	if (lid - 1 < fill->fabric->max_lid && port <= fill->nports &&
	    fill->row[lid] == WEFT_NO_PORT)
		fill->row[lid] = (uint8_t)port;
	else
		weft__fill_odd_entry(fill, line, lid, port);
}

/*
 * The end of the file: says what was found.  0, or -EINVAL after an error when
 * no table belongs to a switch of the topology.
 */
int weft__fill_finish(struct weft__fill *fill, const char *file,
		      struct weft_diag *diag);

#endif
