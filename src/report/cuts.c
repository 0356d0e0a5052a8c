// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cut switches and cables by depth-first search (Hopcroft, Tarjan 1973).  Each
 * switch weighs as much as it has hosts: what hangs below a cable in the tree
 * of the search, and cannot go round it, is what its loss takes away.
 */
#include "report/cuts.h"

#include <errno.h>
#include <stdlib.h>

struct search {
	const struct weft_fabric *f;
	uint32_t *hosts;   /* [nsw] on it */
	uint32_t *order;   /* [nsw] when it was met, from 1; 0 = not yet */
	uint32_t *low;	   /* [nsw] the earliest that is met from below */
	uint32_t *weight;  /* [nsw] hosts on it and below */
	uint32_t *next;	   /* [nsw] place in adj that is to be looked at */
	uint32_t *up;	   /* [nsw] channel it was met by, or WEFT_NONE */
	uint32_t *lost;	   /* [nsw] hosts in parts that it cuts off below,
			    * and */
	uint32_t *largest; /* [nsw] in the largest of these */
	uint32_t *met;	   /* [nsw] switches in the order they were met */
	uint32_t nmet;
};

static void meet(struct search *s, uint32_t sw, uint32_t up)
{
	s->met[s->nmet++] = sw;
	s->order[sw] = s->low[sw] = s->nmet;
	s->weight[sw] = s->hosts[sw];
	s->next[sw] = s->f->adj_first[sw];
	s->up[sw] = up;
}

/* Switch sw has been looked at wholly: tells the one it was met from. */
static uint32_t leave(struct search *s, uint32_t sw)
{
	uint32_t parent = weft_channel_switch(s->f, s->up[sw]);

	s->weight[parent] += s->weight[sw];
	if (s->low[sw] < s->low[parent])
		s->low[parent] = s->low[sw];
	if (s->low[sw] >= s->order[parent]) {
		s->lost[parent] += s->weight[sw];
		if (s->weight[sw] > s->largest[parent])
			s->largest[parent] = s->weight[sw];
	}
	return parent;
}

/* Meets all switches that cables join with root. */
static void search_from(struct search *s, uint32_t root)
{
	const struct weft_fabric *f = s->f;
	uint32_t sw = root;

	meet(s, root, WEFT_NONE);
	for (;;) {
		uint32_t ch, peer;

		if (s->next[sw] == f->adj_first[sw + 1]) {
			if (sw == root)
				return;
			sw = leave(s, sw);
			continue;
		}
		ch = f->adj[s->next[sw]++];
		peer = f->peer[ch];
		if (!s->order[peer]) {
			meet(s, peer, ch);
			sw = peer;
		} else if (f->reverse[ch] != s->up[sw] &&
			   s->order[peer] < s->low[sw]) {
			s->low[sw] = s->order[peer];
		}
	}
}

/* Hosts that are not in the largest part when all others are in parts of so
 * many: lost in those below, of which the largest, and the rest. */
static uint32_t cut_off(uint32_t lost, uint32_t largest, uint32_t rest)
{
	return lost + rest - (rest > largest ? rest : largest);
}

static int by_hosts(const void *a, const void *b)
{
	const struct weft__cut *x = a, *y = b;

	if (x->hosts != y->hosts)
		return x->hosts < y->hosts ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Lists what the search has found among the switches met from number first
 * on, which cables join; all: hosts on them. */
static void list_part(const struct search *s, uint32_t first, uint32_t all,
		      struct weft__cuts *out)
{
	for (uint32_t i = first; i < s->nmet; i++) {
		uint32_t sw = s->met[i], ch = s->up[sw];
		uint32_t rest = all - s->hosts[sw] - s->lost[sw];
		uint32_t off = cut_off(s->lost[sw], s->largest[sw], rest);

		if (off)
			out->sw[out->nsw++] = (struct weft__cut){ sw, off };
		if (ch == WEFT_NONE || s->low[sw] < s->order[sw])
			continue;
		off = s->weight[sw] < all - s->weight[sw] ? s->weight[sw] :
							    all - s->weight[sw];
		if (off)
			out->cable[out->ncables++] =
				(struct weft__cut){ ch, off };
	}
}

/* Nodes with one port, and where they are. */
static int count_single(const struct weft_fabric *f, bool all_hosts,
			struct weft__cuts *out)
{
	uint32_t *single = calloc(f->nsw + (size_t)1, sizeof(*single));

	if (!single)
		return -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e++)
		if (weft_endport_is_host(&f->ep[e], all_hosts) &&
		    f->node[f->ep[e].node].nendports == 1) {
			single[f->ep[e].sw]++;
			out->single++;
		}
	out->crowded = WEFT_NONE;
	for (uint32_t s = 0; s < f->nsw; s++) {
		out->homes += single[s] > 0;
		if (single[s] > out->crowd) {
			out->crowd = single[s];
			out->crowded = s;
		}
	}
	free(single);
	return 0;
}

static void search_all(struct search *s, bool all_hosts, struct weft__cuts *out)
{
	const struct weft_fabric *f = s->f;

	for (uint32_t e = 0; e < f->nep; e++)
		s->hosts[f->ep[e].sw] +=
			weft_endport_is_host(&f->ep[e], all_hosts);
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		uint32_t first = s->nmet;

		if (s->order[sw])
			continue;
		search_from(s, sw);
		list_part(s, first, s->weight[sw], out);
	}
	qsort(out->sw, out->nsw, sizeof(*out->sw), by_hosts);
	qsort(out->cable, out->ncables, sizeof(*out->cable), by_hosts);
}

int weft__cuts_find(const struct weft_fabric *f, bool all_hosts,
		    struct weft__cuts *out)
{
	size_t n = f->nsw + (size_t)1;
	uint32_t *room = calloc(9 * n, sizeof(*room));
	struct search s = {
		.f = f,
		.hosts = room,
		.order = room + n,
		.low = room + 2 * n,
		.weight = room + 3 * n,
		.next = room + 4 * n,
		.up = room + 5 * n,
		.lost = room + 6 * n,
		.largest = room + 7 * n,
		.met = room + 8 * n,
	};
	struct weft__cuts cuts = {
		.sw = calloc(n, sizeof(*cuts.sw)),
		.cable = calloc(n, sizeof(*cuts.cable)),
	};
	int err = -ENOMEM;

	if (room && cuts.sw && cuts.cable)
		err = count_single(f, all_hosts, &cuts);
	if (!err) {
		search_all(&s, all_hosts, &cuts);
		*out = cuts;
	} else {
		weft__cuts_free(&cuts);
	}
	free(room);
	return err;
}

void weft__cuts_free(struct weft__cuts *c)
{
	free(c->sw);
	free(c->cable);
	*c = (struct weft__cuts){ .sw = NULL };
}
