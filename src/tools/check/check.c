// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft check: what is wrong with forwarding tables? */
#include "report/multicast.h"
#include "tools/check/against.h"
#include "tools/check/multicast.h"
#include "tools/check/prometheus.h"
#include "tools/check/rails.h"
#include "tools/check/redundancy.h"
#include "tools/common/figures.h"
#include "tools/common/loops.h"
#include "tools/common/settings.h"
#include "tools/common/verdict.h"

#include <inttypes.h>
#include <string.h>

/* The values of its own options. */
struct own {
	bool switches, redundancy, any_port, rails, safe, planned;
	const char *against, *prometheus;
	int64_t sl;		/* -1 = as the tables say */
};

#define TEXT 4096

struct check {
	struct tool_report r;
	FILE *prometheus;	/* or NULL */
	struct tool_metrics metrics;	/* for it */
	struct tool_measure measure;
	struct tool_multicast multicast;	/* of the case at hand */
	bool found;		/* something is wrong somewhere */
};

static void print_findings(const struct tool_case *c,
			   const struct weft_proof *p, FILE *out)
{
	char text[TEXT];

	for (uint32_t i = 0; i < p->nfindings; i++) {
		weft_finding_text(c->fabric, &p->finding[i], text,
				  sizeof(text));
		fputs("    ", out);
		tool_text_wrap(out, 4, 6, text);
	}
}

/* Calls for the first n channels without load. */
static void each_unloaded(const struct weft_fabric *f,
			  const struct weft_proof *p, uint64_t n,
			  void (*call)(void *context, const char *text),
			  void *context)
{
	char text[512];

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s];
		     n && i < f->adj_first[s + 1]; i++) {
			if (p->channel_load[f->adj[i]])
				continue;
			call(context, tool_text_channel(f, f->adj[i], text,
							sizeof(text)));
			n--;
		}
}

static void print_unloaded(void *context, const char *text)
{
	fputs("    ", context);
	tool_text_wrap(context, 4, 6, text);
}

/* What the verdict is about. */
static const char *scope_name(const struct tool *t)
{
	const struct own *own = t->own;
	bool all = t->args.hosts == TOOL_HOSTS_ALL;

	if (own->switches)
		return all ? "traffic between hosts, aggregation nodes, routers and switches"
			     :
			     "traffic between hosts and switches";
	return all ? "traffic between hosts, aggregation nodes and routers" :
		     "traffic between hosts";
}

/* Says so where nothing but the cabling is wrong. */
static void print_verdict(const struct tool *t, const struct tool_figures *f,
			  const struct tool_multicast *m, FILE *out)
{
	const struct weft_proof *p = &f->proof;
	const char *scope = scope_name(t);
	bool fine = weft_proof_holds(p);

	tool_verdict_safe(f->verdict.safe, out);
	if (p->by_machines && p->unreachable <= p->apart && !p->cyclic_vls)
		fprintf(out, ", %s on each rail; the %" PRIu32
			" parts of the fabric are rails, which machines alone join\n",
			scope, p->parts);
	else if (fine || p->unreachable > p->apart || p->cyclic_vls)
		fprintf(out, ", %s\n", scope);
	else
		fprintf(out, ", the fabric is in %" PRIu32
			" parts that no cable joins; in each, all is fine\n",
			p->parts);
	if (fine && !f->verdict.fine_with_switches)
		fputs("    not so with what switches send and receive: see --switches\n",
		      out);
	if (m->v.broken)
		fprintf(out, "    multicast is not: of %s %" PRIu32 " %s no tree\n",
			WEFT_COUNT(m->v.n, "group"), m->v.broken,
			m->v.broken > 1 ? "are" : "is");
	tool_verdict_good(&f->verdict, out);
	if (fine && m->v.broken)
		fputs("  next: " WEFT__MULTICAST_STEP "\n", out);
	else
		tool_verdict_next(&f->verdict, p, out);
}

static void print_case(struct tool *t, const struct tool_case *c,
		       const struct tool_figures *f,
		       const struct tool_multicast *m, FILE *out)
{
	const struct own *own = t->own;
	const struct weft_proof *p = &f->proof;

	tool_case_line(c, out);
	if (own->sl >= 0)
		fprintf(out, ", all traffic on SL %" PRId64, own->sl);
	fputc('\n', out);
	if (*f->read) {
		fputs("  read ", out);
		tool_text_wrap(out, 7, 7, f->read);
	}
	fprintf(out, "  %s", WEFT_COUNT(f->hosts, "host"));
	if (f->fewer_nodes)
		fprintf(out, " (ports of %s)", WEFT_COUNT(f->nodes, "node"));
	fprintf(out, ", %s, %s, %s%s\n",
		WEFT_COUNT(f->switches, "switch"),
		WEFT_COUNT(f->links, "cable"),
		WEFT_COUNT(f->lanes, "lane"), f->one_way ? ", one way" : "");
	if (f->routers)
		fprintf(out,
			"  what lies behind %s is not looked at: see weft subnets\n",
			WEFT_COUNT(f->routers, "router"));
	fprintf(out, "  unreachable pairs       %s of %s\n",
		WEFT_COUNT(p->unreachable, NULL), WEFT_COUNT(p->pairs, NULL));
	fprintf(out, "    of these in loops     %s\n",
		WEFT_COUNT(p->loops, NULL));
	if (p->apart)
		fprintf(out, "    %-21s %s\n", p->by_machines ?
			"between rails" : "no cable leads there",
			WEFT_COUNT(p->apart, NULL));
	if (p->no_lid)
		fprintf(out, "    without a LID         %s\n",
			WEFT_COUNT(p->no_lid, NULL));
	fprintf(out, "  non-minimal routes      %s\n",
		WEFT_COUNT(p->nonminimal, NULL));
	fprintf(out, "  hops                    %.2f on average, at most %u\n",
		f->avg_hops, p->max_hops);
	fprintf(out, "  lanes with credit loops %u of %u\n", p->cyclic_vls,
		f->lanes);
	tool_loops_print(c->fabric, p, t->args.count, out);
	fprintf(out, "  channels without load   %s of %s\n",
		WEFT_COUNT(p->load_zero, NULL),
		WEFT_COUNT(p->load_channels, NULL));
	each_unloaded(c->fabric, p, t->args.count, print_unloaded, out);
	if (p->nfindings)
		fputs("  for example\n", out);
	print_findings(c, p, out);
	tool_multicast_print(c->fabric, m, t->args.count, out);
	print_verdict(t, f, m, out);
}

static void append_text(void *context, const char *text)
{
	json_array_append_new(context, tool_json_string(text));
}

static json_t *findings_json(const struct tool_case *c,
			     const struct weft_proof *p)
{
	json_t *array = json_array();
	char text[TEXT];

	for (uint32_t i = 0; i < p->nfindings; i++) {
		weft_finding_text(c->fabric, &p->finding[i], text,
				  sizeof(text));
		append_text(array, text);
	}
	return array;
}

static json_t *case_json(struct tool *t, const struct tool_case *c,
			 const struct tool_figures *f,
			 const struct tool_multicast *m)
{
	const struct own *own = t->own;
	json_t *root = tool_figures_json(f), *unloaded = json_array();

	each_unloaded(c->fabric, &f->proof, t->args.count, append_text,
		      unloaded);
	if (own->sl >= 0)
		json_object_set_new(root, "sl", json_integer(own->sl));
	if (c->planes) {
		json_object_set_new(root, "plane", json_integer(c->plane));
		json_object_set_new(root, "planes", json_integer(c->planes));
	}
	json_object_set_new(root, "one_way", json_boolean(f->one_way));
	json_object_set_new(root, "fine", json_boolean(weft_proof_holds(&f->proof)));
	json_object_set_new(root, "joined_by_machines",
			    json_boolean(f->proof.by_machines));
	json_object_set_new(root, "scope", json_string(scope_name(t)));
	json_object_set_new(root, "fine_with_switches",
			    json_boolean(f->verdict.fine_with_switches));
	tool_record_json(tool_figures_graded, f, root);
	json_object_set_new(root, "findings", findings_json(c, &f->proof));
	json_object_set_new(root, "cycles",
			    tool_loops_json(c->fabric, &f->proof,
					    t->args.count));
	json_object_set_new(root, "components",
			    json_integer(f->proof.ncycles));
	json_object_set_new(root, "remedy",
			    tool_remedy_json(c->fabric, &f->proof,
					     t->args.count));
	json_object_set_new(root, "unloaded", unloaded);
	json_object_set_new(root, "multicast",
			    tool_multicast_json(c->fabric, m, t->args.count));
	if (m->there)
		tool_record_json(tool_multicast_fields, m, root);
	return root;
}

/*
 * The routes with one SL for all traffic, whatever the SLs of the paths are.
 * What SL2VL tables there are stay; all that is pointed to is still the
 * caller's.
 */
static struct weft_routes on_one_sl(const struct weft_routes *routes,
				    uint8_t sl)
{
	struct weft_routes one = *routes;

	one.layers.form = WEFT_SL_ONE;
	one.layers.table = NULL;
	one.layers.sl = sl;
	one.layers.one_way = false;
	return one;
}

static void put_csv(struct tool *t, const struct tool_figures *f,
		    const struct tool_multicast *m, FILE *out)
{
	tool_figures_csv(f, false, out);
	fprintf(out, ",%u,%s,%s,\"%s\",", f->proof.ncycles,
		weft_proof_holds(&f->proof) ? "true" : "false",
		f->verdict.fine_with_switches ? "true" : "false",
		scope_name(t));
	tool_record_csv(tool_figures_graded, f, out);
	fputc(',', out);
	tool_record_csv(tool_multicast_fields, m, out);
	fputc('\n', out);
}

static json_t *report(struct tool *t, const struct tool_case *c,
		      const struct tool_figures *f, struct check *check)
{
	json_t *json = NULL;

	if (t->args.json) {
		json = case_json(t, c, f, &check->multicast);
		json_array_append_new(check->r.cases, json);
	} else if (t->args.csv) {
		put_csv(t, f, &check->multicast, check->r.out);
	} else {
		print_case(t, c, f, &check->multicast, check->r.out);
	}
	return json;
}

/* Reports a case, and what nodes with several ports depend on. */
static bool report_redundancy(struct tool *t, const struct tool_case *c,
			      const struct tool_figures *f, struct check *check)
{
	struct weft_lid_redundancy lids;
	struct weft_redundancy r;
	json_t *json, *own;

	if (weft_redundancy_lids(c->fabric, &c->routes->lft, &lids) ||
	    weft_redundancy_find(c->fabric, &c->routes->lft, &r)) {
		weft_diag_say(&t->diag, WEFT_ERROR, "out of memory");
		return false;
	}
	json = report(t, c, f, check);
	if (json) {
		own = tool_redundancy_json(c->fabric, &r, t->args.count);
		json_object_set_new(own, "lids", tool_lids_json(&lids));
		json_object_set_new(json, "redundancy", own);
	} else if (!t->args.csv) {
		tool_redundancy_print(c->fabric, &r, t->args.count,
				      check->r.out);
		tool_lids_print(&lids, check->r.out);
	}
	if (r.needless_machines)
		check->found = true;
	weft_redundancy_free(&r);
	return true;
}

static bool check_case(struct tool *t, const struct tool_case *given,
		       void *context)
{
	const struct own *own = t->own;
	struct check *check = context;
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.switches = own->switches, .minimal = true, .loads = true,
		.credit_loops = true, .between_switches = own->switches,
		.explain = true, .max_examples = t->args.count,
	};
	struct tool_case c = *given;
	struct weft_routes one;
	struct tool_figures f;
	bool good, fine;

	if (own->sl >= 0) {
		one = on_one_sl(c.routes, own->sl);
		c.routes = &one;
	}
	if (!tool_figures_make(t, &c, &spec, 0, &f))
		return false;
	good = tool_verdict_make(t, &c, own->safe ? NULL : &check->measure,
				 &f) &&
	       tool_multicast_make(t, given, &check->multicast);
	tool_phase_end(t);
	fine = weft_proof_holds(&f.proof);
	if (good && (!fine || check->multicast.v.broken))
		check->found = true;
	if (good && own->redundancy)
		good = report_redundancy(t, &c, &f, check);
	else if (good)
		report(t, &c, &f, check);
	if (good && check->prometheus)
		good = tool_metrics_add(t, &check->metrics, &c, &f,
					&check->multicast, fine, own->sl);
	tool_multicast_free(&check->multicast);
	tool_figures_free(&f);
	return good;
}

/* Looks at fabrics alone: what is said of tables is out of place then. */
static enum tool_status run_fabrics(struct tool *t)
{
	static const char *const others[] = {
		"tables", "engine", "option", "hosts", "switches",
		"redundancy", "sl", "prometheus", "safe",
	};
	const struct own *own = t->own;
	const char *which = own->against ? "against" : "rails";

	if (own->against && own->rails)
		return tool_usage(t,
				  "--against and --rails are two checks: leave out one of them");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (tool_args_given(t, others[i]))
			return tool_usage(t,
					  "--%s looks at fabrics, without tables: leave out --%s",
					  which, others[i]);
	return own->rails ? tool_rails_run(t) :
			    tool_against_run(t, own->against, own->any_port);
}

static bool is_standard(const char *path)
{
	return !path || !strcmp(path, "-");
}

/* Opens what is to be written; false after an error message. */
static bool open_outputs(struct tool *t, struct check *check)
{
	const struct own *own = t->own;

	if (own->prometheus && is_standard(own->prometheus) &&
	    is_standard(t->args.output)) {
		tool_usage(t,
			   "--prometheus=- and the report cannot both go to the standard output: give -o FILE, too");
		return false;
	}
	if (own->prometheus) {
		check->prometheus = tool_output_open(t, own->prometheus);
		if (!check->prometheus)
			return false;
	}
	if (tool_report_open(t, &check->r) && t->args.csv) {
		tool_figures_csv_header(false, check->r.out);
		fputs(",components,fine,fine_with_switches,scope,",
		      check->r.out);
		tool_record_keys(tool_figures_graded, check->r.out);
		fputc(',', check->r.out);
		tool_record_keys(tool_multicast_fields, check->r.out);
		fputc('\n', check->r.out);
	}
	return check->r.out;
}

/* --planned: --against the plan of the settings. */
static bool take_plan(struct tool *t)
{
	struct own *own = t->own;

	if (!own->planned || own->against)
		return true;
	own->against = tool_setting(t, "plan");
	if (!own->against)
		tool_usage(t,
			   "no plan is set: put 'plan = FILE' into weft.ini (weft config), or give --against=PLAN");
	return own->against;
}

static enum tool_status check_run(struct tool *t)
{
	const struct own *own = t->own;
	struct check check = { .found = false };
	bool ok = tool_cases_inputs(t);

	tool_output_by_name(t);
	if (!take_plan(t))
		return TOOL_FAILED;
	if (!own->against && own->any_port)
		return tool_usage(t, "--any-port goes with --against");
	if (ok && (own->against || own->rails))
		return run_fabrics(t);
	ok = tool_report_close(&check.r, ok && open_outputs(t, &check) &&
			       tool_cases_each(t, check_case, &check));
	if (ok && check.prometheus)
		tool_metrics_write(&check.metrics, check.prometheus);
	tool_metrics_free(&check.metrics);
	tool_measure_free(&check.measure);
	return !ok ? TOOL_FAILED : check.found ? TOOL_FOUND : TOOL_FINE;
}

static const struct tool_option check_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OWN(TOOL_FLAG, struct own, safe, "safe", 0, NULL,
		 "only whether tables are safe, not what they are worth"),
	TOOL_OWN(TOOL_FLAG, struct own, switches, "switches", 0, NULL,
		 "routes from and to switches' own LIDs, too, and credit loops of what switches send each other"),
	TOOL_OWN(TOOL_FLAG, struct own, redundancy, "redundancy", 0, NULL,
		 "nodes with several ports whose routes depend on one switch, too"),
	TOOL_OWN(TOOL_TEXT, struct own, against, "against", 0, "PLAN",
		 "compare the fabric, not its tables, with what it should be, a file or a description: missing, extra, wrong and swapped cables"),
	TOOL_OWN(TOOL_FLAG, struct own, planned, "planned", 0, NULL,
		 "--against the plan of the settings (weft config)"),
	TOOL_OWN(TOOL_FLAG, struct own, rails, "rails", 0, NULL,
		 "look at the fabric, not its tables: is adapter i of every machine on rail i, who is miscabled, who lacks an adapter"),
	TOOL_OWN(TOOL_FLAG, struct own, any_port, "any-port", 0, NULL,
		 "with --against: any ports of two nodes may join them"),
	TOOL_OWN(TOOL_NUMBER, struct own, sl, "sl", 0, "N",
		 "all traffic on service level N, as of applications that ignore the SL of the path record",
		 .preset = -1,
		 .max = WEFT_NSL - 1),
	TOOL_OWN(TOOL_TEXT, struct own, prometheus, "prometheus", 0, "FILE",
		 "write figures to FILE, too, for the textfile collector of Prometheus' node_exporter; its name ends in .prom"),
	TOOL_OPT(TOOL_NUMBER, count, "top", 0, "N",
		 "how many findings of each kind and credit loops to show",
		 .preset = 5,
		 .max = 1000000),
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_COLOR,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_check = {
	.name = "check",
	.summary = "find what is wrong with forwarding tables",
	.usage = "[OPTION]... INPUT...",
	.about = "Proves forwarding tables: every host reaches every other, no route loops or dies, no credit loop on any lane. "
		 "Also counts routes that are longer than need be and channels that no route uses, and grades what the tables are worth beside those of weave. "
		 "The tables are those of the input (a dump directory), or instead of them those given by -t and -e. Exit status 1: something is wrong.",
	.options = check_options,
	.basic = "input kinds tables engine option safe switches redundancy against planned rails sl prometheus top json csv output",
	.own_size = sizeof(struct own),
	.run = check_run,
};
