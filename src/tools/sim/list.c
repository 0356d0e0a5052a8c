// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The runs that weft sim makes of a case, and what each of them needs. */
#include "tools/sim/jobs.h"

#include <errno.h>
#include <stdlib.h>

/* --- one run -------------------------------------------------------------- */

const char *const tool_sim_sync_names[] = { "barrier", "rank", "send" };

int tool_sim_prepare(struct tool_sim_run *run)
{
	if (run->spec.schedule)
		return 0;
	if (run->njobs) {
		run->spec.schedule = &run->schedule;
		return tool_sim_jobs_schedule(run);
	}
	if (run->sync == WEFT_SIM_SYNC_BARRIER)
		return 0;
	if (weft_sim_schedule_rounds(run->traffic, run->spec.bytes, run->sync,
				     run->back, 1, run->spec.seed,
				     &run->schedule))
		return -ENOMEM;
	run->spec.schedule = &run->schedule;
	return 0;
}

bool tool_sim_ask_model(struct tool *t, struct tool_sim_run *run)
{
	static const enum weft_lid_rule lids[] = {
		[WEFT_SIM_LIDS_ROUTES] = WEFT_LID_ROUTES,
		[WEFT_SIM_LIDS_FIRST] = WEFT_LID_FIRST,
		[WEFT_SIM_LIDS_PAIR] = WEFT_LID_RANDOM,
		[WEFT_SIM_LIDS_RANDOM] = WEFT_LID_RANDOM,
		[WEFT_SIM_LIDS_ROUND_ROBIN] = WEFT_LID_ROUND_ROBIN,
		[WEFT_SIM_LIDS_ALL] = WEFT_LID_ALL,
	};
	struct tool_sim *s = &run->s;
	const struct weft_model_spec spec = {
		.traffic = s->spec->traffic,
		.lids = lids[s->spec->lids],
		.mapping = s->spec->mapping,
		.endpoints = true,
		.samples = 1,
		.seed = s->spec->seed,
		.threads = 1,
	};
	struct weft_model model;

	/* Of subnets weft subnets analyze tells it. */
	if (!s->pattern || !spec.traffic || s->join)
		return true;
	tool_phase(t, "static model of %s", s->pattern);
	if (weft_model_run(s->c->fabric, s->c->routes, &spec, &model, &t->diag))
		return false;
	s->model = model.measure[WEFT_LOWER].mean;
	weft_model_free(&model);
	return true;
}

void tool_sim_run_free(struct tool_sim_run *run)
{
	weft_sim_free(&run->s.result);
	weft_traffic_free(run->traffic);
	free(run->flow_sl);
	weft_replay_free(&run->replay);
	weft_sim_schedule_free(&run->schedule);
	run->traffic = NULL;
	run->flow_sl = NULL;
}

void tool_sim_runs_free(struct tool_sim_runs *runs)
{
	for (unsigned i = 0; i < runs->n; i++)
		tool_sim_run_free(&runs->run[i]);
	free(runs->run);
	tool_sim_jobs_free(&runs->jobs);
}

/* --- all runs of a case --------------------------------------------------- */

bool tool_sim_list_begin(const struct tool_sim_plan *p,
			 const struct tool_case *c, struct tool_sim_runs *out,
			 unsigned n)
{
	const struct tool_sim_own *own = p->t->own;

	out->run = calloc(n + 1, sizeof(*out->run));
	if (!out->run)
		return tool_no_memory(p->t);
	out->n = n;
	for (unsigned i = 0; i < n; i++) {
		struct tool_sim_run *run = &out->run[i];

		run->spec = p->spec;
		run->own = own;
		run->s = (struct tool_sim){ .c = c,
					    .join = p->join,
					    .groups = p->groups,
					    .latencies = own->latencies,
					    .spec = &run->spec };
	}
	return true;
}

/* The pattern of a file: pairs of ranks, or a matrix. */
static bool read_pairs(struct tool *t, const char *file, uint32_t ranks,
		       struct weft_traffic **out)
{
	struct weft_pair_list list = { 0 };
	bool ok = !weft_io_read_pattern(file, &list, &t->diag) &&
		  !weft_traffic_from_list(&list, ranks, out, &t->diag);

	weft_pair_list_free(&list);
	return ok;
}

bool tool_sim_list_pattern(const struct tool_sim_plan *p, unsigned i,
			   const struct weft_fabric *f, const uint32_t *endport,
			   uint32_t ranks, struct weft_traffic **out)
{
	const char *pattern = tool_sim_pattern(p->t, i);

	if (i >= p->t->args.pattern.n)
		return read_pairs(p->t, pattern, ranks, out);
	return !weft_traffic_placed(pattern, f, endport, ranks, out,
				    &p->t->diag) ||
	       tool_hint(p->t);
}

/* The rounds of a pattern; without a barrier each rank goes on by itself. */
static bool add_pattern(const struct tool_sim_plan *p, unsigned i,
			struct tool_sim_run *run)
{
	const struct tool_sim_own *own = p->t->own;

	if (!tool_sim_list_pattern(p, i, run->s.c->fabric,
				   p->spec.mapping->endport,
				   p->spec.mapping->nranks, &run->traffic))
		return false;
	run->s.pattern = tool_sim_pattern(p->t, i);
	run->sync = own->sync;
	run->back = own->back;
	if (own->load)
		run->spec.sequence = run->traffic;
	else if (own->sync == WEFT_SIM_SYNC_BARRIER)
		run->spec.traffic = run->traffic;
	else
		run->s.sync = tool_sim_sync_names[own->sync];
	return true;
}

/* The messages of a file. */
static bool list_replay(const struct tool_sim_plan *p,
			const struct tool_case *c, const char *file,
			struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;
	struct tool_sim_run *run;

	if (!tool_sim_list_begin(p, c, out, 1))
		return false;
	run = out->run;
	if (weft_replay_read(file, p->spec.mapping->nranks, &run->replay,
			     &p->t->diag))
		return false;
	run->s.pattern = file;
	run->s.replay = &run->replay;
	run->spec.schedule = &run->replay.schedule;
	run->spec.in_order = tool_sim_in_order(own, &run->replay);
	return true;
}

/* Reads "0,1,0" into sl[n], the rest stays 0. */
static bool read_sls(struct tool *t, const char *text, uint8_t *sl, uint64_t n)
{
	uint64_t i = 0, value;

	for (const char *at = text; *at; at += *at == ',') {
		if (i >= n || !weft_number_uint_at(&at, ",", WEFT_MAX_LANES - 1,
						   &value)) {
			tool_usage(
				t,
				"--flow-sls takes a service level, 0 to %d, for each of the %s, with commas between them, not '%s'",
				WEFT_MAX_LANES - 1, WEFT_COUNT(n, "flow"),
				text);
			return false;
		}
		sl[i++] = value;
	}
	return true;
}

bool tool_sim_list_flows(const struct tool_sim_plan *p,
			 struct weft_traffic **flows, uint8_t **sl)
{
	const struct tool_sim_own *own = p->t->own;
	uint64_t n;

	if (!own->flows)
		return true;
	if (!read_pairs(p->t, own->flows, p->spec.mapping->nranks, flows))
		return false;
	if (!own->flow_sls)
		return true;
	n = weft_traffic_max_pairs(*flows);
	*sl = calloc(n + 1, 1);
	if (!*sl)
		return tool_no_memory(p->t);
	return read_sls(p->t, own->flow_sls, *sl, n);
}

/* The pairs of a file, which send for the time. */
static bool list_flows(const struct tool_sim_plan *p, const struct tool_case *c,
		       struct tool_sim_runs *out)
{
	struct tool_sim_run *run;

	if (!tool_sim_list_begin(p, c, out, 1))
		return false;
	run = out->run;
	if (!tool_sim_list_flows(p, &run->traffic, &run->flow_sl))
		return false;
	run->spec.traffic = run->traffic;
	run->spec.flow_sl = run->flow_sl;
	run->spec.endless = true;
	run->spec.load = 1;
	return true;
}

/* Each load with each seed, of patterns one after the other; of those that run
 * to their end there is one of each. */
static bool list_loads(const struct tool_sim_plan *p, const struct tool_case *c,
		       struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;
	unsigned patterns = tool_sim_patterns(p->t);
	unsigned seeds = own->seeds, each = p->nloads * seeds;
	unsigned n = patterns ? patterns * each : each;
	bool ok = tool_sim_list_begin(p, c, out, n);

	for (unsigned i = 0; i < n && ok; i++) {
		struct tool_sim_run *run = &out->run[i];

		run->spec.load = p->load[i % each / seeds];
		run->spec.seed += i % seeds;
		run->seeds = i % seeds == seeds - 1 ? seeds : 0;
		if (patterns)
			ok = add_pattern(p, i / each, run);
	}
	return ok;
}

bool tool_sim_list(const struct tool_sim_plan *p, const struct tool_case *c,
		   struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;

	if (tool_sim_side_by_side(p->t))
		return tool_sim_list_jobs(p, c, out);
	if (own->replay)
		return list_replay(p, c, own->replay, out);
	if (own->flows)
		return list_flows(p, c, out);
	return list_loads(p, c, out);
}
