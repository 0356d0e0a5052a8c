// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft analyze -p basket, --objective: what tables are worth, a row for each
 * case. */
#include "tools/analyze/basket.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 17	/* columns for what a row is about */
#define DIGITS 6	/* of a figure: 0.1234 */

struct report {
	const struct weft_objective *objective;	/* NULL: the basket */
	const char *name;	/* of that */
	struct tool_report r;
	char *input;		/* of the last case */
	bool spread;		/* all LIDs at once */
};

bool tool_basket_wanted(const struct tool *t)
{
	for (unsigned i = 0; i < t->args.pattern.n; i++)
		if (!strcmp(t->args.pattern.item[i], "basket"))
			return true;
	return t->args.objective;
}

static const char *ranks_by(const struct weft_basket *b)
{
	return weft_basket_by_name(b) ? "name" : "switch and port";
}

/* Columns of a part, as wide as its name asks for; the last one: the worth. */
static int cell(const struct weft_basket *b, unsigned part)
{
	int n = part < weft_basket_parts(b) ?
		strlen(weft_basket_part_name(b, part)) : 0;

	return (n > DIGITS ? n : DIGITS) + 2;
}

static void print_rounds(const struct weft_basket *b, FILE *out)
{
	fprintf(out, "%-*s", LABEL, "rounds");
	for (unsigned i = 0; i < weft_basket_parts(b); i++) {
		uint64_t judged, all;

		weft_basket_part_rounds(b, i, &judged, &all);
		if (judged)
			fprintf(out, "%*" PRIu64, cell(b, i), judged);
		else
			fprintf(out, "%*s", cell(b, i), "exact");
	}
	fputc('\n', out);
}

static void print_weights(const struct weft_basket *b, FILE *out)
{
	fprintf(out, "%-*s", LABEL, "weight");
	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		fprintf(out, "%*.3f", cell(b, i),
			weft_basket_part_weight(b, i));
	fputc('\n', out);
}

static void print_head(const struct tool_case *c, const struct weft_basket *b,
		       const struct report *r)
{
	unsigned n = weft_basket_parts(b);
	FILE *out = r->r.out;
	char name[256];

	fprintf(out, "%s: %s, ranks by %s, objective %s%s\n",
		c->input, WEFT_COUNT(weft_basket_hosts(b), "host"), ranks_by(b),
		weft_diag_printable(name, sizeof(name), r->name),
		r->spread ? ", all LIDs at once" : "");
	fprintf(out, "%-*s", LABEL, "full bandwidth=1");
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%*s", cell(b, i), weft_basket_part_name(b, i));
	fprintf(out, "%*s\n", cell(b, n), "worth");
	if (r->objective)
		print_weights(b, out);
	print_rounds(b, out);
}

static void print_figures(const struct weft_basket *b, const double *part,
			  double mean, FILE *out)
{
	unsigned n = weft_basket_parts(b);

	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%*.4f", cell(b, i), part[i]);
	fprintf(out, "%*.4f\n", cell(b, n), mean);
}

static void print_text(const struct tool_case *c, const struct weft_basket *b,
		       const struct weft_worth *w, struct report *r)
{
	bool wide = strlen(c->label) >= LABEL;

	if (!r->input || strcmp(r->input, c->input)) {
		fputs(r->r.n ? "\n" : "", r->r.out);
		print_head(c, b, r);
	}
	if (wide)
		fprintf(r->r.out, "%s\n", c->label);
	fprintf(r->r.out, "%-*s", LABEL, wide ? "" : c->label);
	if (c->refused) {
		fprintf(r->r.out, "%*s\n", cell(b, 0), "refused");
		tool_refused_print(c->input, c->label, c->refused, r->r.out);
		return;
	}
	print_figures(b, w->part, w->mean, r->r.out);
	fprintf(r->r.out, "%-*s", LABEL, "  standard error");
	print_figures(b, w->error, w->mean_error, r->r.out);
	if (w->lost)
		fprintf(r->r.out, "%-*s%*" PRIu64 "\n", LABEL, "  lost streams",
			cell(b, 0), w->lost);
}

static void print_csv_head(const struct weft_basket *b, FILE *out)
{
	fputs("input,routes,objective,hosts", out);
	for (unsigned i = 0; i < weft_basket_parts(b); i++) {
		const char *name = weft_basket_part_name(b, i);
		const char *quote = strchr(name, ',') ? "\"" : "";

		fprintf(out, ",%s%s%s", quote, name, quote);
	}
	fputs(",worth,error,lost,refused\n", out);
}

static void print_csv(const struct tool_case *c, const struct weft_basket *b,
		      const struct weft_worth *w, struct report *r)
{
	if (!r->r.n)
		print_csv_head(b, r->r.out);
	tool_text_csv(r->r.out, c->input);
	tool_text_csv(r->r.out, c->label);
	tool_text_csv(r->r.out, r->name);
	fprintf(r->r.out, "%" PRIu32, weft_basket_hosts(b));
	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		if (c->refused)
			fputc(',', r->r.out);
		else
			fprintf(r->r.out, ",%.6g", w->part[i]);
	if (c->refused)
		fputs(",,,", r->r.out);
	else
		fprintf(r->r.out, ",%.6g,%.6g,%" PRIu64, w->mean, w->mean_error,
			w->lost);
	tool_refused_csv(c->refused, r->r.out);
}

json_t *tool_basket_json(const struct tool_case *c, const struct weft_basket *b,
			 const struct weft_worth *w, const char *objective,
			 bool spread)
{
	json_t *parts;

	if (c->refused)
		return tool_refused_json(c->input, c->label, c->refused);
	parts = json_object();
	for (unsigned i = 0; i < weft_basket_parts(b); i++) {
		uint64_t judged, all;

		weft_basket_part_rounds(b, i, &judged, &all);
		json_object_set_new(parts, weft_basket_part_name(b, i),
			json_pack("{s:f, s:f, s:f, s:I, s:I}",
				  "share", w->part[i], "error", w->error[i],
				  "weight", weft_basket_part_weight(b, i),
				  "rounds", (json_int_t)judged,
				  "of", (json_int_t)all));
	}
	return tool_case_json(c->input, c->label, c->engine, json_pack(
		"{s:n, s:o, s:I, s:s, s:s, s:o, s:f, s:f, s:I}", "refused",
		"objective", tool_json_string(objective),
		"hosts", (json_int_t)weft_basket_hosts(b),
		"ranks", ranks_by(b), "lids", spread ? "all" : "routes",
		"parts", parts, "worth", w->mean,
		"error", w->mean_error, "lost", (json_int_t)w->lost));
}

static bool report(struct tool *t, const struct tool_case *c,
		   const struct weft_basket *b, const struct weft_worth *w,
		   struct report *r)
{
	if (r->r.cases)
		json_array_append_new(r->r.cases,
				      tool_basket_json(c, b, w, r->name,
						       r->spread));
	else if (t->args.csv)
		print_csv(c, b, w, r);
	else
		print_text(c, b, w, r);
	r->r.n++;
	free(r->input);
	r->input = strdup(c->input);
	return r->input || tool_no_memory(t);
}

static bool basket_case(struct tool *t, const struct tool_case *c,
			void *context)
{
	struct report *r = context;
	const struct weft_basket_spec spec = {
		.objective = r->objective,
		.rounds = tool_args_given(t, "patterns") ?
			  t->args.count < UINT32_MAX ? t->args.count :
						       UINT32_MAX : 0,
		.seed = t->args.seed,
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.spread = t->args.lids == WEFT_LID_ALL,
	};
	struct weft_basket *basket;
	struct weft_worth worth = { .mean = 0 };
	bool ok;

	tool_phase(t, "worth of %s", c->label);
	if (weft_basket_new(c->fabric, &spec, &basket, &t->diag))
		return false;
	ok = c->refused || !weft_basket_judge(basket, c->routes, &worth) ||
	     tool_no_memory(t);
	tool_phase_end(t);
	if (ok) {
		ok = report(t, c, basket, &worth, r);
		weft_worth_free(&worth);
	}
	weft_basket_free(basket);
	return ok;
}

/* Options that ask for something else than the basket, and those of the basket
 * alone. */
static const char *const others[] = {
	"traffic", "permutations", "rings", "application", "worst",
	"saturation", NULL
}, *const own[] = {
	"mapping", "host-file", "ranks", "subset", "endpoints", "precision",
	"precise", "bins", "histogram", "hottest", "links", "mpi",
	NULL
};

static const char *given_of(const struct tool *t, const char *const *name)
{
	while (*name && !tool_args_given(t, *name))
		name++;
	return *name;
}

/* Whether the basket is all that was asked for; says so if not. */
static bool is_alone(struct tool *t)
{
	const char *other = given_of(t, others), *mine = given_of(t, own);
	bool more = other;

	for (unsigned i = 0; i < t->args.pattern.n; i++)
		more |= strcmp(t->args.pattern.item[i], "basket") != 0;
	if (more)
		tool_usage(t,
			   "%s is all that can be judged at once: leave out %s%s",
			   t->args.objective ? "--objective" :
			   "-p basket", other ? "--" : "",
			   other ? other : "other patterns");
	else if (mine)
		tool_usage(t,
			   "--%s is for other patterns: the basket has its own ranks, links and samples",
			   mine);
	else if (t->args.lids != WEFT_LID_ROUTES &&
		 t->args.lids != WEFT_LID_ALL)
		tool_usage(t,
			   "the basket takes the LIDs that the routes say, or --lids=all");
	else
		return true;
	return false;
}

enum tool_status tool_basket_run(struct tool *t)
{
	struct weft_objective objective;
	struct report r = { .objective = t->args.objective ? &objective : NULL,
			    .name = tool_objective_name(t),
			    .spread = t->args.lids == WEFT_LID_ALL };
	bool ok;

	if (!is_alone(t) || !tool_objective_read(t, &objective))
		return TOOL_FAILED;
	ok = tool_report_open(t, &r.r) &&
	     tool_report_close(&r.r, tool_cases_each(t, basket_case, &r));
	free(r.input);
	weft_objective_free(&objective);
	return tool_cases_status(t, ok);
}
