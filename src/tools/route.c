// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft route: forwarding tables from an engine. */
#include "tools/common/engines.h"
#include "tools/common/record.h"
#include "tools/common/settings.h"

#include <weft/standing.h>

#include <inttypes.h>
#include <string.h>

/* The values of its own options. */
struct own {
	bool explain;
	const char *keep, *home, *near;
	int64_t changes;
};

/* A fabric with its routes, and how they turned out. */
struct routed {
	const char *input;
	const struct tool_engine *engine;	/* NULL: with --keep alone */
	const struct weft_fabric *fabric;
	struct weft_routes routes;
	struct weft_proof proof;
	double seconds;
	uint32_t hosts;
	struct weft_input before, home;	/* with --keep or --near, and --home */
	struct weft_standing standing;	/* what became of those of before */
	bool stands;			/* the routes are mended ones */
	struct weft_likeness like;	/* if not, to those of before */
};

/* The stream for the engine's explanation, and whether there was any. */
struct explained {
	FILE *out;
	bool any;
};

static void explain_line(void *context, const char *line)
{
	struct explained *e = context;

	fprintf(e->out, "%s\n", line);
	e->any = true;
}

/* On stdout, or where tables or values go there, on stderr. */
static bool route_explaining(struct tool *t, struct routed *r)
{
	bool taken = t->args.json || t->args.csv ||
		(t->args.output && !strcmp(t->args.output, "-"));
	struct explained e = { .out = taken ? stderr : stdout };
	bool ok;

	t->diag.explain = explain_line;
	t->diag.explain_context = &e;
	ok = tool_route(t, r->engine, r->fabric, &r->routes, &r->seconds);
	t->diag.explain = NULL;
	if (ok && !e.any)
		fprintf(e.out, "engine %s has nothing to explain\n",
			r->engine->label);
	return ok;
}

/* Routes anew, but as close to the tables that were before as names allow. */
static bool route_near(struct tool *t, struct routed *r)
{
	const struct own *own = t->own;
	const struct weft_diff_side before = {
		r->before.fabric, &r->before.routes
	};
	double begun;

	if (!tool_route(t, r->engine, r->fabric, &r->routes, &r->seconds))
		return false;
	begun = tool_clock();
	tool_phase(t, "comparing with %s", own->keep ? own->keep : own->near);
	if (weft_standing_liken(r->fabric, &before, true, &r->routes, &r->like))
		return tool_no_memory(t);
	r->seconds += tool_clock() - begun;
	return true;
}

/* Mends the tables that were before.  Where they cannot be mended, the engine
 * routes the fabric anew. */
static bool route_keeping(struct tool *t, struct routed *r)
{
	const struct own *own = t->own;
	struct weft_standing_spec spec = {
		.standing = { r->before.fabric, &r->before.routes },
		.changes = own->changes < 0 ? WEFT_STANDING_CHANGES :
					      (uint64_t)own->changes,
		.lanes = r->engine ? tool_engine_lanes(r->engine) : 0,
	};
	double begun = tool_clock();

	if (own->home)
		spec.home = (struct weft_diff_side){ r->home.fabric,
						     &r->home.routes };
	tool_phase(t, "mending the tables of %s", own->keep);
	if (weft_standing_run(r->fabric, &spec, &r->routes, &r->standing,
			      &t->diag))
		return false;
	r->seconds = tool_clock() - begun;
	r->stands = !r->standing.unmended;
	if (r->stands)
		return true;
	weft_routes_free(&r->routes);
	r->routes = (struct weft_routes){ .lid_offset = NULL };
	weft_diag_say(&t->diag, r->engine ? WEFT_WARNING : WEFT_ERROR,
		      "%s: %s of a switch and a LID can no longer be joined without a credit loop: %s",
		      own->keep, WEFT_COUNT(r->standing.unmended, "pair"),
		      r->engine ? "the whole fabric is routed anew" :
		      "name an engine by -e, to route the whole fabric anew");
	return r->engine && route_near(t, r);
}

static bool write_tables(struct tool *t, const struct routed *r)
{
	const char *path = t->args.output;

	if (!path)
		return true;
	tool_phase(t, "writing %s", path);
	if (tool_dump_is_directory(path))
		return tool_dump_write(t, path, r->fabric, &r->routes);
	if (r->routes.layers.form != WEFT_SL_ONE)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "service levels are written to a directory only: give one with -o");
	if (r->routes.lid_offset)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "which LID each source sends to (weft-paths.dump) is written to a directory only: give one with -o");
	return tool_dump_write_file(t, tool_output_open(t, path),
				    WEFT_FILE_TABLES, r->fabric, &r->routes);
}

static const char *label_of(const struct routed *r)
{
	return r->stands ? "standing" : r->engine->label;
}

/* What is told of it. */
struct summary {
	const char *input, *routes, *by, *how;
	uint32_t switches, links;
	unsigned vls;
	struct routed r;
};

static bool is_standing(const void *record)
{
	return ((const struct summary *)record)->r.stands;
}

static bool is_near(const void *record)
{
	return !is_standing(record) &&
	       ((const struct summary *)record)->r.before.fabric;
}

/* What became of the entries that stood, how close new tables are to those
 * before, and the whole. */
static const struct tool_field standing_fields[] = {
#define FIELD(...) TOOL_FIELD(struct weft_standing, __VA_ARGS__)
	FIELD(kept, COUNT, "kept"),
	FIELD(dead, COUNT, "dead"),
	FIELD(given_way, COUNT, "given_way"),
	FIELD(returned, COUNT, "returned"),
	FIELD(moved, COUNT, "moved"),
	FIELD(fresh, COUNT, "fresh"),
	FIELD(pairs, COUNT, "pairs"),
	FIELD(lids, COUNT, "lids"),
	TOOL_FIELDS_END
#undef FIELD
}, near_fields[] = {
#define FIELD(...) TOOL_FIELD(struct weft_likeness, __VA_ARGS__)
	FIELD(after, COUNT, "changed"),
	FIELD(before, COUNT, "without"),
	TOOL_FIELDS_END
#undef FIELD
}, fields[] = {
#define FIELD(...) TOOL_FIELD(struct summary, __VA_ARGS__)
	FIELD(input, NAME, "input"),
	FIELD(routes, NAME, "routes"),
	FIELD(by, WORD, "by"),
	FIELD(routes, NAME, "engine"),
	FIELD(r.hosts, COUNT, "hosts"),
	FIELD(switches, COUNT, "switches"),
	FIELD(links, COUNT, "links"),
	FIELD(r.seconds, REAL, "seconds"),
	FIELD(r.proof.load_max, COUNT, "efi"),
	FIELD(r.proof.unreachable, COUNT, "unreachable"),
	FIELD(r.proof.parts, COUNT, "parts"),
	FIELD(vls, COUNT, "vls"),
	FIELD(how, NAME, "how"),
	TOOL_PART_OF(struct summary, r.standing, standing_fields, "standing",
		     .when = is_standing),
	TOOL_PART_OF(struct summary, r.like, near_fields, "near",
		     .when = is_near),
	TOOL_FIELDS_END
#undef FIELD
};

/* What changed, in words. */
static void print_standing(const struct weft_standing *w, FILE *out)
{
	fprintf(out, "changed %s, of these dead %s, led into dead ones %s, moved to relieve cables %s, returned %s; new %s",
		WEFT_COUNT(w->dead + w->given_way + w->moved + w->returned,
			   NULL), WEFT_COUNT(w->dead, NULL),
		WEFT_COUNT(w->given_way, NULL), WEFT_COUNT(w->moved, NULL),
		WEFT_COUNT(w->returned, NULL), WEFT_COUNT(w->fresh, NULL));
	if (w->pairs)
		fprintf(out, "; %s in other lanes",
			WEFT_COUNT(w->pairs, "pair"));
	fputc('\n', out);
}

/* On stdout, or where the tables go there, on stderr: a message, then, unless
 * it is JSON or CSV that was asked for. */
static void print_summary(struct tool *t, const struct routed *r)
{
	bool to_stdout = t->args.output && !strcmp(t->args.output, "-");
	FILE *out = to_stdout ? stderr : stdout;
	const struct summary summary = {
		.input = r->input, .routes = label_of(r), .by = "engine",
		.how = r->routes.how, .switches = r->fabric->nsw,
		.links = r->fabric->nlinks, .vls = r->routes.layers.nvl,
		.r = *r,
	};

	tool_phase_end(t);
	if (tool_record_print(t, fields, &summary, out) ||
	    (to_stdout && t->args.quiet))
		return;
	fprintf(out, "%s: %s, %s in %.3f s, edge-forwarding index %s%s%s\n",
		label_of(r), WEFT_COUNT(r->hosts, "host"),
		WEFT_COUNT(r->fabric->nsw, "switch"), r->seconds,
		WEFT_COUNT(r->proof.load_max, NULL),
		*r->routes.how ? "; " : "", r->routes.how);
	if (r->stands)
		print_standing(&r->standing, out);
	else if (r->before.fabric)
		fprintf(out, "changed %s, and %s if nobody took another one's part\n",
			WEFT_COUNT(r->like.after, NULL),
			WEFT_COUNT(r->like.before, NULL));
}

static bool judge_and_write(struct tool *t, struct routed *r)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL, .loads = true,
	};
	bool ok;

	tool_phase(t, "checking %s", label_of(r));
	if (weft_proof_run(r->fabric, &r->routes, &spec, &r->proof, &t->diag))
		return false;
	r->hosts = spec.all_hosts ? r->fabric->nep : r->fabric->nhosts;
	ok = write_tables(t, r);
	if (ok)
		print_summary(t, r);
	weft_proof_free(&r->proof);
	return ok;
}

static bool open_tables(struct tool *t, const char *path,
			struct weft_input *in)
{
	tool_phase(t, "reading %s", path);
	if (!tool_input_open(t, path, false, in))
		return false;
	if (in->routes.lft.port)
		return true;
	weft_diag_at(&t->diag, WEFT_ERROR, path, 0, "no tables there: 'weft route -o' or 'weft capture' make a directory with fabric and tables");
	return false;
}

/* Opens what --keep and --home name.  Ports without a LID get those that they
 * had there. */
static bool open_kept(struct tool *t, struct routed *r,
		      struct weft_fabric **known)
{
	const struct own *own = t->own;
	const char *before = own->keep ? own->keep : own->near;

	if (!before)
		return true;
	if (!open_tables(t, before, &r->before) ||
	    (own->home && !open_tables(t, own->home, &r->home)) ||
	    weft_fabric_take_lids(r->fabric, r->before.fabric, known, &t->diag))
		return false;
	r->fabric = *known;
	return true;
}

static bool route_fabric(struct tool *t, struct routed *r)
{
	const struct own *own = t->own;

	if (own->keep)
		return route_keeping(t, r);
	if (own->near)
		return route_near(t, r);
	return own->explain ? route_explaining(t, r) :
			      tool_route(t, r->engine, r->fabric, &r->routes,
					 &r->seconds);
}

static bool route_input(struct tool *t, const char *input,
			const struct tool_engine *engine)
{
	struct routed r = { .input = input, .engine = engine };
	struct weft_fabric *known = NULL, *assigned = NULL;
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, true, &in))
		return false;
	r.fabric = in.fabric;
	ok = open_kept(t, &r, &known) &&
	     tool_assign_lids(t, input, r.fabric, &assigned);
	if (assigned)
		r.fabric = assigned;
	if (ok)
		ok = route_fabric(t, &r);
	if (ok) {
		ok = judge_and_write(t, &r);
		weft_routes_free(&r.routes);
	}
	weft_fabric_free(assigned);
	weft_fabric_free(known);
	weft_input_close(&r.home);
	weft_input_close(&r.before);
	weft_input_close(&in);
	return ok;
}

static enum tool_status route_run(struct tool *t)
{
	const struct own *own = t->own;
	struct tool_engine *engine;
	bool ok = false;

	if (t->args.list) {
		tool_engines_list(t, stdout);
		return TOOL_FINE;
	}
	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (own->home && !own->keep)
		return tool_usage(t, "--home says where tables of --keep come from: it goes with that");
	if (own->near && (own->keep || own->explain))
		return tool_usage(t, "--near routes anew: it does not go with --keep or --explain");
	if (!own->keep && !t->args.engine.n && tool_setting(t, "engine"))
		tool_list_add(&t->args.engine, tool_setting(t, "engine"));
	if (t->args.input.n != 1 || t->args.engine.n > 1 ||
	    (!own->keep && !t->args.engine.n))
		return tool_usage(t,
				  "one input and one engine (-e) are needed, not %u and %u; 'weft route --list' shows the engines",
				  t->args.input.n,
				  t->args.engine.n);
	if (!tool_dump_may_write(t))
		return TOOL_FAILED;
	engine = tool_engines_parse(t);
	if (engine)
		ok = route_input(t, t->args.input.item[0],
				 t->args.engine.n ? engine : NULL);
	tool_engines_free(engine);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option route_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT(TOOL_FLAG, list, "list", 0, NULL,
		 "list the engines, their options and defaults"),
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N",
		 "give every endport 2^N LIDs", .preset = -1, .max = 7),
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write the tables: to a file, - for standard output, or with fabric and service levels into a directory (a new PATH is a directory unless it has an extension)"),
	TOOL_OPT_FORCE,
	TOOL_OWN(TOOL_FLAG, struct own, explain, "explain", 0, NULL,
		 "print what the engine found out about the fabric and how it decided"),
	TOOL_OWN(TOOL_TEXT, struct own, keep, "keep", 0, "DIR",
		 "do not route anew: take the tables in force from DIR and change only what no longer works"),
	TOOL_OWN(TOOL_TEXT, struct own, home, "home", 0, "DIR",
		 "with --keep: tables from before parts failed, to which entries return"),
	TOOL_OWN(TOOL_NUMBER, struct own, changes, "changes", 0, "N",
		 "with --keep: entries that may change besides, to relieve the most loaded cables (-1: two for each that is dead, less those that had to change with it, at least half of one)",
		 .preset = -1, .min = -1, .max = INT64_MAX),
	TOOL_OWN(TOOL_TEXT, struct own, near, "near", 0, "DIR",
		 "route anew, but have equal switches and hosts take each other's part so that the tables differ least from those in DIR"),
	TOOL_OPT_HOSTS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_route = {
	.name = "route",
	.summary = "compute forwarding tables with an engine",
	.usage = "[OPTION]... -e ENGINE INPUT",
	.about = "Routes a fabric and reports the time that took, the number of hosts and switches, and the edge-forwarding index. Ports without a LID are given one.",
	.options = route_options,
	.own_size = sizeof(struct own),
	.run = route_run,
};
