// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Direct networks with coordinates: torus, mesh, hypercube, ring, chain, HyperX
 * (Ahn et al., SC 2009); and the two simplest others, star and fully connected.
 *
 * Switch (x, y, z ...) is number x + X * (y + Y * (z ...)).  For each
 * dimension in turn a switch is cabled to its neighbour in ascending
 * direction; a torus of two in a dimension has one cable there, not two.  In a
 * HyperX it is cabled to all others of its line.
 */
#include "gen/families.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define GRID_OPTIONS (1u << WEFT__GEN_LINKS)

struct grid {
	unsigned n;			/* dimensions */
	uint32_t size[WEFT__GEN_MAX_DIMS];
	uint32_t links;			/* parallel cables */
	bool wrap;			/* torus */
	bool lines;			/* HyperX */
	const char *prefix;		/* of names */
};

static bool wraps(const struct grid *g, unsigned d)
{
	return g->wrap && g->size[d] > 2;
}

/* Cables of the whole grid in dimension d. */
static uint64_t grid_cables(const struct grid *g, unsigned d, uint64_t nsw)
{
	uint64_t lines = nsw / g->size[d], others = g->size[d] - 1;

	if (g->lines)
		return g->links * lines * g->size[d] * others / 2;
	return g->links * (wraps(g, d) ? nsw : lines * others);
}

/* Ports of a switch for dimension d. */
static uint64_t dim_ports(const struct grid *g, unsigned d)
{
	if (g->lines)
		return g->links * (g->size[d] - 1);
	return g->size[d] > 2 ? 2 * g->links : g->links;
}

static uint64_t grid_radix(const struct grid *g)
{
	uint64_t n = 0;

	for (unsigned d = 0; d < g->n; d++)
		n += dim_ports(g, d);
	return n;
}

static void grid_name(const struct grid *g, uint32_t i, char *buf, size_t size)
{
	size_t n = snprintf(buf, size, "%s", g->prefix);

	for (unsigned d = 0; d < g->n && n < size; d++) {
		n += snprintf(buf + n, size - n, "-%" PRIu32, i % g->size[d]);
		i /= g->size[d];
	}
}

/*
 * Cables of dimension d; step is the difference of neighbours' numbers.  From
 * port first + 1 on, each switch has links ports in ascending direction, then
 * as many in descending direction; in a dimension of two these are the same.
 */
static void grid_cable(const struct grid *g, unsigned d, uint32_t step,
		       unsigned first, struct weft__net *net)
{
	uint32_t size = g->size[d], nsw = net->nsw;

	for (uint32_t i = 0; i < nsw; i++) {
		uint32_t x = i / step % size;
		uint32_t next = x + 1 < size ? i + step : i - x * step;

		if (x + 1 == size && !wraps(g, d))
			continue;
		for (uint32_t k = 1; k <= g->links; k++)
			weft__net_cable_ports(net, i, first + k, next, first +
					      k + (size > 2 ? g->links : 0));
	}
}

/* Cables of dimension d of a HyperX: from port first + 1 on, a switch has links
 * ports for each other coordinate, in ascending order. */
static void line_cable(const struct grid *g, unsigned d, uint32_t step,
		       unsigned first, struct weft__net *net)
{
	uint32_t size = g->size[d];

	for (uint32_t i = 0; i < net->nsw; i++)
		for (uint32_t x = i / step % size, y = x + 1; y < size; y++)
			for (uint32_t k = 1; k <= g->links; k++)
				weft__net_cable_ports(
					net, i, first + (y - 1) * g->links + k,
					i + (y - x) * step,
					first + x * g->links + k);
}

static void grid_add(const struct weft__gen_spec *spec, const struct grid *g,
		     uint32_t nsw, struct weft__net *net)
{
	uint32_t hosts = weft__gen_host_ports(spec, nsw);
	uint32_t step = 1;
	unsigned first = hosts;
	char name[48];

	for (uint32_t i = 0; i < nsw; i++) {
		grid_name(g, i, name, sizeof(name));
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				hosts + grid_radix(g), "%s", name),
			       hosts);
	}
	for (unsigned d = 0; d < g->n; d++) {
		if (g->lines)
			line_cable(g, d, step, first, net);
		else
			grid_cable(g, d, step, first, net);
		first += dim_ports(g, d);
		step *= g->size[d];
	}
	net->row = g->size[0];
}

static int grid_build(const struct weft__gen_spec *spec, struct grid *g,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint64_t nsw = 1, ncables = 0;
	int err;

	g->links = weft__gen_get(spec, WEFT__GEN_LINKS);
	for (unsigned d = 0; d < g->n; d++)
		nsw = weft__net_mul(nsw, g->size[d]);
	if (nsw <= WEFT_MAX_LID) {
		err = weft__net_radix(spec, grid_radix(g) +
				      weft__gen_host_ports(spec, nsw), diag);
		if (err)
			return err;
		for (unsigned d = 0; d < g->n; d++)
			ncables += grid_cables(g, d, nsw);
	}
	err = weft__net_reserve(net, spec, nsw, ncables, diag);
	if (!err)
		grid_add(spec, g, nsw, net);
	return err;
}

/* torus, mesh and HyperX: AxBxC... */

static int dims_parse(struct weft__gen_spec *spec, struct weft__scan *in,
		      struct weft_diag *diag)
{
	do {
		int err;

		if (spec->nargs == WEFT__GEN_MAX_DIMS)
			return weft__gen_error(spec, diag, EINVAL,
				"more than %d dimensions", WEFT__GEN_MAX_DIMS);
		err = weft__scan_arg(spec, in, "size of a dimension", 2, diag);
		if (err)
			return err;
	} while (weft__scan_char(in, 'x'));
	return 0;
}

static void dims_print(const struct weft__gen_spec *spec, FILE *out)
{
	for (unsigned i = 0; i < spec->nargs; i++)
		fprintf(out, "%s%" PRIu32, i ? "x" : "", spec->arg[i]);
}

static int dims_build(const struct weft__gen_spec *spec, struct grid g,
		      struct weft__net *net, struct weft_diag *diag)
{
	g.n = spec->nargs;
	g.prefix = "sw";
	memcpy(g.size, spec->arg, sizeof(g.size[0]) * spec->nargs);
	return grid_build(spec, &g, net, diag);
}

static int torus_build(const struct weft__gen_spec *spec,
		       struct weft__net *net, struct weft_diag *diag)
{
	return dims_build(spec, (struct grid){ .wrap = true }, net, diag);
}

static int mesh_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	return dims_build(spec, (struct grid){ .wrap = false }, net, diag);
}

static int hyperx_build(const struct weft__gen_spec *spec,
			struct weft__net *net, struct weft_diag *diag)
{
	return dims_build(spec, (struct grid){ .lines = true }, net, diag);
}

static int hypercube_build(const struct weft__gen_spec *spec,
			   struct weft__net *net, struct weft_diag *diag)
{
	struct grid g = { .n = spec->arg[0], .prefix = "sw" };

	if (g.n > WEFT__GEN_MAX_DIMS)
		return weft__gen_error(spec, diag, ERANGE,
			"2^%u switches are too many: each needs a LID and LIDs end at %u",
			g.n, WEFT_MAX_LID);
	for (unsigned d = 0; d < g.n; d++)
		g.size[d] = 2;
	return grid_build(spec, &g, net, diag);
}

const struct weft__gen_family weft__gen_torus = {
	.name = "torus",
	.syntax = "AxBxC..",
	.summary = "torus of any dimension",
	.options = GRID_OPTIONS,
	.parse = dims_parse,
	.print = dims_print,
	.hosts = 1,
	.build = torus_build,
};

const struct weft__gen_family weft__gen_mesh = {
	.name = "mesh",
	.syntax = "AxBxC..",
	.summary = "mesh of any dimension",
	.options = GRID_OPTIONS,
	.parse = dims_parse,
	.print = dims_print,
	.hosts = 1,
	.build = mesh_build,
};

const struct weft__gen_family weft__gen_hyperx = {
	.name = "hyperx",
	.syntax = "AxBxC..",
	.summary = "HyperX: a cable between every two switches of a line",
	.options = GRID_OPTIONS,
	.parse = dims_parse,
	.print = dims_print,
	.hosts = 1,
	.build = hyperx_build,
};

const struct weft__gen_family weft__gen_hypercube = {
	.name = "hypercube",
	.syntax = "dimensions",
	.summary = "hypercube",
	.options = GRID_OPTIONS,
	.args = (const struct weft__gen_arg[]){
		{ 0, "number of dimensions", 1 }, { 0, NULL, 0 } },
	.hosts = 1,
	.build = hypercube_build,
};

const struct weft__gen_family weft__gen_ring = {
	.name = "ring",
	.syntax = "switches",
	.summary = "ring",
	.options = GRID_OPTIONS,
	.args = (const struct weft__gen_arg[]){
		{ 0, "number of switches", 3 }, { 0, NULL, 0 } },
	.hosts = 1,
	.build = torus_build,
};

const struct weft__gen_family weft__gen_chain = {
	.name = "chain",
	.syntax = "switches",
	.summary = "chain",
	.options = GRID_OPTIONS,
	.args = (const struct weft__gen_arg[]){
		{ 0, "number of switches", 2 }, { 0, NULL, 0 } },
	.hosts = 1,
	.build = mesh_build,
};

/* star:N, a switch without hosts in the middle of N leaves. */
static int star_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint32_t n = spec->arg[0], links = weft__gen_get(spec, WEFT__GEN_LINKS);
	uint32_t hosts = weft__gen_host_ports(spec, n);
	int err = weft__net_radix(spec, (uint64_t)n * links, diag);

	if (!err)
		err = weft__net_radix(spec, (uint64_t)hosts + links, diag);
	if (!err)
		err = weft__net_reserve(net, spec, n + 1, n * links, diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				hosts + links, "leaf-%03" PRIu32, i), hosts);
	weft__net_switch(net, WEFT_ROLE_ROOT, n * links, "center");
	for (uint32_t i = 0; i < n; i++)
		weft__net_cables(net, i, n, links);
	return 0;
}

const struct weft__gen_family weft__gen_star = {
	.name = "star",
	.syntax = "leaves",
	.summary = "star: leaves around one switch without hosts",
	.options = GRID_OPTIONS,
	.args = (const struct weft__gen_arg[]){
		{ 0, "number of leaves", 1 }, { 0, NULL, 0 } },
	.hosts = 1,
	.build = star_build,
};

static int full_build(const struct weft__gen_spec *spec,
		      struct weft__net *net, struct weft_diag *diag)
{
	uint64_t n = spec->arg[0], links = weft__gen_get(spec, WEFT__GEN_LINKS);
	uint32_t hosts = weft__gen_host_ports(spec, n);
	int err = weft__net_radix(spec, (n - 1) * links + hosts, diag);

	if (!err)
		err = weft__net_reserve(net, spec, n, n * (n - 1) / 2 * links,
					diag);
	if (err)
		return err;
	for (uint32_t i = 0; i < n; i++)
		weft__net_leaf(net, weft__net_switch(net, WEFT_ROLE_LEAF,
				(n - 1) * links + hosts, "sw-%03" PRIu32, i),
			       hosts);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n; j++)
			weft__net_cables(net, i, j, links);
	return 0;
}

const struct weft__gen_family weft__gen_full = {
	.name = "full",
	.syntax = "switches",
	.summary = "fully connected switches",
	.options = GRID_OPTIONS,
	.args = (const struct weft__gen_arg[]){
		{ 0, "number of switches", 2 }, { 0, NULL, 0 } },
	.hosts = 1,
	.build = full_build,
};
