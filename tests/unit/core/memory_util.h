/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory runs out: each allocation of a job fails once.  For one file of a
 * test, whose linker wraps all functions that allocate (tests/unit/local.mk).
 *
 * What is allocated holds other bytes in each run, so that an outcome that goes
 * by what nobody wrote there, or by what lies behind it, is another one; and
 * whoever writes behind it is found when it is freed.
 */
#ifndef WEFT_TESTS_MEMORY_UTIL_H
#define WEFT_TESTS_MEMORY_UTIL_H

#include "../suite.h"

#include "core/arena.h"

#include <weft/weft.h>

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* A job with at most FEW allocations runs once for each of them, any other one
 * about TRIES times. */
enum { FEW = 250, TRIES = 50 };

static unsigned long asked;	/* allocations since the job began */
static unsigned long failing;	/* the number of the one that fails, or 0 */
static long live;		/* blocks that nobody has freed */

/* Behind each block: bytes of the run, then its size and a number by which the
 * blocks of others, as of libc, are told apart. */
enum { GUARD = 16, BEHIND = GUARD + 2 * sizeof(uint64_t) };
#define OURS UINT64_C(0x5ca1ab1e0ddba115)
static uint8_t filler = 0x5a;	/* of this run */
static unsigned long damaged;	/* blocks that were written behind */

static bool is_filled(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != p[0])
			return false;
	return true;
}

/* Fills a block from a byte on, and notes its size. */
static void *guard(void *block, size_t from, size_t size)
{
	uint64_t mark[2] = { size, OURS };
	size_t all = block ? malloc_usable_size(block) : 0;
	uint8_t *p = block;

	if (!p)
		return NULL;
	memset(p + from, filler, all - from);
	memcpy(p + all - sizeof(mark), mark, sizeof(mark));
	return p;
}

/* Counts a block that was written behind; returns its size, or SIZE_MAX if it
 * is somebody else's. */
static size_t check_guard(void *block)
{
	size_t all = malloc_usable_size(block);
	uint64_t mark[2] = { 0, 0 };
	uint8_t *p = block;

	if (all >= BEHIND)
		memcpy(mark, p + all - sizeof(mark), sizeof(mark));
	if (mark[1] != OURS || mark[0] > all - BEHIND)
		return SIZE_MAX;
	damaged += !is_filled(p + mark[0], all - sizeof(mark) - mark[0]);
	memset(p + all - sizeof(mark), 0, sizeof(mark));
	return mark[0];
}

static void *count(void *p)
{
	live += p != NULL;
	return p;
}

static bool fails(void)
{
	return ++asked == failing;
}

/* Returns NULL if size is refused or is no size. */
#define WRAP(name, parameters, arguments, from, size) \
	void *__real_##name parameters; \
	void *__wrap_##name parameters; \
	void *__wrap_##name parameters \
	{ \
		return fails() || (size) > SIZE_MAX / 2 ? NULL : \
			guard(count(__real_##name arguments), from, size); \
	}

WRAP(malloc, (size_t n), (n + BEHIND), 0, n)
WRAP(aligned_alloc, (size_t align, size_t n),
     (align, (n + BEHIND + align - 1) / align * align), 0, n)

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	size_t all;

	if (fails() || __builtin_mul_overflow(n, size, &all) ||
	    all > SIZE_MAX / 2)
		return NULL;
	return guard(count(__real_calloc(1, all + BEHIND)), all, all);
}

char *__wrap_strndup(const char *s, size_t n);
char *__wrap_strndup(const char *s, size_t n)
{
	size_t length = strnlen(s, n);
	char *copy = __wrap_malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, s, length);
	copy[length] = '\0';
	return copy;
}

char *__wrap_strdup(const char *s);
char *__wrap_strdup(const char *s)
{
	return __wrap_strndup(s, strlen(s));
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
	live -= p != NULL;
	if (p)
		check_guard(p);
	__real_free(p);
}

void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	void *moved;
	size_t had;

	if (!p)
		return __wrap_malloc(size);
	if (fails())
		return NULL;
	moved = __real_malloc(size + BEHIND);
	if (!moved)
		return NULL;
	had = check_guard(p);
	guard(moved, 0, size);
	if (had == SIZE_MAX)
		had = malloc_usable_size(p);
	memcpy(moved, p, had < size ? had : size);
	__real_free(p);
	return moved;
}

/* An arena frees what it gives by itself: nothing is counted.  It has to know
 * of what it lacked, and lacks that much. */
static struct {
	struct weft_arena *of;
	uint8_t *behind;
} given[1 << 16];
static unsigned ngiven;

static void *guard_given(struct weft_arena *a, void *block, size_t from,
			 size_t size)
{
	uint8_t *p = block;

	if (!p)
		return NULL;
	memset(p + from, filler, size + GUARD - from);
	if (ngiven < sizeof(given) / sizeof(given[0])) {
		given[ngiven].of = a;
		given[ngiven++].behind = p + size;
	}
	return p;
}

void *__real_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size)
{
	size_t all;

	if (fails() || __builtin_mul_overflow(n, size, &all) ||
	    all > SIZE_MAX / 4)
		return __real_weft__arena_alloc(a, SIZE_MAX, 2);
	return guard_given(a, __real_weft__arena_alloc(a, all + GUARD, 1), 0,
			   all);
}

void *__real_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size)
{
	size_t all;

	if (fails() || __builtin_mul_overflow(n, size, &all) ||
	    all > SIZE_MAX / 4)
		return __real_weft__arena_zalloc(a, SIZE_MAX, 2);
	return guard_given(a, __real_weft__arena_zalloc(a, all + GUARD, 1), all,
			   all);
}

void __real_weft__arena_free(struct weft_arena *a);
void __wrap_weft__arena_free(struct weft_arena *a);
void __wrap_weft__arena_free(struct weft_arena *a)
{
	unsigned left = 0;

	for (unsigned i = 0; a && i < ngiven; i++)
		if (given[i].of == a)
			damaged += !is_filled(given[i].behind, GUARD);
		else
			given[left++] = given[i];
	if (a)
		ngiven = left;
	__real_weft__arena_free(a);
}

/* Something that allocates. */
struct job {
	const char *name;
	/* Returns 0 or -errno, adds the outcome to the digest and frees it. */
	int (*run)(const struct job *job, uint64_t *digest);
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
	const char *text;	/* an engine, a description, a file */
	unsigned number;
};

static void add(uint64_t *digest, const void *data, size_t size)
{
	for (const unsigned char *c = data; size--; c++)
		*digest = (*digest ^ *c) * UINT64_C(0x100000001b3);
}

static inline void add_fabric(uint64_t *digest, const struct weft_fabric *f)
{
	add(digest, f->peer, f->nch * sizeof(*f->peer));
	for (uint32_t s = 0; s < f->nsw; s++)
		add(digest, f->sw[s].name, strlen(f->sw[s].name));
	for (uint32_t n = 0; n < f->nnodes; n++)
		add(digest, f->node[n].name, strlen(f->node[n].name));
}

static void run_once(const struct job *job, unsigned long which, int err,
		     uint64_t digest, unsigned *refused)
{
	long before = live;
	uint64_t got = 0;
	int with;

	filler++;
	asked = 0;
	failing = which;
	with = job->run(job, &got);
	failing = 0;
	*refused += with == -ENOMEM;
	if ((with == -ENOMEM && !got) || (with == err && got == digest)) {
		if (live == before)
			return;
		printf("\n%s, allocation %lu: %ld blocks are left", job->name,
		       which, live - before);
	} else {
		printf("\n%s, allocation %lu: %d, another outcome", job->name,
		       which, with);
	}
	EXPECT_NEVER("memory that ran out was not handled");
}

static void check(const struct job *job)
{
	unsigned long n, step;
	unsigned refused = 0;
	uint64_t digest = 0;
	long before = live;
	int err;

	asked = damaged = 0;
	err = job->run(job, &digest);
	n = asked;
	EXPECT_EQ(live, before);
	EXPECT(err != -ENOMEM);
	/* the same whatever was there before */
	run_once(job, 0, err, digest, &refused);
	step = n > FEW ? n / TRIES : 1;
	for (unsigned long i = 1 + n % step; i <= n; i += step)
		run_once(job, i, err, digest, &refused);
	EXPECT(refused > 0 || !n);
	EXPECT_EQ(damaged, 0);
}

static inline struct weft_fabric *fabric(const char *spec)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen(spec, &f, NULL), 0);
	return f;
}

static inline void route(const struct weft_fabric *f, const char *engine,
			 struct weft_routes *out)
{
	const struct weft_engine *e = weft_engine_find(engine);
	struct weft_options *o;

	ASSERT(!weft_options_new(&o, e->options));
	ASSERT_EQ(e->route(f, o, out, NULL), 0);
	weft_options_free(o);
}

#endif
