// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the parts of a basket
 *
 * Where hosts are all alike they do a pattern together.  Where the fabric has
 * several groups of hosts, as by kinds or rails, those of a group are a team
 * that does it by itself: the ranks of a compute job have no storage between
 * them.  The rails of a kind count half by themselves, since many jobs use the
 * first one only, and half with all rails sending at once.  A pattern that knows
 * of machines and rails, or that cannot be made for a team, is done by all.
 *
 * Fragments are shifts on DRAWS different halves of the hosts.
 */
#include "worth/basket/basket.h"

#include <weft/diag.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 5		/* halves of the hosts */

/* --- teams ---------------------------------------------------------------- */

/* Draws half of n hosts, with ranks in the same order, anew for each draw. */
static void draw_half(const struct weft_basket *b, struct weft_rng *rng,
		      uint32_t draw, const uint32_t *host, uint32_t n,
		      uint32_t *rank)
{
	uint32_t half = n / 2, chosen = 0;

	weft_rng_seed_sample(rng, b->seed, UINT32_MAX + (uint64_t)draw);
	for (uint32_t i = 0; chosen < half; i++)
		if (weft_rng_below(rng, n - i) < half - chosen)
			rank[chosen++] = host[i];
}

/* Adds a team of n hosts that does the traffic, which it takes over. */
static int add_team(struct weft_basket *b, struct weft__basket_part *p,
		    struct weft_traffic *traffic, const uint32_t *host,
		    uint32_t n)
{
	struct weft__team *t = &p->team[p->nteams++];
	uint64_t scratch = weft_traffic_scratch(traffic);
	struct weft_rng *rng = weft_rng_new(1);

	*t = (struct weft__team){
		.traffic = traffic, .nranks = p->draws > 1 ? n / 2 : n,
	};
	t->rank = malloc((size_t)t->nranks * p->draws * sizeof(*t->rank) + 1);
	if (t->rank && p->draws == 1)
		memcpy(t->rank, host, n * sizeof(*host));
	for (uint32_t d = 0; t->rank && rng && p->draws > 1 && d < p->draws;
	     d++)
		draw_half(b, rng, d, host, n, t->rank + (size_t)d * t->nranks);
	b->max_scratch = scratch > b->max_scratch ? scratch : b->max_scratch;
	weft_rng_free(rng);
	return t->rank && rng ? 0 : -ENOMEM;
}

/* --- sections ------------------------------------------------------------- */

uint64_t weft__section_pairs(const struct weft__basket_part *p,
			     const struct weft__section *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nteams; i++)
		n += weft_traffic_max_pairs(p->team[s->first + i].traffic);
	return n;
}

uint64_t weft__section_round(const struct weft_basket *b,
			     const struct weft__basket_part *p,
			     const struct weft__section *s, uint64_t number,
			     struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t ranks = 0;
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->nteams; i++) {
		const struct weft__team *t = &p->team[s->first + i];
		uint64_t end;

		weft_rng_seed_sample(draw->rng, b->seed, number);
		end = n + weft_traffic_round(t->traffic, number %
					     weft_traffic_rounds(t->traffic),
					     draw, pair + n);
		for (; n < end; n++) {
			pair[n].from += ranks;
			pair[n].to += ranks;
		}
		ranks += t->nranks;
	}
	return n;
}

/* Counts the rounds that a section has, as many as the team with the most, and
 * those that are judged of them. */
static void count_rounds(const struct weft_basket *b,
			 const struct weft__basket_part *p,
			 struct weft__section *s)
{
	uint64_t most = b->rounds * s->share + .999;

	if (p->draws > 1)
		most = (most + p->draws - 1) / p->draws;
	most = most ? most : 1;
	for (uint32_t i = 0; i < s->nteams; i++) {
		const struct weft_traffic *t = p->team[s->first + i].traffic;
		uint64_t all = weft_traffic_rounds(t);

		s->random |= weft_traffic_is_random(t);
		if (weft_traffic_is_random(t))
			all *= most / all ? most / all : 1;
		s->all = all > s->all ? all : s->all;
	}
	s->nrounds = s->all < most ? s->all : most;
}

/* Chooses the rounds, a random one of each of nrounds equal stretches. */
static void choose_rounds(const struct weft_basket *b, struct weft__section *s,
			  struct weft_rng *rng)
{
	for (uint64_t i = 0; i < s->nrounds; i++) {
		uint64_t begin = s->all * i / s->nrounds;
		uint64_t end = s->all * (i + 1) / s->nrounds;

		weft_rng_seed_sample(rng, b->seed, ~i);
		s->round[i] = begin + weft_rng_below(rng, end - begin);
	}
}

/* Adds a section of n teams from first on. */
static int add_section(struct weft_basket *b, struct weft__basket_part *p,
		       uint32_t first, uint32_t n, double share)
{
	struct weft__section *s = &p->section[p->nsections++];
	struct weft_rng *rng = weft_rng_new(1);
	uint64_t pairs;

	*s = (struct weft__section){
		.first = first, .nteams = n, .share = share,
	};
	count_rounds(b, p, s);
	s->round = malloc((s->nrounds + 1) * sizeof(*s->round));
	if (s->round && rng)
		choose_rounds(b, s, rng);
	pairs = weft__section_pairs(p, s);
	b->max_pairs = pairs > b->max_pairs ? pairs : b->max_pairs;
	p->nrounds += s->nrounds;
	p->all += s->all;
	weft_rng_free(rng);
	return s->round && rng ? 0 : -ENOMEM;
}

/* --- parts ---------------------------------------------------------------- */

/* Has all hosts do the traffic, which is taken over. */
static int judge_whole(struct weft_basket *b, struct weft__basket_part *p,
		       struct weft_traffic *traffic)
{
	p->team = calloc(1, sizeof(*p->team));
	p->section = calloc(1, sizeof(*p->section));
	if (!p->team || !p->section) {
		weft_traffic_free(traffic);
		return -ENOMEM;
	}
	return add_team(b, p, traffic, b->mapping.endport, b->mapping.nslots) ||
	       add_section(b, p, 0, 1, 1) ? -ENOMEM : 0;
}

/* The hosts by groups, which keep their order. */
struct teams {
	uint32_t *host;		/* [n] */
	uint32_t n;		/* in groups that make a team */
	uint32_t nteams;
	uint32_t *first;	/* [nteams + 1] into host[] */
	const char **kind;	/* [nteams] */
};

static int list_teams(const struct weft_basket *b, uint32_t least,
		      struct teams *t)
{
	const struct weft_fabric *f = b->fabric;

	*t = (struct teams){
		.host = malloc((b->mapping.nslots + 1ull) * sizeof(*t->host)),
		.first = calloc(f->ngroups + 1ull, sizeof(*t->first)),
		.kind = malloc((f->ngroups + 1ull) * sizeof(*t->kind)),
	};
	if (!t->host || !t->first || !t->kind)
		return -ENOMEM;
	for (uint32_t g = 0; g < f->ngroups; g++) {
		for (uint32_t i = 0; i < b->mapping.nslots; i++)
			if (f->ep[b->mapping.endport[i]].group == g)
				t->host[t->n++] = b->mapping.endport[i];
		if (t->n - t->first[t->nteams] < least) {
			t->n = t->first[t->nteams];
			continue;
		}
		t->kind[t->nteams++] = f->group[g].kind;
		t->first[t->nteams] = t->n;
	}
	return 0;
}

static void free_teams(struct teams *t)
{
	free(t->host);
	free(t->first);
	free(t->kind);
}

/* Adds the sections of the teams of one kind, n from first on. */
static int add_kind(struct weft_basket *b, struct weft__basket_part *p,
		    const struct teams *t, uint32_t first, uint32_t n)
{
	double whole = (t->first[first + n] - t->first[first]) / (double)t->n;
	int err = 0;

	for (uint32_t i = first; i < first + n && !err; i++)
		err = add_section(b, p, i, 1,
				  (t->first[i + 1] - t->first[i]) /
				  (double)t->n / (n > 1 ? 2 : 1));
	return err || n < 2 ? err : add_section(b, p, first, n, whole / 2);
}

/* Has every team do the pattern.  Returns -EINVAL if one of them cannot. */
static int judge_teams(struct weft_basket *b, struct weft__basket_part *p,
		       const struct teams *t, const char *pattern)
{
	p->team = calloc(t->nteams, sizeof(*p->team));
	p->section = calloc(2 * t->nteams, sizeof(*p->section));
	if (!p->team || !p->section)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->nteams; i++) {
		uint32_t n = t->first[i + 1] - t->first[i];
		struct weft_traffic *traffic;
		int err = weft_traffic_new(pattern, p->draws > 1 ? n / 2 : n,
					   &traffic, NULL);

		if (!err)
			err = add_team(b, p, traffic, t->host + t->first[i], n);
		if (err)
			return err;
	}
	for (uint32_t i = 0, n; i < t->nteams; i += n) {
		for (n = 1; i + n < t->nteams && t->kind[i + n] == t->kind[i];)
			n++;
		if (add_kind(b, p, t, i, n))
			return -ENOMEM;
	}
	return 0;
}

/* Frees teams and sections. */
static void disband(struct weft__basket_part *p)
{
	for (uint32_t i = 0; i < p->nteams; i++) {
		weft_traffic_free(p->team[i].traffic);
		free(p->team[i].rank);
	}
	for (uint32_t i = 0; i < p->nsections; i++)
		free(p->section[i].round);
	free(p->team);
	free(p->section);
	p->team = NULL;
	p->section = NULL;
	p->nteams = p->nsections = 0;
	p->nrounds = p->all = 0;
}

void weft__basket_free_part(struct weft__basket_part *p)
{
	disband(p);
	free(p->name);
}

/* Has all hosts do the traffic, which is taken over, or, where they are of
 * several groups, each of these. */
static int judge_hosts(struct weft_basket *b, struct weft__basket_part *p,
		       const char *pattern, struct weft_traffic *traffic)
{
	struct teams teams = { .n = 0 };
	int err = -EINVAL;

	if (b->fabric->ngroups > 1 && !weft_traffic_is_seated(traffic)) {
		err = list_teams(b, p->draws > 1 ? 4 : 2, &teams);
		if (!err)
			err = teams.nteams ?
				judge_teams(b, p, &teams, pattern) : -EINVAL;
		free_teams(&teams);
	}
	if (err != -EINVAL) {
		weft_traffic_free(traffic);
		return err;
	}
	disband(p);
	return judge_whole(b, p, traffic);
}

int weft__basket_add(struct weft_basket *b, const char *pattern, double weight,
		     struct weft_diag *diag)
{
	struct weft__basket_part *p = &b->part[b->nparts++];
	bool half = !strcmp(pattern, WEFT__FRAGMENTS);
	uint32_t n = b->mapping.nslots;
	struct weft_traffic *traffic;
	int err;

	*p = (struct weft__basket_part){
		.weight = weight, .draws = half ? DRAWS : 1,
		.name = strdup(weft__objective_part_name(pattern)),
		.uniform = !strcmp(pattern, WEFT__UNIFORM),
	};
	if (!p->name)
		return weft_no_memory(diag);
	if (p->uniform || (half ? n / 2 : n) < 2)
		return 0;
	pattern = half ? "shift" : pattern;
	err = weft_traffic_placed(pattern, b->fabric,
				  half ? NULL : b->mapping.endport,
				  half ? n / 2 : n, &traffic, diag);
	if (!err && judge_hosts(b, p, pattern, traffic))
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

int weft__basket_add_pairs(struct weft_basket *b, const char *name,
			   const struct weft_pair_list *list, double weight,
			   struct weft_diag *diag)
{
	struct weft__basket_part *p = &b->part[b->nparts++];
	struct weft_traffic *traffic = NULL;
	struct weft_pair_list copy;
	int err = copy_pairs(list, b->mapping.nslots, &copy, diag);

	*p = (struct weft__basket_part){
		.weight = weight, .draws = 1, .name = strdup(name),
	};
	if (!err)
		err = weft_traffic_from_list(&copy, b->mapping.nslots,
					     &traffic, diag);
	if (!err && (!p->name || judge_whole(b, p, traffic)))
		err = weft_no_memory(diag);
	weft_pair_list_free(&copy);
	return err;
}
