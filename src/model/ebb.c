// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: Effective bisection bandwidth; see weft/model.h.
 *
 * One pattern takes two passes, as in section IV-A of Hoefler, Schneider and
 * Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks", HOTI
 * 2009: the first counts the streams on each channel, the second finds the
 * largest count on each stream's route.
 *
 * What takes the time is waiting for table entries, and each hop needs the
 * hop before it.  Therefore all streams of a pattern advance together, one hop
 * at a time: the look-ups of one hop are independent and overlap.  Streams that
 * arrive leave the list.  The first pass writes down each (stream, channel) in
 * the order of its visits, so that the second one reads a plain list and never
 * walks a route again.
 *
 * Pattern i draws its numbers from a generator seeded with (seed, i).  The
 * patterns' results are kept and summed in the order of the patterns, so
 * threads cannot change a bit of the result.
 *
 * Time per pattern O(hosts + hops of all streams + channels); memory per thread
 * O(hosts x longest route + channels).
 */
#include "paths.h"

#include <weft/diag.h>
#include <weft/model.h>
#include <weft/rng.h>

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define BATCH 256	/* patterns between two calls of progress() */

struct stream {
	const uint8_t *row;	/* of its destination */
	uint32_t sw;		/* where it is */
	uint32_t goal;		/* the destination's switch */
};

struct use {
	uint32_t stream;
	uint32_t channel;
};

/* All that one thread writes to. */
struct work {
	struct weft_rng *rng;
	uint32_t *order;	/* [hosts] the random permutation */
	struct stream *stream;	/* [half] */
	uint32_t *active;	/* [half] streams that are not there yet */
	struct use *use;	/* [half * max_hops] */
	uint16_t *count;	/* [channels of switches] streams on it */
	uint16_t *worst;	/* [half] largest count on its route;
				 * 0 = lost */
	uint32_t *tally;	/* [half + 1] streams by worst */
	uint64_t congestion[WEFT_MAX_CONGESTION + 1];
};

struct run {
	struct weft__paths paths;
	uint32_t half;		/* streams of a pattern */
	uint32_t seed;
	int threads;
	struct work *work;	/* [threads] */
};

/* Pairs the hosts at random and puts each stream at its start. */
static void place_streams(const struct run *r, struct work *w,
			  uint64_t pattern)
{
	const struct weft__paths *p = &r->paths;

	for (uint32_t h = 0; h < p->nhosts; h++)
		w->order[h] = h;
	weft_rng_seed_sample(w->rng, r->seed, pattern);
	weft_rng_shuffle(w->rng, w->order, p->nhosts);
	for (uint32_t i = 0; i < r->half; i++) {
		uint32_t dest = w->order[r->half + i];
		struct stream *s = &w->stream[i];

		s->row = weft__paths_row(p, dest, 0);
		s->sw = p->sw[w->order[i]];
		s->goal = p->sw[dest];
		__builtin_prefetch(&s->row[s->sw]);
	}
}

/* Lists the streams that have to cross from switch to switch. */
static uint32_t list_active(const struct run *r, struct work *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->half; i++) {
		const struct stream *s = &w->stream[i];
		bool reach = weft__paths_reach(s->row, s->sw);

		w->worst[i] = reach;
		w->active[n] = i;
		n += reach && s->sw != s->goal;
	}
	return n;
}

/* First pass.  Returns the number of entries in w->use. */
static uint32_t walk_streams(const struct run *r, struct work *w,
			     uint32_t nactive)
{
	const uint32_t *first_channel = r->paths.fabric->first_channel;
	const uint32_t *peer = r->paths.fabric->peer;
	struct use *use = w->use;

	while (nactive) {
		uint32_t left = 0;

		for (uint32_t k = 0; k < nactive; k++) {
			uint32_t i = w->active[k];
			struct stream *s = &w->stream[i];
			uint32_t ch = first_channel[s->sw] + s->row[s->sw];

			w->count[ch]++;
			*use++ = (struct use){ i, ch };
			s->sw = peer[ch];
			__builtin_prefetch(&s->row[s->sw]);
			w->active[left] = i;
			left += s->sw != s->goal;
		}
		nactive = left;
	}
	return use - w->use;
}

/* Second pass: w->worst.  Leaves w->count zeroed. */
static void find_worst(struct work *w, uint32_t nuse)
{
	for (uint32_t k = 0; k < nuse; k++) {
		struct use u = w->use[k];

		if (w->count[u.channel] > w->worst[u.stream])
			w->worst[u.stream] = w->count[u.channel];
	}
	for (uint32_t k = 0; k < nuse; k++)
		w->count[w->use[k].channel] = 0;
}

/* Sums up by congestion, smallest first: the order of streams is arbitrary. */
static double bandwidth(struct work *w, uint32_t half)
{
	uint32_t most = 0;
	double sum = 0;

	for (uint32_t i = 0; i < half; i++) {
		w->tally[w->worst[i]]++;
		if (w->worst[i] > most)
			most = w->worst[i];
	}
	for (uint32_t c = 0; c <= most; c++) {
		uint32_t bin = c < WEFT_MAX_CONGESTION ? c :
							 WEFT_MAX_CONGESTION;

		w->congestion[bin] += w->tally[c];
		if (c)
			sum += w->tally[c] / (double)c;
		w->tally[c] = 0;
	}
	return sum / half;
}

static double run_pattern(const struct run *r, struct work *w,
			  uint64_t pattern)
{
	place_streams(r, w, pattern);
	find_worst(w, walk_streams(r, w, list_active(r, w)));
	return bandwidth(w, r->half);
}

static void work_free(struct work *w)
{
	weft_rng_free(w->rng);
	free(w->order);
	free(w->stream);
	free(w->active);
	free(w->use);
	free(w->count);
	free(w->worst);
	free(w->tally);
}

/* Whether there was memory; to be freed in any case. */
static bool work_init(const struct run *r, struct work *w)
{
	const struct weft__paths *p = &r->paths;
	size_t half = r->half, channels = p->fabric->first_injection;

	w->rng = weft_rng_new(0);
	w->order = malloc(p->nhosts * sizeof(*w->order));
	w->stream = malloc(half * sizeof(*w->stream));
	w->active = malloc(half * sizeof(*w->active));
	w->use = malloc((half * p->max_hops + 1) * sizeof(*w->use));
	w->count = calloc(channels, sizeof(*w->count));
	w->worst = malloc(half * sizeof(*w->worst));
	w->tally = calloc(half + 1, sizeof(*w->tally));
	return w->rng && w->order && w->stream && w->active && w->use &&
	       w->count && w->worst && w->tally;
}

static void run_free(struct run *r)
{
	for (int t = 0; r->work && t < r->threads; t++)
		work_free(&r->work[t]);
	free(r->work);
	weft__paths_free(&r->paths);
}

static int run_init(struct run *r, const struct weft_fabric *fabric,
		    const struct weft_routes *routes,
		    const struct weft_ebb_spec *spec)
{
	const struct weft_mapping_spec hosts = { .all_hosts = spec->all_hosts };
	struct weft_mapping m;
	int err = weft_mapping_init(&m, fabric, &hosts, NULL);

	if (err)
		return err;
	err = weft__paths_init(&r->paths, fabric, &routes->lft, false,
			       m.endport, m.nslots);
	weft_mapping_free(&m);
	if (err)
		return err;
	r->half = r->paths.nhosts / 2;
	r->seed = spec->seed;
	r->threads = spec->threads;
#ifdef _OPENMP
	if (!r->threads)
		r->threads = omp_get_max_threads();
#else
	r->threads = 1;
#endif
	r->work = calloc(r->threads, sizeof(*r->work));
	for (int t = 0; r->work && t < r->threads; t++)
		if (!work_init(r, &r->work[t]))
			err = -ENOMEM;
	return r->work ? err : -ENOMEM;
}

/* Adds the mean of one pattern (Welford: one pass, no cancellation; *squares is
 * the sum of squared distances from the mean). */
static void add_pattern(struct weft_ebb *e, double *squares, double share)
{
	double off = share - e->mean;
	unsigned bin = share * WEFT_EBB_BINS;

	e->patterns++;
	e->mean += off / e->patterns;
	*squares += off * (share - e->mean);
	e->min = fmin(e->min, share);
	e->max = fmax(e->max, share);
	e->bandwidth[bin < WEFT_EBB_BINS ? bin : WEFT_EBB_BINS - 1]++;
}

static void finish(const struct run *r, struct weft_ebb *e, double squares)
{
	uint64_t n = e->patterns;

	e->hosts = r->paths.nhosts;
	e->streams = n * r->half;
	e->ci99 = 1;
	if (n > 1) {
		e->stddev = sqrt(squares / (n - 1));
		e->ci99 = gsl_cdf_tdist_Pinv(0.995, n - 1) * e->stddev /
			  sqrt(n);
	}
	for (int t = 0; t < r->threads; t++)
		for (int c = 0; c <= WEFT_MAX_CONGESTION; c++)
			e->congestion[c] += r->work[t].congestion[c];
	e->lost = e->congestion[0];
}

static int this_thread(void)
{
#ifdef _OPENMP
	return omp_get_thread_num();
#else
	return 0;
#endif
}

static void run_patterns(const struct run *r, const struct weft_ebb_spec *spec,
			 struct weft_ebb *e, double *squares)
{
	double share[BATCH];

	for (uint64_t done = 0; done < spec->patterns; ) {
		uint64_t left = spec->patterns - done;
		int n = left < BATCH ? left : BATCH;

#pragma omp parallel for num_threads(r->threads) schedule(dynamic)
		for (int i = 0; i < n; i++)
			share[i] = run_pattern(r, &r->work[this_thread()],
					       done + i);
		for (int i = 0; i < n; i++)
			add_pattern(e, squares, share[i]);
		done += n;
		if (spec->progress)
			spec->progress(spec->progress_context, done,
				       spec->patterns);
	}
}

int weft_ebb_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_ebb_spec *spec, struct weft_ebb *out,
		 struct weft_diag *diag)
{
	struct weft_ebb e = { .seed = spec->seed, .min = 1 };
	struct run r = { .seed = spec->seed };
	double squares = 0;
	int err;

	if (!spec->patterns)
		return weft_fail(diag, EINVAL,
				 "no patterns: effective bisection bandwidth needs at least one");
	err = run_init(&r, fabric, routes, spec);
	if (err) {
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	} else if (r.paths.nhosts < 2) {
		err = weft_fail(diag, EINVAL,
				"a bisection needs two hosts, the fabric has %u",
				r.paths.nhosts);
	} else {
		run_patterns(&r, spec, &e, &squares);
		finish(&r, &e, squares);
		*out = e;
	}
	run_free(&r);
	return err;
}
