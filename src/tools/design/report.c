// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of designs. */
#include "tools/common/record.h"
#include "tools/design/design.h"

#include <math.h>

#define AS_GOOD 0.95	/* of the most that one is worth */

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct tool_design, __VA_ARGS__)
	FIELD(number, COUNT, "number"),
	FIELD(family, WORD, "family"),
	FIELD(spec, NAME, "description"),
	FIELD(taper, REAL, "taper"),
	FIELD(places, COUNT, "places"),
	FIELD(switches, COUNT, "switches"),
	FIELD(ports, COUNT, "ports"),
	FIELD(cables, COUNT, "cables"),
	FIELD(hops, COUNT, "hops"),
	FIELD(price, REAL, "price"),
	FIELD(worth, REAL, "worth"),
	FIELD(uniform, REAL, "uniform"),
	FIELD(failed, REAL, "worth_failed"),
#undef FIELD
	TOOL_FIELDS_END
};

/* The one to take: the first of those that are worth at least 95 % of the most;
 * NULL: nothing is known of what they are worth. */
static const struct tool_design *advised(const struct tool_design *d,
					 unsigned n)
{
	double most = 0;

	for (unsigned i = 0; i < n; i++)
		if (d[i].worth > most)
			most = d[i].worth;
	for (unsigned i = 0; i < n; i++)
		if (d[i].worth >= most * AS_GOOD && most > 0)
			return &d[i];
	return NULL;
}

static void print_real(double value, int digits, int width, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "  %*.*f", width, digits, value);
	else
		fprintf(out, "  %*s", width, "-");
}

static void print_row(const struct tool_design *d, bool priced, FILE *out)
{
	fprintf(out, "%3u  %-14s %5.3g  %7u  %8u  %6u  %4u", d->number,
		d->family, d->taper, d->places, d->switches, d->cables,
		d->hops);
	if (priced)
		print_real(d->price, 0, 10, out);
	print_real(d->worth, 3, 5, out);
	print_real(d->uniform, 3, 7, out);
	print_real(d->failed, 3, 6, out);
	fputc('\n', out);
}

void tool_design_print(const struct tool_design *d, unsigned n, bool priced,
		       FILE *out)
{
	const struct tool_design *best = advised(d, n);

	fprintf(out, "%3s  %-14s %5s  %7s  %8s  %6s  %4s%s  %5s  %7s  %6s\n",
		"", "family", "taper", "places", "switches", "cables", "hops",
		priced ? "       price" : "", "worth", "uniform", "failed");
	for (unsigned i = 0; i < n; i++)
		print_row(&d[i], priced, out);
	fputc('\n', out);
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%3u  %s\n", d[i].number, d[i].spec);
	if (best)
		fprintf(out, "\nTake %u: of those that are worth 95 %% of the most or more it %s.\n",
			best->number, priced ? "costs least" :
			"has the fewest switches");
}

void tool_design_csv(const struct tool_design *d, unsigned n, FILE *out)
{
	tool_record_keys(figures, out);
	fputc('\n', out);
	for (unsigned i = 0; i < n; i++) {
		tool_record_csv(figures, &d[i], out);
		fputc('\n', out);
	}
}

json_t *tool_design_json(const struct tool_design *d, unsigned n)
{
	return tool_record_array(figures, d, n, sizeof(*d));
}
