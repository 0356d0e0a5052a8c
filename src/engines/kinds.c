// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Shifts among hosts of each kind; see kinds.h. */
#include "engines/kinds.h"

#include "loads/shifts.h"
#include "worth/model/ranks.h"

#include <weft/diag.h>

#include <errno.h>
#include <stdlib.h>

#define WORK 1e8	/* to look at: a third of a second, about */

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
