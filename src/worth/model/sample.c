// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs samples; see sample.h. */
#include "sample.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

uint64_t weft_model_rounds(const struct weft_traffic *traffic,
			   const struct weft_beside *beside)
{
	uint64_t all = weft_traffic_rounds(traffic);
	uint64_t n = beside && !weft_traffic_is_random(traffic) ?
		beside->pairs.nrounds : 0;

	return n > all ? (n + all - 1) / all * all : all;
}

static void plan_beside(struct weft__sample_plan *p)
{
	const struct weft_pair_list *list = p->beside ? &p->beside->pairs :
							NULL;

	p->nbeside = list ? list->nranks : 0;
	for (uint32_t i = 0; list && i < list->nrounds; i++) {
		uint64_t n = list->first[i + 1] - list->first[i];

		p->max_beside = n > p->max_beside ? n : p->max_beside;
	}
}

uint32_t *weft__sample_endports(const uint32_t *endport, uint32_t n,
				const struct weft_beside *beside)
{
	uint32_t others = beside ? beside->pairs.nranks : 0;
	uint32_t *all = malloc(((uint64_t)n + others + 1) * sizeof(*all));

	for (uint32_t i = 0; all && i < n; i++)
		all[i] = endport[i];
	for (uint32_t i = 0; all && i < others; i++)
		all[n + i] = beside->endport[i];
	return all;
}

int weft__sample_plan_hosts(struct weft__sample_plan *p,
			    const struct weft_fabric *f,
			    const struct weft_lft *lft, enum weft__rows rows)
{
	uint32_t *endport, n;
	int err = -ENOMEM;

	plan_beside(p);
	n = p->mapping->nslots + p->nbeside;
	endport = weft__sample_endports(p->mapping->endport, p->mapping->nslots,
					p->beside);
	p->slot_host = malloc((n + 1ull) * sizeof(*p->slot_host));
	if (endport && p->slot_host)
		err = weft__paths_init(&p->paths, f, lft, rows, endport, n);
	for (uint32_t i = 0; !err && i < n; i++)
		p->slot_host[i] = weft__paths_host(&p->paths, endport[i]);
	free(endport);
	return err;
}

void weft__sampler_free(struct weft__sampler *s)
{
	weft_rng_free(s->draw.rng);
	free(s->draw.scratch);
	free(s->draw.size);
	weft__congestion_free(&s->congestion);
	free(s->slot);
	free(s->host);
	free(s->pair);
	free(s->offset);
	free(s->next);
}

bool weft__sampler_init(struct weft__sampler *s,
			const struct weft__sample_plan *plan, bool loads)
{
	size_t nslots = plan->mapping->nslots;
	size_t nranks = nslots + plan->nbeside;
	size_t pairs = weft_traffic_max_pairs(plan->traffic) +
		plan->max_beside + 1;
	size_t scratch = weft_traffic_scratch(plan->traffic) + 1;

	*s = (struct weft__sampler){ .plan = plan };
	s->draw.rng = weft_rng_new(0);
	s->draw.scratch = malloc(scratch * sizeof(*s->draw.scratch));
	if (weft_traffic_is_sized(plan->traffic))
		s->draw.size = malloc(pairs * sizeof(*s->draw.size));
	s->slot = malloc(nslots * sizeof(*s->slot));
	s->host = malloc(nranks * sizeof(*s->host));
	s->pair = malloc(pairs * sizeof(*s->pair));
	s->offset = malloc(pairs);
	s->next = malloc(nranks + 1);
	return weft__congestion_init(&s->congestion, &plan->network, loads) &&
	       s->draw.rng && s->draw.scratch && s->slot &&
	       (s->draw.size || !weft_traffic_is_sized(plan->traffic)) &&
	       s->host && s->pair && s->offset && s->next;
}

/* Draws nranks of the slots, and keeps their order unless that is drawn as
 * well. */
static void draw_slots(struct weft__sampler *s)
{
	const struct weft_mapping *m = s->plan->mapping;
	uint32_t from = s->plan->draws_subset ? m->nslots : m->nranks, n = 0;

	for (uint32_t i = 0; i < from && n < m->nranks; i++)
		if (from == m->nranks ||
		    weft_rng_below(s->draw.rng, from - i) < m->nranks - n)
			s->slot[n++] = i;
	if (s->plan->draws_order)
		weft_rng_shuffle(s->draw.rng, s->slot, n);
}

/* Returns the host of each rank in this sample. */
static const uint32_t *place_ranks(struct weft__sampler *s)
{
	const struct weft__sample_plan *p = s->plan;

	if (!p->draws_subset && !p->draws_order)
		return p->slot_host;
	draw_slots(s);
	for (uint32_t i = 0; i < p->mapping->nranks; i++)
		s->host[i] = p->slot_host[s->slot[i]];
	for (uint32_t i = 0; i < p->nbeside; i++)
		s->host[p->mapping->nslots + i] =
			p->slot_host[p->mapping->nslots + i];
	return s->host;
}

/* Puts a round of the others' streams behind the n of one's own; returns how
 * many they are together. */
static uint64_t add_beside(struct weft__sampler *s, uint64_t round, uint64_t n)
{
	const struct weft__sample_plan *p = s->plan;
	const struct weft_pair_list *list = &p->beside->pairs;
	uint32_t first = p->mapping->nslots;

	round %= list->nrounds;
	for (uint64_t i = list->first[round]; i < list->first[round + 1]; i++)
		s->pair[n++] = (struct weft_pair){ first + list->pair[i].from,
						   first + list->pair[i].to };
	return n;
}

/* Returns the offset of the LID that each stream is sent to; NULL: base
 * LIDs. */
static const uint8_t *choose_lids(struct weft__sampler *s,
				  const uint32_t *host, uint64_t n)
{
	const struct weft__sample_plan *p = s->plan;

	if (p->lids == WEFT_LID_FIRST || p->lids == WEFT_LID_ALL ||
	    (p->lids == WEFT_LID_ROUTES && !p->source_offset))
		return NULL;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t from = s->pair[i].from;

		if (p->lids == WEFT_LID_ROUTES)
			s->offset[i] =
				p->source_offset[p->paths.endport[host[from]]];
		else if (p->lids == WEFT_LID_RANDOM)
			s->offset[i] = weft_rng_u32(s->draw.rng) >> 24;
		else
			s->offset[i] = s->next[from]++;
	}
	return s->offset;
}

static void tally(struct weft__sampler *s, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		double x = s->congestion.congestion[i];
		unsigned bin;

		if (x == INFINITY)
			bin = 0;
		else if (x >= WEFT_MAX_CONGESTION)
			bin = WEFT_MAX_CONGESTION;
		else
			bin = (unsigned)x + (x > (unsigned)x);
		s->tally[bin]++;
	}
}

/* Sums up a round of n streams. size NULL: all are 1. */
static struct weft__sum sum_round(const double *congestion, uint64_t n,
				  const double *size)
{
	double bandwidth = 0, most = 0, heaviest = 1, all = 0, sizes = n;
	double slow = 0, fast = INFINITY;

	if (!n)
		return weft__sum_zero();
	if (size)
		heaviest = sizes = 0;
	for (uint64_t i = 0; i < n; i++) {
		double x = congestion[i], weighted = size ? x * size[i] : x;

		bandwidth += 1 / x;
		all += weighted;
		most = weighted > most ? weighted : most;
		slow = x > slow ? x : slow;
		fast = x < fast ? x : fast;
		if (size) {
			sizes += size[i];
			heaviest = fmax(heaviest, size[i]);
		}
	}
	return (struct weft__sum){
		.bandwidth = bandwidth, .streams = n, .weight = heaviest,
		.most = most, .mean = heaviest * (all / sizes),
		.slowest = 1 / slow, .fastest = 1 / fast,
	};
}

/* Adds what the streams beside got, which follow those of one's own. */
static void sum_beside(const double *congestion, uint64_t n,
		       struct weft__sum *sum)
{
	for (uint64_t i = 0; i < n; i++)
		sum->beside += 1 / congestion[i];
	sum->nbeside += n;
}

/* Draws the LIDs that sources begin with. */
static void draw_offsets(struct weft__sampler *s)
{
	const struct weft__sample_plan *p = s->plan;
	uint32_t nslots = p->mapping->nslots;

	for (uint32_t i = 0; i < p->mapping->nranks; i++)
		s->next[i] = weft_rng_u32(s->draw.rng) >> 24;
	for (uint32_t i = 0; i < p->nbeside; i++)
		s->next[nslots + i] = weft_rng_u32(s->draw.rng) >> 24;
}

struct weft__sum weft__sampler_run(struct weft__sampler *s, uint64_t sample,
				   uint64_t first, uint64_t end)
{
	const struct weft__sample_plan *p = s->plan;
	uint64_t all = weft_traffic_rounds(p->traffic);
	struct weft__sum sum = weft__sum_zero();
	const uint32_t *host;

	weft_rng_seed_sample(s->draw.rng, p->seed, sample);
	host = place_ranks(s);
	if (p->lids == WEFT_LID_ROUND_ROBIN)
		draw_offsets(s);
	for (uint64_t round = first; round < end; round++) {
		uint64_t n = weft_traffic_round(p->traffic, round % all,
						&s->draw, s->pair);
		uint64_t both = p->beside ?
			add_beside(s, sample * p->rounds + round, n) : n;
		const struct weft__streams streams = {
			.n = both, .pair = s->pair, .host = host,
			.offset = choose_lids(s, host, both),
		};

		weft__congestion_run(&s->congestion, &streams);
		tally(s, n);
		sum = weft__sum_add(
			sum, sum_round(s->congestion.congestion, n,
				       s->draw.size));
		sum_beside(s->congestion.congestion + n, both - n, &sum);
	}
	return sum;
}

struct weft__sum weft__sum_zero(void)
{
	return (struct weft__sum){ .slowest = 1 };
}

struct weft__sum weft__sum_add(struct weft__sum a, struct weft__sum b)
{
	return (struct weft__sum){
		.bandwidth = a.bandwidth + b.bandwidth,
		.streams = a.streams + b.streams,
		.weight = a.weight + b.weight,
		.most = a.most + b.most,
		.mean = a.mean + b.mean,
		.slowest = fmin(a.slowest, b.slowest),
		.fastest = fmax(a.fastest, b.fastest),
		.beside = a.beside + b.beside,
		.nbeside = a.nbeside + b.nbeside,
	};
}

void weft__sum_measure(const struct weft__sum *sum, double *value)
{
	value[WEFT_STREAMS] = sum->bandwidth / sum->streams;
	value[WEFT_LOWER] = sum->weight / sum->most;
	value[WEFT_UPPER] = sum->weight / sum->mean;
}
