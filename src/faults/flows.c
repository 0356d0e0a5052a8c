// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the flows of all channels in one pass; see flows.h. */
#include "faults/flows.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int list_hosts(struct weft__flows *w, const struct weft_routes *routes,
		      bool all_hosts)
{
	const struct weft_fabric *f = w->f;
	uint32_t *host = malloc((f->nep + 1ull) * sizeof(*host)), n = 0;
	int err = host ? 0 : -ENOMEM;

	for (uint32_t e = 0; host && e < f->nep; e++)
		if (weft_endport_is_host(&f->ep[e], all_hosts))
			host[n++] = e;
	if (!err)
		err = weft__paths_init(&w->paths, f, &routes->lft,
				       w->lid_offset ? WEFT__ROWS_ALL :
						       WEFT__ROWS_BASE,
				       host, n);
	free(host);
	return err;
}

/* Finds what hosts' cables carry, and whose hosts are all alike. */
static void find_uniform(struct weft__flows *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t h = 0; h < w->paths.nhosts; h++) {
		w->capacity[h] =
			f->capacity[f->first_injection + w->paths.endport[h]];
		if (!w->capacity[h])
			w->capacity[h] = 1;
	}
	for (uint32_t s = 0; s < w->nsrc; s++) {
		uint32_t one = w->src_host[w->src_first[s]];

		w->uniform[s] = !w->lid_offset;
		for (uint32_t i = w->src_first[s]; i < w->src_first[s + 1]; i++)
			w->uniform[s] &=
				w->capacity[w->src_host[i]] == w->capacity[one];
	}
}

/* Lists the switches with hosts, and which hosts these are. */
static bool list_sources(struct weft__flows *w)
{
	const struct weft_fabric *f = w->f;
	uint32_t n = w->paths.nhosts, *at;

	w->capacity = malloc((n + 1ull) * sizeof(*w->capacity));
	w->uniform = malloc((f->nsw + 1ull) * sizeof(*w->uniform));
	w->src = malloc((f->nsw + 1ull) * sizeof(*w->src));
	w->src_of = malloc((f->nsw + 1ull) * sizeof(*w->src_of));
	w->src_first = calloc(f->nsw + 2ull, sizeof(*w->src_first));
	w->src_host = malloc((n + 1ull) * sizeof(*w->src_host));
	at = calloc(f->nsw + 1ull, sizeof(*at));
	if (!w->capacity || !w->uniform || !w->src || !w->src_of ||
	    !w->src_first || !w->src_host || !at) {
		free(at);
		return false;
	}
	for (uint32_t h = 0; h < n; h++)
		at[w->paths.sw[h]]++;
	for (uint32_t s = 0; s < f->nsw; s++) {
		w->src_of[s] = at[s] ? w->nsrc : WEFT_NONE;
		if (!at[s])
			continue;
		w->src[w->nsrc] = s;
		w->src_first[w->nsrc + 1] = w->src_first[w->nsrc] + at[s];
		at[s] = w->src_first[w->nsrc++];
	}
	for (uint32_t h = 0; h < n; h++)
		w->src_host[at[w->paths.sw[h]]++] = h;
	free(at);
	find_uniform(w);
	return true;
}

/* --- kinds of rows -------------------------------------------------------- */

static bool add_kind(struct weft__flows *w, uint32_t row,
		     struct weft__flow_kind k)
{
	if (weft__grow_one(&w->kind, w->nkinds))
		return false;
	k.sends = calloc(w->nsrc + 1ull, sizeof(*k.sends));
	k.much = calloc(w->nsrc + 1ull, sizeof(*k.much));
	w->row_kind[row] = w->nkinds;
	w->kind[w->nkinds++] = k;
	if (!k.sends || !k.much)
		return false;
	for (uint32_t h = 0; h < w->paths.nhosts; h++) {
		uint32_t own = w->capacity[h];
		uint32_t s = w->src_of[w->paths.sw[h]];

		if (!weft__flows_sends(w, h, row))
			continue;
		k.sends[s]++;
		k.much[s] += own < k.capacity ? own : k.capacity;
	}
	return true;
}

static bool find_kind(struct weft__flows *w, uint32_t row)
{
	uint32_t dest = w->row_dest[row];
	struct weft__flow_kind k = {
		.capacity = w->capacity[dest],
		.offset = row - w->row_first[dest],
		.mask = w->paths.mask[dest],
	};

	for (uint32_t i = w->nkinds; i-- > 0;)
		if (w->kind[i].capacity == k.capacity &&
		    w->kind[i].offset == k.offset &&
		    w->kind[i].mask == k.mask) {
			w->row_kind[row] = i;
			return true;
		}
	return add_kind(w, row, k);
}

static bool list_rows(struct weft__flows *w)
{
	uint32_t n = w->paths.nhosts;
	uint64_t rows = 0;

	w->row_first = malloc((n + 1ull) * sizeof(*w->row_first));
	for (uint32_t h = 0; w->row_first && h < n; h++) {
		w->row_first[h] = rows;
		rows += w->paths.mask[h] + 1u;
	}
	if (!w->row_first)
		return false;
	w->row_first[n] = w->nrows = rows;
	w->row_dest = malloc((rows + 1) * sizeof(*w->row_dest));
	w->row_kind = calloc(rows + 1, sizeof(*w->row_kind));
	if (!w->row_dest || !w->row_kind)
		return false;
	for (uint32_t h = 0; h < n; h++)
		for (uint32_t r = w->row_first[h]; r < w->row_first[h + 1];
		     r++) {
			w->row_dest[r] = h;
			if (!find_kind(w, r))
				return false;
		}
	return true;
}

/* --- routes --------------------------------------------------------------- */

/* Calls with each flow that hosts send, and its route. */
static void each_flow(struct weft__flows *w,
		      void (*call)(struct weft__flows *w, uint32_t row,
				   uint32_t s, const uint8_t *port))
{
	for (uint32_t r = 0; r < w->nrows; r++) {
		const uint32_t *sends = w->kind[w->row_kind[r]].sends;
		const uint8_t *port = weft__flows_row(w, r);

		for (uint32_t s = 0; s < w->nsrc; s++)
			if (sends[s])
				call(w, r, s, port);
	}
}

static void count_flow(struct weft__flows *w, uint32_t row, uint32_t s,
		       const uint8_t *port)
{
	const struct weft_fabric *f = w->f;
	uint32_t at = w->src[s], goal = w->paths.sw[w->row_dest[row]];

	if (!weft__paths_reach(port, at)) {
		w->nlost++;
		return;
	}
	while (at != goal) {
		uint32_t ch = weft_channel(f, at, port[at]);

		w->load[ch] += w->kind[w->row_kind[row]].much[s];
		w->index[ch + 1]++;
		at = f->peer[ch];
	}
}

/* index[c] is where the next flow of channel c goes, and in the end where those
 * of the next channel begin. */
static void put_flow(struct weft__flows *w, uint32_t row, uint32_t s,
		     const uint8_t *port)
{
	const struct weft_fabric *f = w->f;
	uint32_t at = w->src[s], goal = w->paths.sw[w->row_dest[row]];
	uint32_t flow = row * w->nsrc + s;

	if (!weft__paths_reach(port, at)) {
		w->lost[w->nlost++] = flow;
		return;
	}
	while (at != goal) {
		uint32_t ch = weft_channel(f, at, port[at]);

		w->flow[w->index[ch]++] = flow;
		at = f->peer[ch];
	}
}

static bool index_flows(struct weft__flows *w)
{
	uint32_t n = w->f->first_injection;

	w->load = calloc(n + 1ull, sizeof(*w->load));
	w->index = calloc(n + 2ull, sizeof(*w->index));
	if (!w->load || !w->index)
		return false;
	each_flow(w, count_flow);
	for (uint32_t c = 0; c < n; c++)
		w->index[c + 1] += w->index[c];
	w->flow = malloc((w->index[n] + 1) * sizeof(*w->flow));
	w->lost = malloc((w->nlost + 1ull) * sizeof(*w->lost));
	if (!w->flow || !w->lost)
		return false;
	w->nlost = 0;
	each_flow(w, put_flow);
	memmove(w->index + 1, w->index, n * sizeof(*w->index));
	w->index[0] = 0;
	return true;
}

/* --- what comes through --------------------------------------------------- */

struct busy {
	double share;
	uint32_t channel;
};

static int by_share(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

static bool sort_channels(struct weft__flows *w)
{
	uint32_t n = w->f->first_injection;
	struct busy *busy = malloc((n + 1ull) * sizeof(*busy));

	w->busiest = malloc((n + 1ull) * sizeof(*w->busiest));
	if (!busy || !w->busiest) {
		free(busy);
		return false;
	}
	for (uint32_t c = 0; c < n; c++)
		if (w->load[c])
			busy[w->nbusy++] = (struct busy){
				(double)w->load[c] / w->f->capacity[c], c
			};
	qsort(busy, w->nbusy, sizeof(*busy), by_share);
	for (uint32_t i = 0; i < w->nbusy; i++)
		w->busiest[i] = busy[i].channel;
	free(busy);
	return true;
}

static double let_through(const struct weft__flows *w, uint32_t row, uint32_t s,
			  const uint8_t *port)
{
	const struct weft_fabric *f = w->f;
	uint32_t at = w->src[s], goal = w->paths.sw[w->row_dest[row]];
	double others = w->paths.nhosts - 1.0, least = 1;

	if (!weft__paths_reach(port, at))
		return 0;
	while (at != goal) {
		uint32_t ch = weft_channel(f, at, port[at]);
		double part = f->capacity[ch] * others / w->load[ch];

		least = part < least ? part : least;
		at = f->peer[ch];
	}
	return least;
}

static void add_flow(struct weft__flows *w, uint32_t row, uint32_t s,
		     const uint8_t *port)
{
	uint32_t dest = w->row_dest[row];
	double part = let_through(w, row, s, port);

	for (uint32_t i = w->src_first[s]; i < w->src_first[s + 1]; i++) {
		uint32_t h = w->src_host[i];

		if (h == dest || !weft__flows_sends(w, h, row))
			continue;
		w->lost_pairs += part == 0;
		w->got[h] += part * weft__flows_worth(w, h, dest);
	}
}

static bool find_base(struct weft__flows *w)
{
	uint32_t n = w->paths.nhosts;
	double others = n > 1 ? n - 1.0 : 1;

	w->got = calloc(n + 1ull, sizeof(*w->got));
	if (!w->got || !sort_channels(w))
		return false;
	each_flow(w, add_flow);
	w->base = (struct weft_fault_bandwidth){
		.even = 1,
		.least = 1,
		.least_endport = WEFT_NONE,
	};
	if (n > 1 && w->nbusy) {
		uint32_t ch = w->busiest[0];
		double part = w->f->capacity[ch] * others / w->load[ch];

		w->base.even = part < 1 ? part : 1;
	}
	if (n > 1)
		w->base.even *= 1 - w->lost_pairs / (n * others);
	for (uint32_t h = 0; h < n; h++) {
		double got = w->got[h] / others;

		w->base.mean += got / n;
		if (w->base.least_endport == WEFT_NONE ||
		    got < w->base.least - 1e-12) {
			w->base.least = got;
			w->base.least_endport = w->paths.endport[h];
		}
	}
	return true;
}

int weft__flows_init(struct weft__flows *w, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, bool all_hosts)
{
	int err;

	*w = (struct weft__flows){
		.f = fabric,
		.lid_offset = routes->lid_offset,
	};
	err = list_hosts(w, routes, all_hosts);
	if (err)
		return err;
	if (!list_sources(w) || !list_rows(w))
		return -ENOMEM;
	if ((uint64_t)w->nrows * w->nsrc >= UINT32_MAX)
		return -EFBIG;
	return index_flows(w) && find_base(w) ? 0 : -ENOMEM;
}

void weft__flows_free(struct weft__flows *w)
{
	for (uint32_t i = 0; i < w->nkinds; i++) {
		free(w->kind[i].sends);
		free(w->kind[i].much);
	}
	weft__paths_free(&w->paths);
	free(w->kind);
	free(w->src);
	free(w->src_of);
	free(w->capacity);
	free(w->uniform);
	free(w->src_first);
	free(w->src_host);
	free(w->row_first);
	free(w->row_dest);
	free(w->row_kind);
	free(w->load);
	free(w->index);
	free(w->flow);
	free(w->lost);
	free(w->busiest);
	free(w->got);
}
