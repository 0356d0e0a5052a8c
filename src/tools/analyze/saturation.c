// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --saturation: what all-to-all traffic gets through. */
#include "tools/analyze/saturation.h"

#include <inttypes.h>

static void print_text(const struct tool_case *c,
		       const struct weft_saturation *s, struct tool_report *r)
{
	char name[256];

	fprintf(r->out, "%s%s%s%s\n", r->n ? "\n" : "", c->input,
		c->engine ? ", " : "", c->engine ? c->engine : "");
	if (c->refused) {
		tool_refused_print(c->input, c->label, c->refused, r->out);
		return;
	}
	fprintf(r->out, "hosts                          %" PRIu32 "\n"
		"everybody alike, at most       %.4f of full bandwidth\n"
		"all at full load, mean         %.4f\n"
		"  least of a host              %.4f  %s\n"
		"pairs without a route          %" PRIu64 "\n",
		s->hosts, s->even, s->mean, s->least, !s->hosts ? "" :
		tool_text_vertex(c->fabric, s->least_endport | WEFT_ENDPORT,
				 name, sizeof(name)), s->lost);
}

static void add_json(const struct tool_case *c,
		     const struct weft_saturation *s, struct tool_report *r)
{
	json_t *root;

	if (c->refused) {
		json_array_append_new(r->cases, tool_refused_json(
			c->input, c->label, c->refused));
		return;
	}
	root = tool_case_json(c->input, c->label, c->engine, json_pack(
		"{s:n, s:I, s:f, s:f, s:f, s:I}", "refused",
		"hosts", (json_int_t)s->hosts, "even", s->even,
		"mean", s->mean, "least", s->least,
		"lost", (json_int_t)s->lost));

	if (s->hosts)
		json_object_set_new(root, "least_host", tool_json_vertex(
			c->fabric, s->least_endport | WEFT_ENDPORT,
			tool_vertex_lid(c->fabric,
					s->least_endport | WEFT_ENDPORT)));
	json_array_append_new(r->cases, root);
}

static void put_csv(const struct tool_case *c, const struct weft_saturation *s,
		    struct tool_report *r)
{
	if (!r->n)
		fputs("input,routes,by,hosts,even,mean,least,lost,refused\n",
		      r->out);
	tool_text_csv(r->out, c->input);
	tool_text_csv(r->out, c->label);
	if (c->refused)
		fputs("engine,,,,,", r->out);
	else
		fprintf(r->out, "%s,%" PRIu32 ",%.6g,%.6g,%.6g,%" PRIu64,
			c->engine ? "engine" : "tables", s->hosts, s->even,
			s->mean, s->least, s->lost);
	tool_refused_csv(c->refused, r->out);
}

static bool saturate_case(struct tool *t, const struct tool_case *c,
			  void *context)
{
	struct tool_report *r = context;
	const struct weft_saturation_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.spread = t->args.lids == WEFT_LID_ALL,
	};
	struct weft_saturation s = { .hosts = 0 };

	tool_phase(t, "saturation of %s", c->label);
	if (!c->refused &&
	    weft_saturation_run(c->fabric, c->routes, &spec, &s, &t->diag))
		return false;
	tool_phase_end(t);
	if (r->cases)
		add_json(c, &s, r);
	else if (t->args.csv)
		put_csv(c, &s, r);
	else
		print_text(c, &s, r);
	r->n++;
	return true;
}

enum tool_status tool_saturation_run(struct tool *t)
{
	if (t->args.lids != WEFT_LID_ROUTES && t->args.lids != WEFT_LID_ALL)
		return tool_usage(t,
				  "--saturation takes the LIDs that the routes say, or --lids=all");
	return tool_report_cases(t, saturate_case);
}
