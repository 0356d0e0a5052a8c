// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results of patterns as comma-separated values: figures, histograms, links. */
#include "tools/analyze/patterns.h"

#include <inttypes.h>

static void put_head(FILE *out, const char *input, const char *label,
		     const char *pattern)
{
	tool_text_csv(out, input);
	tool_text_csv(out, label);
	tool_text_csv(out, pattern);
}

void tool_patterns_csv(const struct tool_patterns *p, unsigned n, FILE *out)
{
	fputs("input,routes,pattern,", out);
	tool_record_keys(tool_pattern_figures, out);
	fputs(",refused\n", out);
	for (unsigned i = 0; i < n; i++) {
		unsigned rows = p[i].refused ? 1 : p[i].n;

		for (unsigned k = 0; k < rows; k++) {
			const struct tool_pattern *one =
				p[i].refused ? NULL : &p[i].pattern[k];

			put_head(out, p[i].input, p[i].label,
				 one ? one->request->label : "");
			tool_record_csv(tool_pattern_figures, one, out);
			tool_refused_csv(p[i].refused, out);
		}
	}
}

/* All bins of one measure that are not empty. */
static void put_bins(FILE *out, const struct tool_patterns *p,
		     const struct tool_pattern *one, enum weft_measure which)
{
	const struct weft_model *m = &one->model;
	const struct weft_statistic *s = &m->measure[which];

	for (unsigned b = 0; b < m->bins; b++) {
		if (!s->histogram[b])
			continue;
		put_head(out, p->input, p->label, one->request->label);
		fprintf(out, "%s,%.6g,%.6g,%" PRIu64 ",%.6g\n",
			weft_measure_name(which), (double)b / m->bins,
			(b + 1.0) / m->bins, s->histogram[b],
			(double)s->histogram[b] / m->samples);
	}
}

bool tool_patterns_histogram(struct tool *t, const struct tool_patterns *p,
			     unsigned n)
{
	FILE *out = tool_output_open(t, t->args.histogram);

	if (!out)
		return false;
	fputs("input,routes,pattern,measure,from,to,samples,share\n", out);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < p[i].n; k++)
			for (unsigned j = 0; j < WEFT_MEASURES; j++)
				put_bins(out, &p[i], &p[i].pattern[k], j);
	return true;
}

bool tool_links_begin(struct tool *t, FILE **out)
{
	*out = tool_output_open(t, t->args.links);
	if (*out)
		fputs("input,routes,pattern,from_guid,from,port,to_guid,to,mbps,streams,peak\n",
		      *out);
	return *out;
}

static void put_end(FILE *out, const struct weft_fabric *f, uint32_t vertex)
{
	char name[256];

	fprintf(out, "0x%016" PRIx64 ",", tool_vertex_guid(f, vertex));
	tool_text_csv(out, tool_text_vertex(f, vertex, name, sizeof(name)));
}

void tool_links_add(FILE *out, const struct tool_case *c,
		    const struct tool_pattern *p)
{
	const struct weft_fabric *f = c->fabric;
	const struct weft_model *m = &p->model;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t sw = weft_channel_switch(f, ch);
		unsigned port = 0;

		if (!m->link[ch].streams)
			continue;
		put_head(out, c->input, c->label, p->request->label);
		if (sw == WEFT_NONE)
			sw = (ch - f->first_injection) | WEFT_ENDPORT;
		else
			port = ch - f->first_channel[sw];
		put_end(out, f, sw);
		fprintf(out, "%u,", port);
		put_end(out, f, f->peer[ch]);
		fprintf(out, "%u,%.6g,%.10g\n", f->capacity[ch],
			(double)m->link[ch].streams / m->samples / m->rounds /
			m->unit, (double)m->link[ch].peak / m->unit);
	}
}
