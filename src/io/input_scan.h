/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dump directories: the files that there are, before any is chosen. */
#ifndef WEFT_IO_INPUT_SCAN_H
#define WEFT_IO_INPUT_SCAN_H

#include "io/input.h"

struct weft__format;

#define WEFT__MAX_FILES 10000	/* a dump has one file for each switch at most;
				 * more than that many is some other directory */

struct weft__dump_file {
	char *path;
	const char *name;	/* last part of path */
	unsigned depth;		/* 0: in the directory itself */
	unsigned group;		/* files of one directory have one number */
	const struct weft__format *format;	/* NULL = nobody knows it */
	bool used;
};

struct weft__scan {
	struct weft__dump_file *file;
	uint32_t n;
	unsigned groups;
	bool too_many;
	enum weft__wanted wanted;
	struct weft_diag *diag;
};

/*
 * Lists the files of a directory and of those in it, the former first, and
 * finds their formats.  0, or -errno after errors: also where a file has the
 * name of a dump that is wanted, but not its content.
 */
int weft__scan_files(struct weft__scan *s, const char *directory);
void weft__scan_free(struct weft__scan *s);

#endif
