// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Credit loops for people and programs; see loops.h. */
#include "tools/common/loops.h"

#include <inttypes.h>

#define TEXT 1024

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* 'VL 0: "leaf" (0x..):13 -> "spine" (0x..):2' */
static void channel_text(const struct weft_fabric *f, uint32_t channel,
			 uint8_t lane, char *buf, size_t size)
{
	const struct weft_cycle one = {
		.vl = lane, .n = 1, .channel = &channel, .lane = &lane,
	};

	weft_cycle_text(f, &one, buf, size);
}

static void print_channel(const struct weft_fabric *f, uint32_t channel,
			  uint8_t lane, FILE *out)
{
	char text[TEXT];

	channel_text(f, channel, lane, text, sizeof(text));
	fputs("    ", out);
	tool_text_wrap(out, 4, 10, text);
}

static void print_traffic(const struct weft_fabric *f,
			  const struct weft_flow *by, FILE *out)
{
	char text[TEXT], from[128], to[128];

	snprintf(text, sizeof(text), "then, from %s to %s, LID %u, SL %u",
		 tool_text_vertex(f, by->source, from, sizeof(from)),
		 tool_text_vertex(f, by->dest, to, sizeof(to)), by->lid,
		 by->sl);
	fputs("          ", out);
	tool_text_wrap(out, 10, 12, text);
}

void tool_cycle_print(const struct weft_fabric *f, const struct weft_cycle *c,
		      FILE *out)
{
	for (uint32_t i = 0; i < c->n; i++) {
		print_channel(f, c->channel[i], c->lane[i], out);
		if (c->by)
			print_traffic(f, &c->by[i], out);
	}
}

static void print_cycle(const struct weft_fabric *f,
			const struct weft_cycle *c, FILE *out)
{
	fprintf(out, "    %s loop of %u, among %u that wait for each other\n",
		c->shortest ? "shortest" : "short", c->n, c->knot);
	tool_cycle_print(f, c, out);
}

static void print_more(uint64_t all, uint64_t max, FILE *out)
{
	if (all > max)
		fprintf(out, "    and %" PRIu64 " more: --top=%" PRIu64
			" shows all\n", all - max, all);
}

/* The first route under a turn. */
static void print_route(const struct weft_fabric *f,
			const struct weft_remedy *m, uint32_t turn, FILE *out)
{
	const struct weft_route *r = m->moved;
	uint64_t routes = m->turn[turn].routes;
	char text[TEXT], from[128], to[128];
	int n;

	while (r->turn != turn)
		r++;
	n = snprintf(text, sizeof(text), "of %s to LID %u of %s, SL %u",
		     tool_text_vertex(f, r->sw, from, sizeof(from)), r->lid,
		     tool_text_vertex(f, f->lid_owner[r->lid], to, sizeof(to)),
		     r->sl);
	if (routes > 1)
		snprintf(text + n, sizeof(text) - n, ", and %" PRIu64
			 " more route%s", routes - 1, plural(routes - 1));
	fputs("          ", out);
	tool_text_wrap(out, 10, 12, text);
}

static void print_remedy(const struct weft_fabric *f,
			 const struct weft_remedy *m, uint64_t max, FILE *out)
{
	fprintf(out,
		"  routes to move          %s of %s (switch to LID), to %s, from %s\n",
		WEFT_COUNT(m->nmoved, NULL),
		WEFT_COUNT(m->routes, NULL), WEFT_COUNT(m->lids, "LID"),
		WEFT_COUNT(m->switches, "switch"));
	fprintf(out, "    %s\n", m->one_lane ? "one more lane is enough" :
		"they need more than one lane of their own");
	for (uint32_t i = 0, shown = 0; i < m->nturns && shown < max; i++) {
		const struct weft_turn *t = &m->turn[i];

		if (!t->routes)
			continue;
		print_channel(f, t->from, t->from_vl, out);
		print_channel(f, t->to, t->to_vl, out);
		print_route(f, m, i, out);
		shown++;
	}
	print_more(m->nturns, max, out);
}

void tool_loops_print(const struct weft_fabric *f, const struct weft_proof *p,
		      uint64_t max, FILE *out)
{
	if (!p->ncycles)
		return;
	fprintf(out, "  components with loops   %u\n", p->ncycles);
	for (uint32_t i = 0; i < p->ncycles && i < max; i++)
		print_cycle(f, &p->cycle[i], out);
	print_more(p->ncycles, max, out);
	if (p->remedy.nmoved)
		print_remedy(f, &p->remedy, max, out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *channel_json(const struct weft_fabric *f, uint32_t channel,
			    unsigned lane)
{
	json_t *o = tool_json_channel(f, channel);

	json_object_set_new(o, "vl", json_integer(lane));
	return o;
}

static json_t *traffic_json(const struct weft_fabric *f,
			    const struct weft_flow *by)
{
	return json_pack("{s:o, s:o, s:i}",
		"source", tool_json_node(f, by->source),
		"destination", tool_json_vertex(f, by->dest, by->lid),
		"sl", by->sl);
}

json_t *tool_cycle_json(const struct weft_fabric *f,
			const struct weft_cycle *c)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < c->n; i++) {
		json_t *o = channel_json(f, c->channel[i], c->lane[i]);

		if (c->by)
			json_object_set_new(o, "traffic",
					    traffic_json(f, &c->by[i]));
		json_array_append_new(array, o);
	}
	return array;
}

static json_t *cycle_json(const struct weft_fabric *f,
			  const struct weft_cycle *c)
{
	char text[4 * TEXT];

	weft_cycle_text(f, c, text, sizeof(text));
	return json_pack("{s:i, s:i, s:i, s:b, s:o, s:o}",
		"vl", c->vl, "channels", c->n, "component", c->knot,
		"shortest", c->shortest, "text", tool_json_string(text),
		"dependencies", tool_cycle_json(f, c));
}

json_t *tool_loops_json(const struct weft_fabric *f,
			const struct weft_proof *p, uint64_t max)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < p->ncycles && i < max; i++)
		json_array_append_new(array, cycle_json(f, &p->cycle[i]));
	return array;
}

static json_t *turns_json(const struct weft_fabric *f,
			  const struct weft_remedy *m, uint64_t max)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < m->nturns && i < max; i++) {
		const struct weft_turn *t = &m->turn[i];

		json_array_append_new(array, json_pack("{s:o, s:o, s:I}",
			"from", channel_json(f, t->from, t->from_vl),
			"to", channel_json(f, t->to, t->to_vl),
			"routes", (json_int_t)t->routes));
	}
	return array;
}

static json_t *moved_json(const struct weft_fabric *f,
			  const struct weft_remedy *m, uint64_t max)
{
	json_t *array = json_array();

	for (uint64_t i = 0; i < m->nmoved && i < max; i++) {
		const struct weft_route *r = &m->moved[i];

		json_array_append_new(array, json_pack(
			"{s:o, s:i, s:i, s:i, s:i}",
			"switch", tool_json_guid(f->sw[r->sw].guid),
			"in", r->in, "lid", r->lid, "sl", r->sl,
			"turn", r->turn));
	}
	return array;
}

json_t *tool_remedy_json(const struct weft_fabric *f,
			 const struct weft_proof *p, uint64_t max)
{
	const struct weft_remedy *m = &p->remedy;

	if (!m->nmoved)
		return json_null();
	return json_pack("{s:I, s:I, s:i, s:i, s:b, s:i, s:o, s:o}",
		"routes", (json_int_t)m->nmoved,
		"of", (json_int_t)m->routes, "lids", m->lids,
		"switches", m->switches, "one_lane", m->one_lane,
		"turn_count", m->nturns, "turns", turns_json(f, m, max),
		"moved", moved_json(f, m, max));
}
