// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft sim: packets on forwarding tables. */
#include "tools/common/interrupt.h"
#include "tools/sim/jobs.h"
#include "tools/sim/outcome.h"
#include "tools/sim/subnets.h"
#include "tools/sim/sweep.h"

#include <stdlib.h>
#include <string.h>

/* --- runs ----------------------------------------------------------------- */

/* Whether no adapter is there for two ranks; says so. */
static bool are_apart(struct tool *t, const struct weft_fabric *f,
		      const struct weft_mapping *m)
{
	uint8_t *seen = calloc(f->nep + 1ull, 1);
	bool ok = seen || tool_no_memory(t);

	for (uint32_t i = 0; ok && i < m->nranks; i++) {
		ok = !seen[m->endport[i]]++;
		if (!ok)
			weft_diag_at(&t->diag, WEFT_ERROR, t->args.host_file, 0,
				     "rank %u has the adapter of another rank: packets are simulated for one on each",
				     i);
	}
	free(seen);
	return ok;
}

static bool map_by_file(struct tool *t, const struct tool_case *c,
			struct weft_mapping_spec *spec,
			struct weft_mapping *out)
{
	uint32_t *given = NULL;
	bool ok = !weft_io_read_hosts(t->args.host_file, c->fabric, &given,
				      &spec->ngiven, &t->diag);

	spec->order = WEFT_ORDER_GIVEN;
	spec->given = given;
	ok = ok && !weft_mapping_init(out, c->fabric, spec, &t->diag);
	free(given);
	if (ok && !are_apart(t, c->fabric, out)) {
		weft_mapping_free(out);
		ok = false;
	}
	return ok;
}

/* Places ranks in the order that was asked for, or those of jobs. */
static bool make_mapping(struct tool_sim_plan *p, const struct tool_case *c,
			 struct weft_jobs *jobs, struct weft_mapping *out)
{
	struct tool *t = p->t;
	const struct tool_sim_own *own = t->own;
	struct weft_mapping_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.ranks = t->args.ranks,
	};
	bool by_name;

	if (t->args.jobs) {
		p->jobs = jobs;
		return tool_sim_jobs_place(t, c->fabric, jobs, out);
	}
	if (t->args.host_file)
		return map_by_file(t, c, &spec, out);
	if (own->order >= 0) {
		spec.order =
			(enum weft_order[]){ WEFT_ORDER_GUID, WEFT_ORDER_NAME,
					     WEFT_ORDER_LEAF,
					     WEFT_ORDER_PORT }[own->order];
		return !weft_mapping_init(out, c->fabric, &spec, &t->diag);
	}
	if (weft_mapping_natural(c->fabric, spec.all_hosts, out, &by_name,
				 &t->diag))
		return false;
	if (spec.ranks > out->nranks) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "%u ranks, but places for %u", spec.ranks,
			      out->nranks);
		weft_mapping_free(out);
		return false;
	}
	if (spec.ranks)
		out->nranks = spec.ranks;
	return true;
}

static bool report(struct tool_sim_plan *p, const struct tool_sim *s)
{
	struct tool_report *r = p->report;

	tool_phase_end(p->t);
	p->found |= tool_sim_went_wrong(&s->result);
	if (r->cases)
		json_array_append_new(r->cases, tool_sim_json(s));
	else if (p->t->args.csv)
		tool_sim_csv(s, r->out);
	else
		tool_sim_print(s, r->out);
	if (p->details)
		tool_sim_details(s, p->details);
	r->n++;
	return !s->result.interrupted;
}

static bool report_run(void *context, const struct tool_sim *s)
{
	return report(context, s);
}

/* Makes the runs of a case, whose ranks have their places. */
static bool run_list(struct tool_sim_plan *p, const struct tool_case *c)
{
	struct tool_sim_runs runs = { .report = report_run, .context = p };
	bool ok = tool_sim_list(p, c, &runs) && tool_sim_runs(p->t, &runs);

	p->cut |= runs.cut;
	/* Only the first process ends as the report says: mpirun ends all once
	 * one of them ends with an error. */
	p->found |= runs.cut && !p->t->crew.rank;
	tool_sim_runs_free(&runs);
	return ok;
}

static bool run_case(struct tool *t, const struct tool_case *c, void *context)
{
	const struct tool_sim_own *own = t->own;
	struct tool_sim_plan *p = context;
	struct tool_sim_events events = { 0 };
	struct weft_mapping mapping = { 0 };
	struct weft_jobs jobs = { 0 };
	struct weft_host_groups groups = { 0 };
	struct weft_shape shape = { 0 };
	uint64_t *cables = NULL;
	bool ok;

	if (!make_mapping(p, c, &jobs, &mapping))
		return false;
	ok = !own->shuffle ||
	     tool_sim_shuffle_nodes(c->fabric, p->spec.seed, &mapping);
	ok = ok && (!own->events ||
		    tool_sim_events_read(t, own->events, c->fabric, &events));
	ok = ok && (!own->trace ||
		    tool_sim_trace_read(t, own->trace, c->fabric, &p->spec));
	ok = ok &&
	     (!t->args.groups || !weft_io_read_groups(t->args.groups, c->fabric,
						      &groups, &t->diag));
	ok = ok &&
	     tool_sim_cables_read(t, c->fabric, p->spec.cable, &cables);
	ok = ok && (p->spec.paths < WEFT_SIM_VALIANT ||
		    !weft_shape_find(c->fabric, &shape, &t->diag));
	p->spec.cable_of = cables;
	p->spec.group = shape.group;
	p->groups = groups.n ? &groups : NULL;
	p->spec.change = events.change;
	p->spec.nchanges = events.n;
	p->spec.mapping = &mapping;
	ok = ok && (own->sweep >= 0 ? tool_sim_sweep(p, c) : run_list(p, c));
	tool_sim_events_free(&events);
	weft_mapping_free(&mapping);
	weft_jobs_free(&jobs);
	weft_host_groups_free(&groups);
	weft_shape_free(&shape);
	free(cables);
	return ok;
}

/* Simulates subnets that routers join. */
static bool run_join(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;
	const struct tool_subnets_how how = {
		.routers = own->routers,
		.map = {
			.method = (enum weft_router_map_method)own->router_map,
			.hash = (enum weft_router_map_hash)own->router_hash,
		},
		.hop_limit = own->hop_limit,
	};
	struct tool_sim_join join;
	bool ok = tool_sim_join(p->t, &how, &join);

	p->join = &join;
	p->spec.subnets = &join.net.sim;
	ok = ok && run_case(p->t, &join.c, p);
	p->spec.subnets = NULL;
	tool_sim_leave(&join);
	return ok;
}

/* Simulates each case, or the inputs as one. */
static bool run_all(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;

	if (tool_sim_joins(p->t, own->routers, own->subnets))
		return run_join(p);
	if (tool_args_given(p->t, "isp"))
		return tool_usage(p->t, "--isp is about subnets: give them as subnets:N, an INI file, or with --subnets") == TOOL_FINE;
	return tool_cases_each(p->t, run_case, p);
}

static bool is_stream(const char *file)
{
	return file && !strcmp(file, "-");
}

/* Whether the options go together; says what does not. */
static bool options_agree(struct tool *t)
{
	const struct tool_sim_own *own = t->own;
	const char *wrong = tool_sim_sweep_disagree(t);
	bool to_end = tool_sim_to_end(t);

	if (wrong)
		;
	else if (own->replay && (own->load || tool_sim_patterns(t)))
		wrong = "--load and -p, and --replay are kinds of traffic: give one of them";
	else if (own->load && own->flows)
		wrong = "--load and --flows are kinds of traffic: give one of them, or --flows beside a pattern (-p)";
	else if (t->args.jobs && !to_end)
		wrong = "--jobs run a pattern each, or all the same one: give it with -p";
	else if (t->args.jobs && (t->args.host_file || own->shuffle || own->order >= 0 || t->args.ranks))
		wrong = "--jobs says where ranks are: leave out --host-file, --shuffle, --mapping and --ranks";
	else if (own->passes && !t->args.jobs)
		wrong = "--passes is about the jobs of --jobs";
	else if (own->flows && own->replay && (own->loggops || own->sends == 0))
		wrong = "--flows beside --replay: messages take turns packet by packet, leave out --loggops and --sends=order";
	else if (own->flow_sls && !own->flows)
		wrong = "--flow-sls is about flows: give them with --flows";
	else if (own->seeds > 1 && (to_end || own->flows || own->replay))
		wrong = "--seeds is about loads, not patterns and flows";
	else if (tool_args_given(t, "sizes") && (to_end || own->flows || own->replay ||
				tool_args_given(t, "bytes")))
		wrong = "--sizes is about loads, not patterns and flows, and instead of --bytes";
	else if (own->trace && t->args.csv)
		wrong = "--trace is a report in words or JSON, not in CSV";
	else if (own->back && own->sync == WEFT_SIM_SYNC_BARRIER && !tool_sim_side_by_side(t))
		wrong = "--back needs --sync rank or send";
	else if (t->args.lmc >= 0 && !t->args.engine.n)
		wrong = "--lmc gives LIDs before routing: give an engine with -e";
	else if (own->sync != WEFT_SIM_SYNC_BARRIER && !to_end)
		wrong = "--sync is about the rounds of a pattern: give one with -p";
	else if (t->args.mpi &&
		 (is_stream(own->events) || is_stream(own->flows) ||
		  is_stream(own->replay)))
		wrong = "--mpi: the standard input (-) is that of one process, and all read the files: give a file";
	return !wrong || tool_usage(t, "%s", wrong) == TOOL_FINE;
}

/* Opens what the first process reports to. */
static bool open_outputs(struct tool_sim_plan *p)
{
	const struct tool_sim_own *own = p->t->own;
	struct tool_report *r = p->report;
	bool details = own->details && !p->t->crew.rank;

	if (!tool_report_open(p->t, r))
		return false;
	p->details = details ? tool_output_open(p->t, own->details) : NULL;
	if (details && !p->details)
		return false;
	if (p->details)
		tool_sim_details_header(p->details);
	if (p->t->args.csv && own->sweep >= 0)
		tool_sim_sweep_csv_header(own, r->out);
	else if (p->t->args.csv)
		tool_sim_csv_header(tool_sim_side_by_side(p->t), r->out);
	return true;
}

/* Simulates, and reports what came of it. */
static enum tool_status simulate(struct tool_sim_plan *p)
{
	bool ok;

	if (!open_outputs(p))
		return TOOL_FAILED;
	ok = tool_report_close(p->report, run_all(p) || p->cut ||
			       tool_interrupted());
	return !ok ? TOOL_FAILED : p->found ? TOOL_FOUND : TOOL_FINE;
}

static enum tool_status sim_run(struct tool *t)
{
	struct tool_report r = { .out = NULL };
	struct tool_sim_plan p = { .t = t, .report = &r };
	enum tool_status status;

	tool_output_by_name(t);
	if (!options_agree(t) || !tool_cases_inputs(t) ||
	    !tool_sim_options_read(&p))
		return TOOL_FAILED;
	if (t->args.mpi && !tool_crew_start(t))
		status = TOOL_FAILED;
	else
		status = simulate(&p);
	return tool_crew_stop(t, status);
}

const struct tool_command tool_command_sim = {
	.name = "sim",
	.summary = "simulate packets with credits and lanes",
	.usage = "[OPTION]... INPUT...",
	.about = "Sends packets over forwarding tables, with the buffers, credits, lanes and arbitration of InfiniBand, and reports throughput and latency under load, or the time that a communication pattern takes. "
		 "Deadlocks are found and named. The tables are those of the input (a dump directory), or instead of them those given by -t and -e. "
		 "Ctrl-C ends the run and reports what was measured so far. Exit status 1: a deadlock, lost packets, or a run that was cut short.",
	.options = tool_sim_options,
	.basic = "input tables engine option load pattern list bytes time warmup replay events lids seed seeds json csv output",
	.own_size = sizeof(struct tool_sim_own),
	.parameters = weft_sim_options,
	.run = sim_run,
};
