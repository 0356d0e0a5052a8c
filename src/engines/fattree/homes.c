// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: machines with several ports (mFtree)
 *
 * Idea (Bogdanski, Johnsen, Reinemo, Flich: Multi-homed fat-tree routing with
 * InfiniBand, PDP 2014): a node whose ports hang on different leaves shall not
 * depend on one spine.  The route to its next port takes a switch above that
 * does not route an earlier port, where there is a choice, and counters decide
 * among the rest.
 *
 * The paper looks at the switches that the ways come down by.  Here all
 * switches count as taken that any route to an earlier port passes through: in
 * a tree of three stages two roots can differ and still be reached over the
 * same middle switch from somewhere else.  Marks are stamps of the node, so
 * that one addition clears them.
 *
 * Where a broken tree does not allow this, routes of single sources are kept
 * apart (separate.c).  Hosts that depend on one switch although cables would
 * allow better are left only in fabrics so broken that routes close a loop, and
 * some are led back.
 *
 * The ports of a node of the paper are here those of a machine, which may have
 * several adapters.  Hosts of one kind are routed before those of the next.
 *
 * The paper goes node by node (order=node).  Here, unless told so, the first
 * ports of all nodes are routed, then the second ones, around the first.  Node
 * by node, first ports would get every other way and second ports the rest;
 * where all send from first ports to first ports, half of the ways would be
 * idle.  Choices that counters leave open are made by models (models.c), and
 * parallel cables are dealt last (cables.c).  Active ports come first among
 * those of their nodes.  If the others stand by, active ports follow models for
 * one step only: whole chains keep shifts apart, but take the same half of the
 * roots on every leaf and leave the other half to second ports.
 *
 * Where first ports hang on some leaves and second ones on others, as in
 * switch648, the two halves have no channel in common, and each leaf has a
 * cable for every port, so that a channel down carries one stream.  All tables
 * that keep every shift free of contention are then the same but for names: a
 * leaf sends to any 18 neighbours at once, so all 18 have different spines, and
 * the host 18 further on has the same spine again.  In racks it is the same
 * with pairs of a middle switch and a spine.  EFT loses only between the ports
 * of a node: with a process on every port, two neighbours that send to the two
 * ports of a node meet there, but not here.
 */
#include "engines/fattree/homes.h"

#include "core/arena.h"
#include "core/listed.h"
#include "engines/fattree/cables.h"
#include "engines/fattree/separate.h"
#include "engines/fattree/models.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHAIN 8	/* most switches of a chain that are kept for others */

struct homes {
	struct weft__fattree_run *run;
	struct weft__chains chains;
	struct weft__parallel cables;
	uint32_t *first_tree;	/* [nep] tree of the base LID; WEFT_NONE */
	uint8_t *active;	/* [nep] */
	bool any_active;
	bool standby;		/* ports that are not active carry nothing */
	uint32_t *rank;		/* [nep] among the machine's ports, 0 first */
	uint32_t ranks;
	uint32_t *turn;		/* [nep] when it is routed: by kind, then by
				 * rank */
	struct weft__model *model;	/* [nep] */
	uint32_t *chain;	/* [nep][MAX_CHAIN] */
	uint32_t *number;	/* [nep] see struct weft__chain_model */
	uint8_t *length;	/* [nep] kept switches of its chain */
	const struct weft__tree **batch;	/* [nep] */
	uint8_t *before;	/* [most ports][nsw] choices */
	uint8_t *shares;	/* [nmachines] routes had to share a switch */
};

bool weft__homes_any(const struct weft_fabric *f)
{
	return weft__most_ports(f) > 1;
}

static int read_active(struct homes *h)
{
	struct weft__listed at;
	int err = weft__look_up(h->run->fabric, h->run->options, "active",
				WEFT_LIST_ENDPORTS, &at, h->run->diag);

	if (err || !at.list)
		return err;
	for (uint32_t i = 0; i < at.list->n; i++)
		if (at.vertex[i] != WEFT_NONE)
			h->active[at.vertex[i] & ~WEFT_ENDPORT] = 1;
	h->any_active = true;
	free(at.vertex);
	return 0;
}

/* Numbers the ports of every machine, active ones first, else by rail; then all
 * ports by kinds. */
static void rank_ports(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;

	for (uint32_t k = 0; k < f->nmachines; k++) {
		uint32_t n = f->machine_first[k + 1] - f->machine_first[k];
		const uint32_t *port = &f->machine_endport[f->machine_first[k]];
		uint32_t rank = 0;

		for (int active = 1; active >= 0; active--)
			for (uint32_t i = 0; i < n; i++)
				if (h->active[port[i]] == active)
					h->rank[port[i]] = rank++;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t e = port[i];

			if (!h->any_active)
				h->rank[e] = f->ep[e].rail;
			if (h->rank[e] >= h->ranks)
				h->ranks = h->rank[e] + 1;
		}
	}
	for (uint32_t e = 0; e < f->nep; e++)
		h->turn[e] = f->ep[e].use * h->ranks + h->rank[e];
}

/* Returns the tree of the LID of an endport at that offset, or NULL if it has
 * none. */
static const struct weft__tree *tree_of(const struct homes *h, uint32_t e,
					unsigned offset)
{
	const struct weft_endport *ep = &h->run->fabric->ep[e];
	const struct weft__trees *trees = &h->run->trees;
	uint32_t d = h->first_tree[e];

	if (d == WEFT_NONE || offset >= 1u << ep->lmc)
		return NULL;
	while (trees->tree[d].lid != ep->lid + offset)
		d++;
	return &trees->tree[d];
}

/* Marks as taken the switches on routes to the earlier ports of the machine
 * of endport e. */
static void mark_earlier(struct homes *h, uint32_t e, unsigned offset)
{
	const struct weft_fabric *f = h->run->fabric;
	const uint32_t *first = &f->machine_first[f->ep[e].machine];

	h->chains.node++;
	h->chains.shares = false;
	for (uint32_t i = first[0]; i < first[1]; i++) {
		uint32_t other = f->machine_endport[i];
		const struct weft__tree *tree = tree_of(h, other, offset);

		if (tree && h->turn[other] < h->turn[e])
			weft__chains_mark_taken(&h->chains, tree);
	}
}

static void set_model(struct homes *h, uint32_t e)
{
	struct weft__model m = h->model[e];

	h->chains.model = (struct weft__chain_model){ .n = 0 };
	if (m.how == WEFT__NOBODY)
		return;
	if (m.how == WEFT__CHAIN && !h->rank[e] && h->standby)
		m.how = WEFT__FIRST_STEP;
	h->chains.model.chain = h->chain + (size_t)m.endport * MAX_CHAIN;
	h->chains.model.n = h->length[m.endport];
	h->chains.model.number = h->number[m.endport];
	if (m.how == WEFT__FIRST_STEP && h->chains.model.n > 2)
		h->chains.model.n = 2;
}

static void keep_chain(struct homes *h, uint32_t e)
{
	const struct weft__chains *c = &h->chains;
	uint32_t n = c->nchain < MAX_CHAIN ? c->nchain : MAX_CHAIN;

	h->length[e] = n;
	h->number[e] = c->number;
	memcpy(h->chain + (size_t)e * MAX_CHAIN, c->chain,
	       n * sizeof(*c->chain));
}

/* Routes the ports of one turn on a switch. */
static void route_switch(struct homes *h, uint32_t s, uint32_t turn,
			 unsigned offset)
{
	const struct weft_fabric *f = h->run->fabric;
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		uint32_t e = f->sw_endport[i];
		const struct weft__tree *tree = tree_of(h, e, offset);

		if (h->turn[e] != turn || !tree)
			continue;
		if (!n)
			weft__chains_root(&h->chains, s);
		mark_earlier(h, e, offset);
		set_model(h, e);
		weft__chains_tree(&h->chains, tree);
		keep_chain(h, e);
		h->shares[f->ep[e].machine] |= h->chains.shares;
		h->batch[n++] = tree;
	}
	weft__parallel_deal(&h->cables, h->batch, n, turn % h->ranks % 2);
}

/* Returns the port of a machine that has a turn, or WEFT_NONE. */
static uint32_t port_with_turn(const struct homes *h, uint32_t machine,
			       uint32_t turn)
{
	const struct weft_fabric *f = h->run->fabric;
	const uint32_t *first = &f->machine_first[machine];

	for (uint32_t i = first[0]; i < first[1]; i++)
		if (h->turn[f->machine_endport[i]] == turn)
			return f->machine_endport[i];
	return WEFT_NONE;
}

/* Routes the ports of a machine in a row, by the counters alone. */
static void route_machine(struct homes *h, uint32_t k, unsigned offset)
{
	const struct weft_fabric *f = h->run->fabric;

	h->chains.model = (struct weft__chain_model){ .n = 0 };
	for (uint32_t turn = 0; turn < f->nuses * h->ranks; turn++) {
		uint32_t e = port_with_turn(h, k, turn);
		const struct weft__tree *tree = e == WEFT_NONE ? NULL :
			tree_of(h, e, offset);

		if (!tree)
			continue;
		weft__chains_root(&h->chains, f->ep[e].sw);
		mark_earlier(h, e, offset);
		weft__chains_tree(&h->chains, tree);
		h->shares[k] |= h->chains.shares;
	}
}

/* Routes machine by machine, each when the first of its ports comes, switch by
 * switch. */
static bool route_machines(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;
	unsigned offsets = 1u << weft_fabric_lmc(f);
	uint8_t *done = weft__arena_alloc(h->run->arena, f->nmachines, 1);

	for (unsigned offset = 0; done && offset < offsets; offset++) {
		memset(done, 0, f->nmachines);
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t i = f->sw_ep_first[s];
			     i < f->sw_ep_first[s + 1]; i++) {
				uint32_t k = f->ep[f->sw_endport[i]].machine;

				if (!done[k])
					route_machine(h, k, offset);
				done[k] = 1;
			}
	}
	return done;
}

static void route_all(struct homes *h)
{
	unsigned offsets = 1u << weft_fabric_lmc(h->run->fabric);

	for (unsigned offset = 0; offset < offsets; offset++)
		for (uint32_t turn = 0;
		     turn < h->run->fabric->nuses * h->ranks; turn++)
			for (uint32_t s = 0; s < h->run->fabric->nsw; s++)
				route_switch(h, s, turn, offset);
}

/* Separates the routes of n trees to one machine; returns from how many switches
 * they still meet.  Trees that this changes are fixed from then on; where it
 * changes nothing, and not for lack of work, it is hopeless. */
static uint32_t separate(const struct homes *h, struct weft__separator *m,
			 uint32_t n, uint8_t *hopeless)
{
	size_t nsw = h->run->fabric->nsw;
	bool changed = false;
	uint32_t bad;

	for (uint32_t i = 0; i < n; i++)
		memcpy(h->before + i * nsw, h->batch[i]->choice, nsw);
	bad = weft__separate_node(m, h->batch, n);
	for (uint32_t i = 0; i < n; i++)
		changed |= memcmp(h->before + i * nsw, h->batch[i]->choice,
				  nsw) != 0;
	for (uint32_t i = 0; changed && i < n; i++)
		h->run->trees.tree[h->batch[i]->number].fixed = true;
	*hopeless |= bad && !changed && m->looked < m->limit;
	return bad;
}

/* Separates routes to the ports of a machine that meet in a switch.  Returns 0;
 * -ENOTSUP: only to some of them, for lack of work; -ENOMEM. */
static int separate_routes(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;
	unsigned offsets = 1u << weft_fabric_lmc(f);
	struct weft__separator m;

	h->before = weft__arena_alloc(h->run->arena, weft__most_ports(f),
				      f->nsw);
	if (!h->run->hopeless)
		h->run->hopeless = weft__arena_zalloc(h->run->arena,
						      f->nmachines, 1);
	if (!h->before || !h->run->hopeless || !weft__separator_init(&m, h->run))
		return -ENOMEM;
	for (uint32_t k = 0; k < f->nmachines; k++) {
		const uint32_t *first = &f->machine_first[k];
		uint32_t bad = 0;

		if (h->run->hopeless[k])
			continue;
		weft__separator_go_on(&m, (double)(k + 1) / f->nmachines);
		for (unsigned o = 0; h->shares[k] && o < offsets; o++) {
			uint32_t n = 0;

			for (uint32_t i = first[0]; i < first[1]; i++) {
				h->batch[n] = tree_of(h, f->machine_endport[i],
						      o);
				n += h->batch[n] != NULL;
			}
			if (n > 1)
				bad += separate(h, &m, n,
						&h->run->hopeless[k]);
		}
		h->shares[k] = bad > 0;
	}
	return m.looked < m.limit ? 0 : -ENOTSUP;
}

static bool alloc(struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;
	struct weft_arena *arena = h->run->arena;

	h->first_tree = weft__arena_alloc(arena, f->nep,
					  sizeof(*h->first_tree));
	h->active = weft__arena_zalloc(arena, f->nep, 1);
	h->rank = weft__arena_alloc(arena, f->nep, sizeof(*h->rank));
	h->turn = weft__arena_alloc(arena, f->nep, sizeof(*h->turn));
	h->model = weft__arena_alloc(arena, f->nep, sizeof(*h->model));
	h->chain = weft__arena_alloc(arena, f->nep * (size_t)MAX_CHAIN,
				     sizeof(*h->chain));
	h->number = weft__arena_alloc(arena, f->nep, sizeof(*h->number));
	h->length = weft__arena_zalloc(arena, f->nep, sizeof(*h->length));
	h->batch = weft__arena_alloc(arena, f->nep, sizeof(*h->batch));
	h->shares = weft__arena_zalloc(arena, f->nmachines, 1);
	if (weft__arena_failed(arena))
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		h->first_tree[e] = WEFT_NONE;
	for (uint32_t d = h->run->trees.nendports; d-- > 0;) {
		uint32_t owner = weft_lid_owner(f, h->run->trees.tree[d].lid);

		h->first_tree[owner & ~WEFT_ENDPORT] = d;
	}
	return true;
}

/* Counts the machines with several ports, and those among them that may depend on
 * one switch. */
static void count_weak(const struct homes *h)
{
	const struct weft_fabric *f = h->run->fabric;

	h->run->several = 0;
	h->run->weak = 0;
	for (uint32_t m = 0; m < f->nmachines; m++) {
		h->run->several += f->machine_first[m + 1] -
				   f->machine_first[m] > 1;
		h->run->weak += h->shares[m];
	}
}

bool weft__homes_asked(const struct weft_options *options)
{
	return weft_options_given(options, "active") ||
	       weft_options_given(options, "standby") ||
	       weft_options_given(options, "order");
}

int weft__homes_separate(struct weft__fattree_run *run)
{
	const struct weft_fabric *f = run->fabric;
	struct homes h = { .run = run };
	int err;

	if (!alloc(&h))
		return weft_no_memory(run->diag);
	for (uint32_t m = 0; m < f->nmachines; m++)
		h.shares[m] = f->machine_first[m + 1] - f->machine_first[m] > 1;
	err = separate_routes(&h);
	if (err == -ENOMEM)
		return weft_no_memory(run->diag);
	count_weak(&h);
	return err;
}

int weft__homes_run(struct weft__fattree_run *run, struct weft__chain_rule rule)
{
	struct homes h = {
		.run = run,
		.standby = weft_options_bool(run->options, "standby"),
	};
	const char *order = weft_options_text(run->options, "order");
	bool by_node = !strcmp(order, "node");
	int err;

	rule.mirror = !by_node;
	if (!alloc(&h) || !weft__chains_init(&h.chains, run, rule) ||
	    !weft__parallel_init(&h.cables, run))
		return weft_no_memory(run->diag);
	err = read_active(&h);
	if (err)
		return err;
	rank_ports(&h);
	if (by_node ? !route_machines(&h) :
	    !weft__models_find(run, h.turn, run->fabric->nuses * h.ranks,
			       h.model))
		return weft_no_memory(run->diag);
	if (!by_node)
		route_all(&h);
	if (separate_routes(&h) == -ENOMEM)
		return weft_no_memory(run->diag);
	count_weak(&h);
	return 0;
}
