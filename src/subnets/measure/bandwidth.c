// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bandwidth of patterns within and across subnets. */
#include "core/grow.h"

#include <weft/mapping.h>
#include <weft/pattern.h>
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
	const struct weft_subnets_spec *spec;
	struct weft_traffic *traffic; /* NULL: bisections */
	uint32_t *scratch;
	uint32_t *rank;		    /* [nhosts] hosts by rank */
	uint32_t *host;		    /* [nhosts] in the order drawn */
	uint32_t *sends, *receives; /* [nhosts] streams of a host */
	struct weft_pair *pair;
	uint64_t npairs;
	uint32_t *way; /* channels of all pairs, one after the other */
	size_t *first; /* [npairs + 1] */
	size_t room;
	uint32_t *count; /* [nch] streams */
};

int weft_one_make(const struct weft_whole *whole, struct weft_one *out,
		  struct weft_diag *diag)
{
	*out = (struct weft_one){ .fabric = NULL };
	return weft_fabric_assign_lids(whole->fabric, -1, &out->fabric, diag);
}

void weft_one_free(struct weft_one *one)
{
	weft_routes_free(&one->routes);
	weft_fabric_free(one->fabric);
	*one = (struct weft_one){ .fabric = NULL };
}

/* --- pairs ---------------------------------------------------------------- */

/*
 * Pairs up hosts: with the given probability with one of another subnet, else
 * with one of its own, as far as there are any left.  Of those that are left
 * over, any two are a pair.
 */
static void draw_bisection(struct sampling *x, struct weft_rng *rng,
			   double share)
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
		x->pair[x->npairs++] = (struct weft_pair){ from, x->host[k] };
		x->host[k] = x->host[i + 1];
	}
}

/* Lists the pairs of a round. */
static void list_pairs(struct sampling *x, struct weft_rng *rng, uint64_t i,
		       uint64_t rounds)
{
	struct weft_draw draw = { .rng = rng, .scratch = x->scratch };
	uint64_t all;

	weft_rng_seed_sample(rng, x->spec->seed, i);
	if (!x->traffic) {
		draw_bisection(x, rng, x->spec->share);
		return;
	}
	/* Of more rounds than are asked for, one of each stretch. */
	all = weft_traffic_rounds(x->traffic);
	x->npairs = weft_traffic_round(
		x->traffic, all > rounds ? i * all / rounds : i % all, &draw,
		x->pair);
	for (uint64_t k = 0; k < x->npairs; k++) {
		x->pair[k].from = x->rank[x->pair[k].from];
		x->pair[k].to = x->rank[x->pair[k].to];
	}
}

/* --- ways ----------------------------------------------------------------- */

/* Finds the channels of a way by the tables of one subnet.  Returns whether it
 * arrives. */
static bool follow_one(const struct weft_one *one, uint32_t from, uint32_t to,
		       uint32_t *channel, unsigned *n)
{
	const struct weft_fabric *f = one->fabric;
	uint32_t sw = f->ep[from].sw;

	for (*n = 0; *n < MAX_WAY;) {
		unsigned port =
			weft_lft_get(&one->routes.lft, sw, f->ep[to].lid);
		uint32_t peer;

		if (!port || port > f->sw[sw].nports)
			return false;
		peer = f->peer[weft_channel(f, sw, port)];
		if (peer == WEFT_NONE)
			return false;
		channel[(*n)++] = weft_channel(f, sw, port);
		if (!weft_is_switch(peer))
			return peer == (to | WEFT_ENDPORT);
		sw = peer;
	}
	return false;
}

/* Appends the way of a pair; false without memory.  *arrives tells whether it
 * leads there. */
static bool add_way(struct sampling *x, uint64_t i, bool *arrives)
{
	const struct weft_pair *p = &x->pair[i];
	size_t at = x->first[i];
	unsigned n = 0;

	if (weft__grow(&x->way, &x->room, at + MAX_WAY))
		return false;
	if (x->spec->one)
		*arrives = follow_one(x->spec->one, x->whole->ep[p->from],
				      x->whole->ep[p->to], &x->way[at], &n);
	else
		*arrives = weft_subnets_way(x->s, x->whole, x->map, p->from,
					    p->to, &x->way[at], MAX_WAY,
					    &n) == WEFT_WAY_ARRIVED;
	x->first[i + 1] = at + (*arrives ? n : 0);
	return true;
}

/* Returns the share that a stream gets of what its hosts have for each of their
 * streams. */
static double share_of(const struct sampling *x, uint64_t i)
{
	const struct weft_fabric *f = x->whole->fabric;
	const struct weft_pair *p = &x->pair[i];
	uint32_t streams = x->sends[p->from] > x->receives[p->to] ?
				   x->sends[p->from] :
				   x->receives[p->to];
	double full =
		(double)f->capacity[x->way[x->first[i + 1] - 1]] / streams;
	double least = 1;

	for (size_t k = x->first[i]; k < x->first[i + 1]; k++) {
		double part = (double)f->capacity[x->way[k]] /
			      x->count[x->way[k]] / full;

		least = part < least ? part : least;
	}
	return least;
}

static void count_ports(const struct sampling *x,
			struct weft_subnets_bandwidth *b)
{
	const struct weft_fabric *f = x->whole->fabric;
	uint32_t n = x->s->nports;

	for (uint32_t r = 0; r < n; r++) {
		const struct weft_router_port *p = &x->s->port[r];
		uint32_t ch =
			weft_channel(f, x->whole->router[p->router], p->port);
		uint32_t out = x->count[ch], in = x->count[f->reverse[ch]];

		b->port_most = out > b->port_most ? out : b->port_most;
		b->port_most = in > b->port_most ? in : b->port_most;
		if (x->spec->port_streams) {
			x->spec->port_streams[r] += in;
			x->spec->port_streams[n + r] += out;
		}
	}
}

/* Judges one round: the sum of its streams' shares. */
static bool judge(struct sampling *x, struct weft_subnets_bandwidth *b,
		  double *sum)
{
	memset(x->count, 0, x->whole->fabric->nch * sizeof(*x->count));
	memset(x->sends, 0, x->s->nhosts * sizeof(*x->sends));
	memset(x->receives, 0, x->s->nhosts * sizeof(*x->receives));
	x->first[0] = 0;
	for (uint64_t i = 0; i < x->npairs; i++) {
		const struct weft_pair *p = &x->pair[i];
		bool arrives;

		if (!add_way(x, i, &arrives))
			return false;
		x->sends[p->from]++;
		x->receives[p->to]++;
		b->lost += !arrives;
		b->crossing +=
			x->s->host[p->from].subnet != x->s->host[p->to].subnet;
		for (size_t k = x->first[i]; k < x->first[i + 1]; k++)
			x->count[x->way[k]]++;
	}
	*sum = 0;
	for (uint64_t i = 0; i < x->npairs; i++)
		if (x->first[i] < x->first[i + 1])
			*sum += share_of(x, i);
	count_ports(x, b);
	b->streams += x->npairs;
	return true;
}

/* --- begin and end -------------------------------------------------------- */

/* Finds which host each rank is, and makes the pattern for them, if there is
 * one: -EINVAL or -ENOMEM after an error. */
static int find_ranks(struct sampling *x, struct weft_diag *diag)
{
	struct weft_mapping m = { .nslots = 0 };
	uint32_t *host_of =
		malloc((x->whole->fabric->nep + 1ull) * sizeof(*host_of));
	bool by_name;
	int err = weft_mapping_natural(x->whole->fabric, true, &m, &by_name,
				       diag);

	if (!err && (!host_of || m.nslots != x->s->nhosts))
		err = weft_no_memory(diag);
	for (uint32_t h = 0; !err && h < x->s->nhosts; h++)
		host_of[x->whole->ep[h]] = h;
	for (uint32_t r = 0; !err && r < x->s->nhosts; r++)
		x->rank[r] = host_of[m.endport[r]];
	if (!err && x->spec->pattern)
		err = weft_traffic_placed(x->spec->pattern, x->whole->fabric,
					  m.endport, x->s->nhosts, &x->traffic,
					  diag);
	weft_mapping_free(&m);
	free(host_of);
	return err;
}

static int start(struct sampling *x, struct weft_diag *diag)
{
	uint32_t n = x->s->nhosts;
	uint64_t pairs = n, scratch = 0;
	int err;

	if (n < 2)
		return weft_fail(diag, EINVAL, "fewer than two hosts");
	x->rank = malloc((n + 1ull) * sizeof(*x->rank));
	err = x->rank ? find_ranks(x, diag) : weft_no_memory(diag);
	if (err)
		return err;
	if (x->traffic) {
		pairs = weft_traffic_max_pairs(x->traffic);
		if (!pairs)
			return weft_fail(diag, EINVAL,
					 "the pattern sends nothing");
		scratch = weft_traffic_scratch(x->traffic);
	}
	x->host = malloc((n + 1ull) * sizeof(*x->host));
	x->sends = malloc((n + 1ull) * sizeof(*x->sends));
	x->receives = malloc((n + 1ull) * sizeof(*x->receives));
	x->scratch = malloc((scratch + 1) * sizeof(*x->scratch));
	x->pair = malloc((pairs + 1) * sizeof(*x->pair));
	x->first = malloc((pairs + 1) * sizeof(*x->first));
	x->count = malloc((x->whole->fabric->nch + 1ull) * sizeof(*x->count));
	return x->host && x->sends && x->receives && x->scratch && x->pair &&
	       x->first && x->count ? 0 : weft_no_memory(diag);
}

static void end(struct sampling *x)
{
	weft_traffic_free(x->traffic);
	free(x->scratch);
	free(x->rank);
	free(x->host);
	free(x->sends);
	free(x->receives);
	free(x->pair);
	free(x->first);
	free(x->count);
	free(x->way);
}

/* Returns how many rounds there are to judge. */
static uint64_t count_rounds(const struct sampling *x)
{
	uint64_t all = x->traffic ? weft_traffic_rounds(x->traffic) : 0;

	if (!x->traffic || weft_traffic_is_random(x->traffic) ||
	    all > x->spec->patterns)
		return x->spec->patterns;
	return all;
}

int weft_subnets_measure(const struct weft_subnets *s,
			 const struct weft_whole *whole,
			 const struct weft_router_map *map,
			 const struct weft_subnets_spec *spec,
			 struct weft_subnets_bandwidth *out,
			 struct weft_diag *diag)
{
	struct sampling x = {
		.s = s, .whole = whole, .map = map, .spec = spec
	};
	struct weft_subnets_bandwidth b = { .mean = 0 };
	struct weft_rng *rng = weft_rng_new(spec->seed);
	double squares = 0, sum = 0;
	uint64_t judged = 0;
	int err = rng ? start(&x, diag) :
			weft_no_memory(diag);

	b.rounds = err ? 0 : count_rounds(&x);
	for (uint64_t i = 0; !err && i < b.rounds; i++) {
		list_pairs(&x, rng, i, b.rounds);
		if (!judge(&x, &b, &sum))
			err = weft_no_memory(diag);
		if (!x.npairs)
			continue;
		judged++;
		b.mean += sum / x.npairs;
		squares += (sum / x.npairs) * (sum / x.npairs);
	}
	weft_rng_free(rng);
	end(&x);
	if (err)
		return err;
	b.mean /= judged ? judged : 1;
	b.crossing /= b.streams ? b.streams : 1;
	if (judged > 1)
		b.error = sqrt(fmax(squares / judged - b.mean * b.mean, 0) /
			       (judged - 1));
	*out = b;
	return 0;
}
