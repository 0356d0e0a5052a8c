// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes patterns for a number of ranks; see weft/pattern.h. */
#include "worth/model/pattern.h"

#include <stdlib.h>
#include <string.h>

#define WEFT_PATTERN(symbol) &weft__pattern_##symbol.row,
static const struct weft_pattern *const patterns[] = {
#include "worth/model/patterns.def"
	NULL
};
#undef WEFT_PATTERN

const struct weft_pattern *const *weft_patterns(void)
{
	return patterns;
}

const struct weft_pattern *weft_pattern_find(const char *name)
{
	for (unsigned i = 0; patterns[i]; i++)
		if (!strcmp(patterns[i]->name, name))
			return patterns[i];
	return NULL;
}

struct weft_traffic *weft__traffic_alloc(const struct weft__pattern *pattern,
					 uint32_t nranks)
{
	struct weft_traffic *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->pattern = pattern;
	t->nranks = nranks;
	t->nrounds = 1;
	t->max_pairs = nranks;
	for (unsigned d = 0; d < WEFT_GRID_DIMENSIONS; d++)
		t->side[d] = 1;
	return t;
}

static int check_ranks(const struct weft__pattern *p, uint32_t nranks,
		       struct weft_diag *diag)
{
	uint32_t least = p->least ? p->least : 2;

	if (nranks < least)
		return weft_fail(diag, EINVAL,
				 "pattern %s needs %u ranks, there are %u",
				 p->row.name, least, nranks);
	if (nranks > WEFT_MAX_RANKS)
		return weft_fail(diag, EINVAL,
				 "%u ranks; patterns have %u at most", nranks,
				 WEFT_MAX_RANKS);
	return 0;
}

/* Reads "a=1,b=2" into *out, by the table of p. Cuts up text. */
static int parse_options(const struct weft_pattern *p, char *text,
			 struct weft_options **out, struct weft_diag *diag)
{
	struct weft_options *o;
	char *assignment;
	int err = 0;

	if (weft_options_new(&o, p->options))
		return weft_no_memory(diag);
	while (!err && (assignment = strsep(&text, ",")))
		err = weft_options_parse(o, assignment, diag);
	if (err)
		weft_options_free(o);
	else
		*out = o;
	return err == -ENOENT ? -EINVAL : err;
}

static int unknown_pattern(const char *name, struct weft_diag *diag)
{
	const char *names[sizeof(patterns) / sizeof(patterns[0]) + 3], *near;
	unsigned n = 0;

	for (; patterns[n]; n++)
		names[n] = patterns[n]->name;
	names[n++] = "basket";
	names[n++] = "hpc";
	names[n++] = "ai";
	names[n] = NULL;
	near = weft_diag_suggest(name, names);
	if (near && strcmp(near, name))
		return weft_fail(diag, EINVAL,
				 "no pattern '%s'; did you mean '%s'?",
				 name, near);
	return weft_fail(diag, EINVAL,
			 "no pattern '%s'; weft analyze --list names them",
			 name);
}

/* Returns true if a round has a pair. */
static bool find_pair(const struct weft_traffic *t, struct weft_draw *draw,
		      struct weft_pair *pair)
{
	for (uint64_t r = 0; r < t->nrounds; r++)
		if (t->pattern->round(t, r, draw, pair))
			return true;
	return false;
}

/* Leaves traffic without any pair where all of it stays inside machines. */
static int hush(struct weft_traffic *t, struct weft_diag *diag)
{
	struct weft_draw draw = { .rng = weft_rng_new(1) };
	struct weft_pair *pair = malloc((t->max_pairs + 1) * sizeof(*pair));
	bool ok;

	draw.scratch = malloc((t->nscratch + 1) * sizeof(*draw.scratch));
	ok = draw.rng && draw.scratch && pair;
	if (ok && !find_pair(t, &draw, pair))
		t->max_pairs = t->team.n = t->inside.n = 0;
	weft_rng_free(draw.rng);
	free(draw.scratch);
	free(pair);
	return ok ? 0 : weft_no_memory(diag);
}

int weft__traffic_simple(char *text, uint32_t nranks,
			 const struct weft_seat *seat,
			 struct weft_traffic **out, struct weft_diag *diag)
{
	char *options = strchr(text, ':');
	const struct weft_pattern *row;
	const struct weft__pattern *p;
	struct weft_options *o = NULL;
	struct weft_traffic *t;
	int err;

	if (options)
		*options++ = '\0';
	row = weft_pattern_find(text);
	if (!row)
		return unknown_pattern(text, diag);
	p = (const struct weft__pattern *)row;
	err = check_ranks(p, nranks, diag);
	if (!err)
		err = parse_options(row, options, &o, diag);
	if (err)
		return err;
	t = weft__traffic_alloc(p, nranks);
	if (!t)
		err = weft_no_memory(diag);
	else
		t->given = seat;
	if (!err && p->prepare)
		err = p->prepare(t, o, diag);
	if (!err && t->machines.seat)
		err = hush(t, diag);
	weft_options_free(o);
	if (err) {
		weft_traffic_free(t);
		return err;
	}
	t->given = NULL;
	*out = t;
	return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

int weft_traffic_seated(const char *description, uint32_t nranks,
			const struct weft_seat *seat, struct weft_traffic **out,
			struct weft_diag *diag)
{
	char *text = strdup(description);
	int err;

	if (!text)
		return weft_no_memory(diag);
	if (strchr(text, '+'))
		err = weft__traffic_mix(text, nranks, seat, out, diag);
	else
		err = weft__traffic_simple(text, nranks, seat, out, diag);
	free(text);
	return err;
}

int weft_traffic_new(const char *description, uint32_t nranks,
		     struct weft_traffic **out, struct weft_diag *diag)
{
	return weft_traffic_seated(description, nranks, NULL, out, diag);
}

void weft_pair_list_free(struct weft_pair_list *list)
{
	free(list->first);
	free(list->pair);
	free(list->size);
	*list = (struct weft_pair_list){ 0 };
}

static uint64_t list_round(const struct weft_traffic *t, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t first = t->list.first[round];
	uint64_t n = t->list.first[round + 1] - first;

	memcpy(pair, t->list.pair + first, n * sizeof(*pair));
	if (t->sized && draw->size)
		memcpy(draw->size, t->list.size + first,
		       n * sizeof(*draw->size));
	return n;
}

static const struct weft__pattern listed = {
	.row = { .name = "list" },
	.round = list_round,
};

int weft_traffic_from_list(struct weft_pair_list *list, uint32_t nranks,
			   struct weft_traffic **out, struct weft_diag *diag)
{
	struct weft_traffic *t;

	if (list->nranks > nranks)
		return weft_fail(diag, EINVAL,
				 "the pattern has %u ranks, more than the %u that have a host",
				 list->nranks, nranks);
	t = weft__traffic_alloc(&listed, nranks);
	if (!t)
		return weft_no_memory(diag);
	t->list = *list;
	*list = (struct weft_pair_list){ 0 };
	t->sized = t->list.size;
	t->nrounds = t->list.nrounds;
	t->max_pairs = 0;
	for (uint64_t r = 0; r < t->nrounds; r++)
		t->max_pairs = larger(t->max_pairs, t->list.first[r + 1] -
						    t->list.first[r]);
	*out = t;
	return 0;
}

void weft_traffic_free(struct weft_traffic *traffic)
{
	if (!traffic)
		return;
	for (unsigned i = 0; i < traffic->nparts; i++) {
		weft_traffic_free(traffic->part[i].traffic);
		free(traffic->part[i].rank);
	}
	free(traffic->part);
	weft__teams_free(&traffic->team);
	weft__teams_free(&traffic->inside);
	weft__machines_free(&traffic->machines);
	weft_pair_list_free(&traffic->list);
	free(traffic);
}

uint32_t weft_traffic_ranks(const struct weft_traffic *traffic)
{
	return traffic->nranks;
}

uint64_t weft_traffic_rounds(const struct weft_traffic *traffic)
{
	return traffic->nrounds;
}

uint64_t weft_traffic_max_pairs(const struct weft_traffic *traffic)
{
	return traffic->max_pairs;
}

uint64_t weft_traffic_scratch(const struct weft_traffic *traffic)
{
	return traffic->nscratch;
}

bool weft_traffic_is_sized(const struct weft_traffic *traffic)
{
	return traffic->sized;
}

bool weft_traffic_is_seated(const struct weft_traffic *traffic)
{
	return traffic->seated;
}

bool weft_traffic_is_random(const struct weft_traffic *traffic)
{
	return traffic->random;
}

bool weft_traffic_is_fair(const struct weft_traffic *traffic)
{
	return traffic->fair;
}

uint64_t weft_traffic_round(const struct weft_traffic *traffic, uint64_t round,
			    struct weft_draw *draw, struct weft_pair *pair)
{
	return traffic->pattern->round(traffic, round, draw, pair);
}

double weft_pattern_bisections(uint32_t n)
{
	double product = 1;

	for (uint32_t i = n / 2 + 1; i <= n; i++)
		product *= i;
	return product;
}
