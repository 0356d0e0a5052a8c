// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze: how good are forwarding tables? */
#include "columns.h"

#include <stdlib.h>

struct analyze {
	struct tool_figures *figures;
	unsigned n;
};

static bool analyze_case(struct tool *t, const struct tool_case *c,
			 void *context)
{
	struct analyze *a = context;
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.minimal = true, .loads = true, .credit_loops = true,
	};
	struct tool_figures *more = realloc(a->figures,
					    (a->n + 1) * sizeof(*more));

	if (!more)
		return tool_no_memory(t);
	a->figures = more;
	if (!tool_figures_make(t, c, &spec, t->args.count, &more[a->n]))
		return false;
	a->n++;
	return true;
}

static void print_json(const struct analyze *a, FILE *out)
{
	json_t *cases = json_array();

	for (unsigned i = 0; i < a->n; i++)
		json_array_append_new(cases, tool_figures_json(&a->figures[i]));
	tool_json_print_cases(out, cases);
	json_decref(cases);
}

static void print_csv(const struct analyze *a, FILE *out)
{
	tool_figures_csv_header(out);
	for (unsigned i = 0; i < a->n; i++)
		tool_figures_csv(&a->figures[i], out);
}

static enum tool_status analyze_run(struct tool *t)
{
	struct analyze a = { 0 };
	FILE *out = NULL;
	bool ok = tool_cases_inputs(t);

	if (ok)
		out = tool_output_open(t, t->args.output);
	ok = out && tool_cases_each(t, analyze_case, &a);
	if (ok && t->args.json)
		print_json(&a, out);
	else if (ok && t->args.csv)
		print_csv(&a, out);
	else if (ok)
		tool_columns_print(a.figures, a.n, out);
	for (unsigned i = 0; i < a.n; i++)
		tool_figures_free(&a.figures[i]);
	free(a.figures);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option analyze_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "random bisections to sample", .preset = 1000, .min = 1,
		 .max = INT64_MAX),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_analyze = {
	.name = "analyze",
	.summary = "measure how good forwarding tables are",
	.usage = "[OPTION]... INPUT...",
	.about = "Reports the load of links when every host sends to every "
		 "other (its maximum is the edge-forwarding index), the "
		 "distribution of hops, and the effective bisection "
		 "bandwidth: the mean share of full bandwidth when random "
		 "halves of the hosts send to each other. The tables are "
		 "those of the input (a dump directory), or instead of them "
		 "those given by -t and -e; several are reported side by "
		 "side.",
	.options = analyze_options,
	.run = analyze_run,
};
