// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Handles routes as trees; see traffic.h. */
#include "layers/traffic.h"

#include "graph/entries.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbers the trees by the switch they lead to, in of_lid[]. */
static void number_trees(struct weft__traffic *t)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t *next = t->first;

	memset(next, 0, (t->nsw + 1ull) * sizeof(*next));
	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		if (f->lid_owner[lid] != WEFT_NONE)
			next[weft_vertex_switch(f, f->lid_owner[lid])]++;
	for (uint32_t s = 0, sum = 0; s <= t->nsw; s++) {
		uint32_t n = next[s];

		next[s] = sum;
		sum += n;
		t->ntrees = sum;
	}
	for (unsigned lid = 0; lid <= f->max_lid; lid++) {
		uint32_t owner = f->lid_owner[lid];

		t->of_lid[lid] = owner == WEFT_NONE ? WEFT_NONE :
			next[weft_vertex_switch(f, owner)]++;
	}
	for (uint32_t s = t->nsw; s; s--)
		next[s] = next[s - 1];
	next[0] = 0;
}

static int alloc_trees(struct weft__traffic *t)
{
	size_t n = t->nsw, lids = t->fabric->max_lid + 1ull;

	t->first = malloc((n + 1) * sizeof(*t->first));
	t->live = malloc(lids * sizeof(*t->live));
	t->of_lid = malloc(lids * sizeof(*t->of_lid));
	if (!t->first || !t->live || !t->of_lid)
		return -ENOMEM;
	number_trees(t);
	t->tree = malloc(t->ntrees * n + 1);
	t->home = malloc((t->ntrees + 1ull) * sizeof(*t->home));
	t->thin = calloc(t->ntrees + 1ull, 1);
	return t->tree && t->home && t->thin ? 0 : -ENOMEM;
}

static inline bool leads_on(const struct weft_fabric *f, uint32_t s,
			    unsigned port)
{
	return port <= f->sw[s].nports &&
	       weft_is_switch(f->peer[weft_channel(f, s, port)]);
}

/* Copies ports that lead to a switch; all others become 0. */
static void copy_tree(const struct weft__traffic *t, const uint8_t *column,
		      uint8_t *tree)
{
	const struct weft_fabric *f = t->fabric;

	for (uint32_t s = 0; s < t->nsw; s++)
		tree[s] = leads_on(f, s, column[s]) ? column[s] : 0;
}

static void copy_block(struct weft__traffic *t, const struct weft_lft *lft,
		       uint32_t block, uint8_t *columns)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t lid = block * WEFT_LFT_BLOCK;

	if (lid <= lft->max_lid)
		weft_lft_columns(lft, block, columns);
	for (unsigned i = 0; i < WEFT_LFT_BLOCK && lid <= f->max_lid;
	     i++, lid++) {
		uint32_t k = t->of_lid[lid];

		if (k == WEFT_NONE)
			continue;
		t->home[k] = weft_vertex_switch(f, f->lid_owner[lid]);
		t->thin[k] = weft__is_thin(f, f->lid_owner[lid]);
		if (lid <= lft->max_lid)
			copy_tree(t, columns + (size_t)i * t->nsw,
				  weft__tree_ports(t, k));
		else
			memset(weft__tree_ports(t, k), 0, t->nsw);
	}
}

static int copy_all(struct weft__traffic *t, const struct weft_lft *lft)
{
	uint8_t *columns = malloc(t->nsw * (size_t)WEFT_LFT_BLOCK + 1);

	if (!columns)
		return -ENOMEM;
	for (uint32_t b = 0; b <= t->fabric->max_lid / WEFT_LFT_BLOCK; b++)
		copy_block(t, lft, b, columns);
	free(columns);
	return 0;
}

/* Returns the earliest tree from first on that equals tree k, or k. */
static uint32_t same_tree(const struct weft__traffic *t, uint32_t first,
			  uint32_t end, uint32_t k)
{
	for (uint32_t i = first; i < end; i++)
		if (!memcmp(weft__tree_ports(t, i), weft__tree_ports(t, k),
			    t->nsw))
			return i;
	return k;
}

/* Keeps one of equal trees. -ENOMEM. */
static int merge_trees(struct weft__traffic *t)
{
	uint32_t *now = malloc((t->ntrees + 1ull) * sizeof(*now));
	uint32_t n = 0;

	if (!now)
		return -ENOMEM;
	for (uint32_t s = 0; s < t->nsw; s++) {
		uint32_t first = n, k = t->first[s];

		for (t->first[s] = n; k < t->first[s + 1]; k++) {
			now[k] = same_tree(t, first, n, k);
			if (now[k] < n && now[k] != k) {
				t->thin[now[k]] &= t->thin[k];
				continue;
			}
			memmove(weft__tree_ports(t, n), weft__tree_ports(t, k),
				t->nsw);
			t->home[n] = s;
			t->thin[n] = t->thin[k];
			now[k] = n++;
		}
	}
	t->first[t->nsw] = t->ntrees = n;
	for (unsigned lid = 0; lid <= t->fabric->max_lid; lid++)
		if (t->of_lid[lid] != WEFT_NONE)
			t->of_lid[lid] = now[t->of_lid[lid]];
	free(now);
	return 0;
}

/* Returns a switch on a circle of tree i, or WEFT_NONE. seen[] holds numbers
 * below *mark, which grows. */
static uint32_t find_circle(const struct weft__traffic *t, uint32_t i,
			    uint64_t *seen, uint64_t *mark)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, i);
	uint64_t known = *mark;		/* marks from here on belong to this
					 * tree */

	for (uint32_t s = 0; s < t->nsw; s++) {
		uint32_t at = s;

		for ((*mark)++; seen[at] < known && tree[at];
		     at = f->peer[weft_channel(f, at, tree[at])])
			seen[at] = *mark - 1;
		if (tree[at] && seen[at] == *mark - 1)
			return at;
	}
	return WEFT_NONE;
}

static int refuse_circles(const struct weft__traffic *t,
			  struct weft_diag *diag)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t *seen = calloc(t->nsw + 1ull, sizeof(*seen)), mark = 1;
	uint32_t at = WEFT_NONE, k = 0;
	unsigned lid = 0;

	if (!seen)
		return -ENOMEM;
	for (; k < t->ntrees && at == WEFT_NONE; k++)
		at = find_circle(t, k, seen, &mark);
	free(seen);
	if (at == WEFT_NONE)
		return 0;
	while (t->of_lid[lid] != k - 1)
		lid++;
	return weft_fail(diag, ELOOP,
			 "packets to LID %u run in a circle through port %u of switch 0x%016" PRIx64 " (%s): no lanes can mend that, route the fabric anew",
			 lid, weft__tree_ports(t, k - 1)[at], f->sw[at].guid,
			 f->sw[at].name);
}

int weft__traffic_init(struct weft__traffic *t,
		       const struct weft_fabric *fabric,
		       const struct weft_lft *lft, struct weft_diag *diag)
{
	struct weft__traffic new = { .fabric = fabric, .nsw = fabric->nsw };
	int err;

	if (lft->nsw != fabric->nsw)
		return weft_fail(diag, EINVAL,
				 "the tables are for %u switches but the fabric has %u: read or compute them anew",
				 lft->nsw, fabric->nsw);
	err = alloc_trees(&new);
	if (!err)
		err = copy_all(&new, lft);
	if (!err)
		err = merge_trees(&new);
	if (!err)
		err = weft__traffic_list(&new);
	if (!err)
		err = refuse_circles(&new, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	if (err) {
		weft__traffic_free(&new);
		return err;
	}
	*t = new;
	return 0;
}

static int ascending(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int weft__traffic_list(struct weft__traffic *t)
{
	uint32_t lids = t->fabric->max_lid + 1, n = 0, kept = 0, at = 0;
	uint64_t *list = malloc(lids * sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (uint32_t lid = 0; lid < lids; lid++)
		if (t->of_lid[lid] != WEFT_NONE)
			list[n++] = (uint64_t)t->home[t->of_lid[lid]] << 32 |
				t->of_lid[lid];
	qsort(list, n, sizeof(*list), ascending);
	for (uint32_t s = 0; s < t->nsw; s++) {
		t->first[s] = kept;
		for (; at < n && list[at] >> 32 == s; at++)
			if (!at || list[at] != list[at - 1])
				t->live[kept++] = (uint32_t)list[at];
	}
	t->first[t->nsw] = kept;
	free(list);
	return 0;
}

void weft__traffic_free(struct weft__traffic *t)
{
	free(t->tree);
	free(t->first);
	free(t->live);
	free(t->home);
	free(t->thin);
	free(t->of_lid);
	*t = (struct weft__traffic){ 0 };
}

bool weft__tree_is_whole(const struct weft__traffic *t, uint32_t i)
{
	const uint8_t *tree = weft__tree_ports(t, i);

	for (uint32_t s = 0; s < t->nsw; s++)
		if (!tree[s] != (s == t->home[i]))
			return false;
	return true;
}

void weft__tree_collect(const struct weft__traffic *t, uint32_t i,
			struct weft__cdg *g, uint32_t lane)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, i);

	for (uint32_t s = 0; s < t->nsw; s++) {
		uint32_t ch = weft_channel(f, s, tree[s]);

		if (tree[s] && tree[f->peer[ch]])
			weft__cdg_add(g, lane * g->nch + ch, 0,
				      tree[f->peer[ch]]);
	}
}

bool weft__tree_add(const struct weft__traffic *t, uint32_t i,
		    struct weft__order *o, uint32_t lane)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, i);

	for (uint32_t s = 0; s < t->nsw; s++) {
		uint32_t ch = weft_channel(f, s, tree[s]);

		if (!tree[s])
			continue;
		if (!weft__has_room(t, ch, lane) ||
		    (tree[f->peer[ch]] &&
		     !weft__order_add(o, lane * o->cdg.nch + ch,
				      tree[f->peer[ch]])))
			return false;
	}
	return true;
}

bool weft__route_add(const struct weft__traffic *t, uint32_t i, uint32_t s,
		     struct weft__order *o, uint32_t lane)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, i);

	while (tree[s]) {
		uint32_t ch = weft_channel(f, s, tree[s]);

		s = f->peer[ch];
		if (!weft__has_room(t, ch, lane) ||
		    (tree[s] &&
		     !weft__order_add(o, lane * o->cdg.nch + ch, tree[s])))
			return false;
	}
	return true;
}

uint64_t weft__tree_measure(const struct weft__traffic *t, uint32_t k,
			    uint64_t *loads)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, k);
	uint64_t hops = 0;

	for (uint32_t a = 0; a < t->nsw; a++) {
		uint32_t n = f->sw_ep_first[a + 1] - f->sw_ep_first[a];

		for (uint32_t s = a; n && tree[s]; hops += n) {
			uint32_t ch = weft_channel(f, s, tree[s]);

			loads[ch] += n;
			s = f->peer[ch];
		}
	}
	return hops;
}

/* Returns the port by which the owner's switch delivers to it. */
static bool store_tree(const struct weft__traffic *t, unsigned lid,
		       struct weft_lft *lft)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t *tree = weft__tree_ports(t, t->of_lid[lid]);
	bool changed = false;

	for (uint32_t s = 0; s < t->nsw; s++) {
		uint8_t *port = &weft_lft_row(lft, s)[lid], old = *port;

		if (tree[s])
			*port = tree[s];
		else if (leads_on(f, s, old))
			*port = weft__delivery_port(f, f->lid_owner[lid]);
		changed |= *port != old;
	}
	return changed;
}

void weft__traffic_store(const struct weft__traffic *t, struct weft_lft *lft,
			 uint32_t *changed, uint32_t *thin_changed)
{
	const struct weft_fabric *f = t->fabric;

	for (unsigned lid = 0; lid <= f->max_lid && lid <= lft->max_lid;
	     lid++) {
		if (t->of_lid[lid] == WEFT_NONE || !store_tree(t, lid, lft))
			continue;
		++*(weft__is_thin(f, f->lid_owner[lid]) ? thin_changed :
		    changed);
	}
}
