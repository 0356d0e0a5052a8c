// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fabrics for simulators that route by themselves: the topology file of ns-3's
 * RDMA model, which ASTRA-sim has, and a graph for SST's merlin.anytopo.
 *
 * Both know one cable between two switches: several are one of their sum.
 */
#include "page/markup.h"
#include "tools/export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#define CABLE 20 /* ns, as weft sim has them */

/* All cables between two switches. */
struct bundle {
	uint32_t from, to, cables;
	uint64_t mbps;
};

static int by_ends(const void *a, const void *b)
{
	const struct bundle *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* Lists them, each once, by their ends; NULL without memory. */
static struct bundle *list_bundles(const struct weft_fabric *f, uint32_t *n)
{
	struct bundle *b = malloc((f->first_injection + 1ull) * sizeof(*b));
	uint32_t all = 0, kept = 0;

	if (!b)
		return NULL;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t ch = f->first_channel[s];
		     ch < f->first_channel[s + 1]; ch++) {
			uint32_t peer = f->peer[ch];

			if (peer != WEFT_NONE && weft_is_switch(peer) &&
			    peer > s)
				b[all++] = (struct bundle){ s, peer, 1,
							    f->capacity[ch] };
		}
	qsort(b, all, sizeof(*b), by_ends);
	for (uint32_t i = 0; i < all; i++) {
		if (kept && !by_ends(&b[kept - 1], &b[i])) {
			b[kept - 1].cables++;
			b[kept - 1].mbps += b[i].mbps;
		} else {
			b[kept++] = b[i];
		}
	}
	*n = kept;
	return b;
}

/* Says how many bundles are more than a cable. */
static void warn_merged(struct tool *t, const struct bundle *b, uint32_t n,
			const char *how)
{
	uint32_t merged = 0;

	for (uint32_t i = 0; i < n; i++)
		merged += b[i].cables > 1;
	if (merged)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "%s of switches with several cables: %s",
			      WEFT_COUNT(merged, "pair"), how);
}

bool tool_export_ns3(struct tool *t, const struct weft_fabric *f, FILE *out)
{
	uint32_t n;
	struct bundle *b = list_bundles(f, &n);

	if (!b)
		return tool_no_memory(t);
	warn_merged(t, b, n, "one link of the sum of their rates, since ns-3 knows one of a pair");
	fprintf(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", f->nep + f->nsw,
		f->nsw, n + f->nep);
	for (uint32_t s = 0; s < f->nsw; s++)
		fprintf(out, "%s%" PRIu32, s ? " " : "", f->nep + s);
	fputc('\n', out);
	for (uint32_t e = 0; e < f->nep; e++)
		fprintf(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 "Mbps %dns 0\n",
			e, f->nep + f->ep[e].sw,
			f->capacity[f->first_injection + e], CABLE);
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%" PRIu32 " %" PRIu32 " %" PRIu64 "Mbps %dns 0\n",
			f->nep + b[i].from, f->nep + b[i].to, b[i].mbps, CABLE);
	free(b);
	return true;
}

static void put_router(const struct weft_fabric *f, uint32_t sw,
		       const uint32_t *by_switch, uint32_t n, FILE *out)
{
	char name[256];

	fprintf(out, "    <node id=\"%" PRIu32 "\"><data key=\"endpoints\">%"
		PRIu32 "</data><data key=\"name\">", sw, n);
	weft__put_markup(out, f->sw[sw].name);
	fputs("</data><data key=\"hosts\">", out);
	for (uint32_t i = 0; i < n; i++) {
		fputs(i ? "; " : "", out);
		weft__put_markup(out,
				 tool_text_vertex(f,
						  by_switch[i] | WEFT_ENDPORT,
						  name, sizeof(name)));
	}
	fputs("</data></node>\n", out);
}

bool tool_export_sst(struct tool *t, const struct weft_fabric *f, FILE *out)
{
	uint32_t n, hosts;
	struct bundle *b = list_bundles(f, &n);
	uint32_t *here = malloc((f->nep + 1ull) * sizeof(*here));

	if (!b || !here) {
		free(b);
		free(here);
		return tool_no_memory(t);
	}
	warn_merged(t, b, n, "one edge, since anytopo makes links of several twice");
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
	      "  <key id=\"endpoints\" for=\"node\" attr.name=\"endpoints\" attr.type=\"int\"/>\n"
	      "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
	      "  <key id=\"hosts\" for=\"node\" attr.name=\"hosts\" attr.type=\"string\"/>\n"
	      "  <key id=\"cables\" for=\"edge\" attr.name=\"cables\" attr.type=\"int\"/>\n"
	      "  <key id=\"gbit\" for=\"edge\" attr.name=\"gbit\" attr.type=\"double\"/>\n"
	      "  <graph id=\"fabric\" edgedefault=\"undirected\">\n", out);
	for (uint32_t s = 0; s < f->nsw; s++) {
		hosts = 0;
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t peer = f->peer[weft_channel(f, s, p)];

			if (peer != WEFT_NONE && !weft_is_switch(peer))
				here[hosts++] = peer & ~WEFT_ENDPORT;
		}
		put_router(f, s, here, hosts, out);
	}
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "    <edge source=\"%" PRIu32 "\" target=\"%"
			PRIu32 "\"><data key=\"cables\">%" PRIu32
			"</data><data key=\"gbit\">%g</data></edge>\n",
			b[i].from, b[i].to, b[i].cables, b[i].mbps / 1e3);
	fputs("  </graph>\n</graphml>\n", out);
	free(b);
	free(here);
	return true;
}
