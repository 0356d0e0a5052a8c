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

static json_t *statistic(const struct weft_statistic *s, unsigned bins)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:o}", "mean", s->mean,
			 "ci99", s->ci99, "stddev", s->stddev, "min", s->min,
			 "max", s->max, "histogram",
			 integers(s->histogram, bins));
}

static json_t *hot(const struct tool_pattern *p)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < p->nhot; i++) {
		const struct tool_hot *h = &p->hot[i];
		char from[24], to[24];

		snprintf(from, sizeof(from), "0x%016llx",
			 (unsigned long long)h->from_guid);
		snprintf(to, sizeof(to), "0x%016llx",
			 (unsigned long long)h->to_guid);
		json_array_append_new(array, json_pack(
			"{s:o, s:s, s:i, s:o, s:s, s:i, s:f, s:o}",
			"from", tool_json_string(h->from), "from_guid", from,
			"port", h->port, "to", tool_json_string(h->to),
			"to_guid", to, "to_port", h->to_port,
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
	o = json_pack("{s:o, s:s, s:s, s:i, s:i, s:I, s:I, s:b, s:b, s:I, s:f, s:f, s:I, s:I, s:I, s:i, s:o}",
		      "pattern", tool_json_string(p->request->label),
		      "mapping", p->order, "lids", p->lids, "hosts", m->hosts,
		      "ranks", m->ranks, "rounds", (json_int_t)m->rounds,
		      "samples", (json_int_t)m->samples, "exact", m->exact,
		      "precise", m->precise, "seed", (json_int_t)m->seed,
		      "slowest", m->slowest, "fastest", m->fastest,
		      "stream_count", (json_int_t)m->streams,
		      "lost", (json_int_t)m->lost,
		      "partial", (json_int_t)m->partial,
		      "unreached", m->unreached,
		      "congestion", integers(m->congestion, most + 1));
	if (!strcmp(p->request->label, "bisect"))
		json_object_set_new(o, "possible",
				    json_real(weft_bisections(m->ranks)));
	for (unsigned i = 0; i < WEFT_MEASURES; i++)
		json_object_set_new(o, weft_measure_name(i),
				    statistic(&m->measure[i], m->bins));
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
