// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a set of failures does while the tables stay as they are.
 *
 * Flows that take a failed channel are gone, and so is what they put on the
 * other channels of their ways; hosts whose own cable fails send and receive
 * nothing.  Loads are whole numbers, so that taking from them is exact.  What
 * comes through of the flows that are left changes only where a channel that
 * carried more than it can hold has lost some of it; other flows are not
 * looked at.  Where hosts are gone and channels are full, all shares change,
 * and all flows are looked at.
 */
#include "faults/loss.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Differences that are due to the order of sums. */
#define NOISE 1e-12

int weft__judge_init(struct weft__judge *j, const struct weft__flows *w,
		     bool all_hosts)
{
	size_t channels = w->f->first_injection + 1ull;
	size_t hosts = w->paths.nhosts + 1ull;

	*j = (struct weft__judge){
		.w = w,
		.epoch = 1,
		.stamp = calloc((size_t)w->nrows * w->nsrc + 1,
				sizeof(*j->stamp)),
		.less = calloc(channels, sizeof(*j->less)),
		.met = calloc(channels, sizeof(*j->met)),
		.touched = malloc(channels * sizeof(*j->touched)),
		.gone = calloc(hosts, sizeof(*j->gone)),
		.host = malloc(hosts * sizeof(*j->host)),
		.change = malloc(hosts * sizeof(*j->change)),
		.source = malloc((w->nsrc + 1ull) * sizeof(*j->source)),
	};
	if (weft__down_init(&j->down, w->f, all_hosts) || !j->stamp ||
	    !j->less || !j->met || !j->touched || !j->gone || !j->host ||
	    !j->change || !j->source)
		return -ENOMEM;
	return 0;
}

void weft__judge_free(struct weft__judge *j)
{
	weft__down_free(&j->down);
	free(j->stamp);
	free(j->less);
	free(j->met);
	free(j->touched);
	free(j->gone);
	free(j->host);
	free(j->change);
	free(j->source);
}

/* --- loads ---------------------------------------------------------------- */

/* Takes that many Mbit/s from all channels of a flow's way. */
static void unload(struct weft__judge *j, uint32_t row, uint32_t s,
		   uint64_t much)
{
	const struct weft__flows *w = j->w;
	const uint8_t *port = weft__flows_row(w, row);
	uint32_t at = w->src[s], goal = w->paths.sw[w->row_dest[row]];

	if (!weft__paths_reach(port, at))
		return;
	while (at != goal) {
		uint32_t ch = weft_channel(w->f, at, port[at]);

		if (!j->met[ch]) {
			j->met[ch] = true;
			j->touched[j->ntouched++] = ch;
		}
		j->less[ch] += much;
		at = w->f->peer[ch];
	}
}

/* Takes from the hosts of s what they sent to a row, or part of it. */
static void lose(struct weft__judge *j, uint32_t row, uint32_t s, double part)
{
	const struct weft__flows *w = j->w;
	uint32_t dest = w->row_dest[row];

	if (w->uniform[s]) {
		uint32_t one = w->src_host[w->src_first[s]];

		part *= weft__flows_worth(w, one, dest);
		j->source[s] -= part;
		/* it sends nothing to itself */
		if (w->paths.sw[dest] == w->src[s])
			j->change[dest] += part;
		return;
	}
	for (uint32_t i = w->src_first[s]; i < w->src_first[s + 1]; i++) {
		uint32_t h = w->src_host[i];

		if (h != dest && weft__flows_sends(w, h, row))
			j->change[h] -= part * weft__flows_worth(w, h, dest);
	}
}

/* The shares that a flow gets through, each host sending to that many, when
 * channels carry what they did before, and what they do now. */
struct shares {
	double before, now;
};

static struct shares shares_of(const struct weft__judge *j, uint32_t row,
			       uint32_t s, double others)
{
	const struct weft__flows *w = j->w;
	const uint8_t *port = weft__flows_row(w, row);
	uint32_t at = w->src[s], goal = w->paths.sw[w->row_dest[row]];
	struct shares least = { 1, 1 };

	if (!weft__paths_reach(port, at))
		return (struct shares){ 0, 0 };
	while (at != goal) {
		uint32_t ch = weft_channel(w->f, at, port[at]);
		double holds = w->f->capacity[ch] * others;
		double load = w->load[ch], now = w->load[ch] - j->less[ch];

		/* mostly there is nothing to divide */
		if (load * least.before > holds)
			least.before = holds / load;
		if (now * least.now > holds)
			least.now = holds / now;
		at = w->f->peer[ch];
	}
	return least;
}

/* Removes a flow as a whole, unless it is gone already.  True: it was there. */
static bool remove_flow(struct weft__judge *j, uint32_t row, uint32_t s)
{
	const struct weft__flows *w = j->w;
	uint32_t *stamp = &j->stamp[row * w->nsrc + s];

	if (*stamp == j->epoch)
		return false;
	*stamp = j->epoch;
	lose(j, row, s, shares_of(j, row, s, w->paths.nhosts - 1.0).before);
	unload(j, row, s, w->kind[w->row_kind[row]].much[s]);
	return true;
}

/* Pairs of a flow of which both hosts are left. */
static uint32_t pairs_left(const struct weft__judge *j, uint32_t row,
			   uint32_t s)
{
	const struct weft__flows *w = j->w;
	uint32_t n = 0, dest = w->row_dest[row];

	if (!j->ngone && w->src[s] != w->paths.sw[dest])
		return w->kind[w->row_kind[row]].sends[s];
	if (j->gone[dest])
		return 0;
	for (uint32_t i = w->src_first[s]; i < w->src_first[s + 1]; i++) {
		uint32_t h = w->src_host[i];

		n += h != dest && !j->gone[h] && weft__flows_sends(w, h, row);
	}
	return n;
}

/* --- who is gone ---------------------------------------------------------- */

static void find_gone(struct weft__judge *j)
{
	const struct weft_fabric *f = j->w->f;

	for (uint32_t i = 0; i < j->down.n; i++) {
		uint32_t ch = j->down.list[i], h;

		if (ch < f->first_injection)
			continue;
		h = weft__paths_host(&j->w->paths, ch - f->first_injection);
		if (h == WEFT_NONE)
			continue;
		j->gone[h] = true;
		j->host[j->ngone++] = h;
	}
}

/* What hosts that are gone sent to those that are not, by flows that are left.
 */
static void stop_senders(struct weft__judge *j)
{
	const struct weft__flows *w = j->w;

	for (uint32_t i = 0; i < j->ngone; i++) {
		uint32_t h = j->host[i], s = w->src_of[w->paths.sw[h]];
		uint32_t own = w->capacity[h];

		for (uint32_t r = 0; r < w->nrows; r++) {
			uint32_t most = w->kind[w->row_kind[r]].capacity;

			if (j->stamp[r * w->nsrc + s] != j->epoch &&
			    weft__flows_sends(w, h, r))
				unload(j, r, s, own < most ? own : most);
		}
	}
}

/* Removes the flows to hosts that are gone, and from them. */
static void remove_gone(struct weft__judge *j)
{
	const struct weft__flows *w = j->w;

	for (uint32_t i = 0; i < j->ngone; i++) {
		uint32_t h = j->host[i];

		for (uint32_t r = w->row_first[h]; r < w->row_first[h + 1]; r++)
			for (uint32_t s = 0; s < w->nsrc; s++)
				if (w->kind[w->row_kind[r]].sends[s])
					remove_flow(j, r, s);
	}
}

/* Removes the flows through channels that failed.  Returns the pairs of hosts
 * left that they were of. */
static uint64_t remove_broken(struct weft__judge *j)
{
	const struct weft__flows *w = j->w;
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < j->down.n; i++) {
		uint32_t ch = j->down.list[i];

		if (ch >= w->f->first_injection)
			continue;
		for (uint64_t k = w->index[ch]; k < w->index[ch + 1]; k++) {
			uint32_t row = w->flow[k] / w->nsrc;
			uint32_t s = w->flow[k] % w->nsrc;

			if (remove_flow(j, row, s))
				pairs += pairs_left(j, row, s);
		}
	}
	return pairs;
}

/* --- bandwidth ------------------------------------------------------------ */

/* The part of what all hosts want to send to others that the fullest channel
 * holds; at most 1. */
static double fullest(const struct weft__judge *j, double others)
{
	const struct weft__flows *w = j->w;
	double least = 1;

	for (uint32_t i = 0; i < j->ntouched; i++) {
		uint32_t ch = j->touched[i];
		uint64_t load = w->load[ch] - j->less[ch];
		double part = w->f->capacity[ch] * others;

		if (load && part / load < least)
			least = part / load;
	}
	for (uint32_t i = 0; i < w->nbusy; i++) {
		uint32_t ch = w->busiest[i];

		if (j->met[ch])
			continue;
		if (w->f->capacity[ch] * others / w->load[ch] < least)
			least = w->f->capacity[ch] * others / w->load[ch];
		break;
	}
	return least;
}

/* Looks once more at the flows that share an overfull channel with those that
 * are gone. */
static void look_again(struct weft__judge *j)
{
	const struct weft__flows *w = j->w;
	double others = w->paths.nhosts - 1.0;

	for (uint32_t i = 0; i < j->ntouched; i++) {
		uint32_t ch = j->touched[i];

		if (w->f->capacity[ch] * others >= w->load[ch])
			continue;
		for (uint64_t k = w->index[ch]; k < w->index[ch + 1]; k++) {
			uint32_t flow = w->flow[k];
			uint32_t row = flow / w->nsrc, s = flow % w->nsrc;
			struct shares both;

			if (j->stamp[flow] >= j->epoch)
				continue;
			j->stamp[flow] = j->epoch + 1;
			both = shares_of(j, row, s, others);
			if (both.before < both.now)
				lose(j, row, s, both.before - both.now);
		}
	}
}

/* Looks at all flows. */
static void look_at_all(struct weft__judge *j, double others)
{
	const struct weft__flows *w = j->w;

	for (uint32_t h = 0; h < w->paths.nhosts; h++)
		j->change[h] = -w->got[h];
	memset(j->source, 0, w->nsrc * sizeof(*j->source));
	for (uint32_t r = 0; r < w->nrows; r++)
		for (uint32_t s = 0; s < w->nsrc; s++)
			if (w->kind[w->row_kind[r]].sends[s] &&
			    j->stamp[r * w->nsrc + s] != j->epoch)
				lose(j, r, s, -shares_of(j, r, s, others).now);
}

static void sum_up(const struct weft__judge *j, double others,
		   struct weft_fault_loss *out)
{
	const struct weft__flows *w = j->w;
	struct weft_fault_bandwidth *b = &out->bandwidth;
	double sum = 0;

	b->least = 1;
	for (uint32_t h = 0; h < w->paths.nhosts; h++) {
		double got = w->got[h] + j->change[h] +
			     j->source[w->src_of[w->paths.sw[h]]];

		if (j->gone[h])
			continue;
		got /= others;
		got = got < 0 ? 0 : got; /* by rounding */
		sum += got;
		if (b->least_endport == WEFT_NONE || got < b->least - NOISE) {
			b->least = got;
			b->least_endport = w->paths.endport[h];
		}
	}
	b->mean = sum / out->hosts;
}

static void find_bandwidth(struct weft__judge *j, struct weft_fault_loss *out)
{
	const struct weft__flows *w = j->w;
	double before = w->paths.nhosts - 1.0, others = out->hosts - 1.0;
	uint64_t lost = out->broken;
	double even = fullest(j, others);
	bool full = j->ngone &&
		    (even < 1 ||
		     (w->nbusy && w->f->capacity[w->busiest[0]] * before <
					  w->load[w->busiest[0]]));

	for (uint32_t i = 0; i < w->nlost; i++)
		if (j->stamp[w->lost[i]] != j->epoch)
			lost += pairs_left(j, w->lost[i] / w->nsrc,
					   w->lost[i] % w->nsrc);
	if (full)
		look_at_all(j, others);
	else if (!j->ngone)
		look_again(j);
	out->bandwidth.even = even * (1 - lost / (out->hosts * others));
	sum_up(j, others, out);
}

static void clear(struct weft__judge *j)
{
	for (uint32_t i = 0; i < j->ntouched; i++) {
		j->less[j->touched[i]] = 0;
		j->met[j->touched[i]] = false;
	}
	for (uint32_t i = 0; i < j->ngone; i++)
		j->gone[j->host[i]] = false;
	j->ntouched = j->ngone = 0;
	j->epoch += 2;
	if (j->epoch < UINT32_MAX - 4)
		return;
	memset(j->stamp, 0,
	       (size_t)j->w->nrows * j->w->nsrc * sizeof(*j->stamp));
	j->epoch = 1;
}

void weft__judge_loss(struct weft__judge *j, const uint32_t *part, uint32_t n,
		      struct weft_fault_loss *out)
{
	*out = (struct weft_fault_loss){
		.bandwidth.least_endport = WEFT_NONE,
	};
	weft__down_take(&j->down, part, n);
	weft__down_cut(&j->down, out, NULL);
	memset(j->change, 0, j->w->paths.nhosts * sizeof(*j->change));
	memset(j->source, 0, j->w->nsrc * sizeof(*j->source));
	find_gone(j);
	out->hosts = j->w->paths.nhosts - j->ngone;
	remove_gone(j);
	out->broken = remove_broken(j);
	stop_senders(j);
	if (out->hosts > 1)
		find_bandwidth(j, out);
	clear(j);
}
