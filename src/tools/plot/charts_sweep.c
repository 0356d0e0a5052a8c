// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Charts of weft sim --sweep: figures 2 and 3 of CLUSTER 2008. */
#include "tools/plot/gnuplot.h"
#include "tools/plot/plot.h"

/* The end of the run of objects from number at on with the same streams. */
static size_t same_streams(const json_t *array, size_t at)
{
	double streams = tool_plot_number(json_array_get(array, at), "streams");

	while (++at < json_array_size(array))
		if (tool_plot_number(json_array_get(array, at), "streams") !=
		    streams)
			break;
	return at;
}

/* A figure, or what gnuplot takes for none. */
static void put_figure(const json_t *object, const char *key, FILE *script)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_number(value))
		fprintf(script, " %.10g", json_number_value(value));
	else
		fputs(" NaN", script);
}

static void put_rows(const json_t *array, size_t from, size_t to,
		     const char *const *key, FILE *script)
{
	for (size_t i = from; i < to; i++) {
		for (const char *const *k = key; *k; k++)
			put_figure(json_array_get(array, i), *k, script);
		putc('\n', script);
	}
	fputs("EOD\n", script);
}

void tool_plot_streams(json_t *cases, FILE *script)
{
	static const char *const keys[] = { "streams", "us", "least_us",
					    "most_us", "gbps", NULL };
	json_t *one;
	size_t i;

	json_array_foreach(cases, i, one)
	{
		const json_t *fits = json_object_get(one, "fits");

		fprintf(script, "$d%zu << EOD\n", i);
		put_rows(fits, 0, json_array_size(fits), keys, script);
	}
	fputs("set xlabel 'streams that share the cable'\n"
	      "set ylabel 'time of a message of a byte, us'\n"
	      "set y2label 'bandwidth of long messages, Gbit/s (dashed)'\n"
	      "set yrange [0:*]\nset y2range [0:*]\nset xrange [0:*]\n"
	      "set ytics nomirror\nset y2tics\nset key top center\nplot ",
	      script);
	json_array_foreach(cases, i, one)
	{
		size_t style = i % TOOL_GNUPLOT_STYLES + 1;

		fprintf(script,
			"%s$d%zu using 1:2:3:4 with yerrorlines linestyle %zu title ",
			i ? ", " : "", i, style);
		tool_gnuplot_string(script, tool_plot_label(one));
		fprintf(script,
			", $d%zu using 1:5 axes x1y2 with linespoints linestyle %zu dashtype 2 notitle",
			i, style);
	}
	putc('\n', script);
}

/* Calls act() for each number of streams of each case, which it counts. */
static void each_curve(json_t *cases, FILE *script,
		       void (*act)(json_t *cases, size_t one, size_t from,
				   size_t to, size_t curve, FILE *script))
{
	size_t curve = 0;

	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *points = json_object_get(json_array_get(cases, i),
						       "points");
		size_t to;

		for (size_t k = 0; k < json_array_size(points); k = to) {
			to = same_streams(points, k);
			act(cases, i, k, to, curve++, script);
		}
	}
}

static const json_t *points_of(json_t *cases, size_t one)
{
	return json_object_get(json_array_get(cases, one), "points");
}

static void put_curve(json_t *cases, size_t one, size_t from, size_t to,
		      size_t curve, FILE *script)
{
	static const char *const keys[] = { "bytes", "gbps", "fit_us", NULL };

	fprintf(script, "$d%zu << EOD\n", curve);
	put_rows(points_of(cases, one), from, to, keys, script);
}

static void plot_curve(json_t *cases, size_t one, size_t from, size_t to,
		       size_t curve, FILE *script)
{
	char title[160];

	(void)to;
	snprintf(title, sizeof(title), "%s, streams: %.0f",
		 tool_plot_label(json_array_get(cases, one)),
		 tool_plot_number(json_array_get(points_of(cases, one), from),
				  "streams"));
	fprintf(script,
		"%s$d%zu using 1:2 with linespoints linestyle %zu title ",
		curve ? ", " : "", curve, curve % TOOL_GNUPLOT_STYLES + 1);
	tool_gnuplot_string(script, title);
	fprintf(script,
		", $d%zu using 1:($1 * 8e-3 / $3) with lines linestyle %zu dashtype 2 notitle",
		curve, curve % TOOL_GNUPLOT_STYLES + 1);
}

void tool_plot_sizes(json_t *cases, FILE *script)
{
	each_curve(cases, script, put_curve);
	fputs("set xlabel 'bytes of a message'\n"
	      "set ylabel 'bandwidth, Gbit/s (dashed: LogGP)'\n"
	      "set logscale x 2\nset format x '2^{%L}'\nset yrange [0:*]\n"
	      "set key left top\nplot ",
	      script);
	each_curve(cases, script, plot_curve);
	putc('\n', script);
}
