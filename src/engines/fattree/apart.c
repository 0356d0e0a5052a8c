// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: machines with several ports, planned apart or balanced
 *
 * Routes to the ports of a machine are planned apart by mFtree's way (homes.c),
 * which looks at no loads: where all machines have two ports in a whole tree,
 * nothing else comes near.  In a fabric where leaves have unequal numbers of
 * hosts or cables, or where a few machines alone have several ports, it leaves
 * peaks that passes of balance do not; and eight adapters of a machine on eight
 * leaves hardly ever depend on one switch whatever is done.  So both are tried;
 * balanced routes that meet are separated, which costs far more than all else, if
 * they are worth more before.
 */
#include "engines/fattree/apart.h"

#include "core/arena.h"
#include "engines/fattree/homes.h"
#include "engines/several/several.h"

#include <errno.h>
#include <string.h>

#define GAIN 1.005	/* times the worth of routes that are apart, from which on
			 * balanced ones are separated */

/* What one of the two has come to. */
struct outcome {
	uint32_t weak;
	double worth;
	bool led_back;		/* its choices close no credit loop */
	uint8_t *choice;	/* [nendports][nsw] */
};

static void load(struct weft__fattree_run *run)
{
	weft__balance_load_anew(&run->balance, &run->tree.ways, &run->trees);
}

/* Judges the choices by what they are worth to the basket. */
static int look(struct weft__fattree_run *run, const struct weft_basket *basket,
		struct outcome *o)
{
	struct weft_routes routes = { 0 };
	struct weft_worth worth = { .mean = 0 };
	int err = weft__trees_fill(run->fabric, &run->trees, &routes.lft);

	if (err)
		return weft_no_memory(run->diag);
	if (basket)
		err = weft_basket_judge(basket, &routes, &worth);
	o->weak = run->weak;
	o->led_back = run->led_back;
	o->worth = worth.mean;
	weft_worth_free(&worth);
	weft_lft_free(&routes.lft);
	return err ? weft_no_memory(run->diag) : 0;
}

static void keep(const struct weft__fattree_run *run, struct outcome *o)
{
	uint32_t nsw = run->fabric->nsw;

	for (uint32_t d = 0; d < run->trees.nendports; d++)
		memcpy(o->choice + (size_t)d * nsw, run->trees.tree[d].choice,
		       nsw);
}

static void put_back(struct weft__fattree_run *run, const struct outcome *o)
{
	uint32_t nsw = run->fabric->nsw;

	for (uint32_t d = 0; d < run->trees.nendports; d++)
		memcpy(run->trees.tree[d].choice, o->choice + (size_t)d * nsw,
		       nsw);
	run->weak = o->weak;
	run->led_back = o->led_back;
	load(run);
}

/* Routes all endports anew by balanced(). */
static int balance(struct weft__fattree_run *run,
		   weft__fattree_choose_fn *balanced)
{
	for (uint32_t d = 0; d < run->trees.nendports; d++) {
		memset(run->trees.tree[d].choice, WEFT__UNFIXED,
		       run->fabric->nsw);
		run->trees.tree[d].fixed = false;
	}
	weft__balance_reset(&run->balance);
	run->led_back = false;
	return balanced(run);
}

/* Finds out whether choices that separating makes worth no more are worth so much
 * more than the best that this may pay.  Returns 0; -ENOTSUP: no; or -ENOMEM. */
static int promise(struct weft__fattree_run *run,
		   const struct weft_basket *basket, const struct outcome *best)
{
	struct outcome now;
	int err;

	if (best->weak)
		return 0;
	err = look(run, basket, &now);
	return err ? err : now.worth > best->worth * GAIN ? 0 : -ENOTSUP;
}

/* Separates routes that meet.  Where work did not last for all, they may still be
 * the best if no more machines are weak.  Returns as weft__homes_separate(). */
static int separate(struct weft__fattree_run *run, const struct outcome *best)
{
	int err = weft__homes_separate(run);

	run->led_back = false;
	return err == -ENOTSUP && run->weak <= best->weak ? 0 : err;
}

/* Takes the peaks of routes down, and separates those that meet then. */
static int route_relieved(struct weft__fattree_run *run, unsigned relief,
			  const struct outcome *best)
{
	load(run);
	weft__balance_relieve(&run->balance, &run->tree.ways, &run->trees,
			      relief);
	return separate(run, best);
}

/* Balances the routes of all, and separates those that meet, before and after
 * relief of the others. */
static int route_evenly(struct weft__fattree_run *run,
			weft__fattree_choose_fn *balanced, unsigned relief,
			const struct weft_basket *basket,
			const struct outcome *best)
{
	int err = balance(run, balanced);

	if (!err)
		err = promise(run, basket, best);
	if (!err)
		err = separate(run, best);
	return err ? err : route_relieved(run, relief, best);
}

/* Keeps the better one of the choices so far and those now.  Returns 0 or
 * -errno. */
static int compare(struct weft__fattree_run *run,
		   const struct weft_basket *basket, struct outcome *best)
{
	struct outcome now;
	int err = look(run, basket, &now);

	if (err)
		return err;
	if (now.weak > best->weak ||
	    (now.weak == best->weak && now.worth <= best->worth))
		return 0;
	now.choice = best->choice;
	keep(run, &now);
	*best = now;
	return 0;
}

/* Tries both; where there are several groups, evenly by group and all as one. */
static int choose(struct weft__fattree_run *run, struct weft__chain_rule rule,
		  weft__fattree_choose_fn *balanced, unsigned relief,
		  const struct weft_basket *basket)
{
	struct outcome best = { .choice = NULL };
	uint32_t ngroups = run->trees.ngroups;
	int err = weft__homes_run(run, rule);

	if (!err)
		err = look(run, basket, &best);
	if (err)
		return err;
	best.choice = weft__arena_alloc(run->arena, run->trees.nendports,
					run->fabric->nsw);
	if (!best.choice)
		return weft_no_memory(run->diag);
	keep(run, &best);
	err = route_relieved(run, relief, &best);
	if (!err)
		err = compare(run, basket, &best);
	if (err == -ENOTSUP)
		err = 0;
	for (unsigned pass = 0; pass < (ngroups > 1 ? 2 : 1) && !err; pass++) {
		run->trees.ngroups = pass ? 1 : ngroups;
		err = route_evenly(run, balanced, relief, basket, &best);
		if (!err)
			err = compare(run, basket, &best);
		if (err == -ENOTSUP)
			err = 0;
	}
	run->trees.ngroups = ngroups;
	if (err)
		return err;
	put_back(run, &best);
	return 0;
}

int weft__fattree_apart(struct weft__fattree_run *run,
			struct weft__chain_rule rule,
			weft__fattree_choose_fn *balanced, unsigned relief)
{
	struct weft_basket *basket = NULL;
	double work;
	int err;

	if (weft__homes_asked(run->options))
		return weft__homes_run(run, rule);
	err = weft__engine_basket(run->fabric, NULL, false, &basket, &work,
				  run->diag);
	if (!err)
		err = choose(run, rule, balanced, relief, basket);
	weft_basket_free(basket);
	return err;
}
