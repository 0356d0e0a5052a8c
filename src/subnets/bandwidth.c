// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bandwidth of random bisections within and across subnets. */
#include <weft/rng.h>
#include <weft/subnets.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAY 1024 /* channels */

struct sampling {
	const struct weft_subnets *s;
	const struct weft_whole *whole;
	const struct weft_router_map *map;
	uint32_t *host; /* [nhosts] in the order drawn */
	struct pair {
		uint32_t from, to;
	} * pair;
	uint32_t npairs;
	uint32_t *way; /* channels of all pairs, one after the other */
	size_t *first; /* [npairs + 1] */
	size_t room;
	uint32_t *count; /* [nch] streams */
};

/*
 * Pairs up hosts: with the given probability with one of another subnet, else
 * with one of its own, as far as there are any left.  Of those that are left
 * over, any two are a pair.
 */
static void draw(struct sampling *x, struct weft_rng *rng, double share)
{
	const struct weft_subnets *s = x->s;
	uint32_t n = s->nhosts;

	for (uint32_t i = 0; i < n; i++)
		x->host[i] = i;
	weft_rng_shuffle(rng, x->host, n);
	x->npairs = 0;
	for (uint32_t i = 0; i + 1 < n; i += 2) {
		bool cross = weft_rng_u32(rng) < share * 4294967296.0;
		uint32_t from = x->host[i], k = i + 1;

		while (k < n && (s->host[x->host[k]].subnet !=
				 s->host[from].subnet) != cross)
			k++;
		if (k == n)
			k = i + 1;
		x->pair[x->npairs++] = (struct pair){ from, x->host[k] };
		x->host[k] = x->host[i + 1];
	}
}

/* Appends the way of a pair; false without memory.  *arrives tells whether it
 * leads there. */
static bool add_way(struct sampling *x, uint32_t i, bool *arrives)
{
	size_t at = x->first[i];
	unsigned n = 0;

	if (at + MAX_WAY > x->room) {
		uint32_t *more = realloc(x->way, (2 * x->room + MAX_WAY) *
							 sizeof(*more));

		if (!more)
			return false;
		x->way = more;
		x->room = 2 * x->room + MAX_WAY;
	}
	*arrives = weft_subnets_way(x->s, x->whole, x->map, x->pair[i].from,
				    x->pair[i].to, &x->way[at], MAX_WAY,
				    &n) == WEFT_WAY_ARRIVED;
	x->first[i + 1] = at + (*arrives ? n : 0);
	return true;
}

/* Returns the share of its full bandwidth that a stream gets. */
static double share_of(const struct sampling *x, uint32_t i)
{
	const struct weft_fabric *f = x->whole->fabric;
	double full = f->capacity[x->way[x->first[i + 1] - 1]], least = 1;

	for (size_t k = x->first[i]; k < x->first[i + 1]; k++) {
		double part = (double)f->capacity[x->way[k]] /
			      x->count[x->way[k]] / full;

		least = part < least ? part : least;
	}
	return least;
}

/* Judges one pattern: the mean share of its streams. */
static bool judge(struct sampling *x, struct weft_subnets_bandwidth *b,
		  double *mean)
{
	const struct weft_fabric *f = x->whole->fabric;
	double sum = 0;

	memset(x->count, 0, f->nch * sizeof(*x->count));
	x->first[0] = 0;
	for (uint32_t i = 0; i < x->npairs; i++) {
		bool arrives;

		if (!add_way(x, i, &arrives))
			return false;
		b->lost += !arrives;
		b->crossing += x->s->host[x->pair[i].from].subnet !=
			       x->s->host[x->pair[i].to].subnet;
		for (size_t k = x->first[i]; k < x->first[i + 1]; k++)
			x->count[x->way[k]]++;
	}
	for (uint32_t i = 0; i < x->npairs; i++)
		if (x->first[i] < x->first[i + 1])
			sum += share_of(x, i);
	for (uint32_t r = 0; r < x->s->nports; r++) {
		const struct weft_router_port *p = &x->s->port[r];
		uint32_t out =
			weft_channel(f, x->whole->router[p->router], p->port);

		if (x->count[out] > b->port_most)
			b->port_most = x->count[out];
		if (x->count[f->reverse[out]] > b->port_most)
			b->port_most = x->count[f->reverse[out]];
	}
	b->streams += x->npairs;
	*mean = x->npairs ? sum / x->npairs : 0;
	return true;
}

static bool start(struct sampling *x)
{
	uint32_t n = x->s->nhosts;

	x->host = malloc((n + 1ull) * sizeof(*x->host));
	x->pair = malloc((n + 1ull) * sizeof(*x->pair));
	x->first = malloc((n + 1ull) * sizeof(*x->first));
	x->count = malloc((x->whole->fabric->nch + 1ull) * sizeof(*x->count));
	return x->host && x->pair && x->first && x->count;
}

static void end(struct sampling *x)
{
	free(x->host);
	free(x->pair);
	free(x->first);
	free(x->count);
	free(x->way);
}

int weft_subnets_bisections(const struct weft_subnets *s,
			    const struct weft_whole *whole,
			    const struct weft_router_map *map,
			    const struct weft_subnets_spec *spec,
			    struct weft_subnets_bandwidth *out,
			    struct weft_diag *diag)
{
	struct sampling x = { .s = s, .whole = whole, .map = map };
	struct weft_subnets_bandwidth b = { .mean = 0 };
	struct weft_rng *rng = weft_rng_new(spec->seed);
	double squares = 0, mean = 0;
	bool ok = rng && start(&x);

	if (ok && s->nhosts < 2) {
		weft_rng_free(rng);
		end(&x);
		return weft_fail(diag, EINVAL, "fewer than two hosts");
	}
	for (uint64_t i = 0; ok && i < spec->patterns; i++) {
		weft_rng_seed_sample(rng, spec->seed, i);
		draw(&x, rng, spec->share);
		ok = judge(&x, &b, &mean);
		b.mean += mean;
		squares += mean * mean;
	}
	weft_rng_free(rng);
	end(&x);
	if (!ok)
		return weft_fail(diag, ENOMEM, "out of memory");
	b.mean /= spec->patterns;
	b.crossing /= b.streams ? b.streams : 1;
	if (spec->patterns > 1)
		b.error = sqrt(
			fmax(squares / spec->patterns - b.mean * b.mean, 0) /
			(spec->patterns - 1));
	*out = b;
	return 0;
}
