// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Judges sets of failures one by one, by several threads.
 *
 * Each set is judged by itself and has a place of its own in the result, so
 * that the number of threads and their order make no difference.
 */
#include "faults/run.h"

#include "core/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_threads(const struct weft_faults_spec *spec, uint32_t n)
{
	unsigned threads = weft__count_threads(spec->threads);

	return threads > n ? (n ? n : 1) : threads;
}

static int fail(struct weft_diag *diag, int err)
{
	if (err == -EFBIG)
		weft_diag_say(diag, WEFT_ERROR,
			      "the fabric is too large to follow all routes");
	else
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	return err;
}

int weft__faults_begin(struct weft__faults_run *r,
		       const struct weft_fabric *fabric,
		       const struct weft_routes *routes,
		       const struct weft_faults_spec *spec, uint32_t most)
{
	unsigned threads = count_threads(spec, most);
	int err;

	*r = (struct weft__faults_run){ .routes = routes, .spec = spec };
	err = weft__flows_init(&r->flows, fabric, routes, spec->all_hosts);
	if (err)
		return err;
	r->judge = calloc(threads, sizeof(*r->judge));
	if (!r->judge)
		return -ENOMEM;
	while (r->threads < threads && !err)
		err = weft__judge_init(&r->judge[r->threads++], &r->flows,
				       spec->all_hosts);
	return err;
}

void weft__faults_end(struct weft__faults_run *r)
{
	for (unsigned i = 0; i < r->threads; i++)
		weft__judge_free(&r->judge[i]);
	free(r->judge);
	weft__flows_free(&r->flows);
}

static bool is_stopped(const struct weft__faults_run *r)
{
	return r->spec->stop && r->spec->stop(r->spec->context);
}

int weft__faults_judge(struct weft__faults_run *r, unsigned thread,
		       const uint32_t *part, uint32_t n, bool reroute,
		       struct weft_fault *out)
{
	struct weft__judge *j = &r->judge[thread];
	int err = 0;

	weft__judge_loss(j, part, n, &out->loss);
	if (reroute)
		err = weft__reroute(&j->down, r->routes, r->spec,
				    &out->rerouted);
	weft__down_restore(&j->down);
	out->judged = true;
	out->routed = reroute && !err;
	return err;
}

/* --- all sets ------------------------------------------------------------- */

struct all {
	struct weft__faults_run run;
	const struct weft_fault_sets *sets;
	struct weft_faults *out;
	uint32_t done, total;
	bool rerouting;
	int err;
};

static void count_done(struct all *a)
{
	const struct weft_faults_spec *spec = a->run.spec;
	uint32_t done;

#pragma omp atomic capture
	done = ++a->done;
	if (spec->progress && !weft__this_thread())
		spec->progress(spec->context, a->rerouting, done, a->total);
}

static void judge_one(struct all *a, uint32_t i)
{
	const struct weft_fault_sets *sets = a->sets;
	struct weft_fault *f = &a->out->fault[i];
	int err;

	if (a->rerouting ? f->like != i || !f->judged : f->judged)
		return;
	if (is_stopped(&a->run))
		return;
	err = weft__faults_judge(
		&a->run, weft__this_thread(), sets->part + sets->first[i],
		sets->first[i + 1] - sets->first[i], a->rerouting, f);
	if (err) {
#pragma omp atomic write
		a->err = err;
	}
	count_done(a);
}

static int judge_all(struct all *a)
{
	uint32_t n = a->sets->n;

	a->done = 0;
#pragma omp parallel for num_threads(a->run.threads) schedule(dynamic, 4)
	for (uint32_t i = 0; i < n; i++)
		judge_one(a, i);
	return a->err;
}

/* Whether each set is rerouted; tables are not as symmetric as fabrics. */
static bool is_each(const struct all *a)
{
	return a->run.spec->each || a->run.spec->mend;
}

/* Finds which sets need not be rerouted: only single parts may be alike. */
static int find_alike(struct all *a)
{
	const struct weft_fault_sets *s = a->sets;
	struct weft_faults *out = a->out;
	uint32_t *part = malloc((s->n + 1ull) * sizeof(*part));
	uint32_t *at = malloc((s->n + 1ull) * sizeof(*at));
	uint32_t *like = malloc((s->n + 1ull) * sizeof(*like)), n = 0;
	int err = part && at && like ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < s->n; i++) {
		out->fault[i].like = i;
		if (err || s->first[i + 1] - s->first[i] != 1)
			continue;
		part[n] = s->part[s->first[i]];
		at[n++] = i;
	}
	if (!err && !is_each(a))
		err = weft_fault_alike(a->run.flows.f, part, n, like);
	for (uint32_t i = 0; !err && !is_each(a) && i < n; i++)
		out->fault[at[i]].like = at[like[i]];
	for (uint32_t i = 0; i < s->n; i++) {
		struct weft_fault *f = &out->fault[i];

		out->fault[f->like].alike++;
		out->classes += f->like == i;
	}
	free(part);
	free(at);
	free(like);
	return err;
}

static void count_all(struct weft_faults *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		out->judged += out->fault[i].judged;
		out->routed += out->fault[i].routed;
	}
}

/* Tells of the fabric without failures. */
static void set_before(const struct weft__faults_run *r,
		       struct weft_faults *out)
{
	const struct weft__flows *w = &r->flows;
	uint64_t n = w->paths.nhosts;

	out->hosts = n;
	out->pairs = n ? n * (n - 1) : 0;
	out->lost = w->lost_pairs;
	out->before = w->base;
	out->lanes = r->routes->layers.nvl ? r->routes->layers.nvl : 1;
}

int weft_faults_run(const struct weft_fabric *fabric,
		    const struct weft_routes *routes,
		    const struct weft_fault_sets *sets,
		    const struct weft_faults_spec *spec,
		    struct weft_faults *out, struct weft_diag *diag)
{
	struct weft_faults x = {
		.n = sets->n,
		.fault = calloc(sets->n + 1ull, sizeof(*x.fault)),
	};
	struct all a = { .sets = sets, .out = &x, .total = sets->n };
	int err = weft__faults_begin(&a.run, fabric, routes, spec, sets->n);

	if (!err && !x.fault)
		err = -ENOMEM;
	if (!err) {
		set_before(&a.run, &x);
		err = judge_all(&a);
	}
	if (!err && weft__reroutes(spec)) {
		err = find_alike(&a);
		a.rerouting = true;
		a.total = x.classes;
		if (!err)
			err = judge_all(&a);
	}
	weft__faults_end(&a.run);
	if (err) {
		weft_faults_free(&x);
		return fail(diag, err);
	}
	count_all(&x);
	*out = x;
	return 0;
}

void weft_faults_free(struct weft_faults *x)
{
	for (uint32_t i = 0; x->fault && i < x->n; i++)
		free(x->fault[i].rerouted.refused);
	free(x->fault);
	*x = (struct weft_faults){ 0 };
}

/* --- ranking -------------------------------------------------------------- */

/* What is ranked by, each the worse the larger. */
struct rank {
	uint64_t cut, apart, broken;
	double loss;
	uint32_t set;
};

static int by_loss(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;

	if (a->cut != b->cut)
		return a->cut < b->cut ? 1 : -1;
	if (a->apart != b->apart)
		return a->apart < b->apart ? 1 : -1;
	if (a->loss != b->loss)
		return a->loss < b->loss ? 1 : -1;
	if (a->broken != b->broken)
		return a->broken < b->broken ? 1 : -1;
	return (a->set > b->set) - (a->set < b->set);
}

uint32_t weft_faults_rank(const struct weft_faults *x, uint32_t *set)
{
	struct rank *r = malloc((x->n + 1ull) * sizeof(*r));
	uint32_t n = 0;

	for (uint32_t i = 0; r && i < x->n; i++) {
		const struct weft_fault *f = &x->fault[i];
		const struct weft_fault *by = &x->fault[f->like];
		bool routed = by->routed && !by->rerouted.refused;
		double mean = routed ? by->rerouted.bandwidth.mean :
				       f->loss.bandwidth.mean;

		if (!f->judged)
			continue;
		/* in steps, so that the noise of sums does not decide */
		r[n++] = (struct rank){
			.cut = f->loss.cut,
			.apart = f->loss.apart,
			.loss = -(double)(int64_t)(mean * 1e9 + .5),
			.broken = f->loss.broken,
			.set = i,
		};
	}
	if (n)
		qsort(r, n, sizeof(*r), by_loss);
	for (uint32_t i = 0; i < n; i++)
		set[i] = r[i].set;
	free(r);
	return n;
}
