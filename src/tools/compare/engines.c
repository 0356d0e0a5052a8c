// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs engines one after the other and has their tables judged. */
#include "tools/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIST 4096 /* characters of options */

struct run {
	struct tool *t;
	const struct tool_compare_spec *spec;
	const struct weft_fabric *fabric;
	struct weft_comparison *comparison;
	struct timespec start;
};

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* --- memory --------------------------------------------------------------- */

uint64_t tool_compare_memory(const char *path, const char *key)
{
	FILE *in = fopen(path, "r");
	uint64_t kib = 0;
	char line[256];

	while (in && !kib && fgets(line, sizeof(line), in)) {
		const char *p = line + strlen(key);

		if (!strncmp(line, key, strlen(key))) {
			p += strspn(p, " \t");
			weft_number_uint_at(&p, " ", UINT64_MAX / 1024, &kib);
		}
	}
	if (in)
		fclose(in);
	return kib * 1024;
}

static uint64_t status_bytes(const char *key)
{
	return tool_compare_memory("/proc/self/status", key);
}

/* Begins to measure: what is resident now is the peak so far.  Returns it. */
static uint64_t begin_peak(void)
{
	FILE *out = fopen("/proc/self/clear_refs", "w");

	if (!out)
		return 0;
	fputs("5", out);
	return fclose(out) ? 0 : status_bytes("VmRSS:");
}

/* Returns by how much the peak was above what begin_peak() returned. */
static uint64_t end_peak(uint64_t before)
{
	uint64_t peak = status_bytes("VmHWM:");

	return before && peak > before ? peak - before : 0;
}

/* --- options -------------------------------------------------------------- */

/* Writes options that were given as a section of weft.conf. */
static void write_section(const char *section, const struct weft_options *o,
			  FILE *out)
{
	const struct weft_option *row = weft_options_table(o);
	bool any = false;

	for (; row && row->type != WEFT_OPT_END; row++) {
		if (!weft_options_given(o, row->name))
			continue;
		if (!any)
			fprintf(out, "[%s]\n", section);
		any = true;
		fprintf(out, "%s = %s\n", row->name,
			weft_options_text(o, row->name));
	}
}

/* Sets an option unless the user did. */
static bool preset(struct tool *t, struct weft_options *o, const char *name,
		   const char *value)
{
	char text[64];

	if (weft_options_given(o, name))
		return true;
	snprintf(text, sizeof(text), "%s=%s", name, value);
	return !weft_options_parse(o, text, &t->diag);
}

/* Makes an engine do what its plugin does: there are that many lanes, and what
 * closes a credit loop gets service levels. */
static bool like_plugin(struct tool *t, const struct tool_engine *e,
			unsigned lanes)
{
	char n[16];

	snprintf(n, sizeof(n), "%u", lanes);
	return preset(t, e->common, "deadlock", "layers") &&
	       preset(t, weft_options_has(e->options, "lanes") ? e->options :
							  e->common,
		      "lanes", n);
}

/* --- rows ----------------------------------------------------------------- */

/* Has tables stand as the plugin does, in what is left of the fabric; routes it
 * anew where that is not possible.  False: neither is. */
static bool stand(struct run *r, const struct tool_engine *e,
		  const struct weft_routes *before,
		  const struct weft_fabric *less, struct weft_routes *routes)
{
	const struct weft_standing_spec spec = {
		.standing = { r->fabric, before },
		.changes = WEFT_STANDING_CHANGES,
		.lanes = r->spec->comparison.lanes,
	};
	struct tool_refusal heard = { .silent = true };
	struct weft_standing what;

	if (!weft_standing_run(less, &spec, routes, &what, NULL)) {
		if (!what.unmended)
			return true;
		weft_routes_free(routes);
	}
	return tool_route_heard(r->t, e, less, routes, &heard);
}

static bool judge_failed(struct run *r, const struct weft_routes *before,
			 const struct weft_fabric *less,
			 const struct weft_routes *routes)
{
	const struct weft_diff_side a = { r->fabric, before };
	const struct weft_diff_side b = { less, routes };
	struct weft_diff d;
	bool ok;

	if (weft_diff_run(&a, &b, &d, &r->t->diag))
		return false;
	ok = !weft_comparison_fail(r->comparison, less, routes, d.entries,
				   &r->t->diag);
	weft_diff_free(&d);
	return ok;
}

/* Judges tables by a fabric of which cables have failed. */
static bool fail_cables(struct run *r, const struct tool_engine *e,
			const struct weft_routes *before, unsigned failures)
{
	struct weft_routes routes = { 0 };
	struct weft_fabric *less;
	uint32_t *cable, n;
	bool ok;

	if (weft_comparison_failures(r->fabric, failures, r->t->args.seed,
				     &cable, &n))
		return tool_no_memory(r->t);
	ok = !weft_fabric_without(r->fabric, cable, n, &less, &r->t->diag);
	free(cable);
	if (!ok)
		return false;
	tool_phase(r->t, "%s without %u cables", e->label, (unsigned)n);
	if (stand(r, e, before, less, &routes))
		ok = judge_failed(r, before, less, &routes);
	weft_routes_free(&routes);
	weft_fabric_free(less);
	return ok;
}

/* Routes and judges; a refusal is a row, too. */
static bool route_row(struct run *r, const struct tool_engine *e,
		      struct weft_candidate *k)
{
	struct tool_refusal heard = { .silent = !r->t->args.verbose };
	struct weft_routes routes = { 0 };
	uint64_t before = begin_peak();
	bool ok = tool_route_heard(r->t, e, r->fabric, &routes, &heard);

	if (!ok && !strcmp(heard.text, "out of memory"))
		return tool_no_memory(r->t);
	k->memory = end_peak(before);
	k->seconds = heard.seconds;
	k->routes = &routes;
	/* One that was asked for says so itself. */
	k->mended = heard.mended && !strstr(e->label, "deadlock=");
	if (!ok) {
		k->state = WEFT_COMPARE_REFUSED;
		k->reason = heard.text;
	}
	tool_phase(r->t, "worth of %s", e->label);
	ok = !weft_comparison_add(r->comparison, k, &r->t->diag);
	if (ok && k->state == WEFT_COMPARED && r->spec->failures)
		ok = fail_cables(r, e, &routes, r->spec->failures);
	weft_routes_free(&routes);
	return ok;
}

/* Adds what an engine makes alone where that closes a credit loop, which its
 * plugin would mend. */
static bool add_alone(struct run *r, const struct tool_engine *e,
		      const struct weft_candidate *engine)
{
	struct tool_refusal heard = { .silent = true };
	struct weft_routes routes = { 0 };
	struct weft_candidate k = *engine;
	bool ok;

	if (weft_options_parse(e->common, "deadlock=ignore", &r->t->diag))
		return false;
	ok = tool_route_heard(r->t, e, r->fabric, &routes, &heard);
	if (weft_options_parse(e->common, "deadlock=layers", &r->t->diag))
		ok = false;
	if (!ok && !strcmp(heard.text, "out of memory"))
		return tool_no_memory(r->t);
	k.routes = &routes;
	k.seconds = heard.seconds;
	k.memory = 0;
	k.mended = false;
	k.plugin = NULL;
	tool_phase(r->t, "worth of %s alone", e->label);
	ok = !ok || !weft_comparison_add(r->comparison, &k, &r->t->diag);
	weft_routes_free(&routes);
	return ok;
}

/* Adds the tables that are shown, as they are: what closes a credit loop is
 * not what a plugin would do, and so never advised. */
static bool add_shown(struct run *r, const struct tool_engine *e,
		      const struct weft_candidate *engine)
{
	const struct tool_case *shown = r->spec->shown;
	struct weft_candidate k = *engine;

	k.routes = shown->routes;
	k.seconds = shown->seconds;
	k.shown = true;
	if (r->spec->shown_loops)
		k.plugin = NULL;
	tool_phase(r->t, "worth of %s", e->label);
	return !weft_comparison_add(r->comparison, &k, &r->t->diag);
}

static bool is_shown(const struct run *r, const struct tool_engine *e)
{
	return r->spec->shown && !strcmp(r->spec->shown->label, e->label);
}

static bool add_engine(struct run *r, const struct tool_engine *e)
{
	char options[LIST] = "", plugin[64];
	FILE *list = fmemopen(options, sizeof(options), "w");
	struct weft_candidate k = {
		.label = e->label,
		.engine = e->engine->osm_name ? e->engine->osm_name :
						e->engine->name,
		.plugin = e->engine->needs & WEFT_OFFLINE ?
				  NULL :
				  weft_engine_plugin(e->engine, plugin,
						     sizeof(plugin)),
		.origin = WEFT_TABLES_ENGINE,
		.fabric = r->fabric,
		.options = options,
		.seconds = -1,
	};

	if (!list)
		return tool_no_memory(r->t);
	write_section("weft", e->common, list);
	write_section(e->engine->name, e->options, list);
	fclose(list);
	if (is_shown(r, e) && !add_shown(r, e, &k))
		return false;
	if (is_shown(r, e) && !r->spec->shown_loops)
		return true;
	if (!like_plugin(r->t, e, r->spec->comparison.lanes))
		return false;
	if (r->spec->seconds > 0 &&
	    seconds_since(&r->start) > r->spec->seconds) {
		k.state = WEFT_COMPARE_LATE;
		k.reason = "there was no time left for it (--time)";
		return !weft_comparison_add(r->comparison, &k, &r->t->diag);
	}
	return route_row(r, e, &k) &&
	       (!k.mended || !r->spec->alone || add_alone(r, e, &k));
}

/* How much time is left for opensm; none: infinity. */
static double seconds_left(const struct run *r)
{
	return r->spec->seconds > 0 ?
		       r->spec->seconds - seconds_since(&r->start) :
		       INFINITY;
}

bool tool_compare_engines(struct tool *t, const struct tool_compare_spec *spec,
			  const struct weft_candidate *present,
			  const struct weft_fabric *fabric,
			  struct weft_comparison **out)
{
	struct tool_engine *e = tool_engines_parse(t);
	struct run r = { .t = t, .spec = spec, .fabric = fabric };
	unsigned n = 0;
	bool ok = e;

	*out = NULL;
	clock_gettime(CLOCK_MONOTONIC, &r.start);
	if (ok)
		ok = !weft_comparison_new(&spec->comparison, fabric,
					  &r.comparison, &t->diag);
	if (ok && present) {
		tool_phase(t, "worth of the present tables");
		ok = !weft_comparison_add(r.comparison, present, &t->diag);
	}
	while (ok && e[n].engine)
		n++;
	for (unsigned i = 0; ok && i < n; i++) {
		tool_stage(t, i, n);
		ok = add_engine(&r, &e[i]);
	}
	if (ok && spec->opensm)
		ok = tool_compare_opensm(t, r.comparison, fabric,
					 spec->comparison.lanes,
					 seconds_left(&r));
	tool_phase_end(t);
	tool_engines_free(e);
	if (!ok) {
		weft_comparison_free(r.comparison);
		return false;
	}
	weft_comparison_rank(r.comparison);
	*out = r.comparison;
	return true;
}
