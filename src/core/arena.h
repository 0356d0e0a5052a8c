/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Arena: memory that is freed all at once.  Scratch of one run, or everything
 * that one fabric owns.
 */
#ifndef WEFT_CORE_ARENA_H
#define WEFT_CORE_ARENA_H
#include <stddef.h>

struct weft_arena;

struct weft_arena *weft__arena_new(void);	/* NULL: no memory */
void weft__arena_free(struct weft_arena *arena);	/* NULL is fine */

/*
 * count objects of size bytes, cache-line aligned when they fill one, else
 * 16-byte aligned; contents undefined.  NULL without memory or when the product
 * overflows.  A count of 0 gives a valid pointer that must not be read.
 */
void *weft__arena_alloc(struct weft_arena *arena, size_t count, size_t size);
/* The same, zeroed. */
void *weft__arena_zalloc(struct weft_arena *arena, size_t count, size_t size);
/* A NUL-terminated copy of length bytes. */
char *weft__arena_string(struct weft_arena *arena, const char *s,
			 size_t length);

#endif
