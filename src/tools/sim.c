// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft sim: packets on forwarding tables. */
#include "interrupt.h"
#include "sim.h"

#include "sim_subnets.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOADS 64

/* The values of its own options. */
struct own {
	int64_t sync;
	bool back, cc, shuffle;
	int64_t lids;
	int64_t switch_mbps, host_sl, switch_sl;
	const char *switches;
	/* of subnets */
	const char *routers, *isp;
	int64_t router_map, router_hash, router_relay, router_buffer, hop_limit;
	bool subnets;
	int64_t packet_least;
	const char *load, *high, *low, *flows, *flow_sls, *hot_share, *events,
		*until, *trace, *details, *replay;
	int64_t order, bytes, mtu, header, buffer, cable, relay, inject, drain,
		outstanding, arbitration, queues, paths, routes, patience,
		flowlet, hoq, cc_threshold, cc_rate, cc_increase, cc_limit,
		cc_min, cc_timer, cc_shift, lossy, limit, time, warmup,
		hot_spots, seeds;
};

/* What all runs have in common. */
struct plan {
	struct tool *t;
	struct tool_report *report;
	FILE *details; /* or NULL */
	const struct tool_sim_join *join; /* NULL: one subnet */
	struct weft_sim_spec spec;
	double load[MAX_LOADS];
	unsigned nloads;
	bool found; /* a deadlock, lost packets, an early end */
};

/* --- options -------------------------------------------------------------- */

/* Reads "10,50,100", percent of what links carry. */
static bool read_loads(struct plan *p, const char *text)
{
	const char *at = text;
	char *end;

	do {
		double percent = strtod(at, &end);

		if (end == at || (*end && *end != ',') ||
		    !(percent > 0 && percent <= 100) ||
		    p->nloads == MAX_LOADS) {
			tool_usage(p->t,
				   "--load takes up to %d percentages "
				   "above 0, 100 at most, with commas between "
				   "them, not '%s'",
				   MAX_LOADS, text);
			return false;
		}
		p->load[p->nloads++] = percent / 100;
		at = end + 1;
	} while (*end);
	return true;
}

/* Reads "0:64,1:32", lanes and their weights. */
static bool read_vlarb(struct plan *p, const char *option, const char *text,
		       struct weft_sim_vlarb *out)
{
	char *end = (char *)text;

	while (text && *text) {
		unsigned long vl = strtoul(text, &end, 10), weight = 256;

		if (end != text && *end == ':') {
			text = end + 1;
			weight = strtoul(text, &end, 10);
		}
		if (end == text || (*end && *end != ',') || out->n == 64 ||
		    vl >= WEFT_MAX_LANES || weight > 255) {
			tool_usage(p->t,
				   "--%s takes up to 64 of LANE:WEIGHT, "
				   "lanes 0 to %d and weights 0 to 255, not "
				   "'%s'",
				   option, WEFT_MAX_LANES - 1, text);
			return false;
		}
		out->entry[out->n].vl = vl;
		out->entry[out->n++].weight = weight;
		text = *end ? end + 1 : end;
	}
	return true;
}

/* Reads "1", percent of the mean. */
static bool read_until(struct plan *p, const char *text)
{
	char *end;

	if (!text)
		return true;
	p->spec.until = strtod(text, &end) / 100;
	if (end != text && !*end && p->spec.until > 0 && p->spec.until < 1)
		return true;
	tool_usage(p->t,
		   "--until takes a percentage, above 0 and below 100, "
		   "not '%s'",
		   text);
	return false;
}

/* Reads "5", percent of all messages. */
static bool read_hot_share(struct plan *p, const char *text)
{
	char *end;

	if (!text)
		return true;
	p->spec.hot_share = strtod(text, &end) / 100;
	if (end != text && !*end && p->spec.hot_share >= 0 &&
	    p->spec.hot_share <= 1)
		return true;
	tool_usage(p->t, "--hot-share takes a percentage, 0 to 100, not '%s'",
		   text);
	return false;
}

/* Reads "100", percent of what port 0 of a switch carries. */
static bool read_switches(struct plan *p, const char *text)
{
	char *end;

	if (!text)
		return true;
	p->spec.switch_load = strtod(text, &end) / 100;
	if (end != text && !*end && p->spec.switch_load > 0 &&
	    p->spec.switch_load <= 1)
		return true;
	tool_usage(p->t,
		   "--switches takes a percentage above 0, 100 at most, "
		   "not '%s'",
		   text);
	return false;
}

/* Reads "20", percent of all messages. */
static bool read_isp(struct plan *p, const char *text)
{
	char *end;

	if (!text)
		return true;
	p->spec.leave = strtod(text, &end) / 100;
	if (end != text && !*end && p->spec.leave >= 0 && p->spec.leave <= 1)
		return true;
	tool_usage(p->t, "--isp takes a percentage, 0 to 100, not '%s'", text);
	return false;
}

static bool read_spec(struct plan *p)
{
	const struct own *own = p->t->own;
	struct weft_sim_spec *s = &p->spec;

	weft_sim_preset(s);
	s->mtu = own->mtu;
	s->header = own->header;
	s->buffer = own->buffer;
	s->cable = own->cable * 1000;
	s->relay = own->relay * 1000;
	s->inject = own->inject;
	s->drain = own->drain;
	s->outstanding = own->outstanding;
	s->lossy = own->lossy;
	s->arbitration = own->arbitration;
	s->queues = own->queues;
	s->paths = own->paths;
	s->lids = own->lids;
	s->routes = own->routes;
	s->patience = own->patience * 1000;
	s->flowlet = own->flowlet * 1000;
	s->hoq = own->hoq * 1000;
	s->cc = (struct weft_sim_cc){
		.on = own->cc,
		.threshold = own->cc_threshold,
		.marking_rate = own->cc_rate,
		.ccti_increase = own->cc_increase,
		.ccti_limit = own->cc_limit,
		.ccti_min = own->cc_min,
		.ccti_timer = own->cc_timer,
		.shift = own->cc_shift,
	};
	s->limit = own->limit;
	s->time = own->time * 1000000;
	if ((p->t->args.pattern.n || own->replay) &&
	    !tool_args_given(p->t, "time"))
		s->time = 0;
	if (own->warmup >= 0)
		s->warmup = own->warmup * 1000000;
	s->bytes = own->bytes;
	if (p->t->args.pattern.n && !tool_args_given(p->t, "bytes"))
		s->bytes = 1 << 20;
	s->hot_spots = own->hot_spots;
	s->seed = p->t->args.seed;
	s->switch_mbps = own->switch_mbps;
	s->host_sl = own->host_sl;
	s->switch_sl = own->switch_sl;
	s->router_relay = own->router_relay * 1000;
	s->router_buffer = own->router_buffer;
	s->packet_least = own->packet_least;
	return read_hot_share(p, own->hot_share) && read_isp(p, own->isp) &&
	       read_until(p, own->until) &&
	       read_switches(p, own->switches) &&
	       read_vlarb(p, "vlarb-high", own->high, &s->high) &&
	       read_vlarb(p, "vlarb-low", own->low, &s->low) &&
	       read_loads(p, own->load ? own->load : "100");
}

/* --- runs ----------------------------------------------------------------- */

/* Places ranks in the order that was asked for. */
static bool make_mapping(const struct plan *p, const struct tool_case *c,
			 struct weft_mapping *out)
{
	struct tool *t = p->t;
	const struct own *own = t->own;
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

static bool report(struct plan *p, const struct tool_sim *s)
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
static bool run_one(struct plan *p, struct tool_sim *s)
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
static bool ask_model(struct plan *p, struct tool_sim *s)
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
static bool run_schedule(struct plan *p, struct tool_sim *s,
			 const struct weft_traffic *traffic)
{
	static const char *const names[] = { "barrier", "rank", "send" };
	const struct own *own = p->t->own;
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

static bool run_pattern(struct plan *p, const struct tool_case *c,
			const char *pattern)
{
	struct tool_sim s = { .c = c,
			      .spec = &p->spec,
			      .join = p->join,
			      .pattern = pattern };
	const struct own *own = p->t->own;
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
static bool run_replay(struct plan *p, const struct tool_case *c,
		       const char *file)
{
	struct weft_replay replay;
	struct tool_sim s = { .c = c,
			      .spec = &p->spec,
			      .pattern = file,
			      .replay = &replay };
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
static bool read_sls(struct plan *p, const char *text, uint8_t *sl, uint64_t n)
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
static bool run_with_sls(struct plan *p, struct tool_sim *s, uint64_t flows)
{
	const struct own *own = p->t->own;
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
static bool run_flows(struct plan *p, const struct tool_case *c,
		      const char *file)
{
	struct tool_sim s = { .c = c,
			      .spec = &p->spec,
			      .join = p->join };
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

static bool run_loads(struct plan *p, const struct tool_case *c)
{
	const struct own *own = p->t->own;
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
	const struct own *own = t->own;
	struct plan *p = context;
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
static bool run_join(struct plan *p)
{
	const struct own *own = p->t->own;
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
static bool run_all(struct plan *p)
{
	const struct own *own = p->t->own;

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
	const struct own *own = t->own;
	struct tool_report r = { .out = NULL };
	struct plan p = { .t = t, .report = &r };
	bool ok;

	tool_output_by_name(t);
	if (!!own->load + !!t->args.pattern.n + !!own->flows + !!own->replay >
	    1)
		return tool_usage(t, "--load, -p, --flows and --replay are "
				     "kinds of traffic: give one of them");
	if (own->flow_sls && !own->flows)
		return tool_usage(t, "--flow-sls is about flows: give them "
				     "with --flows");
	if (own->seeds > 1 &&
	    (t->args.pattern.n || own->flows || own->replay))
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
	if (!tool_cases_inputs(t) || !read_spec(&p))
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

#define SIM_NUMBER(field, name, value, help, from, least, most)                \
	TOOL_OWN(TOOL_NUMBER, struct own, field, name, 0, value, help,         \
		 .preset = from, .min = least, .max = most)

static const struct tool_option sim_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N",
		 "with -e, give every endport 2^N LIDs", .preset = -1,
		 .max = 7),
	TOOL_OWN(TOOL_TEXT, struct own, load, "load", 0, "PERCENT,...",
		 "hosts send to random others at these shares of what their "
		 "links carry (default 100)"),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "instead, run a pattern to its end (weft analyze --list)"),
	TOOL_OWN(TOOL_CHOICE, struct own, sync, "sync", 0, "WHEN",
		 "a rank begins the next round of a pattern when the round is "
		 "done by all (barrier, the default), when all that it sends "
		 "and receives in it is there (rank), or when what it sends is "
		 "on the wire (send)",
		 .choices = "barrier|rank|send"),
	TOOL_OWN(TOOL_FLAG, struct own, back, "back", 0, NULL,
		 "with --sync rank or send, each round is followed by one with "
		 "all messages the other way"),
	TOOL_OWN(TOOL_TEXT, struct own, flows, "flows", 0, "FILE",
		 "instead, the pairs of ranks in FILE send without end"),
	TOOL_OWN(TOOL_TEXT, struct own, replay, "replay", 0, "FILE",
		 "instead, the messages of a trace, or a schedule of sends, "
		 "receives and calculations, which wait for each other"),
	TOOL_OWN(TOOL_TEXT, struct own, flow_sls, "flow-sls", 0, "SL,...",
		 "service levels of these flows in their order, lanes of their "
		 "own where the tables have one"),
	TOOL_OWN(TOOL_TEXT, struct own, trace, "trace", 0, "FROM,TO[,N]",
		 "follow the N-th packet (default 1) from one host to another "
		 "through all queues"),
	TOOL_OWN(TOOL_TEXT, struct own, hot_share, "hot-share", 0, "PERCENT",
		 "share of a load that goes to hot spots"),
	SIM_NUMBER(hot_spots, "hot-spots", "N",
		   "how many there are: the first rank of each N-th of the "
		   "ranks, for these (default 1)",
		   1, 1, WEFT_MAX_RANKS),
	TOOL_OWN(TOOL_TEXT, struct own, switches, "switches", 0, "PERCENT",
		 "port 0 of switches sends to that of others, too, at that "
		 "share of what it carries"),
	SIM_NUMBER(switch_mbps, "switch-speed", "MBPS",
		   "what that is, either way (default 2000, 1x SDR)", 2000, 1,
		   UINT32_MAX),
	SIM_NUMBER(host_sl, "host-sl", "SL",
		   "service level of all that hosts send, a lane of its own "
		   "where the tables have one (default as the tables)",
		   -1, 0, WEFT_MAX_LANES - 1),
	SIM_NUMBER(switch_sl, "switch-sl", "SL", "likewise of switches", -1, 0,
		   WEFT_MAX_LANES - 1),
	SIM_NUMBER(bytes, "bytes", "N",
		   "payload of a message (default 2048 under load, 1048576 of "
		   "a pattern)",
		   2048, 1, (int64_t)1 << 40),
	SIM_NUMBER(time, "time", "US",
		   "microseconds that a load lasts; of patterns, at most "
		   "(default 1000, no end)",
		   1000, 1, 1000000000),
	TOOL_OWN(TOOL_TEXT, struct own, until, "until", 0, "PERCENT",
		 "a load ends before --time when the throughput is known so "
		 "well: half width of its 99 % interval"),
	SIM_NUMBER(warmup, "warmup", "US",
		   "microseconds that are not measured (default as the data "
		   "say, MSER)",
		   -1, 0, 1000000000),
	TOOL_OWN(TOOL_CHOICE, struct own, order, "mapping", 'm', "ORDER",
		 "ranks on hosts by guid, name, leaf (switch and port) or port "
		 "(default name where names tell nodes apart, else leaf)",
		 .preset = -1, .choices = "guid|name|leaf|port"),
	TOOL_OWN(TOOL_FLAG, struct own, shuffle, "shuffle", 0, NULL,
		 "nodes change places in that order at random, each with all "
		 "of its ports (--seed)"),
	TOOL_OPT(TOOL_NUMBER, ranks, "ranks", 0, "N",
		 "number of ranks, on the first hosts; 0 = all",
		 .max = WEFT_MAX_RANKS),
	TOOL_OWN(TOOL_FLAG, struct own, subnets, "subnets", 0, NULL,
		 "the inputs are subnets of one fabric, which routers join; "
		 "so are subnets:N and an INI file, see weft-subnets(1)"),
	TOOL_OWN(TOOL_TEXT, struct own, routers, "routers", 0, "PREFIX",
		 "cut one fabric into subnets: switches whose names begin like "
		 "that become routers"),
	TOOL_OWN(TOOL_CHOICE, struct own, router_map, "router-map", 0, "METHOD",
		 "which router port a source takes: static, crc32, issr, isfr "
		 "(default), weave, or as files say",
		 .choices = "static|crc32|issr|isfr|weave|files", .preset = 3),
	TOOL_OWN(TOOL_CHOICE, struct own, router_hash, "router-hash", 0, "HASH",
		 "how a router chooses among ports: sum (default) or mix",
		 .choices = "sum|mix"),
	TOOL_OPT(TOOL_LIST, without, "without", 0, "ROUTER",
		 "as if this router, by its name, had failed; may be repeated"),
	SIM_NUMBER(hop_limit, "hop-limit", "N", "routers that a packet may pass",
		   WEFT_HOP_LIMIT, 1, WEFT_HOP_LIMIT),
	TOOL_OWN(TOOL_TEXT, struct own, isp, "isp", 0, "PERCENT",
		 "share of a load's messages that leave their subnet (default "
		 "others are drawn from all)"),
	SIM_NUMBER(router_relay, "router-relay", "NS",
		   "delay of a router, header in to header out (default 300)",
		   300, 0, 100000),
	SIM_NUMBER(router_buffer, "router-buffer", "N",
		   "bytes of buffer for each lane of a router's port (default "
		   "16384)",
		   16384, 0, 1 << 24),
	SIM_NUMBER(packet_least, "packet-least", "N",
		   "payload of a load's packets is drawn from N to the MTU "
		   "(default 0, the MTU)",
		   0, 0, 4096),
	SIM_NUMBER(mtu, "mtu", "N",
		   "payload of a packet: 256, 512, 1024, 2048 or 4096 (default "
		   "2048)",
		   2048, 1, 65536),
	SIM_NUMBER(header, "header", "N",
		   "bytes of headers and checks of a packet (default 26, with "
		   "a GRH 66)",
		   26, 1, 512),
	SIM_NUMBER(buffer, "buffer", "N",
		   "bytes of buffer for each lane of a port (default 16384)",
		   16384, 0, 1 << 24),
	SIM_NUMBER(cable, "cable", "NS", "delay of a cable (default 20)", 20, 0,
		   100000),
	SIM_NUMBER(relay, "relay", "NS",
		   "delay of a switch, header in to header out (default 100)",
		   100, 0, 100000),
	SIM_NUMBER(inject, "inject", "MBPS",
		   "Mbit/s that a host can send, as by its PCIe; 0 = its link",
		   0, 0, UINT32_MAX),
	SIM_NUMBER(drain, "drain", "MBPS",
		   "Mbit/s that a host can receive, likewise", 0, 0,
		   UINT32_MAX),
	SIM_NUMBER(outstanding, "outstanding", "N",
		   "messages that a host under load sends at a time (default "
		   "1)",
		   1, 1, 65536),
	TOOL_OWN(TOOL_CHOICE, struct own, lossy, "host-queues", 0, "fifo|lane",
		 "messages of a load wait in one queue, or up to "
		 "--outstanding in one for each lane, and others are refused "
		 "(default fifo)",
		 .choices = "fifo|lane"),
	TOOL_OWN(TOOL_CHOICE, struct own, arbitration, "arbitration", 0,
		 "round-robin|age",
		 "inputs of a switch take turns, or the oldest packet goes "
		 "first",
		 .choices = "round-robin|age"),
	TOOL_OWN(TOOL_CHOICE, struct own, queues, "queues", 0, "fifo|voq",
		 "buffers of switches are one queue, or one for each output "
		 "(default fifo)",
		 .choices = "fifo|voq"),
	TOOL_OWN(TOOL_TEXT, struct own, events, "events", 0, "FILE",
		 "cables and switches that fail and come back, and tables that "
		 "are written, at times"),
	SIM_NUMBER(hoq, "hoq", "NS",
		   "packets that are first in their queue for longer are "
		   "dropped; 0 = never (default)",
		   0, 0, 1000000000),
	TOOL_OWN(TOOL_FLAG, struct own, cc, "cc", 0, NULL,
		 "congestion control: switches mark packets, hosts slow down"),
	SIM_NUMBER(cc_threshold, "cc-threshold", "N",
		   "from which switches mark: 1 a full buffer, 15 a sixteenth "
		   "of it (default 15)",
		   15, 1, 15),
	SIM_NUMBER(cc_rate, "cc-marking-rate", "N",
		   "packets between two that are marked (default 0)", 0, 0,
		   65535),
	SIM_NUMBER(cc_increase, "cc-increase", "N",
		   "entries of the table that a mark takes a host on (default "
		   "1)",
		   1, 1, 16383),
	SIM_NUMBER(cc_limit, "cc-limit", "N", "highest entry (default 127)",
		   127, 0, 16383),
	SIM_NUMBER(cc_min, "cc-min", "N", "least entry (default 0)", 0, 0,
		   16383),
	SIM_NUMBER(cc_timer, "cc-timer", "N",
		   "units of 1.024 us after which a host goes back an entry "
		   "(default 150)",
		   150, 1, 65535),
	SIM_NUMBER(
		cc_shift, "cc-shift", "N",
		"entry i is a pause of i packets divided by two to the power "
		"of this (default 0)",
		0, 0, 3),
	TOOL_OWN(TOOL_CHOICE, struct own, paths, "paths", 0, "WHO",
		 "the tables choose where packets go, switches among ports "
		 "that are as near (least, random, flowlet), or hosts among "
		 "routes by these (oblivious, adaptive, probing)",
		 .choices = "tables|least|random|flowlet|oblivious|adaptive|"
			    "probing"),
	TOOL_OWN(TOOL_CHOICE, struct own, lids, "lids", 0, "RULE",
		 "which of a destination's LIDs: what the routes say, first, "
		 "one drawn for each pair of hosts or for each message "
		 "(random), or in turn message by message (round-robin) or "
		 "packet by packet (all)",
		 .choices = "routes|first|pair|random|round-robin|all"),
	SIM_NUMBER(routes, "routes", "N",
		   "routes that a host has to each other one (default 16)", 16,
		   1, 255),
	SIM_NUMBER(patience, "patience", "NS",
		   "waiting after which a host takes another route (default "
		   "1000)",
		   1000, 0, 1000000),
	SIM_NUMBER(flowlet, "flowlet", "NS",
		   "pause after which a flow may take another port (default "
		   "1000)",
		   1000, 0, 1000000),
	TOOL_OWN(TOOL_TEXT, struct own, high, "vlarb-high", 0, "VL:WEIGHT,...",
		 "table of lanes of high priority (default none)"),
	TOOL_OWN(TOOL_TEXT, struct own, low, "vlarb-low", 0, "VL:WEIGHT,...",
		 "table of lanes of low priority (default all in turn)"),
	SIM_NUMBER(limit, "vlarb-limit", "N",
		   "units of 4096 bytes of high priority before low priority "
		   "has its turn; 255 = no limit (default 0, one packet)",
		   0, 0, 255),
	TOOL_OPT_SEED,
	SIM_NUMBER(seeds, "seeds", "N",
		   "runs of each load, with seeds from --seed on (default 1)",
		   1, 1, 1000),
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OWN(TOOL_TEXT, struct own, details, "details", 0, "FILE",
		 "CSV of hosts, flows, channels and lanes, latencies and "
		 "intervals to FILE, a line for each figure"),
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

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
	.options = sim_options,
	.own_size = sizeof(struct own),
	.run = sim_run,
};
