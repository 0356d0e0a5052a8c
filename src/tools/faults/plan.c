// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft faults --plan: maintenance in groups, on paper. */
#include "tools/faults/faults.h"

#include "tools/common/fold.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_figures(const struct tool_plan *r,
			  const struct weft_fault_group *g, FILE *out)
{
	const struct weft_fault *f = &g->fault;
	bool anew = f->routed && !f->rerouted.refused;
	const struct weft_fault_bandwidth *b =
		anew ? &f->rerouted.bandwidth : &f->loss.bandwidth;

	char *cut = tool_cut_text(r->c, g->part, g->nparts, r->all_hosts);

	fprintf(out, "  hosts cut off                %s\n",
		WEFT_COUNT(f->loss.cut, NULL));
	if (cut) {
		fputs("    ", out);
		tool_fold_print(out, 4, 4, cut, 6);
	}
	free(cut);
	fprintf(out, "  pairs broken until rerouted  %s\n",
		WEFT_COUNT(f->loss.broken, NULL));
	if (r->engine && !anew)
		fprintf(out, "  %s refuses: %s\n", r->engine,
			f->routed ? f->rerouted.refused : "not asked");
	fprintf(out,
		"  bandwidth, %s %.4f, before %.4f\n"
		"    slowest host               %.4f, before %.4f\n",
		anew ? "routed anew      " : "until rerouted   ", b->mean,
		r->x->before.mean, b->least, r->x->before.least);
	if (anew)
		fprintf(out,
			"  entries changed              %s\n  lanes                        %u\n",
			WEFT_COUNT(f->rerouted.entries, NULL),
			f->rerouted.lanes);
}

/* Why a group is not safe. */
static void print_why(const struct tool_plan *r,
		      const struct weft_fault_group *g, FILE *out)
{
	char text[700];

	if (g->safe)
		return;
	if (g->more)
		snprintf(text, sizeof(text),
			 "together they cut off %s that none of them cuts off alone",
			 WEFT_COUNT(g->more, "host"));
	else if (g->fault.routed && g->fault.rerouted.refused)
		snprintf(text, sizeof(text), "%s does not route what is left",
			 r->engine);
	else
		snprintf(text, sizeof(text),
			 "hosts keep less than %.4g %% of their bandwidth",
			 100 * r->keep);
	fputs("  ", out);
	tool_text_wrap(out, 2, 2, text);
}

static void print_group(const struct tool_plan *r, uint32_t i, FILE *out)
{
	const struct weft_fault_group *g = &r->x->group[i];
	char name[400];

	fprintf(out, "\ngroup %" PRIu32 ": %s%s\n", i + 1,
		WEFT_COUNT(g->nparts, "part"),
		g->safe ? "" : ", NOT SAFE even alone");
	print_why(r, g, out);
	print_figures(r, g, out);
	for (uint32_t k = 0; k < g->nparts; k++) {
		fputs("    ", out);
		tool_text_wrap(out, 4, 6,
			       tool_part_text(r->c->fabric, g->part[k], name,
					      sizeof(name)));
	}
}

void tool_plan_text(const struct tool_plan *r, FILE *out)
{
	const struct weft_fault_plan *x = r->x;

	tool_case_head(r->c, out);
	fprintf(out, "%s at once: %s\n", WEFT_COUNT(x->all.nparts, "part"),
		x->all.safe ? "safe" : "NOT SAFE");
	print_why(r, &x->all, out);
	print_figures(r, &x->all, out);
	if (x->stopped)
		fputs("\nENDED EARLY: the groups so far\n", out);
	for (uint32_t i = 0; i < x->ngroups; i++)
		print_group(r, i, out);
}

static json_t *group_json(const struct tool_plan *r,
			  const struct weft_fault_group *g)
{
	const struct weft_fabric *f = r->c->fabric;
	json_t *one;
	char *cut = tool_cut_text(r->c, g->part, g->nparts, r->all_hosts);

	one = json_pack(
		"{s:b, s:I, s:I, s:I, s:o, s:o, s:o}", "safe", g->safe,
		"cut_off", (json_int_t)g->fault.loss.cut, "more_than_alone",
		(json_int_t)g->more, "broken", (json_int_t)g->fault.loss.broken,
		"bandwidth", tool_bandwidth_json(f, &g->fault.loss.bandwidth, true),
		"rerouted", tool_rerouted_json(f, &g->fault, true), "parts",
		tool_parts_json(f, g->part, g->nparts));
	json_object_set_new(one, "cut_off_hosts",
			    cut ? tool_json_string(cut) : json_null());
	free(cut);
	return one;
}

json_t *tool_plan_json(const struct tool_plan *r)
{
	json_t *groups = json_array();

	for (uint32_t i = 0; i < r->x->ngroups; i++)
		json_array_append_new(groups, group_json(r, &r->x->group[i]));
	return tool_case_json(
		r->c->input, r->c->label, r->c->engine,
		json_pack("{s:s?, s:f, s:b, s:o, s:o, s:o}", "rerouted_by",
			  r->engine, "keep", r->keep, "ended_early",
			  r->x->stopped, "bandwidth",
			  tool_bandwidth_json(r->c->fabric, &r->x->before, true),
			  "at_once", group_json(r, &r->x->all), "groups",
			  groups));
}

static void csv_group(const struct tool_plan *r,
		      const struct weft_fault_group *g, uint32_t number,
		      FILE *out)
{
	char name[400];

	for (uint32_t i = 0; i < g->nparts; i++) {
		tool_text_csv(out, r->c->input);
		tool_text_csv(out, r->c->label);
		fprintf(out, "%" PRIu32 ",%s,", number, g->safe ? "yes" : "no");
		weft_io_csv_quoted(out, tool_part_text(r->c->fabric, g->part[i],
						     name, sizeof(name)));
		fputc('\n', out);
	}
}

void tool_plan_csv(const struct tool_plan *r, bool header, FILE *out)
{
	if (header)
		fputs("input,routes,group,safe,part\n", out);
	if (r->x->all.safe)
		csv_group(r, &r->x->all, 1, out);
	for (uint32_t i = 0; i < r->x->ngroups; i++)
		csv_group(r, &r->x->group[i], i + 1, out);
}
