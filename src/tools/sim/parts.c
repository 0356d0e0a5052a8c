// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Latencies of hosts, flows and lanes, and how long packets waited for
 * channels: the worst of each in words, all of them for programs.
 */
#include "tools/sim/outcome.h"

#include <stdlib.h>

#define LISTED 5 /* of each kind, in words */

const char *tool_sim_part_name(const struct tool_sim *s,
			       const struct weft_sim_part *p, char *buf,
			       size_t size)
{
	const struct weft_sim *r = &s->result;

	switch (p->kind) {
	case WEFT_SIM_OF_HOST:
		return tool_text_vertex(s->c->fabric,
					r->host[p->item].ep | WEFT_ENDPORT, buf,
					size);
	case WEFT_SIM_OF_FLOW:
		return tool_sim_flow_text(s, &r->flow[p->item], buf, size);
	case WEFT_SIM_OF_CHANNEL:
		return tool_text_channel(s->c->fabric, p->item, buf, size);
	default:
		*buf = '\0';
		return buf;
	}
}

/* --- words ---------------------------------------------------------------- */

/* The longest mean first, then in the order of the list. */
static int compare(const void *a, const void *b)
{
	const struct weft_sim_part *x = *(const struct weft_sim_part *const *)a;
	const struct weft_sim_part *y = *(const struct weft_sim_part *const *)b;

	if (x->ns.mean.mean < y->ns.mean.mean)
		return 1;
	if (x->ns.mean.mean > y->ns.mean.mean)
		return -1;
	return (x > y) - (x < y);
}

static void print_part(const struct tool_sim *s, const struct weft_sim_part *p,
		       unsigned lanes, FILE *out)
{
	char name[320], text[360];

	fprintf(out, "    %9.0f %9.0f %9.0f %9.0f  ", p->ns.mean.mean,
		p->ns.p50, p->ns.p99, p->ns.max);
	tool_sim_part_name(s, p, name, sizeof(name));
	if (p->kind == WEFT_SIM_OF_LANE)
		snprintf(text, sizeof(text), "VL %u", p->lane);
	else if (p->kind == WEFT_SIM_OF_CHANNEL && lanes > 1)
		snprintf(text, sizeof(text), "%s, VL %u", name, p->lane);
	else
		snprintf(text, sizeof(text), "%s", name);
	tool_text_wrap(out, 45, 47, text);
}

/* Prints the worst parts of a kind; order: room for all. */
static void print_kind(const struct tool_sim *s, enum weft_sim_part_kind kind,
		       const struct weft_sim_part **order, FILE *out)
{
	static const char *const heads[] = {
		[WEFT_SIM_OF_HOST] = "latency at the slowest hosts",
		[WEFT_SIM_OF_FLOW] = "latency of the slowest flows",
		[WEFT_SIM_OF_LANE] = "latency by lanes",
		[WEFT_SIM_OF_CHANNEL] = "longest waiting for channels",
	};
	const struct weft_sim *r = &s->result;
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->parts; i++)
		if (r->part[i].kind == kind)
			order[n++] = &r->part[i];
	if (!n)
		return;
	qsort(order, n, sizeof(*order), compare);
	fprintf(out, "  %s, in ns\n", heads[kind]);
	fputs("         mean      50 %      99 %      most\n", out);
	for (uint32_t i = 0; i < n && i < LISTED; i++)
		print_part(s, order[i], r->lanes, out);
}

void tool_sim_parts_print(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim_part **order =
		malloc((s->result.parts + 1ull) * sizeof(const void *));

	if (!order)
		return;
	for (unsigned kind = 0; kind <= WEFT_SIM_OF_CHANNEL; kind++)
		print_kind(s, kind, order, out);
	free(order);
}

/* --- programs ------------------------------------------------------------- */

static json_t *part_json(const struct tool_sim *s,
			 const struct weft_sim_part *p)
{
	json_t *bins = json_array();
	char name[320];

	for (uint32_t i = 0; i < p->bins; i++) {
		const struct weft_sim_bin *bin =
			&s->result.part_bin[p->first_bin + i];

		json_array_append_new(bins, json_pack("[f, I]", bin->ns,
						      (json_int_t)bin->n));
	}
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o}", "kind",
		weft_sim_part_name(p->kind), "item",
		tool_json_string(tool_sim_part_name(s, p, name, sizeof(name))),
		"lane",
		tool_sim_part_has_lane(p) ? json_integer(p->lane) : json_null(),
		"ns", tool_sim_latency_json(&p->ns), "histogram", bins);
}

json_t *tool_sim_parts_json(const struct tool_sim *s)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < s->result.parts; i++)
		json_array_append_new(array,
				      part_json(s, &s->result.part[i]));
	return array;
}
