// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft bound: the most that any tables of a fabric could be worth. */
#include "tools/bound/bound.h"

#include "core/grow.h"

#include <weft/planes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIFORM "uniform"
#define WORST "worst"
#define BASKET "basket"

struct own {
	bool exact, endpoints;
	const char *gap, *work;
};

struct report {
	FILE *out;
	json_t *cases;
	unsigned n;
	struct weft_bound_spec spec;
};

/* --- rows ----------------------------------------------------------------- */

static struct tool_bound *add_row(struct tool *t, struct tool_bounds *all,
				  const char *pattern)
{
	struct tool_bound *row;

	if (weft__grow_one(&all->row, all->n)) {
		tool_no_memory(t);
		return NULL;
	}
	row = &all->row[all->n];
	*row = (struct tool_bound){
		.pattern = strdup(pattern), .lmc = all->lmc,
	};
	if (!row->pattern) {
		tool_no_memory(t);
		return NULL;
	}
	all->n++;
	return row;
}

static bool add_part(struct tool *t, struct tool_bounds *all, const char *name,
		     double mean, uint64_t rounds, uint64_t of)
{
	struct tool_bound *row = add_row(t, all, name);

	if (!row)
		return false;
	row->mean_only = true;
	row->b = (struct weft_bound){
		.hosts = all->hosts, .rounds = rounds, .all = of, .mean = mean,
	};
	return true;
}

/* The parts of a basket and what they are worth together. */
static bool bound_basket(struct tool *t, const struct weft_fabric *f,
			 const struct report *r, const char *name,
			 struct tool_bounds *all)
{
	struct weft_objective objective;
	struct weft_basket_spec spec = {
		.rounds = r->spec.rounds, .seed = r->spec.seed,
		.all_hosts = r->spec.all_hosts, .objective = &objective,
	};
	double part[WEFT_WORTH_PARTS], worth;
	struct weft_basket *b = NULL;
	char text[128];
	bool ok;

	if (weft_objective_parse(name, &objective, &t->diag))
		return false;
	ok = !weft_basket_new(f, &spec, &b, &t->diag);
	if (ok)
		ok = !weft_bound_basket(b, &r->spec, part, &worth) ||
		     tool_no_memory(t);
	ok = ok && add_part(t, all, name, worth, 0, 0);
	for (unsigned i = 0; ok && i < weft_basket_parts(b); i++) {
		uint64_t judged, of;

		weft_basket_part_rounds(b, i, &judged, &of);
		snprintf(text, sizeof(text), "%s.%s", name,
			 weft_basket_part_name(b, i));
		ok = add_part(t, all, text, part[i], judged, of);
	}
	weft_basket_free(b);
	weft_objective_free(&objective);
	return ok;
}

static bool bound_pattern(struct tool *t, const struct weft_fabric *f,
			  const struct report *r, const char *pattern,
			  const struct weft_mapping *mapping,
			  struct tool_bounds *all)
{
	struct weft_traffic *traffic;
	struct tool_bound *row;
	bool ok;

	if (weft_traffic_placed(pattern, f, mapping->endport, mapping->nranks,
				&traffic, &t->diag))
		return tool_hint(t);
	row = add_row(t, all, pattern);
	ok = row && (!weft_bound_traffic(f, &r->spec, traffic,
					  mapping->endport, &row->b) ||
		     tool_no_memory(t));
	weft_traffic_free(traffic);
	return ok;
}

static bool bound_one(struct tool *t, const struct weft_fabric *f,
		      const struct report *r, const char *pattern,
		      const struct weft_mapping *mapping,
		      struct tool_bounds *all)
{
	bool uniform = !strcmp(pattern, UNIFORM);
	struct tool_bound *row;

	tool_phase(t, "bound of %s", pattern);
	if (weft_objective_is_usual(pattern) || !strcmp(pattern, "ai"))
		return bound_basket(t, f, r, pattern, all);
	if (!uniform && strcmp(pattern, WORST))
		return bound_pattern(t, f, r, pattern, mapping, all);
	row = add_row(t, all, pattern);
	return row && (!(uniform ? weft_bound_uniform : weft_bound_longest)(
			       f, &r->spec, &row->b) ||
		       tool_no_memory(t));
}

/* --- inputs --------------------------------------------------------------- */

static bool bound_all(struct tool *t, const struct weft_fabric *f,
		      const struct report *r, struct tool_bounds *all)
{
	const struct tool_list *patterns = &t->args.pattern;
	struct weft_mapping mapping;
	bool by_name, ok = true;

	if (weft_mapping_natural(f, r->spec.all_hosts, &mapping, &by_name,
				 &t->diag))
		return false;
	all->hosts = mapping.nslots;
	all->switches = f->nsw;
	all->ranks = by_name ? "name" : "switch and port";
	if (!patterns->n)
		ok = bound_one(t, f, r, UNIFORM, &mapping, all);
	for (unsigned i = 0; i < patterns->n && ok; i++)
		ok = bound_one(t, f, r, patterns->item[i], &mapping, all);
	tool_phase_end(t);
	weft_mapping_free(&mapping);
	return ok;
}

static void print(struct tool *t, struct report *r,
		  const struct tool_bounds *all)
{
	if (r->cases)
		json_array_append_new(r->cases, tool_bounds_json(all));
	else if (t->args.csv)
		tool_bounds_csv(all, !r->n, r->out);
	else
		tool_bounds_text(all, r->out);
	r->n++;
}

/* Planes are alike: one stands for them. */
static bool bound_fabric(struct tool *t, const char *input,
			 const struct weft_fabric *f, struct report *r)
{
	struct tool_bounds all = { .input = input, .lmc = t->args.lmc };
	struct weft_planes planes;
	bool ok;

	if (weft_planes_find(f, NULL, &planes))
		return tool_no_memory(t);
	if (planes.n)
		tool_planes_warn(t, input, planes.n);
	if (r->n && !r->cases && !t->args.csv)
		fputc('\n', r->out);
	ok = bound_all(t, planes.n ? planes.plane[0].fabric : f, r, &all);
	if (ok)
		print(t, r, &all);
	for (unsigned i = 0; i < all.n; i++)
		free(all.row[i].pattern);
	free(all.row);
	weft_planes_free(&planes);
	return ok;
}

static bool bound_input(struct tool *t, const char *input, struct report *r)
{
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, true, &in))
		return false;
	ok = bound_fabric(t, input, in.fabric, r);
	weft_input_close(&in);
	return ok;
}

/* --- the command line ----------------------------------------------------- */

static bool read_spec(struct tool *t, struct weft_bound_spec *spec)
{
	const struct own *own = t->own;
	const char *at = own->gap;
	double work = 1e8;

	*spec = (struct weft_bound_spec){
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.endpoints = own->endpoints, .lmc = t->args.lmc,
		.rounds = t->args.count, .seed = t->args.seed, .gap = .01,
		.solve = own->exact ? tool_bound_solve : NULL,
		.solvable = TOOL_SOLVABLE,
	};
	if (at && (!tool_share_at(&at, "", &spec->gap) || spec->gap > 1)) {
		tool_usage(t, "--gap takes a share, as 0.01 or 1%%, not '%s'",
			   own->gap);
		return false;
	}
	if (own->work && (!weft_number_real(own->work, &work) ||
			  !(work >= 0) || work > 1e18)) {
		tool_usage(t, "--work takes a number of edges, as 1e9, not '%s'",
			   own->work);
		return false;
	}
	spec->work = work;
	return !own->exact || tool_bound_can_solve(t);
}

static enum tool_status bound_run(struct tool *t)
{
	struct report r = { .cases = NULL };
	bool ok = tool_cases_inputs(t) && read_spec(t, &r.spec);

	if (!ok)
		return TOOL_FAILED;
	tool_output_by_name(t);
	r.out = tool_output_open(t, t->args.output);
	if (!r.out)
		return TOOL_FAILED;
	if (t->args.json)
		r.cases = json_array();
	for (unsigned i = 0; i < t->args.input.n && ok; i++)
		ok = bound_input(t, t->args.input.item[i], &r);
	if (ok && r.cases)
		tool_json_print(r.out, json_incref(r.cases));
	json_decref(r.cases);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

static const struct tool_option bound_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_HOSTS,
	TOOL_OPT(TOOL_LIST, pattern, "pattern", 'p', "PATTERN",
		 "uniform (the default), basket, worst (a permutation with long ways), or a pattern of weft analyze",
		 .choices = "uniform|basket|worst"),
	TOOL_OPT(TOOL_NUMBER, count, "rounds", 'n', "N",
		 "rounds of each pattern, and of each part of the basket, at most (default 16)",
		 .preset = 16, .min = 1, .max = 1000000),
	TOOL_OWN(TOOL_FLAG, struct own, endpoints, "endpoints", 0, NULL,
		 "count channels between hosts and switches, too"),
	TOOL_OPT(TOOL_NUMBER, lmc, "lmc", 0, "N",
		 "of streams that are cut into parts: 2^N ways each",
		 .max = 7),
	TOOL_OWN(TOOL_FLAG, struct own, exact, "exact", 0, NULL,
		 "solve linear programs, where these are not too large"),
	TOOL_OWN(TOOL_TEXT, struct own, gap, "gap", 0, "SHARE",
		 "how near the two sides of a flow have to be (default 1%)"),
	TOOL_OWN(TOOL_TEXT, struct own, work, "work", 0, "N",
		 "or how many cables to look at, about, for each flow (default 1e8: seconds)"),
	TOOL_OPT_SEED,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_bound = {
	.name = "bound",
	.summary = "compute the most that any tables could be worth",
	.usage = "[OPTION]... INPUT...",
	.about = "Says what no forwarding tables can exceed, each bound by what it allows: cables alone, flows that split over all ways (and what one of these reaches), one way for each stream, 2^LMC ways. "
		 "Figures are shares of full bandwidth as weft analyze and weft compare have them: of the slowest stream, of uniform traffic at saturation, or the mean.",
	.options = bound_options,
	.own_size = sizeof(struct own),
	.run = bound_run,
};
