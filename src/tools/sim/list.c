// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The runs that weft sim makes of a case, and what each of them needs. */
#include "tools/sim/options.h"

#include <errno.h>
#include <stdlib.h>

/* --- one run -------------------------------------------------------------- */

int tool_sim_prepare(struct tool_sim_run *run)
{
	if (run->sync == WEFT_SIM_SYNC_BARRIER || run->spec.schedule)
		return 0;
	if (weft_sim_schedule_rounds(run->traffic, run->spec.bytes, run->sync,
				     run->back, run->spec.seed,
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
}

/* --- all runs of a case --------------------------------------------------- */

/* Lists n runs with the spec of the plan. */
static bool begin(const struct tool_sim_plan *p, const struct tool_case *c,
		  struct tool_sim_runs *out, unsigned n)
{
	const struct tool_sim_own *own = p->t->own;

	out->run = calloc(n + 1, sizeof(*out->run));
	if (!out->run)
		return tool_no_memory(p->t);
	out->n = n;
	for (unsigned i = 0; i < n; i++) {
		struct tool_sim_run *run = &out->run[i];

		run->spec = p->spec;
		run->s = (struct tool_sim){ .c = c,
					    .join = p->join,
					    .latencies = own->latencies,
					    .spec = &run->spec };
	}
	return true;
}

/* The rounds of a pattern; without a barrier each rank goes on by itself. */
static bool add_pattern(const struct tool_sim_plan *p, const char *pattern,
			struct tool_sim_run *run)
{
	static const char *const names[] = { "barrier", "rank", "send" };
	const struct tool_sim_own *own = p->t->own;

	if (weft_traffic_placed(pattern, run->s.c->fabric,
				p->spec.mapping->endport,
				p->spec.mapping->nranks, &run->traffic,
				&p->t->diag))
		return tool_hint(p->t);
	run->s.pattern = pattern;
	run->sync = own->sync;
	run->back = own->back;
	if (own->load)
		run->spec.sequence = run->traffic;
	else if (own->sync == WEFT_SIM_SYNC_BARRIER)
		run->spec.traffic = run->traffic;
	else
		run->s.sync = names[own->sync];
	return true;
}

/* The messages of a file. */
static bool list_replay(const struct tool_sim_plan *p,
			const struct tool_case *c, const char *file,
			struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;
	struct tool_sim_run *run;

	if (!begin(p, c, out, 1))
		return false;
	run = out->run;
	if (weft_replay_read(file, p->spec.mapping->nranks, &run->replay,
			     &p->t->diag))
		return false;
	run->s.pattern = file;
	run->s.replay = &run->replay;
	run->spec.schedule = &run->replay.schedule;
	run->spec.in_order = own->sends >= 0 ?
				     own->sends != TOOL_SIM_SENDS_SHARED :
				     run->replay.goal || p->spec.logp.on;
	return true;
}

/* Reads "0,1,0" into sl[n], the rest stays 0. */
static bool read_sls(struct tool *t, const char *text, uint8_t *sl, uint64_t n)
{
	uint64_t i = 0, value;

	for (const char *at = text; *at; at += *at == ',') {
		if (i >= n || !weft_number_uint_at(&at, ",", WEFT_MAX_LANES - 1,
						   &value)) {
			tool_usage(t,
				   "--flow-sls takes a service level, 0 to %d, for each of the %s, with commas between them, not '%s'",
				   WEFT_MAX_LANES - 1, WEFT_COUNT(n, "flow"),
				   text);
			return false;
		}
		sl[i++] = value;
	}
	return true;
}

/* Gives so many flows the service levels that were asked for. */
static bool add_sls(struct tool *t, struct tool_sim_run *run, uint64_t flows)
{
	const struct tool_sim_own *own = t->own;

	if (!own->flow_sls)
		return true;
	run->flow_sl = calloc(flows + 1, 1);
	if (!run->flow_sl)
		return tool_no_memory(t);
	run->spec.flow_sl = run->flow_sl;
	return read_sls(t, own->flow_sls, run->flow_sl, flows);
}

/* The pairs of a file, which send for the time. */
static bool list_flows(const struct tool_sim_plan *p, const struct tool_case *c,
		       const char *file, struct tool_sim_runs *out)
{
	struct weft_pair_list list = { 0 };
	struct tool_sim_run *run;
	bool ok;

	if (!begin(p, c, out, 1))
		return false;
	run = out->run;
	ok = !weft_io_read_pattern(file, &list, &p->t->diag) &&
	     !weft_traffic_from_list(&list, p->spec.mapping->nranks,
				     &run->traffic, &p->t->diag);
	weft_pair_list_free(&list);
	if (!ok)
		return false;
	run->spec.traffic = run->traffic;
	run->spec.endless = true;
	run->spec.load = 1;
	return add_sls(p->t, run, weft_traffic_max_pairs(run->traffic));
}

/* Each load with each seed, of patterns one after the other; of those that run
 * to their end there is one of each. */
static bool list_loads(const struct tool_sim_plan *p, const struct tool_case *c,
		       struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;
	const struct tool_list *patterns = &p->t->args.pattern;
	unsigned seeds = own->seeds, each = p->nloads * seeds;
	unsigned n = patterns->n ? patterns->n * each : each;
	bool ok = begin(p, c, out, n);

	for (unsigned i = 0; i < n && ok; i++) {
		struct tool_sim_run *run = &out->run[i];

		run->spec.load = p->load[i % each / seeds];
		run->spec.seed += i % seeds;
		run->seeds = i % seeds == seeds - 1 ? seeds : 0;
		if (patterns->n)
			ok = add_pattern(p, patterns->item[i / each], run);
	}
	return ok;
}

bool tool_sim_list(const struct tool_sim_plan *p, const struct tool_case *c,
		   struct tool_sim_runs *out)
{
	const struct tool_sim_own *own = p->t->own;

	if (own->replay)
		return list_replay(p, c, own->replay, out);
	if (own->flows)
		return list_flows(p, c, own->flows, out);
	return list_loads(p, c, out);
}
