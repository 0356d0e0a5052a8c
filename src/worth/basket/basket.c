// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the basket; see weft/worth.h.
 *
 * A part is a pattern, the hosts of its ranks, and the numbers of the rounds
 * that are judged (parts.c).  The pairs of a random round depend on the seed and
 * its number alone.  Rounds are listed anew for each judgement (judge.c), which
 * is cheap compared with following their routes.
 *
 * If a host sends or receives several streams in a round, channels at hosts
 * count as well, so that its streams share its link.
 */
#include "worth/basket/basket.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 256

static int place_ranks(struct weft_basket *b, bool all_hosts,
		       struct weft_diag *diag)
{
	int err = weft_mapping_natural(b->fabric, all_hosts, &b->mapping,
				       &b->by_name, diag);

	if (!err && b->mapping.nslots < 2)
		return weft_fail(diag, EINVAL,
				 "tables are worth nothing to fewer than two hosts");
	return err;
}

static void weigh_parts(struct weft_basket *b)
{
	double sum = 0;

	for (unsigned i = 0; i < b->nparts; i++)
		sum += b->part[i].weight;
	for (unsigned i = 0; i < b->nparts; i++)
		b->part[i].weight /= sum;
}

static double all_weights(const struct weft_objective *o)
{
	double sum = o->pairs.nrounds ? o->pairs_weight : 0;

	for (unsigned i = 0; i < o->nparts; i++)
		sum += o->part[i].weight;
	return sum;
}

static int add_parts(struct weft_basket *b, const struct weft_objective *o,
		     const struct weft_jobs *jobs, struct weft_diag *diag)
{
	unsigned n = o->nparts + (o->pairs.nrounds != 0) + (jobs != NULL);
	int err = 0;

	if (!n || n > WEFT_WORTH_PARTS)
		return weft_fail(diag, EINVAL,
				 "an objective has 1 to %u parts, not %u",
				 WEFT_WORTH_PARTS, n);
	for (unsigned i = 0; i < o->nparts && !err; i++)
		err = weft__basket_add(b, o->part[i].pattern, o->part[i].weight,
				       diag);
	if (!err && o->pairs.nrounds)
		err = weft__basket_add_pairs(b, "pairs", &o->pairs,
					     o->pairs_weight, diag);
	if (!err && jobs)
		err = weft__basket_add_jobs(b, jobs, all_weights(o), diag);
	if (!err)
		weigh_parts(b);
	return err;
}

int weft_basket_new(const struct weft_fabric *fabric,
		    const struct weft_basket_spec *spec,
		    struct weft_basket **out, struct weft_diag *diag)
{
	struct weft_objective basket = { .nparts = 0 };
	struct weft_basket *b = calloc(1, sizeof(*b));
	int err = !b ? weft_no_memory(diag) :
		weft_objective_parse(WEFT_USUAL_OBJECTIVE, &basket, diag);

	if (!err) {
		b->fabric = fabric;
		b->seed = spec->seed;
		b->spread = spec->spread;
		b->rounds = spec->rounds ? spec->rounds : MAX_ROUNDS;
		err = place_ranks(b, spec->all_hosts, diag);
	}
	if (!err)
		err = add_parts(b, spec->objective ? spec->objective : &basket,
				spec->jobs, diag);
	weft_objective_free(&basket);
	if (err)
		weft_basket_free(b);
	else
		*out = b;
	return err;
}

void weft_basket_free(struct weft_basket *b)
{
	if (!b)
		return;
	for (unsigned i = 0; i < b->nparts; i++) {
		weft__basket_free_part(&b->part[i]);
	}
	weft_mapping_free(&b->mapping);
	free(b);
}

uint32_t weft_basket_hosts(const struct weft_basket *b)
{
	return b->mapping.nslots;
}

unsigned weft_basket_parts(const struct weft_basket *b)
{
	return b->nparts;
}

const char *weft_basket_part_name(const struct weft_basket *b, unsigned part)
{
	return b->part[part].name;
}

double weft_basket_uniform(const struct weft_basket *b,
			   const struct weft_worth *worth)
{
	for (unsigned i = 0; i < b->nparts; i++)
		if (b->part[i].uniform)
			return worth->part[i];
	return NAN;
}

double weft_basket_part_weight(const struct weft_basket *b, unsigned part)
{
	return b->part[part].weight;
}

void weft_basket_part_rounds(const struct weft_basket *b, unsigned part,
			     uint64_t *judged, uint64_t *all)
{
	const struct weft__basket_part *p = &b->part[part];

	*judged = p->nrounds * p->draws;
	*all = p->all * p->draws;
}

bool weft_basket_by_name(const struct weft_basket *b)
{
	return b->by_name;
}

uint64_t weft_basket_work(const struct weft_basket *b)
{
	uint64_t work = (uint64_t)b->mapping.nslots * b->fabric->nsw;

	for (unsigned i = 0; i < b->nparts; i++) {
		const struct weft__basket_part *p = &b->part[i];

		for (uint32_t k = 0; k < p->nsections; k++)
			work += p->section[k].nrounds * p->draws *
				weft__section_pairs(p, &p->section[k]);
	}
	return work;
}
