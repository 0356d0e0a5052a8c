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

#endif
