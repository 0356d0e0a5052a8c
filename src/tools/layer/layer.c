// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft layer: service levels that keep any tables from deadlock. */
#include "tools/common/figures.h"
#include "tools/layer/sl2vl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The values of its own options. */
struct own {
	int64_t method;		/* enum weft_layering_method */
	int64_t lanes;
	bool one_way, fewest;
};

#define TEXT 4096
#define LANES 8		/* used at most unless something else is said */

struct layer {
	struct tool_report r;
	bool unproven;		/* some tables are not safe */
	unsigned sets;		/* of tables, begun */
};

/* The outcome for one set of tables. */
struct layered {
	const struct tool_case *given;
	struct weft_routes routes;
	struct weft_layering layering;
	unsigned port_lanes;	/* that every port between switches has, by the
				 * SL2VL tables given; 0 = they do not tell */
	unsigned allowed;	/* that may be used */
	unsigned needed;	/* that would do without rerouting hosts;
				 * 0 = more than there can be */
	bool rerouted;		/* forwarding tables have changed */
	bool same_sl2vl;	/* the SL2VL tables given will do */
	struct tool_figures before, after;
	struct weft_proof proof;	/* of all traffic, switches' too */
	bool safe;
	const char *method, *root;	/* root: of Up*Down*; NULL: not used */
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

static unsigned allowed_lanes(struct tool *t, const struct layered *l)
{
	const struct own *own = t->own;
	unsigned asked = own->lanes, has = l->port_lanes;

	if (!asked)
		return has ? has : LANES;
	if (has && asked > has)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "by the SL2VL tables some ports have %u lane%s, but --lanes=%u allows more",
			      has, has == 1 ? "" : "s", asked);
	return asked;
}

/* Layers a copy of the tables. */
static int layer_copy(struct tool *t, const struct tool_case *c,
		      unsigned lanes, struct weft_routes *routes,
		      struct weft_layering *out)
{
	const struct own *own = t->own;
	const struct weft_layering_spec spec = {
		.method = own->method, .lanes = lanes,
		.one_way = own->one_way, .keep = !own->fewest,
	};
	int err = copy_routes(c, routes);

	if (err) {
		tool_no_memory(t);
		return err;
	}
	weft_layers_init(&routes->layers);
	tool_phase(t, "layering %s", c->label);
	err = weft_layering_run(c->fabric, routes, &spec, out, &t->diag);
	if (!err)
		routes->layers.one_way = out->one_way && out->lanes > 1;
	return err;
}

/* Finds how many lanes it would have taken to change no route of a host. */
static int find_needed(struct tool *t, const struct tool_case *c,
		       struct layered *l)
{
	struct weft_routes routes = { 0 };
	struct weft_layering layering;
	int err;

	l->needed = l->layering.lanes;
	if (!l->layering.rerouted)
		return 0;
	err = layer_copy(t, c, WEFT_MAX_LANES, &routes, &layering);
	weft_routes_free(&routes);
	if (!err)
		l->needed = layering.rerouted ? 0 : layering.lanes;
	return err;
}

/* -ELOOP after an error message when no lanes can help. */
static int give_layers(struct tool *t, const struct tool_case *c,
		       struct layered *l)
{
	struct weft_lft_diff diff;
	int err;

	l->port_lanes = tool_sl2vl_lanes(c->fabric, &c->routes->layers);
	l->allowed = allowed_lanes(t, l);
	err = layer_copy(t, c, l->allowed, &l->routes, &l->layering);
	if (!err)
		err = find_needed(t, c, l);
	if (err)
		return err;
	weft_lft_compare(&c->routes->lft, &l->routes.lft, &diff);
	l->rerouted = diff.entries;
	l->same_sl2vl = tool_sl2vl_fits(c->fabric, &c->routes->layers,
					l->layering.lanes);
	if (l->same_sl2vl)
		err = tool_sl2vl_copy(c->fabric, &c->routes->layers,
				      &l->routes.layers);
	if (err)
		tool_no_memory(t);
	return err;
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

/* Proves the outcome, and counts lanes with loops before and after, for all
 * traffic, as weft check --hosts=all --switches does. */
static bool prove(struct tool *t, struct layered *l)
{
	const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true,
		.max_examples = 1,
	};

	struct weft_proof given;

	tool_phase(t, "proving %s", l->given->label);
	if (weft_proof_run(l->given->fabric, l->given->routes, &spec, &given,
			   &t->diag))
		return false;
	l->before.proof.cyclic_vls = given.cyclic_vls;
	weft_proof_free(&given);
	if (weft_proof_run(l->given->fabric, &l->routes, &spec, &l->proof,
			   &t->diag))
		return false;
	l->after.proof.cyclic_vls = l->proof.cyclic_vls;
	l->safe = weft_proof_holds(&l->proof);
	return true;
}

/* With a single lane there is no method but other routes. */
static const char *method_name(const struct weft_layering *y)
{
	if (y->lanes == 1 && y->root != WEFT_NONE)
		return "updown";
	return y->lanes == 1 ? "none" : weft_layering_method_name(y->method);
}

static bool is_told(const void *record)
{
	return ((const struct layered *)record)->port_lanes;
}

static bool is_enough(const void *record)
{
	return ((const struct layered *)record)->needed;
}

static bool is_sampled(const void *record)
{
	return ((const struct tool_figures *)record)->has_ebb;
}

/* What tables cost, before and after. */
static const struct tool_field cost_fields[] = {
#define COST(...) TOOL_FIELD(struct tool_figures, __VA_ARGS__)
	COST(lanes, COUNT, "vls"),
	COST(proof.cyclic_vls, COUNT, "cyclic_vls",
	     .words = "lanes with credit loops", .width = 6),
	COST(avg_hops, REAL, "avg_hops", .words = "hops, average",
	     .width = 6, .digits = 2),
	COST(proof.max_hops, COUNT, "max_hops", .words = "hops, at most",
	     .width = 6),
	COST(proof.nonminimal, COUNT, "nonminimal",
	     .words = "non-minimal routes", .width = 6),
	COST(proof.load_max, COUNT, "efi", .words = "forwarding index",
	     .width = 6),
	COST(ebb.mean, REAL, "ebb", .words = "bisection bandwidth", .width = 6,
	     .digits = 4, .unit = "of full bandwidth", .left_out = true,
	     .when = is_sampled),
	TOOL_FIELDS_END
#undef COST
};

static const struct tool_field fields[] = {
#define FIELD(...) TOOL_FIELD(struct layered, __VA_ARGS__)
	FIELD(before.hosts, COUNT, "hosts"),
	FIELD(before.switches, COUNT, "switches"),
	FIELD(safe, YES, "safe"),
	FIELD(layering.lanes, COUNT, "lanes"),
	FIELD(allowed, COUNT, "lanes_allowed"),
	FIELD(port_lanes, COUNT, "lanes_of_ports", .when = is_told),
	FIELD(needed, COUNT, "lanes_needed", .when = is_enough),
	FIELD(same_sl2vl, YES, "sl2vl_kept"),
	FIELD(method, WORD, "method"),
	FIELD(layering.one_way, YES, "one_way"),
	FIELD(layering.moved, COUNT, "moved"),
	FIELD(layering.shared, YES, "shared"),
	FIELD(layering.rerouted, COUNT, "rerouted"),
	FIELD(layering.rerouted_thin, COUNT, "rerouted_switches"),
	FIELD(root, NAME, "root"),
	FIELD(proof.unreachable, COUNT, "unreachable"),
	TOOL_PART_OF(struct layered, before, cost_fields, "before"),
	TOOL_PART_OF(struct layered, after, cost_fields, "after"),
	TOOL_FIELDS_END
#undef FIELD
};

static void print_method(const struct weft_layering *y, FILE *out)
{
	const char *name = method_name(y);

	if (!strcmp(name, "updown"))
		name = "Up*/Down*";
	else if (!strcmp(name, "none"))
		name = "none needed";
	fprintf(out, "  method                  %s\n", name);
}

static void print_layering(const struct layered *l, FILE *out)
{
	const struct weft_layering *y = &l->layering;

	fprintf(out, "  lanes                   %u of %u%s\n", y->lanes,
		l->allowed, y->one_way && y->lanes > 1 ? ", one way" : "");
	if (l->port_lanes)
		fprintf(out, "    that ports have       %u, SL2VL tables %s\n",
			l->port_lanes, l->same_sl2vl ? "as they are" :
			"have to change");
	if (l->needed != y->lanes)
		fprintf(out, l->needed ? "    to keep all routes    %u\n" :
			"    to keep all routes    more than 15\n", l->needed);
	print_method(y, out);
	fprintf(out, "  LIDs rerouted           %s of hosts and routers\n"
		"                          %s of switches and aggregation nodes\n",
		WEFT_COUNT(y->rerouted, NULL),
		WEFT_COUNT(y->rerouted_thin, NULL));
	if (l->root)
		fprintf(out, "    with Up*/Down* below  %s\n", l->root);
	if (y->shared)
		fputs("    along ways that need fewer lanes\n", out);
}

/* Why the outcome is not proven. */
static void print_failure(const struct layered *l, FILE *out)
{
	const struct weft_fabric *f = l->given->fabric;
	char text[TEXT];

	if (l->proof.unreachable)
		fprintf(out,
			"  unreachable pairs       %s of %s, switches included\n",
			WEFT_COUNT(l->proof.unreachable, NULL),
			WEFT_COUNT(l->proof.pairs, NULL));
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

static void print_case(const struct layered *l, FILE *out)
{
	const void *const costs[] = { &l->before, &l->after };

	tool_case_line(l->given, out);
	fprintf(out,
		"\n  hosts                   %s\n  switches                %s\n",
		WEFT_COUNT(l->before.hosts, NULL),
		WEFT_COUNT(l->before.switches, NULL));
	print_layering(l, out);
	fputs("                            before      after\n", out);
	tool_record_lines(cost_fields, costs, 2, out);
	if (!l->safe)
		print_failure(l, out);
	fprintf(out,
		"  %s: traffic between hosts, aggregation nodes, routers and switches\n",
		l->safe ? "safe" : "NOT PROVEN");
}

static void report(struct tool *t, struct layered *l, struct tool_report *r)
{
	uint32_t root = l->layering.root;
	char name[96];

	l->method = method_name(&l->layering);
	if (root != WEFT_NONE)
		l->root = tool_text_vertex(l->given->fabric, root, name,
					   sizeof(name));
	if (!tool_report_record(t, r, l->given, fields, l))
		print_case(l, r->out);
}

/* Service levels without the routes that they are for would be void. */
static bool write_outcome(struct tool *t, const struct layered *l)
{
	const char *path = t->args.output;

	if (!path)
		return true;
	if (!l->safe) {
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "nothing is written to %s: the outcome is not proven",
			      path);
		return true;
	}
	tool_phase(t, "writing %s", path);
	if (tool_dump_is_directory(path))
		return tool_dump_write(t, path, l->given->fabric, &l->routes);
	if (l->rerouted) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "forwarding tables have changed, so service levels alone are void: give -o a directory, not %s",
			      path);
		return false;
	}
	return tool_dump_write_file(t, tool_output_open(t, path),
				    WEFT_FILE_SL, l->given->fabric,
				    &l->routes);
}

static bool judge(struct tool *t, struct layered *l, struct layer *layer)
{
	bool ok;

	if (!measure(t, l))
		return false;
	ok = prove(t, l);
	if (ok) {
		layer->unproven |= !l->safe;
		ok = write_outcome(t, l);
		tool_phase_end(t);
		if (ok)
			report(t, l, &layer->r);
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

	if (t->args.output && layer->sets++) {
		tool_usage(t,
			   "-o takes the outcome of one set of tables: give one input and at most one -t or -e");
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
		.r = { .out = to_stdout ? stderr : stdout },
	};
	bool ok = tool_cases_inputs(t) && tool_dump_may_write(t);

	if (t->args.output)	/* of which there is one */
		t->planes = TOOL_PLANES_JOINED;
	ok = tool_report_close(&layer.r, ok && tool_report_open(t, &layer.r) &&
			       tool_cases_each(t, layer_case, &layer));
	return !ok ? TOOL_FAILED : layer.unproven ? TOOL_FOUND : TOOL_FINE;
}

static const struct tool_option layer_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OWN(TOOL_CHOICE, struct own, method, "method", 0, "METHOD",
		 "auto (fewest lanes), lash, offline or destination (default auto)",
		 .choices = "auto|lash|offline|destination"),
	TOOL_OWN(TOOL_NUMBER, struct own, lanes, "lanes", 0, "N",
		 "data lanes that may be used, 0 = those that all ports have by the SL2VL tables given, else 8",
		 .max = WEFT_MAX_LANES),
	TOOL_OWN(TOOL_FLAG, struct own, one_way, "one-way", 0, NULL,
		 "the two directions of a pair may have different SLs"),
	TOOL_OWN(TOOL_FLAG, struct own, fewest, "fewest", 0, NULL,
		 "route anew where that saves lanes and hardly costs bandwidth, as plugins do"),
	TOOL_OPT(TOOL_NUMBER, count, "patterns", 'n', "N",
		 "random bisections to sample, 0 = none", .preset = 1000,
		 .max = INT64_MAX),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_TEXT, output, "output", 'o', "PATH",
		 "write service levels to a file, - for standard output, or with fabric and all tables into a directory (a new PATH is a directory unless it has an extension)"),
	TOOL_OPT_FORCE,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_layer = {
	.name = "layer",
	.summary = "give out service levels that prevent deadlock",
	.usage = "[OPTION]... INPUT...",
	.about = "Gives every path a service level so that no lane has a credit loop, whatever the tables are, and proves it. Tells how many lanes that takes. "
		 "Where lanes run out, destinations are routed anew: how many, and what that costs. "
		 "The tables are those of the input (a dump directory), or instead of them those given by -t and -e. Exit status 1: not proven.",
	.options = layer_options,
	.own_size = sizeof(struct own),
	.run = layer_run,
};
