// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finding switches; see switch_index.h. */
#include "io/tables/switch_index.h"

#include "core/find_key.h"

#include <errno.h>
#include <stdlib.h>

struct weft__port_guid {
	uint64_t guid;
	uint32_t sw;
};

static int compare(const void *va, const void *vb)
{
	const struct weft__port_guid *a = va, *b = vb;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->sw < b->sw ? -1 : a->sw > b->sw;
}

int weft__switch_index_init(struct weft__switch_index *index,
			    const struct weft_fabric *fabric)
{
	size_t nsw = fabric->nsw;
	struct weft__port_guid *list = calloc(nsw + 1, sizeof(*list));

	if (!list)
		return -ENOMEM;
	for (uint32_t s = 0; s < nsw; s++)
		list[s] = (struct weft__port_guid){ fabric->sw[s].port_guid,
						    s };
	qsort(list, nsw, sizeof(*list), compare);
	*index = (struct weft__switch_index){ fabric, list };
	return 0;
}

void weft__switch_index_free(struct weft__switch_index *index)
{
	free(index->port_guid);
	*index = (struct weft__switch_index){ 0 };
}

uint32_t weft__switch_by_any_guid(const struct weft__switch_index *index,
				  uint64_t guid)
{
	uint32_t sw = weft_fabric_switch_by_guid(index->fabric, guid);
	size_t n = index->fabric->nsw, at;

	if (sw != WEFT_NONE)
		return sw;
	at = weft__find_key(index->port_guid, n, sizeof(*index->port_guid),
			    offsetof(struct weft__port_guid, guid), guid);
	return at < n ? index->port_guid[at].sw : WEFT_NONE;
}
