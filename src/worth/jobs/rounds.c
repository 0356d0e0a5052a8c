// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: rounds of jobs; see rounds.h
 *
 * Jobs know nothing of each other's clocks.  Were all of them to begin at their
 * first round, those of one size would be in step, and meet always or never;
 * therefore each job goes through its rounds in an order of its own.
 */
#include "worth/jobs/rounds.h"

#include "core/grow.h"

#include <weft/diag.h>
#include <weft/mapping.h>
#include <weft/rng.h>

#include <stdlib.h>

/* Drawing the rounds of one job. */
struct source {
	const struct weft_traffic *traffic;
	uint32_t *number;	/* [nrounds] which of its rounds */
	struct weft_draw draw;
	uint32_t seed;
};

void weft__jobs_rounds_free(struct weft__jobs_rounds *r)
{
	free(r->rank);
	free(r->endport);
	free(r->first);
	free(r->pair);
}

/* Says for which job a pattern cannot be made. */
struct about {
	struct weft_diag *diag;
	const char *job;
};

static void say_about(void *context, const struct weft_message *m)
{
	const struct about *about = context;

	weft_diag_say(about->diag, m->severity, "job '%s': %s", about->job,
		      m->text);
}

/* Puts the numbers of the rounds in an order of this job alone. */
static void order_rounds(struct source *s, uint32_t n, uint64_t salt)
{
	uint64_t all = weft_traffic_rounds(s->traffic);

	weft_rng_seed_sample(s->draw.rng, s->seed, salt);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t begin = all * i / n, end = all * (i + 1) / n;

		s->number[i] = all <= n ? i % all :
			begin + weft_rng_below(s->draw.rng, end - begin);
	}
	weft_rng_shuffle(s->draw.rng, s->number, n);
}

static int make_traffic(const struct weft_fabric *f, const struct weft_job *job,
			const char *pattern, struct weft_traffic **out,
			struct weft_diag *diag)
{
	struct about about = { diag, job->name };
	struct weft_diag there = { .emit = say_about, .context = &about };

	return weft_traffic_placed(pattern, f, job->endport, job->nranks, out,
				   &there);
}

static int source_init(struct source *s, const struct weft_fabric *f,
		       const struct weft_job *job, const char *pattern,
		       uint32_t nrounds, struct weft_diag *diag)
{
	struct weft_traffic *traffic;
	int err = make_traffic(f, job, pattern, &traffic, diag);

	if (err)
		return err;
	s->traffic = traffic;
	s->number = malloc((nrounds + 1ull) * sizeof(*s->number));
	s->draw.rng = weft_rng_new(1);
	s->draw.scratch = malloc((weft_traffic_scratch(traffic) + 1) *
				 sizeof(*s->draw.scratch));
	return s->number && s->draw.rng && s->draw.scratch ?
		0 : weft_no_memory(diag);
}

static void source_free(struct source *s)
{
	weft_traffic_free((struct weft_traffic *)s->traffic);
	free(s->number);
	weft_rng_free(s->draw.rng);
	free(s->draw.scratch);
}

/* Lists the pairs of job j in one round behind the n that are there. */
static int list_pairs(struct weft__jobs_rounds *r, struct source *s, uint32_t j,
		      uint32_t round, uint64_t *n, size_t *room)
{
	uint64_t end;

	if (weft__grow(&r->pair, room,
		       *n + weft_traffic_max_pairs(s->traffic) + 1))
		return -ENOMEM;
	weft_rng_seed_sample(s->draw.rng, s->seed,
			     ((uint64_t)j + 1) << 32 | round);
	end = *n + weft_traffic_round(s->traffic, s->number[round], &s->draw,
				      r->pair + *n);
	for (; *n < end; ++*n) {
		r->pair[*n].from += r->rank[j];
		r->pair[*n].to += r->rank[j];
	}
	return 0;
}

static int list_rounds(struct weft__jobs_rounds *r, struct source *source)
{
	uint64_t n = 0, at = 0;
	size_t room = 0;

	for (uint32_t round = 0; round < r->nrounds; round++) {
		uint64_t before = n;

		for (uint32_t j = 0; j < r->njobs; j++) {
			r->first[at++] = n;
			if (source[j].traffic &&
			    list_pairs(r, &source[j], j, round, &n, &room))
				return -ENOMEM;
		}
		if (n - before > r->max_pairs)
			r->max_pairs = n - before;
	}
	r->first[at] = n;
	return 0;
}

static bool list_ranks(struct weft__jobs_rounds *r,
		       const struct weft_jobs *jobs)
{
	uint64_t n = 0;

	r->rank = malloc((jobs->n + 1ull) * sizeof(*r->rank));
	r->first = malloc(((uint64_t)jobs->n * r->nrounds + 1) *
			  sizeof(*r->first));
	for (uint32_t j = 0; j < jobs->n; j++)
		n += jobs->job[j].nranks;
	if (n > WEFT_MAX_RANKS)
		return false;
	r->endport = malloc((n + 1) * sizeof(*r->endport));
	if (!r->rank || !r->first || !r->endport)
		return false;
	for (uint32_t j = 0; j < jobs->n; j++) {
		r->rank[j] = r->nranks;
		for (uint32_t i = 0; i < jobs->job[j].nranks; i++)
			r->endport[r->nranks++] = jobs->job[j].endport[i];
	}
	r->rank[jobs->n] = r->nranks;
	return true;
}

int weft__jobs_rounds_make(struct weft__jobs_rounds *out,
			   const struct weft_fabric *f,
			   const struct weft_jobs *jobs,
			   const char *const *pattern, uint32_t npatterns,
			   uint32_t nrounds, uint32_t seed,
			   struct weft_diag *diag)
{
	struct weft__jobs_rounds r = { .njobs = jobs->n, .nrounds = nrounds };
	struct source *source = calloc(jobs->n + 1ull, sizeof(*source));
	int err = source && list_ranks(&r, jobs) ? 0 : weft_no_memory(diag);

	for (uint32_t j = 0; j < jobs->n && !err; j++) {
		if (jobs->job[j].nranks < 2)
			continue;
		source[j].seed = seed;
		err = source_init(&source[j], f, &jobs->job[j],
				  pattern[npatterns > 1 ? j : 0], nrounds,
				  diag);
		if (!err)
			order_rounds(&source[j], nrounds, j);
	}
	if (!err && list_rounds(&r, source))
		err = weft_no_memory(diag);
	if (!err && !r.max_pairs)
		err = weft_fail(diag, EINVAL,
				"no job has two ranks that talk to each other");
	for (uint32_t j = 0; source && j < jobs->n; j++)
		source_free(&source[j]);
	free(source);
	if (err)
		weft__jobs_rounds_free(&r);
	else
		*out = r;
	return err;
}
