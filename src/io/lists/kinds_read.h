/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files that say which hosts are of which kind. */
#ifndef WEFT_IO_LISTS_KINDS_READ_H
#define WEFT_IO_LISTS_KINDS_READ_H

#include "io/source.h"

#include <weft/kinds.h>

/* weft_io_read_kinds() of a file opened like that. */
int weft__kinds_file(const char *path, weft__opener *open,
		     struct weft_kinds *kinds, struct weft_diag *diag);

/* Adds the GUIDs of a list that OpenSM has, one at the beginning of a line, as
 * hosts of a kind.  A line that begins with something else spoils the file:
 * -EINVAL, and what was added is to be thrown away. */
int weft__kinds_guids(const char *path, const char *kind, weft__opener *open,
		      struct weft_kinds *kinds, struct weft_diag *diag);

#endif
