// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory runs out: each allocation fails once. Whoever asked for it returns
 * -ENOMEM, sets nothing and frees everything, or does without and gives the
 * same as ever.
 */
#include "memory_util.h"

#include "lanes/turns.h"
#include "trees/ways.h"

#include <unistd.h>

static void add_layers(uint64_t *digest, const struct weft_fabric *f,
		       const struct weft_layers *y)
{
	for (uint32_t v = 0; v < f->nsw + f->nep; v++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t from = v < f->nsw ? v :
				(v - f->nsw) | WEFT_ENDPORT;
			uint8_t sl = weft_layers_sl(y, f, from, lid);

			add(digest, &sl, 1);
		}
	add(digest, &y->nvl, sizeof(y->nvl));
}

static void add_lft(uint64_t *digest, const struct weft_lft *lft)
{
	for (uint32_t s = 0; s < lft->nsw; s++)
		add(digest, weft_lft_row(lft, s), lft->max_lid + 1u);
}

static int run_engine(const struct job *job, uint64_t *digest)
{
	const struct weft_engine *e = weft_engine_find(job->text);
	struct weft_routes r = { 0 };
	struct weft_options *o;
	int err = weft_options_new(&o, e->options);

	if (err)
		return err;
	err = e->route(job->fabric, o, &r, NULL);
	weft_options_free(o);
	EXPECT(!err == !!r.lft.port);
	if (err)
		return err;
	add_lft(digest, &r.lft);
	add_layers(digest, job->fabric, &r.layers);
	weft_routes_free(&r);
	return 0;
}

static const char *const specs[] = {
	"pgft:2;3,4;1,2;1,1", "torus:3x3,hosts=1",
	"pgft:2;3,3;1,2;1,1,dual=yes", "ring:5,hosts=2,lmc=1",
	"pgft:3;2,2,2;1,2,2;1,1,1,fail-links=2,seed=2",
	"torus:4x4,hosts=1,fail-switches=1,fail-links=2",
};
enum { NSPECS = sizeof(specs) / sizeof(specs[0]) };

TEST(test_engines)
{
	for (unsigned i = 0; i < NSPECS; i++) {
		struct weft_fabric *f = fabric(specs[i]);

		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++)
			check(&(struct job){
				.name = (*e)->name, .text = (*e)->name,
				.run = run_engine, .fabric = f });
		weft_fabric_free(f);
	}
}

/* Finds ways over an order of the switches, and a valley where they need one,
 * and lists the turns of the fabric. */
static int run_ways(const struct job *job, uint64_t *digest)
{
	const struct weft_fabric *f = job->fabric;
	struct weft_arena *arena = weft__arena_new();
	uint32_t *place = arena ? weft__arena_alloc(arena, f->nsw,
						    sizeof(*place)) : NULL;
	struct weft__turns turns;
	struct weft__ways w;
	uint64_t had_none, missing;
	bool ok = place;

	for (uint32_t s = 0; ok && s < f->nsw; s++)
		place[s] = f->nsw - 1 - s;
	ok = ok && weft__ways_init(&w, f, arena, place) &&
	     weft__ways_complete(&w, &had_none, &missing) &&
	     weft__turns_init(&turns, f, arena);
	if (ok) {
		for (uint32_t s = 0; s < f->nsw; s++)
			add(digest, &weft__ways_to(&w, s)->total,
			    sizeof(uint32_t));
		for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
			add(digest, weft__turns_from(&turns, e),
			    sizeof(*turns.lanes));
	}
	weft__arena_free(arena);
	return ok ? 0 : -ENOMEM;
}

TEST(test_ways)
{
	static const char *const trees[] = {
		"pgft:2;4,6;1,3;1,1", "torus:3x4,hosts=1", "chain:4,hosts=1",
	};

	for (unsigned i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct weft_fabric *f = fabric(trees[i]);

		check(&(struct job){ .name = "ways", .run = run_ways,
				     .fabric = f });
		weft_fabric_free(f);
	}
}

/* Gives out lanes; the job's number says by which method, and how many. */
static int run_layering(const struct job *job, uint64_t *digest)
{
	struct weft_layering_spec spec = {
		.method = job->number % WEFT_LAYERING_METHODS,
		.lanes = 1 + job->number / WEFT_LAYERING_METHODS,
		.one_way = true, .balance = true,
	};
	const struct weft_fabric *f = job->fabric;
	const struct weft_lft *from = &job->routes->lft;
	size_t size = (size_t)from->nsw * from->stride;
	struct weft_layering got = { .work = 77 };
	struct weft_routes r = { 0 };
	int err = weft_lft_init(&r.lft, f->nsw, f->max_lid);

	if (err)
		return err;
	memcpy(r.lft.port, from->port, size);
	weft_layers_init(&r.layers);
	err = weft_layering_run(f, &r, &spec, &got, NULL);
	if (err) {
		EXPECT(!memcmp(r.lft.port, from->port, size));
		EXPECT(r.layers.form == WEFT_SL_ONE && got.work == 77);
	} else {
		add_lft(digest, &r.lft);
		add_layers(digest, f, &r.layers);
	}
	weft_routes_free(&r);
	return err;
}

static int run_proof(const struct job *job, uint64_t *digest)
{
	struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .minimal = true,
		.loads = true, .credit_loops = true, .max_examples = 4,
	};
	struct weft_proof p;
	int err = weft_proof_run(job->fabric, job->routes, &spec, &p, NULL);

	if (err)
		return err;
	add(digest, &p.pairs, sizeof(p.pairs));
	add(digest, &p.cyclic_vls, sizeof(p.cyclic_vls));
	add(digest, &p.hops_sum, sizeof(p.hops_sum));
	add(digest, p.channel_load,
	    job->fabric->first_injection * sizeof(*p.channel_load));
	weft_proof_free(&p);
	return 0;
}

static int run_redundancy(const struct job *job, uint64_t *digest)
{
	struct weft_redundancy r;
	int err = weft_redundancy_find(job->fabric, &job->routes->lft, &r);

	if (err)
		return err;
	add(digest, &r.n, sizeof(r.n));
	weft_redundancy_free(&r);
	return 0;
}

static void add_fault(uint64_t *digest, const struct weft_fault *f)
{
	add(digest, &f->loss.broken, sizeof(f->loss.broken));
	add(digest, &f->loss.bandwidth.mean, sizeof(double));
	add(digest, &f->rerouted.entries, sizeof(f->rerouted.entries));
	add(digest, &f->rerouted.bandwidth.mean, sizeof(double));
}

static int run_plan(const struct job *job, const uint32_t *part, uint32_t n,
		    const struct weft_faults_spec *spec, uint64_t *digest)
{
	const struct weft_fault_plan_spec plan = { part, n, .9 };
	struct weft_fault_plan x;
	int err = weft_faults_plan(job->fabric, job->routes, &plan, spec, &x,
				   NULL);

	if (err)
		return err;
	add(digest, &x.ngroups, sizeof(x.ngroups));
	add_fault(digest, &x.all.fault);
	for (uint32_t i = 0; i < x.ngroups; i++)
		add_fault(digest, &x.group[i].fault);
	weft_fault_plan_free(&x);
	return 0;
}

static int run_sets(const struct job *job, const uint32_t *part, uint32_t n,
		    const struct weft_faults_spec *spec, uint64_t *digest)
{
	struct weft_fault_sets sets;
	struct weft_faults x;
	int err = weft_fault_singles(part, n, &sets);

	if (err)
		return err;
	err = weft_faults_run(job->fabric, job->routes, &sets, spec, &x, NULL);
	weft_fault_sets_free(&sets);
	if (err)
		return err;
	for (uint32_t i = 0; i < x.n; i++)
		add_fault(digest, &x.fault[i]);
	weft_faults_free(&x);
	return 0;
}

/* All failures by the tables as they are, rerouted by an engine, and as a
 * plan. */
static int run_faults(const struct job *job, uint64_t *digest)
{
	struct weft_faults_spec spec = { .threads = 1 };
	const struct weft_engine *e = weft_engine_find(job->text);
	struct weft_options *o;
	uint32_t *part, n;
	int err = weft_options_new(&o, e->options);

	if (err)
		return err;
	spec.options = o;
	spec.engine = job->number ? e : NULL;
	err = weft_fault_parts(job->fabric, WEFT_PARTS_SWITCHES, &part, &n);
	if (!err)
		err = (job->number == 2 ? run_plan : run_sets)(job, part, n,
							       &spec, digest);
	free(part);
	weft_options_free(o);
	return err;
}

static int run_through(const struct job *job, uint64_t *digest)
{
	struct weft_through x;
	int err = weft_through_find(job->fabric, job->routes,
				    0 | WEFT_PART_SWITCH, false, &x);

	if (err)
		return err;
	add(digest, x.source, x.nsources * sizeof(*x.source));
	weft_through_free(&x);
	return 0;
}

static int run_bounds(const struct job *job, uint64_t *digest)
{
	const struct weft_bound_spec spec = {
		.rounds = 1, .seed = 1, .gap = .01, .work = 10000,
	};
	const struct weft_basket_spec of = { .rounds = 1 };
	double part[WEFT_WORTH_PARTS], worth;
	struct weft_basket *basket = NULL;
	struct weft_bound b;
	int err;

	err = job->number ? weft_bound_longest(job->fabric, &spec, &b) :
			    weft_bound_uniform(job->fabric, &spec, &b);
	if (!err && job->number)
		err = weft_basket_new(job->fabric, &of, &basket, NULL);
	if (!err && job->number)
		err = weft_bound_basket(basket, &spec, part, &worth);
	if (!err)
		add(digest, job->number ? &worth : &b.most, sizeof(worth));
	weft_basket_free(basket);
	return err;
}

TEST(test_bounds)
{
	struct weft_fabric *f = fabric("random:8,3,2");
	struct job job = { .name = "bounds", .run = run_bounds, .fabric = f };

	for (; job.number < 2; job.number++)
		check(&job);
	weft_fabric_free(f);
}

/* A tree without one of its parts is none to dmodk, which refuses it. */
TEST(test_faults)
{
	static const char *const cases[][3] = {
		{ "torus:3x3,hosts=2", "psssp", "minhop" },
		{ "pgft:2;3,3;1,3;1,1", "dmodk", "dmodk" },
	};

	for (unsigned i = 0; i < 2; i++) {
		struct weft_fabric *f = fabric(cases[i][0]);
		struct weft_routes r = { 0 };
		struct job job = { .name = "faults", .run = run_faults,
				   .fabric = f, .routes = &r,
				   .text = cases[i][2] };

		route(f, cases[i][1], &r);
		for (; job.number < 3; job.number++)
			check(&job);
		job.run = run_through;
		check(&job);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

TEST(test_tables)
{
	for (unsigned i = 1; i < NSPECS; i += 2) {
		struct weft_fabric *f = fabric(specs[i]);
		struct weft_routes r = { 0 };
		struct job job = { .name = "layering", .run = run_layering,
				   .fabric = f, .routes = &r };

		route(f, "psssp", &r);
		for (; job.number < 2 * WEFT_LAYERING_METHODS; job.number++)
			check(&job);
		job.run = run_proof;
		job.name = "proof";
		check(&job);
		job.run = run_redundancy;
		job.name = "redundancy";
		check(&job);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

static int run_gen(const struct job *job, uint64_t *digest)
{
	struct weft_fabric *f = NULL, *g = NULL;
	int err = weft_gen(job->text, &f, NULL);

	if (!err)
		err = weft_fabric_assign_lids(f, 1, &g, NULL);
	if (!err)
		add_fabric(digest, g);
	EXPECT(!err == !!g);
	weft_fabric_free(f);
	weft_fabric_free(g);
	return err;
}

TEST(test_fabrics)
{
	static const char *const more[] = {
		"hypercube:3,hosts=1", "dragonfly:4,2,2,3", "random:6x2,4",
		"mesh:3x2,hosts=1", "star:3,hosts=2", "kary:2;2",
	};

	for (unsigned i = 0; i < NSPECS; i++)
		check(&(struct job){ .name = specs[i], .text = specs[i],
				     .run = run_gen });
	for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		check(&(struct job){ .name = more[i], .text = more[i],
				     .run = run_gen });
}

enum { LFTS, SLS, SL2VL, TOPOLOGY, STANDING, FILES };

/* Writes tables that stand, on a cable less than at home. */
static int write_standing(const struct job *job, FILE *out)
{
	struct weft_stored s = {
		.home = { (struct weft_fabric *)job->fabric, *job->routes, 1 },
	};
	const struct weft_diff_side home = { job->fabric, job->routes };
	uint32_t gone = job->fabric->adj[0];
	int err = weft_fabric_without(job->fabric, &gone, 1, &s.now.fabric,
				      NULL);

	if (!err)
		err = weft_routes_carry(&home, s.now.fabric, &s.now.routes);
	if (!err)
		err = weft_stored_write(out, &s, NULL);
	weft_routes_free(&s.now.routes);
	weft_fabric_free(s.now.fabric);
	return err;
}

static int run_read_standing(const struct job *job, uint64_t *digest)
{
	struct weft_stored s;
	struct weft_away away;
	int err = weft_stored_read(job->text, &s, NULL);

	if (err)
		return err;
	err = weft_away_find(
		&(struct weft_diff_side){ s.now.fabric, &s.now.routes },
		&(struct weft_diff_side){ s.home.fabric, &s.home.routes },
		&away);
	if (!err) {
		add_fabric(digest, s.now.fabric);
		add_lft(digest, &s.now.routes.lft);
		add(digest, &away.missing, sizeof(away.missing));
		weft_away_free(&away);
	}
	weft_stored_free(&s);
	return err;
}

static int run_write(const struct job *job, uint64_t *digest)
{
	FILE *out = fopen(job->text, "w");
	const struct weft_fabric *f = job->fabric;
	const struct weft_routes *r = job->routes;
	int err;

	(void)digest;
	ASSERT(out);
	if (job->number == LFTS)
		err = weft_io_write_lfts(out, f, &r->lft, NULL);
	else if (job->number == SLS)
		err = weft_io_write_sl(out, f, r, NULL);
	else if (job->number == SL2VL)
		err = weft_io_write_sl2vl(out, f, &r->layers, NULL);
	else if (job->number == TOPOLOGY)
		err = weft_io_write_ibnetdiscover(out, f, NULL);
	else
		err = write_standing(job, out);
	fclose(out);
	return err;
}

static int run_read_fabric(const struct job *job, uint64_t *digest)
{
	struct weft_fabric *f = NULL;
	int err = weft_io_read_fabric(job->text, &f, NULL);

	EXPECT(!err == !!f);
	if (err)
		return err;
	add_fabric(digest, f);
	weft_fabric_free(f);
	return 0;
}

static int run_read_tables(const struct job *job, uint64_t *digest)
{
	const struct weft_fabric *f = job->fabric;
	struct weft_routes r = { 0 };
	int err;

	weft_layers_init(&r.layers);
	if (job->number == LFTS)
		err = weft_io_read_tables(job->text, f, &r, NULL, NULL);
	else if (job->number == SLS)
		err = weft_io_read_sl(job->text, f, &r.layers, NULL);
	else
		err = weft_io_read_sl2vl(job->text, f, &r.layers, NULL);
	EXPECT(!err || (!r.lft.port && !r.layers.table && !r.layers.sl2vl));
	if (!err && job->number == LFTS)
		add_lft(digest, &r.lft);
	else if (!err)
		add_layers(digest, f, &r.layers);
	weft_routes_free(&r);
	return err;
}

/* Has a job write a file, and then another one read it. */
static void write_and_read(struct job job, int (*read)(const struct job *job,
						       uint64_t *digest))
{
	char path[] = "/tmp/weft-memory-XXXXXX";
	int fd = mkstemp(path);

	ASSERT(fd >= 0);
	close(fd);
	job.text = path;
	check(&job);
	failing = 0;
	EXPECT_EQ(job.run(&job, &(uint64_t){ 0 }), 0);
	job.run = read;
	check(&job);
	unlink(path);
}

TEST(test_files)
{
	struct weft_layering_spec spec = { .lanes = 4, .keep = true };
	struct weft_fabric *f = fabric("ring:5,hosts=2,lmc=1");
	struct weft_layering layering;
	struct weft_routes r = { 0 };
	struct job job = { .name = "files", .run = run_write,
			   .fabric = f, .routes = &r };

	route(f, "psssp", &r);
	ASSERT(!weft_layering_run(f, &r, &spec, &layering, NULL));
	EXPECT(r.layers.nvl > 1);
	for (; job.number < FILES; job.number++)
		write_and_read(job, job.number == STANDING ? run_read_standing :
				    job.number == TOPOLOGY ? run_read_fabric :
							     run_read_tables);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
