// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measured pairs beside the static model; see weft/measured.h. */
#include <weft/measured.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void weft_measured_free(struct weft_measured *m)
{
	free(m->first);
	free(m->pair);
	*m = (struct weft_measured){ .nrounds = 0 };
}

void weft_measured_result_free(struct weft_measured_result *r)
{
	free(r->round);
	free(r->stream);
	free(r->channel);
	*r = (struct weft_measured_result){ .pairs = 0 };
}

struct judge {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	const struct weft_measured *m;
	struct weft_measured_result *out;
	uint32_t *count;	/* [nch] streams of the round */
	uint32_t *path;		/* [nsw + 2] of a pair */
	uint64_t *taken;	/* [nch] streams of all rounds, */
	double *sum;		/* [nch] and of what they are off */
	double *x, *y;		/* [pairs] measured and modelled */
};

/* Fills in j->path with the channels of a pair, that of its host first; returns
 * how many they are, 0: it has no route. */
static size_t walk(struct judge *j, const struct weft_measured_pair *p)
{
	const struct weft_fabric *f = j->f;
	size_t n;

	if (weft_lft_walk(f, &j->routes->lft, f->ep[p->from].sw,
			  weft_routes_lid(f, j->routes, p->from, p->to),
			  (struct weft_walk_path){ j->path + 1, f->nsw + 1 },
			  &n) != WEFT_ARRIVED)
		return 0;
	j->path[0] = f->first_injection + p->from;
	return n + 1;
}

static bool is_between(const struct weft_fabric *f, uint32_t channel)
{
	return channel < f->first_injection && weft_is_switch(f->peer[channel]);
}

/* What the model says of a pair whose route is in j->path. */
static void judge_pair(const struct judge *j, size_t hops,
		       struct weft_measured_stream *s)
{
	const uint32_t *capacity = j->f->capacity;
	double least = INFINITY, full, one;

	if (!hops)
		return;
	full = fmin(capacity[j->path[0]], capacity[j->path[hops - 1]]);
	for (size_t i = 0; i < hops; i++) {
		uint32_t ch = j->path[i];

		one = (double)capacity[ch] / j->count[ch];
		if (one >= least)
			continue;
		least = one;
		s->channel = is_between(j->f, ch) ? ch : WEFT_NONE;
		s->streams = j->count[ch];
	}
	s->model = fmin(1, least / full);
}

/* Adds one to what the streams of a round do to channels, or takes it away. */
static void load(struct judge *j, uint32_t round, int by)
{
	for (uint64_t i = j->m->first[round]; i < j->m->first[round + 1]; i++)
		for (size_t n = walk(j, &j->m->pair[i]); n--;)
			j->count[j->path[n]] += by;
}

static void judge_round(struct judge *j, uint32_t round)
{
	struct weft_measured_result *out = j->out;

	load(j, round, 1);
	for (uint64_t i = j->m->first[round]; i < j->m->first[round + 1]; i++) {
		struct weft_measured_stream *s = &out->stream[i];

		*s = (struct weft_measured_stream){
			.measured = j->m->pair[i].rate / out->full,
			.off = NAN,
			.channel = WEFT_NONE,
		};
		judge_pair(j, walk(j, &j->m->pair[i]), s);
		out->lost += s->model <= 0;
	}
	load(j, round, -1);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sets the median, and what each pair is off by it. */
static void scale(struct judge *j)
{
	struct weft_measured_result *out = j->out;
	uint64_t n = 0;

	for (uint64_t i = 0; i < out->pairs; i++)
		if (out->stream[i].model > 0)
			j->x[n++] = out->stream[i].measured /
				    out->stream[i].model;
	if (!n)
		return;
	qsort(j->x, n, sizeof(*j->x), by_size);
	out->scale = (j->x[(n - 1) / 2] + j->x[n / 2]) / 2;
	for (uint64_t i = 0; i < out->pairs; i++) {
		struct weft_measured_stream *s = &out->stream[i];

		if (s->model > 0)
			s->off = s->measured / s->model / out->scale;
	}
}

static int sum_up(struct judge *j, uint64_t from, uint64_t to,
		  struct weft_measured_round *out)
{
	*out = (struct weft_measured_round){ .measured = 0 };
	for (uint64_t i = from; i < to; i++) {
		const struct weft_measured_stream *s = &j->out->stream[i];

		j->x[i] = s->measured;
		j->y[i] = s->model;
		out->measured += s->measured / (to - from);
		out->model += s->model / (to - from);
	}
	return weft_measured_correlation(j->x + from, j->y + from, to - from,
					 &out->correlation);
}

static int slower(const void *a, const void *b)
{
	const struct weft_measured_channel *x = a, *y = b;

	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

/* Lists the channels between switches by what their streams are off. */
static int rank_channels(struct judge *j)
{
	struct weft_measured_result *out = j->out;

	for (uint64_t i = 0; i < out->pairs; i++)
		for (size_t n = walk(j, &j->m->pair[i]); n--;) {
			j->taken[j->path[n]]++;
			j->sum[j->path[n]] += out->stream[i].off;
		}
	out->channel = malloc((j->f->nch + 1ull) * sizeof(*out->channel));
	if (!out->channel)
		return -ENOMEM;
	for (uint32_t ch = 0; ch < j->f->first_injection; ch++)
		if (j->taken[ch] >= WEFT_MEASURED_LEAST &&
		    is_between(j->f, ch))
			out->channel[out->nchannels++] =
				(struct weft_measured_channel){
					ch, j->taken[ch],
					j->sum[ch] / j->taken[ch]
				};
	qsort(out->channel, out->nchannels, sizeof(*out->channel), slower);
	return 0;
}

static int judge_all(struct judge *j)
{
	struct weft_measured_result *out = j->out;
	int err = 0;

	for (uint32_t r = 0; r < j->m->nrounds; r++)
		judge_round(j, r);
	scale(j);
	for (uint32_t r = 0; r < j->m->nrounds && !err; r++)
		err = sum_up(j, j->m->first[r], j->m->first[r + 1],
			     &out->round[r]);
	err = err ? err : sum_up(j, 0, out->pairs, &out->all);
	return err ? err : rank_channels(j);
}

int weft_measured_judge(const struct weft_fabric *f,
			const struct weft_routes *routes,
			const struct weft_measured *m, double full,
			struct weft_measured_result *out)
{
	uint64_t pairs = m->first[m->nrounds];
	struct weft_measured_result r = {
		.pairs = pairs,
		.full = full > 0 ? full : m->best,
		.round = calloc(m->nrounds + 1ull, sizeof(*r.round)),
		.stream = calloc(pairs + 1, sizeof(*r.stream)),
	};
	struct judge j = {
		.f = f,
		.routes = routes,
		.m = m,
		.out = &r,
		.count = calloc(f->nch + 1ull, sizeof(*j.count)),
		.path = malloc((f->nsw + 2ull) * sizeof(*j.path)),
		.taken = calloc(f->nch + 1ull, sizeof(*j.taken)),
		.sum = calloc(f->nch + 1ull, sizeof(*j.sum)),
		.x = malloc((pairs + 1) * sizeof(*j.x)),
		.y = malloc((pairs + 1) * sizeof(*j.y)),
	};
	int err = r.round && r.stream && j.count && j.path && j.taken &&
		  j.sum && j.x && j.y ? 0 : -ENOMEM;

	err = err ? err : judge_all(&j);
	free(j.count);
	free(j.path);
	free(j.taken);
	free(j.sum);
	free(j.x);
	free(j.y);
	if (err)
		weft_measured_result_free(&r);
	else
		*out = r;
	return err;
}
