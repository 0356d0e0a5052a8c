// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft subnets analyze: bandwidth within and across subnets, beside that of one
 * subnet. */
#include "tools/subnets/subnets.h"

#include "tools/common/engines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUSIEST 3 /* router ports shown */

/* What is measured and printed. */
struct analysis {
	struct tool *t;
	struct tool_subnets *x;
	struct weft_one one;
	bool has_one;
	uint64_t *streams; /* [2 * nports] through router ports, all told */
	json_t *rows;	   /* NULL: text */
	FILE *out;
};

bool tool_subnets_one(struct tool *t, const struct tool_subnets *x,
		      struct weft_one *one, bool *routed)
{
	struct tool_engine *e = tool_engines_parse(t);
	struct tool_refusal refusal = { .silent = true };

	*routed = false;
	if (!e)
		return false;
	if (e[0].engine && x->whole.fabric->nep < WEFT_MAX_LID &&
	    !weft_one_make(&x->whole, one, NULL)) {
		tool_phase(t, "routing all as one subnet");
		*routed = tool_route_heard(t, &e[0], one->fabric, &one->routes,
					   &refusal);
	}
	if (e[0].engine && !*routed)
		weft_diag_say(&t->diag, WEFT_NOTE,
			      "%s does not route all as one subnet%s%s: there is nothing to compare with",
			      e[0].label, *refusal.text ? ": " : "",
			      refusal.text);
	tool_engines_free(e);
	return true;
}

/* One pattern, or bisections of which a share leaves, by both ways to route. */
struct row {
	const char *input, *pattern;
	double leaving;		/* per cent; NAN: a pattern */
	struct weft_subnets_bandwidth b, one;
	double as_one, ratio;	/* NAN: there is nothing to compare with */
};

static const struct tool_field row_fields[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(pattern, NAME, "pattern"),
	FIELD(leaving, REAL, "leaving"),
	FIELD(b.crossing, REAL, "crossing"),
	FIELD(b.mean, REAL, "mean"),
	FIELD(b.error, REAL, "error"),
	FIELD(b.rounds, COUNT, "rounds"),
	FIELD(b.lost, COUNT, "lost"),
	FIELD(b.port_most, COUNT, "most_on_router_port"),
	FIELD(as_one, REAL, "one_subnet"),
	FIELD(ratio, REAL, "ratio"),
	TOOL_FIELDS_END
#undef FIELD
};

static void print_row(const struct row *r, FILE *out)
{
	char name[32];

	if (r->pattern)
		snprintf(name, sizeof(name), "%.20s", r->pattern);
	else
		snprintf(name, sizeof(name), "%g %% to leave", r->leaving);
	fprintf(out, "%-20s%8.1f %%%10.4f%9.4f", name, 100 * r->b.crossing,
		r->b.mean, r->b.error);
	if (isfinite(r->as_one))
		fprintf(out, "%10.4f%8.3f", r->as_one, r->ratio);
	fprintf(out, "%7s%6s\n", WEFT_COUNT(r->b.port_most, NULL),
		WEFT_COUNT(r->b.lost, NULL));
}

/* Measures one pattern, or bisections of which a share leaves, both ways. */
static bool measure(struct analysis *a, const char *pattern, double leaving)
{
	struct weft_subnets_spec spec = {
		.pattern = pattern,
		.share = leaving / 100,
		.patterns = a->t->args.count,
		.seed = a->t->args.seed,
		.port_streams = a->streams,
	};
	struct row r = { .pattern = pattern, .as_one = NAN, .ratio = NAN,
			 .leaving = pattern ? NAN : leaving };

	if (weft_subnets_measure(a->x->s, &a->x->whole, &a->x->map, &spec,
				 &r.b, &a->t->diag))
		return false;
	spec.one = &a->one;
	spec.port_streams = NULL;
	if (a->has_one) {
		if (weft_subnets_measure(a->x->s, &a->x->whole, &a->x->map,
					 &spec, &r.one, &a->t->diag))
			return false;
		r.as_one = r.one.mean;
		r.ratio = r.as_one > 0 ? r.b.mean / r.as_one : 0;
	}
	if (a->rows)
		json_array_append_new(a->rows,
				      tool_record_object(row_fields, &r));
	else if (a->t->args.csv)
		tool_subnets_line(row_fields, a->x, &r, false, a->out);
	else
		print_row(&r, a->out);
	return true;
}

/* Measures for each share of a list "0,20,100". */
static bool measure_shares(struct analysis *a, const char *list)
{
	const char *p = list;

	while (*p) {
		double share;

		if (!weft_number_real_at(&p, ",", &share) || share < 0 ||
		    share > 100)
			return tool_usage(a->t,
					  "--isp=%s: '%.20s' is no share, 0 to 100 per cent",
					  list, p) == TOOL_FINE;
		if (!measure(a, NULL, share))
			return false;
		p += *p == ',';
	}
	return true;
}

/* --- router ports --------------------------------------------------------- */

static uint64_t busier_way(const struct analysis *a, uint32_t port)
{
	uint64_t in = a->streams[port];
	uint64_t out = a->streams[a->x->s->nports + port];

	return in > out ? in : out;
}

/* Lists the ports with most streams, the busiest first. */
static unsigned find_busiest(const struct analysis *a, uint32_t *port)
{
	unsigned n = 0;

	for (uint32_t p = 0; p < a->x->s->nports; p++) {
		unsigned k = n < BUSIEST ? n++ : BUSIEST - 1;

		if (k == BUSIEST - 1 && n == BUSIEST && p >= BUSIEST &&
		    busier_way(a, p) <= busier_way(a, port[k]))
			continue;
		for (; k && busier_way(a, p) > busier_way(a, port[k - 1]); k--)
			port[k] = port[k - 1];
		port[k] = p;
	}
	return n;
}

/* Returns the mean of streams through a router port, one way. */
static double mean_streams(const struct analysis *a)
{
	uint32_t n = 2 * a->x->s->nports;
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += a->streams[i];
	return n ? sum / n : 0;
}

static json_t *ports_json(const struct analysis *a)
{
	const struct weft_subnets *s = a->x->s;
	json_t *ports = json_array();

	for (uint32_t p = 0; p < s->nports; p++) {
		const struct weft_router_port *q = &s->port[p];

		json_array_append_new(
			ports,
			json_pack("{s:o, s:i, s:o, s:I, s:I}", "router",
				  tool_json_string(s->router[q->router].name),
				  "port", (int)q->port, "subnet",
				  tool_json_string(s->subnet[q->subnet].name),
				  "streams_in", (json_int_t)a->streams[p],
				  "streams_out",
				  (json_int_t)a->streams[s->nports + p]));
	}
	return ports;
}

static void print_busiest(const struct analysis *a)
{
	const struct weft_subnets *s = a->x->s;
	double mean = mean_streams(a);
	uint32_t port[BUSIEST];
	unsigned n = mean > 0 ? find_busiest(a, port) : 0;
	char name[64], subnet[64];

	for (unsigned i = 0; i < n; i++) {
		const struct weft_router_port *q = &s->port[port[i]];

		fprintf(a->out, "%s %s port %u (%s): %.2f of the mean port\n",
			i ? "           " : "busiest is ",
			weft_diag_printable(name, sizeof(name),
					    s->router[q->router].name),
			q->port,
			weft_diag_printable(subnet, sizeof(subnet),
					    s->subnet[q->subnet].name),
			busier_way(a, port[i]) / mean);
	}
}

/* --- the verb ------------------------------------------------------------- */

static void print_titles(const struct analysis *a)
{
	tool_subnets_head(a->x, a->out);
	fprintf(a->out, "%-20s%10s%10s%9s%s%7s%6s\n", "", "across",
		"bandwidth", "+-",
		a->has_one ? "    as one   ratio" : "", "port", "lost");
}

static void print_notes(const struct analysis *a)
{
	fputs("bandwidth: mean share of full bandwidth of a stream; port: most streams\n"
	      "through a router port at a time\n",
	      a->out);
	if (a->has_one)
		fputs("as one: the same in one subnet, routers being switches, by that engine\n",
		      a->out);
	print_busiest(a);
}

static void print_json(const struct analysis *a, bool patterns)
{
	tool_json_print(a->out, json_pack(
		"[{s:o, s:i, s:i, s:s, s:O, s:o}]", "input",
		tool_json_string(a->x->input), "subnets", (int)a->x->s->n,
		"hosts", (int)a->x->s->nhosts, "map",
		weft_router_map_name(a->x->map.method),
		patterns ? "patterns" : "bisections", a->rows, "router_ports",
		ports_json(a)));
}

static bool measure_all(struct analysis *a, const char *shares)
{
	const struct tool_list *patterns = &a->t->args.pattern;

	for (unsigned i = 0; i < patterns->n; i++)
		if (!measure(a, patterns->item[i], 0))
			return false;
	return patterns->n || measure_shares(a, shares);
}

enum tool_status tool_subnets_analyze(struct tool *t, struct tool_subnets *x,
				      const char *shares, FILE *out)
{
	struct analysis a = {
		.t = t,
		.x = x,
		.rows = t->args.json ? json_array() : NULL,
		.streams = calloc(2ull * x->s->nports + 1, sizeof(*a.streams)),
		.out = out,
	};
	bool ok = (a.streams || tool_no_memory(t)) &&
		  tool_subnets_one(t, x, &a.one, &a.has_one);

	tool_phase(t, "measuring");
	if (ok && t->args.csv)
		tool_subnets_line(row_fields, x, NULL, true, out);
	else if (ok && !a.rows)
		print_titles(&a);
	ok = ok && measure_all(&a, shares);
	tool_phase_end(t);
	if (ok && a.rows)
		print_json(&a, t->args.pattern.n);
	else if (ok && !t->args.csv)
		print_notes(&a);
	json_decref(a.rows);
	free(a.streams);
	weft_one_free(&a.one);
	return ok ? TOOL_FINE : TOOL_FAILED;
}
