// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-check [FABRIC [ENGINE]]: time and memory of the proof of all host
 * pairs, loads and credit loops included, with each form of SLs and with SL2VL
 * tables that move packets from lane to lane.  Beside it, how fast pairs are
 * walked one at a time, by the same run on the same tables.
 */
#include "bench.h"

#include <weft/weft.h>

#include <inttypes.h>
#include <stdlib.h>

#define SEED 1u
#define LANES 8

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

/* The best of three. */
static void measure(const char *what, const struct weft_fabric *f,
		    const struct weft_routes *routes, bool minimal)
{
	struct weft_proof_spec spec = {
		.loads = true, .credit_loops = true, .minimal = minimal,
		.max_examples = 10,
	};
	struct weft_proof p = { 0 };
	double best = 1e9;

	for (int i = 0; i < 3; i++) {
		double start = bench_now(), took;

		weft_proof_free(&p);
		if (weft_proof_run(f, routes, &spec, &p, NULL))
			exit(1);
		took = bench_now() - start;
		best = took < best ? took : best;
	}
	printf("%-34s %8.3f s %6ld MB  %" PRIu64 " pairs, %" PRIu64
	       " reached, load %" PRIu64 " to %" PRIu64 ", %u cyclic lanes\n", what,
	       best, bench_peak_mb(), p.pairs, p.reached, p.load_min, p.load_max,
	       p.cyclic_vls);
	weft_proof_free(&p);
}

/* Pairs of every 64th LID. */
static void measure_walks(const struct weft_fabric *f,
			  const struct weft_lft *lft)
{
	double start = bench_now(), took;
	uint64_t pairs = 0, hops = 0;

	for (unsigned lid = 1; lid <= f->max_lid; lid += 64) {
		for (uint32_t e = 0; e < f->nep; e++) {
			size_t n;

			weft_lft_walk(f, lft, f->ep[e].sw, lid,
				      (struct weft_walk_path){ 0 }, &n);
			hops += n;
			pairs++;
		}
	}
	took = bench_now() - start;
	printf("one pair at a time                 %8.3f s for %" PRIu64
	       " pairs (%" PRIu64 " hops), reachability alone\n", took, pairs,
	       hops);
}

static uint8_t *random_sls(struct weft_rng *rng, size_t n)
{
	uint8_t *sl = need(malloc(n));

	for (size_t i = 0; i < n; i++)
		sl[i] = weft_rng_below(rng, LANES);
	return sl;
}

static void measure_form(const char *what, struct weft_rng *rng,
			 const struct weft_fabric *f,
			 struct weft_routes *routes, enum weft_sl_form form)
{
	struct weft_layers *y = &routes->layers;
	const size_t size[] = {
		[WEFT_SL_ONE] = 1,
		[WEFT_SL_DESTINATION] = f->max_lid + 1,
		[WEFT_SL_SWITCH_PAIR] = (size_t)f->nsw * f->nsw,
		[WEFT_SL_ENDPORT_LID] = (size_t)f->nep * (f->max_lid + 1),
	};

	y->form = form;
	y->nvl = LANES;
	y->nsw = f->nsw;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	free(y->table);
	y->table = random_sls(rng, size[form]);
	measure(what, f, routes, false);
}

int main(int argc, char **argv)
{
	const char *spec = argc > 1 ? argv[1] : "pgft:3;18,18,36;1,18,18;1,1,1";
	const struct weft_engine *engine =
		weft_engine_find(argc > 2 ? argv[2] : "psssp");
	struct weft_diag diag = { .emit = weft_diag_stderr,
				  .context = "bench-check" };
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_routes routes = { 0 };
	struct weft_options *options;
	struct weft_fabric *f;

	if (!engine || weft_gen(spec, &f, &diag) ||
	    weft_options_new(&options, engine->options) ||
	    engine->route(f, options, &routes, &diag))
		return 1;
	printf("%s, %s: %u hosts, %u switches; %ld MB before\n", spec,
	       engine->name, f->nhosts, f->nsw, bench_peak_mb());
	measure("one SL", f, &routes, false);
	measure("one SL, minimality", f, &routes, true);
	measure_walks(f, &routes.lft);
	measure_form("SL by destination", rng, f, &routes,
		     WEFT_SL_DESTINATION);
	measure_form("SL by switch pair", rng, f, &routes,
		     WEFT_SL_SWITCH_PAIR);
	routes.layers.sl2vl = random_sls(rng, f->first_injection *
					 (size_t)WEFT_NSL);
	measure("SL by switch pair, mixed lanes", f, &routes, false);
	free(routes.layers.sl2vl);
	routes.layers.sl2vl = NULL;
	measure_form("SL by endport and LID", rng, f, &routes,
		     WEFT_SL_ENDPORT_LID);
	weft_routes_free(&routes);
	weft_options_free(options);
	weft_fabric_free(f);
	weft_rng_free(rng);
	return 0;
}
