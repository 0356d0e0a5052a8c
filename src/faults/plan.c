// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What maintenance may take out together; see weft_faults_plan().
 *
 * First fit: each part goes into the first group that stays safe with it.  To
 * find the fewest groups is as hard as to colour graphs, but redundancy in
 * fabrics comes in planes and pairs, which first fit finds.
 */
#include "faults/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct group {
	struct weft_fault_group g;
	bool *alone; /* [nnodes] cut off by a part alone */
};

struct planner {
	struct weft__faults_run run;
	const struct weft_fault_plan_spec *plan;
	bool *alone, *cut;   /* [nnodes] scratch */
	struct group *group; /* [n] */
	uint32_t n;
};

static void find_cut(struct planner *p, const uint32_t *part, uint32_t n,
		     bool *cut)
{
	struct weft__down *d = &p->run.judge[0].down;
	struct weft_fault_loss loss;

	weft__down_take(d, part, n);
	weft__down_cut(d, &loss, cut);
	weft__down_restore(d);
}

/* Hosts that a set cuts off and that are in none of two lists. */
static uint32_t count_more(struct planner *p, const struct weft_fault_group *g,
			   const bool *a, const bool *b)
{
	uint32_t nodes = p->run.flows.f->nnodes, more = 0;

	memset(p->cut, 0, nodes * sizeof(*p->cut));
	find_cut(p, g->part, g->nparts, p->cut);
	for (uint32_t i = 0; i < nodes; i++)
		more += p->cut[i] && !a[i] && !(b && b[i]);
	return more;
}

static bool keeps_enough(const struct planner *p, const struct weft_fault *f)
{
	const struct weft_fault_bandwidth *b =
		f->routed ? &f->rerouted.bandwidth : &f->loss.bandwidth;
	bool nobody = b->least_endport == WEFT_NONE;

	if (f->routed && f->rerouted.refused)
		return false;
	return nobody ||
	       b->mean >= p->plan->keep * p->run.flows.base.mean - 1e-9;
}

/* Judges a group of which g->more is known, and sets g->safe. */
static int judge(struct planner *p, struct weft_fault_group *g)
{
	int err;

	g->fault = (struct weft_fault){ .judged = false };
	err = weft__faults_judge(&p->run, 0, g->part, g->nparts,
				 weft__reroutes(p->run.spec), &g->fault);
	g->safe = !err && !g->more && keeps_enough(p, &g->fault);
	return err;
}

/* Tries a part as one more of a group, of which it stays one if that is safe.
 * 1: it is; 0 or -ENOMEM. */
static int try_part(struct planner *p, struct group *to, uint32_t part)
{
	struct weft_fault_group g = to->g;
	uint32_t nodes = p->run.flows.f->nnodes;
	int err;

	g.part[g.nparts++] = part;
	g.more = count_more(p, &g, to->alone, p->alone);
	if (g.more)
		return 0;
	err = judge(p, &g);
	if (err)
		return err;
	if (!g.safe) {
		free(g.fault.rerouted.refused);
		return 0;
	}
	free(to->g.fault.rerouted.refused);
	to->g = g;
	for (uint32_t i = 0; i < nodes; i++)
		to->alone[i] |= p->alone[i];
	return 1;
}

static int begin_group(struct planner *p, uint32_t part)
{
	struct group *to = &p->group[p->n];
	uint32_t nodes = p->run.flows.f->nnodes;

	to->g.part = malloc(p->plan->n * sizeof(*to->g.part));
	to->alone = malloc(nodes + 1ull);
	p->n++;
	if (!to->g.part || !to->alone)
		return -ENOMEM;
	memcpy(to->alone, p->alone, nodes * sizeof(*to->alone));
	to->g.part[to->g.nparts++] = part;
	return judge(p, &to->g);
}

static int put_part(struct planner *p, uint32_t part)
{
	int fits = 0;

	memset(p->alone, 0, p->run.flows.f->nnodes * sizeof(*p->alone));
	find_cut(p, &part, 1, p->alone);
	/* who is too much alone has no company */
	for (uint32_t i = 0; i < p->n && !fits; i++)
		if (p->group[i].g.safe)
			fits = try_part(p, &p->group[i], part);
	if (fits < 0)
		return fits;
	return fits ? 0 : begin_group(p, part);
}

static int judge_together(struct planner *p, struct weft_fault_group *all)
{
	uint32_t n = p->plan->n;

	all->part = malloc((n + 1ull) * sizeof(*all->part));
	if (!all->part)
		return -ENOMEM;
	memcpy(all->part, p->plan->part, n * sizeof(*all->part));
	all->nparts = n;
	for (uint32_t i = 0; i < n; i++)
		find_cut(p, &p->plan->part[i], 1, p->alone);
	all->more = count_more(p, all, p->alone, NULL);
	return judge(p, all);
}

static int make_groups(struct planner *p, struct weft_fault_plan *out)
{
	const struct weft_faults_spec *spec = p->run.spec;
	int err = 0;

	for (uint32_t i = 0; i < p->plan->n && !err; i++) {
		out->stopped = spec->stop && spec->stop(spec->context);
		if (out->stopped)
			break;
		err = put_part(p, p->plan->part[i]);
		if (spec->progress)
			spec->progress(spec->context, weft__reroutes(spec),
				       i + 1, p->plan->n);
	}
	return err;
}

static int find_plan(struct planner *p, struct weft_fault_plan *out)
{
	size_t nodes = p->run.flows.f->nnodes + 1ull;
	int err;

	p->alone = calloc(nodes, sizeof(*p->alone));
	p->cut = malloc(nodes * sizeof(*p->cut));
	p->group = calloc(p->plan->n + 1ull, sizeof(*p->group));
	out->group = calloc(p->plan->n + 1ull, sizeof(*out->group));
	if (!p->alone || !p->cut || !p->group || !out->group)
		return -ENOMEM;
	out->before = p->run.flows.base;
	err = judge_together(p, &out->all);
	if (!err && !out->all.safe)
		err = make_groups(p, out);
	for (uint32_t i = 0; i < p->n; i++)
		out->group[i] = p->group[i].g;
	out->ngroups = p->n;
	return err;
}

int weft_faults_plan(const struct weft_fabric *fabric,
		     const struct weft_routes *routes,
		     const struct weft_fault_plan_spec *plan,
		     const struct weft_faults_spec *spec,
		     struct weft_fault_plan *out, struct weft_diag *diag)
{
	struct planner p = { .plan = plan };
	struct weft_fault_plan x = { .ngroups = 0 };
	int err = weft__faults_begin(&p.run, fabric, routes, spec, 1);

	if (!err)
		err = find_plan(&p, &x);
	for (uint32_t i = 0; i < p.n; i++)
		free(p.group[i].alone);
	free(p.alone);
	free(p.cut);
	free(p.group);
	weft__faults_end(&p.run);
	if (err) {
		weft_fault_plan_free(&x);
		return err == -EFBIG ? weft_fail(diag, EFBIG,
						 "the fabric is too large to follow all routes") :
				       weft_no_memory(diag);
	}
	*out = x;
	return 0;
}

static void free_group(struct weft_fault_group *g)
{
	free(g->part);
	free(g->fault.rerouted.refused);
}

void weft_fault_plan_free(struct weft_fault_plan *x)
{
	free_group(&x->all);
	for (uint32_t i = 0; x->group && i < x->ngroups; i++)
		free_group(&x->group[i]);
	free(x->group);
	*x = (struct weft_fault_plan){ .ngroups = 0 };
}
