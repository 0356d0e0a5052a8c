// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trees of traffic as those of src/trees; see choices.h. */
#include "layers/choices.h"

#include "core/arena.h"

bool weft__choices_list(const struct weft__traffic *t, const uint32_t *list,
			uint32_t n, struct weft_arena *arena,
			struct weft__trees *out)
{
	uint32_t lids = t->fabric->max_lid + 1;
	uint16_t *lid_of = weft__arena_alloc(arena, t->ntrees, sizeof(*lid_of));

	*out = (struct weft__trees){ 0 };
	out->tree = weft__arena_alloc(arena, n, sizeof(*out->tree));
	if (weft__arena_failed(arena))
		return false;
	for (uint32_t lid = lids; lid--;)
		if (t->of_lid[lid] != WEFT_NONE &&
		    weft_is_endport(t->fabric->lid_owner[lid]))
			lid_of[t->of_lid[lid]] = lid;
	for (unsigned thin = 0; thin < 2; thin++) {
		for (uint32_t i = 0; i < n; i++)
			if (t->thin[list[i]] == thin)
				out->tree[out->n++] = (struct weft__tree){
					.lid = thin ? 0 : lid_of[list[i]],
					.root = t->home[list[i]],
					.weight = 1,
					.choice = weft__tree_ports(t, list[i]),
				};
		if (!thin)
			out->nendports = out->n;
	}
	return true;
}

void weft__choices_of_ports(const struct weft__traffic *t, uint32_t k)
{
	const struct weft_fabric *f = t->fabric;
	uint8_t *tree = weft__tree_ports(t, k);

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t ch = f->first_channel[s] + tree[s];
		uint32_t e = f->adj_first[s], end = f->adj_first[s + 1];

		while (e < end && f->adj[e] != ch)
			e++;
		tree[s] = e < end ? e - f->adj_first[s] : 0;
	}
}

void weft__choices_to_ports(const struct weft__traffic *t, uint32_t k)
{
	const struct weft_fabric *f = t->fabric;
	uint8_t *tree = weft__tree_ports(t, k);

	for (uint32_t s = 0; s < f->nsw; s++)
		tree[s] = s == t->home[k] ? 0 :
			f->adj[f->adj_first[s] + tree[s]] - f->first_channel[s];
}
