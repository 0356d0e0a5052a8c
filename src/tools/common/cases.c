// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The cases to judge: inputs, and for each of them sets of tables. */
#include "tools/common/engines.h"
#include "tools/common/settings.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include <weft/layering.h>
#include <weft/planes.h>

/* Where infiniband-diags and OpenSM look for it. */
#define NAME_MAP "/etc/infiniband-diags/ib-node-name-map"

struct visit {
	struct tool *t;
	const char *topology;
	bool (*call)(struct tool *t, const struct tool_case *c, void *context);
	void *context;
	const struct tool_engine *engine;	/* ends with a NULL engine */
	bool bears;		/* engines that refuse */
};

double tool_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Ports that an engine has to route but that have no LID. */
static unsigned count_without_lid(const struct weft_fabric *f)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		n += !f->sw[s].lid;
	for (uint32_t e = 0; e < f->nep; e++)
		n += !f->ep[e].lid && !weft_is_plane(f, e);
	return n;
}

bool tool_assign_lids(struct tool *t, const char *input,
		      const struct weft_fabric *f, struct weft_fabric **out)
{
	unsigned n = count_without_lid(f);

	*out = NULL;
	if (!n && t->args.lmc < 0)
		return true;
	if (n)
		weft_diag_at(&t->diag, WEFT_WARNING, input, 0,
			     "%u port%s without a LID: assigned one", n,
			     n == 1 ? "" : "s");
	return !weft_fabric_assign_lids(f, t->args.lmc, out, &t->diag);
}

/* Service levels for tables that have a credit loop, as the plugins give; tells
 * whether they needed some. */
static bool add_lanes(struct tool *t, const struct tool_engine *e,
		      const struct weft_fabric *f, struct weft_routes *routes,
		      bool *mended)
{
	*mended = false;
	return strcmp(weft_options_text(e->common, "deadlock"), "layers") ||
	       !weft_layering_if_cyclic(f, routes,
					weft_options_int(e->common, "lanes"),
					mended, &t->diag);
}

unsigned tool_engine_lanes(const struct tool_engine *e)
{
	if (weft_options_has(e->options, "lanes"))
		return weft_options_int(e->options, "lanes");
	return strcmp(weft_options_text(e->common, "deadlock"), "layers") ? 1 :
		weft_options_int(e->common, "lanes");
}

static bool route(struct tool *t, const struct tool_engine *e,
		  const struct weft_fabric *f, struct weft_routes *routes,
		  double *seconds, bool *mended)
{
	double start = tool_clock();

	tool_phase(t, "routing with %s", e->label);
	if (weft_route(e->engine, f, e->options, routes, &t->diag))
		return false;
	if (!add_lanes(t, e, f, routes, mended)) {
		weft_routes_free(routes);
		*routes = (struct weft_routes){ 0 };
		return false;
	}
	*seconds = tool_clock() - start;
	return true;
}

bool tool_route(struct tool *t, const struct tool_engine *e,
		const struct weft_fabric *f, struct weft_routes *routes,
		double *seconds)
{
	bool mended;

	return route(t, e, f, routes, seconds, &mended);
}

static void listen(void *context, const struct weft_message *m)
{
	struct tool_refusal *r = context;

	if (m->severity == WEFT_ERROR)
		snprintf(r->text, sizeof(r->text), "%s", m->text);
	if (!r->silent)
		r->was.emit(r->was.context, m);
}

bool tool_route_heard(struct tool *t, const struct tool_engine *e,
		      const struct weft_fabric *f, struct weft_routes *routes,
		      struct tool_refusal *r)
{
	bool ok;

	r->was = t->diag;
	t->diag.emit = listen;
	t->diag.context = r;
	ok = route(t, e, f, routes, &r->seconds, &r->mended);
	t->diag.emit = r->was.emit;
	t->diag.context = r->was.context;
	return ok;
}

/* tool_route(); where the engine refused and that is to be borne, c->refused is
 * set to the reason that r heard. */
static bool route_case(struct visit *v, const struct tool_engine *e,
		       struct weft_routes *routes, struct tool_case *c,
		       struct tool_refusal *r)
{
	bool ok = tool_route_heard(v->t, e, c->fabric, routes, r);

	c->seconds = r->seconds;
	if (ok || !v->bears || !strcmp(r->text, "out of memory"))
		return ok;
	c->routes = NULL;
	c->refused = r->text;
	return true;
}

static bool visit_case(struct visit *v, const struct tool_case *c)
{
	v->t->judged += !c->refused;
	v->t->refused += c->refused != NULL;
	return tool_planes_each(v->t, c, v->call, v->context);
}

static bool visit_engine(struct visit *v, const char *input,
			 const struct weft_fabric *fabric,
			 const struct tool_engine *e)
{
	struct tool_refusal l = { .text = "" };
	struct weft_fabric *assigned;
	struct weft_routes routes = { 0 };
	struct tool_case c = {
		.input = input, .label = e->label, .engine = e->label,
		.routes = &routes, .topology = v->topology,
		.spare = !v->t->args.engine.n,	/* nobody asked for it */
	};
	bool ok;

	if (!tool_assign_lids(v->t, input, fabric, &assigned))
		return false;
	c.fabric = assigned ? assigned : fabric;
	ok = route_case(v, e, &routes, &c, &l) && visit_case(v, &c);
	weft_routes_free(&routes);
	weft_fabric_free(assigned);
	return ok;
}

static bool visit_tables(struct visit *v, const char *input,
			 const struct weft_fabric *fabric, unsigned *next)
{
	struct weft_routes routes = { 0 };
	struct weft_sources sources = { 0 };
	struct weft_fabric *told = NULL;
	struct tool_case c = {
		.input = input, .label = v->t->args.table.item[*next],
		.routes = &routes, .topology = v->topology,
		.sources = &sources,
	};
	bool ok;

	tool_phase(v->t, "reading %s", c.label);
	if (weft_io_read_lmc(c.label, fabric, &told, &v->t->diag))
		return false;
	c.fabric = told ? told : fabric;
	ok = tool_tables_read(v->t, next, c.fabric, &routes, &sources) &&
	     visit_case(v, &c);
	weft_routes_free(&routes);
	weft_sources_free(&sources);
	weft_fabric_free(told);
	return ok;
}

const char *tool_spare_engine(const struct tool *t)
{
	const char *set = tool_setting(t, "engine");

	return set ? set : t->spare_engine;
}

/* Routes an input without tables of its own by a spare engine. */
static bool visit_spare(struct visit *v, const char *input,
			const struct weft_fabric *fabric)
{
	struct tool_list *names = &v->t->args.engine;
	struct tool_engine *e;
	bool ok;

	tool_list_add(names, tool_spare_engine(v->t));
	e = tool_engines_parse(v->t);
	names->n--;
	ok = e && visit_engine(v, input, fabric, e);
	tool_engines_free(e);
	return ok;
}

static bool visit_own(struct visit *v, const char *input,
		      const struct weft_input *in)
{
	const struct tool_case c = {
		.input = input, .label = input, .fabric = in->fabric,
		.routes = &in->routes, .topology = v->topology,
		.sources = &in->sources,
	};

	if (in->sources.ntables)
		return visit_case(v, &c);
	if (tool_spare_engine(v->t))
		return visit_spare(v, input, in->fabric);
	tool_usage(v->t,
		   "%s holds no forwarding tables: give some with -t, or an engine with -e",
		   input);
	return false;
}

/* Finds the machines by the rule of --hosts-by. */
static bool find_machines(struct tool *t, struct weft_fabric *f)
{
	const char *rule = t->args.machines;
	enum weft_machines_by by;
	struct weft_adapters told;
	bool ok;

	if (!rule)
		return true;
	if (weft_machines_rule(rule, &by))
		return !weft_fabric_machines(f, by) ||
		       !weft_no_memory(&t->diag);
	if (access(rule, F_OK) && !strchr(rule, '/') && !strchr(rule, '.')) {
		tool_usage(t, "--hosts-by takes auto, name, system, node or a file, and there is no file '%s'",
			   rule);
		return false;
	}
	if (weft_io_read_machines(rule, &told, &t->diag))
		return false;
	ok = !weft_adapters_apply(&told, f, &t->diag);
	weft_adapters_free(&told);
	return ok;
}

/* Gives the hosts the kinds of --kinds. */
static bool give_kinds(struct tool *t, struct weft_fabric *f)
{
	struct weft_kinds *kinds;
	bool ok;

	if (!t->args.kinds)
		return true;
	kinds = weft_kinds_new();
	if (!kinds)
		return !weft_no_memory(&t->diag);
	ok = !weft_io_read_kinds(t->args.kinds, kinds, &t->diag) &&
	     !weft_kinds_apply(kinds, f, &t->diag);
	weft_kinds_free(kinds);
	return ok;
}

bool tool_input_open(struct tool *t, const char *input, bool fabric_only,
		     struct weft_input *out)
{
	const char *map = t->args.name_map;

	if (weft_input_open(input, fabric_only, out, &t->diag))
		return false;
	if (!map && !access(NAME_MAP, R_OK))
		map = NAME_MAP;
	if ((!map || !weft_io_name_nodes(map, out->fabric, &t->diag)) &&
	    find_machines(t, out->fabric) && give_kinds(t, out->fabric))
		return true;
	weft_input_close(out);
	return false;
}

static bool visit_input(struct visit *v, const char *input)
{
	const struct tool_list *tables = &v->t->args.table;
	const struct tool_engine *e = v->engine;
	bool own = !tables->n && !e->engine;
	struct weft_input in;
	bool ok = true;

	tool_phase(v->t, "reading %s", input);
	if (!tool_input_open(v->t, input, !own, &in))
		return false;
	v->topology = in.sources.file[WEFT_FILE_TOPOLOGY];
	for (unsigned next = 0; next < tables->n && ok; )
		ok = visit_tables(v, input, in.fabric, &next);
	for (; e->engine && ok; e++)
		ok = visit_engine(v, input, in.fabric, e);
	if (own)
		ok = visit_own(v, input, &in);
	weft_input_close(&in);
	return ok;
}

bool tool_cases_each(struct tool *t,
		     bool (*visit)(struct tool *t, const struct tool_case *c,
				   void *context),
		     void *context)
{
	struct tool_engine *engine = tool_engines_parse(t);
	const struct tool_args *a = &t->args;
	struct visit v = {
		.t = t, .call = visit, .context = context, .engine = engine,
		.bears = t->bears_refusals &&
			 a->input.n * (a->engine.n + a->table.n) > 1,
	};
	bool ok = engine;

	for (unsigned i = 0; i < t->args.input.n && ok; i++)
		ok = visit_input(&v, t->args.input.item[i]);
	tool_engines_free(engine);
	tool_phase_end(t);
	return ok && t->judged;
}

enum tool_status tool_cases_status(const struct tool *t, bool ok)
{
	return !ok ? TOOL_FAILED : t->refused ? TOOL_FOUND : TOOL_FINE;
}

static unsigned count_streams(const struct tool_list *list)
{
	unsigned n = 0;

	for (unsigned i = 0; i < list->n; i++)
		n += !strcmp(list->item[i], "-");
	return n;
}

bool tool_cases_inputs(struct tool *t)
{
	struct tool_args *a = &t->args;
	unsigned streams;

	for (unsigned i = 0; i < a->rest.n; i++)
		tool_list_add(&a->input, a->rest.item[i]);
	streams = count_streams(&a->input) + count_streams(&a->table);
	if (a->mpi && streams + count_streams(&a->traffic)) {
		tool_usage(t,
			   "--mpi: the standard input (-) is that of one process, and all read the inputs: give a file");
		return false;
	}
	if (streams > 1) {
		tool_usage(t,
			   "the standard input (-) can be read once: give the other as a file, or as <(COMMAND)");
		return false;
	}
	if (a->input.n)
		return true;
	tool_usage(t,
		   "no input: give a file, a dump directory or a description such as pgft:2;4,4;1,4;1,1");
	return false;
}

enum tool_status tool_report_cases(struct tool *t,
				   bool (*visit)(struct tool *t,
						 const struct tool_case *c,
						 void *context))
{
	struct tool_report r = { .out = NULL };

	return !tool_report_open(t, &r) ? TOOL_FAILED :
	       tool_cases_status(t, tool_report_close(
			&r, tool_cases_each(t, visit, &r)));
}
