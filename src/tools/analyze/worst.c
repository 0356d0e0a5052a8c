// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --worst: the worst permutation of each case, and its streams. */
#include "tools/analyze/worst.h"

#include <inttypes.h>

static uint32_t from_of(const struct weft_fabric *f, uint32_t channel)
{
	return weft_channel_switch(f, channel);
}

static unsigned port_of(const struct weft_fabric *f, uint32_t channel)
{
	return channel - f->first_channel[from_of(f, channel)];
}

static void print_text(const struct weft_fabric *f, const struct tool_case *c,
		       const struct weft_worst *w, struct tool_report *r)
{
	char a[256], b[256], text[512];

	fprintf(r->out, "%s%s%s%s\n", r->n ? "\n" : "", c->input,
		c->engine ? ", " : "", c->engine ? c->engine : "");
	if (c->refused) {
		tool_refused_print(c->input, c->label, c->refused, r->out);
		return;
	}
	fprintf(r->out, "hosts                   %" PRIu32
		"\nworst permutation       %" PRIu32 " stream%s on a channel\n",
		w->hosts, w->load, w->load == 1 ? "" : "s");
	if (!w->load)
		return;
	fprintf(r->out, "channel                 %s\n",
		tool_text_channel(f, w->channel, text, sizeof(text)));
	fprintf(r->out, "one that does so\n");
	for (uint32_t i = 0; i < w->load; i++)
		fprintf(r->out, "  %s -> %s, LID 0x%04x\n",
			tool_text_vertex(f, w->stream[i].from | WEFT_ENDPORT,
					 a, sizeof(a)),
			tool_text_vertex(f, w->stream[i].to | WEFT_ENDPORT, b,
					 sizeof(b)),
			(unsigned)w->stream[i].lid);
}

static json_t *vertex(const struct weft_fabric *f, uint32_t v)
{
	return tool_json_vertex(f, v, tool_vertex_lid(f, v));
}

static json_t *streams_json(const struct weft_fabric *f,
			    const struct weft_worst *w)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < w->load; i++) {
		const struct weft_worst_stream *s = &w->stream[i];

		json_array_append_new(array, json_pack("{s:o, s:o}",
			"from", vertex(f, s->from | WEFT_ENDPORT),
			"to", tool_json_vertex(f, s->to | WEFT_ENDPORT,
					       s->lid)));
	}
	return array;
}

static void add_json(const struct weft_fabric *f, const struct tool_case *c,
		     const struct weft_worst *w, struct tool_report *r)
{
	json_t *root;

	if (c->refused) {
		json_array_append_new(r->cases, tool_refused_json(
			c->input, c->label, c->refused));
		return;
	}
	root = tool_case_json(c->input, c->label, c->engine, json_pack(
		"{s:n, s:I, s:I, s:o}", "refused",
		"hosts", (json_int_t)w->hosts, "worst", (json_int_t)w->load,
		"streams", streams_json(f, w)));

	if (w->load)
		json_object_set_new(root, "channel", json_pack(
			"{s:o, s:i, s:o, s:i}",
			"from", vertex(f, from_of(f, w->channel)),
			"port", (int)port_of(f, w->channel),
			"to", vertex(f, f->peer[w->channel]),
			"to_port", f->peer_port[w->channel]));
	json_array_append_new(r->cases, root);
}

static bool worst_case(struct tool *t, const struct tool_case *c,
		       void *context)
{
	struct tool_report *r = context;
	const struct weft_worst_spec spec = {
		.lids = t->args.lids,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
	};
	struct weft_worst w = { .load = 0 };

	tool_phase(t, "worst permutation of %s", c->label);
	if (!c->refused &&
	    weft_worst_run(c->fabric, c->routes, &spec, &w, &t->diag))
		return false;
	tool_phase_end(t);
	if (r->cases)
		add_json(c->fabric, c, &w, r);
	else
		print_text(c->fabric, c, &w, r);
	r->n++;
	weft_worst_free(&w);
	return true;
}

enum tool_status tool_worst_run(struct tool *t)
{
	if (t->args.csv)
		return tool_usage(t,
				  "--worst has no table to print as CSV: use --json");
	return tool_report_cases(t, worst_case);
}
