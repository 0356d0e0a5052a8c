// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --per-host: who gets least when all send to all. */
#include "tools/analyze/per_host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST 10 /* hosts named, unless told */

/* What the hosts of one case get. */
struct shares {
	const struct tool_case *c;
	struct weft_saturation all;
	struct weft_saturation_host *host; /* [nep] */
	uint32_t *order;		   /* [all.hosts] slowest first */
	uint32_t n, most;
	struct weft_host_groups groups;
};

/* A group on paper. */
struct group_share {
	double mean, least;
	uint32_t hosts, slowest; /* endport */
};

bool tool_per_host_wanted(const struct tool *t)
{
	return t->args.per_host || t->args.groups;
}

/* --- figures -------------------------------------------------------------- */

static int by_share(const void *va, const void *vb, void *context)
{
	const struct weft_saturation_host *host = context;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	/* in steps, so that the noise of sums does not decide */
	int64_t x = host[a].got * 1e9 + .5, y = host[b].got * 1e9 + .5;

	if (x != y)
		return x < y ? -1 : 1;
	return (a > b) - (a < b);
}

static bool sort_hosts(struct shares *s)
{
	uint32_t nep = s->c->fabric->nep;

	s->order = malloc((nep + 1ull) * sizeof(*s->order));
	for (uint32_t e = 0; s->order && e < nep; e++)
		if (s->host[e].got >= 0)
			s->order[s->n++] = e;
	if (s->order)
		qsort_r(s->order, s->n, sizeof(*s->order), by_share, s->host);
	return s->order;
}

/* Endports of a group that do not count as hosts are left aside. */
static struct group_share sum_up(const struct shares *s,
				 const struct weft_host_group *g)
{
	struct group_share out = { .least = 1, .slowest = WEFT_NONE };

	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t e = g->endport[i];
		double got = s->host[e].got;

		if (got < 0)
			continue;
		out.mean += got;
		out.hosts++;
		if (out.slowest == WEFT_NONE || got < out.least - 1e-12) {
			out.least = got;
			out.slowest = e;
		}
	}
	out.mean /= out.hosts ? out.hosts : 1;
	return out;
}

static const char *host_name(const struct shares *s, uint32_t e, char *buf,
			     size_t size)
{
	return tool_text_vertex(s->c->fabric, e | WEFT_ENDPORT, buf, size);
}

/* --- text ----------------------------------------------------------------- */

static void print_hosts(const struct shares *s, FILE *out)
{
	const struct weft_fabric *f = s->c->fabric;
	char name[200], channel[400], text[700];

	fputs("slowest hosts\n"
	      "    gets  host, switch, and the cable that takes most from its switch\n",
	      out);
	for (uint32_t i = 0; i < s->n && i < s->most; i++) {
		uint32_t e = s->order[i], ch = s->host[e].channel;
		char sw[160];

		fprintf(out, "  %.4f  ", s->host[e].got);
		snprintf(text, sizeof(text), "%s on %s%s%s",
			 host_name(s, e, name, sizeof(name)),
			 tool_text_vertex(f, f->ep[e].sw, sw, sizeof(sw)),
			 ch == WEFT_NONE ? "" : ", ",
			 ch == WEFT_NONE ? "" :
					   tool_text_channel(f, ch, channel,
							     sizeof(channel)));
		tool_text_wrap(out, 10, 12, text);
	}
}

static void print_groups(const struct shares *s, FILE *out)
{
	char name[200], text[512];

	if (!s->groups.n)
		return;
	fputs("groups\n   hosts    mean   least  group, slowest host\n", out);
	for (uint32_t i = 0; i < s->groups.n; i++) {
		const struct weft_host_group *g = &s->groups.group[i];
		struct group_share one = sum_up(s, g);
		char label[160];

		fprintf(out, "  %6s  %.4f  %.4f  ", WEFT_COUNT(one.hosts, NULL),
			one.mean, one.least);
		snprintf(text, sizeof(text), "%s%s%s",
			 weft_printable(label, sizeof(label), g->name),
			 one.hosts ? ", " : "",
			 one.hosts ?
				 host_name(s, one.slowest, name, sizeof(name)) :
				 "");
		tool_text_wrap(out, 26, 28, text);
	}
}

static void print_text(const struct shares *s, const struct tool_report *r)
{
	const struct tool_case *c = s->c;

	fprintf(r->out, "%s%s%s%s\n", r->n ? "\n" : "", c->input,
		c->engine ? ", " : "", c->engine ? c->engine : "");
	if (c->refused) {
		tool_refused_print(c->input, c->label, c->refused, r->out);
		return;
	}
	fprintf(r->out,
		"hosts                          %s\n"
		"all at full load, mean         %.4f of full bandwidth\n"
		"pairs without a route          %s\n",
		WEFT_COUNT(s->all.hosts, NULL), s->all.mean,
		WEFT_COUNT(s->all.lost, NULL));
	if (s->most)
		print_hosts(s, r->out);
	print_groups(s, r->out);
}

/* --- JSON and CSV --------------------------------------------------------- */

static json_t *vertex_json(const struct weft_fabric *f, uint32_t vertex)
{
	return tool_json_vertex(f, vertex, tool_vertex_lid(f, vertex));
}

static json_t *host_json(const struct shares *s, uint32_t e)
{
	const struct weft_fabric *f = s->c->fabric;
	uint32_t ch = s->host[e].channel;
	char text[400];

	return json_pack("{s:o, s:f, s:o, s:o}", "host",
			 vertex_json(f, e | WEFT_ENDPORT), "got",
			 s->host[e].got, "switch", vertex_json(f, f->ep[e].sw),
			 "held_back_by",
			 ch == WEFT_NONE ? json_null() :
					   tool_json_string(tool_text_channel(
						   f, ch, text, sizeof(text))));
}

static json_t *group_json(const struct shares *s,
			  const struct weft_host_group *g)
{
	struct group_share one = sum_up(s, g);

	return json_pack("{s:o, s:I, s:f, s:f, s:o}", "group",
			 tool_json_string(g->name), "hosts",
			 (json_int_t)one.hosts, "mean", one.mean, "least",
			 one.least, "slowest",
			 one.hosts ? vertex_json(s->c->fabric,
						 one.slowest | WEFT_ENDPORT) :
				     json_null());
}

static json_t *case_json(const struct shares *s)
{
	const struct tool_case *c = s->c;
	json_t *hosts = json_array(), *groups = json_array();

	if (c->refused) {
		json_decref(hosts);
		json_decref(groups);
		return tool_refused_json(c->input, c->label, c->refused);
	}
	for (uint32_t i = 0; i < s->n; i++)
		json_array_append_new(hosts, host_json(s, s->order[i]));
	for (uint32_t i = 0; i < s->groups.n; i++)
		json_array_append_new(groups,
				      group_json(s, &s->groups.group[i]));
	return tool_case_json(
		c->input, c->label, c->engine,
		json_pack("{s:n, s:I, s:f, s:f, s:I, s:o, s:o}", "refused",
			  "hosts", (json_int_t)s->all.hosts, "mean",
			  s->all.mean, "least", s->all.least, "lost",
			  (json_int_t)s->all.lost, "per_host", hosts, "groups",
			  groups));
}

/* A row for each host, and the groups that it is in. */
static void csv_host(const struct shares *s, uint32_t e, FILE *out)
{
	const struct weft_fabric *f = s->c->fabric;
	char *text = NULL;
	size_t size;
	FILE *names = open_memstream(&text, &size);
	bool any = false;

	tool_text_csv(out, s->c->input);
	tool_text_csv(out, s->c->label);
	tool_text_csv(out, tool_vertex_name(f, e | WEFT_ENDPORT));
	fprintf(out, "0x%016" PRIx64 ",%.9g,", f->ep[e].guid, s->host[e].got);
	tool_text_csv(out, tool_vertex_name(f, f->ep[e].sw));
	for (uint32_t g = 0; names && g < s->groups.n; g++) {
		const struct weft_host_group *one = &s->groups.group[g];

		for (uint32_t i = 0; i < one->n; i++)
			if (one->endport[i] == e) {
				fprintf(names, "%s%s", any ? " " : "",
					one->name);
				any = true;
			}
	}
	if (names)
		fclose(names);
	weft_io_csv_quoted(out, text ? text : "");
	fputc('\n', out);
	free(text);
}

static void print_csv(const struct shares *s, const struct tool_report *r)
{
	if (!r->n)
		fputs("input,routes,host,guid,got,switch,groups\n", r->out);
	for (uint32_t i = 0; i < s->n; i++)
		csv_host(s, s->order[i], r->out);
}

/* --- cases ---------------------------------------------------------------- */

static bool find_shares(struct tool *t, struct shares *s)
{
	const struct weft_saturation_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.spread = t->args.lids == WEFT_LID_ALL,
	};
	const struct tool_case *c = s->c;

	if (t->args.groups && weft_io_read_groups(t->args.groups, c->fabric,
						  &s->groups, &t->diag))
		return false;
	if (c->refused)
		return true;
	tool_phase(t, "what hosts get by %s", c->label);
	s->host = malloc((c->fabric->nep + 1ull) * sizeof(*s->host));
	if (!s->host)
		return tool_no_memory(t);
	if (weft_saturation_hosts(c->fabric, c->routes, &spec, &s->all, s->host,
				  &t->diag))
		return false;
	tool_phase_end(t);
	return sort_hosts(s) || tool_no_memory(t);
}

/* How many hosts are named; false after an error message. */
static bool read_most(struct tool *t, uint32_t *out)
{
	const char *text = t->args.per_host;
	uint64_t n;

	*out = text ? MOST : 0;
	if (!text || !*text)
		return true;
	if (!weft_number_uint(text, 100000000, &n)) {
		tool_usage(t,
			   "--per-host takes how many hosts to name, not '%s'",
			   text);
		return false;
	}
	*out = n;
	return true;
}

static bool per_host_case(struct tool *t, const struct tool_case *c,
			  void *context)
{
	struct tool_report *r = context;
	struct shares s = { .c = c };
	bool ok = read_most(t, &s.most) && find_shares(t, &s);

	if (ok && r->cases)
		json_array_append_new(r->cases, case_json(&s));
	else if (ok && t->args.csv)
		print_csv(&s, r);
	else if (ok)
		print_text(&s, r);
	r->n++;
	weft_host_groups_free(&s.groups);
	free(s.host);
	free(s.order);
	return ok;
}

enum tool_status tool_per_host_run(struct tool *t)
{
	uint32_t most;

	if (t->args.lids != WEFT_LID_ROUTES && t->args.lids != WEFT_LID_ALL)
		return tool_usage(t, "--per-host takes the LIDs that the routes say, or --lids=all");
	if (!read_most(t, &most))
		return TOOL_FAILED;
	return tool_report_cases(t, per_host_case);
}
