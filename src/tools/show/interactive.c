// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the interactive page
 *
 * One file: the picture, a script of ours (view.js), and what it needs to know,
 * as JSON in an element that no browser runs.  Every "<" of that is written as
 * an escape, so that no name ends it.  Routes are the port of each switch for the
 * first LID of each host, a byte each, where these are not too many.
 */
#include "tools/show/interactive.h"

#include "page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES (8u << 20)

static const char view[] =
#include "tools/show/view.inc"
	;

static json_t *guid_json(uint64_t guid)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
	return json_string(text);
}

/* A name that people can click at: the GUID where there is none. */
static json_t *name_json(const char *name, uint64_t guid)
{
	return *name ? tool_json_string(name) : guid_json(guid);
}

static json_t *port_json(const struct weft_fabric *f, unsigned port,
			 uint32_t ch, const uint64_t *load)
{
	uint32_t to = f->peer[ch];
	char rate[32] = "unknown";

	if (f->speed[ch])
		snprintf(rate, sizeof(rate), "%ux %s", f->width[ch],
			 weft_speed_name(f->speed[ch]));
	return json_pack("[i, i, I, i, s, o]", (int)port, !weft_is_switch(to),
			 (json_int_t)(to & ~WEFT_ENDPORT), f->peer_port[ch],
			 rate,
			 load && weft_is_switch(to) ? json_integer(load[ch]) :
						      json_null());
}

static json_t *switch_json(const struct weft_fabric *f, uint32_t s,
			   const uint64_t *load)
{
	json_t *ports = json_array();

	for (unsigned p = 1; p <= f->sw[s].nports; p++) {
		uint32_t ch = weft_channel(f, s, p);

		if (f->peer[ch] != WEFT_NONE)
			json_array_append_new(ports,
					      port_json(f, p, ch, load));
	}
	return json_pack("{s:o, s:o, s:i, s:o}", "n",
			 name_json(f->sw[s].name, f->sw[s].guid), "g",
			 guid_json(f->sw[s].guid), "l", f->sw[s].lid, "p",
			 ports);
}

static json_t *host_json(const struct weft_fabric *f, uint32_t e)
{
	const struct weft_endport *ep = &f->ep[e];

	return json_pack("{s:o, s:o, s:i, s:I, s:i}", "n",
			 name_json(f->node[ep->node].name, ep->guid), "g",
			 guid_json(ep->guid), "l", ep->lid, "s",
			 (json_int_t)ep->sw, "p", ep->sw_port);
}

/* Base64 of the port of each switch for each host; NULL: too many. */
static char *entries_text(const struct weft_fabric *f,
			  const struct weft_routes *routes)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = (size_t)f->nsw * f->nep, at = 0;
	char *text = n <= MOST_ENTRIES ? malloc(n / 3 * 4 + 8) : NULL;
	uint32_t group = 0;

	for (size_t i = 0; text && i < (n + 2) / 3 * 3; i++) {
		uint32_t s = i / (f->nep ? f->nep : 1);
		uint8_t port = i < n ? weft_lft_get(&routes->lft, s,
						    f->ep[i % f->nep].lid) :
				       0;

		group = group << 8 | port;
		if (i % 3 < 2)
			continue;
		for (int k = 3; k >= 0; k--)
			text[at++] = digit[group >> 6 * k & 63];
		group = 0;
	}
	if (!text)
		return NULL;
	for (size_t pad = (3 - n % 3) % 3; pad; pad--)
		text[at - pad] = '=';
	text[at] = '\0';
	return text;
}

static json_t *data_json(const struct weft_fabric *f,
			 const struct weft_routes *routes, const uint64_t *load)
{
	json_t *switches = json_array(), *hosts = json_array();
	char *entries = entries_text(f, routes);
	json_t *data;

	for (uint32_t s = 0; s < f->nsw; s++)
		json_array_append_new(switches, switch_json(f, s, load));
	for (uint32_t e = 0; e < f->nep; e++)
		json_array_append_new(hosts, host_json(f, e));
	data = json_pack("{s:o, s:o, s:s?}", "switches", switches, "hosts",
			 hosts, "lft", entries);
	free(entries);
	return data;
}

/* As a script's text: whatever "<" begins is none of the page's. */
static bool put_data(struct tool *t, json_t *data, FILE *out)
{
	char *text = data ? json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII) :
			    NULL;

	json_decref(data);
	if (!text)
		return tool_no_memory(t);
	for (const char *p = text; *p; p++)
		if (*p == '<')
			fputs("\\u003c", out);
		else
			fputc(*p, out);
	free(text);
	return true;
}

static void put_controls(FILE *out)
{
	fputs("<p><label>Find <input id=\"find\" type=\"search\" placeholder=\"name, GUID or LID\"></label> "
	      "<button type=\"button\" id=\"in\">+</button> "
	      "<button type=\"button\" id=\"out\">−</button> "
	      "<button type=\"button\" id=\"fit\">all</button></p>\n"
	      "<ul id=\"found\"></ul>\n",
	      out);
}

static bool put_page(struct tool *t, const struct weft__drawing *picture,
		     const struct weft_routes *routes, const uint64_t *load,
		     const char *tables, FILE *out)
{
	struct weft__drawing d = *picture;

	d.embedded = d.numbered = true;
	d.title = NULL;
	weft__page_begin_script(out, picture->title, d.shape->what);
	weft__page_text(out, "p", "note", "Tables: %s. Wheel and drag, or the buttons, move the picture; a click on a switch or host tells about it.",
			tables);
	put_controls(out);
	fputs("<section id=\"fabric\"><figure class=\"moves\">\n", out);
	if (weft__draw_svg(&d, out, &t->diag))
		return false;
	fputs("</figure></section>\n<section id=\"panel\" aria-live=\"polite\"><p>Nothing is picked.</p></section>\n"
	      "<script type=\"application/json\" id=\"data\">",
	      out);
	if (!put_data(t, data_json(d.fabric, routes, load), out))
		return false;
	fprintf(out, "</script>\n<script>\n%s</script>\n", view);
	weft__page_end(out, "Made by weft show --interactive. This page needs no network and no other file.");
	return true;
}

bool tool_show_interactive(struct tool *t, const struct weft__drawing *picture,
			   const struct weft_routes *routes,
			   const char *tables, FILE *out)
{
	const struct weft_proof_spec spec = { .loads = true };
	struct weft_proof p;
	bool ok;

	if (weft_proof_run(picture->fabric, routes, &spec, &p, &t->diag))
		return false;
	ok = put_page(t, picture, routes, p.channel_load, tables, out);
	weft_proof_free(&p);
	return ok;
}
