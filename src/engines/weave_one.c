// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, minimal routes in one lane
 *
 * On some fabrics minimal routes between endports have no cycle in one lane; on
 * others that are nearly trees only what upper switches send closes one.  Where
 * no traffic of endports passes a switch on its way to a LID, its entry serves
 * that switch alone, and may be any that closes no cycle: the entries that
 * endports need are collected first, then the others keep what they have, or
 * get the first cable that will do, nearest switches first.  The LIDs of the
 * switches themselves are layering's to route (weave_fit.c).
 *
 * Complexity: O(LIDs x switches), and insertions into the graph.
 */
#include "engines/weave.h"

#include "layers/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE (UINT64_C(1) << 25)	/* edges looked at, */
#define SHARE 4		/* of large fabrics so many times the effort at most */

struct one {
	struct weft__weave *w;
	struct weft__woven *out;
	struct weft__order order;
	uint8_t *settled;	/* [nsw] their entries count */
};

static uint32_t channel(const struct one *o, const struct weft__tree *t,
			uint32_t s)
{
	const struct weft_fabric *f = o->w->f;

	return f->adj[f->adj_first[s] + t->choice[s]];
}

/* Settles those that carry traffic of endports. */
static void settle_used(struct one *o, const struct weft__tree *t)
{
	const struct weft_fabric *f = o->w->f;

	memset(o->settled, 0, f->nsw);
	o->settled[t->root] = 1;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t x = s;

		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		for (; !o->settled[x]; x = f->peer[channel(o, t, x)])
			o->settled[x] = 1;
	}
}

/* The port by which the tree goes on after a channel; 0: it ends there. */
static unsigned next_port(const struct one *o, const struct weft__tree *t,
			  uint32_t ch)
{
	const struct weft_fabric *f = o->w->f;
	uint32_t s = f->peer[ch];

	return s == t->root ? 0 : channel(o, t, s) - f->first_channel[s];
}

static void collect(struct one *o, const struct weft__tree *t)
{
	settle_used(o, t);
	for (uint32_t s = 0; s < o->w->f->nsw; s++) {
		unsigned port;

		if (!o->settled[s] || s == t->root)
			continue;
		port = next_port(o, t, channel(o, t, s));
		if (port)
			weft__cdg_add(&o->order.cdg, channel(o, t, s), 0, port);
	}
}

/* Whether switch s may take that channel. */
static bool may_take(struct one *o, const struct weft__tree *t, uint32_t ch)
{
	unsigned port;

	if (!o->settled[o->w->f->peer[ch]])
		return false;
	port = next_port(o, t, ch);
	return !port || weft__order_add(&o->order, ch, port);
}

static void settle(struct one *o, const struct weft__tree *t, uint32_t s)
{
	const struct weft_fabric *f = o->w->f;
	unsigned n = f->adj_first[s + 1] - f->adj_first[s];
	unsigned k = 0;

	if (may_take(o, t, channel(o, t, s))) {
		o->settled[s] = 1;
		return;
	}
	while (k < n && !may_take(o, t, f->adj[f->adj_first[s] + k]))
		k++;
	if (k == n)
		return;
	t->choice[s] = k;
	o->settled[s] = 1;
}

/* Entries that endports do not need; false if someone is left out. */
static bool mend(struct one *o, const struct weft__tree *t)
{
	const struct weft__plan *plan = weft__ways_to(&o->out->ways, t->root);
	uint32_t left = UINT32_MAX, before;

	settle_used(o, t);
	do {
		before = left;
		left = 0;
		for (uint32_t i = 1; i <= plan->n; i++) {
			if (!o->settled[plan->order[i]])
				settle(o, t, plan->order[i]);
			left += !o->settled[plan->order[i]];
		}
	} while (left && left < before);
	return !left;
}

static uint64_t choose_patience(const struct weft__weave *w)
{
	uint64_t share = SHARE * w->effort;

	return weft__weave_is_large(w->f) && share < PATIENCE ? share :
								PATIENCE;
}

static int run(struct weft__weave *w, struct weft__woven *out, bool bend,
	       bool *done)
{
	struct one o = { .w = w, .out = out, .settled = malloc(w->f->nsw) };
	const struct weft__trees *trees = &out->trees;
	int err = o.settled ? weft__order_init(&o.order, w->f, 1) : -ENOMEM;

	if (err) {
		free(o.settled);
		return err;
	}
	o.order.patience = choose_patience(w);
	for (uint32_t d = 0; d < trees->nendports; d++)
		collect(&o, &trees->tree[d]);
	*done = weft__order_renew(&o.order);
	for (uint32_t d = 0; d < trees->nendports && *done && bend; d++)
		*done = mend(&o, &trees->tree[d]);
	weft_explain(w->diag, "1 lane, minimal routes between endports: %s",
		     *done ? "no cycle" : "closed a cycle");
	weft__order_free(&o.order);
	free(o.settled);
	return 0;
}

int weft__weave_one_holds(struct weft__weave *w, struct weft__woven *out,
			  bool *done)
{
	return run(w, out, false, done);
}

int weft__weave_one(struct weft__weave *w, struct weft__woven *out,
		    bool *done)
{
	return run(w, out, true, done);
}
