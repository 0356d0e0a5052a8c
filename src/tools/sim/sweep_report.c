// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft sim --sweep tells. */
#include "tools/common/record.h"
#include "tools/sim/sweep.h"

#include <math.h>

static bool is_measured(const void *record)
{
	return ((const struct tool_sim_point *)record)->n;
}

static bool is_fitted(const void *record)
{
	const struct tool_sim_point *p = record;

	return p->n && p->fit != 0;
}

static const struct tool_field points[] = {
#define FIELD(...) TOOL_FIELD(struct tool_sim_point, __VA_ARGS__)
	FIELD(streams, COUNT, "streams", .words = "streams", .width = 9),
	FIELD(bytes, COUNT, "bytes", .words = "bytes", .width = 11),
	FIELD(us, REAL, "us", .words = "us", .width = 12, .digits = 3,
	      .exact = true, .when = is_measured),
	FIELD(least, REAL, "least_us", .words = "least", .width = 11,
	      .digits = 3, .exact = true, .when = is_measured),
	FIELD(most, REAL, "most_us", .words = "most", .width = 11, .digits = 3,
	      .exact = true, .when = is_measured),
	FIELD(gbps, REAL, "gbps", .words = "Gbit/s", .width = 9, .digits = 3,
	      .when = is_measured),
	FIELD(fit, REAL, "fit_us", .words = "LogGP", .width = 11, .digits = 3,
	      .when = is_fitted),
	FIELD(off, REAL, "off", .when = is_fitted),
	TOOL_FIELDS_END
#undef FIELD
};

/* A row of the fits, with what was measured of it. */
struct row {
	const struct tool_sim_logp *fit;
	uint32_t streams;
	double us, least, most, gbps, share, L, G, rms, worst;
};

static bool is_small(const void *record)
{
	return ((const struct row *)record)->fit->small->n;
}

static bool is_large(const void *record)
{
	return ((const struct row *)record)->fit->large->n;
}

static bool is_known(const void *record)
{
	return ((const struct row *)record)->fit->known;
}

static const struct tool_field fits[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
	FIELD(streams, COUNT, "streams", .words = "streams", .width = 9),
	FIELD(us, REAL, "us", .words = "1 byte, us", .width = 12, .digits = 3,
	      .exact = true, .when = is_small),
	FIELD(least, REAL, "least_us", .when = is_small),
	FIELD(most, REAL, "most_us", .words = "most", .width = 9, .digits = 3,
	      .exact = true, .when = is_small),
	FIELD(gbps, REAL, "gbps", .words = "Gbit/s", .width = 9, .digits = 3,
	      .when = is_large),
	FIELD(share, REAL, "share", .words = "share", .width = 8, .digits = 4,
	      .when = is_large),
	FIELD(L, REAL, "L_us", .words = "L, us", .width = 10, .digits = 3,
	      .when = is_known),
	FIELD(G, REAL, "G_ns", .words = "G, ns", .width = 9, .digits = 4,
	      .when = is_known),
	FIELD(rms, REAL, "residual", .words = "residual", .width = 10,
	      .digits = 4, .when = is_known),
	FIELD(worst, REAL, "residual_worst", .when = is_known),
	TOOL_FIELDS_END
#undef FIELD
};

static struct row row_of(const struct tool_sim_logp *fit)
{
	return (struct row){
		.fit = fit,
		.streams = fit->streams,
		.us = fit->small->us,
		.least = fit->small->least,
		.most = fit->small->most,
		.gbps = fit->large->gbps,
		.share = fit->share,
		.L = fit->L,
		.G = fit->G,
		.rms = fit->rms,
		.worst = fit->worst,
	};
}

static void print(const struct tool_sim_plan *p, const struct tool_case *c,
		  const struct tool_sim_sweep *w, FILE *out)
{
	const struct tool_sim_own *own = p->t->own;
	uint32_t n = w->nlevels * w->nsizes;
	char text[512], to[256];

	tool_case_head(c, out);
	fprintf(out, "  %s can share   %s\n", WEFT_COUNT(w->most, "stream"),
		tool_text_channel(c->fabric, w->channel, text, sizeof(text)));
	fprintf(out, "  measured               %s -> %s\n",
		tool_text_vertex(c->fabric, w->from | WEFT_ENDPORT, text,
				 sizeof(text)),
		tool_text_vertex(c->fabric, w->to | WEFT_ENDPORT, to,
				 sizeof(to)));
	if (own->sweep == TOOL_SIM_SWEEP_SIZES) {
		tool_record_heads(points, out);
		fputc('\n', out);
	}
	for (uint32_t i = 0; i < n && own->sweep == TOOL_SIM_SWEEP_SIZES; i++) {
		tool_record_row(points, &w->point[i], out);
		fputc('\n', out);
	}
	tool_record_heads(fits, out);
	fputc('\n', out);
	for (uint32_t i = 0; i < w->nlevels; i++) {
		const struct row row = row_of(&w->fit[i]);

		tool_record_row(fits, &row, out);
		fputc('\n', out);
	}
	if (w->line)
		fprintf(out,
			"  L by streams           %.3f us + %.3f us for each other one, at most %.1f %% off\n",
			w->base, w->slope, 100 * w->off);
	if (isfinite(w->o))
		fprintf(out, "  o of a host            %.3f us\n", w->o);
	if (isfinite(w->g))
		fprintf(out, "  g between messages     %.3f us\n", w->g);
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *line_json(const struct tool_sim_sweep *w)
{
	return w->line ? json_pack("{s:f, s:f, s:f}", "base_us", w->base,
				   "slope_us", w->slope, "worst", w->off) :
			 json_null();
}

static json_t *json_of(const struct tool_sim_plan *p, const struct tool_case *c,
		       const struct tool_sim_sweep *w)
{
	json_t *rows = json_array();

	for (uint32_t i = 0; i < w->nlevels; i++) {
		const struct row row = row_of(&w->fit[i]);

		json_array_append_new(rows, tool_record_object(fits, &row));
	}
	return tool_case_json(
		c->input, c->label, c->engine,
		json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			  "mtu", (int)p->spec.mtu, "seed", (int)p->spec.seed,
			  "most_streams", (int)w->most, "channel",
			  tool_json_channel(c->fabric, w->channel), "from",
			  tool_json_node(c->fabric, w->from | WEFT_ENDPORT),
			  "to", tool_json_node(c->fabric, w->to | WEFT_ENDPORT),
			  "o_us", real(w->o), "g_us", real(w->g), "L_line",
			  line_json(w), "fits", rows, "points",
			  tool_record_array(points, w->point,
					    w->nlevels * w->nsizes,
					    sizeof(*w->point))));
}

void tool_sim_sweep_csv_header(const struct tool_sim_own *own, FILE *out)
{
	tool_record_line(own->sweep == TOOL_SIM_SWEEP_SIZES ? points : fits,
			 NULL, NULL, true, out);
}

static void put_csv(const struct tool_sim_own *own, const struct tool_case *c,
		    const struct tool_sim_sweep *w, FILE *out)
{
	uint32_t n = w->nlevels * w->nsizes;

	for (uint32_t i = 0; i < n && own->sweep == TOOL_SIM_SWEEP_SIZES; i++)
		tool_record_line(points, c, &w->point[i], false, out);
	for (uint32_t i = 0;
	     i < w->nlevels && own->sweep == TOOL_SIM_SWEEP_STREAMS; i++) {
		const struct row row = row_of(&w->fit[i]);

		tool_record_line(fits, c, &row, false, out);
	}
}

void tool_sim_sweep_report(const struct tool_sim_plan *p,
			   const struct tool_case *c,
			   const struct tool_sim_sweep *w)
{
	struct tool_report *r = p->report;

	if (r->cases) {
		json_array_append_new(r->cases, json_of(p, c, w));
	} else if (p->t->args.csv) {
		put_csv(p->t->own, c, w, r->out);
	} else {
		fputs(r->n ? "\n" : "", r->out);
		print(p, c, w, r->out);
	}
	r->n++;
}
