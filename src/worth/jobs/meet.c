// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: what jobs get, alone and beside each other; see weft/jobs.h
 *
 * One and the same rounds are run with all jobs, with each job alone, and with
 * all jobs but one, so that differences are those that a neighbour makes, and
 * not those of drawing.  Threads share the rounds of a run; sums are taken in
 * the order of the rounds.
 */
#include "core/threads.h"
#include "worth/jobs/rounds.h"
#include "worth/model/congestion.h"

#include <weft/diag.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>


#define ROUNDS 64
#define LEAST_COST 1e-9	/* less than this is noise of sums */

/* What one thread writes. */
struct worker {
	struct weft__congestion congestion;
	struct weft_pair *pair;	/* [max_pairs] */
	uint8_t *offset;	/* [max_pairs] */
	double *got;		/* [nranks] of a rank; < 0: sends nothing */
	uint64_t lost;
};

struct run {
	const struct weft_jobs_spec *spec;
	const uint8_t *lid_offset;	/* [nep] or NULL */
	struct weft__jobs_rounds rounds;
	struct weft__paths paths;
	struct weft__network network;
	uint32_t *host;		/* [nranks] number in paths */
	struct worker *worker;	/* [threads] */
	int threads;
	double *share;		/* [nrounds][njobs] of the present run; < 0: the
				 * job sends nothing in that round */
	double *slow;		/* [nrounds][njobs] congestion of the slowest
				 * stream of the job; 0: there is none */
	double *mean, *lower;	/* [njobs] */
	uint64_t *load;		/* [nch] of a job */
	struct weft_jobs_shares out;
	uint64_t done;
};

static void worker_free(struct worker *w)
{
	weft__congestion_free(&w->congestion);
	free(w->pair);
	free(w->offset);
	free(w->got);
}

static bool worker_init(struct worker *w, const struct run *r)
{
	size_t pairs = r->rounds.max_pairs + 1;

	w->pair = malloc(pairs * sizeof(*w->pair));
	w->offset = malloc(pairs);
	w->got = malloc((r->rounds.nranks + 1ull) * sizeof(*w->got));
	return weft__congestion_init(&w->congestion, &r->network, true) &&
	       w->pair && w->offset && w->got;
}

static void run_free(struct run *r)
{
	for (int t = 0; r->worker && t < r->threads; t++)
		worker_free(&r->worker[t]);
	free(r->worker);
	free(r->host);
	free(r->share);
	free(r->slow);
	free(r->mean);
	free(r->lower);
	free(r->load);
	weft__paths_free(&r->paths);
	weft__jobs_rounds_free(&r->rounds);
	weft_jobs_shares_free(&r->out);
}

static int allocate(struct run *r, const struct weft_fabric *f)
{
	const struct weft__jobs_rounds *x = &r->rounds;

	r->threads = weft__count_threads(r->spec->threads);
	r->worker = calloc(r->threads, sizeof(*r->worker));
	r->host = malloc((x->nranks + 1ull) * sizeof(*r->host));
	r->share = malloc((uint64_t)x->nrounds * x->njobs *
			  sizeof(*r->share));
	r->slow = malloc((uint64_t)x->nrounds * x->njobs * sizeof(*r->slow));
	r->mean = malloc(x->njobs * sizeof(*r->mean));
	r->lower = malloc(x->njobs * sizeof(*r->lower));
	r->load = malloc((f->nch + 1ull) * sizeof(*r->load));
	r->out.job = calloc(x->njobs, sizeof(*r->out.job));
	if (!r->worker || !r->host || !r->share || !r->slow || !r->mean ||
	    !r->lower || !r->load || !r->out.job)
		return -ENOMEM;
	r->out.n = x->njobs;
	r->out.rounds = x->nrounds;
	for (uint32_t i = 0; i < x->nranks; i++)
		r->host[i] = weft__paths_host(&r->paths, x->endport[i]);
	for (int t = 0; t < r->threads; t++)
		if (!worker_init(&r->worker[t], r))
			return -ENOMEM;
	return 0;
}

static int run_init(struct run *r, const struct weft_fabric *f,
		    const struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft_jobs_spec *spec = r->spec;
	int err = spec->npatterns == 1 || spec->npatterns == spec->jobs->n ? 0 :
		weft_fail(diag, EINVAL,
			  "there are %s and %u patterns: give one for all, or one for each",
			  WEFT_COUNT(spec->jobs->n, "job"), spec->npatterns);

	if (!err)
		err = weft__jobs_rounds_make(&r->rounds, f, spec->jobs,
					     spec->pattern, spec->npatterns,
					     spec->rounds ? spec->rounds :
							    ROUNDS,
					     spec->seed, diag);

	if (err)
		return err;
	r->lid_offset = spec->spread ? NULL : routes->lid_offset;
	err = weft__paths_init(&r->paths, f, &routes->lft,
			       spec->spread ? WEFT__ROWS_SPREAD :
			       r->lid_offset ? WEFT__ROWS_ALL : WEFT__ROWS_BASE,
			       r->rounds.endport, r->rounds.nranks);
	if (!err) {
		weft__network_init(&r->network, &r->paths, true,
				   r->rounds.max_pairs);
		err = allocate(r, f);
	}
	return err ? weft_no_memory(diag) : 0;
}

/* Jobs that take part: all, all but one, or one alone. */
struct part {
	uint32_t only, without;	/* WEFT_NONE: all; none is left out */
};

static bool takes_part(const struct part *part, uint32_t job)
{
	return (part->only == WEFT_NONE || part->only == job) &&
	       part->without != job;
}

/* Puts the pairs of the jobs that take part side by side. */
static uint64_t gather(const struct run *r, const struct part *part,
		       uint32_t round, struct worker *w)
{
	const struct weft__jobs_rounds *x = &r->rounds;
	const uint64_t *first = x->first + (uint64_t)round * x->njobs;
	uint64_t n = 0;

	for (uint32_t j = 0; j < x->njobs; j++)
		for (uint64_t i = first[j];
		     i < first[j + 1] && takes_part(part, j); i++)
			w->pair[n++] = x->pair[i];
	for (uint64_t i = 0; r->lid_offset && i < n; i++)
		w->offset[i] = r->lid_offset[x->endport[w->pair[i].from]];
	return n;
}

/* Fills in the congestion of the slowest stream of each job in one round. */
static void find_slowest(const struct run *r, const struct worker *w,
			 const struct part *part, uint32_t round)
{
	const struct weft__jobs_rounds *x = &r->rounds;
	const uint64_t *first = x->first + (uint64_t)round * x->njobs;
	const double *congestion = w->congestion.congestion;
	double *slow = r->slow + (uint64_t)round * x->njobs;

	for (uint32_t j = 0; j < x->njobs; j++) {
		slow[j] = 0;
		for (uint64_t i = first[j];
		     i < first[j + 1] && takes_part(part, j); i++)
			slow[j] = fmax(slow[j], *congestion++);
	}
}

/* Fills in the shares of the jobs of one round from the congestion of n
 * streams. */
static void find_shares(const struct run *r, struct worker *w, uint64_t n,
			double *share)
{
	const struct weft__jobs_rounds *x = &r->rounds;

	for (uint32_t i = 0; i < x->nranks; i++)
		w->got[i] = -1;
	for (uint64_t i = 0; i < n; i++) {
		double *got = &w->got[w->pair[i].from];
		double congestion = w->congestion.congestion[i];

		*got = *got < 0 ? 0 : *got;
		w->lost += isinf(congestion);
		*got += isinf(congestion) ? 0 : 1 / congestion;
	}
	for (uint32_t j = 0; j < x->njobs; j++) {
		uint32_t senders = 0;
		double sum = 0;

		for (uint32_t i = x->rank[j]; i < x->rank[j + 1]; i++) {
			senders += w->got[i] >= 0;
			sum += w->got[i] > 0 ? w->got[i] : 0;
		}
		share[j] = senders ? sum / senders : -1;
	}
}

static void run_round(struct run *r, const struct part *part, uint32_t round,
		      struct worker *w)
{
	struct weft__streams s = {
		.n = gather(r, part, round, w), .pair = w->pair,
		.host = r->host,
		.offset = r->lid_offset ? w->offset : NULL,
	};

	weft__congestion_run(&w->congestion, &s);
	find_shares(r, w, s.n, r->share + (uint64_t)round * r->rounds.njobs);
	find_slowest(r, w, part, round);
}

/* Fills in means over the rounds in which a job sends. */
static void find_means(struct run *r, uint32_t job)
{
	const struct weft__jobs_rounds *x = &r->rounds;
	double sum = 0, slow = 0;
	uint32_t n = 0;

	for (uint32_t round = 0; round < x->nrounds; round++) {
		uint64_t i = (uint64_t)round * x->njobs + job;

		n += r->share[i] >= 0;
		sum += r->share[i] >= 0 ? r->share[i] : 0;
		slow += r->slow[i];
	}
	r->mean[job] = n ? sum / n : 1;
	r->lower[job] = n ? n / slow : 1;
}

/* Runs all rounds, and fills in the means of the jobs that take part. */
static void run_part(struct run *r, struct part part)
{
	const struct weft__jobs_rounds *x = &r->rounds;

#pragma omp parallel for num_threads(r->threads) schedule(dynamic)
	for (uint32_t round = 0; round < x->nrounds; round++)
		run_round(r, &part, round, &r->worker[weft__this_thread()]);
	for (uint32_t j = 0; j < x->njobs; j++)
		find_means(r, j);
	if (r->spec->progress)
		r->spec->progress(r->spec->progress_context, ++r->done,
				  4ull * x->njobs + 1);
}

/* Looks what the others have where one job is left out. */
static void leave_out(struct run *r, uint32_t left_out)
{
	run_part(r, (struct part){ WEFT_NONE, left_out });
	for (uint32_t j = 0; j < r->rounds.njobs; j++) {
		struct weft_job_share *s = &r->out.job[j];

		if (j == left_out || r->mean[j] <= s->without + LEAST_COST)
			continue;
		s->neighbour = left_out;
		s->without = r->mean[j];
	}
}

/* Fills in the streams of a job on each channel, of all rounds. */
static void find_loads(struct run *r, uint32_t job, uint64_t *load)
{
	size_t size = r->paths.fabric->nch * sizeof(*load);

	for (int t = 0; t < r->threads; t++)
		memset(r->worker[t].congestion.load, 0, size);
	run_part(r, (struct part){ job, WEFT_NONE });
	memset(load, 0, size);
	for (int t = 0; t < r->threads; t++)
		for (uint32_t ch = 0; ch < r->paths.fabric->nch; ch++)
			load[ch] += r->worker[t].congestion.load[ch];
}

/* Finds the channel between switches where most of the streams of a job and of
 * its neighbour meet. */
static void find_channel(struct run *r, struct weft_job_share *s,
			 const uint64_t *mine, const uint64_t *other)
{
	const struct weft_fabric *f = r->paths.fabric;
	double unit = (double)r->network.unit * r->rounds.nrounds, most = 0;

	s->channel = WEFT_NONE;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];
		double meet = (double)mine[ch] * other[ch];

		meet /= f->capacity[ch] ? f->capacity[ch] : r->network.slowest;
		if (meet < most || !mine[ch] || !other[ch] ||
		    (meet == most && ch > s->channel))
			continue;
		most = meet;
		s->channel = ch;
		s->streams = mine[ch] / unit;
		s->other_streams = other[ch] / unit;
	}
}

static int find_channels(struct run *r)
{
	uint64_t *other = malloc((r->paths.fabric->nch + 1ull) *
				 sizeof(*other));

	if (!other)
		return -ENOMEM;
	for (uint32_t j = 0; j < r->rounds.njobs; j++) {
		struct weft_job_share *s = &r->out.job[j];

		s->channel = WEFT_NONE;
		if (s->neighbour == WEFT_NONE)
			continue;
		find_loads(r, j, r->load);
		find_loads(r, s->neighbour, other);
		find_channel(r, s, r->load, other);
	}
	free(other);
	return 0;
}

static uint32_t count_leaves(const struct weft_fabric *f,
			     const struct weft_job *job, uint8_t *seen)
{
	uint32_t n = 0;

	memset(seen, 0, f->nsw);
	for (uint32_t i = 0; i < job->nranks; i++) {
		uint8_t *leaf = &seen[f->ep[job->endport[i]].sw];

		n += !*leaf;
		*leaf = 1;
	}
	return n;
}

static uint64_t count_lost(const struct run *r)
{
	uint64_t lost = 0;

	for (int t = 0; t < r->threads; t++)
		lost += r->worker[t].lost;
	return lost;
}

/* Means over the ranks of all jobs that send. */
static void sum_up(struct run *r)
{
	const struct weft_jobs *jobs = r->spec->jobs;
	struct weft_jobs_shares *out = &r->out;
	uint64_t ranks = 0;

	for (uint32_t j = 0; j < jobs->n; j++) {
		uint32_t n = jobs->job[j].nranks;

		if (n < 2)
			continue;
		ranks += n;
		out->alone += n * out->job[j].alone;
		out->together += n * out->job[j].together;
	}
	out->alone /= ranks;
	out->together /= ranks;
}

static int run_all(struct run *r)
{
	const struct weft_jobs *jobs = r->spec->jobs;
	uint8_t *seen = malloc(r->paths.fabric->nsw + 1ull);

	if (!seen)
		return -ENOMEM;
	run_part(r, (struct part){ WEFT_NONE, WEFT_NONE });
	r->out.lost = count_lost(r);
	for (uint32_t j = 0; j < jobs->n; j++) {
		struct weft_job_share *s = &r->out.job[j];

		s->leaves = count_leaves(r->paths.fabric, &jobs->job[j], seen);
		s->together = s->without = r->mean[j];
		s->together_lower = r->lower[j];
		s->neighbour = WEFT_NONE;
	}
	free(seen);
	for (uint32_t j = 0; j < jobs->n; j++) {
		run_part(r, (struct part){ j, WEFT_NONE });
		r->out.job[j].alone = r->mean[j];
		r->out.job[j].alone_lower = r->lower[j];
	}
	for (uint32_t j = 0; j < jobs->n && jobs->n > 1; j++)
		leave_out(r, j);
	sum_up(r);
	return find_channels(r);
}

int weft_jobs_run(const struct weft_fabric *fabric,
		  const struct weft_routes *routes,
		  const struct weft_jobs_spec *spec,
		  struct weft_jobs_shares *out, struct weft_diag *diag)
{
	struct run r = { .spec = spec };
	int err = run_init(&r, fabric, routes, diag);

	if (!err && run_all(&r))
		err = weft_no_memory(diag);
	if (!err) {
		*out = r.out;
		r.out = (struct weft_jobs_shares){ .n = 0 };
	}
	run_free(&r);
	return err;
}

void weft_jobs_shares_free(struct weft_jobs_shares *shares)
{
	free(shares->job);
	*shares = (struct weft_jobs_shares){ .n = 0 };
}
