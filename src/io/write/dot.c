// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A drawing of a fabric for Graphviz: one edge for all parallel cables between
 * two switches, labelled with their number.  Switches with hosts are shaded.
 */
#include <weft/io.h>

#include "io/text.h"

#include <inttypes.h>

static void put_switches(FILE *out, const struct weft_fabric *f)
{
	char guid[24];

	for (uint32_t s = 0; s < f->nsw; s++) {
		const struct weft_switch *sw = &f->sw[s];
		bool leaf = f->sw_ep_first[s] != f->sw_ep_first[s + 1];

		fprintf(out, "\ts%u [shape=box, %slabel=", s,
			leaf ? "style=filled, fillcolor=gray90, " : "");
		snprintf(guid, sizeof(guid), "0x%016" PRIx64, sw->guid);
		weft__put_dot_string(out, *sw->name ? sw->name : guid);
		fputs("];\n", out);
	}
}

static void put_edge(FILE *out, uint32_t a, uint32_t b, unsigned cables)
{
	fprintf(out, "\ts%u -- s%u", a, b);
	if (cables > 1)
		fprintf(out, " [label=%u]", cables);
	fputs(";\n", out);
}

static void put_loops(FILE *out, const struct weft_fabric *f, uint32_t s)
{
	unsigned cables = 0;

	for (unsigned p = 1; p <= f->sw[s].nports; p++) {
		uint32_t ch = weft_channel(f, s, p);

		cables += f->peer[ch] == s && f->reverse[ch] > ch;
	}
	if (cables)
		put_edge(out, s, s, cables);
}

/* Neighbours are sorted: parallel cables follow each other. */
static void put_cables(FILE *out, const struct weft_fabric *f, uint32_t s)
{
	uint32_t end = f->adj_first[s + 1], next;

	for (uint32_t i = f->adj_first[s]; i < end; i = next) {
		uint32_t peer = f->peer[f->adj[i]];

		for (next = i; next < end && f->peer[f->adj[next]] == peer;)
			next++;
		if (peer > s)
			put_edge(out, s, peer, next - i);
	}
	put_loops(out, f, s);
}

static void put_nodes(FILE *out, const struct weft_fabric *f)
{
	static const char *const shape[] = {
		[WEFT_HOST] = "ellipse", [WEFT_AGGREGATION] = "diamond",
		[WEFT_ROUTER] = "hexagon",
	};

	for (uint32_t n = 0; n < f->nnodes; n++) {
		fprintf(out, "\tn%u [shape=%s, label=", n,
			shape[f->node[n].kind]);
		weft__put_dot_string(out, f->node[n].name);
		fputs("];\n", out);
	}
	for (uint32_t e = 0; e < f->nep; e++)
		fprintf(out, "\ts%u -- n%u;\n", f->ep[e].sw, f->ep[e].node);
}

int weft_io_write_dot(FILE *out, const struct weft_fabric *fabric,
		      bool endports, struct weft_diag *diag)
{
	fputs("graph fabric {\n", out);
	put_switches(out, fabric);
	for (uint32_t s = 0; s < fabric->nsw; s++)
		put_cables(out, fabric, s);
	if (endports)
		put_nodes(out, fabric);
	fputs("}\n", out);
	return weft__finish_output(out, diag);
}
