// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft layer: service levels that keep any tables from deadlock. */
#include "figures.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define TEXT 4096

struct layer {
	FILE *report;
	json_t *json;		/* array of cases, with --json */
	unsigned cases;
	bool unproven;		/* some tables are not safe */
};

/* What came of one set of tables. */
struct layered {
	const struct tool_case *given;
	struct weft_routes routes;
	struct weft_layering layering;
	bool rerouted;		/* forwarding tables have changed */
	struct tool_figures before, after;
	struct weft_proof proof;	/* of all traffic, switches' too */
	bool safe;
};

static int copy_tables(const struct weft_lft *lft, struct weft_lft *out)
{
	int err = weft_lft_init(out, lft->nsw, lft->max_lid);

	if (!err)
		memcpy(out->port, lft->port, (size_t)lft->nsw * lft->stride);
	return err;
}

static int copy_routes(const struct tool_case *c, struct weft_routes *out)
{
	const uint8_t *offset = c->routes->lid_offset;
	int err = copy_tables(&c->routes->lft, &out->lft);

	if (err || !offset)
		return err;
	out->lid_offset = malloc(c->fabric->nep + 1ull);
	if (!out->lid_offset)
		return -ENOMEM;
	memcpy(out->lid_offset, offset, c->fabric->nep);
	return 0;
}

/* Layers a copy of the tables; -ELOOP after an error message when no lanes can
 * help. */
static int give_layers(struct tool *t, const struct tool_case *c,
		       struct layered *l)
{
	const struct weft_layering_spec spec = {
		.method = t->args.method, .lanes = t->args.lanes,
		.one_way = t->args.one_way,
	};
	struct weft_lft_diff diff;
	int err = copy_routes(c, &l->routes);

	if (err) {
		tool_no_memory(t);
		return err;
	}
	weft_layers_init(&l->routes.layers);
	tool_phase(t, "layering %s", c->label);
	err = weft_layering_run(c->fabric, &l->routes, &spec, &l->layering,
				&t->diag);
	if (err)
		return err;
	weft_lft_compare(&c->routes->lft, &l->routes.lft, &diff);
	l->rerouted = diff.entries;
	return 0;
}

/* The figures before and after; bisections that cannot differ are sampled
 * once. */
static bool measure(struct tool *t, struct layered *l)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.minimal = true, .loads = true, .credit_loops = true,
	};
	struct tool_case after = *l->given;
	uint64_t patterns = t->args.count;

	if ((spec.all_hosts ? after.fabric->nep : after.fabric->nhosts) < 2)
		patterns = 0;
	after.routes = &l->routes;
	if (!tool_figures_make(t, l->given, &spec, patterns, &l->before))
		return false;
	if (tool_figures_make(t, &after, &spec, l->rerouted ? patterns : 0,
			      &l->after)) {
		if (!l->rerouted) {
			l->after.has_ebb = l->before.has_ebb;
			l->after.ebb = l->before.ebb;
		}
		return true;
	}
	tool_figures_free(&l->before);
	return false;
}

static bool prove(struct tool *t, struct layered *l)
{
	const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true,
		.max_examples = 1,
	};

	tool_phase(t, "proving %s", l->given->label);
	if (weft_proof_run(l->given->fabric, &l->routes, &spec, &l->proof,
			   &t->diag))
		return false;
	l->safe = weft_proof_holds(&l->proof);
	return true;
}

/* The name of the root of Up*Down*; NULL if it was not used. */
static const char *root_name(const struct layered *l, char *buf, size_t size)
{
	if (l->layering.root == WEFT_NONE)
		return NULL;
	return tool_text_vertex(l->given->fabric, l->layering.root, buf, size);
}

static void print_layering(const struct layered *l, unsigned allowed,
			   FILE *out)
{
	const struct weft_layering *y = &l->layering;
	char name[96];
	const char *root = root_name(l, name, sizeof(name));

	fprintf(out, "  lanes                   %u of %u%s\n", y->lanes,
		allowed, y->one_way && y->lanes > 1 ? ", one way" : "");
	fprintf(out, "  method                  %s\n",
		y->method == WEFT_LAYERING_AUTO ? "none needed" :
		weft_layering_method_name(y->method));
	fprintf(out, "  LIDs rerouted           %u of hosts and routers\n"
		"                          %u of switches and aggregation "
		"nodes\n", y->rerouted, y->rerouted_thin);
	if (root)
		fprintf(out, "    with Up*/Down* from   %s\n", root);
	if (y->shared)
		fputs("    by sharing routes of LIDs on one switch\n", out);
}

static void print_costs(const struct layered *l, FILE *out)
{
	const struct tool_figures *b = &l->before, *a = &l->after;

	fputs("                            before      after\n", out);
	fprintf(out, "  lanes with credit loops %6u     %6u\n",
		b->proof.cyclic_vls, a->proof.cyclic_vls);
	fprintf(out, "  hops, average           %6.2f     %6.2f\n",
		b->avg_hops, a->avg_hops);
	fprintf(out, "  hops, at most           %6u     %6u\n",
		b->proof.max_hops, a->proof.max_hops);
	fprintf(out, "  non-minimal routes      %6" PRIu64 "     %6" PRIu64
		"\n", b->proof.nonminimal, a->proof.nonminimal);
	fprintf(out, "  forwarding index        %6" PRIu64 "     %6" PRIu64
		"\n", b->proof.load_max, a->proof.load_max);
	if (b->has_ebb)
		fprintf(out, "  bisection bandwidth     %6.4f     %6.4f\n",
			b->ebb.mean, a->ebb.mean);
}

/* Why the outcome is not proven. */
static void print_failure(const struct layered *l, FILE *out)
{
	const struct weft_fabric *f = l->given->fabric;
	char text[TEXT];

	if (l->proof.unreachable)
		fprintf(out, "  unreachable pairs       %" PRIu64 " of %" PRIu64
			", switches included\n", l->proof.unreachable,
			l->proof.pairs);
	for (uint32_t i = 0; i < l->proof.nfindings; i++) {
		weft_finding_text(f, &l->proof.finding[i], text, sizeof(text));
		fputs("    ", out);
		tool_text_wrap(out, 4, 6, text);
	}
	for (uint32_t i = 0; i < l->proof.ncycles; i++) {
		weft_cycle_text(f, &l->proof.cycle[i], text, sizeof(text));
		fputs("    ", out);
		tool_text_wrap(out, 4, 10, text);
	}
}

static void print_case(const struct layered *l, unsigned allowed, FILE *out)
{
	const struct tool_case *c = l->given;

	fprintf(out, "%s", c->input);
	if (strcmp(c->input, c->label))
		fprintf(out, ", %s", c->label);
	fprintf(out, "\n  hosts                   %u\n"
		"  switches                %u\n", l->before.hosts,
		l->before.switches);
	print_layering(l, allowed, out);
	print_costs(l, out);
	if (!l->safe)
		print_failure(l, out);
	fprintf(out, "  %s\n", l->safe ? "safe" : "NOT PROVEN");
}

static json_t *costs_json(const struct tool_figures *f)
{
	json_t *root = json_pack("{s:i, s:i, s:f, s:i, s:I, s:I}",
		"vls", f->lanes, "cyclic_vls", f->proof.cyclic_vls,
		"avg_hops", f->avg_hops, "max_hops", f->proof.max_hops,
		"nonminimal", (json_int_t)f->proof.nonminimal,
		"efi", (json_int_t)f->proof.load_max);

	if (f->has_ebb)
		json_object_set_new(root, "ebb", json_real(f->ebb.mean));
	return root;
}

static json_t *case_json(const struct layered *l, unsigned allowed)
{
	const struct weft_layering *y = &l->layering;
	char name[96];
	const char *root = root_name(l, name, sizeof(name));

	return json_pack(
		"{s:o, s:o, s:i, s:i, s:b, s:i, s:i, s:s, s:b, s:I, s:b, s:i,"
		" s:i, s:o, s:I, s:o, s:o}",
		"input", tool_json_string(l->given->input),
		l->given->engine ? "engine" : "tables",
		tool_json_string(l->given->label),
		"hosts", l->before.hosts, "switches", l->before.switches,
		"safe", l->safe, "lanes", y->lanes, "lanes_allowed", allowed,
		"method", weft_layering_method_name(y->method),
		"one_way", y->one_way, "moved", (json_int_t)y->moved,
		"shared", y->shared, "rerouted", y->rerouted,
		"rerouted_switches", y->rerouted_thin,
		"root", root ? tool_json_string(root) : json_null(),
		"unreachable", (json_int_t)l->proof.unreachable,
		"before", costs_json(&l->before),
		"after", costs_json(&l->after));
}

/* A directory's SL2VL tables would be read with the new service levels. */
static bool write_directory(struct tool *t, const char *path,
			    const struct layered *l)
{
	char old[PATH_MAX];

	snprintf(old, sizeof(old), "%s/opensm-sl2vl.dump", path);
	if (!access(old, F_OK)) {
		weft_diag_at(&t->diag, WEFT_ERROR, old, 0, "the service levels "
			     "need other SL2VL tables: give -o another "
			     "directory");
		return false;
	}
	return tool_dump_write(t, path, l->given->fabric, &l->routes);
}

/* Service levels without the routes that they are for would be void. */
static bool write_outcome(struct tool *t, const struct layered *l)
{
	const char *path = t->args.output;

	if (!path)
		return true;
	if (!l->safe) {
		weft_diag_say(&t->diag, WEFT_WARNING, "nothing is written to "
			      "%s: the outcome is not proven", path);
		return true;
	}
	tool_phase(t, "writing %s", path);
	if (tool_dump_is_directory(path))
		return write_directory(t, path, l);
	if (l->rerouted) {
		weft_diag_say(&t->diag, WEFT_ERROR, "forwarding tables have "
			      "changed, so service levels alone are void: "
			      "give -o a directory, not %s", path);
		return false;
	}
	return tool_dump_write_file(t, tool_output_open(t, path),
				    WEFT_FORMAT_SL, l->given->fabric,
				    &l->routes);
}

static bool judge(struct tool *t, struct layered *l, struct layer *layer)
{
	unsigned allowed = t->args.lanes;
	bool ok;

	if (!measure(t, l))
		return false;
	ok = prove(t, l);
	if (ok) {
		layer->unproven |= !l->safe;
		ok = write_outcome(t, l);
		tool_phase_end(t);
		if (ok && t->args.json)
			json_array_append_new(layer->json,
					      case_json(l, allowed));
		else if (ok)
			print_case(l, allowed, layer->report);
		weft_proof_free(&l->proof);
	}
	tool_figures_free(&l->before);
	tool_figures_free(&l->after);
	return ok;
}

static bool layer_case(struct tool *t, const struct tool_case *c,
		       void *context)
{
	struct layer *layer = context;
	struct layered l = { .given = c };
	bool ok;
	int err;

	if (t->args.output && layer->cases++) {
		tool_usage(t, "-o takes the outcome of one set of tables: give "
			   "one input and at most one -t or -e");
		return false;
	}
	err = give_layers(t, c, &l);
	if (err == -ELOOP)
		layer->unproven = true;
	ok = err ? err == -ELOOP : judge(t, &l, layer);
	weft_routes_free(&l.routes);
	return ok;
}

static enum tool_status layer_run(struct tool *t)
{
	bool to_stdout = t->args.output && !strcmp(t->args.output, "-");
	struct layer layer = {
		.json = json_array(), .report = to_stdout ? stderr : stdout,
	};
	bool ok = tool_cases_inputs(t);

	if (ok)
		ok = tool_cases_each(t, layer_case, &layer);
	if (ok && t->args.json)
		tool_json_print_cases(layer.report, layer.json);
	json_decref(layer.json);
	return !ok ? TOOL_FAILED : layer.unproven ? TOOL_FOUND : TOOL_FINE;
}

static const struct tool_option layer_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT(TOOL_CHOICE, method, "method", 0, "METHOD",
		 "auto (fewest lanes), lash, offline or destination (default "
		 "auto)", .choices = "auto|lash|offline|destination"),
	TOOL_OPT(TOOL_NUMBER, lanes, "lanes", 0, "N",
		 "data lanes that may be used", .preset = 8, .min = 1,
		 .max = WEFT_MAX_LANES),
	TOOL_OPT(TOOL_FLAG, one_way, "one-way", 0, NULL,
		 "the two directions of a pair may have different SLs"),
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "random bisections to sample, 0 = none", .preset = 1000,
		 .max = INT64_MAX),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write service levels to a file, - for standard output, or "
		 "with fabric and tables into a directory (a new PATH is a "
		 "directory unless it has an extension)"),
	TOOL_OPT_JSON,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_layer = {
	.name = "layer",
	.summary = "give out service levels that prevent deadlock",
	.usage = "[OPTION]... INPUT...",
	.about = "Gives every path a service level so that no lane has a "
		 "credit loop, whatever the tables are, and proves it. Tells "
		 "how many lanes that takes. Where lanes run out, "
		 "destinations are routed anew: how many, and what that "
		 "costs. The tables are those of the input (a dump "
		 "directory), or instead of them those given by -t and -e. "
		 "Exit status 1: not proven.",
	.options = layer_options,
	.run = layer_run,
};
