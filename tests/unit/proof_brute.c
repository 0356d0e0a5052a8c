// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "proof_brute.h"
#include "proof_random.h"

#include <stdlib.h>
#include <string.h>

/* One packet on its way. */
struct walk {
	uint32_t n;
	uint32_t *sw, *channel;		/* channels taken, by which switch */
	uint8_t *lane;
	int kind;			/* -1 = arrived */
	uint32_t dies_at;		/* switch */
};

static bool is_host(const struct brute *b, uint32_t vertex)
{
	if (weft_is_switch(vertex))
		return b->spec->switches;
	return b->spec->all_hosts ||
		b->fabric->ep[vertex & ~WEFT_ENDPORT].kind == WEFT_HOST;
}

static uint32_t vertex_at(const struct weft_fabric *f, uint32_t i)
{
	return i < f->nsw ? i : (i - f->nsw) + WEFT_ENDPORT;
}

/* One hop from w->sw[w->n]; true if the packet goes on. */
static bool hop(const struct brute *b, struct walk *w, unsigned in,
		uint32_t owner, unsigned lid, unsigned sl)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t sw = w->sw[w->n], ch;
	unsigned port = weft_lft_get(&b->routes->lft, sw, lid);

	w->dies_at = sw;
	w->kind = WEFT_FIND_NO_ROUTE;
	if (port == 255)
		return false;
	w->kind = WEFT_FIND_BAD_PORT;
	if (port > f->sw[sw].nports)
		return false;
	w->kind = WEFT_FIND_DEAD_END;
	ch = weft_channel(f, sw, port);
	if (port && f->peer[ch] == WEFT_NONE)
		return false;
	w->kind = WEFT_FIND_DROPPED;
	w->lane[w->n] = weft_layers_vl(&b->routes->layers, f, sw, in, port,
				       sl);
	if (w->lane[w->n] == 15)
		return false;
	w->channel[w->n++] = ch;
	w->kind = WEFT_FIND_LOOP;
	if (port && weft_is_switch(f->peer[ch]))
		return true;
	w->kind = (port ? f->peer[ch] : sw) == owner ? -1 :
		WEFT_FIND_WRONG_END;
	return false;
}

/* Far enough to go around any loop twice. */
static void walk(const struct brute *b, uint32_t source, unsigned lid,
		 unsigned sl, struct walk *w)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t owner = f->lid_owner[lid];
	unsigned in = weft_is_switch(source) ? 0 :
		f->ep[source & ~WEFT_ENDPORT].sw_port;

	w->n = 0;
	w->sw[0] = weft_vertex_switch(f, source);
	while (w->n < 3 * f->nsw && hop(b, w, in, owner, lid, sl)) {
		in = f->peer_port[w->channel[w->n - 1]];
		w->sw[w->n] = f->peer[w->channel[w->n - 1]];
	}
}

static uint32_t id_of(struct brute *b, uint32_t channel, unsigned lane)
{
	uint32_t *id = &b->id[lane * b->fabric->nch + channel];

	if (*id == WEFT_NONE) {
		if (b->nv == b->max)
			abort();
		b->vertex[b->nv] = lane * b->fabric->nch + channel;
		*id = b->nv++;
	}
	return *id;
}

/* Deliveries wait for nobody, so that nothing waits through them. */
static void enter(struct brute *b, const struct walk *w)
{
	for (uint32_t i = 1; i < w->n; i++) {
		uint32_t x, y;

		if (!weft_is_switch(b->fabric->peer[w->channel[i]]))
			break;
		x = id_of(b, w->channel[i - 1], w->lane[i - 1]);
		y = id_of(b, w->channel[i], w->lane[i]);
		b->edge[(size_t)x * b->max + y] = true;
	}
}

/* The first switch that the packet sees twice. */
static uint32_t loop_entry(const struct walk *w)
{
	for (uint32_t i = 0;; i++)
		for (uint32_t j = i + 1; j < w->n; j++)
			if (w->sw[i] == w->sw[j])
				return w->sw[i];
}

static uint32_t first_detour(const struct brute *b, const struct walk *w,
			     uint32_t home)
{
	const uint32_t *cables = b->cables + (size_t)home * b->fabric->nsw;

	for (uint32_t i = 0;; i++)
		if (cables[w->sw[i + 1]] + 1 != cables[w->sw[i]])
			return w->sw[i];
}

static void store(struct brute *b, struct weft_finding x)
{
	uint32_t *kept = &b->kept[x.kind];

	b->found[x.kind]++;
	if (x.sw != WEFT_NONE)
		x.port = weft_lft_get(&b->routes->lft, x.sw, x.lid);
	if (*kept < b->spec->max_examples)
		b->example[x.kind * b->spec->max_examples + (*kept)++] = x;
}

static void count(struct brute *b, uint32_t source, unsigned lid, unsigned sl,
		  const struct walk *w)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t dest = f->lid_owner[lid], home = weft_vertex_switch(f, dest);
	struct weft_finding x = { .source = source, .dest = dest, .lid = lid,
				  .sl = sl, .sw = w->dies_at };

	b->pairs++;
	if (w->kind >= 0) {
		x.kind = w->kind;
		if (x.kind == WEFT_FIND_LOOP)
			x.sw = loop_entry(w);
		if (x.kind == WEFT_FIND_NO_ROUTE &&
		    b->cables[(size_t)home * f->nsw + w->sw[0]] == UINT32_MAX)
			x.kind = WEFT_FIND_APART;
		store(b, x);
		return;
	}
	b->reached++;
	b->hops[w->n]++;
	for (uint32_t i = 0; i < w->n; i++)
		b->load[w->channel[i]] += weft_is_endport(source) &&
			weft_is_endport(dest);
	x.kind = WEFT_FIND_NONMINIMAL;
	x.hops = w->n;
	x.minimum = b->cables[(size_t)home * f->nsw + w->sw[0]] + 1;
	if (b->spec->minimal && x.hops > x.minimum) {
		x.sw = first_detour(b, w, home);
		store(b, x);
	}
}

static void measure(struct brute *b)
{
	uint32_t n = b->fabric->nsw, *d = b->cables;

	memset(d, 0xff, (size_t)n * n * sizeof(*d));
	for (uint32_t s = 0; s < n; s++)
		d[(size_t)s * n + s] = 0;
	for (uint32_t ch = 0; ch < b->fabric->first_injection; ch++) {
		uint32_t t = b->fabric->peer[ch];
		uint32_t s = weft_channel_switch(b->fabric, ch);

		if (weft_is_switch(t) && s != t)
			d[(size_t)s * n + t] = 1;
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < n; j++) {
				uint64_t way = (uint64_t)d[i * n + k] +
					d[k * n + j];

				if (way < d[i * n + j])
					d[i * n + j] = way;
			}
}

/* Length of the shortest cycle through v; 0 = none. */
static uint32_t cycle_through(const struct brute *b, uint32_t v)
{
	uint32_t *length = need(calloc(b->nv, sizeof(*length)));
	uint32_t *queue = need(malloc((b->nv + 1) * sizeof(*queue)));
	uint32_t head = 0, tail = 0, result = 0;

	queue[tail++] = v;
	while (head < tail && !result) {
		uint32_t x = queue[head++];

		for (uint32_t y = 0; y < b->nv; y++) {
			if (!b->edge[(size_t)x * b->max + y] || length[y])
				continue;
			length[y] = (x == v ? 0 : length[x]) + 1;
			if (y == v)
				result = length[y];
			queue[tail++] = y;
		}
	}
	free(length);
	free(queue);
	return result;
}

/* Everything that can be reached from v by at least one edge. */
static void reach(const bool *edge, uint32_t max, uint32_t n, uint32_t v,
		  bool *reached)
{
	uint32_t *stack = need(malloc((n + 1) * sizeof(*stack))), top = 0;

	stack[top++] = v;
	while (top) {
		uint32_t x = stack[--top];

		for (uint32_t y = 0; y < n; y++)
			if (edge[(size_t)x * max + y] && !reached[y]) {
				reached[y] = true;
				stack[top++] = y;
			}
	}
	free(stack);
}

static void find_cycles(struct brute *b)
{
	size_t n = b->nv;
	bool *to = need(calloc(n * n + 1, sizeof(*to)));

	b->length = need(calloc(n + 1, sizeof(*b->length)));
	b->knot = need(malloc((n + 1) * sizeof(*b->knot)));
	for (uint32_t v = 0; v < n; v++) {
		b->length[v] = cycle_through(b, v);
		reach(b->edge, b->max, n, v, to + v * n);
	}
	for (uint32_t v = 0; v < n; v++) {
		b->knot[v] = WEFT_NONE;
		for (uint32_t w = 0; w < n; w++)
			if (to[v * n + w] && to[w * n + v] &&
			    b->vertex[w] < b->knot[v])
				b->knot[v] = b->vertex[w];
	}
	free(to);
}

bool brute_cyclic(const bool *edge, uint32_t n)
{
	bool *reached = need(calloc(n + 1, sizeof(*reached))), cyclic = false;

	for (uint32_t v = 0; v < n && !cyclic; v++) {
		memset(reached, 0, n);
		reach(edge, n, n, v, reached);
		cyclic = reached[v];
	}
	free(reached);
	return cyclic;
}

/* Destinations without LID come after all others. */
static void count_no_lid(struct brute *b, uint32_t dest, unsigned lid)
{
	const struct weft_fabric *f = b->fabric;

	for (uint32_t i = 0; !lid && i < f->nsw + f->nep; i++) {
		uint32_t source = vertex_at(f, i);

		if (source == dest || !is_host(b, source) || !is_host(b, dest))
			continue;
		b->pairs++;
		store(b, (struct weft_finding){ .kind = WEFT_FIND_NO_LID,
			.source = source, .dest = dest, .sw = WEFT_NONE });
	}
}

bool brute_sends(const struct brute *b, uint32_t source, unsigned lid)
{
	uint32_t dest = b->fabric->lid_owner[lid];
	int switches = weft_is_switch(source);

	if (dest == WEFT_NONE || dest == source)
		return false;
	switches += weft_is_switch(dest);
	return switches == 0 || (b->spec->switches &&
				 (switches == 1 || b->spec->between_switches));
}

static void run_lid(struct brute *b, unsigned lid, struct walk *w)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t dest = f->lid_owner[lid];

	if (dest == WEFT_NONE || (weft_is_switch(dest) && !b->spec->switches))
		return;
	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		uint32_t source = vertex_at(f, i);
		unsigned sl;

		if (source == dest ||
		    (weft_is_switch(source) && !b->spec->switches))
			continue;
		sl = weft_layers_sl(&b->routes->layers, f, source, lid);
		walk(b, source, lid, sl, w);
		if (brute_sends(b, source, lid))
			enter(b, w);
		if (is_host(b, source) && is_host(b, dest))
			count(b, source, lid, sl, w);
	}
}

static void alloc(struct brute *b)
{
	const struct weft_fabric *f = b->fabric;
	size_t ids = (size_t)WEFT_NSL * f->nch;
	uint32_t between = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		between += f->peer[ch] != WEFT_NONE;
	b->max = WEFT_NSL * (between + f->nsw) + 1;
	b->hops = need(calloc(3 * f->nsw + 1, sizeof(*b->hops)));
	b->load = need(calloc(f->first_injection + 1,
			      sizeof(*b->load)));
	b->example = need(calloc(WEFT_FIND_KINDS * b->spec->max_examples + 1,
				 sizeof(*b->example)));
	b->cables = need(malloc((f->nsw * f->nsw + 1) * sizeof(uint32_t)));
	b->id = need(malloc((ids + 1) * sizeof(*b->id)));
	memset(b->id, 0xff, ids * sizeof(*b->id));
	b->vertex = need(malloc(b->max * sizeof(*b->vertex)));
	b->edge = need(calloc((size_t)b->max * b->max, sizeof(*b->edge)));
}

void brute_run(struct brute *b)
{
	const struct weft_fabric *f = b->fabric;
	size_t steps = 3 * f->nsw + 2;
	struct walk w = {
		.sw = need(malloc(steps * sizeof(*w.sw))),
		.channel = need(malloc(steps * sizeof(*w.channel))),
		.lane = need(malloc(steps)),
	};

	alloc(b);
	measure(b);
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		run_lid(b, lid, &w);
	for (uint32_t s = 0; s < f->nsw; s++)
		count_no_lid(b, s, f->sw[s].lid);
	for (uint32_t e = 0; e < f->nep; e++)
		count_no_lid(b, e + WEFT_ENDPORT, f->ep[e].lid);
	find_cycles(b);
	free(w.sw);
	free(w.channel);
	free(w.lane);
}

uint32_t brute_way(const struct brute *b, uint32_t source, unsigned lid,
		   uint32_t *way)
{
	const struct weft_fabric *f = b->fabric;
	uint32_t channel[3 * f->nsw + 1], sw[3 * f->nsw + 2], n = 0;
	uint8_t lane[3 * f->nsw + 1];
	struct walk w = { .sw = sw, .channel = channel, .lane = lane };

	walk(b, source, lid,
	     weft_layers_sl(&b->routes->layers, f, source, lid), &w);
	while (n < w.n && weft_is_switch(f->peer[channel[n]])) {
		way[n] = lane[n] * f->nch + channel[n];
		n++;
	}
	return n;
}

bool brute_waits(const struct brute *b, uint32_t x, unsigned vx, uint32_t y,
		 unsigned vy)
{
	uint32_t ix = b->id[vx * b->fabric->nch + x];
	uint32_t iy = b->id[vy * b->fabric->nch + y];

	return ix != WEFT_NONE && iy != WEFT_NONE &&
		b->edge[(size_t)ix * b->max + iy];
}

void brute_free(struct brute *b)
{
	free(b->hops);
	free(b->load);
	free(b->example);
	free(b->cables);
	free(b->id);
	free(b->vertex);
	free(b->edge);
	free(b->length);
	free(b->knot);
}
