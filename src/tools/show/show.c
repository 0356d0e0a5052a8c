// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft show: what a fabric is, in words or as a picture. */
#include "tools/show/show.h"

#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"
#include "draw/picture.h"
#include "page/page.h"
#include "tools/show/interactive.h"
#include "tools/show/overlay.h"

enum format { TEXT, SVG, PNG, PDF, DOT, JSON, CSV, HTML, FACTS };

struct own {
	struct tool_overlay_spec overlay;
	const char *title;
	bool interactive, all, unfold;
	int64_t format; /* enum format, -1 = by name */
};

/* A fabric, and what is known about it. */
struct sight {
	const char *input;
	const struct weft_fabric *f;
	struct weft_shape shape;
	const struct weft_routes *routes;	/* NULL: none were asked for */
	const char *tables;			/* what these are called */
	struct tool_overlay overlay;
	enum format format;
};

/* --- formats -------------------------------------------------------------- */

static void set_drawing(const struct tool *t, const struct sight *s,
			struct weft__drawing *d)
{
	const struct own *own = t->own;

	*d = (struct weft__drawing){
		.fabric = s->f,
		.shape = &s->shape,
		.title = own->title ? own->title : s->input,
		.overlay =
			tool_overlay_any(&own->overlay) ? &s->overlay.o : NULL,
		.unfolded = own->unfold,
	};
}

static bool write_page(struct tool *t, const struct sight *s, FILE *out)
{
	struct weft__drawing d;
	bool ok;

	set_drawing(t, s, &d);
	if (s->routes && ((const struct own *)t->own)->interactive)
		return tool_show_interactive(t, &d, s->routes, s->tables, out);
	weft__page_begin(out, d.title, s->shape.what);
	d.embedded = true;
	d.title = NULL;
	fputs("<section id=\"fabric\"><figure class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"picture\">\n",
	      out);
	ok = !weft__draw_svg(&d, out, &t->diag);
	fputs("</figure>\n<ul>\n", out);
	for (uint32_t i = 0; i < s->shape.nnotes; i++)
		if (s->shape.note[i].told != WEFT_SHAPE_MORE)
			weft__page_text(out, "li", NULL, "%s", s->shape.note[i].text);
	fputs("</ul></section>\n", out);
	weft__page_end(out, "Made by weft " WEFT_VERSION
			    ", weft-show(1). This page needs no network and no other file.");
	return ok;
}

/* By way of the SVG, in memory. */
static bool write_picture(struct tool *t, const struct sight *s, FILE *out)
{
	struct weft__drawing d;
	char *svg = NULL;
	size_t n = 0;
	FILE *memory = open_memstream(&svg, &n);
	bool ok = memory || tool_no_memory(t);

	set_drawing(t, s, &d);
	if (ok)
		ok = !weft__draw_svg(&d, memory, &t->diag);
	if (memory && fclose(memory) && ok)
		ok = tool_no_memory(t);
	tool_phase(t, "rendering");
	ok = ok && !weft__picture_write(s->format == PNG ? WEFT__PICTURE_PNG :
							   WEFT__PICTURE_PDF,
					svg, n, out, &t->diag);
	free(svg);
	return ok;
}

static bool write_sight(struct tool *t, const struct sight *s, FILE *out)
{
	struct weft__drawing d;
	json_t *facts;

	switch (s->format) {
	case SVG:
		set_drawing(t, s, &d);
		return !weft__draw_svg(&d, out, &t->diag);
	case PNG:
	case PDF:
		return write_picture(t, s, out);
	case HTML:
		return write_page(t, s, out);
	case DOT:
		return !weft_io_write_dot(out, s->f, true, &t->diag);
	case JSON:
		return !weft_io_write_fabric_json(out, s->f, &t->diag);
	case CSV:
		return s->overlay.load ?
			       !weft_io_write_links_csv(out, s->f,
							s->overlay.load,
							&t->diag) :
			       !weft_io_write_channels_csv(out, s->f, &t->diag);
	case FACTS:
		facts = tool_show_json(s->input, s->f, &s->shape);
		if (t->args.csv)
			tool_json_csv(out, json_pack("[o]", facts));
		else
			tool_json_print(out, facts);
		return true;
	default:
		tool_show_text(s->input, s->f, &s->shape,
			       ((const struct own *)t->own)->all, out);
		return true;
	}
}

/* --- a fabric ------------------------------------------------------------- */

static bool show(struct tool *t, struct sight *s,
		 const struct weft_routes *routes)
{
	const struct own *own = t->own;
	FILE *out;
	bool ok;

	tool_phase(t, "looking at %s", s->input);
	if (weft_shape_find(s->f, &s->shape, &t->diag))
		return false;
	ok = !tool_overlay_any(&own->overlay) ||
	     tool_overlay_make(t, &own->overlay, s->f, &s->shape, routes,
			       &s->overlay);
	tool_phase(t, "drawing");
	out = ok ? tool_output_open(t, t->args.output) : NULL;
	if (s->format == TEXT || s->format == FACTS)
		tool_phase_end(t);
	if (out) {
		tool_talk_about(t, tool_output_name(out));
		ok = write_sight(t, s, out);
		tool_talk_about(t, NULL);
	}
	tool_overlay_free(&s->overlay);
	weft_shape_free(&s->shape);
	return ok && out;
}

static bool show_case(struct tool *t, const struct tool_case *c, void *context)
{
	struct sight *s = context;

	if (c->spare)
		weft_diag_at(&t->diag, WEFT_WARNING, c->input, 0,
			     "holds no forwarding tables: shown as %s would route it",
			     c->engine);
	s->input = c->input;
	s->f = c->fabric;
	s->routes = c->routes;
	s->tables = c->label;
	return show(t, s, c->routes);
}

static bool show_fabric(struct tool *t, struct sight *s)
{
	struct weft_input in;
	bool ok;

	s->input = t->args.input.item[0];
	tool_phase(t, "reading %s", s->input);
	if (!tool_input_open(t, s->input, true, &in))
		return false;
	s->f = in.fabric;
	ok = show(t, s, NULL);
	weft_input_close(&in);
	return ok;
}

/* --- the command line ----------------------------------------------------- */

/* By -f, or by the name's end; text without a name.  -1 after an error
 * message. */
static int format_of(struct tool *t)
{
	static const struct {
		const char *end;
		enum format format;
	} names[] = {
		{ ".svg", SVG },  { ".png", PNG },   { ".pdf", PDF },
		{ ".dot", DOT },  { ".gv", DOT },    { ".json", JSON },
		{ ".csv", CSV },  { ".html", HTML }, { ".htm", HTML },
		{ ".txt", TEXT },
	};
	const struct own *own = t->own;
	const char *output = t->args.output;

	bool facts = t->args.json || t->args.csv;

	if (facts && own->format >= 0) {
		tool_usage(t, "--%s prints what a fabric is, -f writes the fabric itself: give one of them", t->args.json ? "json" : "csv");
		return -1;
	}
	if (facts)
		return FACTS;
	if (own->format >= 0)
		return own->format;
	if (!output || !strcmp(output, "-"))
		return TEXT;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (tool_output_ends(t, names[i].end))
			return names[i].format;
	tool_usage(t,
		   "what shall be in %s? Give it the extension .svg, .png, .pdf, .dot, .json, .csv, .html or .txt, or say which by -f",
		   output);
	return -1;
}

/* What goes together.  False after an error message. */
static bool check_options(struct tool *t, enum format format)
{
	const struct own *own = t->own;
	const struct tool_overlay_spec *o = &own->overlay;
	bool drawn = format == SVG || format == PNG || format == PDF ||
		     format == HTML;

	if (t->args.input.n > 1)
		tool_usage(t, "one fabric can be shown: give one input");
	else if (t->args.engine.n > 1 || (t->args.engine.n && t->args.table.n))
		tool_usage(t, "one routing can be shown: give one -e, or tables with -t");
	else if (!drawn && tool_overlay_any(o) && !(format == CSV && o->load))
		tool_usage(t, "what is drawn over a fabric needs a picture: -o FILE.svg, .png, .pdf or .html");
	else if (own->interactive && format != HTML)
		tool_usage(t, "--interactive writes a page: -o FILE.html");
	else if (o->pattern && !o->load && !o->hottest && !o->unused)
		tool_usage(t, "--pattern goes with --load, --hottest or --unused");
	else if (format == PNG || format == PDF)
		return !weft__picture_possible(&t->diag);
	else
		return true;
	return false;
}

static enum tool_status show_run(struct tool *t)
{
	const struct own *own = t->own;
	struct sight s = { .input = NULL };
	int format;
	bool ok;

	if (!tool_cases_inputs(t))
		return TOOL_FAILED;
	format = format_of(t);
	if (format < 0 || !check_options(t, format))
		return TOOL_FAILED;
	s.format = format;
	if (own->interactive || tool_overlay_needs_tables(&own->overlay)) {
		t->spare_engine = "weave";
		ok = tool_cases_each(t, show_case, &s);
	} else {
		ok = show_fabric(t, &s);
	}
	tool_phase_end(t);
	return ok ? TOOL_FINE : TOOL_FAILED;
}

#define OVERLAY(kind, field, ...)                                              \
	TOOL_OWN(kind, struct own, overlay.field, __VA_ARGS__)

static const struct tool_option show_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_KINDS,
	TOOL_OPT_MACHINES,
	TOOL_OPT_OUTPUT("write to FILE, in the format of its extension"),
	TOOL_OWN(TOOL_CHOICE, struct own, format, "format", 'f', "FORMAT",
		 "text, svg, png, pdf, dot, json, csv or html; default: as the output is named, else text",
		 .preset = -1, .choices = "text|svg|png|pdf|dot|json|csv|html"),
	TOOL_OPT(TOOL_FLAG, json, "json", 0, NULL,
		 "print what the fabric is as JSON (-f json: the fabric itself)"),
	TOOL_OPT(TOOL_FLAG, csv, "csv", 0, NULL,
		 "the same as comma-separated values, without lists"),
	TOOL_OWN(TOOL_FLAG, struct own, all, "all", 0, NULL,
		 "all that is unlike the rest, not the first of each kind"),
	TOOL_OWN(TOOL_TEXT, struct own, title, "title", 0, "TEXT",
		 "the title of the picture instead of the input's name"),
	TOOL_OWN(TOOL_FLAG, struct own, interactive, "interactive", 0, NULL,
		 "a page with a script: zoom, find hosts, click switches and routes"),
	TOOL_OWN(TOOL_FLAG, struct own, unfold, "unfold", 0, NULL,
		 "draw each switch of large pods and groups, however small"),
	OVERLAY(TOOL_FLAG, load, "load", 0, NULL,
		"colour cables by their load when every host sends to every other one"),
	OVERLAY(TOOL_TEXT, pattern, "pattern", 'p', "PATTERN",
		"take the load under a pattern instead (weft-analyze(1))"),
	OVERLAY(TOOL_NUMBER, hottest, "hottest", 0, "N",
		"mark the N most loaded channels", .max = 1000000),
	OVERLAY(TOOL_FLAG, unused, "unused", 0, NULL,
		"mark cables that no route takes in either direction"),
	OVERLAY(TOOL_FLAG, loop, "loop", 0, NULL,
		"mark credit loops, a shortest of each knot"),
	OVERLAY(TOOL_TEXT, route, "route", 0, "SRC,DST",
		"mark the route from one host to another, each a LID, a GUID or a name"),
	OVERLAY(TOOL_TEXT, against, "against", 0, "TABLES",
		"colour cables by how many routes more or less other tables have over them"),
	OVERLAY(TOOL_TEXT, counters, "counters", 0, "PATH",
		"mark errors, and colour cables by waiting or data, as weft capture, ibqueryerrors, perfquery or ibdiagnet counted them"),
	TOOL_OPT_SPREADSHEET,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OPT_HOSTS,
	TOOL_OPT_SEED,
	TOOL_OPT_LAST
};

const struct tool_command tool_command_show = {
	.name = "show",
	.summary = "say what a fabric is, or draw it",
	.usage = "[OPTION]... INPUT",
	.about = "Says what a fabric is: the kind, levels, rates, oversubscription, and what is unlike the rest. "
		 "With -o it draws it instead, in the format of the file's extension. What needs forwarding tables takes those of the input, or those given by -t or -e; "
		 "where there are none, weave routes.",
	.options = show_options,
	.own_size = sizeof(struct own),
	.run = show_run,
};
