/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every file that a plugin reads or writes goes through here.
 *
 * A subnet manager runs as root, and whoever can write to its dump directory or
 * to a list that it reads must be able to do no more than that: what is read is
 * a plain file of limited size, nothing is waited for, no device is touched,
 * and what is written goes through no symbolic link.
 *
 *   read by the administrator's word   weft.conf, lists, objectives,
 *                                      weft-routers.map: may be links, as files
 *                                      below /etc often are
 *   written, mode 0644                 weft-sl.dump, weft-sl.psl,
 *                                      weft-paths.dump, weft-standing: take
 *                                      the place of a link of that name
 *   changed in place                   the last bytes of weft-standing, if it
 *                                      is no link, and what was written
 *   read again                         weft-standing: no link
 *   appended to, mode 0644             weft-sweeps.jsonl: a link of that name
 *                                      is an error
 *
 * Of whatever is neither a plain file nor a link, a pipe or a directory of the
 * name of a dump, nothing is read, and it stays where it is.
 */
#ifndef WEFT_PLUGINS_OSM_FILES_H
#define WEFT_PLUGINS_OSM_FILES_H

#include "io/source.h"

#include <weft/diag.h>

#include <limits.h>
#include <stdio.h>

/* weft__opener of weft.conf, and of all else that is read: it may have a line
 * for each of 200,000 ports. */
int weft__file_open_conf(const char *path, struct weft__source *source,
			 struct weft_diag *diag);
int weft__file_open_list(const char *path, struct weft__source *source,
			 struct weft_diag *diag);

/* 0, or -ELOOP after an error: a file that a plugin has written itself is no
 * link. */
int weft__file_check_own(const char *path, struct weft_diag *diag);

/* Whether a path leads to a plain file: for names that OpenSM will open. */
bool weft__file_is_plain(const char *path);

/* A file that is being written. */
struct weft__file {
	FILE *stream;		/* NULL: it could not be begun */
	char path[PATH_MAX], temp[PATH_MAX];
	int err;		/* why */
};

/* Begins a file of a directory. */
void weft__file_begin(struct weft__file *f, const char *directory,
		      const char *name);
/*
 * Ends it; err, 0 or -errno, is what its writer says.  Either it has its name
 * now, or there is a warning, and none of that name, not an older one either.
 * One that says the same already is left alone.
 */
void weft__file_end(struct weft__file *f, int err, struct weft_diag *diag);

/* What is to be the end of a file. */
struct weft__file_tail {
	uint64_t size;		/* of the file */
	uint8_t mark[8];	/* that are before these: */
	uint8_t bytes[48];
};
/* Replaces the last bytes of a file in place.  0, or -errno, -ESTALE for another
 * file: then it is as it was, or half of these bytes are there. */
int weft__file_amend(const char *directory, const char *name,
		     const struct weft__file_tail *tail);

/* Removes a file or link of that name, if there is one. */
void weft__file_remove(const char *directory, const char *name);

/* Warns that path was not written, for the reason err, or for what is in its
 * place. */
void weft__file_warn(const char *path, int err, struct weft_diag *diag);

/*
 * Appends bytes to a file by one write(), so that a reader sees all of them or
 * none; if it would be larger than size it is first renamed to file.1, that to
 * file.2, and so on; keep of these stay.  0, or -errno: then the file is as it
 * was.
 */
int weft__file_append(const char *path, const char *text, size_t length,
		      uint64_t size, unsigned keep);

#endif
