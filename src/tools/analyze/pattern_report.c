// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results of patterns for people: a block for each, a column for each case. */
#include "tools/analyze/patterns.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define NAMES 28	/* columns for what a line holds */
#define NARROWEST 11
#define WIDEST 18

struct table {
	const struct tool_patterns *p;
	unsigned n;
	int width;		/* of one column */
	FILE *out;
};

static const struct line {
	const char *name;
	enum { U32, U64, SHARE } type;
	size_t at;		/* in struct weft_model */
} lines[] = {
#define AT(field) offsetof(struct weft_model, field)
#define MEASURE(name, which) \
	{ name, SHARE, AT(measure[which].mean) }, \
	{ "    99 % interval +-", SHARE, AT(measure[which].ci99) }, \
	{ "    worst sample", SHARE, AT(measure[which].min) }, \
	{ "    best sample", SHARE, AT(measure[which].max) }
	{ "  ranks", U32, AT(ranks) },
	{ "  rounds", U64, AT(rounds) },
	{ "  samples", U64, AT(samples) },
	{ "  seed", U32, AT(seed) },
	MEASURE("  mean of the streams", WEFT_STREAMS),
	MEASURE("  lower bound of rounds", WEFT_LOWER),
	MEASURE("  upper bound of rounds", WEFT_UPPER),
	{ "  slowest stream", SHARE, AT(slowest) },
	{ "  fastest stream", SHARE, AT(fastest) },
	{ "  lost streams", U64, AT(lost) },
	{ "  hosts not always reached", U32, AT(unreached) },
#undef MEASURE
#undef AT
};

/* Cut on the left, where names of files differ least. */
static void print_name(const struct table *t, const char *name)
{
	size_t length = strlen(name), room = t->width - 2;

	if (length > room)
		fprintf(t->out, "  ..%s", name + length - (room - 2));
	else
		fprintf(t->out, "%*s", t->width, name);
}

static void print_line(const struct table *t, const struct line *l,
		       unsigned which)
{
	fprintf(t->out, "%-*s", NAMES, l->name);
	for (unsigned i = 0; i < t->n; i++) {
		const struct weft_model *m = &t->p[i].pattern[which].model;
		const void *value = (const char *)m + l->at;

		if (t->p[i].refused)
			fprintf(t->out, "%*s", t->width, "-");
		else if (l->type == U32)
			fprintf(t->out, "%*s", t->width,
				WEFT_COUNT(*(const uint32_t *)value, NULL));
		else if (l->type == U64)
			fprintf(t->out, "%*s", t->width,
				WEFT_COUNT(*(const uint64_t *)value, NULL));
		else
			fprintf(t->out, "%*.4f", t->width,
				*(const double *)value);
	}
	fputc('\n', t->out);
}

static void print_hot(const struct table *t, unsigned which)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct tool_pattern *p = &t->p[i].pattern[which];

		if (t->p[i].refused || !p->nhot)
			continue;
		fprintf(t->out, "  hottest channels%s%s\n      mean   peak\n",
			t->n > 1 ? ", " : "", t->n > 1 ? t->p[i].label : "");
		for (unsigned k = 0; k < p->nhot; k++) {
			const struct tool_hot *h = &p->hot[k];

			fprintf(t->out, "  %8.2f %6.4g  ", h->streams,
				h->peak);
			tool_text_wrap(t->out, 19, 21, h->text);
		}
	}
}

static void print_pattern(const struct table *t, const char *label,
			  unsigned which)
{
	const struct tool_pattern *p = NULL;

	for (unsigned i = 0; i < t->n && !p; i++)
		if (!t->p[i].refused)
			p = &t->p[i].pattern[which];
	if (!p)
		return;
	fprintf(t->out, "\n%s, ranks placed by %s", label, p->order);
	if (strcmp(p->lids, "routes"))
		fprintf(t->out, ", LIDs: %s", p->lids);
	fputs(", shares of full bandwidth\n", t->out);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		print_line(t, &lines[i], which);
	print_hot(t, which);
}

/* The running times of an application, or the halves of their intervals. */
static void print_shares(const struct table *t, unsigned which, bool error)
{
	for (unsigned k = 0; k < t->n; k++)
		if (t->p[k].refused)
			fprintf(t->out, "%*s", t->width, "-");
		else
			fprintf(t->out, "%*.2f %%", t->width - 2, 100 *
				(error ? t->p[k].error : t->p[k].time)[which]);
}

static void print_applications(const struct table *t,
			       const struct tool_requests *r)
{
	if (!r->napplications)
		return;
	fputs("\nrunning time with full bandwidth\n", t->out);
	for (unsigned i = 0; i < r->napplications; i++) {
		fprintf(t->out, "  %-*.*s", NAMES - 2, NAMES - 2,
			r->application[i].text);
		print_shares(t, i, false);
		fprintf(t->out, "\n%-*s", NAMES, "    99 % interval +-");
		print_shares(t, i, true);
		fputc('\n', t->out);
	}
}

static void print_block(const struct table *t, const struct tool_requests *r)
{
	fprintf(t->out, "%-*s", NAMES, "");
	for (unsigned i = 0; i < t->n; i++)
		print_name(t, t->p[i].input);
	fputc('\n', t->out);
	fprintf(t->out, "%-*s", NAMES, "");
	for (unsigned i = 0; i < t->n; i++)
		print_name(t, t->p[i].label);
	fprintf(t->out, "\n%-*s", NAMES, "hosts");
	for (unsigned i = 0; i < t->n; i++)
		fprintf(t->out, "%*s", t->width,
			WEFT_COUNT(t->p[i].hosts, NULL));
	fputc('\n', t->out);
	for (unsigned i = 0; i < t->n; i++)
		if (t->p[i].refused)
			tool_refused_print(t->p[i].input, t->p[i].label,
					   t->p[i].refused, t->out);
	for (unsigned i = 0; i < r->n; i++)
		print_pattern(t, r->request[i].label, i);
	print_applications(t, r);
}

static int column_width(const struct tool_patterns *p, unsigned n)
{
	size_t width = NARROWEST;

	for (unsigned i = 0; i < n; i++) {
		size_t label = strlen(p[i].label) + 2;
		size_t input = strlen(p[i].input) + 2;

		width = label > width ? label : width;
		width = input > width ? input : width;
	}
	return width < WIDEST ? width : WIDEST;
}

void tool_patterns_report(const struct tool_patterns *p, unsigned n,
			  const struct tool_requests *r, FILE *out)
{
	int width = column_width(p, n);
	unsigned fit = tool_text_fit(out, NAMES, width);

	for (unsigned i = 0; i < n; i += fit) {
		struct table t = {
			.p = p + i, .n = n - i < fit ? n - i : fit,
			.width = width, .out = out,
		};

		if (i)
			fputc('\n', out);
		print_block(&t, r);
	}
}
