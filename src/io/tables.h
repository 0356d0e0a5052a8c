/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The readers of tables, for text that is in memory, and what they share. */
#ifndef WEFT_IO_TABLES_H
#define WEFT_IO_TABLES_H

#include <weft/io.h>

#include "io/source.h"

/*
 * weft_io_read_lft(), weft_io_read_sl2vl(), weft_io_read_sl() and
 * weft_io_read_paths() of a text.
 * weft__read_lft() adds the number of tables it met to *tables (NULL is fine)
 * and leaves it to the caller to tell of switches without one.
 */
int weft__read_lft(const struct weft__source *source,
		   const struct weft_fabric *fabric, struct weft_lft *lft,
		   uint32_t *tables, struct weft_diag *diag);
int weft__read_sl2vl(const struct weft__source *source,
		     const struct weft_fabric *fabric,
		     struct weft_layers *layers, struct weft_diag *diag);
int weft__read_sl(const struct weft__source *source,
		  const struct weft_fabric *fabric,
		  struct weft_layers *layers, struct weft_diag *diag);

int weft__read_paths(const struct weft__source *source,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag);

/* weft__read_lft() of a file. */
int weft__read_lft_file(const char *path, const struct weft_fabric *fabric,
			struct weft_lft *lft, uint32_t *tables,
			struct weft_diag *diag);

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
