/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A schedule in the making, from whichever format. */
#ifndef WEFT_REPLAY_BUILD_H
#define WEFT_REPLAY_BUILD_H

#include "core/grow.h"
#include "io/source.h"

#include <weft/replay.h>

/* A name in the text that is being read. */
struct weft__word {
	const char *p;
	uint32_t n;
};

/* A job, and what it is called. */
struct weft__entry {
	struct weft_sim_job job;
	struct weft__word name; /* n = 0: none */
	unsigned long line;
};

/* A condition of a job; conditions are as of weft/sim.h. */
struct weft__edge {
	uint32_t job, condition;
};

struct weft__build {
	const struct weft__source *source;
	struct weft_diag *diag;
	uint32_t nranks;
	struct weft__entry *entry;
	uint64_t n, nedges;
	struct weft__edge *edge;
	size_t room, edge_room;
};

/* -EINVAL after an error at that line. */
#define weft__build_fail(b, number, ...)                                       \
	weft_fail_at((b)->diag, EINVAL, (b)->source->name, number, __VA_ARGS__)

int weft__build_no_memory(const struct weft__build *b);

/* Says that there is no memory where err is that; returns it. */
int weft__build_made(const struct weft__build *b, int err);
/* weft__grow() that says so. */
#define weft__build_grow(b, list, room, n)                                     \
	weft__build_made((b), weft__grow((list), (room), (n)))

/* Adds a job of ranks that exist.  0 or -errno, said. */
int weft__build_add(struct weft__build *b, const struct weft__entry *entry);
int weft__build_wait(struct weft__build *b, uint32_t job, uint32_t condition);

/* 0, or -EINVAL after the error that there is no such rank. */
int weft__build_rank(const struct weft__build *b, uint64_t rank,
		     unsigned long line);

/* Frees the lists, and with err == 0 makes *out of them first. */
int weft__build_end(struct weft__build *b, int err, struct weft_replay *out);

/* --- names ---------------------------------------------------------------- */

/* Names and what has them; kept sorted by name, then by value. */
struct weft__called {
	struct weft__word name;
	uint32_t value;
};
void weft__names_sort(struct weft__called *list, uint64_t n);
/* The first of that name in a sorted list, NULL if there is none. */
const struct weft__called *weft__names_find(const struct weft__called *list,
					    uint64_t n, struct weft__word name);
/* One that has the name of the one before it, NULL if there is none. */
const struct weft__called *weft__names_twice(const struct weft__called *list,
					     uint64_t n);

/* --- formats -------------------------------------------------------------- */

int weft__read_trace(struct weft__build *b);
int weft__read_goal(struct weft__build *b);

/* weft_replay_read() of a text that is in memory. */
int weft__read_replay(const struct weft__source *source, uint32_t nranks,
		      struct weft_replay *out, struct weft_diag *diag);

#endif
