// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * An arena is a list of chunks.  Small objects share chunks of 64 KiB, large
 * ones get a chunk of their own.
 *
 * AddressSanitizer knows chunks only.  So where it is in use all of a chunk is
 * forbidden but for the objects in it, which are a gap apart.
 */
#include "core/arena.h"

#include "core/large.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#endif

#ifdef SANITIZED
#include <sanitizer/asan_interface.h>
#define GAP 16u
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)0)
#define GAP 0u
#endif

#define LINE 64u
#define CHUNK 65536u

struct chunk {
	struct chunk *next;
	size_t used, size;
};

struct weft_arena {
	struct chunk *chunks;	/* the first one takes small objects */
	bool failed;
};

struct weft_arena *weft__arena_new(void)
{
	return calloc(1, sizeof(struct weft_arena));
}

void weft__arena_free(struct weft_arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *c = arena->chunks, *next; c; c = next) {
		next = c->next;
		ASAN_UNPOISON_MEMORY_REGION(c, c->size);
		free(c);
	}
	free(arena);
}

static struct chunk *new_chunk(size_t payload)
{
	size_t size = LINE + ((payload + GAP + LINE - 1) & ~(size_t)(LINE - 1));
	struct chunk *c = weft__large_alloc(size, LINE);

	if (!c)
		return NULL;
	c->used = LINE;
	c->size = size;
	ASAN_POISON_MEMORY_REGION((char *)c + LINE, size - LINE);
	return c;
}

static void *alloc_large(struct weft_arena *arena, size_t bytes)
{
	struct chunk *c = new_chunk(bytes);

	if (!c)
		return NULL;
	/* The chunk goes behind the head, which still has room for small
	 * objects. */
	if (arena->chunks) {
		c->next = arena->chunks->next;
		arena->chunks->next = c;
	} else {
		c->next = NULL;
		arena->chunks = c;
	}
	c->used = c->size;
	ASAN_UNPOISON_MEMORY_REGION((char *)c + LINE, bytes);
	return (char *)c + LINE;
}

static void *alloc(struct weft_arena *arena, size_t count, size_t size)
{
	struct chunk *c;
	size_t bytes, align;
	void *p;

	if (__builtin_mul_overflow(count, size, &bytes) ||
	    bytes > SIZE_MAX / 2)
		return NULL;
	c = arena->chunks;
	if (bytes > CHUNK / 4)
		return alloc_large(arena, bytes);
	align = bytes >= LINE ? LINE : 16;
	if (c)
		c->used = (c->used + align - 1) & ~(align - 1);
	if (!c || c->used + bytes > c->size) {
		c = new_chunk(CHUNK - LINE);
		if (!c)
			return NULL;
		c->next = arena->chunks;
		arena->chunks = c;
	}
	p = (char *)c + c->used;
	c->used += GAP + (bytes ? bytes : 1);
	ASAN_UNPOISON_MEMORY_REGION(p, bytes);
	return p;
}

void *weft__arena_alloc(struct weft_arena *arena, size_t count, size_t size)
{
	void *p = arena ? alloc(arena, count, size) : NULL;

	if (arena && !p)
		arena->failed = true;
	return p;
}

size_t weft__arena_size(const struct weft_arena *arena)
{
	size_t size = 0;

	for (const struct chunk *c = arena->chunks; c; c = c->next)
		size += c->size;
	return size;
}

bool weft__arena_failed(const struct weft_arena *arena)
{
	return !arena || arena->failed;
}

void *weft__arena_zalloc(struct weft_arena *arena, size_t count, size_t size)
{
	void *p = weft__arena_alloc(arena, count, size);

	if (p)
		memset(p, 0, count * size);
	return p;
}

char *weft__arena_string(struct weft_arena *arena, const char *s,
			 size_t length)
{
	char *p = weft__arena_alloc(arena, length + 1, 1);

	if (p) {
		memcpy(p, s, length);
		p[length] = '\0';
	}
	return p;
}
