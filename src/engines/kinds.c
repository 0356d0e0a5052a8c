// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ranks of hosts of each kind, and shifts among them; see kinds.h. */
#include "engines/kinds.h"

#include "loads/shifts.h"

#include <weft/diag.h>
#include <weft/mapping.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORK 1e8	/* to look at: a third of a second, about */

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

int weft__shift_groups(const struct weft_fabric *f, bool single,
		       struct weft_routes *routes, struct weft_diag *diag)
{
	struct weft__shifts_spec spec = { .single = single, .work = WORK };
	struct weft__shifts_done done;
	uint32_t *rank;
	int err;

	if (f->ngroups < 2)
		return 0;
	spec.rank = rank = malloc(f->nep * sizeof(*rank));
	err = rank ? weft__ranks_by_group(f, rank) : -ENOMEM;
	if (!err)
		err = weft__shifts(f, routes, &spec, &done);
	free(rank);
	if (!err)
		return 0;
	weft_routes_free(routes);
	return err == -ENOMEM ? weft_no_memory(diag) : err;
}
