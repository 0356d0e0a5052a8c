// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft sim: packets on forwarding tables. */
#include "interrupt.h"
#include "sim_options.h"
#include "sim_subnets.h"

#include <stdlib.h>
#include <string.h>

/* --- runs ----------------------------------------------------------------- */

/* Places ranks in the order that was asked for. */
static bool make_mapping(const struct tool_sim_plan *p,
			 const struct tool_case *c, struct weft_mapping *out)
{
	struct tool *t = p->t;
	const struct tool_sim_own *own = t->own;
	struct weft_mapping_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.ranks = t->args.ranks,
	};
	bool by_name;

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
	uint64_t dropped = 0;

	tool_phase_end(p->t);
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		dropped += s->result.dropped[i];
	p->found |= dropped || s->result.deadlocked || s->result.timeout ||
		    s->result.interrupted;
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

/* Runs one simulation; false after an error, or when it was interrupted. */
static bool run_one(struct tool_sim_plan *p, struct tool_sim *s)
{
	struct tool_sim_watch watch = { .t = p->t };
	bool ok;

	tool_phase(p->t, "%s on %s", s->pattern ? s->pattern : "load",
		   s->c->label);
	p->spec.progress = tool_sim_progress;
	p->spec.progress_context = &watch;
	tool_interrupt_catch();
	ok = !weft_sim_run(s->c->fabric, s->c->routes, s->spec, &s->result,
			   &p->t->diag);
	tool_interrupt_leave();
	if (!ok)
		return false;
	ok = report(p, s);
	weft_sim_free(&s->result);
	return ok;
}

/* Finds what the static model says of a pattern. */
static bool ask_model(struct tool_sim_plan *p, struct tool_sim *s)
{
	static const enum weft_lid_rule lids[] = {
		[WEFT_SIM_LIDS_ROUTES] = WEFT_LID_ROUTES,
		[WEFT_SIM_LIDS_FIRST] = WEFT_LID_FIRST,
		[WEFT_SIM_LIDS_PAIR] = WEFT_LID_RANDOM,
		[WEFT_SIM_LIDS_RANDOM] = WEFT_LID_RANDOM,
		[WEFT_SIM_LIDS_ROUND_ROBIN] = WEFT_LID_ROUND_ROBIN,
		[WEFT_SIM_LIDS_ALL] = WEFT_LID_ALL,
	};
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
	if (s->join)
		return true;
	tool_phase(p->t, "static model of %s", s->pattern);
	if (weft_model_run(s->c->fabric, s->c->routes, &spec, &model,
			   &p->t->diag))
		return false;
	s->model = model.measure[WEFT_LOWER].mean;
	weft_model_free(&model);
	return true;
}

/* Runs the rounds of a pattern, in which each rank goes on by itself. */
static bool run_schedule(struct tool_sim_plan *p, struct tool_sim *s,
			 const struct weft_traffic *traffic)
{
	static const char *const names[] = { "barrier", "rank", "send" };
	const struct tool_sim_own *own = p->t->own;
	struct weft_sim_schedule schedule;
	bool ok;

	s->sync = names[own->sync];
	if (weft_sim_schedule_rounds(traffic, p->spec.bytes, own->sync,
				     own->back, p->spec.seed, &schedule)) {
		weft_diag_say(&p->t->diag, WEFT_ERROR,
			      "out of memory for all messages of %s",
			      s->pattern);
		return false;
	}
	p->spec.schedule = &schedule;
	ok = run_one(p, s);
	p->spec.schedule = NULL;
	weft_sim_schedule_free(&schedule);
	return ok;
}

static bool run_pattern(struct tool_sim_plan *p, const struct tool_case *c,
			const char *pattern)
{
	struct tool_sim s = {
		.c = c, .spec = &p->spec, .join = p->join, .pattern = pattern
	};
	const struct tool_sim_own *own = p->t->own;
	struct weft_traffic *traffic;
	bool ok;

	if (weft_traffic_new(pattern, p->spec.mapping->nranks, &traffic,
			     &p->t->diag))
		return tool_hint(p->t);
	if (own->sync == WEFT_SIM_SYNC_BARRIER) {
		p->spec.traffic = traffic;
		ok = ask_model(p, &s) && run_one(p, &s);
		p->spec.traffic = NULL;
	} else {
		ok = run_schedule(p, &s, traffic);
	}
	weft_traffic_free(traffic);
	return ok;
}

/* Replays the messages of a file. */
static bool run_replay(struct tool_sim_plan *p, const struct tool_case *c,
		       const char *file)
{
	struct weft_replay replay;
	struct tool_sim s = {
		.c = c, .spec = &p->spec, .pattern = file, .replay = &replay
	};
	bool ok;

	if (weft_replay_read(file, p->spec.mapping->nranks, &replay,
			     &p->t->diag))
		return false;
	p->spec.schedule = &replay.schedule;
	ok = run_one(p, &s);
	p->spec.schedule = NULL;
	weft_replay_free(&replay);
	return ok;
}

/* Reads "0,1,0" into sl[n], the rest stays 0. */
static bool read_sls(struct tool_sim_plan *p, const char *text, uint8_t *sl,
		     uint64_t n)
{
	uint64_t i = 0;
	char *end;

	for (const char *at = text; *at; at = *end ? end + 1 : end) {
		unsigned long value = strtoul(at, &end, 10);

		if (end == at || (*end && *end != ',') || i >= n ||
		    value >= WEFT_MAX_LANES) {
			tool_usage(p->t,
				   "--flow-sls takes a service level, 0 to %d, "
				   "for each of the %s, with commas between "
				   "them, not '%s'",
				   WEFT_MAX_LANES - 1, WEFT_COUNT(n, "flow"),
				   text);
			return false;
		}
		sl[i++] = value;
	}
	return true;
}

/* Runs so many flows, with the service levels that were asked for. */
static bool run_with_sls(struct tool_sim_plan *p, struct tool_sim *s,
			 uint64_t flows)
{
	const struct tool_sim_own *own = p->t->own;
	uint8_t *sl = own->flow_sls ? calloc(flows + 1, 1) : NULL;
	bool ok;

	if (own->flow_sls && !sl)
		return false;
	p->spec.flow_sl = sl;
	ok = (!sl || read_sls(p, own->flow_sls, sl, flows)) && run_one(p, s);
	p->spec.flow_sl = NULL;
	free(sl);
	return ok;
}

/* Has the pairs of a file send for the time. */
static bool run_flows(struct tool_sim_plan *p, const struct tool_case *c,
		      const char *file)
{
	struct tool_sim s = { .c = c, .spec = &p->spec, .join = p->join };
	struct weft_pair_list list = { 0 };
	struct weft_traffic *traffic;
	bool ok = !weft_io_read_pattern(file, &list, &p->t->diag) &&
		  !weft_traffic_from_list(&list, p->spec.mapping->nranks,
					  &traffic, &p->t->diag);

	weft_pair_list_free(&list);
	if (!ok)
		return false;
	p->spec.traffic = traffic;
	p->spec.endless = true;
	p->spec.load = 1;
	ok = run_with_sls(p, &s, weft_traffic_max_pairs(traffic));
	p->spec.traffic = NULL;
	weft_traffic_free(traffic);
	return ok;
}

static bool report_run(void *context, const struct tool_sim *s)
{
	return report(context, s);
}

static bool run_loads(struct tool_sim_plan *p, const struct tool_case *c)
{
	const struct tool_sim_own *own = p->t->own;
	const struct tool_sim_runs runs = {
		.c = c,
		.join = p->join,
		.spec = &p->spec,
		.load = p->load,
		.nloads = p->nloads,
		.nseeds = own->seeds,
		.report = report_run,
		.context = p,
	};

	return tool_sim_runs(p->t, &runs);
}

static bool run_case(struct tool *t, const struct tool_case *c, void *context)
{
	const struct tool_list *patterns = &t->args.pattern;
	const struct tool_sim_own *own = t->own;
	struct tool_sim_plan *p = context;
	struct tool_sim_events events = { 0 };
	struct weft_mapping mapping;
	bool ok = true;

	if (!make_mapping(p, c, &mapping))
		return false;
	if (own->shuffle &&
	    !tool_sim_shuffle_nodes(c->fabric, p->spec.seed, &mapping)) {
		weft_mapping_free(&mapping);
		return false;
	}
	if (own->events &&
	    !tool_sim_events_read(t, own->events, c->fabric, &events)) {
		weft_mapping_free(&mapping);
		return false;
	}
	ok = !own->trace ||
	     tool_sim_trace_read(t, own->trace, c->fabric, &p->spec);
	p->spec.change = events.change;
	p->spec.nchanges = events.n;
	p->spec.mapping = &mapping;
	for (unsigned i = 0; i < patterns->n && ok; i++)
		ok = run_pattern(p, c, patterns->item[i]);
	if (own->replay && ok)
		ok = run_replay(p, c, own->replay);
	if (own->flows && ok)
		ok = run_flows(p, c, own->flows);
	if (!patterns->n && !own->flows && !own->replay && ok)
		ok = run_loads(p, c);
	tool_sim_events_free(&events);
	weft_mapping_free(&mapping);
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
	if (own->isp)
		return tool_usage(p->t, "--isp is about subnets: give them as "
					"subnets:N, an INI file, or with "
					"--subnets") == TOOL_FINE;
	return tool_cases_each(p->t, run_case, p);
}

static enum tool_status sim_run(struct tool *t)
{
	const struct tool_sim_own *own = t->own;
	struct tool_report r = { .out = NULL };
	struct tool_sim_plan p = { .t = t, .report = &r };
	bool ok;

	tool_output_by_name(t);
	if (!!own->load + !!t->args.pattern.n + !!own->flows + !!own->replay >
	    1)
		return tool_usage(t, "--load, -p, --flows and --replay are "
				     "kinds of traffic: give one of them");
	if (own->flow_sls && !own->flows)
		return tool_usage(t, "--flow-sls is about flows: give them "
				     "with --flows");
	if (own->seeds > 1 && (t->args.pattern.n || own->flows || own->replay))
		return tool_usage(t, "--seeds is about loads, not patterns and "
				     "flows");
	if (own->trace && t->args.csv)
		return tool_usage(t, "--trace is a report in words or JSON, "
				     "not in CSV");
	if (own->back && own->sync == WEFT_SIM_SYNC_BARRIER)
		return tool_usage(t, "--back needs --sync rank or send");
	if (t->args.lmc >= 0 && !t->args.engine.n)
		return tool_usage(t, "--lmc gives LIDs before routing: give an "
				     "engine with -e");
	if (own->sync != WEFT_SIM_SYNC_BARRIER && !t->args.pattern.n)
		return tool_usage(t, "--sync is about the rounds of a pattern: "
				     "give one with -p");
	if (!tool_cases_inputs(t) || !tool_sim_options_read(&p))
		return TOOL_FAILED;
	r.out = tool_output_open(t, t->args.output);
	if (!r.out)
		return TOOL_FAILED;
	p.details = own->details ? tool_output_open(t, own->details) : NULL;
	if (own->details && !p.details)
		return TOOL_FAILED;
	if (p.details)
		tool_sim_details_header(p.details);
	if (t->args.json)
		r.cases = json_array();
	else if (t->args.csv)
		tool_sim_csv_header(r.out);
	ok = run_all(&p) || tool_interrupted();
	if (ok && r.cases)
		tool_json_print(r.out, json_incref(r.cases));
	json_decref(r.cases);
	return !ok ? TOOL_FAILED : p.found ? TOOL_FOUND : TOOL_FINE;
}

const struct tool_command tool_command_sim = {
	.name = "sim",
	.summary = "simulate packets with credits and lanes",
	.usage = "[OPTION]... INPUT...",
	.about = "Sends packets over forwarding tables, with the buffers, "
		 "credits, lanes and arbitration of InfiniBand, and reports "
		 "throughput and latency under load, or the time that a "
		 "communication pattern takes. Deadlocks are found and named. "
		 "The tables are those of the input (a dump directory), or "
		 "instead of them those given by -t and -e. Ctrl-C ends the "
		 "run and reports what was measured so far. Exit status 1: a "
		 "deadlock, lost packets, or a run that was cut short.",
	.options = tool_sim_options,
	.own_size = sizeof(struct tool_sim_own),
	.run = sim_run,
};
