// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Orders to begin with, and all orders where they are few; see search.h. */
#include "worth/place/search.h"

#include "graph/bfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t weft__place_orders(const struct weft__place *p)
{
	uint64_t n = 1;

	for (uint32_t i = 0; i < p->nunits && n <= WEFT__PLACE_ORDERS; i++)
		n *= p->nplaces - i;
	return n;
}

struct trial {
	struct weft__place_state s;
	struct weft__place_cost cost;	/* of the best */
	uint32_t *best;
};

/* Tries all orders of units from unit on. */
static void try_from(struct trial *t, uint32_t unit)
{
	const struct weft__place *p = t->s.p;

	if (unit == p->nunits) {
		if (!weft__place_cheaper(&t->s.cost, &t->cost))
			return;
		t->cost = t->s.cost;
		memcpy(t->best, t->s.place, p->nplaces * sizeof(*t->best));
		return;
	}
	for (uint32_t i = unit; i < p->nplaces; i++) {
		if (i > unit)
			weft__place_swap(&t->s, unit, i);
		try_from(t, unit + 1);
		if (i > unit)
			weft__place_swap(&t->s, unit, i);
	}
}

int weft__place_try_all(const struct weft__place *p, uint32_t *best)
{
	struct trial t = { .best = best };
	bool ok = weft__place_state_init(&t.s, p);

	if (ok) {
		weft__place_set(&t.s, best);
		t.cost = t.s.cost;
		try_from(&t, 0);
	}
	weft__place_state_free(&t.s);
	return ok ? 0 : -ENOMEM;
}

static uint32_t switch_of(const struct weft__place *p, uint32_t place)
{
	return p->paths.sw[p->host[(uint64_t)place * p->width]];
}

/* Places by switch. */
struct offer {
	uint32_t places, sw, place;
};

static int by_offer(const void *x, const void *y)
{
	const struct offer *a = x, *b = y;

	if (a->places != b->places)
		return a->places > b->places ? -1 : 1;
	if (a->sw != b->sw)
		return a->sw < b->sw ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Lists the places, the switches with most of them first; NULL without
 * memory. */
static struct offer *list_offers(const struct weft__place *p)
{
	uint32_t *at = calloc(p->fabric->nsw + 1ull, sizeof(*at));
	struct offer *offer = malloc((p->nplaces + 1ull) * sizeof(*offer));

	for (uint32_t i = 0; at && i < p->nplaces; i++)
		at[switch_of(p, i)]++;
	for (uint32_t i = 0; at && offer && i < p->nplaces; i++)
		offer[i] = (struct offer){ at[switch_of(p, i)],
					   switch_of(p, i), i };
	if (at && offer)
		qsort(offer, p->nplaces, sizeof(*offer), by_offer);
	if (!at) {
		free(offer);
		offer = NULL;
	}
	free(at);
	return offer;
}

int weft__place_packed(const struct weft__place *p, uint32_t *place)
{
	struct offer *offer = list_offers(p);

	for (uint32_t i = 0; offer && i < p->nplaces; i++)
		place[i] = offer[i].place;
	free(offer);
	return offer ? 0 : -ENOMEM;
}

/* Takes the places of the nearest switch that has some left: offer[] is by
 * switch, taken ones have no places any more. */
static uint32_t take_nearest(const struct weft__place *p, struct offer *offer,
			     const uint16_t *dist, uint32_t *place, uint32_t n)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t i = 0; i < p->nplaces; i++)
		if (offer[i].places &&
		    (best == WEFT_NONE ||
		     dist[offer[i].sw] < dist[offer[best].sw]))
			best = i;
	for (uint32_t i = best; i < p->nplaces &&
	     offer[i].sw == offer[best].sw; i++) {
		offer[i].places = 0;
		place[n++] = offer[i].place;
	}
	return n;
}

int weft__place_near(const struct weft__place *p, uint32_t *place)
{
	uint32_t nsw = p->fabric->nsw, n = 0;
	struct offer *offer = list_offers(p);
	uint16_t *dist = calloc(nsw + 1ull, sizeof(*dist));
	uint32_t *queue = malloc((nsw + 1ull) * sizeof(*queue));
	bool ok = offer && dist && queue;

	while (ok && n < p->nplaces) {
		n = take_nearest(p, offer, dist, place, n);
		weft__bfs(p->fabric, switch_of(p, place[n - 1]), dist, queue);
	}
	free(offer);
	free(dist);
	free(queue);
	return ok ? 0 : -ENOMEM;
}
