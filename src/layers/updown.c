// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes routes that need one lane; see updown.h. */
#include "layers/updown.h"

#include "core/arena.h"
#include "layers/choices.h"

#include <errno.h>
#include <string.h>

#define PASSES 4
#define ROUNDS 64	/* of relief */

int weft__updown_init(struct weft__updown *u, const struct weft_fabric *fabric)
{
	struct weft__updown new = { .fabric = fabric };
	int err;

	if (u->arena) {
		weft__balance_reset(&u->balance);
		return 0;
	}
	new.arena = weft__arena_new();
	err = new.arena ? 0 : -ENOMEM;
	if (!err && (!weft__closeness_init(&new.close, fabric, new.arena,
					   NULL) ||
		     !weft__ways_by_closeness(&new.ways, &new.close,
					      new.arena) ||
		     !weft__balance_init(&new.balance, fabric, new.arena)))
		err = -ENOMEM;
	if (!err) {
		new.loads = weft__arena_alloc(new.arena,
					      fabric->first_injection,
					      sizeof(*new.loads));
		if (!new.loads)
			err = -ENOMEM;
	}
	if (err)
		weft__arena_free(new.arena);
	else
		*u = new;
	return err;
}

void weft__updown_free(struct weft__updown *u)
{
	weft__arena_free(u->arena);
	*u = (struct weft__updown){ 0 };
}

void weft__updown_load(struct weft__updown *u, const struct weft__traffic *t,
		       uint32_t k, uint64_t sign)
{
	const struct weft_fabric *f = u->fabric;

	if (t->thin[k])
		return;
	memset(u->loads, 0, f->first_injection * sizeof(*u->loads));
	weft__tree_measure(t, k, u->loads);
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		u->balance.weight[e] += sign * u->loads[f->adj[e]] *
			u->balance.scale[e];
}

void weft__updown_tree(struct weft__updown *u, struct weft__traffic *t,
		       uint32_t k)
{
	const struct weft__plan *plan = weft__ways_to(&u->ways, t->home[k]);
	uint8_t *tree = weft__tree_ports(t, k);

	weft__balance_tree(&u->balance, plan, tree);
	if (!t->thin[k])
		weft__balance_load(&u->balance, plan, tree, 1);
	weft__choices_to_ports(t, k);
}

int weft__updown_trees(struct weft__updown *u, struct weft__traffic *t,
		       const uint32_t *list, uint32_t n, bool relieved)
{
	struct weft__trees trees;

	if (!weft__choices_list(t, list, n, u->arena, &trees))
		return -ENOMEM;
	weft__balance_endports(&u->balance, &u->ways, &trees, PASSES);
	if (relieved)
		weft__balance_relieve(&u->balance, &u->ways, &trees, ROUNDS);
	weft__balance_switches(&u->balance, &u->ways, &trees);
	for (uint32_t i = 0; i < n; i++)
		weft__choices_to_ports(t, list[i]);
	return 0;
}

bool weft__updown_turns(struct weft__updown *u, struct weft__cdg *g,
			uint32_t lane)
{
	return weft__ways_collect(&u->ways, g, lane);
}
