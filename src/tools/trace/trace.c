// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft trace: the route from one host to another. */
#include "tools/common/places.h"
#include "tools/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>

/* Values of its own options. */
struct own {
	const char *through;
	bool both;
};

struct trace {
	struct tool_report r;
	const char *source, *dest;
	bool found;		/* a route does not arrive */
};

/* One route. */
struct route {
	struct tool_place from, to;
	enum weft_walk_end end;
	uint32_t *channel;	/* [hops] */
	size_t hops;		/* switches visited */
	unsigned sl;
};

static bool walk(struct tool *t, const struct tool_case *c, struct route *r)
{
	size_t max = c->fabric->nsw + (size_t)1;

	r->channel = malloc(max * sizeof(*r->channel));
	if (!r->channel)
		return tool_no_memory(t);
	r->end = weft_lft_walk(
		c->fabric, &c->routes->lft,
		weft_vertex_switch(c->fabric, r->from.vertex), r->to.lid,
		(struct weft_walk_path){ r->channel, max }, &r->hops);
	r->sl = weft_layers_sl(&c->routes->layers, c->fabric, r->from.vertex,
			       r->to.lid);
	return true;
}

/* A step of the route: switch sw sends from port in to port out. */
struct hop {
	uint32_t sw;
	unsigned in, out, vl;
	uint32_t peer;		/* vertex; WEFT_NONE = nothing there */
	unsigned peer_port;
};

/* Calls with each hop that has an output port. */
static void each_hop(const struct tool_case *c, const struct route *r,
		     void (*call)(const struct tool_case *c,
				  const struct hop *hop, void *context),
		     void *context)
{
	const struct weft_fabric *f = c->fabric;
	struct hop h = { .sw = weft_vertex_switch(f, r->from.vertex) };

	if (weft_is_endport(r->from.vertex))
		h.in = f->ep[r->from.vertex & ~WEFT_ENDPORT].sw_port;
	for (size_t i = 0; i < r->hops && r->channel[i] != WEFT_NONE; i++) {
		uint32_t ch = r->channel[i];

		h.out = ch - f->first_channel[h.sw];
		h.vl = weft_layers_vl(&c->routes->layers, f, h.sw, h.in, h.out,
				      r->sl);
		h.peer = h.out ? f->peer[ch] : h.sw;
		h.peer_port = f->peer_port[ch];
		call(c, &h, context);
		h.in = h.peer_port;
		h.sw = h.peer;
	}
}

/* Cuts a loop where it comes to a switch for the second time, which is that
 * after the last hop left. */
static void cut_loop(const struct weft_fabric *f, struct route *r)
{
	uint32_t sw = weft_vertex_switch(f, r->from.vertex);

	for (size_t i = 0; i < r->hops; i++) {
		uint32_t next = f->peer[r->channel[i]];
		bool seen = next == sw;

		for (size_t k = 0; k < i && !seen; k++)
			seen = f->peer[r->channel[k]] == next;
		if (seen)
			r->hops = i + 1;
	}
}

static void print_end(const char *what, const struct weft_fabric *f,
		      const struct tool_place *p, FILE *out)
{
	char name[160];
	int used = fprintf(out, "%-5s ", what);

	snprintf(name, sizeof(name), "%.100s (lid %u, guid 0x%016" PRIx64 ")",
		 tool_text_vertex(f, p->vertex, (char[128]){ 0 }, 128), p->lid,
		 tool_vertex_guid(f, p->vertex));
	tool_text_wrap(out, used, 6, name);
}

static void print_hop(const struct tool_case *c, const struct hop *h,
		      void *context)
{
	char from[96], to[96], text[256];
	int n;

	tool_text_vertex(c->fabric, h->sw, from, sizeof(from));
	if (!h->out)
		snprintf(text, sizeof(text), "%s:0 (its own port)", from);
	else if (h->peer == WEFT_NONE)
		snprintf(text, sizeof(text), "%s:%u ->", from, h->out);
	else
		snprintf(text, sizeof(text), "%s:%u -> %s:%u", from, h->out,
			 tool_text_vertex(c->fabric, h->peer, to, sizeof(to)),
			 h->peer_port);
	n = fprintf(context, "  lid %-5u  VL %u  ",
		    tool_vertex_lid(c->fabric, h->sw), h->vl);
	tool_text_wrap(context, n, n + 2, text);
}

/* The switch where the route ends. */
static uint32_t last_switch(const struct weft_fabric *f, const struct route *r)
{
	uint32_t sw = weft_vertex_switch(f, r->from.vertex);

	for (size_t i = 0; i + 1 < r->hops; i++)
		sw = f->peer[r->channel[i]];
	return sw;
}

/* How the route ends, in words. */
static void end_text(const struct tool_case *c, const struct route *r,
		     char *buf, size_t size)
{
	uint32_t sw = last_switch(c->fabric, r);
	unsigned port = weft_lft_get(&c->routes->lft, sw, r->to.lid);
	char name[96], peer[96];

	tool_text_vertex(c->fabric, sw, name, sizeof(name));
	switch (r->end) {
	case WEFT_ARRIVED:
		snprintf(buf, size, "arrives through %zu switch%s, SL %u",
			 r->hops, r->hops == 1 ? "" : "es", r->sl);
		break;
	case WEFT_NO_ROUTE:
		snprintf(buf, size, "DIES at %s: no entry for LID %u", name,
			 r->to.lid);
		break;
	case WEFT_BAD_PORT:
		snprintf(buf, size, "DIES at %s: sent to port %u, it has %u",
			 name, port, c->fabric->sw[sw].nports);
		break;
	case WEFT_DEAD_END:
		snprintf(buf, size, "DIES at %s: nothing on port %u", name,
			 port);
		break;
	case WEFT_WRONG_END:
		snprintf(buf, size,
			 "DIES at %s: port %u does not lead to LID %u",
			 name, port, r->to.lid);
		break;
	case WEFT_LOOP:
		sw = c->fabric->peer[r->channel[r->hops - 1]];
		snprintf(buf, size, "LOOPS: %s sends it back to %s", name,
			 tool_text_vertex(c->fabric, sw, peer, sizeof(peer)));
		break;
	}
}

static void hop_json(const struct tool_case *c, const struct hop *h,
		     void *context)
{
	const struct weft_fabric *f = c->fabric;

	json_array_append_new(context, json_pack(
		"{s:o, s:i, s:i, s:i, s:o, s:i}",
		"switch", tool_json_node(f, h->sw),
		"in", h->in, "port", h->out, "vl", h->vl,
		"peer", tool_json_node(f, h->peer), "peer_port", h->peer_port));
}

/* The cable of the host itself; null for a switch. */
static json_t *own_json(const struct weft_fabric *f, const struct route *r)
{
	const struct weft_endport *ep;

	if (!weft_is_endport(r->from.vertex))
		return json_null();
	ep = &f->ep[r->from.vertex & ~WEFT_ENDPORT];
	return json_pack("{s:i, s:o, s:i}", "port", ep->port, "peer",
			 tool_json_node(f, ep->sw), "peer_port", ep->sw_port);
}

static json_t *route_json(const struct tool_case *c, const struct route *r)
{
	json_t *hops = json_array();
	char text[512];

	each_hop(c, r, hop_json, hops);
	end_text(c, r, text, sizeof(text));
	return tool_case_json(
		c->input, c->label, c->engine,
		json_pack("{s:o, s:o, s:b, s:s, s:o, s:i, s:o, s:o}",
			  "source",
			  tool_json_vertex(c->fabric, r->from.vertex,
					   r->from.lid),
			  "destination",
			  tool_json_vertex(c->fabric, r->to.vertex, r->to.lid),
			  "reached", r->end == WEFT_ARRIVED,
			  "end", weft_walk_end_name(r->end),
			  "text", tool_json_string(text),
			  "sl", r->sl, "own", own_json(c->fabric, r), "hops",
			  hops));
}

/* The cable of the host itself. */
static void print_own(const struct tool_case *c, const struct route *r,
		      FILE *out)
{
	const struct weft_fabric *f = c->fabric;
	const struct weft_endport *ep = &f->ep[r->from.vertex & ~WEFT_ENDPORT];
	char from[96], to[96], text[256];
	int n;

	snprintf(text, sizeof(text), "%s:%u -> %s:%u",
		 tool_text_vertex(f, r->from.vertex, from, sizeof(from)),
		 ep->port, tool_text_vertex(f, ep->sw, to, sizeof(to)),
		 ep->sw_port);
	n = fprintf(out, "  lid %-5u  SL %u  ", r->from.lid, r->sl);
	tool_text_wrap(out, n, n + 2, text);
}

static void print_route(const struct tool_case *c, const struct route *r,
			FILE *out)
{
	char text[512];

	fprintf(out, "by    %s\n", c->label);
	print_end("from", c->fabric, &r->from, out);
	print_end("to", c->fabric, &r->to, out);
	if (weft_is_endport(r->from.vertex))
		print_own(c, r, out);
	each_hop(c, r, print_hop, out);
	end_text(c, r, text, sizeof(text));
	tool_text_wrap(out, 0, 2, text);
}

/* A host that is not named by a LID is sent to by the one that the routes tell
 * the source. */
static void choose_lid(const struct tool_case *c, const struct tool_place *from,
		       struct tool_place *to)
{
	if (to->lid && !to->by_lid && weft_is_endport(from->vertex) &&
	    weft_is_endport(to->vertex))
		to->lid = weft_routes_lid(c->fabric, c->routes,
					  from->vertex & ~WEFT_ENDPORT,
					  to->vertex & ~WEFT_ENDPORT);
}

/* Finds where the two ends are, and that packets can be sent there. */
static bool find_ends(struct tool *t, const struct tool_case *c,
		      const char *source, const char *dest, struct route *r)
{
	if (!tool_place_find(t, c->fabric, source, &r->from) ||
	    !tool_place_find(t, c->fabric, dest, &r->to))
		return false;
	if (!r->to.lid) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "'%s' has no LID, nothing can be sent there",
			      dest);
		return false;
	}
	choose_lid(c, &r->from, &r->to);
	return true;
}

/* Follows one way and reports it; r->channel is to be freed in any case. */
static bool trace_way(struct tool *t, const struct tool_case *c,
		      struct trace *trace, struct route *r)
{
	if (!walk(t, c, r))
		return false;
	if (r->end == WEFT_LOOP)
		cut_loop(c->fabric, r);
	if (r->end != WEFT_ARRIVED)
		trace->found = true;
	if (t->args.json)
		json_array_append_new(trace->r.cases, route_json(c, r));
	else
		print_route(c, r, trace->r.out);
	return true;
}

/* Whether the way back takes the cables of the way there, all of them. */
static bool same_cables(const struct weft_fabric *f, const struct route *there,
			const struct route *back)
{
	/* the last channel leads to the host, by its own cable */
	if (there->hops != back->hops)
		return false;
	for (size_t i = 0; i + 1 < there->hops; i++)
		if (there->channel[i] !=
		    f->reverse[back->channel[back->hops - 2 - i]])
			return false;
	return true;
}

static bool trace_both(struct tool *t, const struct tool_case *c,
		       struct trace *trace)
{
	struct route there = { .hops = 0 }, back = { .hops = 0 };
	bool ok = find_ends(t, c, trace->source, trace->dest, &there) &&
		  trace_way(t, c, trace, &there) &&
		  find_ends(t, c, trace->dest, trace->source, &back) &&
		  trace_way(t, c, trace, &back);

	if (ok && !t->args.json && there.end == WEFT_ARRIVED &&
	    back.end == WEFT_ARRIVED)
		fprintf(trace->r.out, "the way back takes %s\n",
			same_cables(c->fabric, &there, &back) ?
				"the same cables" :
				"other cables");
	free(there.channel);
	free(back.channel);
	return ok;
}

static bool trace_case(struct tool *t, const struct tool_case *c,
		       void *context)
{
	const struct own *own = t->own;
	struct trace *trace = context;
	struct route r = { 0 };
	bool ok;

	tool_phase_end(t);
	if (own->through)
		return tool_through_case(t, c, own->through, !trace->r.n++,
					 trace->r.cases, trace->r.out);
	if (own->both)
		return trace_both(t, c, trace);
	ok = find_ends(t, c, trace->source, trace->dest, &r) &&
	     trace_way(t, c, trace, &r);
	free(r.channel);
	return ok;
}

/* Takes source and destination from the end of what is no option. */
static bool take_ends(struct tool *t, struct trace *trace)
{
	struct tool_list *rest = &t->args.rest;

	if (rest->n < 2) {
		tool_usage(t,
			   "source and destination are needed, each a LID, a GUID or a name");
		return false;
	}
	if (rest->n == 2 && !t->args.input.n) {
		tool_usage(t,
			   "no input: '%s' and '%s' are taken for source and destination; write 'weft trace INPUT SOURCE DESTINATION', INPUT being a file, a dump directory or a description",
			   rest->item[0], rest->item[1]);
		return false;
	}
	if (t->args.csv) {
		tool_usage(t,
			   "a trace has no table to write as CSV: give -o another name, or one that ends in .json; --through has one");
		return false;
	}
	trace->dest = rest->item[--rest->n];
	trace->source = rest->item[--rest->n];
	return true;
}

static enum tool_status trace_run(struct tool *t)
{
	const struct own *own = t->own;
	struct trace trace = { 0 };
	bool ok;

	if (own->through && own->both)
		return tool_usage(t,
				  "--both is for a source and a destination, --through for all that pass");
	tool_output_by_name(t);
	ok = (own->through || take_ends(t, &trace)) && tool_cases_inputs(t);
	ok = tool_report_close(&trace.r, ok && tool_report_open(t, &trace.r) &&
			       tool_cases_each(t, trace_case, &trace));
	return !ok ? TOOL_FAILED : trace.found ? TOOL_FOUND : TOOL_FINE;
}

static const struct tool_option trace_options[] = {
	TOOL_OPT_INPUT,
	TOOL_OPT_NAME_MAP,
	TOOL_OPT_TABLE,
	TOOL_OPT_ENGINE,
	TOOL_OPT_ENGINE_OPTION,
	TOOL_OWN(TOOL_FLAG, struct own, both, "both", 0, NULL,
		 "the way back, too"),
	TOOL_OWN(TOOL_TEXT, struct own, through, "through", 0, "PART",
		 "which hosts send to which through a cable (SWITCH:PORT or HOST) or a switch, instead of one route"),
	TOOL_OPT_HOSTS,
	TOOL_OPT_JSON,
	TOOL_OPT_CSV,
	TOOL_OPT_OUTPUT("write the report to FILE"),
	TOOL_OPT_LAST
};

const struct tool_command tool_command_trace = {
	.name = "trace",
	.summary = "follow the route from one host to another",
	.usage = "[OPTION]... [INPUT] SOURCE DESTINATION\n"
		 "       weft trace [OPTION]... --through=PART INPUT...",
	.about = "Prints each hop of a route as switch:port -> neighbour:port and says where and why it ends. Source and destination are LIDs, GUIDs or names; "
		 "\"lid:\", \"guid:\" and \"name:\" in front say which. The tables are those of the input (a dump directory), or instead of them those given by -t and -e. "
		 "With --through, says instead who uses a cable or a switch. Exit status 1: the route does not arrive.",
	.options = trace_options,
	.own_size = sizeof(struct own),
	.run = trace_run,
};
