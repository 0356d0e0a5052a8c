// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Worlds of bench-churn; see churn.h. */
#include "bench.h"
#include "churn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t churn_changes = WEFT_STANDING_CHANGES;

void churn_die(const char *what)
{
	fprintf(stderr, "bench-churn: %s\n", what);
	exit(2);
}

/* "weave:lanes=1" */
static void choose_engine(struct world *w, const char *text)
{
	char copy[256], *next = copy, *word;

	snprintf(copy, sizeof(copy), "%s", text);
	word = strsep(&next, ":");
	w->engine = weft_engine_find(word);
	if (!w->engine || weft_options_new(&w->options, w->engine->options))
		churn_die(text);
	while ((word = strsep(&next, ",")))
		if (weft_options_parse(w->options, word, NULL))
			churn_die(text);
	if (weft_io_read_objectives(w->options, NULL))
		churn_die(text);
}

unsigned churn_prove(const struct weft_fabric *f, const struct weft_routes *r,
		      bool switches, bool *holes)
{
	const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = switches, .credit_loops = true,
	};
	struct weft_proof p;
	unsigned cyclic;

	if (weft_proof_run(f, r, &spec, &p, NULL))
		churn_die("no proof");
	*holes = p.unreachable != p.apart || p.loops;
	cyclic = p.cyclic_vls;
	weft_proof_free(&p);
	return cyclic;
}

double churn_worth(const struct weft_fabric *f,
		       const struct weft_routes *routes)
{
	struct weft_basket_spec spec = { .seed = 1 };
	struct weft_basket *basket = NULL;
	struct weft_worth worth = { .mean = 0 };
	double mean;

	if (weft_basket_new(f, &spec, &basket, NULL) ||
	    weft_basket_judge(basket, routes, &worth))
		churn_die("no basket");
	mean = worth.mean;
	weft_worth_free(&worth);
	weft_basket_free(basket);
	return mean;
}

struct weft_fabric *churn_fabric(const char *input)
{
	struct weft_input in;
	struct weft_fabric *f;

	if (weft_input_open(input, true, &in, NULL) ||
	    weft_fabric_assign_lids(in.fabric, -1, &f, NULL))
		churn_die(input);
	weft_input_close(&in);
	return f;
}

void churn_open(struct world *w, const char *input, const char *engine,
		unsigned seed)
{
	*w = (struct world){ .rng = weft_rng_new(seed) };
	choose_engine(w, engine);
	w->lanes = weft_options_has(w->options, "lanes") ?
		weft_options_int(w->options, "lanes") : 1;
	w->home_fabric = churn_fabric(input);
	if (weft_route(w->engine, w->home_fabric, w->options, &w->home, NULL))
		churn_die(engine);
}

void churn_close(struct world *w)
{
	weft_routes_free(&w->home);
	weft_fabric_free(w->home_fabric);
	weft_options_free(w->options);
	weft_rng_free(w->rng);
}

struct state churn_home(const struct world *w)
{
	return (struct state){ .fabric = w->home_fabric, .routes = w->home };
}

void churn_leave(const struct world *w, struct state *s)
{
	if (s->fabric != w->home_fabric) {
		weft_fabric_free(s->fabric);
		weft_routes_free(&s->routes);
	}
	*s = churn_home(w);
}

/* The state that follows another one; f is its. */
struct state churn_follow(const struct world *w, const struct state *from,
			   struct weft_fabric *f)
{
	struct weft_standing_spec spec = {
		.standing = { from->fabric, &from->routes },
		.home = { w->home_fabric, &w->home },
		.changes = churn_changes,
		.lanes = w->lanes,
	};
	struct weft_standing_base *base = NULL;
	struct state s = { .fabric = f };
	double begin = bench_cpu(), ready;

	if (from->routes.lft.port == w->home.lft.port)
		spec.standing.routes = &w->home;
	if (weft_standing_prepare(&spec.standing, w->lanes, &base, NULL))
		churn_die("no memory");
	ready = bench_cpu();
	spec.base = base;
	if (weft_standing_run(f, &spec, &s.routes, &s.what, NULL))
		churn_die("no memory");
	s.ms = (bench_cpu() - ready) * 1000;
	s.prepared = (ready - begin) * 1000;
	weft_standing_base_free(base);
	return s;
}

void churn_take_out(struct weft_fabric *f, const uint32_t *channel, uint32_t n,
		     struct weft_fabric **out)
{
	if (weft_fabric_without(f, channel, n, out, NULL))
		churn_die("no memory");
}
