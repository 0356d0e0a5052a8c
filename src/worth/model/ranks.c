// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ranks of hosts, group by group; see ranks.h. */
#include "worth/model/ranks.h"

#include <weft/fabric.h>
#include <weft/mapping.h>

#include <string.h>

int weft__ranks_by_group(const struct weft_fabric *f, uint32_t *rank)
{
	struct weft_mapping m = { 0 };
	uint32_t next = 0;
	bool by_name;
	int err = f->nep ? weft_mapping_natural(f, false, &m, &by_name, NULL) :
			   0;

	if (err)
		return err;
	memset(rank, 0xff, f->nep * sizeof(*rank));
	for (uint32_t g = 0; g < f->ngroups; g++)
		for (uint32_t i = 0; i < m.nslots; i++)
			if (f->ep[m.endport[i]].group == g)
				rank[m.endport[i]] = next++;
	for (uint32_t i = 0; i < f->nep; i++)
		if (rank[f->sw_endport[i]] == WEFT_NONE)
			rank[f->sw_endport[i]] = next++;
	weft_mapping_free(&m);
	return 0;
}
