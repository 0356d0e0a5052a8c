/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dump directories: which of their files are read. */
#ifndef WEFT_IO_INPUT_H
#define WEFT_IO_INPUT_H

#include <weft/io.h>

/* Paths, malloc()ed. */
struct weft__dump {
	char *file[WEFT_FILE_KINDS];	/* NULL = there is none; TABLES is in
					 * table[] */
	char **table;		/* [ntables] */
	uint32_t ntables;
};

/*
 * Looks into the files of a directory and of the directories in it, and chooses
 * by content, then by name; weft-formats(5) has the rules.  Notes what was
 * chosen and what was left.  With topology set, a directory without one is an
 * error (-EINVAL); else one without forwarding tables is, and no topology is
 * chosen.  0 or -errno after an error.  O(files), 64 KiB of each.
 */
int weft__dump_find(const char *directory, bool topology,
		    struct weft__dump *out, struct weft_diag *diag);
void weft__dump_free(struct weft__dump *dump);

#endif
