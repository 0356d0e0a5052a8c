/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * INI files, which inih takes apart, from a text that is in memory.
 *
 * Lines that begin with blanks are lines as others; to inih they would be more
 * of the value above.  A line with a NUL byte or one that is longer than inih
 * takes is an error, where inih would read a part of it.
 */
#ifndef WEFT_IO_INI_H
#define WEFT_IO_INI_H

#include "io/source.h"

/* A name and its value, in a section ("" before the first one); texts live
 * until take() returns. */
struct weft__ini_entry {
	const char *section, *name, *value;
	unsigned long line;
};

/*
 * Has take() look at each entry, those behind an error as well, so that all
 * errors are told at once.  form: what a line has, for messages: "key = value".
 * 0, the first error that take() returned, -EINVAL after an error with its line,
 * -ENOMEM (said).
 */
int weft__ini_read(const struct weft__source *source, const char *form,
		   int (*take)(void *context,
			       const struct weft__ini_entry *entry),
		   void *context, struct weft_diag *diag);

#endif
