// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Union-find with path halving; see sets.h. */
#include "core/sets.h"

void weft__sets_begin(uint32_t *parent, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		parent[i] = i;
}

uint32_t weft__sets_find(uint32_t *parent, uint32_t id)
{
	while (parent[id] != id) {
		parent[id] = parent[parent[id]];
		id = parent[id];
	}
	return id;
}

bool weft__sets_join(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = weft__sets_find(parent, a);
	b = weft__sets_find(parent, b);
	if (a == b)
		return false;
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
	return true;
}
