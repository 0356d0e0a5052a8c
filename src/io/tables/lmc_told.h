/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LMCs that tables tell where the topology does not. */
#ifndef WEFT_IO_TABLES_LMC_TOLD_H
#define WEFT_IO_TABLES_LMC_TOLD_H

#include <weft/io.h>

#include "io/source.h"

/*
 * Looks into the first table of a file in the layout of opensm-lfts.dump or
 * ibroute, whose rows name the ports that LIDs belong to.  Where ports have
 * more LIDs there than in the fabric, notes it and gives a copy of the fabric
 * that has these, too; *out is NULL otherwise, and for files of other layouts.
 * Rows that fit no range of LIDs are warned about.  0, or -errno after an
 * error.  O(rows of one table), a small part of reading the file.
 */
int weft__lmc_told(const char *path, const struct weft_fabric *fabric,
		   struct weft_fabric **out, struct weft_diag *diag);
/* The same of a text that is in memory. */
int weft__lmc_in(const struct weft__source *source,
		 const struct weft_fabric *fabric, struct weft_fabric **out,
		 struct weft_diag *diag);

/*
 * Warns, once, of LIDs that the tables route and nobody in the fabric has; says
 * so where they look like those of an LMC that the topology does not tell.
 * O(LIDs).
 */
void weft__warn_unowned(const struct weft_fabric *fabric,
			const struct weft_lft *lft, const char *file,
			struct weft_diag *diag);

#endif
