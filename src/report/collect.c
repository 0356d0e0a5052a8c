// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a report tells, before it is written; see report.h. */
#include "report/report.h"

#include <errno.h>
#include <weft/bound.h>
#include <weft/io.h>
#include <string.h>

/* Says so where memory was all that could be missing. */
static int no_memory(int err, struct weft_diag *diag)
{
	return err ? weft_fail(diag, -err, "out of memory") : 0;
}

static int prove(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	const struct weft_proof_spec spec = {
		.all_hosts = s->all_hosts,
		.minimal = true,
		.loads = true,
		.credit_loops = true,
		.explain = true,
		.max_examples = s->most,
	};
	const struct weft_proof_spec more = {
		.all_hosts = s->all_hosts,
		.switches = true,
		.credit_loops = true,
		.between_switches = true,
	};
	struct weft_proof with_switches;
	int err;

	s->phase(s->context, "checking");
	err = weft_proof_run(s->fabric, s->routes, &spec, &r->proof, diag);
	if (err || !weft_proof_holds(&r->proof))
		return err;
	err = weft_proof_run(s->fabric, s->routes, &more, &with_switches, diag);
	if (err)
		return err;
	r->fine_with_switches = weft_proof_holds(&with_switches);
	weft_proof_free(&with_switches);
	return 0;
}

static int bisect(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	const struct weft_ebb_spec spec = {
		.patterns = s->bisections,
		.seed = s->seed,
		.all_hosts = s->all_hosts,
		.threads = s->threads,
	};

	s->phase(s->context, "random bisections");
	return weft_ebb_run(s->fabric, s->routes, &spec, &r->ebb, diag);
}

static int judge(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	const struct weft_basket_spec spec = {
		.objective = s->objective,
		.seed = s->seed,
		.all_hosts = s->all_hosts,
	};
	const struct weft_saturation_spec saturation = {
		.all_hosts = s->all_hosts,
	};
	int err;

	s->phase(s->context, "bandwidth by pattern");
	err = weft_basket_new(s->fabric, &spec, &r->basket, diag);
	if (!err)
		err = no_memory(
			weft_basket_judge(r->basket, s->routes, &r->worth),
			diag);
	if (!err)
		err = weft_saturation_run(s->fabric, s->routes, &saturation,
					  &r->saturation, diag);
	r->uniform_bound = weft_bound_of_uniform(s->fabric, s->all_hosts);
	return err;
}

/* What needs hosts that send to each other. */
static int measure(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	int err = bisect(r, diag);

	if (!err)
		err = judge(r, diag);
	if (err)
		return err;
	s->phase(s->context, "most loaded channels");
	weft__lane_use_count(s->fabric, s->routes, s->all_hosts, &r->lanes);
	return no_memory(weft__hottest_find(s->fabric, s->routes, &r->proof,
					    s->all_hosts, s->most, &r->hottest),
			 diag);
}

static int find_weak(struct weft__report *r)
{
	const struct weft__report_spec *s = r->spec;
	int err;

	s->phase(s->context, "single points of failure");
	err = weft_redundancy_find(s->fabric, &s->routes->lft, &r->redundancy);
	if (!err)
		err = weft_redundancy_lids(s->fabric, &s->routes->lft,
					   &r->lids);
	return err ? err : weft__cuts_find(s->fabric, s->all_hosts, &r->cuts);
}

/* What a capture tells of its ports; other inputs have none. */
static int read_counters(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	int err;

	err = weft_io_read_counters(s->input, s->fabric, &r->counters, diag);
	return err == -ENOENT ? 0 : err;
}

static int judge_multicast(struct weft__report *r, struct weft_diag *diag)
{
	const struct weft__report_spec *s = r->spec;
	struct weft_multicast m = { 0 };
	int err;

	if (!s->nmulticast)
		return 0;
	err = weft_io_read_multicast(s->multicast, s->nmulticast, s->fabric, &m,
				     diag);
	if (err)
		return err;
	err = no_memory(weft_multicast_judge(s->fabric, &m, &r->multicast),
			diag);
	weft_multicast_free(&m);
	return err;
}

int weft__report_collect(const struct weft__report_spec *spec,
			 struct weft__report *out, struct weft_diag *diag)
{
	const struct weft_fabric *f = spec->fabric;
	struct weft__report r = { .spec = spec, .diag = diag };
	int err = weft_shape_find(f, &r.shape, diag);

	r.hosts = spec->all_hosts ? f->nep : f->nhosts;
	r.has_traffic = r.hosts > 1;
	if (!err)
		err = prove(&r, diag);
	if (!err && r.has_traffic)
		err = measure(&r, diag);
	if (!err)
		err = no_memory(find_weak(&r), diag);
	if (!err)
		err = read_counters(&r, diag);
	if (!err)
		err = judge_multicast(&r, diag);
	if (!err)
		*out = r;
	else
		weft__report_free(&r);
	return err;
}

void weft__report_free(struct weft__report *r)
{
	weft_shape_free(&r->shape);
	weft_proof_free(&r->proof);
	weft_basket_free(r->basket);
	weft_worth_free(&r->worth);
	weft__hottest_free(&r->hottest);
	weft_redundancy_free(&r->redundancy);
	weft__cuts_free(&r->cuts);
	weft_counters_free(&r->counters);
	weft_multicast_verdict_free(&r->multicast);
}
