// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the basket; see weft/worth.h.
 *
 * A part is a pattern, the hosts of its ranks, and the numbers of the rounds
 * that are judged.  Fragments are shifts on DRAWS different halves of the
 * hosts.  The pairs of a random round depend on the seed and its number alone.
 * Rounds are listed anew for each judgement, which is cheap compared with
 * following their routes.
 *
 * If a host sends or receives several streams in a round, channels at hosts
 * count as well, so that its streams share its link.
 */
#include "worth/basket/basket.h"

#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 256
#define DRAWS 5		/* halves of the hosts */

/* --- hosts and ranks ------------------------------------------------------ */

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

/* Draws half of the hosts, with ranks in the same order, anew for each draw. */
static void draw_half(const struct weft_basket *b, struct weft_rng *rng,
		      uint32_t draw, uint32_t *rank, uint32_t nranks)
{
	uint32_t left = b->mapping.nslots, n = 0;

	weft_rng_seed_sample(rng, b->seed, UINT32_MAX + (uint64_t)draw);
	for (uint32_t i = 0; n < nranks; i++, left--)
		if (weft_rng_below(rng, left) < nranks - n)
			rank[n++] = b->mapping.endport[i];
}

/* --- parts ---------------------------------------------------------------- */

/* Chooses the rounds, a random one of each of nrounds equal stretches. */
static void choose_rounds(const struct weft_basket *b,
			  struct weft__basket_part *p, struct weft_rng *rng)
{
	for (uint64_t i = 0; i < p->nrounds; i++) {
		uint64_t begin = p->all * i / p->nrounds;
		uint64_t end = p->all * (i + 1) / p->nrounds;

		weft_rng_seed_sample(rng, b->seed, ~i);
		p->round[i] = begin + weft_rng_below(rng, end - begin);
	}
}

static void count_rounds(const struct weft_basket *b,
			 struct weft__basket_part *p)
{
	uint64_t most = p->draws > 1 ? (b->rounds + p->draws - 1) / p->draws :
				       b->rounds;

	p->all = weft_traffic_rounds(p->traffic);
	if (weft_traffic_is_random(p->traffic))
		p->all *= most / p->all ? most / p->all : 1;
	p->nrounds = p->all < most ? p->all : most;
}

static int place_part(const struct weft_basket *b, struct weft__basket_part *p,
		      struct weft_rng *rng)
{
	size_t n = p->nranks;

	p->rank = malloc(n * p->draws * sizeof(*p->rank) + 1);
	p->round = malloc((p->nrounds + 1) * sizeof(*p->round));
	if (!p->rank || !p->round)
		return -ENOMEM;
	if (p->draws == 1)
		memcpy(p->rank, b->mapping.endport, n * sizeof(*p->rank));
	for (uint32_t d = 0; p->draws > 1 && d < p->draws; d++)
		draw_half(b, rng, d, p->rank + d * n, n);
	choose_rounds(b, p, rng);
	return 0;
}

static int make_rounds(struct weft_basket *b, struct weft__basket_part *p)
{
	struct weft_rng *rng = weft_rng_new(1);
	uint64_t pairs, scratch;
	int err = rng ? 0 : -ENOMEM;

	count_rounds(b, p);
	pairs = weft_traffic_max_pairs(p->traffic);
	scratch = weft_traffic_scratch(p->traffic);
	b->max_pairs = pairs > b->max_pairs ? pairs : b->max_pairs;
	b->max_scratch = scratch > b->max_scratch ? scratch : b->max_scratch;
	if (!err)
		err = place_part(b, p, rng);
	weft_rng_free(rng);
	return err;
}

static int add_part(struct weft_basket *b, const char *pattern, double weight,
		    struct weft_diag *diag)
{
	struct weft__basket_part *p = &b->part[b->nparts++];
	bool half = !strcmp(pattern, WEFT__FRAGMENTS);
	int err;

	p->weight = weight;
	p->draws = half ? DRAWS : 1;
	p->nranks = half ? b->mapping.nslots / 2 : b->mapping.nslots;
	p->name = strdup(weft__objective_part_name(pattern));
	if (!p->name)
		return weft_no_memory(diag);
	p->uniform = !strcmp(pattern, WEFT__UNIFORM);
	if (p->uniform || p->nranks < 2)
		return 0;
	err = weft_traffic_new(half ? "shift" : pattern, p->nranks,
			       &p->traffic, diag);
	if (!err && make_rounds(b, p))
		err = weft_no_memory(diag);
	return err;
}

/* Copies the pairs of ranks below nranks, without sizes and empty rounds. */
static int copy_pairs(const struct weft_pair_list *list, uint32_t nranks,
		      struct weft_pair_list *copy, struct weft_diag *diag)
{
	size_t n = list->first[list->nrounds];
	uint64_t used = 0;

	*copy = (struct weft_pair_list){
		.nranks = nranks,
		.first = calloc(list->nrounds + 1ull, sizeof(*copy->first)),
		.pair = malloc((n + 1) * sizeof(*copy->pair)),
	};
	if (!copy->first || !copy->pair)
		return weft_no_memory(diag);
	for (uint32_t r = 0; r < list->nrounds; r++) {
		for (uint64_t i = list->first[r]; i < list->first[r + 1]; i++)
			if (list->pair[i].from < nranks &&
			    list->pair[i].to < nranks)
				copy->pair[used++] = list->pair[i];
		if (used > copy->first[copy->nrounds])
			copy->first[++copy->nrounds] = used;
	}
	if (used && used == n)
		return 0;
	if (!used)
		return weft_fail(diag, EINVAL,
				 "the objective has no pair of ranks below %u, as many as there are hosts",
				 nranks);
	weft_diag_say(diag, WEFT_WARNING,
		      "%llu of the %llu pairs of the objective are of ranks from %u on, which no host is left for: they do not count",
		      (unsigned long long)(n - used), (unsigned long long)n,
		      nranks);
	return 0;
}

/* Adds the pairs that a site lists as a part. */
static int add_pairs(struct weft_basket *b, const struct weft_pair_list *list,
		     double weight, struct weft_diag *diag)
{
	struct weft__basket_part *p = &b->part[b->nparts++];
	struct weft_pair_list copy;
	int err = copy_pairs(list, b->mapping.nslots, &copy, diag);

	*p = (struct weft__basket_part){
		.weight = weight, .draws = 1, .nranks = b->mapping.nslots,
		.name = strdup("pairs"),
	};
	if (!err)
		err = weft_traffic_from_list(&copy, p->nranks, &p->traffic,
					     diag);
	if (!err && (!p->name || make_rounds(b, p)))
		err = weft_no_memory(diag);
	weft_pair_list_free(&copy);
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

static int add_parts(struct weft_basket *b, const struct weft_objective *o,
		     struct weft_diag *diag)
{
	unsigned n = o->nparts + (o->pairs.nrounds != 0);
	int err = 0;

	if (!n || n > WEFT_WORTH_PARTS)
		return weft_fail(diag, EINVAL,
				 "an objective has 1 to %u parts, not %u",
				 WEFT_WORTH_PARTS, n);
	for (unsigned i = 0; i < o->nparts && !err; i++)
		err = add_part(b, o->part[i].pattern, o->part[i].weight, diag);
	if (!err && o->pairs.nrounds)
		err = add_pairs(b, &o->pairs, o->pairs_weight, diag);
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
	int err = b ? weft_objective_parse("basket", &basket, diag) :
		weft_no_memory(diag);

	if (!err) {
		b->fabric = fabric;
		b->seed = spec->seed;
		b->spread = spec->spread;
		b->rounds = spec->rounds ? spec->rounds : MAX_ROUNDS;
		err = place_ranks(b, spec->all_hosts, diag);
	}
	if (!err)
		err = add_parts(b, spec->objective ? spec->objective : &basket,
				diag);
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
		free(b->part[i].name);
		free(b->part[i].rank);
		free(b->part[i].round);
		weft_traffic_free(b->part[i].traffic);
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

		work += p->traffic ? p->nrounds * p->draws *
			weft_traffic_max_pairs(p->traffic) : 0;
	}
	return work;
}
