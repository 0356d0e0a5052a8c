// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft check --against: fabrics and what they should be. */
#include "tools/check/against.h"

#include <inttypes.h>

struct comparison {
	const char *plan_name, *input;
	const struct weft_fabric *plan, *fabric;
	struct weft_against found;
	const char *was;	/* what the plan's part of a line begins with */
};

/* "name" with the GUID behind it if it has no name. */
static const char *device_text(const struct weft_fabric *f, uint32_t device,
			       char *buf, size_t size)
{
	const char *name = weft_device_name(f, device);

	if (!*name)
		snprintf(buf, size, "0x%016" PRIx64,
			 weft_device_guid(f, device));
	else
		weft_diag_printable(buf, size, name);
	return buf;
}

/* "leaf-01:3 - spine-02:7" */
static const char *cable_text(const struct weft_fabric *f,
			      const struct weft_cable *c, char *buf,
			      size_t size)
{
	char a[160], b[160];

	snprintf(buf, size, "%s:%u - %s:%u",
		 device_text(f, c->device[0], a, sizeof(a)), c->port[0],
		 device_text(f, c->device[1], b, sizeof(b)), c->port[1]);
	return buf;
}

static void print_node(const struct comparison *c,
		       const struct weft_difference *d, char *text, size_t size)
{
	const struct weft_fabric *f =
		d->kind == WEFT_NODE_MISSING ? c->plan : c->fabric;
	char name[160];

	device_text(f, d->device, name, sizeof(name));
	if (d->kind == WEFT_NODE_PORTS)
		snprintf(text, size,
			 "%s (0x%016" PRIx64 ") has %" PRIu32
			 " ports instead of %" PRIu32,
			 name, weft_device_guid(f, d->device), d->found_rate,
			 d->planned_rate);
	else
		snprintf(text, size, "%s (0x%016" PRIx64 "), with %s", name,
			 weft_device_guid(f, d->device),
			 WEFT_COUNT(d->cables, "cable"));
}

static void print_cable(const struct comparison *c,
			const struct weft_difference *d, char *text,
			size_t size)
{
	char planned[2][400], found[2][400];

	for (unsigned i = 0; i < 2; i++) {
		cable_text(c->plan, &d->planned[i], planned[i],
			   sizeof(planned[i]));
		cable_text(c->fabric, &d->found[i], found[i], sizeof(found[i]));
	}
	if (d->kind == WEFT_CABLE_MISSING)
		snprintf(text, size, "%s", planned[0]);
	else if (d->kind == WEFT_CABLE_EXTRA)
		snprintf(text, size, "%s", found[0]);
	else if (d->kind == WEFT_CABLES_SWAPPED)
		snprintf(text, size, "%s and %s, %s %s and %s", found[0],
			 found[1], c->was, planned[0], planned[1]);
	else if (d->kind == WEFT_LINK_SLOWER)
		snprintf(text, size, "%s, %.4g instead of %.4g Gbit/s",
			 found[0], d->found_rate / 1e3, d->planned_rate / 1e3);
	else
		snprintf(text, size, "%s, %s %s", found[0], c->was, planned[0]);
}

static bool is_node(enum weft_difference_kind kind)
{
	return kind <= WEFT_NODE_PORTS;
}

/* Differences by kind, the first of each in words. */
static void print_differences(const struct comparison *c, uint32_t most,
			      FILE *out)
{
	const struct weft_against *a = &c->found;
	uint32_t shown = 0;
	char text[2048];

	for (uint32_t i = 0; i < a->n; i++) {
		const struct weft_difference *d = &a->difference[i];

		if (!i || d->kind != a->difference[i - 1].kind) {
			fprintf(out, "  %-23s %s\n",
				weft_difference_name(d->kind),
				WEFT_COUNT(a->count[d->kind], NULL));
			shown = 0;
		}
		if (shown++ >= most)
			continue;
		if (is_node(d->kind))
			print_node(c, d, text, sizeof(text));
		else
			print_cable(c, d, text, sizeof(text));
		fputs("    ", out);
		tool_text_wrap(out, 4, 6, text);
	}
}

void tool_against_print(const struct weft_fabric *before,
			const struct weft_fabric *after,
			const struct weft_against *found, uint32_t most,
			FILE *out)
{
	const struct comparison c = { .plan = before, .fabric = after,
				      .found = *found, .was = "before" };

	print_differences(&c, most, out);
}

static void print_text(const struct comparison *c, uint32_t most, FILE *out)
{
	const struct weft_against *a = &c->found;

	fprintf(out, "%s against %s\n", c->input, c->plan_name);
	fprintf(out, "  nodes                   %s planned, ",
		WEFT_COUNT(a->nodes, NULL));
	fprintf(out, "%s there\n", WEFT_COUNT(a->found_nodes, NULL));
	fprintf(out, "  cables                  %s planned, ",
		WEFT_COUNT(a->cables, NULL));
	fprintf(out, "%s there, ", WEFT_COUNT(a->found_cables, NULL));
	fprintf(out, "%s as planned\n", WEFT_COUNT(a->equal, NULL));
	print_differences(c, most, out);
	fputs(a->n ? "  not as planned\n" : "  as planned\n", out);
}

static json_t *end_json(const struct weft_fabric *f, const struct weft_cable *c,
			unsigned side)
{
	uint32_t device = c->device[side];

	return json_pack("{s:o, s:o, s:i}",
			 "name", tool_json_string(weft_device_name(f, device)),
			 "guid", tool_json_guid(weft_device_guid(f, device)),
			 "port", c->port[side]);
}

static json_t *cables_json(const struct weft_fabric *f,
			   const struct weft_cable *c, unsigned n)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(array,
				      json_pack("[o, o]", end_json(f, &c[i], 0),
						end_json(f, &c[i], 1)));
	return array;
}

static json_t *difference_json(const struct comparison *c,
			       const struct weft_difference *d)
{
	const struct weft_fabric *f =
		d->kind == WEFT_NODE_MISSING ? c->plan : c->fabric;
	unsigned n = 1 + (d->kind == WEFT_CABLES_SWAPPED);
	json_t *o = json_pack("{s:s}", "kind", weft_difference_name(d->kind));

	json_object_update_new(o, is_node(d->kind) ?
		json_pack("{s:o, s:o, s:i}", "name",
			  tool_json_string(weft_device_name(f, d->device)),
			  "guid", tool_json_guid(weft_device_guid(f, d->device)),
			  "cables", d->cables) :
		json_pack("{s:o, s:o}", "planned",
			  cables_json(c->plan, d->planned,
				      d->kind == WEFT_CABLE_EXTRA ? 0 : n),
			  "found",
			  cables_json(c->fabric, d->found,
				      d->kind == WEFT_CABLE_MISSING ? 0 : n)));
	if (d->planned_rate) {
		json_object_set_new(
			o, is_node(d->kind) ? "planned_ports" : "planned_mbit",
			json_integer(d->planned_rate));
		json_object_set_new(
			o, is_node(d->kind) ? "found_ports" : "found_mbit",
			json_integer(d->found_rate));
	}
	return o;
}

static json_t *differences_json(const struct comparison *c, uint32_t most)
{
	const struct weft_against *a = &c->found;
	json_t *list = json_array();
	uint32_t shown = 0;

	for (uint32_t i = 0; i < a->n; i++) {
		const struct weft_difference *d = &a->difference[i];

		shown = i && d->kind == d[-1].kind ? shown + 1 : 0;
		if (shown < most)
			json_array_append_new(list, difference_json(c, d));
	}
	return list;
}

json_t *tool_against_json(const struct weft_fabric *before,
			  const struct weft_fabric *after,
			  const struct weft_against *found, uint32_t most)
{
	const struct comparison c = { .plan = before, .fabric = after,
				      .found = *found };

	return differences_json(&c, most);
}

static json_t *comparison_json(const struct comparison *c, uint32_t most)
{
	const struct weft_against *a = &c->found;
	json_t *counts = json_object();

	for (unsigned k = 0; k < WEFT_DIFFERENCES; k++)
		json_object_set_new(counts, weft_difference_name(k),
				    json_integer(a->count[k]));
	return json_pack("{s:o, s:o, s:b, s:i, s:i, s:i, s:i, s:i, s:o, s:o}",
			 "input", tool_json_string(c->input),
			 "plan", tool_json_string(c->plan_name),
			 "as_planned", !a->n, "planned_nodes", a->nodes,
			 "nodes", a->found_nodes, "planned_cables", a->cables,
			 "cables", a->found_cables, "cables_as_planned",
			 a->equal, "counts", counts, "differences",
			 differences_json(c, most));
}

static void print_csv_cable(const struct weft_fabric *f,
			    const struct weft_cable *c, bool there, FILE *out)
{
	char name[160];

	for (unsigned i = 0; i < 2; i++) {
		fputc(',', out);
		if (there) {
			tool_text_csv(out, device_text(f, c->device[i], name,
						       sizeof(name)));
			fprintf(out, "%u", c->port[i]);
		} else {
			fputc(',', out);
		}
	}
}

/* A row for each difference. */
static void print_csv(const struct comparison *c, FILE *out)
{
	for (uint32_t i = 0; i < c->found.n; i++) {
		const struct weft_difference *d = &c->found.difference[i];
		struct weft_cable node = { { d->device, d->device }, { 0, 0 } };
		bool nodes = is_node(d->kind);
		bool planned = nodes ? d->kind == WEFT_NODE_MISSING :
				       d->kind != WEFT_CABLE_EXTRA;
		bool found = nodes ? !planned : d->kind != WEFT_CABLE_MISSING;

		for (unsigned k = 0;
		     k <= (unsigned)(d->kind == WEFT_CABLES_SWAPPED); k++) {
			tool_text_csv(out, c->input);
			fputs(weft_difference_name(d->kind), out);
			print_csv_cable(c->plan, nodes ? &node : &d->planned[k],
					planned, out);
			print_csv_cable(c->fabric, nodes ? &node : &d->found[k],
					found, out);
			fputc('\n', out);
		}
	}
}

static bool compare(struct tool *t, const struct weft_input *plan,
		    const char *plan_name, bool any_port, const char *input,
		    struct tool_report *report, bool *differ)
{
	struct comparison c = { .plan_name = plan_name,
				.input = input,
				.plan = plan->fabric,
				.was = "planned" };
	struct weft_input in;
	bool ok;

	tool_phase(t, "reading %s", input);
	if (!tool_input_open(t, input, true, &in))
		return false;
	tool_talk_about(t, input);
	c.fabric = in.fabric;
	ok = !weft_against_run(c.plan, c.fabric, any_port, &c.found, &t->diag);
	tool_talk_about(t, NULL);
	tool_phase_end(t);
	if (ok && t->args.json)
		json_array_append_new(report->cases,
				      comparison_json(&c, t->args.count));
	else if (ok && t->args.csv)
		print_csv(&c, report->out);
	else if (ok)
		print_text(&c, t->args.count, report->out);
	*differ |= ok && c.found.n;
	weft_against_free(&c.found);
	weft_input_close(&in);
	return ok;
}

enum tool_status tool_against_run(struct tool *t, const char *plan_name,
				  bool any_port)
{
	struct tool_report report = { .out = NULL };
	struct weft_input plan;
	bool ok = true, differ = false;

	if (!tool_input_open(t, plan_name, true, &plan))
		return TOOL_FAILED;
	ok = tool_report_open(t, &report);
	if (ok && t->args.csv)
		fputs("input,kind,planned_a,planned_port_a,planned_b,planned_port_b,found_a,found_port_a,found_b,found_port_b\n",
		      report.out);
	for (unsigned i = 0; i < t->args.input.n && ok; i++)
		ok = compare(t, &plan, plan_name, any_port,
			     t->args.input.item[i], &report, &differ);
	ok = tool_report_close(&report, ok);
	weft_input_close(&plan);
	return !ok ? TOOL_FAILED : differ ? TOOL_FOUND : TOOL_FINE;
}
