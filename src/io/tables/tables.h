/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading tables of any format, and what the readers share. */
#ifndef WEFT_IO_TABLES_TABLES_H
#define WEFT_IO_TABLES_TABLES_H

#include <weft/io.h>

/*
 * Reads a file of that kind, which is not TOPOLOGY, into the part of the routes
 * that the kind is about.  Returns for how many switches it had forwarding
 * tables (0 with other kinds), or -errno after an error; it is left to the
 * caller to tell of switches without one.
 */
int weft__read_tables(const char *path, enum weft_file_kind kind,
		      const struct weft_fabric *fabric,
		      struct weft_routes *routes, struct weft_diag *diag);

/* Whether a switch has no entry at all.  O(LIDs). */
bool weft__lft_is_empty(const struct weft_lft *lft, uint32_t sw);

/*
 * Warns, once, if any switch has no entry at all.  weft_io_read_lft() does so
 * itself for a file of several tables; this is for callers that read several
 * files.  file may be NULL.  Returns how many switches that are.
 */
uint32_t weft__lft_missing(const struct weft_fabric *fabric,
			   const struct weft_lft *lft, const char *file,
			   struct weft_diag *diag);

/*
 * Sets layers->nvl from the SL2VL tables: one more than the highest lane that
 * an SL in use leads to.  Without such tables it is left alone.  O(size of the
 * tables).
 */
void weft__count_lanes(struct weft_layers *layers,
		       const struct weft_fabric *fabric);

#endif
