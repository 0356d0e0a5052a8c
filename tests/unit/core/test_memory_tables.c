// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory runs out where tables meet others: those of before, those in force,
 * and those of the next subnet.
 */
#include "memory_util.h"

#include "standing/proven.h"
#include "standing/rest.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static void add_routes(uint64_t *digest, const struct weft_fabric *f,
		       const struct weft_routes *r)
{
	for (uint32_t s = 0; s < r->lft.nsw; s++)
		add(digest, weft_lft_row(&r->lft, s), r->lft.max_lid + 1u);
	for (uint32_t e = 0; e < f->nep; e++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint8_t sl = weft_layers_sl(&r->layers, f,
						    e | WEFT_ENDPORT, lid);

			add(digest, &sl, 1);
		}
}

/* --- before and after ----------------------------------------------------- */

/* The fabric without some of it, and its tables. */
static struct weft_fabric *later;
static struct weft_routes later_routes;

static int run_diff(const struct job *job, uint64_t *digest)
{
	const struct weft_diff_side a = { job->fabric, job->routes };
	const struct weft_diff_side b = { later, &later_routes };
	struct weft_diff d;
	int err = job->number ? weft_diff_run(&b, &a, &d, NULL) :
				weft_diff_run(&a, &b, &d, NULL);

	if (err)
		return err;
	add(digest, &d.entries, sizeof(d.entries));
	add(digest, &d.routes, sizeof(d.routes));
	add(digest, &d.needless, sizeof(d.needless));
	for (unsigned k = 0; k < 2; k++) {
		add(digest, d.switches_only[k],
		    d.nswitches_only[k] * sizeof(uint32_t));
		add(digest, d.endports_only[k],
		    d.nendports_only[k] * sizeof(uint32_t));
	}
	add(digest, d.lid, d.nlids * sizeof(*d.lid));
	weft_diff_free(&d);
	return 0;
}

static int run_carry(const struct job *job, uint64_t *digest)
{
	const struct weft_diff_side a = { job->fabric, job->routes };
	struct weft_routes r;
	int err = weft_routes_carry(&a, later, &r);

	if (err)
		return err;
	add_routes(digest, later, &r);
	add(digest, r.lid_offset, later->nep);
	weft_routes_free(&r);
	return 0;
}

static int run_away(const struct job *job, uint64_t *digest)
{
	const struct weft_diff_side home = { job->fabric, job->routes };
	const struct weft_diff_side is = { later, &later_routes };
	struct weft_away away;
	int err = weft_away_find(&is, &home, &away);

	if (err)
		return err;
	add(digest, &away.away, sizeof(away.away));
	add(digest, &away.missing, sizeof(away.missing));
	for (uint32_t i = 0; i < away.nparts; i++)
		add(digest, &away.part[i].entries, sizeof(uint64_t));
	weft_away_free(&away);
	return 0;
}

/* What a capture tells, under other names; 1: the names alone. */
static int run_aliases(const struct job *job, uint64_t *digest)
{
	const struct weft_alias_key key = { { 1, 2 } };
	struct weft_aliases *a;
	struct weft_fabric *f;
	struct weft_routes r;
	int err = weft_aliases_new(job->fabric, key, &a, NULL);

	if (err)
		return err;
	for (unsigned lid = 0; lid <= job->fabric->max_lid; lid++) {
		unsigned to = weft_alias_lid(a, lid);

		add(digest, &to, sizeof(to));
	}
	for (uint32_t s = 0; s < job->fabric->nsw; s++) {
		uint64_t to = weft_alias_guid(a, job->fabric->sw[s].guid);

		add(digest, &to, sizeof(to));
	}
	if (job->number) {
		weft_aliases_free(a);
		return 0;
	}
	err = weft_alias_fabric(a, &f, NULL);
	if (!err) {
		err = weft_alias_routes(a, job->routes, &r, NULL);
		if (!err) {
			add_fabric(digest, f);
			add_routes(digest, f, &r);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
	weft_aliases_free(a);
	if (err)
		*digest = 0;
	return err;
}

/* --- standing ------------------------------------------------------------- */

/* Mends tables, with a base of before or without, and in any order or not. */
static int run_standing(const struct job *job, uint64_t *digest)
{
	struct weft_standing_spec spec = {
		.standing = { job->fabric, job->routes },
		.home = { job->fabric, job->routes },
		.changes = WEFT_STANDING_CHANGES,
		.lanes = job->number & 1 ? 4 : 1,
		.order = job->number & 2 ? WEFT_STANDING_IN_ORDER :
					   WEFT_STANDING_UNORDERED,
	};
	struct weft_standing_base *base = NULL;
	struct weft_standing what;
	struct weft_routes r;
	int err = 0;

	if (job->number & 4)
		err = weft_standing_prepare(&spec.standing, spec.lanes, &base,
					    NULL);
	if (err)
		return err;
	spec.base = base;
	err = weft_standing_run(later, &spec, &r, &what, NULL);
	weft_standing_base_free(base);
	if (err)
		return err;
	add(digest, &what.kept, sizeof(what.kept));
	add(digest, &what.moved, sizeof(what.moved));
	add_routes(digest, later, &r);
	weft_routes_free(&r);
	return 0;
}

/* Relief that is left for later, and done then; its outcome is the same. */
static int run_later(const struct job *job, uint64_t *digest)
{
	const struct weft_standing_spec spec = {
		.standing = { job->fabric, job->routes },
		.changes = WEFT_STANDING_CHANGES, .lanes = 1,
	};
	struct weft__terms terms = { .when = WEFT__BALANCE_LATER };
	struct weft_standing what;
	struct weft_standing_move moved = { .entries = 0 };
	struct weft_routes mended, relieved = { .lid_offset = NULL };
	int err = weft__standing_run(later, &spec, &terms, &mended, &what,
				     NULL);

	if (err)
		return err;
	if (terms.rest)
		err = weft__rest_do(terms.rest, &mended, NULL, &relieved,
				    &moved);
	weft__rest_free(terms.rest);
	if (!err) {
		add(digest, &what.kept, sizeof(what.kept));
		add(digest, &moved.entries, sizeof(moved.entries));
		add_routes(digest, later, &mended);
	}
	weft_routes_free(&mended);
	weft_routes_free(&relieved);
	return err;
}

/* A proof of what changed, from one of the whole. */
static int run_proven(const struct job *job, uint64_t *digest)
{
	struct weft__proven p;
	bool holds = false;
	uint32_t lids = 0;
	int err = weft__prove(job->fabric, job->routes, &p, NULL);

	if (!err)
		err = weft__prove_again(&p, later, &later_routes, &holds,
					&lids);
	weft__proven_free(&p);
	if (err)
		return err;
	add(digest, &holds, sizeof(holds));
	add(digest, &lids, sizeof(lids));
	return 0;
}

static struct weft_routes target;

static int run_step(const struct job *job, uint64_t *digest)
{
	const struct weft_standing_spec spec = {
		.standing = { job->fabric, job->routes },
		.lanes = 4,
	};
	struct weft_standing_move move;
	struct weft_routes r;
	int err = weft_standing_step(&spec, &target, 5, &r, &move, NULL);

	if (err)
		return err;
	add(digest, &move.entries, sizeof(move.entries));
	add(digest, &move.pairs, sizeof(move.pairs));
	add_routes(digest, job->fabric, &r);
	weft_routes_free(&r);
	return 0;
}

/* Tables serve as they are where memory is lacking. */
static int run_liken(const struct job *job, uint64_t *digest)
{
	const struct weft_diff_side standing = { job->fabric, job->routes };
	struct weft_routes r;
	struct weft_likeness like;
	int err = weft_routes_carry(
		&(struct weft_diff_side){ job->fabric, &target }, job->fabric,
		&r);

	if (err)
		return err;
	err = weft_standing_liken(job->fabric, &standing, job->number, &r,
				  &like);
	if (!err) {
		add(digest, &like.before, sizeof(like.before));
		add(digest, &like.after, sizeof(like.after));
		add_routes(digest, job->fabric, &r);
	}
	weft_routes_free(&r);
	return err;
}

static void check_kinds(struct job job, const char *name, unsigned kinds,
			int (*run)(const struct job *job, uint64_t *digest))
{
	job.name = name;
	job.run = run;
	for (job.number = 0; job.number < kinds; job.number++)
		check(&job);
}

TEST(test_tables)
{
	static const char *const specs[] = {
		"torus:3x3,hosts=1,lmc=1", "pgft:2;4,4;1,3;1,1",
	};

#ifdef _OPENMP
	omp_set_num_threads(1);	/* allocations are counted by one */
#endif
	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = fabric(specs[i]);
		struct weft_routes r = { 0 };
		struct job job = { .fabric = f, .routes = &r };
		/* a cable between switches, and a host */
		uint32_t gone[] = { f->adj[0], f->first_injection };

		suite_case("%s", specs[i]);
		ASSERT_EQ(weft_fabric_without(f, gone, 2, &later, NULL), 0);
		route(f, "weave", &r);
		r.lid_offset = need(calloc(f->nep, 1));
		route(f, "psssp", &target);
		route(later, "weave", &later_routes);
		check_kinds(job, "differences", 2, run_diff);
		check_kinds(job, "carried", 1, run_carry);
		check_kinds(job, "away", 1, run_away);
		check_kinds(job, "aliases", 2, run_aliases);
		check_kinds(job, "standing", 8, run_standing);
		check_kinds(job, "later", 1, run_later);
		check_kinds(job, "proven", 1, run_proven);
		check_kinds(job, "step", 1, run_step);
		check_kinds(job, "liken", 2, run_liken);
		weft_routes_free(&r);
		weft_routes_free(&target);
		weft_routes_free(&later_routes);
		weft_fabric_free(later);
		weft_fabric_free(f);
	}
}

/* --- subnets -------------------------------------------------------------- */

static struct weft_subnets *subnets;

static int make_map(unsigned method, struct weft_router_map *map)
{
	const struct weft_router_map_spec spec = {
		.method = method, .symmetric = method == WEFT_ROUTER_MAP_STATIC,
	};

	return weft_router_map_make(subnets, &spec, map, NULL);
}

/* The whole as one network that packets move in. */
static int run_net(const struct job *job, uint64_t *digest)
{
	struct weft_router_map map;
	struct weft_subnets_net net;
	int err = make_map(job->number, &map);

	if (err)
		return err;
	err = weft_subnets_net_make(subnets, &map, &net, NULL);
	if (!err) {
		struct weft_sim_leg leg;

		net.sim.begin(net.sim.context, 0, net.fabric.nep - 1, &leg);
		add(digest, &leg.from, sizeof(leg.from));
		add(digest, &leg.to, sizeof(leg.to));
		add_routes(digest, &net.fabric, &net.routes);
		add_fabric(digest, &net.fabric);
		weft_subnets_net_free(&net);
	}
	weft_router_map_free(&map);
	return err;
}

static int run_losses(const struct job *job, uint64_t *digest)
{
	struct weft_router_loss loss[8];
	struct weft_router_map map;
	int err = make_map(job->number, &map);

	if (err)
		return err;
	err = weft_router_losses(subnets, &map, loss);
	for (uint32_t i = 0; !err && i < subnets->nrouters; i++) {
		add(digest, &loss[i].moved, sizeof(loss[i].moved));
		add(digest, &loss[i].most, sizeof(loss[i].most));
	}
	weft_router_map_free(&map);
	return err;
}

static int run_one(const struct job *job, uint64_t *digest)
{
	struct weft_whole whole;
	struct weft_one one;
	int err = weft_subnets_whole(subnets, &whole, NULL);

	(void)job;
	if (err)
		return err;
	err = weft_one_make(&whole, &one, NULL);
	if (!err) {
		add_fabric(digest, one.fabric);
		weft_one_free(&one);
	}
	weft_whole_free(subnets, &whole);
	return err;
}

static int run_cut(const struct job *job, uint64_t *digest)
{
	bool is_router[64] = { false };
	struct weft_subnets *s;
	int err;

	for (uint32_t i = 0; i < job->fabric->nsw; i++)
		is_router[i] = job->fabric->sw[i].role == WEFT_ROLE_ROOT;
	err = weft_subnets_cut(job->fabric, is_router, &s, NULL);
	if (err)
		return err;
	for (uint32_t i = 0; i < s->n; i++)
		add_fabric(digest, s->subnet[i].fabric);
	weft_subnets_free(s);
	return 0;
}

TEST(test_subnets)
{
	struct weft_fabric *f = fabric("pgft:3;2,3,4;1,2,6;1,1,1");
	struct job job = { .fabric = f };

	check_kinds(job, "cut", 1, run_cut);
	ASSERT_EQ(weft_subnets_gen(
		  "subnets:3,routers=2,ports=1,of=torus:3x3,hosts=1", &subnets,
		  NULL), 0);
	for (uint32_t k = 0; k < subnets->n; k++)
		route(subnets->subnet[k].fabric, k ? "weave" : "psssp",
		      &subnets->subnet[k].routes);
	check_kinds(job, "net", WEFT_ROUTER_MAP_METHODS, run_net);
	check_kinds(job, "losses", WEFT_ROUTER_MAP_METHODS, run_losses);
	check_kinds(job, "one", 1, run_one);
	weft_subnets_free(subnets);
	weft_fabric_free(f);
}
