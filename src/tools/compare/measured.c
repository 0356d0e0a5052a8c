// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft compare --measured: what pairs had on the machine, beside the model. */
#include "tools/compare/compare.h"

#include <weft/rails.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 10 /* in text, */
#define FAR 8	  /* pairs that are far off, */
#define SLOW 5	  /* and cables whose pairs are */

/* --- tables --------------------------------------------------------------- */

struct round {
	uint32_t round; /* from 1 */
	uint64_t pairs;
	struct weft_measured_round k;
};

static const struct tool_field rounds[] = {
#define FIELD(...) TOOL_FIELD(struct round, __VA_ARGS__)
	FIELD(round, COUNT, "round", .words = "round", .width = 9),
	FIELD(pairs, COUNT, "pairs", .words = "pairs", .width = 9),
	FIELD(k.measured, REAL, "measured", .words = "measured", .width = 11,
	      .digits = 4),
	FIELD(k.model, REAL, "model", .words = "model", .width = 9,
	      .digits = 4),
	FIELD(k.correlation, REAL, "correlation", .words = "correlation",
	      .width = 13, .digits = 3),
	TOOL_FIELDS_END
#undef FIELD
};

/* All about a case. */
struct record {
	const struct weft_fabric *f;
	const struct weft_measured *m;
	struct weft_measured_result r;
	double of_rounds; /* mean correlation, NAN: none is known */
};

static struct round round_of(const struct record *x, uint32_t i)
{
	return (struct round){ i + 1, x->m->first[i + 1] - x->m->first[i],
			       x->r.round[i] };
}

static uint32_t round_at(const struct weft_measured *m, uint64_t pair)
{
	uint32_t i = 0;

	while (m->first[i + 1] <= pair)
		i++;
	return i;
}

/* --- pairs far off -------------------------------------------------------- */

/* How far a pair is off, either way. */
static double distance(const struct weft_measured_stream *s)
{
	return isnan(s->off) ? 0 : fabs(log(s->off));
}

/* Fills in the pairs that are farthest off, the farthest first. */
static unsigned find_far(const struct weft_measured_result *r, uint64_t *far)
{
	unsigned n = 0;

	for (uint64_t i = 0; i < r->pairs; i++) {
		double d = distance(&r->stream[i]);
		unsigned at = n;

		while (at && distance(&r->stream[far[at - 1]]) < d)
			at--;
		if (at == FAR || d <= 0)
			continue;
		n += n < FAR;
		memmove(far + at + 1, far + at, (n - at - 1) * sizeof(*far));
		far[at] = i;
	}
	return n;
}

static const char *host(const struct weft_fabric *f, uint32_t ep, char *buf,
			size_t size)
{
	return weft_machine_name(f, f->ep[ep].machine, buf, size);
}

static void print_far(const struct record *x, FILE *out)
{
	uint64_t far[FAR];
	unsigned n = find_far(&x->r, far);
	char a[160], b[160], text[512], line[1024];

	fputs(n ? "  pairs far off            as many times as much as the median\n" :
		  "", out);
	for (unsigned i = 0; i < n; i++) {
		const struct weft_measured_stream *s = &x->r.stream[far[i]];
		const struct weft_measured_pair *p = &x->m->pair[far[i]];
		int used = fprintf(out, "    %8.3f  ", s->off);

		snprintf(line, sizeof(line),
			 "round %u, %s -> %s: %.3f measured, %.3f by the model",
			 round_at(x->m, far[i]) + 1,
			 host(x->f, p->from, a, sizeof(a)),
			 host(x->f, p->to, b, sizeof(b)), s->measured,
			 s->model);
		if (s->channel != WEFT_NONE)
			snprintf(line + strlen(line),
				 sizeof(line) - strlen(line), ", %s on %s",
				 WEFT_COUNT(s->streams, "stream"),
				 tool_text_channel(x->f, s->channel, text,
						   sizeof(text)));
		tool_text_wrap(out, used, used, line);
	}
}

static void print_slow(const struct record *x, FILE *out)
{
	uint32_t n = x->r.nchannels < SLOW ? x->r.nchannels : SLOW;
	char text[512];

	fputs(n ? "  cables by their pairs    the slowest, on average of all over them\n" :
		  "", out);
	for (uint32_t i = 0; i < n; i++) {
		const struct weft_measured_channel *c = &x->r.channel[i];

		fprintf(out, "    %8.3f  %s, %s\n", c->off,
			tool_text_channel(x->f, c->channel, text, sizeof(text)),
			WEFT_COUNT(c->streams, "stream"));
	}
}

/* --- reports -------------------------------------------------------------- */

static void print(const struct record *x, FILE *out)
{
	const struct weft_measured_result *r = &x->r;
	uint32_t n = x->m->nrounds < ROUNDS ? x->m->nrounds : ROUNDS;

	fprintf(out, "  pairs                    %s in %s, full rate %g\n",
		WEFT_COUNT(r->pairs, NULL), WEFT_COUNT(x->m->nrounds, "round"),
		r->full);
	if (r->lost)
		fprintf(out, "    without a route        %s\n",
			WEFT_COUNT(r->lost, NULL));
	fprintf(out,
		"  share of full bandwidth  %.4f measured, %.4f by the model, %.3f times as much in the median\n",
		r->all.measured, r->all.model, r->scale);
	if (isfinite(r->all.correlation))
		fprintf(out, "  rank correlation         %.3f of all pairs\n",
			r->all.correlation);
	if (isfinite(x->of_rounds))
		fprintf(out, "    within rounds          %.3f on average\n",
			x->of_rounds);
	tool_record_heads(rounds, out);
	fputc('\n', out);
	for (uint32_t i = 0; i < n; i++) {
		const struct round row = round_of(x, i);

		tool_record_row(rounds, &row, out);
		fputc('\n', out);
	}
	if (n < x->m->nrounds)
		fprintf(out, "    and %u more: --csv, --json\n",
			x->m->nrounds - n);
	print_far(x, out);
	print_slow(x, out);
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *channel_json(const struct weft_fabric *f, uint32_t channel)
{
	return channel == WEFT_NONE ? json_null() :
				      tool_json_channel(f, channel);
}

static json_t *pairs_json(const struct record *x)
{
	json_t *array = json_array();

	for (uint64_t i = 0; i < x->r.pairs; i++) {
		const struct weft_measured_stream *s = &x->r.stream[i];
		const struct weft_measured_pair *p = &x->m->pair[i];
		char a[160], b[160];

		json_array_append_new(
			array,
			json_pack("{s:i, s:o, s:o, s:f, s:f, s:o, s:i, s:o}",
				  "round", (int)round_at(x->m, i) + 1, "from",
				  tool_json_string(
					  host(x->f, p->from, a, sizeof(a))),
				  "to",
				  tool_json_string(
					  host(x->f, p->to, b, sizeof(b))),
				  "measured", s->measured, "model", s->model,
				  "off", real(s->off), "streams",
				  (int)s->streams, "channel",
				  channel_json(x->f, s->channel)));
	}
	return array;
}

static json_t *cables_json(const struct record *x)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < x->r.nchannels; i++) {
		const struct weft_measured_channel *c = &x->r.channel[i];
		json_t *one = tool_json_channel(x->f, c->channel);

		json_object_set_new(one, "streams", json_integer(c->streams));
		json_object_set_new(one, "off", real(c->off));
		json_array_append_new(array, one);
	}
	return array;
}

static json_t *json_of(const struct tool_case *c, const struct record *x)
{
	const struct weft_measured_result *r = &x->r;
	json_t *array = json_array();

	for (uint32_t i = 0; i < x->m->nrounds; i++) {
		const struct round row = round_of(x, i);

		json_array_append_new(array,
				      tool_record_object(rounds, &row));
	}
	return tool_case_json(
		c->input, c->label, c->engine,
		json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}",
			  "pairs", (json_int_t)r->pairs, "lost",
			  (json_int_t)r->lost, "full", r->full, "measured",
			  r->all.measured, "model", r->all.model, "median",
			  r->scale, "correlation", real(r->all.correlation),
			  "correlation_of_rounds", real(x->of_rounds),
			  "rounds", array, "of_pairs", pairs_json(x), "cables",
			  cables_json(x)));
}

static void report(struct tool *t, struct tool_report *out,
		   const struct tool_case *c, const struct record *x)
{
	if (out->cases) {
		json_array_append_new(out->cases, json_of(c, x));
	} else if (!t->args.csv) {
		fputs(out->n ? "\n" : "", out->out);
		tool_case_head(c, out->out);
		print(x, out->out);
	} else {
		for (uint32_t i = 0; i < x->m->nrounds; i++) {
			const struct round row = round_of(x, i);

			tool_record_line(rounds, c, &row, !out->n && !i,
					 out->out);
		}
	}
	out->n++;
}

/* --- cases ---------------------------------------------------------------- */

struct plan {
	struct tool_report report;
	const char *file;
	double full;
};

static double mean_correlation(const struct weft_measured_result *r,
			       uint32_t n)
{
	double sum = 0;
	uint32_t known = 0;

	for (uint32_t i = 0; i < n; i++)
		if (isfinite(r->round[i].correlation)) {
			sum += r->round[i].correlation;
			known++;
		}
	return known ? sum / known : NAN;
}

static bool measured_case(struct tool *t, const struct tool_case *c,
			  void *context)
{
	struct plan *p = context;
	struct weft_measured m;
	struct record x = { .f = c->fabric, .m = &m };
	bool ok;

	if (weft_io_read_measured(p->file, c->fabric, &m, &t->diag))
		return false;
	ok = !weft_measured_judge(c->fabric, c->routes, &m, p->full, &x.r) ||
	     tool_no_memory(t);
	if (ok) {
		x.of_rounds = mean_correlation(&x.r, m.nrounds);
		report(t, &p->report, c, &x);
	}
	weft_measured_result_free(&x.r);
	weft_measured_free(&m);
	return ok;
}

enum tool_status tool_compare_measured(struct tool *t, const char *file,
				       const char *full)
{
	struct plan p = { .file = file };
	bool ok;

	if (full && !(weft_number_real(full, &p.full) && p.full > 0 &&
		      isfinite(p.full)))
		return tool_usage(t,
				  "--full takes the rate of a pair alone, above 0, not '%s'",
				  full);
	t->planes = TOOL_PLANES_FIRST;
	ok = tool_report_open(t, &p.report);
	ok = tool_report_close(&p.report,
			       ok && tool_cases_each(t, measured_case, &p));
	return tool_cases_status(t, ok);
}
