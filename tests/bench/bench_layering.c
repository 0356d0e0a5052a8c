// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-layering [FABRIC [ENGINE [METHOD]]]: time, memory and cost of layering
 * within 8, 4, 2 and 1 lanes: "few" with the fewest lanes that are worth it,
 * "both" and "one" with routes left as they are while lanes suffice, both ways
 * and one way.  Without a FABRIC: those
 * that the manual speaks of.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdlib.h>

#define MOST_HOSTS 4000		/* for which bandwidth is told */

static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_ebb_spec spec = { .patterns = 200, .seed = 1 };
	struct weft_ebb ebb = { 0 };

	if (f->nhosts <= MOST_HOSTS && weft_ebb_run(f, r, &spec, &ebb, NULL))
		exit(1);
	return 100 * ebb.mean;
}

static int measure(const struct weft_fabric *f,
		   const struct weft_engine *engine,
		   const struct weft_layering_spec *spec,
		   struct weft_diag *diag)
{
	struct weft_proof_spec what = { .all_hosts = true, .switches = true,
					.credit_loops = true };
	struct weft_routes routes = { 0 };
	struct weft_options *options;
	struct weft_layering r;
	struct weft_proof p;
	double start, took, before;

	if (weft_options_new(&options, engine->options) ||
	    engine->route(f, options, &routes, diag))
		return 1;
	before = bandwidth(f, &routes);
	start = bench_now();
	if (weft_layering_run(f, &routes, spec, &r, diag))
		return 1;
	took = bench_now() - start;
	if (weft_proof_run(f, &routes, &what, &p, diag))
		return 1;
	printf("%2u %-4s %-11s %2u lanes %8.3f s %5ld MB  %6u rerouted, hops %+.2f %%, bandwidth %.1f -> %.1f %%, proof %s\n",
	       spec->lanes,
	       !spec->keep ? "few" : spec->one_way ? "one" : "both",
	       weft_layering_method_name(r.method), r.lanes, took, bench_peak_mb(),
	       r.rerouted, r.hops_before ? 100.0 * r.hops_after /
	       r.hops_before - 100 : 0, before, bandwidth(f, &routes),
	       weft_proof_holds(&p) ? "holds" : "FAILS");
	fflush(stdout);
	weft_proof_free(&p);
	weft_options_free(options);
	weft_routes_free(&routes);
	return 0;
}

static int measure_fabric(const char *text, const struct weft_engine *engine,
			  enum weft_layering_method method)
{
	struct weft_diag diag = { .emit = weft_diag_stderr, .limit = 1,
				  .context = "bench-layering" };
	struct weft_diag quiet = { 0 };
	struct weft_fabric *f;
	int err = 0;

	if (weft_gen_is_spec(text) ? weft_gen(text, &f, &diag) :
	    weft_io_read_fabric(text, &f, &diag))
		return 1;
	printf("%s, %s: %u switches, %u endports\n", text, engine->name,
	       f->nsw, f->nep);
	for (unsigned lanes = 8; lanes && !err; lanes /= 2)
		for (unsigned kind = 0; kind < 3 && !err; kind++) {
			struct weft_layering_spec spec = {
				.method = method, .lanes = lanes,
				.one_way = kind == 2, .keep = kind != 0,
			};

			if (kind == 2 || method != WEFT_LAYERING_DESTINATION)
				err = measure(f, engine, &spec, &quiet);
		}
	weft_fabric_free(f);
	return err;
}

int main(int argc, char **argv)
{
	static const char *const fabrics[] = {
		"ring:8,hosts=2", "torus:4x4,hosts=4", "torus:4x4x4,hosts=4",
		"torus:8x8x8,hosts=1", "hypercube:8,hosts=1",
		"dragonfly:4,2,2,9", "random:43x12,24", "random:250x12,24",
		"deimos", "pgft:3;12,12,24;1,12,12;1,1,1",
		"pgft:3;18,18,36;1,18,18;1,1,1",
	};
	const struct weft_engine *engine =
		weft_engine_find(argc > 2 ? argv[2] : "psssp");
	enum weft_layering_method method = argc > 3 ?
		weft_layering_method_find(argv[3]) : WEFT_LAYERING_AUTO;
	int err = 0;

	if (!engine || method == WEFT_LAYERING_METHODS)
		return 2;
	if (argc > 1)
		return measure_fabric(argv[1], engine, method);
	for (size_t i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++)
		err |= measure_fabric(fabrics[i], engine, method);
	return err;
}
