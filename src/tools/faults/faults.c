// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft faults: what would a failed cable or switch cost? */
#include "tools/faults/faults.h"

#include "tools/common/interrupt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SETS 100 /* random ones, unless told */
#define MEND "standing" /* in place of an engine: the tables are mended */

struct faults {
	struct tool *t;
	struct tool_report r;
	struct tool_engine *engine, *reroute;
	bool mend;
	uint64_t links, switches; /* in a set; 0: none */
	double keep;
	bool found;	       /* something is not as it should be */
	struct timespec start; /* of what the progress bar shows */
	bool rerouting, planning;
};

/* --- progress ------------------------------------------------------------- */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* "3 min left", or "" while nothing can be said. */
static const char *time_left(double seconds, uint64_t done, uint64_t total,
			     char buf[32])
{
	double left = done ? seconds / done * (total - done) : 0;

	buf[0] = '\0';
	if (seconds < 1 || !done)
		return buf;
	if (left < 90)
		snprintf(buf, 32, ", %.0f s left", left);
	else if (left < 5400)
		snprintf(buf, 32, ", %.0f min left", left / 60);
	else
		snprintf(buf, 32, ", %.1f h left", left / 3600);
	return buf;
}

static void progress(void *context, bool rerouting, uint64_t done,
		     uint64_t total)
{
	struct faults *a = context;
	char left[32];

	if (rerouting != a->rerouting)
		clock_gettime(CLOCK_MONOTONIC, &a->start);
	a->rerouting = rerouting;
	tool_phase(a->t, "%s %s%s",
		   a->planning ? "planning" :
		   rerouting   ? "routing" :
				 "judging",
		   WEFT_COUNT(total, a->planning ? "part" : "failure"),
		   time_left(seconds_since(&a->start), done, total, left));
	tool_progress(a->t, done, total);
}

static bool stop(void *context)
{
	(void)context;
	return tool_interrupted();
}

/* --- what is to fail ------------------------------------------------------ */

/* The value of --links or --switches: how many in a set. */
static bool read_size(struct tool *t, const char *option, const char *text,
		      uint64_t *out)
{
	*out = text ? 1 : 0;
	if (!text || !*text)
		return true;
	if (!weft_number_uint(text, 1000000, out) || !*out)
		tool_usage(t,
			   "--%s takes a whole number from 1 to 1000000, not '%s'",
			   option, text);
	else
		return true;
	return false;
}

/* The parts that may fail. */
static bool list_parts(struct faults *a, const struct weft_fabric *f,
		       struct tool_parts *out)
{
	const struct tool_faults_own *own = a->t->own;
	bool all = !a->links && !a->switches && !own->host_links;
	unsigned kinds = 0;

	if (own->cables)
		return tool_parts_read(a->t, "--cables", f, own->cables, out);
	if (a->links || all)
		kinds |= WEFT_PARTS_CABLES;
	if (a->switches || all)
		kinds |= WEFT_PARTS_SWITCHES;
	if (own->host_links)
		kinds |= WEFT_PARTS_LINKS;
	if (weft_fault_parts(f, kinds, &out->part, &out->n))
		return tool_no_memory(a->t);
	return true;
}

/* Whether sets are single parts, none left out. */
static bool is_single(const struct faults *a)
{
	const struct tool_faults_own *own = a->t->own;

	return a->links < 2 && a->switches < 2 && !own->sample;
}

static bool make_sets(struct faults *a, const struct tool_parts *parts,
		      struct weft_fault_sets *out)
{
	const struct tool_faults_own *own = a->t->own;
	struct weft_fault_draw draw = {
		.part = parts->part,
		.nparts = parts->n,
		.cables = a->links,
		.switches = a->switches,
		.sets = own->sample ? own->sample : SETS,
		.seed = a->t->args.seed,
	};

	if (!is_single(a)) {
		if (!draw.cables && !draw.switches)
			draw.cables = 1;
		return !weft_fault_draw(&draw, out, &a->t->diag);
	}
	if (weft_fault_singles(parts->part, parts->n, out))
		return tool_no_memory(a->t);
	return true;
}

/* --- engines -------------------------------------------------------------- */

/* The engine that routes anew: that of --reroute, or of the case. */
static const struct tool_engine *engine_of(const struct faults *a,
					   const struct tool_case *c)
{
	const struct tool_engine *e = a->engine;

	if (a->reroute)
		return a->reroute;
	while (e->engine && (!c->engine || strcmp(e->label, c->engine)))
		e++;
	return e->engine ? e : NULL;
}

static struct weft_faults_spec make_spec(struct faults *a,
					 const struct tool_engine *e)
{
	const struct tool_faults_own *own = a->t->own;
	struct weft_faults_spec spec = {
		.all_hosts = a->t->args.hosts == TOOL_HOSTS_ALL,
		.each = own->each,
		.threads = a->t->args.threads,
		.stop = stop,
		.progress = progress,
		.context = a,
	};

	spec.mend = a->mend;
	if (!e || a->mend)
		return spec;
	spec.engine = e->engine;
	spec.options = e->options;
	if (!strcmp(weft_options_text(e->common, "deadlock"), "layers"))
		spec.lanes = weft_options_int(e->common, "lanes");
	return spec;
}

/* What routes anew, for reports; NULL: nothing. */
static const char *label_of(const struct faults *a, const struct tool_engine *e)
{
	return a->mend ? MEND : e ? e->label : NULL;
}

/* An engine in place of those of the command line. */
static struct tool_engine *parse_reroute(struct tool *t, const char *text)
{
	struct tool_list was = t->args.engine;
	struct tool_engine *e;

	t->args.engine = (struct tool_list){ &text, 1 };
	e = tool_engines_parse(t);
	t->args.engine = was;
	return e;
}

/* --- cases ---------------------------------------------------------------- */

static void begin(struct faults *a)
{
	clock_gettime(CLOCK_MONOTONIC, &a->start);
	a->rerouting = false;
	tool_interrupt_catch();
}

static bool refused_somewhere(const struct weft_faults *x)
{
	for (uint32_t i = 0; i < x->n; i++)
		if (x->fault[i].routed && x->fault[i].rerouted.refused)
			return true;
	return false;
}

static bool judge(struct faults *a, const struct tool_case *c,
		  const struct tool_engine *e, const struct tool_parts *parts)
{
	const struct tool_faults_own *own = a->t->own;
	const struct weft_faults_spec spec = make_spec(a, e);
	struct weft_fault_sets sets;
	struct weft_faults x;
	struct tool_faults r = {
		.c = c,
		.engine = label_of(a, e),
		.sets = &sets,
		.x = &x,
		.all_hosts = spec.all_hosts,
		.single = is_single(a),
		.each = spec.each || spec.mend,
		.top = own->top,
	};
	bool ok;

	if (!make_sets(a, parts, &sets))
		return false;
	begin(a);
	ok = !weft_faults_run(c->fabric, c->routes, &sets, &spec, &x,
			      &a->t->diag);
	tool_interrupt_leave();
	tool_phase_end(a->t);
	if (ok) {
		if (a->r.cases)
			json_array_append_new(a->r.cases, tool_faults_json(&r));
		else if (a->t->args.csv)
			tool_faults_csv(&r, !a->r.n, a->r.out);
		else
			tool_faults_text(&r, a->r.out);
		a->found |= x.judged < x.n || x.routed < x.classes ||
			    refused_somewhere(&x);
		weft_faults_free(&x);
	}
	weft_fault_sets_free(&sets);
	return ok;
}

static bool plan(struct faults *a, const struct tool_case *c,
		 const struct tool_engine *e, const struct tool_parts *parts)
{
	const struct weft_faults_spec spec = make_spec(a, e);
	const struct weft_fault_plan_spec how = { parts->part, parts->n,
						  a->keep };
	struct weft_fault_plan x;
	struct tool_plan r = {
		.c = c,
		.engine = label_of(a, e),
		.x = &x,
		.all_hosts = spec.all_hosts,
		.keep = a->keep,
	};
	bool ok;

	a->planning = true;
	begin(a);
	ok = !weft_faults_plan(c->fabric, c->routes, &how, &spec, &x,
			       &a->t->diag);
	tool_interrupt_leave();
	tool_phase_end(a->t);
	if (!ok)
		return false;
	if (a->r.cases)
		json_array_append_new(a->r.cases, tool_plan_json(&r));
	else if (a->t->args.csv)
		tool_plan_csv(&r, !a->r.n, a->r.out);
	else
		tool_plan_text(&r, a->r.out);
	a->found |= !x.all.safe;
	weft_fault_plan_free(&x);
	return true;
}

static bool faults_case(struct tool *t, const struct tool_case *c,
			void *context)
{
	const struct tool_faults_own *own = t->own;
	struct faults *a = context;
	const struct tool_engine *e = engine_of(a, c);
	struct tool_parts parts = { .part = NULL };
	bool ok;

	if (tool_interrupted())
		return false;
	if (!a->r.cases && !t->args.csv && a->r.n)
		fputc('\n', a->r.out);
	if (own->plan)
		ok = tool_parts_read(t, "--plan", c->fabric, own->plan,
				     &parts) &&
		     plan(a, c, e, &parts);
	else
		ok = list_parts(a, c->fabric, &parts) && judge(a, c, e, &parts);
	tool_parts_free(&parts);
	a->r.n++;
	return ok && !tool_interrupted();
}

/* "80%" or "0.8". */
static bool read_share(struct tool *t, const char *text, double *out)
{
	const char *at = text;

	*out = 0;
	if (!text ||
	    (tool_share_at(&at, "", out) && *out >= 0 && *out <= 1))
		return true;
	tool_usage(t, "--keep takes a share such as 80%% or 0.8, not '%s'",
		   text);
	return false;
}

static bool check_usage(struct faults *a)
{
	const struct tool_faults_own *own = a->t->own;

	if (own->plan && (own->links || own->switches || own->cables ||
			  own->sample || own->host_links)) {
		tool_usage(a->t, "--plan takes what its list names: leave out --links, --switches, --cables, --host-links and --sample");
		return false;
	}
	if (own->keep && !own->plan) {
		tool_usage(a->t, "--keep is for plans: give one, with --plan");
		return false;
	}
	return read_size(a->t, "links", own->links, &a->links) &&
	       read_size(a->t, "switches", own->switches, &a->switches) &&
	       read_share(a->t, own->keep, &a->keep);
}

static enum tool_status faults_run(struct tool *t)
{
	const struct tool_faults_own *own = t->own;
	struct faults a = { .t = t };
	bool ok;

	tool_output_by_name(t);
	ok = check_usage(&a) && tool_cases_inputs(t);
	if (ok) {
		a.engine = tool_engines_parse(t);
		ok = a.engine;
	}
	a.mend = own->reroute && !strcmp(own->reroute, MEND);
	if (ok && own->reroute && !a.mend) {
		a.reroute = parse_reroute(t, own->reroute);
		ok = a.reroute;
	}
	ok = tool_report_close(&a.r, ok && tool_report_open(t, &a.r) &&
			       (tool_cases_each(t, faults_case, &a) ||
				tool_interrupted()));
	tool_engines_free(a.engine);
	tool_engines_free(a.reroute);
	return !ok ? TOOL_FAILED : a.found ? TOOL_FOUND : TOOL_FINE;
}

#define OWN(kind, field, name, value, ...)                                     \
	TOOL_OWN(kind, struct tool_faults_own, field, name, 0, value,          \
		 __VA_ARGS__)

static const struct tool_option faults_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	OWN(TOOL_TEXT, reroute, "reroute", "ENGINE",
	    "the engine that routes anew (default: that of -e; with present tables none does), or "
	    MEND ": the tables are mended, and change as little as they must"),
	TOOL_OPT_HOSTS,
	OWN(TOOL_TEXT, links, "links", "K",
	    "cables between switches; K of them in each random set (default: each alone)",
	    .optional = true),
	OWN(TOOL_TEXT, switches, "switches", "K",
	    "switches; K of them in each random set (default: each alone)",
	    .optional = true),
	OWN(TOOL_FLAG, host_links, "host-links", NULL,
	    "cables between hosts and switches, too"),
	OWN(TOOL_TEXT, cables, "cables", "LIST",
	    "only these parts: SWITCH:PORT, a switch or a host, a line each in a file, or with commas between them"),
	OWN(TOOL_NUMBER, sample, "sample", "N",
	    "random sets (default 100 where sets have several parts)",
	    .max = 100000000),
	OWN(TOOL_TEXT, plan, "plan", "LIST",
	    "whether maintenance may take these parts out at once, and if not, in which groups"),
	OWN(TOOL_TEXT, keep, "keep", "SHARE",
	    "share of the bandwidth that hosts are to keep meanwhile, as 80%"),
	OWN(TOOL_FLAG, each, "each", NULL,
	    "route without each part, also where a symmetry of the fabric makes it like another one"),
	OWN(TOOL_NUMBER, top, "top", "N", "name the N most critical",
	    .preset = 10, .max = 100000000),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_faults = {
	.name = "faults",
	.summary = "say what a failed cable or switch would cost",
	.usage = "[OPTION]... INPUT...",
	.about = "Takes out every cable between switches and every switch, one at a time or random sets of them: "
		 "who is cut off, which pairs of hosts have no route until the subnet manager has routed anew, and what bandwidth is left; "
		 "with an engine also what it makes of the rest: bandwidth, lanes, entries changed. The most critical parts come first. "
		 "With --plan, says what maintenance may take out together. Ctrl-C ends early and reports what is known. Exit status 1: "
		 "a plan is not safe, an engine refused, or it ended early.",
	.options = faults_options,
	.basic = "input tables engine option reroute links switches cables sample plan keep top seed json csv output",
	.own_size = sizeof(struct tool_faults_own),
	.run = faults_run,
};
