// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * route DESCRIPTION ENGINE DIRECTORY
 *
 * Makes a synthetic fabric, has an engine route it, proves the tables, measures
 * the bandwidth that they give to random bisections, and writes fabric, tables
 * and service levels into a directory that exists.
 */
#include <weft/weft.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int route(const char *engine_name, const struct weft_fabric *fabric,
		 struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft_engine *engine = weft_engine_find(engine_name);
	struct weft_options *options = NULL;
	int err;

	if (!engine)
		return weft_fail(diag, EINVAL, "no engine '%s'", engine_name);
	err = weft_options_new(&options, engine->options);
	if (!err)
		err = weft_route(engine, fabric, options, routes, diag);
	weft_options_free(options);
	return err;
}

static int prove(const struct weft_fabric *fabric,
		 const struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft_proof_spec spec = {
		.minimal = true, .credit_loops = true,
	};
	struct weft_proof proof;
	int err = weft_proof_run(fabric, routes, &spec, &proof, diag);

	if (err)
		return err;
	printf("pairs %" PRIu64 ", unreachable %" PRIu64
	       ", longer than needed %" PRIu64 ", lanes with credit loops %u\n", proof.pairs,
	       proof.unreachable, proof.nonminimal, proof.cyclic_vls);
	if (!weft_proof_holds(&proof))
		err = weft_fail(diag, EINVAL, "the tables are not fit for use");
	weft_proof_free(&proof);
	return err;
}

static int measure(const struct weft_fabric *fabric,
		   const struct weft_routes *routes, struct weft_diag *diag)
{
	const struct weft_ebb_spec spec = { .patterns = 1000, .seed = 1 };
	struct weft_ebb ebb;
	int err = weft_ebb_run(fabric, routes, &spec, &ebb, diag);

	if (!err)
		printf("bisection bandwidth %.4f +- %.4f\n", ebb.mean,
		       ebb.ci99);
	return err;
}

/* Writes the file of that number: topology, tables, service levels. */
static int write_one(unsigned what, FILE *out, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, struct weft_diag *diag)
{
	switch (what) {
	case 0:
		return weft_io_write_ibnetdiscover(out, fabric, diag);
	case 1:
		return weft_io_write_lfts(out, fabric, &routes->lft, diag);
	default:
		return weft_io_write_sl(out, fabric, routes, diag);
	}
}

static int write_all(const char *directory, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, struct weft_diag *diag)
{
	static const char *const names[] = {
		"fabric.ibnetdiscover", "opensm-lfts.dump", "weft-sl.dump",
	};
	int err = 0;

	for (unsigned i = 0; i < 3 && !err; i++) {
		char path[4096];
		FILE *out;

		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		out = fopen(path, "w");
		if (!out)
			return weft_fail(diag, errno, "cannot write %s", path);
		err = write_one(i, out, fabric, routes, diag);
		if (fclose(out) && !err)
			err = weft_fail(diag, EIO, "cannot write %s", path);
	}
	return err;
}

int main(int argc, char **argv)
{
	struct weft_diag diag = {
		.emit = weft_diag_stderr, .context = "route",
	};
	struct weft_fabric *fabric = NULL;
	struct weft_routes routes = { 0 };
	int err;

	if (argc != 4) {
		fprintf(stderr, "Usage: %s DESCRIPTION ENGINE DIRECTORY\n",
			argv[0]);
		return EXIT_FAILURE;
	}
	err = weft_gen(argv[1], &fabric, &diag);
	if (!err)
		err = route(argv[2], fabric, &routes, &diag);
	if (!err)
		err = prove(fabric, &routes, &diag);
	if (!err)
		err = measure(fabric, &routes, &diag);
	if (!err)
		err = write_all(argv[3], fabric, &routes, &diag);
	weft_routes_free(&routes);
	weft_fabric_free(fabric);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
