// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Dependencies that come and go with the entries; see buffers.h. */
#include "transition/buffers.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 1, ASIDE = 2 };

int weft__buffers_init(struct weft__buffers *b, const struct weft__transit *t)
{
	const struct weft__knots *knots = &t->knots;
	uint32_t n = knots->first[knots->n];
	int err;

	*b = (struct weft__buffers){ .t = t, .radix = 256 };
	err = weft__order_init(&b->order, t->fabric, t->nlanes);
	if (err)
		return err;
	b->order.work_limit = WEFT__BUFFERS_WORK;
	b->rank = calloc(t->waits.nv, sizeof(*b->rank));
	b->count = calloc((size_t)n * b->radix, sizeof(*b->count));
	b->mark = calloc((size_t)n * b->radix, 1);
	b->seen = calloc(t->fabric->nsw, sizeof(*b->seen));
	b->from = malloc(t->waits.nv * sizeof(*b->from));
	b->queue = malloc(t->waits.nv * sizeof(*b->queue));
	if (!b->rank || !b->count || !b->mark || !b->seen || !b->from ||
	    !b->queue) {
		weft__buffers_free(b);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		b->rank[knots->vertex[i]] = i;
	return 0;
}

void weft__buffers_free(struct weft__buffers *b)
{
	if (b->t)
		weft__order_free(&b->order);
	free(b->rank);
	free(b->count);
	free(b->mark);
	free(b->from);
	free(b->queue);
	free(b->around.wait);
	free(b->seen);
	free(b->add.wait);
	free(b->drop.wait);
	free(b->aside.wait);
	*b = (struct weft__buffers){ 0 };
}

static void push(struct weft__buffers *b, struct weft__waits *list,
		 struct weft__wait wait)
{
	if (weft__grow(&list->wait, &list->room, list->n + 1)) {
		b->failed = true;
		return;
	}
	list->wait[list->n++] = wait;
}

/* Returns the switch that an entry leads to, or WEFT_NONE. */
static uint32_t next_of(const struct weft_fabric *f, uint32_t s, unsigned port)
{
	uint32_t first = f->first_channel[s], peer;

	if (port >= f->first_channel[s + 1] - first)
		return WEFT_NONE;
	peer = f->peer[first + port];
	return weft_is_switch(peer) ? peer : WEFT_NONE;
}

/* Puts a dependency on a list if it can be part of a circle: of what switch s
 * sends by port on a lane, on the way by then of the switch at the far end. */
static void note(struct weft__buffers *b, struct weft__waits *list, uint32_t s,
		 unsigned port, unsigned lane, unsigned then)
{
	const struct weft_fabric *f = b->t->fabric;
	uint32_t base = lane * b->t->waits.nch;
	uint32_t v = base + weft_channel(f, s, port);
	uint32_t to = next_of(f, s, port), knot = b->t->knots.of[v];

	if (knot == WEFT_NONE || next_of(f, to, then) == WEFT_NONE ||
	    b->t->knots.of[base + weft_channel(f, to, then)] != knot)
		return;
	push(b, list, (struct weft__wait){ v, then });
}

/* Does so for all lanes on which switch s sends to the slot. */
static void note_lanes(struct weft__buffers *b, struct weft__waits *list,
		       const struct weft__slot *slot, uint32_t s, unsigned then)
{
	uint32_t n = b->t->nlanes;

	for (uint32_t l = 0; l < n; l++)
		if (slot->flow[(size_t)s * n + l])
			note(b, list, s, slot->port[s], l, then);
}

/* Puts all dependencies of a slot on a list. */
static void note_slot(struct weft__buffers *b, struct weft__waits *list,
		      const struct weft__slot *slot)
{
	const struct weft_fabric *f = b->t->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t to = next_of(f, s, slot->port[s]);

		if (to != WEFT_NONE)
			note_lanes(b, list, slot, s, slot->port[to]);
	}
}

/* Adds the traffic of switch s all along its way. */
static void send(struct weft__buffers *b, struct weft__slot *slot, uint32_t s)
{
	uint32_t n = b->t->nlanes, at = s;

	b->round++;
	while (at != WEFT_NONE && b->seen[at] != b->round) {
		b->seen[at] = b->round;
		for (unsigned c = slot->classes[s]; c; c &= c - 1)
			slot->flow[(size_t)at * n + __builtin_ctz(c)]++;
		at = next_of(b->t->fabric, at, slot->port[at]);
	}
	slot->circle |= at != WEFT_NONE;
}

void weft__slot_flows(struct weft__buffers *b, struct weft__slot *slot,
		      bool enter)
{
	uint32_t nsw = b->t->fabric->nsw;

	memset(slot->flow, 0, (size_t)nsw * b->t->nlanes * sizeof(*slot->flow));
	slot->circle = false;
	for (uint32_t s = 0; s < nsw; s++)
		if (slot->classes[s])
			send(b, slot, s);
	if (enter)
		note_slot(b, &b->add, slot);
}

/* Puts on a list what packets into switch s wait for there. */
static void note_into(struct weft__buffers *b, struct weft__waits *list,
		      const struct weft__slot *slot, uint32_t s)
{
	const struct weft_fabric *f = b->t->fabric;

	if (next_of(f, s, slot->port[s]) == WEFT_NONE)
		return;
	for (uint32_t a = f->adj_first[s]; a < f->adj_first[s + 1]; a++) {
		uint32_t from = f->peer[f->adj[a]];

		if (slot->port[from] == f->peer_port[f->adj[a]])
			note_lanes(b, list, slot, from, slot->port[s]);
	}
}

/* Takes the flow of switch s from its way, or hands it on along it. */
static void shift_flow(struct weft__buffers *b, struct weft__slot *slot,
		       uint32_t s, bool hand_on)
{
	const struct weft_fabric *f = b->t->fabric;
	uint32_t n = b->t->nlanes, x = next_of(f, s, slot->port[s]), y;
	struct weft__waits *list = hand_on ? &b->add : &b->drop;

	if (x != WEFT_NONE)
		note_lanes(b, list, slot, s, slot->port[x]);
	for (; x != WEFT_NONE; x = y) {
		y = next_of(f, x, slot->port[x]);
		for (uint32_t l = 0; l < n; l++) {
			uint16_t more = slot->flow[(size_t)s * n + l];
			uint16_t *flow = &slot->flow[(size_t)x * n + l];
			bool before = *flow;

			*flow = hand_on ? *flow + more : *flow - more;
			if (y != WEFT_NONE && before != (*flow != 0))
				note(b, list, x, slot->port[x], l,
				     slot->port[y]);
		}
	}
}

static bool has_flow(const struct weft__buffers *b,
		     const struct weft__slot *slot, uint32_t s)
{
	for (uint32_t l = 0; l < b->t->nlanes; l++)
		if (slot->flow[(size_t)s * b->t->nlanes + l])
			return true;
	return false;
}

/* Returns true if packets from s would go round by another entry. */
static bool would_circle(const struct weft__buffers *b,
			 const struct weft__slot *slot, uint32_t s,
			 uint8_t port)
{
	uint8_t former = slot->port[s];
	uint64_t steps = 0;
	uint32_t at;
	unsigned end;

	slot->port[s] = port;
	end = weft__transit_walk(b->t->fabric, slot->port, slot->owner, s, &at,
				 &steps);
	slot->port[s] = former;
	return end == WEFT_LOOP;
}

void weft__slot_change(struct weft__buffers *b, struct weft__slot *slot,
		       uint32_t s, uint8_t port)
{
	if (!has_flow(b, slot, s)) {
		slot->port[s] = port;
		return;
	}
	if (slot->circle || would_circle(b, slot, s, port)) {
		note_slot(b, &b->drop, slot);
		slot->port[s] = port;
		weft__slot_flows(b, slot, true);
		return;
	}
	note_into(b, &b->drop, slot, s);
	shift_flow(b, slot, s, false);
	slot->port[s] = port;
	note_into(b, &b->add, slot, s);
	shift_flow(b, slot, s, true);
}

static size_t place_of(const struct weft__buffers *b, struct weft__wait wait)
{
	return (size_t)b->rank[wait.v] * b->radix + wait.port;
}

static void put_aside(struct weft__buffers *b, struct weft__wait wait)
{
	uint8_t *mark = &b->mark[place_of(b, wait)];

	if (!(*mark & ASIDE))
		push(b, &b->aside, wait);
	*mark |= ASIDE;
}

/* Puts the dependency by which w was found from b->from[w] on the circle. */
static void keep(struct weft__buffers *b, struct weft__wait wait)
{
	b->mark[place_of(b, wait)] |= AROUND;
	push(b, &b->around, wait);
}

/* Finds and keeps the circle that a dependency closes which the order has
 * refused.  There is none if the order ran out of work. */
static void find_circle(struct weft__buffers *b, struct weft__wait last)
{
	const struct weft__cdg *g = &b->order.cdg;
	uint32_t w = weft__cdg_head(g, last.v, last.port), n = 1, next;

	memset(b->from, 255, g->nv * sizeof(*b->from));
	b->queue[0] = b->from[w] = w;
	for (uint32_t i = 0; i < n && b->from[last.v] == WEFT_NONE; i++)
		for (uint32_t at = 0;
		     (next = weft__cdg_next(g, b->queue[i], &at)) !=
		     WEFT_NONE;) {
			if (b->from[next] != WEFT_NONE)
				continue;
			b->from[next] = b->queue[i];
			b->queue[n++] = next;
		}
	b->order.work += n;
	if (b->from[last.v] == WEFT_NONE)
		return;
	b->circle = true;
	keep(b, last);
	for (uint32_t v = last.v; v != w; v = b->from[v]) {
		uint32_t base = b->from[v] - b->from[v] % g->nch;
		uint32_t sw = g->fabric->peer[b->from[v] - base];

		keep(b, (struct weft__wait){
				b->from[v],
				v - base - g->fabric->first_channel[sw] });
	}
}

static void break_circle(struct weft__buffers *b)
{
	for (size_t i = 0; i < b->around.n; i++)
		b->mark[place_of(b, b->around.wait[i])] &= ~AROUND;
	b->around.n = 0;
	b->circle = false;
}

/* Takes in a dependency that is new. */
static void enter(struct weft__buffers *b, struct weft__wait wait)
{
	if (!b->circle && weft__order_add(&b->order, wait.v, wait.port))
		return;
	put_aside(b, wait);
	if (!b->circle)
		find_circle(b, wait);
}

void weft__buffers_add(struct weft__buffers *b)
{
	for (size_t i = 0; i < b->add.n; i++)
		if (!b->count[place_of(b, b->add.wait[i])]++)
			enter(b, b->add.wait[i]);
	b->add.n = 0;
}

/* Takes in what waits aside, after the circle broke. */
static void try_again(struct weft__buffers *b)
{
	size_t n = b->aside.n;

	b->aside.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct weft__wait wait = b->aside.wait[i];
		size_t place = place_of(b, wait);

		b->mark[place] &= ~ASIDE;
		if (b->count[place])
			enter(b, wait);
	}
}

void weft__buffers_drop(struct weft__buffers *b)
{
	bool any = false;

	for (size_t i = 0; i < b->drop.n; i++) {
		struct weft__wait wait = b->drop.wait[i];
		size_t place = place_of(b, wait);

		if (--b->count[place])
			continue;
		any = true;
		if (weft__cdg_has(&b->order.cdg, wait.v, wait.port))
			weft__order_remove(&b->order, wait.v, wait.port);
		if (b->mark[place] & AROUND)
			break_circle(b);
	}
	b->drop.n = 0;
	if (any && !b->circle && b->aside.n)
		try_again(b);
}
