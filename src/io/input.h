/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Dump directories: which of their files are read. */
#ifndef WEFT_IO_INPUT_H
#define WEFT_IO_INPUT_H

#include <weft/io.h>

/* Paths, malloc()ed. */
struct weft__dump {
	char *file[WEFT_FILE_KINDS];	/* NULL = there is none; TABLES is in
					 * table[] */
	struct weft__dump_tables {
		char **file;		/* [n] */
		uint32_t n;
	} tables, others;	/* others: of the same directory, in another
				 * format, which should say the same */
	struct weft__dump_tables multicast;
	char *owners;		/* a file of tables that tells the ports of
				 * LIDs; NULL = there is none */
};

/* What a directory is asked for. */
enum weft__wanted {
	WEFT__WANTED_ALL,
	WEFT__WANTED_TOPOLOGY,		/* and nothing else */
	WEFT__WANTED_TABLES,		/* and what goes with them */
};

/*
 * Looks into the files of a directory and of the directories in it, and chooses
 * by content, then by name; weft-formats(5) has the rules.  Notes what was
 * chosen and what was left.  A directory without a topology is an error
 * (-EINVAL), or one without forwarding tables where only these are wanted; so
 * is a file with the name of a dump that is wanted, but not its content.  0 or
 * -errno after an error.  O(files), 64 KiB of each.
 */
int weft__dump_find(const char *directory, enum weft__wanted wanted,
		    struct weft__dump *out, struct weft_diag *diag);
void weft__dump_free(struct weft__dump *dump);

#endif
