/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An arena: memory that is freed all at once, such as the scratch of one run or
 * all that one fabric owns.
 */
#ifndef WEFT_CORE_ARENA_H
#define WEFT_CORE_ARENA_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

struct weft_arena;

struct weft_arena *weft__arena_new(void);	/* NULL without memory */
void weft__arena_free(struct weft_arena *arena);	/* NULL is fine */

/*
 * Returns room for count objects of size bytes, aligned to a cache line if they
 * fill one, else to 16 bytes.  The contents are undefined.  Returns NULL
 * without memory, without an arena or if the product overflows: who makes an
 * arena need only look at what comes of it.  A count of 0 gives a valid pointer
 * that must not be read.
 *
 * The arena remembers that it once had none: who takes several arrays asks it
 * once, before they are used.
 */
void *weft__arena_alloc(struct weft_arena *arena, size_t count, size_t size);
/* Returns zeroed room of that kind. */
void *weft__arena_zalloc(struct weft_arena *arena, size_t count, size_t size);
/* Returns a NUL-terminated copy of length bytes. */
char *weft__arena_string(struct weft_arena *arena, const char *s,
			 size_t length);

/* The bytes of all its chunks. */
size_t weft__arena_size(const struct weft_arena *arena);

/* Whether the arena ever lacked memory, or there is none. */
bool weft__arena_failed(const struct weft_arena *arena);
/* The same as an error: 0 or -ENOMEM. */
static inline int weft__arena_error(const struct weft_arena *arena)
{
	return weft__arena_failed(arena) ? -ENOMEM : 0;
}

#endif
