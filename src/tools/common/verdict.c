// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Are tables safe, and are they good?  See verdict.h. */
#include "tools/common/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RULE " (green: 95 % or more, amber: 80 % or more)"

void tool_measure_free(struct tool_measure *m)
{
	free(m->input);
	*m = (struct tool_measure){ .best = 0 };
}

bool tool_verdict_switches(struct tool *t, const struct tool_case *c,
			   const struct weft_proof *p, bool *fine)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.switches = true, .credit_loops = true,
		.between_switches = true,
	};
	struct weft_proof more;

	*fine = weft_proof_holds(p);
	if (!*fine)
		return true;
	if (weft_proof_run(c->fabric, c->routes, &spec, &more, &t->diag))
		return false;
	*fine = weft_proof_holds(&more);
	weft_proof_free(&more);
	return true;
}

/* Routes by the engine that tables are measured by, without a word: refusing
 * is its good right. */
static bool route(const struct weft_fabric *f, struct weft_routes *routes)
{
	const struct weft_engine *e = weft_engine_find(TOOL_MEASURE);
	struct weft_options *options = NULL;
	struct weft_diag silent = { .emit = NULL };
	char lanes[32];
	bool ok;

	snprintf(lanes, sizeof(lanes), "lanes=%d", TOOL_MEASURE_LANES);
	ok = !weft_options_new(&options, e->options) &&
	     !weft_options_parse(options, lanes, &silent) &&
	     !weft_route(e, f, options, routes, &silent);
	weft_options_free(options);
	return ok;
}

/* What that engine makes of the fabric is worth; < 0: it refuses. */
static double worth_of_measure(const struct weft_fabric *f,
			       const struct weft_basket *b)
{
	struct weft_routes routes = { 0 };
	struct weft_worth worth = { .mean = 0 };
	double mean = -1;

	if (route(f, &routes) && !weft_basket_judge(b, &routes, &worth))
		mean = worth.mean;
	weft_worth_free(&worth);
	weft_routes_free(&routes);
	return mean;
}

static bool is_known(const struct tool_measure *m, const struct tool_case *c)
{
	return m->input && !strcmp(m->input, c->input) &&
	       m->plane == c->plane && m->lmc == weft_fabric_lmc(c->fabric);
}

static bool measure(struct tool *t, const struct tool_case *c,
		    const struct weft_basket *b, struct tool_measure *m)
{
	if (is_known(m, c))
		return true;
	tool_phase(t, "worth of " TOOL_MEASURE);
	tool_measure_free(m);
	*m = (struct tool_measure){
		.input = strdup(c->input), .plane = c->plane,
		.lmc = weft_fabric_lmc(c->fabric),
		.best = worth_of_measure(c->fabric, b),
		.bound = weft_bound_of_uniform(c->fabric, t->args.hosts ==
						TOOL_HOSTS_ALL),
	};
	return m->input || tool_no_memory(t);
}

static bool judge(struct tool *t, const struct tool_case *c,
		  struct tool_measure *m, struct weft__graded *of)
{
	const struct weft_basket_spec spec = {
		/* As compare has it, so that a worth is one figure. */
		.seed = t->args.seed ? t->args.seed : 1,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
	};
	struct weft_worth worth = { .mean = 0 };
	struct weft_basket *b;
	bool ok;

	tool_phase(t, "worth of %s", c->label);
	if (weft_basket_new(c->fabric, &spec, &b, &t->diag))
		return false;
	ok = !weft_basket_judge(b, c->routes, &worth) || tool_no_memory(t);
	ok = ok && measure(t, c, b, m);
	if (ok) {
		of->worth = worth.mean;
		of->best = m->best;
		of->of_bound = weft_basket_uniform(b, &worth) / m->bound;
	}
	weft_worth_free(&worth);
	weft_basket_free(b);
	return ok;
}

struct tool_verdict tool_verdict_of(const struct weft__graded *of,
				    const char *by)
{
	struct weft__grade g = weft__grade(of);

	return (struct tool_verdict){
		.safe = weft__colour_name(g.safe),
		.good = g.good ? weft__colour_name(g.good) : NULL,
		.fine_with_switches = of->fine_with_switches,
		.worth = of->worth, .best = of->best, .by = by,
		.share = g.share, .of_bound = of->of_bound,
		.by_bound = g.by_bound,
		.improves = g.good && !g.by_bound && g.share < WEFT__GREEN_SHARE,
	};
}

bool tool_verdict_make(struct tool *t, const struct tool_case *c,
		       struct tool_measure *m, struct tool_figures *figures)
{
	struct tool_verdict *v = &figures->verdict;
	struct weft__graded of = { .worth = -1, .best = -1, .of_bound = NAN };

	of.fine = weft_proof_holds(&figures->proof);
	if (!tool_verdict_switches(t, c, &figures->proof,
				   &of.fine_with_switches))
		return false;
	if (m && figures->hosts > 1 && !judge(t, c, m, &of))
		return false;
	*v = tool_verdict_of(&of, TOOL_MEASURE);
	return true;
}

/* "  NAME: COLOUR"; how many columns. */
static int print_grade(const char *name, const char *color, FILE *out)
{
	fprintf(out, "  %s: ", name);
	tool_color(out, color);
	fputs(color, out);
	tool_color_end(out);
	return 4 + strlen(name) + strlen(color);
}

void tool_verdict_safe(const char *color, FILE *out)
{
	print_grade("safe", color, out);
}

void tool_verdict_good(const struct tool_verdict *v, FILE *out)
{
	char text[448];
	int n;

	if (!v->good)
		return;
	if (v->by_bound)
		n = snprintf(text, sizeof(text),
			     ", worth %.3f of full bandwidth, %s refuses the fabric",
			     v->worth, v->by);
	else if (v->share >= 1)
		n = snprintf(text, sizeof(text),
			 ", worth %.3f of full bandwidth, %s gives no more",
			 v->worth, v->by);
	else
		n = snprintf(text, sizeof(text),
			 ", worth %.3f of full bandwidth, %.1f %% of the %.3f that %s gives%s",
			 v->worth, 100 * v->share, v->best, v->by, RULE);
	if (isfinite(v->of_bound))
		snprintf(text + n, sizeof(text) - n,
			 "; uniform traffic gets %.1f %% of what any tables allow%s",
			 100 * v->of_bound, v->by_bound ? RULE : "");
	tool_text_wrap(out, print_grade("good", v->good, out), 4, text);
}

void tool_verdict_next(const struct tool_verdict *v,
		       const struct weft_proof *p, FILE *out)
{
	char text[160] = "none, keep these tables";

	if (p->unreachable && p->unreachable <= p->apart && !p->by_machines)
		snprintf(text, sizeof(text),
			 "look for switches or cables that are down");
	else if (p->unreachable > (p->by_machines ? p->apart : 0))
		snprintf(text, sizeof(text),
			 "have the fabric routed anew: weft compare says by which engine");
	else if (p->cyclic_vls)
		snprintf(text, sizeof(text),
			 "weft layer gives these routes service levels, weft compare says which engine needs none");
	else if (v->improves)
		snprintf(text, sizeof(text),
			 "weft compare: %s is worth %.1f %% more than these tables",
			 v->by, 100 * (1 / v->share - 1));
	else if (!v->good)
		return;
	else if (v->share < WEFT__NOTED_SHARE && !v->by_bound)
		snprintf(text, sizeof(text),
			 "none, these tables may stay; those of %s would be worth %.1f %% more",
			 v->by, 100 * (1 / v->share - 1));
	fputs("  next: ", out);
	tool_text_wrap(out, 8, 4, text);
}
