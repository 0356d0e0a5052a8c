/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dumps that are compressed: gzip, xz, zstd, told by their first bytes. */
#ifndef WEFT_IO_COMPRESSED_H
#define WEFT_IO_COMPRESSED_H

#include "io/source.h"

/* Text of a compressed file that a look at it takes: what tells a format stands
 * far before. */
#define WEFT__LOOK_MAX ((size_t)4 << 20)

/*
 * weft__source_open() that expands what is compressed.  Of more than limit
 * bytes of text, limit > 0, only the beginning is there; with limit 0 that
 * is all, and -EFBIG after an error where it exceeds 4 GiB, -EINVAL where it is
 * damaged or cut.
 */
int weft__dump_open(const char *path, size_t limit,
		    struct weft__source *source, struct weft_diag *diag);

/* Whether name, without .gz, .xz or .zst at its end, is as of fnmatch(). */
bool weft__dump_named(const char *pattern, const char *name);

#endif
