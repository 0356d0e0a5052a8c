// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rails with no cable between them: parts that machines join; see run.h. */
#include "core/sets.h"
#include "proof/run.h"

#include <errno.h>
#include <string.h>

#define RAILS 256

/* Joins what the adapters of a machine are on. */
static void join_machine(const struct weft_fabric *f, const uint32_t *part,
			 uint32_t machine, uint32_t *set)
{
	const uint32_t *e = f->machine_endport + f->machine_first[machine];
	uint32_t n = f->machine_first[machine + 1] - f->machine_first[machine];

	for (uint32_t i = 1; i < n; i++)
		weft__sets_join(set, part[f->ep[e[0]].sw],
				part[f->ep[e[i]].sw]);
}

int weft__joined_by_machines(const struct weft_fabric *f, const uint32_t *part,
			     uint32_t nparts, struct weft_arena *scratch,
			     bool *out)
{
	uint32_t *set = weft__arena_alloc(scratch, nparts, sizeof(*set));
	uint32_t rail[RAILS];	/* 1 + the part that it is in */
	bool joined = true;

	if (weft__arena_failed(scratch))
		return -ENOMEM;
	memset(rail, 0, sizeof(rail));
	weft__sets_begin(set, nparts);
	for (uint32_t m = 0; m < f->nmachines; m++)
		join_machine(f, part, m, set);
	for (uint32_t i = 0; i < nparts; i++)
		joined &= !weft__sets_find(set, i);
	for (uint32_t e = 0; e < f->nep && joined; e++) {
		uint32_t *in = &rail[f->ep[e].rail];
		uint32_t here = part[f->ep[e].sw] + 1;

		joined = f->ep[e].kind != WEFT_HOST || !*in || *in == here;
		*in = f->ep[e].kind == WEFT_HOST ? here : *in;
	}
	*out = joined;
	return 0;
}
