// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads what tables are to be good at; see weft/worth.h. */
#include "core/options.h"
#include "worth/basket/basket.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BASKET "basket"
#define REDUNDANCY "redundancy"
#define LEAST_WEIGHT 1e-9
#define MOST_WEIGHT 1e9

struct named {
	const char *name, *pattern;
};

static const struct named hpc[] = {
	{ "bisect", "bisect" },
	{ "uniform", WEFT__UNIFORM },
	{ "shift", "shift" },
	{ "doubling", "recursive-doubling" },
	{ "stencil", "stencil" },
	{ "fragments", WEFT__FRAGMENTS },
	{ NULL, NULL },
};

/*
 * What a training job sends: sums of gradients on a ring and on trees, sharded
 * data, tokens to experts, results from stage to stage, and checkpoints.
 * Groups of 64 are eight machines of eight.
 */
static const struct named ai[] = {
	{ "all-reduce", "ring:via=rail" },
	{ "double-tree", "double-tree" },
	{ "sharded", "reduce-scatter:form=halving" },
	{ "experts", "alltoall:groups=64" },
	{ "stages", "pipeline:stages=8,both,via=rail" },
	{ "incast", "incast" },
	{ NULL, NULL },
};

static const struct basket {
	const char *name;
	const struct named *part;
} baskets[] = {
	{ WEFT_USUAL_OBJECTIVE, hpc },
	{ BASKET, hpc },
	{ "ai", ai },
};
#define NBASKETS (sizeof(baskets) / sizeof(baskets[0]))

bool weft_objective_is_usual(const char *name)
{
	return !strcmp(name, WEFT_USUAL_OBJECTIVE) || !strcmp(name, BASKET);
}

static const struct basket *find_basket(const char *name)
{
	for (size_t i = 0; i < NBASKETS; i++)
		if (!strcmp(baskets[i].name, name))
			return &baskets[i];
	return NULL;
}

const char *weft__objective_part_name(const char *pattern)
{
	for (size_t i = 0; i < NBASKETS; i++)
		for (const struct named *p = baskets[i].part; p->name; p++)
			if (!strcmp(p->pattern, pattern))
				return p->name;
	return pattern;
}

/* Returns the pattern that a part's name stands for, or the name itself. */
static const char *pattern_of(const char *name)
{
	for (size_t i = 0; i < NBASKETS; i++)
		for (const struct named *p = baskets[i].part; p->name; p++)
			if (!strcmp(p->name, name))
				return p->pattern;
	return name;
}

void weft_objective_free(struct weft_objective *o)
{
	for (unsigned i = 0; i < o->nparts; i++)
		free(o->part[i].pattern);
	weft_pair_list_free(&o->pairs);
	*o = (struct weft_objective){ .nparts = 0 };
}

/* Checks that there is such a pattern, for any number of ranks: every pattern
 * can be made for the largest number, a power of 2, of 4 and of 8. */
static int check_pattern(const char *pattern, struct weft_diag *diag)
{
	struct weft_traffic *traffic;
	int err;

	if (!strcmp(pattern, WEFT__UNIFORM) ||
	    !strcmp(pattern, WEFT__FRAGMENTS))
		return 0;
	err = weft_traffic_new(pattern, WEFT_MAX_RANKS, &traffic, diag);
	if (!err)
		weft_traffic_free(traffic);
	return err;
}

static struct weft_objective_part *find_part(struct weft_objective *o,
					     const char *pattern)
{
	for (unsigned i = 0; i < o->nparts; i++)
		if (!strcmp(o->part[i].pattern, pattern))
			return &o->part[i];
	return NULL;
}

static int new_part(struct weft_objective *o, const char *pattern,
		    double weight, struct weft_diag *diag)
{
	struct weft_objective_part *p = &o->part[o->nparts];
	int err;

	if (o->nparts == WEFT_WORTH_PARTS)
		return weft_fail(diag, EINVAL,
				 "too much: an objective has %u patterns at most",
				 WEFT_WORTH_PARTS);
	err = check_pattern(pattern, diag);
	if (err)
		return err;
	p->weight = weight;
	p->pattern = strdup(pattern);
	if (!p->pattern)
		return weft_no_memory(diag);
	o->nparts++;
	return 0;
}

static int add_one(struct weft_objective *o, const char *pattern,
		   double weight, struct weft_diag *diag)
{
	struct weft_objective_part *p = find_part(o, pattern);

	weight += p ? p->weight : 0;
	if (!(weight >= LEAST_WEIGHT && weight <= MOST_WEIGHT))
		return weft_fail(diag, EINVAL,
				 "weight %g of %s: it has to be from %g to %g",
				 weight, pattern, LEAST_WEIGHT,
				 MOST_WEIGHT);
	if (!p)
		return new_part(o, pattern, weight, diag);
	p->weight = weight;
	return 0;
}

int weft_objective_add(struct weft_objective *o, const char *pattern,
		       double weight, struct weft_diag *diag)
{
	const struct basket *basket = find_basket(pattern);
	unsigned n = 0;
	int err = 0;

	if (!strcmp(pattern, REDUNDANCY)) {
		o->redundancy = true;
		return 0;
	}
	if (!basket)
		return add_one(o, pattern_of(pattern), weight, diag);
	while (basket->part[n].name)
		n++;
	for (unsigned i = 0; i < n && !err; i++)
		err = add_one(o, basket->part[i].pattern, weight / n, diag);
	return err;
}

int weft_objective_parse(const char *text, struct weft_objective *out,
			 struct weft_diag *diag)
{
	struct weft_objective o = { .nparts = 0 };
	int err = weft_objective_add(&o, text, 1, diag);

	if (!err && !o.nparts)
		err = weft_objective_add(&o, WEFT_USUAL_OBJECTIVE, 1, diag);
	if (err)
		weft_objective_free(&o);
	else
		*out = o;
	return err;
}

int weft_options_objective(const struct weft_options *options,
			   const char *name,
			   const struct weft_objective **objective,
			   struct weft_diag *diag)
{
	const char *text = weft_options_text(options, name);

	*objective = weft__options_kept(options, name);
	if (*objective || !text || weft_objective_is_usual(text))
		return 0;
	return weft_fail(diag, EINVAL, "%s=%s has not been read", name, text);
}
