// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze: how good are forwarding tables? */
#include "core/grow.h"
#include "tools/analyze/basket.h"
#include "tools/analyze/columns.h"
#include "tools/analyze/hot.h"
#include "tools/analyze/jobs.h"
#include "tools/analyze/patterns.h"
#include "tools/analyze/per_host.h"
#include "tools/analyze/saturation.h"
#include "tools/analyze/worst.h"
#include "tools/common/verdict.h"

#include <stdlib.h>
#include <string.h>

struct analyze {
	struct tool_figures *figures;
	struct tool_hot_links *hot;	/* of each */
	unsigned n;
	struct tool_measure measure;
};

static bool analyze_case(struct tool *t, const struct tool_case *c,
			 void *context)
{
	struct analyze *a = context;
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.minimal = true, .loads = true, .credit_loops = true,
	};
	struct tool_hot_links *hot;
	struct tool_figures *figures;

	if (weft__grow_one(&a->figures, a->n) || weft__grow_one(&a->hot, a->n))
		return tool_no_memory(t);
	figures = &a->figures[a->n];
	hot = &a->hot[a->n];
	if (!tool_figures_make(t, c, &spec, t->args.count, figures))
		return false;
	*hot = (struct tool_hot_links){ .n = 0 };
	a->n++;
	return c->refused ||
	       (tool_verdict_make(t, c, &a->measure, figures) &&
		tool_hot_find(t, c, &figures->proof, hot));
}

static json_t *case_json(const struct tool_figures *f,
			 const struct tool_hot_links *hot)
{
	json_t *root;

	if (f->refused)
		return tool_refused_json(f->input, f->label, f->refused);
	root = tool_figures_json(f);
	json_object_set_new(root, "refused", json_null());
	tool_record_json(tool_figures_graded, f, root);
	if (hot->n)
		json_object_set_new(root, "hottest", tool_hot_json(hot));
	return root;
}

static void print_json(const struct analyze *a, FILE *out)
{
	json_t *cases = json_array();

	for (unsigned i = 0; i < a->n; i++)
		json_array_append_new(cases, case_json(&a->figures[i],
							&a->hot[i]));
	tool_json_print(out, json_incref(cases));
	json_decref(cases);
}

static void print_csv(const struct analyze *a, FILE *out)
{
	tool_figures_csv_header(true, out);
	fputc(',', out);
	tool_record_keys(tool_figures_graded, out);
	fputs(",refused\n", out);
	for (unsigned i = 0; i < a->n; i++) {
		tool_figures_csv(&a->figures[i], true, out);
		fputc(',', out);
		tool_record_csv(tool_figures_graded, &a->figures[i], out);
		tool_refused_csv(a->figures[i].refused, out);
	}
}

static enum tool_status analyze_tables(struct tool *t)
{
	struct analyze a = { 0 };
	FILE *out = tool_output_open(t, t->args.output);
	bool ok = out && tool_cases_each(t, analyze_case, &a);

	if (ok && t->args.json)
		print_json(&a, out);
	else if (ok && t->args.csv)
		print_csv(&a, out);
	else if (ok)
		tool_columns_print(a.figures, a.n, out);
	for (unsigned i = 0; ok && !t->args.json && !t->args.csv && i < a.n;
	     i++)
		tool_hot_print(&a.hot[i], a.n > 1 ? a.figures[i].label : NULL,
			       out);
	for (unsigned i = 0; i < a.n; i++) {
		tool_figures_free(&a.figures[i]);
		tool_hot_free(&a.hot[i]);
	}
	tool_measure_free(&a.measure);
	free(a.figures);
	free(a.hot);
	return tool_cases_status(t, ok);
}

/* The cases under the patterns that were asked for. */
struct patterns {
	const struct tool_requests *requests;
	struct tool_patterns *of;	/* [n] cases */
	unsigned n;
	FILE *links;
};

static bool patterns_case(struct tool *t, const struct tool_case *c,
			  void *context)
{
	struct patterns *a = context;
	struct tool_patterns *of;

	if (weft__grow_one(&a->of, a->n))
		return tool_no_memory(t);
	of = &a->of[a->n];
	if (!tool_patterns_run(t, c, a->requests, of))
		return false;
	for (unsigned i = 0; a->links && i < of->n; i++)
		tool_links_add(a->links, c, &of->pattern[i]);
	a->n++;
	return true;
}

static void print_patterns(struct tool *t, const struct patterns *a, FILE *out)
{
	json_t *cases;

	if (t->args.csv)
		tool_patterns_csv(a->of, a->n, out);
	if (!t->args.csv && !t->args.json)
		tool_patterns_report(a->of, a->n, a->requests, out);
	if (!t->args.json)
		return;
	cases = json_array();
	for (unsigned i = 0; i < a->n; i++)
		json_array_append_new(cases, tool_patterns_json(&a->of[i],
								a->requests));
	tool_json_print(out, json_incref(cases));
	json_decref(cases);
}

static enum tool_status analyze_patterns(struct tool *t,
					 const struct tool_requests *requests)
{
	struct patterns a = { .requests = requests };
	FILE *out = tool_output_open(t, t->args.output);
	bool ok = out;

	if (ok && t->args.links)
		ok = tool_links_begin(t, &a.links);
	ok = ok && tool_cases_each(t, patterns_case, &a);
	if (ok && t->args.histogram)
		ok = tool_patterns_histogram(t, a.of, a.n);
	if (ok)
		print_patterns(t, &a, out);
	for (unsigned i = 0; i < a.n; i++)
		tool_patterns_free(&a.of[i]);
	free(a.of);
	return tool_cases_status(t, ok);
}

/* Options that only patterns know, one that --worst knows, too, and one that
 * goes with all-to-all traffic. */
static const char *const of_patterns[] = {
	"mpi", "mapping", "host-file", "ranks", "subset", "endpoints",
	"precision", "precise", "bins", "histogram", "hottest", "links", "lids",
	NULL
};

/* Whether one of them was given, where there are no patterns; says so. */
static bool lacks_patterns(struct tool *t)
{
	const char *const *name = of_patterns;
	const char *measure = t->args.jobs ? "jobs" :
		t->args.worst ? "worst" :
		t->args.saturation ? "saturation" :
		tool_per_host_wanted(t) ? "per-host" : NULL;

	while (*name && (!tool_args_given(t, *name) ||
			 (!measure && !strcmp(*name, "hottest"))))
		name++;
	if (!*name || (measure && !strcmp(*name, "lids")))
		return false;
	if (measure)
		tool_usage(t, "--%s is for patterns, not for --%s", *name,
			   measure);
	else
		tool_usage(t, "--%s is for patterns: give some, with -p",
			   *name);
	return true;
}

static enum tool_status not_per_host(struct tool *t, const char *what)
{
	return tool_usage(t,
			  "--per-host and --groups measure something else: leave out %s and other patterns",
			  what);
}

static enum tool_status analyze_plain(struct tool *t)
{
	if (lacks_patterns(t))
		return TOOL_FAILED;
	if (tool_per_host_wanted(t))
		return t->args.worst || t->args.saturation ?
			not_per_host(t, "--worst, --saturation") :
			tool_per_host_run(t);
	if (t->args.worst && t->args.lids == WEFT_LID_ALL)
		return tool_usage(t,
				  "--worst counts whole streams: with --lids=all they are cut into parts");
	if (t->args.worst)
		return tool_worst_run(t);
	return t->args.saturation ? tool_saturation_run(t) : analyze_tables(t);
}

/* Those of a job go with --jobs; what else measures something does not. */
static enum tool_status analyze_jobs(struct tool *t)
{
	const struct tool_args *a = &t->args;

	if (a->worst || a->saturation || a->permutations || a->rings ||
	    a->objective || a->mpi || tool_per_host_wanted(t))
		return tool_usage(t,
				  "--jobs measures jobs: leave out what measures something else");
	return lacks_patterns(t) ? TOOL_FAILED : tool_jobs_run(t);
}

static enum tool_status analyze_run(struct tool *t)
{
	struct tool_requests requests;
	enum tool_status status;

	if (t->args.list) {
		(t->args.json ? tool_patterns_list_json :
				tool_patterns_list)(stdout);
		return TOOL_FINE;
	}
	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	t->bears_refusals = true;
	tool_output_by_name(t);
	if (t->args.jobs)
		return analyze_jobs(t);
	if (tool_basket_wanted(t))
		return tool_per_host_wanted(t) ? not_per_host(t, "-p basket") :
						 tool_basket_run(t);
	if (!tool_requests_make(t, &requests))
		return TOOL_FAILED;
	if (!requests.n && !requests.napplications)
		status = analyze_plain(t);
	else if (tool_per_host_wanted(t))
		status = not_per_host(t, "-p");
	else if (t->args.worst)
		status = tool_usage(t,
				    "--worst looks for the worst pattern itself: leave out -p and other patterns");
	else if (t->args.saturation)
		status = tool_usage(t,
				    "--saturation measures something else: leave out -p and other patterns");
	else if (t->args.mpi && !tool_crew_start(t))
		status = TOOL_FAILED;
	else
		status = analyze_patterns(t, &requests);
	status = tool_crew_stop(t, status);
	tool_requests_free(&requests);
	return status;
}

static const struct tool_option analyze_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "samples of each pattern", .preset = 1000,
		 .min = 1, .max = INT64_MAX),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "judge by this pattern: NAME, NAME:OPTION=VALUE,... or several side by side, A@SHARE+B; or by the basket, alone"),
	TOOL_OPT(TOOL_TEXT, objective, "objective", 0, "WHAT",
		 "like -p basket, by another basket (ai), by a pattern, or by those in a file, with weights"),
	TOOL_OPT(TOOL_FLAG, list, "list", 0, NULL,
		 "list the patterns and their options"),
	TOOL_OPT(TOOL_LIST, traffic, "traffic", 0, "FILE",
		 "a pattern from a file: pairs of ranks, or a matrix"),
	TOOL_OPT(TOOL_FLAG, permutations, "permutations", 0, NULL,
		 "bisect, permutation and dissemination-pairs until the lower bound is known to 1 %: ABB, AFPB, ADB"),
	TOOL_OPT(TOOL_FLAG, worst, "worst", 0, NULL,
		 "the most streams that any permutation puts on a channel, and one that does"),
	TOOL_OPT(TOOL_FLAG, saturation, "saturation", 0, NULL,
		 "what all-to-all traffic gets through: everybody alike, and each host at full load"),
	TOOL_OPT(TOOL_TEXT, per_host, "per-host", 0, "N",
		 "name the N hosts (default 10) that get least when all send to all",
		 .optional = true),
	TOOL_OPT(TOOL_TEXT, groups, "groups", 0, "FILE",
		 "the same of groups of hosts: a name and Slurm's list of hosts in each line"),
	TOOL_OPT(TOOL_TEXT, jobs, "jobs", 0, "FILE",
		 "what each job gets, alone and together with the others"),
	TOOL_OPT(TOOL_FLAG, rings, "rings", 0, NULL,
		 "natural and random rings, as the HPC Challenge has them"),
	TOOL_OPT(TOOL_LIST, application, "application", 0, "SPEC",
		 "estimate a running time: 'NAME; SHARE=PATTERN; ...'"),
	TOOL_OPT(TOOL_CHOICE, mapping, "mapping", 'm', "ORDER",
		 "ranks on hosts: random, or by guid, name, leaf (switch and port), port (first ports of all nodes first) or file (default random, file with --host-file)",
		 .preset = -1, .choices = "random|guid|name|leaf|port|file"),
	TOOL_OPT(TOOL_TEXT, host_file, "host-file", 0, "FILE",
		 "hosts of the ranks: names, a hostfile, a rankfile or Slurm's list"),
	TOOL_OPT(TOOL_NUMBER, ranks, "ranks", 0, "N",
		 "number of ranks, 0 = one on each host",
		 .max = WEFT_MAX_RANKS),
	TOOL_OPT(TOOL_CHOICE, subset, "subset", 0, "linear|random",
		 "fewer ranks than hosts: on the first ones, or drawn for each sample (default random if the mapping is)",
		 .preset = -1, .choices = "linear|random"),
	TOOL_OPT(TOOL_CHOICE, lids, "lids", 0, "RULE",
		 "which of a destination's LIDs: what the routes say, first, random, round-robin, or all at once",
		 .choices = "routes|first|random|round-robin|all"),
	TOOL_OPT(TOOL_FLAG, endpoints, "endpoints", 0, NULL,
		 "count channels between hosts and switches, too"),
	TOOL_OPT(TOOL_TEXT, precision, "precision", 0, "SHARE",
		 "double the samples until the 99 % interval is below this share of the mean, as 1%"),
	TOOL_OPT(TOOL_CHOICE, precise, "precise", 0, "MEASURE",
		 "of which measure: streams, lower or upper (default streams)",
		 .choices = "streams|lower|upper"),
	TOOL_OPT(TOOL_NUMBER, bins, "bins", 0, "N",
		 "bins of histograms", .preset = 100, .min = 1,
		 .max = 1000000),
	TOOL_OPT(TOOL_TEXT, histogram, "histogram", 0, "FILE",
		 "write histograms of the samples (CSV)"),
	TOOL_OPT(TOOL_NUMBER, hottest, "hottest", 0, "N",
		 "name the N channels with the most streams, of all-to-all traffic where there is no pattern",
		 .max = 1000000),
	TOOL_OPT(TOOL_TEXT, links, "links", 0, "FILE",
		 "write the streams over each channel (CSV)"),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_MPI("samples"),
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_analyze = {
	.name = "analyze",
	.summary = "measure how good forwarding tables are",
	.usage = "[OPTION]... INPUT...",
	.about = "Reports the load of channels (one direction of a cable) when every host sends to every other (its maximum is the edge-forwarding index), the distribution of hops, and the effective bisection bandwidth: "
		 "the mean share of full bandwidth when random halves of the hosts send to each other. "
		 "With -p it reports instead what communication patterns get of the bandwidth, with -p basket what all kinds of traffic get. "
		 "The tables are those of the input (a dump directory), or instead of them those given by -t and -e; several are reported side by side.",
	.options = analyze_options,
	.basic = "input tables engine option patterns pattern list objective saturation per-host jobs mapping host-file hottest seed json csv output",
	.run = analyze_run,
};
