// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What to put into opensm.conf, and into weft.conf where options are given. */
#include "report/write.h"

#include <weft/engine.h>

#include "page/markup.h"
#include "page/page.h"

#include <string.h>

#define WEFT_CONF "And into weft.conf, as weft-plugin(7) tells:"

/* Whether that is an option of the engine's own: name=value. */
static bool is_own(const struct weft_engine *e, const char *assignment,
		   size_t length)
{
	const struct weft_option *o = e->options;

	for (; o && o->type != WEFT_OPT_END; o++)
		if (strlen(o->name) < length &&
		    !strncmp(o->name, assignment, strlen(o->name)) &&
		    assignment[strlen(o->name)] == '=')
			return true;
	return false;
}

/* The options of a label, "name:option=value,...", as a section of weft.conf.
 * Those that all engines have are the plugins' defaults. */
static void write_options(const struct weft_engine *e, const char *label,
			  FILE *out)
{
	const char *at = strchr(label, ':');
	bool any = false;

	while (at) {
		size_t length = strcspn(++at, ",");

		if (is_own(e, at, length)) {
			if (!any) {
				weft__page_text(out, "p", NULL, WEFT_CONF);
				fprintf(out, "<pre>[%s]\n", e->name);
			}
			weft__print_markup(out, "%.*s", (int)length, at);
			fputc('\n', out);
			any = true;
		}
		at = at[length] ? at + length : NULL;
	}
	if (any)
		fputs("</pre>\n", out);
}

static unsigned largest_lmc(const struct weft_fabric *f)
{
	unsigned lmc = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		lmc = f->ep[e].lmc > lmc ? f->ep[e].lmc : lmc;
	return lmc;
}

static void write_lines(const struct weft__report *r, const char *label,
			bool lanes, FILE *out)
{
	unsigned lmc = largest_lmc(r->spec->fabric);
	const struct weft_engine *e;
	char name[64], plugin[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(label, ":"), label);
	e = weft_engine_find(name);
	if (!e || (e->needs & WEFT_OFFLINE)) {
		weft__page_text(out, "p", NULL,
				"%s is no plugin: OpenSM cannot load it.",
				name);
		return;
	}
	fprintf(out, "<pre>event_plugin_name %s\nrouting_engine %s\n",
		weft_engine_plugin(e, plugin, sizeof(plugin)),
		e->osm_name ? e->osm_name : e->name);
	if (lanes)
		fputs("qos TRUE\n", out);
	if (lmc)
		fprintf(out, "lmc %u\n", lmc);
	fputs("</pre>\n", out);
	write_options(e, label, out);
}

/* What the comparison says, and beside it what this page's routes need, where
 * that is something else. */
static void write_advised(const struct weft__report *r, FILE *out)
{
	const struct weft__report_spec *s = r->spec;
	const struct weft_advice *a = r->advice;
	const struct weft_compared *k;

	if (a->row >= weft_comparison_rows(r->comparison)) {
		weft__page_text(out, "p", "bad", "%s", a->why);
		return;
	}
	k = weft_comparison_row(r->comparison, a->row);
	if (!*a->opensm) {
		weft__page_text(out, "p", "good",
				"Nothing is to change: none of the engines is better than the present tables.");
		return;
	}
	weft__page_text(out, "p", NULL, "As advised, for %s:", k->label);
	weft__page_lines(out, a->opensm);
	if (*a->weft) {
		weft__page_text(out, "p", NULL, WEFT_CONF);
		weft__page_lines(out, a->weft);
	}
	if (!s->engine || !strcmp(s->engine, k->label))
		return;
	weft__page_text(out, "p", NULL,
			"As this page has it, for %s:", s->engine);
	write_lines(r, s->engine, weft__lanes_used(&r->lanes) > 1, out);
}

static void write_weave(const struct weft__report *r, FILE *out)
{
	weft__page_text(out, "p", NULL,
			"These tables are the input's: they stay as they are with the subnet manager that made them. To have the engine weave:");
	write_lines(r, "weave", r->proof.cyclic_vls, out);
}

void weft__report_conf(const struct weft__report *r, FILE *out)
{
	const struct weft__report_spec *s = r->spec;

	weft__page_section(out, "conf", "What to put into opensm.conf",
			   "The lines that make OpenSM, the subnet manager, route like this.");
	if (r->advice)
		write_advised(r, out);
	else if (s->engine)
		write_lines(r, s->engine, weft__lanes_used(&r->lanes) > 1, out);
	else
		write_weave(r, out);
	weft__page_text(out, "p", "note",
			"weft-plugin(7) tells how OpenSM finds the plugin. It proves its tables before it hands them over, and steps aside where something is wrong.");
	weft__page_section_end(out);
}
