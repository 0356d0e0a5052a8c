// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Random regular graphs: connected, at most one cable between two switches.
 *
 * A circulant graph of that degree, then many exchanges of the ends of two
 * random edges (a-b, c-d become a-d, c-b) that keep it simple: a random walk
 * on the graphs of that degree.  If the walk ends on a graph of several parts,
 * edges of different parts are exchanged until there is one; an exchange joins
 * two parts unless both edges were bridges.
 */
#include "gen/families.h"

#include "core/sets.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define EXCHANGES 20		/* per edge; mixed well before */

struct graph {
	uint32_t n, degree, nedges;
	uint32_t *end;		/* [2 * nedges]: edge e is end[2e], end[2e+1] */
	uint32_t *adj;		/* [n * degree] */
	uint32_t *root;		/* [n], union-find */
};

static void graph_free(struct graph *g)
{
	free(g->end);
	free(g->adj);
	free(g->root);
}

static bool graph_alloc(struct graph *g)
{
	g->end = malloc(sizeof(*g->end) * (2 * (size_t)g->nedges + 1));
	g->adj = malloc(sizeof(*g->adj) * ((size_t)g->n * g->degree + 1));
	g->root = malloc(sizeof(*g->root) * (g->n + 1));
	return g->end && g->adj && g->root;
}

static void circulant(struct graph *g)
{
	uint32_t *end = g->end, *adj = g->adj;

	for (uint32_t i = 0; i < g->n; i++) {
		for (uint32_t k = 1; k <= g->degree / 2; k++) {
			*end++ = i;
			*end++ = (i + k) % g->n;
			*adj++ = (i + k) % g->n;
			*adj++ = (i + g->n - k) % g->n;
		}
		if (g->degree % 2 == 0)
			continue;
		*adj++ = (i + g->n / 2) % g->n;
		if (i < g->n / 2) {
			*end++ = i;
			*end++ = i + g->n / 2;
		}
	}
}

static uint32_t *neighbour(const struct graph *g, uint32_t a, uint32_t b)
{
	uint32_t *adj = g->adj + (size_t)a * g->degree;

	for (uint32_t i = 0; i < g->degree; i++)
		if (adj[i] == b)
			return &adj[i];
	return NULL;
}

/* Exchanges the second ends of edges e and f; false where the graph would
 * not stay simple. */
static bool exchange(struct graph *g, uint32_t e, uint32_t f)
{
	uint32_t a = g->end[2 * e], b = g->end[2 * e + 1];
	uint32_t c = g->end[2 * f], d = g->end[2 * f + 1];

	if (a == c || a == d || b == c || b == d || neighbour(g, a, d) ||
	    neighbour(g, c, b))
		return false;
	*neighbour(g, a, b) = d;
	*neighbour(g, b, a) = c;
	*neighbour(g, c, d) = b;
	*neighbour(g, d, c) = a;
	g->end[2 * e + 1] = d;
	g->end[2 * f + 1] = b;
	return true;
}

static void turn(struct graph *g, uint32_t e)
{
	uint32_t t = g->end[2 * e];

	g->end[2 * e] = g->end[2 * e + 1];
	g->end[2 * e + 1] = t;
}

static void mix(struct graph *g, struct weft_rng *rng)
{
	for (uint64_t i = 0; i < (uint64_t)EXCHANGES * g->nedges; i++) {
		uint32_t e = weft_rng_below(rng, g->nedges);
		uint32_t f = weft_rng_below(rng, g->nedges);

		if (weft_rng_u32(rng) & 1)
			turn(g, f);
		exchange(g, e, f);
	}
}

/* Number of parts; root[] tells which part a switch belongs to. */
static uint32_t parts(struct graph *g)
{
	uint32_t n = g->n;

	weft__sets_begin(g->root, g->n);
	for (uint32_t e = 0; e < g->nedges; e++)
		n -= weft__sets_join(g->root, g->end[2 * e],
				     g->end[2 * e + 1]);
	return n;
}

static void join_parts(struct graph *g, struct weft_rng *rng)
{
	while (parts(g) > 1) {
		uint32_t e, f;

		do {
			e = weft_rng_below(rng, g->nedges);
			f = weft_rng_below(rng, g->nedges);
		} while (weft__sets_find(g->root, g->end[2 * e]) ==
			 weft__sets_find(g->root, g->end[2 * f]));
		exchange(g, e, f);
	}
}

static int check(const struct weft__gen_spec *spec, struct weft_diag *diag)
{
	uint32_t n = spec->arg[0], degree = spec->arg[1];
	int err = weft__net_radix(spec, (uint64_t)degree + spec->arg[2],
				  diag);

	if (err)
		return err;
	if (degree >= n)
		return weft__gen_error(spec, diag, EINVAL,
			"a degree of %" PRIu32 " needs more than %" PRIu32
			" switches", degree, n);
	if ((uint64_t)n * degree % 2)
		return weft__gen_error(spec, diag, EINVAL,
			"%" PRIu32 " switches cannot all have %" PRIu32
			" cables: one of the two must be even", n, degree);
	if ((degree == 1 && n > 2) || (!degree && n > 1))
		return weft__gen_error(spec, diag, EINVAL,
			"with a degree of %" PRIu32 " the %" PRIu32
			" switches cannot be connected", degree, n);
	return 0;
}

static int add_graph(const struct weft__gen_spec *spec, struct weft__net *net,
		     struct weft_diag *diag)
{
	struct weft_rng *rng = weft__net_rng(spec, WEFT__NET_GRAPH);
	struct graph g = { .n = spec->arg[0], .degree = spec->arg[1] };
	bool room;

	g.nedges = (uint64_t)g.n * g.degree / 2;
	room = graph_alloc(&g) && rng;
	if (room && g.nedges) {
		circulant(&g);
		mix(&g, rng);
		join_parts(&g, rng);
		for (uint32_t e = 0; e < g.nedges; e++)
			weft__net_cable(net, g.end[2 * e], g.end[2 * e + 1]);
	}
	graph_free(&g);
	weft_rng_free(rng);
	return room ? 0 : weft_no_memory(diag);
}

static int random_build(const struct weft__gen_spec *spec,
			struct weft__net *net, struct weft_diag *diag)
{
	uint32_t n = spec->arg[0], degree = spec->arg[1], hosts = spec->arg[2];
	int err = check(spec, diag);

	if (!err)
		err = weft__net_reserve(net, spec, n,
					(uint64_t)n * degree / 2, diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				degree + hosts, "sw-%03" PRIu32, i), hosts);
	return add_graph(spec, net, diag);
}

/* switches,degree,hosts or switches x hosts,ports */
static int random_parse(struct weft__gen_spec *spec, struct weft__scan *in,
			struct weft_diag *diag)
{
	int err = weft__scan_arg(spec, in, "number of switches", 1, diag);
	bool radix = !err && weft__scan_char(in, 'x');
	uint32_t hosts;

	if (radix)
		err = weft__scan_arg(spec, in, "number of hosts", 0, diag);
	for (unsigned i = 0; i < (radix ? 1u : 2u) && !err; i++) {
		if (in->p < in->end && !weft__scan_char(in, ','))
			return weft__gen_error(spec, diag, EINVAL,
				"',' is expected, not '%.1s'", in->p);
		err = weft__scan_arg(spec, in, radix ? "number of ports" : i ?
				     "number of hosts" : "degree", 0, diag);
	}
	if (err || !radix)
		return err;
	if (spec->arg[2] < spec->arg[1])
		return weft__gen_error(spec, diag, EINVAL,
			"%" PRIu32 " hosts do not fit on %" PRIu32 " ports",
			spec->arg[1], spec->arg[2]);
	hosts = spec->arg[1];
	spec->arg[1] = spec->arg[2] - hosts;
	spec->arg[2] = hosts;
	return 0;
}

static uint32_t third_arg(const struct weft__gen_spec *spec)
{
	return spec->arg[2];
}

static void random_print(const struct weft__gen_spec *spec, FILE *out)
{
	fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, spec->arg[0],
		spec->arg[1], spec->arg[2]);
}

const struct weft__gen_family weft__gen_random = {
	.name = "random",
	.syntax = "S,D,H|SxH,ports",
	.summary = "random regular graph: S switches of degree D, H hosts each",
	.parse = random_parse,
	.print = random_print,
	.hosts_of = third_arg,
	.build = random_build,
};

/*
 * Jellyfish (Singla, Hong, Popa, Godfrey, NSDI 2012): the same graph by the
 * paper's parameters, switches, ports and how many of these are for cables.
 */
static int jellyfish_parse(struct weft__gen_spec *spec, struct weft__scan *in,
			   struct weft_diag *diag)
{
	static const char *const what[] = {
		"number of switches", "number of ports", "number of cables" };
	uint32_t ports;

	for (unsigned i = 0; i < 3; i++) {
		int err;

		if (i && in->p < in->end && !weft__scan_char(in, ','))
			return weft__gen_error(spec, diag, EINVAL,
				"',' is expected, not '%.1s'", in->p);
		err = weft__scan_arg(spec, in, what[i], !i, diag);
		if (err)
			return err;
	}
	ports = spec->arg[1];
	if (spec->arg[2] > ports)
		return weft__gen_error(spec, diag, EINVAL,
			"%" PRIu32 " cables do not fit on %" PRIu32 " ports",
			spec->arg[2], ports);
	spec->arg[1] = spec->arg[2];
	spec->arg[2] = ports - spec->arg[1];
	return 0;
}

static void jellyfish_print(const struct weft__gen_spec *spec, FILE *out)
{
	fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, spec->arg[0],
		spec->arg[1] + spec->arg[2], spec->arg[1]);
}

const struct weft__gen_family weft__gen_jellyfish = {
	.name = "jellyfish",
	.syntax = "S,ports,D",
	.summary = "Jellyfish: the same graph, D of the ports are for cables",
	.parse = jellyfish_parse,
	.print = jellyfish_print,
	.hosts_of = third_arg,
	.build = random_build,
};
