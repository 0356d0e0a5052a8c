// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parts of a fabric that are alike; see weft_fault_alike().
 *
 * Switches, and nodes with several ports, are the vertices of a graph; a node
 * with one port is said in the label of its switch.  Twins, switches with the
 * same neighbours, may change places: all leaves of a group, or all spines.
 * Only one of each is kept, with their number in its label: whatever symmetry
 * the rest has can be told of the fabric, since each twin has the cables that
 * the one kept has, to every twin of its neighbours alike.  What is left of a
 * fat tree of 3,456 hosts are 324 vertices.
 */
#include "faults/symmetry.h"

#include "core/sets.h"

#include <weft/faults.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STEPS (UINT64_C(1) << 28)

struct alike {
	const struct weft_fabric *f;
	struct weft__labelled whole, less; /* all, and without twins */
	uint32_t *vertex; /* [nnodes] of a node with several ports */
	uint32_t *twin;	  /* [whole.n] */
	uint32_t *number; /* [whole.n] of the twin kept, in less */
	uint32_t *of_vertex, *of_edge; /* alike_root()s, of less */
};

/* --- the graph ------------------------------------------------------------ */

static uint64_t rate_label(const struct weft_fabric *f, uint32_t ch)
{
	return weft__mix(f->capacity[ch],
			 f->width[ch] | (uint64_t)f->speed[ch] << 8);
}

static uint64_t endport_label(const struct weft_fabric *f, uint32_t e)
{
	const struct weft_endport *ep = &f->ep[e];

	return weft__mix(rate_label(f, f->first_injection + e),
			 ep->kind | ep->lmc << 8 | (uint64_t)ep->port << 16 |
				 (uint64_t)ep->weight << 24);
}

static bool is_vertex(const struct weft_fabric *f, uint32_t e)
{
	return f->node[f->ep[e].node].nendports > 1;
}

static uint64_t switch_label(const struct weft_fabric *f, uint32_t s)
{
	uint64_t label = weft__mix(f->sw[s].nports, f->sw[s].role), sum = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		if (!is_vertex(f, f->sw_endport[i]))
			sum += weft__mix(1, endport_label(f, f->sw_endport[i]));
	return weft__mix(label, sum);
}

/* What the cable of a channel leads to in the graph, WEFT_NONE: nothing. */
static uint32_t end_of(const struct alike *a, uint32_t ch)
{
	uint32_t peer = a->f->peer[ch], e = peer & ~WEFT_ENDPORT;

	if (peer == WEFT_NONE || weft_is_switch(peer))
		return peer;
	return is_vertex(a->f, e) ? a->vertex[a->f->ep[e].node] : WEFT_NONE;
}

static uint64_t cable_label(const struct weft_fabric *f, uint32_t ch)
{
	return weft_is_switch(f->peer[ch]) ?
		       rate_label(f, ch) :
		       endport_label(f, f->peer[ch] & ~WEFT_ENDPORT);
}

/* Calls with both directions of each cable that is an edge. */
static void each_edge(struct alike *a,
		      void (*call)(struct weft__labelled *g, uint32_t from,
				   struct weft__edge edge))
{
	const struct weft_fabric *f = a->f;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);
			uint32_t to = end_of(a, ch);
			uint64_t label;

			if (to == WEFT_NONE)
				continue;
			label = cable_label(f, ch);
			call(&a->whole, s, (struct weft__edge){ to, label });
			if (to >= f->nsw)
				call(&a->whole, to,
				     (struct weft__edge){ s, label });
		}
}

static void count_edge(struct weft__labelled *g, uint32_t from,
		       struct weft__edge edge)
{
	(void)edge;
	g->first[from + 1]++;
}

static void put_edge(struct weft__labelled *g, uint32_t from,
		     struct weft__edge edge)
{
	g->edge[g->first[from]++] = edge;
}

static bool make_whole(struct alike *a)
{
	const struct weft_fabric *f = a->f;
	struct weft__labelled *g = &a->whole;
	size_t most = f->nsw + (size_t)f->nnodes + 2;

	g->label = malloc(most * sizeof(*g->label));
	g->first = calloc(most, sizeof(*g->first));
	a->vertex = malloc(most * sizeof(*a->vertex));
	if (!g->label || !g->first || !a->vertex)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++)
		g->label[g->n++] = switch_label(f, s);
	for (uint32_t i = 0; i < f->nnodes; i++) {
		a->vertex[i] = WEFT_NONE;
		if (f->node[i].nendports < 2)
			continue;
		a->vertex[i] = g->n;
		g->label[g->n++] =
			weft__mix(f->node[i].kind, f->node[i].nendports);
	}
	each_edge(a, count_edge);
	for (uint32_t v = 0; v < g->n; v++)
		g->first[v + 1] += g->first[v];
	g->edge = malloc((g->first[g->n] + 1ull) * sizeof(*g->edge));
	if (!g->edge)
		return false;
	each_edge(a, put_edge);
	memmove(g->first + 1, g->first, g->n * sizeof(*g->first));
	g->first[0] = 0;
	weft__labelled_sort(g);
	return true;
}

/* --- without twins -------------------------------------------------------- */

static bool make_less(struct alike *a)
{
	const struct weft__labelled *w = &a->whole;
	struct weft__labelled *g = &a->less;
	uint32_t *size = calloc(w->n + 1ull, sizeof(*size)), n = 0;

	a->number = malloc((w->n + 1ull) * sizeof(*a->number));
	g->label = malloc((w->n + 1ull) * sizeof(*g->label));
	g->first = calloc(w->n + 2ull, sizeof(*g->first));
	g->edge = malloc((w->first[w->n] + 1ull) * sizeof(*g->edge));
	if (!size || !a->number || !g->label || !g->first || !g->edge) {
		free(size);
		return false;
	}
	for (uint32_t v = 0; v < w->n; v++) {
		size[a->twin[v]]++;
		if (a->twin[v] == v)
			a->number[v] = g->n++;
	}
	/* twin[v] <= v: its number is known when that of v is asked for */
	for (uint32_t v = 0; v < w->n; v++) {
		a->number[v] = a->number[a->twin[v]];
		if (a->twin[v] != v)
			continue;
		g->label[a->number[v]] = weft__mix(w->label[v], size[v]);
		for (uint32_t e = w->first[v]; e < w->first[v + 1]; e++) {
			uint32_t to = w->edge[e].to;

			if (a->twin[to] == to)
				g->edge[n++] = w->edge[e];
		}
		g->first[a->number[v] + 1] = n;
	}
	for (uint32_t e = 0; e < n; e++)
		g->edge[e].to = a->number[g->edge[e].to];
	free(size);
	weft__labelled_sort(g);
	return true;
}

static uint32_t *begin_sets(uint32_t n)
{
	uint32_t *set = malloc((n + 1ull) * sizeof(*set));

	if (set)
		weft__sets_begin(set, n);
	return set;
}

static int find_symmetries(struct alike *a)
{
	if (!make_whole(a))
		return -ENOMEM;
	a->twin = malloc((a->whole.n + 1ull) * sizeof(*a->twin));
	if (!a->twin || weft__twins(&a->whole, a->twin) || !make_less(a))
		return -ENOMEM;
	a->of_vertex = begin_sets(a->less.n);
	a->of_edge = begin_sets(a->less.first[a->less.n]);
	if (!a->of_vertex || !a->of_edge)
		return -ENOMEM;
	return weft__symmetries(&a->less, STEPS, a->of_vertex, a->of_edge);
}

/* --- parts ---------------------------------------------------------------- */

/* What parts that are alike have in common. */
struct key {
	uint64_t kind, root, label;
	uint32_t part;
};

static struct key cable_key(const struct alike *a, uint32_t ch)
{
	const struct weft_fabric *f = a->f;
	const struct weft__labelled *g = &a->less;
	uint32_t from, to, e;

	if (ch >= f->first_injection)
		ch = f->reverse[ch];
	from = weft_channel_switch(f, ch);
	to = end_of(a, ch);
	if (to == WEFT_NONE)
		return (struct key){
			1, weft__sets_find(a->of_vertex, a->number[from]),
			cable_label(f, ch), 0
		};
	from = a->number[from];
	to = a->number[to];
	e = g->first[from];
	while (g->edge[e].to != to || g->edge[e].label != cable_label(f, ch))
		e++;
	return (struct key){ 2, weft__sets_find(a->of_edge, e), 0, 0 };
}

static struct key key_of(const struct alike *a, uint32_t part)
{
	if (!(part & WEFT_PART_SWITCH))
		return cable_key(a, part);
	part = a->number[part & ~WEFT_PART_SWITCH];
	return (struct key){ 0, weft__sets_find(a->of_vertex, part), 0, 0 };
}

static int by_key(const void *va, const void *vb)
{
	const struct key *a = va, *b = vb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

static void compare_parts(const struct alike *a, const uint32_t *part,
			  uint32_t n, struct key *key, uint32_t *like)
{
	for (uint32_t i = 0; i < n; i++) {
		key[i] = key_of(a, part[i]);
		key[i].part = i;
	}
	qsort(key, n, sizeof(*key), by_key);
	for (uint32_t i = 0; i < n; i++) {
		bool new = !i || key[i].kind != key[i - 1].kind ||
			   key[i].root != key[i - 1].root ||
			   key[i].label != key[i - 1].label;

		like[key[i].part] = new ? key[i].part : like[key[i - 1].part];
	}
}

int weft_fault_alike(const struct weft_fabric *f, const uint32_t *part,
		     uint32_t n, uint32_t *like)
{
	struct alike a = { .f = f };
	struct key *key = malloc((n + 1ull) * sizeof(*key));
	int err = key ? find_symmetries(&a) : -ENOMEM;

	if (!err)
		compare_parts(&a, part, n, key, like);
	free(key);
	weft__labelled_free(&a.whole);
	weft__labelled_free(&a.less);
	free(a.vertex);
	free(a.twin);
	free(a.number);
	free(a.of_vertex);
	free(a.of_edge);
	return err;
}
