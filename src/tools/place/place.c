// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft place: which hosts a job gets, and in which order its ranks stand on
 * them. */
#include "tools/place/place.h"

#include <math.h>

/* The values of its own options. */
struct own {
	const char *job, *free, *seconds, *others;
	int64_t size, format, moves, rounds;
};

struct visit {
	struct tool_report report;
	FILE *order;		/* where the order goes by -f; NULL: nowhere */
	bool reports;		/* there is a report */
	double seconds;
};

static bool make_traffic(struct tool *t, const struct weft_fabric *f,
			 const struct tool_places *p, uint32_t nranks,
			 struct weft_traffic **out)
{
	const struct tool_args *a = &t->args;
	struct weft_pair_list list = { 0 };
	bool ok;

	if (a->traffic.n) {
		ok = !weft_io_read_pattern(a->traffic.item[0], &list,
					   &t->diag) &&
		     !weft_traffic_from_list(&list, nranks, out, &t->diag);
		weft_pair_list_free(&list);
		return ok;
	}
	return !weft_traffic_placed(a->pattern.item[0], f, p->endport, nranks,
				    out, &t->diag) || tool_hint(t);
}

static bool find_order(struct tool *t, const struct tool_case *c,
		       struct visit *v, struct tool_placed *p)
{
	const struct own *own = t->own;
	const struct tool_places *places = p->places;
	struct weft_traffic *traffic;
	struct weft_place_spec spec = {
		.endport = places->endport, .nplaces = places->n,
		.width = places->width,
		.beside = p->others->running ? &p->others->beside : NULL,
		.rounds = own->rounds,
		.moves = own->moves, .seconds = v->seconds,
		.seed = t->args.seed, .threads = t->args.threads,
		.progress = tool_progress, .progress_context = t,
	};
	bool ok;

	if (!make_traffic(t, c->fabric, places, p->ranks, &traffic))
		return false;
	spec.traffic = traffic;
	tool_phase(t, "placing %u ranks on %s", p->ranks, c->label);
	ok = !weft_place_run(c->fabric, c->routes, &spec, &p->found, &t->diag);
	tool_phase_end(t);
	weft_traffic_free(traffic);
	p->gain = ok ? p->found.found.lower / p->found.given.lower : 1;
	return ok;
}

/* The option that names the hosts. */
static const char *hosts_option(const struct tool *t)
{
	const struct own *own = t->own;

	return t->args.host_file ? "host-file" : own->job ? "job" : "free";
}

static bool read_places(struct tool *t, const struct weft_fabric *f,
			const struct tool_others *others,
			struct tool_places *out)
{
	const struct own *own = t->own;

	if (t->args.host_file)
		return tool_places_read_file(t, f, t->args.host_file, out);
	if (!own->job && !own->free)
		return tool_places_idle(t, f, others, out);
	return tool_places_read(t, f, own->job ? own->job : own->free,
				hosts_option(t), out);
}

/* Reads which hosts there are, and who else sends. */
static bool read_case(struct tool *t, const struct weft_fabric *f,
		      struct tool_others *others, struct tool_places *places,
		      struct tool_placed *p)
{
	const struct own *own = t->own;

	if (!tool_others_read(t, f, others) ||
	    !read_places(t, f, others, places) ||
	    !tool_others_check(t, f, others, places, hosts_option(t)))
		return false;
	p->jobs = others->jobs.n;
	for (uint32_t j = 0; j < p->jobs; j++)
		p->jobs_hosts += others->jobs.job[j].n;
	p->candidates = places->n;
	p->hosts = own->size ? own->size : places->n;
	p->ranks = p->hosts * places->width;
	if (p->hosts > places->n) {
		tool_usage(t, "--size=%u is more than the %u hosts that are free",
			   p->hosts, places->n);
		return false;
	}
	return tool_others_send(t, f, others, own->others ? own->others :
				t->args.pattern.n ? t->args.pattern.item[0] :
						    "shift");
}

static bool place_case(struct tool *t, const struct tool_case *c,
		       void *context)
{
	const struct own *own = t->own;
	struct visit *v = context;
	struct tool_places places = { .n = 0 };
	struct tool_others others = { .file = NULL };
	struct tool_placed p = {
		.f = c->fabric, .places = &places, .others = &others,
		.seed = t->args.seed,
		.pattern = t->args.traffic.n ? t->args.traffic.item[0] :
					       t->args.pattern.item[0],
	};
	bool ok = read_case(t, c->fabric, &others, &places, &p);

	if (ok && !c->refused)
		ok = find_order(t, c, v, &p);
	if (ok && v->order && !c->refused)
		tool_place_write(&p, own->format, v->order);
	if (ok && v->reports)
		tool_place_report(t, &v->report, c, &p);
	else
		v->report.n++;
	if (ok && !v->reports)
		weft_diag_say(&t->diag, WEFT_NOTE,
			      "%.4f of full bandwidth in the order given, %.4f in this one: %.2f times as fast",
			      p.found.given.lower, p.found.found.lower,
			      p.gain);
	weft_placement_free(&p.found);
	tool_places_free(&places);
	tool_others_free(&others);
	return ok;
}

static bool check_usage(struct tool *t, struct visit *v)
{
	const struct tool_args *a = &t->args;
	const struct own *own = t->own;
	unsigned tables, lists = !!own->job + !!own->free + !!a->host_file;
	bool taken;

	if (a->pattern.n + a->traffic.n != 1) {
		tool_usage(t, "one pattern, by -p or --traffic");
		return false;
	}
	/* with --jobs those are free that no job has */
	lists += own->size && !own->free && a->jobs;
	if (lists != 1 || (own->free && !own->size) ||
	    (own->size && (own->job || a->host_file))) {
		tool_usage(t, "which hosts? --job=HOSTLIST or --host-file=FILE to order them, --size=N and --free=HOSTLIST, or --jobs=FILE, to choose");
		return false;
	}
	if (own->others && !a->jobs) {
		tool_usage(t, "--others tells the pattern of the jobs of --jobs=FILE");
		return false;
	}
	if (own->seconds && (!weft_number_real(own->seconds, &v->seconds) ||
			     !(v->seconds > 0) || !isfinite(v->seconds))) {
		tool_usage(t, "--seconds takes a time above 0, not '%s'",
			   own->seconds);
		return false;
	}
	if (own->seconds && own->moves) {
		tool_usage(t, "--seconds or --moves, not both");
		return false;
	}
	taken = own->format >= 0 && !a->output;
	if (taken && (a->json || a->csv)) {
		tool_usage(t, "the standard output is taken by -f: -o says where the order goes");
		return false;
	}
	if (own->format >= 0 && (!tool_tables_count(t, &tables) ||
				 a->input.n > 1 || tables + a->engine.n > 1)) {
		tool_usage(t, "-f writes one order: give one input, and one set of tables");
		return false;
	}
	v->reports = !taken;
	return true;
}

static enum tool_status place_run(struct tool *t)
{
	const struct own *own = t->own;
	struct visit v = { .seconds = 0 };
	FILE *out;
	bool ok = tool_cases_inputs(t) && check_usage(t, &v);

	if (!ok)
		return TOOL_FAILED;
	t->bears_refusals = own->format < 0;
	if (own->format < 0)
		tool_output_by_name(t);
	out = tool_output_open(t, t->args.output);
	if (!out)
		return TOOL_FAILED;
	v.order = own->format >= 0 ? out : NULL;
	v.report.out = v.order ? stdout : out;
	ok = tool_report_open(t, &v.report) &&
	     tool_cases_each(t, place_case, &v);
	return tool_cases_status(t, tool_report_close(&v.report, ok));
}

static const struct tool_option place_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OWN(TOOL_TEXT, struct own, job, "job", 'j', "HOSTLIST",
		 "the hosts of the job, as n[001-016,020], in the order that ranks have now"),
	TOOL_OPT(TOOL_TEXT, host_file, "host-file", 0, "FILE",
		 "the same from a file: names, a hostfile, a rankfile or Slurm's list"),
	TOOL_OWN(TOOL_NUMBER, struct own, size, "size", 0, "N",
		 "how many hosts to choose", .min = 1, .max = WEFT_MAX_RANKS),
	TOOL_OWN(TOOL_TEXT, struct own, free, "free", 0, "HOSTLIST",
		 "of which hosts (with --jobs: all that no job has); the first N are what is compared with"),
	TOOL_OPT(TOOL_TEXT, jobs, "jobs", 0, "FILE",
		 "jobs that run now: their hosts are not free, their traffic counts on cables"),
	TOOL_OWN(TOOL_TEXT, struct own, others, "others", 0, "PATTERN",
		 "how the ranks of each of these communicate (default: by -p, else shift)"),
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "how ranks, one on each adapter, communicate: a pattern of weft analyze"),
	TOOL_OPT(TOOL_LIST, traffic, "traffic", 0, "FILE",
		 "the same from a file: pairs of ranks, or a matrix"),
	TOOL_OWN(TOOL_CHOICE, struct own, format, "format", 'f', "FORMAT",
		 "write the order, to -o or the standard output: rankfile (Open MPI), hostfile (SLURM_HOSTFILE, a host for each rank), list (a host for each machine)",
		 .preset = -1, .choices = "rankfile|hostfile|list"),
	TOOL_OWN(TOOL_NUMBER, struct own, moves, "moves", 0, "N",
		 "moves to try (default: by the size of the job)",
		 .min = 1, .max = INT64_MAX),
	TOOL_OWN(TOOL_TEXT, struct own, seconds, "seconds", 0, "TIME",
		 "try moves for so long instead; results differ from run to run"),
	TOOL_OWN(TOOL_NUMBER, struct own, rounds, "rounds", 0, "N",
		 "rounds of the pattern that the search goes by (default 64); all of them judge",
		 .min = 1, .max = 1000000),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report, or with -f the order, to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_place = {
	.name = "place",
	.summary = "order the ranks of a job, and choose its hosts",
	.usage = "[OPTION]... INPUT --job=HOSTLIST -p PATTERN",
	.about = "Orders the ranks of a job on its hosts, or chooses hosts of those that are free, so that its traffic meets least, and says what that gains over the given order. "
		 "Ranks stand on every adapter of a host. "
		 "The tables are those of the input, or those given by -t and -e.",
	.options = place_options,
	.own_size = sizeof(struct own),
	.run = place_run,
};
