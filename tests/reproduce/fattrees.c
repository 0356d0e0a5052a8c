// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tables I and II of W. Nienaber, S. Mahapatra, X. Yuan: Improving Performance
 * of Deterministic Single-path Routing on 2-Level Generalized Fat-trees.
 *
 * fattrees [quick]: quick = Table II for the small ones only.
 *
 * Everything is computed from the tables that the engines make.  WORST has to be
 * as printed.  Averages of D-mod-k, and of OPT where sqrt(m) is whole and
 * divides n, have to be within 1 %; elsewhere OPT has to be no more than 1 %
 * below (there the paper does not say how it balances).  The paper prints three
 * digits, which stand for all that is rounded to them or cut.  Differences over
 * 1 % that this explains are marked '~'.
 */
#include <weft/weft.h>

#include <stdio.h>
#include <string.h>

#define PRECISION 0.005	/* width of our 99 % interval over the mean */
#define QUICK 0.01	/* the same, the paper's */
#define SMALL 400	/* hosts */
#define SEED 1

struct published {
	uint32_t n, m, r;
	bool exact;		/* sqrt(m) is whole and divides n */
	uint32_t worst[2];	/* OPT, D-mod-k */
	double mean[3][2];	/* ABB, AFPB, ADB */
};

/* Table I prints T(12+16,28) as T(12+16,24). */
static const struct published rows[] = {
	{ 9, 9, 18, true, { 3, 9 },
	  { { 0.380, 0.362 }, { 0.333, 0.266 }, { 0.334, 0.264 } } },
	{ 16, 16, 32, true, { 4, 16 },
	  { { 0.317, 0.296 }, { 0.253, 0.220 }, { 0.265, 0.219 } } },
	{ 25, 25, 50, true, { 5, 25 },
	  { { 0.278, 0.262 }, { 0.224, 0.193 }, { 0.235, 0.194 } } },
	{ 12, 12, 24, false, { 4, 12 },
	  { { 0.333, 0.323 }, { 0.265, 0.239 }, { 0.266, 0.239 } } },
	{ 24, 24, 48, false, { 6, 24 },
	  { { 0.278, 0.264 }, { 0.215, 0.196 }, { 0.215, 0.195 } } },
	{ 12, 4, 16, true, { 6, 12 },
	  { { 0.234, 0.228 }, { 0.176, 0.158 }, { 0.184, 0.157 } } },
	{ 24, 9, 33, true, { 8, 24 },
	  { { 0.198, 0.192 }, { 0.149, 0.131 }, { 0.155, 0.132 } } },
	{ 24, 16, 40, true, { 6, 24 },
	  { { 0.244, 0.235 }, { 0.192, 0.169 }, { 0.199, 0.169 } } },
	{ 16, 8, 24, false, { 8, 16 },
	  { { 0.248, 0.239 }, { 0.185, 0.171 }, { 0.185, 0.168 } } },
	{ 24, 8, 32, false, { 12, 24 },
	  { { 0.189, 0.183 }, { 0.136, 0.127 }, { 0.136, 0.126 } } },
	{ 8, 16, 24, true, { 2, 8 },
	  { { 0.500, 0.442 }, { 0.500, 0.326 }, { 0.500, 0.326 } } },
	{ 12, 16, 28, true, { 3, 12 },
	  { { 0.369, 0.343 }, { 0.333, 0.259 }, { 0.333, 0.259 } } },
	{ 10, 25, 35, true, { 2, 10 },
	  { { 0.500, 0.425 }, { 0.500, 0.317 }, { 0.500, 0.317 } } },
	{ 8, 24, 32, false, { 2, 8 },
	  { { 0.487, 0.461 }, { 0.430, 0.351 }, { 0.428, 0.350 } } },
	{ 16, 32, 48, false, { 4, 16 },
	  { { 0.374, 0.340 }, { 0.311, 0.264 }, { 0.311, 0.264 } } },
};

static const char *const engines[] = { "opt", "dmodk" };
static const struct {
	const char *name, *pattern;
} means[] = {
	{ "ABB", "bisect" },
	{ "AFPB", "permutation" },
	{ "ADB", "dissemination-pairs" },
};

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "reproduce",
};
static unsigned missed, shown;
static bool quick;

static int make_fabric(const struct published *p, struct weft_fabric **f)
{
	struct weft_fabric *plain = NULL;
	char spec[64];
	int err;

	snprintf(spec, sizeof(spec), "pgft:2;%u,%u;1,%u;1,1", p->n, p->r,
		 p->m);
	err = weft_gen(spec, &plain, &diag);
	if (!err)
		err = weft_fabric_assign_lids(plain, 3, f, &diag);
	weft_fabric_free(plain);
	return err;
}

static int route(const char *name, const struct weft_fabric *f,
		 struct weft_routes *out)
{
	const struct weft_engine *engine = weft_engine_find(name);
	struct weft_options *options = NULL;
	int err = weft_options_new(&options, engine->options);

	if (!err)
		err = engine->route(f, options, out, &diag);
	weft_options_free(options);
	return err;
}

static int show_worst(const struct published *p, unsigned e,
		      const struct weft_fabric *f,
		      const struct weft_routes *routes)
{
	const struct weft_worst_spec spec = { .links = false };
	struct weft_worst w;
	int err = weft_worst_run(f, routes, &spec, &w, &diag);

	if (err)
		return err;
	printf("   %5u %5u %6s", p->worst[e], w.load,
	       w.load == p->worst[e] ? "" : "WRONG");
	shown++;
	missed += w.load != p->worst[e];
	weft_worst_free(&w);
	return 0;
}

/* One mean, with the paper's measure and rule. */
static int measure(const char *pattern, const struct weft_fabric *f,
		   const struct weft_routes *routes, double *mean)
{
	const struct weft_mapping_spec hosts = { .order = WEFT_ORDER_GUID };
	struct weft_model_spec spec = {
		.samples = 1000, .precision = quick ? QUICK : PRECISION,
		.precise = WEFT_LOWER, .seed = SEED,
	};
	struct weft_mapping mapping = { 0 };
	struct weft_traffic *traffic = NULL;
	struct weft_model model;
	int err = weft_mapping_init(&mapping, f, &hosts, &diag);

	if (!err)
		err = weft_traffic_new(pattern, mapping.nranks, &traffic,
				       &diag);
	spec.traffic = traffic;
	spec.mapping = &mapping;
	if (!err)
		err = weft_model_run(f, routes, &spec, &model, &diag);
	if (!err) {
		*mean = model.measure[WEFT_LOWER].mean;
		weft_model_free(&model);
	}
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return err;
}

static int show_mean(const struct published *p, unsigned e, unsigned i,
		     const struct weft_fabric *f,
		     const struct weft_routes *routes)
{
	double paper = p->mean[i][e], ours, off;
	bool both = p->exact || e == 1, fine;
	int err = measure(means[i].pattern, f, routes, &ours);

	if (err)
		return err;
	off = 100 * (ours / paper - 1);
	fine = ours >= 0.99 * (paper - 0.0005) &&
	       (!both || ours <= 1.01 * (paper + 0.001));
	printf("   %.3f %.4f %+5.1f%c", paper, ours, off, !fine ? '!' :
	       off < -1 || (both && off > 1) ? '~' : ' ');
	fflush(stdout);
	shown++;
	missed += !fine;
	return 0;
}

static int show(const struct published *p, bool means_too)
{
	struct weft_fabric *f = NULL;
	char name[32];
	int err = make_fabric(p, &f);

	snprintf(name, sizeof(name), "T(%u+%u,%u)", p->n, p->m, p->r);
	for (unsigned e = 0; e < 2 && !err; e++) {
		struct weft_routes routes = { 0 };

		printf("%-12s %-6s", name, engines[e]);
		err = route(engines[e], f, &routes);
		if (!err && !means_too)
			err = show_worst(p, e, f, &routes);
		for (unsigned i = 0; i < 3 && !err && means_too; i++)
			err = show_mean(p, e, i, f, &routes);
		printf("\n");
		weft_routes_free(&routes);
	}
	weft_fabric_free(f);
	return err;
}

int main(int argc, char **argv)
{
	const unsigned n = sizeof(rows) / sizeof(rows[0]);

	quick = argc > 1 && !strcmp(argv[1], "quick");

	printf("Table I: WORST\n%-12s %-6s   %5s %5s\n", "topology", "engine",
	       "paper", "ours");
	for (unsigned i = 0; i < n; i++)
		if (show(&rows[i], false))
			return 1;
	printf("\nTable II: paper, ours, difference in per cent\n%-12s %-6s",
	       "topology", "engine");
	for (unsigned i = 0; i < 3; i++)
		printf("   %-18s", means[i].name);
	printf("\n");
	for (unsigned i = 0; i < n; i++)
		if ((!quick || rows[i].n * rows[i].r < SMALL) &&
		    show(&rows[i], true))
			return 1;
	printf("%u of %u figures off\n", missed, shown);
	return missed > 0;
}
