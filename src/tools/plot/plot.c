// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft plot: one chart, of fabrics or of what analyze and compare wrote. */
#include "tools/plot/plot.h"

#include "tools/analyze/basket.h"
#include "tools/common/figures.h"
#include "tools/plot/gnuplot.h"

#include <string.h>

struct own {
	const char *title;
	int64_t picture; /* enum tool_picture, -1 = by name */
};

struct plot {
	const struct tool_chart *chart;
	const struct weft_objective *objective;	/* NULL: the basket hpc */
	json_t *cases;
};

static const struct tool_chart *find_chart(struct tool *t, const char *name)
{
	const char *names[16], *near;
	char list[128] = "";
	unsigned n;

	for (n = 0; tool_charts[n].name && n < 15; n++) {
		if (!strcmp(tool_charts[n].name, name))
			return &tool_charts[n];
		names[n] = tool_charts[n].name;
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", n ? ", " : "", names[n]);
	}
	names[n] = NULL;
	near = weft_diag_suggest(name, names);
	if (near)
		tool_usage(t, "no chart '%s'; did you mean '%s'?", name, near);
	else
		tool_usage(t, "no chart '%s'; there are: %s", name, list);
	return NULL;
}

static void list_charts(FILE *out)
{
	for (const struct tool_chart *c = tool_charts; c->name; c++)
		fprintf(out, "%-11s %s\n", c->name, c->about);
}

/* --- from fabrics --------------------------------------------------------- */

static bool figures_case(struct tool *t, const struct tool_case *c,
			 struct plot *p)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.loads = true,
	};
	uint64_t patterns = strcmp(p->chart->key, "ebb") ? 0 : t->args.count;
	struct tool_figures f;

	if (!tool_figures_make(t, c, &spec, patterns, &f))
		return false;
	json_array_append_new(p->cases, tool_figures_json(&f));
	tool_figures_free(&f);
	return true;
}

static bool basket_case(struct tool *t, const struct tool_case *c,
			struct plot *p)
{
	const struct weft_basket_spec spec = {
		.objective = p->objective,
		.seed = t->args.seed,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
	};
	struct weft_worth worth = { .mean = 0 };
	struct weft_basket *basket;
	bool ok;

	tool_phase(t, "worth of %s", c->label);
	if (weft_basket_new(c->fabric, &spec, &basket, &t->diag))
		return false;
	ok = !weft_basket_judge(basket, c->routes, &worth) || tool_no_memory(t);
	if (ok)
		json_array_append_new(
			p->cases,
			tool_basket_json(c, basket, &worth,
					 tool_objective_name(t), false));
	weft_worth_free(&worth);
	weft_basket_free(basket);
	return ok;
}

static bool plot_case(struct tool *t, const struct tool_case *c, void *context)
{
	struct plot *p = context;

	if (c->refused) {
		json_array_append_new(
			p->cases,
			tool_refused_json(c->input, c->label, c->refused));
		return true;
	}
	return p->chart->basket ? basket_case(t, c, p) : figures_case(t, c, p);
}

/* --- the chart ------------------------------------------------------------ */

/* Whether a case has what the chart is about. */
static bool has_figures(const struct tool_chart *chart, const json_t *one)
{
	const json_t *value = json_object_get(one, chart->key);

	return chart->type == JSON_REAL ?
		       json_is_number(value) :
		       value && json_typeof(value) == chart->type;
}

/* Leaves out engines that refused; all others must have what the chart is
 * about. */
static bool check_cases(struct tool *t, struct plot *p)
{
	size_t i = 0;

	while (i < json_array_size(p->cases)) {
		json_t *one = json_array_get(p->cases, i);
		const char *why =
			json_string_value(json_object_get(one, "refused"));

		if (why && *why) {
			weft_diag_say(&t->diag, WEFT_WARNING,
				      "%s is left out: it refused",
				      tool_plot_label(one));
			json_array_remove(p->cases, i);
		} else if (!has_figures(p->chart, one)) {
			weft_diag_say(&t->diag, WEFT_ERROR,
				      "'%s' is not in what is to be drawn: take the output of %s",
				      p->chart->key, p->chart->source);
			return false;
		} else {
			i++;
		}
	}
	if (i)
		return true;
	weft_diag_say(&t->diag, WEFT_ERROR, "there is nothing to draw");
	return false;
}

/* By -f, or by the name's end; SVG for the standard output.  -1 after an
 * error message. */
static int picture_of(struct tool *t)
{
	const struct own *own = t->own;
	const char *output = t->args.output;

	if (own->picture >= 0)
		return own->picture;
	if (!output || !strcmp(output, "-") || tool_output_ends(t, ".svg"))
		return TOOL_SVG;
	if (tool_output_ends(t, ".png"))
		return TOOL_PNG;
	if (tool_output_ends(t, ".pdf"))
		return TOOL_PDF;
	tool_usage(t,
		   "what shall be in %s? Give it the extension .svg, .png or .pdf, or say which by -f",
		   output);
	return -1;
}

static bool draw(struct tool *t, struct plot *p, enum tool_picture picture)
{
	const struct own *own = t->own;
	const json_t *first = json_array_get(p->cases, 0);
	const char *input = json_string_value(json_object_get(first, "input"));
	char title[512];
	FILE *script, *out;

	snprintf(title, sizeof(title), "%s%s%s", p->chart->title,
		 input ? ": " : "", input ? input : "");
	script =
		tool_gnuplot_begin(t, picture, own->title ? own->title : title);
	if (!script)
		return false;
	p->chart->draw(p->cases, script);
	out = tool_output_open(t, t->args.output);
	if (!out)
		fclose(script);
	return out && tool_gnuplot_run(t, script, out);
}

/* What the chart would show, as figures. */
static bool print_values(struct tool *t, const struct plot *p)
{
	FILE *out = tool_output_open(t, t->args.output);

	if (out)
		(t->args.csv ? tool_json_csv : tool_json_print)(
			out, json_incref(p->cases));
	return out;
}

/* Takes the inputs that are reports; the others stay for tool_cases_each(). */
static bool read_reports(struct tool *t, struct plot *p)
{
	struct tool_list *inputs = &t->args.input;
	unsigned kept = 0;
	bool met;

	for (unsigned i = 0; i < inputs->n; i++) {
		if (!tool_plot_read(t, inputs->item[i], p->cases, &met))
			return false;
		if (!met)
			inputs->item[kept++] = inputs->item[i];
	}
	inputs->n = kept;
	return true;
}

/* Moves the name of the chart out of what is no option. */
static bool take_chart(struct tool *t, struct plot *p)
{
	struct tool_list *rest = &t->args.rest;

	if (!rest->n) {
		tool_usage(t, "which chart? 'weft plot --list' tells which there are");
		return false;
	}
	p->chart = find_chart(t, rest->item[0]);
	memmove(rest->item, rest->item + 1, --rest->n * sizeof(*rest->item));
	return p->chart;
}

static enum tool_status plot_run(struct tool *t)
{
	struct weft_objective objective;
	struct plot p = {
		.objective = t->args.objective ? &objective : NULL,
	};
	bool values, ok;
	int picture;

	if (t->args.list) {
		list_charts(stdout);
		return TOOL_FINE;
	}
	values = t->args.json || t->args.csv;
	picture = values ? TOOL_SVG : picture_of(t);
	if (picture < 0 || !take_chart(t, &p) || !tool_cases_inputs(t) ||
	    !tool_objective_read(t, &objective))
		return TOOL_FAILED;
	p.cases = json_array();
	t->bears_refusals = true;
	t->spare_engine = "weave";
	ok = read_reports(t, &p);
	if (ok && t->args.input.n)
		ok = tool_cases_each(t, plot_case, &p);
	ok = ok && check_cases(t, &p) &&
	     (values ? print_values(t, &p) : draw(t, &p, picture));
	json_decref(p.cases);
	weft_objective_free(&objective);
	return tool_cases_status(t, ok);
}

static const struct tool_option plot_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_OBJECTIVE,
	TOOL_OPT_HOSTS,
	TOOL_OPT_BISECTIONS,
	TOOL_OPT(TOOL_FLAG, list, "list", 0, NULL, "list the charts"),
	TOOL_OPT_SEED,
	TOOL_OPT_THREADS,
	TOOL_OWN(TOOL_TEXT, struct own, title, "title", 0, "TEXT",
		 "what stands above the chart"),
	TOOL_OWN(TOOL_CHOICE, struct own, picture, "format", 'f', "FORMAT",
		 "svg, png or pdf, whatever the name of the output says",
		 .preset = -1, .choices = "svg|png|pdf"),
	TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL,
		 "print the figures of the chart as JSON, and draw none"),
	TOOL_OPT(TOOL_FLAG, csv, "csv", 0, NULL,
		 "the same as comma-separated values, without lists"),
	TOOL_OPT_SPREADSHEET,
	TOOL_OPT_OUTPUT("write the picture to FILE: SVG, PNG or PDF by its extension"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_plot = {
	.name = "plot",
	.summary = "draw a chart of figures",
	.usage = "[OPTION]... CHART INPUT...",
	.about =
		"Draws one chart: loads, bisections, patterns or engines. "
		"Inputs are fabrics with their tables or those given by -t and -e (weave routes where there are none), or files of what analyze and compare wrote as JSON or CSV. "
		"gnuplot draws.",
	.options = plot_options,
	.own_size = sizeof(struct own),
	.run = plot_run,
};
