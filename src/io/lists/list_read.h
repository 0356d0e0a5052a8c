/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of nodes in files. */
#ifndef WEFT_IO_LISTS_LIST_READ_H
#define WEFT_IO_LISTS_LIST_READ_H

#include "core/list.h"
#include "io/notice.h"

/* weft_io_read_list() of a text in memory; *out is set on success only. */
int weft__read_list(const struct weft__source *source,
		    const struct weft_option *option, struct weft_list **out,
		    struct weft_diag *diag);

/* weft_io_read_list() and weft_io_read_lists() of files opened like that. */
int weft__list_file(struct weft_options *options, const char *name,
		    const char *path, bool lenient, weft__opener *open,
		    struct weft_diag *diag);
int weft__list_files(struct weft_options *options, bool lenient,
		     weft__opener *open, struct weft_diag *diag);

#endif
