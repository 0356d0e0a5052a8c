/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files of what tables shall be good at. */
#ifndef WEFT_IO_LISTS_OBJECTIVE_READ_H
#define WEFT_IO_LISTS_OBJECTIVE_READ_H

#include "io/source.h"

#include <weft/worth.h>

/* weft_io_read_objective() of a text that is in memory; *out is set on success
 * only. */
int weft__read_objective(const struct weft__source *source,
			 struct weft_objective *out, struct weft_diag *diag);

struct weft_options;

/* weft_io_read_objectives() of files opened like that. */
int weft__objective_files(struct weft_options *options, weft__opener *open,
			  struct weft_diag *diag);

#endif
