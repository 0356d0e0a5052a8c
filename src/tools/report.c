// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft report: a page about a fabric and its routing. */
#include "report/write.h"

#include "tool.h"

#include <stdlib.h>

static void say_phase(void *context, const char *what)
{
	tool_phase(context, "%s", what);
}

static bool report_case(struct tool *t, const struct tool_case *c,
			void *context)
{
	char *read = tool_sources_text(c);
	const struct weft__report_spec spec = {
		.input = c->input,
		.engine = c->engine,
		.read = read,
		.invented = c->spare,
		.fabric = c->fabric,
		.routes = c->routes,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.bisections = t->args.count,
		.seed = t->args.seed,
		.threads = t->args.threads,
		.most = t->args.hottest,
		.names = { tool_text_vertex, tool_text_channel },
		.phase = say_phase,
		.context = t,
	};
	struct weft__report r;
	bool *fine = context;
	FILE *out;
	bool ok;

	if (!read)
		return tool_no_memory(t);
	ok = !weft__report_collect(&spec, &r, &t->diag);
	if (ok) {
		tool_phase_end(t);
		*fine = weft_proof_holds(&r.proof);
		out = tool_output_open(t, t->args.output);
		ok = out;
		if (ok)
			weft__report_write(&r, out);
		weft__report_free(&r);
	}
	free(read);
	return ok;
}

static enum tool_status report_run(struct tool *t)
{
	bool fine = true;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.input.n > 1)
		return tool_usage(t, "a report is about one fabric: give one "
				     "input");
	if (t->args.engine.n > 1 || (t->args.engine.n && t->args.table.n))
		return tool_usage(t, "a report is about one routing: give one "
				     "-e, or tables with -t");
	t->spare_engine = "weave";
	if (!tool_cases_each(t, report_case, &fine))
		return TOOL_FAILED;
	return fine ? TOOL_FINE : TOOL_FOUND;
}

static const struct tool_option report_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, count, "bisections", 'n', "N",
		 "how many random bisections to draw", .preset = 1000, .min = 1,
		 .max = INT64_MAX),
	TOOL_OPT(TOOL_NUMBER, hottest, "most", 0, "N",
		 "rows of a list: links, findings, credit loops", .preset = 10,
		 .max = 10000),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_OUTPUT("write the page to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_report = {
	.name = "report",
	.summary = "write a page about a fabric and its routing",
	.usage = "[OPTION]... INPUT",
	.about = "Writes one page of HTML, which needs no network and no "
		 "other file: what the fabric is, whether its forwarding "
		 "tables are correct, what bandwidth they give, the most "
		 "loaded links and who suffers from them, lanes, credit loops "
		 "and what to do about them, and single points of failure. "
		 "The tables are those of the input, or instead of them those "
		 "given by -t or -e; where there are none, weave routes, and "
		 "the page says so. Exit status 1: something is wrong.",
	.options = report_options,
	.run = report_run,
};
