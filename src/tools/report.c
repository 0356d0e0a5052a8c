// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft report: a page about a fabric and its routing. */
#include "report/write.h"

#include "tools/compare/compare.h"

#include <stdlib.h>
#include <string.h>

/* The values of its own options. */
struct own {
	int64_t lanes, seconds;
	bool no_compare;
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

/* Has all other engines compared, and the one that was asked for. */
static bool compare(struct tool *t, const struct tool_case *c,
		    struct weft_comparison **out)
{
	const struct own *own = t->own;
	const struct tool_compare_spec spec = {
		.comparison = {
			.basket = {
				.seed = t->args.seed,
				.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
			},
			.lanes = own->lanes,
		},
		.seconds = own->seconds,
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
	if (given.n && strchr(given.item[0], ':'))
		tool_list_add(&t->args.engine, given.item[0]);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++)
		if (!is_for_reference((*e)->name))
			tool_list_add(&t->args.engine, (*e)->name);
	ok = tool_compare_engines(t, &spec, c->engine ? NULL : &present,
				  c->fabric, out);
	free(t->args.engine.item);
	t->args.engine = given;
	return ok;
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
		ok = compare(t, c, &comparison);
		if (ok && weft_comparison_advise(comparison, &advice))
			ok = tool_no_memory(t);
		r->comparison = comparison;
		r->advice = &advice;
	}
	tool_phase_end(t);
	out = ok ? tool_output_open(t, t->args.output) : NULL;
	if (out)
		weft__report_write(r, out);
	weft_advice_free(&advice);
	weft_comparison_free(comparison);
	return out;
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
	bool ok;

	if (!read)
		return tool_no_memory(t);
	ok = !weft__report_collect(&spec, &r, &t->diag);
	if (ok) {
		*fine = weft_proof_holds(&r.proof);
		ok = write_page(t, c, &r);
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
		return tool_usage(t, "a report is about one fabric: give one input");
	if (t->args.engine.n > 1 || (t->args.engine.n && t->args.table.n))
		return tool_usage(t, "a report is about one routing: give one -e, or tables with -t");
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
	TOOL_OPT_BISECTIONS,
	TOOL_OPT(TOOL_NUMBER, hottest, "top", 0, "N",
		 "rows of a list: channels, findings, credit loops", .preset = 10,
		 .max = 10000),
	TOOL_OWN(TOOL_FLAG, struct own, no_compare, "no-compare", 0, NULL,
		 "do not compare engines"),
	TOOL_OWN(TOOL_NUMBER, struct own, seconds, "time", 0, "SECONDS",
		 "begin to compare no further engine after so long",
		 .preset = 10, .max = 1000000),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "lanes (VLs) that there are for engines compared", .preset = 8,
		 .min = 1, .max = 15),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
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
