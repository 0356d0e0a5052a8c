/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sections of comma-separated values: START_NAME, a line with the names of the
 * columns, rows, END_NAME.  Which columns there are, and where, differs from
 * file to file: a reader names those that it wants.
 */
#ifndef WEFT_IO_TOPOLOGY_CSV_SECTIONS_H
#define WEFT_IO_TOPOLOGY_CSV_SECTIONS_H

#include "io/source.h"

struct weft__topology;

struct weft__csv_section {
	const char *name;
	struct weft__lines lines;	/* from the names of the columns on */
	unsigned long line;		/* of START_NAME; 0 = not there */
	uint32_t nlines;		/* between START_ and END_ */
};

/*
 * Finds the sections of those names among n; others are passed over.  One look
 * at each line of the text.  0, or -EINVAL after an error: a section that is
 * there twice, or that does not end.
 */
int weft__csv_find(const struct weft__source *source,
		   struct weft__topology *topology,
		   struct weft__csv_section *section, size_t n);

#define WEFT__CSV_WANTED 12	/* columns of one section */

struct weft__csv_column {
	const char *name;	/* upper and lower case are the same */
	enum {
		WEFT__CSV_NUMBER,	/* decimal, or hexadecimal after 0x;
					 * up to 2^32 - 1 */
		WEFT__CSV_GUID,		/* hexadecimal, with or without 0x */
		WEFT__CSV_TEXT,		/* in quotes or not */
		WEFT__CSV_ANY,		/* the same, or nothing, where the
					 * column is needed, too */
	} kind;
	bool needed;		/* every row tells it */
};

struct weft__csv_value {
	uint64_t number;
	const char *text;
	size_t length;
	bool told;		/* neither empty nor N/A, nor is the column
				 * missing */
};

/*
 * Calls row() for each row of a section, with the values of the n columns that
 * are wanted, in their order.  0, or the first -errno of row(), or -EINVAL
 * after an error that names the column.
 */
int weft__csv_rows(struct weft__csv_section section,
		   struct weft__topology *topology,
		   const struct weft__csv_column *column, size_t n,
		   int (*row)(struct weft__topology *topology,
			      unsigned long line,
			      const struct weft__csv_value *value));

#endif
