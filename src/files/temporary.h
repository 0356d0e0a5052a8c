/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that appear as a whole: written under another name in the same
 * directory, ".NAME.weft-XXXXXX", which whoever lists dumps does not see, and
 * then renamed.
 *
 * Whoever writes one holds a lock (flock) on it.  A temporary file without one
 * is of a run that was killed, and the next that writes NAME removes it.  Where
 * files cannot be locked, none is removed.
 */
#ifndef WEFT_FILES_TEMPORARY_H
#define WEFT_FILES_TEMPORARY_H

#include <limits.h>
#include <sys/types.h>

/*
 * Makes a temporary file for path, with that mode whatever the umask, and opens
 * it for reading and writing.  Its name goes to temp.  Returns the descriptor,
 * or -errno.  It stays locked as long as that, or a copy made by dup(), is
 * open: until the file is renamed.
 */
int weft__temporary(const char *path, mode_t mode, char temp[PATH_MAX]);

#endif
