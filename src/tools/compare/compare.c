// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft compare: which engine for this fabric? */
#include "tools/compare/compare.h"

#include <weft/planes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct own {
	int64_t lanes, failures, seconds;
	const char *measured, *full;
	bool opensm;
};

/* No -e, or -e all: every engine but null, which routes nothing.  Returns whether
 * that is so. */
static bool name_engines(struct tool *t)
{
	struct tool_list *e = &t->args.engine;
	bool all = !e->n;

	for (unsigned i = 0; i < e->n; i++)
		all |= !strcmp(e->item[i], "all");
	if (!all)
		return false;
	for (unsigned i = 0; i < e->n;)
		if (!strcmp(e->item[i], "all"))
			memmove(&e->item[i], &e->item[i + 1],
				(--e->n - i) * sizeof(*e->item));
		else
			i++;
	for (const struct weft_engine *const *w = weft_engines(); *w; w++)
		if (strcmp((*w)->name, "null"))
			tool_list_add(e, (*w)->name);
	return true;
}

static bool print(struct tool *t, const struct tool_compare_report *r)
{
	FILE *out = tool_output_open(t, t->args.output);
	json_t *cases;

	if (!out)
		return false;
	if (t->args.json) {
		cases = json_array();
		json_array_append_new(cases, tool_compare_json(r));
		tool_json_print(out, cases);
	} else if (t->args.csv) {
		tool_compare_csv(r, out);
	} else if (tool_output_ends(t, ".html")) {
		tool_compare_html(r, out);
	} else {
		tool_compare_text(r, out);
	}
	return true;
}

/* Grades the present tables beside the best ones. */
static bool grade(struct tool *t, const struct weft_candidate *present,
		  struct tool_compare_report *r)
{
	const struct tool_case c = { .fabric = present->fabric,
				     .routes = present->routes };
	const struct weft_compared *best = weft_comparison_best(r->comparison);
	const struct weft_compared *own = weft_comparison_row(r->comparison, 0);
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.credit_loops = true,
	};
	struct weft__graded of = { .worth = own->worth.mean,
				   .best = best ? best->worth.mean : -1,
				   .of_bound = NAN };
	struct weft_proof p;
	bool ok;

	if (weft_proof_run(present->fabric, present->routes, &spec, &p,
			   &t->diag))
		return false;
	of.fine = weft_proof_holds(&p);
	ok = tool_verdict_switches(t, &c, &p, &of.fine_with_switches);
	weft_proof_free(&p);
	r->verdict = tool_verdict_of(&of, best && best != own ?
					     tool_compare_label(best) :
					     "the best engine");
	return ok;
}

static bool compare(struct tool *t, const struct weft_objective *objective,
		    const struct weft_candidate *present,
		    const struct weft_fabric *fabric)
{
	const struct own *own = t->own;
	const struct tool_compare_spec spec = {
		.comparison = {
			.basket = {
				.objective = objective,
				.rounds = t->args.count,
				.seed = t->args.seed,
				.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
				.spread = t->args.lids == WEFT_LID_ALL,
			},
			.lanes = own->lanes,
		},
		.failures = own->failures,
		.seconds = own->seconds,
		.opensm = own->opensm,
		.alone = true,
	};
	struct weft_advice advice = { .row = 0 };
	struct tool_compare_report r = {
		.input = t->args.input.item[0],
		.objective = tool_objective_name(t),
		.fabric = fabric,
		.advice = &advice,
		.uniform_bound = weft_bound_of_uniform(
			fabric, t->args.hosts == TOOL_HOSTS_ALL),
		.failures = own->failures,
		.spread = t->args.lids == WEFT_LID_ALL,
		.opensm = own->opensm,
	};
	struct weft_comparison *c;
	bool ok;

	if (!tool_compare_engines(t, &spec, present, fabric, &c))
		return false;
	r.comparison = c;
	ok = (!weft_comparison_advise(c, &advice) || tool_no_memory(t)) &&
	     (!present || grade(t, present, &r)) && print(t, &r);
	weft_advice_free(&advice);
	weft_comparison_free(c);
	return ok;
}

/* Planes are alike, and traffic is the same in all: one stands for them. */
static bool compare_plane(struct tool *t,
			  const struct weft_objective *objective,
			  const struct weft_candidate *present,
			  const struct weft_fabric *fabric)
{
	struct weft_planes planes, of_present = { 0 };
	struct weft_candidate one;
	bool ok = !weft_planes_find(fabric, NULL, &planes) &&
		  (!present || !weft_planes_find(present->fabric,
						 present->routes, &of_present));

	if (!ok) {
		tool_no_memory(t);
	} else if (planes.n) {
		tool_planes_warn(t, t->args.input.item[0], planes.n);
		if (present) {
			one = *present;
			one.fabric = of_present.plane[0].fabric;
			one.routes = &of_present.plane[0].routes;
		}
		ok = compare(t, objective, present ? &one : NULL,
			     planes.plane[0].fabric);
	} else {
		ok = compare(t, objective, present, fabric);
	}
	weft_planes_free(&of_present);
	weft_planes_free(&planes);
	return ok;
}

/* Compares with the tables of -t, or those of the input, if there are any. */
static bool with_present(struct tool *t, const struct weft_objective *objective,
			 const struct weft_input *in,
			 const struct weft_fabric *fabric)
{
	const char *tables = t->args.table.n ? t->args.table.item[0] : NULL;
	struct weft_candidate present = {
		.label = tables ? tables : t->args.input.item[0],
		.origin = WEFT_TABLES_PRESENT,
		.fabric = in->fabric,
		.routes = &in->routes,
		.seconds = -1,
	};
	struct weft_sources sources = { 0 };
	struct weft_routes routes = { 0 };
	struct weft_fabric *told = NULL;
	unsigned next = 0;
	bool ok = true;

	if (tables) {
		ok = !weft_io_read_lmc(tables, in->fabric, &told, &t->diag);
		if (ok && told)
			present.fabric = told;
		present.routes = &routes;
		ok = ok && tool_tables_read(t, &next, present.fabric, &routes,
					    &sources);
	}
	if (ok)
		ok = compare_plane(t, objective,
			     tables || in->sources.ntables ? &present : NULL,
			     fabric);
	weft_routes_free(&routes);
	weft_sources_free(&sources);
	weft_fabric_free(told);
	return ok;
}

static bool compare_input(struct tool *t,
			  const struct weft_objective *objective)
{
	const char *input = t->args.input.item[0];
	struct weft_fabric *assigned = NULL;
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, t->args.table.n, &in))
		return false;
	ok = tool_assign_lids(t, input, in.fabric, &assigned) &&
	     with_present(t, objective, &in, assigned ? assigned : in.fabric);
	weft_fabric_free(assigned);
	weft_input_close(&in);
	return ok;
}

static enum tool_status compare_run(struct tool *t)
{
	const struct own *own = t->own;
	struct weft_objective objective;
	bool ok;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (own->full && !own->measured)
		return tool_usage(t, "--full goes with --measured");
	if (own->measured) {
		tool_output_by_name(t);
		return tool_compare_measured(t, own->measured, own->full);
	}
	if (t->args.input.n != 1 || t->args.table.n > 1)
		return tool_usage(t,
				  "one input and one set of tables (-t) can be compared with, not %u and %u",
				  t->args.input.n, t->args.table.n);
	if (t->args.lids != WEFT_LID_ROUTES && t->args.lids != WEFT_LID_ALL)
		return tool_usage(t, "engines are compared by the LIDs that the routes say, or by --lids=all");
	if (!tool_objective_read(t, &objective))
		return TOOL_FAILED;
	tool_output_by_name(t);
	t->tells_objective = name_engines(t);
	ok = compare_input(t, t->args.objective ? &objective : NULL);
	weft_objective_free(&objective);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option compare_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT(TOOL_LIST, engine, "engine", 'e', "ENGINE",
		 "compare NAME or NAME:OPTION=VALUE,...; all: every engine (the default)",
		 .choices = "all"),
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_OBJECTIVE,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N", "give every endport 2^N LIDs",
		 .preset = -1, .max = 7),
	TOOL_OPT(TOOL_CHOICE, lids, "lids", 0, "RULE",
		 "which of a destination's LIDs: what the routes say, or all at once",
		 .choices = "routes|first|random|round-robin|all"),
	TOOL_OWN(TOOL_FLAG, struct own, opensm, "with-opensm", 0, NULL,
		 "OpenSM's own engines, too, by running opensm on the fabric in a simulator"),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "lanes (VLs) that there are", .preset = 8, .min = 1,
		 .max = 15),
	TOOL_OWN(TOOL_NUMBER, struct own, failures, "faults", 0, "N",
		 "route once more without N random cables", .max = 100000),
	TOOL_OWN(TOOL_NUMBER, struct own, seconds, "time", 0, "SECONDS",
		 "seconds after which no further engine begins (default: no limit)",
		 .max = 1000000),
	TOOL_OPT(TOOL_NUMBER, count, "rounds", 'n', "N",
		 "rounds of each part of the basket", .preset = 256, .min = 1,
		 .max = 1000000),
	TOOL_OWN(TOOL_TEXT, struct own, measured, "measured", 0, "FILE",
		 "instead, what pairs of hosts had on the machine (weft measure) beside the model of the tables"),
	TOOL_OWN(TOOL_TEXT, struct own, full, "full", 0, "RATE",
		 "what a pair has alone there (default: the best of FILE)"),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_COLOR,
	TOOL_OPT_OUTPUT("write the report to FILE, a page if it ends in .html"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_compare = {
	.name = "compare",
	.summary = "compare engines on a fabric, and advise one",
	.usage = "[OPTION]... INPUT",
	.about = "Routes a fabric with every engine, as its plugin would, and judges the tables, and those that the input holds, by what all kinds of traffic get (the basket of weft-analyze(1)), by what they need and by what they change. "
		 "The end is an advice with its reason and the lines for opensm.conf.",
	.options = compare_options,
	.own_size = sizeof(struct own),
	.run = compare_run,
};
