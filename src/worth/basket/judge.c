// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Judges tables by the rounds of a basket; see weft/worth.h. */
#include "worth/basket/basket.h"
#include "worth/model/congestion.h"
#include "worth/model/uniform.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct judge {
	const struct weft_basket *b;
	const uint8_t *lid_offset;	/* [nep], or NULL */
	struct weft__paths paths;
	struct weft__network net[2];	/* without, and with channels at
					 * hosts */
	struct weft__congestion congestion;
	struct weft_draw draw;
	struct weft_pair *pair;	/* [max_pairs] */
	uint32_t *host;		/* [nslots] number of each rank's host in
				 * paths */
	uint8_t *offset;	/* [max_pairs] offsets of destination LIDs */
	uint32_t *sends, *hears;	/* [nslots] streams of each rank in the
					 * round */
	double *got;		/* [nslots] bandwidth of a rank; < 0: idle */
	struct weft_worth worth;
};

static uint64_t total_rounds(const struct weft_basket *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < b->nparts; i++)
		n += b->part[i].nrounds * b->part[i].draws;
	return n;
}

static bool allocate(struct judge *j)
{
	const struct weft_basket *b = j->b;
	size_t nslots = b->mapping.nslots;

	j->draw.rng = weft_rng_new(1);
	j->draw.scratch = malloc((b->max_scratch + 1) *
				 sizeof(*j->draw.scratch));
	j->pair = malloc((b->max_pairs + 1) * sizeof(*j->pair));
	j->host = malloc(nslots * sizeof(*j->host));
	j->offset = malloc(b->max_pairs + 1);
	j->sends = malloc(nslots * sizeof(*j->sends));
	j->hears = malloc(nslots * sizeof(*j->hears));
	j->got = malloc(nslots * sizeof(*j->got));
	j->worth.round = malloc((total_rounds(b) + 1) * sizeof(double));
	return j->draw.rng && j->draw.scratch && j->pair && j->host &&
	       j->offset && j->sends && j->hears && j->got && j->worth.round;
}

static int judge_init(struct judge *j, const struct weft_routes *routes)
{
	const struct weft_basket *b = j->b;
	int err;

	j->lid_offset = b->spread ? NULL : routes->lid_offset;
	err = weft__paths_init(&j->paths, b->fabric, &routes->lft,
			       b->spread ? WEFT__ROWS_SPREAD :
			       j->lid_offset ? WEFT__ROWS_ALL : WEFT__ROWS_BASE,
			       b->mapping.endport, b->mapping.nslots);
	if (err)
		return err;
	for (unsigned i = 0; i < 2; i++)
		weft__network_init(&j->net[i], &j->paths, i, b->max_pairs);
	return weft__congestion_init(&j->congestion, &j->net[1], false) &&
	       allocate(j) ? 0 : -ENOMEM;
}

static void judge_free(struct judge *j)
{
	weft__congestion_free(&j->congestion);
	weft__paths_free(&j->paths);
	weft_rng_free(j->draw.rng);
	free(j->draw.scratch);
	free(j->pair);
	free(j->host);
	free(j->offset);
	free(j->sends);
	free(j->hears);
	free(j->got);
	weft_worth_free(&j->worth);
}

static void choose_lids(struct judge *j, uint64_t n)
{
	for (uint64_t i = 0; j->lid_offset && i < n; i++) {
		uint32_t from = j->host[j->pair[i].from];

		j->offset[i] = j->lid_offset[j->paths.endport[from]];
	}
}

/* Counts the streams of a round at each rank; returns true if some share the
 * link of a host. */
static bool count_streams(struct judge *j, uint64_t n, uint32_t nranks)
{
	bool shared = false;

	memset(j->sends, 0, nranks * sizeof(*j->sends));
	memset(j->hears, 0, nranks * sizeof(*j->hears));
	for (uint64_t i = 0; i < n; i++) {
		shared |= j->sends[j->pair[i].from]++ > 0;
		shared |= j->hears[j->pair[i].to]++ > 0;
	}
	return shared;
}

/* Returns what the streams of a round would get together if nothing but the
 * links of hosts were between them. */
static double most_bandwidth(const struct judge *j, uint64_t n)
{
	double sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		struct weft_pair p = j->pair[i];

		sum += 1 / weft__congestion_least(&j->net[1], j->host[p.from],
						  j->host[p.to],
						  j->sends[p.from],
						  j->hears[p.to]);
	}
	return sum;
}

/* Returns the mean bandwidth of the ranks, each of which has the sum of its
 * streams', as a share of what their links allow. */
static double mean_share(struct judge *j, uint64_t n, uint32_t nranks,
			 bool shared)
{
	uint32_t senders = 0;
	double sum = 0;

	for (uint32_t r = 0; r < nranks; r++)
		j->got[r] = -1;
	for (uint64_t i = 0; i < n; i++) {
		double *got = &j->got[j->pair[i].from];
		double congestion = j->congestion.congestion[i];

		*got = *got < 0 ? 0 : *got;
		if (isinf(congestion))
			j->worth.lost++;
		else
			*got += 1 / congestion;
	}
	for (uint32_t r = 0; r < nranks; r++) {
		senders += j->got[r] >= 0;
		sum += j->got[r] > 0 ? j->got[r] : 0;
	}
	if (!senders)
		return 1;
	return fmin(1, sum / (shared ? most_bandwidth(j, n) : senders));
}

static double judge_round(struct judge *j, const struct weft__basket_part *p,
			  const struct weft__section *section, uint32_t nranks,
			  uint64_t number)
{
	struct weft__streams s = {
		.pair = j->pair, .host = j->host,
		.offset = j->lid_offset ? j->offset : NULL,
		.n = weft__section_round(j->b, p, section, number, &j->draw,
					 j->pair),
	};
	bool shared;

	choose_lids(j, s.n);
	shared = count_streams(j, s.n, nranks);
	j->congestion.net = &j->net[shared];
	weft__congestion_run(&j->congestion, &s);
	return mean_share(j, s.n, nranks, shared);
}

/* Returns the mean of n rounds out of all. *error: its standard error. */
static double mean_of(const double *round, uint64_t n, uint64_t all,
		      double *error)
{
	double sum = 0, squares = 0, mean;

	for (uint64_t i = 0; i < n; i++)
		sum += round[i];
	mean = sum / n;
	for (uint64_t i = 0; i < n; i++)
		squares += (round[i] - mean) * (round[i] - mean);
	*error = n < 2 ? 0 : sqrt(squares / (n - 1) / n *
				  (all > n ? 1 - (double)n / all : 0));
	return mean;
}

/* Returns how many rounds there are to draw a section's from; random ones are
 * unlimited. */
static uint64_t population(const struct weft__basket_part *p,
			   const struct weft__section *s)
{
	return p->draws > 1 || s->random ? UINT64_MAX : s->all;
}

/* Finds the hosts of a section's ranks in a draw; returns how many they are. */
static uint32_t place(struct judge *j, const struct weft__basket_part *p,
		      const struct weft__section *s, uint32_t draw)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nteams; i++) {
		const struct weft__team *t = &p->team[s->first + i];
		const uint32_t *rank = t->rank + (size_t)draw * t->nranks;

		for (uint32_t r = 0; r < t->nranks; r++)
			j->host[n++] = weft__paths_host(&j->paths, rank[r]);
	}
	return n;
}

/* Judges a section; returns its mean. */
static double judge_section(struct judge *j, const struct weft__basket_part *p,
			    const struct weft__section *s, double *round,
			    double *error)
{
	uint64_t at = 0;

	for (uint32_t d = 0; d < p->draws; d++) {
		uint32_t nranks = place(j, p, s, d);

		for (uint64_t k = 0; k < s->nrounds; k++)
			round[at++] = judge_round(j, p, s, nranks, s->round[k]);
	}
	return mean_of(round, at, population(p, s), error);
}

static int judge_part(struct judge *j, unsigned i, double *round)
{
	const struct weft__basket_part *p = &j->b->part[i];
	struct weft_worth *w = &j->worth;
	double variance = 0;

	w->part[i] = p->nsections ? 0 : 1;
	w->error[i] = 0;
	if (p->uniform)
		return weft__uniform(&j->paths, j->lid_offset, &w->part[i],
				     &w->lost);
	for (uint32_t k = 0; k < p->nsections; k++) {
		const struct weft__section *s = &p->section[k];
		double error;

		w->part[i] += s->share * judge_section(j, p, s, round, &error);
		variance += s->share * s->share * error * error;
		round += s->nrounds * p->draws;
	}
	w->error[i] = sqrt(variance);
	return 0;
}

static void summarise(const struct weft_basket *b, struct weft_worth *w)
{
	double log_mean = 0, variance = 0;

	for (unsigned i = 0; i < b->nparts; i++) {
		double relative = w->error[i] / w->part[i];

		log_mean += b->part[i].weight * log(w->part[i]);
		if (w->error[i] > 0)
			variance += b->part[i].weight * b->part[i].weight *
				relative * relative;
	}
	w->mean = exp(log_mean);
	w->mean_error = w->mean * sqrt(variance);
}

int weft_basket_judge(const struct weft_basket *b,
		      const struct weft_routes *routes, struct weft_worth *out)
{
	struct judge j = { .b = b };
	uint64_t at = 0;
	int err = judge_init(&j, routes);

	for (unsigned i = 0; !err && i < b->nparts; i++) {
		err = judge_part(&j, i, j.worth.round + at);
		at += b->part[i].nrounds * b->part[i].draws;
	}
	if (!err) {
		summarise(b, &j.worth);
		*out = j.worth;
		j.worth = (struct weft_worth){ .mean = 0 };
	}
	judge_free(&j);
	return err;
}

void weft_worth_free(struct weft_worth *w)
{
	free(w->round);
	*w = (struct weft_worth){ .mean = 0 };
}

/* Returns the mean square of what n rounds of b gained over those of a, each
 * beside the mean of its part, by which rounds chosen at random may be off. */
static double paired_variance(const double *a, double mean_a, const double *b,
			      double mean_b, uint64_t n, uint64_t all)
{
	double squares = 0, mean = 0;

	if (n < 2 || all <= n)
		return 0;
	for (uint64_t i = 0; i < n; i++)
		mean += (b[i] / mean_b - a[i] / mean_a) / n;
	for (uint64_t i = 0; i < n; i++) {
		double apart = b[i] / mean_b - a[i] / mean_a - mean;

		squares += apart * apart;
	}
	return squares / (n - 1) / n * (1 - (double)n / all);
}

/* Returns the variance of ln (mean of b / mean of a) of a part, both by the same
 * rounds. */
static double part_variance(const struct weft__basket_part *p, const double *a,
			    double mean_a, const double *b, double mean_b)
{
	double variance = 0;

	for (uint32_t k = 0; k < p->nsections; k++) {
		const struct weft__section *s = &p->section[k];
		uint64_t n = s->nrounds * p->draws;

		variance += s->share * s->share *
			paired_variance(a, mean_a, b, mean_b, n,
					population(p, s));
		a += n;
		b += n;
	}
	return variance;
}

double weft_worth_gain(const struct weft_basket *basket,
		       const struct weft_worth *a, const struct weft_worth *b,
		       double *error)
{
	double variance = 0;
	uint64_t at = 0;

	for (unsigned i = 0; i < basket->nparts; i++) {
		const struct weft__basket_part *p = &basket->part[i];

		if (a->part[i] > 0 && b->part[i] > 0)
			variance += p->weight * p->weight *
				part_variance(p, a->round + at, a->part[i],
					      b->round + at, b->part[i]);
		at += p->nrounds * p->draws;
	}
	*error = sqrt(variance);
	if (a->mean > 0)
		return log(b->mean / a->mean);
	return b->mean > 0 ? INFINITY : 0;
}

int weft__basket_mean(const struct weft_basket *basket,
		      const struct weft_routes *routes, double *mean)
{
	struct weft_worth worth;
	int err = weft_basket_judge(basket, routes, &worth);

	*mean = err ? 0 : worth.mean;
	if (!err)
		weft_worth_free(&worth);
	return err;
}
