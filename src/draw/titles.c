// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "draw/titles.h"

#include "draw/fold.h"
#include "page/markup.h"

#include <inttypes.h>
#include <string.h>
#include <weft/diag.h>

#define MOST 12 /* neighbours or cables that are listed, and names of a box */

void weft__title_text(const char *text, FILE *out)
{
	fputs("<title>", out);
	weft__put_markup(out, text);
	fputs("</title>", out);
}

void weft__title_host(const struct weft_fabric *f, uint32_t endport, FILE *out)
{
	const struct weft_endport *ep = &f->ep[endport];
	char name[WEFT__DRAW_NAME];

	fputs("<title>", out);
	weft__put_markup(out, f->node[ep->node].name);
	fprintf(out, ":%u, LID %u, at ", ep->port, ep->lid);
	weft__put_markup(out, weft__draw_name(f, ep->sw, name));
	fprintf(out, ":%u</title>", ep->sw_port);
}

static void put_name(const struct weft_fabric *f, uint32_t s, FILE *out)
{
	char name[WEFT__DRAW_NAME];

	weft__put_markup(out, weft__draw_name(f, s, name));
}

const char *weft__box_name(const struct weft__layout *l, uint32_t s,
			   char buf[WEFT__BOX_NAME])
{
	uint32_t first = s, last = s;
	char a[WEFT__DRAW_NAME], b[WEFT__DRAW_NAME];

	if (weft__folded(l, s) == 1)
		return weft__draw_name(l->f, s, buf);
	for (uint32_t i = 0; i < l->f->nsw; i++) {
		if (l->stands[i] != l->stands[s])
			continue;
		if (strverscmp(l->f->sw[i].name, l->f->sw[first].name) < 0)
			first = i;
		if (strverscmp(l->f->sw[i].name, l->f->sw[last].name) > 0)
			last = i;
	}
	snprintf(buf, WEFT__BOX_NAME, "%s … %s",
		 weft__draw_name(l->f, first, a),
		 weft__draw_name(l->f, last, b));
	return buf;
}

static void put_ends(const struct weft__layout *l,
		     const struct weft__line *line, FILE *out)
{
	char name[WEFT__BOX_NAME];

	weft__put_markup(out, weft__box_name(l, line->a, name));
	fputs(" – ", out);
	weft__put_markup(out, weft__box_name(l, line->b, name));
}

/* ", ports 5 – 1, 6 – 2" */
static void put_ports(const struct weft_fabric *f,
		      const struct weft__line *line, FILE *out)
{
	uint32_t n = 0;

	for (uint32_t i = f->adj_first[line->a]; i < f->adj_first[line->a + 1];
	     i++) {
		uint32_t ch = f->adj[i];

		if (f->peer[ch] != line->b || n++ >= MOST)
			continue;
		fprintf(out, "%s %" PRIu32 " – %u",
			n > 1 ? "," : line->cables > 1 ? ", ports" : ", port",
			ch - f->first_channel[line->a], f->peer_port[ch]);
	}
	if (n > MOST)
		fputs(", …", out);
}

/* ", 332 routes from leaf to spine", or how many more others have. */
static void put_heat(const struct weft__layout *l,
		     const struct weft__overlay *o,
		     const struct weft__line *line, FILE *out)
{
	const struct weft_fabric *f = l->f;
	uint32_t ch = line->channel;
	uint64_t load;

	if (!o->load) {
		fprintf(out, ", %.0f %% of ", 100 * line->heat);
		weft__put_markup(out, o->hot);
		return;
	}
	load = o->load[ch];
	if (o->other)
		load = load > o->other[ch] ? load - o->other[ch] :
					     o->other[ch] - load;
	fprintf(out, ", %s%s from ", WEFT_COUNT(load, o->unit),
		!o->other		  ? "" :
		o->other[ch] > o->load[ch] ? " more" :
					     " fewer");
	put_name(f, weft_channel_switch(f, ch), out);
	fputs(" to ", out);
	put_name(f, f->peer[ch], out);
}

void weft__title_line(const struct weft__layout *l,
		      const struct weft__overlay *o,
		      const struct weft__line *line, FILE *out)
{
	fputs("<title>", out);
	put_ends(l, line, out);
	fprintf(out, ": %s", WEFT_COUNT(line->cables, "cable"));
	if (weft__folded(l, line->a) == 1 && weft__folded(l, line->b) == 1)
		put_ports(l->f, line, out);
	if (o && o->heat && line->heat >= 0)
		put_heat(l, o, line, out);
	if (line->mark && o->said[line->mark]) {
		fputs(", ", out);
		weft__put_markup(out, o->said[line->mark]);
	}
	fputs("</title>", out);
}

void weft__title_gap(const struct weft__layout *l, const struct weft__line *gap,
		     FILE *out)
{
	fputs("<title>", out);
	put_ends(l, gap, out);
	fprintf(out, ": %s missing</title>", WEFT_COUNT(gap->cables, "cable"));
}

/* A line for each neighbour: "5, 6: spine-00", ports first. */
static void put_neighbours(const struct weft_fabric *f, uint32_t s, FILE *out)
{
	uint32_t end = f->adj_first[s + 1], n = 0, next;

	for (uint32_t i = f->adj_first[s]; i < end; i = next, n++) {
		uint32_t peer = f->peer[f->adj[i]];

		for (next = i; next < end && f->peer[f->adj[next]] == peer;
		     next++)
			if (n < MOST)
				fprintf(out, "%s%" PRIu32,
					next > i ? ", " : "\n",
					f->adj[next] - f->first_channel[s]);
		if (n >= MOST)
			continue;
		fputs(": ", out);
		put_name(f, peer, out);
	}
	if (n > MOST)
		fprintf(out, "\nand %s",
			WEFT_COUNT(n - MOST, "more neighbour"));
}

static void put_members(const struct weft__layout *l, uint32_t s, FILE *out)
{
	uint32_t n = 0;

	for (uint32_t i = s; i < l->f->nsw; i++) {
		if (l->stands[i] != s || n++ >= MOST)
			continue;
		fputs("\n", out);
		put_name(l->f, i, out);
	}
	if (n > MOST)
		fprintf(out, "\nand %s", WEFT_COUNT(n - MOST, "more"));
}

void weft__title_switch(const struct weft__layout *l, uint32_t s, FILE *out)
{
	const struct weft_switch *sw = &l->f->sw[s];
	uint32_t folded = weft__folded(l, s);

	fputs("<title>", out);
	if (folded > 1) {
		fprintf(out, "%s, %s", WEFT_COUNT(folded, "switch"),
			WEFT_COUNT(l->hosts[s], "host"));
		put_members(l, s, out);
	} else {
		put_name(l->f, s, out);
		fprintf(out, ", 0x%016" PRIx64 ", LID %u, %u ports, %s",
			sw->guid, sw->lid, sw->nports,
			WEFT_COUNT(l->hosts[s], "host"));
		put_neighbours(l->f, s, out);
	}
	fputs("</title>", out);
}
