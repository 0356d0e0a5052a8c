// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The figures of one case; see figures.h. */
#include "tools/common/figures.h"

#include <weft/planes.h>

#include <stdlib.h>
#include <string.h>

#define LOAD_BINS 20

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The loads of channels between switches, sorted. */
static uint64_t *sorted_loads(const struct weft_fabric *f,
			      const struct weft_proof *proof)
{
	uint32_t n = f->adj_first[f->nsw];
	uint64_t *load = malloc((n + (size_t)1) * sizeof(*load));

	for (uint32_t i = 0; load && i < n; i++)
		load[i] = proof->channel_load[f->adj[i]];
	if (load)
		qsort(load, n, sizeof(*load), by_value);
	return load;
}

static bool sample(struct tool *t, const struct tool_case *c,
		   uint64_t patterns, struct tool_figures *f)
{
	const struct weft_ebb_spec spec = {
		.patterns = patterns, .seed = t->args.seed,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.threads = t->args.threads,
		.progress = tool_progress, .progress_context = t,
	};

	struct weft_planes planes;
	bool ok = !weft_planes_find(c->fabric, c->routes, &planes) ||
		  tool_no_memory(t);

	tool_phase(t, "random bisections of %s", c->label);
	f->has_ebb = true;
	/* Traffic is the same in all planes, and in each by itself. */
	ok = ok && !weft_ebb_run(planes.n ? planes.plane[0].fabric : c->fabric,
				 planes.n ? &planes.plane[0].routes : c->routes,
				 &spec, &f->ebb, &t->diag);
	weft_planes_free(&planes);
	return ok;
}

/* Nodes that have these ports. */
static uint32_t count_nodes(const struct weft_fabric *f, bool all)
{
	uint32_t nodes = 0;

	for (uint32_t n = 0; n < f->nnodes; n++) {
		const struct weft_node *node = &f->node[n];
		bool is_host = false;

		for (uint32_t i = 0; i < node->nendports && !is_host; i++) {
			uint32_t e = f->node_endport[node->first_endport + i];

			is_host = all || f->ep[e].kind == WEFT_HOST;
		}
		nodes += is_host;
	}
	return nodes;
}

static uint32_t count_routers(const struct weft_fabric *f)
{
	uint32_t routers = 0;

	for (uint32_t n = 0; n < f->nnodes; n++)
		routers += f->node[n].kind == WEFT_ROUTER;
	return routers;
}

void tool_figures_of_fabric(struct tool_figures *f,
			    const struct weft_fabric *fabric, bool all_hosts)
{
	f->hosts = all_hosts ? fabric->nep : fabric->nhosts;
	f->switches = fabric->nsw;
	f->links = fabric->nlinks;
	f->nodes = count_nodes(fabric, all_hosts);
	f->fewer_nodes = f->nodes < f->hosts ? f->nodes : 0;
	f->routers = count_routers(fabric);
}

static double average_hops(const struct weft_proof *p)
{
	return p->reached ? (double)p->hops_sum / p->reached : 0;
}

static bool prove(struct tool *t, const struct tool_case *c,
		  const struct weft_proof_spec *spec, struct tool_figures *f)
{
	f->lanes = c->routes->layers.nvl;
	f->one_way = c->routes->layers.one_way;
	tool_phase(t, "checking %s", c->label);
	if (weft_proof_run(c->fabric, c->routes, spec, &f->proof, &t->diag))
		return false;
	f->avg_hops = average_hops(&f->proof);
	f->load = sorted_loads(c->fabric, &f->proof);
	return f->load || tool_no_memory(t);
}

bool tool_figures_make(struct tool *t, const struct tool_case *c,
		       const struct weft_proof_spec *spec, uint64_t patterns,
		       struct tool_figures *out)
{
	struct tool_figures f = {
		.input = strdup(c->input), .label = strdup(c->label),
		.is_engine = c->engine, .seconds = c->seconds,
		.refused = c->refused ? strdup(c->refused) : NULL,
	};
	bool ok;

	tool_figures_of_fabric(&f, c->fabric, spec->all_hosts);
	f.sources = tool_sources_json(c);
	f.read = tool_sources_text(c);
	ok = (f.input && f.label && f.read && f.sources &&
	      !f.refused == !c->refused) || tool_no_memory(t);
	if (ok && !c->refused)
		ok = prove(t, c, spec, &f) &&
		     (!patterns || sample(t, c, patterns, &f));
	if (ok)
		*out = f;
	else
		tool_figures_free(&f);
	return ok;
}

void tool_figures_free(struct tool_figures *f)
{
	free(f->input);
	free(f->label);
	free(f->refused);
	free(f->read);
	json_decref(f->sources);
	free(f->load);
	weft_proof_free(&f->proof);
}

static json_t *integers(const uint64_t *value, uint32_t n)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(array, json_integer(value[i]));
	return array;
}

/* Channels between switches by load, in bins of equal width from the least load
 * to the most. */
static json_t *loads_json(const struct tool_figures *f)
{
	uint64_t low = f->proof.load_min, count[LOAD_BINS] = { 0 };
	uint64_t range = f->proof.load_max - low + 1;
	uint64_t width = (range + LOAD_BINS - 1) / LOAD_BINS;
	uint32_t n = (range + width - 1) / width;

	for (uint32_t i = 0; i < f->proof.load_channels; i++)
		count[(f->load[i] - low) / width]++;
	return json_pack("{s:I, s:I, s:o}", "low", (json_int_t)low,
			 "high", (json_int_t)(low + n * width),
			 "channels", integers(count, n));
}

static bool is_proved(const void *record)
{
	const struct tool_figures *f = record;

	return !f->refused;
}

static bool is_sampled(const void *record)
{
	const struct tool_figures *f = record;

	return !f->refused && f->has_ebb;
}

static bool is_graded(const void *record)
{
	const struct tool_figures *f = record;

	return f->verdict.safe;
}

static bool is_good_known(const void *record)
{
	const struct tool_figures *f = record;

	return f->verdict.good;
}

#define FIELD(...) TOOL_FIELD(struct tool_figures, __VA_ARGS__)
const struct tool_field tool_figures_fabric[] = {
	FIELD(hosts, COUNT, "hosts"),
	FIELD(switches, COUNT, "switches"),
	FIELD(links, COUNT, "links"),
	FIELD(nodes, COUNT, "nodes"),
	FIELD(routers, COUNT, "routers"),
	TOOL_FIELDS_END
};

const struct tool_field tool_figures_proved[] = {
	FIELD(proof.pairs, COUNT, "pairs", .when = is_proved),
	FIELD(proof.unreachable, COUNT, "unreachable", .when = is_proved),
	FIELD(proof.apart, COUNT, "apart", .when = is_proved),
	FIELD(proof.parts, COUNT, "parts", .when = is_proved),
	FIELD(proof.loops, COUNT, "loops", .when = is_proved),
	FIELD(proof.nonminimal, COUNT, "nonminimal", .when = is_proved),
	FIELD(proof.max_hops, COUNT, "max_hops", .when = is_proved),
	FIELD(avg_hops, REAL, "avg_hops", .digits = 2, .when = is_proved),
	FIELD(proof.load_max, COUNT, "efi", .when = is_proved),
	FIELD(proof.load_min, COUNT, "load_min", .when = is_proved),
	FIELD(proof.load_mean, REAL, "load_mean", .digits = 2,
	      .when = is_proved),
	FIELD(proof.load_max, COUNT, "load_max", .when = is_proved),
	FIELD(proof.load_zero, COUNT, "load_zero", .when = is_proved),
	FIELD(proof.cyclic_vls, COUNT, "cyclic_vls", .when = is_proved),
	FIELD(lanes, COUNT, "vls", .when = is_proved),
	TOOL_FIELDS_END
};

const struct tool_field tool_figures_sampled[] = {
	FIELD(ebb.seed, COUNT, "seed", .when = is_sampled),
	FIELD(ebb.mean, SHARE, "ebb.mean", .digits = 4, .when = is_sampled),
	FIELD(ebb.ci99, SHARE, "ebb.ci99", .digits = 4, .when = is_sampled),
	FIELD(ebb.stddev, SHARE, "ebb.stddev", .digits = 4, .when = is_sampled),
	FIELD(ebb.min, SHARE, "ebb.min", .digits = 4, .when = is_sampled),
	FIELD(ebb.max, SHARE, "ebb.max", .digits = 4, .when = is_sampled),
	FIELD(ebb.patterns, COUNT, "ebb.patterns", .when = is_sampled),
	FIELD(ebb.streams, COUNT, "ebb.streams", .when = is_sampled),
	FIELD(ebb.lost, COUNT, "ebb.lost", .when = is_sampled),
	TOOL_FIELDS_END
};

const struct tool_field tool_figures_graded[] = {
	FIELD(verdict.safe, WORD, "verdict.safe", .column = "safe",
	      .when = is_graded),
	FIELD(verdict.good, WORD, "verdict.good", .column = "good",
	      .when = is_good_known),
	FIELD(verdict.worth, SHARE, "verdict.worth", .column = "worth",
	      .digits = 4, .when = is_good_known),
	FIELD(verdict.best, SHARE, "verdict.best", .column = "best",
	      .digits = 4, .when = is_good_known),
	FIELD(verdict.share, SHARE, "verdict.share_of_best",
	      .column = "share_of_best", .digits = 4, .when = is_good_known),
	FIELD(verdict.of_bound, SHARE, "verdict.of_uniform_bound",
	      .column = "of_uniform_bound", .digits = 4,
	      .when = is_good_known),
	TOOL_FIELDS_END
};
#undef FIELD

/* The distribution of what was sampled. */
static void add_distributions(const struct weft_ebb *e, json_t *root)
{
	json_t *ebb = json_object_get(root, "ebb");
	unsigned most = WEFT_MAX_CONGESTION;

	while (most && !e->congestion[most])
		most--;
	json_object_set_new(ebb, "congestion",
			    integers(e->congestion, most + 1));
	json_object_set_new(ebb, "histogram",
			    integers(e->bandwidth, WEFT_EBB_BINS));
}

json_t *tool_figures_object(const struct tool_figures *f)
{
	const struct weft_proof *p = &f->proof;
	json_t *root = json_object();

	tool_record_json(tool_figures_fabric, f, root);
	tool_record_json(tool_figures_proved, f, root);
	json_object_set_new(root, "hops",
			    integers(p->hops_pairs, p->max_hops + 1));
	if (f->has_ebb) {
		tool_record_json(tool_figures_sampled, f, root);
		add_distributions(&f->ebb, root);
	}
	return root;
}

json_t *tool_figures_json(const struct tool_figures *f)
{
	json_t *root = tool_figures_object(f);

	json_object_set_new(root, "load_histogram", loads_json(f));
	json_object_set(root, "read", f->sources);
	return tool_case_json(f->input, f->label,
			      f->is_engine ? f->label : NULL, root);
}

const struct tool_field *tool_figures_field(const char *key)
{
	const struct tool_field *f = tool_field_find(tool_figures_fabric, key);

	f = f ? f : tool_field_find(tool_figures_proved, key);
	f = f ? f : tool_field_find(tool_figures_sampled, key);
	return f ? f : tool_field_find(tool_figures_graded, key);
}

void tool_figures_csv_header(bool bisections, FILE *out)
{
	fputs("input,routes,by,", out);
	tool_record_keys(tool_figures_fabric, out);
	fputc(',', out);
	tool_record_keys(tool_figures_proved, out);
	if (!bisections)
		return;
	fputc(',', out);
	tool_record_keys(tool_figures_sampled, out);
}

void tool_figures_csv(const struct tool_figures *f, bool bisections, FILE *out)
{
	tool_text_csv(out, f->input);
	tool_text_csv(out, f->label);
	fputs(f->is_engine ? "engine," : "tables,", out);
	tool_record_csv(tool_figures_fabric, f, out);
	fputc(',', out);
	tool_record_csv(tool_figures_proved, f, out);
	if (!bisections)
		return;
	fputc(',', out);
	tool_record_csv(tool_figures_sampled, f, out);
}
