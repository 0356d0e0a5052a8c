// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: bend, routes that change where lanes run out
 *
 * Lanes for all routes as they are may be more than there are, and other shortest
 * ways need not do with fewer.  Up*Down* needs one, but all its ways lead past the
 * top of an order, where they crowd.
 *
 * Here each lane gets an order, and routes whose turns no lane allows take others,
 * which are hardly longer (lanes/fit.c).  With several lanes these are orders of the
 * switches in which nearly all pairs find a shortest way (lanes/orders.c), and what
 * the routes were remains for the most part.  With one lane, and if some pair has
 * none so, they are orders of channels that allow the turns which the routes need most
 * (lanes/orders_by_turns.c), and the trees grow anew within them.  Each has a tree
 * that joins all switches, so that every pair has a way.
 *
 * Routes begin as shortest ones: where they are not, or lead nowhere, they become so
 * first.
 */
#include "layers/bend.h"

#include "core/arena.h"
#include "graph/vls.h"
#include "lanes/fit.h"
#include "lanes/orders_by_turns.h"
#include "layers/choices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FITTING 4	/* times the effort, to find lanes and ways */

struct bend {
	struct weft__job *job;
	struct weft_arena *arena;
	struct weft__ways ways;
	struct weft__trees trees;
	struct weft__balance balance;
	struct weft__orders orders;
};

/* Has the trees follow shortest ways. */
static int read_trees(struct bend *b)
{
	const struct weft__traffic *t = &b->job->traffic;
	const struct weft_fabric *f = b->job->fabric;
	uint32_t n = t->first[t->nsw];

	if (!weft__ways_init(&b->ways, f, b->arena, NULL) ||
	    !weft__choices_list(t, t->live, n, b->arena, &b->trees) ||
	    !weft__balance_init(&b->balance, f, b->arena))
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		weft__choices_of_ports(t, t->live[i]);
	b->balance.looked = b->ways.looked;
	weft__balance_lead_back(&b->balance, &b->ways, &b->trees);
	return 0;
}

static int choose_orders(struct bend *b, unsigned lanes, bool turns)
{
	const struct weft__closeness *close = &b->job->updown.close;
	const struct weft__turns_wanted wanted = {
		.ways = &b->ways, .trees = &b->trees, .balance = &b->balance,
		.close = close, .work = b->job->effort, .ties = true,
	};

	if (turns)
		return weft__orders_by_turns(&b->orders, lanes, &wanted,
					     b->arena, &b->job->work);
	return weft__orders_choose(&b->orders, &b->ways, close, lanes,
				   b->arena) ? 0 : -ENOMEM;
}

/* Finds ways and lanes within the orders. */
static int fit(struct bend *b, bool turns, struct weft_layers *layers,
	       bool *found)
{
	const struct weft__traffic *t = &b->job->traffic;
	const struct weft__vls vls = { .of = t->room };
	const struct weft__lanes_held held = {
		.up = b->orders.parent, .min_common_lanes = 1,
	};
	struct weft__fit spec = {
		.close = &b->job->updown.close, .held = turns ? &held : NULL,
		.budget = (double)b->job->effort * FITTING,
		.arena = b->arena,
	};

	if (t->room) {
		spec.room = weft__vls_room(&vls, t->fabric, b->orders.n,
					   b->arena);
		if (!spec.room)
			return -ENOMEM;
	}
	b->balance.limit = b->balance.looked + b->job->effort +
		weft__fit_least(t->fabric, b->trees.n,
				t->fabric->adj_first[t->nsw]);
	return weft__fit_lanes(&spec, &b->ways, &b->trees, &b->balance,
			       &b->orders, layers, found);
}

/* Takes over the lanes of pairs. */
static int take_lanes(const struct weft__job *job,
		      struct weft_layers *layers, struct weft__lanes_found *out)
{
	size_t n = (size_t)job->fabric->nsw * job->fabric->nsw;

	*out = (struct weft__lanes_found){
		.lane = layers->table ? layers->table : calloc(n + 1, 1),
		.nlanes = layers->nvl ? layers->nvl : 1,
	};
	layers->table = NULL;
	return out->lane ? 0 : -ENOMEM;
}

static int bend(struct bend *b, unsigned lanes, bool turns,
		struct weft__lanes_found *out)
{
	const struct weft__traffic *t = &b->job->traffic;
	struct weft_layers layers;
	bool found = false;
	int err = read_trees(b);

	weft_layers_init(&layers);
	if (!err)
		err = choose_orders(b, lanes, turns);
	if (!err)
		err = fit(b, turns, &layers, &found);
	b->job->work += b->balance.looked;
	for (uint32_t i = 0; found && i < t->first[t->nsw]; i++)
		weft__choices_to_ports(t, t->live[i]);
	if (!err && found)
		err = take_lanes(b->job, &layers, out);
	weft_layers_free(&layers);
	return err;
}

int weft__bend(struct weft__job *job, unsigned lanes, bool turns,
	       struct weft__lanes_found *out)
{
	struct bend b = { .job = job };
	int err = -ENOMEM;

	*out = (struct weft__lanes_found){ .lane = NULL };
	b.arena = weft__arena_new();
	if (b.arena)
		err = bend(&b, lanes, turns, out);
	weft__arena_free(b.arena);
	return err;
}
