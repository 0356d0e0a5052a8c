// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What traffic gets: by pattern, in random bisections, and on which lanes. */
#include "report/write.h"

#include "page/chart.h"
#include "page/page.h"

#include <math.h>
#include <string.h>

/* What the parts of the basket are like, for who knows programs. */
static const char *about_part(const char *name)
{
	static const struct {
		const char *name, *about;
	} part[] = {
		{ "bisect", "Random halves: each host of one half sends to one of the other"
			    },
		{ "uniform", "All to all, everybody at the pace of the fullest channel" },
		{ "shift", "Shifts: each host sends to the one d places on, for all d (all-to-all, step by step)"
			   },
		{ "doubling", "Recursive doubling (all-reduce, barrier)" },
		{ "stencil", "Six neighbours in a grid (simulations)" },
		{ "fragments", "Shifts within jobs that got scattered hosts" },
		{ "all-reduce", "All-reduce on rings (gradients of training)" },
		{ "double-tree", "All-reduce on two trees" },
		{ "sharded", "Reduce-scatter by halves (sharded data)" },
		{ "experts", "All to all within groups of 64 (experts)" },
		{ "stages", "From stage to stage of a model, and back" },
		{ "incast", "Many to few (checkpoints to storage)" },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (!strcmp(part[i].name, name))
			return part[i].about;
	return name;
}

static void write_slowest(const struct weft__report *r, FILE *out)
{
	const struct weft_saturation *s = &r->saturation;

	if (s->mean - s->least < .0005)
		weft__page_text(out, "p", NULL,
				"When each host sends to all others as fast as it can, waiting for nobody, it gets %.1f %% through.",
				100 * s->mean);
	else
		weft__page_text(
			out, "p", NULL,
			"When each host sends to all others as fast as it can, waiting for nobody, it gets %.1f %% through on average, and the slowest one, %s, %.1f %%.",
			100 * s->mean,
			WEFT__VERTEX(r, s->least_endport | WEFT_ENDPORT),
			100 * s->least);
}

/* What there is to gain by any other tables. */
static void write_bound(const struct weft__report *r, FILE *out)
{
	double even = r->saturation.even, bound = r->uniform_bound;

	if (isfinite(bound) && bound > 0)
		weft__page_text(
			out, "p", NULL,
			"All to all, everybody at the pace of the fullest channel, these tables give each host %.1f %%, which is %.1f %% of what any tables of this fabric could give at most (%.1f %%).",
			100 * even, 100 * even / bound, 100 * bound);
}

void weft__report_patterns(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"How programs communicate", "#Share", "#± error", "=", NULL
	};
	const struct weft_worth *w = &r->worth;
	struct weft__table t;

	weft__page_section(out, "patterns", "Bandwidth by pattern",
			   "How much of the speed of its own cable a host gets when all hosts communicate at once, in ways that parallel programs do.");
	weft__page_text(out, "p", NULL, "Judged by the objective %s.",
			r->spec->objective_name);
	weft__table_begin(&t, out,
			  "Share of full bandwidth, in per cent, and the standard error of sampling",
			  column);
	for (unsigned i = 0; i < weft_basket_parts(r->basket); i++) {
		weft__table_cell(
			&t, "%s",
			about_part(weft_basket_part_name(r->basket, i)));
		weft__table_cell(&t, "%.1f %%", 100 * w->part[i]);
		weft__table_cell(&t, "%.1f", 100 * w->error[i]);
		weft__table_bar(&t, w->part[i]);
	}
	weft__table_cell(&t, "Worth: all of these, geometric mean");
	weft__table_cell(&t, "%.1f %%", 100 * w->mean);
	weft__table_cell(&t, "%.1f", 100 * w->mean_error);
	weft__table_bar(&t, w->mean);
	weft__table_end(&t);
	write_slowest(r, out);
	write_bound(r, out);
	if (w->lost)
		weft__page_text(out, "p", "bad",
				"%s had no route and count as 0 %%.",
				WEFT_COUNT(w->lost, "stream"));
	weft__page_text(out, "p", "note",
			"A model counts how many streams share each channel; weft-analyze(1) tells how.");
	weft__page_section_end(out);
}

/* The bins that are not empty, with one more at either end. */
static void draw_bisections(const struct weft_ebb *e, FILE *out)
{
	unsigned first = 0, last = WEFT_EBB_BINS - 1;
	struct weft__histogram h = {
		.id = "bisections-chart",
		.title = "How often random bisections have got which bandwidth",
		.x = "share of full bandwidth, per cent",
		.y = "bisections",
		.mark_name = "mean",
		.mark = 100 * e->mean,
	};

	while (first < last && !e->bandwidth[first])
		first++;
	while (last > first && !e->bandwidth[last])
		last--;
	first -= first > 0;
	last += last < WEFT_EBB_BINS - 1;
	h.low = first * 100. / WEFT_EBB_BINS;
	h.high = (last + 1) * 100. / WEFT_EBB_BINS;
	h.count = e->bandwidth + first;
	h.n = last + 1 - first;
	weft__histogram_draw(&h, out);
}

void weft__report_bisections(const struct weft__report *r, FILE *out)
{
	const struct weft_ebb *e = &r->ebb;

	weft__page_section(out, "bisections", "Random bisections",
			   "How much luck a job needs: half of the hosts send to the other half, drawn at random again and again. "
			   "A narrow hill means that it hardly matters which hosts a job gets.");
	draw_bisections(e, out);
	weft__page_facts(out);
	weft__page_fact(out, "Mean (99 % interval)", "%.1f ± %.1f %%",
			100 * e->mean, 100 * e->ci99);
	weft__page_fact(out, "Worst", "%.1f %%", 100 * e->min);
	weft__page_fact(out, "Best", "%.1f %%", 100 * e->max);
	weft__page_count(out, "Bisections", e->patterns);
	weft__page_fact(out, "Seed", "%u", e->seed);
	weft__page_facts_end(out);
	weft__page_section_end(out);
}

static void write_lane_table(FILE *out, const char *caption, const char *what,
			     const uint64_t *pairs, uint64_t all)
{
	const char *const column[] = { what, "#Pairs of hosts", "#Share", "=",
				       NULL };
	struct weft__table t;

	weft__table_begin(&t, out, caption, column);
	for (unsigned i = 0; i < WEFT_NSL; i++) {
		double share = weft__report_share(pairs[i], all);

		if (!pairs[i])
			continue;
		weft__table_cell(&t, "%u", i);
		weft__table_count(&t, pairs[i]);
		weft__table_cell(&t, "%.1f %%", 100 * share);
		weft__table_bar(&t, share);
	}
	weft__table_end(&t);
}

void weft__report_lanes(const struct weft__report *r, FILE *out)
{
	const struct weft__lane_use *use = &r->lanes;
	unsigned n = weft__lanes_used(use);

	weft__page_section(out, "lanes", "Lanes",
			   "Cables have up to 15 lanes for data. Lanes keep traffic apart that would wait for itself; those that routing does not need are left for quality of service.");
	if (n > 1) {
		weft__page_text(out, "p", NULL,
				"%s, so opensm.conf has to say qos TRUE: without it all traffic shares one lane, and the proof above is void.",
				WEFT_COUNT(n, "lane"));
		write_lane_table(out,
				 "Pairs by the lane on which the first switch sends",
				 "#Lane", use->vl, use->pairs);
		write_lane_table(out, "Pairs by service level", "#Service level",
				 use->sl, use->pairs);
	} else {
		weft__page_text(out, "p", NULL,
				"All traffic of hosts has one lane: the others are free.");
	}
	if (use->vl[WEFT_VL_DROP])
		weft__page_text(out, "p", "bad",
				"SL2VL tables have packets of %s dropped at the first switch.",
				WEFT_COUNT(use->vl[WEFT_VL_DROP], "pair"));
	if (r->spec->routes->layers.one_way)
		weft__page_text(out, "p", "note",
				"The service levels of a pair's two directions may differ: such paths are not reversible.");
	weft__page_section_end(out);
}
