// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Figures in the text format of Prometheus, version 0.0.4: all samples of a
 * metric stand together, below its help and type, and no two of them have the
 * same labels; a collector that meets anything else drops the whole file.
 */
#include "tools/check/prometheus.h"

#include "tools/check/flapping.h"

#include "core/grow.h"
#include "report/multicast.h"
#include "report/since.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BISECTIONS 100

enum metric {
	FINE, HOSTS, SWITCHES, LINKS, PARTS, PAIRS, UNREACHABLE, LOOPING, APART,
	NONMINIMAL, HOPS_AVERAGE, HOPS_MAX, LANES, CYCLIC_LANES, EFI, UNLOADED,
	BISECTION, SINGLE_SWITCHES, SINGLE_CABLES, ONE_PORT, DEPENDENT,
	NEEDLESS, FLAPPING, GROUPS, GROUPS_BROKEN, GROUPS_CIRCLES,
	GROUPS_PIECES, GROUPS_LOST, GROUPS_CHANNELS, GROUPS_MAX, METRICS
};

static const struct {
	const char *name, *help;
} metrics[METRICS] = {
	[FINE] = { "fine",
		   "Whether every pair has a route and no lane a credit loop."
		   },
	[HOSTS] = { "hosts", "Ports of hosts." },
	[SWITCHES] = { "switches", "Switches." },
	[LINKS] = { "links", "Cables, those of hosts included." },
	[PARTS] = { "parts", "Parts of the fabric that no cable joins." },
	[PAIRS] = { "pairs", "Pairs of a host and a LID of another one." },
	[UNREACHABLE] = { "unreachable_pairs", "Pairs without a route." },
	[LOOPING] = { "looping_pairs", "Of these, routes that end in a loop." },
	[APART] = { "apart_pairs", "Of these, pairs that no cable joins." },
	[NONMINIMAL] = { "nonminimal_pairs",
			 "Pairs with a longer route than need be." },
	[HOPS_AVERAGE] = { "hops_average", "Switches on a route." },
	[HOPS_MAX] = { "hops_max", "Switches on the longest route." },
	[LANES] = { "lanes", "Virtual lanes that routes use." },
	[CYCLIC_LANES] = { "lanes_with_credit_loops",
			   "Of these, lanes on which packets may deadlock." },
	[EFI] = { "edge_forwarding_index",
		  "Most routes on a channel between switches." },
	[UNLOADED] = { "unloaded_channels",
		       "Channels between switches without a route." },
	[BISECTION] = { "bisection_bandwidth_ratio",
			"Effective bisection bandwidth as a share of full bandwidth."
			},
	[SINGLE_SWITCHES] = { "single_point_switches",
			      "Switches whose loss cuts off hosts besides those on them alone."
			      },
	[SINGLE_CABLES] = { "single_point_cables",
			    "Cables between switches whose loss cuts off hosts."
			    },
	[ONE_PORT] = { "one_port_hosts", "Hosts with one cabled port." },
	[DEPENDENT] = { "dependent_hosts",
			"Hosts with several ports all routes to which pass one switch."
			},
	[NEEDLESS] = { "needlessly_dependent_hosts",
		       "Of these, hosts for which the cables allow better." },
	[FLAPPING] = { "flapping_cables",
		       "Cables that come and go, which routes keep off." },
	[GROUPS] = { "multicast_groups", "Multicast groups." },
	[GROUPS_BROKEN] = { "multicast_broken_groups",
			    "Of these, groups whose ports are no tree." },
	[GROUPS_CIRCLES] = { "multicast_circles",
			     "Cables of all groups more than trees have." },
	[GROUPS_PIECES] = { "multicast_pieces",
			    "Pieces that are cut off from the first of their group."
			    },
	[GROUPS_LOST] = { "multicast_lost_pairs",
			  "Pairs of members that do not hear each other." },
	[GROUPS_CHANNELS] = { "multicast_channels",
			      "Channels between switches that any group uses." },
	[GROUPS_MAX] = { "multicast_groups_on_a_channel",
			 "The most groups that use one channel." },
};

struct tool_metrics_row {
	char *labels;
	json_t *flapping;	/* or NULL */
	char *counters;		/* samples of ports, a line each, "" */
	double value[METRICS];	/* NAN: not known */
};

/* A label as the format has it: UTF-8, three characters escaped. */
static void put_label(FILE *out, const char *name, const char *text)
{
	json_t *clean = tool_json_string(text);
	const char *s = clean ? json_string_value(clean) : "";

	fprintf(out, "%s=\"", name);
	for (; *s; s++)
		if (*s == '\n')
			fputs("\\n", out);
		else
			fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c",
				*s);
	fputc('"', out);
	json_decref(clean);
}

static char *make_labels(const struct tool_case *c, int64_t sl)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_label(out, "fabric", c->input);
	fputc(',', out);
	put_label(out, "routes", c->label);
	if (sl >= 0)
		fprintf(out, ",sl=\"%" PRId64 "\"", sl);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void take_figures(const struct tool_figures *f, bool fine, double *v)
{
	const struct weft_proof *p = &f->proof;

	v[FINE] = fine;
	v[HOSTS] = f->hosts;
	v[SWITCHES] = f->switches;
	v[LINKS] = f->links;
	v[PARTS] = p->parts;
	v[PAIRS] = p->pairs;
	v[UNREACHABLE] = p->unreachable;
	v[LOOPING] = p->loops;
	v[APART] = p->apart;
	v[NONMINIMAL] = p->nonminimal;
	v[HOPS_AVERAGE] = p->reached ? f->avg_hops : NAN;
	v[HOPS_MAX] = p->max_hops;
	v[LANES] = f->lanes;
	v[CYCLIC_LANES] = p->cyclic_vls;
	v[EFI] = p->load_max;
	v[UNLOADED] = p->load_zero;
}

static void take_multicast(const struct tool_multicast *m, double *v)
{
	const struct weft__multicast_sums s = weft__multicast_sum(&m->v);

	for (unsigned k = GROUPS; k <= GROUPS_MAX; k++)
		v[k] = NAN;
	if (!m->there)
		return;
	v[GROUPS] = m->v.n;
	v[GROUPS_BROKEN] = m->v.broken;
	v[GROUPS_CIRCLES] = s.circles;
	v[GROUPS_PIECES] = s.pieces;
	v[GROUPS_LOST] = s.lost;
	v[GROUPS_CHANNELS] = m->v.used;
	v[GROUPS_MAX] = m->v.max_load;
}

static bool take_bandwidth(struct tool *t, const struct tool_case *c,
			   double *v)
{
	const struct weft_ebb_spec spec = {
		.patterns = BISECTIONS, .seed = 1,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.progress = tool_progress, .progress_context = t,
	};
	struct weft_ebb ebb;

	tool_phase(t, "random bisections of %s", c->label);
	if (weft_ebb_run(c->fabric, c->routes, &spec, &ebb, &t->diag))
		return false;
	v[BISECTION] = ebb.patterns && ebb.streams ? ebb.mean : NAN;
	return true;
}

static bool take_single_points(struct tool *t, const struct tool_case *c,
			       double *v)
{
	struct weft_redundancy r = { .weak = NULL };
	uint32_t *part, n;
	bool ok;

	tool_phase(t, "single points of failure of %s", c->input);
	if (weft_fault_single_points(c->fabric,
				     t->args.hosts == TOOL_HOSTS_ALL, &part,
				     &n))
		return tool_no_memory(t);
	v[SINGLE_SWITCHES] = v[SINGLE_CABLES] = 0;
	for (uint32_t i = 0; i < n; i++)
		v[part[i] & WEFT_PART_SWITCH ? SINGLE_SWITCHES :
					       SINGLE_CABLES]++;
	free(part);
	ok = !weft_redundancy_find(c->fabric, &c->routes->lft, &r) ||
		tool_no_memory(t);
	v[ONE_PORT] = r.single;
	v[DEPENDENT] = r.weak_machines;
	v[NEEDLESS] = r.needless_machines;
	weft_redundancy_free(&r);
	return ok;
}

/* Takes the labels; two rows with the same ones are no file. */
static bool take_labels(struct tool *t, const struct tool_metrics *m,
			const struct tool_case *c, int64_t sl, char **out)
{
	char *labels = make_labels(c, sl);

	if (!labels)
		return tool_no_memory(t);
	for (unsigned i = 0; i < m->n; i++) {
		if (strcmp(m->row[i].labels, labels))
			continue;
		free(labels);
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "%s, %s is there twice: metrics of both would have the same labels; leave one out",
			      c->input, c->label);
		return false;
	}
	*out = labels;
	return true;
}

static void take_flapping(const struct tool_case *c,
			  struct tool_metrics_row *row)
{
	const json_t *cables;

	row->flapping = tool_flapping_read(c->input);
	cables = json_object_get(row->flapping, "cables");
	row->value[FLAPPING] = json_is_integer(cables) ?
		json_integer_value(cables) : NAN;
}

#define PORTS 10	/* of each kind */

static const struct {
	const char *name, *help;
} of_ports[] = {
	{ "port_errors", "Errors of one kind of the ports with most of them." },
	{ "port_sent_bits_per_second",
	  "What the busiest ports sent between two readings." },
	{ "multicast_channel_groups", "Groups of the channels with most." },
};

/* Begins the sample of a port: the labels of the case, and the channel. */
static void put_port(const char *labels, const struct weft_fabric *f,
		     unsigned kind, uint32_t ch, FILE *out)
{
	char name[768];

	fprintf(out, "weft_%s{%s,", of_ports[kind].name, labels);
	put_label(out, "channel", tool_text_channel(f, ch, name, sizeof(name)));
}

static void put_groups(const struct tool_case *c, const char *labels,
		       const struct tool_multicast *m, FILE *out)
{
	uint32_t ch = m->there ? m->v.max_channel : WEFT_NONE;

	for (uint32_t i = 0; i < PORTS && ch != WEFT_NONE; i++) {
		put_port(labels, c->fabric, 2, ch, out);
		fprintf(out, "} %" PRIu32 "\n", m->v.load[ch]);
		ch = weft__multicast_next(c->fabric, &m->v, ch);
	}
}

static void put_ports(const struct tool_case *c, const char *labels,
		      const struct weft__since *s, FILE *out)
{
	for (uint32_t i = 0; i < s->ntotals && i < PORTS; i++) {
		put_port(labels, c->fabric, 0, s->totals[i].channel, out);
		fprintf(out, ",counter=\"%s\"} %" PRIu64 "\n",
			weft_counter_name(s->totals[i].counter),
			s->totals[i].value);
	}
	for (uint32_t i = 0; i < s->nbusy && i < PORTS; i++) {
		put_port(labels, c->fabric, 1, s->busy[i].channel, out);
		fprintf(out, "} %.15g\n", s->busy[i].gbit * 1e9);
	}
}

/* What a capture tells of its ports, those that matter most. */
static bool take_ports(struct tool *t, const struct tool_case *c,
		       const struct tool_multicast *m,
		       struct tool_metrics_row *row)
{
	struct weft_counters counters = { 0 };
	const struct weft__moment now = { .fabric = c->fabric,
					  .counters = &counters };
	struct weft__since s = { .seconds = 0 };
	size_t size;
	FILE *out;
	int err = weft_io_read_counters(c->input, c->fabric, &counters,
					&t->diag);

	if (err && err != -ENOENT)
		return false;
	out = open_memstream(&row->counters, &size);
	err = out ? weft__since_find(NULL, &now, &s, &t->diag) : -ENOMEM;
	if (!err)
		put_ports(c, row->labels, &s, out);
	if (!err)
		put_groups(c, row->labels, m, out);
	if (out && fclose(out))
		err = -ENOMEM;
	weft__since_free(&s);
	weft_counters_free(&counters);
	return !err || tool_no_memory(t);
}

/* The lines of all cases that are samples of that metric. */
static void put_metric(const struct tool_metrics *m, unsigned kind, FILE *out)
{
	const char *name = of_ports[kind].name;

	fprintf(out, "# HELP weft_%s %s\n# TYPE weft_%s gauge\n", name,
		of_ports[kind].help, name);
	for (unsigned i = 0; i < m->n; i++)
		for (const char *at = m->row[i].counters, *end; at && *at;
		     at = end + 1) {
			end = strchr(at, '\n');
			if (!strncmp(at + 5, name, strlen(name)))
				fprintf(out, "%.*s\n", (int)(end - at), at);
		}
}

bool tool_metrics_add(struct tool *t, struct tool_metrics *m,
		      const struct tool_case *c, const struct tool_figures *f,
		      const struct tool_multicast *multicast, bool fine,
		      int64_t sl)
{
	struct tool_metrics_row *row;

	if (weft__grow_one(&m->row, m->n))
		return tool_no_memory(t);
	row = &m->row[m->n];
	if (!take_labels(t, m, c, sl, &row->labels))
		return false;
	m->n++;
	take_figures(f, fine, row->value);
	take_multicast(multicast, row->value);
	take_flapping(c, row);
	return take_ports(t, c, multicast, row) && take_bandwidth(t, c, row->value) &&
		take_single_points(t, c, row->value);
}

/* Names cables: a sample for each. */
static void put_flapping(const struct tool_metrics_row *row, FILE *out)
{
	json_t *list = json_object_get(row->flapping, "list"), *cable;
	size_t i;

	json_array_foreach(list, i, cable) {
		json_t *ends = json_object_get(cable, "ends");
		const char *a = json_string_value(json_array_get(ends, 0));
		const char *b = json_string_value(json_array_get(ends, 1));

		if (!a || !b)
			continue;
		fprintf(out, "weft_flapping_times{%s,", row->labels);
		put_label(out, "from", a);
		fputc(',', out);
		put_label(out, "to", b);
		fprintf(out, "} %" JSON_INTEGER_FORMAT "\n",
			json_integer_value(json_object_get(cable, "times")));
	}
}

void tool_metrics_write(const struct tool_metrics *m, FILE *out)
{
	for (unsigned k = 0; k < METRICS; k++) {
		fprintf(out, "# HELP weft_%s %s\n# TYPE weft_%s gauge\n",
			metrics[k].name, metrics[k].help, metrics[k].name);
		for (unsigned i = 0; i < m->n; i++)
			if (!isnan(m->row[i].value[k]))
				fprintf(out, "weft_%s{%s} %.15g\n",
					metrics[k].name, m->row[i].labels,
					m->row[i].value[k]);
	}
	fputs("# HELP weft_flapping_times How often a cable that comes and goes went of late.\n"
	      "# TYPE weft_flapping_times gauge\n", out);
	for (unsigned i = 0; i < m->n; i++)
		put_flapping(&m->row[i], out);
	for (unsigned k = 0; k < sizeof(of_ports) / sizeof(of_ports[0]); k++)
		put_metric(m, k, out);
}

void tool_metrics_free(struct tool_metrics *m)
{
	for (unsigned i = 0; i < m->n; i++) {
		free(m->row[i].labels);
		free(m->row[i].counters);
		json_decref(m->row[i].flapping);
	}
	free(m->row);
	*m = (struct tool_metrics){ .n = 0 };
}
