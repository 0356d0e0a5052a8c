// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What is drawn over a fabric.  Arrays are of the channels that leave switches;
 * where several marks meet, the one that is stronger stays.
 */
#include "tools/show/overlay.h"

#include "draw/heat.h"

#include "tools/common/places.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 100 /* of a pattern that is random */

bool tool_overlay_needs_tables(const struct tool_overlay_spec *s)
{
	return s->load || s->hottest || s->unused || s->loop || s->route ||
	       s->against;
}

bool tool_overlay_any(const struct tool_overlay_spec *s)
{
	return tool_overlay_needs_tables(s) || s->counters;
}

void tool_overlay_free(struct tool_overlay *o)
{
	free(o->heat);
	free(o->mark);
	free(o->sw);
	free(o->load);
	free(o->other);
	*o = (struct tool_overlay){ .heat = NULL };
}

static void set_mark(struct tool_overlay *o, uint32_t ch,
		     enum weft__draw_mark mark)
{
	if (o->mark[ch] < mark)
		o->mark[ch] = mark;
}

static void say(struct tool_overlay *o, enum weft__draw_mark mark,
		const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(struct tool_overlay *o, enum weft__draw_mark mark,
		const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(o->said[mark], sizeof(o->said[mark]), format, ap);
	va_end(ap);
	o->o.said[mark] = o->said[mark];
}

/* --- load ----------------------------------------------------------------- */

/* Of a round of the pattern, on hosts by name. */
static bool load_by_pattern(struct tool *t, const char *pattern,
			    const struct weft_fabric *f,
			    const struct weft_routes *routes, uint64_t *load)
{
	struct weft_model_spec spec = {
		.links = true,
		.samples = SAMPLES,
		.seed = t->args.seed,
	};
	struct weft_mapping mapping = { 0 };
	struct weft_traffic *traffic = NULL;
	struct weft_model model;
	bool by_name, ok;

	if (weft_mapping_natural(f, t->args.hosts == TOOL_HOSTS_ALL, &mapping,
				 &by_name, &t->diag))
		return false;
	ok = !weft_traffic_placed(pattern, f, mapping.endport, mapping.nranks,
				  &traffic, &t->diag);
	spec.traffic = traffic;
	spec.mapping = &mapping;
	ok = ok && !weft_model_run(f, routes, &spec, &model, &t->diag);
	for (uint32_t ch = 0; ok && ch < f->first_injection; ch++)
		load[ch] = model.link[ch].streams;
	if (ok)
		weft_model_free(&model);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return ok;
}

static bool load_of_all(struct tool *t, const struct weft_fabric *f,
			const struct weft_routes *routes, uint64_t *load)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.loads = true,
	};
	struct weft_proof proof;

	if (weft_proof_run(f, routes, &spec, &proof, &t->diag))
		return false;
	memcpy(load, proof.channel_load, f->first_injection * sizeof(*load));
	weft_proof_free(&proof);
	return true;
}

/* Load for its capacity: channels are as hot as they are long busy. */
static double busy(const struct weft_fabric *f, const uint64_t *load,
		   uint32_t ch)
{
	return f->capacity[ch] ? (double)load[ch] / f->capacity[ch] : 0;
}

static void heat_loads(const struct weft_fabric *f,
		       const struct weft_shape *shape, struct tool_overlay *o,
		       const char *pattern)
{
	weft__draw_heat(f, shape, o->load, o->heat);
	o->o.heat = o->heat;
	o->o.load = o->load;
	o->o.unit = pattern ? "stream" : "route";
	o->o.cold = WEFT__HEAT_COLD;
	if (pattern)
		snprintf(o->hot, sizeof(o->hot), "%s, under %s",
			 WEFT__HEAT_HOT, pattern);
	else
		snprintf(o->hot, sizeof(o->hot), "%s", WEFT__HEAT_HOT);
	o->o.hot = o->hot;
}

/* Channels by how busy they are, then by number. */
struct hot {
	double busy;
	uint32_t ch;
};

static int hottest_first(const void *va, const void *vb)
{
	const struct hot *a = va, *b = vb;

	if (a->busy > b->busy || a->busy < b->busy)
		return a->busy > b->busy ? -1 : 1;
	return (a->ch > b->ch) - (a->ch < b->ch);
}

static bool mark_hottest(struct tool *t, const struct weft_fabric *f,
			 struct tool_overlay *o, int64_t most)
{
	uint32_t n = f->adj_first[f->nsw];
	struct hot *hot = calloc(n + (size_t)1, sizeof(*hot));

	if (!hot)
		return tool_no_memory(t);
	for (uint32_t i = 0; i < n; i++)
		hot[i] = (struct hot){ busy(f, o->load, f->adj[i]), f->adj[i] };
	qsort(hot, n, sizeof(*hot), hottest_first);
	n = n < most ? n : most;
	while (n && !(hot[n - 1].busy > 0))
		n--;
	for (uint32_t i = 0; i < n; i++)
		set_mark(o, hot[i].ch, WEFT__MARK_HOT);
	say(o, WEFT__MARK_HOT, "%s with the most load",
	    WEFT_COUNT(n, "channel"));
	free(hot);
	return true;
}

static void mark_unused(const struct weft_fabric *f, struct tool_overlay *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];

		if (o->load[ch] || o->load[f->reverse[ch]])
			continue;
		set_mark(o, ch, WEFT__MARK_UNUSED);
		n++;
	}
	say(o, WEFT__MARK_UNUSED, "%s without any load",
	    WEFT_COUNT(n / 2, "cable"));
}

static bool overlay_load(struct tool *t, const struct tool_overlay_spec *s,
			 const struct weft_fabric *f,
			 const struct weft_shape *shape,
			 const struct weft_routes *routes,
			 struct tool_overlay *o)
{
	bool ok;

	tool_phase(t, "load");
	o->load = calloc(f->first_injection + (size_t)1, sizeof(*o->load));
	if (!o->load)
		return tool_no_memory(t);
	if (s->pattern)
		ok = load_by_pattern(t, s->pattern, f, routes, o->load);
	else
		ok = load_of_all(t, f, routes, o->load);
	if (ok && s->load)
		heat_loads(f, shape, o, s->pattern);
	if (ok && s->unused)
		mark_unused(f, o);
	return ok && (!s->hottest || mark_hottest(t, f, o, s->hottest));
}

/* --- credit loops, a route, other tables ---------------------------------- */

static bool overlay_loop(struct tool *t, const struct weft_fabric *f,
			 const struct weft_routes *routes,
			 struct tool_overlay *o)
{
	const struct weft_proof_spec spec = {
		.all_hosts = t->args.hosts == TOOL_HOSTS_ALL,
		.credit_loops = true,
	};
	struct weft_proof p;

	tool_phase(t, "credit loops");
	if (weft_proof_run(f, routes, &spec, &p, &t->diag))
		return false;
	for (uint32_t i = 0; i < p.ncycles; i++)
		for (uint32_t k = 0; k < p.cycle[i].n; k++)
			set_mark(o, p.cycle[i].channel[k], WEFT__MARK_LOOP);
	say(o, WEFT__MARK_LOOP, p.ncycles ? "%s" : "no credit loop",
	    WEFT_COUNT(p.ncycles, "credit loop"));
	weft_proof_free(&p);
	return true;
}

static bool find_ends(struct tool *t, const struct weft_fabric *f,
		      const char *text, struct tool_place *from,
		      struct tool_place *to)
{
	const char *comma = strchr(text, ',');
	char *source = comma ? strndup(text, comma - text) : NULL;
	bool ok;

	if (!comma || comma == text || !comma[1]) {
		free(source);
		tool_usage(t, "--route: '%s' is not SOURCE,DESTINATION", text);
		return false;
	}
	if (!source)
		return tool_no_memory(t);
	ok = tool_place_find(t, f, source, from) &&
	     tool_place_find(t, f, comma + 1, to);
	if (ok && !to->lid) {
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "'%s' has no LID, nothing can be sent there",
			      comma + 1);
		ok = false;
	}
	free(source);
	return ok;
}

static bool overlay_route(struct tool *t, const char *text,
			  const struct weft_fabric *f,
			  const struct weft_routes *routes,
			  struct tool_overlay *o)
{
	size_t max = f->nsw + (size_t)1, hops = 0;
	uint32_t *channel, source;
	struct tool_place from, to;
	enum weft_walk_end end;

	if (!find_ends(t, f, text, &from, &to))
		return false;
	channel = malloc(max * sizeof(*channel));
	if (!channel)
		return tool_no_memory(t);
	source = weft_vertex_switch(f, from.vertex);
	end = weft_lft_walk(f, &routes->lft, source, to.lid,
			    (struct weft_walk_path){ channel, max }, &hops);
	for (size_t i = 0; i < hops; i++)
		if (channel[i] != WEFT_NONE && channel[i] < f->first_injection)
			set_mark(o, channel[i], WEFT__MARK_ROUTE);
	o->sw[source] = WEFT__MARK_ROUTE;
	o->sw[weft_vertex_switch(f, to.vertex)] = WEFT__MARK_ROUTE;
	say(o, WEFT__MARK_ROUTE, "route %s: %zu switches, %s", text, hops,
	    end == WEFT_ARRIVED ? "arrives" : weft_walk_end_name(end));
	free(channel);
	return true;
}

/* How many entries of two tables differ, of how many. */
static uint64_t count_entries(const struct weft_fabric *f,
			      const struct weft_lft *a,
			      const struct weft_lft *b, uint64_t *all)
{
	uint64_t n = 0;

	*all = 0;
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		for (uint32_t s = 0; s < f->nsw; s++) {
			if (weft_lid_owner(f, lid) == WEFT_NONE)
				continue;
			++*all;
			n += weft_lft_get(a, s, lid) != weft_lft_get(b, s, lid);
		}
	return n;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Colours channels by how many routes more or less they have; where colours
 * already show the load, channels that differ are marked. */
static void show_difference(const struct weft_fabric *f, const uint64_t *load,
			    const uint64_t *other, struct tool_overlay *o,
			    const char *entries)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];
		uint64_t differ = apart(load[ch], other[ch]);

		most = differ > most ? differ : most;
		if (differ && o->o.heat)
			set_mark(o, ch, WEFT__MARK_DIFFERS);
	}
	if (o->o.heat) {
		say(o, WEFT__MARK_DIFFERS, "another load, %s", entries);
		return;
	}
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];
		double more = (double)other[ch] - (double)load[ch];

		o->heat[ch] = most ? .5 + more / most / 2 : .5;
	}
	o->o.heat = o->heat;
	o->o.load = load;
	o->o.other = other;
	o->o.unit = "route";
	o->o.centred = true;
	snprintf(o->cold, sizeof(o->cold), "%s fewer there",
		 WEFT_COUNT(most, "route"));
	o->o.cold = o->cold;
	snprintf(o->hot, sizeof(o->hot), "as many more; %s", entries);
	o->o.hot = o->hot;
}

static bool overlay_against(struct tool *t, const char *path,
			    const struct weft_fabric *f,
			    const struct weft_routes *routes,
			    struct tool_overlay *o)
{
	uint64_t *load =
		calloc(2 * (f->first_injection + (size_t)1), sizeof(*load));
	uint64_t *other = load + f->first_injection, differ, all;
	struct weft_routes tables = { .lid_offset = NULL };
	char entries[80];
	bool ok;

	if (!load)
		return tool_no_memory(t);
	tool_phase(t, "reading %s", path);
	ok = !weft_io_read_tables(path, f, &tables, NULL, &t->diag) &&
	     load_of_all(t, f, routes, load) &&
	     load_of_all(t, f, &tables, other);
	if (ok) {
		differ = count_entries(f, &routes->lft, &tables.lft, &all);
		snprintf(entries, sizeof(entries), "%s of %s entries differ",
			 WEFT_COUNT(differ, NULL), WEFT_COUNT(all, NULL));
		show_difference(f, load, other, o, entries);
	}
	weft_routes_free(&tables);
	o->other = load;
	return ok;
}

/* --- counters ------------------------------------------------------------- */

/* What of errors a port has counted: growth between two readings, else all. */
static uint64_t count_errors(const struct weft_port_counters *p)
{
	uint64_t errors = 0;

	for (unsigned i = 0; i < WEFT_COUNTERS; i++)
		if (weft_counter_is_error(i) && (p->known >> i & 1))
			errors += p->grew >> i & 1 ? p->growth[i] : p->value[i];
	return errors;
}

static double amount(const struct weft_port_counters *p, enum weft_counter c)
{
	if (!(p->known >> c & 1))
		return -1;
	return p->grew >> c & 1 ? p->growth[c] : p->value[c];
}

static void heat_counters(const struct weft_fabric *f,
			  const struct weft_counters *c, struct tool_overlay *o,
			  enum weft_counter which)
{
	double most = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		most = fmax(most, amount(&c->port[f->adj[i]], which));
	for (uint32_t i = 0; i < f->adj_first[f->nsw] && most > 0; i++) {
		double here = amount(&c->port[f->adj[i]], which);

		o->heat[f->adj[i]] = here < 0 ? -1 : here / most;
	}
	if (!(most > 0))
		return;
	o->o.heat = o->heat;
	o->o.cold = "none";
	snprintf(o->hot, sizeof(o->hot), "the most %s (%.3g)",
		 weft_counter_name(which), most);
	o->o.hot = o->hot;
}

static bool overlay_counters(struct tool *t, const char *path,
			     const struct weft_fabric *f,
			     struct tool_overlay *o)
{
	struct weft_counters c;
	uint32_t ports = 0;
	int err;

	err = weft_io_read_counters(path, f, &c, &t->diag);
	if (err == -ENOENT)
		weft_diag_at(&t->diag, WEFT_ERROR, path, 0,
			     "there are no counters: weft-counters.csv of weft capture, or the output of ibqueryerrors, perfquery or ibdiagnet (ibdiagnet2.pm)");
	if (err)
		return false;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		if (!count_errors(&c.port[f->adj[i]]))
			continue;
		set_mark(o, f->adj[i], WEFT__MARK_ERROR);
		ports++;
	}
	say(o, WEFT__MARK_ERROR, "%s with errors, between switches",
	    WEFT_COUNT(ports, "port"));
	if (!o->o.heat)
		heat_counters(f, &c, o, WEFT_XMIT_WAIT);
	if (!o->o.heat)
		heat_counters(f, &c, o, WEFT_XMIT_DATA);
	weft_counters_free(&c);
	return true;
}

/* -------------------------------------------------------------------------- */

bool tool_overlay_make(struct tool *t, const struct tool_overlay_spec *s,
		       const struct weft_fabric *f,
		       const struct weft_shape *shape,
		       const struct weft_routes *routes, struct tool_overlay *o)
{
	size_t n = f->first_injection + (size_t)1;
	bool ok;

	*o = (struct tool_overlay){
		.heat = malloc(n * sizeof(*o->heat)),
		.mark = calloc(n, 1),
		.sw = calloc(f->nsw + (size_t)1, 1),
	};
	ok = (o->heat && o->mark && o->sw) || tool_no_memory(t);
	for (size_t i = 0; ok && i < n; i++)
		o->heat[i] = -1;
	o->o.mark = o->mark;
	o->o.sw = o->sw;
	if (ok && (s->load || s->hottest || s->unused))
		ok = overlay_load(t, s, f, shape, routes, o);
	if (ok && s->loop)
		ok = overlay_loop(t, f, routes, o);
	if (ok && s->against)
		ok = overlay_against(t, s->against, f, routes, o);
	if (ok && s->counters)
		ok = overlay_counters(t, s->counters, f, o);
	if (ok && s->route)
		ok = overlay_route(t, s->route, f, routes, o);
	if (!ok)
		tool_overlay_free(o);
	return ok;
}
