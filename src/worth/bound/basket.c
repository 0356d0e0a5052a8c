// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bounds of a basket's parts; see bound.h. */
#include "worth/bound/bound.h"

#include "worth/basket/basket.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parts {
	const struct weft_basket *b;
	const struct weft_bound_spec *spec;
	struct weft_draw draw;
	struct weft_pair *pair;		/* [max_pairs] */
	struct weft__flow_pair *stream;	/* [max_pairs] */
	uint32_t *endport;	/* [nslots] of the ranks of a section */
	uint32_t *sends, *hears;	/* [nslots] */
};

/* The part of its full bandwidth that the links at its ends leave a stream. */
static double left_by_hosts(const struct parts *p, struct weft_pair pair)
{
	const struct weft_fabric *f = p->b->fabric;
	uint32_t from = p->endport[pair.from], to = p->endport[pair.to];
	double full = weft__flow_rate(f, from, to);
	double a = p->sends[pair.from] * full / weft__flow_rate(f, from, from);
	double b = p->hears[pair.to] * full / weft__flow_rate(f, to, to);

	return 1 / fmax(1, fmax(a, b));
}

static int bound_round(struct parts *p, uint64_t n, uint32_t nranks,
		       double *mean)
{
	bool shared = false;

	memset(p->sends, 0, nranks * sizeof(*p->sends));
	memset(p->hears, 0, nranks * sizeof(*p->hears));
	for (uint64_t i = 0; i < n; i++) {
		shared |= p->sends[p->pair[i].from]++ > 0;
		shared |= p->hears[p->pair[i].to]++ > 0;
	}
	for (uint64_t i = 0; i < n; i++)
		p->stream[i] = (struct weft__flow_pair){
			p->endport[p->pair[i].from], p->endport[p->pair[i].to],
			shared ? left_by_hosts(p, p->pair[i]) : 1
		};
	*mean = 1;
	return n ? weft__bound_mean(p->b->fabric, p->spec, p->stream, n, mean) :
		   0;
}

static uint32_t place(struct parts *p, const struct weft__basket_part *part,
		      const struct weft__section *s, uint32_t draw)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nteams; i++) {
		const struct weft__team *t = &part->team[s->first + i];

		memcpy(p->endport + n, t->rank + (size_t)draw * t->nranks,
		       t->nranks * sizeof(*t->rank));
		n += t->nranks;
	}
	return n;
}

static int bound_section(struct parts *p, const struct weft__basket_part *part,
			 const struct weft__section *s, double *mean)
{
	double sum = 0;
	int err = 0;

	for (uint32_t d = 0; d < part->draws && !err; d++) {
		uint32_t nranks = place(p, part, s, d);

		for (uint64_t k = 0; k < s->nrounds && !err; k++) {
			double round;
			uint64_t n = weft__section_round(p->b, part, s,
							 s->round[k], &p->draw,
							 p->pair);

			err = bound_round(p, n, nranks, &round);
			sum += round;
		}
	}
	*mean = sum / (s->nrounds * part->draws);
	return err;
}

static int bound_part(struct parts *p, const struct weft__basket_part *part,
		      double *share)
{
	struct weft_bound uniform;
	int err = 0;

	*share = part->nsections ? 0 : 1;
	if (part->uniform) {
		err = weft_bound_uniform(p->b->fabric, p->spec, &uniform);
		*share = uniform.most;
		return err;
	}
	for (uint32_t k = 0; k < part->nsections && !err; k++) {
		double mean;

		err = bound_section(p, part, &part->section[k], &mean);
		*share += part->section[k].share * mean;
	}
	return err;
}

static int parts_init(struct parts *p)
{
	const struct weft_basket *b = p->b;
	size_t nslots = b->mapping.nslots + 1ull;

	p->draw.rng = weft_rng_new(1);
	p->draw.scratch = malloc((b->max_scratch + 1) *
				 sizeof(*p->draw.scratch));
	p->pair = malloc((b->max_pairs + 1) * sizeof(*p->pair));
	p->stream = malloc((b->max_pairs + 1) * sizeof(*p->stream));
	p->endport = malloc(nslots * sizeof(*p->endport));
	p->sends = malloc(nslots * sizeof(*p->sends));
	p->hears = malloc(nslots * sizeof(*p->hears));
	return p->draw.rng && p->draw.scratch && p->pair && p->stream &&
	       p->endport && p->sends && p->hears ? 0 : -ENOMEM;
}

static void parts_free(struct parts *p)
{
	weft_rng_free(p->draw.rng);
	free(p->draw.scratch);
	free(p->pair);
	free(p->stream);
	free(p->endport);
	free(p->sends);
	free(p->hears);
}

int weft_bound_basket(const struct weft_basket *basket,
		       const struct weft_bound_spec *spec, double *part,
		       double *worth)
{
	struct parts p = { .b = basket, .spec = spec };
	double log_mean = 0;
	int err = parts_init(&p);

	for (unsigned i = 0; i < basket->nparts && !err; i++) {
		err = bound_part(&p, &basket->part[i], &part[i]);
		log_mean += basket->part[i].weight * log(part[i]);
	}
	if (!err)
		*worth = exp(log_mean);
	parts_free(&p);
	return err;
}
