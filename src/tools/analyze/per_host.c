// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze --per-host: who gets least when all send to all. */
#include "tools/analyze/per_host.h"

#include "tools/common/record.h"

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
			 weft_diag_printable(label, sizeof(label), g->name),
			 one.hosts ? ", " : "",
			 one.hosts ?
				 host_name(s, one.slowest, name, sizeof(name)) :
				 "");
		tool_text_wrap(out, 26, 28, text);
	}
}

static void print_text(const void *record, FILE *out)
{
	const struct shares *s = record;

	fprintf(out,
		"hosts                          %s\n"
		"all at full load, mean         %.4f of full bandwidth\n"
		"pairs without a route          %s\n",
		WEFT_COUNT(s->all.hosts, NULL), s->all.mean,
		WEFT_COUNT(s->all.lost, NULL));
	if (s->most)
		print_hosts(s, out);
	print_groups(s, out);
}

/* --- JSON and CSV --------------------------------------------------------- */

struct host {
	const struct shares *of;
	struct tool_vertex host, sw;
	uint64_t guid;
	double got;
	const char *groups;	/* that it is in */
};

static json_t *channel_json(const void *record)
{
	const struct host *h = record;
	uint32_t ch = h->of->host[h->host.id & ~WEFT_ENDPORT].channel;
	char text[400];

	return ch == WEFT_NONE ? json_null() :
	       tool_json_string(tool_text_channel(h->host.f, ch, text,
						  sizeof(text)));
}

static const struct tool_field host_fields[] = {
#define FIELD(...) TOOL_FIELD(struct host, __VA_ARGS__)
	FIELD(host, VERTEX, "host"),
	FIELD(guid, GUID, "guid"),
	FIELD(got, REAL, "got", .digits = 9),
	FIELD(sw, VERTEX, "switch"),
	FIELD(groups, NAME, "groups"),
	TOOL_TREE_OF("held_back_by", channel_json),
	TOOL_FIELDS_END
#undef FIELD
};

/* The names of the groups that a host is in; malloc()ed. */
static char *groups_of(const struct shares *s, uint32_t e)
{
	char *text = NULL;
	size_t size;
	FILE *names = open_memstream(&text, &size);
	const char *gap = "";

	for (uint32_t g = 0; names && g < s->groups.n; g++) {
		const struct weft_host_group *one = &s->groups.group[g];

		for (uint32_t i = 0; i < one->n; i++)
			if (one->endport[i] == e) {
				fprintf(names, "%s%s", gap, one->name);
				gap = " ";
			}
	}
	if (names)
		fclose(names);
	return text;
}

/* Calls with each host, the slowest first. */
static void each_host(const struct shares *s,
		      void (*call)(const struct host *host, void *context),
		      void *context)
{
	const struct weft_fabric *f = s->c->fabric;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t e = s->order[i];
		char *groups = groups_of(s, e);
		const struct host host = {
			.of = s, .host = tool_vertex(f, e | WEFT_ENDPORT),
			.sw = tool_vertex(f, f->ep[e].sw),
			.guid = f->ep[e].guid, .got = s->host[e].got,
			.groups = groups,
		};

		call(&host, context);
		free(groups);
	}
}

static void append_host(const struct host *host, void *context)
{
	json_array_append_new(context, tool_record_object(host_fields, host));
}

static json_t *hosts_json(const void *record)
{
	json_t *hosts = json_array();

	each_host(record, append_host, hosts);
	return hosts;
}

static json_t *group_json(const struct shares *s,
			  const struct weft_host_group *g)
{
	struct group_share one = sum_up(s, g);

	return json_pack("{s:o, s:I, s:f, s:f, s:o}",
			 "group", tool_json_string(g->name),
			 "hosts", (json_int_t)one.hosts, "mean", one.mean,
			 "least", one.least, "slowest",
			 tool_json_node(s->c->fabric, !one.hosts ? WEFT_NONE :
					one.slowest | WEFT_ENDPORT));
}

static json_t *groups_json(const void *record)
{
	const struct shares *s = record;
	json_t *groups = json_array();

	for (uint32_t i = 0; i < s->groups.n; i++)
		json_array_append_new(groups,
				      group_json(s, &s->groups.group[i]));
	return groups;
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct shares, __VA_ARGS__)
	FIELD(all.hosts, COUNT, "hosts"),
	FIELD(all.mean, REAL, "mean"),
	FIELD(all.least, REAL, "least"),
	FIELD(all.lost, COUNT, "lost"),
	TOOL_TREE_OF("per_host", hosts_json),
	TOOL_TREE_OF("groups", groups_json),
	TOOL_FIELDS_END
#undef FIELD
};

struct lines {
	const struct tool_case *c;
	FILE *out;
};

static void print_line(const struct host *host, void *context)
{
	const struct lines *l = context;

	tool_record_line(host_fields, l->c, host, false, l->out);
}

/* A row for each host. */
static void print_csv(const struct shares *s, struct tool_report *r)
{
	struct lines lines = { s->c, r->out };

	tool_record_line(host_fields, s->c, NULL, !r->n++, r->out);
	each_host(s, print_line, &lines);
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

	if (ok && t->args.csv)
		print_csv(&s, r);
	else if (ok)
		tool_report_case(t, r, c, figures, &s, print_text);
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
