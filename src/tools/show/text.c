// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft show without a picture: what a fabric is, on a terminal. */
#include "tools/show/show.h"

#include <weft/planes.h>

#include <inttypes.h>

#define HEAD 10 /* columns of the words on the left */

void tool_show_fact(FILE *out, const char *name, const char *text)
{
	int used = fprintf(out, "%-*s", HEAD, name);

	tool_text_wrap(out, used, HEAD, text);
}

uint32_t tool_show_hosts(const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		n += f->ep[e].kind == WEFT_HOST && !weft_is_plane(f, e);
	return n;
}

static void print_counts(const struct weft_fabric *f, uint32_t planes,
			 FILE *out)
{
	uint32_t least = UINT8_MAX, most = 0, with = 0, between = 0;
	char text[256];
	size_t n;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t radix = f->sw[s].nports;

		least = radix < least ? radix : least;
		most = radix > most ? radix : most;
		with += f->sw_ep_first[s] != f->sw_ep_first[s + 1];
	}
	between = f->nlinks - f->nep;
	if (f->nsw && least == most)
		snprintf(text, sizeof(text), "%s of %u ports",
			 WEFT_COUNT(f->nsw, NULL), most);
	else if (f->nsw)
		snprintf(text, sizeof(text), "%s of %u to %u ports",
			 WEFT_COUNT(f->nsw, NULL), least, most);
	else
		snprintf(text, sizeof(text), "none");
	tool_show_fact(out, "switches", text);
	n = snprintf(text, sizeof(text), "%s",
		     WEFT_COUNT(tool_show_hosts(f), NULL));
	if (planes)
		n += snprintf(text + n, sizeof(text) - n,
			      " (%s in %" PRIu32 " planes)",
			      WEFT_COUNT(f->nhosts, "port"), planes);
	if (f->nep > f->nhosts)
		n += snprintf(text + n, sizeof(text) - n, " (and %s)",
			      WEFT_COUNT(f->nep - f->nhosts,
					 "aggregation node or router"));
	snprintf(text + n, sizeof(text) - n, " on %s",
		 WEFT_COUNT(with, "switch"));
	tool_show_fact(out, "hosts", text);
	snprintf(text, sizeof(text), "%s: %s between switches, %s to hosts",
		 WEFT_COUNT(f->nlinks, NULL), WEFT_COUNT(between, NULL),
		 WEFT_COUNT(f->nep, NULL));
	tool_show_fact(out, "cables", text);
}

static void print_speeds(const struct weft_shape *shape, FILE *out)
{
	for (uint32_t i = 0; i < shape->nspeeds; i++) {
		const struct weft_shape_speed *s = &shape->speed[i];
		char text[160], rate[WEFT_SHAPE_SPEED_SIZE];
		size_t n = 0;

		n = snprintf(text, sizeof(text), "%s:",
			     weft_shape_speed_text(s, rate));
		if (s->switches)
			n += snprintf(text + n, sizeof(text) - n,
				      " %s between switches%s",
				      WEFT_COUNT(s->switches, NULL),
				      s->hosts ? "," : "");
		if (s->hosts)
			snprintf(text + n, sizeof(text) - n, " %s to hosts",
				 WEFT_COUNT(s->hosts, NULL));
		tool_show_fact(out, i ? "" : "rates", text);
	}
}

static const char *radix_text(const struct weft_shape_level *l, char *buf,
			      size_t size)
{
	if (l->radix_least == l->radix_most)
		snprintf(buf, size, "%u", l->radix_most);
	else
		snprintf(buf, size, "%u-%u", l->radix_least, l->radix_most);
	return buf;
}

static void print_levels(const struct weft_shape_part *p, FILE *out)
{
	if (!p->nlevels)
		return;
	fputs("level   switches   ports     hosts  cables up    missing   across  oversubscribed\n",
	      out);
	for (unsigned i = p->nlevels; i-- > 0;) {
		const struct weft_shape_level *l = &p->level[i];
		char radix[32], over[32] = "-";

		if (l->oversubscription > 0)
			snprintf(over, sizeof(over), "%.2f:1",
				 l->oversubscription);
		fprintf(out, "%5u %10s %7s %9s %10s %10s %8s  %14s\n", i + 1,
			WEFT_COUNT(l->switches, NULL),
			radix_text(l, radix, sizeof(radix)),
			WEFT_COUNT(l->hosts, NULL), WEFT_COUNT(l->up, NULL),
			WEFT_COUNT(l->missing, NULL),
			WEFT_COUNT(l->across, NULL), over);
	}
}

void tool_show_text(const char *input, const struct weft_fabric *f,
		    const struct weft_shape *shape, bool all, FILE *out)
{
	char name[256], text[1024];

	weft_diag_printable(name, sizeof(name), input);
	snprintf(text, sizeof(text), "%s: %s", name, shape->what);
	tool_text_wrap(out, 0, 2, text);
	print_counts(f, shape->nplanes, out);
	tool_show_machines(f, out);
	print_speeds(shape, out);
	for (uint32_t i = 0; i < shape->nparts; i++) {
		if (shape->nparts > 1) {
			snprintf(text, sizeof(text), "%u: %s", i + 1,
				 shape->part[i].what);
			tool_show_fact(out,
				       shape->nplanes == shape->nparts ?
				       "plane" : "part", text);
		}
		print_levels(&shape->part[i], out);
	}
	tool_show_notes(f, shape, all, out);
}
