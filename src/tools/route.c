// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft route: forwarding tables from an engine. */
#include "tools/common/engines.h"

#include <inttypes.h>
#include <string.h>

/* The values of its own options. */
struct own {
	bool explain;
};

/* A fabric with its routes, and how they turned out. */
struct routed {
	const char *input;
	const struct tool_engine *engine;
	const struct weft_fabric *fabric;
	struct weft_routes routes;
	struct weft_proof proof;
	double seconds;
	uint32_t hosts;
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

/* On stdout, or where tables or JSON go there, on stderr. */
static bool route_explaining(struct tool *t, struct routed *r)
{
	bool taken = t->args.json ||
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
			      "service levels are written to a directory "
			      "only: give one with -o");
	if (r->routes.lid_offset)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "which LID each source sends to "
			      "(weft-paths.dump) is written to a directory "
			      "only: give one with -o");
	return tool_dump_write_file(t, tool_output_open(t, path),
				    WEFT_FILE_TABLES, r->fabric, &r->routes);
}

static json_t *summary_json(const struct routed *r)
{
	const char *engine = r->engine->label;

	return tool_case_json(
		r->input, engine, engine,
		json_pack("{s:i, s:i, s:i, s:f, s:I, s:I, s:i, s:i, s:s}",
			  "hosts", r->hosts, "switches", r->fabric->nsw,
			  "links", r->fabric->nlinks, "seconds", r->seconds,
			  "efi", (json_int_t)r->proof.load_max,
			  "unreachable", (json_int_t)r->proof.unreachable,
			  "parts", r->proof.parts,
			  "vls", r->routes.layers.nvl,
			  "how", r->routes.how));
}

/* On stdout, or where the tables go there, on stderr: a message, then, unless
 * it is JSON that was asked for. */
static void print_summary(struct tool *t, const struct routed *r)
{
	bool to_stdout = t->args.output && !strcmp(t->args.output, "-");
	FILE *out = to_stdout ? stderr : stdout;

	tool_phase_end(t);
	if (t->args.json)
		tool_json_print(out, summary_json(r));
	else if (!to_stdout || !t->args.quiet)
		fprintf(out, "%s: %s, %s in %.3f s, edge-forwarding index "
			"%s%s%s\n", r->engine->label,
			WEFT_COUNT(r->hosts, "host"),
			WEFT_COUNT(r->fabric->nsw, "switch"), r->seconds,
			WEFT_COUNT(r->proof.load_max, NULL),
			*r->routes.how ? "; " : "", r->routes.how);
}

static bool judge_and_write(struct tool *t, struct routed *r)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL, .loads = true,
	};
	bool ok;

	tool_phase(t, "checking %s", r->engine->label);
	if (weft_proof_run(r->fabric, &r->routes, &spec, &r->proof, &t->diag))
		return false;
	r->hosts = spec.all_hosts ? r->fabric->nep : r->fabric->nhosts;
	ok = write_tables(t, r);
	if (ok)
		print_summary(t, r);
	weft_proof_free(&r->proof);
	return ok;
}

static bool route_input(struct tool *t, const char *input,
			const struct tool_engine *engine)
{
	const struct own *own = t->own;
	struct routed r = { .input = input, .engine = engine };
	struct weft_fabric *assigned = NULL;
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, true, &in))
		return false;
	ok = tool_assign_lids(t, input, in.fabric, &assigned);
	r.fabric = assigned ? assigned : in.fabric;
	if (ok)
		ok = own->explain ? route_explaining(t, &r) :
			tool_route(t, engine, r.fabric, &r.routes, &r.seconds);
	if (ok) {
		ok = judge_and_write(t, &r);
		weft_routes_free(&r.routes);
	}
	weft_fabric_free(assigned);
	weft_input_close(&in);
	return ok;
}

static enum tool_status route_run(struct tool *t)
{
	struct tool_engine *engine;
	bool ok = false;

	if (t->args.list) {
		(t->args.json ? tool_engines_list_json :
				tool_engines_list)(stdout);
		return TOOL_FINE;
	}
	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	if (t->args.input.n != 1 || t->args.engine.n != 1)
		return tool_usage(t, "one input and one engine (-e) are "
				  "needed, not %u and %u; 'weft route --list' "
				  "shows the engines", t->args.input.n,
				  t->args.engine.n);
	if (!tool_dump_may_write(t))
		return TOOL_FAILED;
	engine = tool_engines_parse(t);
	if (engine)
		ok = route_input(t, t->args.input.item[0], engine);
	tool_engines_free(engine);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option route_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT(TOOL_FLAG, list, "list", 0, NULL,
		 "list the engines, their options and defaults"),
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N",
		 "give every endport 2^N LIDs", .preset = -1, .max = 7),
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write the tables: to a file, - for standard output, or with "
		 "fabric and service levels into a directory (a new PATH is a "
		 "directory unless it has an extension)"),
	TOOL_OPT_FORCE,
	TOOL_OWN(TOOL_FLAG, struct own, explain, "explain", 0, NULL,
		 "print what the engine found out about the fabric and how it "
		 "decided"),
	TOOL_OPT_HOSTS,
	TOOL_OPT_JSON,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_route = {
	.name = "route",
	.summary = "compute forwarding tables with an engine",
	.usage = "[OPTION]... -e ENGINE INPUT",
	.about = "Routes a fabric and reports the time that took, the number "
		 "of hosts and switches, and the edge-forwarding index. "
		 "Ports without a LID are given one.",
	.options = route_options,
	.own_size = sizeof(struct own),
	.run = route_run,
};
