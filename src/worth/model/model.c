// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: sampling a pattern; see weft/model.h.
 *
 * Sample i draws its numbers from a generator seeded with (seed, i).  All
 * threads of all processes share the work of a batch of samples.  Then each
 * process adds up the whole batch in the order of the samples, so that neither
 * threads nor processes change a bit of the result.
 *
 * Where nothing is random there is only one sample, and the threads share its
 * rounds, in blocks of a fixed size.
 */
#include "core/threads.h"
#include "sample.h"
#include "statistic.h"

#include <weft/diag.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>


#define BATCH 1024	/* items of a process between two exchanges */
#define ROUNDS 16	/* in an item, if there is only one sample */
#define MAX_SAMPLES (UINT64_C(1) << 24)
#define BINS 100

struct run {
	const struct weft_model_spec *spec;
	struct weft__sample_plan plan;
	unsigned processes;
	int threads;
	struct weft__sampler *sampler;	/* [threads] */
	struct weft__sum carry;		/* of the current sample */
	struct weft__tally tally[WEFT_MEASURES];
	double beside, nbeside;	/* of all samples */
	struct weft_model model;
};

/* Some successive rounds of one sample. */
struct item {
	uint64_t sample, first, end;
};

static void run_free(struct run *r)
{
	for (int t = 0; r->sampler && t < r->threads; t++)
		weft__sampler_free(&r->sampler[t]);
	free(r->sampler);
	free(r->plan.slot_host);
	weft__paths_free(&r->plan.paths);
	weft_model_free(&r->model);
}

static enum weft__rows rows_used(const struct run *r)
{
	switch (r->spec->lids) {
	case WEFT_LID_RANDOM:
	case WEFT_LID_ROUND_ROBIN:
		return WEFT__ROWS_ALL;
	case WEFT_LID_ALL:
		return WEFT__ROWS_SPREAD;
	default:
		return r->plan.source_offset ? WEFT__ROWS_ALL : WEFT__ROWS_BASE;
	}
}

/* Decides what to draw for each sample, apart from what a fair pattern draws
 * anyway. */
static void plan_draws(struct run *r)
{
	const struct weft_mapping *m = r->spec->mapping;
	struct weft__sample_plan *p = &r->plan;

	p->draws_subset = m->random_subset;
	p->draws_order = m->random_order && !weft_traffic_is_fair(p->traffic);
	r->model.exact = !p->draws_subset && !p->draws_order &&
			 !weft_traffic_is_random(p->traffic) &&
			 p->lids != WEFT_LID_RANDOM &&
			 p->lids != WEFT_LID_ROUND_ROBIN;
}

static int plan_init(struct run *r, const struct weft_fabric *fabric,
		     const struct weft_routes *routes)
{
	const struct weft_model_spec *spec = r->spec;
	struct weft__sample_plan *p = &r->plan;
	int err;

	p->traffic = spec->traffic;
	p->mapping = spec->mapping;
	p->beside = spec->beside;
	p->rounds = r->model.rounds;
	p->lids = spec->lids;
	p->seed = spec->seed;
	if (spec->lids == WEFT_LID_ROUTES)
		p->source_offset = routes->lid_offset;
	plan_draws(r);
	err = weft__sample_plan_hosts(p, fabric, &routes->lft, rows_used(r));
	if (!err)
		weft__network_init(&p->network, &p->paths, spec->endpoints,
				   weft_traffic_max_pairs(spec->traffic) +
					p->max_beside);
	return err;
}

static int model_init(struct run *r, const struct weft_fabric *fabric)
{
	struct weft_model *m = &r->model;
	bool ok = true;

	m->bins = r->spec->bins ? r->spec->bins : BINS;
	m->seed = r->spec->seed;
	m->hosts = r->spec->mapping->nslots;
	m->ranks = r->spec->mapping->nranks;
	m->rounds = weft_model_rounds(r->spec->traffic, r->spec->beside);
	m->slowest = 1;
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		ok &= weft__statistic_init(&m->measure[i], m->bins);
	if (r->spec->links)
		m->link = calloc(fabric->nch, sizeof(*m->link));
	return ok && (m->link || !r->spec->links) ? 0 : -ENOMEM;
}

static int run_init(struct run *r, const struct weft_fabric *fabric,
		    const struct weft_routes *routes)
{
	int err = model_init(r, fabric);

	if (!err)
		err = plan_init(r, fabric, routes);
	if (err)
		return err;
	r->processes = r->spec->crew.size > 1 ? r->spec->crew.size : 1;
	r->threads = weft__count_threads(r->spec->threads);
	r->sampler = calloc(r->threads, sizeof(*r->sampler));
	if (!r->sampler)
		return -ENOMEM;
	for (int t = 0; t < r->threads; t++)
		if (!weft__sampler_init(&r->sampler[t], &r->plan,
					r->spec->links))
			err = -ENOMEM;
	return err;
}

/* Reports how many hosts cannot be reached by all others, and the first of
 * them; a proof of the tables names all pairs. */
static void report_unreached(struct run *r, struct weft_diag *diag)
{
	const struct weft__paths *p = &r->plan.paths;
	const struct weft_fabric *f = p->fabric;
	uint32_t first = WEFT_NONE;

	for (uint32_t h = 0; h < p->nhosts; h++) {
		if (!p->cut[h])
			continue;
		r->model.unreached++;
		first = first == WEFT_NONE ? h : first;
	}
	if (first == WEFT_NONE)
		return;
	weft_diag_say(diag, WEFT_WARNING,
		      "of %s %u cannot be reached by all others, first of them \"%s\" (LID %u), by %u not: streams without a route get nothing",
		      WEFT_COUNT(p->nhosts, "host"), r->model.unreached,
		      f->node[f->ep[p->endport[first]].node].name,
		      f->ep[p->endport[first]].lid, p->cut[first]);
}

/* Returns the number of blocks of a sample. */
static uint64_t blocks(const struct run *r)
{
	return r->model.exact ? (r->model.rounds + ROUNDS - 1) / ROUNDS : 1;
}

static struct item item_at(const struct run *r, uint64_t i)
{
	uint64_t n = blocks(r), block = i % n;

	if (n == 1)
		return (struct item){ i, 0, r->model.rounds };
	return (struct item){ i / n, block * ROUNDS,
			      block + 1 == n ? r->model.rounds :
					       (block + 1) * ROUNDS };
}

/* Runs n items from first on, which are this process's share of a batch. */
static void run_items(struct run *r, uint64_t first, uint64_t n,
		      struct weft__sum *sum)
{
#pragma omp parallel for num_threads(r->threads) schedule(dynamic)
	for (uint64_t i = 0; i < n; i++) {
		struct item item = item_at(r, first + i);

		sum[i] = weft__sampler_run(&r->sampler[weft__this_thread()],
					   item.sample, item.first, item.end);
	}
}

static void add_sample(struct run *r, const struct weft__sum *sum)
{
	struct weft_model *m = &r->model;
	double value[WEFT_MEASURES];

	weft__sum_measure(sum, value);
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		weft__statistic_add(&m->measure[i], &r->tally[i], m->bins,
				    value[i]);
	m->slowest = fmin(m->slowest, sum->slowest);
	m->fastest = fmax(m->fastest, sum->fastest);
	m->streams += sum->streams;
	r->beside += sum->beside;
	r->nbeside += sum->nbeside;
	m->samples++;
}

/* Runs a batch of n items from first on together with the other processes, and
 * adds them up. sum: [processes * BATCH]. */
static int run_batch(struct run *r, uint64_t first, uint64_t n,
		     struct weft__sum *sum)
{
	const struct weft_crew *crew = &r->spec->crew;
	uint64_t share = (n + r->processes - 1) / r->processes;
	uint64_t mine = r->processes > 1 ? crew->rank * share : 0;
	int err = 0;

	if (mine < n)
		run_items(r, first + mine, n - mine < share ? n - mine : share,
			  sum + mine);
	if (r->processes > 1)
		err = crew->gather(crew->context, (double *)sum,
				   share * sizeof(*sum) / sizeof(double));
	for (uint64_t i = 0; i < n && !err; i++) {
		r->carry = weft__sum_add(r->carry, sum[i]);
		if ((first + i + 1) % blocks(r))
			continue;
		add_sample(r, &r->carry);
		r->carry = weft__sum_zero();
	}
	return err;
}

/* Runs until so many samples are done. */
static int run_until(struct run *r, uint64_t samples)
{
	const struct weft_model_spec *spec = r->spec;
	uint64_t most = (uint64_t)BATCH * r->processes, end, done;
	struct weft__sum *sum = calloc(most, sizeof(*sum));
	int err = sum ? 0 : -ENOMEM;

	end = samples * blocks(r);
	for (done = r->model.samples * blocks(r); done < end && !err;) {
		uint64_t n = end - done < most ? end - done : most;

		err = run_batch(r, done, n, sum);
		done += n;
		if (!err && spec->progress)
			spec->progress(spec->progress_context, done, end);
	}
	free(sum);
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		weft__statistic_close(&r->model.measure[i], &r->tally[i],
				      r->model.exact);
	return err;
}

static bool is_precise(const struct run *r)
{
	const struct weft_statistic *s =
		&r->model.measure[r->spec->precise];

	return r->model.exact || r->spec->precision <= 0 ||
	       (r->model.samples > 1 &&
		2 * s->ci99 <= r->spec->precision * s->mean);
}

/* Runs the samples, and doubles their number as long as the stopping rule asks
 * for more. */
static int run_samples(struct run *r)
{
	uint64_t most = r->spec->max_samples ? r->spec->max_samples :
					       MAX_SAMPLES;
	uint64_t n = r->model.exact ? 1 : r->spec->samples;
	int err = run_until(r, n);

	while (!err && !is_precise(r) && n <= most / 2) {
		n *= 2;
		err = run_until(r, n);
	}
	r->model.precise = is_precise(r);
	r->model.beside = r->nbeside > 0 ? r->beside / r->nbeside : 1;
	return err;
}

static int reduce_counts(const struct run *r, uint64_t *value, uint64_t n,
			 bool largest)
{
	const struct weft_crew *crew = &r->spec->crew;

	return r->processes > 1 ?
		crew->reduce(crew->context, value, n, largest) : 0;
}

/* Adds up the threads' counts of channels. */
static int collect_links(struct run *r)
{
	struct weft_model *m = &r->model;
	uint32_t nch = r->plan.paths.fabric->nch;
	uint64_t *load = calloc(nch, sizeof(*load));
	uint64_t *peak = calloc(nch, sizeof(*peak));
	int err = load && peak ? 0 : -ENOMEM;

	for (int t = 0; t < r->threads && !err; t++) {
		const struct weft__congestion *c = &r->sampler[t].congestion;

		for (uint32_t ch = 0; ch < nch; ch++) {
			load[ch] += c->load[ch];
			if (c->peak[ch] > peak[ch])
				peak[ch] = c->peak[ch];
		}
	}
	if (!err)
		err = reduce_counts(r, load, nch, false);
	if (!err)
		err = reduce_counts(r, peak, nch, true);
	for (uint32_t ch = 0; ch < nch && !err; ch++)
		m->link[ch] = (struct weft_link_load){ load[ch], peak[ch] };
	free(load);
	free(peak);
	return err;
}

/* Adds up the counts of threads and processes. */
static int collect_counts(struct run *r)
{
	struct weft_model *m = &r->model;
	int err;

	for (int t = 0; t < r->threads; t++) {
		for (int c = 0; c <= WEFT_MAX_CONGESTION; c++)
			m->congestion[c] += r->sampler[t].tally[c];
		m->partial += r->sampler[t].congestion.partial;
	}
	m->unit = r->plan.network.unit;
	err = reduce_counts(r, m->congestion, WEFT_MAX_CONGESTION + 1, false);
	m->lost = m->congestion[0];
	if (!err)
		err = reduce_counts(r, &m->partial, 1, false);
	if (!err && m->link)
		err = collect_links(r);
	return err;
}

static int check_spec(const struct weft_fabric *fabric,
		      const struct weft_model_spec *spec,
		      struct weft_diag *diag)
{
	if (!spec->samples)
		return weft_fail(diag, EINVAL,
				 "no samples: a pattern needs at least one");
	if (weft_traffic_ranks(spec->traffic) != spec->mapping->nranks)
		return weft_fail(diag, EINVAL,
				 "the pattern is made for %u ranks, but %u have a host",
				 weft_traffic_ranks(spec->traffic),
				 spec->mapping->nranks);
	if (!weft_traffic_max_pairs(spec->traffic))
		return weft_fail(diag, EINVAL, "the pattern sends nothing");
	if (spec->lids == WEFT_LID_ALL &&
	    !weft__parts_fit(fabric, weft_traffic_max_pairs(spec->traffic)))
		return weft_fail(diag, EINVAL,
				 "too many streams at once to cut them into parts");
	return 0;
}

int weft_model_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_model_spec *spec, struct weft_model *out,
		   struct weft_diag *diag)
{
	struct run r = { .spec = spec, .carry = weft__sum_zero() };
	int err = check_spec(fabric, spec, diag);

	if (err)
		return err;
	err = run_init(&r, fabric, routes);
	if (!err) {
		report_unreached(&r, diag);
		err = run_samples(&r);
	}
	if (!err)
		err = collect_counts(&r);
	if (err) {
		weft_diag_say(diag, WEFT_ERROR, err == -ENOMEM ?
			      "out of memory" :
			      "the processes of the run lost touch");
	} else {
		*out = r.model;
		r.model = (struct weft_model){ 0 };
	}
	run_free(&r);
	return err;
}

void weft_model_free(struct weft_model *model)
{
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		free(model->measure[i].histogram);
	free(model->link);
	*model = (struct weft_model){ 0 };
}

const char *weft_measure_name(enum weft_measure measure)
{
	static const char *const names[WEFT_MEASURES] = {
		[WEFT_STREAMS] = "streams", [WEFT_LOWER] = "lower",
		[WEFT_UPPER] = "upper",
	};

	return names[measure];
}
