// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: congestion of one round; see congestion.h and weft/model.h
 *
 * There are two passes, as in section IV-A of Hoefler, Schneider and Lumsdaine,
 * "Optimized Routing for Large-Scale InfiniBand Networks", HOTI 2009: the first
 * counts the streams on each channel, the second finds the most crowded channel
 * on each stream's route.
 *
 * Most of the time goes into waiting for table entries, and each hop needs the
 * hop before it.  Therefore all streams advance together, one hop at a time:
 * the look-ups of one hop are independent and overlap.  Streams that arrive
 * leave the list.  The first pass writes down each (stream, channel) in the
 * order of its visits, so that the second one reads a plain list and never
 * walks a route again.
 *
 * Rounds with more than CHUNK streams are walked in pieces, twice, so that the
 * lists stay small.
 *
 * Where links differ in speed, the most crowded channel is the one with the
 * largest count / capacity, compared as whole numbers.  Links of unknown speed
 * count as the slowest known one.
 *
 * Complexity: O(streams x hops) time; memory per thread O(CHUNK x hops +
 * channels), and a number for each stream.
 */
#include "worth/model/congestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 65536

struct weft__walker {
	const uint8_t *row;	/* of a LID of its destination */
	uint32_t sw;		/* where it is */
	uint32_t goal;		/* the destination's switch */
	uint32_t size;		/* units that it adds to a channel */
};

struct weft__use {
	uint32_t part;		/* within its chunk */
	uint32_t channel;
};

/* The count and capacity of the most crowded channel so far. */
struct weft__worst {
	uint32_t count, capacity;
};

static bool counts(const struct weft_fabric *f, uint32_t channel)
{
	return f->peer[channel] != WEFT_NONE && f->capacity[channel];
}

bool weft__parts_fit(const struct weft_fabric *fabric, uint64_t streams)
{
	return streams <= UINT32_MAX >> weft_fabric_lmc(fabric);
}

void weft__network_init(struct weft__network *net,
			const struct weft__paths *paths, bool endpoints,
			uint64_t max_streams)
{
	const struct weft_fabric *f = paths->fabric;
	uint32_t slowest = UINT32_MAX, fastest = 0;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		if (!counts(f, ch))
			continue;
		if (f->capacity[ch] < slowest)
			slowest = f->capacity[ch];
		if (f->capacity[ch] > fastest)
			fastest = f->capacity[ch];
	}
	*net = (struct weft__network){
		.paths = paths, .endpoints = endpoints,
		.even = slowest >= fastest, .slowest = slowest,
		.max_streams = max_streams,
		.unit = weft__paths_unit(paths),
	};
}

/* Returns the most streams of a chunk, so that it has CHUNK parts at most. */
static size_t chunk_streams(const struct weft__network *net)
{
	size_t most = CHUNK / net->unit;

	return net->max_streams < most ? net->max_streams : most;
}

bool weft__congestion_init(struct weft__congestion *c,
			   const struct weft__network *net, bool loads)
{
	size_t chunk = chunk_streams(net) * net->unit + 1;
	size_t nch = net->paths->fabric->nch;
	size_t hops = net->paths->max_hops + 2;

	*c = (struct weft__congestion){ .net = net };
	c->walker = malloc(chunk * sizeof(*c->walker));
	c->active = malloc(chunk * sizeof(*c->active));
	c->use = malloc(chunk * hops * sizeof(*c->use));
	c->count = calloc(nch, sizeof(*c->count));
	c->worst = malloc(chunk * sizeof(*c->worst));
	c->congestion = malloc((net->max_streams + 1) * sizeof(double));
	if (net->unit > 1)
		c->part = malloc(chunk * sizeof(*c->part));
	if (loads) {
		c->load = calloc(nch, sizeof(*c->load));
		c->peak = calloc(nch, sizeof(*c->peak));
	}
	return c->walker && c->active && c->use && c->count && c->worst &&
	       c->congestion && (net->unit == 1 || c->part) &&
	       (!loads || (c->load && c->peak));
}

void weft__congestion_free(struct weft__congestion *c)
{
	free(c->walker);
	free(c->active);
	free(c->use);
	free(c->count);
	free(c->worst);
	free(c->congestion);
	free(c->part);
	free(c->load);
	free(c->peak);
}

/* Streams first .. first + n - 1 of the round, and how many parts they have. */
struct chunk {
	const struct weft__streams *s;
	uint64_t first;
	uint32_t n, parts;
};

/* Returns where the congestion of a chunk's parts stands; whole streams are
 * parts themselves. */
static double *of_parts(struct weft__congestion *c, const struct chunk *k)
{
	return c->part ? c->part : c->congestion + k->first;
}

/* Puts each part at its start, to count step times its size. */
static void place_parts(struct weft__congestion *c, struct chunk *k,
			unsigned step)
{
	const struct weft__paths *p = c->net->paths;
	const struct weft__streams *s = k->s;
	const struct weft_pair *pair = s->pair + k->first;
	const uint8_t *offset = s->offset ? s->offset + k->first : NULL;
	struct weft__walker *w = c->walker;

	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t from = s->host[pair[i].from];
		uint32_t to = s->host[pair[i].to];
		unsigned parts = weft__paths_parts(p, to);
		uint32_t size = step * (c->net->unit / parts);

		for (unsigned o = 0; o < parts; o++, w++) {
			w->row = weft__paths_row(p, to,
						 offset ? offset[i] : o);
			w->sw = p->sw[from];
			w->goal = p->sw[to];
			w->size = size;
			__builtin_prefetch(&w->row[w->sw]);
		}
	}
	k->parts = w - c->walker;
}

/* Lists the parts that cross from switch to switch, and marks those that have
 * no route. */
static uint32_t list_active(struct weft__congestion *c, const struct chunk *k)
{
	double *part = of_parts(c, k);
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->parts; i++) {
		const struct weft__walker *w = &c->walker[i];
		bool reach = weft__paths_reach(w->row, w->sw);

		part[i] = reach ? 1 : INFINITY;
		c->active[n] = i;
		n += reach && w->sw != w->goal;
	}
	return n;
}

/* Counts the channels at both ends of each part that has a route. */
static struct weft__use *use_endpoints(struct weft__congestion *c,
				       const struct chunk *k,
				       struct weft__use *use)
{
	const struct weft__paths *p = c->net->paths;
	const struct weft_fabric *f = p->fabric;
	const struct weft_pair *pair = k->s->pair + k->first;
	const double *part = of_parts(c, k);
	uint32_t at = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t host = k->s->host[pair[i].to];
		uint32_t from = p->endport[k->s->host[pair[i].from]];
		uint32_t to = p->endport[host];
		uint32_t end = at + weft__paths_parts(p, host);

		for (; at < end; at++) {
			if (from == to || part[at] == INFINITY)
				continue;
			use[0] = (struct weft__use){
				at, f->first_injection + from };
			use[1] = (struct weft__use){
				at, weft_channel(f, f->ep[to].sw,
						 f->ep[to].sw_port) };
			c->count[use[0].channel] += c->walker[at].size;
			c->count[use[1].channel] += c->walker[at].size;
			use += 2;
		}
	}
	return use;
}

/* Walks the parts of a chunk and adds step times their size to the count of
 * each channel that they take.  Returns the number of entries in c->use. */
static size_t walk_chunk(struct weft__congestion *c, struct chunk *k,
			 unsigned step)
{
	const uint32_t *first_channel = c->net->paths->fabric->first_channel;
	const uint32_t *peer = c->net->paths->fabric->peer;
	struct weft__use *use = c->use;
	uint32_t nactive;

	place_parts(c, k, step);
	nactive = list_active(c, k);
	if (c->net->endpoints)
		use = use_endpoints(c, k, use);
	while (nactive) {
		uint32_t left = 0;

		for (uint32_t j = 0; j < nactive; j++) {
			uint32_t i = c->active[j];
			struct weft__walker *w = &c->walker[i];
			uint32_t ch = first_channel[w->sw] + w->row[w->sw];

			c->count[ch] += w->size;
			*use++ = (struct weft__use){ i, ch };
			w->sw = peer[ch];
			__builtin_prefetch(&w->row[w->sw]);
			c->active[left] = i;
			left += w->sw != w->goal;
		}
		nactive = left;
	}
	return use - c->use;
}

/* Finds the congestion of each part if all links are equally fast. */
static void find_most(struct weft__congestion *c, const struct chunk *k,
		      size_t nuse)
{
	double *part = of_parts(c, k), whole = 1.0 / c->net->unit;
	uint32_t *most = c->active;	/* all parts have arrived */

	memset(most, 0, k->parts * sizeof(*most));
	for (size_t u = 0; u < nuse; u++) {
		struct weft__use use = c->use[u];
		uint32_t here = c->count[use.channel];

		if (here > most[use.part])
			most[use.part] = here;
	}
	for (uint32_t i = 0; i < k->parts; i++) {
		double here = most[i] * whole;

		part[i] = part[i] > here ? part[i] : here;
	}
}

static uint32_t capacity(const struct weft__network *net, uint32_t channel)
{
	uint32_t known = net->paths->fabric->capacity[channel];

	return known ? known : net->slowest;
}

/* Returns the capacity of the slower one of the hosts' links. */
static uint32_t full_bandwidth(const struct weft__network *net, uint32_t from,
			       uint32_t to)
{
	const struct weft__paths *p = net->paths;
	uint32_t first = p->fabric->first_injection;
	uint32_t a = capacity(net, first + p->endport[from]);
	uint32_t b = capacity(net, first + p->endport[to]);

	return a < b ? a : b;
}

double weft__congestion_least(const struct weft__network *net, uint32_t from,
			      uint32_t to, uint32_t sends, uint32_t hears)
{
	const struct weft__paths *p = net->paths;
	uint32_t first = p->fabric->first_injection;
	double full = full_bandwidth(net, from, to);
	double a = sends * full / capacity(net, first + p->endport[from]);
	double b = hears * full / capacity(net, first + p->endport[to]);

	return a > b ? a : b;
}

/* Finds the most crowded channel of each part if links differ in speed. */
static void find_worst(struct weft__congestion *c, const struct chunk *k,
		       size_t nuse)
{
	for (uint32_t i = 0; i < k->parts; i++)
		c->worst[i] = (struct weft__worst){ 0, 1 };
	for (size_t u = 0; u < nuse; u++) {
		struct weft__use use = c->use[u];
		struct weft__worst *w = &c->worst[use.part];
		struct weft__worst here = {
			c->count[use.channel],
			capacity(c->net, use.channel)
		};

		if ((uint64_t)here.count * w->capacity >
		    (uint64_t)w->count * here.capacity)
			*w = here;
	}
}

/* Finds the congestion of each part if links differ in speed. */
static void weigh_worst(struct weft__congestion *c, const struct chunk *k)
{
	const struct weft_pair *pair = k->s->pair + k->first;
	double *part = of_parts(c, k), whole = 1.0 / c->net->unit;
	uint32_t at = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t to = k->s->host[pair[i].to];
		uint32_t full = full_bandwidth(c->net,
					       k->s->host[pair[i].from], to);
		uint32_t end = at + weft__paths_parts(c->net->paths, to);

		for (; at < end; at++) {
			double here = (double)c->worst[at].count * full /
				c->worst[at].capacity * whole;

			part[at] = part[at] > here ? part[at] : here;
		}
	}
}

/* Returns the congestion of a stream of n equal parts.  The sum over parts that
 * agree is not taken: it would be off by a last bit. */
static double join_parts(struct weft__congestion *c, const double *part,
			 unsigned n)
{
	double bandwidth = 0;
	unsigned lost = 0, same = 0;

	for (unsigned i = 0; i < n; i++) {
		bandwidth += 1 / part[i];
		lost += part[i] == INFINITY;
		same += part[i] == part[0];
	}
	c->partial += lost && lost < n;
	return same == n ? part[0] : n / bandwidth;
}

/* Finds the congestion of each stream from that of its parts. */
static void join_chunk(struct weft__congestion *c, const struct chunk *k)
{
	const struct weft_pair *pair = k->s->pair + k->first;
	const double *part = c->part;

	for (uint32_t i = 0; i < k->n; i++) {
		unsigned n = weft__paths_parts(c->net->paths,
					       k->s->host[pair[i].to]);

		c->congestion[k->first + i] = join_parts(c, part, n);
		part += n;
	}
}

static void find_congestion(struct weft__congestion *c, const struct chunk *k,
			    size_t nuse)
{
	if (c->net->even) {
		find_most(c, k, nuse);
	} else {
		find_worst(c, k, nuse);
		weigh_worst(c, k);
	}
	if (c->part)
		join_chunk(c, k);
}

/* Notes the load of a channel, and zeroes its count. */
static void note_load(struct weft__congestion *c, uint32_t ch)
{
	c->load[ch] += c->count[ch];
	if (c->count[ch] > c->peak[ch])
		c->peak[ch] = c->count[ch];
	c->count[ch] = 0;
}

/* Notes and zeroes the channels in the first nuse entries of c->use. */
static void clear_counts(struct weft__congestion *c, size_t nuse)
{
	for (size_t u = 0; c->load && u < nuse; u++)
		note_load(c, c->use[u].channel);
	for (size_t u = 0; !c->load && u < nuse; u++)
		c->count[c->use[u].channel] = 0;
}

static struct chunk chunk_at(const struct weft__streams *s, uint64_t first,
			     size_t most)
{
	uint64_t left = s->n - first;

	return (struct chunk){ .s = s, .first = first,
			       .n = left < most ? left : most };
}

static void run_chunks(struct weft__congestion *c,
		       const struct weft__streams *s)
{
	uint32_t nch = c->net->paths->fabric->nch;
	size_t most = chunk_streams(c->net);

	for (uint64_t i = 0; i < s->n; i += most) {
		struct chunk k = chunk_at(s, i, most);

		walk_chunk(c, &k, 1);
	}
	for (uint64_t i = 0; i < s->n; i += most) {
		struct chunk k = chunk_at(s, i, most);

		find_congestion(c, &k, walk_chunk(c, &k, 0));
	}
	for (uint32_t ch = 0; c->load && ch < nch; ch++)
		note_load(c, ch);
	memset(c->count, 0, nch * sizeof(*c->count));
}

void weft__congestion_run(struct weft__congestion *c,
			  const struct weft__streams *s)
{
	struct chunk k = chunk_at(s, 0, chunk_streams(c->net));
	size_t nuse;

	if (k.n < s->n) {
		run_chunks(c, s);
		return;
	}
	nuse = walk_chunk(c, &k, 1);
	find_congestion(c, &k, nuse);
	clear_counts(c, nuse);
}
