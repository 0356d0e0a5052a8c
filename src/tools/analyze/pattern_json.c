// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results of patterns as JSON; the keys are documented in weft-analyze(1). */
#include "tools/analyze/patterns.h"

#include <string.h>

static json_t *integers(const uint64_t *value, unsigned n)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(array, json_integer(value[i]));
	return array;
}

#define FIELD(...) TOOL_FIELD(struct tool_pattern, __VA_ARGS__)
#define OF(name, which, statistic) FIELD(model.measure[which].statistic, \
	REAL, name "." #statistic, .digits = 4)
#define MEASURE(name, which) \
	OF(name, which, mean), OF(name, which, ci99), OF(name, which, min), \
	OF(name, which, max)
const struct tool_field tool_pattern_figures[] = {
	FIELD(order, WORD, "mapping"),
	FIELD(lids, WORD, "lids"),
	FIELD(model.ranks, COUNT, "ranks"),
	FIELD(model.rounds, COUNT, "rounds"),
	FIELD(model.samples, COUNT, "samples"),
	FIELD(model.seed, COUNT, "seed"),
	FIELD(model.lost, COUNT, "lost"),
	FIELD(model.slowest, REAL, "slowest", .digits = 4),
	FIELD(model.fastest, REAL, "fastest", .digits = 4),
	MEASURE("streams", WEFT_STREAMS),
	MEASURE("lower", WEFT_LOWER),
	MEASURE("upper", WEFT_UPPER),
	FIELD(model.hosts, COUNT, "hosts"),
	FIELD(model.exact, YES, "exact"),
	FIELD(model.precise, YES, "precise"),
	FIELD(model.streams, COUNT, "stream_count"),
	FIELD(model.partial, COUNT, "partial"),
	FIELD(model.unreached, COUNT, "unreached"),
	OF("streams", WEFT_STREAMS, stddev),
	OF("lower", WEFT_LOWER, stddev),
	OF("upper", WEFT_UPPER, stddev),
	TOOL_FIELDS_END
};
#undef MEASURE
#undef OF
#undef FIELD

static json_t *hot(const struct tool_pattern *p)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < p->nhot; i++) {
		const struct tool_hot *h = &p->hot[i];

		json_array_append_new(array, json_pack(
			"{s:o, s:o, s:i, s:o, s:o, s:i, s:f, s:o}",
			"from", tool_json_string(h->from),
			"from_guid", tool_json_guid(h->from_guid),
			"port", h->port, "to", tool_json_string(h->to),
			"to_guid", tool_json_guid(h->to_guid), "to_port", h->to_port,
			"streams", h->streams,
			"peak", h->peak == (uint64_t)h->peak ?
				json_integer(h->peak) : json_real(h->peak)));
	}
	return array;
}

static json_t *pattern(const struct tool_pattern *p)
{
	const struct weft_model *m = &p->model;
	unsigned most = WEFT_MAX_CONGESTION;
	json_t *o;

	while (most && !m->congestion[most])
		most--;
	o = json_pack("{s:o, s:o}",
		      "pattern", tool_json_string(p->request->label),
		      "congestion", integers(m->congestion, most + 1));
	tool_record_json(tool_pattern_figures, p, o);
	if (!strcmp(p->request->label, "bisect"))
		json_object_set_new(
			o, "possible",
			json_real(weft_pattern_bisections(m->ranks)));
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		json_object_set_new(json_object_get(o, weft_measure_name(i)),
				    "histogram",
				    integers(m->measure[i].histogram, m->bins));
	if (p->nhot)
		json_object_set_new(o, "hottest", hot(p));
	return o;
}

json_t *tool_patterns_json(const struct tool_patterns *p,
			   const struct tool_requests *r)
{
	json_t *patterns, *times, *root;

	if (p->refused)
		return tool_refused_json(p->input, p->label, p->refused);
	patterns = json_array();
	times = json_object();
	for (unsigned i = 0; i < p->n; i++)
		json_array_append_new(patterns, pattern(&p->pattern[i]));
	for (unsigned i = 0; i < r->napplications; i++)
		json_object_set_new(times, r->application[i].text,
				    json_pack("{s:f, s:f}",
					      "time", p->time[i],
					      "ci99", p->error[i]));
	root = tool_case_json(p->input, p->label,
			      p->is_engine ? p->label : NULL,
			      json_pack("{s:n, s:i, s:i, s:i, s:o}", "refused",
					"hosts", p->hosts, "switches",
					p->switches, "links", p->links,
					"patterns", patterns));
	if (r->napplications)
		json_object_set_new(root, "applications", times);
	else
		json_decref(times);
	return root;
}
