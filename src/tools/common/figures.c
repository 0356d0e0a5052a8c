// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The figures of one case; see figures.h. */
#include "tools/common/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROVED 15	/* columns of CSV that a proof fills in */
#define SAMPLED 9	/* and samples */
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

	tool_phase(t, "random bisections of %s", c->label);
	f->has_ebb = true;
	return !weft_ebb_run(c->fabric, c->routes, &spec, &f->ebb, &t->diag);
}

static uint32_t count_hosts(const struct weft_fabric *f, bool all)
{
	return all ? f->nep : f->nhosts;
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
		.hosts = count_hosts(c->fabric, spec->all_hosts),
		.switches = c->fabric->nsw, .links = c->fabric->nlinks,
		.refused = c->refused ? strdup(c->refused) : NULL,
	};
	bool ok;

	f.nodes = count_nodes(c->fabric, spec->all_hosts);
	f.fewer_nodes = f.nodes < f.hosts ? f.nodes : 0;
	f.routers = count_routers(c->fabric);
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

static json_t *ebb_json(const struct weft_ebb *e)
{
	unsigned most = WEFT_MAX_CONGESTION;

	while (most && !e->congestion[most])
		most--;
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:o, s:o}",
			 "mean", e->mean, "ci99", e->ci99,
			 "stddev", e->stddev, "min", e->min, "max", e->max,
			 "patterns", (json_int_t)e->patterns,
			 "streams", (json_int_t)e->streams,
			 "lost", (json_int_t)e->lost,
			 "congestion", integers(e->congestion, most + 1),
			 "histogram", integers(e->bandwidth, WEFT_EBB_BINS));
}

json_t *tool_figures_json(const struct tool_figures *f)
{
	const struct weft_proof *p = &f->proof;
	json_t *root = json_pack(
		"{s:i, s:i, s:i, s:I, s:I, s:I, s:i, s:I, s:I, s:i,"
		" s:f, s:I, s:I, s:f, s:I, s:i, s:i, s:i, s:o}",
		"hosts", f->hosts, "switches", f->switches, "links", f->links,
		"pairs", (json_int_t)p->pairs,
		"unreachable", (json_int_t)p->unreachable,
		"apart", (json_int_t)p->apart, "parts", p->parts,
		"loops", (json_int_t)p->loops,
		"nonminimal", (json_int_t)p->nonminimal,
		"max_hops", p->max_hops, "avg_hops", f->avg_hops,
		"efi", (json_int_t)p->load_max,
		"load_min", (json_int_t)p->load_min,
		"load_mean", p->load_mean,
		"load_max", (json_int_t)p->load_max,
		"load_zero", p->load_zero, "cyclic_vls", p->cyclic_vls,
		"vls", f->lanes,
		"hops", integers(p->hops_pairs, p->max_hops + 1));

	json_object_set_new(root, "nodes", json_integer(f->nodes));
	json_object_set_new(root, "routers", json_integer(f->routers));
	json_object_set_new(root, "load_histogram", loads_json(f));
	json_object_set(root, "read", f->sources);
	if (f->has_ebb) {
		json_object_set_new(root, "seed", json_integer(f->ebb.seed));
		json_object_set_new(root, "ebb", ebb_json(&f->ebb));
	}
	return tool_case_json(f->input, f->label,
			      f->is_engine ? f->label : NULL, root);
}

void tool_figures_csv_header(bool bisections, FILE *out)
{
	fputs("input,routes,by,hosts,switches,links,pairs,unreachable,"
	      "apart,parts,loops,nonminimal,max_hops,avg_hops,efi,load_min,"
	      "load_mean,load_max,load_zero,cyclic_vls,vls", out);
	if (bisections)
		fputs(",seed,ebb.mean,ebb.ci99,ebb.stddev,ebb.min,ebb.max,"
		      "ebb.patterns,ebb.streams,ebb.lost", out);
}

static void put_empty(unsigned columns, FILE *out)
{
	while (columns--)
		fputc(',', out);
}

void tool_figures_csv(const struct tool_figures *f, bool bisections, FILE *out)
{
	const struct weft_proof *p = &f->proof;
	const struct weft_ebb *e = &f->ebb;

	tool_text_csv(out, f->input);
	tool_text_csv(out, f->label);
	fprintf(out, "%s,%u,%u,%u", f->is_engine ? "engine" : "tables",
		f->hosts, f->switches, f->links);
	if (f->refused) {
		put_empty(bisections ? PROVED + SAMPLED : PROVED, out);
		return;
	}
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32
		",%" PRIu64 ",%" PRIu64 ",%u,%.6g,",
		p->pairs, p->unreachable, p->apart, p->parts,
		p->loops, p->nonminimal, p->max_hops, f->avg_hops);
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%.6g,%" PRIu64 ",%u,%u,%u",
		p->load_max, p->load_min, p->load_mean, p->load_max,
		p->load_zero, p->cyclic_vls, f->lanes);
	if (bisections)
		fprintf(out, ",%u,%.6g,%.6g,%.6g,%.6g,%.6g,%" PRIu64 ",%"
			PRIu64 ",%" PRIu64, e->seed, e->mean, e->ci99,
			e->stddev, e->min, e->max, e->patterns, e->streams,
			e->lost);
}
