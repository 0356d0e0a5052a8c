/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees of a fabric, balanced: for tests of the model and of improvement. */
#ifndef WEFT_TESTS_JOB_H
#define WEFT_TESTS_JOB_H

#include "route.h"

#include "core/arena.h"
#include "trees/balance.h"
#include "trees/improve.h"

enum { JOB_SEED = 4711, JOB_HOPS = 64 };

struct job {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__ways ways;
	struct weft__trees trees;
};

/* place: as weft__ways_init(); where that of the first switch is odd, the ways
 * are completed. */
static inline void job_open(struct job *j, const struct weft_fabric *f,
			    const uint32_t *place, long passes)
{
	uint64_t had_none, missing;
	struct weft__balance b;

	j->f = f;
	j->arena = weft__arena_new();
	CU_ASSERT_TRUE_FATAL(weft__balance_init(&b, f, j->arena));
	CU_ASSERT_TRUE_FATAL(weft__trees_list(f, j->arena, f->sw_endport,
					      &j->trees));
	CU_ASSERT_TRUE_FATAL(weft__ways_init(&j->ways, f, j->arena, place));
	if (place && place[0] % 2)
		CU_ASSERT_TRUE_FATAL(weft__ways_complete(&j->ways, &had_none,
							 &missing));
	weft__balance_endports(&b, &j->ways, &j->trees, passes);
}

static inline void job_close(struct job *j)
{
	weft__arena_free(j->arena);
}

static inline struct weft__improve job_improve(struct job *j, uint64_t effort)
{
	struct weft__improve run = { .effort = effort, .seed = JOB_SEED };

	CU_ASSERT_EQUAL_FATAL(weft__improve_trees(&j->ways, &j->trees, &run),
			      0);
	return run;
}

static inline uint32_t job_next_edge(const struct job *j,
				     const struct weft__tree *t, uint32_t s)
{
	return j->f->adj_first[s] + t->choice[s];
}

/* Share of bandwidth measured with patterns that nothing was fitted to. */
static inline double job_measure(const struct job *j)
{
	struct weft_ebb_spec spec = { .patterns = 200, .seed = 99,
				      .threads = 1 };
	struct weft_routes r = { 0 };
	struct weft_ebb ebb;

	CU_ASSERT_EQUAL_FATAL(weft__trees_fill(j->f, &j->trees, &r.lft), 0);
	weft_layers_init(&r.layers);
	CU_ASSERT_EQUAL_FATAL(weft_ebb_run(j->f, &r, &spec, &ebb, NULL), 0);
	weft_routes_free(&r);
	return ebb.mean;
}

#endif
