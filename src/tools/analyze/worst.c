// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --worst: the worst permutation of each case, and its streams. */
#include "tools/analyze/worst.h"

#include "tools/common/record.h"

#include <inttypes.h>

struct record {
	const struct weft_fabric *f;
	struct weft_worst w;
};

static void print(const void *record, FILE *out)
{
	const struct record *r = record;
	const struct weft_worst *w = &r->w;
	char a[256], b[256], text[512];

	fprintf(out, "hosts                   %" PRIu32
		"\nworst permutation       %" PRIu32 " stream%s on a channel\n",
		w->hosts, w->load, w->load == 1 ? "" : "s");
	if (!w->load)
		return;
	fprintf(out, "channel                 %s\n",
		tool_text_channel(r->f, w->channel, text, sizeof(text)));
	fprintf(out, "one that does so\n");
	for (uint32_t i = 0; i < w->load; i++)
		fprintf(out, "  %s -> %s, LID 0x%04x\n",
			tool_text_vertex(r->f, w->stream[i].from | WEFT_ENDPORT,
					 a, sizeof(a)),
			tool_text_vertex(r->f, w->stream[i].to | WEFT_ENDPORT,
					 b, sizeof(b)),
			(unsigned)w->stream[i].lid);
}

static json_t *streams_json(const void *record)
{
	const struct record *r = record;
	json_t *array = json_array();

	for (uint32_t i = 0; i < r->w.load; i++) {
		const struct weft_worst_stream *s = &r->w.stream[i];

		json_array_append_new(array, json_pack("{s:o, s:o}",
			"from", tool_json_node(r->f, s->from | WEFT_ENDPORT),
			"to", tool_json_vertex(r->f, s->to | WEFT_ENDPORT,
					       s->lid)));
	}
	return array;
}

static json_t *channel_json(const void *record)
{
	const struct record *r = record;
	uint32_t ch = r->w.channel, from;

	if (!r->w.load)
		return json_null();
	from = weft_channel_switch(r->f, ch);
	return json_pack("{s:o, s:i, s:o, s:i}", "from",
			 tool_json_node(r->f, from),
			 "port", (int)(ch - r->f->first_channel[from]),
			 "to", tool_json_node(r->f, r->f->peer[ch]),
			 "to_port", r->f->peer_port[ch]);
}

static const struct tool_field figures[] = {
	TOOL_FIELD(struct record, w.hosts, COUNT, "hosts"),
	TOOL_FIELD(struct record, w.load, COUNT, "worst"),
	TOOL_TREE_OF("streams", streams_json),
	TOOL_TREE_OF("channel", channel_json),
	TOOL_FIELDS_END
};

static bool worst_case(struct tool *t, const struct tool_case *c,
		       void *context)
{
	struct tool_report *r = context;
	const struct weft_worst_spec spec = {
		.lids = t->args.lids,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
	};
	struct record record = { .f = c->fabric };

	tool_phase(t, "worst permutation of %s", c->label);
	if (!c->refused && weft_worst_run(c->fabric, c->routes, &spec,
					  &record.w, &t->diag))
		return false;
	tool_phase_end(t);
	tool_report_case(t, r, c, figures, &record, print);
	weft_worst_free(&record.w);
	return true;
}

enum tool_status tool_worst_run(struct tool *t)
{
	return tool_report_cases(t, worst_case);
}
