// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: search, the fewest lanes and what happens when they run out
 *
 * 1. The method that was asked for gives lanes to the routes as they are.
 *    Method auto runs lash, then, if that took more than two lanes, offline
 *    and, with one_way, destination, each until its effort is spent.  The
 *    fewest lanes win, the earlier method if equal.
 * 2. Method auto then looks for routes that need fewer lanes and are worth at
 *    least 98 % of those that were given (trial.c), unless these are to be
 *    kept:
 *    - Up*Down* by closeness, in one lane (updown.c);
 *    - shortest ways that are made to need fewer lanes (narrow.c): with all
 *      lanes, then with one fewer than was needed, as long as that succeeds.
 * 3. If there are too few lanes for the routes that were given, these are bent
 *    until they fit (bend.c).  That or shortest ways under 2 are taken, whichever
 *    are worth more to bisections and all-to-all traffic, or Up*Down* if it comes
 *    near.  Where all that costs much of their worth, they are bent to fit one lane,
 *    too, which may cost less.  Where only management traffic lacks lanes, that alone
 *    is routed anew, by Up*Down* (fallback.c), unless it drags hosts' traffic along at
 *    such a cost.
 *
 * Where hosts have new routes, their loads are evened out in the end (even.c).
 */
#include "layers/search.h"

#include "layers/bend.h"
#include "layers/narrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int (*const methods[])(struct weft__job *, unsigned,
			      struct weft__lanes_found *) = {
	[WEFT_LAYERING_LASH] = weft__lash,
	[WEFT_LAYERING_OFFLINE] = weft__offline,
	[WEFT_LAYERING_DESTINATION] = weft__by_destination,
};

/* Counts what would have to be routed again: with one_way, trees some of whose
 * traffic has no place, else pairs. */
static uint64_t left_over(const struct weft__job *job,
			  const struct weft__lanes_found *l)
{
	const struct weft__traffic *t = &job->traffic;
	uint64_t trees = 0;

	if (l->by_tree || !job->one_way)
		return l->unplaced;
	for (uint32_t b = 0; b < t->nsw; b++) {
		uint32_t a = 0;

		while (a < t->nsw &&
		       l->lane[(size_t)a * t->nsw + b] != WEFT__UNPLACED)
			a++;
		if (a < t->nsw)
			trees += t->first[b + 1] - t->first[b];
	}
	return trees;
}

/* Runs a method and keeps the better result. */
static int try_method(struct weft__job *job, enum weft_layering_method method,
		      unsigned limit, struct weft__outcome *best)
{
	struct weft__lanes_found l;
	uint64_t left, least;
	int err = methods[method](job, limit, &l);

	if (err)
		return err;
	left = left_over(job, &l);
	least = best->found.lane ? left_over(job, &best->found) : UINT64_MAX;
	if (left > least || (left == least &&
			     (left || l.nlanes >= best->found.nlanes))) {
		free(l.lane);
		return 0;
	}
	free(best->found.lane);
	best->found = l;
	best->method = method;
	return 0;
}

/* Gives out lanes by the method that was asked for. */
static int find_lanes(struct weft__job *job, unsigned limit,
		      struct weft__outcome *out)
{
	enum weft_layering_method method = job->spec->method;
	int err;

	free(out->found.lane);
	out->found.lane = NULL;
	/* offline moves pairs to lanes without asking who has them */
	if (method == WEFT_LAYERING_OFFLINE && job->traffic.room)
		method = WEFT_LAYERING_LASH;
	if (method != WEFT_LAYERING_AUTO)
		return try_method(job, method, limit, out);
	err = try_method(job, WEFT_LAYERING_LASH, limit, out);
	if (!err && out->found.nlanes > 2 && !job->traffic.room)
		err = try_method(job, WEFT_LAYERING_OFFLINE, limit, out);
	if (!err && out->found.nlanes > 2 && job->one_way)
		err = try_method(job, WEFT_LAYERING_DESTINATION, limit, out);
	return err;
}

struct search {
	struct weft__job *job;
	struct weft__near ways;
	size_t size;		/* of all trees */
	uint8_t *given, *best;	/* trees that were given, and those of *out */
	double given_worth;
	unsigned needed;	/* lanes that the last try needed; 0: too
				 * many */
	unsigned too_few;	/* shortest ways failed with that many lanes */
};

static int search_init(struct search *s, struct weft__job *job)
{
	const struct weft__traffic *t = &job->traffic;
	int err;

	*s = (struct search){ .job = job,
			      .size = (size_t)t->ntrees * t->nsw };
	err = weft__near_init(&s->ways, job->fabric);
	s->given = malloc(s->size + 1);
	s->best = malloc(s->size + 1);
	if (!s->given || !s->best)
		err = -ENOMEM;
	if (!err)
		err = weft__traffic_worth(t, &s->given_worth);
	if (!err)
		memcpy(s->given, t->tree, s->size);
	return err;
}

static void search_free(struct search *s)
{
	weft__near_free(&s->ways);
	free(s->given);
	free(s->best);
}

/* Takes over the trees that the job has now, and their lanes. */
static void keep_outcome(struct search *s, struct weft__outcome *out,
			 const struct weft__outcome *new)
{
	free(out->found.lane);
	*out = *new;
	out->hosts = true;
	s->job->one_way = false;
	memcpy(s->best, s->job->traffic.tree, s->size);
}

/* Puts back the trees that belong to *out. */
static void put_back(struct search *s, const struct weft__outcome *out)
{
	memcpy(s->job->traffic.tree, out->shared || out->root != WEFT_NONE ?
	       s->best : s->given, s->size);
}

/* Makes new trees of shortest ways and gives them lanes.  Takes them over if
 * they are worth at least so much.  Sets s->needed to their lanes, or to 0 if a
 * pair has none. */
static int try_lanes(struct search *s, unsigned limit, bool spread,
		     double least, struct weft__outcome *out)
{
	const struct weft__narrow_spec spec = {
		.ways = &s->ways, .limit = limit, .spread = spread,
	};
	struct weft__outcome new = {
		.method = WEFT_LAYERING_LASH, .shared = true,
		.root = WEFT_NONE,
	};
	bool poor;
	int err;

	s->needed = 0;
	if (limit <= s->too_few)
		return 0;
	memcpy(s->job->traffic.tree, s->given, s->size);
	err = weft__narrow(s->job, &spec, &new.found, &new.worth);
	if (err)
		return err;
	if (new.found.unplaced)
		s->too_few = limit;
	else
		s->needed = new.found.nlanes;
	poor = new.found.unplaced || new.worth < least;
	if (!poor)
		err = weft__traffic_uniform(&s->job->traffic, &new.uniform);
	if (err || poor)
		free(new.found.lane);
	else
		keep_outcome(s, out, &new);
	return err;
}

/* Searches for routes of enough worth in at most limit lanes. *out stays as it
 * is if there are none. */
static int try_fewer(struct search *s, unsigned limit,
		     struct weft__outcome *out)
{
	double least = s->given_worth * WEFT__MIN_WORTH;
	unsigned needed;
	int err = try_lanes(s, limit, false, least, out);

	needed = s->needed;
	if (!out->shared)
		for (unsigned lanes = needed + 1; !err && needed &&
		     lanes <= limit && !out->shared; lanes++)
			err = try_lanes(s, lanes, true, least, out);
	else
		while (!err && needed > 1 && out->found.nlanes == needed) {
			err = try_lanes(s, needed - 1, false, least, out);
			needed = s->needed;
		}
	return err;
}

/* Makes Up*Down* for all traffic in one lane. */
static int make_updown(struct search *s, struct weft__outcome *new)
{
	struct weft__traffic *t = &s->job->traffic;
	struct weft__updown *u = &s->job->updown;
	int err = weft__updown_init(u, s->job->fabric);

	*new = (struct weft__outcome){ .method = WEFT_LAYERING_AUTO };
	if (!err)
		err = weft__updown_trees(u, t, t->live, t->first[t->nsw],
					 s->job->effort);
	if (!err)
		err = weft__outcome_measure(t, new);
	return err;
}

static int take_updown(struct search *s, struct weft__outcome *new,
		       struct weft__outcome *out)
{
	size_t nsw = s->job->traffic.nsw;

	new->root = weft__updown_root(&s->job->updown);
	new->found.nlanes = 1;
	new->found.lane = calloc(nsw * nsw, 1);
	if (!new->found.lane)
		return -ENOMEM;
	keep_outcome(s, out, new);
	return 0;
}

/* Bends the routes that were given, and takes them over if that finds a place for
 * all, unless what there is has one and is worth more. */
static int try_bent(struct search *s, unsigned lanes, bool turns,
		    struct weft__outcome *out)
{
	struct weft__outcome new = { .method = WEFT_LAYERING_LASH, .shared = true,
				     .root = WEFT_NONE };
	int err = weft__updown_init(&s->job->updown, s->job->fabric);

	memcpy(s->job->traffic.tree, s->given, s->size);
	if (!err)
		err = weft__bend(s->job, lanes, turns, &new.found);
	if (err || !new.found.lane)
		return err;
	err = weft__outcome_measure(&s->job->traffic, &new);
	if (!err && (out->found.unplaced ||
		     weft__outcome_value(&new) > weft__outcome_value(out)))
		keep_outcome(s, out, &new);
	else
		free(new.found.lane);
	return err;
}

static bool has_hosts(const struct weft__traffic *t, uint32_t s)
{
	for (uint32_t i = t->first[s]; i < t->first[s + 1]; i++)
		if (!t->thin[t->live[i]])
			return true;
	return false;
}

/* Returns true if all pairs of switches with hosts have a lane. */
static bool hosts_placed(const struct search *s, const struct weft__outcome *o)
{
	const struct weft__traffic *t = &s->job->traffic;

	if (o->found.by_tree)
		return !o->found.unplaced;
	for (uint32_t a = 0; a < t->nsw; a++)
		for (uint32_t b = 0; b < t->nsw && has_hosts(t, a); b++)
			if (o->found.lane[(size_t)a * t->nsw + b] ==
			    WEFT__UNPLACED && has_hosts(t, b))
				return false;
	return true;
}

/* Uses Up*Down* for management traffic alone, where nothing else lacks
 * lanes. */
static int search_with_thin(struct search *s, struct weft__outcome *out)
{
	struct weft__job *job = s->job;
	int err;

	job->first_gap_ends = false;
	job->traffic.last = job->spec->lanes - 1;
	err = find_lanes(job, job->spec->lanes - 1, out);
	job->first_gap_ends = true;
	if (!err && out->found.unplaced && hosts_placed(s, out)) {
		err = weft__fall_back(job, &out->found, &out->root);
		memcpy(s->best, job->traffic.tree, s->size);
		if (!err)
			err = weft__outcome_measure(&job->traffic, out);
	}
	job->traffic.last = 0;
	return err;
}

static bool wants_fewest(const struct weft__job *job)
{
	return job->spec->method == WEFT_LAYERING_AUTO && !job->spec->keep;
}

/* True if there are no new routes yet that all find a place, or such that gave up much
 * of what those that were given are worth. */
static bool is_poor(const struct search *s, const struct weft__outcome *out)
{
	return out->found.unplaced || out->worth < s->given_worth * WEFT__MIN_WORTH;
}

/* Searches for other routes where those that were given find no place: takes
 * those of most worth, or of nearly as much in fewer lanes. */
static int search_anew(struct search *s, struct weft__outcome *out)
{
	unsigned lanes = s->job->spec->lanes;
	struct weft__outcome updown;
	double least;
	int err = try_lanes(s, lanes, true,
			    out->found.unplaced ? 0 : out->worth, out);

	if (!err)
		err = try_bent(s, lanes, false, out);
	if (!err && (lanes == 1 || is_poor(s, out)))
		err = try_bent(s, lanes, true, out);
	for (unsigned turns = 0; !err && turns < 2 && lanes > 1 && is_poor(s, out);
	     turns++)
		err = try_bent(s, 1, turns, out);
	if (err)
		return err;
	least = weft__outcome_value(out);
	if (wants_fewest(s->job) && out->found.nlanes > 1)
		least *= WEFT__MIN_WORTH;
	err = make_updown(s, &updown);
	if (err || weft__outcome_value(&updown) < least)
		return err;
	return take_updown(s, &updown, out);
}

static int search(struct search *s, struct weft__outcome *out)
{
	struct weft__outcome updown;
	struct weft__job *job = s->job;
	unsigned lanes = job->spec->lanes;
	bool fewest = wants_fewest(job);
	int err = 0;

	if (fewest)
		err = make_updown(s, &updown);
	if (err)
		return err;
	if (fewest && updown.worth >= s->given_worth * WEFT__MIN_WORTH)
		return take_updown(s, &updown, out);
	put_back(s, out);
	err = find_lanes(job, lanes, out);
	if (!err && out->found.unplaced && job->one_way &&
	    job->spec->method != WEFT_LAYERING_DESTINATION) {
		/* Lanes that serve both directions serve each of them. */
		job->one_way = false;
		err = find_lanes(job, lanes, out);
	}
	if (!err && fewest && (out->found.unplaced || out->found.nlanes > 1))
		err = try_fewer(s, out->found.unplaced ? lanes :
				out->found.nlanes - 1, out);
	put_back(s, out);
	if (!err && out->found.unplaced && lanes > 1 && hosts_placed(s, out))
		err = search_with_thin(s, out);
	if (!err && (out->found.unplaced ||
		     (out->root != WEFT_NONE && is_poor(s, out))))
		err = search_anew(s, out);
	return err;
}

int weft__search(struct weft__job *job, struct weft__outcome *out)
{
	struct search s = { 0 };
	int err = search_init(&s, job);

	job->first_gap_ends = true;
	if (!err)
		err = search(&s, out);
	if (!err)
		put_back(&s, out);
	search_free(&s);
	return err;
}
