// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The report of analyze: a column for each case. */
#include "tools/analyze/columns.h"

#include "tools/common/columns.h"

#include <string.h>

#define NAMES 24	/* columns for what a line holds */
#define MOST_LOAD_BINS 10
#define MOST_BINS 12	/* of the distribution of bandwidth */

struct columns {
	struct tool_columns table;
	const struct tool_figures *f;
	bool inputs_differ;	/* and are not named by their tables */
	uint64_t load_min, load_max;	/* of all cases */
	unsigned load_bins;
	unsigned step;		/* per cent in a bin of bandwidth */
};

static const struct tool_line lines[] = {
	{ "hosts", "hosts", false },
	{ "  ports of so many nodes", "fewer_nodes", true },
	{ "switches", "switches", false },
	{ "cables", "links", false },
	{ "routers, see weft subnets", "routers", true },
	{ "pairs", "pairs", false },
	{ "  unreachable", "unreachable", false },
	{ "  of these in loops", "loops", false },
	{ "  of these, no cable", "apart", true },
	{ "  non-minimal", "nonminimal", false },
	{ "lanes", "vls", false },
	{ "  with credit loops", "cyclic_vls", false },
	{ "hops", NULL, false },
	{ "  mean", "avg_hops", false },
	{ "  most", "max_hops", false },
	{ "load of a channel, in routes", NULL, false },
	{ "  least", "load_min", false },
	{ "  mean", "load_mean", false },
	{ "  most (EFI)", "efi", false },
	{ "  channels without load", "load_zero", false },
	{ "verdict", NULL, false },
	{ "  safe", "verdict.safe", false },
	{ "  good", "verdict.good", false },
	{ "  worth", "verdict.worth", false },
	{ "  share of weave's", "verdict.share_of_best", false },
	{ "bisection bandwidth, share of full bandwidth", NULL, false },
	{ "  mean", "ebb.mean", false },
	{ "  99 % interval +-", "ebb.ci99", false },
	{ "  worst pattern", "ebb.min", false },
	{ "  best pattern", "ebb.max", false },
	{ "  lost streams", "ebb.lost", false },
	{ "  patterns", "ebb.patterns", false },
	{ "  seed", "seed", false },
};

/* Whether every input holds its own tables. */
static bool named_by_input(const struct columns *c)
{
	for (unsigned i = 0; i < c->table.n; i++)
		if (strcmp(c->f[i].input, c->f[i].label))
			return false;
	return true;
}

/* Headings of the columns: the input, then the engine or tables. */
static void print_head(const struct columns *c)
{
	if (c->inputs_differ) {
		fprintf(c->table.out, "%-*s", NAMES, "");
		for (unsigned i = 0; i < c->table.n; i++)
			tool_columns_name(&c->table, c->f[i].input);
		fputc('\n', c->table.out);
	} else if (!named_by_input(c)) {
		fprintf(c->table.out, "%s\n", c->f[0].input);
	}
	fprintf(c->table.out, "%-*s", NAMES, "");
	for (unsigned i = 0; i < c->table.n; i++)
		tool_columns_name(&c->table, c->f[i].label);
	fputc('\n', c->table.out);
	for (unsigned i = 0; i < c->table.n; i++) {
		const struct tool_figures *f = &c->f[i];

		if (*f->read)
			fprintf(c->table.out, "%s: %s\n", f->label, f->read);
		if (f->refused)
			tool_refused_print(f->input, f->label, f->refused,
					   c->table.out);
	}
}

/* Nodes, where they have several ports. */
static const struct tool_field fewer_nodes =
	TOOL_FIELD(struct tool_figures, fewer_nodes, COUNT, "fewer_nodes");

static void print_line(const struct columns *c, const struct tool_line *l)
{
	tool_columns_line(&c->table, l, !l->key ? NULL :
			  !strcmp(l->key, fewer_nodes.key) ? &fewer_nodes :
			  tool_figures_field(l->key));
}

/* A distribution: its bins first..last, what they are called, and the share of
 * one bin in one case.  Bins that are empty in all cases are left out. */
struct distribution {
	const char *title;
	unsigned first, last;
	void (*name)(const struct columns *c, unsigned bin, char *buf,
		     size_t size);
	double (*share)(const struct columns *c, const struct tool_figures *f,
			unsigned bin);
};

/* Room that is left in a line of 80 columns at most. */
static int bar_width(const struct columns *c)
{
	unsigned width = tool_text_width(c->table.out);

	return (width < 80 ? (int)width : 80) - 1 - NAMES - 2 - c->table.width;
}

static void print_bin(const struct columns *c, const struct distribution *d,
		      unsigned bin)
{
	char name[NAMES];

	d->name(c, bin, name, sizeof(name));
	fprintf(c->table.out, "  %-*s", NAMES - 2, name);
	for (unsigned i = 0; i < c->table.n; i++)
		if (c->f[i].refused)
			fprintf(c->table.out, "%*s", c->table.width, "-");
		else
			fprintf(c->table.out, "%*.2f %%", c->table.width - 2,
				100 * d->share(c, &c->f[i], bin));
	if (c->table.n == 1)
		tool_text_bar(c->table.out, d->share(c, c->f, bin),
			      bar_width(c));
	fputc('\n', c->table.out);
}

static void print_distribution(const struct columns *c,
			       const struct distribution *d)
{
	fprintf(c->table.out, "\n%s\n", d->title);
	for (unsigned bin = d->first; bin <= d->last; bin++)
		for (unsigned i = 0; i < c->table.n; i++)
			if (d->share(c, &c->f[i], bin) > 0) {
				print_bin(c, d, bin);
				break;
			}
}

static double ratio(uint64_t part, uint64_t all)
{
	return all ? (double)part / all : 0;
}

static void hops_name(const struct columns *c, unsigned bin, char *buf,
		      size_t size)
{
	(void)c;
	snprintf(buf, size, "%u", bin);
}

static double hops_share(const struct columns *c, const struct tool_figures *f,
			 unsigned bin)
{
	(void)c;
	return bin > f->proof.max_hops ? 0 :
		ratio(f->proof.hops_pairs[bin], f->proof.reached);
}

static void print_hops(const struct columns *c)
{
	struct distribution d = { "pairs by switches on their route", 1, 0,
				  hops_name, hops_share };

	for (unsigned i = 0; i < c->table.n; i++)
		if (c->f[i].proof.max_hops > d.last)
			d.last = c->f[i].proof.max_hops;
	print_distribution(c, &d);
}

/* First load of a bin; that of bin load_bins is one more than any load. */
static uint64_t load_floor(const struct columns *c, unsigned bin)
{
	uint64_t span = c->load_max - c->load_min + 1;

	return c->load_min + span * bin / c->load_bins;
}

static void load_name(const struct columns *c, unsigned bin, char *buf,
		      size_t size)
{
	uint64_t from = load_floor(c, bin), to = load_floor(c, bin + 1) - 1;

	if (from == to)
		snprintf(buf, size, "%s", WEFT_COUNT(from, NULL));
	else
		snprintf(buf, size, "%s - %s", WEFT_COUNT(from, NULL),
			 WEFT_COUNT(to, NULL));
}

static double load_share(const struct columns *c, const struct tool_figures *f,
			 unsigned bin)
{
	uint64_t from = load_floor(c, bin), to = load_floor(c, bin + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->proof.load_channels; i++)
		n += f->load[i] >= from && f->load[i] < to;
	return ratio(n, f->proof.load_channels);
}

static void print_loads(struct columns *c)
{
	struct distribution d = { "channels by load", 0, 0,
				  load_name, load_share };

	c->load_min = UINT64_MAX;
	c->load_max = 0;
	for (unsigned i = 0; i < c->table.n; i++) {
		const struct weft_proof *p = &c->f[i].proof;

		if (!p->load_channels)
			continue;
		if (p->load_min < c->load_min)
			c->load_min = p->load_min;
		if (p->load_max > c->load_max)
			c->load_max = p->load_max;
	}
	if (c->load_min > c->load_max)
		return;
	c->load_bins = MOST_LOAD_BINS;
	if (c->load_max - c->load_min < MOST_LOAD_BINS)
		c->load_bins = c->load_max - c->load_min + 1;
	d.last = c->load_bins - 1;
	print_distribution(c, &d);
}

/* Bins of congestion: lost, 1, 2 ... 8, 9-16, 17-32, ... 129 and more. */
static const unsigned congestion_from[] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 33, 65, 129, WEFT_MAX_CONGESTION + 1,
};
#define CONGESTION_BINS \
	(sizeof(congestion_from) / sizeof(congestion_from[0]) - 1)

static void congestion_name(const struct columns *c, unsigned bin, char *buf,
			    size_t size)
{
	unsigned from = congestion_from[bin], to = congestion_from[bin + 1] - 1;

	(void)c;
	if (!bin)
		snprintf(buf, size, "lost");
	else if (to == WEFT_MAX_CONGESTION)
		snprintf(buf, size, "%u and more", from);
	else if (from == to)
		snprintf(buf, size, "%u", from);
	else
		snprintf(buf, size, "%u - %u", from, to);
}

static double congestion_share(const struct columns *c,
			       const struct tool_figures *f, unsigned bin)
{
	uint64_t n = 0;

	(void)c;
	for (unsigned i = congestion_from[bin]; i < congestion_from[bin + 1];
	     i++)
		n += f->ebb.congestion[i];
	return ratio(n, f->ebb.streams);
}

static void print_congestion(const struct columns *c)
{
	struct distribution d = {
		"streams by the most crowded channel of their route", 1, 1,
		congestion_name, congestion_share
	};

	for (unsigned i = 0; i < c->table.n; i++) {
		if (c->f[i].ebb.lost)
			d.first = 0;
		for (unsigned bin = 1; bin < CONGESTION_BINS; bin++)
			if (bin > d.last && congestion_share(c, &c->f[i], bin))
				d.last = bin;
	}
	print_distribution(c, &d);
}

static void bandwidth_name(const struct columns *c, unsigned bin, char *buf,
			   size_t size)
{
	snprintf(buf, size, "%.2f - %.2f", bin * c->step / 100.0,
		 (bin + 1) * c->step / 100.0);
}

static double bandwidth_share(const struct columns *c,
			      const struct tool_figures *f, unsigned bin)
{
	uint64_t n = 0;

	for (unsigned i = bin * c->step; i < (bin + 1) * c->step; i++)
		n += f->ebb.bandwidth[i];
	return ratio(n, f->ebb.patterns);
}

/* Bins of 1, 2, 5 or 10 per cent, so that they are not too many. */
static void print_bandwidth(struct columns *c)
{
	static const unsigned steps[] = { 1, 2, 5, 10 };
	struct distribution d = { "patterns by bandwidth", 0, 0,
				  bandwidth_name, bandwidth_share };
	unsigned first = WEFT_EBB_BINS, last = 0;

	for (unsigned i = 0; i < c->table.n; i++)
		for (unsigned b = 0; b < WEFT_EBB_BINS; b++) {
			if (!c->f[i].ebb.bandwidth[b])
				continue;
			first = b < first ? b : first;
			last = b > last ? b : last;
		}
	for (unsigned i = 0; i < 4; i++) {
		c->step = steps[i];
		d.first = first / c->step;
		d.last = last / c->step;
		if (d.last - d.first < MOST_BINS)
			break;
	}
	print_distribution(c, &d);
}

static void print_block(struct columns *c)
{
	print_head(c);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		print_line(c, &lines[i]);
	print_hops(c);
	print_loads(c);
	print_congestion(c);
	print_bandwidth(c);
}

/* Wide enough for what its head holds, within limits. */
static int column_width(const struct tool_figures *f, unsigned n, bool inputs)
{
	size_t width = 0;

	for (unsigned i = 0; i < n; i++) {
		size_t label = strlen(f[i].label) + 2;
		size_t input = strlen(f[i].input) + 2;
		size_t pairs = strlen(WEFT_COUNT(f[i].proof.pairs, NULL)) + 1;

		if (pairs > width)
			width = pairs;
		if (label > width)
			width = label;
		if (inputs && input > width)
			width = input;
	}
	return tool_columns_width(width);
}

static bool inputs_differ(const struct tool_figures *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(f[i].input, f[0].input) &&
		    strcmp(f[i].input, f[i].label))
			return true;
	return false;
}

static const void *figures_of(const void *context, unsigned i)
{
	return (const struct tool_figures *)context + i;
}

void tool_columns_print(const struct tool_figures *f, unsigned n, FILE *out)
{
	bool differ = inputs_differ(f, n);
	int width = column_width(f, n, differ);
	unsigned fit = tool_text_fit(out, NAMES, width);

	for (unsigned i = 0; i < n; i += fit) {
		struct columns c = {
			.table = { NAMES, width, n - i < fit ? n - i : fit,
				   figures_of, f + i, out },
			.f = f + i, .inputs_differ = differ,
		};

		if (i)
			fputc('\n', out);
		print_block(&c);
	}
}
