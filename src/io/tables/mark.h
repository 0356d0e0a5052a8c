/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The mark by which a dump names the forwarding tables that it was made with, so
 * that service levels of one sweep are not judged with tables of another:
 *
 *	# lids 0x0001-0x0005 0x0009
 *	# table 0x0002c90300000001 0x9d3f0a6be1c75520
 *
 * a line for each switch, with a sum of its entries for these LIDs.  Entries of
 * port 0 and those without a port do not count.  Who knows nothing of marks reads
 * comments.
 */
#ifndef WEFT_IO_TABLES_MARK_H
#define WEFT_IO_TABLES_MARK_H

#include <weft/lft.h>

#include "io/notice.h"
#include "io/tables/switch_index.h"

#include <stdio.h>

#define WEFT__MARK_LIDS "# lids "
#define WEFT__MARK_TABLE "# table "

/* A sum of what a table says about those LIDs, a bit for each, up to top. */
uint64_t weft__mark_sum(const uint8_t *row, const uint8_t *lids, unsigned top);

/* Writes the mark; nothing where there are no tables.  0 or -ENOMEM. */
int weft__mark_write(FILE *out, const struct weft_fabric *fabric,
		      const struct weft_lft *lft);

/* Zeroed is a mark of which nothing has been read. */
struct weft__mark {
	uint8_t *lids;		/* [WEFT_MAX_LID / 8 + 1] a bit for each LID */
	uint32_t top;		/* the highest one of these */
	uint32_t tables;	/* compared */
	struct weft__notice others;	/* switches with other entries */
};

/*
 * Reads a comment, which may be a line of the mark, and compares the switch that
 * it names with its table; switches that the fabric does not have, and those
 * without a table, tell nothing.  0; -EINVAL after an error: a line of the mark
 * that cannot be read; -ENOMEM.
 */
int weft__mark_line(struct weft__mark *mark, const struct weft__source *source,
		    struct weft__line line,
		    const struct weft__switch_index *index,
		    const struct weft_fabric *fabric,
		    const struct weft_lft *lft, struct weft_diag *diag);

/* -EINVAL after an error where a table differed; else 0. */
int weft__mark_judge(const struct weft__mark *mark, const char *file,
		     struct weft_diag *diag);
void weft__mark_free(struct weft__mark *mark);

#endif
