// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft report: a page about a fabric and its routing. */
#include "report/judged.h"
#include "report/since.h"
#include "report/write.h"

#include "tools/analyze/basket.h"
#include "tools/analyze/saturation.h"
#include "tools/check/multicast.h"
#include "tools/check/redundancy.h"
#include "tools/common/figures.h"
#include "tools/common/loops.h"
#include "tools/compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The values of its own options. */
struct own {
	int64_t lanes, seconds;
	bool no_compare;
	const char *since;
};

static void say_phase(void *context, const char *what)
{
	tool_phase(context, "%s", what);
}

/* Engines that are there for reference: one of them is slow, none is better. */
static bool is_for_reference(const char *name)
{
	static const char *const names[] = { "null", "p2sssp", "random" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* What a report is judged by, and what it has come to. */
struct reporting {
	const struct weft_objective *objective;	/* NULL: the basket hpc */
	bool fine;
};

/* Has all other engines compared, and the one that was asked for. */
static bool compare(struct tool *t, const struct tool_case *c,
		    const struct weft__report *r, struct weft_comparison **out)
{
	const struct own *own = t->own;
	const struct tool_compare_spec spec = {
		.comparison = {
			.basket = {
				.objective = r->spec->objective,
				.seed = t->args.seed,
				.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
			},
			.lanes = own->lanes,
		},
		.seconds = own->seconds,
		.shown = c->engine ? c : NULL,
		.shown_loops = r->proof.cyclic_vls,
	};
	const struct weft_candidate present = {
		.label = c->label,
		.origin = WEFT_TABLES_PRESENT,
		.fabric = c->fabric,
		.routes = c->routes,
		.seconds = -1,
	};
	struct tool_list given = t->args.engine;
	bool ok;

	t->args.engine = (struct tool_list){ 0 };
	if (given.n)
		tool_list_add(&t->args.engine, given.item[0]);
	else if (c->engine)
		tool_list_add(&t->args.engine, tool_spare_engine(t));
	for (const struct weft_engine *const *e = weft_engines(); *e; e++)
		if (!is_for_reference((*e)->name) &&
		    (!t->args.engine.n ||
		     strcmp((*e)->name, t->args.engine.item[0])))
			tool_list_add(&t->args.engine, (*e)->name);
	ok = tool_compare_engines(t, &spec, c->engine ? NULL : &present,
				  c->fabric, out);
	free(t->args.engine.item);
	t->args.engine = given;
	return ok;
}

/* --- JSON: what check, analyze and compare tell, under their keys ---------- */

static json_t *cuts_json(const struct weft_fabric *f,
			 const struct weft__cuts *c)
{
	json_t *switches = json_array(), *cables = json_array();

	for (uint32_t i = 0; i < c->nsw; i++)
		json_array_append_new(switches, json_pack(
			"{s:o, s:i}", "switch",
			tool_json_node(f, c->sw[i].id),
			"hosts", (int)c->sw[i].hosts));
	for (uint32_t i = 0; i < c->ncables; i++) {
		json_t *cable = tool_json_channel(f, c->cable[i].id);

		json_object_set_new(cable, "hosts",
				    json_integer(c->cable[i].hosts));
		json_array_append_new(cables, cable);
	}
	return json_pack("{s:o, s:o, s:i}", "switches", switches, "cables",
			 cables, "hosts_with_one_cable", (int)c->single);
}

static json_t *hottest_json(const struct weft__report *r)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < r->hottest.n; i++) {
		const struct weft__hot *hot = &r->hottest.hot[i];
		json_t *one = tool_json_channel(r->spec->fabric, hot->channel);

		json_object_update_new(one, json_pack(
			"{s:I, s:i, s:i}", "routes", (json_int_t)hot->routes,
			"senders", (int)hot->senders,
			"receivers", (int)hot->receivers));
		json_array_append_new(list, one);
	}
	return list;
}

/* The figures of weft check and weft analyze. */
static json_t *figures_json(const struct weft__report *r)
{
	const struct weft__report_spec *s = r->spec;
	const struct weft_proof *p = &r->proof;
	struct tool_figures f = {
		.proof = *p, .lanes = s->routes->layers.nvl,
		.has_ebb = r->has_traffic,
		.avg_hops = p->reached ? (double)p->hops_sum / p->reached : 0,
		.ebb = r->ebb,
	};
	json_t *o;

	tool_figures_of_fabric(&f, s->fabric, s->all_hosts);
	o = tool_figures_object(&f);
	json_object_update_new(o, json_pack(
		"{s:b, s:b, s:o, s:o, s:o, s:o}",
		"fine", weft_proof_holds(p),
		"fine_with_switches", r->fine_with_switches,
		"cycles", tool_loops_json(s->fabric, p, s->most),
		"remedy", tool_remedy_json(s->fabric, p, s->most),
		"redundancy", tool_redundancy_json(s->fabric, &r->redundancy,
						   s->most),
		"single_failures", cuts_json(s->fabric, &r->cuts)));
	return o;
}

static void write_values(const struct tool *t, const struct tool_case *c,
			 const struct weft__report *r, FILE *out)
{
	const struct tool_compare_report compared = {
		.input = c->input, .objective = r->spec->objective_name,
		.fabric = r->spec->fabric,
		.comparison = r->comparison, .advice = r->advice,
		.uniform_bound = r->uniform_bound,
	};
	const struct weft__grade g = weft__report_grade(r);
	json_t *o = figures_json(r);

	json_object_set_new(o, "verdict", json_pack(
		"{s:s, s:s, s:o}", "safe", weft__colour_name(g.safe), "good",
		weft__colour_name(g.good), "share_of_best",
		g.good ? json_real(g.share) : json_null()));

	if (r->has_traffic)
		json_object_update_new(o, json_pack(
			"{s:o, s:o, s:o}", "basket",
			tool_basket_json(c, r->basket, &r->worth,
					 r->spec->objective_name, false),
			"saturation", tool_saturation_json(r->spec->fabric,
							   &r->saturation,
							   r->uniform_bound),
			"hottest", hottest_json(r)));
	if (r->multicast.n) {
		const struct tool_multicast m = { true, r->multicast };

		json_object_set_new(o, "multicast", tool_multicast_json(
			r->spec->fabric, &m, r->spec->most));
		tool_record_json(tool_multicast_fields, &m, o);
	}
	if (r->comparison)
		json_object_set_new(o, "compared",
				    tool_compare_json(&compared));
	o = json_pack("[o]", tool_case_json(c->input, c->label, c->engine, o));
	(t->args.csv ? tool_json_csv : tool_json_print)(out, o);
}

/* Compares engines, if that is asked for and there are hosts that send. */
static bool write_page(struct tool *t, const struct tool_case *c,
		       struct weft__report *r)
{
	const struct own *own = t->own;
	struct weft_comparison *comparison = NULL;
	struct weft_advice advice = { .row = 0 };
	FILE *out;
	bool ok = true;

	if (r->has_traffic && !own->no_compare) {
		ok = compare(t, c, r, &comparison);
		if (ok && weft_comparison_advise(comparison, &advice))
			ok = tool_no_memory(t);
		r->comparison = comparison;
		r->advice = &advice;
	}
	tool_phase_end(t);
	out = ok ? tool_output_open(t, t->args.output) : NULL;
	if (out && (t->args.json || t->args.csv))
		write_values(t, c, r, out);
	else if (out)
		weft__report_write(r, out);
	weft_advice_free(&advice);
	weft_comparison_free(comparison);
	return out;
}

/* Compares with the capture of --since; nothing without it. */
static bool find_since(struct tool *t, const struct tool_case *c,
		       struct weft__report *r, struct weft__since *out)
{
	const struct own *own = t->own;
	struct weft_counters counters = { 0 };
	struct weft__moment before = { .counters = &counters };
	const struct weft__moment now = {
		.fabric = c->fabric,
		.routes = c->engine ? NULL : c->routes,
		.counters = &r->counters,
		.time = weft__moment_time(c->input),
	};
	struct weft_input in;
	int err;

	*out = (struct weft__since){ .seconds = 0 };
	if (!own->since)
		return true;
	tool_phase(t, "reading %s", own->since);
	if (!tool_input_open(t, own->since, false, &in))
		return false;
	before.fabric = in.fabric;
	before.routes = in.sources.ntables ? &in.routes : NULL;
	before.time = weft__moment_time(own->since);
	err = weft_io_read_counters(own->since, in.fabric, &counters,
				    &t->diag);
	if (!err || err == -ENOENT)
		err = weft__since_find(&before, &now, out, &t->diag);
	weft_counters_free(&counters);
	weft_input_close(&in);
	r->since = out;
	r->since_name = own->since;
	return !err;
}

static bool report_case(struct tool *t, const struct tool_case *c,
			void *context)
{
	struct reporting *reporting = context;
	char *read = tool_sources_text(c);
	/* a plane lacks the switches of the others, which is no defect */
	bool told = c->sources && !c->planes;
	const struct weft__report_spec spec = {
		.input = c->input,
		.engine = c->engine,
		.read = read,
		.invented = c->spare,
		.multicast = told ? c->sources->multicast : NULL,
		.nmulticast = told ? c->sources->nmulticast : 0,
		.fabric = c->fabric,
		.routes = c->routes,
		.objective = reporting->objective,
		.objective_name = tool_objective_name(t),
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.bisections = t->args.count,
		.seed = t->args.seed,
		.threads = t->args.threads,
		.most = t->args.hottest,
		.names = { tool_text_vertex, tool_text_channel },
		.phase = say_phase,
		.context = t,
	};
	struct weft__since since;
	struct weft__report r;
	bool ok;

	if (!read)
		return tool_no_memory(t);
	ok = !weft__report_collect(&spec, &r, &t->diag);
	if (ok) {
		reporting->fine = weft_proof_holds(&r.proof) &&
			!r.multicast.broken;
		ok = find_since(t, c, &r, &since) && write_page(t, c, &r);
		weft__since_free(&since);
		weft__report_free(&r);
	}
	free(read);
	return ok;
}

static enum tool_status report_run(struct tool *t)
{
	struct weft_objective objective;
	struct reporting r = {
		.objective = t->args.objective ? &objective : NULL,
		.fine = true,
	};
	bool ok;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.input.n > 1)
		return tool_usage(t, "a report is about one fabric: give one input");
	if (t->args.engine.n > 1 || (t->args.engine.n && t->args.table.n))
		return tool_usage(t, "a report is about one routing: give one -e, or tables with -t");
	t->spare_engine = "weave";
	t->tells_objective = true;
	t->nchosen = t->args.engine.n;
	t->planes = TOOL_PLANES_FIRST;
	if (!tool_objective_read(t, &objective))
		return TOOL_FAILED;
	ok = tool_cases_each(t, report_case, &r);
	weft_objective_free(&objective);
	if (!ok)
		return TOOL_FAILED;
	return r.fine ? TOOL_FINE : TOOL_FOUND;
}

static const struct tool_option report_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_OBJECTIVE,
	TOOL_OPT_HOSTS,
	TOOL_OPT_BISECTIONS,
	TOOL_OPT(TOOL_NUMBER, hottest, "top", 0, "N",
		 "rows of a list: channels, findings, credit loops", .preset = 10,
		 .max = 10000),
	TOOL_OWN(TOOL_TEXT, struct own, since, "since", 0, "DIR",
		 "what changed since this capture, too"),
	TOOL_OWN(TOOL_FLAG, struct own, no_compare, "no-compare", 0, NULL,
		 "do not compare engines"),
	TOOL_OWN(TOOL_NUMBER, struct own, seconds, "time", 0, "SECONDS",
		 "seconds after which no further engine is compared",
		 .preset = 10, .max = 1000000),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "lanes (VLs) that there are for engines compared", .preset = 8,
		 .min = 1, .max = 15),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL,
		 "print JSON instead of the page"),
	TOOL_OPT(TOOL_FLAG, csv, "csv", 0, NULL,
		 "the same as comma-separated values, without lists"),
	TOOL_OPT_SPREADSHEET,
	TOOL_OPT_OUTPUT("write the page to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_report = {
	.name = "report",
	.summary = "write a page about a fabric and its routing",
	.usage = "[OPTION]... INPUT",
	.about = "Writes one page of HTML, which needs no network and no other file: "
		 "what the fabric is, whether its forwarding tables are correct, what bandwidth they give, the most loaded channels and who suffers from them, lanes, credit loops and what to do about them, single points of failure, other engines, and what to put into opensm.conf. "
		 "The tables are those of the input, or instead of them those given by -t or -e; where there are none, weave routes, and the page says so. Exit status 1: "
		 "something is wrong.",
	.options = report_options,
	.own_size = sizeof(struct own),
	.run = report_run,
};
