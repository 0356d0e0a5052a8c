/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory runs out: each allocation of a job fails once.  For one file of a test,
 * whose linker wraps all functions that allocate (tests/unit/local.mk).
 */
#ifndef WEFT_TESTS_MEMORY_UTIL_H
#define WEFT_TESTS_MEMORY_UTIL_H

#include "../suite.h"

#include "core/arena.h"

#include <weft/weft.h>

#include <errno.h>
#include <stdlib.h>

/* A job with at most FEW allocations runs once for each of them, any other one
 * about TRIES times. */
enum { FEW = 120, TRIES = 25 };

static unsigned long asked;	/* allocations since the job began */
static unsigned long failing;	/* the number of the one that fails, or 0 */
static long live;		/* blocks that nobody has freed */

static void *count(void *p)
{
	live += p != NULL;
	return p;
}

static bool fails(void)
{
	return ++asked == failing;
}

#define WRAP(name, parameters, arguments) \
	void *__real_##name parameters; \
	void *__wrap_##name parameters; \
	void *__wrap_##name parameters \
	{ \
		return fails() ? NULL : count(__real_##name arguments); \
	}

WRAP(malloc, (size_t size), (size))
WRAP(calloc, (size_t n, size_t size), (n, size))
WRAP(aligned_alloc, (size_t align, size_t size), (align, size))
WRAP(strdup, (const char *s), (s))
WRAP(strndup, (const char *s, size_t n), (s, n))

void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	if (fails())
		return NULL;
	return p ? __real_realloc(p, size) : count(__real_realloc(p, size));
}

void __real_free(void *p);
void __wrap_free(void *p);
void __wrap_free(void *p)
{
	live -= p != NULL;
	__real_free(p);
}

/* An arena frees what it gives by itself: nothing is counted.  It has to know of
 * what it lacked, and lacks that much. */
void *__real_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_alloc(struct weft_arena *a, size_t n, size_t size)
{
	return __real_weft__arena_alloc(a, fails() ? SIZE_MAX : n, size);
}

void *__real_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size);
void *__wrap_weft__arena_zalloc(struct weft_arena *a, size_t n, size_t size)
{
	return __real_weft__arena_zalloc(a, fails() ? SIZE_MAX : n, size);
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

	asked = 0;
	err = job->run(job, &digest);
	n = asked;
	EXPECT_EQ(live, before);
	EXPECT(err != -ENOMEM);
	step = n > FEW ? n / TRIES : 1;
	for (unsigned long i = 1 + n % step; i <= n; i += step)
		run_once(job, i, err, digest, &refused);
	EXPECT(refused > 0 || !n);
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
