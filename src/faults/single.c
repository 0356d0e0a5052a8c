// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parts that hosts depend on, one at a time; see weft/faults.h.
 *
 * A cable that a spanning tree of the switches leaves out joins nothing that
 * the tree does not join without it, so that only cables of a tree have to be
 * tried, fewer than there are switches.
 */
#include "faults/loss.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fills in part[] with the cables of a tree of each part of the fabric, and
 * then all switches; returns how many.  seen[nsw] is false and queue[nsw] is
 * scratch. */
static uint32_t list_candidates(const struct weft_fabric *f, bool *seen,
				uint32_t *queue, uint32_t *part)
{
	uint32_t n = 0;

	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t head = 0, tail = 0;

		if (seen[root])
			continue;
		seen[root] = true;
		queue[tail++] = root;
		while (head < tail) {
			uint32_t s = queue[head++];

			for (uint32_t i = f->adj_first[s];
			     i < f->adj_first[s + 1]; i++) {
				uint32_t ch = f->adj[i], to = f->peer[ch];

				if (seen[to])
					continue;
				seen[to] = true;
				queue[tail++] = to;
				/* WEFT_NONE is the highest number of all. */
				part[n++] = ch < f->reverse[ch] ?
						    ch :
						    f->reverse[ch];
			}
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		part[n++] = s | WEFT_PART_SWITCH;
	return n;
}

/* Whether a node has all its ports on the part: no other part could do without
 * this one. */
static bool hangs_on(const struct weft_fabric *f, const struct weft_node *node,
		     uint32_t part)
{
	for (uint32_t i = 0; i < node->nendports; i++) {
		uint32_t e = f->node_endport[node->first_endport + i];

		if ((f->ep[e].sw | WEFT_PART_SWITCH) != part)
			return false;
	}
	return true;
}

/* Whether hosts are cut off by the loss of a part that do not hang on it. */
static bool is_single(struct weft__down *d, uint32_t part, bool *cut)
{
	const struct weft_fabric *f = d->f;
	struct weft_fault_loss loss;
	bool found = false;

	memset(cut, 0, f->nnodes * sizeof(*cut));
	weft__down_take(d, &part, 1);
	weft__down_cut(d, &loss, cut);
	weft__down_restore(d);
	for (uint32_t n = 0; loss.cut && !found && n < f->nnodes; n++)
		found = cut[n] && !hangs_on(f, &f->node[n], part);
	return found;
}

int weft_fault_single_points(const struct weft_fabric *f, bool all_hosts,
			     uint32_t **part, uint32_t *n)
{
	struct weft__down down;
	uint32_t *list = malloc((2ull * f->nsw + 1) * sizeof(*list));
	uint32_t *queue = malloc((f->nsw + 1ull) * sizeof(*queue));
	bool *seen = calloc(f->nsw + 1ull, sizeof(*seen));
	bool *cut = malloc((f->nnodes + 1ull) * sizeof(*cut));
	int err = weft__down_init(&down, f, all_hosts);
	uint32_t candidates;

	if (!list || !queue || !seen || !cut)
		err = -ENOMEM;
	if (!err) {
		candidates = list_candidates(f, seen, queue, list);
		*n = 0;
		for (uint32_t i = 0; i < candidates; i++)
			if (is_single(&down, list[i], cut))
				list[(*n)++] = list[i];
		*part = list;
		list = NULL;
	}
	weft__down_free(&down);
	free(list);
	free(queue);
	free(seen);
	free(cut);
	return err;
}
