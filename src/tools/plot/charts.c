// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The charts of weft plot, as scripts for gnuplot. */
#include "tools/plot/gnuplot.h"
#include "tools/plot/plot.h"

#include <math.h>
#include <string.h>

const char *tool_plot_label(const json_t *one)
{
	static const char *const keys[] = { "routes", "engine", "tables",
					    "input" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *text =
			json_string_value(json_object_get(one, keys[i]));

		if (text)
			return text;
	}
	return "?";
}

double tool_plot_number(const json_t *object, const char *key)
{
	double value = json_number_value(json_object_get(object, key));

	return isfinite(value) ? value : 0;
}

/* --- distributions -------------------------------------------------------- */

/* Bins of equal width between low and high. */
struct bins {
	const json_t *count;
	double low, high;
};

/* Writes the middle of each bin, and its share of all in per cent. */
static void put_bins(const struct bins *b, size_t i, FILE *script)
{
	size_t n = json_array_size(b->count);
	double width = n ? (b->high - b->low) / n : 1, all = 0;

	for (size_t k = 0; k < n; k++)
		all += json_number_value(json_array_get(b->count, k));
	fprintf(script, "$d%zu << EOD\n", i);
	for (size_t k = 0; k < n; k++) {
		double count = json_number_value(json_array_get(b->count, k));

		fprintf(script, "%.10g %.10g %.10g\n",
			b->low + (k + .5) * width, all ? 100 * count / all : 0,
			width);
	}
	fputs("EOD\n", script);
}

static void draw_distribution(json_t *cases, FILE *script,
			      struct bins (*bins_of)(const json_t *one))
{
	size_t n = json_array_size(cases), i;
	json_t *one;

	json_array_foreach(cases, i, one)
	{
		const struct bins b = bins_of(one);

		put_bins(&b, i, script);
	}
	fputs("set yrange [0:*]\nset format x \"%'.0f\"\nplot ", script);
	json_array_foreach(cases, i, one)
	{
		fprintf(script,
			n > 1 ? "%s$d%zu using 1:2 with histeps linestyle %zu title "
				:
				"%s$d%zu using 1:2:($3*0.94) with boxes linestyle %zu title ",
			i ? ", " : "", i, i % TOOL_GNUPLOT_STYLES + 1);
		tool_gnuplot_string(script, tool_plot_label(one));
	}
	putc('\n', script);
}

static struct bins load_bins(const json_t *one)
{
	const json_t *loads = json_object_get(one, "load_histogram");

	return (struct bins){ json_object_get(loads, "channels"),
			      tool_plot_number(loads, "low"), tool_plot_number(loads, "high") };
}

static void draw_loads(json_t *cases, FILE *script)
{
	fputs("set xlabel 'routes over a channel, when all hosts send to all'\n"
	      "set ylabel 'channels between switches, per cent'\n",
	      script);
	draw_distribution(cases, script, load_bins);
}

/* From the first bin of any case that is not empty to the last one. */
static void put_range(json_t *cases, FILE *script)
{
	size_t low = 100, high = 0, i, k;
	json_t *one, *count;

	json_array_foreach(cases, i, one)
	{
		json_t *bins = json_object_get(json_object_get(one, "ebb"),
					       "histogram");

		json_array_foreach(bins, k, count)
		{
			if (!json_number_value(count))
				continue;
			low = k < low ? k : low;
			high = k + 1 > high ? k + 1 : high;
		}
	}
	if (low < high && high <= 100)
		fprintf(script, "set xrange [%zu:%zu]\n", low ? low - 1 : 0,
			high < 100 ? high + 1 : 100);
}

static struct bins ebb_bins(const json_t *one)
{
	return (struct bins){ json_object_get(json_object_get(one, "ebb"),
					      "histogram"),
			      0, 100 };
}

static void draw_bisections(json_t *cases, FILE *script)
{
	fputs("set xlabel 'share of full bandwidth, per cent'\n"
	      "set ylabel 'random bisections, per cent'\n",
	      script);
	put_range(cases, script);
	draw_distribution(cases, script, ebb_bins);
}

/* --- what tables are worth ------------------------------------------------ */

static void put_share(FILE *script, double share, double error)
{
	fprintf(script, " %.6g %.6g", 100 * share, 100 * error);
}

/* A part is an object with its error, or a number: that is not known. */
static void put_part(const json_t *part, FILE *script)
{
	if (json_is_object(part))
		put_share(script, tool_plot_number(part, "share"), tool_plot_number(part, "error"));
	else
		put_share(script, json_number_value(part), 0);
}

/* The names of the parts, and a row for each of them with all cases. */
static void put_parts(json_t *cases, const json_t *parts, FILE *script)
{
	const char *name;
	json_t *part, *one;
	size_t i = 0, k;

	fputs("set xtics (", script);
	json_object_foreach((json_t *)parts, name, part)
	{
		tool_gnuplot_tic(script, name, i++);
	}
	fputs(")\n$d << EOD\n", script);
	json_object_foreach((json_t *)parts, name, part)
	{
		json_array_foreach(cases, k, one)
		{
			put_part(json_object_get(json_object_get(one, "parts"),
						 name),
				 script);
		}
		putc('\n', script);
	}
	fputs("EOD\n", script);
}

static void draw_patterns(json_t *cases, FILE *script)
{
	json_t *one;
	size_t i;

	put_parts(cases, json_object_get(json_array_get(cases, 0), "parts"),
		  script);
	fputs("set ylabel 'share of full bandwidth, per cent'\n"
	      "set yrange [0:100]\nset key below\n"
	      "set style data histogram\n"
	      "set style histogram errorbars gap 1 linewidth 1\nplot ",
	      script);
	json_array_foreach(cases, i, one)
	{
		fprintf(script, "%s$d using %zu:%zu linestyle %zu title ",
			i ? ", " : "", 2 * i + 1, 2 * i + 2,
			i % TOOL_GNUPLOT_STYLES + 1);
		tool_gnuplot_string(script, tool_plot_label(one));
	}
	putc('\n', script);
}

static void draw_engines(json_t *cases, FILE *script)
{
	json_t *one;
	size_t i;

	fputs("set xtics rotate by -30 (", script);
	json_array_foreach(cases, i, one)
	{
		tool_gnuplot_tic(script, tool_plot_label(one), i);
	}
	fputs(")\n$d << EOD\n", script);
	json_array_foreach(cases, i, one)
	{
		fprintf(script, "%zu", i);
		put_share(script, tool_plot_number(one, "worth"), tool_plot_number(one, "error"));
		putc('\n', script);
	}
	fprintf(script,
		"EOD\nset ylabel 'worth: share of full bandwidth, all patterns, per cent'\nset yrange [0:100]\nset xrange [-0.6:%.1f]\nunset key\nset boxwidth 0.7\n"
		"plot $d using 1:2:3 with boxerrorbars linestyle 1\n",
		json_array_size(cases) - .4);
}

/* --- simulations ---------------------------------------------------------- */

static double mean_of(const json_t *one, const char *key, const char *what)
{
	return tool_plot_number(json_object_get(one, key), what);
}

/* Whether a case has the label of one before it. */
static bool is_again(json_t *cases, size_t at)
{
	const char *label = tool_plot_label(json_array_get(cases, at));

	for (size_t i = 0; i < at; i++)
		if (!strcmp(tool_plot_label(json_array_get(cases, i)), label))
			return true;
	return false;
}

/* Writes load, throughput and the median of latencies of all runs that have the
 * label of one. */
static void put_runs(json_t *cases, size_t at, FILE *script)
{
	const char *label = tool_plot_label(json_array_get(cases, at));
	json_t *one;
	size_t i;

	fprintf(script, "$d%zu << EOD\n", at);
	json_array_foreach(cases, i,
			   one) if (!strcmp(tool_plot_label(one), label))
		fprintf(script, "%.10g %.10g %.10g\n",
			100 * tool_plot_number(one, "load"),
			100 * mean_of(one, "throughput", "mean"),
			mean_of(one, "packet_ns", "p50") / 1e3);
	fputs("EOD\n", script);
}

static void draw_throughput(json_t *cases, FILE *script)
{
	size_t n = json_array_size(cases), style = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_again(cases, i))
			put_runs(cases, i, script);
	fputs("set xlabel 'load, per cent'\n"
	      "set ylabel 'throughput, per cent of the cables of hosts'\n"
	      "set y2label 'median latency of packets, us (dashed)'\n"
	      "set yrange [0:100]\nset y2range [0:*]\nset ytics nomirror\n"
	      "set y2tics\nset key left top\nplot ",
	      script);
	for (size_t i = 0; i < n; i++) {
		if (is_again(cases, i))
			continue;
		fprintf(script,
			"%s$d%zu using 1:2 with linespoints linestyle %zu title ",
			style ? ", " : "", i, style % TOOL_GNUPLOT_STYLES + 1);
		tool_gnuplot_string(script,
				    tool_plot_label(json_array_get(cases, i)));
		fprintf(script,
			", $d%zu using 1:3 axes x1y2 with lines linestyle %zu dashtype 2 notitle",
			i, style++ % TOOL_GNUPLOT_STYLES + 1);
	}
	putc('\n', script);
}

static void draw_series(json_t *cases, FILE *script)
{
	json_t *one, *value;
	size_t i, k;

	json_array_foreach(cases, i, one)
	{
		double width = tool_plot_number(one, "interval_us");

		fprintf(script, "$d%zu << EOD\n", i);
		json_array_foreach(json_object_get(one, "series"), k, value)
			fprintf(script, "%.10g %.10g\n", (k + .5) * width,
				100 * json_number_value(value));
		fputs("EOD\n", script);
	}
	fputs("set xlabel 'time, us'\n"
	      "set ylabel 'throughput, per cent of the cables of hosts'\n"
	      "set yrange [0:*]\nplot ",
	      script);
	json_array_foreach(cases, i, one)
	{
		fprintf(script,
			"%s$d%zu using 1:2 with lines linestyle %zu title ",
			i ? ", " : "", i, i % TOOL_GNUPLOT_STYLES + 1);
		tool_gnuplot_string(script, tool_plot_label(one));
	}
	putc('\n', script);
}

/* Writes which share of a lane's packets took so long at most. */
static void put_lane(const json_t *one, const json_t *lane, size_t at,
		     FILE *script)
{
	double all = tool_plot_number(json_object_get(lane, "ns"), "n"), n = 0;
	json_t *bin;
	size_t k;

	(void)one;
	fprintf(script, "$d%zu << EOD\n", at);
	json_array_foreach(json_object_get(lane, "histogram"), k, bin)
	{
		n += json_number_value(json_array_get(bin, 1));
		fprintf(script, "%.10g %.10g\n",
			json_number_value(json_array_get(bin, 0)) / 1e3,
			all > 0 ? 100 * n / all : 0);
	}
	fputs("EOD\n", script);
}

/* Calls act() for the lanes of all cases, which it numbers. */
static size_t each_lane(json_t *cases, FILE *script,
			void (*act)(const json_t *one, const json_t *lane,
				    size_t at, FILE *script))
{
	json_t *one, *part;
	size_t i, k, n = 0;

	json_array_foreach(cases, i, one)
		json_array_foreach(json_object_get(one, "latencies"), k, part)
	{
		const char *kind =
			json_string_value(json_object_get(part, "kind"));

		if (kind && !strcmp(kind, "lane"))
			act(one, part, n++, script);
	}
	return n;
}

static void plot_lane(const json_t *one, const json_t *lane, size_t at,
		      FILE *script)
{
	char title[160];

	snprintf(title, sizeof(title), "%s, VL %.0f", tool_plot_label(one),
		 tool_plot_number(lane, "lane"));
	fprintf(script, "%s$d%zu using 1:2 with lines linestyle %zu title ",
		at ? ", " : "", at, at % TOOL_GNUPLOT_STYLES + 1);
	tool_gnuplot_string(script, title);
}

static void draw_latencies(json_t *cases, FILE *script)
{
	if (!each_lane(cases, script, put_lane)) {
		fputs("set xrange [1:10]\nset yrange [0:100]\n"
		      "plot 1/0 title 'no packet arrived'\n",
		      script);
		return;
	}
	fputs("set xlabel 'latency of packets, us'\n"
	      "set ylabel 'packets that took so long at most, per cent'\n"
	      "set logscale x\nset yrange [0:100]\nset key left top\nplot ",
	      script);
	each_lane(cases, script, plot_lane);
	putc('\n', script);
}

const struct tool_chart tool_charts[] = {
	{ "loads", "how many channels carry how many routes", "Load of channels",
	  "load_histogram", "weft analyze --json", JSON_OBJECT, false,
	  draw_loads },
	{ "bisections", "what random bisections get of the bandwidth",
	  "Random bisections", "ebb", "weft analyze --json", JSON_OBJECT, false,
	  draw_bisections },
	{ "patterns", "bandwidth by communication pattern",
	  "Bandwidth by pattern", "parts",
	  "weft analyze -p basket --json, or --csv", JSON_OBJECT, true,
	  draw_patterns },
	{ "engines", "what the tables of engines are worth", "Worth of tables",
	  "worth", "weft compare or weft analyze -p basket, --json or --csv",
	  JSON_REAL, true, draw_engines },
	{ "throughput", "throughput and latency of packets by load",
	  "Throughput by load", "throughput", "weft sim --load ... --json",
	  JSON_OBJECT, false, draw_throughput },
	{ "series", "throughput of packets over time", "Throughput over time",
	  "series", "weft sim --json", JSON_ARRAY, false, draw_series },
	{ "latencies", "latencies of packets, by lane", "Latency of packets",
	  "latencies", "weft sim --latencies --json", JSON_ARRAY, false,
	  draw_latencies },
	{ "streams", "latency and bandwidth by the streams that share a cable",
	  "Streams that share a cable", "fits", "weft sim --sweep streams --json",
	  JSON_ARRAY, false, tool_plot_streams },
	{ "sizes", "bandwidth by size of messages while streams share a cable",
	  "Bandwidth by size", "points", "weft sim --sweep sizes --json",
	  JSON_ARRAY, false, tool_plot_sizes },
	{ .name = NULL },
};
