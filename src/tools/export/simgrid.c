// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fabric with its tables as a platform of SimGrid: a link for each direction
 * of each cable, and the route of each pair of hosts as the tables have it.
 */
#include "page/markup.h"
#include "tools/export/export.h"

#include <inttypes.h>
#include <stdlib.h>

#define CABLE 20  /* ns, as weft sim has them, */
#define RELAY 100 /* and of the switch that a channel leaves */

struct export {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	uint32_t *path; /* [nsw + 1] */
	uint64_t lost;	/* pairs without a route */
	FILE *out;
};

/* Port 5 of switch 3 is s3p5, what host 7 sends by h7. */
static void put_link_name(const struct weft_fabric *f, uint32_t ch, FILE *out)
{
	uint32_t sw;

	if (ch >= f->first_injection) {
		fprintf(out, "h%" PRIu32, ch - f->first_injection);
		return;
	}
	sw = weft_channel_switch(f, ch);
	fprintf(out, "s%" PRIu32 "p%" PRIu32, sw, ch - f->first_channel[sw]);
}

static void put_link(const struct export *x, uint32_t ch)
{
	bool host = ch >= x->f->first_injection;

	fputs("    <link id=\"", x->out);
	put_link_name(x->f, ch, x->out);
	fprintf(x->out, "\" bandwidth=\"%gMBps\" latency=\"%dns\"/>\n",
		x->f->capacity[ch] / 8., host ? CABLE : CABLE + RELAY);
}

static void put_host(const struct export *x, uint32_t ep)
{
	char name[256];

	weft__put_markup(x->out, tool_text_vertex(x->f, ep | WEFT_ENDPORT, name,
						  sizeof(name)));
}

static void put_parts(const struct export *x)
{
	const struct weft_fabric *f = x->f;

	for (uint32_t e = 0; e < f->nep; e++) {
		fputs("    <host id=\"", x->out);
		put_host(x, e);
		fputs("\" speed=\"1Gf\"/>\n", x->out);
	}
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (f->peer[ch] != WEFT_NONE)
			put_link(x, ch);
	for (uint32_t e = 0; e < f->nep; e++)
		put_link(x, f->first_injection + e);
}

static void put_route(struct export *x, uint32_t from, uint32_t to)
{
	const struct weft_fabric *f = x->f;
	size_t n;

	if (weft_lft_walk(f, &x->routes->lft, f->ep[from].sw,
			  weft_routes_lid(f, x->routes, from, to),
			  (struct weft_walk_path){ x->path, f->nsw + 1 },
			  &n) != WEFT_ARRIVED) {
		x->lost++;
		return;
	}
	fputs("    <route src=\"", x->out);
	put_host(x, from);
	fputs("\" dst=\"", x->out);
	put_host(x, to);
	fprintf(x->out, "\" symmetrical=\"NO\"><link_ctn id=\"h%" PRIu32
		"\"/>", from);
	for (size_t i = 0; i < n; i++) {
		fputs("<link_ctn id=\"", x->out);
		put_link_name(f, x->path[i], x->out);
		fputs("\"/>", x->out);
	}
	fputs("</route>\n", x->out);
}

bool tool_export_simgrid(struct tool *t, const struct tool_case *c, FILE *out)
{
	const struct weft_fabric *f = c->fabric;
	struct export x = {
		.f = f,
		.routes = c->routes,
		.path = malloc((f->nsw + 1ull) * sizeof(*x.path)),
		.out = out,
	};

	if (!x.path)
		return tool_no_memory(t);
	fputs("<?xml version=\"1.0\"?>\n"
	      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version=\"4.1\">\n"
	      "  <zone id=\"fabric\" routing=\"Full\">\n", out);
	put_parts(&x);
	for (uint32_t from = 0; from < f->nep; from++)
		for (uint32_t to = 0; to < f->nep; to++)
			if (from != to)
				put_route(&x, from, to);
	fputs("  </zone>\n</platform>\n", out);
	free(x.path);
	if (x.lost)
		weft_diag_say(&t->diag, WEFT_WARNING,
			      "%s without a route: SimGrid ends when something is sent there",
			      WEFT_COUNT(x.lost, "pair"));
	return true;
}
