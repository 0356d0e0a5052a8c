// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: nodes with several ports (mFtree)
 *
 * Idea (Bogdanski, Johnsen, Reinemo, Flich: Multi-homed fat-tree routing with
 * InfiniBand, PDP 2014): a node whose ports hang on different leaves shall not
 * depend on one spine.  Its ports are routed one after the other, the active
 * one first; a switch above is taken for the next port only if it does not
 * route an earlier one, where there is a choice, and counters decide among the
 * rest.
 *
 * The paper looks at the switches that the ways come down by.  Here all
 * switches are taken that any route to an earlier port passes through: in a
 * tree of three stages two roots can differ and be reached over the same middle
 * switch from somewhere else.  Marks are stamps of the node, so that clearing
 * them is one addition.
 */
#include "engines/fattree_homes.h"

#include "core/arena.h"

#include <weft/list.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct homes {
	struct weft__fattree_run *run;
	struct weft__chains chains;
	uint32_t *first_tree;	/* [nep] tree of the base LID, WEFT_NONE */
	uint8_t *active;	/* [nep] */
	uint8_t *done;		/* [nnodes] */
	uint32_t several, share;	/* nodes with several ports */
};

bool weft__homes_any(const struct weft_fabric *f)
{
	for (uint32_t n = 0; n < f->nnodes; n++)
		if (f->node[n].nendports > 1)
			return true;
	return false;
}

static int read_active(struct homes *h)
{
	const struct weft_list *list;
	uint32_t *ep;
	int err = weft_options_list(h->run->options, "active", &list,
				    h->run->diag);

	if (err || !list)
		return err;
	ep = weft__arena_alloc(h->run->arena, list->n + 1, sizeof(*ep));
	if (!ep)
		return weft_fail(h->run->diag, ENOMEM, "out of memory");
	err = weft_list_find(list, h->run->fabric, WEFT_LIST_ENDPORTS, ep,
			     h->run->diag);
	for (uint32_t i = 0; i < list->n && !err; i++)
		if (ep[i] != WEFT_NONE)
			h->active[ep[i] & ~WEFT_ENDPORT] = 1;
	return err;
}

/* One LID of an endport, around what is taken. */
static void route_lid(struct homes *h, uint32_t e, unsigned offset)
{
	const struct weft_endport *ep = &h->run->fabric->ep[e];
	const struct weft__trees *trees = &h->run->trees;
	uint32_t d = h->first_tree[e];

	if (d == WEFT_NONE || offset >= 1u << ep->lmc)
		return;
	while (trees->tree[d].lid != ep->lid + offset)
		d++;
	weft__chains_root(&h->chains, ep->sw);
	weft__chains_tree(&h->chains, &trees->tree[d]);
	weft__chains_take(&h->chains, &trees->tree[d]);
}

static void route_node(struct homes *h, uint32_t node, unsigned offset)
{
	const struct weft_fabric *f = h->run->fabric;
	const struct weft_node *n = &f->node[node];

	h->chains.node++;
	h->chains.shares = false;
	for (int active = 1; active >= 0; active--) {
		for (uint32_t i = 0; i < n->nendports; i++) {
			uint32_t e = f->node_endport[n->first_endport + i];

			if (h->active[e] == active)
				route_lid(h, e, offset);
		}
	}
	h->several += n->nendports > 1 && !offset;
	h->share += n->nendports > 1 && !offset && h->chains.shares;
}

static void route_all(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;

	for (unsigned offset = 0; offset < 128; offset++) {
		memset(h->done, 0, f->nnodes);
		for (uint32_t i = 0; i < f->nep; i++) {
			uint32_t node = f->ep[f->sw_endport[i]].node;

			if (!h->done[node])
				route_node(h, node, offset);
			h->done[node] = 1;
		}
	}
}

static bool alloc(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;
	struct weft_arena *arena = h->run->arena;

	h->first_tree = weft__arena_alloc(arena, f->nep,
					  sizeof(*h->first_tree));
	h->active = weft__arena_zalloc(arena, f->nep, 1);
	h->done = weft__arena_alloc(arena, f->nnodes, 1);
	if (!h->first_tree || !h->active || !h->done)
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		h->first_tree[e] = WEFT_NONE;
	for (uint32_t d = h->run->trees.nendports; d-- > 0;) {
		uint32_t owner = weft_lid_owner(f, h->run->trees.tree[d].lid);

		h->first_tree[owner & ~WEFT_ENDPORT] = d;
	}
	return true;
}

int weft__homes_run(struct weft__fattree_run *run, struct weft__chain_rule rule)
{
	struct homes h = { .run = run };
	int err;

	rule.turns = true;
	if (!alloc(&h) || !weft__chains_init(&h.chains, run, rule))
		return weft_fail(run->diag, ENOMEM, "out of memory");
	err = read_active(&h);
	if (err)
		return err;
	route_all(&h);
	if (h.share)
		weft_diag_say(run->diag, WEFT_NOTE, "%" PRIu32 " of %" PRIu32
			" nodes with several ports have routes to all of them "
			"that share a switch", h.share, h.several);
	weft_explain(run->diag, "%" PRIu32 " nodes with several ports, %" PRIu32
		" of them with a switch that routes to all ports share",
		h.several, h.share);
	return 0;
}
