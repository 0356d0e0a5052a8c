// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft subnets reports. */
#include "tools/subnets/subnets.h"

#include "tools/common/places.h"

#include <inttypes.h>
#include <string.h>

#define MAX_LEGS 256
#define MAX_WAY 1024 /* channels */

void tool_subnets_head(const struct tool_subnets *x, FILE *out)
{
	const struct weft_subnets *s = x->s;
	char gid[WEFT_GID_SIZE], name[128];

	fprintf(out, "%s, %s, %s with %s\n", WEFT_COUNT(s->n, "subnet"),
		WEFT_COUNT(s->nhosts, "host"),
		WEFT_COUNT(s->nrouters, "router"),
		WEFT_COUNT(s->nports, "port"));
	for (uint32_t i = 0; i < s->n; i++)
		fprintf(out, "  %-16s %-20s %s, %s\n",
			weft_diag_printable(name, sizeof(name),
					    s->subnet[i].name),
			weft_gid_text(s->subnet[i].prefix, 0, gid),
			WEFT_COUNT(s->first_host[i + 1] - s->first_host[i],
				   "host"),
			WEFT_COUNT(s->subnet[i].fabric->nsw, "switch"));
	fprintf(out, "routed by %s, routers by %s\n",
		x->engine ? x->engine : "their own tables",
		weft_router_map_name(x->map.method));
}

const char *tool_subnets_host(const struct weft_subnets *s, uint32_t host,
			      char *buf, size_t size)
{
	const struct weft_place *p = &s->host[host];
	const struct weft_fabric *f = s->subnet[p->subnet].fabric;
	char gid[WEFT_GID_SIZE], name[96];

	snprintf(buf, size, "%s (%s)",
		 weft_diag_printable(name, sizeof(name),
				     f->node[f->ep[p->ep].node].name),
		 weft_gid_text(s->subnet[p->subnet].prefix, f->ep[p->ep].guid,
			       gid));
	return buf;
}

/* --- check ---------------------------------------------------------------- */

static void print_proof(const struct tool_subnets *x,
			const struct weft_subnets_proof *p,
			const struct tool_subnets_faults *faults, FILE *out)
{
	char a[192], b[192], text[1024];
	bool fine = p->end[WEFT_WAY_ARRIVED] == p->pairs && !p->cyclic_vls;

	fprintf(out, "  unreachable pairs       %s of %s\n",
		WEFT_COUNT(p->pairs - p->end[WEFT_WAY_ARRIVED], NULL),
		WEFT_COUNT(p->pairs, NULL));
	for (unsigned e = WEFT_WAY_ARRIVED + 1; e < WEFT_WAY_ENDS; e++)
		if (p->end[e])
			fprintf(out, "    %s: %s\n", weft_way_end_name(e),
				WEFT_COUNT(p->end[e], NULL));
	fprintf(out, "  pairs across subnets    %s, through %s at most\n",
		WEFT_COUNT(p->crossing, NULL),
		WEFT_COUNT(p->max_routers, "router"));
	fprintf(out, "    answers by other ports %s\n",
		WEFT_COUNT(p->astray, NULL));
	if (x->map.levels > 1)
		fprintf(out, "    levels of service     %u\n", x->map.levels);
	fprintf(out, "  lanes with credit loops %u\n", p->cyclic_vls);
	for (uint32_t i = 0; i < p->nfindings; i++) {
		snprintf(text, sizeof(text), "%s -> %s: %s",
			 tool_subnets_host(x->s, p->finding[i].source, a,
					   sizeof(a)),
			 tool_subnets_host(x->s, p->finding[i].dest, b,
					   sizeof(b)),
			 weft_way_end_name(p->finding[i].end));
		tool_text_wrap(out, fprintf(out, "  "), 4, text);
	}
	for (uint32_t i = 0; i < p->ncycles && i < 3; i++) {
		weft_cycle_text(x->whole.fabric, &p->cycle[i], text,
				sizeof(text));
		tool_text_wrap(out, fprintf(out, "  credit loop "), 4, text);
	}
	tool_subnets_faults_print(x, faults, out);
	fputs(fine ? "  fine: traffic between hosts\n" : "  not fine\n", out);
}

void tool_subnets_line(const struct tool_field *table,
		       const struct tool_subnets *x, const void *record,
		       bool header, FILE *out)
{
	if (header) {
		fputs("input,", out);
		tool_record_keys(table, out);
		fputc('\n', out);
	}
	if (!record)
		return;
	tool_text_csv(out, x->input);
	tool_record_csv(table, record, out);
	fputc('\n', out);
}

/* What is proven of subnets. */
struct proven {
	struct weft_subnets s;
	const char *map;
	unsigned levels;
	uint64_t unreachable;
	struct weft_subnets_proof p;
};

static const struct tool_field proof_fields[] = {
#define FIELD(...) TOOL_FIELD(struct proven, __VA_ARGS__)
	FIELD(s.n, COUNT, "subnets"),
	FIELD(s.nhosts, COUNT, "hosts"),
	FIELD(s.nrouters, COUNT, "routers"),
	FIELD(map, WORD, "map"),
	FIELD(levels, COUNT, "levels"),
	FIELD(p.pairs, COUNT, "pairs"),
	FIELD(p.crossing, COUNT, "crossing"),
	FIELD(unreachable, COUNT, "unreachable"),
	FIELD(p.astray, COUNT, "astray"),
	FIELD(p.max_routers, COUNT, "max_routers"),
	FIELD(p.cyclic_vls, COUNT, "cyclic_vls"),
	TOOL_FIELDS_END
#undef FIELD
};

static void report(struct tool *t, const struct tool_subnets *x,
		   const struct weft_subnets_proof *p,
		   const struct tool_subnets_faults *faults, FILE *out)
{
	const struct proven proven = {
		.s = *x->s, .map = weft_router_map_name(x->map.method),
		.levels = x->map.levels > 1 ? x->map.levels : 1,
		.unreachable = p->pairs - p->end[WEFT_WAY_ARRIVED], .p = *p,
	};
	json_t *row;

	if (t->args.csv) {
		tool_subnets_line(proof_fields, x, &proven, true, out);
		return;
	}
	if (!t->args.json) {
		tool_subnets_head(x, out);
		print_proof(x, p, faults, out);
		return;
	}
	row = json_pack("{s:o, s:o}", "input", tool_json_string(x->input),
			"single_failures", tool_subnets_faults_json(x, faults));
	tool_record_json(proof_fields, &proven, row);
	tool_json_print(out, json_pack("[o]", row));
}

enum tool_status tool_subnets_check(struct tool *t,
				    const struct tool_subnets *x, FILE *out)
{
	struct tool_subnets_faults faults;
	struct weft_subnets_proof p;
	bool fine;

	if (weft_subnets_prove(x->s, &x->whole, &x->map, &p, &t->diag))
		return TOOL_FAILED;
	if (!tool_subnets_faults(t, x, &faults)) {
		weft_subnets_proof_free(&p);
		return TOOL_FAILED;
	}
	tool_phase_end(t);
	report(t, x, &p, &faults, out);
	fine = p.end[WEFT_WAY_ARRIVED] == p.pairs && !p.cyclic_vls;
	tool_subnets_faults_free(&faults);
	weft_subnets_proof_free(&p);
	return fine ? TOOL_FINE : TOOL_FOUND;
}

/* --- trace ---------------------------------------------------------------- */

/* The host that a person names, in the whole fabric. */
static bool find_host(struct tool *t, const struct tool_subnets *x,
		      const char *text, uint32_t *host)
{
	struct tool_place p;

	if (!tool_place_find(t, x->whole.fabric, text, &p))
		return false;
	for (*host = 0; *host < x->s->nhosts; ++*host)
		if ((x->whole.ep[*host] | WEFT_ENDPORT) == p.vertex)
			return true;
	weft_diag_say(&t->diag, WEFT_ERROR, "'%s' is no host", text);
	return false;
}

static bool is_router(const struct tool_subnets *x, uint32_t sw)
{
	for (uint32_t r = 0; r < x->s->nrouters; r++)
		if (x->whole.router[r] == sw)
			return true;
	return false;
}

/* A channel of a way. */
struct hop {
	bool router;
	struct tool_vertex node;
	unsigned port;
	const char *text;
};

static const struct tool_field hop_fields[] = {
#define FIELD(...) TOOL_FIELD(struct hop, __VA_ARGS__)
	FIELD(router, YES, "router"),
	FIELD(node, VERTEX, "node"),
	FIELD(port, COUNT, "port"),
	FIELD(text, NAME, "text"),
	TOOL_FIELDS_END
#undef FIELD
};

/* As an array, or without one as lines. */
static void tell_way(const struct tool_subnets *x, const uint32_t *channel,
		     unsigned n, json_t *hops, FILE *out)
{
	const struct weft_fabric *f = x->whole.fabric;
	char text[512];

	for (unsigned i = 0; i < n; i++) {
		uint32_t sw = weft_channel_switch(f, channel[i]);
		const struct hop hop = {
			.router = is_router(x, sw), .node = { f, sw, 0 },
			.port = channel[i] - f->first_channel[sw],
			.text = tool_text_channel(f, channel[i], text,
						  sizeof(text)),
		};

		if (hops)
			json_array_append_new(hops, tool_record_object(
				hop_fields, &hop));
		else
			tool_subnets_line(hop_fields, x, &hop, !i, out);
	}
}

static void print_way(const struct tool_subnets *x, const uint32_t *channel,
		      unsigned n, FILE *out)
{
	const struct weft_fabric *f = x->whole.fabric;
	char text[512];

	for (unsigned i = 0; i < n; i++) {
		uint32_t sw = weft_channel_switch(f, channel[i]);

		fprintf(out, "  %-7s %s\n", is_router(x, sw) ? "router" : "",
			tool_text_channel(f, channel[i], text, sizeof(text)));
	}
}

enum tool_status tool_subnets_trace(struct tool *t,
				    const struct tool_subnets *x,
				    const char *source, const char *dest,
				    FILE *out)
{
	uint32_t from, to, channel[MAX_WAY];
	struct weft_leg leg[MAX_LEGS];
	enum weft_way_end end;
	char text[192];
	unsigned n, nlegs;

	if (!find_host(t, x, source, &from) || !find_host(t, x, dest, &to))
		return TOOL_FAILED;
	end = weft_subnets_way(x->s, &x->whole, &x->map, from, to, channel,
			       MAX_WAY, &n);
	weft_subnets_legs(x->s, &x->map, from, to, leg, MAX_LEGS, &nlegs);
	tool_phase_end(t);
	if (t->args.csv) {
		tell_way(x, channel, n, NULL, out);
		return end == WEFT_WAY_ARRIVED ? TOOL_FINE : TOOL_FOUND;
	}
	if (t->args.json) {
		json_t *hops = json_array();

		tell_way(x, channel, n, hops, out);
		tool_json_print(out, json_pack(
			"[{s:o, s:s, s:i, s:o}]", "input",
			tool_json_string(x->input), "end",
			weft_way_end_name(end), "routers", (int)nlegs - 1,
			"hops", hops));
		return end == WEFT_WAY_ARRIVED ? TOOL_FINE : TOOL_FOUND;
	}
	fprintf(out, "from  %s\n",
		tool_subnets_host(x->s, from, text, sizeof(text)));
	fprintf(out, "to    %s\n",
		tool_subnets_host(x->s, to, text, sizeof(text)));
	print_way(x, channel, n, out);
	if (end == WEFT_WAY_ARRIVED)
		fprintf(out, "arrives through %s\n",
			WEFT_COUNT(nlegs - 1, "router"));
	else
		fprintf(out, "does not arrive: %s\n", weft_way_end_name(end));
	return end == WEFT_WAY_ARRIVED ? TOOL_FINE : TOOL_FOUND;
}
