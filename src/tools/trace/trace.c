// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft trace: the route from one host to another. */
#include "tools/common/places.h"
#include "tools/common/record.h"
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

/* A step of the route: a switch sends from port in to port out. */
struct hop {
	struct tool_vertex sw, peer;	/* peer: not known: nothing there */
	unsigned in, out, vl, peer_port;
};

/* The cable of the host itself. */
struct own_cable {
	unsigned port, peer_port;
	struct tool_vertex peer;
};

/* One route. */
struct route {
	struct tool_place from, to;
	enum weft_walk_end end;
	uint32_t *channel;	/* [hops] */
	size_t hops;		/* switches visited */
	unsigned sl;
	/* What is told of it. */
	struct tool_vertex source, dest;
	bool reached;
	const char *ends, *text;	/* how, in a word and in words */
	struct own_cable own;
	struct hop *hop;	/* nhops, those with an output port */
	uint32_t nhops;
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

static bool list_hops(struct tool *t, const struct tool_case *c,
		      struct route *r)
{
	const struct weft_fabric *f = c->fabric;
	uint32_t sw = weft_vertex_switch(f, r->from.vertex);
	unsigned in = 0;

	r->hop = malloc((r->hops + 1) * sizeof(*r->hop));
	if (!r->hop)
		return tool_no_memory(t);
	if (weft_is_endport(r->from.vertex))
		in = f->ep[r->from.vertex & ~WEFT_ENDPORT].sw_port;
	for (size_t i = 0; i < r->hops && r->channel[i] != WEFT_NONE; i++) {
		uint32_t ch = r->channel[i], out = ch - f->first_channel[sw];
		uint32_t peer = out ? f->peer[ch] : sw;

		r->hop[r->nhops++] = (struct hop){
			.sw = tool_vertex(f, sw), .peer = tool_vertex(f, peer),
			.in = in, .out = out, .peer_port = f->peer_port[ch],
			.vl = weft_layers_vl(&c->routes->layers, f, sw, in, out,
					     r->sl),
		};
		in = f->peer_port[ch];
		sw = peer;
	}
	return true;
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

static void print_hop(const struct weft_fabric *f, const struct hop *h,
		      FILE *out)
{
	char from[96], to[96], text[256];
	int n;

	tool_text_vertex(f, h->sw.id, from, sizeof(from));
	if (!h->out)
		snprintf(text, sizeof(text), "%s:0 (its own port)", from);
	else if (h->peer.id == WEFT_NONE)
		snprintf(text, sizeof(text), "%s:%u ->", from, h->out);
	else
		snprintf(text, sizeof(text), "%s:%u -> %s:%u", from, h->out,
			 tool_text_vertex(f, h->peer.id, to, sizeof(to)),
			 h->peer_port);
	n = fprintf(out, "  lid %-5u  VL %u  ", h->sw.lid, h->vl);
	tool_text_wrap(out, n, n + 2, text);
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

static bool is_hosts(const void *record)
{
	return weft_is_endport(((const struct route *)record)->from.vertex);
}

static const struct tool_field own_fields[] = {
#define FIELD(...) TOOL_FIELD(struct own_cable, __VA_ARGS__)
	FIELD(port, COUNT, "port"),
	FIELD(peer, VERTEX, "peer"),
	FIELD(peer_port, COUNT, "peer_port"),
	TOOL_FIELDS_END
#undef FIELD
}, hop_fields[] = {
#define FIELD(...) TOOL_FIELD(struct hop, __VA_ARGS__)
	FIELD(sw, VERTEX, "switch"),
	FIELD(in, COUNT, "in"),
	FIELD(out, COUNT, "port"),
	FIELD(vl, COUNT, "vl"),
	FIELD(peer, VERTEX, "peer"),
	FIELD(peer_port, COUNT, "peer_port"),
	TOOL_FIELDS_END
#undef FIELD
}, fields[] = {
#define FIELD(...) TOOL_FIELD(struct route, __VA_ARGS__)
	FIELD(source, VERTEX, "source"),
	FIELD(dest, VERTEX, "destination"),
	FIELD(reached, YES, "reached"),
	FIELD(ends, WORD, "end"),
	FIELD(text, NAME, "text"),
	FIELD(sl, COUNT, "sl"),
	TOOL_PART_OF(struct route, own, own_fields, "own", .when = is_hosts),
	TOOL_ROWS_OF(struct route, hop, nhops, hop_fields, "hops"),
	TOOL_FIELDS_END
#undef FIELD
};

static void print_own(const struct weft_fabric *f, const struct route *r,
		      FILE *out)
{
	char from[96], to[96], text[256];
	int n;

	snprintf(text, sizeof(text), "%s:%u -> %s:%u",
		 tool_text_vertex(f, r->from.vertex, from, sizeof(from)),
		 r->own.port,
		 tool_text_vertex(f, r->own.peer.id, to, sizeof(to)),
		 r->own.peer_port);
	n = fprintf(out, "  lid %-5u  SL %u  ", r->from.lid, r->sl);
	tool_text_wrap(out, n, n + 2, text);
}

static void print_route(const struct tool_case *c, const struct route *r,
			FILE *out)
{
	fprintf(out, "by    %s\n", c->label);
	print_end("from", c->fabric, &r->from, out);
	print_end("to", c->fabric, &r->to, out);
	if (is_hosts(r))
		print_own(c->fabric, r, out);
	for (uint32_t i = 0; i < r->nhops; i++)
		print_hop(c->fabric, &r->hop[i], out);
	tool_text_wrap(out, 0, 2, r->text);
}

/* Fills in what is told of a route. */
static void tell(const struct weft_fabric *f, struct route *r)
{
	r->source = (struct tool_vertex){ f, r->from.vertex, r->from.lid };
	r->dest = (struct tool_vertex){ f, r->to.vertex, r->to.lid };
	r->reached = r->end == WEFT_ARRIVED;
	r->ends = weft_walk_end_name(r->end);
	if (is_hosts(r)) {
		const struct weft_endport *ep =
			&f->ep[r->from.vertex & ~WEFT_ENDPORT];

		r->own = (struct own_cable){ ep->port, ep->sw_port,
					     tool_vertex(f, ep->sw) };
	}
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

static void free_route(struct route *r)
{
	free(r->channel);
	free(r->hop);
}

/* Follows one way and reports it; r is to be freed in any case. */
static bool trace_way(struct tool *t, const struct tool_case *c,
		      struct trace *trace, struct route *r)
{
	char text[512];

	if (!walk(t, c, r))
		return false;
	if (r->end == WEFT_LOOP)
		cut_loop(c->fabric, r);
	if (!list_hops(t, c, r))
		return false;
	tell(c->fabric, r);
	end_text(c, r, text, sizeof(text));
	r->text = text;
	trace->found |= !r->reached;
	if (!tool_report_record(t, &trace->r, c, fields, r))
		print_route(c, r, trace->r.out);
	r->text = NULL;
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

	if (ok && !t->args.json && !t->args.csv && there.reached &&
	    back.reached)
		fprintf(trace->r.out, "the way back takes %s\n",
			same_cables(c->fabric, &there, &back) ?
				"the same cables" :
				"other cables");
	free_route(&there);
	free_route(&back);
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
	free_route(&r);
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
