// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists destination trees and makes tables of them; see trees.h. */
#include "trees/trees.h"

#include "core/arena.h"
#include "core/transpose.h"
#include "graph/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TILE 8u			/* switches */

uint32_t *weft__by_group(const struct weft_fabric *f, const uint32_t *order,
			 struct weft_arena *arena)
{
	uint32_t *sorted = weft__arena_alloc(arena, f->nep + 1ull,
					     sizeof(*sorted));
	uint32_t n = 0;

	for (uint32_t g = 0; sorted && g < f->ngroups; g++)
		for (uint32_t i = 0; i < f->nep; i++)
			if (f->ep[order[i]].group == g)
				sorted[n++] = order[i];
	return sorted;
}

const uint32_t *weft__endports_by_port(const struct weft_fabric *f,
				       struct weft_arena *arena)
{
	uint32_t *order = weft__arena_alloc(arena, f->nep + 1ull,
					    sizeof(*order));

	for (uint32_t i = 0; order && i < f->nep; i++) {
		uint32_t e = f->sw_endport[i], k = i;

		for (; k > f->sw_ep_first[f->ep[e].sw] &&
		     f->ep[order[k - 1]].sw_port > f->ep[e].sw_port; k--)
			order[k] = order[k - 1];
		order[k] = e;
	}
	return order ? weft__by_group(f, order, arena) : NULL;
}

bool weft__endport_order(const struct weft_fabric *f,
			 const struct weft_options *options,
			 struct weft_arena *arena, const uint32_t **order)
{
	uint32_t *ids = NULL;

	*order = NULL;
	if (!strcmp(weft_options_text(options, "order"), "switch")) {
		*order = weft__endports_by_port(f, arena);
		return *order;
	}
	if (f->ngroups < 2)
		return true;
	ids = weft__arena_alloc(arena, f->nep, sizeof(*ids));
	for (uint32_t e = 0; ids && e < f->nep; e++)
		ids[e] = e;
	*order = ids ? weft__by_group(f, ids, arena) : NULL;
	return *order;
}

bool weft__edges_list(const struct weft_fabric *f, struct weft_arena *arena,
		      uint32_t **head, uint32_t **scale)
{
	uint32_t n = f->adj_first[f->nsw], fastest = 0;

	*head = weft__arena_alloc(arena, n, sizeof(**head));
	*scale = weft__arena_alloc(arena, n, sizeof(**scale));
	if (!*head || !*scale)
		return false;
	for (uint32_t e = 0; e < n; e++) {
		uint32_t rate = f->capacity[f->adj[e]];

		(*head)[e] = f->peer[f->adj[e]];
		if (rate > fastest)
			fastest = rate;
	}
	for (uint32_t e = 0; e < n; e++)
		(*scale)[e] = (uint64_t)fastest * 16 /
			      f->capacity[f->adj[e]];
	return true;
}

static bool add_tree(const struct weft_fabric *f, struct weft_arena *arena,
		     struct weft__trees *trees, uint32_t vertex, unsigned lid)
{
	uint8_t *choice = weft__arena_alloc(arena, f->nsw, 1);

	if (!choice)
		return false;
	memset(choice, WEFT__UNFIXED, f->nsw);
	trees->tree[trees->n] = (struct weft__tree){
		.lid = lid, .number = trees->n,
		.delivery = weft__delivery_port(f, vertex),
		.root = weft_vertex_switch(f, vertex), .choice = choice,
		.weight = weft_is_endport(vertex) ?
			  f->ep[vertex & ~WEFT_ENDPORT].weight : 1,
		.group = weft_is_endport(vertex) ?
			 f->ep[vertex & ~WEFT_ENDPORT].group : 0,
	};
	trees->n++;
	return true;
}

/* Has an endport share the tree that was listed last. */
static void add_twin(const struct weft_fabric *f, struct weft__trees *trees,
		     uint32_t e, unsigned lid)
{
	struct weft__tree *last = &trees->tree[trees->n - 1];
	struct weft__tree *twin = &trees->twin[trees->ntwins++];

	*twin = *last;
	twin->lid = lid;
	twin->delivery = weft__delivery_port(f, e | WEFT_ENDPORT);
	last->weight += f->ep[e].weight;
}

/* True if the tree that was listed last leads to the switch of an endport, and
 * to one of its group. */
static bool leads_to(const struct weft__trees *trees,
		     const struct weft_endport *ep)
{
	return trees->n && trees->tree[trees->n - 1].root == ep->sw &&
	       trees->tree[trees->n - 1].group == ep->group;
}

static bool list_endports(const struct weft_fabric *f,
			  struct weft_arena *arena, const uint32_t *order,
			  double own, struct weft__trees *trees)
{
	double due = 0;		/* trees of their own for those so far */

	for (unsigned offset = 0; offset < 128; offset++) {
		for (uint32_t i = 0; i < f->nep; i++) {
			uint32_t e = order ? order[i] : i;
			const struct weft_endport *ep = &f->ep[e];

			if (!ep->lid || offset >= 1u << ep->lmc)
				continue;
			due += own;
			if (due < 1 && leads_to(trees, ep)) {
				add_twin(f, trees, e, ep->lid + offset);
				continue;
			}
			due -= 1;
			if (!add_tree(f, arena, trees, e | WEFT_ENDPORT,
				      ep->lid + offset))
				return false;
		}
		trees->nbase = offset ? trees->nbase : trees->n;
	}
	return true;
}

/* Returns the number of groups if endports are listed group by group, else 1. */
static uint32_t count_groups(const struct weft_fabric *f, const uint32_t *order)
{
	for (uint32_t i = 1; i < f->nep; i++)
		if (f->ep[order ? order[i] : i].group <
		    f->ep[order ? order[i - 1] : i - 1].group)
			return 1;
	return f->ngroups;
}

bool weft__trees_list_shared(const struct weft_fabric *f,
			     struct weft_arena *arena, const uint32_t *order,
			     double own, struct weft__trees *out)
{
	struct weft__trees trees = { .ngroups = count_groups(f, order) };

	trees.tree = weft__arena_alloc(arena, f->max_lid + 1ull,
				       sizeof(*trees.tree));
	trees.twin = weft__arena_alloc(arena, f->max_lid + 1ull,
				       sizeof(*trees.twin));
	if (!trees.tree || !trees.twin ||
	    !list_endports(f, arena, order, own, &trees))
		return false;
	trees.nendports = trees.n;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned o = 0; f->sw[s].lid && o < 1u << f->sw[s].lmc;
		     o++)
			if (!add_tree(f, arena, &trees, s, f->sw[s].lid + o))
				return false;
	*out = trees;
	return true;
}

bool weft__trees_list(const struct weft_fabric *f, struct weft_arena *arena,
		      const uint32_t *order, struct weft__trees *out)
{
	return weft__trees_list_shared(f, arena, order, 1, out);
}

/* Collects the choices of n switches from s on for the 64 trees of a block,
 * switch by switch. */
static void gather(const struct weft__tree *const *by_lid, uint32_t s,
		   uint32_t n, uint8_t (*choice)[WEFT_LFT_BLOCK])
{
	uint8_t column[WEFT_LFT_BLOCK][TILE];

	memset(column, WEFT__UNFIXED, sizeof(column));
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
		if (by_lid[i])
			memcpy(column[i], by_lid[i]->choice + s, n);
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i += 8)
		weft__transpose8(column[i], TILE, choice[0] + i,
				 WEFT_LFT_BLOCK);
}

/* Fills a block of 64 LIDs, one cache line of each switch's table, a few
 * switches at a time. */
static void fill_block(const struct weft_fabric *f, const uint8_t *ports,
		       const struct weft__tree *const *by_lid,
		       struct weft_lft *lft, uint32_t block)
{
	uint8_t choice[TILE][WEFT_LFT_BLOCK], port[WEFT__UNFIXED + 1u];

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = f->nsw - s < TILE ? f->nsw - s : TILE;
		uint32_t degree = f->adj_first[s + 1] - f->adj_first[s];
		uint8_t *row = weft_lft_row(lft, s) + block * WEFT_LFT_BLOCK;

		if (s % TILE == 0)
			gather(by_lid, s, n, choice);
		memcpy(port, ports + f->adj_first[s], degree);
		port[WEFT__UNFIXED] = WEFT_NO_PORT;
		for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
			row[i] = port[choice[s % TILE][i]];
	}
}

/* Lists the ports by adjacency entry. */
static uint8_t *list_ports(const struct weft_fabric *f)
{
	uint8_t *ports = malloc(f->adj_first[f->nsw] + 1);

	for (uint32_t s = 0; s < f->nsw && ports; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			ports[e] = weft__port(f, s, f->adj[e]);
	return ports;
}

void weft__trees_read(const struct weft_fabric *f, const struct weft_lft *lft,
		      const struct weft__trees *trees)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint8_t *row = weft_lft_row(lft, s);
		uint8_t choice[WEFT_NO_PORT + 1];

		memset(choice, WEFT__UNFIXED, sizeof(choice));
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			choice[weft__port(f, s, f->adj[e])] =
				e - f->adj_first[s];
		for (uint32_t d = 0; d < trees->n; d++) {
			uint8_t port = row[trees->tree[d].lid];

			if (choice[port] != WEFT__UNFIXED)
				trees->tree[d].choice[s] = choice[port];
		}
	}
}

void weft__trees_share(const struct weft_fabric *f, struct weft__trees *trees)
{
	uint32_t n = 0, nbase = 0;

	for (uint32_t d = 0; d < trees->n; d++) {
		const struct weft__tree tree = trees->tree[d];
		struct weft__tree *last = &trees->tree[n - 1];

		if (n && d < trees->nendports && tree.root == last->root &&
		    tree.group == last->group &&
		    !memcmp(tree.choice, last->choice, f->nsw)) {
			last->weight += tree.weight;
			trees->twin[trees->ntwins] = tree;
			trees->twin[trees->ntwins++].choice = last->choice;
			continue;
		}
		trees->tree[n] = tree;
		trees->tree[n].number = n;
		n++;
		nbase += d < trees->nbase;
	}
	trees->nendports -= trees->n - n;
	trees->n = n;
	trees->nbase = nbase;
}

int weft__trees_fill(const struct weft_fabric *f,
		     const struct weft__trees *trees, struct weft_lft *lft)
{
	const struct weft__tree **by_lid;
	uint8_t *ports = list_ports(f);
	int err = weft_lft_init(lft, f->nsw, f->max_lid);

	by_lid = err ? NULL : calloc(lft->stride, sizeof(*by_lid));
	if (!ports || !by_lid) {
		if (!err)
			weft_lft_free(lft);
		free(ports);
		free(by_lid);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < trees->n; i++)
		by_lid[trees->tree[i].lid] = &trees->tree[i];
	for (uint32_t i = 0; i < trees->ntwins; i++)
		by_lid[trees->twin[i].lid] = &trees->twin[i];
	for (uint32_t b = 0; b < lft->stride / WEFT_LFT_BLOCK; b++)
		fill_block(f, ports, by_lid + b * WEFT_LFT_BLOCK, lft, b);
	for (uint32_t i = 0; i < trees->n; i++)
		weft_lft_row(lft, trees->tree[i].root)[trees->tree[i].lid] =
			trees->tree[i].delivery;
	for (uint32_t i = 0; i < trees->ntwins; i++)
		weft_lft_row(lft, trees->twin[i].root)[trees->twin[i].lid] =
			trees->twin[i].delivery;
	free(by_lid);
	free(ports);
	return 0;
}
