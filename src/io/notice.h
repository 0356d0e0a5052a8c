/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages of the parsers.  Defects that can be worked around get one message
 * for each kind in a file, however often they occur: the first occurrence is
 * described, the others are counted.
 */
#ifndef WEFT_IO_NOTICE_H
#define WEFT_IO_NOTICE_H

#include <weft/diag.h>

#include "io/source.h"

#include <stddef.h>
#include <stdint.h>

struct weft__notice {
	enum weft_severity severity;	/* set it before the first add() */
	unsigned long line;		/* of the first occurrence */
	uint64_t count;
	char text[192];			/* about the first occurrence */
};

/* Counts an occurrence; only the first one is put into words. */
void weft__notice_add(struct weft__notice *notice, unsigned long line,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says what occurred, in the order of notice[0..n-1]. */
void weft__notices_say(const struct weft__notice *notice, size_t n,
		       const char *file, struct weft_diag *diag);

/*
 * Why a line cannot be read further than to its place: ': expected the LID, a
 * decimal number, found "x"' after weft__expect(), else nothing.  Returns
 * buffer.
 */
#define WEFT__MISREAD_SIZE 192
const char *weft__misread(const struct weft__line *place,
			  char buffer[WEFT__MISREAD_SIZE]);

/* -EINVAL after the error 'what: "the line from its place on"'. */
int weft__refuse_line(const struct weft__source *source,
		      const struct weft__line *line, const char *what,
		      struct weft_diag *diag);

/* The same of a line that was read from start to place: names the field. */
int weft__refuse_field(const struct weft__source *source,
		       const struct weft__line *start,
		       const struct weft__line *place, const char *what,
		       struct weft_diag *diag);

#endif
