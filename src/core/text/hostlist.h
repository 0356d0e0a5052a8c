/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of hosts as Slurm writes them: "node[001-016,020],gpu[1-2]x[3-4]". */
#ifndef WEFT_CORE_HOSTLIST_H
#define WEFT_CORE_HOSTLIST_H

#include <stddef.h>

/* A name, without its NUL, has less than this. */
#define WEFT__HOST_NAME 256

/*
 * Calls with each name of text .. end, in the order of the list; the first
 * brackets of a name count slowest, numbers have as many digits as the first of
 * their range.  Ends with what call() returns unless that is 0.  -EINVAL where
 * the text is no such list, and *why tells; call() leaves it alone.
 */
int weft__hostlist_each(const char *text, const char *end,
			int (*call)(void *context, const char *name,
				    size_t length),
			void *context, const char **why);

#endif
