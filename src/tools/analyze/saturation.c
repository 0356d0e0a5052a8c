// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --saturation: what all-to-all traffic gets through. */
#include "tools/analyze/saturation.h"

#include "tools/common/record.h"

#include <inttypes.h>
#include <math.h>

struct record {
	const struct weft_fabric *f;
	struct weft_saturation s;
	double bound, of_bound;	/* of even */
};

static json_t *least_json(const void *record)
{
	const struct record *r = record;

	return tool_json_node(r->f, !r->s.hosts ? WEFT_NONE :
			      r->s.least_endport | WEFT_ENDPORT);
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct record, __VA_ARGS__)
	FIELD(s.hosts, COUNT, "hosts"),
	FIELD(s.even, REAL, "even"),
	FIELD(s.mean, REAL, "mean"),
	FIELD(s.least, REAL, "least"),
	FIELD(s.lost, COUNT, "lost"),
	FIELD(bound, REAL, "uniform_bound"),
	FIELD(of_bound, REAL, "of_uniform_bound"),
	TOOL_TREE_OF("least_host", least_json),
	TOOL_FIELDS_END
#undef FIELD
};

json_t *tool_saturation_json(const struct weft_fabric *f,
			     const struct weft_saturation *s, double bound)
{
	const struct record record = { f, *s, bound, s->even / bound };

	return tool_record_object(figures, &record);
}

static void print(const void *record, FILE *out)
{
	const struct record *r = record;
	const struct weft_saturation *s = &r->s;
	char name[256];

	fprintf(out, "hosts                          %" PRIu32 "\n"
		"everybody alike, at most       %.4f of full bandwidth\n",
		s->hosts, s->even);
	if (isfinite(r->bound))
		fprintf(out, "  any tables, at most          %.4f\n"
			"  of that                      %.4f\n", r->bound,
			r->of_bound);
	fprintf(out, "all at full load, mean         %.4f\n"
		"  least of a host              %.4f  %s\n"
		"pairs without a route          %" PRIu64 "\n",
		s->mean, s->least, !s->hosts ? "" :
		tool_text_vertex(r->f, s->least_endport | WEFT_ENDPORT, name,
				 sizeof(name)), s->lost);
}

static bool saturate_case(struct tool *t, const struct tool_case *c,
			  void *context)
{
	struct tool_report *r = context;
	const struct weft_saturation_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.spread = t->args.lids == WEFT_LID_ALL,
	};
	struct record record = { .f = c->fabric };

	tool_phase(t, "saturation of %s", c->label);
	if (!c->refused && weft_saturation_run(c->fabric, c->routes, &spec,
					       &record.s, &t->diag))
		return false;
	record.bound = c->refused ? NAN :
		       weft_bound_of_uniform(c->fabric, spec.all_hosts);
	record.of_bound = record.s.even / record.bound;
	tool_phase_end(t);
	tool_report_case(t, r, c, figures, &record, print);
	return true;
}

enum tool_status tool_saturation_run(struct tool *t)
{
	if (t->args.lids != WEFT_LID_ROUTES && t->args.lids != WEFT_LID_ALL)
		return tool_usage(t,
				  "--saturation takes the LIDs that the routes say, or --lids=all");
	return tool_report_cases(t, saturate_case);
}
