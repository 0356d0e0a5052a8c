// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results of patterns for people: a block for each, a column for each case. */
#include "tools/analyze/patterns.h"
#include "tools/common/columns.h"

#include <string.h>

#define NAMES 28	/* columns for what a line holds */

struct table {
	struct tool_columns c;
	const struct tool_patterns *p;
	unsigned which;		/* of the patterns */
};

static const struct tool_line lines[] = {
#define MEASURE(name, key) \
	{ name, key ".mean", false }, { "    99 % interval +-", key ".ci99", false }, \
	{ "    worst sample", key ".min", false }, { "    best sample", key ".max", false }
	{ "  ranks", "ranks", false },
	{ "  rounds", "rounds", false },
	{ "  samples", "samples", false },
	{ "  seed", "seed", false },
	MEASURE("  mean of the streams", "streams"),
	MEASURE("  lower bound of rounds", "lower"),
	MEASURE("  upper bound of rounds", "upper"),
	{ "  slowest stream", "slowest", false },
	{ "  fastest stream", "fastest", false },
	{ "  lost streams", "lost", false },
	{ "  hosts not always reached", "unreached", false },
#undef MEASURE
};

static const void *pattern_of(const void *context, unsigned i)
{
	const struct table *t = context;

	return t->p[i].refused ? NULL : &t->p[i].pattern[t->which];
}

static void print_hot(const struct table *t)
{
	for (unsigned i = 0; i < t->c.n; i++) {
		const struct tool_pattern *p = pattern_of(t, i);

		if (!p || !p->nhot)
			continue;
		fprintf(t->c.out, "  hottest channels%s%s\n      mean   peak\n",
			t->c.n > 1 ? ", " : "", t->c.n > 1 ? t->p[i].label : "");
		for (unsigned k = 0; k < p->nhot; k++) {
			const struct tool_hot *h = &p->hot[k];

			fprintf(t->c.out, "  %8.2f %6.4g  ", h->streams,
				h->peak);
			tool_text_wrap(t->c.out, 19, 21, h->text);
		}
	}
}

static void print_pattern(struct table *t, const char *label, unsigned which)
{
	const struct tool_pattern *p = NULL;

	t->which = which;
	for (unsigned i = 0; i < t->c.n && !p; i++)
		p = pattern_of(t, i);
	if (!p)
		return;
	fprintf(t->c.out, "\n%s, ranks placed by %s", label, p->order);
	if (strcmp(p->lids, "routes"))
		fprintf(t->c.out, ", LIDs: %s", p->lids);
	fputs(", shares of full bandwidth\n", t->c.out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		tool_columns_line(&t->c, &lines[i], tool_field_find(
			tool_pattern_figures, lines[i].key));
	print_hot(t);
}

/* The running times of an application, or the halves of their intervals. */
static void print_shares(const struct table *t, unsigned which, bool error)
{
	for (unsigned k = 0; k < t->c.n; k++)
		if (t->p[k].refused)
			fprintf(t->c.out, "%*s", t->c.width, "-");
		else
			fprintf(t->c.out, "%*.2f %%", t->c.width - 2, 100 *
				(error ? t->p[k].error : t->p[k].time)[which]);
}

static void print_applications(const struct table *t,
			       const struct tool_requests *r)
{
	if (!r->napplications)
		return;
	fputs("\nrunning time with full bandwidth\n", t->c.out);
	for (unsigned i = 0; i < r->napplications; i++) {
		fprintf(t->c.out, "  %-*.*s", NAMES - 2, NAMES - 2,
			r->application[i].text);
		print_shares(t, i, false);
		fprintf(t->c.out, "\n%-*s", NAMES, "    99 % interval +-");
		print_shares(t, i, true);
		fputc('\n', t->c.out);
	}
}

static void print_block(struct table *t, const struct tool_requests *r)
{
	fprintf(t->c.out, "%-*s", NAMES, "");
	for (unsigned i = 0; i < t->c.n; i++)
		tool_columns_name(&t->c, t->p[i].input);
	fputc('\n', t->c.out);
	fprintf(t->c.out, "%-*s", NAMES, "");
	for (unsigned i = 0; i < t->c.n; i++)
		tool_columns_name(&t->c, t->p[i].label);
	fprintf(t->c.out, "\n%-*s", NAMES, "hosts");
	for (unsigned i = 0; i < t->c.n; i++)
		fprintf(t->c.out, "%*s", t->c.width,
			WEFT_COUNT(t->p[i].hosts, NULL));
	fputc('\n', t->c.out);
	for (unsigned i = 0; i < t->c.n; i++)
		if (t->p[i].refused)
			tool_refused_print(t->p[i].input, t->p[i].label,
					   t->p[i].refused, t->c.out);
	for (unsigned i = 0; i < r->n; i++)
		print_pattern(t, r->request[i].label, i);
	print_applications(t, r);
}

static int column_width(const struct tool_patterns *p, unsigned n)
{
	size_t width = 0;

	for (unsigned i = 0; i < n; i++) {
		size_t label = strlen(p[i].label) + 2;
		size_t input = strlen(p[i].input) + 2;

		width = label > width ? label : width;
		width = input > width ? input : width;
	}
	return tool_columns_width(width);
}

void tool_patterns_report(const struct tool_patterns *p, unsigned n,
			  const struct tool_requests *r, FILE *out)
{
	int width = column_width(p, n);
	unsigned fit = tool_text_fit(out, NAMES, width);

	for (unsigned i = 0; i < n; i += fit) {
		struct table t = {
			.c = { NAMES, width, n - i < fit ? n - i : fit,
			       pattern_of, NULL, out },
			.p = p + i,
		};

		t.c.context = &t;
		if (i)
			fputc('\n', out);
		print_block(&t, r);
	}
}
